"""Episodes: digests of sessions."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from memdesk.api.auth import caller_of
from memdesk.api.feature import READ, WRITE, feature
from memdesk.api.moments import EndMoment, Moment
from memdesk.api.params import AgentQuery, Body, Cursor, Limit, given
from memdesk.api.plain import paged, reply
from memdesk.api.routes.forget import forgotten
from memdesk.services.container import Services
from memdesk.services.forgetting import ForgetTarget


class NewEpisode(Body):
    """The digest of a session, made by the calling program."""

    agent_id: str | None = None
    summary: str
    conversation_id: str = ""
    topics: list[str] = Field(default_factory=list)
    decisions: list[str] = Field(default_factory=list)
    action_items: list[str] = Field(default_factory=list)
    salience: float = Field(default=0.5, ge=0, le=1)
    started_at: Moment | None = None
    ended_at: Moment | None = None


class EpisodeChanges(Body):
    """Fields to change; others stay."""

    summary: str | None = None
    topics: list[str] | None = None
    decisions: list[str] | None = None
    action_items: list[str] | None = None
    salience: float | None = Field(default=None, ge=0, le=1)
    status: Literal["active", "disabled"] | None = None


@feature("episodes")
def router(routes: APIRouter, services: Services) -> None:
    memories = services.memories

    @routes.get("/memory/episodes", dependencies=READ, summary="List episodes")
    def episodes(
        request: Request,
        agent_id: AgentQuery = None,
        q: Annotated[str, Query(max_length=2000)] = "",
        status: Literal["active", "disabled", "merged", "binned", "any"] = "active",
        since: Moment | None = None,
        until: EndMoment | None = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Response:
        page = memories.episodes(
            agent_id=caller_of(request).agent(agent_id),
            query=q,
            status=None if status == "any" else status,
            since=since,
            until=until,
            limit=limit,
            cursor=cursor,
        )
        return paged(page)

    @routes.post("/memory/episodes", dependencies=WRITE, summary="Add an episode", status_code=201)
    def add(body: NewEpisode, request: Request) -> Response:
        caller = caller_of(request)
        values: dict[str, Any] = body.model_dump() | {"agent_id": caller.need_agent(body.agent_id)}
        services.agents.ensure(values["agent_id"])
        return reply(memories.add_episode(**values, **caller.by), 201)

    @routes.get("/memory/episodes/{episode_id}", dependencies=READ, summary="One episode")
    def one(episode_id: str) -> Response:
        return reply(memories.episode(episode_id))

    @routes.patch("/memory/episodes/{episode_id}", dependencies=WRITE, summary="Change an episode")
    def change(episode_id: str, body: EpisodeChanges, request: Request) -> Response:
        return reply(memories.edit_episode(episode_id, **caller_of(request).by, **given(body)))

    @routes.delete("/memory/episodes/{episode_id}", dependencies=WRITE, summary="Forget an episode")
    def forget(episode_id: str, request: Request, dry_run: bool = False) -> Response:
        episode = memories.episode(episode_id)
        target = ForgetTarget(kind="episode", ids=(episode.id,), agent_id=episode.agent_id)
        return forgotten(request, target, dry_run=dry_run)
