"""Finds candidates for a question: by text and vectors, or as literal text if nothing else is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.domain.recalling.query import rarest
from memdesk.services.recalling.as_of import fact_lives
from memdesk.services.recalling.question import Question, fact_passes, turn_passes
from memdesk.services.recalling.scored import Scored

if TYPE_CHECKING:
    from memdesk.domain.models import Scope, Target
    from memdesk.ports import Repositories
    from memdesk.services.recalling.frequencies import Frequencies
    from memdesk.services.recalling.index.indexing import IndexingService

#: Matching rows that full text may rank for one question; see ``domain.query.rarest``.
RANKED_ROWS = 4_000
RANKED_STATEMENTS = 1_500
#: A text up to this length is also searched literally; a row that contains it gets even odds.
LONGEST_PIECE = 60
_LITERAL = 0.5


class Candidates:
    """Finds rows that may answer a question. Thread-safe."""

    def __init__(self, indexing: IndexingService, frequencies: Frequencies) -> None:
        self._indexing = indexing
        self._frequencies = frequencies

    def of(
        self, repos: Repositories, kind: Target, asked: Question, width: int, *, keep: int | None = None
    ) -> dict[int, bool]:
        """Merge the best of full text and vectors before any cut by score.

        ``width``: how many of each. ``keep``: how many in total, by the mean of both scores relative to their best.

        Returns:
            Candidates, and whether full text found them.
        """
        few = repos.embeddings.few(kind, asked.agent_id)
        if few is not None and not few:
            return {}
        terms = asked.terms
        text: dict[int, float] = {}
        if terms:
            frequency, rows = self._frequencies.of(repos, kind, terms)
            chosen = rarest(terms, frequency, rows, RANKED_ROWS if kind == "turn" else RANKED_STATEMENTS)
            hits = repos.text.search(kind, chosen, asked.filter(), limit=width, among=few)
            text = {hit.seq: hit.score for hit in hits}
        near: dict[int, float] = {}
        if asked.vector is not None:
            # A narrow filter leaves few of the nearest, so search further.
            wide = width * 4 if asked.narrowed else width
            near = dict(
                self._indexing.search(asked.agent_id, kind, asked.vector, wide, few, model=asked.model, repos=repos)
            )
        found = list(text | near)
        if kind != "turn":
            hidden = repos.items.hidden(found, asked.now if asked.as_of is None else None)
            found = [seq for seq in found if seq not in hidden]
        if keep is None:
            return {seq: seq in text for seq in found}
        best_text, best_near = max(text.values(), default=1.0) or 1.0, max(near.values(), default=1.0) or 1.0
        found.sort(key=lambda seq: (-text.get(seq, 0.0) / best_text - near.get(seq, 0.0) / best_near, seq))
        return {seq: seq in text for seq in (found if asked.narrowed else found[:keep])}

    def containing(self, repos: Repositories, asked: Question, scope: Scope, limit: int) -> list[Scored]:
        """Return the newest facts and turns that contain the question literally, if nothing else was found."""
        piece = asked.text.strip()
        if not piece or len(piece) > LONGEST_PIECE:
            return []
        out: list[Scored] = []
        if scope in {"pinned", "all"}:
            seqs = repos.text.containing("fact", piece, asked.filter(), limit=limit)
            hidden = repos.items.hidden(seqs, asked.now)
            facts = repos.items.by_seq([seq for seq in seqs if seq not in hidden])
            out += [
                Scored("fact", seq, _LITERAL, fact)
                for seq, fact in facts.items()
                if fact_lives(fact, asked.as_of) and fact_passes(fact, asked)
            ]
        if scope in {"transcript", "all"} and asked.kind is None and asked.tag is None:
            seqs = repos.text.containing("turn", piece, asked.filter(), limit=limit)
            turns = repos.turns.said(seqs)
            quiet = repos.conversations.quiet(asked.agent_id, {turn.conversation_id for turn in turns.values()})
            quiet -= {asked.conversation_id or ""}
            out += [
                Scored("turn", seq, _LITERAL, turn)
                for seq, turn in turns.items()
                if turn.agent_id == asked.agent_id and turn.conversation_id not in quiet and turn_passes(turn, asked)
            ]
        return out
