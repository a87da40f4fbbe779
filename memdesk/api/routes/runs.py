"""Consolidation: run it, see what it did, undo it."""

from fastapi import APIRouter, Depends, Response

from memdesk.api.auth import needs
from memdesk.api.feature import feature
from memdesk.api.params import Body, Cursor, Limit
from memdesk.api.plain import paged, reply
from memdesk.services.container import Services


class ConsolidateBody(Body):
    """How to run it."""

    dry_run: bool = False
    agent_id: str | None = None


@feature("work")
def router(routes: APIRouter, services: Services) -> None:
    work = services.consolidation
    read = [Depends(needs("memory:read", whole=True))]
    write = [Depends(needs("memory:write", whole=True))]

    @routes.post("/memory/consolidate", dependencies=write, summary="Consolidate now, or say what that would change")
    def consolidate(body: ConsolidateBody) -> Response:
        return reply(work.run(dry_run=body.dry_run, trigger="api", agent_id=body.agent_id))

    @routes.get("/memory/runs", dependencies=read, summary="Past runs, newest first")
    def runs(limit: Limit = 50, cursor: Cursor = None) -> Response:
        return paged(work.runs(limit=limit, cursor=cursor))

    @routes.get("/memory/runs/{run_id}/changes", dependencies=read, summary="What a run changed")
    def changes(run_id: str, limit: Limit = 100, cursor: Cursor = None) -> Response:
        return paged(work.changes(run_id, limit=limit, cursor=cursor))

    @routes.post("/memory/runs/{run_id}/undo", dependencies=write, summary="Take a run back")
    def undo(run_id: str) -> Response:
        return reply(work.undo(run_id))
