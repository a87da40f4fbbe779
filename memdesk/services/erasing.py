"""Carries out what a scope of forgetting names, inside one write."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from memdesk.domain.models import Actor, HistoryEntry, VectorKind, new_id
from memdesk.domain.redaction import tells_any
from memdesk.domain.text import sentences
from memdesk.services import forgotten
from memdesk.services.distil_writing import CARD_PREFIX
from memdesk.services.ingest_turns import title_of
from memdesk.services.review_rules import PREFIX as RULE_PREFIX

if TYPE_CHECKING:
    from memdesk.ports import Repositories
    from memdesk.services.forget_scope import Scope

Seqs = dict[tuple[str, VectorKind], list[int]]

#: Shorter cuts ("yes", a name) would match anything.
_TELLING_CHARS = 12


@dataclass(slots=True)
class Erased:
    """A scope with the row numbers that indexes must drop or read again once it is carried out."""

    scope: Scope
    gone: Seqs = field(default_factory=dict)
    changed: Seqs = field(default_factory=dict)

    def __post_init__(self) -> None:
        _collect_seqs(self)


def erase(repos: Repositories, done: Erased) -> None:
    """Delete and change rows, and empty the texts about them wherever they were copied to.

    Whole agents are forgotten in another way, see :mod:`memdesk.services.forget_agents`.
    """
    scope = done.scope
    _scrub_copies(repos, scope)
    for agent_id, conversation_id in scope.conversations:
        repos.conversations.delete(agent_id, conversation_id)
    repos.turns.delete(list(scope.turns))
    repos.facts.delete(list(scope.facts))
    repos.episodes.delete(list(scope.episodes))
    repos.identity.delete(list(scope.identity))
    repos.entities.delete(list(scope.entities))
    repos.facts.put_many([fact for key, fact in scope.changed_facts.items() if key not in scope.facts])
    for key, episode in scope.changed_episodes.items():
        if key not in scope.episodes:
            repos.episodes.put(episode)
    for line in scope.changed_identity.values():
        repos.identity.put(line)
    clear_notes(repos, scope)
    _clear_threads(repos, scope)
    mark_forgotten(repos, scope)


def mark_forgotten(repos: Repositories, scope: Scope) -> None:
    """Keep a distillation from learning again what was forgotten, from messages that stay."""
    for agent_id in sorted(scope.agents):
        repos.meta.put(forgotten.PREFIX + agent_id, None)
    gone = list(scope.turns)
    touched = {agent_id for agent_id, _, _ in scope.marks} | {turn.agent_id for turn in scope.turns.values()}
    for agent_id in sorted(touched - scope.agents):
        added = [(turn_id, text) for owner, turn_id, text in scope.marks if owner == agent_id]
        forgotten.change(repos, agent_id, added, gone)


def clear_notes(repos: Repositories, scope: Scope) -> None:
    """Drop small notes about what goes: drafts, questions to the user, rules that quote it, what was muted."""
    for key, card in repos.meta.prefix(CARD_PREFIX).items():
        if (
            scope.everything
            or card["agent_id"] in scope.agents
            or not {card["old"], card["new"]}.isdisjoint(scope.facts)
        ):
            repos.meta.put(key, None)
    said = [text.casefold() for text in (*scope.cut, *(fact.content for fact in scope.facts.values()))]
    for key, rule in repos.meta.prefix(RULE_PREFIX).items():
        text = str(rule["text"]).casefold()
        if scope.everything or rule["agent_id"] in scope.agents or any(one and one in text for one in said):
            repos.meta.put(key, None)
    for prefix in ("draft:", "muted:"):
        for key in repos.meta.prefix(prefix):
            owner, _, thread = key.removeprefix(prefix).partition("\x1f")
            if scope.everything or owner in scope.agents or (owner, thread) in scope.conversations:
                repos.meta.put(key, None)


def _clear_threads(repos: Repositories, scope: Scope) -> None:
    """Take what goes out of the titles and drafts of conversations that stay: a title is a message's first words."""
    threads = {(turn.agent_id, turn.conversation_id) for turn in scope.turns.values()}
    threads |= {(fact.agent_id, fact.conversation_id) for fact in scope.facts.values() if fact.conversation_id}
    if not threads - scope.conversations.keys():
        return
    tells = tells_any([*scope.statements(), *(one for turn in scope.turns.values() for one in sentences(turn.content))])
    titles = {title_of(turn.content) for turn in scope.turns.values()}
    for agent_id, conversation_id in sorted(threads - scope.conversations.keys()):
        thread = repos.conversations.get(agent_id, conversation_id)
        if thread is None:
            continue
        new = thread
        if thread.title in titles or tells(thread.title):
            turns = repos.turns.of_conversation(agent_id, conversation_id)
            left = (turn.content for turn in turns if turn.role == "user" and turn.id not in scope.turns)
            new = replace(new, title=next((title for text in left if not tells(title := title_of(text))), ""))
        if tells(thread.draft):
            new = replace(new, draft="")
        if new != thread:
            repos.conversations.put(new)


