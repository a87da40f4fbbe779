"""Folders of chats: list, create, change, delete with or without their chats."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response
from pydantic import Field

from memdesk.api.auth import needs
from memdesk.api.feature import feature
from memdesk.api.params import Body, given
from memdesk.api.plain import plain, reply
from memdesk.domain.chatting.folders import Folder
from memdesk.services.container import Services


class NewFolder(Body):
    """A folder to create."""

    name: str
    instructions: str = ""
    own_memory: Annotated[
        bool, Field(description="What is learned in its chats is used only there. This cannot be changed later.")
    ] = False
    agent_id: Annotated[str, Field(description="With a memory of its own: the agent that answers its chats.")] = (
        "default"
    )


class FolderChanges(Body):
    """Fields to change; others stay."""

    name: str | None = None
    instructions: str | None = None
    position: Annotated[int | None, Field(ge=0, description="0 is the top.")] = None
    collapsed: bool | None = None


@feature("conversations")
def router(routes: APIRouter, services: Services) -> None:
    folders = services.folders
    # Folders belong to the user, and contain chats of any agent.
    read, write = ([Depends(needs(scope, whole=True))] for scope in ("memory:read", "memory:write"))
    one = "/memory/folders/{folder_id}"

    def told(folder: Folder) -> dict[str, Any]:
        return _told(folder, folders.counts())

    @routes.get("/memory/folders", dependencies=read, summary="List folders of chats, in their order")
    def all_() -> Response:
        counts = folders.counts()
        return reply({"folders": [_told(folder, counts) for folder in folders.all()]})

    @routes.post("/memory/folders", dependencies=write, summary="Make a folder, above the others", status_code=201)
    def create(body: NewFolder) -> Response:
        return reply(
            told(
                folders.create(body.name, body.instructions, own_memory_as=body.agent_id if body.own_memory else None)
            ),
            201,
        )

    @routes.get(one, dependencies=read, summary="One folder")
    def get(folder_id: str) -> Response:
        return reply(told(folders.get(folder_id)))

    @routes.patch(one, dependencies=write, summary="Rename a folder, change its instructions or position")
    def change(folder_id: str, body: FolderChanges) -> Response:
        fields = {name: value for name, value in given(body).items() if value is not None}
        return reply(told(folders.edit(folder_id, **fields)))

    @routes.delete(one, dependencies=write, summary="Delete a folder, or say what that would do")
    def delete(
        folder_id: str,
        chats: Annotated[
            bool, Query(description="Also its chats; otherwise they stay, outside of any folder.")
        ] = False,
        learned: Annotated[bool, Query(description="With the chats, what was learned solely from them.")] = True,
        dry_run: bool = False,
    ) -> Response:
        work = folders.preview if dry_run else folders.delete
        return reply(work(folder_id, chats=chats, learned=learned))


def _told(folder: Folder, counts: dict[str, int]) -> dict[str, Any]:
    return {**plain(folder), "conversations": counts.get(folder.id, 0)}
