"""Parts of forgetting's reach: what was learned from turns, copies of a statement, merged items."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, Literal

from memdesk.domain.comparing.similarity import word_set
from memdesk.domain.forgetting.redaction import COPY_JACCARD, Tells, telling_words, tells_any, topic_words, without
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.statement import Statement
from memdesk.domain.language.text import sentences
from memdesk.domain.models import FactSource, FactStatus, Turn, every
from memdesk.messages import say
from memdesk.ports import Repositories
from memdesk.services.distilling import SAID_AGAIN
from memdesk.services.forgetting.scope import Scope

ALL_STATES = tuple(FactStatus)
#: Messages read at a time.
_READ: Final = 500


def learned_from(repos: Repositories, scope: Scope, agent_id: str, conversation_id: str, turn_ids: set[str]) -> None:
    """Add what was learned from turns of a conversation: delete rows sourced only from them, others lose a source."""
    for stored in scope.each(repos.items.of_conversation(agent_id, conversation_id)):
        fact = scope.changed_facts.get(stored.id, stored)
        left = tuple(source for source in fact.sources if source.turn_id not in turn_ids)
        if not left and (fact.sources or fact.run_id == conversation_id):
            scope.facts[fact.id] = stored
        elif len(left) < len(fact.sources) and _taken_in(repos, fact, left):
            scope.facts[fact.id] = stored  # what was merged into it is restored, in its own words
        elif len(left) < len(fact.sources) or (fact.run_id == conversation_id and _former_words(repos, fact)):
            _lose_sources(repos, scope, fact, left)
    for line in scope.each(repos.items.lines(include_inactive=True)):
        if line.is_fact:
            continue
        held = tuple(source for source in line.sources if source.turn_id not in turn_ids)
        if line.origin != "user" and len(held) < len(line.sources):
            if held:
                statement = _resting_on(line.statement, held)
                scope.elsewhere += 1
                scope.changed_identity[line.id] = replace(line, sources=held, statement=statement, updated_at=scope.now)
            else:
                scope.identity[line.id] = line
        elif line.origin != "user" and not line.sources and line.run_id == conversation_id:
            scope.identity[line.id] = line


def _taken_in(repos: Repositories, fact: MemoryItem, left: tuple[FactSource, ...]) -> bool:
    """Whether all remaining sources of a fact came from facts merged into it."""
    merged = [one for one in repos.items.absorbed([fact.id]) if one.status is FactStatus.MERGED]
    theirs = {source.turn_id for one in repos.items.many([one.id for one in merged]) for source in one.sources}
    return bool(theirs) and theirs.issuperset(source.turn_id for source in left)


def _resting_on(statement: Statement | None, left: tuple[FactSource, ...]) -> Statement | None:
    """Return a statement with the words of a remaining source."""
    if statement is None or statement.quote in {source.quote for source in left}:
        return statement
    return replace(statement, quote=next((source.quote for source in left if source.quote), ""))


def _lose_sources(repos: Repositories, scope: Scope, fact: MemoryItem, left: tuple[FactSource, ...]) -> None:
    """Record a fact also said elsewhere: it keeps those sources with their count and weight."""
    homes = {turn.id: turn.conversation_id for turn in repos.turns.many([source.turn_id for source in fact.sources])}
    kept = {source.quote for source in left}
    scope.cut += [source.quote for source in fact.sources if source not in left and source.quote not in kept]
    scope.cut += _former_words(repos, fact)
    # The turns of one conversation count once, however many.
    told = {homes.get(source.turn_id) for source in fact.sources}
    lost = min(len(told - {homes.get(source.turn_id) for source in left}), fact.source_count - 1)
    scope.elsewhere += 1
    scope.changed_facts[fact.id] = replace(
        fact,
        sources=left,
        statement=_resting_on(fact.statement, left),
        source_count=fact.source_count - lost,
        salience=fact.salience if fact.user_pinned else round(max(0.0, fact.salience - lost * SAID_AGAIN), 3),
        run_id=homes.get(left[0].turn_id),
        updated_at=scope.now,
    )


def _former_words(repos: Repositories, fact: MemoryItem) -> list[str]:
    """Return a fact's texts before edits, which only the log has and whose source is being forgotten."""
    entries = every(repos.history.page, kind="fact", ref_id=fact.id)
    said = [
        str(state["content"]) for entry in entries for state in (entry.old, entry.new) if state and "content" in state
    ]
    return [words for words in dict.fromkeys(said) if words != fact.content]


