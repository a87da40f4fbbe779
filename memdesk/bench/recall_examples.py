"""Training examples of the rankings: the candidates of each question, and which have its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from memdesk.bench.recall_train import Examples

if TYPE_CHECKING:
    from memdesk.bench.recall_talks import Ask, Talk
    from memdesk.domain.models import Turn
    from memdesk.ports import Repositories, Vectors
    from memdesk.services.recalling import Question, Scored, Searcher


class Teacher:
    """Describes the candidates of a recorded conversation's questions.

    Args:
        talk: with the evidence of each question.
    """

    def __init__(self, searcher: Searcher, talk: Talk, turns: Sequence[Turn]) -> None:
        self._searcher = searcher
        self._talk = talk
        ids = [turn.id for turn in talk.turns]
        self._by_seq = dict(zip((turn.seq for turn in turns), ids, strict=True))
        self.by_id: Mapping[str, str] = dict(zip((turn.id for turn in turns), ids, strict=True))

    def turns(self, repos: Repositories, *, vectors: bool = True) -> list[Examples]:
        """Return an example for each question; a turn is relevant when it is evidence."""
        out = []
        for question, asked in self._asked(vectors=vectors):
            told = self._searcher.describe_turns(repos, asked)
            if told.turns:
                labels = [self._by_seq[turn.seq] in question.evidence for turn in told.turns]
                out.append(_example(told.features, labels))
        return out

    def statements(self, repos: Repositories, *, vectors: bool = True) -> list[Examples]:
        """Return an example for the facts and one for the details of each question.

        A statement is relevant if one of its source turns is evidence.
        """
        out = []
        for question, asked in self._asked(vectors=vectors):
            for find in (self._searcher.statements.facts, self._searcher.statements.details):
                hits = find(repos, asked)
                if hits:
                    labels = [not self._sources(hit).isdisjoint(question.evidence) for hit in hits]
                    out.append(_example(np.stack([hit.features for hit in hits if hit.features is not None]), labels))
        return out

    def _sources(self, hit: Scored) -> set[str | None]:
        ids = hit.row.turn_ids if hit.kind == "detail" else [source.turn_id for source in hit.row.sources]
        return {self.by_id.get(turn_id) for turn_id in ids}

    def _asked(self, *, vectors: bool) -> Iterator[tuple[Ask, Question]]:
        for question in self._talk.questions:
            asked = self._searcher.ask(
                self._talk.agent,
                question.text,
                question.now,
                vectors=vectors,
                as_of=question.as_of,
                history=question.history,
            )
            yield question, asked


def _example(features: Vectors, labels: Sequence[bool]) -> Examples:
    return Examples(features, np.array(labels, dtype=np.float32))
