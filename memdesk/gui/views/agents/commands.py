"""What the agents page brings to the palette."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from memdesk.gui.commands import Command
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr


def commands(context: PageContext, _window: QWidget) -> list[Command]:
    """Return the commands; none of them is in a menu."""
    return [
        Command(
            id="agents.new",
            title=tr("New agent"),
            icon="bot",
            handler=lambda: context.navigate("agents", begin="new"),
        ),
        Command(
            id="agents.import",
            title=tr("Import an agent"),
            icon="upload",
            handler=lambda: context.navigate("agents", begin="import"),
        ),
    ]
