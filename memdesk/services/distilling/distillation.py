"""From turns to memory: an idle conversation is read, digested with one model call, verified and stored."""

import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from memdesk.domain.models import Conversation, Signal, SignalStatus, every, new_id
from memdesk.domain.reading.digest import ModelGrade
from memdesk.errors import LockedError
from memdesk.ports import (
    AnyToken,
    CancelToken,
    Clock,
    Embedder,
    Lanes,
    LanguageAnalyzer,
    ModelCatalogue,
    Repositories,
    Store,
)
from memdesk.ports.seams import Indexing, SettingsReader
from memdesk.services.distilling.attempt import BACKOFF_SECONDS, MAX_TRIES, Attempts, SessionOutcome
from memdesk.services.distilling.grades import Grades
from memdesk.services.distilling.lines import LineReader
from memdesk.services.distilling.pace import pace
from memdesk.services.distilling.queue import Flight, Job
from memdesk.services.distilling.refusal import WHY_SKIPPED, refusal
from memdesk.services.distilling.session import SessionReader
from memdesk.services.events import AgentsChanged, EventBus, PendingChanged, SettingsChanged

#: Consecutive sessions without results before it is reported.
TOLD_FROM: Final = 5


@dataclass(frozen=True, slots=True)
class Lately:
    """Outcomes of the latest sessions since the app started.

    Attributes:
        barren: how many consecutive ones up to now gave nothing to remember.
        left_out: why their sentences were skipped, with counts, most frequent first.
        skipped: why pending sessions are not read, worded for the user, with counts.
        secrets: how many were found in them and left out.
    """

    barren: int = 0
    left_out: tuple[tuple[str, int], ...] = ()
    skipped: tuple[tuple[str, int], ...] = ()
    secrets: int = 0


def lately(outcomes: Sequence[SessionOutcome], refused: Iterable[str]) -> Lately:
    """Summarize outcomes, latest last, and why pending sessions are not read."""
    read = [one for one in outcomes if one.outcome == "distilled" or one.outcome.startswith("empty:")]
    barren: list[SessionOutcome] = []
    for one in reversed(read):
        if one.facts or one.review or one.lines:
            break
        barren.append(one)
    reasons: Counter[str] = Counter()
    for one in barren:
        reasons.update(dict(one.left_out))
    skipped = Counter(WHY_SKIPPED[why] for why in refused if why)
    secrets = sum(len(one.secrets) for one in outcomes)
    return Lately(len(barren), tuple(reasons.most_common()), tuple(skipped.most_common()), secrets)


__all__ = ["BACKOFF_SECONDS", "MAX_TRIES", "DistillationService", "SessionOutcome"]

#: Delay of the first orphan after launch, and the pause between two.
ORPHAN_DELAY_SECONDS: Final = 30.0
ORPHAN_STEP_SECONDS: Final = 20.0
#: Delay of the first one freed by a change of settings: a first message creating an agent is such a change, and the
#: message's own idle timer replaces this.
FREED_SECONDS: Final = 2.0
#: How soon a session removed from the queue by a pause is queued again; the lanes hold it until the pause ends.
PAUSED_SECONDS: Final = 1.0
#: Outcomes kept for the status.
REMEMBERED: Final = 20


