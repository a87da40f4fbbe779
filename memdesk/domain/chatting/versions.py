"""Earlier versions: how a conversation went on before a message was edited or answered again."""

from dataclasses import dataclass
from typing import Final

from memdesk.domain.models import Receipt, Turn

#: Keys under which earlier versions are stored, by agent, conversation and an id of their own, after marks.
FORMER: Final = "version:"
#: Keys under which a model's thinking before a turn is stored, by agent, conversation and turn, after marks.
THOUGHTS: Final = "thinking:"


@dataclass(frozen=True, slots=True)
class Thought:
    """A model's thinking before an answer, and its duration in seconds."""

    text: str
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class FormerTurn:
    """A message that is no longer part of the conversation, with everything known of it."""

    turn: Turn
    receipt: Receipt | None = None
    thought: Thought | None = None


@dataclass(frozen=True, slots=True)
class Former:
    """Everything that once followed a message.

    Attributes:
        after: id of the turn that it follows; empty if the conversation began with it.
        turns: at least one. Versions of what followed one of these refer to it.
        learns: whether it may be learned from.
    """

    after: str
    turns: tuple[FormerTurn, ...]
    learns: bool = False


@dataclass(frozen=True, slots=True)
class Versions:
    """Which of its versions a message is: ``number`` of ``count``, counted from 1 in the order they were said.

    ``keys`` has the others' keys in that order, with an empty one for the message itself.
    """

    keys: tuple[str, ...]

    @property
    def number(self) -> int:
        return self.keys.index("") + 1

    @property
    def count(self) -> int:
        return len(self.keys)

    def neighbor(self, step: int) -> str:
        """Return the key of the version ``step`` places on, or "" beyond either end."""
        at = self.number - 1 + step
        return self.keys[at] if 0 <= at < self.count else ""


def versions_of(turns: list[Turn], former: dict[str, Former]) -> dict[str, Versions]:
    """Return the versions of each turn of a conversation that has more than one."""
    found: dict[str, Versions] = {}
    before = ""
    for turn in turns:
        others = [(each.turns[0].turn.said_at, key) for key, each in former.items() if each.after == before]
        if others:
            found[turn.id] = Versions(tuple(key for _said, key in sorted([*others, (turn.said_at, "")])))
        before = turn.id
    return found
