"""Attachments in the window: pictures, small and large, and files' text as read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon, QImage, QKeyEvent, QPixmap
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QWidget

from memdesk.domain.chatting.files import SentFile
from memdesk.domain.chatting.images import Image
from memdesk.gui.icons import icon
from memdesk.gui.operations.files import write_bytes
from memdesk.gui.pages import PageContext
from memdesk.gui.pictures import thumbnail, whole
from memdesk.gui.text import tr
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.copying import copying
from memdesk.gui.widgets.dialog import Dialog, lay
from memdesk.gui.widgets.files import ask_place
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.richtext import PlainBox
from memdesk.gui.words import number

_REMOVE = {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}


@dataclass(frozen=True, slots=True)
class Small:
    """A thumbnail, and how to load the whole picture (on a lane)."""

    name: str
    picture: QImage
    fetch: Callable[[], Image]

    @classmethod
    def of(cls, image: Image) -> Small:
        return cls(image.name, thumbnail(image), lambda: image)


class Thumbnail(QPushButton):
    """A small picture. ``opened`` has it when pressed; with ``removable``, ``removed``: the user removed it."""

    opened = Signal(object)
    removed = Signal()

    def __init__(self, small: Small, *, side: int, removable: bool = False) -> None:
        super().__init__()
        self.setProperty("variant", "picture")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._removable = removable
        name = small.name or self.tr("A picture")
        self.setAccessibleName(self.tr("Picture: {name}").format(name=name))
        self.setToolTip(name + ("\n" + self.tr("Delete takes it away.") if removable else ""))
        most = Theme.current().px(side)
        if small.picture.isNull():
            self.setIcon(icon("circle-alert", "muted"))
            self.setFixedSize(most, most)
        else:
            size = small.picture.size()
            if max(size.width(), size.height()) > most:
                size = size.scaled(QSize(most, most), Qt.AspectRatioMode.KeepAspectRatio)
            size = size.expandedTo(QSize(Theme.current().px(28), Theme.current().px(28)))
            self.setIcon(QIcon(drawn_at(small.picture, size)))
            self.setIconSize(size)
            self.setFixedSize(size + QSize(8, 8))
        self.clicked.connect(lambda _checked: self.opened.emit(small))
        if removable:
            self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            self.customContextMenuRequested.connect(self._show_menu)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Remove on Delete, open on Enter."""
        if self._removable and event.key() in _REMOVE:
            self.removed.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    def _show_menu(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(icon("eye"), self.tr("View"), self.click)
        menu.addAction(icon("x"), self.tr("Remove"), self.removed.emit)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))


class LargePicture(Dialog):
    """A picture as large as the window allows, to copy or save."""

    def __init__(self, parent: QWidget, context: PageContext, image: Image) -> None:
        super().__init__(parent, image.name or tr("Picture"), width=360)
        self._context, self._image = context, image
        self._picture = whole(image)
        label = QLabel()
        label.setAccessibleName(self.tr("Picture: {name}").format(name=image.name or tr("Picture")))
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        window = parent.window().size()
        room = QSize(int(window.width() * 0.8), int(window.height() * 0.6))
        size = self._picture.size()
        if size.width() > room.width() or size.height() > room.height():
            size = size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        label.setPixmap(drawn_at(self._picture, size))
        lay(self, label)
        self.foot.insertWidget(0, Button(self.tr("Copy"), self._copy, icon_name="copy"))
        self.set_cancel(self.tr("Close"))
        self.set_action(self.tr("Save as…"), self._ask)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setImage(self._picture)

    def _ask(self) -> None:
        ending = self._image.media_type.partition("/")[2]
        name = self._image.name.rpartition(".")[0] or tr("Picture")
        ask_place(self, self.tr("Save the picture"), self.save, f"{name}.{ending}")

    def save(self, path: str) -> None:
        """Write the picture to a file."""
        image = self._image
        self._context.bridge.run(
            self, lambda: write_bytes(path, image.content), lambda _none: self.accept(), self.show_fault
        )


class FileRead(Dialog):
    """What a model got of a file: all of its text, or passages with their positions."""

    def __init__(self, parent: QWidget, file: SentFile) -> None:
        super().__init__(parent, file.name, width=640)
        said = self.tr("The model was given all of it.")
        if file.passages:
            chosen, every = map(number, file.passages)
            said = self.tr(
                "Too long to be read at once: the model was given {n} of {all} passages, those closest to the message."
            )
            said = said.format(n=chosen, all=every)
        height = min(Theme.current().px(420), int(parent.height() * 0.6))
        self.box = PlainBox(file.text, self.tr("What was read"), height=height)
        lay(self, Label(size_of(replace(file, passages=None)), "muted"), Label(said, "muted", wrap=True), self.box)
        self.foot.insertWidget(0, copying(Button(self.tr("Copy"), icon_name="copy"), self.box.toPlainText))
        self.set_cancel(self.tr("Close"))


def size_of(file: SentFile) -> str:
    """Return a file's length, and how much of it was read if not all."""
    size = tr("%Ln pages", "", file.pages) if file.pages else tr("%Ln characters", "", file.chars)
    if file.passages:
        chosen, every = map(number, file.passages)
        size += " · " + tr("{n} of {all} passages read").format(n=chosen, all=every)
    return size


def drawn_at(picture: QImage, size: QSize) -> QPixmap:
    """Return a picture at a size in logical px, at the screen's resolution."""
    ratio = QGuiApplication.primaryScreen().devicePixelRatio()
    keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    drawn = QPixmap.fromImage(picture.scaled(size * ratio, keep, smooth))
    drawn.setDevicePixelRatio(ratio)
    return drawn
