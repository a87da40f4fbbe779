"""The settings page's commands for the palette."""

from functools import partial

from PySide6.QtWidgets import QWidget

from memdesk.gui.commands import Command
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr


def commands(context: PageContext, window: QWidget) -> list[Command]:
    """Return the commands; none of them is in a menu."""
    return [*_sections(context), *_vault(context, window)]


def _sections(context: PageContext) -> list[Command]:
    words = tr("Settings: {part}")
    sections = (
        ("memory", tr("Memory"), "brain", ""),
        ("engine", tr("Engine"), "cpu", tr("threads context unload")),
        ("server", tr("Server"), "server", tr("port tokens clients API")),
        ("programs", tr("Programs"), "link", tr("connect MCP Claude Cursor VS Code Zed LM Studio Open WebUI")),
        ("appearance", tr("Appearance"), "sun", tr("theme language text size tray start at login")),
        ("privacy", tr("Privacy"), "shield", tr("backup recovery code passphrase forget everything")),
    )
    go = partial(context.navigate, "settings", query="")
    return [
        Command(f"settings.{key}", words.format(part=name), icon, partial(go, section=key), keywords=keywords)
        for key, name, icon, keywords in sections
    ]


def _vault(context: PageContext, window: QWidget) -> list[Command]:
    def back_up() -> None:
        from memdesk.gui.views.settings.vault import ask_back_up

        ask_back_up(context, window)

    def export() -> None:
        from memdesk.gui.views.settings.vault import ask_export

        ask_export(context, window)

    def drill() -> None:
        from memdesk.gui.views.settings.vault import DrillDialog

        DrillDialog(context, window).open()

    def passphrase() -> None:
        from memdesk.gui.views.settings.vault import PassphraseDialog

        PassphraseDialog(context, window).open()

    return [
        Command("vault.back_up", tr("Back up"), "download", back_up),
        Command("vault.export", tr("Export everything"), "upload", export),
        Command("vault.drill", tr("Try your recovery code"), "key-round", drill),
        Command("vault.passphrase", tr("Set passphrase"), "key-round", passphrase),
    ]
