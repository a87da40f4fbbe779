"""Views of the memory besides plain rows."""

from dataclasses import dataclass

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.language.text import content_words, one_line
from memdesk.domain.models import Conversation, Turn
from memdesk.errors import NotFoundError
from memdesk.messages import say
from memdesk.ports import Repositories, TextFilter


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceView:
    """Where a fact came from. ``turn`` is None if the turn is gone."""

    quote: str
    turn: Turn | None
    conversation: Conversation | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbor:
    """A fact similar to another; ``score`` is 0..1."""

    fact: MemoryItem
    score: float


def known_fact(repos: Repositories, fact_id: str) -> MemoryItem:
    """Return one fact. Raises ``NotFoundError``."""
    fact = repos.items.get(fact_id)
    if fact is None or not fact.is_fact:
        raise NotFoundError(say("There is no such fact."), hint="GET /memory/facts lists them.")
    return fact


def sharing_words(repos: Repositories, fact: MemoryItem) -> dict[int, MemoryItem]:
    """Return live facts of the same agent that share content words, by ``seq``."""
    terms = list(dict.fromkeys(content_words(fact.content)))
    hits = repos.text.search("fact", terms, TextFilter(agent_id=fact.agent_id), limit=60) if terms else []
    return repos.items.by_seq([hit.seq for hit in hits])


def same_words(repos: Repositories, agent_id: str, content: str, key: str = "") -> MemoryItem | None:
    """Return the live fact with the same text, ignoring case and spacing, and the same key.

    An entry with a key is its program's, which may give it other words or delete it at any time: it does not stand for
    what somebody else wrote.
    """
    wanted = one_line(content).casefold()
    terms = list(dict.fromkeys(content_words(content)))[:12]
    if not terms:
        return None
    hits = repos.text.search("fact", terms, TextFilter(agent_id=agent_id), limit=20)
    facts = repos.items.by_seq([hit.seq for hit in hits]).values()
    return next((fact for fact in facts if fact.key == key and one_line(fact.content).casefold() == wanted), None)
