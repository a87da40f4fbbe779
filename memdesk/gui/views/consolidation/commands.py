"""What the consolidation page brings to menus and palette."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from memdesk.gui.commands import Command
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr


def commands(context: PageContext, _window: QWidget) -> list[Command]:
    """Return the commands, in the order menus show them."""
    return [
        Command(
            id="memory.consolidate",
            title=tr("Run consolidation now"),
            group="memory",
            icon="sparkles",
            handler=lambda: context.navigate("consolidation", run=True),
        ),
        Command(
            id="memory.dry_run",
            title=tr("Preview consolidation"),
            group="memory",
            icon="eye",
            handler=lambda: context.navigate("consolidation", preview=True),
        ),
    ]
