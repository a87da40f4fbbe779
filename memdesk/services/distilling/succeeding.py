"""Finds what a new statement most likely replaces, if fields do not prove it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Final

import numpy as np

from memdesk.domain.comparing.comparison import compare, quote_carries
from memdesk.domain.comparing.lexicon import lexicon_of
from memdesk.domain.comparing.relations import apart, attribute_of, happened, renews
from memdesk.domain.comparing.similarity import jaccard, word_set
from memdesk.domain.comparing.succession import AGAIN, ASKS, LANGUAGE, OVER, REPEATS
from memdesk.domain.comparing.values import value_of
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.statement import USER, Statement
from memdesk.domain.language.text import stems, words
from memdesk.domain.reading.candidates import Candidate
from memdesk.domain.reading.judging import said_at_of
from memdesk.ports import Odds, Vectors

#: Maximum known facts scored per line, the most similar.
WEIGHED: Final = 12
#: Up to this length a word's ending says little about it.
_SHORT: Final = 3
#: Weights of an equal attribute and an equal subject, added to the similarity of words and vectors.
_SAME_ATTRIBUTE, _SAME_SUBJECT = 0.5, 0.2


class Successor:
    """Scores lines against known facts; each text is embedded once, and each pair scored once.

    Args:
        embed: returns unit vectors, or None without an embedder.
        weigh: returns the class probabilities of ``memdesk.domain.comparing.succession`` for pairs of a known line and
            a new sentence, or None without a classifier.
        told: the lines of the session.
    """

    def __init__(
        self,
        embed: Callable[[Sequence[str]], Vectors | None],
        weigh: Callable[[Sequence[tuple[str, str]]], Odds | None],
        told: Sequence[Candidate] = (),
    ) -> None:
        self._embed = embed
        self._weigh = weigh
        #: of sentences that say what was changed, the words for it.
        self._renewed = {
            one.sentence: stems(one.statement.object)
            for one in told
            if one.sentence and one.statement is not None and renews(one.statement)
        }
        self._known: dict[str, Vectors] = {}
        self._words: dict[str, frozenset[str]] = {}
        self._rows: dict[tuple[str, str], tuple[float, float]] = {}

    def likeliest(
        self, line: Candidate, facts: Sequence[MemoryItem], said_at: datetime
    ) -> tuple[float, MemoryItem] | None:
        """Return the fact that a line most likely replaces, and how likely; None if there is nothing to score.

        One-time events are not scored: "Bruno gave me a chess clock" ends no game with him, whatever words both share.
        If a sentence says what was changed ("I switched gyms, now I go to The Works"), no other attribute is scored; a
        line that does not name it is at most asked about.

        Args:
            line: a new statement.
            facts: what is known.
            said_at: when the line was said; later facts are left alone.
        """
        new = line.statement
        if new is None or new.language != LANGUAGE or happened(new) or (renews(new) and not new.object):
            return None
        renewed = self._renewed.get(line.sentence)
        # What fields leave open.
        near = [
            fact
            for fact, known in self._likest(line, new, [one for one in facts if said_at_of(one) < said_at])
            if _is_open(new, known) and not (renewed is not None and attribute_of(known))
        ]
        naming = [fact for fact in near if renewed is not None and _names(renewed, fact.content)]
        near = naming or near
        sentence = line.sentence or line.quotes[0]
        over = self._odds([(fact.content, sentence) for fact in near])
        if not over:
            return None
        odds, likeliest = max(zip(over, near, strict=True), key=lambda one: (one[0], one[1].id))
        return odds if renewed is None or naming else min(odds, ASKS), likeliest

    def heir(self, line: Candidate, facts: Sequence[MemoryItem], said_at: datetime) -> tuple[float, MemoryItem] | None:
        """Return the fact, stated later than a line reported only now, that most likely replaced it, and how likely; else None.

        Args:
            line: a new statement.
            facts: what is known.
            said_at: when the line was said; what was said before is left alone.
        """
        old = line.statement
        if old is None or old.language != LANGUAGE:
            return None
        near = [
            (fact, known.quote or fact.content)  # what is compared is read without its sources
            for fact, known in self._likest(line, old, [one for one in facts if said_at_of(one) > said_at])
            if not happened(known) and _is_open(known, old)
        ]
        over = self._odds([(line.text, quote) for _, quote in near])
        return max(
            zip(over, (fact for fact, _ in near), strict=True), key=lambda one: (one[0], one[1].id), default=None
        )

    def repeated(self, line: Candidate, facts: Sequence[MemoryItem]) -> MemoryItem | None:
        """Return the fact that a line most likely says again in other words; None if there is none.

        Its sentence has the fact's object, and names nothing that the fact does not: with another object it is another
        fact, however alike they are.

        Args:
            line: a new statement.
            facts: what is known.
        """
        new = line.statement
        if new is None or new.language != LANGUAGE or happened(new):
            return None
        sentence = line.sentence or line.quotes[0]
        near = [
            fact
            for fact, known in self._likest(line, new, facts)
            if _is_open(new, known) and quote_carries(sentence, known) and _says_no_more(sentence, new, fact, known)
        ]
        rows = self._rows_of([(fact.content, sentence) for fact in near])
        # Without a classifier there are no rows.
        return next((fact for (again, _), fact in zip(rows, near, strict=False) if again >= REPEATS), None)

    def _odds(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return how likely each known line is over by a sentence; none without a classifier."""
        return [over for _, over in self._rows_of(pairs)]

    def _rows_of(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float]]:
        """Return how likely each known line is repeated, and ended, by a sentence; none without a classifier."""
        fresh = [pair for pair in pairs if pair not in self._rows]
        if fresh:
            rows = self._weigh(fresh)
            if rows is None:
                return []
            self._rows |= zip(fresh, ((row[AGAIN], row[OVER]) for row in rows), strict=True)
        return [self._rows[pair] for pair in pairs]

    def _likest(
        self, line: Candidate, new: Statement, facts: Sequence[MemoryItem]
    ) -> list[tuple[MemoryItem, Statement]]:
        """Return the most similar facts."""
        others = [
            (fact, fact.statement)
            for fact in facts
            if fact.statement is not None and fact.statement.language == LANGUAGE
        ]
        mine = word_set(line.text)
        vectors = self._vectors([line.text, *(fact.content for fact, _ in others)]) if others else None
        likeness = [0.0] * len(others) if vectors is None else (vectors[1:] @ vectors[0]).tolist()
        ranked = sorted(
            zip(likeness, others, strict=True),
            key=lambda one: (-one[0] - self._shared(mine, new, *one[1]), one[1][0].id),
        )
        return [one for _, one in ranked[:WEIGHED]]

    def _shared(self, mine: frozenset[str], new: Statement, fact: MemoryItem, known: Statement) -> float:
        theirs = self._words.get(fact.content)
        if theirs is None:  # each line of a session is scored against the same facts
            theirs = self._words[fact.content] = word_set(fact.content)
        share = jaccard(mine, theirs)
        share += _SAME_ATTRIBUTE * (bool(known.attribute) and known.attribute == new.attribute)
        return share + _SAME_SUBJECT * (known.subject == new.subject != USER)

    def _vectors(self, texts: Sequence[str]) -> Vectors | None:
        fresh = [text for text in dict.fromkeys(texts) if text not in self._known]
        if fresh:
            vectors = self._embed(fresh)
            if vectors is None:
                return None
            self._known |= dict(zip(fresh, vectors, strict=True))
        return np.stack([self._known[text] for text in texts])


