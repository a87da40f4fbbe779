"""What a message must not be answered without: allergies, diets, conditions, medicines, standing instructions, who the user is.

No word of "What should I cook tonight?" is like "The user is allergic to hazelnuts". A message bears on an attribute when
it is about as alike to one of the situations in ``resources/ranking/bearing.toml`` as to any on which nothing bears, or more, and
more alike than those are. A standing instruction bears on every message ("Keep your answers short"), unless it is about something
("Give recipes in grams") and the message is about something else; both are told by likeness to ``resources/ranking/scope.toml``.
Of the lines about the user name, language and the like go with each message as well, the others ("The user lives in Oslo") with what
is asked of them in ``resources/ranking/self.toml``.
"""

from __future__ import annotations

import threading
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import numpy as np

from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import words
from memdesk.domain.reading.care import CARE, named_care, speaks_of_food
from memdesk.domain.reading.plainly import PlainReader
from memdesk.services.recalling.gate import noise_questions
from memdesk.services.recalling.question import fact_passes
from memdesk.settings.resources import resource_text

if TYPE_CHECKING:
    from memdesk.domain.items.item import MemoryItem
    from memdesk.ports import Repositories, Vectors
    from memdesk.services.recalling.index.indexing import IndexingService
    from memdesk.services.recalling.question import Question

#: The attribute of standing instructions.
INSTRUCTION: Final = "instruction"
#: That of what the user is called.
NAME: Final = "name"
#: What is of every reply, among the topics of a table.
EVERY: Final = "every"
#: Situations on which nothing bears.
NOTHING: Final = "nothing"
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
#: An embedder knows a language when so many of the messages about nothing in it are most alike to what they mean in English.
KNOWN: Final = 0.8
#: Lines about the user that are embedded before a question is there; more would push questions out of their cache.
MOST_LINES = 200
#: Lines shown at most: what is of health before instructions, the newest first.
MOST: Final = 8

#: Tells whether an item that goes with every reply, or that somebody must not miss, bears on a message.
Bears = Callable[["MemoryItem"], bool]
#: The tables of topics: of instructions, and of who the user is.
Table = Literal["scope", "self"]
TABLES: Final[tuple[Table, ...]] = get_args(Table)


@dataclass(frozen=True, slots=True)
class _Situations:
    """Vectors of an attribute's situations, shape (n, dim), and the cosine from which a message is one of them."""

    vectors: Vectors
    least: float


@dataclass(frozen=True, slots=True)
class _Topic:
    """Vectors of what is told and asked of a topic, shapes (n, dim), and the topics that what is told of it bears on."""

    told: Vectors
    asked: Vectors
    bears_on: frozenset[str]


@cache
def situations() -> dict[str, tuple[str, ...]]:
    """Return the situations of each attribute, and those of :data:`NOTHING`."""
    table = tomllib.loads(resource_text("ranking", "bearing.toml"))
    return {attribute: tuple(texts) for attribute, texts in table.items()}


@cache
def topics(table: Table) -> dict[str, dict[str, Any]]:
    """Return what is told and asked of each topic of a table."""
    return tomllib.loads(resource_text("ranking", f"{table}.toml"))


