"""Shows one page at a time and creates each on its first visit."""

import logging
from typing import Any

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from memdesk.gui.commands import Command
from memdesk.gui.pages import PAGES, Page, PageContext
from memdesk.gui.widgets.focus import focus_again, focus_at
from memdesk.gui.widgets.states import EmptyState

log = logging.getLogger(__name__)


class PageHost(QStackedWidget):
    """The pages. ``moved`` has the id of the page now shown; ``entered`` is emitted once its widgets are there."""

    moved = Signal(str)
    entered = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._context: PageContext | None = None
        self._pages: dict[str, QWidget] = {}
        self._outdated: set[str] = set()
        #: Pages whose class is being imported.
        self._coming: set[str] = set()
        self._arguments: dict[str, Any] = {}
        self.current = ""
        self.addWidget(QWidget())

    def minimumSizeHint(self) -> QSize:
        """Stay small: a visited page must not make the window larger than the screen."""
        return QSize(0, 0)

    def hasHeightForWidth(self) -> bool:
        """Take the remaining height; pages scroll by themselves."""
        return False

    def attach(self, context: PageContext) -> None:
        self._context = context

    def show_page(self, page_id: str, arguments: dict[str, Any]) -> None:
        """Show a page, leaving the previous one. A new page is entered once it is built."""
        if self._context is None:
            return
        before = self._built(self.current)
        if before is not None and self.current != page_id:
            before.leave()
        self.current = page_id
        self.moved.emit(page_id)
        self._arguments = arguments
        if self._fresh(page_id) is not None:
            self._show(page_id)
        elif page_id not in self._coming:
            self._coming.add(page_id)
            spec = next(spec for spec in PAGES if spec.id == page_id)
            self._context.bridge.run(
                self, spec.load, lambda kind: self._make(page_id, kind), lambda error: self._put_fault(page_id, error)
            )

    def remake(self) -> None:
        """Recreate pages, whose lengths are fixed on creation; one with unsent text waits until it is sent."""
        self._outdated.update(self._pages)
        if self.current in self._pages:
            page = self._built(self.current)
            there = page.place() if page is not None and not page.unsent() else {}
            focus_again(self, focus_at(self))
            self.show_page(self.current, there if page is not None else self._arguments)

    def unsent(self) -> bool:
        """Whether any page has unsaved input."""
        return any(page.unsent() for page_id in self._pages if (page := self._built(page_id)) is not None)

    def place(self) -> dict[str, Any]:
        """Return the arguments that lead back to the present page's view."""
        page = self._built(self.current)
        return page.place() if page is not None else {}

    def commands(self) -> tuple[str, list[Command]]:
        """Return a short name for what the present page shows, and its commands."""
        page = self._built(self.current)
        return page.commands() if page is not None else ("", [])

    def page(self, page_id: str) -> QWidget | None:
        """Return an existing page."""
        return self._pages.get(page_id)

    def drop(self) -> None:
        """Delete every page (lock): no user data stays in a widget."""
        for page_id, page in self._pages.items():
            if (built := self._built(page_id)) is not None:
                built.lock()
            self.removeWidget(page)
            page.deleteLater()
        self._pages.clear()
        self._coming.clear()
        self._outdated.clear()
        self.current = ""

    def _built(self, page_id: str) -> Page | None:
        page = self._pages.get(page_id)
        return page if isinstance(page, Page) and page.built else None

    def _show(self, page_id: str) -> None:
        """Show a page, unless another one was asked for since, and enter it if it is built."""
        if page_id != self.current:
            return
        self.setCurrentWidget(self._pages[page_id])
        page = self._built(page_id)
        if page is not None:
            page.enter(**self._arguments)
            self.entered.emit()

    def _fresh(self, page_id: str) -> QWidget | None:
        """Return an up-to-date page, or one that must not be recreated yet."""
        page = self._pages.get(page_id)
        if page is None or page_id not in self._outdated:
            return page
        built = self._built(page_id)
        if built is not None and built.unsent():
            return page
        self._outdated.discard(page_id)
        self._put(page_id, None)
        return None

    def _put(self, page_id: str, page: QWidget | None) -> None:
        """Replace a page's widget, or remove it."""
        former = self._pages.pop(page_id, None)
        if former is not None:
            self.removeWidget(former)
            former.deleteLater()
        self._coming.discard(page_id)
        if page is not None:
            self._pages[page_id] = page
            self.addWidget(page)

    def _make(self, page_id: str, kind: type[Page]) -> None:
        if self._context is None or page_id not in self._coming:
            return
        try:
            page = kind(self._context)
        except Exception as error:  # noqa: BLE001 - shown in the page's place
            self._put_fault(page_id, error)
            return
        self._put(page_id, page)
        work = page.make(self._context.bridge, lambda: self._show(page_id))
        work.failure(lambda error: self._put_fault(page_id, error)).start()
        self._show(page_id)

    def _put_fault(self, page_id: str, error: Exception) -> None:
        if page_id not in self._coming and page_id not in self._pages:
            return  # dropped meanwhile
        log.error("the page %s could not be made", page_id, exc_info=error)
        fault = EmptyState(
            "bug",
            self.tr("This page could not be opened"),
            self.tr("The rest of memdesk works. A report for us is under Diagnostics."),
        )
        self._put(page_id, fault)
        self._show(page_id)
