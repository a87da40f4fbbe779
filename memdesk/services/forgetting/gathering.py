"""Collects everything that a request to forget affects.

Preview and execution share it, so that what was shown is what happens.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, TypeVar

from memdesk.domain.comparing.similarity import word_set
from memdesk.domain.forgetting.hiding import Hidden
from memdesk.domain.forgetting.personal import of_health
from memdesk.domain.forgetting.redaction import Tells, names, tells_any
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.registry import KINDS, called
from memdesk.domain.language.text import sentences
from memdesk.domain.models import Turn, every
from memdesk.errors import BadRequestError, NotFoundError
from memdesk.messages import say
from memdesk.ports import CancelToken, FactFilter, Repositories
from memdesk.services.forgetting.copies import teller, whole_files
from memdesk.services.forgetting.instructions import instructions_telling, notes_of
from memdesk.services.forgetting.parts import (
    ALL_STATES,
    digests,
    drop_turns,
    episodes_near,
    learned_from,
    lonely_entities,
    mark_sources,
    revive,
    same_words,
    strip,
    strip_identity,
    told_by,
    turns_telling,
    unmerge,
    with_absorbed,
    without_quotes,
)
from memdesk.services.forgetting.scope import ForgetTarget, Scope, WholeAgent
from memdesk.services.guarding import RowKind, unknown

T = TypeVar("T")
Owned = TypeVar("Owned", MemoryItem, Turn)
#: Sampled rows of each kind whose texts are searched for after forgetting a whole agent.
_SAMPLED: Final = 100
#: Maximum conversations named in a note.
_NAMED: Final = 5


def gather(
    repos: Repositories,
    target: ForgetTarget,
    now: datetime,
    *,
    among: Hidden | None = None,
    cancel: CancelToken | None = None,
) -> Scope:
    """Return everything that ``target`` affects.

    ``among``: only rows that are already hidden: on resuming, newer rows are excluded.

    Raises:
        BadRequestError: an agent is required but not named.
        CancelledError: ``cancel`` was set.
        NotFoundError: a thing named does not exist.
    """
    scope = Scope(now=now, keep_former=target.keep_former, cancel=cancel)
    match target.kind:
        case "fact" | "facts":
            _facts(repos, scope, target)
        case "episode":
            _episodes(repos, scope, target)
        case "identity":
            lines = [_found(repos.items.get(line_id), "identity line") for line_id in target.ids]
            scope.identity = {line.id: line for line in lines if not line.is_fact}
            if scope.identity:
                _lines(repos, scope, target)
            if facts := tuple(line.id for line in lines if line.is_fact):
                _facts(repos, scope, replace(target, ids=facts))
        case "conversation":
            for conversation_id in scope.each(target.ids):
                _conversation(repos, scope, _agent_of(target), conversation_id, target.learned, among)
        case "turn":
            _turn_target(repos, scope, target)
        case "entity":
            for entity_id in scope.each(target.ids):
                _entity(repos, scope, target, entity_id)
        case "agent":
            for agent_id in scope.each(target.ids or (_agent_of(target),)):
                _agent(repos, scope, agent_id)
        case "everything":
            scope.everything = True
            scope.identity = {line.id: line for line in repos.items.lines(include_inactive=True) if not line.is_fact}
            for agent in scope.each(repos.agents.all()):
                _agent(repos, scope, agent.id)
    if not (scope.agents or target.spare_entities):
        lonely_entities(repos, scope)
    if target.kind not in {"conversation", "turn"}:
        mark_sources(scope)
    if scope.elsewhere:
        scope.notes.append(
            say("1 statement stays: another conversation says the same.")
            if scope.elsewhere == 1
            else say("{n:statement} stay: other conversations say the same.", n=scope.elsewhere)
        )
    if files := len(whole_files(repos, scope, teller(scope))):
        scope.notes.append(say("The full text of {n:attached file} goes too.", n=files))
    if not scope.agents:
        scope.instructions = instructions_telling(repos, teller(scope))
        scope.cut_instructions = target.include_prompts
        if not target.include_prompts:
            scope.notes += notes_of(scope.instructions)
    if among is not None:
        scope.narrow(among)
    return scope


def _facts(repos: Repositories, scope: Scope, target: ForgetTarget) -> None:
    found = _all_of(target, "fact", [item for item in repos.items.many(target.ids) if called(item) == "fact"])
    scope.facts |= {fact.id: fact for fact in found}
    staying: set[tuple[str, frozenset[str]]] = set()
    for agent_id, facts in _by_agent(found).items():
        same = same_words(repos, agent_id, [fact.content for fact in facts])
        if target.alone:
            staying |= {(agent_id, word_set(fact.content)) for fact in same if fact.id not in scope.facts}
        else:
            scope.facts |= {fact.id: fact for fact in same}
    with_absorbed(repos, scope)
    turns: list[Turn] = []
    going = [fact for fact in scope.facts.values() if (fact.agent_id, word_set(fact.content)) not in staying]
    for agent_id, facts in _by_agent(going).items():
        texts = told_by(facts)
        tells = tells_any(texts)
        strip(scope, episodes_near(repos, agent_id, facts), tells)
        unmerge(repos, scope)
        strip_identity(repos, scope, tells_any([fact.content for fact in facts]), agent_id)
        turns += turns_telling(repos, scope, agent_id, texts, tells)
    turn_ids = [source.turn_id for fact in scope.facts.values() for source in fact.sources]
    turns += repos.turns.many(list(dict.fromkeys(turn_ids)))
    people = repos.entities.named_by("fact", list(scope.facts))
    scope.personal = (
        scope.personal
        or any(entity.type == "person" for entity in people)
        or any(KINDS[fact.kind].personal or of_health(fact.content) for fact in scope.facts.values())
    )
    _messages(repos, scope, target, turns)


def _by_agent(facts: Iterable[MemoryItem]) -> dict[str, list[MemoryItem]]:
    found: dict[str, list[MemoryItem]] = {}
    for fact in facts:
        found.setdefault(fact.agent_id, []).append(fact)
    return found


def _lines(repos: Repositories, scope: Scope, target: ForgetTarget) -> None:
    """Add the messages of all agents that say identity lines."""
    turn_ids = [source.turn_id for line in scope.identity.values() for source in line.sources]
    turns = repos.turns.many(list(dict.fromkeys(turn_ids)))
    texts = [line.content for line in scope.identity.values()]
    for agent in repos.agents.all():
        turns += turns_telling(repos, scope, agent.id, texts, tells_any(texts))
    scope.personal = any(map(of_health, texts))
    _messages(repos, scope, target, turns)


def _messages(repos: Repositories, scope: Scope, target: ForgetTarget, turns: Sequence[Turn]) -> None:
    """Include the messages that say it if requested, else report that they stay."""
    by_id = {turn.id: turn for turn in turns}
    scope.said_in |= by_id.keys()
    if target.include_turns:
        drop_turns(repos, scope, by_id.values())
    elif by_id:
        scope.notes.append(
            say(
                "It is still in {n:message} of the transcript. Forget the messages too, or the conversation, "
                "if the words themselves must go.",
                n=len(by_id),
            )
        )


def _episodes(repos: Repositories, scope: Scope, target: ForgetTarget) -> None:
    found = _all_of(target, "episode", [item for item in repos.items.many(target.ids) if called(item) == "episode"])
    scope.episodes |= {episode.id: episode for episode in found}
    for other in repos.items.absorbed(list(scope.episodes)):
        scope.episodes[other.id] = other


def _conversation(
    repos: Repositories, scope: Scope, agent_id: str, conversation_id: str, learned: bool, among: Hidden | None
) -> None:
    thread = _found(repos.conversations.get(agent_id, conversation_id), "conversation")
    turns = repos.turns.of_conversation(agent_id, conversation_id)
    if among is not None:
        turns = [turn for turn in turns if turn.seq in among.rows.get("turns", ())]
    scope.conversations[agent_id, conversation_id] = thread
    number, receipts = _found(repos.erasing.thread(agent_id, conversation_id), "conversation")
    scope.threads[number] = max((turn.position for turn in turns), default=-1)
    scope.receipts.update(receipts)
    scope.turns |= {turn.id: turn for turn in turns}
    turn_ids = {turn.id for turn in turns}
    if not learned:
        kept = without_quotes(repos, scope, agent_id, conversation_id, turn_ids)
        if kept:
            scope.notes.append(say("Left without quotes: {n:fact} learned from it.", n=kept))
        return
    learned_from(repos, scope, agent_id, conversation_id, turn_ids)
    revive(repos, scope)
    digests(repos, scope, agent_id, conversation_id, turn_ids)


def _turn_target(repos: Repositories, scope: Scope, target: ForgetTarget) -> None:
    turns = _all_of(target, "turn", repos.turns.many(target.ids))
    scope.turns |= {turn.id: turn for turn in turns}
    if target.learned:
        drop_turns(repos, scope, turns)


def _entity(repos: Repositories, scope: Scope, target: ForgetTarget, entity_id: str) -> None:
    entity = repos.entities.get(entity_id)
    if entity is None or target.agent_id not in {None, entity.agent_id}:
        raise unknown("entity")
    scope.entities[entity.id] = entity
    agent_id, called = entity.agent_id, (entity.name, *repos.entities.aliases(entity_id))
    tells = _any_of(called)
    links = repos.entities.links(entity_id)
    linked = repos.items.many([ref for kind, ref in links if kind == "fact"])
    named = [fact for name in called for fact in scope.each(_facts_with(repos, agent_id, name)) if tells(fact.content)]
    scope.facts |= {fact.id: fact for fact in (*linked, *named)}
    with_absorbed(repos, scope)
    episode_ids = {ref for kind, ref in links if kind == "episode"}
    episode_ids |= {found for name in called for found in repos.items.holding(agent_id, name)}
    told = tells_any([fact.content for fact in scope.facts.values()])
    episodes = repos.items.many(sorted(episode_ids))
    strip(scope, episodes, lambda line: tells(line) or told(line))
    unmerge(repos, scope)
    for line in repos.items.lines(include_inactive=True):
        if line.heard_by in {"", agent_id} and tells(line.content):
            scope.take(line)
    found = {
        turn.id: turn for name in called for turn in scope.each(every(repos.turns.page, agent_id=agent_id, query=name))
    }
    turns = [turn for turn in found.values() if tells(turn.content) or tells(turn.speaker)]
    scope.names += called
    if target.include_turns:
        drop_turns(repos, scope, turns)
    elif turns:
        scope.marks += [
            (agent_id, turn.id, line)
            for turn in turns
            for line in sentences(turn.content)
            if tells(line) or tells(turn.speaker)
        ]
        threads = list(dict.fromkeys(turn.conversation_id for turn in turns))
        rows = [repos.conversations.get(agent_id, thread) for thread in threads[:_NAMED]]
        titles = ", ".join(f"“{row.title or row.id}”" for row in rows if row is not None)
        more = say(" and {rest:,} more", rest=len(threads) - _NAMED) if len(threads) > _NAMED else ""
        scope.notes.append(
            say(
                "Left in the transcript: {n:message} with the name “{name}”, in {titles}{more}; nothing is "
                "learned from those sentences again. Forget the messages too if the name itself must go.",
                n=len(turns),
                name=entity.name,
                titles=titles,
                more=more,
            )
        )


def _any_of(called: Sequence[str]) -> Tells:
    tests = [names(name) for name in called]
    return lambda line: any(tells(line) for tells in tests)


def _facts_with(repos: Repositories, agent_id: str, words: str) -> Iterable[MemoryItem]:
    flt = FactFilter(agent_id=agent_id, query=words, status=ALL_STATES)
    return every(repos.items.facts, flt)


def _agent(repos: Repositories, scope: Scope, agent_id: str) -> None:
    _found(repos.agents.get(agent_id), "agent")
    flt = FactFilter(agent_id=agent_id, status=ALL_STATES)
    facts = repos.items.facts(flt, limit=_SAMPLED)
    episodes = repos.items.episodes(agent_id=agent_id, status=None, limit=_SAMPLED)
    threads = repos.conversations.page(agent_id=agent_id, limit=_SAMPLED)
    turns = repos.turns.page(agent_id=agent_id, limit=_SAMPLED)
    entities = repos.entities.page(agent_id=agent_id, limit=_SAMPLED)
    sample = [text for fact in facts.items for text in (fact.content, *(source.quote for source in fact.sources))]
    sample += [
        text for one in episodes.items for text in (one.content, *(detail.content for detail in one.session.details))
    ]
    sample += [thread.title for thread in threads.items] + [entity.name for entity in entities.items]
    sample += [sentence for turn in turns.items for sentence in sentences(turn.content)]
    counts = {
        "facts": facts.total,
        "episodes": episodes.total,
        "conversations": threads.total,
        "turns": turns.total,
        "entities": entities.total,
    }
    scope.agents[agent_id] = WholeAgent(counts, tuple(sample))
    for line in repos.items.lines(include_inactive=True):
        if line.origin != "user" and line.source_agent_id == agent_id and not line.is_fact:
            scope.identity[line.id] = line


def _agent_of(target: ForgetTarget) -> str:
    if target.agent_id is None:
        raise BadRequestError(say("Name the agent it belongs to."))
    return target.agent_id


def _all_of(target: ForgetTarget, kind: RowKind, found: Sequence[Owned]) -> Sequence[Owned]:
    """Return the rows that a target names.

    Raises:
        NotFoundError: one is missing or belongs to another agent; the error does not say which.
    """
    if len(found) < len(set(target.ids)) or any(target.agent_id not in {None, row.agent_id} for row in found):
        raise unknown(kind)
    return found


def _found(row: T | None, what: str) -> T:
    if row is None:
        raise NotFoundError(say("There is no such {what}.", what=what), hint=say("It may be gone already."))
    return row
