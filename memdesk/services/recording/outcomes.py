"""The outcome of an import: what was learned, or why nothing was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from attrs import define

from memdesk.domain.reading.secrets import secret_kinds
from memdesk.errors import CancelledError, MemdeskError
from memdesk.messages import say
from memdesk.ports import CancelToken, Store
from memdesk.services.distilling import memory_off
from memdesk.services.recording.turns import IngestResult, NewTurn

if TYPE_CHECKING:
    from memdesk.services.agents import AgentsService
    from memdesk.services.distilling import DistillationService
    from memdesk.services.settings import SettingsService


@define(kw_only=True, eq=False, repr=False)
class Outcomes:
    """Distills imports, and reports the outcome."""

    _store: Store
    _settings: SettingsService
    _agents: AgentsService
    _distillation: DistillationService

    def distill(
        self,
        agent_id: str,
        conversation_id: str,
        count: int,
        *,
        wait: bool,
        cancel: CancelToken | None,
        patience: float | None,
    ) -> IngestResult:
        """Distill a conversation now, or after the usual idle time if nobody waits; see :meth:`IngestService.ingest`."""
        if self._settings.current.memory.extraction_mode == "manual":
            return IngestResult(turns_ingested=count, distillation="skipped:manual")
        if not wait:
            self._distillation.note_activity(agent_id, conversation_id)
            return IngestResult(turns_ingested=count, distillation="skipped:deferred")
        try:
            outcomes = self._distillation.distill(agent_id, conversation_id, cancel=cancel, patience=patience)
        except CancelledError:
            return IngestResult(turns_ingested=count, distillation="skipped:cancelled")
        except MemdeskError as error:
            # The turns are safe and their signals pending: the import succeeded, and the answer reports the rest.
            return IngestResult(turns_ingested=count, distillation=f"error:{error.code}")
        if not outcomes:
            return IngestResult(turns_ingested=count, distillation="skipped:deferred")
        last = outcomes[-1]
        return IngestResult(
            turns_ingested=count,
            distillation=last.outcome,
            episode_id=last.episode_id,
            facts=len(last.facts),
            review=len(last.review),
            rejected=last.rejected,
            model_calls=last.model_calls,
            seconds=last.seconds,
            message=last.message,
        )

    def known_already(
        self, agent_id: str, conversation_id: str, count: int, distill: Callable[[], IngestResult] | None
    ) -> IngestResult:
        """Return the outcome for an unchanged session, distilling what is pending if allowed."""
        with self._store.read() as repos:
            waits = bool(repos.signals.pending(agent_id, conversation_id))
        if distill is not None and waits:
            return distill()
        outcome = self.why_not(agent_id, conversation_id) if distill is not None else "skipped:skip_extraction"
        return IngestResult(turns_ingested=count, distillation="unchanged" if outcome == "no_signals" else outcome)

    def why_not(self, agent_id: str, conversation_id: str) -> str:
        """Return, as an outcome, why nothing of a conversation is pending."""
        with self._store.read() as repos:
            conversation = repos.conversations.get(agent_id, conversation_id)
        off = memory_off(self._settings.current.memory, self._agents.get(agent_id), conversation)
        return f"skipped:{off}" if off else "no_signals"


def with_secrets(result: IngestResult, rows: Sequence[NewTurn]) -> IngestResult:
    """Report which secrets in new messages memory omits, and how to store one deliberately."""
    kinds = secret_kinds(row.content for row in rows)
    if not kinds:
        return result
    told = say("Left out of memory: {kinds}. Store it as a fact to keep it on purpose.", kinds=", ".join(kinds))
    return replace(result, secrets=kinds, message=f"{result.message} {told}".strip())
