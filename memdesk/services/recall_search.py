"""Finds candidates for a question by words and by meaning, and scores them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from memdesk.domain.query import rarest, read_query
from memdesk.domain.ranking import (
    STATEMENT_FEATURES,
    Passage,
    Weights,
    date_nearness,
    fitting,
    passage_features,
    probabilities,
    statement_features,
    statement_weights,
    stems_of,
)
from memdesk.domain.spelling import respelled
from memdesk.services.as_of import fact_lives, facts_then
from memdesk.services.indexing_texts import speaker_of
from memdesk.services.recall_frequencies import Frequencies, Target
from memdesk.services.recall_question import Question, episode_passes, fact_passes, turn_passes
from memdesk.settings.resources import resource_text

if TYPE_CHECKING:
    from memdesk.domain.models import Episode, EpisodeDetail, Utterance
    from memdesk.ports import Clock, Repositories, Store, Vectors
    from memdesk.services.indexing import IndexingService

    Features = Vectors

#: Candidates of each leg, text and vectors, and how many of the united ones are looked at with their neighbours.
WIDTH = 120
KEPT = 150
#: Matching rows that full text may rank for one question; see ``domain.query.rarest``.
RANKED_ROWS = 4_000
#: Statements (facts, episodes, details) looked at for one question, and matching ones that full text may rank.
STATEMENTS = 30
RANKED_STATEMENTS = 1_500
#: Turns on both sides of a candidate that lend it score.
NEAR = 2
#: Rows read for one question: candidates that crowd in few sessions share their neighbours, scattered ones do not.
ROWS = 430
#: How likely an episode is wanted for nothing but its day.
_DAY_SHARE = 0.5

Mode = Literal["hybrid", "fts"]


@dataclass(frozen=True, slots=True)
class Scored:
    """A row with its probability."""

    kind: Literal["turn", "fact", "episode", "detail"]
    seq: int
    score: float
    row: Any
    #: the episode of a detail
    parent: Any = None
    #: whether it fits the question at all, by words, names, likeness or its day, and is not merely the nearest there is
    fits: bool = True


@cache
def turn_weights(name: Mode) -> Weights:
    """Return the learned weights of the transcript's ranking."""
    return Weights.from_dict(json.loads(resource_text("ranking", "transcript.json"))[name])


@cache
def stated_weights(name: Mode) -> Weights:
    """Return the learned weights of the ranking of facts, episodes and details."""
    return statement_weights(json.loads(resource_text("ranking", "statements.json"))[name])


