"""Shows one page at a time and makes each on its first visit."""

from __future__ import annotations

import logging
from typing import Any

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from memdesk.gui.pages import PAGES, Page, PageContext
from memdesk.gui.widgets.states import EmptyState

log = logging.getLogger(__name__)


class PageHost(QStackedWidget):
    """The pages. ``moved`` tells the id of the page that is shown now."""

    moved = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context: PageContext | None = None
        self._pages: dict[str, QWidget] = {}
        self._outdated: set[str] = set()
        self._asked: tuple[str, dict[str, Any]] | None = None
        self.current = ""
        self.addWidget(QWidget())

    def minimumSizeHint(self) -> QSize:
        """Ask for little: a page that was visited must not make the window larger than the screen."""
        return QSize(0, 0)

    def hasHeightForWidth(self) -> bool:
        """Take the height that is left; what shows scrolls by itself."""
        return False

    def attach(self, context: PageContext) -> None:
        """Have what pages need."""
        self._context = context

    def show_page(self, page_id: str, arguments: dict[str, Any]) -> None:
        """Show a page, telling the one before it to leave."""
        if self._context is None:
            return
        before = self._pages.get(self.current)
        if isinstance(before, Page) and self.current != page_id:
            before.leave()
        self.current = page_id
        self.moved.emit(page_id)
        self._asked = asked = (page_id, arguments)
        known = page_id in self._pages
        if self._fresh(page_id) is None:
            self._make(page_id)
        if known:
            self._show(asked)
        else:
            # Making and styling a page each take their time; input comes in between.
            QTimer.singleShot(0, self, lambda: self._show(asked))

    def remake(self) -> None:
        """Make pages anew, whose lengths are fixed when they are made; one with unsent words waits until they are sent."""
        self._outdated.update(self._pages)
        page = self._pages.get(self.current)
        if page is not None:
            self.show_page(self.current, page.place() if isinstance(page, Page) and not page.unsent() else {})

    def page(self, page_id: str) -> QWidget | None:
        """Return a page that was made already."""
        return self._pages.get(page_id)

    def drop(self) -> None:
        """Delete every page (lock): nothing of the user's stays in a widget."""
        for page in self._pages.values():
            if isinstance(page, Page):
                page.lock()
            self.removeWidget(page)
            page.deleteLater()
        self._pages.clear()
        self._outdated.clear()
        self.current = ""

    def _show(self, asked: tuple[str, dict[str, Any]]) -> None:
        """Show a page that was made, unless something else was asked for since."""
        page_id, arguments = asked
        page = self._pages.get(page_id)
        if page is None or self._asked is not asked:
            return
        self.setCurrentWidget(page)
        if isinstance(page, Page):
            page.enter(**arguments)

    def _fresh(self, page_id: str) -> QWidget | None:
        """Return a page that is as it would be made now, or one that must not be made anew yet."""
        page = self._pages.get(page_id)
        if page is None or page_id not in self._outdated or (isinstance(page, Page) and page.unsent()):
            return page
        self._outdated.discard(page_id)
        del self._pages[page_id]
        self.removeWidget(page)
        page.deleteLater()
        return None

    def _make(self, page_id: str) -> None:
        assert self._context is not None
        spec = next(spec for spec in PAGES if spec.id == page_id)
        page: QWidget
        try:
            page = spec.load()(self._context)
        except Exception:
            log.exception("the page %s could not be made", page_id)
            page = EmptyState(
                "bug",
                self.tr("This page could not be opened"),
                self.tr("The rest of memdesk works. A report for us is under Diagnostics."),
            )
        self._pages[page_id] = page
        self.addWidget(page)
