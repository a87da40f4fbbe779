"""One session during distillation: its turns, and the extractor's reading."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from attrs import define

from memdesk.domain.comparing import succession
from memdesk.domain.comparing.tagging import Tags
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.text import content_hash
from memdesk.domain.models import Agent, Conversation, Signal, Turn
from memdesk.domain.reading.candidates import ASSISTANT, Candidate, Extraction, SourceTurn
from memdesk.domain.reading.discourse import Mention, acquaintances
from memdesk.domain.reading.secrets import Parse, without_secrets
from memdesk.domain.reading.selection import durable, select
from memdesk.errors import EngineError
from memdesk.ports import CancelToken, Clock, Embedder, LanguageAnalyzer, Odds, Store, Vectors
from memdesk.services.distilling.lines import LineReader
from memdesk.services.distilling.marks import last, without_forgotten
from memdesk.services.reading import read

log = logging.getLogger(__name__)

#: Maximum lines of a session: details and summary.
MAX_LINES: Final = 12
MAX_DETAILS: Final = MAX_LINES - 1
#: Maximum candidates compared with each other, the best by score.
WEIGHED: Final = 44
#: The user's name in lines if the source has none.
USER: Final = "the user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A conversation with signals to distill, as of reading them."""

    agent: Agent
    conversation: Conversation
    turns: tuple[Turn, ...]
    signals: tuple[Signal, ...]
    #: digests of the same conversation made before.
    episodes: tuple[MemoryItem, ...]
    #: the agent's number of forgettings.
    forgettings: int = 0
    #: people the user named before.
    known: tuple[Mention, ...] = ()
    #: the language of the user's last message.
    spoken: str = "en"

    @property
    def started_at(self) -> datetime:
        """Time of the first turn."""
        return min(turn.said_at for turn in self.turns)

    @property
    def characters(self) -> int:
        return sum(len(turn.content) for turn in self.turns)

    @property
    def ended_at(self) -> datetime:
        """Time of the last turn."""
        return max(turn.said_at for turn in self.turns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the extractor found in a session.

    Attributes:
        sources: its turns as the extractor saw them.
        extraction: every candidate.
        details: the chosen ones, best first.
        suspects: candidates that look like prompt injections.
    """

    session: Session
    sources: tuple[SourceTurn, ...]
    extraction: Extraction
    details: tuple[Candidate, ...]
    suspects: tuple[Candidate, ...]
    #: secrets found in newly read turns, and left out: the turn's id, and the kind.
    secrets: tuple[tuple[str, str], ...] = ()


#: Key in an answer's figures: tools of other programs that it used.
OUTSIDE: Final = "outside_tools"


def load(store: Store, agent_id: str, conversation_id: str) -> Session | None:
    """Read a session with its pending signals; None if nothing is pending or the thread is gone."""
    with store.read() as repos:
        signals = repos.signals.pending(agent_id, conversation_id)
        agent = repos.agents.get(agent_id)
        conversation = repos.conversations.get(agent_id, conversation_id)
        if not signals or agent is None or conversation is None:
            return None
        turns = without_forgotten(repos, agent_id, repos.turns.of_conversation(agent_id, conversation_id))
        episodes = repos.items.episodes_of(agent_id, conversation_id)
        forgettings = last(repos, agent_id).number
        known = acquaintances(repos.items.named(agent_id))
        spoken = repos.items.spoken(agent_id) or "en"
    if not turns:
        return None
    return Session(
        agent=agent,
        conversation=conversation,
        turns=tuple(turns),
        signals=tuple(signals),
        episodes=tuple(episodes),
        forgettings=forgettings,
        known=known,
        spoken=spoken,
    )


def sources_of(session: Session, clock: Clock, parse: Parse | None = None) -> list[SourceTurn]:
    """Name a session's speakers, date its turns in the user's timezone, and omit secrets."""
    sides = {
        role: next((t.speaker for t in session.turns if t.role == role and t.speaker), "")
        for role in ("user", "assistant")
    }
    found = []
    for turn in session.turns:
        if OUTSIDE in turn.usage:
            # It may repeat the result of another program's tool, not the user's words.
            continue
        named = turn.speaker or sides[turn.role]
        other = "assistant" if turn.role == "user" else "user"
        speaker = named or (USER if turn.role == "user" else ASSISTANT)
        listener = sides[other] or (ASSISTANT if turn.role == "user" else USER)
        found.append(
            SourceTurn(
                id=turn.id,
                speaker=speaker,
                listener=listener,
                text=without_secrets(turn.content, parse)[0],
                day=clock.local(turn.said_at).date(),
                # A named speaker on the assistant's side is a person: an import of people's conversations.
                provenance="user" if turn.role == "user" or named else "assistant",
                # Between two people, it is unknown which is the memory's owner.
                own=turn.role == "user" and not sides["assistant"],
            )
        )
    return found


def secrets_of(session: Session) -> tuple[tuple[str, str], ...]:
    """Return the secrets in newly read turns, so that each is reported once."""
    new = {signal.turn_id for signal in session.signals}
    seen = [(turn.id, kind) for turn in session.turns if turn.id in new for kind in without_secrets(turn.content)[1]]
    return tuple(dict.fromkeys(seen))


@define(eq=False)
class SessionReader:
    """Reads sessions with the available engines; each may be missing or fail.

    Args:
        store: has the vectors of what is known.
        analyzer: parses and finds names; None: rules only.
        embedder: returns the present embedder; improves the choice of lines.
        lines: reads items stored without a statement.
    """

    _store: Store
    _clock: Clock
    _analyzer: LanguageAnalyzer | None
    _embedder: Callable[[], Embedder | None]
    lines: LineReader

    def read(
        self, session: Session, cancel: CancelToken | None = None, between: Callable[[], object] = lambda: None
    ) -> Reading:
        """Extract and choose; ``between`` is called between slices of a long session.

        Raises:
            CancelledError: ``cancel`` was set while an engine worked.
        """
        sources = sources_of(session, self._clock, lambda texts: self._parsed(texts, cancel))
        extraction = read(
            self._analyzer, sources, known=session.known, spoken=session.spoken, cancel=cancel, between=between
        )
        candidates = foremost([one for one in extraction.candidates if not one.tentative])
        vectors = self.embed([c.text for c in candidates])
        chosen = select(candidates, MAX_DETAILS, vectors, first=durable(candidates, 1))
        return Reading(
            session=session,
            sources=tuple(sources),
            extraction=extraction,
            details=tuple(candidates[i] for i in chosen),
            suspects=tuple(c for c in extraction.candidates if c.order and len(c.spans) == 1),
            secrets=secrets_of(session),
        )

    def _parsed(self, texts: Sequence[str], cancel: CancelToken | None) -> list[Analysis]:
        """Return analyses of texts, or none without a working analyzer."""
        if self._analyzer is None:
            return []
        try:
            return self._analyzer.analyze(texts, cancel=cancel)
        except EngineError as error:
            log.warning("sentences with secrets are left out whole: %s", error.code)
            return []

    def embed(self, texts: Sequence[str]) -> Vectors | None:
        """Return unit vectors, or None without a working embedder; those of stored texts are not computed again."""
        embedder = self._embedder()
        if embedder is None or not texts:
            return None
        hashes = {text: content_hash(text) for text in texts}
        with self._store.read() as repos:
            stored = repos.embeddings.cached(embedder.model_id, list(hashes.values()))
        rows = {text: np.frombuffer(stored[key], np.float16) for text, key in hashes.items() if key in stored}
        fresh = [text for text in hashes if text not in rows]
        try:
            made = embedder.embed(fresh, priority="background") if fresh else ()
        except EngineError as error:
            log.warning("distillation goes on without vectors: %s", error.code)
            return None
        rows |= zip(fresh, made, strict=True)
        return np.stack([rows[text] for text in texts], dtype=np.float32)

    def tag(self, texts: Sequence[str]) -> Sequence[Tags] | None:
        """Return what attribute each sentence gives, and which value, or None without a tagger."""
        if self._analyzer is None:
            return None
        try:
            return self._analyzer.tag(texts)
        except EngineError as error:
            log.warning("what is known and what is new are compared without their attributes: %s", error.code)
            return None

    def weigh(self, pairs: Sequence[tuple[str, str]]) -> Odds | None:
        """Return the odds that a known line (first) is ended by a new one (second), or None without a classifier."""
        if self._analyzer is None:
            return None
        try:
            return self._analyzer.weigh(succession.TASK, pairs)
        except EngineError as error:
            log.warning("what is known and what is new are compared by fields alone: %s", error.code)
            return None


def foremost(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates that may be chosen: only those need vectors."""
    single = [candidate for candidate in candidates if len(candidate.spans) == 1]
    if len(single) <= MAX_DETAILS:
        return single  # each statement fits separately, which is clearer
    kept = set(durable(candidates))
    ranked = sorted(range(len(candidates)), key=lambda i: (i not in kept, -candidates[i].score))
    return [candidates[i] for i in sorted(ranked[:WEIGHED])]


def in_order(candidates: Sequence[Candidate], sources: Sequence[SourceTurn]) -> list[Candidate]:
    place = {source.id: number for number, source in enumerate(sources)}
    return sorted(candidates, key=lambda c: (place.get(c.turn_ids[0], 0), c.spans))
