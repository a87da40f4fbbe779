"""A gateway's memory, with OmniRoute's names and formats: entries of one owner by key, within a token budget.

The owner (``apiKeyId``) is an agent here, so a gateway's entries are recalled, aged and forgotten like all memory.
Source of the shapes: ``open-sse/mcp-server/tools/memoryTools.ts`` and ``src/app/api/memory`` of diegosouzapw/OmniRoute.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from attrs import define
from pydantic import AfterValidator, AwareDatetime, Field

from memdesk.domain.decoding import list_in
from memdesk.domain.items.filters import And, Filter, Not, Or, Where
from memdesk.domain.items.item import ME, ItemType
from memdesk.domain.items.scope import Scope
from memdesk.domain.language.text import estimate_tokens, one_line
from memdesk.domain.models import every, new_id
from memdesk.errors import BadRequestError, NotFoundError
from memdesk.services.moments import now_ms
from memdesk.services.tools.tool import Arguments, Tool, Use

if TYPE_CHECKING:
    from memdesk.domain.items.item import MemoryItem
    from memdesk.ports import Clock
    from memdesk.ports.seams import SettingsReader
    from memdesk.services.agents import AgentsService
    from memdesk.services.recalling import RecallService
    from memdesk.services.remembering import ItemsService
    from memdesk.services.tools.mirror import EntriesCopy

_PAGE: Final = 500
#: Metadata key of a summary's entry ids.
STANDS_FOR: Final = "standsFor"
#: Characters per entry in a summary, and entries per summary: together the maximum of an item.
_SHORT: Final = 180
_SUMMED: Final = 10
#: Metadata keys of who can find an entry, if not only its owner, and of its session.
_FOUND_BY, _SESSION = "foundBy", "sessionId"
_NOT_METADATA: Final = frozenset({_FOUND_BY, _SESSION, STANDS_FOR})
#: Metadata from programs, without keys used for other fields or summaries.
EntryMetadata = Annotated[
    dict[str, Any],
    AfterValidator(lambda given: {name: given[name] for name in given if name not in _NOT_METADATA}),
]
_OWNER: Final = Field(default="", alias="apiKeyId", description="Whose memory; leave out for your own.")
#: Scope of an entry or search: one session, an owner (OmniRoute's ``apiKey``), or also shared entries.
EntryScope = Literal["session", "token", "apiKey", "global"]


class SearchEntries(Arguments):
    """Arguments of ``omniroute_memory_search``."""

    owner: str = _OWNER
    session: str = Field(default="", alias="sessionId", description="Only entries of this session.")
    query: str = Field(default="", description="What to look for; the latest entries when left out.")
    type: ItemType | None = None
    scope: EntryScope | None = Field(
        default=None,
        description="session: of sessionId alone; token: of the owner; global: also what other owners share. Left out: session with a sessionId, else token.",
    )
    max_tokens: int = Field(
        default=2000, alias="maxTokens", ge=0, le=16_000, description="Most tokens, all entries together."
    )
    limit: int = Field(default=20, ge=1, le=100)


class AddEntry(Arguments):
    """Arguments of ``omniroute_memory_add``."""

    owner: str = _OWNER
    session: str = Field(default="", alias="sessionId")
    type: ItemType
    key: str = Field(min_length=1, description="Name of the entry; writing the same key again changes it.")
    content: str = Field(min_length=1)
    metadata: EntryMetadata = Field(default_factory=dict, description="Merged key by key; null takes a key out.")
    scope: EntryScope | None = Field(
        default=None,
        description="Who finds it: searches of its session alone, of its owner (token), or of every owner (global).",
    )


class ClearEntries(Arguments):
    """Arguments of ``omniroute_memory_clear``."""

    owner: str = _OWNER
    type: ItemType | None = None
    older_than: AwareDatetime | None = Field(
        default=None, alias="olderThan", description="Only entries made before this time."
    )
    confirm: bool = Field(default=False, description="False: only say how many would be deleted.")


@define(kw_only=True, eq=False, repr=False, slots=False)
class Gateway:
    """Entries by key, for the tools and for the HTTP dialect."""

    _recall: RecallService
    _items: ItemsService
    _agents: AgentsService
    _settings: SettingsReader
    _clock: Clock
    copy: EntriesCopy

    def add(
        self,
        agent_id: str,
        *,
        key: str,
        content: str,
        type: ItemType,  # noqa: A002 -- the field's name
        session: str = "",
        metadata: dict[str, Any] | None = None,
        scope: EntryScope | None = None,
        expires_at: datetime | None = None,
        by: str = "",
    ) -> tuple[MemoryItem, bool]:
        """Store an entry, or change the one with this key; return it, and whether it is new.

        Raises:
            BadRequestError: its session is not named, or a value is out of bounds.
        """
        _check(scope, session)
        self._agents.ensure(agent_id)
        meta = {**(metadata or {}), **({_SESSION: session} if session else {})}
        if scope is not None:
            meta[_FOUND_BY] = scope if scope in {"session", "global"} else None
        return self._items.put(
            content=content,
            agent_id=agent_id,
            type=type,
            key=key,
            metadata=meta,
            expires_at=expires_at,
            actor="api",
            actor_detail=by,
        )

    def all(
        self,
        agent_id: str,
        *,
        type: ItemType | None = None,  # noqa: A002 -- the field's name
        session: str = "",
        scope: EntryScope | None = None,
        query: str = "",
        before: datetime | None = None,
        ids: Sequence[str] | None = None,
    ) -> list[MemoryItem]:
        """Return entries, latest first; ``ids``: only these. Without a scope, all of the owner's.

        Raises:
            BadRequestError: its session is not named.
        """
        _check(scope, session)
        asked: list[Filter] = [Where("key", "ne", ""), Where("status", "eq", "active"), _reached(agent_id, scope)]
        asked += [Where("type", "eq", type)] if type else []
        asked += [Where(_SESSION, "eq", session)] if session and scope in {None, "session"} else []
        asked += [Where("created_at", "lt", before)] if before else []
        asked += [Where("id", "in", list(ids))] if ids is not None else []
        where = And(tuple(asked))
        return list(every(self._items.page, Scope(user_id=ME), where, limit=_PAGE, query=query, descending=True))

    def known(self, ids: Sequence[str]) -> dict[str, MemoryItem]:
        """Return existing items by id."""
        where = Where("id", "in", list(ids))
        return {item.id: item for item in self._items.page(Scope(user_id=ME), where, limit=_PAGE).items}

    def search(
        self,
        agent_id: str,
        query: str,
        type_: ItemType | None,
        budget: int,
        limit: int,
        *,
        session: str = "",
        scope: EntryScope | None = None,
        remote: bool,
    ) -> list[MemoryItem]:
        """Return matches of a question, or the latest, within a token budget; at least one if it is above 0.

        Hits of a copy in Qdrant are fused with those found here. With the strategy ``recent``, the latest matches come
        first. Entries not written for longer than episodes are kept are no longer found, following a gateway's
        retention, but still listed. ``remote``: local-only memory is left out.
        """
        memory = self._settings.current.memory
        reach = partial(
            self.all, agent_id, type=type_, session=session, scope=scope or ("session" if session else "token")
        )
        if query.strip():
            owners = (
                [agent_id, *(item.agent_id for item in reach() if item.agent_id)] if scope == "global" else [agent_id]
            )
            found = self._fitting(reach, dict.fromkeys(owners), query[:400], limit, remote=remote)
        else:
            found = reach()
        if remote:
            sieves = {owner: self._recall.sieve(owner) for owner in {item.agent_id for item in found}}
            found = [left for item in found for left in sieves[item.agent_id].leaving([item])]
        if memory.recall_strategy == "recent":
            found.sort(key=lambda item: item.created_at, reverse=True)
        if memory.episode_retention_days:
            since = now_ms(self._clock) - timedelta(days=memory.episode_retention_days)
            found = [item for item in found if item.updated_at >= since]
        kept: list[MemoryItem] = []
        for item in found[:limit] if budget > 0 else ():
            budget -= estimate_tokens(item.content)
            if kept and budget < 0:
                break
            kept.append(item)
        return kept

    def _fitting(
        self, reach: Callable[..., list[MemoryItem]], owners: Iterable[str], query: str, limit: int, *, remote: bool
    ) -> list[MemoryItem]:
        """Return matching entries within the scope, best first."""
        copied = self._settings.current.memory.recall_strategy in {"hybrid", "semantic"}
        ranks: list[list[str]] = []
        for owner in owners:
            hits = self._recall.search(agent_id=owner, query=query, scope="pinned", limit=_PAGE, remote=remote)
            ranks.append([hit.id for hit in hits.items if hit.kind == "fact"])
            ranks += [self.copy.found(owner, query, limit)] if copied else []
        names = _fused(*ranks)
        known = {item.id: item for item in reach(ids=names)}
        return [known[name] for name in names if name in known]

    def forget(self, item: MemoryItem, by: str = "") -> None:
        """Forget an entry for good. A summary's entries are restored."""
        self._items.forget(item.id, actor="api", actor_detail=by)
        stood_for = Where("id", "in", list_in(item.metadata, STANDS_FOR))
        disabled = And((stood_for, Where("agent_id", "eq", item.agent_id), Where("status", "eq", "disabled")))
        for entry in self._items.page(Scope(user_id=ME), disabled, limit=_PAGE).items:
            self._items.change(entry.id, status="active", actor="api", actor_detail=by)

    def summarize(self, agent_id: str, days: int, by: str = "") -> list[MemoryItem]:
        """Replace entries older than this many days by summaries, disabling them; return the summaries.

        They stay in the window and in the history; forgetting a summary restores its entries.
        """
        old = self.older(agent_id, days)
        made = []
        for at in range(0, len(old) if len(old) > 1 else 0, _SUMMED):
            some, now = old[at : at + _SUMMED], now_ms(self._clock)
            summary, _ = self.add(
                agent_id,
                key=f"summary:{now:%Y-%m-%d}:{new_id()[-8:]}",
                content=f"{len(some)} entries: " + "; ".join(_in_short(item) for item in some),
                type="semantic",
                metadata={STANDS_FOR: [item.id for item in some]},
                by=by,
            )
            made.append(summary)
            for item in some:
                self._items.change(item.id, status="disabled", actor="api", actor_detail=by)
        return made

    def older(self, agent_id: str, days: int) -> list[MemoryItem]:
        """Return the entries that would be summarized at this age in days, oldest first."""
        found = self.all(agent_id, before=now_ms(self._clock) - timedelta(days=days))
        return [item for item in reversed(found) if STANDS_FOR not in item.metadata]


