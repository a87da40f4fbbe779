"""The embedded text of each kind of row, with day and speaker, which carry much of the meaning."""

from collections.abc import Callable, Sequence
from datetime import date

from memdesk.domain.items.registry import form_of
from memdesk.domain.language.dates import say_day
from memdesk.domain.language.text import one_line
from memdesk.domain.models import Target, Turn, Utterance, VectorKind
from memdesk.ports import Repositories
from memdesk.services.recalling.discretion import Sieve

KINDS: tuple[VectorKind, ...] = ("item", "turn")
#: One target of each kind.
TARGETS: tuple[Target, ...] = ("fact", "turn")
#: Characters of a row to embed; the bundled model reads at most 256 word pieces.
MAX_CHARS = 1200


def speaker_of(turn: Turn | Utterance) -> str:
    """Return who speaks: the name if known, else the role."""
    return turn.speaker or turn.role.capitalize()


def is_answer(turn: Turn | Utterance) -> bool:
    """Whether the speaker is an assistant, not a person on that side of the chat."""
    return turn.role == "assistant" and turn.speaker.casefold() in {"", "assistant"}


def turn_text(speaker: str, day: date, content: str) -> str:
    """Return the text to embed of a turn."""
    return f"{speaker} ({say_day(day)}): {_cut(content)}"


def _turns(repos: Repositories, seqs: Sequence[int]) -> dict[int, str]:
    found = repos.turns.by_seq(seqs).items()
    return {seq: turn_text(speaker_of(turn), turn.said_at.date(), turn.content) for seq, turn in found}


def _items(repos: Repositories, seqs: Sequence[int]) -> dict[int, str]:
    return {seq: _cut(form_of(item).embedded(item)) for seq, item in repos.items.by_seq(seqs, details=False).items()}


_READERS: dict[str, Callable[[Repositories, Sequence[int]], dict[int, str]]] = {"turn": _turns, "item": _items}


def texts(repos: Repositories, kind: VectorKind, seqs: Sequence[int]) -> dict[int, str]:
    """Return the texts to embed of existing rows, by ``seq``."""
    return _READERS[kind](repos, seqs)


def kept_here(repos: Repositories, kind: VectorKind, rows: Sequence[tuple[str, int]]) -> set[int]:
    """Return those of ``(agent_id, seq)`` rows that are local-only, or repeat such an item."""
    stay: set[int] = set()
    for agent_id in {agent for agent, _ in rows}:
        sieve = Sieve.of(repos, agent_id, ())
        seqs = [seq for agent, seq in rows if agent == agent_id]
        if kind == "turn":
            stay |= {seq for seq, turn in repos.turns.by_seq(seqs).items() if turn.id in sieve.ids}
            continue
        for seq, item in repos.items.by_seq(seqs, details=False).items():
            if sieve.keeps(kind=item.form, row_id=item.id, conversation_id=item.run_id, text=""):
                stay.add(seq)
    return stay


def _cut(text: str) -> str:
    return one_line(text[: 2 * MAX_CHARS])[:MAX_CHARS]
