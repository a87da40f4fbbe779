"""What attribute a sentence gives, and which of its words are the value, where fields do not say it.

"Octopus supplies our power" and "we're with EDF for electricity these days" give one attribute in words that no rule
foresees. The bundled model is fine-tuned to tell some 160 attributes of which people have one value at a time,
and to mark the value and what it is a value of: intent and slots in one pass (Chen et al. 2019,
https://arxiv.org/abs/1902.10909). ``memdesk bench attributes FILE... --train`` trains it
(``resources/models/attributes.safetensors``). It knows only English.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memdesk.domain.comparing.lexicon import lexicon_of
from memdesk.domain.comparing.relations import claim_of
from memdesk.domain.comparing.sources import is_kin
from memdesk.domain.comparing.succession import LANGUAGE
from memdesk.domain.comparing.values import Value, value_of
from memdesk.domain.items.statement import USER, Statement
from memdesk.domain.language.text import words

#: Name of the adapter.
TASK: Final = "attributes"
#: Probability from which a sentence that gives an attribute is kept, though it reads as if it were of the moment: "how do I
#: renew my Navigo, that's the pass I have?"
GIVEN: Final = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Tags:
    """What the model reads in a sentence.

    Attributes:
        odds: probability of each attribute that one has once or mostly once, by its number; the rest is that of none.
        several: of attributes that one has of each of several things: the dose of a medicine, the teacher of a subject.
        care: of each of ``reading.care.CARE``; the rest is that of none.
        value: the words of the value, as said.
        topic: the words for what it is a value of, as said.
    """

    odds: Mapping[int, float]
    several: Mapping[int, float]
    care: Mapping[str, float]
    value: str
    topic: str

    def every(self) -> dict[int, float]:
        """Return the probabilities of all attributes, by their numbers."""
        return {**self.odds, **self.several}

    def most(self) -> float:
        """Return the probability of all attributes together: another sentence cannot share more."""
        return sum(self.every().values())


@dataclass(frozen=True, slots=True)
class Reading:
    """A statement with the tags of its words."""

    statement: Statement
    tags: Tags

    def value(self) -> Value | None:
        return value_of(self.tags.value, lexicon_of(LANGUAGE))

    def is_in(self, text: str) -> bool:
        """Whether it gives a value that a text has."""
        value, there = self.value(), value_of(text, lexicon_of(LANGUAGE))
        return value is not None and there is not None and value.tokens <= there.tokens

    def owner(self) -> frozenset[str]:
        """Return the words for whose attribute it is; none for the user's, and where the subject is the value itself."""
        lexicon, said = lexicon_of(LANGUAGE), self.statement
        *owners, _ = f"{said.subject} {said.object}".split("'s ")  # "the user's wife's citalopram"
        values = (value_of(part, lexicon) for part in (*owners, *said.subject.split("'s ")))
        # Of "now going to be held at my uncle" only him.
        kin = frozenset(part.head for part in values if part is not None and is_kin(part))
        subject, value = value_of(said.subject, lexicon), self.value()
        if said.subject == USER or subject is None or value is None or value.tokens <= subject.tokens:
            return kin - (value.tokens if value is not None else frozenset())
        topic = value_of(self.tags.topic, lexicon) if self.tags.several else None
        return (kin | subject.names) - (topic.tokens if topic is not None else frozenset()) - value.tokens


def another_value(new: Reading, known: Reading) -> float:
    """Return the probability that both give one attribute of one person or thing, the newer one with another value."""
    if not (_replaces(new.statement, known.statement) and new.owner() == known.owner()) or _one_value(new, known):
        return 0.0
    once = _both(new.tags.odds, known.tags.odds)
    return once + _both(new.tags.several, known.tags.several) * _one_topic(new.tags, known.tags)


def _both(mine: Mapping[int, float], theirs: Mapping[int, float]) -> float:
    return sum(odds * theirs.get(number, 0.0) for number, odds in mine.items())


def _replaces(new: Statement, known: Statement) -> bool:
    """Whether one may take the other's place: both say that something is so, the new one not only "too" or as a wish.

    Of a mere plan the tags tell that it gives no value; "the wedding will be at Lowick" does.
    """
    mine, theirs = claim_of(new), claim_of(known)
    as_real = new.modality in {"fact", "plan", known.modality}
    said = f" {' '.join(words(new.quote))} "
    beside = mine.adds or any(f" {word} " in said for word in lexicon_of(LANGUAGE).too)
    return as_real and mine.positive and theirs.positive and not beside


def _one_value(new: Reading, known: Reading) -> bool:
    """Whether the value of one is, or is a part of, that of the other."""
    mine, theirs = new.value(), known.value()
    return mine is not None and theirs is not None and mine.like(theirs) != "other"


def _one_topic(new: Tags, known: Tags) -> bool:
    mine, theirs = (value_of(tags.topic, lexicon_of(LANGUAGE)) for tags in (new, known))
    return mine is not None and theirs is not None and not mine.tokens.isdisjoint(theirs.tokens)