def _fused(*lists: Sequence[str]) -> list[str]:
    """Return the union of the lists, by reciprocal rank fusion (Cormack et al. 2009, with their constant 60)."""
    scores: defaultdict[str, float] = defaultdict(float)
    for names in lists:
        for rank, name in enumerate(names):
            scores[name] += 1 / (60 + rank)
    return sorted(scores, key=lambda name: -scores[name])


def _check(scope: EntryScope | None, session: str) -> None:
    if scope == "session" and not session:
        raise BadRequestError("sessionId is missing.", hint="The scope “session” needs a session.")


def _reached(agent_id: str, scope: EntryScope | None) -> Filter:
    """Return a predicate for entries in a scope; those of one session are not visible in the owner's others."""
    own = Where("agent_id", "eq", agent_id)
    if scope in {None, "session"}:
        return own
    of_owner = And((own, Not(Where(_FOUND_BY, "eq", "session"))))
    return Or((of_owner, Where(_FOUND_BY, "eq", "global"))) if scope == "global" else of_owner


def _in_short(item: MemoryItem) -> str:
    text = f"[{item.type}] {item.key}: {one_line(item.content)}"
    return text if len(text) <= _SHORT else text[:_SHORT].rsplit(" ", 1)[0] + "…"


def entry(item: MemoryItem) -> dict[str, Any]:
    """Return an item as OmniRoute shows a memory."""
    return {
        "id": item.id,
        "apiKeyId": item.agent_id,
        "sessionId": str(item.metadata.get(_SESSION, "")),
        "type": item.type,
        "key": item.key,
        "content": item.content,
        "scope": found_by if (found_by := item.metadata.get(_FOUND_BY)) in ("session", "global") else "token",
        "metadata": {name: value for name, value in item.metadata.items() if name not in {_SESSION, _FOUND_BY}},
        "createdAt": item.created_at.isoformat(),
        "updatedAt": item.updated_at.isoformat(),
        "expiresAt": item.expires_at.isoformat() if item.expires_at else None,
    }


