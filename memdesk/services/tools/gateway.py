"""A gateway's memory, with the names and shapes of OmniRoute's: entries of one owner by key, within a budget of tokens.

The owner (``apiKeyId``) is an agent here, so that what a gateway keeps is recalled, aged and forgotten as all memory is.
Source of the shapes: ``open-sse/mcp-server/tools/memoryTools.ts`` and ``src/app/api/memory`` of diegosouzapw/OmniRoute.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from pydantic import AwareDatetime, Field

from memdesk.domain.items.filters import And, Filter, Where
from memdesk.domain.items.item import ItemType
from memdesk.domain.items.scope import Scope
from memdesk.domain.language.text import estimate_tokens
from memdesk.domain.models import every
from memdesk.services.tools.tool import Arguments, Tool, Use

if TYPE_CHECKING:
    from memdesk.domain.items.item import MemoryItem
    from memdesk.services.agents import AgentsService
    from memdesk.services.recalling import RecallService
    from memdesk.services.remembering import ItemsService

_PAGE: Final = 500
_OWNER: Final = Field(default="", alias="apiKeyId", description="Whose memory; leave out for your own.")


class SearchEntries(Arguments):
    """Arguments of ``omniroute_memory_search``."""

    owner: str = _OWNER
    query: str = Field(default="", description="What to look for; the latest entries when left out.")
    type: ItemType | None = None
    max_tokens: int = Field(default=2000, alias="maxTokens", ge=0, le=16_000, description="Tokens of all entries.")
    limit: int = Field(default=20, ge=1, le=100)


class AddEntry(Arguments):
    """Arguments of ``omniroute_memory_add``."""

    owner: str = _OWNER
    session: str = Field(default="", alias="sessionId")
    type: ItemType
    key: str = Field(min_length=1, description="What names the entry: the same key changes it.")
    content: str = Field(min_length=1)
    metadata: dict[str, Any] = Field(default_factory=dict, description="Merged key by key; null takes a key out.")


class ClearEntries(Arguments):
    """Arguments of ``omniroute_memory_clear``."""

    owner: str = _OWNER
    type: ItemType | None = None
    older_than: AwareDatetime | None = Field(default=None, alias="olderThan", description="Only what was made before.")
    confirm: bool = Field(default=False, description="False only says how many would go.")


class Gateway:
    """Entries by key, for the tools and for the HTTP dialect."""

    def __init__(self, *, recall: RecallService, items: ItemsService, agents: AgentsService) -> None:
        self._recall = recall
        self._items = items
        self._agents = agents

    def add(
        self,
        agent_id: str,
        *,
        key: str,
        content: str,
        type: ItemType,  # noqa: A002 -- the field's name
        session: str = "",
        metadata: dict[str, Any] | None = None,
        expires_at: datetime | None = None,
        by: str = "",
    ) -> tuple[MemoryItem, bool]:
        """Store an entry, or change the one of this key; return it, and whether it is new."""
        self._agents.ensure(agent_id)
        meta = {**(metadata or {}), **({"sessionId": session} if session else {})}
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
        query: str = "",
        before: datetime | None = None,
    ) -> list[MemoryItem]:
        """Return entries, the latest first."""
        asked: list[Filter] = [Where("key", "ne", ""), Where("status", "eq", "active")]
        asked += [Where("type", "eq", type)] if type else []
        asked += [Where("sessionId", "eq", session)] if session else []
        asked += [Where("created_at", "lt", before)] if before else []
        scope = Scope(agent_id=agent_id)
        return list(every(self._items.page, scope, And(tuple(asked)), limit=_PAGE, query=query, descending=True))

    def search(
        self, agent_id: str, query: str, type_: ItemType | None, budget: int, limit: int, *, remote: bool
    ) -> list[MemoryItem]:
        """Return what fits a question, or the latest, within a budget of tokens; of a budget above 0 at least one.

        ``remote``: what is kept for models on this machine alone stays out of it.
        """
        if query.strip():
            hits = self._recall.search(agent_id=agent_id, query=query[:400], scope="pinned", limit=_PAGE, remote=remote)
            found = [self._items.get(hit.id) for hit in hits.items if hit.kind == "fact"]
            found = [item for item in found if item.key and type_ in {None, item.type}]
        else:
            found = [i for i in self.all(agent_id, type=type_) if not (remote and i.privacy == "local_only")]
        kept: list[MemoryItem] = []
        for item in found[:limit] if budget > 0 else ():
            budget -= estimate_tokens(item.content)
            if kept and budget < 0:
                break
            kept.append(item)
        return kept

    def forget(self, item: MemoryItem, by: str = "") -> None:
        """Forget an entry for good."""
        self._items.forget(item.id, actor="api", actor_detail=by)


def entry(item: MemoryItem) -> dict[str, Any]:
    """Return an item as OmniRoute shows a memory."""
    return {
        "id": item.id,
        "apiKeyId": item.agent_id,
        "sessionId": item.metadata.get("sessionId", ""),
        "type": item.type,
        "key": item.key,
        "content": item.content,
        "metadata": {name: value for name, value in item.metadata.items() if name != "sessionId"},
        "createdAt": item.created_at.isoformat(),
        "updatedAt": item.updated_at.isoformat(),
        "expiresAt": item.expires_at.isoformat() if item.expires_at else None,
    }


def gateway_tools(gateway: Gateway) -> list[Tool[Any]]:
    """Return ``omniroute_memory_search``, ``omniroute_memory_add`` and ``omniroute_memory_clear``."""

    def search(use: Use, given: SearchEntries) -> dict[str, Any]:
        found = gateway.search(use.agent_id, given.query, given.type, given.max_tokens, given.limit, remote=use.remote)
        tokens = sum(estimate_tokens(item.content) for item in found)
        data = {"memories": [entry(item) for item in found], "count": len(found), "totalTokens": tokens}
        return {"success": True, "data": data}

    def add(use: Use, given: AddEntry) -> dict[str, Any]:
        values = given.model_dump(exclude={"owner"})
        item, is_new = gateway.add(use.agent_id, **values, by=use.by)
        return {"success": True, "data": {"memory": entry(item), "created": is_new}}

    def clear(use: Use, given: ClearEntries) -> dict[str, Any]:
        found = gateway.all(use.agent_id, type=given.type, before=given.older_than)
        if not given.confirm:
            return {"success": True, "data": {"wouldDelete": len(found), "deletedCount": 0}}
        for item in found:
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
            read_only=False,
            agent_of=owner,
        ),
        Tool(
            name="omniroute_memory_clear",
            title="Clear entries",
            description="Forget a gateway's entries by type and age. Without confirm it only says how many would go.",
            arguments=ClearEntries,
            run=clear,
            scope="memory:write",
            read_only=False,
            destructive=True,
            agent_of=owner,
        ),
    ]
