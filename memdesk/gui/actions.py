"""Actions that belong to no page: palette, look, help, lock, quit."""

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
    """Return the commands in menu order; the session handles the last ones."""

    def look(changes: dict[str, Any]) -> Callable[[], object]:
        return lambda: context.bridge.call(window, context.services.settings.update, "appearance", changes).start()

    def resize(step: int) -> None:
        now = context.services.settings.current.appearance.font_scale
        context.bridge.call(
            window, context.services.settings.update, "appearance", {"font_scale": max(80, min(200, now + step))}
        ).start()

    return [
        Command(
            "app.palette",
            tr("Find anything"),
            "search",
            lambda: Palette(context, window, dict(window.menus()), window.host.commands()).open_at(),
            shortcut="Ctrl+K",
            group="view",
        ),
        Command(
            "view.sidebar",
            tr("Collapse the sidebar"),
            "panel-left",
            window.sidebar.toggle,
            shortcut="Ctrl+B",
            group="view",
        ),
        Command("view.light", tr("Light theme"), "sun", look({"theme": "light"}), group="view"),
        Command("view.dark", tr("Dark theme"), "moon", look({"theme": "dark"}), group="view"),
        Command("view.system", tr("System theme"), "settings", look({"theme": "system"}), group="view"),
        Command("view.larger", tr("Larger text"), "plus", lambda: resize(10), shortcut="Ctrl++", group="view"),
        Command("view.smaller", tr("Smaller text"), "minus", lambda: resize(-10), shortcut="Ctrl+-", group="view"),
        Command(
            "view.notices", tr("Notices"), "bell", lambda: NoticeList(context.notices, window).open(), group="view"
        ),
        Command(
            "help.shortcuts",
            tr("Shortcuts"),
            "command",
            lambda: ShortcutsDialog(window.commands, window.menus(), window).open(),
            shortcut="F1",
            also="?",
            group="help",
            keywords=tr("keyboard keys help"),
        ),
        Command("help.docs", tr("Documentation"), "book-open", open_documentation, group="help"),
        Command(
            "help.report",
            tr("Report a bug"),
            "bug",
            lambda: context.navigate("diagnostics"),
            group="help",
            keywords=tr("diagnostics copy report"),
        ),
        Command(
            "help.about",
            tr("About memdesk"),
            "info",
            lambda: AboutDialog(context, window).open(),
            group="help",
            keywords=tr("version licenses"),
        ),
        Command(
            "app.quick",
            tr("Quick entry"),
            "zap",
            quick,
            group="chat",
            keywords=tr("ask remember note small window shortcut"),
        ),
        Command("app.lock", tr("Lock now"), "lock", lock, shortcut="Ctrl+L", group="file"),
        Command("app.restore", tr("Restore a backup"), "archive-restore", restore, group="file"),
        Command("app.quit", tr("Quit"), "power", leave, shortcut="Ctrl+Q", group="file", always=True),
    ]
