"""One attempt at one session: read it, call the model once, verify, store; and handling of failures."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, TypeVar

from attrs import define

from memdesk.domain.comparing.similarity import jaccard, word_set
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.statement import Statement
from memdesk.domain.models import SignalStatus
from memdesk.domain.reading.candidates import Candidate, Passed
from memdesk.domain.reading.digest import ModelGrade
from memdesk.domain.reading.judging import MAX_PAIRS, UNCLEAR_WORDS, Pair, judge, unclear
from memdesk.domain.reading.selection import may_change_a_fact
from memdesk.domain.reading.structured import UnusableAnswerError
from memdesk.errors import CancelledError, ContextOverflowError, EnvironmentFault, MemdeskError, ModelMissingError
from memdesk.messages import Message, say
from memdesk.ports import CancelToken, Clock, LanguageModel, ModelCatalogue, Repositories, Store, Vectors
from memdesk.ports.seams import Indexing, SettingsReader
from memdesk.services.distilling.grades import Grades
from memdesk.services.distilling.marks import last
from memdesk.services.distilling.model import Asked, choose, write
from memdesk.services.distilling.neighbors import Neighbors, with_statements
from memdesk.services.distilling.pace import note_pace
from memdesk.services.distilling.plan import Plan, Verifier, dated
from memdesk.services.distilling.refusal import WHY_SKIPPED, model_wanted, refusal
from memdesk.services.distilling.rules import load_rules
from memdesk.services.distilling.session import Reading, Session, SessionReader, load
from memdesk.services.distilling.succeeding import Successor
from memdesk.services.distilling.writing import Writer, Written
from memdesk.services.events import DistillationFinished, DistillationStarted, EventBus, MemoryChanged, PendingChanged

#: Facts considered for one line, the most likely by text.
LOOKED_AT: Final = 6


def unclear_pairs(
    lines: Sequence[Candidate],
    neighbors: Callable[[str, Statement | None], Sequence[MemoryItem]],
    embed: Callable[[Sequence[str]], Vectors | None],
    said_at: datetime,
) -> list[Pair]:
    """Return at most :data:`MAX_PAIRS` pairs, each line and fact at most once, apparent contradictions first.

    Args:
        lines: of the session, best first; only single statements of a person count.
        neighbors: returns the active facts that a line may concern.
        embed: returns unit vectors, or None without an embedder.
        said_at: when the session ended.
    """
    opposed: list[Pair] = []
    middling: list[Pair] = []
    for line in filter(may_change_a_fact, lines):
        near = _nearest(line, neighbors(line.text, line.statement))
        verdict = judge(line.statement, line.text, [fact for _, fact in near], said_at)
        if verdict.card and verdict.target is not None:
            opposed.append(Pair(line, verdict.target))
        elif verdict.action == "ADD" and (fact := _middling(line, near, embed)) is not None:
            middling.append(Pair(line, fact))
    found: list[Pair] = []
    for pair in (*opposed, *middling):
        if all(pair.fact.id != other.fact.id for other in found):
            found.append(pair)
    return found[:MAX_PAIRS]


def _nearest(line: Candidate, facts: Sequence[MemoryItem]) -> list[tuple[float, MemoryItem]]:
    mine = word_set(line.text)
    likeness = [(jaccard(mine, word_set(fact.content)), fact) for fact in facts]
    near = [pair for pair in likeness if pair[0] >= UNCLEAR_WORDS[0] and not _read_again(line, pair[1])]
    return sorted(near, key=lambda pair: (-pair[0], pair[1].id))[:LOOKED_AT]


def _read_again(line: Candidate, fact: MemoryItem) -> bool:
    """Whether both are one statement; facts to compare with come without their sources."""
    mine, theirs = line.statement, fact.statement
    return mine is not None and theirs is not None and (mine.said_at, mine.quote) == (theirs.said_at, theirs.quote)


def _middling(
    line: Candidate, near: Sequence[tuple[float, MemoryItem]], embed: Callable[[Sequence[str]], Vectors | None]
) -> MemoryItem | None:
    if not near:
        return None
    vectors = embed([line.text, *(fact.content for _, fact in near)])
    cosines = [float(value) for value in vectors[1:] @ vectors[0]] if vectors is not None else [None] * len(near)
    both = zip(near, cosines, strict=True)
    return next((fact for (words, fact), cosine in both if unclear(words, cosine)), None)


T = TypeVar("T")
log = logging.getLogger(__name__)

#: Attempts before a session is parked.
MAX_TRIES: Final = 5
#: Pause after the first failure; doubled with each further one.
BACKOFF_SECONDS: Final = 60.0
#: Pause before checking again for a missing model; this does not count as a failure.
MISSING_SECONDS: Final = 900.0
#: Pause after yielding to a chat.
RESUME_SECONDS: Final = 10.0


PARKED: Final = say("It failed several times and was set aside. Retry it in the window, or with retry_parked.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOutcome:
    """The outcome of one session.

    ``outcome`` is ``distilled``, ``no_signals``, ``skipped:<why>``, ``empty:<why>``, ``parked:<n>`` or ``error:<why>``.

    Attributes:
        rejected: candidates that were ungrounded, already known or unwanted.
        model_tokens: tokens that the model read and wrote, if it counts them.
        left_out: skipped sentences, counted by reason.
        secrets: those in newly read messages: the message's id, and the kind.
    """

    agent_id: str
    conversation_id: str
    outcome: str
    episode_id: str | None = None
    facts: tuple[str, ...] = ()
    rejected: int = 0
    review: tuple[str, ...] = ()
    seconds: float = 0.0
    model_calls: int = 0
    model_tokens: int = 0
    message: str = ""
    lines: int = 0
    left_out: tuple[tuple[str, int], ...] = ()
    secrets: tuple[tuple[str, str], ...] = ()


class _ForgottenMeanwhileError(Exception):
    """What was read must no longer be remembered."""


@dataclass(slots=True)
class _Call:
    """What the model contributed."""

    asked: Asked = field(default_factory=Asked)
    model: str = ""
    message: str = ""


@define(kw_only=True, eq=False, repr=False, slots=False)
class Attempts:
    """Attempts sessions, one at a time.

    Args:
        again: called with agent, conversation and seconds when a session should be retried later.
        rest: lets other work have its turn; called between slices of a long session.
    """

    _store: Store
    _clock: Clock
    _events: EventBus
    _settings: SettingsReader
    _catalogue: ModelCatalogue
    _grades: Grades
    _reader: SessionReader
    _indexing: Indexing | None
    _again: Callable[[str, str, float], None]
    _rest: Callable[[], object]

    def run(self, agent_id: str, conversation_id: str, *, explicit: bool, cancel: CancelToken) -> SessionOutcome:
        """Distill a session's pending signals; never raises a :class:`MemdeskError`.

        ``explicit``: requested by a person, which manual mode allows. A cancel stops between tokens; signals stay
        pending.
        """
        started = time.monotonic()

        def ended(outcome: str, message: str = "", **more: Any) -> SessionOutcome:
            return SessionOutcome(
                agent_id=agent_id,
                conversation_id=conversation_id,
                outcome=outcome,
                message=message,
                seconds=round(time.monotonic() - started, 3),
                **more,
            )

        session = load(self._store, agent_id, conversation_id)
        if session is None:
            outcome = self._why_nothing(agent_id, conversation_id)
            return ended(outcome, PARKED if outcome.startswith("parked:") else "")
        why = refusal(self._settings.current.memory, session.agent, session.conversation, explicit=explicit)
        if why:
            return ended(f"skipped:{why}", WHY_SKIPPED[why])
        self._events.publish(DistillationStarted(agent_id, conversation_id))
        passed: tuple[Passed, ...] = ()
        try:
            result, passed = self._distill(session, cancel, ended)
        except _ForgottenMeanwhileError:
            # A message was edited, or something forgotten: read it again, without that.
            return self.run(agent_id, conversation_id, explicit=explicit, cancel=cancel)
        except CancelledError as error:
            result = ended("skipped:cancelled", error.message)
            if not cancel.is_set():
                self._again(agent_id, conversation_id, RESUME_SECONDS)
        except ModelMissingError as error:
            result = self._put_off(session, error, MISSING_SECONDS, ended("skipped:model_missing", error.message))
        except MemdeskError as error:
            result = self._failed(session, error, ended)
        except Exception:
            # A bug of ours must not be retried forever in silence: the session is parked, visibly.
            log.exception("a session could not be distilled")
            result = self._failed(session, MemdeskError(say("It could not be distilled; the log says more.")), ended)
        self._events.publish(
            DistillationFinished(
                agent_id,
                conversation_id,
                result.outcome,
                result.episode_id,
                result.facts,
                result.review,
                result.rejected,
                passed,
                result.secrets,
            )
        )
        return result

    def _distill(
        self, session: Session, cancel: CancelToken, ended: Callable[..., SessionOutcome]
    ) -> tuple[SessionOutcome, tuple[Passed, ...]]:
        """Return a session's outcome and, separately since outcomes are stored, the skipped sentences."""
        started = time.monotonic()
        reading = self._reader.read(session, cancel, partial(self._between, session))
        successor = Successor(
            self._reader.embed, self._reader.weigh, reading.extraction.candidates, tag=self._reader.tag
        )
        reading = self._sifted(reading, successor)
        if not reading.details and not reading.suspects:
            self._write(session, lambda repos: _mark_done(repos, session, time.monotonic() - started))
            self._events.publish(PendingChanged())
            why = say("Nothing in it was worth keeping.")
            result = ended("empty:no_statements", why, left_out=_by_reason(reading), secrets=reading.secrets)
            return result, reading.extraction.passed
        asked = time.monotonic()
        call = self._call(reading, cancel)
        without_model = started + time.monotonic() - asked
        plan = self._verify(session, reading, call, successor)
        if cancel.is_set():
            raise CancelledError(say("Distillation was cancelled."))
        now = self._clock.now()

        def store(repos: Repositories) -> Written:
            written = Writer(repos, session, now, call.model).store(plan)
            note_pace(repos, session.characters, time.monotonic() - without_model)
            return written

        written = self._write(session, store)
        self._tell(session, written)
        result = ended(
            "distilled",
            call.message,
            episode_id=written.episode_id,
            facts=tuple(written.facts),
            review=tuple(written.review),
            rejected=plan.rejected,
            model_calls=call.asked.calls,
            model_tokens=call.asked.tokens,
            lines=len(plan.details) + 1,
            left_out=_by_reason(reading),
            secrets=reading.secrets,
        )
        return result, reading.extraction.passed

    def _between(self, session: Session) -> None:
        """Pause in reading a long session; stop if something of its agent was forgotten meanwhile."""
        self._rest()
        with self._store.read() as repos:
            _check_unforgotten(repos, session)

    def _write(self, session: Session, work: Callable[[Repositories], T]) -> T:
        """Store a session's results, unless something of its agent was forgotten since it was read."""

        def checked(repos: Repositories) -> T:
            _check_unforgotten(repos, session)
            return work(repos)

        return self._store.write(checked)

    def _call(self, reading: Reading, cancel: CancelToken) -> _Call:
        """Call the model once, according to its grade."""
        if self._settings.current.memory.extraction_mode == "rules" or not reading.details:
            return _Call()
        model = self._catalogue.open(self._settings.current.memory.core_model)
        grade = self._grades.decide(model.info, cancel)
        call = _Call(model=model.info.id)
        try:
            call.asked = self._ask(model, grade, reading, cancel)
        except (UnusableAnswerError, ContextOverflowError) as error:
            # A retry would give the same; the extractor's results stand without the model.
            call.asked.calls = 1
            call.message = say("{title}; the digest was made by rules.", title=error.title)
            log.info("distillation by rules: %s", error.code)
        return call

    def _ask(self, model: LanguageModel, grade: ModelGrade, reading: Reading, cancel: CancelToken) -> Asked:
        if grade.grade == "writes":
            with self._store.read() as repos:
                known = [line.content for line in repos.items.lines()][:8]
                neighbors = Neighbors(self._store, repos, reading.session.agent.id, self._reader.lines)
            pairs = unclear_pairs(reading.details, neighbors, self._reader.embed, reading.session.ended_at)
            own = self._settings.current.memory.distill_prompt
            return write(model, reading.sources, known, cancel, pairs=pairs, own_prompt=own)
        return choose(model, reading.details, cancel)

    def _sifted(self, reading: Reading, successor: Successor) -> Reading:
        """Drop lines that count only if they change the memory, and do not."""
        candidates = reading.extraction.candidates
        if not any(one.tentative for one in candidates):
            return reading
        with self._store.read() as repos:
            neighbors = Neighbors(self._store, repos, reading.session.agent.id, self._reader.lines)
            verifier = Verifier(successor, neighbors, (), (), self._reader.lines)
            kept = tuple(
                one for one in candidates if not one.tentative or verifier.concerns_a_fact(dated(one, reading))
            )
        changing = tuple(one for one in kept if one.tentative)
        used = {(one.turn_ids[0], one.sentence) for one in changing}
        passed = tuple(one for one in reading.extraction.passed if (one.turn_id, one.quote) not in used)
        extraction = replace(reading.extraction, candidates=kept, passed=passed)
        return replace(reading, extraction=extraction, details=(*changing, *reading.details))

    def _verify(self, session: Session, reading: Reading, call: _Call, successor: Successor) -> Plan:
        with self._store.read() as repos:
            neighbors = Neighbors(self._store, repos, session.agent.id, self._reader.lines)
            identity = with_statements(repos.items.lines(), self._reader.lines)
            rules = [rule for rule in load_rules(repos) if rule.agent_id in {"", session.agent.id}]
        verifier = Verifier(successor, neighbors, identity, rules, self._reader.lines)
        plan = verifier.plan(reading, choice=call.asked.choice, digest=call.asked.digest, pairs=call.asked.pairs)
        plan.read_now = neighbors.read_now
        return plan

    def _tell(self, session: Session, written: Written) -> None:
        agent_id = session.agent.id
        if self._indexing is not None:
            if written.gone_detail_seqs:
                self._indexing.forget(agent_id, "item", written.gone_detail_seqs)
            self._indexing.note(agent_id, "item", [written.episode_seq, *written.detail_seqs])
            if written.fact_seqs:
                self._indexing.note(agent_id, "item", written.fact_seqs)
        kinds = ["episode", "fact", "entity"] + (["identity"] if written.identity else [])
        self._events.publish(MemoryChanged(None if written.identity else agent_id, tuple(kinds)))
        self._events.publish(PendingChanged())

    def _why_nothing(self, agent_id: str, conversation_id: str) -> str:
        with self._store.read() as repos:
            parked = {(a, c): n for a, c, n in repos.signals.sessions(SignalStatus.PARKED)}
        count = parked.get((agent_id, conversation_id), 0)
        return f"parked:{count}" if count else "no_signals"

    def blocked(self) -> str:
        """Return why nothing can be distilled now; empty if it can."""
        return model_wanted(self._settings.current.memory)

    def _failed(self, session: Session, error: MemdeskError, ended: Callable[..., SessionOutcome]) -> SessionOutcome:
        """Count an attempt; back off, or park the session after the last one or if a retry is pointless."""
        tries = max(signal.attempts for signal in session.signals) + 1
        park = tries >= MAX_TRIES or not error.retryable
        if park:
            result = ended(f"parked:{len(session.signals)}", error.message)
            return self._put_off(session, error, None, result, tries)
        pause = BACKOFF_SECONDS * 2.0 ** (tries - 1)
        return self._put_off(session, error, pause, ended(f"error:{error.code}", error.message), tries)

    def _put_off(
        self,
        session: Session,
        error: MemdeskError,
        pause: float | None,
        result: SessionOutcome,
        tries: int | None = None,
    ) -> SessionOutcome:
        """Record why a session waits, and retry after ``pause`` seconds; without one, park it. Return ``result``."""
        ids = [signal.id for signal in session.signals]
        status = SignalStatus.PENDING if pause else SignalStatus.PARKED
        next_try = self._clock.now() + timedelta(seconds=pause) if pause else None
        words = "{title}: {message} {hint}" if error.hint else "{title}: {message}"
        why = Message(words, title=error.title, message=error.message, hint=error.hint)
        try:
            self._store.write(
                lambda repos: repos.signals.mark(ids, status, attempts=tries, error=why, next_try_at=next_try)
            )
        except EnvironmentFault as fault:
            # A full disk cannot even store this note; a health tile reports it, and the session is retried.
            pause, result = (
                pause or BACKOFF_SECONDS,
                replace(result, outcome=f"error:{fault.code}", message=fault.message),
            )
        self._events.publish(PendingChanged())
        if pause:
            self._again(session.agent.id, session.conversation.id, pause)
        return result


def _check_unforgotten(repos: Repositories, session: Session) -> None:
    if last(repos, session.agent.id).number != session.forgettings:
        raise _ForgottenMeanwhileError


def _by_reason(reading: Reading) -> tuple[tuple[str, int], ...]:
    """Return the skipped sentences, most frequent reason first."""
    return tuple(sorted(reading.extraction.left_out.items(), key=lambda entry: (-entry[1], entry[0])))


def _mark_done(repos: Repositories, session: Session, seconds: float) -> None:
    note_pace(repos, session.characters, seconds)
    repos.signals.mark([signal.id for signal in session.signals], SignalStatus.DONE)
