"""What a request to forget reaches: rows that go, rows that lose a part, and texts that must not be found again.

The same gathering answers the preview and does the work, so that what was shown is what happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from memdesk.domain.models import (
    Conversation,
    Entity,
    Episode,
    EpisodeDetail,
    Fact,
    FactStatus,
    IdentityLine,
    Page,
    Turn,
)
from memdesk.domain.redaction import Tells, names, tells_any, without
from memdesk.domain.similarity import word_set
from memdesk.domain.text import content_words, sentences
from memdesk.errors import BadRequestError, NotFoundError
from memdesk.ports import FactFilter, Repositories, TextFilter

TargetKind = Literal["fact", "facts", "episode", "identity", "conversation", "agent", "entity", "everything", "turn"]

_ALL = tuple(FactStatus)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetTarget:
    """What to forget.

    Attributes:
        kind: of the things named by ``ids``.
        ids: what to forget; empty for ``everything``.
        agent_id: whose; needed for conversations and turns (their ids are unique within an agent only).
        learned: with a conversation or turn, also what was learned solely from it.
        include_turns: with a fact or an entity, also the messages that say it.
    """

    kind: TargetKind
    ids: tuple[str, ...] = ()
    agent_id: str | None = None
    learned: bool = True
    include_turns: bool = False


@dataclass(slots=True)
class Scope:
    """What goes (by id) and what changes (new states by id)."""

    now: datetime
    facts: dict[str, Fact] = field(default_factory=dict)
    episodes: dict[str, Episode] = field(default_factory=dict)
    identity: dict[str, IdentityLine] = field(default_factory=dict)
    turns: dict[str, Turn] = field(default_factory=dict)
    conversations: dict[tuple[str, str], Conversation] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)
    agents: set[str] = field(default_factory=set)
    everything: bool = False
    changed_facts: dict[str, Fact] = field(default_factory=dict)
    changed_episodes: dict[str, Episode] = field(default_factory=dict)
    changed_identity: dict[str, IdentityLine] = field(default_factory=dict)
    #: texts that were cut out of rows which stay.
    cut: list[str] = field(default_factory=list)
    #: ``(agent_id, detail)`` that go out of episodes which stay.
    cut_details: list[tuple[str, EpisodeDetail]] = field(default_factory=list)
    #: ``(agent_id, turn_id, text)`` that must not be learned again from a turn that stays.
    marks: list[tuple[str, str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def change_episode(self, old: Episode, new: Episode) -> None:
        """Note a new state of an episode that stays."""
        kept = {detail.id for detail in new.details}
        self.cut_details += [(old.agent_id, detail) for detail in old.details if detail.id not in kept]
        self.changed_episodes[old.id] = new

    def agent_ids(self) -> set[str]:
        """Return the agents whose memory is touched."""
        found = {fact.agent_id for fact in (*self.facts.values(), *self.changed_facts.values())}
        found |= {episode.agent_id for episode in (*self.episodes.values(), *self.changed_episodes.values())}
        found |= {turn.agent_id for turn in self.turns.values()}
        found |= {entity.agent_id for entity in self.entities.values()}
        return found | {agent for agent, _ in self.conversations} | self.agents

    def texts(self) -> Iterator[str]:
        """Yield every text that goes, longest rows last."""
        for fact in self.facts.values():
            yield fact.content
            yield from (source.quote for source in fact.sources)
        yield from (line.content for line in self.identity.values())
        for episode in self.episodes.values():
            yield from (detail.content for detail in episode.details)
            yield from (episode.summary, *episode.decisions, *episode.action_items)
        yield from self.cut
        yield from (detail.content for _, detail in self.cut_details)
        yield from (entity.name for entity in self.entities.values())
        yield from (thread.title for thread in self.conversations.values())
        for turn in self.turns.values():
            yield from sentences(turn.content)

    def counts(self) -> dict[str, int]:
        """Return how many of each go or change; zeros left out."""
        found = {
            "facts": len(self.facts),
            "facts_changed": len(self.changed_facts),
            "episodes": len(self.episodes),
            "episodes_changed": len(self.changed_episodes),
            "identity": len(self.identity),
            "turns": len(self.turns),
            "conversations": len(self.conversations),
            "entities": len(self.entities),
        }
        return {name: number for name, number in found.items() if number}


def gather(repos: Repositories, target: ForgetTarget, now: datetime) -> Scope:
    """Return what ``target`` reaches.

    Raises:
        BadRequestError: an agent is needed and not named.
        NotFoundError: a thing named does not exist.
    """
    scope = Scope(now=now)
    match target.kind:
        case "fact" | "facts":
            _facts(repos, scope, target)
        case "episode":
            _episodes(repos, scope, target.ids)
        case "identity":
            for line_id in target.ids:
                scope.identity[line_id] = _found(repos.identity.get(line_id), "identity line")
        case "conversation":
            for conversation_id in target.ids:
                _conversation(repos, scope, _agent_of(target), conversation_id, learned=target.learned)
        case "turn":
            _turn_target(repos, scope, target)
        case "entity":
            for entity_id in target.ids:
                _entity(repos, scope, entity_id, include_turns=target.include_turns)
        case "agent":
            for agent_id in target.ids or (_agent_of(target),):
                _agent(repos, scope, agent_id)
        case "everything":
            scope.everything = True
            scope.identity = {line.id: line for line in repos.identity.all(include_inactive=True)}
            for agent in repos.agents.all():
                _agent(repos, scope, agent.id)
    if not scope.agents:
        _lonely_entities(repos, scope)
    if target.kind not in {"conversation", "turn"}:
        _mark(scope)
    return scope


def _mark(scope: Scope) -> None:
    """Note what a distillation must not learn again from messages that stay."""
    for fact in scope.facts.values():
        for source in fact.sources:
            scope.marks += [(fact.agent_id, source.turn_id, text) for text in (fact.content, source.quote) if text]
    for episode in scope.episodes.values():
        scope.marks += [(episode.agent_id, turn, d.content) for d in episode.details for turn in d.turn_ids]
    scope.marks += [
        (agent_id, turn, detail.content) for agent_id, detail in scope.cut_details for turn in detail.turn_ids
    ]
    for line in scope.identity.values():
        for source in line.sources:
            texts = [text for text in (line.content, source.quote) if text]
            scope.marks += [(line.agent_id, source.turn_id, text) for text in texts if line.agent_id]


def learned_from(repos: Repositories, scope: Scope, agent_id: str, conversation_id: str, turn_ids: set[str]) -> None:
    """Add what was learned from turns of a conversation: rows sourced only from them go, others lose a source."""
    facts = {fact.id: fact for fact in repos.facts.from_conversation(agent_id, conversation_id)}
    flt = FactFilter(agent_id=agent_id, conversation_id=conversation_id, status=_ALL)
    facts |= {fact.id: fact for fact in _every(lambda cursor: repos.facts.page(flt, limit=500, cursor=cursor))}
    for fact in facts.values():
        left = tuple(source for source in fact.sources if source.turn_id not in turn_ids)
        if not left and (fact.sources or fact.conversation_id == conversation_id):
            scope.facts[fact.id] = fact
        elif len(left) < len(fact.sources):
            lost = len(fact.sources) - len(left)
            home = repos.turns.get(left[0].turn_id)
            scope.cut += [source.quote for source in fact.sources if source.turn_id in turn_ids]
            scope.changed_facts[fact.id] = replace(
                fact,
                sources=left,
                source_count=max(1, fact.source_count - lost),
                conversation_id=home.conversation_id if home else None,
                updated_at=scope.now,
            )
    for line in repos.identity.all(include_inactive=True):
        held = tuple(source for source in line.sources if source.turn_id not in turn_ids)
        if line.origin == "distilled" and len(held) < len(line.sources):
            if held:
                scope.changed_identity[line.id] = replace(line, sources=held, updated_at=scope.now)
            else:
                scope.identity[line.id] = line
        elif line.origin == "distilled" and not line.sources and line.conversation_id == conversation_id:
            scope.identity[line.id] = line
    _revive(repos, scope)


def _revive(repos: Repositories, scope: Scope) -> None:
    """Facts that a gone fact had replaced or taken in count again: what ended them is no longer known."""
    for fact in repos.facts.absorbed(list(scope.facts)):
        if fact.id in scope.facts or fact.status not in {FactStatus.SUPERSEDED, FactStatus.MERGED}:
            continue
        back = replace(
            scope.changed_facts.get(fact.id, fact),
            status=FactStatus.ACTIVE,
            superseded_by=None,
            valid_until=None if fact.status is FactStatus.SUPERSEDED else fact.valid_until,
            reason="counts again: what replaced it was forgotten",
            decayed_at=scope.now,
            updated_at=scope.now,
        )
        scope.changed_facts[fact.id] = back


def _facts(repos: Repositories, scope: Scope, target: ForgetTarget) -> None:
    found = repos.facts.many(target.ids)
    if len(found) < len(set(target.ids)):
        raise NotFoundError("There is no such fact.", hint="It may be gone already.")
    for fact in found:
        scope.facts[fact.id] = fact
        for other in _same_words(repos, fact):
            scope.facts[other.id] = other
    _with_absorbed(repos, scope)
    by_agent: dict[str, list[Fact]] = {}
    for fact in scope.facts.values():
        by_agent.setdefault(fact.agent_id, []).append(fact)
    for agent_id, facts in by_agent.items():
        texts = [fact.content for fact in facts] + [s.quote for fact in facts for s in fact.sources if s.quote]
        tells = tells_any(texts)
        _strip(repos, scope, _episodes_near(repos, agent_id, facts), tells)
        _strip_identity(repos, scope, tells_any([fact.content for fact in facts]), agent_id)
    turn_ids = [source.turn_id for fact in scope.facts.values() for source in fact.sources]
    turns = repos.turns.many(list(dict.fromkeys(turn_ids)))
    if target.include_turns:
        _drop_turns(repos, scope, turns)
    elif turns:
        scope.notes.append(
            f"{counted(len(turns), 'message')} that it came from stay in the transcript. "
            "Forget the messages too, or the conversation, if the words themselves must go."
        )


def _with_absorbed(repos: Repositories, scope: Scope) -> None:
    """Duplicates that were merged into a gone fact go too; facts that it replaced stay ended, without its name."""
    waiting = list(scope.facts)
    while waiting:
        absorbed = [fact for fact in repos.facts.absorbed(waiting) if fact.id not in scope.facts]
        waiting = []
        for fact in absorbed:
            if fact.status is FactStatus.MERGED:
                scope.facts[fact.id] = fact
                waiting.append(fact.id)
            else:
                reason = "replaced by a fact that was forgotten"
                changed = replace(fact, superseded_by=None, reason=reason, updated_at=scope.now)
                scope.changed_facts[fact.id] = changed


def _same_words(repos: Repositories, fact: Fact) -> Iterator[Fact]:
    mine = word_set(fact.content)
    for other in _search_facts(repos, fact.agent_id, fact.content):
        if other.id != fact.id and word_set(other.content) == mine and mine:
            yield other


def _search_facts(repos: Repositories, agent_id: str, text: str) -> Iterator[Fact]:
    """Yield facts of any state that hold all content words of ``text``."""
    shared = " ".join(dict.fromkeys(content_words(text)))
    if shared:
        yield from repos.facts.page(FactFilter(agent_id=agent_id, query=shared, status=_ALL), limit=200).items


def _episodes_near(repos: Repositories, agent_id: str, facts: Iterable[Fact]) -> list[Episode]:
    """Return episodes that may repeat the facts: of the same conversations, or found by their words."""
    ids: set[str] = set()
    for fact in facts:
        turns = repos.turns.many([source.turn_id for source in fact.sources])
        threads = {turn.conversation_id for turn in turns} | ({fact.conversation_id} if fact.conversation_id else set())
        for thread in threads:
            ids.update(episode.id for episode in repos.episodes.of_conversation(agent_id, thread))
        if fact.episode_id:
            ids.add(fact.episode_id)
        ids |= _episodes_with(repos, agent_id, content_words(fact.content))
    return repos.episodes.many(sorted(ids))


def _episodes_with(repos: Repositories, agent_id: str, terms: Iterable[str]) -> set[str]:
    wanted = list(dict.fromkeys(terms))
    if not wanted:
        return set()
    flt = TextFilter(agent_id=agent_id)
    whole = repos.text.search("episode", wanted, flt, limit=100)
    lines = repos.text.search("detail", wanted, flt, limit=200)
    ids = {episode.id for episode in repos.episodes.by_seq([hit.seq for hit in whole]).values()}
    return ids | {owner for owner, _ in repos.episodes.details_by_seq([hit.seq for hit in lines]).values()}


def _strip(repos: Repositories, scope: Scope, episodes: Iterable[Episode], tells: Tells) -> None:
    for episode in episodes:
        current = scope.changed_episodes.get(episode.id, episode)
        left = without(current, tells, scope.now)
        if left is None:
            scope.episodes[episode.id] = episode
            scope.changed_episodes.pop(episode.id, None)
        elif left is not current:
            lines = (episode.summary, *(detail.content for detail in episode.details), *episode.decisions)
            scope.cut += [
                piece for line in (*lines, *episode.action_items) for piece in sentences(line) if tells(piece)
            ]
            scope.change_episode(current, left)
    _unmerge(repos, scope)


def _unmerge(repos: Repositories, scope: Scope) -> None:
    """Episodes of other conversations that a gone episode had taken in stand by themselves again."""
    for episode in repos.episodes.absorbed(list(scope.episodes)):
        if episode.id not in scope.episodes and episode.id not in scope.changed_episodes:
            back = replace(episode, status="active", merged_into=None, decayed_at=scope.now, updated_at=scope.now)
            scope.changed_episodes[episode.id] = back


def _strip_identity(repos: Repositories, scope: Scope, tells: Tells, agent_id: str) -> None:
    for line in repos.identity.all(include_inactive=True):
        if line.origin == "distilled" and line.agent_id in {None, agent_id} and tells(line.content):
            scope.identity[line.id] = line


def _episodes(repos: Repositories, scope: Scope, ids: Iterable[str]) -> None:
    for episode_id in ids:
        episode = _found(repos.episodes.get(episode_id), "episode")
        scope.episodes[episode.id] = episode
    for other in repos.episodes.absorbed(list(scope.episodes)):
        scope.episodes[other.id] = other


def _conversation(repos: Repositories, scope: Scope, agent_id: str, conversation_id: str, *, learned: bool) -> None:
    thread = _found(repos.conversations.get(agent_id, conversation_id), "conversation")
    turns = repos.turns.of_conversation(agent_id, conversation_id)
    scope.conversations[agent_id, conversation_id] = thread
    scope.turns |= {turn.id: turn for turn in turns}
    turn_ids = {turn.id for turn in turns}
    if not learned:
        kept = len(repos.facts.from_conversation(agent_id, conversation_id))
        if kept:
            scope.notes.append(f"{counted(kept, 'fact')} learned from it stay, without quotes.")
        return
    learned_from(repos, scope, agent_id, conversation_id, turn_ids)
    digests(repos, scope, agent_id, conversation_id, turn_ids)


def digests(repos: Repositories, scope: Scope, agent_id: str, conversation_id: str, turn_ids: set[str]) -> None:
    """Add a conversation's episodes, and take what they gave to others out of those again."""
    for episode in repos.episodes.of_conversation(agent_id, conversation_id):
        scope.episodes[episode.id] = episode
        keeper = repos.episodes.get(episode.merged_into) if episode.merged_into else None
        if keeper is None or keeper.conversation_id == conversation_id:
            continue
        keeper = scope.changed_episodes.get(keeper.id, keeper)
        gone = set(episode.decisions) | set(episode.action_items) | set(episode.topics)
        scope.cut += sorted(gone & {*keeper.decisions, *keeper.action_items, *keeper.topics})
        left = replace(
            keeper,
            details=tuple(d for d in keeper.details if not d.turn_ids or not turn_ids.issuperset(d.turn_ids)),
            decisions=tuple(line for line in keeper.decisions if line not in gone),
            action_items=tuple(line for line in keeper.action_items if line not in gone),
            topics=tuple(line for line in keeper.topics if line not in gone),
            source_count=max(1, keeper.source_count - episode.source_count),
            updated_at=scope.now,
        )
        scope.change_episode(keeper, left)
    _unmerge(repos, scope)


