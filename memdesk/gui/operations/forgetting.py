"""Forgetting: always asked first, with what would go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.text import said, tr
from memdesk.gui.widgets.dialog import ConfirmDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from memdesk.gui.pages import PageContext
    from memdesk.services.forgetting import ForgetPreview, ForgetReport, ForgetTarget


def count_words() -> dict[str, str]:
    """Return what the counts of a preview are called."""
    return {
        "conversations": tr("Conversations"),
        "turns": tr("Messages"),
        "facts": tr("Facts"),
        "facts_changed": tr("Facts that lose a source"),
        "episodes": tr("Episodes"),
        "episodes_changed": tr("Episodes that lose a part"),
        "identity": tr("Lines about you"),
        "entities": tr("People and things"),
        "relations": tr("Relations"),
        "receipts": tr("Receipts"),
        "signals": tr("Pending signals"),
        "agents": tr("Agents"),
        "history": tr("History entries"),
        "vectors": tr("Vectors"),
    }


def worded(preview: ForgetPreview) -> tuple[Mapping[str, int], tuple[str, ...]]:
    """Return a preview's counts by words, and its notes."""
    words = count_words()
    return {words.get(name, name): number for name, number in preview.counts.items()}, tuple(
        said(note) for note in preview.notes
    )


def forget(*, context: PageContext, parent: QWidget, target: ForgetTarget) -> ServiceOp[ForgetReport]:
    """Forget without asking; says what was proved."""
    service, notices = context.services.forgetting, context.notices

    def told(report: ForgetReport) -> None:
        total = sum(number for name, number in report.counts.items() if not name.endswith("_changed"))
        if report.verified:
            gone = tr("%n entries are gone.", "", total)
            proof = tr(
                "%n phrases were looked for on every page of the store; none was found.", "", report.phrases_checked
            )
            notices.success(tr("Forgotten"), f"{gone} {proof}")
        else:
            notices.warning(tr("Forgotten, but not proved"), "; ".join(report.left) or tr("The proof was not made."))

    op = ServiceOp(context.bridge, parent, lambda _op: service.forget(target))
    return op.success(told)


def ask_forget(
    *,
    context: PageContext,
    parent: QWidget,
    target: ForgetTarget,
    title: str,
    text: str,
    done: Callable[[Any], object] | None = None,
) -> ConfirmDialog:
    """Ask with a preview, forget on yes, then call ``done`` with the report."""

    def yes(_option: bool) -> None:
        op = forget(context=context, parent=parent, target=target)
        if done is not None:
            op.success(done)
        op.start()

    dialog = ConfirmDialog(parent.window(), title=title, text=text, action=tr("Forget"), confirmed=yes)
    dialog.preview(context.bridge, lambda: worded(context.services.forgetting.preview(target)))
    dialog.open()
    return dialog
