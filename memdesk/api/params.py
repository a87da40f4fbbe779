"""Parameters shared by many routes."""

from typing import Annotated, Any, Final

from fastapi import Query
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ValidatorFunctionWrapHandler,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from memdesk.domain.decoding import cleaned

#: Per request. No context holds more, and reading them takes a model's time.
MAX_MESSAGES: Final = 10_000

Limit = Annotated[int, Query(ge=1, le=500, description="Items per page.")]
Cursor = Annotated[str | None, Query(max_length=2000, description="`next` of the previous page.")]
AgentQuery = Annotated[str | None, Query(max_length=300, description="Only this agent's.")]


#: A request body without a model of its own.
FreeBody = Annotated[dict[str, Any], BeforeValidator(cleaned)]


class _Readable(BaseModel):
    @model_validator(mode="before")
    @classmethod
    def _make_readable(cls, data: Any) -> Any:
        return cleaned(data)

    @field_validator("*", mode="wrap")
    @classmethod
    def _keep_types(cls, value: Any, take: ValidatorFunctionWrapHandler) -> Any:
        """Reject 0 and "no" for a boolean, true and "1" for a number: only types in the description are accepted."""
        taken = take(value)
        if isinstance(taken, int | float) and (
            isinstance(taken, bool) is not isinstance(value, bool) or isinstance(value, str)
        ):
            wanted = "true or false" if isinstance(taken, bool) else "a number"
            raise PydanticCustomError("bool_type", f"Input should be {wanted}")
        return taken


class Body(_Readable):
    """A request body: unknown fields are rejected, so that a typo is not silently ignored."""

    model_config = ConfigDict(extra="forbid")


class OpenBody(_Readable):
    """A request body in the OpenAI shape: unknown fields are ignored, as its clients expect."""

    model_config = ConfigDict(extra="ignore")


def given(body: BaseModel) -> dict[str, Any]:
    """Return the fields that the client sent, by their Python names."""
    return {name: getattr(body, name) for name in body.model_fields_set}
