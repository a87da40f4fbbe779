"""The choice of the embedding model: available ones, or any folder or file; says whether texts leave this machine."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.files import ask_file, ask_folder
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import column, flowing
from memdesk.gui.words import model_name
from memdesk.ports import ModelInfo


class EmbedderEditor(QWidget):
    """A choice with two buttons that pick a folder or a file. ``told``: another model was chosen."""

    told = Signal()
    resettable = True

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.choice = Combo(tr("Embedding model"))
        self.choice.chosen.connect(lambda _key: self._choose())
        self._elsewhere: set[str] = set()
        self.leaves = Label(
            tr(
                "This server is on another machine: what is remembered leaves this one to be embedded. Secrets and what is kept here do not."
            ),
            "danger",
            wrap=True,
        )
        self.leaves.hide()
        folder = Button(tr("Choose a folder"), self._pick_folder, icon_name="folder")
        file = Button(tr("Choose a GGUF file"), self._pick_file, icon_name="file-text")
        self.setLayout(column(flowing(self.choice, folder, file), self.leaves, gap=6))
        self.setFocusProxy(self.choice)
        context.bridge.run(self, context.services.models.embedders, self._offer)

    def set_value(self, value: str) -> None:
        """Show a model without signals."""
        if self.choice.findData(value) < 0:
            self.choice.addItem(self._name(value), value)
        self.choice.set_key(value)
        self._show_leaving()

    def value(self) -> str:
        return self.choice.key()

    def _offer(self, models: Sequence[ModelInfo]) -> None:
        known = {"auto": self._name("auto")} | {model.id: model.name for model in models}
        self._elsewhere = {model.id for model in models if model.source == "remote" and not model.on_this_machine}
        chosen = self.value()
        if chosen:
            known.setdefault(chosen, self._name(chosen))
        self.choice.set_options(list(known.items()), chosen or None)
        self._show_leaving()

    @staticmethod
    def _name(model: str) -> str:
        return tr("The first on this machine that works") if model == "auto" else model_name(model)

    def _choose(self) -> None:
        self._show_leaving()
        self.told.emit()

    def _show_leaving(self) -> None:
        self.leaves.setVisible(self.value() in self._elsewhere)

    def _pick_folder(self) -> None:
        ask_folder(self.window(), tr("Folder of an embedding model"), self._take)

    def _pick_file(self) -> None:
        title = tr("GGUF file of an embedding model")
        ask_file(self.window(), title, lambda path: self._take(f"gguf:{path}"), "GGUF (*.gguf)")

    def _take(self, value: str) -> None:
        self.set_value(value)
        self.told.emit()
