"""``memdesk ingest``: reads conversations from a file into an agent's memory, distilling them one by one."""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memdesk.cli.backend import connect
from memdesk.cli.exits import Exit
from memdesk.cli.output import note, print_json, print_table, progress
from memdesk.domain.decoding import MAX_SIZE, decode
from memdesk.errors import BadRequestError
from memdesk.settings.files import read_given

if TYPE_CHECKING:
    from memdesk.services.recording import IngestTurn

_SHAPE: Final = (
    'It should look like {"conversation_id": "...", "turns": [{"user": "...", "assistant": "..."}]}, or be a list of '
    '{"role": "user", "content": "..."}. For chats that another app exported there is: memdesk import FILE'
)
#: Labels of a report's figures, in order.
_FIGURES: Final = (
    "sessions", "turns stored", "episodes", "facts kept", "waiting for review", "rejected as ungrounded", "model calls",
    "seconds a session",
)  # fmt: skip


@dataclass(slots=True)
class Session:
    """One conversation to send."""

    conversation_id: str
    turns: list[dict[str, Any]]
    session_date: str | None = None
    title: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, help="a LoCoMo conversation, or plain JSON of turns or messages ('-': standard input)"
    )
    parser.add_argument("--agent", default="default", metavar="ID", help="whose memory (made when unknown)")
    parser.add_argument("--conversation", metavar="ID", help="conversation id, when the file names none")
    parser.add_argument("--skip-extraction", action="store_true", help="store the transcript only, distill nothing")
    parser.add_argument("--limit", type=int, metavar="N", help="stop after N sessions")


def run(options: argparse.Namespace) -> int:
    """Send each session and print what was stored."""
    sessions = read_sessions(options.file, options.conversation)[: options.limit]
    answers: list[dict[str, Any]] = []
    with connect(options, settle=True) as client, progress(len(sessions), "ingest", "session") as bar:
        for session in sessions:
            bar.set_postfix_str(session.conversation_id)
            started = time.monotonic()
            answer = client.post(
                "/memory/ingest",
                {
                    "agent_id": options.agent,
                    "conversation_id": session.conversation_id,
                    "turns": session.turns,
                    "session_date": session.session_date,
                    "skip_extraction": options.skip_extraction,
                    "title": session.title,
                },
                timeout=None,
            )
            took = {"conversation_id": session.conversation_id, "seconds": time.monotonic() - started}
            answers.append({"distillation": "", "facts": 0, "rejected": 0, **answer, **took})
            bar.update()
    report(answers, options)
    failed = any(answer["distillation"].startswith(("error", "parked")) for answer in answers)
    return Exit.PARTIAL if failed else Exit.OK


def report(answers: list[dict[str, Any]], options: argparse.Namespace) -> None:
    """Print what was stored, and what was not distilled and why."""

    def total(name: str) -> int:
        return sum(int(answer.get(name, 0)) for answer in answers)

    figures = {
        "sessions": len(answers),
        "turns": total("turns_ingested"),
        "episodes": sum(bool(answer.get("episode_id")) for answer in answers),
        **{name: total(name) for name in ("facts", "review", "rejected", "model_calls")},
        "seconds_per_session": round(sum(answer["seconds"] for answer in answers) / max(1, len(answers)), 2),
    }
    if options.json:
        outcomes = [
            {
                "conversation_id": answer["conversation_id"],
                "outcome": answer["distillation"],
                "facts": answer["facts"],
                "rejected": answer["rejected"],
                "seconds": round(answer["seconds"], 2),
            }
            for answer in answers
        ]
        print_json({"agent_id": options.agent, **figures, "outcomes": outcomes})
        return
    for answer in answers:
        if answer["distillation"] not in {"distilled", "skipped:skip_extraction"}:
            note(f"{answer['conversation_id']}: {answer['distillation']}")
    print_table(zip(_FIGURES, figures.values(), strict=True))


def read_sessions(path: Path, conversation_id: str | None) -> list[Session]:
    """Read a file of either format.

    Raises:
        BadRequestError: the file cannot be read, or contains no turns.
    """
    from memdesk.services.importing import looks_like_locomo

    try:
        data = decode(_standard_input() if str(path) == "-" else read_given(path, MAX_SIZE))
    except OSError as failed:
        raise BadRequestError(f"{path} could not be read: {failed.strerror}.") from failed
    except ValueError as broken:
        hint = "For exports of other apps and Markdown there is: memdesk import FILE"
        raise BadRequestError(f"{path} is not JSON: {broken}.", hint=hint) from broken
    if looks_like_locomo(data):
        return _locomo_sessions(data, path.stem)
    return _plain_sessions(data, conversation_id or path.stem)


def _standard_input() -> bytes:
    import sys

    return sys.stdin.buffer.read(MAX_SIZE + 1)


def _locomo_sessions(data: Any, name: str) -> list[Session]:
    from memdesk.services.importing import parse_locomo

    conversation = parse_locomo(data, name)
    sessions = []
    for session in conversation.sessions:
        turns = [_utterance(turn.speaker, turn.text, conversation.speaker_a) for turn in session.turns if turn.text]
        sessions.append(Session(session.conversation_id, turns, session.date.isoformat()))
    return sessions


def _utterance(speaker: str, text: str, user_side: str) -> dict[str, Any]:
    side = "user" if speaker == user_side else "assistant"
    return {side: text, f"{side}_speaker": speaker}


def _plain_sessions(data: Any, fallback: str) -> list[Session]:
    documents = data if isinstance(data, list) else [data]
    if all(isinstance(d, dict) and not {"turns", "messages"} & d.keys() for d in documents):
        documents = [{"turns": documents}]
    sessions = []
    for number, document in enumerate(documents, 1):
        turns = _turns(document) if isinstance(document, dict) else []
        if not turns:
            raise BadRequestError("That JSON holds no turns.", hint=_SHAPE)
        name = document.get("conversation_id") or (fallback if len(documents) == 1 else f"{fallback}-{number}")
        sessions.append(Session(str(name), turns, document.get("session_date"), str(document.get("title", ""))))
    return sessions


def _turns(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the exchanges of a document, whose turns may be exchanges or messages; none if they are neither."""
    from memdesk.services.importing import MESSAGES, exchanges

    turns = document.get("turns", document.get("messages"))
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
        return []
    if all({"role", "content"} <= turn.keys() for turn in turns):
        messages = MESSAGES.parse({"messages": turns}, "").in_words().messages
        return [_exchange(turn) for turn in exchanges(messages)]
    return turns if all({"user", "assistant"} & turn.keys() for turn in turns) else []


def _exchange(turn: IngestTurn) -> dict[str, Any]:
    filled = {name: value for name, value in asdict(turn).items() if value}
    return {**filled, "date": turn.date.isoformat()} if turn.date else filled
