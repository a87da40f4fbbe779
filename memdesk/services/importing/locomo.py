"""Reads conversations in the format of the LoCoMo dataset (Maharana et al., ACL 2024, arXiv:2402.17753)."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from memdesk.errors import BadRequestError

_SESSION = re.compile(r"^session_(\d+)$")
#: "1:56 pm on 8 May, 2023"
_DATE_FORMATS = ("%I:%M %p on %d %B, %Y", "%H:%M on %d %B, %Y", "%d %B, %Y")
#: Questions whose answer is not in the conversation.
ADVERSARIAL = 5


@dataclass(frozen=True, slots=True)
class LocomoTurn:
    """One utterance. ``text`` holds the picture's caption, if any, after the spoken text."""

    id: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class LocomoQuestion:
    """A question with the ids of the turns that answer it. ``category`` 5 has no answer."""

    question: str
    answer: str
    category: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LocomoSession:
    """One dated session; each is a separate conversation in memdesk."""

    conversation_id: str
    date: datetime
    turns: tuple[LocomoTurn, ...]


@dataclass(frozen=True, slots=True)
class LocomoConversation:
    """A whole file. Speaker A is the user's side, B the assistant's; both are people."""

    name: str
    speaker_a: str
    sessions: tuple[LocomoSession, ...]
    questions: tuple[LocomoQuestion, ...]

    @property
    def last_date(self) -> datetime:
        """When the last session took place: the present of the questions."""
        return max(session.date for session in self.sessions)


def looks_like_locomo(data: object) -> bool:
    """Return whether parsed JSON has the shape of a LoCoMo conversation."""
    if not isinstance(data, dict):
        return False
    body = data.get("conversation", data)
    return isinstance(body, dict) and "speaker_a" in body and any(_SESSION.match(str(key)) for key in body)


def parse_locomo(data: object, name: str) -> LocomoConversation:
    """Turn parsed JSON into a conversation.

    Raises:
        BadRequestError: the data lacks speakers, sessions or their dates.
    """
    if not looks_like_locomo(data):
        raise BadRequestError(f"{name} is not a conversation in the LoCoMo format")
    assert isinstance(data, dict)
    body: dict[str, Any] = data.get("conversation", data)
    numbers = sorted(int(match[1]) for key in body if (match := _SESSION.match(key)) and body[key])
    sessions = tuple(
        LocomoSession(
            conversation_id=f"{name}-session-{number}",
            date=parse_session_date(str(body.get(f"session_{number}_date_time", ""))),
            turns=tuple(_turn(turn) for turn in body[f"session_{number}"]),
        )
        for number in numbers
    )
    if not sessions:
        raise BadRequestError(f"{name} holds no session")
    questions = tuple(_question(entry) for entry in data.get("qa", ()))
    return LocomoConversation(name, str(body["speaker_a"]), sessions, questions)


def parse_session_date(text: str) -> datetime:
    """Return a session's date; the dataset names no time zone, UTC is taken.

    Raises:
        BadRequestError: the words are not a date of the dataset.
    """
    for fmt in _DATE_FORMATS:
        try:
            return datetime.strptime(text.strip(), fmt).replace(tzinfo=UTC)
        except ValueError:
            continue
    raise BadRequestError(f"a session date could not be read: {text!r}")


def _turn(entry: dict[str, Any]) -> LocomoTurn:
    text = str(entry.get("text", "")).strip()
    caption = str(entry.get("blip_caption") or "").strip()
    if caption:
        text = f"{text} [shares a photo: {caption}]".strip()
    return LocomoTurn(str(entry.get("dia_id", "")), str(entry.get("speaker", "")), text)


def _question(entry: dict[str, Any]) -> LocomoQuestion:
    # A few evidence entries hold several ids, or stray brackets, in one string.
    found = [f"D{a}:{int(b)}" for item in entry.get("evidence", ()) for a, b in re.findall(r"D(\d+):(\d+)", str(item))]
    answer = entry.get("answer", entry.get("adversarial_answer", ""))
    return LocomoQuestion(str(entry["question"]), str(answer), int(entry["category"]), tuple(dict.fromkeys(found)))
