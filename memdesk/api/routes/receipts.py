"""Receipts: why a reply saw what it saw."""

from dataclasses import replace

from fastapi import APIRouter, Request, Response

from memdesk.api.auth import caller_of, needs
from memdesk.api.feature import feature
from memdesk.api.params import AgentQuery, Cursor, Limit
from memdesk.api.plain import paged, reply
from memdesk.services.container import Services


@feature("memory", needs("memory:read"))
def router(routes: APIRouter, services: Services) -> None:
    @routes.get("/memory/receipts", summary="List receipts, newest first")
    def receipts(
        request: Request,
        agent_id: AgentQuery = None,
        conversation_id: str | None = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Response:
        caller = caller_of(request)
        found = services.chat.receipts.page(caller.agent(agent_id), conversation_id, limit=limit, cursor=cursor)
        return paged(replace(found, items=[one.told(elsewhere=caller.elsewhere) for one in found.items]))

    @routes.get("/memory/receipts/{receipt_id}", summary="One receipt")
    def receipt(receipt_id: str, request: Request) -> Response:
        return reply(services.chat.receipts.get(receipt_id).told(elsewhere=caller_of(request).elsewhere))
