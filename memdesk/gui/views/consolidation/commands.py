"""The consolidation page's commands for menus and palette."""

from PySide6.QtWidgets import QWidget

from memdesk.gui.commands import Command
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr


def commands(context: PageContext, _window: QWidget) -> list[Command]:
    """Return the commands, in menu order."""
    return [
        Command(
            "memory.consolidate",
            tr("Run consolidation now"),
            "sparkles",
            lambda: context.navigate("consolidation", run=True),
            group="memory",
        ),
        Command(
            "memory.dry_run",
            tr("Preview consolidation"),
            "eye",
            lambda: context.navigate("consolidation", preview=True),
            group="memory",
        ),
    ]