def gateway_tools(gateway: Gateway) -> list[Tool[Any]]:
    """Return ``omniroute_memory_search``, ``omniroute_memory_add`` and ``omniroute_memory_clear``."""

    def search(use: Use, given: SearchEntries) -> dict[str, Any]:
        found = gateway.search(
            use.agent_id,
            given.query,
            given.type,
            given.max_tokens,
            given.limit,
            session=given.session,
            scope=given.scope,
            remote=use.remote,
        )
        tokens = sum(estimate_tokens(item.content) for item in found)
        data = {"memories": [entry(item) for item in found], "count": len(found), "totalTokens": tokens}
        return {"success": True, "data": data}

    def add(use: Use, given: AddEntry) -> dict[str, Any]:
        values = given.model_dump(exclude={"owner"})
        item, is_new = gateway.add(use.agent_id, **values, by=use.by)
        if use.remote:
            # The previous content may be local-only: a remote writer only gets back what it wrote.
            own = item.metadata.keys() & {*given.metadata, _SESSION, _FOUND_BY}
            item = replace(item, metadata={name: item.metadata[name] for name in own})
        return {"success": True, "data": {"memory": entry(item), "created": is_new}}

    def clear(use: Use, given: ClearEntries) -> dict[str, Any]:
        found = gateway.all(use.agent_id, type=given.type, before=given.older_than)
        if not given.confirm:
            return {"success": True, "data": {"wouldDelete": len(found), "deletedCount": 0}}
        for item in found:
            with suppress(NotFoundError):  # forgotten by somebody else in the meantime
                gateway.forget(item, use.by)
        return {"success": True, "data": {"deletedCount": len(found)}}

    def owner(given: Any) -> str | None:
        return given.owner or None

    return [
        Tool(
            name="omniroute_memory_search",
            title="Search entries",
            description="Search a gateway's entries by question and type, within a budget of tokens; at least one is kept.",
            arguments=SearchEntries,
            run=search,
            agent_of=owner,
        ),
        Tool(
            name="omniroute_memory_add",
            title="Add an entry",
            description="Add an entry of a gateway under a key, or change the one that has it.",
            arguments=AddEntry,
            run=add,
            scope="memory:write",
            agent_of=owner,
        ),
        Tool(
            name="omniroute_memory_clear",
            title="Clear entries",
            description="Forget a gateway's entries by type and age. Without confirm it only says how many would go.",
            arguments=ClearEntries,
            run=clear,
            scope="memory:write",
            destructive=True,
            agent_of=owner,
        ),
    ]
