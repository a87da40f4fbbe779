"""What is kept besides facts: files that agents write, links, passages of notes."""

import os
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

from PySide6.QtCore import QObject, QProcess, QUrl
from PySide6.QtGui import QDesktopServices

from memdesk.domain.items.filters import And, Filter, Or, Where
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.scope import Scope
from memdesk.domain.models import Page, cursor_at
from memdesk.gui.bridge import ServiceOp
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr
from memdesk.services.container import Services
from memdesk.services.notes import OwnFile

#: How graphical editors take a line number.
_AT_LINE: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("code", "code-insiders", "codium", "cursor", "windsurf"), ("-g", "{file}:{line}")),
    **dict.fromkeys(("subl", "zed", "zeditor"), ("{file}:{line}",)),
    **dict.fromkeys(("emacs", "geany", "gedit", "gnome-text-editor", "gvim", "pluma", "xed"), ("+{line}", "{file}")),
    "kate": ("--line", "{line}", "{file}"),
}
#: Plain-text notes: line numbers of other files refer to their extracted text.
_LINED: Final = frozenset({".md", ".markdown", ".txt"})
_LINKS = Where("form", "eq", "link")
#: Passages of an agent's own files are shown as the files.
_PASSAGES = And((Where("form", "eq", "passage"), Where("folder", "ne", None)))
_FORMS: dict[str, Filter] = {"link": _LINKS, "passage": _PASSAGES, "": Or((_LINKS, _PASSAGES))}


@dataclass(frozen=True, slots=True)
class Kept:
    """One thing of the list: a file that an agent wrote, or an item (a link, a passage of a note).

    Attributes:
        agent: name of its agent.
    """

    item: MemoryItem | None = None
    file: OwnFile | None = None
    agent: str = ""

    @property
    def id(self) -> str:
        return self.item.id if self.item is not None else self.file.id if self.file is not None else ""

    @property
    def kind(self) -> str:
        """What it is: file, link or passage."""
        return self.item.form if self.item is not None else "file"


def editor_at(file: str, line: int) -> list[str]:
    """Return the command that opens a file at a line: the editor of ``$VISUAL`` or ``$EDITOR``, if it is graphical.

    Empty if neither is known to take a line number.
    """
    try:
        named = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "")
    except ValueError:
        return []
    takes = _AT_LINE.get(PurePath(named[0]).stem) if named and not {"-nw", "-t"} & set(named) else None
    program = shutil.which(named[0]) if takes else None
    return [program, *named[1:], *(part.format(file=file, line=line) for part in takes)] if takes and program else []


def open_note(context: PageContext, parent: QObject, *, agent_id: str, file: str, line: int = 0) -> ServiceOp[Path]:
    """Open a note, at a line if the user's editor supports it, else with the system's default program.

    Report a missing one.
    """
    notes = context.services.notes

    def opened(path: Path) -> None:
        command = editor_at(str(path), line) if line and path.suffix.casefold() in _LINED else []
        if command and QProcess.startDetached(command[0], command[1:])[0]:
            return
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            context.notices.info(tr("No program opens this file"), str(path))

    op = context.bridge.call(parent, notes.file, agent_id, file)
    return op.success(opened)


def read_kept(
    services: Services, agent_id: str | None, kind: str, query: str, limit: int, cursor: str | None
) -> Page[Kept]:
    """Return a page of what is kept: files first, then links and passages, newest first. Runs on a lane.

    ``kind`` is file, link, passage or empty for all of them, ``cursor`` one of :func:`cursor_at`.
    """
    start = int(cursor.removeprefix("@")) if cursor else 0
    names = {agent.id: agent.name for agent in services.agents.all()}
    files = services.own_files.all(agent_id, query) if kind in {"", "file"} else []
    found = [Kept(file=file, agent=names.get(file.agent_id, file.agent_id)) for file in files[start : start + limit]]
    if kind == "file":
        return Page(found, len(files))
    page = services.items.page(
        Scope(agent_id=agent_id),
        _FORMS[kind],
        query=query,
        descending=True,
        limit=max(1, limit - len(found)),
        cursor=cursor_at(max(0, start - len(files))),
    )
    items = page.items[: limit - len(found)]
    found += [Kept(item, agent=names.get(item.agent_id, item.agent_id)) for item in items]
    return Page(found, len(files) + page.total)


def count_kept(services: Services, agent_id: str | None) -> int:
    """Return how much is kept; runs on a lane."""
    items = services.items.page(Scope(agent_id=agent_id), _FORMS[""], limit=1).total
    return items + len(services.own_files.all(agent_id))


def writer_of(services: Services, kept: Kept) -> str:
    """Return the program that last changed a file or link; empty if none did. Runs on a lane."""
    ids = kept.file.passages if kept.file is not None else [kept.id]
    log = [entry for ref in ids for entry in services.history.page(kind="fact", ref_id=ref, limit=1).items]
    return max(log, key=lambda entry: entry.at).actor_detail if log else ""


def delete(context: PageContext, parent: QObject, *, kept: Kept) -> ServiceOp[object]:
    """Forget a file or a link, its words in the log included."""
    services = context.services
    if kept.file is not None:
        file = kept.file
        return context.bridge.call(parent, services.own_files.forget, file)
    return context.bridge.call(parent, services.items.forget, kept.id)


def put_back(context: PageContext, parent: QObject, *, kept: Kept) -> ServiceOp[object]:
    services, file, item = context.services, kept.file, kept.item
    if file is not None:
        return context.bridge.call(parent, services.own_files.create, file.agent_id, file.path, file.text)
    assert item is not None
    names = ("content", "form", "run_id", "key", "metadata", "privacy", "expires_at", "tags", "user_pinned")
    values = {name: getattr(item, name) for name in names}
    return context.bridge.call(parent, services.items.put, agent_id=item.agent_id, tier=item.tier, **values)
