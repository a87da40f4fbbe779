"""What a speaker has mentioned in a conversation, and whom earlier ones named: for "she", "it" and bare names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final

from memdesk.domain.items.statement import USER
from memdesk.domain.language.data import language_data

#: After this many turns of the speaker "she" and "it" refer to nobody any more.
FORGOTTEN_AFTER: Final = 6


@dataclass(frozen=True, slots=True)
class Mention:
    """Somebody or something mentioned.

    Attributes:
        name: as in statements: "user's sister Ada", "Ada", "user's thesis".
        noun: what it is: "sister", "thesis"; empty for a bare name.
        proper: its name, if it has one.
        pronouns: which of "she", "he", "it", "they" may refer to it.
        turn: number of the turn.
        turn_id: where.
        quote: the sentence.
        of: the mention that its name depends on: for "her brother Fionn" the referent of "her".
        owned: whether it is the speaker, or somebody or something of theirs.
        asked: whether it is a name that was only asked about, and perhaps nobody's: "Attendance Allowance".
    """

    name: str
    noun: str
    proper: str
    pronouns: frozenset[str]
    turn: int
    turn_id: str
    quote: str
    of: Mention | None = None
    owned: bool = True
    asked: bool = False

    def chain(self) -> Iterator[Mention]:
        """Yield the mention and those that its name depends on."""
        yield self
        if self.of is not None:
            yield from self.of.chain()


def acquaintances(named: Iterable[tuple[str, str]]) -> tuple[Mention, ...]:
    """Return the people named in statements of earlier conversations: for bare names, not for "she" or "the dog".

    Args:
        named: subjects of statements ("user's dog Rex"), each with the name that its statement gives ("user's dog", "Rex").
    """
    found = dict[str, Mention]()
    for subject, called in named:
        words = subject.rpartition("'s ")[2].split(" ")
        own = list(takewhile(str.istitle, reversed(words)))
        if len(own) == len(words) > 1 and words[0].casefold() in language_data("de").words(
            "plain", "people", "animals"
        ):
            own = own[:-1]  # "Hund Balu": German nouns have a capital too
        proper = called or " ".join(reversed(own))
        noun = " ".join(words if called else words[: len(words) - len(own)])
        if proper[:1].isupper() and proper.replace(" ", "").isalpha() and noun and subject.startswith(f"{USER}'s "):
            found[proper] = Mention(proper, noun, proper, frozenset(), -FORGOTTEN_AFTER, "", "")
    return tuple(found.values())


@dataclass(slots=True)
class Discourse:
    """What one speaker has mentioned so far, the latest last.

    Args:
        speaker: the speaker's name in statements: :data:`USER` or a name.
    """

    speaker: str = USER
    mentions: list[Mention] = field(default_factory=list)
    turn: int = 0
    #: number of the turn in which they last said something about themselves.
    told_in: int | None = None

    def tell(self) -> None:
        """Remember that the speaker says something about themselves."""
        self.told_in = self.turn

    def told_within(self, turns: int) -> bool:
        """Return whether the speaker said something about themselves in this turn, or in ``turns`` before it."""
        return self.told_in is not None and self.turn - self.told_in <= turns

    def meet(self, found: Mention) -> None:
        """Remember a mention."""
        self.mentions.append(found)

    def latest(self, pronoun: str) -> Mention | None:
        """Return the referent of a pronoun; None if nobody was named recently."""
        near = [m for m in self.mentions if self.turn - m.turn <= FORGOTTEN_AFTER and pronoun in m.pronouns]
        if not near:
            return None
        near = [m for m in near if not m.asked] or near
        # "My landlord should know that my baby is ill, he ...": a landlord is "he", a baby may be "she".
        beside = (m for m in reversed(near) if m.turn_id == near[-1].turn_id and m.quote == near[-1].quote)
        return min(beside, key=lambda m: len(m.pronouns))

    def is_doubtful(self, mention: Mention, pronoun: str) -> bool:
        """Whether the sentence names two possible referents of a pronoun: "Our bank suggested a loan, we like it"."""
        same = [
            m for m in self.mentions if m.turn == mention.turn and m.quote == mention.quote and pronoun in m.pronouns
        ]
        return len({m.name for m in same}) > 1 and not all(m.owned for m in same)

    def called(self, proper: str) -> Mention | None:
        """Return the mention with a name."""
        return next((m for m in reversed(self.mentions) if m.proper and m.proper == proper), None)

    def thing(self, noun: str) -> Mention | None:
        """Return the speaker's own thing of this kind."""
        return next((m for m in reversed(self.mentions) if m.noun == noun and m.turn_id), None)