class DistillationService:
    """Distills sessions: when idle, on request, and at start for leftovers.

    Args:
        analyzer: language analysis; None reads by rules alone.
        lines: reads items stored without a statement.
        held: whether the user paused background work: queued sessions then wait, except those asked for.
    """

    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        events: EventBus,
        settings: SettingsReader,
        lanes: Lanes,
        catalogue: ModelCatalogue,
        analyzer: LanguageAnalyzer | None = None,
        embedder: Callable[[], Embedder | None] | None = None,
        indexing: Indexing | None = None,
        lines: LineReader | None = None,
        held: Callable[[], bool] = lambda: False,
    ) -> None:
        self._store = store
        self._clock = clock
        self._events = events
        self._settings = settings
        self._lanes = lanes
        self._held = held
        self._grades = Grades(store, catalogue, clock)
        self._flight: Flight[SessionOutcome] = Flight(self._run)
        self._attempts = Attempts(
            store=store,
            clock=clock,
            events=events,
            settings=settings,
            catalogue=catalogue,
            grades=self._grades,
            reader=SessionReader(store, clock, analyzer, embedder or (lambda: None), lines or LineReader(analyzer)),
            indexing=indexing,
            again=self._arm,
            rest=self._flight.rest,
        )
        self._lock = threading.Lock()
        self._latest: dict[str, str] = {}
        self._armed: set[tuple[str, str]] = set()
        self._outcomes: deque[SessionOutcome] = deque(maxlen=REMEMBERED)
        #: Set once leftovers of an earlier run are resumed: until then, a change of settings must not delay the start.
        self._resumed = threading.Event()
        events.subscribe(SettingsChanged, self._changed)
        events.subscribe(AgentsChanged, self._changed)

    def note_activity(self, agent_id: str, conversation_id: str) -> None:
        """Restart a session's idle timer; the agent's previous conversation, if different, is distilled at once."""
        if self._settings.current.memory.extraction_mode == "manual" or self._flight.closed.is_set():
            return
        with self._lock:
            former = self._latest.get(agent_id)
            self._latest[agent_id] = conversation_id
            flush = former is not None and former != conversation_id and (agent_id, former) in self._armed
        if flush and former is not None:
            self._lanes.forget(_key(agent_id, former))
            self._start(agent_id, former)
        self._arm(agent_id, conversation_id, self._settings.current.memory.summary_debounce_seconds)

    def distill(
        self,
        agent_id: str | None = None,
        conversation_id: str | None = None,
        *,
        cancel: CancelToken | None = None,
        wait: bool = True,
        patience: float | None = None,
    ) -> list[SessionOutcome]:
        """Distill what is pending: of one session, one agent, or all.

        Without an agent, all agents; without a conversation, all of the agent's. Unless ``wait``, it starts and returns
        an empty list. What a cancel leaves undone stays pending. What takes longer than ``patience`` seconds is left
        out of the result and goes on.

        Raises:
            CancelledError: ``cancel`` was set while waiting in line.
        """
        if agent_id is not None and conversation_id is not None:
            sessions = [(agent_id, conversation_id)]
        else:
            with self._store.read() as repos:
                pending = repos.signals.sessions(SignalStatus.PENDING)
            sessions = [(a, c) for a, c, _ in pending if agent_id in (None, a) and conversation_id in (None, c)]
        if not wait:
            for session in sessions:
                self._start(*session, explicit=True)
            return []
        found = []
        for session in sessions:
            if cancel is not None and cancel.is_set():
                break
            job = self._flight.add(session, explicit=True, cancel=cancel)
            if patience is not None:
                self._lanes.submit("background", self._flight.drain)
                if not job.done.wait(patience):
                    break
            found.append(self._flight.wait(job, cancel))
        return found

    def resume_orphans(self) -> None:
        """Schedule what an earlier run left pending, one after the other, so as not to delay the launch."""
        self._resumed.set()
        if self._settings.current.memory.extraction_mode == "manual":
            return
        with self._store.read() as repos:
            sessions = repos.signals.sessions(SignalStatus.PENDING)
        for number, (agent_id, conversation_id, _) in enumerate(sessions):
            self._arm(agent_id, conversation_id, ORPHAN_DELAY_SECONDS + number * ORPHAN_STEP_SECONDS)

    def _changed(self, event: SettingsChanged | AgentsChanged) -> None:
        """React to a change that may free pending turns: a core model, memory turned on again."""
        names = event.names if isinstance(event, SettingsChanged) else ("memory",)
        if self._resumed.is_set() and any(name.startswith("memory") for name in names):
            self._lanes.submit("background", self._arm_freed)

    def _arm_freed(self) -> None:
        """Queue pending sessions that nothing holds back any more."""
        try:
            for number, (agent_id, conversation_id) in enumerate(self._freed()):
                self._arm(agent_id, conversation_id, FREED_SECONDS + number * ORPHAN_STEP_SECONDS)
        except LockedError:
            # The next start resumes them.
            return

    def _freed(self) -> list[tuple[str, str]]:
        memory = self._settings.current.memory
        with self._lock:
            armed = set(self._armed)
        with self._store.read() as repos:
            waiting = [row[:2] for row in repos.signals.sessions(SignalStatus.PENDING) if row[:2] not in armed]
            return [
                (agent_id, conversation_id)
                for agent_id, conversation_id in waiting
                if not refusal(memory, repos.agents.get(agent_id), repos.conversations.get(agent_id, conversation_id))
            ]

    def retry_parked(self, agent_id: str | None = None, conversation_id: str | None = None) -> int:
        """Make parked signals pending again and start on them; return how many sessions."""
        now = self._clock.now()

        def work(repos: Repositories) -> list[tuple[str, str]]:
            sessions = [
                (a, c)
                for a, c, _ in repos.signals.sessions(SignalStatus.PARKED)
                if agent_id in (None, a) and conversation_id in (None, c)
            ]
            for signal in list(every(repos.signals.page, status=SignalStatus.PARKED)):
                if (signal.agent_id, signal.conversation_id) in sessions:
                    repos.signals.mark([signal.id], SignalStatus.PENDING, attempts=0, next_try_at=now)
            return sessions

        sessions = self._store.write(work)
        if sessions:
            self._events.publish(PendingChanged())
        for session in sessions:
            self._start(*session, explicit=True)
        return len(sessions)

    def backfill(
        self, cancel: CancelToken | None = None, progress: Callable[[int, int], None] | None = None
    ) -> list[SessionOutcome]:
        """Distill every conversation that has never been distilled; idempotent and cancellable.

        ``progress`` gets ``(done, of)``; a cancel stops after the current session.
        """
        wanted = self._undigested()
        found: list[SessionOutcome] = []
        for number, conversation in enumerate(wanted):
            if cancel is not None and cancel.is_set():
                break
            self._store.write(lambda repos, c=conversation: _signal_all(repos, c, self._clock.now()))  # type: ignore[misc]
            found += self.distill(conversation.agent_id, conversation.id, cancel=cancel)
            if progress is not None:
                progress(number + 1, len(wanted))
        return found

    def close(self) -> None:
        """Stop: running work is cancelled between tokens, its signals stay pending. Idempotent."""
        with self._lock:
            armed, self._armed = self._armed, set()
        for agent_id, conversation_id in armed:
            self._lanes.forget(_key(agent_id, conversation_id))
        self._flight.close()

    def test_model(self, model_id: str, cancel: CancelToken | None = None) -> ModelGrade:
        """Have a model digest a small known session, store its grade and return it.

        Raises:
            ModelMissingError, EngineError, CancelledError: the test could not be run.
        """
        return self._grades.test(model_id, cancel)

    def grade(self, model_id: str) -> ModelGrade | None:
        """Return a model's grade; None if it was never tested."""
        return self._grades.of(model_id)

    def pace(self) -> float | None:
        """Return the characters read, checked and stored per second here, without the model, if known."""
        with self._store.read() as repos:
            return pace(repos)

    def lately(self) -> Lately:
        memory = self._settings.current.memory
        with self._store.read() as repos:
            waiting = repos.signals.sessions(SignalStatus.PENDING)
            refused = [refusal(memory, repos.agents.get(a), repos.conversations.get(a, c)) for a, c, _ in waiting]
        return lately(list(self._outcomes), refused)

    def status(self) -> dict[str, Any]:
        """Return what is pending, parked (and why) and running, and the last outcomes."""
        with self._store.read() as repos:
            pending = repos.signals.sessions(SignalStatus.PENDING)
            parked = repos.signals.sessions(SignalStatus.PARKED)
            reasons = {
                (s.agent_id, s.conversation_id): s.last_error
                for s in list(every(repos.signals.page, status=SignalStatus.PARKED))
            }
        running = self._flight.running
        recent = self.lately()
        memory = self._settings.current.memory
        return {
            "pending": [{"agent_id": a, "conversation_id": c, "signals": n} for a, c, n in pending],
            "parked": [
                {"agent_id": a, "conversation_id": c, "signals": n, "reason": reasons.get((a, c), "")}
                for a, c, n in parked
            ],
            "running": [{"agent_id": running[0], "conversation_id": running[1]}] if running else [],
            "queued": len(self._flight.waiting),
            "mode": memory.extraction_mode,
            "core_model": memory.core_model,
            "blocked": self._attempts.blocked() if pending else "",
            "barren": recent.barren,
            "left_out": dict(recent.left_out),
            "skipped": dict(recent.skipped),
            "last": [
                {
                    "agent_id": o.agent_id,
                    "conversation_id": o.conversation_id,
                    "outcome": o.outcome,
                    "message": o.message,
                }
                for o in list(self._outcomes)
            ],
        }

    def _run(self, job: Job[SessionOutcome]) -> SessionOutcome:
        agent_id, conversation_id = job.key
        with self._lock:
            self._armed.discard(job.key)
        self._lanes.forget(_key(agent_id, conversation_id))
        if self._held() and not job.explicit:
            # An import queues hundreds at once: a pause must not wait for the last of them.
            self._arm(agent_id, conversation_id, PAUSED_SECONDS)
            return SessionOutcome(agent_id=agent_id, conversation_id=conversation_id, outcome="skipped:paused")
        cancel = AnyToken(job.cancel, self._flight.closed)
        outcome = self._attempts.run(agent_id, conversation_id, explicit=job.explicit, cancel=cancel)
        self._outcomes.append(outcome)
        return outcome

    def _arm(self, agent_id: str, conversation_id: str, seconds: float) -> None:
        if self._flight.closed.is_set():
            return
        with self._lock:
            self._armed.add((agent_id, conversation_id))
        self._lanes.later(
            seconds,
            "background",
            lambda: self._fly(agent_id, conversation_id, explicit=False),
            key=_key(agent_id, conversation_id),
        )

    def _start(self, agent_id: str, conversation_id: str, *, explicit: bool = False) -> None:
        self._lanes.submit("background", lambda: self._fly(agent_id, conversation_id, explicit=explicit))

    def _fly(self, agent_id: str, conversation_id: str, *, explicit: bool) -> None:
        self._flight.add((agent_id, conversation_id), explicit=explicit)
        self._flight.drain()

    def _undigested(self) -> list[Conversation]:
        with self._store.read() as repos:
            return [
                thread
                for thread in every(repos.conversations.page)
                if thread.memory == "on" and not repos.items.episodes_of(thread.agent_id, thread.id)
            ]


def _key(agent_id: str, conversation_id: str) -> str:
    return f"distill:{agent_id}:{conversation_id}"


def _signal_all(repos: Repositories, conversation: Conversation, now: datetime) -> None:
    """Add a signal to every turn of a conversation without pending signals."""
    if repos.signals.pending(conversation.agent_id, conversation.id):
        return
    repos.signals.add(
        [
            Signal(
                id=new_id(),
                turn_id=turn.id,
                agent_id=conversation.agent_id,
                conversation_id=conversation.id,
                created_at=now,
            )
            for turn in repos.turns.of_conversation(conversation.agent_id, conversation.id)
        ]
    )
