"""Actions that lead to a part of a page, or begin something there: for the palette, which knows every one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memdesk.gui.commands import Command
from memdesk.gui.operations.diagnostics import copy_report
from memdesk.gui.operations.settings import restart_server
from memdesk.gui.text import tr

if TYPE_CHECKING:
    from memdesk.gui.session import Session


def place_commands(session: Session) -> list[Command]:
    """Return the commands; none of them is in a menu."""
    window, context = session.window, session.context

    def go(id_: str, title: str, icon: str, page: str, keywords: str = "", **arguments: Any) -> Command:
        return Command(
            id=id_, title=title, icon=icon, keywords=keywords, handler=lambda: window.navigate(page, **arguments)
        )

    memory, settings = tr("Memory: {part}"), tr("Settings: {part}")
    parts = (
        ("identity", tr("Identity"), "user"),
        ("facts", tr("Facts"), "brain"),
        ("episodes", tr("Episodes"), "calendar"),
        ("transcript", tr("Transcript"), "quote"),
        ("entities", tr("People & things"), "users"),
        ("review", tr("Review"), "inbox"),
        ("activity", tr("Activity"), "history"),
    )
    sections = (
        ("memory", tr("Memory"), "brain", ""),
        ("engine", tr("Engine"), "cpu", tr("threads context unload")),
        ("server", tr("Server"), "server", tr("port tokens clients API")),
        ("appearance", tr("Appearance"), "sun", tr("theme language text size tray start at login")),
        ("privacy", tr("Privacy"), "shield", tr("backup recovery code passphrase forget everything")),
    )
    return [
        *(go(f"memory.{key}", memory.format(part=name), icon, "memory", tab=key) for key, name, icon in parts),
        *(
            go(f"settings.{key}", settings.format(part=name), icon, "settings", words, section=key, query="")
            for key, name, icon, words in sections
        ),
        go("agents.new", tr("New agent"), "bot", "agents", begin="new"),
        go("agents.import", tr("Import an agent"), "upload", "agents", begin="import"),
        go("models.file", tr("Add a model file"), "file-plus", "models", "GGUF", begin="file"),
        go("models.folder", tr("Add a folder of models"), "folder-open", "models", "GGUF", begin="folder"),
        go(
            "models.find",
            tr("Find models on this machine"),
            "hard-drive",
            "models",
            "LM Studio Jan Ollama",
            begin="find",
        ),
        go("models.server", tr("Add a model server"), "server", "models", tr("remote OpenAI key"), begin="server"),
        go("models.download", tr("Download a model"), "download", "models", tr("hub"), begin="download"),
        *_vault_commands(session),
        Command(
            id="diagnostics.copy",
            title=tr("Copy a report for a bug"),
            icon="copy",
            handler=lambda: copy_report(context=context, parent=window).start(),
        ),
        Command(
            id="server.restart",
            title=tr("Restart the local server"),
            icon="refresh-cw",
            handler=lambda: restart_server(context=context, parent=window).start(),
        ),
    ]


def _vault_commands(session: Session) -> list[Command]:
    context, window = session.context, session.window

    def back_up() -> None:
        from memdesk.gui.views.settings.vault import ask_back_up

        ask_back_up(context=context, parent=window)

    def drill() -> None:
        from memdesk.gui.views.settings.vault import DrillDialog

        DrillDialog(context, window).open()

    def passphrase() -> None:
        from memdesk.gui.views.settings.vault import PassphraseDialog

        PassphraseDialog(context, window).open()

    return [
        Command(id="vault.back_up", title=tr("Back up"), icon="download", handler=back_up),
        Command(id="vault.drill", title=tr("Try your recovery code"), icon="key-round", handler=drill),
        Command(id="vault.passphrase", title=tr("Set passphrase"), icon="key-round", handler=passphrase),
    ]
