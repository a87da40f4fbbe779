"""The pages of the window: the list, how they are created, their context."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from memdesk.gui.sliced import Sliced

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from memdesk.gui.bridge import Bridge
    from memdesk.gui.commands import Command, Commands
    from memdesk.gui.controls import AppControls
    from memdesk.gui.notices import Notices
    from memdesk.gui.theme import Theme
    from memdesk.services.container import Services


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSpec:
    """A page, imported when first shown, so that it does not slow the start."""

    id: str
    title: str
    icon: str
    target: str

    @property
    def label(self) -> str:
        """The title in the user's language."""
        return QCoreApplication.translate("pages", self.title)

    def load(self) -> type[Page]:
        module, _, name = self.target.partition(":")
        return cast("type[Page]", getattr(importlib.import_module(module), name))

    def commands(self, context: PageContext, window: QWidget) -> list[Command]:
        """Return the page's commands for menus and palette, even before it is first shown.

        They are in ``commands.py`` of the page's folder, which imports no page.
        """
        module = importlib.import_module(f"{self.target.rpartition('.')[0]}.commands")
        return cast("list[Command]", module.commands(context, window))


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContext:
    """Context of every page and dialog. ``navigate(page_id, **arguments)`` shows a page and calls its ``enter``."""

    services: Services
    bridge: Bridge
    theme: Theme
    commands: Commands
    notices: Notices
    controls: AppControls
    navigate: Callable[..., None]


class Page(Sliced):
    """Base of pages. Created once, on first visit, then kept.

    Shown as soon as its frame exists; nothing below is called before it is built.
    """

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.context = context

    @classmethod
    def preload(cls) -> None:
        """Import what the page needs later; on a lane."""

    def enter(self, **arguments: Any) -> None:
        """Called when shown, with any arguments of ``navigate`` (for example ``fact_id=...``)."""

    def leave(self) -> None:
        """Called when another page is shown."""

    def unsent(self) -> bool:
        """Whether the page has unsaved input; such a page is not recreated."""
        return False

    def place(self) -> dict[str, Any]:
        """Return the arguments of ``enter`` that lead back to the present view."""
        return {}

    def commands(self) -> tuple[str, list[Command]]:
        """Return a short name for what is shown, and the palette's commands for it."""
        return "", []

    def lock(self) -> None:
        """Called when the vault is locked, before the page is deleted: stop timers and drop drafts."""


def _spec(page_id: str, title: object, icon: str, target: str) -> PageSpec:
    return PageSpec(id=page_id, title=str(title), icon=icon, target=f"memdesk.gui.views.{target}")


#: In the order of the sidebar; Ctrl+1 .. Ctrl+7 show them.
PAGES: tuple[PageSpec, ...] = (
    _spec("chat", QT_TRANSLATE_NOOP("pages", "Chat"), "message-square", "chat.page:ChatPage"),
    _spec("memory", QT_TRANSLATE_NOOP("pages", "Memory"), "brain", "memory.page:MemoryPage"),
    _spec(
        "consolidation", QT_TRANSLATE_NOOP("pages", "Consolidation"), "sparkles", "consolidation.page:ConsolidationPage"
    ),
    _spec("agents", QT_TRANSLATE_NOOP("pages", "Agents"), "bot", "agents.page:AgentsPage"),
    _spec("models", QT_TRANSLATE_NOOP("pages", "Models"), "cpu", "models.page:ModelsPage"),
    _spec("diagnostics", QT_TRANSLATE_NOOP("pages", "Diagnostics"), "activity", "diagnostics.page:DiagnosticsPage"),
    _spec("settings", QT_TRANSLATE_NOOP("pages", "Settings"), "settings", "settings.page:SettingsPage"),
)


def load_all() -> None:
    """Import every page and what it needs later, so that the first visit does not wait; on a lane."""
    for spec in PAGES:
        spec.load().preload()