def entries_for(scope: Scope, actor: Actor, actor_detail: str) -> list[HistoryEntry]:
    """Return history entries that say that something was forgotten; never what."""
    named: list[tuple[Literal["fact", "episode", "identity", "entity", "conversation", "agent"], str, str]] = []
    if scope.agents:
        named += [("agent", agent_id, agent_id) for agent_id in sorted(scope.agents)]
    else:
        named += [("fact", fact.agent_id, fact.id) for fact in scope.facts.values()]
        named += [("episode", episode.agent_id, episode.id) for episode in scope.episodes.values()]
        named += [("entity", entity.agent_id, entity.id) for entity in scope.entities.values()]
        named += [("conversation", agent_id, thread) for agent_id, thread in scope.conversations]
    named += [("identity", line.agent_id or "", line.id) for line in scope.identity.values()]
    return [
        HistoryEntry(
            id=new_id(),
            agent_id=agent_id,
            kind=kind,
            ref_id=ref_id,
            action="forget",
            actor=actor,
            actor_detail=actor_detail,
            at=scope.now,
        )
        for kind, agent_id, ref_id in named
    ]


def _scrub_copies(repos: Repositories, scope: Scope) -> None:
    details = [detail.id for episode in scope.episodes.values() for detail in episode.details]
    details += [detail.id for _, detail in scope.cut_details]
    for kind, refs in (
        ("fact", list(scope.facts)),
        ("episode", list(scope.episodes)),
        ("identity", list(scope.identity)),
        ("entity", list(scope.entities)),
        ("turn", list(scope.turns)),
        ("detail", details),
        ("conversation", [thread for _, thread in scope.conversations]),
    ):
        if refs:
            repos.history.scrub(kind, refs)
            repos.receipts.scrub(kind, refs)
            repos.runs.forget(kind, refs)
    asked = [turn.content for turn in scope.turns.values()] + list(scope.statements())
    repos.receipts.scrub_queries(
        sorted(scope.agent_ids()), list(scope.turns), [text for text in asked if len(text) >= _TELLING_CHARS]
    )
    # A row that stays may have been joined with one that goes, and parted again: its log still tells of both.
    joined = [text for text in scope.statements() if len(text) >= _TELLING_CHARS]
    if joined:
        repos.history.scrub_joined(sorted(scope.agent_ids()), joined)
    cut = [text for text in (*scope.cut, *(d.content for _, d in scope.cut_details)) if len(text) >= _TELLING_CHARS]
    if not cut:
        return
    for kind, refs in (("fact", list(scope.changed_facts)), ("episode", list(scope.changed_episodes))):
        if refs:
            repos.receipts.scrub(kind, refs)
            repos.history.scrub(kind, [ref for ref in refs if _history_tells(repos, kind, ref, cut)])


def _history_tells(repos: Repositories, kind: str, ref_id: str, cut: Iterable[str]) -> bool:
    """Return whether the log of a row that stays holds one of the texts that were cut out of it."""
    entries = repos.history.page(kind=kind, ref_id=ref_id, limit=500).items
    told = "\n".join(f"{json.dumps([e.old, e.new], ensure_ascii=False)} {e.reason}" for e in entries)
    return any(json.dumps(text, ensure_ascii=False)[1:-1] in told for text in cut)


def empty_agent(repos: Repositories, agent_id: str) -> None:
    """Take the last rows of an agent and put its settings back; the tokens that are limited to it stay valid."""
    agent = repos.agents.get(agent_id)
    tokens = [token for token in repos.tokens.all() if token.agent_id == agent_id]
    repos.agents.delete(agent_id)
    repos.history.scrub_agent(agent_id)
    repos.runs.forget_agent(agent_id)
    if agent is not None:
        repos.agents.put(agent)
    for token in tokens:
        repos.tokens.put(token)


def _collect_seqs(done: Erased) -> None:
    scope = done.scope

    def add(table: Seqs, agent_id: str, kind: VectorKind, seq: int) -> None:
        table.setdefault((agent_id, kind), []).append(seq)

    for fact in scope.facts.values():
        add(done.gone, fact.agent_id, "fact", fact.seq)
    for fact in scope.changed_facts.values():
        add(done.changed, fact.agent_id, "fact", fact.seq)
    for turn in scope.turns.values():
        add(done.gone, turn.agent_id, "turn", turn.seq)
        add(done.gone, turn.agent_id, "window", turn.seq)
    for episode in scope.episodes.values():
        add(done.gone, episode.agent_id, "episode", episode.seq)
        for detail in episode.details:
            add(done.gone, episode.agent_id, "detail", detail.seq)
    for agent_id, detail in scope.cut_details:
        add(done.gone, agent_id, "detail", detail.seq)
    for episode in scope.changed_episodes.values():
        add(done.changed, episode.agent_id, "episode", episode.seq)
