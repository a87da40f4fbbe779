"""What needs the user's decision: doubtful candidates and contradictions."""

from typing import Literal

from fastapi import APIRouter, Request, Response

from memdesk.api.auth import caller_of
from memdesk.api.feature import READ, WRITE, feature
from memdesk.api.params import AgentQuery, Body, Cursor, Limit
from memdesk.api.plain import listed, paged, reply
from memdesk.services.container import Services


class Acceptance(Body):
    """Accept a candidate, with a new text if given."""

    content: str | None = None


class Rejection(Body):
    """Reject a candidate, permanently if wanted."""

    never_again: bool = False


class Resolution(Body):
    """The side of a contradiction to keep."""

    keep: Literal["old", "new", "both"]


@feature("review")
def router(routes: APIRouter, services: Services) -> None:
    review = services.review

    @routes.get("/memory/review", dependencies=READ, summary="Candidates that wait")
    def items(request: Request, agent_id: AgentQuery = None, limit: Limit = 50, cursor: Cursor = None) -> Response:
        return paged(review.items(caller_of(request).agent(agent_id), limit, cursor))

    @routes.post("/memory/review/{fact_id}/accept", dependencies=WRITE, summary="Keep a candidate")
    def accept(fact_id: str, body: Acceptance) -> Response:
        return reply(review.accept(fact_id, body.content))

    @routes.post("/memory/review/{fact_id}/reject", dependencies=WRITE, summary="Drop a candidate")
    def reject(fact_id: str, body: Rejection) -> Response:
        return reply({"rejected": True, "result": review.reject(fact_id, body.never_again)})

    @routes.get("/memory/review/rules", dependencies=READ, summary="What is never stored")
    def rules(request: Request) -> Response:
        caller_of(request).need_whole()
        return listed(list(review.rules()))

    @routes.delete("/memory/review/rules/{rule_id}", dependencies=WRITE, summary="Drop such a rule")
    def remove_rule(rule_id: str, request: Request) -> Response:
        caller_of(request).need_whole()
        review.remove_rule(rule_id)
        return reply({"removed": rule_id})

    @routes.get("/memory/contradictions", dependencies=READ, summary="Facts that contradict each other")
    def contradictions(request: Request, agent_id: AgentQuery = None) -> Response:
        return listed(list(review.contradictions(caller_of(request).agent(agent_id))))

    @routes.post("/memory/contradictions/{card_id}", dependencies=WRITE, summary="Say which side to keep")
    def resolve(card_id: str, body: Resolution) -> Response:
        return reply({"resolved": card_id, "result": review.resolve_contradiction(card_id, body.keep)})
