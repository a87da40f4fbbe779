"""Finds the facts that a new line may repeat, update or oppose, without reading all of a large memory."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memdesk.domain.comparing.nominating import terms_of
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.statement import Statement
from memdesk.domain.models import FactStatus
from memdesk.domain.reading.judging import said_at_of
from memdesk.ports import FactFilter, Repositories, Store, TextFilter
from memdesk.services.distilling.lines import LineReader

#: Up to this many facts all are compared; above, full text chooses.
EXACT_FACTS: Final = 2000
#: Facts from full text per line.
FOUND: Final = 300
#: Former facts considered.
FORMER_FACTS: Final = 500


class Neighbors:
    """Provides candidates for a comparison, with their statements.

    Shared words or similar vectors only nominate a fact; fields decide whether it is the same.

    Args:
        store: read again for each line of a large memory.
    """

    def __init__(self, store: Store, repos: Repositories, agent_id: str, reader: LineReader) -> None:
        self._store = store
        self._agent_id = agent_id
        self._reader = reader
        #: statements newly read from stored facts, by id, to store with the next change.
        self.read_now: dict[str, Statement] = {}
        few = repos.agents.fact_counts().get(agent_id, 0) <= EXACT_FACTS
        self._all: list[MemoryItem] | None = self._with_statements(repos.items.active(agent_id)) if few else None

    def __call__(self, text: str, statement: Statement | None) -> Sequence[MemoryItem]:
        """Return active facts of the agent that share a word with a line or its update."""
        if self._all is not None:
            return self._all
        terms = terms_of(text, statement)
        with self._store.read() as repos:
            hits = repos.text.search("fact", list(terms), TextFilter(agent_id=self._agent_id), limit=FOUND)
            facts = repos.items.by_seq([hit.seq for hit in hits])
        return self._with_statements([facts[hit.seq] for hit in hits if hit.seq in facts])

    def former(self) -> Sequence[MemoryItem]:
        """Return the latest superseded facts."""
        flt = FactFilter(agent_id=self._agent_id, status=(FactStatus.SUPERSEDED,))
        with self._store.read() as repos:
            found = repos.items.facts(flt, limit=FORMER_FACTS).items
            return repos.items.many([fact.id for fact in found])

    def _with_statements(self, facts: Sequence[MemoryItem]) -> list[MemoryItem]:
        unread = [fact for fact in facts if fact.statement is None and fact.id not in self.read_now]
        found = self._reader.read([(fact.content, said_at_of(fact)) for fact in unread])
        self.read_now |= {fact.id: one for fact, one in zip(unread, found, strict=True) if one is not None}
        # Copying all facts took two fifths of a digest's time, while chats waited.
        return [
            replace(fact, statement=self.read_now.get(fact.id)) if fact.statement is None else fact for fact in facts
        ]


def with_statements(lines: Sequence[MemoryItem], reader: LineReader) -> list[MemoryItem]:
    """Return identity lines with statements; those written by hand are read now."""
    found = reader.read([(line.content, line.created_at) for line in lines if line.statement is None])
    read = iter(found)
    return [line if line.statement is not None else replace(line, statement=next(read)) for line in lines]
