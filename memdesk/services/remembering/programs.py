"""Programs' requests and changes, and undoing all of one's changes: additions are forgotten, edits restored."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from attrs import Factory, define

from memdesk.domain.models import Entity, HistoryEntry, Turn
from memdesk.ports import Asked, CancelToken, Clock, Repositories, Store
from memdesk.ports.seams import Indexing
from memdesk.services.distilling import LineReader
from memdesk.services.events import EventBus
from memdesk.services.forgetting import ForgetTarget, ForgettingService
from memdesk.services.guarding import COMMAND_LINE, TRY_IT
from memdesk.services.moments import now_ms
from memdesk.services.remembering import taking_back
from memdesk.services.remembering.announcing import announce

_OURS: Final = frozenset({"", COMMAND_LINE, TRY_IT})
_Added = Literal["fact", "episode", "identity"]
_ADDED: Final[tuple[_Added, ...]] = ("fact", "episode", "identity")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A program's changes that still exist.

    Attributes:
        added: facts, episodes and identity lines that it added and that are otherwise unchanged.
        joined: people and things it created, and relations between them.
        kept: rows it added but others have changed since; they stay.
        messages: messages it sent, with their answers.
        learned: facts, episodes and identity lines learned from these messages alone.
    """

    added: int
    changed: int
    joined: int
    kept: int
    messages: int
    learned: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramSeen:
    """A program that has a token or has called.

    Attributes:
        name: of its token, also used in the history.
        connected: it has a valid token.
        agents: those its tokens are limited to; empty for all.
        last: its last activity; None: never.
        asked: its answered requests still in the log, latest first.
        wrote: number of its changes, and of its messages with answers.
    """

    name: str
    connected: bool
    agents: tuple[str, ...]
    last: datetime | None
    asked: tuple[Asked, ...]
    wrote: int


@define(kw_only=True, eq=False, repr=False, slots=False)
class ProgramsService:
    """Finds a program's changes by its token's name, which history entries and messages record."""

    _store: Store
    _clock: Clock
    _events: EventBus
    _forgetting: ForgettingService
    _indexing: Indexing | None = None
    _lines: LineReader = Factory(lambda: LineReader(None))

    def all(self) -> list[ProgramSeen]:
        """Return the programs that have a token or have asked or written something, most recently active first."""
        with self._store.read() as repos:
            tokens, asked = repos.tokens.all(), repos.meta.asked()
            writers = [*repos.history.writers(), *repos.turns.senders()]
        now = now_ms(self._clock)
        names = {token.name for token in tokens}
        found: dict[str, list[Asked]] = {_base(each.by, names): [] for each in asked}
        for each in asked:
            found[_base(each.by, names)].append(each)
        wrote: dict[str, int] = {}
        last: dict[str, datetime] = {name: rows[0].last for name, rows in found.items()}
        for by, count, at in writers:
            name = _base(by, names)
            wrote[name] = wrote.get(name, 0) + count
            last[name] = max(at, last.get(name, at))
        live = [token for token in tokens if not token.revoked and (token.expires_at is None or token.expires_at > now)]
        for token in live:
            if token.last_used is not None:
                last[token.name] = max(token.last_used, last.get(token.name, token.last_used))
        seen = [
            ProgramSeen(
                name=name,
                connected=any(token.name == name for token in live),
                agents=tuple(dict.fromkeys(agent for token in live if token.name == name for agent in token.agents)),
                last=last.get(name),
                asked=tuple(found.get(name, ())),
                wrote=wrote.get(name, 0),
            )
            for name in {*last, *(token.name for token in live)} - _OURS
        ]
        return sorted(seen, key=lambda one: (one.last is None, -(one.last.timestamp() if one.last else 0), one.name))

    def changes(self, program: str, limit: int = 100) -> list[HistoryEntry]:
        """Return a program's latest changes, newest first."""
        with self._store.read() as repos:
            return repos.history.of_program(program)[:limit]

    def written(self, program: str, *, cancel: CancelToken | None = None) -> Written:
        """Preview what :meth:`take_back` would undo. Raises ``CancelledError`` if ``cancel`` was set."""
        with self._store.read() as repos:
            found = _find(repos, program)
        learned = sum(_learned(self._forgetting.preview(target, cancel=cancel).counts) for target in found.said)
        return found.counts(len(found.changes), learned)

    def take_back(self, program: str) -> Written:
        """Undo all of a program's changes, last one first, and forget what it added and sent.

        Returns:
            What was undone.
        """
        with self._store.read() as repos:
            found = _find(repos, program)
        now = now_ms(self._clock)
        said = taking_back.said_before(self._lines, found.changes, now)
        rows = self._store.write(lambda repos: taking_back.take_back(repos, found.changes, now, said))
        announce(self._events, self._indexing, rows)
        by: dict[str, Any] = {"verify": False, "actor": "user", "actor_detail": program}
        for kind in _ADDED:
            for agent_id, ids in found.added[kind].items():
                many: Literal["facts", "episode", "identity"] = "facts" if kind == "fact" else kind
                target = ForgetTarget(kind=many, ids=tuple(ids), agent_id=agent_id or None)
                self._forgetting.forget(target, **by)
        learned = sum(_learned(self._forgetting.forget(target, **by).counts) for target in found.said)
        gone = self._store.write(lambda repos: _part(repos, found))
        announce(self._events, None, gone)
        return found.counts(len(rows), learned)


