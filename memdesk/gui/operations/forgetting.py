"""Forgetting, always after a confirmation that shows what would go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.text import said, tr
from memdesk.gui.widgets.dialog import ConfirmDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from memdesk.gui.pages import PageContext
    from memdesk.services.forgetting import ForgetPreview, ForgetReport, ForgetTarget


#: Facts listed in a preview; the rest are counted.
MOST_NAMED = 5
#: Other memory that messages may repeat, and its name alone.
_SAID: dict[str, Callable[[], str]] = {
    "fact": lambda: tr("This fact only"),
    "facts": lambda: tr("These facts only"),
    "identity": lambda: tr("This line only"),
}


def count_words() -> dict[str, str]:
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
    """Return a preview's counts by label, and its notes."""
    words = count_words()
    notes = [said(note) for note in preview.notes]
    if preview.along:
        lines = "\n".join(f"• {line}" for line in preview.along[:MOST_NAMED])
        more = "\n…" if len(preview.along) > MOST_NAMED else ""
        notes.insert(0, tr("Said in the same messages, so this goes as well:") + f"\n{lines}{more}")
    return {words.get(name, name): number for name, number in preview.counts.items()}, tuple(notes)


def tell_report(context: PageContext, report: ForgetReport) -> None:
    """Report what was forgotten and proved."""
    notices = context.notices
    total = sum(number for name, number in report.counts.items() if not name.endswith("_changed"))
    gone = tr("%n entries are gone.", "", total)
    if not report.verified:
        notices.warning(tr("Forgotten, but not verified"), "; ".join(report.left) or tr("It could not be verified."))
    elif report.said_in:
        still = tr("%n messages still say it, and replies can quote them.", "", report.said_in)
        notices.warning(
            tr("Forgotten, but not everywhere"),
            f"{gone} {still}",
            tr("Delete the conversation, or forget the messages, if the words must go too."),
        )
    else:
        # If other rows contain exactly the same text, nothing could be searched for.
        proof = tr("Every page of the database was searched for it: nothing is left.") if report.phrases_checked else ""
        notices.success(tr("Forgotten"), f"{gone} {proof}".strip())


def forget(context: PageContext, parent: QWidget, *, target: ForgetTarget) -> ServiceOp[ForgetReport]:
    """Forget without asking; report what was proved."""
    op = context.bridge.call(parent, context.services.forgetting.forget, target)
    return op.success(lambda report: tell_report(context, report))


def ask_forget(
    context: PageContext,
    parent: QWidget,
    *,
    target: ForgetTarget,
    title: str,
    text: str,
    done: Callable[[Any], object] | None = None,
) -> ConfirmDialog:
    """Confirm with a preview, forget, then call ``done`` with the report.

    If messages say it too, the user chooses whether they go; preselected for people and health.
    """
    service = context.services.forgetting
    chosen = target

    def yes(_option: bool) -> None:
        op = forget(context, parent, target=chosen)
        if done is not None:
            op.success(done)
        op.start()

    dialog = ConfirmDialog(parent.window(), title=title, text=text, action=tr("Forget"), confirmed=yes)

    def choose(key: str) -> None:
        nonlocal chosen
        turns = target.include_turns or (key != "here" and target.kind in _SAID)
        chosen = replace(target, include_turns=turns, include_prompts=key == "prompts")
        dialog.count(context.bridge, lambda cancel: worded(service.preview(chosen, cancel=cancel)), dialog.show_counts)

    def offer(preview: ForgetPreview) -> None:
        dialog.show_counts(worded(preview))
        options = [("here", _SAID.get(target.kind, lambda: tr("Without your prompts"))())]
        if preview.said_in and target.kind in _SAID:
            options.append(("everywhere", tr("Wherever it was said: %n messages go too", "", preview.said_in)))
        if preview.in_prompts:
            options.append(("prompts", tr("Everywhere: out of instructions and prompts too")))
        if len(options) > 1:
            dialog.offer(
                options, "everywhere" if preview.personal and options[1][0] == "everywhere" else "here", choose
            )

    dialog.count(context.bridge, lambda cancel: service.preview(target, cancel=cancel), offer)
    dialog.open()
    return dialog
