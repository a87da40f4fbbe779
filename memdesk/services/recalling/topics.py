"""Topics of texts, by similarity to statements and questions in the tables of ``resources/ranking``.

The tables are in English and embedded once per model. Handwritten lines that cannot be parsed ("Coeliac", "Brief
answers please") are classified by the same similarity as one of :data:`~memdesk.domain.reading.care.CARE`, or none.
"""

from __future__ import annotations

import threading
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import numpy as np

from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import sentences, words
from memdesk.domain.reading.care import CARE, INSTRUCTION, named_care
from memdesk.domain.reading.plainly import PlainReader
from memdesk.services.recalling.gate import noise_questions
from memdesk.settings.resources import resource_text

if TYPE_CHECKING:
    from memdesk.ports import Vectors
    from memdesk.services.recalling.index.indexing import IndexingService

#: The topic, in a table, of every reply.
EVERY: Final = "every"
#: The topic of texts that none of a table's topics covers.
NOTHING: Final = "nothing"
#: An embedder knows a language if this share of its unrelated messages is most similar to the English originals.
KNOWN: Final = 0.8
#: A line is critical if it is this similar to a kind's statements, and no less than to any other's.
TOLD: Final = 0.35
#: A line that names an illness, a food or a medicine is an instruction only if this much more similar to one: "Epilepsy, no
#: driving".
DOUBT: Final = 0.15

#: The tables: critical facts, instructions, and identity.
Table = Literal["bearing", "scope", "self"]
TABLES: Final[tuple[Table, ...]] = get_args(Table)


@dataclass(frozen=True, slots=True)
class Topic:
    """Vectors of a topic's statements and questions, shapes (n, dim), and the topics its statements concern."""

    told: Vectors
    asked: Vectors
    bears_on: frozenset[str]


@cache
def table_of(name: Table) -> dict[str, dict[str, Any]]:
    """Return the statements and questions of each topic of a table."""
    return tomllib.loads(resource_text("ranking", f"{name}.toml"))


class Topics:
    """Compares texts with the tables. Thread-safe.

    Args:
        indexing: embeds the tables, once for each model.
    """

    def __init__(self, indexing: IndexingService) -> None:
        self._indexing = indexing
        self._lock = threading.Lock()
        self._tables: dict[tuple[str, Table], dict[str, Topic]] = {}
        #: by model
        self._lines: dict[str, dict[str, Vectors]] = {}
        #: by language and model
        self._noise: dict[tuple[str, str], Vectors] = {}
        self._spoken: dict[tuple[str, str], bool] = {}

    def of(self, table: Table, model: str) -> dict[str, Topic] | None:
        """Return the topics of a table; None without the embedder of this name."""
        with self._lock:
            known = self._tables.get((model, table))
        if known is not None:
            return known
        texts = tuple(text for topic in table_of(table).values() for text in (*topic["told"], *topic["asked"]))
        embedded = self._indexing.embed_shipped(table, texts)
        if embedded is None or embedded[0] != model:
            return None
        rows, known = iter(embedded[1]), {}
        for name, topic in table_of(table).items():
            told, asked = ([next(rows) for _ in topic[side]] for side in ("told", "asked"))
            known[name] = Topic(np.array(told), np.array(asked), frozenset([name, *topic.get("also", ())]))
        with self._lock:
            self._tables[model, table] = known
        return known

    def care(self, text: str) -> str:
        """Return which of :data:`CARE` a handwritten line is, by meaning or else by words; empty if neither decides.

        Parsed lines with several statements are none: they are similar to too much.
        """
        code, model = language_of(text), self._indexing.model
        if code == "en" and len(sentences(text)) > 1:
            return ""
        vectors = self.embedded((text,), model) if self.knows(code, model) else None
        told = None if vectors is None else self._told(model)
        if vectors is not None and told is not None:
            likeness = {name: float((rows @ vectors[0]).max()) for name, rows in told.items()}
            likest = max(likeness, key=likeness.__getitem__)
            named = named_care(words(text), code) if likest == INSTRUCTION else ""
            if named and likeness[named] > likeness[likest] - DOUBT:
                return named
            if likest != NOTHING and likeness[likest] >= TOLD:
                return likest
        return INSTRUCTION if PlainReader(code).is_standing(text) else named_care(words(text), code)

    def kinds(self, vectors: Vectors, model: str) -> list[str]:
        """Return which of :data:`CARE` texts are by meaning, as :meth:`care` does of one; ``vectors`` has shape (n, dim)."""
        told = self._told(model)
        if told is None:
            return [""] * len(vectors)
        names, likeness = list(told), np.stack([(vectors @ rows.T).max(axis=1) for rows in told.values()])
        likest = [(names[at], float(likeness[at, row])) for row, at in enumerate(likeness.argmax(axis=0))]
        return [name if name != NOTHING and alike >= TOLD else "" for name, alike in likest]

    def _told(self, model: str) -> dict[str, Vectors] | None:
        """Return the vectors of lines of each of :data:`CARE`, and of all others, shapes (n, dim)."""
        with self._lock:
            known = self._lines.get(model)
        if known is not None:
            return known
        care, orders, others = (self.of(table, model) for table in TABLES)
        if care is None or orders is None or others is None:
            return None
        told = {name: care[name].told for name in CARE & care.keys()}
        told[INSTRUCTION] = np.concatenate([topic.told for topic in orders.values() if len(topic.told)])
        none = [care[NOTHING], *others.values()]
        told[NOTHING] = np.concatenate([topic.told for topic in none if len(topic.told)])
        with self._lock:
            self._lines[model] = told
        return told

    def nothing(self, code: str, model: str) -> Vectors | None:
        """Return the vectors of a language's unrelated messages, shape (n, dim)."""
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
        """Whether the embedder finds a language's sentences most similar to their English originals."""
        if code == "en":
            return True
        with self._lock:
            known = self._spoken.get((code, model))
        if known is None:
            foreign, english = self.nothing(code, model), self.nothing("en", model)
            if foreign is None or english is None:
                return False
            nearest = (foreign @ english.T).argmax(axis=1)
            known = float((nearest == np.arange(len(nearest))).mean()) >= KNOWN
            with self._lock:
                self._spoken[code, model] = known
        return known

    def embedded(self, texts: tuple[str, ...], model: str) -> Vectors | None:
        """Return the vectors of lines, shape (n, dim); None without the embedder of this name."""
        embedded = self._indexing.embed_queries(texts, query=False)
        return embedded[1] if embedded is not None and embedded[0] == model else None
