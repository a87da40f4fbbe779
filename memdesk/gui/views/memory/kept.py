"""The tab of what is kept besides facts: files that agents write, links, passages of notes, with sources."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices

from memdesk.domain.items.registry import form_of
from memdesk.gui.commands import Command
from memdesk.gui.icons import icon
from memdesk.gui.models.paged import PagedModel
from memdesk.gui.operations.kept import Kept, delete, open_note, put_back, read_kept, writer_of
from memdesk.gui.theme import Theme
from memdesk.gui.views.memory.listed import ListTab
from memdesk.gui.views.memory.tab import TwoLines
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import clear
from memdesk.gui.widgets.menus import tools_of
from memdesk.gui.widgets.richtext import PlainBox
from memdesk.gui.widgets.undo_bar import UndoBar
from memdesk.gui.words import day
from memdesk.services.events import AgentsChanged, MemoryChanged

ICONS = {"file": "file-text", "link": "link", "passage": "quote"}
#: Height of an entry's text, in px at 100 %.
WORDS_HEIGHT = 300


def title_of(kept: Kept) -> str:
    """Return an entry's name: its path, title, URL or first words."""
    if kept.file is not None:
        return kept.file.path
    assert kept.item is not None
    told = kept.item.metadata
    if kept.kind == "link":
        return str(told.get("title") or told.get("url") or kept.item.content)
    return " ".join(kept.item.content.split())


def place_of(kept: Kept) -> str:
    """Return an entry's location: a URL or the lines of a file; empty for an agent's own file."""
    return form_of(kept.item).cited(kept.item) if kept.item is not None else ""


def changed_at(kept: Kept) -> datetime:
    thing = kept.item or kept.file
    assert thing is not None
    return thing.updated_at


class KeptModel(PagedModel[Kept]):
    """Columns: text, last change."""

    def heads(self) -> tuple[str, ...]:
        return (self.tr("Kept"), self.tr("Changed"))

    def text(self, item: Kept, column: int) -> str:
        return title_of(item) if column == 0 else day(self.clock.local(changed_at(item)))

    def more(self, item: Kept, column: int, role: int) -> Any:
        if column:
            return Theme.current().color("muted") if role == Qt.ItemDataRole.ForegroundRole else None
        if role == TwoLines.SECOND:
            return " · ".join(part for part in (item.agent, place_of(item)) if part)
        if role == Qt.ItemDataRole.DecorationRole:
            return icon(ICONS[item.kind], "muted")
        return None


class KeptTab(ListTab):
    """List at the left, one entry at the right."""

    def build(self) -> Iterator[None]:
        context = self.context
        self.kept: Kept | None = None
        #: Deleted entries that can be restored, by number.
        self._deleted: dict[str, Kept] = {}
        self.kind = Combo(
            self.tr("What"),
            [
                ("", self.tr("Everything")),
                ("file", self.tr("Files of agents")),
                ("link", self.tr("Web links")),
                ("passage", self.tr("Passages of notes")),
            ],
        )
        below = self.narrow_by(self.tr("Search files, links and passages"), self.kind)
        yield
        model = KeptModel(context.bridge, parent=self)
        self.make_list(model, self.tr("Files and links"), "file-text", self._read)
        yield
        self.join(below, self.make_side())
        self.bar = UndoBar()
        self.bar.undone.connect(self._put_back)
        below.addWidget(self.bar)
        for kind in (MemoryChanged, AgentsChanged):
            context.bridge.on(kind, lambda _event: self._stale(), owner=self, settle_ms=400)

    def reload(self) -> None:
        services, agent_id = self.context.services, self.agent_id or None
        query, kind = self.query(), self.kind.key()
        self.model.reload(
            lambda limit, cursor: read_kept(services, agent_id, kind, query, limit, cursor),
            query=(agent_id, query, kind),
        )

    def set_agent(self, agent_id: str) -> None:
        """Show another agent's entries, and close the previous one's."""
        if agent_id != self.agent_id:
            self._close()
        super().set_agent(agent_id)

    def nothing(self) -> tuple[str, str]:
        text = self.tr(
            "Files that agents write for themselves, links that programs keep, and passages of your notes appear here."
        )
        return self.tr("No files and no links"), text

    def _close(self) -> None:
        self.kept = None
        self.side.hide()

    def _read(self, kept: Kept) -> None:
        if kept == self.kept and self.side.isVisible():
            return
        services = self.context.services
        self.context.bridge.run(
            self, lambda: writer_of(services, kept), lambda writer: self._show(kept, writer), latest="kept"
        )

    def _show(self, kept: Kept, writer: str) -> None:
        self.kept = kept
        body = self.detail.body
        clear(body)
        kinds = {
            "file": self.tr("A file that {agent} wrote"),
            "link": self.tr("A link that {agent} keeps"),
            "passage": self.tr("From your notes, for {agent}"),
        }
        came = [
            kinds[kept.kind].format(agent=kept.agent),
            self.tr("by way of {program}").format(program=writer) if writer else "",
            self.moment(changed_at(kept)),
        ]
        body.addWidget(Label(" · ".join(part for part in came if part), "small", wrap=True))
        title, text = title_of(kept), kept.file.text if kept.file is not None else ""
        if kept.item is not None:
            text = kept.item.content
        if kept.kind != "passage":
            body.addWidget(Label(title, "heading", wrap=True, selectable=True))
        place = place_of(kept)
        if place and place != title:
            body.addWidget(Label(place, "muted", wrap=True, selectable=True))
        body.addWidget(tools_of(self.commands_of(kept)))
        if text.strip() and text != title:
            body.addWidget(PlainBox(text, self.tr("Words"), height=self.context.theme.px(WORDS_HEIGHT)))
        if kept.kind == "passage":
            words = self.tr("It goes when its file does, or when the folder is removed under Settings, Memory.")
            body.addWidget(Label(words, "small", wrap=True))
        body.addStretch(1)
        self.side.show()

    def commands_of(self, item: Kept) -> list[Command]:
        told = item.item.metadata if item.item is not None else {}
        if item.item is not None and item.kind == "passage":
            file = str(Path(str(told.get("folder", "")), str(told.get("file", ""))))
            go = partial(self._open_note, item.item.agent_id or "", file, told.get("start") or 0)
            return [Command("kept.open", self.tr("Open file"), "external-link", go)]
        ways = []
        if told.get("url"):
            go = partial(_open, QUrl(str(told["url"])))
            ways.append(Command("kept.open", self.tr("Open page"), "external-link", go))
        return [*ways, Command("kept.forget", self.tr("Delete"), "trash-2", partial(self._delete, item))]

    def _open_note(self, agent_id: str, file: str, line: int) -> None:
        open_note(self.context, self, agent_id=agent_id, file=file, line=line).start()

    def _delete(self, kept: Kept) -> None:
        def deleted(_report: object) -> None:
            number = str(len(self._deleted))
            self._deleted[number] = kept
            self._close()
            self.bar.did(self.tr("{name} is deleted").format(name=title_of(kept)), number)
            self.bar.undo.setFocus()
            self.reload()

        delete(self.context, self, kept=kept).success(deleted).start()

    def _put_back(self, number: str) -> None:
        put_back(self.context, self, kept=self._deleted[number]).then(self.reload).start()


def _open(place: QUrl) -> None:
    QDesktopServices.openUrl(place)