def without_quotes(repos: Repositories, scope: Scope, agent_id: str, conversation_id: str, turn_ids: set[str]) -> int:
    """Record that facts learned from a conversation stay without its quotes; return how many."""
    facts = [fact for fact in repos.items.of_conversation(agent_id, conversation_id) if fact.sources]
    for fact in scope.each(facts):
        left = tuple(source for source in fact.sources if source.turn_id not in turn_ids)
        scope.cut += [source.quote for source in fact.sources if source.turn_id in turn_ids]
        scope.cut += _former_words(repos, fact)
        told = _resting_on(fact.statement, left)
        scope.changed_facts[fact.id] = replace(fact, sources=left, statement=told, updated_at=scope.now)
    return len(facts)


def revive(repos: Repositories, scope: Scope) -> None:
    """Restore facts that a deleted fact had replaced or absorbed, unless its own successor stays."""
    for fact in scope.each(repos.items.absorbed(list(scope.facts))):
        if fact.id in scope.facts or fact.status not in {FactStatus.SUPERSEDED, FactStatus.MERGED}:
            continue
        heir = _heir(repos, scope, fact)
        now = scope.changed_facts.get(fact.id, fact)
        if heir is not None:
            gone = scope.facts.get(fact.superseded_by or "", fact)
            status = gone.status if fact.status is FactStatus.MERGED else fact.status
            back = replace(now, status=status, superseded_by=heir, valid_until=gone.valid_until, updated_at=scope.now)
        else:
            back = replace(
                now,
                status=FactStatus.ACTIVE,
                superseded_by=None,
                valid_until=None if fact.status is FactStatus.SUPERSEDED else fact.valid_until,
                reason=say("counts again: what replaced it was forgotten"),
                decayed_at=scope.now,
                updated_at=scope.now,
            )
        scope.changed_facts[fact.id] = back


def _heir(repos: Repositories, scope: Scope, fact: MemoryItem) -> str | None:
    """Return the remaining fact that replaced this one, via deleted facts; None if there is none."""
    follower = fact.superseded_by
    while follower in scope.facts:
        follower = scope.facts[follower].superseded_by
    return follower if follower and repos.items.get(follower) is not None else None


def digests(repos: Repositories, scope: Scope, agent_id: str, conversation_id: str, turn_ids: set[str]) -> None:
    """Add a conversation's episodes, and remove their contributions to others."""
    for episode in scope.each(repos.items.episodes_of(agent_id, conversation_id)):
        scope.episodes[episode.id] = episode
        keeper = repos.items.episode(episode.superseded_by) if episode.superseded_by else None
        if keeper is None or keeper.run_id == conversation_id:
            continue
        keeper = scope.changed_episodes.get(keeper.id, keeper)
        told, held = episode.session, keeper.session
        gone = set(told.decisions) | set(told.action_items) | set(episode.tags)
        scope.cut += sorted(gone & {*held.decisions, *held.action_items, *keeper.tags})
        left = replace(
            keeper,
            digest=replace(
                held,
                details=tuple(d for d in held.details if not d.turn_ids or not turn_ids.issuperset(d.turn_ids)),
                decisions=tuple(line for line in held.decisions if line not in gone),
                action_items=tuple(line for line in held.action_items if line not in gone),
            ),
            tags=tuple(line for line in keeper.tags if line not in gone),
            source_count=max(1, keeper.source_count - episode.source_count),
            updated_at=scope.now,
        )
        scope.change_episode(keeper, left)
    unmerge(repos, scope)