class Bearing:
    """Finds the statements that a message must not be answered without. Thread-safe.

    Args:
        indexing: embeds the situations, once for each model.
    """

    def __init__(self, indexing: IndexingService) -> None:
        self._indexing = indexing
        self._lock = threading.Lock()
        self._known: dict[str, dict[str, _Situations]] = {}
        self._topics: dict[tuple[str, Table], dict[str, _Topic]] = {}
        #: by language and model
        self._noise: dict[tuple[str, str], Vectors] = {}
        self._spoken: dict[tuple[str, str], bool] = {}

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
            self._embedded(lines, model)
        self._situations(model)
        for table in TABLES:
            self._known_topics(model, table)

    def on(self, asked: Question) -> Bears:
        """Return what tells which items bear on a question: all of them where nothing tells what it is about."""
        vector = asked.own
        known = None if vector is None else self._situations(asked.model)
        if known is None or vector is None:
            return lambda _: True
        likeness = {name: float((one.vectors @ vector).max()) for name, one in known.items()}
        other = likeness.pop(NOTHING) - MARGIN
        touched = {name for name, alike in likeness.items() if alike >= max(known[name].least, other)}
        code = asked.language
        # The situations are told in English, which an embedder may know alone.
        if code != "en" and speaks_of_food(words(asked.text), code):
            touched |= {"allergy", "diet"}

        def bears(item: MemoryItem) -> bool:
            attribute = item.statement.attribute if item.statement is not None else ""
            if not attribute and code != "en":
                # What was written by hand has no fields.
                spoken = language_of(item.content)
                standing = PlainReader(spoken).is_standing(item.content)
                attribute = INSTRUCTION if standing else named_care(words(item.content), spoken)
            if attribute == INSTRUCTION:
                quote = item.statement.quote if item.statement is not None else ""
                return self._concerns(quote or item.content, asked, code, "scope")
            if attribute in CARE:
                return attribute in touched
            strange = item.origin == "user" or attribute == NAME
            return self._concerns(item.content, asked, code, "self", strange=strange)

        return bears

    def _concerns(self, line: str, message: Question, code: str, table: Table, *, strange: bool = True) -> bool:
        """Return whether a line bears on a message in the language ``code``, by their vectors and the topics of a table.

        ``strange`` says it of a line that is like none of its topics.
        """
        vector, model = message.own, message.model
        known, embedded = self._known_topics(model, table), self._embedded((line,), model)
        if vector is None or known is None or embedded is None:
            return True
        alike = float(embedded[0] @ vector)
        knows = self.knows(code, model) and self.knows(language_of(line), model)
        # To an embedder that does not know the language, what is asked of the world is as alike to a line as what is of the user.
        telling = knows or table == "scope" or message.query.of_self
        nothing = self._nothing(code, model) if telling and alike >= ALIKE else None
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

    def _nothing(self, code: str, model: str) -> Vectors | None:
        """Return the vectors of the messages about nothing in a language, shape (n, dim)."""
        with self._lock:
            known = self._noise.get((code, model))
        if known is None:
            embedded = self._indexing.embed_shipped(f"noise:{code}", noise_questions(code))
            if embedded is None or embedded[0] != model:
                return None
            with self._lock:
                known = self._noise[code, model] = embedded[1]
        return known

    def knows(self, code: str, model: str) -> bool:
        """Whether the embedder finds sentences of a language most alike to what they mean in English."""
        if code == "en":
            return True
        with self._lock:
            known = self._spoken.get((code, model))
        if known is None:
            foreign, english = self._nothing(code, model), self._nothing("en", model)
            if foreign is None or english is None:
                return False
            nearest = (foreign @ english.T).argmax(axis=1)
            known = float((nearest == np.arange(len(nearest))).mean()) >= KNOWN
            with self._lock:
                self._spoken[code, model] = known
        return known

    def _known_topics(self, model: str, table: Table) -> dict[str, _Topic] | None:
        with self._lock:
            known = self._topics.get((model, table))
        if known is None:
            texts = tuple(text for topic in topics(table).values() for text in (*topic["told"], *topic["asked"]))
            embedded = self._indexing.embed_shipped(table, texts)
            if embedded is None or embedded[0] != model:
                return None
            rows, known = iter(embedded[1]), {}
            for name, topic in topics(table).items():
                told, asked = ([next(rows) for _ in topic[side]] for side in ("told", "asked"))
                known[name] = _Topic(np.array(told), np.array(asked), frozenset([name, *topic.get("also", ())]))
            with self._lock:
                self._topics[model, table] = known
        return known

    def _situations(self, model: str) -> dict[str, _Situations] | None:
        with self._lock:
            known = self._known.get(model)
        if known is not None:
            return known
        embedded = self._indexing.embed_shipped("bearing", [text for texts in situations().values() for text in texts])
        if embedded is None or embedded[0] != model:
            return None
        ends = np.cumsum([len(texts) for texts in situations().values()])
        vectors = dict(zip(situations(), np.split(embedded[1], ends[:-1]), strict=True))
        made = {}
        for attribute, rows in vectors.items():
            best = (vectors[NOTHING] @ rows.T).max(axis=1)
            made[attribute] = _Situations(rows, float(best.mean() + DEVIATIONS * best.std()))
        with self._lock:
            self._known[model] = made
        return made

    def _embedded(self, texts: tuple[str, ...], model: str) -> Vectors | None:
        embedded = self._indexing.embed_queries(texts, query=False)
        return embedded[1] if embedded is not None and embedded[0] == model else None
