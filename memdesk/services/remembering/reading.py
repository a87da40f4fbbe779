"""Views of the memory: facts and related data, episodes, identity, transcript, entities."""

from dataclasses import replace
from datetime import datetime, timedelta

from attrs import define

from memdesk.domain.ageing.consolidation import aged_until
from memdesk.domain.ageing.salience import curve, reaches
from memdesk.domain.ageing.timeline import past_curve
from memdesk.domain.comparing.similarity import jaccard, word_set
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.sharing import shared_with
from memdesk.domain.language.text import one_line
from memdesk.domain.models import Entity, FactStatus, Page, Turn
from memdesk.errors import NotFoundError
from memdesk.messages import say
from memdesk.ports import Clock, FactFilter, Store
from memdesk.ports.seams import Indexing, SettingsReader
from memdesk.services.events import EventBus
from memdesk.services.moments import now_ms
from memdesk.services.recalling import fact_then
from memdesk.services.remembering import entities
from memdesk.services.remembering.entities import EntityView, MergePreview
from memdesk.services.remembering.views import Neighbor, SourceView, known_fact, same_words, sharing_words

_FORECAST_DAYS = 90
#: Thresholds of similar facts: cosine, or share of words without vectors. Facts about a user
#: that have nothing else in common reach 0.4.
ALIKE_COSINE, ALIKE_WORDS = 0.5, 0.2


