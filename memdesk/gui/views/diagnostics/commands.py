"""The diagnostics page's commands for the palette."""

from PySide6.QtWidgets import QWidget

from memdesk.gui.commands import Command
from memdesk.gui.operations.diagnostics import copy_report
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr


def commands(context: PageContext, window: QWidget) -> list[Command]:
    """Return the commands; none of them is in a menu."""
    return [
        Command(
            "diagnostics.copy", tr("Copy a report for a bug"), "copy", lambda: copy_report(context, window).start()
        ),
        Command(
            "server.restart",
            tr("Restart the local server"),
            "refresh-cw",
            lambda: context.bridge.call(window, context.controls.restart_server).start(),
        ),
    ]
