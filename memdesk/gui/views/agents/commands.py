"""The agents page's commands for the palette."""

from PySide6.QtWidgets import QWidget

from memdesk.gui.commands import Command
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr


def commands(context: PageContext, _window: QWidget) -> list[Command]:
    """Return the commands; none of them is in a menu."""
    return [
        Command("agents.new", tr("New agent"), "bot", lambda: context.navigate("agents", begin="new")),
        Command("agents.import", tr("Import an agent"), "upload", lambda: context.navigate("agents", begin="import")),
    ]
