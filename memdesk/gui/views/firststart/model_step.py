"""Step two: the model for chat and distillation. The bundled one works at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QButtonGroup, QRadioButton, QWidget
from shiboken6 import isValid

from memdesk.gui.notices import describe, fault_words
from memdesk.gui.operations.models import download
from memdesk.gui.pages import PageContext
from memdesk.gui.views.firststart.step import Step
from memdesk.gui.views.models.dialogs import RemoteDialog
from memdesk.gui.views.models.downloads import DownloadsBox
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import boxed, card, clear, column, row
from memdesk.gui.words import size

if TYPE_CHECKING:
    from memdesk.ports import ModelInfo
    from memdesk.ports.models import FoundModel


@dataclass(frozen=True, slots=True)
class Offer:
    """A downloadable model: open license, good at following a schema."""

    name: str
    repo: str
    filename: str
    size_bytes: int
    memory_gb: int


#: Best first; sizes as published on the hub.
OFFERS = (
    Offer("Qwen3 4B", "Qwen/Qwen3-4B-GGUF", "Qwen3-4B-Q4_K_M.gguf", 2_497_280_256, 8),
    Offer(
        "Qwen2.5 1.5B Instruct",
        "Qwen/Qwen2.5-1.5B-Instruct-GGUF",
        "qwen2.5-1.5b-instruct-q4_k_m.gguf",
        1_117_320_736,
        4,
    ),
    Offer(
        "Qwen2.5 0.5B Instruct", "Qwen/Qwen2.5-0.5B-Instruct-GGUF", "qwen2.5-0.5b-instruct-q4_k_m.gguf", 491_400_032, 2
    ),
)


class ModelStep(Step):
    """Better models to download, first so that small windows show them, and those on this machine."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.introduce(
            self.tr("Model"),
            self.tr("Choose a model"),
            self.tr(
                "The bundled one works at once and offline, but is small. A larger one answers and remembers better."
            ),
        )
        self._group = QButtonGroup(self)
        self._models = column(Label(self.tr("Looking for models…"), "muted"), gap=6)
        #: Other programs' models on offer, by path.
        self._found: dict[str, FoundModel] = {}
        self._downloads = DownloadsBox(context)
        self.body.addWidget(card(*map(self._offer, OFFERS), margins=(14, 10, 14, 10)))
        server = Button(self.tr("Use a model server…"), self._ask_server, icon_name="server")
        self.body.addLayout(row(server, None))
        self.body.addWidget(self._downloads)
        self.body.addWidget(Label(self.tr("Ready on this computer"), "section"))
        self.body.addWidget(card(self._models, margins=(14, 10, 14, 10)))
        self.body.addWidget(self.fault)

    def enter(self) -> None:
        """Find the models on this machine, including other programs'."""
        self._look(self._chosen())

    def _look(self, chosen: str) -> None:
        models, settings = self.context.services.models, self.context.services.settings
        self.context.bridge.run(
            self,
            lambda: (models.all(), [found for found in models.discover() if not found.known]),
            lambda found: self._fill(*found, chosen or settings.current.engine.chat_model),
            lambda error: self.show_fault(describe(error)["message"]),
            latest="models",
        )

    def _chosen(self) -> str:
        button = self._group.checkedButton()
        return str(button.property("model")) if button is not None else ""

    def finish(self, done: Callable[[], object], refused: Callable[[], object]) -> None:
        """Use the chosen model for chat and distillation."""
        chosen, found = self._chosen(), self._found.get(self._chosen())

        def work() -> None:
            model_id = self.context.services.models.add_found(found)[0].id if found is not None else chosen
            if model_id:
                self._use(model_id)

        def failed(error: Exception) -> None:
            self.show_fault(describe(error)["message"])
            refused()

        self.context.bridge.call(self, work).then(done).failure(failed).start()

    def _use(self, model_id: str) -> None:
        """Use a model for chat and memory; on a lane."""
        settings = self.context.services.settings
        settings.update("engine", {"chat_model": model_id})
        settings.update("memory", {"core_model": model_id})

    def _fill(self, models: list[ModelInfo], elsewhere: list[FoundModel], chosen: str) -> None:
        clear(self._models)
        for model in models:
            if not model.available:
                continue
            details = [size(model.size_bytes)] if model.size_bytes else []
            if model.source == "bundled":
                details.insert(0, self.tr("bundled, works now"))
            self._offer_choice(model.id, model.name, details, chosen)
        self._found = {found.path: found for found in elsewhere}
        for found in elsewhere:
            where = self.tr("from {program}, used in place").format(program=found.store)
            self._offer_choice(found.path, found.name, [where, size(found.size_bytes)], chosen)

    def _offer_choice(self, key: str, name: str, details: list[str], chosen: str) -> None:
        choice = QRadioButton(name)
        choice.setProperty("model", key)
        choice.setChecked(key == chosen)
        choice.toggled.connect(lambda _on: self.show_fault(""))
        self._group.addButton(choice)
        about = Label(" · ".join(details), "small", wrap=True)
        about.setContentsMargins(self.context.theme.px(26), 0, 0, 0)
        self._models.addLayout(column(choice, about, gap=0))

    def _offer(self, offer: Offer) -> QWidget:
        words = self.tr("{size}, needs {gb} GB of memory").format(size=size(offer.size_bytes), gb=offer.memory_gb)
        get = Button(self.tr("Download"), partial(self._fetch, offer), icon_name="download")
        get.setAccessibleName(self.tr("Download of {name}").format(name=offer.name))
        return boxed(
            row((column(Label(offer.name, "strong"), Label(words, "muted", wrap=True), gap=2), 1), get, gap=12)
        )

    def _fetch(self, offer: Offer) -> None:
        """Download a model and select it; if this step is left first, it is used once downloaded."""

        def done(info: ModelInfo) -> None:
            if isValid(self) and self.isVisible():
                self._look(info.id)
            else:
                bridge.run(bridge, lambda: self._use(info.id))

        def failed(error: Exception) -> None:
            if isValid(self) and self.isVisible():
                self.show_fault(fault_words(error))
            else:
                self.context.notices.error(error)

        bridge = self.context.bridge
        self.show_fault("")
        download(self.context, repo=offer.repo, filename=offer.filename).success(done).failure(failed).start()
        self._downloads.watch()

    def _ask_server(self) -> None:
        dialog = RemoteDialog(self.context, self.window())
        dialog.added.connect(lambda found: self._look(found[0].id if found else ""))
        dialog.open()
