"""Actions on memory tests."""

from PySide6.QtCore import QObject

from memdesk.domain.models import Receipt, ReceiptItem
from memdesk.gui.bridge import ServiceOp
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr
from memdesk.services.testing import MemoryTest


def add_test(
    context: PageContext, parent: QObject, *, agent_id: str, question: str, line: str
) -> ServiceOp[MemoryTest]:
    """Store a question with the line it must find, by default for the first agent, and run it."""
    services = context.services

    def work() -> MemoryTest:
        return services.tests.add(agent_id=agent_id or services.agents.all()[0].id, question=question, line=line)

    return context.bridge.call(parent, work)


def always_find(context: PageContext, parent: QObject, *, receipt: Receipt, item: ReceiptItem) -> ServiceOp[MemoryTest]:
    """Create a test from a receipt's question and one of its lines."""
    tests, notices = context.services.tests, context.notices

    def tell(test: MemoryTest) -> None:
        if test.state == "passed":
            notices.success(tr("This should always be found"), tr("Memory, Tests will tell you if it no longer is."))
        else:
            notices.warning(tr("It is not found now"), tr("Memory, Tests shows what changed."))

    op = context.bridge.call(parent, tests.add_from, receipt.id, item.kind, item.id)
    return op.success(tell)
