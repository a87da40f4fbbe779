"""Threads: list, rename, export, delete including what was learned from them."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from memdesk.api.auth import caller_of
from memdesk.api.feature import READ, WRITE, feature
from memdesk.api.params import AgentQuery, Body, Cursor, Limit
from memdesk.api.plain import paged, reply
from memdesk.domain.models import MemoryMode
from memdesk.services.container import Services


class ThreadChanges(Body):
    """Fields to change; others stay."""

    title: str | None = None
    pinned: bool | None = None
    archived: bool | None = None
    memory: MemoryMode | None = None
    folder_id: Annotated[str | None, Field(description="A folder's id; empty: out of its folder.")] = None


@feature("conversations")
def router(routes: APIRouter, services: Services) -> None:
    threads = services.conversations
    one = "/memory/conversations/{conversation_id:path}"

    @routes.get("/memory/conversations", dependencies=READ, summary="List threads, newest first")
    def conversations(
        request: Request,
        agent_id: AgentQuery = None,
        q: Annotated[str, Query(max_length=2000)] = "",
        archived: bool | None = None,
        folder_id: Annotated[str | None, Query(description="Those in this folder; empty: those in none.")] = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Response:
        agent = caller_of(request).agent(agent_id)
        return paged(threads.page(agent, q, archived, limit, cursor, folder=folder_id))

    @routes.get("/memory/export", dependencies=READ, summary="A thread as Markdown or JSON")
    def export(
        request: Request,
        conversation_id: str,
        agent_id: AgentQuery = None,
        form: Annotated[Literal["md", "json"], Query(alias="format")] = "md",
    ) -> Response:
        agent = caller_of(request).need_agent(agent_id)
        kind = "text/markdown" if form == "md" else "application/json"
        return Response(threads.export(agent, conversation_id, form), media_type=kind)

    @routes.get(one, dependencies=READ, summary="One thread")
    def get(conversation_id: str, request: Request, agent_id: AgentQuery = None) -> Response:
        return reply(threads.get(caller_of(request).need_agent(agent_id), conversation_id))

    @routes.patch(one, dependencies=WRITE, summary="Change a thread")
    def change(conversation_id: str, body: ThreadChanges, request: Request, agent_id: AgentQuery = None) -> Response:
        agent = caller_of(request).need_agent(agent_id)
        thread = threads.get(agent, conversation_id)
        if body.title is not None:
            thread = threads.rename(agent, conversation_id, body.title)
        if body.pinned is not None:
            thread = threads.pin(agent, conversation_id, body.pinned)
        if body.archived is not None:
            thread = threads.archive(agent, conversation_id, body.archived)
        if body.memory is not None:
            thread = threads.set_memory(agent, conversation_id, body.memory)
        if body.folder_id is not None:
            caller_of(request).need_whole()
            thread = threads.move(agent, conversation_id, body.folder_id or None)
        return reply(thread)

    @routes.delete(one, dependencies=WRITE, summary="Delete a thread, or say what that would do")
    def delete(
        conversation_id: str,
        request: Request,
        agent_id: AgentQuery = None,
        learned: Annotated[bool, Query(description="Also what was learned solely from it.")] = True,
        dry_run: bool = False,
    ) -> Response:
        agent = caller_of(request).need_agent(agent_id)
        return reply(threads.delete(agent, conversation_id, learned, dry_run))
