"""The chat's commands for menus and palette."""

from PySide6.QtWidgets import QWidget

from memdesk.gui.commands import Command
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr


def commands(context: PageContext, window: QWidget) -> list[Command]:
    def bring_chats() -> None:
        from memdesk.gui.views.firststart.import_step import ImportDialog

        ImportDialog(context, window).open()

    return [
        Command(
            "chat.new",
            tr("New chat"),
            "message-square-plus",
            lambda: context.navigate("chat", new=True),
            shortcut="Ctrl+N",
            group="chat",
        ),
        Command(
            "chat.temporary",
            tr("New temporary chat"),
            "ghost",
            lambda: context.navigate("chat", new=True, temporary=True),
            shortcut="Ctrl+Shift+N",
            group="chat",
            keywords=tr("private incognito"),
        ),
        Command(
            "chat.import",
            tr("Import chats of another app"),
            "import",
            bring_chats,
            group="chat",
            keywords="chatgpt claude open webui lm studio jan json markdown",
        ),
    ]