def _is_open(new: Statement, known: Statement) -> bool:
    """Whether fields leave open what one statement does to an earlier one."""
    return compare(new, known).outcome == "unrelated" and not apart(new, known)


def _says_no_more(sentence: str, new: Statement, fact: MemoryItem, known: Statement) -> bool:
    """Whether a sentence has a known statement's object where it says something of it, and no other name or number."""
    lexicon = lexicon_of(LANGUAGE)
    told = value_of(f"{new.subject} {new.object} {new.qualifiers.place}", lexicon)
    wanted = value_of(known.object or known.qualifiers.place, lexicon)
    if told is None or wanted is None or told.tokens.isdisjoint(wanted.tokens):
        return False
    # Its first word has a capital in any case.
    said, there = value_of(sentence[:1].lower() + sentence[1:], lexicon), value_of(fact.content, lexicon)
    named = {name for name in said.names | said.numbers if name.partition("'")[0] != "i"} if said is not None else set()
    return there is None or named <= there.tokens


def _names(kind: AbstractSet[str], text: str) -> bool:
    """Whether a text has one of the words, or one ending in it: "iPhone" counts as a phone."""
    ends = tuple(word for word in kind if len(word) > _SHORT)
    return not kind.isdisjoint(stems(text)) or any(word.endswith(ends) for word in words(text))
