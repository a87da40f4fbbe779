"""Actions on the vault: make it, keep its code."""

from PySide6.QtCore import QObject

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.operations.files import write_text
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr


def fresh_code(
    context: PageContext, parent: QObject, *, passphrase: str | None, anew: bool = False
) -> ServiceOp[tuple[str, bool]]:
    """Return a recovery code, and whether a passphrase opens the vault: of a new one, or of one whose code nobody kept.

    The code is empty where the user has shown that the code was kept, unless one is wanted ``anew``: the kept one would open
    nothing any more.
    """
    vault = context.services.vault

    def work() -> tuple[str, bool]:
        if vault.state() == "new":
            return vault.create(passphrase), passphrase is not None
        kept = vault.recovery_confirmed() and not anew
        return "" if kept else vault.new_recovery_code(), vault.has_passphrase()

    return context.bridge.call(parent, work)


def write_private(context: PageContext, parent: QObject, *, path: str, text: str) -> ServiceOp[None]:
    """Write a file that only its owner can read."""
    return context.bridge.call(parent, write_text, path, text, private=True).tell(tr("Saved"), path)
