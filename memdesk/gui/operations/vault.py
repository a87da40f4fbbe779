"""Actions on the vault: create it, store its code."""

from PySide6.QtCore import QObject

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.operations.files import write_text
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr


def fresh_code(
    context: PageContext, parent: QObject, *, passphrase: str | None, anew: bool = False
) -> ServiceOp[tuple[str, bool]]:
    """Return a recovery code, of a new vault or one with an unconfirmed code, and whether a passphrase opens it.

    The code is empty if the user has confirmed keeping it, unless ``anew``: the old code would then no longer work.
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
