"""Records and distills sessions of other programs."""

from typing import Final

from fastapi import APIRouter, Request, Response
from pydantic import Field

from memdesk.api.auth import agent_header, caller_of, needs
from memdesk.api.feature import feature
from memdesk.api.params import MAX_MESSAGES, Body
from memdesk.api.plain import reply
from memdesk.services.container import Services
from memdesk.services.importing import parse_date
from memdesk.services.recording import IngestTurn

#: Distillation may wait, a client does not.
PATIENCE_SECONDS: Final = 30.0


class TurnBody(Body):
    """One exchange; either side may be empty."""

    user: str = ""
    assistant: str = ""
    date: str | None = Field(default=None, max_length=100, description="ISO 8601, or as “1:56 pm on 8 May, 2023”.")
    user_speaker: str = Field(default="", max_length=200)
    assistant_speaker: str = Field(default="", max_length=200)


class IngestBody(Body):
    """A whole session."""

    agent_id: str | None = None
    conversation_id: str
    turns: list[TurnBody] = Field(max_length=MAX_MESSAGES)
    session_date: str | None = Field(default=None, max_length=100)
    skip_extraction: bool = Field(default=False, description="Store the transcript only.")
    wait: bool = Field(
        default=True,
        description=f"Distill before answering, for up to {PATIENCE_SECONDS:.0f} s; otherwise after the usual rest.",
    )
    title: str = Field(default="", max_length=200)


@feature("memory", needs("memory:write"))
def router(routes: APIRouter, services: Services) -> None:
    @routes.post("/memory/ingest", summary="Record a session; the same conversation again replaces it")
    def ingest(body: IngestBody, request: Request) -> Response:
        caller = caller_of(request)
        clock = services.clock
        result = services.ingest.ingest(
            agent_id=caller.need_agent(body.agent_id or agent_header(request)),
            conversation_id=body.conversation_id,
            turns=[IngestTurn(**turn.model_dump() | {"date": parse_date(turn.date, clock)}) for turn in body.turns],
            session_date=parse_date(body.session_date, clock),
            skip_extraction=body.skip_extraction,
            program=caller.token.name,
            wait=body.wait,
            patience=PATIENCE_SECONDS,
            title=body.title,
        )
        return reply(result)