def _turn_target(repos: Repositories, scope: Scope, target: ForgetTarget) -> None:
    turns = repos.turns.many(target.ids)
    if len(turns) < len(set(target.ids)):
        raise NotFoundError("There is no such message.", hint="It may be gone already.")
    scope.turns |= {turn.id: turn for turn in turns}
    if target.learned:
        _drop_turns(repos, scope, turns)


def _drop_turns(repos: Repositories, scope: Scope, turns: Iterable[Turn]) -> None:
    by_thread: dict[tuple[str, str], list[Turn]] = {}
    for turn in turns:
        scope.turns[turn.id] = turn
        by_thread.setdefault((turn.agent_id, turn.conversation_id), []).append(turn)
    for (agent_id, thread), members in by_thread.items():
        learned_from(repos, scope, agent_id, thread, {turn.id for turn in members})
        tells = tells_any([line for turn in members for line in sentences(turn.content)])
        _strip(repos, scope, repos.episodes.of_conversation(agent_id, thread), tells)


def _entity(repos: Repositories, scope: Scope, entity_id: str, *, include_turns: bool) -> None:
    entity = _found(repos.entities.get(entity_id), "person or thing")
    scope.entities[entity.id] = entity
    agent_id, tells = entity.agent_id, names(entity.name)
    links = repos.entities.links(entity_id)
    linked = repos.facts.many([ref for kind, ref in links if kind == "fact"])
    named = [fact for fact in _every_fact_with(repos, agent_id, entity.name) if tells(fact.content)]
    scope.facts |= {fact.id: fact for fact in (*linked, *named)}
    _with_absorbed(repos, scope)
    episode_ids = {ref for kind, ref in links if kind == "episode"}
    episode_ids |= _episodes_with(repos, agent_id, [entity.name])
    told = tells_any([fact.content for fact in scope.facts.values()])
    episodes = repos.episodes.many(sorted(episode_ids))
    _strip(repos, scope, episodes, lambda line: tells(line) or told(line))
    for line in repos.identity.all(include_inactive=True):
        if line.agent_id in {None, agent_id} and tells(line.content):
            scope.identity[line.id] = line
    turns = [
        turn
        for turn in _every(
            lambda cursor: repos.turns.page(agent_id=agent_id, query=entity.name, limit=500, cursor=cursor)
        )
        if tells(turn.content)
    ]
    if include_turns:
        _drop_turns(repos, scope, turns)
    elif turns:
        scope.marks += [(agent_id, t.id, line) for t in turns for line in sentences(t.content) if tells(line)]
        scope.notes.append(f"{counted(len(turns), 'message')} that name “{entity.name}” stay in the transcript.")


