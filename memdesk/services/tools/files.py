"""Anthropic's memory tool: files below ``/memories`` that an agent keeps for itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import Field, model_validator

from memdesk.errors import BadRequestError
from memdesk.services.tools.tool import Arguments, Tool, Use

if TYPE_CHECKING:
    from memdesk.services.notes import OwnFiles

MEMORY_FILES: Final = "memory"
#: Required arguments of each command.
_NEEDS: Final[dict[str, tuple[str, ...]]] = {
    "view": ("path",),
    "create": ("path", "file_text"),
    "str_replace": ("path", "old_str"),
    "insert": ("path", "insert_line", "insert_text"),
    "delete": ("path",),
    "rename": ("old_path", "new_path"),
}


class FilesArguments(Arguments):
    """Arguments of ``memory``; which of them are needed depends on the command."""

    command: Literal["view", "create", "str_replace", "insert", "delete", "rename"] = Field(description="What to do.")
    path: str = Field(default="", description="A file or folder, from /memories on.")
    view_range: list[int] | None = Field(default=None, description="For view: first and last line; -1 is the end.")
    file_text: str | None = Field(default=None, description="For create: the file's text.")
    old_str: str | None = Field(
        default=None, description="For str_replace: text that appears exactly once in the file."
    )
    new_str: str = Field(default="", description="For str_replace: what replaces it.")
    insert_line: int | None = Field(
        default=None, description="For insert: the line to insert after; 0 is the beginning."
    )
    insert_text: str | None = Field(default=None, description="For insert: the line.")
    old_path: str = Field(default="", description="For rename.")
    new_path: str = Field(default="", description="For rename.")

    @model_validator(mode="before")
    @classmethod
    def _refuse_nul(cls, data: dict[str, Any]) -> dict[str, Any]:
        """Refuse paths that no file system allows, before all texts are cleaned."""
        if any("\0" in str(data.get(name)) for name in ("path", "old_path", "new_path")):
            raise ValueError("a path holds no NUL")
        return data


def files_tool(files: OwnFiles) -> Tool[FilesArguments]:
    def run(use: Use, given: FilesArguments) -> dict[str, Any]:
        needed = {name: getattr(given, name) for name in _NEEDS[given.command]}
        if missing := [name for name, value in needed.items() if value in (None, "") and name != "file_text"]:
            raise BadRequestError(f"{given.command} needs {', '.join(missing)}.")
        if given.command == "view":
            return {"text": files.view(use.agent_id, given.path, given.view_range)}
        if given.command == "str_replace":
            needed["new_str"] = given.new_str
        if given.command == "create":
            needed["file_text"] = given.file_text or ""
        return {"text": getattr(files, given.command)(use.agent_id, **needed, by=use.by)}

    return Tool(
        name=MEMORY_FILES,
        title="Files of the memory",
        description=(
            "Keep notes for later in files below /memories: view a file or folder, create, str_replace, insert, delete, "
            "rename. Look into /memories before a task, and write down what later sessions will need."
        ),
        arguments=FilesArguments,
        run=run,
        scope="memory:write",
        destructive=True,
    )
