"""The user's own questions, each with the line that must be found."""

from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from memdesk.api.auth import caller_of
from memdesk.api.feature import READ, WRITE, feature
from memdesk.api.params import AgentQuery, Body
from memdesk.api.plain import listed, reply
from memdesk.services.container import Services


class NewTest(Body):
    """A question and the line that must be found for it."""

    agent_id: str | None = Field(default=None, max_length=300)
    question: str = Field(max_length=8000)
    line: str = Field(max_length=2000)


class ReceiptLine(Body):
    """A line of a receipt."""

    kind: Literal["identity", "fact", "episode", "detail", "turn"]
    id: str = Field(max_length=300)


class Whose(Body):
    """Whose tests to run; by default all that the token may access."""

    agent_id: str | None = Field(default=None, max_length=300)


@feature("memory")
def router(routes: APIRouter, services: Services) -> None:
    tests = services.tests

    @routes.get("/memory/tests", dependencies=READ, summary="Memory tests, those that fail first")
    def every(request: Request, agent_id: AgentQuery = None) -> Response:
        return listed(tests.all(caller_of(request).agent(agent_id)))

    @routes.post("/memory/tests", dependencies=WRITE, summary="Add a memory test and run it", status_code=201)
    def add(body: NewTest, request: Request) -> Response:
        agent_id = caller_of(request).need_agent(body.agent_id)
        made = tests.add(agent_id=agent_id, question=body.question, line=body.line)
        return reply({"id": made.id, "state": made.state}, 201)

    @routes.post(
        "/memory/receipts/{receipt_id}/test",
        dependencies=WRITE,
        summary="Make a memory test of a receipt's question and one of its lines",
        status_code=201,
    )
    def always(receipt_id: str, body: ReceiptLine) -> Response:
        made = tests.add_from(receipt_id, body.kind, body.id)
        return reply({"id": made.id, "state": made.state}, 201)

    @routes.post("/memory/tests/run", dependencies=READ, summary="Run memory tests now")
    def run(body: Whose, request: Request) -> Response:
        return listed(tests.run(caller_of(request).agent(body.agent_id)))

    @routes.delete("/memory/tests/{test_id}", dependencies=WRITE, summary="Drop a memory test")
    def remove(test_id: str) -> Response:
        tests.remove(test_id)
        return reply({"removed": test_id})
