"""The actions on one thing: as a menu, for a right click on it, and as buttons, beside it."""

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from memdesk.gui.commands import Command
from memdesk.gui.icons import icon
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.layout import flowing


def fill(menu: QMenu, *groups: Iterable[Command]) -> QMenu:
    """Add commands to a menu, with a line between groups; return it."""
    for commands in filter(None, map(list, groups)):
        if menu.actions():
            menu.addSeparator()
        for command in commands:
            menu.addAction(icon(command.icon), command.title).triggered.connect(partial(_run, command))
    return menu


def menu_of(parent: QWidget, *groups: Iterable[Command]) -> QMenu:
    """Return a menu of commands that is deleted once it is closed."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return fill(menu, *groups)


def tools_of(commands: Iterable[Command]) -> QWidget:
    """Return a row of buttons; what forgets is red."""
    return flowing(
        *(
            Button(
                command.title,
                command.handler,
                icon_name=command.icon,
                variant="danger" if command.id.endswith(".forget") else "",
            )
            for command in commands
        )
    )


def _run(command: Command, *_checked: bool) -> None:
    command.handler()
