"""The tools that manage the memory: add, change, forget, list, status."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.language.text import one_line
from memdesk.domain.models import FactKind, FactStatus, Turn
from memdesk.errors import BadRequestError, NotFoundError
from memdesk.messages import say
from memdesk.ports import FactFilter
from memdesk.services.forgetting import ForgetTarget
from memdesk.services.tools.tool import Arguments, Tool, Use

if TYPE_CHECKING:
    from memdesk.services.agents import AgentsService
    from memdesk.services.forgetting import ForgettingService
    from memdesk.services.recalling import RecallService
    from memdesk.services.remembering import MemoriesService
    from memdesk.services.upkeep import StatusService

_AGENT = Field(default=None, description="Whose memory; leave out for your own.")
_ACTIVE = (FactStatus.ACTIVE,)


class AddArguments(Arguments):
    """Arguments of ``add_memory``."""

    content: str = Field(description="One self-contained statement, with names instead of pronouns.")
    kind: FactKind = Field(default=FactKind.OTHER, description="What it is about.")
    tags: list[str] = Field(default_factory=list, description="A few words to filter by.")
    salience: float = Field(default=0.6, ge=0, le=1, description="How much it matters, 0 to 1.")
    pinned: bool = Field(default=False, description="Never let it fade.")
    agent_id: str | None = _AGENT


class UpdateArguments(Arguments):
    """Arguments of ``update_memory``; omitted fields stay unchanged."""

    id: str = Field(description="Id of the fact, from search_memory or list_memories.")
    content: str | None = Field(default=None, description="The new words.")
    kind: FactKind | None = None
    tags: list[str] | None = None
    salience: float | None = Field(default=None, ge=0, le=1)
    pinned: bool | None = None
    agent_id: str | None = _AGENT


class ForgetArguments(Arguments):
    """Arguments of ``forget``."""

    ids: list[str] = Field(min_length=1, max_length=500, description="Ids, from search_memory or list_memories.")
    kind: Literal["fact", "episode", "turn"] = Field(default="fact", description="Kind of what the ids name.")
    include_messages: bool = Field(default=False, description="Also forget the messages that say it.")
    confirm: bool = Field(default=False, description="False: only say what would be forgotten. True: forget for good.")
    agent_id: str | None = _AGENT


class ListArguments(Arguments):
    """Arguments of ``list_memories``."""

    query: str = Field(default="", description="Only facts with these words.")
    kind: FactKind | None = Field(default=None, description="Only facts about this.")
    tag: str | None = Field(default=None, description="Only facts with this tag.")
    limit: int = Field(default=50, ge=1, le=500)
    cursor: str | None = Field(default=None, description="next_cursor of the previous answer.")
    agent_id: str | None = _AGENT


class StatusArguments(Arguments):
    """Arguments of ``memory_status``."""

    agent_id: str | None = _AGENT


def keeping_tools(
    *,
    recall: RecallService,
    memories: MemoriesService,
    forgetting: ForgettingService,
    agents: AgentsService,
    status: StatusService,
) -> list[Tool[Any]]:
    """Return ``add_memory``, ``update_memory``, ``forget``, ``list_memories`` and ``memory_status``."""
    read: dict[str, Callable[[str], MemoryItem | Turn]]
    read = {"fact": memories.fact, "episode": memories.episode, "turn": memories.turn}

    def own(use: Use, row_id: str, kind: str = "fact") -> MemoryItem | Turn:
        with suppress(NotFoundError):
            row = read[kind](row_id)
            if row.agent_id == use.agent_id:
                return row
        raise NotFoundError(
            say("There is no such {kind}.", kind="message" if kind == "turn" else kind),
            hint="list_memories lists them." if kind == "fact" else "search_memory finds them.",
        )

    def add(use: Use, given: AddArguments) -> dict[str, Any]:
        agents.ensure(use.agent_id)
        known = memories.same_fact(use.agent_id, given.content)
        fact = memories.add_fact(
            agent_id=use.agent_id,
            content=given.content,
            kind=given.kind,
            tags=given.tags,
            salience=given.salience,
            pinned=given.pinned,
            actor="api",
            actor_detail=use.by,
        )
        # Paraphrases count as known, too.
        return {"memory": shown(fact), "created": known is None and fact.content == one_line(given.content)}

    def update(use: Use, given: UpdateArguments) -> dict[str, Any]:
        names = given.model_fields_set - {"id", "agent_id"}
        changes = {"user_pinned" if name == "pinned" else name: getattr(given, name) for name in names}
        if not changes:
            raise BadRequestError("update_memory needs something to change.")
        fact = memories.edit_fact(own(use, given.id).id, actor="api", actor_detail=use.by, **changes)
        return {"memory": shown(fact)}

    def forget(use: Use, given: ForgetArguments) -> dict[str, Any]:
        words = [own(use, row_id, given.kind).content for row_id in given.ids]
        target = ForgetTarget(
            kind=given.kind, ids=tuple(given.ids), agent_id=use.agent_id, include_turns=given.include_messages
        )
        if not given.confirm:
            preview = forgetting.preview(target)
            hint = "Nothing was changed. Show this to the user; forget with confirm true does it for good."
            return {
                "forgotten": False,
                "would_forget": words,
                "counts": preview.counts,
                "notes": [*preview.notes, hint],
            }
        report = forgetting.forget(target, actor="api", actor_detail=use.by)
        return {"forgotten": True, "counts": report.counts, "verified": report.verified, "notes": list(report.notes)}

    def list_(use: Use, given: ListArguments) -> dict[str, Any]:
        wanted = FactFilter(agent_id=use.agent_id, query=given.query, status=_ACTIVE, kind=given.kind, tag=given.tag)
        page = memories.facts(wanted, limit=given.limit, cursor=given.cursor)
        facts = recall.sieve(use.agent_id).leaving(page.items) if use.remote else page.items
        return {"memories": [shown(fact) for fact in facts], "total": page.total, "next_cursor": page.next}

    def state(use: Use, _given: StatusArguments) -> dict[str, Any]:
        now = status.snapshot()
        agent = agents.find(use.agent_id)
        return {
            "agent_id": use.agent_id,
            "memory": agent.memory
            if agent is not None and now["enabled"]
            else "off"
            if agent is not None
            else "unknown agent",
            "facts": memories.facts(FactFilter(agent_id=use.agent_id, status=_ACTIVE), limit=1).total,
            "episodes": memories.episodes(use.agent_id, limit=1).total,
            "entities": memories.entities(use.agent_id, limit=1).total,
            "about_the_user": len(memories.identity()),
            "pending_sessions": sum(each["agent_id"] == use.agent_id for each in now["pending"]),
            "parked_sessions": sum(each["agent_id"] == use.agent_id for each in now["parked"]),
        }

    return [
        Tool(
            name="add_memory",
            title="Remember",
            description="Remember one statement for good. What says the same again answers with what is known already.",
            arguments=AddArguments,
            run=add,
            scope="memory:write",
            agent_of=_agent_of,
        ),
        Tool(
            name="update_memory",
            title="Change a memory",
            description="Change what is remembered: its words, kind, tags, weight. The former words stay in the history.",
            arguments=UpdateArguments,
            run=update,
            scope="memory:write",
            agent_of=_agent_of,
        ),
        Tool(
            name="forget",
            title="Forget",
            description=(
                "Forget facts, episodes or messages for good. Call it first without confirm: it then says what would be "
                "gone and changes nothing. Confirm only what the user agreed to."
            ),
            arguments=ForgetArguments,
            run=forget,
            scope="memory:write",
            destructive=True,
            agent_of=_agent_of,
        ),
        Tool(
            name="list_memories",
            title="List memories",
            description="List remembered facts, the latest first, by words, kind or tag. To answer a question, search.",
            arguments=ListArguments,
            run=list_,
            agent_of=_agent_of,
        ),
        Tool(
            name="memory_status",
            title="State of the memory",
            description="Say how much is remembered and what still waits to be digested.",
            arguments=StatusArguments,
            run=state,
            agent_of=_agent_of,
        ),
    ]


def shown(fact: MemoryItem) -> dict[str, Any]:
    return {
        "id": fact.id,
        "content": fact.content,
        "kind": fact.kind.value,
        "tags": list(fact.tags),
        "salience": fact.salience,
        "pinned": fact.user_pinned,
        "valid_from": fact.valid_from.isoformat() if fact.valid_from else None,
        "valid_until": fact.valid_until.isoformat() if fact.valid_until else None,
        "confirmed_at": (fact.confirmed_at or fact.created_at).isoformat(),
        "created_at": fact.created_at.isoformat(),
        "updated_at": fact.updated_at.isoformat(),
    }


def _agent_of(given: Any) -> str | None:
    found: str | None = given.agent_id
    return found
