"""Gathers what a request to forget reaches.

The same gathering answers the preview and does the work, so that what was shown is what happens.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TypeVar

from memdesk.domain.models import Fact
from memdesk.domain.redaction import names, tells_any
from memdesk.domain.text import sentences
from memdesk.errors import BadRequestError, NotFoundError
from memdesk.ports import FactFilter, Repositories
from memdesk.services.forget_parts import (
    ALL_STATES,
    digests,
    drop_turns,
    episodes_near,
    episodes_with,
    every,
    learned_from,
    lonely_entities,
    mark_sources,
    same_words,
    strip,
    strip_identity,
    with_absorbed,
)
from memdesk.services.forget_scope import ForgetTarget, Scope

T = TypeVar("T")


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
        lonely_entities(repos, scope)
    if target.kind not in {"conversation", "turn"}:
        mark_sources(scope)
    return scope


def _facts(repos: Repositories, scope: Scope, target: ForgetTarget) -> None:
    found = repos.facts.many(target.ids)
    if len(found) < len(set(target.ids)):
        raise NotFoundError("There is no such fact.", hint="It may be gone already.")
    for fact in found:
        scope.facts[fact.id] = fact
        for other in same_words(repos, fact):
            scope.facts[other.id] = other
    with_absorbed(repos, scope)
    by_agent: dict[str, list[Fact]] = {}
    for fact in scope.facts.values():
        by_agent.setdefault(fact.agent_id, []).append(fact)
    for agent_id, facts in by_agent.items():
        texts = [fact.content for fact in facts] + [s.quote for fact in facts for s in fact.sources if s.quote]
        tells = tells_any(texts)
        strip(repos, scope, episodes_near(repos, agent_id, facts), tells)
        strip_identity(repos, scope, tells_any([fact.content for fact in facts]), agent_id)
    turn_ids = [source.turn_id for fact in scope.facts.values() for source in fact.sources]
    turns = repos.turns.many(list(dict.fromkeys(turn_ids)))
    if target.include_turns:
        drop_turns(repos, scope, turns)
    elif turns:
        scope.notes.append(
            f"{counted(len(turns), 'message')} that it came from stay in the transcript. "
            "Forget the messages too, or the conversation, if the words themselves must go."
        )


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


def _turn_target(repos: Repositories, scope: Scope, target: ForgetTarget) -> None:
    turns = repos.turns.many(target.ids)
    if len(turns) < len(set(target.ids)):
        raise NotFoundError("There is no such message.", hint="It may be gone already.")
    scope.turns |= {turn.id: turn for turn in turns}
    if target.learned:
        drop_turns(repos, scope, turns)


def _entity(repos: Repositories, scope: Scope, entity_id: str, *, include_turns: bool) -> None:
    entity = _found(repos.entities.get(entity_id), "person or thing")
    scope.entities[entity.id] = entity
    agent_id, tells = entity.agent_id, names(entity.name)
    links = repos.entities.links(entity_id)
    linked = repos.facts.many([ref for kind, ref in links if kind == "fact"])
    flt = FactFilter(agent_id=agent_id, query=entity.name, status=ALL_STATES)
    named = [
        fact for fact in every(lambda cursor: repos.facts.page(flt, limit=500, cursor=cursor)) if tells(fact.content)
    ]
    scope.facts |= {fact.id: fact for fact in (*linked, *named)}
    with_absorbed(repos, scope)
    episode_ids = {ref for kind, ref in links if kind == "episode"}
    episode_ids |= episodes_with(repos, agent_id, [entity.name])
    told = tells_any([fact.content for fact in scope.facts.values()])
    episodes = repos.episodes.many(sorted(episode_ids))
    strip(repos, scope, episodes, lambda line: tells(line) or told(line))
    for line in repos.identity.all(include_inactive=True):
        if line.agent_id in {None, agent_id} and tells(line.content):
            scope.identity[line.id] = line
    turns = [
        turn
        for turn in every(
            lambda cursor: repos.turns.page(agent_id=agent_id, query=entity.name, limit=500, cursor=cursor)
        )
        if tells(turn.content)
    ]
    if include_turns:
        drop_turns(repos, scope, turns)
    elif turns:
        scope.marks += [(agent_id, t.id, line) for t in turns for line in sentences(t.content) if tells(line)]
        scope.notes.append(f"{counted(len(turns), 'message')} that name “{entity.name}” stay in the transcript.")


def _agent(repos: Repositories, scope: Scope, agent_id: str) -> None:
    _found(repos.agents.get(agent_id), "agent")
    scope.agents.add(agent_id)
    flt = FactFilter(agent_id=agent_id, status=ALL_STATES)
    for fact in every(lambda cursor: repos.facts.page(flt, limit=1000, cursor=cursor)):
        scope.facts[fact.id] = fact
    for episode in every(lambda cursor: repos.episodes.page(agent_id=agent_id, status=None, limit=1000, cursor=cursor)):
        scope.episodes[episode.id] = episode
    for thread in every(lambda cursor: repos.conversations.page(agent_id=agent_id, limit=1000, cursor=cursor)):
        scope.conversations[agent_id, thread.id] = thread
        scope.turns |= {turn.id: turn for turn in repos.turns.of_conversation(agent_id, thread.id)}
    for entity in every(lambda cursor: repos.entities.page(agent_id=agent_id, limit=1000, cursor=cursor)):
        scope.entities[entity.id] = entity
    for line in repos.identity.all(include_inactive=True):
        if line.origin == "distilled" and line.agent_id == agent_id:
            scope.identity[line.id] = line


def counted(number: int, what: str) -> str:
    """Return ``1 message`` or ``2 messages``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _agent_of(target: ForgetTarget) -> str:
    if target.agent_id is None:
        raise BadRequestError("Say whose it is: an agent is needed.")
    return target.agent_id


def _found(row: T | None, what: str) -> T:
    if row is None:
        raise NotFoundError(f"There is no such {what}.", hint="It may be gone already.")
    return row