@define(kw_only=True, eq=False, repr=False, slots=False)
class MemoryReading:
    """Reads the memory without changing it or counting uses.

    Unknown ids raise ``NotFoundError``.
    """

    _store: Store
    _clock: Clock
    _events: EventBus
    _settings: SettingsReader
    _indexing: Indexing | None = None

    def facts(self, flt: FactFilter, limit: int = 50, cursor: str | None = None) -> Page[MemoryItem]:
        """List facts; with ``as_of``, in their wording then."""
        with self._store.read() as repos:
            page = repos.items.facts(flt, limit=limit, cursor=cursor)
            if flt.as_of is None:
                return page
            return replace(page, items=[fact_then(repos, fact, flt.as_of) for fact in page.items])

    def tags(self, agent_id: str | None = None) -> list[str]:
        """Return the tags of active facts, case folded, the hundred most frequent first."""
        with self._store.read() as repos:
            return repos.items.tags(agent_id)

    def fact(self, fact_id: str, *, follow: bool = True) -> MemoryItem:
        """Return one fact; one that was merged leads to the fact it was merged into, unless ``follow`` is off."""
        with self._store.read() as repos:
            fact = known_fact(repos, fact_id)
            seen = {fact.id}
            while follow and fact.status is FactStatus.MERGED and fact.superseded_by not in {None, *seen}:
                onward = repos.items.get(str(fact.superseded_by))
                if onward is None:
                    break
                seen.add(onward.id)
                fact = onward
            return fact

    def sources(self, fact_id: str) -> list[SourceView]:
        """Return the turns a fact came from, with their quotes and conversations."""
        with self._store.read() as repos:
            fact = known_fact(repos, fact_id)
            turns = {turn.id: turn for turn in repos.turns.many([source.turn_id for source in fact.sources])}
            views = []
            for source in fact.sources:
                turn = turns.get(source.turn_id)
                thread = repos.conversations.get(turn.agent_id, turn.conversation_id) if turn else None
                views.append(SourceView(quote=source.quote, turn=turn, conversation=thread))
            return views

    def same_fact(self, agent_id: str, content: str) -> MemoryItem | None:
        """Return the active fact with the same text, which :meth:`add_fact` would return; None if there is none."""
        with self._store.read() as repos:
            return same_words(repos, agent_id, one_line(content))

    def neighbors(self, fact_id: str, limit: int = 8) -> list[Neighbor]:
        """Return similar active facts of the same agent, best first.

        By vectors if available, else by shared words.
        """
        with self._store.read() as repos:
            fact = known_fact(repos, fact_id)
            close = self._close_vectors(fact, limit)
            found = repos.items.by_seq(list(close)) if close else sharing_words(repos, fact)
        mine = word_set(fact.content)
        scored = [
            Neighbor(fact=other, score=close[other.seq] if close else jaccard(mine, word_set(other.content)))
            for other in found.values()
            if other.id != fact.id and other.status is FactStatus.ACTIVE
        ]
        scored.sort(key=lambda each: (-each.score, each.fact.id))
        return [each for each in scored[:limit] if each.score >= (ALIKE_COSINE if close else ALIKE_WORDS)]

    def _close_vectors(self, fact: MemoryItem, limit: int) -> dict[int, float]:
        if self._indexing is None:
            return {}
        vectors = self._indexing.vectors(fact.agent_id, "item", [fact.seq])
        if vectors is None or not vectors.any():
            return {}
        return dict(self._indexing.search(fact.agent_id, "fact", vectors[0], 2 * limit + 1))

    def successor(self, fact_id: str) -> MemoryItem | None:
        """Return the fact that replaced one no longer true; None if there is none, or it is gone."""
        with self._store.read() as repos:
            fact = known_fact(repos, fact_id)
            return repos.items.get(fact.superseded_by) if fact.superseded_by else None

    def named_in(self, fact_id: str) -> list[Entity]:
        with self._store.read() as repos:
            return repos.entities.of("fact", fact_id)

    def salience_curve(self, fact_id: str) -> list[tuple[datetime, float]]:
        """Return a fact's salience over time: the past, then the forecast without further use."""
        now = now_ms(self._clock)
        with self._store.read() as repos:
            fact = known_fact(repos, fact_id)
            entries = repos.history.page(kind="fact", ref_id=fact.id, limit=500).items
        past = past_curve(fact, entries, now)
        if fact.lasts or fact.status is not FactStatus.ACTIVE:
            return [*past, (now + timedelta(days=_FORECAST_DAYS), past[-1][1])]
        return [*past, *curve(past[-1][1], now, now + timedelta(days=_FORECAST_DAYS), points=31)[1:]]

    def fades_at(self, fact_id: str) -> datetime | None:
        """Return when a fact reaches the salience floor without further use; None: never (pinned, written by hand, or no floor)."""
        fact = self.fact(fact_id)
        if fact.lasts:
            return None
        return reaches(fact.salience, self._settings.current.memory.salience_floor, aged_until(fact))

    def episodes(
        self,
        agent_id: str | None = None,
        query: str = "",
        status: str | None = "active",
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[MemoryItem]:
        """List episodes, newest first."""
        with self._store.read() as repos:
            return repos.items.episodes(
                agent_id=agent_id, query=query, status=status, since=since, until=until, limit=limit, cursor=cursor
            )

    def episode(self, episode_id: str) -> MemoryItem:
        """Return one episode; a merged one leads to the older one that absorbed it."""
        with self._store.read() as repos:
            found = repos.items.episode(episode_id)
            seen = {episode_id}
            while found is not None and found.status == "merged" and found.superseded_by not in {None, *seen}:
                seen.add(str(found.superseded_by))
                found = repos.items.episode(str(found.superseded_by)) or found
        if found is None:
            raise NotFoundError(say("There is no such episode."), hint="GET /memory/episodes lists them.")
        return found

    def turn(self, turn_id: str) -> Turn:
        """Return one message. Raises ``NotFoundError``."""
        with self._store.read() as repos:
            found = repos.turns.get(turn_id)
        if found is None:
            raise NotFoundError(
                say("There is no such {kind}.", kind="message"), hint="GET /memory/transcript lists them."
            )
        return found

    def identity(self, include_inactive: bool = False, agent_id: str | None = None) -> list[MemoryItem]:
        """Return the lines about the user: all of them, or those that an agent sees."""
        with self._store.read() as repos:
            lines = repos.items.lines(include_inactive=include_inactive)
            keeping = {agent.id for agent in repos.agents.all() if not agent.shares_identity}
        return lines if agent_id is None else shared_with(agent_id, lines, keeping)

    def transcript(
        self,
        agent_id: str | None,
        conversation_id: str | None = None,
        query: str = "",
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Turn]:
        with self._store.read() as repos:
            return repos.turns.page(
                agent_id=agent_id, conversation_id=conversation_id, query=query, limit=limit, cursor=cursor
            )

    def entities(
        self,
        agent_id: str | None = None,
        query: str = "",
        type_: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Entity]:
        """List people, places, projects and tools that are named in the memory."""
        with self._store.read() as repos:
            return repos.entities.page(agent_id=agent_id, query=query, type_=type_, limit=limit, cursor=cursor)

    def entity(self, entity_id: str, most: int = 1000) -> EntityView:
        """Return an entity with the active facts and episodes that name it, at most ``most`` of each, and its relations."""
        with self._store.read() as repos:
            return entities.view(repos, entity_id, most)

    def merge_preview(self, gone_id: str) -> MergePreview:
        """Return what an entity would hand over in a merge."""
        with self._store.read() as repos:
            return entities.merge_preview(repos, gone_id)
