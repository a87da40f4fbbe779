"""Consolidation: decay, merge, promote, evict and prune, with a preview, a diff and undo.

A pass plans on a snapshot without holding the writer, then executes the plan in small transactions, each with its part
of the run's diff and history. Rows changed since planning are left alone. If killed at any point, the next pass plans
again under the same run, and reaches the same result as an undisturbed pass.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Any, Final, Literal

from attrs import define

from memdesk.domain.ageing.consolidation import STEPS, Group, Memory, Rules, Step, plan
from memdesk.domain.models import FactSource, Page, Run, RunChange
from memdesk.errors import CancelledError, ConflictError, NotFoundError
from memdesk.messages import say
from memdesk.ports import CancelToken, Clock, StoreUpkeep
from memdesk.ports.seams import Indexing, SettingsReader
from memdesk.services.agents import known_agent
from memdesk.services.events import EventBus, MemoryChanged, RunChanged
from memdesk.services.moments import day_start, now_ms
from memdesk.services.slices import Hold, Slices
from memdesk.services.upkeep.applying import UNDO_DAYS, is_ageing
from memdesk.services.upkeep.bin import BinItem, empty_expired, empty_now, list_bin, restore_from_bin
from memdesk.services.upkeep.clockwatch import ClockWatch
from memdesk.services.upkeep.passing import Pass, Progress, Trigger, counts_of, no_collections, tell_indexing
from memdesk.services.upkeep.schedule import LATE, Blocker, Schedule, schedule
from memdesk.services.upkeep.undoing import UndoResult, all_changes, take_back

__all__ = ["BinItem", "ConsolidationService", "Progress", "RunResult", "Schedule", "UndoResult"]

log = logging.getLogger(__name__)

_PREVIEWS_KEPT: Final = 4
_DESCRIBED: Final = 500
_TAKEN_UP: Final = say("Taken up after an interruption.")
_PLANNING_SHARE: Final = 0.4
_SAYS: Final[dict[Step, str]] = {
    "decay": say("Letting old memories fade"),
    "merge": say("Merging duplicates"),
    "promote": say("Strengthening what keeps coming up"),
    "evict": say("Moving faded facts to the bin"),
    "prune": say("Moving old episodes to the bin"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """A run and what it changed or, in a dry run, would change."""

    run: Run
    changes: tuple[RunChange, ...]
    #: texts of the first changes' rows, by id; looked up for display, not stored.
    texts: dict[str, str] = field(default_factory=dict)
    #: for a dry run, the number of the first change after each all-or-nothing group.
    ends: tuple[int, ...] = ()
    #: how long each slice held the writer; none for a dry run.
    holds: tuple[Hold, ...] = ()


@define(kw_only=True, eq=False, repr=False, slots=False)
class ConsolidationService:
    """Keeps the memory small and current. One run at a time.

    Args:
        settings: floor, retention and interval are read at each run.
        indexing: notified of rows that no longer need vectors, or need them again.
        blockers: reasons for which a scheduled pass waits.
        busy: whether a chat is streaming; scheduled passes start after it, and yield to it between slices.
        ticks: seconds of a monotonic clock that also runs while the machine sleeps; None to trust the clock.
    """

    _store: StoreUpkeep
    _clock: Clock
    _events: EventBus
    _settings: SettingsReader
    _indexing: Indexing | None = None
    _blockers: Sequence[Blocker] = ()
    _busy: Callable[[], bool] = lambda: False
    _ticks: Callable[[], float] | None = None

    def __attrs_post_init__(self) -> None:
        self._watch = ClockWatch(self._store, self._clock, self._ticks or (lambda: self._clock.now().timestamp()))
        self._blockers = [self._watch.blocker, self._memory_off, self._chatting, *self._blockers]
        self._launched_at = self._clock.now()
        self._running = threading.Lock()
        self._current: Pass | None = None
        self._previews: OrderedDict[str, list[Group]] = OrderedDict()

    def run(
        self,
        *,
        dry_run: bool = False,
        trigger: Trigger = "user",
        agent_id: str | None = None,
        cancel: CancelToken | None = None,
        progress: Progress | None = None,
        only: set[int] | None = None,
        preview: str | None = None,
    ) -> RunResult:
        """Run a pass, or preview exactly what it would change.

        Args:
            dry_run: change nothing; the result's changes are what a pass would do now, in order, with reasons.
            trigger: what triggered it.
            agent_id: one agent's memory; None for all.
            cancel: stops between two slices; what is done stays done, and can be undone.
            progress: called with its progress.
            only: numbers of changes of a dry run (0 is the first); only these are made, where the rows are
                unchanged since the preview. A merge needs both of its changes.
            preview: id of that dry run; None for the latest.

        Raises:
            ConflictError: a run is in progress, or the preview is unknown.
            NotFoundError: the agent does not exist.
        """
        with self._alone(trigger, cancel, progress) as pass_:
            if dry_run:
                return self._preview(pass_, agent_id)
            if trigger in {"user", "api"}:
                self._watch.confirm()
            return self._real(pass_, agent_id, only, preview)

    def underway(self) -> RunChanged | None:
        """Return the last state of the pass, preview or undo in progress; None if there is none."""
        current = self._current
        return current.state if current is not None else None

    def stop(self) -> None:
        """Stop the pass, preview or undo in progress, whoever started it; like its ``cancel``."""
        current = self._current
        if current is not None:
            current.stop.set()

    @contextmanager
    def _alone(self, trigger: Trigger, cancel: CancelToken | None, progress: Progress | None) -> Iterator[Pass]:
        """Start an exclusive pass, preview or undo; at the end, publish its result."""
        if not self._running.acquire(blocking=False):
            raise ConflictError(say("A consolidation is running."), hint=say("Wait for it, or stop it."))
        pass_ = Pass(self._store, self._events, self._busy, trigger=trigger, cancel=cancel, progress=progress)
        self._current = pass_
        try:
            with no_collections():
                yield pass_
        except BaseException as error:
            if pass_.state.status == "running":
                pass_.end("cancelled" if isinstance(error, CancelledError) else "failed")
            raise
        finally:
            self._current = None
            self._running.release()
            self._events.publish(pass_.state)

    def _preview(self, pass_: Pass, agent_id: str | None) -> RunResult:
        now = now_ms(self._clock)
        groups: list[Group] = []
        agents = self._agents(agent_id)
        for number, agent in enumerate(agents):
            planned = self._plan(pass_, agent, now, number / len(agents), pass_.tick)
            groups += [group for step in STEPS for group in planned[step]]
        changes = tuple(change for group in groups for change in group)
        pass_.end("done")
        run = Run(
            id=pass_.state.run_id,
            trigger=pass_.trigger,
            status="done",
            dry_run=True,
            counts=counts_of(changes),
            started_at=now,
            finished_at=now_ms(self._clock),
        )
        self._previews[run.id] = groups
        while len(self._previews) > _PREVIEWS_KEPT:
            self._previews.popitem(last=False)
        ends = tuple(accumulate(len(group) for group in groups))
        return RunResult(run=run, changes=changes, texts=self.described(changes[:_DESCRIBED]), ends=ends)

    def _chosen(self, only: set[int], preview: str | None) -> list[Group]:
        key = preview or next(reversed(self._previews), None)
        groups = self._previews.get(key) if key else None
        if groups is None:
            raise ConflictError(say("That preview is no longer known."), hint=say("Preview again, then choose."))
        chosen, number = [], 0
        for group in groups:
            if only.issuperset(range(number, number + len(group))):
                chosen.append(group)
            number += len(group)
        return chosen

    def _real(self, pass_: Pass, agent_id: str | None, only: set[int] | None, preview: str | None) -> RunResult:
        chosen = None if only is None else self._chosen(only, preview)
        agents = self._agents(agent_id)
        run = self._begin(pass_)
        try:
            if chosen is not None:
                self._make(pass_, run, chosen, 0.0, 1.0)
            else:
                for number, agent in enumerate(agents):
                    self._one_agent(pass_, run, agent, number / len(agents), 1 / len(agents))
            if self._watch.settled(UNDO_DAYS):
                empty_expired(self._store, pass_.slices, now_ms(self._clock), pass_.between)
            run = self._end(pass_, run, "done", "" if only is None else _not_made(len(only) - len(pass_.done)))
        except CancelledError:
            run = self._end(pass_, run, "cancelled", "Stopped on request; what was done can be undone.")
        except BaseException as error:
            self._end(pass_, run, "failed", getattr(error, "message", "It failed; what was done can be undone."))
            raise
        texts = self.described(pass_.done[:_DESCRIBED])
        return RunResult(run=run, changes=tuple(pass_.done), texts=texts, holds=tuple(pass_.slices.holds))

    def _one_agent(self, pass_: Pass, run: Run, agent_id: str, start: float, share: float) -> None:
        planned = self._plan(pass_, agent_id, run.started_at, start, pass_.between)
        begun = start + share * _PLANNING_SHARE
        self._make(pass_, run, [group for step in STEPS for group in planned[step]], begun, start + share - begun)

    def _make(self, pass_: Pass, run: Run, groups: Sequence[Group], begun: float, share: float) -> None:
        """Apply planned changes step by step, since later steps build on earlier ones."""
        for step in STEPS:
            part = [group for group in groups if group[0].action == step]
            if part:
                weight = share * len(part) / len(groups)
                pass_.make(run, part, begun, weight, says=_SAYS[step])
                begun += weight

    def _plan(
        self, pass_: Pass, agent_id: str, now: datetime, begun: float, tick: Callable[[], None]
    ) -> dict[Step, list[Group]]:
        pass_.progress(begun, words=say("Looking at what would change"))
        with self._store.read() as repos:
            memory = Memory(facts=repos.items.active(agent_id), episodes=repos.items.active_episodes(agent_id))
        return plan(memory, self._rules(now), self._sources_of, tick)

    def _sources_of(self, fact_ids: Sequence[str]) -> dict[str, tuple[FactSource, ...]]:
        with self._store.read() as repos:
            return {fact.id: fact.sources for fact in repos.items.many(list(fact_ids))}

    def _rules(self, now: datetime) -> Rules:
        memory = self._settings.current.memory
        return Rules(
            now=now,
            day_start=day_start(self._clock, now),
            floor=memory.salience_floor,
            retention_days=memory.episode_retention_days,
        )

    def _agents(self, agent_id: str | None) -> list[str]:
        with self._store.read() as repos:
            if agent_id is None:
                return [agent.id for agent in repos.agents.all()]
            known_agent(repos, agent_id)
        return [agent_id]

    def _begin(self, pass_: Pass) -> Run:
        """Store a new run, or resume one interrupted by a kill, so that it keeps one diff."""
        now = now_ms(self._clock)
        former = self._interrupted()
        if former is not None:
            log.info("taking up an interrupted consolidation")
            run = replace(former, started_at=max(former.started_at, now), message=_TAKEN_UP)
        else:
            run = Run(id=pass_.state.run_id, trigger=pass_.trigger, status="running", started_at=now)
        self._store.write(lambda repos: repos.runs.put(run))
        pass_.state = replace(pass_.state, run_id=run.id)
        return run

    def _interrupted(self) -> Run | None:
        with self._store.read() as repos:
            newest = repos.runs.page(kind="consolidation", limit=5).items
        return next((run for run in newest if run.status == "running"), None)

    def _end(self, pass_: Pass, run: Run, status: Literal["done", "cancelled", "failed"], message: str) -> Run:
        # A resumed run did a part of its work before the kill; its stored diff has everything.
        made = all_changes(self._store, run.id) if run.message == _TAKEN_UP else pass_.done
        words = run.message + " " + message if run.message and message else run.message or message
        ended = replace(run, status=status, finished_at=now_ms(self._clock), message=words, counts=counts_of(made))
        self._store.write(lambda repos: repos.runs.put(ended))
        self.announce(pass_.done)
        pass_.end(ended.status, ended.message)
        return ended

    def announce(self, changes: Sequence[RunChange]) -> None:
        """Notify indexes and listeners of changed rows."""
        moved = [change for change in changes if not is_ageing(change)]
        if self._indexing is not None and moved:
            tell_indexing(self._store, self._indexing, moved)
        for agent_id in sorted({change.agent_id for change in changes}):
            kinds = sorted({change.kind for change in changes if change.agent_id == agent_id})
            self._events.publish(MemoryChanged(agent_id, tuple(kinds)))

    def runs(self, limit: int = 50, cursor: str | None = None) -> Page[Run]:
        """List passes, newest first."""
        with self._store.read() as repos:
            return repos.runs.page(kind="consolidation", limit=limit, cursor=cursor)

    def get(self, run_id: str) -> Run:
        """Return one run. Raises ``NotFoundError``."""
        with self._store.read() as repos:
            run = repos.runs.get(run_id)
        if run is None:
            raise NotFoundError(say("There is no such run."), hint="GET /memory/runs lists them.")
        return run

    def changes(self, run_id: str, limit: int = 200, cursor: str | None = None) -> Page[RunChange]:
        """List what a run changed, in order. Empty once it can no longer be undone."""
        with self._store.read() as repos:
            return repos.runs.changes(run_id, limit=limit, cursor=cursor)

    def described(self, changes: Sequence[RunChange]) -> dict[str, str]:
        """Return the present texts of changes' rows, by id, without deleted rows."""
        with self._store.read() as repos:
            return {item.id: item.content for item in repos.items.many([change.ref_id for change in changes])}

    def can_undo(self, run: Run) -> bool:
        fresh = self._clock.now() - run.started_at <= timedelta(days=UNDO_DAYS)
        return fresh and not run.dry_run and run.status in {"done", "cancelled", "failed"}

    def undo(self, run_id: str, *, cancel: CancelToken | None = None, progress: Progress | None = None) -> UndoResult:
        """Undo a run: every row as it was, except what others have changed since.

        If stopped or killed, the same call resumes.

        Raises:
            ConflictError: it is too old, already undone or unfinished, or another run is in progress.
            NotFoundError: no run has this id.
        """
        run = self.get(run_id)
        if not self.can_undo(run):
            old = say("Runs can be undone for {days} days.", days=UNDO_DAYS)
            why = say("It was undone already.") if run.status == "undone" else old
            raise ConflictError(say("This run cannot be undone. {why}", why=why))
        with self._alone("user", cancel, progress) as pass_:
            pass_.state = replace(pass_.state, run_id=run.id)
            total = max(1, sum(run.counts.values()))

            def between(done: int) -> None:
                pass_.progress(min(1.0, done / total), words=say("Taking changes back"))
                pass_.between()

            result = take_back(self._store, pass_.slices, run, now_ms(self._clock), between)
            self.announce(result.changes)
            pass_.end("undone", result.run.message)
        return result

    def bin(self, agent_id: str | None = None, limit: int = 50, cursor: str | None = None) -> Page[BinItem]:
        """List rows removed by runs that can still be restored."""
        with self._store.read() as repos:
            return list_bin(repos, agent_id, limit, cursor)

    def restore(self, kind: Literal["fact", "episode"], ref_id: str) -> None:
        """Restore one row from the bin.

        Raises:
            NotFoundError: it is not in the bin (any more).
        """
        now = now_ms(self._clock)
        change = self._store.write(lambda repos: restore_from_bin(repos, kind, ref_id, now))
        self.announce([change])

    def empty_bin(self) -> int:
        """Empty the bin irreversibly; return the number of rows."""
        gone = empty_now(self._store, Slices(self._store), now_ms(self._clock))
        with self._store.read() as repos:
            agents = repos.agents.all()
        for agent in agents:
            self._events.publish(MemoryChanged(agent.id, ("fact", "episode")))
        return gone

    def schedule(self, now: datetime | None = None) -> Schedule:
        """Return when the next pass is due, and what an overdue one waits for."""
        with self._store.read() as repos:
            newest = repos.runs.page(kind="consolidation", limit=20).items
            agents = repos.agents.all()
        return schedule(
            now=now or self._clock.now(),
            launched_at=self._launched_at,
            since=min((agent.created_at for agent in agents), default=self._launched_at),
            interval=timedelta(hours=self._settings.current.memory.consolidation_interval_hours),
            runs=[run for run in newest if run.status != "running" or not self._running.locked()],
            blockers=self._blockers,
        )

    def next_run(self) -> dict[str, Any]:
        """Return ``{at, overdue, waiting, last}`` for people and programs."""
        state = self.schedule()
        return {"at": state.at, "overdue": state.overdue, "waiting": state.waiting, "last": state.last}

    def run_if_due(self) -> RunResult | None:
        """Run a pass if one is due, was interrupted, or was slept through; None if there is nothing to do.

        Called by the scheduler every few minutes and after the machine wakes up.
        """
        self._watch.look()
        now = self._clock.now()
        state = self.schedule(now)
        if not state.overdue or state.waiting or self._running.locked():
            return None
        return self.run(trigger="catch_up" if now - state.at > LATE else "schedule")

    def _chatting(self) -> str:
        return say("A chat is being answered.") if self._busy() else ""

    def _memory_off(self) -> str:
        return "" if self._settings.current.memory.enabled else say("Memory is off.")


def _not_made(number: int) -> str:
    """Say which chosen changes of a preview were not made, and why; empty if all were."""
    if number <= 0:
        return ""
    return say(
        "{n:chosen change} not made: something has changed since the preview, or it builds on a change "
        "that was not chosen.",
        n=number,
    )
