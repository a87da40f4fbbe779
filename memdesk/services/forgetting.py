"""Forgetting, complete: previewed, done in one transaction (whole agents: in slices), then proved.

What goes: rows, full-text entries, vectors and index snapshots (the store's triggers), texts in the history,
in receipts, in the bin and in the diffs of runs, entities that nothing names any more, and copies of the same
statement in episodes and identity. What stays is said in the preview: a fact's messages, unless they are
asked for too, and the bare record that something was forgotten.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memdesk.domain.models import Actor
from memdesk.services import forget_agents
from memdesk.services.erasing import Erased, entries_for, erase
from memdesk.services.events import ConversationsChanged, EventBus, MemoryChanged, PendingChanged
from memdesk.services.forget_gather import gather
from memdesk.services.forget_scope import ForgetTarget, Scope
from memdesk.services.moments import now_ms
from memdesk.services.proof import Proof, choose_phrases, prove

if TYPE_CHECKING:
    from memdesk.ports import Clock, Repositories, Store
    from memdesk.services.seams import Indexing

__all__ = ["ForgetPreview", "ForgetReport", "ForgetTarget", "ForgettingService"]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetPreview:
    """What forgetting would do.

    Attributes:
        counts: rows that go (facts, episodes, identity, turns, conversations, entities) or lose a part
            (facts_changed, episodes_changed).
        notes: what stays although one might think otherwise, in sentences for the user.
    """

    counts: dict[str, int]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetReport:
    """What was forgotten, and whether it was proved.

    Attributes:
        counts: as in the preview.
        verified: the proof was made and found nothing that should be gone.
        phrases_checked: how many distinctive phrases were looked for in every decrypted page and every search.
        kept_elsewhere: further phrases, which rows that stay hold as well; they prove nothing either way.
        left: places where a forgotten phrase was still found although no row holds it. Empty when verified.
        notes: as in the preview.
    """

    counts: dict[str, int]
    verified: bool
    phrases_checked: int
    kept_elsewhere: int = 0
    left: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class ForgettingService:
    """Forgets on request."""

    def __init__(self, *, store: Store, clock: Clock, events: EventBus, indexing: Indexing | None = None) -> None:
        self._store = store
        self._clock = clock
        self._events = events
        self._indexing = indexing

    def preview(self, target: ForgetTarget) -> ForgetPreview:
        """Say what :meth:`forget` would do; nothing is changed.

        Raises:
            BadRequestError: an agent is needed and not named.
            NotFoundError: a thing named does not exist.
        """
        with self._store.read() as repos:
            scope = gather(repos, target, now_ms(self._clock))
        return ForgetPreview(counts=scope.counts(), notes=tuple(scope.notes))

    def forget(
        self,
        target: ForgetTarget,
        *,
        verify: bool = True,
        actor: Actor = "user",
        actor_detail: str = "",
        then: Callable[[Repositories], object] | None = None,
    ) -> ForgetReport:
        """Forget for good. All or nothing; afterwards the write-ahead log is folded in and emptied.

        An agent's own settings stay: only its memory goes, which no read returns from the first moment on. Its rows
        follow in slices that never hold the writer for long; killed meanwhile, :meth:`resume` goes on.

        Args:
            target: what.
            verify: prove it: look for distinctive phrases in every decrypted page and by every search. Costs a
                pass over the file a phrase.
            actor: who asked.
            actor_detail: the API token's name.
            then: writes what takes its place, in the same transaction; not for whole agents.

        Raises:
            BadRequestError: an agent is needed and not named.
            NotFoundError: a thing named does not exist; nothing was changed.
        """
        now = now_ms(self._clock)

        def work(repos: Repositories) -> Erased:
            done = Erased(gather(repos, target, now))
            erase(repos, done)
            repos.history.add(entries_for(done.scope, actor, actor_detail))
            if then is not None:
                then(repos)
            return done

        if target.kind in {"agent", "everything"}:
            done = self._forget_agents(target, actor, actor_detail)
        else:
            done = self._store.write(work)
            self._tell(done)
        self._store.checkpoint()
        proof = self._prove(done.scope) if verify else None
        if proof is not None and proof.left:
            log.warning("forgetting left %d traces", len(proof.left))
        return ForgetReport(
            counts=done.scope.counts(),
            verified=proof is not None and not proof.left,
            phrases_checked=proof.checked if proof else 0,
            kept_elsewhere=proof.kept_elsewhere if proof else 0,
            left=proof.left if proof else (),
            notes=tuple(done.scope.notes),
        )

    def _forget_agents(self, target: ForgetTarget, actor: Actor, actor_detail: str) -> Erased:
        with self._store.read() as repos:
            done = Erased(gather(repos, target, now_ms(self._clock)))
        forget_agents.begin(self._store, done.scope, actor, actor_detail)
        self._tell(done)
        forget_agents.finish(self._store, done.scope.agents)
        return done

    def resume(self) -> None:
        """Go on with what a kill interrupted: agents that were marked as being forgotten, and hidden since."""
        with self._store.read() as repos:
            agent_ids = forget_agents.marked(repos)
        if agent_ids:
            log.info("going on with an interrupted forgetting")
            forget_agents.finish(self._store, agent_ids)
            self._store.checkpoint()

    def _prove(self, scope: Scope) -> Proof:
        phrases = choose_phrases(scope.texts())
        return prove(self._store, phrases, sorted(scope.agent_ids()))

    def _tell(self, done: Erased) -> None:
        if self._indexing is not None:
            for (agent_id, kind), seqs in done.gone.items():
                self._indexing.forget(agent_id, kind, seqs)
            for (agent_id, kind), seqs in done.changed.items():
                self._indexing.note(agent_id, kind, seqs)
        scope = done.scope
        for agent_id in sorted(scope.agent_ids()):
            self._events.publish(MemoryChanged(agent_id, ("fact", "episode", "entity", "turn")))
        if scope.identity or scope.changed_identity:
            self._events.publish(MemoryChanged(None, ("identity",)))
        for agent_id in sorted({turn.agent_id for turn in scope.turns.values()}):
            self._events.publish(ConversationsChanged(agent_id))
        if scope.turns:
            self._events.publish(PendingChanged())
