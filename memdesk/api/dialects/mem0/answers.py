"""Response bodies of mem0's protocol."""

from __future__ import annotations

from typing import Final, Literal, NotRequired

from typing_extensions import TypedDict

from memdesk.api.shapes import Answers
from memdesk.services import library


class Pong(TypedDict):
    """Confirmation that the token is valid; mem0's clients expect an organization and a project."""

    status: str
    name: str
    org_id: str
    project_id: str
    user_email: None


class Mem0Event(library.MemoryEvent):
    """A change of a memory, with its current or former text."""

    memory: str | None


class Mem0Added(TypedDict):
    """The result of adding; ``PENDING`` with an id to query."""

    results: list[Mem0Event]
    status: NotRequired[Literal["PENDING"]]
    event_id: NotRequired[str]


class Mem0Queued(TypedDict):
    """Outcome of queued messages."""

    status: Literal["PENDING", "SUCCEEDED", "FAILED"]
    event_id: str
    problem: str
    results: list[Mem0Event]


class Mem0Told(TypedDict):
    """Confirmation."""

    message: str
    deleted: NotRequired[int]


class Mem0Past(library.History):
    """A change of a memory, also under mem0's names."""

    old_memory: str | None
    new_memory: str | None
    created_at: str
    updated_at: str


class Mem0Page(TypedDict):
    """Memories of a scope, oldest first, and the URLs of the neighboring pages."""

    count: int
    next: str | None
    previous: str | None
    results: list[library.Memory]


class Mem0Owner(library.Owner):
    """A user, an agent or a run that has memories."""

    id: str


class Mem0Owners(TypedDict):
    """Who has memories here."""

    count: int
    next: None
    previous: None
    results: list[Mem0Owner]


class NamedThing(library.Entity):
    """A named person, place, organization or thing."""


class NamedThings(TypedDict):
    """The named things of a scope."""

    results: list[NamedThing]


class Joint(library.Relation):
    """Two named things and their relation."""


class Joints(TypedDict):
    """The relations of a thing."""

    results: list[Joint]


#: By method and path.
ANSWERS: Final[Answers] = {
    "GET /ping": ("one", Pong),
    "POST /memories": ("one", Mem0Added),
    "GET /memories": ("one", library.Found),
    "DELETE /memories": ("one", Mem0Told),
    "GET /memories/search": ("one", library.Found),
    "POST /memories/search": ("one", library.Found),
    "POST /search": ("one", library.Found),
    "POST /v2/memories/search": ("one", library.Found),
    "POST /memories/list": ("one", library.Found),
    "POST /v2/memories": ("one", library.Found),
    "GET /memories/{memory_id}": ("one", library.Memory),
    "PUT /memories/{memory_id}": ("one", library.Memory),
    "DELETE /memories/{memory_id}": ("one", Mem0Told),
    "GET /memories/{memory_id}/history": ("one", list[Mem0Past]),
    "POST /v3/memories/add": ("one", Mem0Added),
    "POST /v3/memories": ("one", Mem0Page),
    "POST /v3/memories/search": ("one", library.Found),
    "PUT /batch": ("one", Mem0Told),
    "DELETE /batch": ("one", Mem0Told),
    "GET /entities": ("one", Mem0Owners),
    "DELETE /v2/entities/{kind}/{name}": ("one", Mem0Told),
    "POST /reset": ("one", Mem0Told),
    "GET /event/{event_id}": ("one", Mem0Queued),
    "POST /entities": ("one", NamedThings),
    "GET /entities/{name}/relations": ("one", Joints),
}
