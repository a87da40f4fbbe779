"""Parameters that many routes share."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query
from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator

Limit = Annotated[int, Query(ge=1, le=500, description="Items a page.")]
Cursor = Annotated[str | None, Query(max_length=2000, description="`next` of the page before.")]
AgentQuery = Annotated[str | None, Query(max_length=200, description="Only this agent's.")]


def readable(value: Any) -> Any:
    """Return JSON data without what no text holds: NUL, and half of a surrogate pair.

    JSON can spell a half; programs that cut texts by length send one whenever the cut goes through an emoji.
    """
    if isinstance(value, str):
        return value if value.isascii() and "\0" not in value else _cleaned(value)
    if isinstance(value, list):
        return [readable(each) for each in value]
    if isinstance(value, dict):
        return {readable(key): readable(each) for key, each in value.items()}
    return value


def _cleaned(text: str) -> str:
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


#: A request body without a model of its own.
FreeBody = Annotated[dict[str, Any], BeforeValidator(readable)]


class _Readable(BaseModel):
    @model_validator(mode="before")
    @classmethod
    def _make_readable(cls, data: Any) -> Any:
        return readable(data)


class Body(_Readable):
    """A request body: unknown fields are refused, so that a misspelt one is not silently ignored."""

    model_config = ConfigDict(extra="forbid")


class OpenBody(_Readable):
    """A request body in the OpenAI shape: unknown fields are ignored, as its clients expect."""

    model_config = ConfigDict(extra="ignore")


def given(body: BaseModel) -> dict[str, Any]:
    """Return the fields that the client sent, with their names in Python."""
    return {name: getattr(body, name) for name in body.model_fields_set}
