"""One pass of consolidation under way."""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal

from memdesk.domain.consolidation import STEPS, Group
from memdesk.domain.models import Run, RunChange
from memdesk.errors import CancelledError
from memdesk.services.events import EventBus, RunChanged
from memdesk.services.moments import to_ms
from memdesk.services.run_apply import apply_ageing, apply_evictions, apply_rows, is_ageing, is_eviction
from memdesk.services.run_slices import Slices

if TYPE_CHECKING:
    from memdesk.domain.models import VectorKind
    from memdesk.ports import CancelToken, Repositories, Store
    from memdesk.services.seams import Indexing

Trigger = Literal["schedule", "user", "api", "catch_up"]
#: Told how far a run is (0..1) and what it does, in words.
Progress = Callable[[float, str], None]

#: How long a scheduled pass gives way to a chat, per slice, before it goes on all the same.
_YIELD_SECONDS: Final = 30.0


@contextmanager
def no_collections() -> Iterator[None]:
    """Keep Python's collector of cyclic garbage away meanwhile.

    A plan for 100,000 facts is a million objects, none of them in a cycle. Going through them again and again costs
    a third of a pass, and stops every thread, the window's and the writer's too, for a tenth of a second each time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class Pass:
    """One pass under way: its slices, what it did, when to stop.

    Attributes:
        trigger: what asked for it.
        progress: told how far it is.
        slices: its transactions.
        done: the changes it made so far.
    """

    def __init__(
        self,
        store: Store,
        events: EventBus,
        busy: Callable[[], bool],
        *,
        trigger: Trigger,
        cancel: CancelToken | None,
        progress: Progress | None,
    ) -> None:
        self._events = events
        self._busy = busy
        self._cancel = cancel
        self.trigger = trigger
        self.progress: Progress = progress or (lambda _share, _words: None)
        self.slices = Slices(store)
        self.done: list[RunChange] = []

    def tick(self) -> None:
        """Give way to other threads and stop when asked to; called every few hundred rows of planning."""
        if self._cancel is not None and self._cancel.is_set():
            raise CancelledError("The consolidation was stopped.")
        time.sleep(0)

    def between(self, _done: int = 0) -> None:
        """Give way to a chat that is streaming, unless the user waits for this very run."""
        self.tick()
        if self.trigger in {"user", "api"}:
            return
        until = time.monotonic() + _YIELD_SECONDS
        while self._busy() and time.monotonic() < until:
            time.sleep(0.1)
            self.tick()

    def make(self, run: Run, groups: Sequence[Group], begun: float, share: float, says: str = "Applying") -> None:
        """Make planned changes in slices; each slice stores its part of the diff."""
        ageing = [group for group in groups if all(is_ageing(change) for change in group)]
        # In the order of salience, so that a slice touches neighbouring entries of the indexes over it: a third of
        # the pages to encrypt and write.
        ageing.sort(key=lambda group: (group[0].before or {})["salience"])
        evictions = [group for group in groups if all(is_eviction(change) for change in group)]
        fast = {id(group) for group in (*ageing, *evictions)}
        others = [group for group in groups if id(group) not in fast]
        for apply, part in ((apply_ageing, ageing), (apply_rows, others), (apply_evictions, evictions)):
            self._make(run, part, apply, begun, share, says)

    def _make(
        self,
        run: Run,
        groups: Sequence[Group],
        apply: Callable[[Repositories, str, Sequence[Group], datetime], list[RunChange]],
        begun: float,
        share: float,
        says: str,
    ) -> None:
        def between(done: int) -> None:
            at = begun + share * done / max(1, len(groups))
            self.progress(at, says)
            self.between()
            self._events.publish(RunChanged(run.id, run.kind, "running", at, says))

        def work(repos: Repositories, part: Sequence[Group]) -> list[RunChange]:
            return apply(repos, run.id, part, to_ms(run.started_at))

        for made in self.slices.over(groups, work, between=between):
            self.done += made


def counts_of(changes: Sequence[RunChange]) -> dict[str, int]:
    """Count rows by step; a merge counts once, by the row that left."""
    found = Counter(change.action for change in changes if change.action != "merge" or "status" in (change.after or {}))
    return {step: found[step] for step in STEPS if found[step]}


def tell_indexing(store: Store, indexing: Indexing, moved: Sequence[RunChange]) -> None:
    """Vectors of rows that are out of use leave the indexes; those of rows that are back, come back."""
    live: dict[tuple[str, VectorKind], list[int]] = {}
    out: dict[tuple[str, VectorKind], list[int]] = {}
    with store.read() as repos:
        facts = repos.facts.many([change.ref_id for change in moved if change.kind == "fact"])
        episodes = repos.episodes.many([change.ref_id for change in moved if change.kind == "episode"])
    for fact in facts:
        (live if fact.status == "active" else out).setdefault((fact.agent_id, "fact"), []).append(fact.seq)
    for episode in episodes:
        table = live if episode.status == "active" else out
        table.setdefault((episode.agent_id, "episode"), []).append(episode.seq)
        details = [detail.seq for detail in episode.details]
        table.setdefault((episode.agent_id, "detail"), []).extend(details)
    for (agent_id, kind), seqs in out.items():
        indexing.forget(agent_id, kind, seqs)
    for (agent_id, kind), seqs in live.items():
        indexing.note(agent_id, kind, seqs)