class Searcher:
    """Candidate generation and scoring over the store. Thread-safe.

    Args:
        store: the database.
        clock: dates cached figures.
        indexing: vectors.
    """

    def __init__(self, *, store: Store, clock: Clock, indexing: IndexingService) -> None:
        self._store = store
        self._clock = clock
        self._indexing = indexing
        self.frequencies = Frequencies(clock)
        #: for the bench: weights in place of those that ship, and where it wants the features of statements, by row
        self.weights: dict[Mode, Weights] = {}
        self.stated: dict[Mode, Weights] = {}
        self.described: dict[int, Features] | None = None

    def ask(
        self,
        agent_id: str,
        text: str,
        now: datetime,
        *,
        language: str | None = None,
        vectors: bool = True,
        **narrow: Any,
    ) -> Question:
        """Read a question and, unless told not to, embed it."""
        query = read_query(text, self._clock.local(now).date(), language=language)
        embedded = None
        if query.text and vectors:
            # Indexes that rest are read while the question is embedded.
            self._indexing.wake(agent_id)
            embedded = self._indexing.embed_query(query.text)
            self._indexing.wait_awake(agent_id)
        return Question(
            agent_id=agent_id,
            text=text,
            now=now,
            query=query,
            language=language,
            vector=None if embedded is None else embedded[1],
            model="" if embedded is None else embedded[0],
            **narrow,
        )

    # ------------------------------------------------------------------ transcript

    def turns(
        self,
        repos: Repositories,
        asked: Question,
        *,
        most: int,
        exclude: Collection[str] = (),
        only_fitting: bool = False,
    ) -> list[Scored]:
        """Return candidate turns, most likely first.

        Args:
            repos: a reading connection.
            asked: the question.
            most: how many at most.
            exclude: texts that are at hand already, for instance the messages of the running chat.
            only_fitting: leave out what does not fit the question at all.
        """
        turns, features, fits, mode = self.describe_turns(repos, asked)
        if not turns:
            return []
        scores = probabilities(features, self.weights.get(mode) or turn_weights(mode))
        hidden = {text.strip() for text in (*exclude, asked.text)}
        out: list[Scored] = []
        for at in np.lexsort((np.array([turn.seq for turn in turns]), -scores)).tolist():
            if len(out) >= most:
                break
            turn = turns[at]
            if only_fitting and not fits[at]:
                continue
            if turn.content.strip() not in hidden and turn_passes(turn, asked):
                out.append(Scored("turn", turn.seq, float(scores[at]), turn))
        return out

    def describe_turns(
        self, repos: Repositories, asked: Question
    ) -> tuple[list[Utterance], Features, list[bool], Mode]:
        """Return candidate turns with their neighbours, and what the ranking sees of them.

        Returns:
            turns; features of shape (turns, ``ranking.FEATURES``); which of them fit; whether vectors were at hand.
        """
        found = self._candidates(repos, "turn", asked, WIDTH, keep=KEPT)
        rows = {seq: turn for seq, turn in repos.turns.said(_around(found)).items() if turn.agent_id == asked.agent_id}
        # A chat that the user kept out of memory is found by its own name only.
        quiet = repos.conversations.quiet(asked.agent_id, {turn.conversation_id for turn in rows.values()})
        if quiet - {asked.conversation_id}:
            quiet.discard(asked.conversation_id or "")
            rows = {seq: turn for seq, turn in rows.items() if turn.conversation_id not in quiet}
        own = {seq for seq in found if seq in rows and turn_passes(rows[seq], asked)}
        kept = _with_neighbours(rows, own, asked)
        turns = [rows[seq] for seq in kept]
        vectors = self._indexing.vectors(asked.agent_id, "turn", kept) if asked.vector is not None and kept else None
        if vectors is not None and int(vectors.any(axis=1).sum()) * 2 < len(kept):
            # Most are not embedded yet: a missing vector must not look like a poor one.
            vectors = None
        passages = self._passages(turns)
        query = read_query(
            asked.query.text,
            self._clock.local(asked.now).date(),
            speakers={passage.speaker for passage in passages},
            language=asked.language,
        )
        frequency, total = self.frequencies.of(repos, "turn", query.terms)
        strange = [term for term, count in frequency.items() if not count]
        if strange:
            query = respelled(query, strange, (stems_of(passage.text) for passage in passages))
            frequency, total = self.frequencies.of(repos, "turn", query.terms)
        features = passage_features(
            query,
            passages,
            frequency=frequency,
            rows=total,
            query_vector=None if vectors is None else asked.vector,
            vectors=vectors,
        )
        cosines = None if vectors is None or asked.vector is None else vectors @ asked.vector
        fits = fitting(features, "wide_text", cosines=cosines, found=[found.get(seq, False) for seq in kept])
        return turns, features, fits, "fts" if vectors is None else "hybrid"

    def _passages(self, turns: Sequence[Utterance]) -> list[Passage]:
        days = {said: self._clock.local(said).date() for said in {turn.said_at for turn in turns}}
        return [
            Passage(turn.seq, turn.conversation_id, turn.position, speaker_of(turn), turn.content, days[turn.said_at])
            for turn in turns
        ]

    # ------------------------------------------------------------------ statements

    def facts(self, repos: Repositories, asked: Question) -> list[Scored]:
        """Return live facts, most likely first."""
        found = self._candidates(repos, "fact", asked, STATEMENTS)
        stored = repos.facts.by_seq(list(found))
        if asked.as_of is not None:
            stored = facts_then(repos, asked.agent_id, stored, asked.as_of)
        rows = {
            seq: fact
            for seq, fact in stored.items()
            if fact.agent_id == asked.agent_id and fact_lives(fact, asked.as_of) and fact_passes(fact, asked)
        }
        dates = {seq: fact.valid_from or fact.created_at for seq, fact in rows.items()}
        texts = {seq: fact.content for seq, fact in rows.items()}
        prior = {seq: fact.salience for seq, fact in rows.items()}
        scores, fits = self._statement_scores(repos, "fact", asked, found, texts, dates, prior)
        return _ranked([Scored("fact", seq, scores[seq], fact, fits=fits[seq]) for seq, fact in rows.items()])

    def episodes(self, repos: Repositories, asked: Question, *, recent: int = 0) -> list[Scored]:
        """Return live episodes, most likely first; their details are left empty.

        Args:
            repos: a reading connection.
            asked: the question.
            recent: so many of the latest, and all of the days asked for, are candidates whatever they say.
        """
        found = self._candidates(repos, "episode", asked, STATEMENTS)
        rows = repos.episodes.by_seq(list(found), details=False)
        if recent and not asked.kind:
            for episode in self._recent(repos, asked, recent):
                rows[episode.seq] = episode
        rows = {
            seq: episode
            for seq, episode in rows.items()
            if episode.agent_id == asked.agent_id and episode_passes(episode, asked)
        }
        texts = {seq: " ".join((e.summary, *e.topics, *e.decisions, *e.action_items)) for seq, e in rows.items()}
        dates = {seq: episode.started_at for seq, episode in rows.items()}
        prior = {seq: episode.salience for seq, episode in rows.items()}
        scores, fits = self._statement_scores(repos, "episode", asked, found, texts, dates, prior)
        for seq, when in dates.items() if asked.query.periods else ():
            # A day asked for is reason enough to show what happened on it.
            near = date_nearness(asked.query, self._clock.local(when).date())
            scores[seq] = 1.0 - (1.0 - scores[seq]) * (1.0 - _DAY_SHARE * near)
        return _ranked([Scored("episode", seq, scores[seq], episode, fits=fits[seq]) for seq, episode in rows.items()])

    def details(self, repos: Repositories, asked: Question, known: Sequence[Scored] = ()) -> list[Scored]:
        """Return details of live episodes, most likely first.

        Args:
            repos: a reading connection.
            asked: the question.
            known: episodes found before, which need not be read again.
        """
        found = self._candidates(repos, "detail", asked, STATEMENTS)
        pairs = repos.episodes.details_by_seq(list(found))
        parents: dict[str, Episode] = {hit.row.id: hit.row for hit in known}
        owners = list({pair[0] for pair in pairs.values()} - parents.keys())
        parents |= {episode.id: episode for episode in repos.episodes.many(owners, details=False)}
        rows: dict[int, tuple[Episode, EpisodeDetail]] = {}
        for seq, (episode_id, detail) in pairs.items():
            episode = parents.get(episode_id)
            if episode is not None and episode.agent_id == asked.agent_id and episode_passes(episode, asked):
                rows[seq] = (episode, detail)
        texts = {seq: detail.content for seq, (_, detail) in rows.items()}
        dates = {seq: episode.started_at for seq, (episode, _) in rows.items()}
        scores, fits = self._statement_scores(repos, "detail", asked, found, texts, dates, {})
        return _ranked(
            [
                Scored("detail", seq, scores[seq], detail, episode, fits=fits[seq])
                for seq, (episode, detail) in rows.items()
            ]
        )

    def _recent(self, repos: Repositories, asked: Question, count: int) -> list[Episode]:
        page = repos.episodes.page
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

    def _statement_scores(
        self,
        repos: Repositories,
        kind: Target,
        asked: Question,
        found: Mapping[int, bool],
        texts: Mapping[int, str],
        dates: Mapping[int, datetime],
        prior: Mapping[int, float],
    ) -> tuple[dict[int, float], dict[int, bool]]:
        """Return how likely each statement is, and whether it fits at all; see ``_candidates`` for ``found``."""
        if not texts:
            return {}, {}
        seqs = list(texts)
        frequency, total = self.frequencies.of(repos, kind, asked.query.terms)
        cosines = None
        if asked.vector is not None:
            vectors = self._indexing.vectors(asked.agent_id, kind, seqs)
            if vectors is not None and int(vectors.any(axis=1).sum()) * 2 >= len(seqs):
                cosines = vectors @ asked.vector
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
        if self.described is not None:
            self.described.update(zip(seqs, features, strict=True))
        mode: Mode = "fts" if cosines is None else "hybrid"
        scores = probabilities(features, self.stated.get(mode) or stated_weights(mode))
        fits = fitting(
            features,
            "coverage",
            names=STATEMENT_FEATURES,
            cosines=cosines,
            found=[found.get(seq, False) for seq in seqs],
        )
        return {seq: float(score) for seq, score in zip(seqs, scores, strict=True)}, dict(zip(seqs, fits, strict=True))

    # ------------------------------------------------------------------ candidates

    def _candidates(
        self, repos: Repositories, kind: Target, asked: Question, width: int, *, keep: int | None = None
    ) -> dict[int, bool]:
        """Unite the best of full text and of vectors before anything is cut off by score.

        Args:
            repos: a reading connection.
            kind: what to look for.
            asked: the question.
            width: how many of each leg.
            keep: how many in all, by half of each leg's score as a share of its best; None for all.

        Returns:
            Candidates, and whether full text found them.
        """
        terms = asked.query.search_terms
        text: dict[int, float] = {}
        if terms:
            frequency, rows = self.frequencies.of(repos, kind, terms)
            chosen = rarest(terms, frequency, rows, RANKED_ROWS if kind == "turn" else RANKED_STATEMENTS)
            text = {hit.seq: hit.score for hit in repos.text.search(kind, chosen, asked.filter(), limit=width)}
        near: dict[int, float] = {}
        if asked.vector is not None:
            # A narrow filter leaves few of the nearest; look further then.
            wide = width * 4 if asked.narrowed else width
            near = dict(self._indexing.search(asked.agent_id, kind, asked.vector, wide, model=asked.model))
        found = list(text | near)
        if keep is None:
            return {seq: seq in text for seq in found}
        best_text, best_near = max(text.values(), default=1.0) or 1.0, max(near.values(), default=1.0) or 1.0
        found.sort(key=lambda seq: (-text.get(seq, 0.0) / best_text - near.get(seq, 0.0) / best_near, seq))
        return {seq: seq in text for seq in (found if asked.narrowed else found[:keep])}


# --------------------------------------------------------------------------- pieces


def _around(seqs: Iterable[int]) -> list[int]:
    """Return the seqs, best first, with those near them, until there are :data:`ROWS`.

    Turns of a conversation mostly have neighbouring numbers.
    """
    found: set[int] = set()
    for seq in seqs:
        if len(found) >= ROWS:
            break
        found.update(range(max(seq - NEAR, 1), seq + NEAR + 1))
    return sorted(found)


def _with_neighbours(rows: Mapping[int, Utterance], own: Collection[int], asked: Question) -> list[int]:
    kept: set[int] = set(own)
    for seq in own:
        turn = rows[seq]
        for near in range(seq - NEAR, seq + NEAR + 1):
            other = rows.get(near)
            if (
                other is not None
                and other.conversation_id == turn.conversation_id
                and (asked.as_of is None or other.said_at <= asked.as_of)
            ):
                kept.add(near)
    return sorted(kept)


def _ranked(found: list[Scored]) -> list[Scored]:
    return sorted(found, key=lambda hit: (-hit.score, hit.seq))
