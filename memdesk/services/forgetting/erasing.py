"""The steps that carry out a scope of forgetting: copies and changed rows first, then deletions.

A step processes a list in any portions: a small forgetting takes all steps in one transaction, a large one in slices
(see :mod:`memdesk.services.forgetting.slices`). Each portion is idempotent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from memdesk.domain.forgetting.hiding import Hidden
from memdesk.domain.models import Actor, HistoryEntry, VectorKind, new_id
from memdesk.services.distilling import drop_marks, mark_forgotten

if TYPE_CHECKING:
    from datetime import datetime

    from memdesk.ports import CopySource, ForgettableTable, Repositories
    from memdesk.services.forgetting.copies import Copies
from memdesk.services.forgetting.instructions import cut
from memdesk.services.forgetting.scope import Scope

T = TypeVar("T")

#: Order of deletion: rows that others would cascade to all at once go first.
TABLES: Final[tuple[ForgettableTable, ...]] = (
    "receipts", "turns", "conversations", "facts", "episodes", "identity", "entities",
)  # fmt: skip
#: The log's names for tables; messages and receipts are not logged.
_LOGGED: Final[Mapping[str, Literal["fact", "episode", "identity", "entity", "conversation"]]] = {
    "facts": "fact",
    "episodes": "episode",
    "identity": "identity",
    "entities": "entity",
    "conversations": "conversation",
}
_FACT_FIELDS: Final = (
    "sources", "statement", "source_count", "salience", "run_id", "status", "superseded_by", "valid_until", "reason",
    "decayed_at", "updated_at",
)  # fmt: skip
_LINE_FIELDS: Final = ("sources", "statement", "updated_at")
_EPISODE_FIELDS: Final = (
    "content", "tags", "digest.entities", "digest.decisions", "digest.action_items", "digest.details", "status",
    "superseded_by", "source_count", "decayed_at", "updated_at",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class By:
    """Author and time of the forgetting."""

    actor: Actor
    detail: str
    at: datetime

    def entry(self, kind: Any, agent_id: str, ref_id: str) -> HistoryEntry:
        """Return a history entry that says that something was forgotten; without its content."""
        return HistoryEntry(
            id=new_id(),
            agent_id=agent_id,
            kind=kind,
            ref_id=ref_id,
            action="forget",
            actor=self.actor,
            actor_detail=self.detail,
            at=self.at,
        )


@dataclass(frozen=True, slots=True)
class Step:
    """Work on a list, in any portions."""

    items: Sequence[Any]
    work: Callable[[Repositories, Sequence[Any]], object]


def changes(scope: Scope, copies: Copies) -> Iterator[Step]:
    """Yield the steps that blank copies and write the new states of remaining rows."""
    yield Step(scope.refs(), _scrub)
    for source, seqs in copies.rows.items():
        yield Step(seqs, partial(_blank, source))
    yield _each(copies.receipts.values(), lambda repos, receipt: repos.receipts.put(receipt))
    facts = [fact for key, fact in scope.changed_facts.items() if key not in scope.facts]
    yield _each(facts, lambda repos, fact: repos.items.change(fact, _FACT_FIELDS))
    episodes = [episode for key, episode in scope.changed_episodes.items() if key not in scope.episodes]
    yield _each(episodes, lambda repos, episode: repos.items.change(episode, _EPISODE_FIELDS))
    lines = [line for key, line in scope.changed_identity.items() if key not in scope.identity]
    yield _each(lines, lambda repos, line: repos.items.change(line, _LINE_FIELDS))
    yield _each(copies.notes, lambda repos, key: repos.meta.put(key, None))
    yield _each(copies.threads.values(), lambda repos, thread: repos.conversations.put(thread))
    if scope.cut_instructions:
        yield _each(scope.instructions, cut)
    told: dict[tuple[str, str], list[str]] = {}
    for agent_id, turn_id, text in scope.marks:
        if agent_id not in scope.agents and turn_id not in scope.turns:
            told.setdefault((agent_id, turn_id), []).append(text)
    yield _each(told.items(), lambda repos, one: mark_forgotten(repos, *one[0], one[1]))


def _each(items: Iterable[T], work: Callable[[Repositories, T], object]) -> Step:
    def one_by_one(repos: Repositories, part: Sequence[T]) -> None:
        for item in part:
            work(repos, item)

    return Step(list(items), one_by_one)


def _blank(source: CopySource, repos: Repositories, seqs: Sequence[int]) -> None:
    repos.erasing.blank(source, seqs)


def removal(table: ForgettableTable, seqs: Iterable[int], by: By, *, marks: bool) -> Step:
    """Return the step that deletes rows of a table, and logs it."""

    def work(repos: Repositories, part: Sequence[int]) -> None:
        gone = repos.erasing.rows(table, part, marks=marks)
        if table == "turns":
            drop_marks(repos, gone)
        elif table in _LOGGED:
            repos.history.add([by.entry(_LOGGED[table], agent_id, ref) for agent_id, ref in gone])

    return Step(sorted(seqs), work)


def hidden_by(repos: Repositories, scope: Scope, copies: Copies | None) -> Hidden:
    """Return the rows of a scope by their numbers: those to delete and, with ``copies``, those to change."""
    receipts = set(scope.receipts)
    facts, episodes, lines = list(scope.facts.values()), list(scope.episodes.values()), list(scope.identity)
    if copies is not None:
        receipts.update(repos.erasing.seqs("receipts", list(copies.receipts)))
        facts += scope.changed_facts.values()
        episodes += scope.changed_episodes.values()
        lines += scope.changed_identity
    rows = {
        "turns": frozenset(turn.seq for turn in scope.turns.values()),
        "facts": frozenset(fact.seq for fact in facts),
        "episodes": frozenset(episode.seq for episode in episodes),
        "identity": frozenset(repos.erasing.seqs("identity", lines)),
        "entities": frozenset(repos.erasing.seqs("entities", list(scope.entities))),
        "receipts": frozenset(receipts),
    }
    return Hidden(frozenset(scope.agents), rows, scope.threads)


def _scrub(repos: Repositories, refs: Sequence[tuple[str, str]]) -> None:
    """Blank the log's and receipts' texts of deleted rows, and remove them from runs and bin."""
    for kind, members in groupby(refs, key=lambda ref: ref[0]):
        ids = [ref for _, ref in members]
        repos.history.scrub(kind, ids)
        repos.receipts.scrub(kind, ids)
        repos.runs.forget(kind, ids)


Seqs = dict[tuple[str, VectorKind], list[int]]


@dataclass(slots=True)
class Touched:
    """Numbers of rows that in-memory indexes must drop or reload."""

    gone: Seqs = field(default_factory=dict)
    changed: Seqs = field(default_factory=dict)


def touched(repos: Repositories, scope: Scope) -> Touched:
    found = Touched()

    def add(table: Seqs, agent_id: str, kind: VectorKind, seqs: Iterable[int]) -> None:
        table.setdefault((agent_id, kind), []).extend(seqs)

    for fact in scope.facts.values():
        add(found.gone, fact.agent_id, "item", [fact.seq])
    for turn in scope.turns.values():
        add(found.gone, turn.agent_id, "turn", [turn.seq])
    for episode in scope.episodes.values():
        # Facts stated in the episode stay.
        own = repos.embeddings.among("detail", [detail.seq for detail in episode.session.details])
        add(found.gone, episode.agent_id, "item", [episode.seq, *own])
    for agent_id, detail in scope.cut_details:
        add(found.gone, agent_id, "item", repos.embeddings.among("detail", [detail.seq]))
    for agent_id in scope.agents:
        add(found.gone, agent_id, "turn", repos.erasing.all_of(agent_id, "turns"))
        add(found.gone, agent_id, "item", repos.erasing.all_of(agent_id, "items"))
    for fact in scope.changed_facts.values():
        add(found.changed, fact.agent_id, "item", [fact.seq])
    for episode in scope.changed_episodes.values():
        add(found.changed, episode.agent_id, "item", [episode.seq])
    return found
