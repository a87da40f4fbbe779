"""Labeled chats with an assistant: what is worth keeping of a user's messages, and figures of what was kept.

The form of the files is described in ``tests/data/reading/README.md``.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

#: Line prefixes: a turn worth keeping, one that is not, the assistant's.
_KEEP, _PLAIN, _ASSISTANT = "+", "-", "<"
#: Files that are one chat each, by prefix of their names.
TOGETHER: Final = "chats"


@dataclass(frozen=True, slots=True)
class LabeledTurn:
    """One turn.

    Attributes:
        facts: each the words that one kept line must contain.
        fine: words of lines that may or may not be kept.
    """

    text: str
    assistant: bool = False
    facts: tuple[str, ...] = ()
    fine: tuple[str, ...] = ()


@dataclass(slots=True)
class Figures:
    """Recall of what was worth keeping, and precision of what was kept."""

    found: int = 0
    missed: list[str] = field(default_factory=list)
    right: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """Share of the facts that some kept line contains."""
        return self.found / max(1, self.found + len(self.missed))

    @property
    def precision(self) -> float:
        """Share of the kept lines that contain a fact, or what may be kept."""
        return self.right / max(1, self.right + len(self.wrong))

    def add(self, chat: Sequence[LabeledTurn], kept: Sequence[str]) -> None:
        facts = [fact for turn in chat for fact in turn.facts]
        allowed = [*facts, *(words for turn in chat for words in turn.fine)]
        for fact in facts:
            if any(holds(line, fact) for line in kept):
                self.found += 1
            else:
                self.missed.append(fact)
        for line in kept:
            if any(holds(line, words) for words in allowed):
                self.right += 1
            else:
                self.wrong.append(line)


def load(path: Path) -> list[list[LabeledTurn]]:
    apart = not path.stem.startswith(TOGETHER)
    chats: list[list[LabeledTurn]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("=="):
            chats.append([])
        elif line[:1] in {_KEEP, _PLAIN, _ASSISTANT}:
            if apart:
                chats.append([])
            chats[-1].append(_turn(line))
    return chats


def measure(chats: Sequence[Sequence[LabeledTurn]], keep: Callable[[Sequence[LabeledTurn]], Sequence[str]]) -> Figures:
    figures = Figures()
    for chat in chats:
        figures.add(chat, keep(chat))
    return figures


def _turn(line: str) -> LabeledTurn:
    text, _, labels = line[2:].partition(" => ")
    facts, _, fine = f" {labels}".partition(" ~ ")
    return LabeledTurn(
        text.strip().replace("\\n", "\n"), line[0] == _ASSISTANT, tuple(_listed(facts)), tuple(_listed(fine))
    )


def _listed(words: str) -> Iterator[str]:
    return (part.strip() for part in words.split(";") if part.strip())


def holds(line: str, words: str) -> bool:
    """Return whether a line contains all of the words as substrings."""
    low = line.casefold()
    return all(word.casefold() in low for word in words.split())
