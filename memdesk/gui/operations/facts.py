"""Actions on facts and on lines of a receipt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QObject

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import every
from memdesk.errors import BadRequestError
from memdesk.gui.bridge import ServiceOp
from memdesk.gui.pages import PageContext
from memdesk.gui.text import said, tr
from memdesk.gui.words import number
from memdesk.messages import say
from memdesk.ports import FactFilter, LaneName
from memdesk.services.remembering import BulkChange

if TYPE_CHECKING:
    from memdesk.services.importing import ExportReport, ImportReport


def remember(
    context: PageContext, parent: QObject, *, agent_id: str, text: str, turn_id: str | None
) -> ServiceOp[MemoryItem]:
    """Store the selected text as a fact, with its message as the source."""
    memories, notices = context.services.memories, context.notices
    op = context.bridge.call(parent, memories.remember, agent_id, text, turn_id)
    return op.success(lambda fact: notices.success(tr("Remembered"), fact.content))


def pin_facts(context: PageContext, parent: QObject, *, fact_ids: Sequence[str], on: bool) -> ServiceOp[Any]:
    """Pin facts, so that they never fade, or unpin them."""
    memories = context.services.memories
    words = tr("%n facts pinned: they will not fade", "", len(fact_ids)) if on else tr("Unpinned")
    op = _bulk(context, parent, fact_ids, lambda ids, **options: memories.pin(ids, on, **options))
    return op.tell(words)


#: Changing more facts than this takes a while: chats and reads go first.
MANY = 1000


def _bulk(
    context: PageContext, parent: QObject, fact_ids: Sequence[str], change: Callable[..., BulkChange]
) -> ServiceOp[BulkChange]:
    """Return the work that changes facts, which can be cancelled and reports progress."""
    ids = list(fact_ids)
    lane: LaneName = "background" if len(ids) > MANY else "interactive"
    return ServiceOp(context.bridge, parent, lambda op: change(ids, cancel=op.token, progress=op.report), lane=lane)


@dataclass(frozen=True, slots=True)
class Added:
    """A fact to add; ``known`` if exactly this text was already remembered."""

    fact: MemoryItem
    known: bool


def add_fact(context: PageContext, parent: QObject, *, agent_id: str, **values: Any) -> ServiceOp[Added]:
    """Store a fact that the user wrote; report if it was already remembered."""
    memories, notices = context.services.memories, context.notices

    def work() -> Added:
        before = memories.same_fact(agent_id, values["content"])
        fact = memories.add_fact(agent_id=agent_id, **values)
        return Added(fact, known=before is not None and before.id == fact.id)

    def told(added: Added) -> None:
        if added.known:
            notices.info(tr("Already known: nothing was added"), added.fact.content)
        else:
            notices.success(tr("Remembered"), added.fact.content)

    return context.bridge.call(parent, work).success(told)


def warm_up(context: PageContext, parent: QObject) -> None:
    """Start what reads a written fact while it is written: two processes, which take seconds on a busy machine."""
    context.bridge.run(parent, context.services.memories.warm_up, lane="background")


def edit_facts(context: PageContext, parent: QObject, *, fact_ids: Sequence[str], **changes: Any) -> ServiceOp[Any]:
    memories = context.services.memories
    return _bulk(context, parent, fact_ids, lambda ids, **options: memories.edit_facts(ids, **options, **changes))


def set_facts_status(
    context: PageContext, parent: QObject, *, fact_ids: Sequence[str], status: Literal["active", "disabled"]
) -> ServiceOp[Any]:
    """Disable facts, so that no model sees them, or enable them again."""
    memories = context.services.memories
    return _bulk(context, parent, fact_ids, lambda ids, **options: memories.set_status(ids, status, **options))


def undo_facts(context: PageContext, parent: QObject, *, token: str) -> ServiceOp[int]:
    memories, notices = context.services.memories, context.notices
    op = ServiceOp(context.bridge, parent, lambda op: memories.undo(token, progress=op.report))
    return op.success(lambda count: notices.info(tr("Undone: %n facts are as they were", "", count)))


def export_facts(context: PageContext, parent: QObject, *, wanted: FactFilter, path: str) -> ServiceOp[ExportReport]:
    """Export a list's facts to an unencrypted file."""
    memories, everything = context.services.memories, context.services.everything
    op = context.bridge.call(parent, lambda: everything.export(path, every(memories.facts, wanted))).behind()
    return op.tell(tr("Exported"), path)


def import_facts(context: PageContext, parent: QObject, *, path: str, agent_id: str) -> ServiceOp[ImportReport]:
    """Import exported facts; existing ones stay unchanged."""
    importing, notices = context.services.importing, context.notices

    def work() -> ImportReport:
        # Imported late: it loads every archive format, which the first window does not need.
        from memdesk.services.importing import is_everything

        if not is_everything(Path(path)):
            raise BadRequestError(say("This is not an export of memdesk."))
        return importing.import_archive(path, agent_id, skip_extraction=True)

    def told(report: ImportReport) -> None:
        new, here = report.rows.get("item", (0, 0))
        words = tr("{new} imported, {here} were here already").format(new=number(new), here=number(here))
        notices.success(words, "; ".join(said(problem.reason) for problem in report.problems))

    return context.bridge.call(parent, work).behind().success(told)