def _every_fact_with(repos: Repositories, agent_id: str, text: str) -> Iterator[Fact]:
    flt = FactFilter(agent_id=agent_id, query=text, status=_ALL)
    return _every(lambda cursor: repos.facts.page(flt, limit=500, cursor=cursor))


def _agent(repos: Repositories, scope: Scope, agent_id: str) -> None:
    _found(repos.agents.get(agent_id), "agent")
    scope.agents.add(agent_id)
    flt = FactFilter(agent_id=agent_id, status=_ALL)
    for fact in _every(lambda cursor: repos.facts.page(flt, limit=1000, cursor=cursor)):
        scope.facts[fact.id] = fact
    for episode in _every(
        lambda cursor: repos.episodes.page(agent_id=agent_id, status=None, limit=1000, cursor=cursor)
    ):
        scope.episodes[episode.id] = episode
    for thread in _every(lambda cursor: repos.conversations.page(agent_id=agent_id, limit=1000, cursor=cursor)):
        scope.conversations[agent_id, thread.id] = thread
        scope.turns |= {turn.id: turn for turn in repos.turns.of_conversation(agent_id, thread.id)}
    for entity in _every(lambda cursor: repos.entities.page(agent_id=agent_id, limit=1000, cursor=cursor)):
        scope.entities[entity.id] = entity
    for line in repos.identity.all(include_inactive=True):
        if line.origin == "distilled" and line.agent_id == agent_id:
            scope.identity[line.id] = line


