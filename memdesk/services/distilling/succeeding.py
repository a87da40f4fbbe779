"""Finds what a new statement most likely replaces, if fields do not prove it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from math import exp, log
from typing import Final

import numpy as np

from memdesk.domain.comparing.comparison import compare, quote_carries
from memdesk.domain.comparing.lexicon import lexicon_of
from memdesk.domain.comparing.relations import apart, attribute_of, claim_of, happened, renews
from memdesk.domain.comparing.similarity import jaccard, word_set
from memdesk.domain.comparing.succession import AGAIN, ASKS, ENDS, LANGUAGE, OVER, REPEATS
from memdesk.domain.comparing.tagging import Reading, Tags, another_value
from memdesk.domain.comparing.values import value_of
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.statement import USER, Statement
from memdesk.domain.language.text import stems, words
from memdesk.domain.reading.candidates import Candidate
from memdesk.domain.reading.judging import said_at_of
from memdesk.ports import Odds, Vectors

#: Maximum known facts looked at per line, the most similar.
LOOKED_AT: Final = 12
#: Of those that fields leave open, the most that are scored: as many as in training, since further ones are mostly alike by chance. Of 72 facts that
#: a line ends among 192 (``news_blind.jsonl``, twelve people in one memory) 27 are found with 5 wrong ones, with twelve scored 26 with 10.
WEIGHED: Final = 4
#: How likely a line ends a fact that fields leave open, a logistic regression: weights of the log odds of the classifier of pairs for "over" and "again",
#: of those that both give one attribute and do not repeat each other (as far as they exceed the least), of a word for a change, of a question, of their
#: cosine, and the bias. Fitted to the open pairs of ``plain``, ``usual``, ``chains``, ``weekly`` and ``year_4`` in ``tests/data/comparing`` and, as pairs that
#: end nothing, to 2,263 of ten real chats with an assistant and 3,000 of different people; of these .005 and .004 are ended.
ENDED, REPEATED, ALIKE, CHANGES, QUESTION, NEAR, BIAS = 0.43, -0.53, 0.94, 0.59, -0.55, 5.32, -5.21
#: Cosines above this count as this, as in an embedder's space where all are high, and without one.
NEAR_ENOUGH: Final = 0.4
#: The least odds that count: of the pairs, and that both give one attribute.
LEAST, LEAST_ALIKE = 0.003, 0.01
#: The odds from which a sentence repeats a fact without naming its object.
SURE = 0.9
#: Up to this length a word's ending says little about it.
_SHORT: Final = 3
#: Weights of an equal attribute and an equal subject, added to the similarity of words and vectors.
_SAME_ATTRIBUTE, _SAME_SUBJECT = 0.5, 0.2


@dataclass(frozen=True, slots=True)
class _Said:
    """A statement, how it is retold, and how it was said."""

    text: str
    quote: str
    statement: Statement


class Successor:
    """Scores lines against known facts; each text is embedded once, and each pair scored once.

    Args:
        embed: returns unit vectors, or None without an embedder.
        weigh: returns the class probabilities of ``memdesk.domain.comparing.succession`` for pairs of a known line and
            a new sentence, or None without a classifier.
        told: the lines of the session.
        tag: returns what attribute each sentence gives, or None without a tagger.
    """

    def __init__(
        self,
        embed: Callable[[Sequence[str]], Vectors | None],
        weigh: Callable[[Sequence[tuple[str, str]]], Odds | None],
        told: Sequence[Candidate] = (),
        tag: Callable[[Sequence[str]], Sequence[Tags] | None] = lambda _: None,
    ) -> None:
        self._embed = embed
        self._weigh = weigh
        self._tag = tag
        #: of sentences that say what was changed, the words for it.
        self._renewed = {
            one.sentence: stems(one.statement.object)
            for one in told
            if one.sentence and one.statement is not None and renews(one.statement)
        }
        self._known: dict[str, Vectors] = {}
        self._words: dict[str, frozenset[str]] = {}
        self._rows: dict[tuple[str, str], tuple[float, float]] = {}
        self._tags: dict[str, Tags] = {}

    def likeliest(
        self, line: Candidate, facts: Sequence[MemoryItem], said_at: datetime
    ) -> tuple[float, MemoryItem] | None:
        """Return the fact that a line most likely replaces, and how likely; None if there is nothing to score.

        If a sentence says what was changed ("I switched gyms, now I go to The Works"), no other attribute is scored; a
        line that does not name it is at most asked about.

        Args:
            line: a new statement.
            facts: what is known.
            said_at: when the line was said; later facts are left alone.
        """
        new = line.statement
        if new is None or new.language != LANGUAGE or (renews(new) and not new.object):
            return None
        renewed = self._renewed.get(line.sentence)
        # What fields leave open.
        near = [
            fact
            for fact, known in self._likest(line, new, [one for one in facts if said_at_of(one) < said_at])
            if _is_open(new, known) and not (renewed is not None and attribute_of(known))
        ]
        naming = [fact for fact in near if renewed is not None and _names(renewed, fact.content)]
        near = naming or near[:WEIGHED]
        found = _most(self._ends(_told(line, new), [_said(fact) for fact in near]), near)
        return found if found is None or renewed is None or naming else (min(found[0], ASKS), found[1])

    def outdated(self, line: Candidate, facts: Sequence[MemoryItem], said_at: datetime) -> list[MemoryItem]:
        """Return earlier facts with another value of the attribute that a line gives: one value may be told in several.

        Args:
            line: a new statement.
            facts: what is known.
            said_at: when the line was said; later facts are left alone.
        """
        new = line.statement
        if new is None or new.language != LANGUAGE:
            return []
        before = [one for one in facts if said_at_of(one) < said_at]
        earlier = [fact for fact, known in self._likest(line, new, before) if _is_open(new, known)]
        ends = self._ends(_told(line, new), [_said(fact) for fact in earlier])
        return [fact for fact, each in zip(earlier, ends, strict=True) if min(each) >= ENDS]

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
        later = [
            fact
            for fact, known in self._likest(line, old, [one for one in facts if said_at_of(one) > said_at])
            if _is_open(known, old)
        ][:WEIGHED]
        return _most(self._ends(_told(line, old), [_said(fact) for fact in later], later=True), later)

    def repeated(self, line: Candidate, facts: Sequence[MemoryItem]) -> MemoryItem | None:
        """Return the fact that a line most likely says again in other words; None if there is none.

        Both the line and its sentence, which may tell more besides, must seem to say it, the surer if the line has not its
        object; and it names nothing that the fact does not: with another name or number it is another fact, however alike
        they are. So is an instruction.

        Args:
            line: a new statement.
            facts: what is known.
        """
        new = line.statement
        if new is None or new.language != LANGUAGE or happened(new):
            return None
        near = [
            (fact, REPEATS if quote_carries(line.text, known) else SURE)
            for fact, known in self._likest(line, new, facts)
            if _is_open(new, known) and known.attribute != "instruction" and _names_no_more(line.text, fact.content)
        ]
        for said in (_told(line, new).quote, line.text):
            rows = self._rows_of([(fact.content, said) for fact, _ in near])
            near = [each for (again, _), each in zip(rows, near, strict=True) if again >= each[1]]
        return near[0][0] if near else None

    def _ends(self, mine: _Said, facts: Sequence[_Said], *, later: bool = False) -> list[tuple[float, float]]:
        """Return how likely a line ends each fact said before it, and that it gives the fact's attribute another value.

        If the facts were said ``later``, they end the line. A one-time event ends something only by its attribute: "Bruno gave
        me a chess clock" ends no game with him, whatever words both share. Facts are tagged only where that may raise the odds to any that
        count: most lines give no attribute.
        """
        pairs = [(mine, one) if later else (one, mine) for one in facts]
        self._note_tags([mine] if pairs else [])
        given = self._reading(mine)
        most = given.tags.most() if given is not None else 0.0
        rows = self._scored(pairs, acts=most > 0.0)
        near = self._nearness(mine, facts)
        signs = [self._signs(*pair) + NEAR * cosine for pair, cosine in zip(pairs, near, strict=True)]
        every = zip(facts, rows, signs, strict=True)
        self._note_tags([fact for fact, row, sign in every if most and _ended(row, most, sign) >= ASKS])
        alike = [self._alike(old, new) for old, new in pairs]
        return [(_ended(*one), one[1]) for one in zip(rows, alike, signs, strict=True)]

    def _scored(self, pairs: Sequence[tuple[_Said, _Said]], *, acts: bool) -> list[tuple[float, float]]:
        """Return how likely each known line is repeated, and ended, by a new one; single acts end nothing, and are scored only with ``acts``."""
        single = [happened(new.statement) for _, new in pairs]
        asked = [(old.text, new.quote) for (old, new), act in zip(pairs, single, strict=True) if acts or not act]
        found = iter(self._rows_of(asked))
        rows = [(0.0, 0.0) if act and not acts else next(found) for act in single]
        return [(again, 0.0 if act else over) for (again, over), act in zip(rows, single, strict=True)]

    def _signs(self, old: _Said, new: _Said) -> float:
        """Return what it adds to the log odds that a line says that something has changed, or that either is a question."""
        changes = claim_of(new.statement).changes or new.quote in self._renewed
        asks = any(one.quote.rstrip().endswith("?") for one in (old, new))
        return CHANGES * changes + QUESTION * asks

    def _nearness(self, mine: _Said, facts: Sequence[_Said]) -> list[float]:
        """Return the cosine of a line to each fact as far as it counts: in a small memory also what has nothing to do with it is weighed."""
        vectors = self._vectors([mine.text, *(one.text for one in facts)]) if facts else None
        cosines = [NEAR_ENOUGH] * len(facts) if vectors is None else (vectors[1:] @ vectors[0]).tolist()
        return [min(cosine, NEAR_ENOUGH) for cosine in cosines]

    def _alike(self, old: _Said, new: _Said) -> float:
        """Return how likely both give one attribute, with different values; 0 for what was not tagged."""
        known, told = self._reading(old), self._reading(new)
        return another_value(told, known) if told is not None and known is not None else 0.0

    def _note_tags(self, every: Sequence[_Said]) -> None:
        """Tag quotes, and how they are retold where a quote lacks the value."""
        self._tag_once([one.quote for one in every])
        self._tag_once([one.text for one in every if self._reading(one) is None])

    def _tag_once(self, texts: Sequence[str]) -> None:
        fresh = [text for text in dict.fromkeys(texts) if text not in self._tags]
        tags = self._tag(fresh) if fresh else ()
        if tags is not None:
            self._tags |= zip(fresh, tags, strict=True)

    def _reading(self, said: _Said) -> Reading | None:
        """Return the tags of a quote, else of how it is retold, if the latter has the value."""
        tagged = [Reading(said.statement, self._tags[text]) for text in (said.quote, said.text) if text in self._tags]
        return next((one for one in tagged if one.is_in(said.text)), None)

    def _rows_of(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float]]:
        """Return how likely each known line is repeated, and ended, by a sentence; zeros without a classifier."""
        fresh = [pair for pair in pairs if pair not in self._rows]
        rows = self._weigh(fresh) if fresh else ()
        if rows is not None:
            self._rows |= zip(fresh, ((row[AGAIN], row[OVER]) for row in rows), strict=True)
        return [self._rows.get(pair, (0.0, 0.0)) for pair in pairs]

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
        return [one for _, one in ranked[:LOOKED_AT]]

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


def _names_no_more(line: str, known: str) -> bool:
    """Whether a line has no name or number that a known one has not."""
    lexicon = lexicon_of(LANGUAGE)
    # Its first word has a capital in any case.
    said, there = value_of(line[:1].lower() + line[1:], lexicon), value_of(known, lexicon)
    return said is None or there is None or (said.names | said.numbers) <= there.tokens


def _told(line: Candidate, statement: Statement) -> _Said:
    return _Said(line.text, line.sentence or line.quotes[0], statement)


def _said(fact: MemoryItem) -> _Said:
    assert fact.statement is not None
    return _Said(fact.content, fact.statement.quote or fact.content, fact.statement)


def _most(ends: Sequence[tuple[float, float]], facts: Sequence[MemoryItem]) -> tuple[float, MemoryItem] | None:
    scored = zip((odds for odds, _ in ends), facts, strict=True)
    return max(scored, key=lambda one: (one[0], one[1].id), default=None)


def _ended(row: tuple[float, float], alike: float, signs: float) -> float:
    """Return how likely a line ends a fact.

    Args:
        row: how likely it repeats and ends it by the classifier of pairs.
        alike: how likely both give one attribute.
        signs: what else adds to the log odds.
    """
    again, over = (_logit(odds, LEAST) for odds in row)
    raised = ALIKE * (_logit(alike * (1.0 - row[0]), LEAST_ALIKE) - _logit(0.0, LEAST_ALIKE))
    return 1.0 / (1.0 + exp(-(ENDED * over + REPEATED * again + raised + signs + BIAS)))


def _logit(odds: float, least: float) -> float:
    inside = min(max(odds, least), 1.0 - least)
    return log(inside / (1.0 - inside))


def _names(kind: AbstractSet[str], text: str) -> bool:
    """Whether a text has one of the words, or one ending in it: "iPhone" counts as a phone."""
    ends = tuple(word for word in kind if len(word) > _SHORT)
    return not kind.isdisjoint(stems(text)) or any(word.endswith(ends) for word in words(text))
