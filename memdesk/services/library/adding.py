"""How messages become memories: read, embed, search for similar ones, decide, apply."""

from __future__ import annotations

import hashlib
import json
import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

import numpy as np

from memdesk.domain.caches import Recent
from memdesk.domain.items.filters import Filter
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import FactKind, new_id
from memdesk.errors import EngineError
from memdesk.ports.calls import Call, current
from memdesk.ports.item_store import Scope
from memdesk.ports.library import Decision, Message, Told
from memdesk.services.library.asking import check_length
from memdesk.services.library.behind import FAILED
from memdesk.services.library.deciding import decide
from memdesk.services.library.errors import LLMError, NotFoundError
from memdesk.services.library.graph import entity_tags
from memdesk.services.library.keeping import Keeper, Parts
from memdesk.services.library.ordering import place
from memdesk.services.library.results import MemoryEvent


@dataclass(slots=True)
class _Turn:
    lock: threading.Lock = field(default_factory=threading.Lock)
    users: int = 0


class Turns:
    """Locks by name, for this process, kept only while held or awaited."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._turns: dict[str, _Turn] = {}

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """Hold the lock of this name."""
        with self._guard:
            turn = self._turns.setdefault(name, _Turn())
            turn.users += 1
        try:
            with turn.lock:
                yield
        finally:
            with self._guard:
                turn.users -= 1
                if not turn.users:
                    del self._turns[name]


log = logging.getLogger(__name__)

#: Memories that a new statement is compared with; a model sees the first five.
NEAREST: Final = 10
#: Statements of one call decided concurrently.
SIDE_BY_SIDE: Final = 4
#: Time between two messages of one conversation, so that lists keep their order: the smallest that stores distinguish.
_MOMENT: Final = timedelta(milliseconds=1)
#: Conversations whose statements are cached, so that repeating one costs no model call.
REMEMBERED: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The arguments of one ``add`` besides its messages."""

    scope: Scope
    metadata: dict[str, Any]
    said_at: datetime
    where: Filter | None = None
    prompt: str = ""
    infer: bool = True
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Decided:
    """The decisions on a statement, and the memories they are based on."""

    known: list[MemoryItem]
    found: list[Decision]


class _Changed:
    """What one call has changed. Statements are compared only with the nearest of it: comparing all took quadratic time."""

    def __init__(self) -> None:
        self.items: dict[str, MemoryItem | None] = {}
        self._bare: list[str] = []
        self._ids: list[str] = []
        self._vectors: Any = np.zeros((0, 0), dtype=np.float32)

    def put(self, memory_id: str, item: MemoryItem | None, vector: Any) -> None:
        """Store the new state of a memory (None if it is gone) and the vector to find it by."""
        self.items[memory_id] = item
        if vector is None or vector is FAILED:
            self._bare.append(memory_id)
            return
        if len(self._ids) == len(self._vectors):
            more = np.zeros((max(len(self._ids), 2 * NEAREST), len(vector)), dtype=np.float32)
            self._vectors = np.concatenate([self._vectors, more]) if self._ids else more
        self._vectors[len(self._ids)] = vector
        self._ids.append(memory_id)

    def near(self, vector: Any) -> list[MemoryItem]:
        """Return the memories nearest to a vector, best first, then those without one."""
        near: list[str] = []
        if vector is not None and self._ids:
            # Without BLAS, which would wake every core for each sentence.
            cosines = np.einsum("ij,j->i", self._vectors[: len(self._ids)], vector)
            near = [self._ids[place] for place in np.argsort(-cosines, kind="stable")[:NEAREST].tolist()]
        found = (self.items[memory_id] for memory_id in dict.fromkeys((*near, *self._bare)))
        return [item for item in found if item is not None]


