"""Folders of notes that are remembered as they are."""

from fastapi import APIRouter, Response
from pydantic import Field

from memdesk.api.auth import needs
from memdesk.api.feature import feature
from memdesk.api.params import Body, given
from memdesk.api.plain import listed, reply
from memdesk.services.container import Services
from memdesk.settings.schema import NoteSearch


class NewFolder(Body):
    """A folder, or one file."""

    path: str = Field(min_length=1, max_length=4000)
    agent: str = Field(default="default", min_length=1, max_length=300)
    include: list[str] = Field(default_factory=list, max_length=100)
    local_only: bool = False
    append: bool = False
    sync_minutes: int = Field(default=0, ge=0, le=1440)
    search: NoteSearch = NoteSearch()


class FolderChange(Body):
    """How a folder is read and searched from now on; other options stay."""

    include: list[str] = Field(default_factory=list, min_length=1, max_length=100)
    local_only: bool = False
    append: bool = False
    sync_minutes: int = Field(default=0, ge=0, le=1440)
    search: NoteSearch = NoteSearch()


class Look(Body):
    """The folder to scan; without an id all of them."""

    id: str | None = None
    force: bool = False


# A folder belongs to the machine, not to one agent: adding one reads the user's disk.
@feature("notes", needs("admin", whole=True))
def router(routes: APIRouter, services: Services) -> None:
    notes = services.notes

    @routes.get("/memory/notes", summary="Folders of notes, with what is remembered of each")
    def folders() -> Response:
        return listed(notes.folders())

    @routes.post("/memory/notes", summary="Remember a folder of notes", status_code=201)
    def add(body: NewFolder) -> Response:
        return reply(notes.add(**dict(body)), 201)

    @routes.patch("/memory/notes/{folder_id}", summary="Change how a folder of notes is read or searched")
    def change(folder_id: str, body: FolderChange) -> Response:
        return reply(notes.change(folder_id, **given(body)))

    @routes.delete("/memory/notes/{folder_id}", summary="Forget a folder of notes; its files stay")
    def remove(folder_id: str) -> Response:
        return reply({"files": notes.remove(folder_id)})

    @routes.post("/memory/notes/sync", summary="Scan folders of notes now")
    def sync(body: Look) -> Response:
        return reply(notes.sync(body.id, force=body.force))