def drop_turns(repos: Repositories, scope: Scope, turns: Iterable[Turn]) -> None:
    """Add single turns with what was learned from them alone."""
    by_thread: dict[tuple[str, str], list[Turn]] = {}
    for turn in turns:
        scope.turns[turn.id] = turn
        by_thread.setdefault((turn.agent_id, turn.conversation_id), []).append(turn)
    for (agent_id, thread), members in by_thread.items():
        learned_from(repos, scope, agent_id, thread, {turn.id for turn in members})
        tells = tells_any([line for turn in members for line in sentences(turn.content)])
        strip(scope, repos.items.episodes_of(agent_id, thread), tells)
    revive(repos, scope)
    unmerge(repos, scope)


def with_absorbed(repos: Repositories, scope: Scope) -> None:
    """Also delete duplicates merged into a deleted fact; facts that it replaced stay ended, without naming it."""
    waiting = list(scope.facts)
    while waiting:
        absorbed = [fact for fact in repos.items.absorbed(waiting) if fact.id not in scope.facts]
        waiting = []
        for fact in absorbed:
            if fact.status is FactStatus.MERGED:
                scope.facts[fact.id] = fact
                waiting.append(fact.id)
            else:
                reason = say("replaced by a fact that was forgotten")
                changed = replace(fact, superseded_by=None, reason=reason, updated_at=scope.now)
                scope.changed_facts[fact.id] = changed


def _holding(
    repos: Repositories,
    target: Literal["turn", "fact", "episode"],
    agent_id: str,
    texts: Sequence[str],
    *,
    share: float = COPY_JACCARD,
) -> list[int]:
    """Return the numbers of all rows that may say one of ``texts``, in any number."""
    terms = {word for text in texts for word in topic_words(text).values()}
    frequency = repos.text.document_frequency(target, sorted(terms))
    return repos.text.having(target, agent_id, telling_words(texts, frequency, share=share))


def same_words(repos: Repositories, agent_id: str, texts: Sequence[str]) -> list[MemoryItem]:
    """Return facts, of any status, with the same content words as one of ``texts``."""
    wanted = set(map(word_set, texts)) - {frozenset()}
    found = repos.items.by_seq(_holding(repos, "fact", agent_id, texts, share=1)).values()
    return [fact for fact in found if word_set(fact.content) in wanted]


def episodes_near(repos: Repositories, agent_id: str, facts: Sequence[MemoryItem]) -> list[MemoryItem]:
    """Return episodes that may repeat the facts: of the same conversations, or found by full text."""
    turns = repos.turns.many([source.turn_id for fact in facts for source in fact.sources])
    threads = {turn.conversation_id for turn in turns} | {fact.run_id for fact in facts if fact.run_id}
    ids = {episode.id for episode in repos.items.episodes_of(agent_id, *threads)}
    ids.update(fact.parent_id for fact in facts if fact.parent_id)
    seqs = _holding(repos, "episode", agent_id, told_by(facts))
    ids.update(item.id for item in repos.items.by_seq(seqs, details=False).values())
    return [item for item in repos.items.many(sorted(ids)) if item.digest is not None]


def told_by(facts: Iterable[MemoryItem]) -> list[str]:
    """Return facts' texts and those of their sources."""
    return [text for fact in facts for text in (fact.content, *(source.quote for source in fact.sources)) if text]


def turns_telling(
    repos: Repositories, scope: Scope, agent_id: str, texts: Sequence[str], tells: Tells
) -> Iterator[Turn]:
    """Yield messages of user and agent with a sentence that says one of ``texts``."""
    seqs = sorted(_holding(repos, "turn", agent_id, texts))
    for start in range(0, len(seqs), _READ):
        for turn in scope.each(repos.turns.by_seq(seqs[start : start + _READ]).values()):
            if tells(turn.content) or any(map(tells, sentences(turn.content))):
                yield turn


