"""A question with its filters, and which rows pass them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import Utterance
from memdesk.domain.recalling.query import Query
from memdesk.ports import TextFilter, Vectors
from memdesk.settings.schema import Strategy


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its filters.

    Attributes:
        vector: of the question, for comparison with possible answers.
        own: of the question as a text, for similarity; None if ``vector`` is, or for a search.
    """

    agent_id: str
    text: str
    now: datetime
    query: Query
    language: str = "en"
    vector: Vectors | None = None
    own: Vectors | None = None
    model: str = ""
    strategy: Strategy = "hybrid"
    conversation_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    speaker: str | None = None
    kind: str | None = None
    tag: str | None = None
    as_of: datetime | None = None

    @property
    def terms(self) -> Sequence[str]:
        """Search terms of full text; none if only vectors count and are available."""
        return () if self.strategy == "semantic" and self.vector is not None else self.query.search_terms

    def filter(self) -> TextFilter:
        return TextFilter(
            agent_id=self.agent_id,
            conversation_id=self.conversation_id,
            since=self.since,
            until=self.until,
            speaker=self.speaker,
            kind=self.kind,
            tag=self.tag,
            as_of=self.as_of,
        )

    @property
    def narrowed(self) -> bool:
        """Whether vector hits must pass a filter that only the database can apply."""
        return any((self.conversation_id, self.since, self.until, self.speaker, self.kind, self.tag, self.as_of))


def turn_passes(turn: Utterance, asked: Question) -> bool:
    if asked.conversation_id is not None and turn.conversation_id != asked.conversation_id:
        return False
    if asked.as_of is not None and turn.said_at > asked.as_of:
        return False
    if asked.speaker is not None:
        wanted = asked.speaker.casefold()
        if turn.speaker.casefold() != wanted and not (not turn.speaker and turn.role == wanted):
            return False
    return _in_days(turn.said_at, turn.said_at, asked)


def fact_passes(fact: MemoryItem, asked: Question) -> bool:
    if asked.conversation_id is not None and fact.run_id != asked.conversation_id:
        return False
    if asked.kind is not None and fact.kind != asked.kind:
        return False
    if asked.tag is not None and asked.tag.casefold() not in {tag.casefold() for tag in fact.tags}:
        return False
    when = fact.valid_from or fact.created_at
    return _in_days(when, when, asked)


def episode_passes(episode: MemoryItem, asked: Question) -> bool:
    """Whether an episode is active and passes the question's filters."""
    if episode.status != "active":
        return False
    session = episode.session
    if asked.conversation_id is not None and episode.run_id != asked.conversation_id:
        return False
    if asked.as_of is not None and session.ended_at > asked.as_of:
        # Its digest did not exist yet.
        return False
    if asked.tag is not None and asked.tag.casefold() not in {topic.casefold() for topic in episode.tags}:
        return False
    return _in_days(session.started_at, session.ended_at, asked)


def _in_days(when: datetime, until: datetime, asked: Question) -> bool:
    if asked.since is not None and until < asked.since:
        return False
    return asked.until is None or when < asked.until
