"""A tool: name, description for a model, typed arguments, required scope, and action."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError, model_validator

from memdesk.domain.decoding import cleaned
from memdesk.errors import BadRequestError

A = TypeVar("A", bound=BaseModel)
#: The default agent of programs.
DEFAULT_AGENT = "default"


class Arguments(BaseModel):
    """Arguments of a tool. Unknown ones are ignored: models invent them."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True)

    @model_validator(mode="before")
    @classmethod
    def _make_readable(cls, data: Any) -> Any:
        return cleaned(data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One use of a tool.

    Attributes:
        agent_id: whose memory.
        by: name of the program, recorded in the history of its changes.
        remote: the result leaves this machine.
        room: maximum tokens of the result; None for no limit. A short result leaves out ids.
    """

    agent_id: str
    by: str = ""
    room: int | None = None
    remote: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Generic[A]):
    """One tool.

    Attributes:
        description: for the model: what it does and when to use it.
        scope: the required scope of a token.
        run: runs it; returns a JSON object.
        answer: the shape of that object, if it is always the same.
        destructive: its changes lose data.
        agent_of: returns the agent named in the arguments; None: they never name one.
    """

    name: str
    title: str
    description: str
    arguments: type[A]
    run: Callable[[Use, A], dict[str, Any]]
    scope: str = "memory:read"
    destructive: bool = False
    answer: Any = None
    agent_of: Callable[[A], str | None] | None = None

    def parse(self, arguments: dict[str, Any]) -> A:
        """Return checked arguments.

        Raises:
            BadRequestError: one is missing or of a wrong type; the message names it, never its value.
        """
        try:
            return self.arguments.model_validate(arguments)
        except ValidationError as error:
            wrong = "; ".join(
                f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg']}" for each in error.errors()[:5]
            )
            raise BadRequestError(f"{self.name} cannot use these arguments: {wrong}.") from None

    def schema(self) -> dict[str, Any]:
        """Return the arguments as JSON schema, without the titles that only repeat names."""
        found: dict[str, Any] = _untitled(self.arguments.model_json_schema())
        found.setdefault("properties", {})
        found.pop("description", None)
        return found

    def told(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "arguments": self.schema(),
            "answer": None if self.answer is None else _untitled(TypeAdapter(self.answer).json_schema()),
            "scope": self.scope,
            "read_only": self.scope == "memory:read",
            "destructive": self.destructive,
        }

    def as_function(self, *, without: Collection[str] = ()) -> dict[str, Any]:
        """Return the tool as an OpenAI function, without some arguments."""
        schema = self.schema()
        for name in without:
            schema["properties"].pop(name, None)
        told = {"name": self.name, "description": self.description, "parameters": schema}
        return {"type": "function", "function": told}


def _untitled(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_untitled(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    # A property may itself be called "title"; then it is a schema, not a text.
    return {name: _untitled(each) for name, each in schema.items() if name != "title" or not isinstance(each, str)}
