"""What the user sees of the memory and changes by hand: facts, episodes, identity, transcript, entities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from memdesk.domain.consolidation import aged_until
from memdesk.domain.models import (
    Actor,
    Entity,
    Episode,
    Fact,
    FactKind,
    FactSource,
    FactStatus,
    IdentityLine,
    Page,
    Turn,
    new_id,
)
from memdesk.domain.salience import curve, reaches
from memdesk.domain.similarity import jaccard, word_set
from memdesk.domain.text import one_line
from memdesk.domain.timeline import past_curve
from memdesk.errors import ConflictError, NotFoundError
from memdesk.ports import FactFilter, Repositories
from memdesk.services import identity_lines, journal
from memdesk.services.as_of import fact_then
from memdesk.services.changing import check_changes, check_text, restore_pairs, with_changes
from memdesk.services.events import EventBus, MemoryChanged
from memdesk.services.forgetting import ForgetTarget
from memdesk.services.memory_views import (
    EntityView,
    Neighbour,
    RelationView,
    SourceView,
    known_fact,
    relation_views,
    same_words,
    sharing_words,
)
from memdesk.services.moments import now_ms
from memdesk.services.selection import Describe, retold
from memdesk.services.undo import BulkChange, UndoShelf

__all__ = ["BulkChange", "EntityView", "MemoriesService", "Neighbour", "RelationView", "SourceView"]

if TYPE_CHECKING:
    from memdesk.ports import Clock, Store
    from memdesk.services.forgetting import ForgettingService
    from memdesk.services.seams import Indexing, SettingsReader

_FORECAST_DAYS = 90
#: From here on two facts are alike: by cosine, or by the share of words where there are no vectors. Facts about a user
#: that have nothing else in common reach 0.4.
ALIKE_COSINE, ALIKE_WORDS = 0.5, 0.2


class MemoriesService:
    """Lists and changes what is remembered. Every change is in the history, in the same transaction."""

    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        events: EventBus,
        settings: SettingsReader,
        forgetting: ForgettingService,
        indexing: Indexing | None = None,
        describe: Describe | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._events = events
        self._settings = settings
        self._forgetting = forgetting
        self._indexing = indexing
        self._describe = describe or retold(clock)
        self._shelf = UndoShelf()

    # ------------------------------------------------------------------ facts

    def facts(self, flt: FactFilter, limit: int = 50, cursor: str | None = None) -> Page[Fact]:
        """List facts; with ``as_of``, in the words they had then."""
        with self._store.read() as repos:
            page = repos.facts.page(flt, limit=limit, cursor=cursor)
            if flt.as_of is None:
                return page
            return replace(page, items=[fact_then(repos, fact, flt.as_of) for fact in page.items])

    def tags(self, agent_id: str | None = None) -> list[str]:
        """Return the tags of active facts, case folded, the hundred most frequent first."""
        with self._store.read() as repos:
            return repos.facts.tags(agent_id)

    def fact(self, fact_id: str, *, follow: bool = True) -> Fact:
        """Return one fact; one that was merged leads to the fact it was merged into, unless ``follow`` is off.

        Raises:
            NotFoundError: there is none of this id.
        """
        with self._store.read() as repos:
            fact = known_fact(repos, fact_id)
            seen = {fact.id}
            while follow and fact.status is FactStatus.MERGED and fact.superseded_by not in {None, *seen}:
                onward = repos.facts.get(str(fact.superseded_by))
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

    def same_fact(self, agent_id: str, content: str) -> Fact | None:
        """Return the active fact that says the very same, which :meth:`add_fact` would answer with; None: there is none."""
        with self._store.read() as repos:
            return same_words(repos, agent_id, one_line(content))

    def add_fact(
        self,
        *,
        agent_id: str,
        content: str,
        kind: FactKind | str = FactKind.OTHER,
        tags: Sequence[str] = (),
        salience: float = 0.6,
        valid_from: datetime | None = None,
        valid_until: datetime | None = None,
        pinned: bool = False,
        actor: Actor = "user",
        actor_detail: str = "",
        sources: Sequence[FactSource] = (),
        conversation_id: str | None = None,
    ) -> Fact:
        """Store a fact that the user or a program states. The very same words again answer with the known fact.

        Raises:
            BadRequestError: empty or too long a text, salience outside 0..1, unknown kind.
            NotFoundError: there is no such agent.
        """
        wanted: dict[str, Any] = {"content": content, "kind": kind, "tags": tags, "salience": salience}
        values = check_changes(wanted | {"valid_from": valid_from, "valid_until": valid_until})
        now = now_ms(self._clock)

        def work(repos: Repositories) -> tuple[Fact, bool]:
            if repos.agents.get(agent_id) is None:
                raise NotFoundError(f"There is no agent “{agent_id}”.", hint="GET /agents lists them.")
            known = same_words(repos, agent_id, values["content"])
            if known is not None:
                return known, False
            fact = Fact(
                id=new_id(),
                agent_id=agent_id,
                **values,
                user_pinned=pinned,
                origin=actor,
                provenance="import" if actor == "import" else "user",
                sources=tuple(sources),
                source_count=max(1, len(sources)),
                conversation_id=conversation_id,
                decayed_at=now,
                created_at=now,
                updated_at=now,
            )
            seq = repos.facts.put(fact)
            repos.history.add([journal.created(fact, actor=actor, actor_detail=actor_detail)])
            return replace(fact, seq=seq), True

        fact, is_new = self._store.write(work)
        if is_new:
            self._changed(fact.agent_id, "fact", [fact.seq])
        return fact

    def remember(self, agent_id: str, text: str, turn_id: str | None = None) -> Fact:
        """Store what the user selected in a chat, with the turn as its source.

        Raises:
            BadRequestError: an empty or too long selection.
        """
        quote = check_text(text, "A selection")
        with self._store.read() as repos:
            turn = repos.turns.get(turn_id) if turn_id else None
        content, kind = self._describe(quote, turn)
        return self.add_fact(
            agent_id=agent_id,
            content=content,
            kind=kind,
            salience=0.8,
            sources=[FactSource(turn_id=turn.id, quote=quote)] if turn else [],
            conversation_id=turn.conversation_id if turn else None,
        )

    def edit_fact(self, fact_id: str, *, actor: Actor = "user", actor_detail: str = "", **changes: Any) -> Fact:
        """Change content, kind, tags, salience, validity, pin or status of a fact.

        Raises:
            BadRequestError: an unknown field or a value out of bounds; nothing was changed.
            NotFoundError: there is none of this id.
        """
        pairs = self._edit([fact_id], changes, actor=actor, actor_detail=actor_detail)
        return pairs[0][1] if pairs else self.fact(fact_id)

    def edit_facts(
        self, ids: Sequence[str], *, actor: Actor = "user", actor_detail: str = "", **changes: Any
    ) -> BulkChange:
        """Change many facts alike. Besides the fields of :meth:`edit_fact`: ``add_tags`` and ``remove_tags``.

        Returns:
            How many changed and a token for :meth:`undo`.
        """
        return self._shelf.put(self._edit(ids, changes, actor=actor, actor_detail=actor_detail))

    def set_status(
        self,
        ids: Sequence[str],
        status: Literal["active", "disabled"],
        *,
        actor: Actor = "user",
        actor_detail: str = "",
    ) -> BulkChange:
        """Enable or disable facts; disabled ones are kept but never shown to a model."""
        return self.edit_facts(ids, status=status, actor=actor, actor_detail=actor_detail)

    def pin(self, ids: Sequence[str], on: bool = True, *, actor: Actor = "user", actor_detail: str = "") -> BulkChange:
        """Pin facts, so that consolidation leaves them alone, or unpin them."""
        return self.edit_facts(ids, user_pinned=on, actor=actor, actor_detail=actor_detail)

    def undo(self, token: str) -> int:
        """Take a bulk change back where nothing changed since; return how many facts were restored.

        Raises:
            ConflictError: the token is no longer known.
        """
        pairs = self._shelf.take(token)
        if pairs is None:
            raise ConflictError("That can no longer be undone.", hint="The history of a fact shows what it was.")
        now = now_ms(self._clock)
        restored = self._store.write(lambda repos: restore_pairs(repos, pairs, now))
        self._announce(restored)
        return len(restored)

    def _edit(
        self, ids: Sequence[str], changes: dict[str, Any], *, actor: Actor, actor_detail: str
    ) -> list[tuple[Fact, Fact]]:
        values = check_changes(changes)
        now = now_ms(self._clock)

        def work(repos: Repositories) -> list[tuple[Fact, Fact]]:
            found = {fact.id: fact for fact in repos.facts.many(list(dict.fromkeys(ids)))}
            if len(ids) == 1 and not found:
                raise NotFoundError("There is no such fact.", hint="GET /memory/facts lists them.")
            pairs = [(old, with_changes(old, values, now)) for old in found.values()]
            pairs = [(old, new) for old, new in pairs if old != new]
            repos.facts.put_many([new for _, new in pairs])
            repos.history.add(
                [journal.change(old, new, "edit", at=now, actor=actor, actor_detail=actor_detail) for old, new in pairs]
            )
            return pairs

        pairs = self._store.write(work)
        self._announce([new for _, new in pairs])
        return pairs

    # ------------------------------------------------------------------ looking around a fact

    def neighbours(self, fact_id: str, limit: int = 8) -> list[Neighbour]:
        """Return active facts of the same agent that are like a fact, best first.

        By meaning where vectors are at hand, else by the words they share.
        """
        with self._store.read() as repos:
            fact = known_fact(repos, fact_id)
            close = self._close_vectors(fact, limit)
            found = repos.facts.by_seq(list(close)) if close else sharing_words(repos, fact)
        mine = word_set(fact.content)
        scored = [
            Neighbour(fact=other, score=close[other.seq] if close else jaccard(mine, word_set(other.content)))
            for other in found.values()
            if other.id != fact.id and other.status is FactStatus.ACTIVE
        ]
        scored.sort(key=lambda each: (-each.score, each.fact.id))
        return [each for each in scored[:limit] if each.score >= (ALIKE_COSINE if close else ALIKE_WORDS)]

    def _close_vectors(self, fact: Fact, limit: int) -> dict[int, float]:
        if self._indexing is None:
            return {}
        vectors = self._indexing.vectors(fact.agent_id, "fact", [fact.seq])
        if vectors is None or not vectors.any():
            return {}
        return dict(self._indexing.search(fact.agent_id, "fact", vectors[0], 2 * limit + 1))

    def successor(self, fact_id: str) -> Fact | None:
        """Return the fact that took the place of one that is no longer true; None where none did, or it is gone."""
        with self._store.read() as repos:
            fact = known_fact(repos, fact_id)
            return repos.facts.get(fact.superseded_by) if fact.superseded_by else None

    def named_in(self, fact_id: str) -> list[Entity]:
        """Return the people and things that a fact names."""
        with self._store.read() as repos:
            return repos.entities.of("fact", fact_id)

    def salience_curve(self, fact_id: str) -> list[tuple[datetime, float]]:
        """Return a fact's salience over time: what it was until now, then what it will be if nothing lifts it."""
        now = now_ms(self._clock)
        with self._store.read() as repos:
            fact = known_fact(repos, fact_id)
            entries = repos.history.page(kind="fact", ref_id=fact.id, limit=500).items
        past = past_curve(fact, entries, now)
        if fact.user_pinned or fact.status is not FactStatus.ACTIVE:
            return [*past, (now + timedelta(days=_FORECAST_DAYS), past[-1][1])]
        return [*past, *curve(past[-1][1], now, now + timedelta(days=_FORECAST_DAYS), points=31)[1:]]

    def fades_at(self, fact_id: str) -> datetime | None:
        """Return when a fact reaches the salience floor if nothing lifts it; None: never (pinned, or no floor)."""
        fact = self.fact(fact_id)
        if fact.user_pinned:
            return None
        return reaches(fact.salience, self._settings.current.memory.salience_floor, aged_until(fact))

    # ------------------------------------------------------------------ episodes

    def episodes(
        self,
        agent_id: str | None = None,
        query: str = "",
        status: str | None = "active",
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Episode]:
        """List episodes, newest first."""
        with self._store.read() as repos:
            return repos.episodes.page(
                agent_id=agent_id, query=query, status=status, since=since, until=until, limit=limit, cursor=cursor
            )

    def episode(self, episode_id: str) -> Episode:
        """Return one episode; one that was merged leads to the older one that took it in.

        Raises:
            NotFoundError: there is none of this id.
        """
        with self._store.read() as repos:
            found = repos.episodes.get(episode_id)
            seen = {episode_id}
            while found is not None and found.status == "merged" and found.merged_into not in {None, *seen}:
                seen.add(str(found.merged_into))
                found = repos.episodes.get(str(found.merged_into)) or found
        if found is None:
            raise NotFoundError("There is no such episode.", hint="GET /memory/episodes lists them.")
        return found

    def edit_episode(
        self, episode_id: str, *, actor: Actor = "user", actor_detail: str = "", **changes: Any
    ) -> Episode:
        """Change summary, topics, decisions, action items, salience or status (active, disabled) of an episode.

        Raises:
            BadRequestError: an unknown field or a value out of bounds.
            NotFoundError: there is none of this id.
        """
        values = check_changes(changes, of="episode")
        now = now_ms(self._clock)

        def work(repos: Repositories) -> Episode:
            old = repos.episodes.get(episode_id)
            if old is None:
                raise NotFoundError("There is no such episode.", hint="GET /memory/episodes lists them.")
            new = with_changes(old, values, now)
            if new == old:
                return old
            seq = repos.episodes.put(new)
            repos.history.add([journal.change(old, new, "edit", at=now, actor=actor, actor_detail=actor_detail)])
            return replace(new, seq=seq)

        episode = self._store.write(work)
        self._changed(episode.agent_id, "episode", [episode.seq])
        return episode

    # ------------------------------------------------------------------ identity

    def identity(self, include_inactive: bool = False) -> list[IdentityLine]:
        """Return the lines about the user that every agent sees."""
        with self._store.read() as repos:
            return repos.identity.all(include_inactive=include_inactive)

    def add_identity(self, content: str, *, actor: Actor = "user", actor_detail: str = "") -> IdentityLine:
        """Add a line that the user wrote; the same line again answers with the known one.

        Raises:
            BadRequestError: empty or too long.
        """
        text = check_text(content, "An identity line", limit=500)
        now = now_ms(self._clock)
        line = self._store.write(lambda repos: identity_lines.add(repos, text, now, actor, actor_detail))
        self._events.publish(MemoryChanged(None, ("identity",)))
        return line

    def edit_identity(
        self, line_id: str, *, actor: Actor = "user", actor_detail: str = "", **changes: Any
    ) -> IdentityLine:
        """Change content or status (active, disabled) of a line; a line whose words the user wrote is an override.

        Raises:
            BadRequestError: an unknown field or value.
            NotFoundError: there is none of this id.
        """
        values = check_changes(changes, of="identity")
        now = now_ms(self._clock)
        line = self._store.write(lambda repos: identity_lines.edit(repos, line_id, values, now, actor, actor_detail))
        self._events.publish(MemoryChanged(None, ("identity",)))
        return line

    def delete_identity(self, line_id: str) -> None:
        """Forget a line for good.

        Raises:
            NotFoundError: there is none of this id.
        """
        self._forgetting.forget(ForgetTarget(kind="identity", ids=(line_id,)), verify=False)

    # ------------------------------------------------------------------ transcript and entities

    def transcript(
        self,
        agent_id: str,
        conversation_id: str | None = None,
        query: str = "",
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Turn]:
        """List turns of an agent, of one conversation or of all."""
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

    def entity(self, entity_id: str) -> EntityView:
        """Return an entity with the live facts and episodes that name it and its relations.

        Raises:
            NotFoundError: there is none of this id.
        """
        with self._store.read() as repos:
            entity = repos.entities.get(entity_id)
            if entity is None:
                raise NotFoundError("There is no such entity.", hint="The page of people and things lists them.")
            links = repos.entities.links(entity_id)
            facts = repos.facts.many([ref for kind, ref in links if kind == "fact"])
            episodes = repos.episodes.many([ref for kind, ref in links if kind == "episode"])
            return EntityView(
                entity=entity,
                facts=[fact for fact in facts if fact.status is FactStatus.ACTIVE],
                episodes=[episode for episode in episodes if episode.status == "active"],
                relations=relation_views(repos, entity),
            )

    # ------------------------------------------------------------------ telling others

    def _announce(self, facts: Sequence[Fact]) -> None:
        by_agent: dict[str, list[int]] = {}
        for fact in facts:
            by_agent.setdefault(fact.agent_id, []).append(fact.seq)
        for agent_id, seqs in by_agent.items():
            self._changed(agent_id, "fact", seqs)

    def _changed(self, agent_id: str, kind: Literal["fact", "episode"], seqs: Sequence[int]) -> None:
        if self._indexing is not None:
            self._indexing.note(agent_id, kind, seqs)
        self._events.publish(MemoryChanged(agent_id, (kind,)))
