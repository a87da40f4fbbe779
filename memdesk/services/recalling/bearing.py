"""What a message must not be answered without: allergies, diets, conditions, medicines, standing instructions, who the user is.

No word of "What should I cook tonight?" is like "The user is allergic to hazelnuts". A message bears on an attribute when
it is about as alike to one of the situations in ``resources/ranking/bearing.toml`` as to any on which nothing bears, or more, and
more alike than those are. A standing instruction bears on every message ("Keep your answers short"), unless it is about something
("Give recipes in grams") and the message is about something else; both are told by likeness to ``resources/ranking/scope.toml``.
Of the lines about the user name, language and the like go with each message as well, the others ("The user lives in Oslo") with what
is asked of them in ``resources/ranking/self.toml``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import words
from memdesk.domain.reading.care import CARE, speaks_of_food
from memdesk.services.recalling.index.texts import is_answer
from memdesk.services.recalling.question import fact_passes
from memdesk.services.recalling.topics import EVERY, INSTRUCTION, NOTHING, TABLES, Topic, Topics

if TYPE_CHECKING:
    from memdesk.domain.items.item import MemoryItem
    from memdesk.ports import Repositories, Vectors
    from memdesk.services.recalling.index.indexing import IndexingService
    from memdesk.services.recalling.question import Question
    from memdesk.services.recalling.scored import Scored

#: What endangers somebody, among what must never be missed.
HEALTH: Final = CARE - {INSTRUCTION}
#: The attribute of what the user is called.
NAME: Final = "name"
#: A message bears on an attribute from so many standard deviations above the likeness of those to its situations, and from so
#: much below its own likeness to them, in cosine: to show what did not bear costs a line, to miss what did may cost a life.
DEVIATIONS: Final = 0.5
MARGIN: Final = 0.03
#: A line is about a topic when it is so alike to one told of it, and so much more than to one of every reply; about what is as
#: alike within ``NEAR`` too. A message is about a topic from the cosine ``ASKED`` on, and may be about any other so much less alike.
TOLD: Final = 0.45
TOPICAL: Final = 0.05
NEAR: Final = 0.05
ASKED: Final = 0.3
ASIDE: Final = 0.1
#: From this cosine on a line bears on a message, whatever both are about, where it is more alike to it than to this share of the
#: messages about nothing in its language: an embedder that was taught English finds all Spanish alike.
ALIKE: Final = 0.3
ABOVE: Final = 0.975
#: Lines about the user that are embedded before a question is there; more would push questions out of their cache.
MOST_LINES = 200
#: Lines shown at most: what is of health before instructions, the newest first.
MOST: Final = 8


@dataclass(frozen=True, slots=True)
class Bears:
    """Tells whether an item that goes with every reply, or that somebody must not miss, bears on a message.

    Attributes:
        touched: those of :data:`CARE` besides instructions on which it bears.
    """

    touched: frozenset[str]
    _of: Callable[[MemoryItem], bool]

    def __call__(self, item: MemoryItem) -> bool:
        return self._of(item)

    def unasked(self, hit: Scored, kind: str) -> bool:
        """Whether a row found is of health, and the message neither bears on this ``kind`` of it nor is like the row."""
        return kind in HEALTH - self.touched and hit.cosine is not None and hit.cosine < ALIKE


class Bearing:
    """Finds the statements that a message must not be answered without. Thread-safe.

    Args:
        indexing: embeds what messages and lines are likened to, once for each model.
    """

    def __init__(self, indexing: IndexingService) -> None:
        self._indexing = indexing
        self._topics = Topics(indexing)

    def facts(self, repos: Repositories, asked: Question, bears: Bears) -> list[MemoryItem]:
        """Return what bears on a question by :meth:`on`: instructions last, the newest first."""
        found = repos.items.of_attributes(asked.agent_id, sorted(CARE))
        if not found:
            return []
        seqs = [fact.seq for fact in found]
        hidden = repos.items.hidden(seqs, asked.now)
        kept = [
            fact
            for fact in found
            if fact.seq not in hidden
            and fact_passes(fact, asked)
            and (asked.as_of is None or fact.created_at <= asked.as_of)
            and bears(fact)
        ]
        kept.sort(key=lambda fact: fact.updated_at, reverse=True)
        # Many instructions must not push an allergy out.
        return sorted(kept, key=lambda fact: fact.statement is not None and fact.statement.attribute == INSTRUCTION)[
            :MOST
        ]

    def warm_up(self, repos: Repositories) -> None:
        """A question is near: embed the lines about the user, and once for each model what they are likened to."""
        model = self._indexing.model
        if lines := tuple(line.content for line in repos.items.lines()[:MOST_LINES]):
            self._topics.embedded(lines, model)
        for table in TABLES:
            self._topics.of(table, model)

    def knows(self, code: str, model: str) -> bool:
        """Whether the embedder finds sentences of a language most alike to what they mean in English."""
        return self._topics.knows(code, model)

    def on(self, asked: Question) -> Bears:
        """Return what tells which items bear on a question: all of them where nothing tells what it is about."""
        known = None if asked.own is None else self._topics.of("bearing", asked.model)
        if known is None or asked.own is None:
            return Bears(HEALTH, lambda _: True)
        touched = _touched(known, asked.own)
        # The situations are told in English, which an embedder may know alone.
        if asked.language != "en" and speaks_of_food(words(asked.text), asked.language):
            touched |= {"allergy", "diet"}

        def bears(item: MemoryItem) -> bool:
            kind = self.kind(item)
            if kind == INSTRUCTION:
                quote = item.statement.quote if item.statement is not None else ""
                return self._concerns(quote or item.content, asked, "scope")
            if kind:
                return kind in touched
            strange = item.origin == "user" or (item.statement is not None and item.statement.attribute == NAME)
            return self._concerns(item.content, asked, "self", strange=strange)

        return Bears(frozenset(touched), bears)

    def kind(self, item: MemoryItem) -> str:
        """Return which of :data:`CARE` an item is: as its fields say, or what it means where it has none; else empty."""
        if item.statement is None:
            return self._topics.care(item.content)
        return item.statement.attribute if item.statement.attribute in CARE else ""

    def asked_for(self, asked: Question, hits: Sequence[Scored], bears: Bears) -> list[Scored]:
        """Leave out messages to an assistant that are of health, where the question does not bear on it, with what was answered to them."""
        vectors = self._indexing.vectors(asked.agent_id, "turn", [hit.seq for hit in hits]) if hits else None
        if vectors is None or asked.own is None:
            return list(hits)
        kinds = {
            (hit.row.conversation_id, hit.row.position): kind
            for hit, kind in zip(hits, self._topics.kinds(vectors, asked.model), strict=True)
            if not hit.row.speaker and not is_answer(hit.row)
        }
        return [
            hit
            for hit in hits
            if not bears.unasked(
                hit, kinds.get((hit.row.conversation_id, hit.row.position - int(is_answer(hit.row))), "")
            )
        ]

    def _concerns(self, line: str, message: Question, table: Literal["scope", "self"], *, strange: bool = True) -> bool:
        """Return whether a line bears on a message, by their vectors and the topics of a table.

        ``strange`` says it of a line that is like none of its topics.
        """
        vector, model, code = message.own, message.model, message.language
        known, embedded = self._topics.of(table, model), self._topics.embedded((line,), model)
        if vector is None or known is None or embedded is None:
            return True
        alike = float(embedded[0] @ vector)
        knows = self.knows(code, model) and self.knows(language_of(line), model)
        # To an embedder that does not know the language, what is asked of the world is as alike to a line as what is of the user.
        telling = knows or table == "scope" or message.query.of_self
        nothing = self._topics.nothing(code, model) if telling and alike >= ALIKE else None
        if nothing is not None and alike > float(np.quantile(nothing @ embedded[0], ABOVE)):
            return True
        if not knows:
            # Its topics are told in English, which says nothing of this pair.
            return strange
        told = {name: float((topic.told @ embedded[0]).max()) for name, topic in known.items() if len(topic.told)}
        every = told.pop(EVERY)
        likest = max(told.values())
        if likest <= max(every + TOPICAL, TOLD):
            return strange or every >= likest + TOPICAL
        about = frozenset[str]().union(
            *(known[name].bears_on for name, alike in told.items() if alike >= likest - NEAR)
        )
        asked = {name: float((topic.asked @ vector).max()) for name, topic in known.items() if len(topic.asked)}
        likest = max(asked.values())
        if likest < ASKED:
            # An instruction that was missed is a fault of the reply, who the user is told in vain costs an answer.
            return table == "scope"
        return any(asked[name] >= max(likest - ASIDE, ASKED) for name in about & asked.keys())


def _touched(known: Mapping[str, Topic], vector: Vectors) -> set[str]:
    """Return the attributes on which a message bears, by its vector."""
    other = float((known[NOTHING].asked @ vector).max()) - MARGIN
    touched = set()
    for attribute in known.keys() - {NOTHING}:
        rows = known[attribute].asked
        best = (known[NOTHING].asked @ rows.T).max(axis=1)
        if float((rows @ vector).max()) >= max(float(best.mean() + DEVIATIONS * best.std()), other):
            touched.add(attribute)
    # Who takes a medicine has what it is for: "Inhaler, twice a day".
    return touched | ({"medication"} if "condition" in touched else set())
