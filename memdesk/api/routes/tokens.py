"""Tokens of the server's clients."""

from fastapi import APIRouter, Response
from pydantic import Field

from memdesk.api.auth import needs
from memdesk.api.feature import feature
from memdesk.api.params import Body
from memdesk.api.plain import listed, plain, reply
from memdesk.services.container import Services
from memdesk.services.guarding import TokenScope


class NewToken(Body):
    """A token to issue."""

    name: str
    scopes: list[TokenScope] | None = None
    agents: list[str] | None = Field(
        default=None, max_length=1000, description="The agents it reaches; all if left out."
    )
    agent_id: str | None = Field(default=None, description="The same, for one agent.")
    days: int | None = Field(default=None, ge=1, le=36_500)


@feature("tokens", needs("admin", whole=True))
def router(routes: APIRouter, services: Services) -> None:
    tokens = services.tokens

    @routes.get("/memory/tokens", summary="List tokens; never their secrets")
    def all_() -> Response:
        return listed(tokens.all())

    @routes.post("/memory/tokens", summary="Issue a token; its secret is shown this once", status_code=201)
    def create(body: NewToken) -> Response:
        agents = body.agents
        if body.agent_id is not None:
            agents = [*(agents or ()), body.agent_id]
        token, secret = tokens.create(body.name, body.scopes, agents, body.days)
        return reply(plain(token) | {"secret": secret}, 201)

    @routes.delete("/memory/tokens/{token_id}", summary="Revoke a token at once")
    def revoke(token_id: str) -> Response:
        return reply(tokens.revoke(token_id))
