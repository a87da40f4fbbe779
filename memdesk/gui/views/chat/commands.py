"""What the chat brings to menus and palette."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from memdesk.gui.commands import Command
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr


def commands(context: PageContext, window: QWidget) -> list[Command]:
    """Return the commands, in the order menus show them."""

    def bring_chats() -> None:
        from memdesk.gui.views.firststart.import_step import ImportDialog

        ImportDialog(context, window).open()

    return [
        Command(
            id="chat.new",
            title=tr("New chat"),
            shortcut="Ctrl+N",
            group="chat",
            icon="message-square-plus",
            handler=lambda: context.navigate("chat", new=True),
        ),
        Command(
            id="chat.temporary",
            title=tr("New temporary chat"),
            shortcut="Ctrl+Shift+N",
            group="chat",
            icon="ghost",
            keywords=tr("private incognito"),
            handler=lambda: context.navigate("chat", new=True, temporary=True),
        ),
        Command(
            id="chat.import",
            title=tr("Import chats of another app"),
            group="chat",
            icon="import",
            keywords="chatgpt claude open webui lm studio jan json markdown",
            handler=bring_chats,
        ),
    ]
