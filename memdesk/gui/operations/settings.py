"""Actions on settings, API tokens and the vault."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.text import tr

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from memdesk.domain.models import ApiToken
    from memdesk.gui.pages import PageContext
    from memdesk.services.guarding import BackupReport
    from memdesk.services.importing import ExportReport

#: ``{"recovery_code": ...}`` or ``{"passphrase": ...}``.
Secret = Mapping[str, str]


def revoke_token(context: PageContext, parent: QObject, *, token_id: str) -> ServiceOp[ApiToken]:
    """Revoke a client's token at once."""
    return context.bridge.call(parent, context.services.tokens.revoke, token_id).tell(tr("The token was revoked"))


def back_up(context: PageContext, parent: QObject, *, path: str) -> ServiceOp[Any]:
    backup = context.services.backup
    return context.bridge.call(parent, backup.backup, path).behind().tell(tr("The backup was written"), path)


def export_all(context: PageContext, parent: QObject, *, path: str) -> ServiceOp[ExportReport]:
    """Export everything remembered to one unencrypted file."""
    everything = context.services.everything
    return context.bridge.call(parent, everything.export, path).behind().tell(tr("Everything was exported"), path)


def check_backup(
    context: PageContext, parent: QObject, *, path: str, secret: Secret
) -> ServiceOp[tuple[BackupReport, dict[str, int]]]:
    """Open a backup; return its counts, and the present memory's if it is open. Nothing is changed."""
    backup, vault = context.services.backup, context.services.vault

    def look() -> tuple[BackupReport, dict[str, int]]:
        return backup.check(path, **secret), backup.now() if vault.is_open() else {}

    return context.bridge.call(parent, look).behind()