class Adder:
    """Carries out ``add``. Thread-safe."""

    def __init__(self, parts: Parts, keeper: Keeper) -> None:
        self._parts = parts
        self._keeper = keeper
        self._alone = parts.alone or Turns().alone
        self._read: Recent[str, list[Told]] = Recent(REMEMBERED)
        self.forget = self._read.clear

    def add(self, messages: Sequence[Message], wish: Wish, *, dry_run: bool = False) -> list[MemoryEvent]:
        """Remember messages; return the changes in the order of the statements."""
        if not wish.infer:
            told = _as_said(messages)
            return [] if dry_run else self._as_it_is(told, wish)
        kept = [] if dry_run else self._embedded(self._told(messages, wish))
        if not kept:
            return []
        # Outside the transaction: rolling it back would remove the collection.
        self._keeper.ready()
        vectors = {one.text: vector for one, vector in kept}
        # The lock is not held while a model answers: it is asked before, and again only if others changed what it was shown.
        before = {} if self._parts.decide is decide else self._decisions(kept, wish, {})
        texts = [one.text for decided in before.values() for one in decided.found if one.event in {"ADD", "UPDATE"}]
        new = list(dict.fromkeys(text for text in texts if text not in vectors))
        vectors.update(zip(new, self._keeper.vectors(new), strict=True))
        with self._alone(f"{self._parts.collection} {wish.scope}"):
            decided = self._decisions(kept, wish, before)
            current().go_on()
            # From here on everything is done, even if the call is cancelled.
            with Call().made():
                return self._carried_out(kept, decided, vectors, wish)

    def _told(self, messages: Sequence[Message], wish: Wish) -> list[Told]:
        key = _key(messages, wish)
        if (known := self._read.get(key)) is not None:
            return known
        try:
            reader = self._parts.extractor or self._parts.grammar
            told = reader.read(messages, said_at=wish.said_at, prompt=wish.prompt)
        except (EngineError, LLMError) as error:
            log.warning("nothing was read from the messages: %s", error.message)
            return []
        if self._parts.extractor is not None:
            told = [self._parts.grammar.told(one.text, said_at=wish.said_at) for one in told]
        self._read.keep(key, told)
        return told

    def _embedded(self, told: Sequence[Told]) -> list[tuple[Told, Any]]:
        """Return what could be embedded, with its vectors; each None without an embedder."""
        vectors = self._keeper.vectors([one.text for one in told])
        return [(one, vector) for one, vector in zip(told, vectors, strict=True) if vector is not FAILED]

    def _as_it_is(self, told: Sequence[Told], wish: Wish) -> list[MemoryEvent]:
        items = self._items(told, wish)
        if items and not self._keeper.add_first(items):
            found = self._keeper.vectors([item.content for item in items])
            current().go_on()
            vectors = [None if one is FAILED else one for one in found]
            kept = [item for item, vector in zip(items, vectors, strict=True) if vector is not None]
            if kept:
                self._keeper.add(kept, np.stack([vector for vector in vectors if vector is not None]))
            # The others are found by full text.
            if bare := [item for item, vector in zip(items, vectors, strict=True) if vector is None]:
                self._keeper.add(bare, None)
        return [_event("ADD", item, None) for item in items]

    def _items(self, told: Sequence[Told], wish: Wish) -> list[MemoryItem]:
        items = [self._item(one, wish) for one in told]
        if len(items) > 1:
            # Messages of one conversation can also be found by their neighbors.
            talk = new_id()
            items = [
                replace(item, parent_id=talk, key=place(talk, number), created_at=item.created_at + number * _MOMENT)
                for number, item in enumerate(items)
            ]
        return items

    def _decisions(
        self, kept: Sequence[tuple[Told, Any]], wish: Wish, before: Mapping[int, _Decided]
    ) -> dict[int, _Decided]:
        """Look up what is near each statement, and decide concurrently; decisions based on the same memories are kept."""
        # Sequentially: on PostgreSQL this thread's transaction looks them up.
        near = [
            [hit.item for hit in self._keeper.nearest(told.text, vector, wish.scope, where=wish.where, limit=NEAREST)]
            for told, vector in kept
        ]
        new = [number for number, known in enumerate(near) if number not in before or before[number].known != known]
        with ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="memdesk-add") as pool:
            call = current()
            found = pool.map(lambda number: self._decision(call, kept[number][0], near[number]), new)
            return {**before, **{number: _Decided(near[number], one) for number, one in zip(new, found, strict=True)}}

    def _decision(self, call: Call, told: Told, known: Sequence[MemoryItem]) -> list[Decision]:
        try:
            with call.made():
                return self._parts.decide(told, known)
        except (EngineError, LLMError) as error:
            log.warning("decided by fields alone: %s", error.message)
            return decide(told, known)

    def _carried_out(
        self,
        kept: Sequence[tuple[Told, Any]],
        decided: Mapping[int, _Decided],
        vectors: dict[str, Any],
        wish: Wish,
    ) -> list[MemoryEvent]:
        """Apply the decisions in order, considering what this call has already changed."""
        events: list[MemoryEvent] = []
        changed = _Changed()
        for number, (told, vector) in enumerate(kept):
            for decision in self._settled(told, vector, decided[number].found, changed):
                event, item = self._carry_out(decision, told, vectors, wish)
                changed.put(event["id"], item, vectors.get(decision.text, vector))
                events.append(event)
        return events

    @staticmethod
    def _settled(told: Told, vector: Any, wanted: list[Decision], changed: _Changed) -> list[Decision]:
        """Return the decisions that still hold after this call's earlier changes."""
        mine = changed.near(vector)
        again = decide(told, mine) if mine else []
        if any(one.event != "ADD" for one in again):
            return again
        stale = any(one.target is not None and one.target.id in changed.items for one in wanted)
        return [Decision("ADD", told.text)] if stale else wanted

    def _carry_out(
        self, decision: Decision, told: Told, vectors: dict[str, Any], wish: Wish
    ) -> tuple[MemoryEvent, MemoryItem | None]:
        target = decision.target
        if decision.event == "NONE" and target is not None:
            return _event("NONE", target, target.content), target
        if decision.event == "DELETE" and target is not None:
            self._keeper.delete([target])
            return _event("DELETE", target, target.content), None
        if decision.text not in vectors:
            vectors[decision.text] = self._keeper.vectors([decision.text])[0]
        vector = vectors[decision.text]
        if decision.text != told.text:
            read = self._parts.grammar.told(decision.text, said_at=wish.said_at)
            # A text with two statements is compared by the new one.
            told = replace(told, text=read.text, entities=read.entities, statement=read.statement or told.statement)
        if decision.event == "UPDATE" and target is not None and vector is not FAILED:
            changed = self._changed(target, told, wish)
            try:
                self._keeper.replace(changed, vector, old=target.content)
            except NotFoundError:
                log.info("a memory was deleted while it was to be changed; its new text is added")
            else:
                return _event("UPDATE", changed, target.content), changed
        item = self._item(told, wish)
        self._keeper.add([item], None if vector is None or vector is FAILED else vector[None, :])
        return _event("ADD", item, None), item

    def _changed(self, target: MemoryItem, told: Told, wish: Wish) -> MemoryItem:
        now = self._parts.clock.now()
        return replace(
            target,
            content=told.text,
            statement=told.statement,
            kind=told.kind or target.kind,
            tags=entity_tags(told.entities),
            metadata={**target.metadata, **wish.metadata},
            expires_at=wish.expires_at or target.expires_at,
            confirmed_at=wish.said_at,
            updated_at=now,
        )

    def _item(self, told: Told, wish: Wish) -> MemoryItem:
        now = self._parts.clock.now()
        return MemoryItem(
            id=new_id(),
            kind=told.kind or FactKind.OTHER,
            user_id=wish.scope.user_id or "",
            agent_id=wish.scope.agent_id or "",
            run_id=wish.scope.run_id,
            content=told.text,
            statement=told.statement,
            tags=entity_tags(told.entities),
            metadata=dict(wish.metadata),
            confidence=told.confidence,
            origin="api",
            provenance="assistant" if told.speaker == "assistant" else "user",
            confirmed_at=wish.said_at,
            expires_at=wish.expires_at,
            created_at=now,
            updated_at=now,
        )


def _as_said(messages: Sequence[Message]) -> list[Told]:
    said = [one for one in messages if one.role != "system" and one.content.strip()]
    return [Told(text=check_length(one.content), speaker=one.role) for one in said]


def _event(event: Any, item: MemoryItem, old: str | None) -> MemoryEvent:
    return MemoryEvent(
        event=event,
        id=item.id,
        old_memory=old,
        new_memory=None if event == "DELETE" else item.content,
        metadata=dict(item.metadata),
    )


def _key(messages: Sequence[Message], wish: Wish) -> str:
    """Return a conversation's cache key; relative dates make the day part of it."""
    said = [[one.role, one.content] for one in messages]
    whole = json.dumps([said, wish.prompt, wish.said_at.date().isoformat()], ensure_ascii=False)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()
