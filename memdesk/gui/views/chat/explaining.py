"""The panels at the right of a chat: why a reply saw what it saw, and what was learned."""

from collections.abc import Iterator

from PySide6.QtCore import QObject, Signal

from memdesk.gui.models.chat import ChatModel
from memdesk.gui.pages import PageContext
from memdesk.gui.views.chat.learned import LearnedPanel
from memdesk.gui.views.chat.receipt import ReceiptPanel
from memdesk.services.events import DistillationFinished


class Explaining(QObject):
    """One panel at a time. ``toggled``: one was opened or closed."""

    toggled = Signal()

    def __init__(self, context: PageContext, model: ChatModel, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._model = context, model

    def build(self) -> Iterator[None]:
        self.receipt = ReceiptPanel(self._context)
        yield
        self.learned = LearnedPanel(self._context)
        for panel in self.panels:
            panel.toggled.connect(self.toggled)

    @property
    def panels(self) -> tuple[ReceiptPanel, LearnedPanel]:
        return self.receipt, self.learned

    @property
    def open(self) -> ReceiptPanel | LearnedPanel | None:
        return next((panel for panel in self.panels if panel.isVisible()), None)

    def close(self) -> None:
        for panel in self.panels:
            panel.hide()

    def show_receipt(self, receipt_id: str) -> None:
        """Say why a reply saw what it saw."""
        self.learned.hide()
        kept = self._model.receipts.get(receipt_id)
        if kept is not None:
            self.receipt.show_receipt(kept)
        else:
            self.receipt.load(receipt_id)

    def show_learned(self, event: DistillationFinished) -> None:
        self.receipt.hide()
        self.learned.load(event)
