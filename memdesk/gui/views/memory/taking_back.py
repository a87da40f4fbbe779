"""Undoes changes of the log, after showing what that means."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from PySide6.QtWidgets import QWidget

from memdesk.domain.models import HistoryEntry
from memdesk.gui.bridge import ServiceOp
from memdesk.gui.operations.facts import MANY
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr
from memdesk.gui.widgets.dialog import ConfirmDialog
from memdesk.gui.words import day, kind_name, quoted, share, status_name, type_name
from memdesk.ports import Clock


def take_back(
    context: PageContext, parent: QWidget, *, entry_id: str, together: bool = False, many: bool = False
) -> ServiceOp[int]:
    """Undo a logged change, or all made together with it; ``many``: at low priority."""
    history, notices = context.services.history, context.notices

    def work(op: ServiceOp[int]) -> int:
        return history.take_back(entry_id, together=together, cancel=op.token, progress=op.report)

    op = ServiceOp(context.bridge, parent, work, lane="background" if many else "interactive")
    return op.success(lambda count: notices.success(tr("%n changes undone", "", count)))


def ask_take_back(
    context: PageContext, parent: QWidget, *, entry: HistoryEntry, started: Callable[[ServiceOp[int]], object]
) -> None:
    """Show what a change did, offer those made together with it, and return the work if confirmed."""

    def ask(count: int) -> None:
        def confirmed(together: bool) -> None:
            many = together and count > MANY
            started(take_back(context, parent, entry_id=entry.id, together=together, many=many))

        option = tr("With all %n changes that were made in one go", "", count) if count > 1 else ""
        ConfirmDialog(
            parent.window(),
            title=tr("Take this change back?"),
            text="\n".join(lines(entry, context.services.clock)),
            action=tr("Undo"),
            confirmed=confirmed,
            danger=False,
            option=option,
        ).open()

    context.bridge.call(parent, context.services.history.together, entry.id).success(ask).start()


def lines(entry: HistoryEntry, clock: Clock) -> list[str]:
    """Return the effect of undoing a change, field by field: present and previous value."""
    old, new = entry.old or {}, entry.new or {}
    if entry.action == "merge":
        text = tr("{gone} becomes separate from {name} again, with its own names, facts and relations.")
        return [text.format(gone=old["name"], name=new["name"])]
    said = [
        tr("{field}: {now} → {before}").format(field=title, now=_value(name, new[name], clock), before=before)
        for name, title in _titles().items()
        if name in old and (before := _value(name, old[name], clock))
    ]
    return [*said, tr("What was changed again since stays as it is.")]


def _titles() -> dict[str, str]:
    return {
        "content": tr("Text"),
        "summary": tr("Summary"),
        "name": tr("Name"),
        "type": tr("Type"),
        "aliases": tr("Also called"),
        "kind": tr("Kind"),
        "status": tr("State"),
        "user_pinned": tr("Pinned"),
        "salience": tr("Salience"),
        "tags": tr("Tags"),
        "topics": tr("Topics"),
        "decisions": tr("Decisions"),
        "action_items": tr("Action items"),
        "valid_from": tr("True from"),
        "valid_until": tr("True until"),
        "key": tr("Key"),
        "expires_at": tr("Expires on"),
    }


def _value(name: str, value: Any, clock: Clock) -> str:
    """Return a field's value for people."""
    if value is None or value == []:
        return tr("none")
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, list):
        return ", ".join(map(str, value))
    said: dict[str, Callable[[Any], str]] = {
        "kind": kind_name,
        "status": status_name,
        "type": type_name,
        "salience": share,
        **dict.fromkeys(
            ("valid_from", "valid_until", "expires_at"), lambda text: day(clock.local(datetime.fromisoformat(text)))
        ),
    }
    return said.get(name, quoted)(value)
