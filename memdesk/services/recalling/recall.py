"""The read path: the memory that a question needs, the few relevant lines, and the receipt that says why."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Unpack

from memdesk.domain.caches import forget_all
from memdesk.domain.models import Receipt, Scope, Section, new_id
from memdesk.domain.recalling import planner
from memdesk.services.events import (
    AgentsChanged,
    ConversationsChanged,
    DistillationFinished,
    EventBus,
    LockChanged,
    MemoryChanged,
    SettingsChanged,
    TurnsRecorded,
)
from memdesk.services.moments import now_ms
from memdesk.services.recalling.answers import Answers, rate
from memdesk.services.recalling.bearing import Bearing
from memdesk.services.recalling.composing import Composer
from memdesk.services.recalling.discretion import Sieve
from memdesk.services.recalling.finding import Finder, Narrow, SearchResult
from memdesk.services.recalling.gate import GateKeeper
from memdesk.services.recalling.muted import change_muted, muted_in
from memdesk.services.recalling.request import Request, Tokenizer
from memdesk.services.recalling.search import Searcher
from memdesk.services.recalling.unused import note_use

if TYPE_CHECKING:
    from memdesk.domain.reading.private import PrivateKind
    from memdesk.ports import Clock, Lanes, ModelCatalogue, Repositories, Store
    from memdesk.ports.seams import SettingsReader
    from memdesk.services.recalling.index.indexing import IndexingService
    from memdesk.settings.schema import NoteSearch, Strategy


class RecallService:
    """Answers "what do we know that is relevant here?". Thread-safe.

    Args:
        catalogue: opens the core model for the gate's ``llm`` mode.
        is_weak: whether a model, by its id, failed its self-test: its messages are recalled only if asked for.
    """

    def __init__(
        self,
        *,
        store: Store,
        settings: SettingsReader,
        clock: Clock,
        events: EventBus,
        lanes: Lanes,
        indexing: IndexingService,
        catalogue: ModelCatalogue | None = None,
        is_weak: Callable[[Repositories, str], bool] = lambda _, __: False,
    ) -> None:
        self.store = store
        self._settings = settings
        self._clock = clock
        self._lanes = lanes
        self._indexing = indexing
        self.searcher = Searcher(store=store, clock=clock, indexing=indexing, strategy=self._strategy)
        self._finder = Finder(
            store=store, clock=clock, searcher=self.searcher, local_kinds=self._local_kinds, folders=self._folders
        )
        self._gate = GateKeeper(store=store, settings=settings, indexing=indexing, lanes=lanes, catalogue=catalogue)
        self._bearing = Bearing(indexing)
        self.composer = Composer(
            store=store,
            clock=clock,
            indexing=indexing,
            searcher=self.searcher,
            gate=self._gate,
            bearing=self._bearing,
            has_notes=self._has_notes,
            is_weak=is_weak,
            local_kinds=self._local_kinds,
        )
        self._answers = Answers()
        listen = events.subscribe
        listen(MemoryChanged, lambda event: self.invalidate(event.agent_id))
        listen(TurnsRecorded, lambda event: self._answers.drop(event.agent_id))
        listen(ConversationsChanged, lambda event: self._answers.drop(event.agent_id))
        listen(DistillationFinished, lambda event: self.invalidate(event.agent_id))
        listen(AgentsChanged, lambda _: self.invalidate(None))
        listen(SettingsChanged, lambda _: self.invalidate(None))
        listen(LockChanged, lambda _: self.invalidate(None))

    def _strategy(self) -> Strategy:
        return self._settings.current.memory.recall_strategy

    def _local_kinds(self) -> Sequence[PrivateKind]:
        return self._settings.current.memory.local_only_kinds

    def context(
        self,
        *,
        agent_id: str,
        query: str,
        budget_tokens: int | None = None,
        section: Section | Literal["auto"] | None = None,
        conversation_id: str | None = None,
        as_of: datetime | None = None,
        session_now: datetime | None = None,
        store_receipt: bool = False,
        bump_usage: bool = False,
        history: Sequence[str] = (),
        replies: Sequence[str] = (),
        remote: bool = False,
        tokenizer: Tokenizer | None = None,
        sparing: bool = False,
    ) -> Receipt:
        """Return the memory block for a message, with the reasons.

        Args:
            agent_id: whose memory; nothing of another agent is ever read, except identity, which is the user's.
            query: the latest user message.
            budget_tokens: of the whole block; None: the setting.
            section: None or "auto" lets the gate choose.
            conversation_id: the running chat, recorded in the receipt.
            as_of: what was known then, instead of now.
            session_now: the present that "yesterday" counts from.
            store_receipt: store the receipt, for an existing agent.
            bump_usage: count shown items as used.
            history: earlier user messages of the chat; they are not shown again.
            replies: answers in the chat; not shown again either.
            remote: the block leaves this machine: local-only memory is left out.
            tokenizer: counts the budget in the reading model's tokens; None estimates them.
            sparing: the model confuses context with the question: its block has only lines relevant to the message.

        Returns:
            A receipt whose ``block`` is exactly what a chat prepends, empty if nothing is relevant.
        """
        started = time.perf_counter()
        now = now_ms(self._clock)
        request = Request(
            agent_id=agent_id,
            query=query,
            budget=self._settings.current.memory.memory_budget_tokens if budget_tokens is None else budget_tokens,
            section=None if section == "auto" else section,
            as_of=as_of,
            session_now=session_now,
            history=tuple(history),
            replies=tuple(replies),
            muted=muted_in(self.store, agent_id, conversation_id),
            conversation_id=conversation_id,
            remote=remote,
            tokenizer=tokenizer,
            sparing=sparing,
        )
        receipt = self._answers.find(request, now)
        if receipt is None:
            stamp = self._answers.stamp(agent_id)
            receipt = self.composer.compose(request, now)
            self._answers.keep(request, stamp, now, receipt)
        receipt = replace(
            receipt,
            id=new_id(),
            conversation_id=conversation_id,
            created_at=now,
            elapsed_ms=round((time.perf_counter() - started) * 1000, 3),
        )
        if store_receipt:
            self.store.write(lambda repos: _keep(repos, receipt))
        if bump_usage and receipt.items:
            self._lanes.submit("background", lambda: self._bump(receipt, now))
        return receipt

    def wrap(self, block: str, user_message: str) -> str:
        """Return a user message with the block prepended; the message itself is unchanged."""
        return planner.wrap(block, user_message)

    def note_use(self, receipt: Receipt, answer: str) -> None:
        """Record in the background which lines of a receipt an answer used; unused ones are slightly demoted."""
        if any(item.kind != "identity" for item in receipt.items):
            self._lanes.submit("background", lambda: self._learn_use(receipt, answer))

    def search(
        self, *, agent_id: str, query: str, scope: Scope = "all", limit: int = 10, **narrow: Unpack[Narrow]
    ) -> SearchResult:
        """Search an agent's memory; see :meth:`Finder.search`."""
        return self._finder.search(agent_id=agent_id, query=query, scope=scope, limit=limit, **narrow)

    def sieve(self, agent_id: str) -> Sieve:
        """Return the filter for readers of an agent's memory on other machines."""
        with self.store.read() as repos:
            return Sieve.of(repos, agent_id, self._local_kinds())

    def mute(self, *, agent_id: str, conversation_id: str, kind: str, ref_id: str, on: bool = True) -> None:
        """Mute a line (``kind`` and ``ref_id`` of a receipt's item) in a conversation, or unmute it."""
        self.store.write(lambda repos: change_muted(repos, agent_id, conversation_id, kind, ref_id, on=on))
        self._answers.drop(agent_id)

    def warm_up(self, agent_id: str) -> None:
        """Prepare for a question; takes as long as the embedder takes to start."""
        self._indexing.warm_up(agent_id)
        with self.store.read() as repos:
            self._bearing.warm_up(repos)

    def measure_noise(self, agent_id: str, code: str = "en") -> None:
        """Measure now, not in the background, the similarity of unrelated questions to an agent's memory, in a language."""
        self._gate.measure_noise(agent_id, code)

    def invalidate(self, agent_id: str | None) -> None:
        """Drop cached answers and names of an agent, or of all."""
        self._answers.drop(agent_id)
        self._gate.forget(agent_id)
        if agent_id is None:
            self.searcher.frequencies.forget()
            forget_all()

    def stats(self) -> dict[str, Any]:
        """Return hits, misses and hit rates of the caches of the read path."""
        figures = self.searcher.frequencies.figures()
        return {
            "contexts": self._answers.stats(),
            "frequencies": {**figures, "rate": rate(figures["hits"], figures["misses"])},
            **self._indexing.cache_rates(),
            "store": self.store.stats(),
        }

    def _folders(self, agent_id: str) -> dict[str, NoteSearch]:
        folders = self._settings.current.memory.note_folders
        return {folder.path: folder.search for folder in folders if folder.agent == agent_id}

    def _has_notes(self, agent_id: str) -> bool:
        return bool(self._folders(agent_id))

    def _learn_use(self, receipt: Receipt, answer: str) -> None:
        today = self._clock.local(now_ms(self._clock)).date()
        if self.store.write(lambda repos: note_use(repos, receipt, answer, today)):
            self._answers.drop(receipt.agent_id)

    def _bump(self, receipt: Receipt, at: datetime) -> None:
        used = [item.id for item in receipt.items if item.kind in {"fact", "episode", "detail"}]
        if used:
            self.store.write(lambda repos: repos.items.touch(used, at))


def _keep(repos: Repositories, receipt: Receipt) -> None:
    if repos.agents.get(receipt.agent_id) is not None:
        repos.receipts.put(receipt)
