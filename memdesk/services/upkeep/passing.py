"""One consolidation pass in progress."""

import gc
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Final, Literal

from memdesk.domain.ageing.consolidation import STEPS, Group
from memdesk.domain.models import Run, RunChange, new_id
from memdesk.errors import CancelledError
from memdesk.messages import say
from memdesk.ports import AnyToken, CancelToken, Repositories, StoreUpkeep
from memdesk.ports.seams import Indexing
from memdesk.services.events import EventBus, RunChanged
from memdesk.services.moments import to_ms
from memdesk.services.slices import Slices
from memdesk.services.upkeep.applying import apply_ageing, apply_evictions, apply_rows, is_ageing, is_eviction

Trigger = Literal["schedule", "user", "api", "catch_up"]
#: Called with a run's progress (0..1) and a description.
Progress = Callable[[float, str], None]

#: Applies a slice of a run's changes, as of a moment; returns what was done.
Manner = Callable[["Repositories", str, Sequence[Group], datetime], list[RunChange]]
#: In order of execution.
_MANNERS: Final[tuple[Manner, ...]] = (apply_ageing, apply_rows, apply_evictions)

#: How long a scheduled pass yields to a chat, per slice, before it continues anyway.
_YIELD_SECONDS: Final = 30.0


@contextmanager
def no_collections() -> Iterator[None]:
    """Disable Python's cyclic garbage collector meanwhile.

    A plan for 100,000 facts is a million objects, none of them in a cycle. Traversing them again and again takes
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
    """One pass, preview or undo in progress: its slices, results, progress, and cancellation.

    Attributes:
        state: its progress or result, as published.
        stop: set by anyone who wants it stopped, besides its initiator.
    """

    def __init__(
        self,
        store: StoreUpkeep,
        events: EventBus,
        busy: Callable[[], bool],
        *,
        trigger: Trigger,
        cancel: CancelToken | None,
        progress: Progress | None,
    ) -> None:
        self._events = events
        self._busy = busy
        self._told = progress
        self.trigger = trigger
        self.state = RunChanged(new_id(), "consolidation", "running")
        self.stop = threading.Event()
        self._cancel = AnyToken(self.stop, cancel)
        self.slices = Slices(store)
        self.done: list[RunChange] = []

    def tick(self) -> None:
        """Yield to other threads and check for cancellation; called every few hundred rows of planning."""
        if self._cancel.is_set():
            raise CancelledError(say("The consolidation was stopped."))
        time.sleep(0)

    def progress(self, share: float, words: str) -> None:
        """Report progress to its initiator and listeners."""
        self.state = replace(self.state, progress=share, message=words)
        if self._told is not None:
            self._told(share, words)
        self._events.publish(self.state)

    def end(self, status: str, message: str = "") -> None:
        """Set the result; it is published once everything has stopped."""
        self.state = replace(self.state, status=status, progress=1.0, message=message)

    def between(self, _done: int = 0) -> None:
        """Yield to a streaming chat, unless the user waits for this run."""
        self.tick()
        if self.trigger in {"user", "api"}:
            return
        until = time.monotonic() + _YIELD_SECONDS
        while self._busy() and time.monotonic() < until:
            time.sleep(0.1)
            self.tick()

    def make(self, run: Run, groups: Sequence[Group], begun: float, share: float, says: str) -> None:
        """Apply the planned changes of one step in slices; each slice stores its part of the diff.

        Similar changes are grouped: the cost of a slice of aged episodes says nothing about aged facts.
        """
        alike: dict[tuple[int, str], list[Group]] = {}
        for group in groups:
            alike.setdefault((_MANNERS.index(_manner(group)), group[0].kind), []).append(group)
        for (manner, _kind), part in sorted(alike.items()):
            if _MANNERS[manner] is apply_ageing:
                # In the order of salience, so that a slice touches neighboring entries of the indexes over it: a
                # third of the pages to encrypt and write.
                part.sort(key=lambda group: (group[0].before or {})["salience"])
            weight = share * len(part) / len(groups)
            self._make(run, part, _MANNERS[manner], begun, weight, says)
            begun += weight

    def _make(self, run: Run, groups: Sequence[Group], apply: Manner, begun: float, share: float, says: str) -> None:
        def between(done: int) -> None:
            self.progress(begun + share * done / len(groups), says)
            self.between()

        def work(repos: Repositories, part: Sequence[Group]) -> list[RunChange]:
            return apply(repos, run.id, part, to_ms(run.started_at))

        for made in self.slices.over(groups, work, between=between):
            self.done += made


def _manner(group: Group) -> Manner:
    """Return the cheapest way to apply a group of changes."""
    if all(is_ageing(change) for change in group):
        return apply_ageing
    return apply_evictions if all(is_eviction(change) for change in group) else apply_rows


def counts_of(changes: Sequence[RunChange]) -> dict[str, int]:
    """Count rows by step; a merge counts once, by the removed row, and so does a pruned episode."""
    once = {"merge", "prune"}
    found = Counter(
        change.action for change in changes if change.action not in once or "status" in (change.after or {})
    )
    return {step: found[step] for step in STEPS if found[step]}


def tell_indexing(store: StoreUpkeep, indexing: Indexing, moved: Sequence[RunChange]) -> None:
    """Remove vectors of disabled rows from the indexes, and add those of restored rows."""
    live: dict[str, list[int]] = {}
    out: dict[str, list[int]] = {}
    with store.read() as repos:
        items = repos.items.many([change.ref_id for change in moved])
        details = [detail.seq for one in items if one.digest is not None for detail in one.digest.details]
        own = repos.embeddings.among("detail", details)
    for item in items:
        told = () if item.digest is None else item.digest.details
        seqs = (live if item.status == "active" else out).setdefault(item.agent_id, [])
        seqs += [item.seq, *(detail.seq for detail in told if detail.seq in own)]
    for agent_id, seqs in out.items():
        indexing.forget(agent_id, "item", seqs)
    for agent_id, seqs in live.items():
        indexing.note(agent_id, "item", seqs)
