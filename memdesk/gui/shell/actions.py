"""The actions that belong to no page: palette, lock, look, background work, end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memdesk.gui.commands import Command
from memdesk.gui.operations.work import change_appearance, distil_now, pause_work
from memdesk.gui.shell.help import AboutDialog, ShortcutsDialog, open_documentation
from memdesk.gui.shell.noticelist import NoticeList
from memdesk.gui.shell.palette import Palette
from memdesk.gui.text import tr

if TYPE_CHECKING:
    from memdesk.gui.session import Session


def shell_commands(session: Session) -> list[Command]:
    """Return the commands, in the order menus show them."""
    window, context = session.window, session.context

    def go(page: str, **arguments: Any) -> Callable[[], None]:
        return lambda: window.navigate(page, **arguments)

    def look(changes: dict[str, Any]) -> Callable[[], object]:
        return lambda: change_appearance(context=context, parent=window, changes=changes).start()

    def bring_chats() -> None:
        from memdesk.gui.views.firststart.import_step import ImportDialog

        ImportDialog(context, window).open()

    def resize(step: int) -> None:
        now = session.services.settings.current.appearance.font_scale
        change_appearance(context=context, parent=window, changes={"font_scale": max(80, min(200, now + step))}).start()

    return [
        Command(
            id="chat.new",
            title=tr("New chat"),
            shortcut="Ctrl+N",
            group="chat",
            icon="message-square-plus",
            handler=go("chat", new=True),
        ),
        Command(
            id="chat.temporary",
            title=tr("New temporary chat"),
            shortcut="Ctrl+Shift+N",
            group="chat",
            icon="ghost",
            keywords=tr("private incognito"),
            handler=go("chat", new=True, temporary=True),
        ),
        Command(
            id="chat.import",
            title=tr("Import chats of another app"),
            group="chat",
            icon="import",
            keywords="chatgpt claude open webui lm studio jan json markdown",
            handler=bring_chats,
            enabled=lambda: window.faces.currentWidget() is window.shell,
        ),
        Command(
            id="memory.add",
            title=tr("Add a fact"),
            group="memory",
            icon="plus",
            handler=go("memory", add=True),
        ),
        Command(
            id="memory.preview",
            title=tr("Preview what a chat would be given"),
            group="memory",
            icon="eye",
            keywords=tr("context"),
            handler=go("memory", tab="preview"),
        ),
        Command(
            id="memory.distil",
            title=tr("Distil pending conversations now"),
            group="memory",
            icon="layers",
            handler=lambda: distil_now(context=context, parent=window).start(),
        ),
        Command(
            id="memory.consolidate",
            title=tr("Run consolidation now"),
            group="memory",
            icon="sparkles",
            handler=go("consolidation", run=True),
        ),
        Command(
            id="memory.dry_run",
            title=tr("Preview consolidation"),
            group="memory",
            icon="eye",
            handler=go("consolidation", preview=True),
        ),
        Command(
            id="work.pause",
            title=tr("Pause background work"),
            group="memory",
            icon="pause",
            enabled=lambda: not context.controls.paused(),
            handler=lambda: pause_work(context=context, parent=window, on=True).start(),
        ),
        Command(
            id="work.resume",
            title=tr("Resume background work"),
            group="memory",
            icon="play",
            enabled=context.controls.paused,
            handler=lambda: pause_work(context=context, parent=window, on=False).start(),
        ),
        Command(
            id="app.palette",
            title=tr("Find anything"),
            shortcut="Ctrl+K",
            group="view",
            icon="search",
            handler=lambda: Palette(context, window, dict(window.menus()), window.host.commands()).open_at(),
        ),
        Command(
            id="view.sidebar",
            title=tr("Fold the sidebar"),
            shortcut="Ctrl+B",
            group="view",
            icon="panel-left",
            handler=window.sidebar.toggle,
        ),
        Command(id="view.light", title=tr("Light theme"), group="view", icon="sun", handler=look({"theme": "light"})),
        Command(id="view.dark", title=tr("Dark theme"), group="view", icon="moon", handler=look({"theme": "dark"})),
        Command(
            id="view.system",
            title=tr("Theme of the system"),
            group="view",
            icon="settings",
            handler=look({"theme": "system"}),
        ),
        Command(
            id="view.larger",
            title=tr("Larger text"),
            shortcut="Ctrl++",
            group="view",
            icon="plus",
            handler=lambda: resize(10),
        ),
        Command(
            id="view.smaller",
            title=tr("Smaller text"),
            shortcut="Ctrl+-",
            group="view",
            icon="minus",
            handler=lambda: resize(-10),
        ),
        Command(
            id="view.notices",
            title=tr("Notices"),
            group="view",
            icon="bell",
            handler=lambda: NoticeList(context.notices, window).open(),
        ),
        Command(
            id="help.shortcuts",
            title=tr("Shortcuts"),
            shortcut="F1",
            also="?",
            group="help",
            icon="command",
            keywords=tr("keyboard keys help"),
            handler=lambda: ShortcutsDialog(window.commands, window.menus(), window).open(),
        ),
        Command(id="help.docs", title=tr("Documentation"), group="help", icon="book-open", handler=open_documentation),
        Command(
            id="help.report",
            title=tr("Report a bug"),
            group="help",
            icon="bug",
            keywords=tr("diagnostics copy report"),
            handler=go("diagnostics"),
        ),
        Command(
            id="help.about",
            title=tr("About memdesk"),
            group="help",
            icon="info",
            keywords=tr("version licences"),
            handler=lambda: AboutDialog(context, window).open(),
        ),
        Command(
            id="app.lock", title=tr("Lock now"), shortcut="Ctrl+L", group="file", icon="lock", handler=session.lock
        ),
        Command(
            id="app.restore",
            title=tr("Restore a backup"),
            group="file",
            icon="archive-restore",
            handler=session.show_restore,
        ),
        Command(
            id="app.quit",
            title=tr("Quit"),
            shortcut="Ctrl+Q",
            group="file",
            icon="power",
            always=True,
            handler=session.quit,
        ),
    ]
