"""Actions on the vault: make it, keep its code."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.operations.files import write_text
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr


def fresh_code(
    *, context: PageContext, parent: QObject, passphrase: str | None, anew: bool = False
) -> ServiceOp[tuple[str, bool]]:
    """Return a recovery code, and whether a passphrase opens the vault: of a new one, or of one whose code nobody kept.

    The code is empty where the user has shown that the code was kept, unless one is wanted ``anew``: the kept one would open
    nothing any more.
    """
    vault = context.services.vault

    def work(_op: Any) -> tuple[str, bool]:
        if vault.state() == "new":
            return vault.create(passphrase), passphrase is not None
        kept = vault.recovery_confirmed() and not anew
        return "" if kept else vault.new_recovery_code(), vault.has_passphrase()

    return ServiceOp(context.bridge, parent, work)


def write_private(*, context: PageContext, parent: QObject, path: str, text: str) -> ServiceOp[None]:
    """Write a file that only its owner can read."""
    notices = context.notices
    op: ServiceOp[None] = ServiceOp(context.bridge, parent, lambda _op: write_text(path, text, private=True))
    return op.success(lambda _none: notices.success(tr("Saved"), path))
