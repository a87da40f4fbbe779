"""Files, pictures and long pasted texts attached to the message being written."""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtWidgets import QMenu, QWidget

from memdesk.domain.chatting.files import SentFile
from memdesk.domain.chatting.images import Image
from memdesk.domain.language.text import estimate_tokens
from memdesk.gui.icons import icon
from memdesk.gui.pages import PageContext
from memdesk.gui.pictures import as_sent, get_ready, is_picture, read_picture
from memdesk.gui.views.chat.shown import LargePicture, Small, Thumbnail, size_of
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.files import ask_files
from memdesk.gui.widgets.layout import FlowLayout, clear
from memdesk.services.documents import limited, read_document

K = TypeVar("K", str, Image)
V = TypeVar("V")
#: Longer texts cannot go into the message itself: layout would block the window at every key.
MOST_AS_TEXT = 20_000
_DOCUMENTS = ("pdf", "docx", "html", "htm", "md", "markdown", "txt")
#: Side of thumbnails, in px at 100 %.
THUMB = 56
_REMOVE = {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}


class FileChip(Button):
    """One file: its name and size, with a menu. Delete removes it."""

    removed = Signal()
    #: The user wants the file's content in the message itself.
    wanted_as_text = Signal()

    def __init__(self, name: str, content: str) -> None:
        words = f"{name} · {size_of(SentFile.of(name, content))}"
        super().__init__(words, variant="chip", icon_name="file-text")
        menu = QMenu(self)
        if len(content) <= MOST_AS_TEXT:
            menu.addAction(icon("pencil"), self.tr("Put into the message as text"), self.wanted_as_text.emit)
        menu.addAction(icon("x"), self.tr("Remove"), self.removed.emit)
        self.set_menu(menu)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _REMOVE:
            self.removed.emit()
            return
        super().keyPressEvent(event)


class AttachedFiles(QWidget):
    """Shown while there are any. ``came``: one was read; ``changed``: one was removed.

    ``unfolded``: a text to insert into the message instead.
    """

    came = Signal()
    changed = Signal()
    unfolded = Signal(str)

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self._context = context
        self._files: dict[str, str] = {}
        self._images: dict[Image, Small] = {}
        #: the order of those added since others were shown.
        self._places: dict[str | Image, int] = {}
        self._count = count()
        self._tokens: dict[str, int] = {}
        self._endings = get_ready()
        self._flow = FlowLayout(self)
        self.hide()

    @property
    def files(self) -> dict[str, str]:
        return dict(self._files)

    @property
    def images(self) -> tuple[Image, ...]:
        return tuple(self._images)

    @property
    def tokens(self) -> int:
        """Estimated tokens of the whole files."""
        return sum(self._tokens.values())

    def show_files(self, files: Mapping[str, str], images: tuple[Image, ...] = ()) -> None:
        """Show other files and pictures, without signals."""
        if (self._files, self.images) == (files, images):
            return
        self._files, self._places = dict(files), {}
        self._images = {image: self._images[image] for image in images if image in self._images}
        self._show()
        if missing := [image for image in images if image not in self._images]:
            # Thumbnails of stored pictures are made on a lane; placeholders wait for them.
            self._images = {
                image: self._images.get(image, Small(image.name, QImage(), partial(_same, image))) for image in images
            }
            self._context.bridge.run(self, lambda: list(map(Small.of, missing)), self._drawn)

    def _drawn(self, found: list[Small]) -> None:
        self._images |= {small.fetch(): small for small in found if small.fetch() in self._images}
        self._show()

    def attach(self, paths: list[str]) -> None:
        """Read files and add them; unreadable ones are reported and change nothing else.

        They keep the order of ``paths``, whichever is read first.
        """
        for path in paths:
            self._add(partial(_read, path))

    def attach_picture(self, picture: QImage) -> None:
        self._add(lambda: Small.of(as_sent(picture)))

    def attach_text(self, text: str) -> None:
        name = self.tr("Pasted text")
        self._add(lambda: (name, limited(name, text)))

    def ask(self) -> None:
        endings = " ".join(f"*.{ending}" for ending in (*_DOCUMENTS, *self._endings))
        filters = (self.tr("Documents and pictures") + f" ({endings})", self.tr("All files (*)"))
        ask_files(self.window(), self.tr("Attach files"), self.attach, *filters)

    def _add(self, read: Callable[[], tuple[str, str] | Small]) -> None:
        self._context.bridge.run(self, read, partial(self._came, next(self._count)))

    def _came(self, place: int, found: tuple[str, str] | Small) -> None:
        if isinstance(found, Small):
            self._put(self._images, found.fetch(), found, place)
        else:
            name, content = found
            self._put(self._files, name_for(name, content, self._files), content, place)
        self.came.emit()

    def _put(self, shown: dict[K, V], key: K, value: V, place: int) -> None:
        """Show one more at its position; existing ones keep theirs."""
        if key in shown:
            return
        self._places[key] = place
        later = [other for other in shown if self._places.get(other, -1) > place]
        shown[key] = value
        for other in later:
            shown[other] = shown.pop(other)
        self._show()

    def _show(self) -> None:
        clear(self._flow)
        for image, small in self._images.items():
            thumb = Thumbnail(small, side=THUMB, removable=True)
            thumb.opened.connect(self._look)
            thumb.removed.connect(partial(self._take_out, image))
            self._flow.addWidget(thumb)
        for name, content in self._files.items():
            chip = FileChip(name, content)
            chip.removed.connect(partial(self._detach, name))
            chip.wanted_as_text.connect(partial(self._unfold, name))
            self._flow.addWidget(chip)
        self._tokens = {
            name: self._tokens.get(name) or estimate_tokens(content) for name, content in self._files.items()
        }
        self.setVisible(bool(self._files or self._images))

    def _look(self, small: Small) -> None:
        LargePicture(self.window(), self._context, small.fetch()).open()

    def _take_out(self, image: Image) -> None:
        del self._images[image]
        self._show()
        self.changed.emit()

    def _detach(self, name: str) -> None:
        del self._files[name]
        self._show()
        self.changed.emit()

    def _unfold(self, name: str) -> None:
        text = self._files.pop(name)
        self._show()
        self.unfolded.emit(text)


def _read(path: str) -> tuple[str, str] | Small:
    """Return a file's content: text, by its name, or a picture. Raises ``BadRequestError``."""
    return Small.of(read_picture(path)) if is_picture(path) else read_document(path)


def _same(image: Image) -> Image:
    return image


def name_for(name: str, content: str, files: Mapping[str, str]) -> str:
    """Return a unique name for a file among others, numbered if needed."""
    chosen, number = name, 2
    while files.get(chosen, content) != content:
        chosen, number = f"{name} ({number})", number + 1
    return chosen
