"""What a message must not be answered without: allergies, diets, conditions, medicines, standing instructions, who the user is.

"What should I cook tonight?" shares no word with "The user is allergic to hazelnuts". In English and with the bundled
embedder the odds are learned (``domain.recalling.needing``). Besides, a message concerns an attribute if it is similar to
one of the attribute's situations in ``resources/ranking/bearing.toml``: about as similar as to any unrelated situation, and
more than those are. A standing instruction ("Keep your answers short") concerns every message, unless it has a topic
("Give recipes in grams") and the message has another; topics are recognized by similarity to
``resources/ranking/scope.toml``. Lines with the user's name, language and the like go with every message, others ("The user
lives in Oslo") with related questions (``resources/ranking/self.toml``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from safetensors import safe_open

from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import words
from memdesk.domain.reading.care import CARE, INSTRUCTION, speaks_of_food
from memdesk.domain.recalling.needing import Needs
from memdesk.domain.recalling.opening import SENSED
from memdesk.services.recalling.index.texts import is_answer
from memdesk.services.recalling.question import fact_passes
from memdesk.services.recalling.scored import NOTHING_KNOWN
from memdesk.services.recalling.topics import EVERY, NOTHING, TABLES, Topic, Topics
from memdesk.settings.resources import resources_root

if TYPE_CHECKING:
    from memdesk.domain.items.item import MemoryItem
    from memdesk.ports import Repositories, Vectors
    from memdesk.services.recalling.index.indexing import IndexingService
    from memdesk.services.recalling.question import Question
    from memdesk.services.recalling.scored import Scored

#: The critical attributes that are about health.
HEALTH: Final = CARE - {INSTRUCTION}
#: Name of the file with what was learned; log odds from which a message needs a line, and below which it hardly needs an
#: instruction. Of people's messages that need none at most a tenth gets one (``tests/data/recall/care_people*.jsonl``).
NEEDS: Final = "needs"
LEAST: Final = 1.0
UNLIKELY: Final = -2.0
#: The attribute of the user's name.
NAME: Final = "name"
#: A message concerns an attribute if its similarity to the attribute's situations is this many standard deviations above that
#: of unrelated situations, and no more than this cosine below its own similarity to unrelated ones: a needless line costs
#: little, a missing one may cost a life.
DEVIATIONS: Final = 0.5
MARGIN: Final = 0.03
#: A line is about a topic if it is this similar to one of its statements, and ``TOPICAL`` more than to those for every reply;
#: topics within ``NEAR`` of the best count too. A message is about a topic from the cosine ``ASKED`` on, and possibly about
#: others within ``ASIDE`` of the best.
TOLD: Final = 0.45
TOPICAL: Final = 0.05
NEAR: Final = 0.05
ASKED: Final = 0.3
ASIDE: Final = 0.1
#: From this cosine on, a line concerns a message whatever their topics, if it is more similar to it than to this share of the
#: unrelated messages in its language: to an embedder trained on English, all Spanish is similar.
ALIKE: Final = 0.3
ABOVE: Final = 0.975
#: Lines about the user that are embedded in advance; more would evict questions from their cache.
MOST_LINES = 200
#: Maximum number of lines: health before instructions, newest first.
MOST: Final = 8


@dataclass(frozen=True, slots=True)
class Bears:
    """Decides whether an item for every reply, or a critical one, concerns a message.

    Attributes:
        touched: those of :data:`CARE`, except instructions, that the message concerns.
    """

    touched: frozenset[str]
    _of: Callable[[MemoryItem], bool]

    def __call__(self, item: MemoryItem) -> bool:
        return self._of(item)

    def unasked(self, hit: Scored, kind: str) -> bool:
        """Whether a row is about health, while the message neither concerns this ``kind``, nor is similar to the row, nor answered by it."""
        apart = hit.cosine is not None and hit.cosine < ALIKE and hit.score < NOTHING_KNOWN
        return kind in HEALTH - self.touched and apart


@cache
def learned_needs() -> Needs:
    """Return the trained networks that tell whether a message needs a line."""
    with safe_open(resources_root() / "models" / f"{NEEDS}.safetensors", framework="np") as file:
        names = file.keys()
        return Needs(json.loads(file.metadata()["model"]), {name: file.get_tensor(name) for name in names})


class Bearing:
    """Finds the statements that a message must not be answered without. Thread-safe.

    Args:
        indexing: embeds the tables that messages and lines are compared with, once per model.
    """

    def __init__(self, indexing: IndexingService) -> None:
        self._indexing = indexing
        self._topics = Topics(indexing)

    def facts(self, repos: Repositories, asked: Question, bears: Bears) -> list[MemoryItem]:
        """Return the facts that concern a question, as decided by :meth:`on`, newest first and instructions last."""
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
        # Many instructions must not displace an allergy.
        return sorted(kept, key=lambda fact: fact.statement is not None and fact.statement.attribute == INSTRUCTION)[
            :MOST
        ]

    def warm_up(self, repos: Repositories) -> None:
        """Prepare for a question: embed the lines about the user and, once per model, the tables."""
        model = self._indexing.model
        if lines := tuple(_as_said(line) for line in repos.items.lines()[:MOST_LINES]):
            self._topics.embedded(lines, model)
        for table in TABLES:
            self._topics.of(table, model)

    def knows(self, code: str, model: str) -> bool:
        """Whether the embedder finds a language's sentences most similar to their English originals."""
        return self._topics.knows(code, model)

    def on(self, asked: Question) -> Bears:
        """Return a decision on which items concern a question: all of them if its topic is unknown."""
        known = None if asked.own is None else self._topics.of("bearing", asked.model)
        if known is None or asked.own is None:
            return Bears(HEALTH, lambda _: True)
        touched = _touched(known, asked.own)
        # The situations are in English, which may be the only language the embedder knows.
        if asked.language != "en" and speaks_of_food(words(asked.text), asked.language):
            touched |= {"allergy", "diet"}

        def bears(item: MemoryItem) -> bool:
            kind = self.kind(item)
            needed = self._needed(item, asked) if kind else None
            if kind == INSTRUCTION:
                # What is of no known topic concerns every message, unless the odds tell otherwise.
                strange = needed is None or needed >= UNLIKELY
                return self._concerns(_as_said(item), asked, "scope", strange=strange) or _likely(needed)
            if kind:
                return kind in touched or _likely(needed)
            strange = item.origin == "user" or (item.statement is not None and item.statement.attribute == NAME)
            return self._concerns(item.content, asked, "self", strange=strange)

        return Bears(frozenset(touched), bears)

    def kind(self, item: MemoryItem) -> str:
        """Return which of :data:`CARE` an item is, by its fields, or without fields by its meaning; "" if none."""
        if item.statement is None:
            return self._topics.care(item.content)
        return item.statement.attribute if item.statement.attribute in CARE else ""

    def asked_for(self, asked: Question, hits: Sequence[Scored], bears: Bears) -> list[Scored]:
        """Leave out messages about health, and their answers, unless the question concerns them."""
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

    def _needed(self, item: MemoryItem, message: Question) -> float | None:
        """Return the log odds that a message needs a line, as said by its user; None where they were not learned."""
        if item.statement is None or message.own is None:
            return None  # without fields, what it is was only guessed
        line = _as_said(item)
        if not message.language == language_of(line) == SENSED:
            return None
        embedded = self._topics.embedded((line,), message.model)
        odds = None if embedded is None else learned_needs().odds(embedded, message.own, message.model)
        return None if odds is None else float(odds[0])

    def _concerns(self, line: str, message: Question, table: Literal["scope", "self"], *, strange: bool = True) -> bool:
        """Return whether a line concerns a message, by their vectors and the topics of a table.

        ``strange`` is the result for a line that is similar to none of its topics.
        """
        vector, model, code = message.own, message.model, message.language
        known, embedded = self._topics.of(table, model), self._topics.embedded((line,), model)
        if vector is None or known is None or embedded is None:
            return True
        alike = float(embedded[0] @ vector)
        knows = self.knows(code, model) and self.knows(language_of(line), model)
        # To an embedder that does not know the language, general questions are as similar to a line as questions about the user.
        telling = knows or table == "scope" or message.query.of_self
        nothing = self._topics.nothing(code, model) if telling and alike >= ALIKE else None
        if nothing is not None and alike > float(np.quantile(nothing @ embedded[0], ABOVE)):
            return True
        if not knows:
            # The topics are in English, which says nothing about this pair.
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
            # A missed instruction spoils the reply, while a needless line about the user may displace an answer.
            return table == "scope"
        return any(asked[name] >= max(likest - ASIDE, ASKED) for name in about & asked.keys())


def _as_said(item: MemoryItem) -> str:
    """Return a critical line in its user's words, and any other as it is remembered."""
    said = item.statement
    return said.quote if said is not None and said.attribute in CARE and said.quote else item.content


def _likely(needed: float | None) -> bool:
    return needed is not None and needed >= LEAST


def _touched(known: Mapping[str, Topic], vector: Vectors) -> set[str]:
    """Return the attributes that a message concerns, by its vector."""
    other = float((known[NOTHING].asked @ vector).max()) - MARGIN
    touched = set()
    for attribute in known.keys() - {NOTHING}:
        rows = known[attribute].asked
        best = (known[NOTHING].asked @ rows.T).max(axis=1)
        if float((rows @ vector).max()) >= max(float(best.mean() + DEVIATIONS * best.std()), other):
            touched.add(attribute)
    # A medicine implies its condition: "Inhaler, twice a day".
    return touched | ({"medication"} if "condition" in touched else set())