def strip(scope: Scope, episodes: Iterable[MemoryItem], tells: Tells) -> None:
    """Remove the lines selected by ``tells`` from episodes; delete episodes that become empty."""
    for episode in scope.each(episodes):
        current = scope.changed_episodes.get(episode.id, episode)
        left = without(current, tells, scope.now)
        if left is None:
            scope.episodes[episode.id] = episode
            scope.changed_episodes.pop(episode.id, None)
        elif left is not current:
            told = episode.session
            lines = (episode.content, *(detail.content for detail in told.details), *told.decisions, *told.action_items)
            scope.cut += [piece for line in lines for piece in sentences(line) if tells(piece)]
            scope.change_episode(current, left)


def unmerge(repos: Repositories, scope: Scope) -> None:
    """Restore episodes of other conversations that a deleted episode had absorbed."""
    for episode in repos.items.absorbed(list(scope.episodes)):
        if episode.id not in scope.episodes and episode.id not in scope.changed_episodes:
            scope.changed_episodes[episode.id] = replace(
                episode, status=FactStatus.ACTIVE, superseded_by=None, decayed_at=scope.now, updated_at=scope.now
            )


def strip_identity(repos: Repositories, scope: Scope, tells: Tells, agent_id: str) -> None:
    """Add distilled identity lines selected by ``tells``."""
    for line in repos.items.lines(include_inactive=True):
        if line.origin != "user" and line.source_agent_id in {None, agent_id} and tells(line.content):
            scope.take(line)


def lonely_entities(repos: Repositories, scope: Scope) -> None:
    """Add entities named only in deleted rows, or in facts and episodes changed to no longer name them."""
    gone = {("fact", key) for key in scope.facts} | {("episode", key) for key in scope.episodes}
    gone |= {("turn", key) for key in scope.turns}
    kinds: dict[Literal["fact", "episode", "turn"], list[str]] = {
        "fact": [*scope.facts, *scope.changed_facts],
        "episode": [*scope.episodes, *scope.changed_episodes],
        "turn": list(scope.turns),
    }
    former = {episode.id: _names_in(episode) for episode in repos.items.many(list(scope.changed_episodes))}
    present = {key: _names_in(episode) for key, episode in scope.changed_episodes.items()}
    named = {entity.id: entity for kind, refs in kinds.items() for entity in repos.entities.named_by(kind, refs)}
    for entity in scope.each(named.values()):
        name = entity.name.casefold()
        reworded = {("fact", key) for key, fact in scope.changed_facts.items() if name not in fact.content.casefold()}
        called = {name, *map(str.casefold, repos.entities.aliases(entity.id))}
        reworded |= {("episode", key) for key in former if called & former[key] and not called & present[key]}
        if entity.id not in scope.entities and (gone | reworded).issuperset(repos.entities.links(entity.id)):
            scope.entities[entity.id] = entity


def _names_in(episode: MemoryItem) -> set[str]:
    return set(map(str.casefold, episode.session.entities))


def mark_sources(scope: Scope) -> None:
    """Record what a distillation must not learn again from remaining messages."""
    for fact in scope.facts.values():
        for source in fact.sources:
            scope.marks += [(fact.agent_id, source.turn_id, text) for text in (fact.content, source.quote) if text]
    for episode in scope.episodes.values():
        scope.marks += [(episode.agent_id, turn, d.content) for d in episode.session.details for turn in d.turn_ids]
    scope.marks += [
        (agent_id, turn, detail.content) for agent_id, detail in scope.cut_details for turn in detail.turn_ids
    ]
    for line in scope.identity.values():
        for source in line.sources:
            texts = [text for text in (line.content, source.quote) if text]
            scope.marks += [(line.heard_by, source.turn_id, text) for text in texts if line.heard_by]
