"""Conversations to measure recall on, in one form for all file formats."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from memdesk.errors import BadRequestError
from memdesk.services.importing import ADVERSARIAL, looks_like_locomo, parse_locomo

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single-hop", ADVERSARIAL: "adversarial"}
Role = Literal["user", "assistant"]
#: Start date for undated people, and messages per sitting.
_FIRST, _SITTING = datetime(2026, 1, 5, tzinfo=UTC), 8


@dataclass(frozen=True, slots=True)
class Said:
    """One turn. ``speaker`` is empty if only the role is known."""

    id: str
    role: Role
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Sitting:
    """One dated session; a conversation of its own to memdesk."""

    id: str
    date: datetime
    turns: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """A question with the ids of the turns that answer it.

    Attributes:
        answer: the gold answer, empty where there is none.
        ability: what the question tests, named differently in each set.
        evidence: ids of the turns that answer.
        as_of: nothing later may be used; None for no limit.
        history: what the user said before in the same chat.
        replies: the answers there.
    """

    text: str
    answer: str
    ability: str
    evidence: tuple[str, ...]
    now: datetime
    as_of: datetime | None = None
    history: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Talk:
    """A history with its questions.

    Attributes:
        source: the set it belongs to: the file's name, or ``locomo``.
        sittings: oldest first.
        questions: those with and without evidence.
        carried: whether evidence counts by words in a line (LoCoMo's way) rather than by turns shown.
        fillers: ids of irrelevant sessions, which may pad another history.
        idle: messages that open a chat and need no memory.
        pool: the agent it shares with others; empty for its own.
        written: facts written by hand.
    """

    name: str
    source: str
    sittings: tuple[Sitting, ...]
    questions: tuple[Ask, ...]
    carried: bool = False
    fillers: frozenset[str] = frozenset()
    idle: tuple[Ask, ...] = ()
    pool: str = ""
    written: tuple[Said, ...] = ()

    @property
    def agent(self) -> str:
        return self.pool or self.name

    @property
    def turns(self) -> list[Said]:
        """All turns, oldest session first."""
        return [turn for sitting in self.sittings for turn in sitting.turns]

    @property
    def speakers(self) -> list[str]:
        """Names of the speakers, in order of appearance."""
        return list(dict.fromkeys(turn.speaker for turn in self.turns if turn.speaker))


def read_talks(path: Path) -> list[Talk]:
    """Read a file: one conversation in the LoCoMo format, ``{"conversations": [...]}``, or JSON Lines of people (:func:`_person`).

    Raises:
        BadRequestError: it cannot be read, or has none of these formats.
    """
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".jsonl":
            return [_person(json.loads(line), path.stem) for line in text.splitlines()]
        data = json.loads(text)
    except KeyError as error:
        raise BadRequestError(f"{path.name} holds no people in a form that is known: {error!r}") from error
    except (OSError, ValueError) as error:
        raise BadRequestError(f"{path.name} could not be read as JSON: {error}") from error
    if looks_like_locomo(data):
        return [_locomo(data, path.stem)]
    try:
        return [_chat(entry, path.stem) for entry in data["conversations"]]
    except (KeyError, TypeError, ValueError, StopIteration) as error:
        raise BadRequestError(f"{path.name} holds no conversations in a form that is known: {error!r}") from error


def padded(talks: Sequence[Talk], least: int) -> list[Talk]:
    """Return the histories, padded to ``least`` turns with filler sessions of others in their set."""
    out = []
    for talk in talks:
        more: list[Sitting] = []
        count = len(talk.turns)
        for other in talks:
            for sitting in other.sittings if other.source == talk.source and other.name != talk.name else ():
                if count < least and sitting.id in other.fillers:
                    prefix = f"{talk.name}-pad-{sitting.id}"
                    turns = tuple(replace(turn, id=f"{prefix}:{turn.id}") for turn in sitting.turns)
                    more.append(Sitting(prefix, sitting.date, turns))
                    count += len(turns)
        out.append(replace(talk, sittings=tuple(sorted((*talk.sittings, *more), key=lambda sitting: sitting.date))))
    return out


def _locomo(data: object, name: str) -> Talk:
    talk = parse_locomo(data, name)
    sittings = tuple(
        Sitting(
            session.conversation_id,
            session.date,
            tuple(
                Said(turn.id, "user" if turn.speaker == talk.speaker_a else "assistant", turn.speaker, turn.text)
                for turn in session.turns
            ),
        )
        for session in talk.sessions
    )
    # An adversarial question's "answer" must not be said.
    questions = tuple(
        Ask(
            one.question,
            "" if one.category == ADVERSARIAL else one.answer,
            CATEGORIES[one.category],
            one.evidence,
            talk.last_date,
        )
        for one in talk.questions
    )
    return Talk(name, "locomo", sittings, questions, carried=True)


def _chat(entry: dict[str, Any], source: str) -> Talk:
    name = str(entry["id"])
    roles = _roles([str(speaker) for speaker in entry["speakers"]])
    sittings = tuple(
        Sitting(
            f"{name}-{session['id']}",
            _moment(str(session["date"])),
            tuple(_said(turn, roles) for turn in session["turns"] if str(turn["text"]).strip()),
        )
        for session in entry["sessions"]
    )
    needless = {str(row["turn"]) for row in entry.get("gate", ()) if row["kind"] == "filler_opening"}
    idle = tuple(
        Ask(turn.text, "", "idle", (), sitting.date, as_of=_before(sitting.date))
        for sitting in sittings
        for turn in sitting.turns
        if turn.id in needless
    )
    last = max(sitting.date for sitting in sittings)
    idle += tuple(Ask(str(text), "", "idle", (), last) for text in entry.get("idle", ()))
    return Talk(
        name,
        source,
        sittings,
        tuple(_ask(question, sittings) for question in entry["questions"]),
        fillers=frozenset(f"{name}-{one['id']}" for one in entry["sessions"] if one.get("kind") == "filler"),
        idle=idle,
    )


def _person(entry: dict[str, Any], source: str) -> Talk:
    """Read a person's history: ``told`` (texts, or speakers with texts), ``asks`` with places in it, and ``idle``.

    What is ``written`` instead are facts that the person wrote by hand.
    """
    name = f"{source}-{entry['id']}"
    roles = _roles(entry.get("speakers", ["user"]))
    told = [("user", one) if isinstance(one, str) else one for one in entry.get("told") or entry["written"]]
    turns = [_said({"id": f"t{place}", "speaker": who, "text": text}, roles) for place, (who, text) in enumerate(told)]
    written = tuple(turns) if "written" in entry else ()
    starts = range(0, 0 if written else len(turns), _SITTING)
    sittings = tuple(
        Sitting(f"{name}-{start}", _FIRST + timedelta(days=start), tuple(turns[start : start + _SITTING]))
        for start in starts
    )
    now = max((sitting.date for sitting in sittings), default=_FIRST) + timedelta(days=1)
    questions = tuple(
        Ask(str(one["text"]), "", "asked", tuple(f"t{place}" for place in one["needs"]), now) for one in entry["asks"]
    )
    idle = tuple(Ask(str(one["text"]), "", "idle", (), now) for one in entry.get("idle", ()))
    return Talk(name, source, sittings, questions, idle=idle, written=written)


def _roles(speakers: Sequence[str]) -> dict[str, tuple[Role, str]]:
    """Return role and name of each speaker: of two named people, one is the user and one the assistant."""
    if {speaker.casefold() for speaker in speakers} <= {"user", "assistant"}:
        return {speaker: ("user" if speaker.casefold() == "user" else "assistant", "") for speaker in speakers}
    return {speaker: ("assistant" if at % 2 else "user", speaker) for at, speaker in enumerate(speakers)}


def _said(turn: dict[str, Any], roles: dict[str, tuple[Role, str]]) -> Said:
    role, speaker = roles[str(turn["speaker"])]
    return Said(str(turn["id"]), role, speaker, str(turn["text"]).strip())


def _ask(entry: dict[str, Any], sittings: Sequence[Sitting]) -> Ask:
    now = max(sitting.date for sitting in sittings)
    if entry.get("asked_on"):
        now = _moment(str(entry["asked_on"]))
    earlier: tuple[Said, ...] = ()
    as_of = None
    if entry.get("asked_at"):
        sitting, at = next(
            (sitting, at)
            for sitting in sittings
            for at, turn in enumerate(sitting.turns)
            if turn.id == str(entry["asked_at"])
        )
        now, earlier = sitting.date, sitting.turns[:at]
        as_of = _before(now)
    history = tuple(turn.text for turn in earlier if turn.role == "user") or tuple(entry.get("history", ()))
    return Ask(
        str(entry["q"]),
        str(entry.get("a") or ""),
        str(entry["category"]),
        tuple(map(str, entry["evidence"])),
        now,
        as_of,
        history,
        tuple(turn.text for turn in earlier if turn.role == "assistant"),
    )


def _before(day: datetime) -> datetime:
    """Return the last moment of the day before: sessions of one day have no known order."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC) - timedelta(milliseconds=1)


def _moment(text: str) -> datetime:
    when = datetime.fromisoformat(text)
    return when if when.tzinfo else when.replace(tzinfo=UTC)
