"""Finds the facts that a new line may repeat, update or oppose, without reading all of a large memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memdesk.domain.contradiction import claims_made, kindred_words
from memdesk.domain.models import Fact
from memdesk.domain.text import content_words
from memdesk.ports import Repositories, Store, TextFilter

#: Up to this many facts all are compared; above, full text chooses.
EXACT_FACTS: Final = 2000
#: Facts that full text may name for one line.
FOUND: Final = 300


class Neighbours:
    """Gives candidates for a comparison.

    Args:
        store: read again for each line of a large memory.
        repos: the snapshot at hand.
        agent_id: whose facts.
    """

    def __init__(self, store: Store, repos: Repositories, agent_id: str) -> None:
        self._store = store
        self._agent_id = agent_id
        few = repos.agents.fact_counts().get(agent_id, 0) <= EXACT_FACTS
        self._all: list[Fact] | None = repos.facts.active(agent_id) if few else None

    def __call__(self, text: str) -> Sequence[Fact]:
        """Return active facts of the agent that share a word with ``text`` or with what updates its claims."""
        if self._all is not None:
            return self._all
        terms = dict.fromkeys(content_words(text))
        for claim in claims_made(text):
            terms.update(dict.fromkeys(kindred_words(claim)))
        with self._store.read() as repos:
            hits = repos.text.search("fact", list(terms), TextFilter(agent_id=self._agent_id), limit=FOUND)
            facts = repos.facts.by_seq([hit.seq for hit in hits])
        return [facts[hit.seq] for hit in hits if hit.seq in facts]
