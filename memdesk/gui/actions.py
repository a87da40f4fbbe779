"""The actions that belong to no page: palette, look, help, lock, end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memdesk.gui.commands import Command
from memdesk.gui.shell.help import AboutDialog, ShortcutsDialog, open_documentation
from memdesk.gui.shell.noticelist import NoticeList
from memdesk.gui.shell.palette import Palette
from memdesk.gui.text import tr

if TYPE_CHECKING:
    from memdesk.gui.pages import PageContext
    from memdesk.gui.window import MainWindow


def window_commands(
    context: PageContext,
    window: MainWindow,
    *,
    quick: Callable[[], object],
    lock: Callable[[], object],
    restore: Callable[[], object],
    leave: Callable[[], object],
) -> list[Command]:
    """Return the commands, in the order menus show them.

    Args:
        context: services and bridge.
        window: what they act on.
        quick: shows quick entry.
        lock: locks the memory.
        restore: shows how a backup takes the memory's place.
        leave: ends the application.
    """

    def look(changes: dict[str, Any]) -> Callable[[], object]:
        return lambda: context.bridge.call(window, context.services.settings.update, "appearance", changes).start()

    def resize(step: int) -> None:
        now = context.services.settings.current.appearance.font_scale
        context.bridge.call(
            window, context.services.settings.update, "appearance", {"font_scale": max(80, min(200, now + step))}
        ).start()

    return [
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
            handler=lambda: context.navigate("diagnostics"),
        ),
        Command(
            id="help.about",
            title=tr("About memdesk"),
            group="help",
            icon="info",
            keywords=tr("version licenses"),
            handler=lambda: AboutDialog(context, window).open(),
        ),
        Command(
            id="app.quick",
            title=tr("Quick entry"),
            group="chat",
            icon="zap",
            keywords=tr("ask remember note small window shortcut"),
            handler=quick,
        ),
        Command(id="app.lock", title=tr("Lock now"), shortcut="Ctrl+L", group="file", icon="lock", handler=lock),
        Command(
            id="app.restore",
            title=tr("Restore a backup"),
            group="file",
            icon="archive-restore",
            handler=restore,
        ),
        Command(
            id="app.quit",
            title=tr("Quit"),
            shortcut="Ctrl+Q",
            group="file",
            icon="power",
            always=True,
            handler=leave,
        ),
    ]
