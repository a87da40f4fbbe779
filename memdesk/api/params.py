"""Parameters that many routes share."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query
from pydantic import BaseModel, ConfigDict

Limit = Annotated[int, Query(ge=1, le=500, description="Items a page.")]
Cursor = Annotated[str | None, Query(max_length=2000, description="`next` of the page before.")]
AgentQuery = Annotated[str | None, Query(max_length=200, description="Only this agent's.")]


class Body(BaseModel):
    """A request body: unknown fields are refused, so that a misspelt one is not silently ignored."""

    model_config = ConfigDict(extra="forbid")


class OpenBody(BaseModel):
    """A request body in the OpenAI shape: unknown fields are ignored, as its clients expect."""

    model_config = ConfigDict(extra="ignore")


def given(body: BaseModel) -> dict[str, Any]:
    """Return the fields that the client sent, with their names in Python."""
    return {name: getattr(body, name) for name in body.model_fields_set}
