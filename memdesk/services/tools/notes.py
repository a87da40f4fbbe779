"""The memory of a workspace's files, with OpenClaw's names and formats: search, get, store, forget.

Source of the shapes: openclaw/openclaw, ``extensions/memory-core/src/tools.ts`` and ``extensions/memory-lancedb/index.ts``.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import AliasChoices, Field

from memdesk.domain.items.filters import Where
from memdesk.domain.items.scope import Scope as Whose
from memdesk.domain.language.text import one_line
from memdesk.domain.models import FactKind, Scope, Turn
from memdesk.domain.reading.private import masked
from memdesk.errors import MemdeskError, NotFoundError
from memdesk.messages import say
from memdesk.services.tools.tool import Arguments, Tool, Use

if TYPE_CHECKING:
    from memdesk.domain.items.item import MemoryItem
    from memdesk.services.agents import AgentsService
    from memdesk.services.notes import NotesService
    from memdesk.services.recalling import RecallService, SearchItem
    from memdesk.services.remembering import ItemsService, MemoriesService

#: Default number of results, and characters of one.
USUAL: Final = 6
SNIPPET: Final = 700
#: Minimum probability at which a query's only hit is forgotten.
CERTAIN: Final = 0.9
#: Path prefix of items outside files.
OWN: Final = "memdesk/"
_SCOPES: Final[dict[str, Scope]] = {"memory": "pinned", "sessions": "transcript", "all": "all"}
_KINDS: Final = {
    "preference": FactKind.PREFERENCE,
    "decision": FactKind.DECISION,
    "entity": FactKind.RELATIONSHIP,
    "fact": FactKind.OTHER,
    "other": FactKind.OTHER,
}


class SearchNotes(Arguments):
    """Arguments of ``memory_search``."""

    query: str = Field(description="What to look for, in a few words.")
    max_results: int = Field(default=USUAL, alias="maxResults", ge=1, le=100, description="Results at most.")
    min_score: float | None = Field(
        default=None, alias="minScore", ge=0, le=1, description="Only what is at least so likely."
    )
    corpus: Literal["memory", "wiki", "all", "sessions"] = Field(
        default="memory",
        description="memory: notes and facts. sessions: what was said. all: both. wiki: there is none.",
    )


class GetNote(Arguments):
    """Arguments of ``memory_get``."""

    path: str = Field(description="Path of a result of memory_search.")
    from_: int = Field(default=1, alias="from", ge=1, description="First line.")
    lines: int | None = Field(default=None, ge=1, description="How many lines; all when left out.")
    corpus: Literal["memory", "wiki", "all"] = "memory"


class StoreNote(Arguments):
    """Arguments of ``memory_store``."""

    text: str = Field(description="One self-contained statement.")
    category: Literal["preference", "decision", "entity", "fact", "other"] = "other"
    importance: float = Field(default=0.7, ge=0, le=1, description="How much it matters, 0 to 1.")


class ForgetNote(Arguments):
    """Arguments of ``memory_forget``; one of the two."""

    query: str | None = Field(default=None, description="Words to find it by.")
    id: str | None = Field(
        default=None, validation_alias=AliasChoices("id", "memoryId"), description="Its id, from memory_search."
    )


def notes_tools(
    *, recall: RecallService, items: ItemsService, notes: NotesService, memories: MemoriesService, agents: AgentsService
) -> list[Tool[Any]]:
    """Return ``memory_search``, ``memory_get``, ``memory_store`` and ``memory_forget``."""

    def own(use: Use, item_id: str) -> MemoryItem:
        with suppress(NotFoundError):
            item = items.get(item_id)
            if item.agent_id == use.agent_id:
                return item
        raise NotFoundError(say("There is no such memory."), hint=say("memory_search finds ids."))

    def found(use: Use, query: str, scope: Scope, limit: int, least: float | None) -> list[SearchItem]:
        return recall.search(
            agent_id=use.agent_id, query=query[:400], scope=scope, limit=limit, remote=use.remote, min_score=least
        ).items

    def search(use: Use, given: SearchNotes) -> dict[str, Any]:
        scope = _SCOPES.get(given.corpus)
        if scope is None:
            return {"results": [], "citations": "on"}
        try:
            hits = found(use, given.query, scope, given.max_results, given.min_score)
        except MemdeskError as error:
            # An agent that gets this answer continues without memory; a failing tool would stop it.
            return _unavailable(error)
        return {"results": [_result(hit) for hit in hits], "provider": "memdesk", "citations": "on"}

    def at(use: Use, path: str) -> str:
        """Return the text at a path; for remote readers without local-only lines. Raises like the underlying reader."""
        kind, row_id, talk = "", path, None
        if not path.startswith(OWN):
            text = notes.text(use.agent_id, path, remote=use.remote)
        else:
            kind, _, row_id = path.removeprefix(OWN).partition("/")
            row = memories.turn(row_id) if kind == "turn" else own(use, row_id)
            if row.agent_id != use.agent_id:
                return ""
            text, talk = row.content, None if isinstance(row, Turn) else row.run_id
        if not use.remote:
            return text
        sieve = recall.sieve(use.agent_id)
        return "\n".join(
            "…" if sieve.keeps(kind=kind, row_id=row_id, conversation_id=talk, text=line) else line
            for line in masked(text).split("\n")
        )

    def get(use: Use, given: GetNote) -> dict[str, Any]:
        try:
            text = at(use, given.path)
        except NotFoundError:
            text = ""
        except MemdeskError as error:
            return {"path": given.path, "text": "", "disabled": True, "error": error.message}
        if not text:
            return {"path": given.path, "text": ""}
        lines = text.split("\n")[given.from_ - 1 :]
        taken = lines if given.lines is None else lines[: given.lines]
        return {"path": given.path, "text": "\n".join(taken), "from": given.from_, "lines": len(taken)}

    def noted(use: Use, text: str) -> MemoryItem | None:
        """Return the passage of a note that has exactly this line."""
        wanted = one_line(text).casefold()
        page = items.page(Whose(agent_id=use.agent_id), Where("form", "eq", "passage"), query=wanted)
        for item in page.items:
            if wanted in (line.removeprefix("- ").casefold() for line in map(one_line, item.content.split("\n"))):
                return item
        return None

    def store(use: Use, given: StoreNote) -> dict[str, Any]:
        agents.ensure(use.agent_id)
        known = memories.same_fact(use.agent_id, given.text) or noted(use, given.text)
        if known is not None:
            return _known(known)
        if (path := notes.append(use.agent_id, given.text)) is not None:
            return {"action": "created", "path": path}
        fact = memories.add_fact(
            agent_id=use.agent_id,
            content=given.text,
            kind=_KINDS[given.category],
            salience=given.importance,
            actor="api",
            actor_detail=use.by,
        )
        return {"action": "created", "id": fact.id} if fact.content == one_line(given.text) else _known(fact)

    def forget(use: Use, given: ForgetNote) -> dict[str, Any]:
        if given.id:
            return _gone(use, own(use, given.id))
        if not given.query:
            return {"error": "missing_param"}
        hits = found(use, given.query, "pinned", USUAL, 0.0)
        if not hits:
            return {"found": 0}
        if len(hits) == 1 and hits[0].score > CERTAIN:
            return _gone(use, own(use, hits[0].id))
        candidates = [{"id": hit.id, "text": hit.text[:SNIPPET], "score": round(hit.score, 4)} for hit in hits]
        return {"action": "candidates", "candidates": candidates}

    def _gone(use: Use, item: MemoryItem) -> dict[str, Any]:
        items.forget(item.id, actor="api", actor_detail=use.by)
        told = {"action": "deleted", "id": item.id}
        file = item.metadata.get("file")
        return told | {"note": f"The words still stand in the file {file}."} if file else told

    return [
        Tool(
            name="memory_search",
            title="Search notes and memory",
            description=(
                "Search the user's notes and what is remembered, before answering about earlier work, decisions, dates, "
                "people or preferences. Results name file and lines; memory_get reads on."
            ),
            arguments=SearchNotes,
            run=search,
        ),
        Tool(
            name="memory_get",
            title="Read a note",
            description="Read lines of a note that memory_search found. A file that is not there is empty text.",
            arguments=GetNote,
            run=get,
        ),
        Tool(
            name="memory_store",
            title="Store a memory",
            description="Remember a preference, a fact or a decision. What is known already is not stored twice.",
            arguments=StoreNote,
            run=store,
            scope="memory:write",
        ),
        Tool(
            name="memory_forget",
            title="Forget a memory",
            description="Forget a memory by its id. By words it is forgotten only where nothing else fits them.",
            arguments=ForgetNote,
            run=forget,
            scope="memory:write",
            destructive=True,
        ),
    ]


def _known(item: MemoryItem) -> dict[str, Any]:
    return {"action": "duplicate", "existingId": item.id, "existingText": item.content}


def _result(hit: SearchItem) -> dict[str, Any]:
    path, _, place = hit.cited.partition("#")
    first, _, last = place.partition("-") if place.startswith("L") else ("L1", "", "L1")
    return {
        "id": hit.id,
        "path": path or f"{OWN}{hit.kind}/{hit.id}",
        "startLine": int(first[1:]),
        "endLine": int((last or first)[1:]),
        "score": round(hit.score, 4),
        "snippet": hit.text[:SNIPPET],
        "source": "memory" if hit.kind == "fact" else "sessions",
        "citation": hit.cited or f"{OWN}{hit.kind}/{hit.id}",
    }


def _unavailable(error: MemdeskError) -> dict[str, Any]:
    return {
        "results": [],
        "disabled": True,
        "unavailable": True,
        "error": error.message,
        "warning": "Tell the user that the memory cannot be searched now.",
        "action": error.hint or "Tell the user to check memdesk.",
    }
