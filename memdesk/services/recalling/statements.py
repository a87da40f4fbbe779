"""Ranks statements: facts, episodes and their details."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from memdesk.domain.items.registry import form_of
from memdesk.domain.recalling.ranking import (
    STATEMENT_FEATURES,
    Weights,
    date_nearness,
    fitting,
    probabilities,
    statement_features,
    statement_weights,
)
from memdesk.services.recalling.as_of import fact_lives, facts_then
from memdesk.services.recalling.question import Question, episode_passes, fact_passes
from memdesk.services.recalling.scored import Mode, Scored, ranked
from memdesk.settings.resources import resource_text

if TYPE_CHECKING:
    from memdesk.domain.items.item import MemoryItem
    from memdesk.domain.models import Target
    from memdesk.ports import Clock, Repositories, Vectors
    from memdesk.services.recalling.candidates import Candidates
    from memdesk.services.recalling.frequencies import Frequencies
    from memdesk.services.recalling.index.indexing import IndexingService

#: Facts, episodes and details considered for one question.
STATEMENTS = 30
#: From this cosine on, a statement without a word of the question fits it: for unrelated questions the best of a memory
#: reaches .28 on average.
ALIKE = 0.3
#: Probability of an episode that matches only by its day.
_DAY_SHARE = 0.5


@cache
def stated_weights(name: Mode) -> Weights:
    """Return the learned weights of the ranking of facts, episodes and details."""
    return statement_weights(json.loads(resource_text("ranking", "statements.json"))[name])


class Statements:
    """Scores facts, episodes and details for a question. Thread-safe."""

    def __init__(
        self, *, clock: Clock, indexing: IndexingService, candidates: Candidates, frequencies: Frequencies
    ) -> None:
        self._clock = clock
        self._indexing = indexing
        self._candidates = candidates
        self._frequencies = frequencies

    def facts(self, repos: Repositories, asked: Question, width: int = STATEMENTS) -> list[Scored]:
        """Return live facts, and items of other forms found with them, most likely first.

        ``width``: candidates from text and vectors each.
        """
        found = self._candidates.of(repos, "fact", asked, width)
        stored = repos.items.by_seq(list(found))
        if asked.as_of is not None:
            stored = facts_then(repos, asked.agent_id, stored, asked.as_of)
        rows = {
            seq: fact
            for seq, fact in stored.items()
            if fact.agent_id == asked.agent_id and fact_lives(fact, asked.as_of) and fact_passes(fact, asked)
        }
        dates = {seq: fact.happened_at for seq, fact in rows.items()}
        texts = {seq: fact.content for seq, fact in rows.items()}
        prior = {seq: fact.salience for seq, fact in rows.items()}
        scores, fits, legs = self._scores(repos, "fact", asked, found, texts, dates, prior)
        return ranked(
            [
                Scored(
                    "fact",
                    seq,
                    scores[seq],
                    fact,
                    fits=fits[seq],
                    cited=form_of(fact).cited(fact),
                    coverage=legs[seq][0],
                    words=legs[seq][1],
                    cosine=legs[seq][2],
                    features=legs[seq][3],
                )
                for seq, fact in rows.items()
            ]
        )

    def episodes(self, repos: Repositories, asked: Question, *, recent: int = 0) -> list[Scored]:
        """Return live episodes, most likely first; their details are left empty.

        ``recent``: this many of the latest, and all of the requested days, are candidates regardless of content.
        """
        found = self._candidates.of(repos, "episode", asked, STATEMENTS)
        rows = repos.items.by_seq(list(found), details=False)
        if recent and not asked.kind:
            for episode in self._recent(repos, asked, recent):
                rows[episode.seq] = episode
        rows = {
            seq: episode
            for seq, episode in rows.items()
            if episode.agent_id == asked.agent_id and episode_passes(episode, asked)
        }
        texts = {
            seq: " ".join((e.content, *e.tags, *e.session.decisions, *e.session.action_items))
            for seq, e in rows.items()
        }
        dates = {seq: episode.happened_at for seq, episode in rows.items()}
        prior = {seq: episode.salience for seq, episode in rows.items()}
        scores, fits, _ = self._scores(repos, "episode", asked, found, texts, dates, prior)
        for seq, when in dates.items() if asked.query.periods else ():
            # A requested day is reason enough to show what happened on it.
            near = date_nearness(asked.query, self._clock.local(when).date())
            scores[seq] = 1.0 - (1.0 - scores[seq]) * (1.0 - _DAY_SHARE * near)
        return ranked([Scored("episode", seq, scores[seq], episode, fits=fits[seq]) for seq, episode in rows.items()])

    def details(self, repos: Repositories, asked: Question, known: Sequence[Scored] = ()) -> list[Scored]:
        """Return details of live episodes, most likely first.

        ``known``: episodes already found, which need not be read again.
        """
        found = self._candidates.of(repos, "detail", asked, STATEMENTS)
        stored = repos.items.by_seq(list(found))
        parents: dict[str, MemoryItem] = {hit.row.id: hit.row for hit in known}
        owners = list({detail.parent_id for detail in stored.values() if detail.parent_id} - parents.keys())
        parents |= {episode.id: episode for episode in repos.items.many(owners, details=False)}
        rows: dict[int, tuple[MemoryItem, MemoryItem]] = {}
        for seq, detail in stored.items():
            episode = parents.get(detail.parent_id or "")
            if episode is not None and episode.agent_id == asked.agent_id and episode_passes(episode, asked):
                rows[seq] = (episode, detail)
        texts = {seq: detail.content for seq, (_, detail) in rows.items()}
        dates = {seq: episode.happened_at for seq, (episode, _) in rows.items()}
        scores, fits, legs = self._scores(repos, "detail", asked, found, texts, dates, {})
        return ranked(
            [
                Scored("detail", seq, scores[seq], detail, episode, fits=fits[seq], features=legs[seq][3])
                for seq, (episode, detail) in rows.items()
            ]
        )

    def _recent(self, repos: Repositories, asked: Question, count: int) -> list[MemoryItem]:
        page = repos.items.episodes
        until = asked.as_of or asked.until
        rows = page(agent_id=asked.agent_id, since=asked.since, until=until, limit=count, details=False).items
        for period in asked.query.periods:
            since = asked.now.replace(
                year=period.start.year, month=period.start.month, day=period.start.day, hour=0, minute=0, second=0
            )
            end = asked.now.replace(
                year=period.end.year, month=period.end.month, day=period.end.day, hour=23, minute=59, second=59
            )
            rows += page(agent_id=asked.agent_id, since=since, until=end, limit=count, details=False).items
        return rows

    def _scores(
        self,
        repos: Repositories,
        kind: Target,
        asked: Question,
        found: Mapping[int, bool],
        texts: Mapping[int, str],
        dates: Mapping[int, datetime],
        prior: Mapping[int, float],
    ) -> tuple[dict[int, float], dict[int, bool], dict[int, tuple[float, float, float | None, Vectors]]]:
        """Return each statement's probability, whether it fits at all, and its partial scores; see ``_candidates`` for ``found``.

        These are its share of the topic words, its BM25 relative to the best, its cosine (None without a vector), and
        its features for ranking.
        """
        if not texts:
            return {}, {}, {}
        seqs = list(texts)
        frequency, total = self._frequencies.of(repos, kind, asked.query.terms, asked.agent_id)
        cosines, embedded = None, np.zeros(len(seqs), dtype=bool)
        if asked.vector is not None:
            vectors = self._indexing.vectors(asked.agent_id, "item", seqs)
            if vectors is not None and int(vectors.any(axis=1).sum()) * 2 >= len(seqs):
                cosines, embedded = vectors @ asked.vector, np.asarray(vectors.any(axis=1))
        features = statement_features(
            asked.query,
            [texts[seq] for seq in seqs],
            days=[self._clock.local(dates[seq]).date() for seq in seqs],
            today=self._clock.local(asked.now).date(),
            prior=[prior.get(seq, 0.5) for seq in seqs],
            frequency=frequency,
            rows=total,
            cosines=cosines,
        )
        mode: Mode = "fts" if cosines is None else "hybrid"
        scores = probabilities(features, stated_weights(mode))
        fits = fitting(
            features,
            "coverage",
            names=STATEMENT_FEATURES,
            cosines=cosines,
            found=[found.get(seq, False) for seq in seqs],
            alike=ALIKE,
        )
        coverage, text, cosine = (
            features[:, STATEMENT_FEATURES.index(name)].tolist() for name in ("coverage", "text", "cosine")
        )
        near = [value if has else None for value, has in zip(cosine, embedded.tolist(), strict=True)]
        return (
            dict(zip(seqs, scores.tolist(), strict=True)),
            dict(zip(seqs, fits, strict=True)),
            dict(zip(seqs, zip(coverage, text, near, features, strict=True), strict=True)),
        )
