"""Former versions: how a conversation went on before a message was said otherwise or answered again."""

from dataclasses import dataclass
from typing import Final

from memdesk.domain.models import Receipt, Turn

#: Keys under which former versions are stored, by agent, conversation and an id of their own, behind marks.
FORMER: Final = "version:"
#: Keys under which is stored what a model thought before a turn, by agent, conversation and turn, behind marks.
THOUGHTS: Final = "thinking:"


@dataclass(frozen=True, slots=True)
class Thought:
    """What a model said to itself before an answer, and for how many seconds."""

    text: str
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class FormerTurn:
    """A message that is no longer part of the conversation, with all that was known of it."""

    turn: Turn
    receipt: Receipt | None = None
    thought: Thought | None = None


@dataclass(frozen=True, slots=True)
class Former:
    """All that once followed a message.

    Attributes:
        after: id of the turn that it follows; empty when the conversation began with it.
        turns: at least one. Versions of what followed one of these name it as theirs to follow.
        learns: whether it might be learned from.
    """

    after: str
    turns: tuple[FormerTurn, ...]
    learns: bool = False


@dataclass(frozen=True, slots=True)
class Versions:
    """Which of its versions a message is: ``number`` of ``count``, counted from 1 in the order they were said.

    ``keys`` has those of the others in that order, with an empty one in the place of the message itself.
    """

    keys: tuple[str, ...]

    @property
    def number(self) -> int:
        return self.keys.index("") + 1

    @property
    def count(self) -> int:
        return len(self.keys)

    def neighbor(self, step: int) -> str:
        """Return the key of the version so many places on, or "" beyond either end."""
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