@dataclass(frozen=True, slots=True)
class _Found:
    added: dict[_Added, dict[str, list[str]]]
    changes: list[HistoryEntry]
    entities: list[str]
    relations: list[str]
    kept: int
    said: list[ForgetTarget]
    messages: int

    def counts(self, changed: int, learned: int) -> Written:
        added = sum(len(ids) for agents in self.added.values() for ids in agents.values())
        joined = len(self.entities) + len(self.relations)
        return Written(
            added=added, changed=changed, joined=joined, kept=self.kept, messages=self.messages, learned=learned
        )


def _base(by: str, names: Collection[str]) -> str:
    """Return the token's name of a requester or author; for those via the command line, their own."""
    return max((name for name in names if by == name or by.startswith(f"{name}: ")), key=len, default=by)


def _find(repos: Repositories, program: str) -> _Found:
    entries = repos.history.of_program(program)
    own = {entry.id for entry in entries}
    added: dict[_Added, dict[str, list[str]]] = {kind: {} for kind in _ADDED}
    new: set[str] = set()
    kept = 0
    for entry in entries:
        kind = next((each for each in _ADDED if each == entry.kind), None)
        if entry.action != "add" or kind is None or repos.items.get(entry.ref_id) is None:
            continue
        new.add(entry.ref_id)
        if any(other.id not in own for other in _changes_of(repos, entry)):
            kept += 1
        else:
            added[kind].setdefault(entry.agent_id, []).append(entry.ref_id)
    changes = [entry for entry in entries if entry.ref_id not in new and taking_back.can_be(entry)]
    entities = [e.ref_id for e in entries if (e.kind, e.action) == ("entity", "add") and repos.entities.get(e.ref_id)]
    turns = repos.turns.of_program(program)
    return _Found(added, changes, entities, _relations(repos, entries), kept, _targets(repos, turns), len(turns))


def _targets(repos: Repositories, turns: Sequence[Turn]) -> list[ForgetTarget]:
    """Return the targets for forgetting messages: conversations left empty, and single messages of others."""
    threads: dict[tuple[str, str], list[str]] = {}
    for turn in turns:
        threads.setdefault((turn.agent_id, turn.conversation_id), []).append(turn.id)
    whole: dict[str, list[str]] = {}
    single: dict[str, list[str]] = {}
    for (agent_id, thread), ids in threads.items():
        if len(repos.turns.of_conversation(agent_id, thread)) == len(ids):
            whole.setdefault(agent_id, []).append(thread)
        else:
            single.setdefault(agent_id, []).extend(ids)
    return [
        *(ForgetTarget(kind="conversation", ids=tuple(ids), agent_id=agent) for agent, ids in whole.items()),
        *(ForgetTarget(kind="turn", ids=tuple(ids), agent_id=agent) for agent, ids in single.items()),
    ]


def _learned(counts: Mapping[str, int]) -> int:
    return sum(counts.get(kind, 0) for kind in ("facts", "episodes", "identity"))


def _changes_of(repos: Repositories, entry: HistoryEntry) -> Iterable[HistoryEntry]:
    return repos.history.page(kind=entry.kind, ref_id=entry.ref_id, limit=500).items


def _relations(repos: Repositories, entries: Sequence[HistoryEntry]) -> list[str]:
    found: list[str] = []
    for entry in entries:
        if (entry.kind, entry.action) != ("entity", "relate"):
            continue
        told = entry.new or {}
        other = repos.entities.find(entry.agent_id, str(told.get("to", "")))
        found += [
            relation.id
            for relation in repos.entities.relations(entry.ref_id)
            if other is not None
            and (relation.subject_id, relation.predicate, relation.object_id)
            == (entry.ref_id, told.get("relation"), other.id)
        ]
    return list(dict.fromkeys(found))


def _part(repos: Repositories, found: _Found) -> list[Entity]:
    """Delete relations, and the program's things that nothing else names; within a write."""
    repos.entities.unrelate(found.relations)
    left = [entity for each in found.entities if (entity := repos.entities.get(each)) is not None]
    bare = [e for e in left if not repos.entities.links(e.id) and not repos.entities.relations(e.id)]
    repos.entities.delete([entity.id for entity in bare])
    return bare