def _lonely_entities(repos: Repositories, scope: Scope) -> None:
    """Add entities that only rows which go had named."""
    gone = {("fact", key) for key in scope.facts} | {("episode", key) for key in scope.episodes}
    gone |= {("turn", key) for key in scope.turns}
    seen: set[str] = set(scope.entities)
    kinds: tuple[Literal["fact", "episode", "turn"], ...] = ("fact", "episode", "turn")
    for kind in kinds:
        for other, ref in sorted(gone):
            if other != kind:
                continue
            for entity in repos.entities.of(kind, ref):
                if entity.id not in seen:
                    seen.add(entity.id)
                    if gone.issuperset(repos.entities.links(entity.id)):
                        scope.entities[entity.id] = entity


def _every(fetch: Any) -> Iterator[Any]:
    cursor: str | None = None
    while True:
        page: Page[Any] = fetch(cursor)
        yield from page.items
        cursor = page.next
        if cursor is None:
            return


def counted(number: int, what: str) -> str:
    """Return ``1 message`` or ``2 messages``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _agent_of(target: ForgetTarget) -> str:
    if target.agent_id is None:
        raise BadRequestError("Say whose it is: an agent is needed.")
    return target.agent_id


def _found(row: Any, what: str) -> Any:
    if row is None:
        raise NotFoundError(f"There is no such {what}.", hint="It may be gone already.")
    return row
