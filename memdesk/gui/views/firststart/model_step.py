"""Step two: which model chats and distills. The bundled one works at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QButtonGroup, QFrame, QProgressBar, QRadioButton
from shiboken6 import isValid

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.notices import describe, fault_words
from memdesk.gui.operations.models import download
from memdesk.gui.pages import PageContext
from memdesk.gui.views.firststart.step import Step
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import card, clear, column, row
from memdesk.gui.words import size

if TYPE_CHECKING:
    from memdesk.ports import ModelInfo
    from memdesk.services.models import FoundModel


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that can be downloaded; open license, good at following a schema."""

    name: str
    repo: str
    filename: str
    size_bytes: int
    memory_gb: int


#: Sizes as published on the hub.
OFFERS = (
    Offer(
        "Qwen2.5 0.5B Instruct", "Qwen/Qwen2.5-0.5B-Instruct-GGUF", "qwen2.5-0.5b-instruct-q4_k_m.gguf", 491_400_032, 2
    ),
    Offer(
        "Qwen2.5 1.5B Instruct",
        "Qwen/Qwen2.5-1.5B-Instruct-GGUF",
        "qwen2.5-1.5b-instruct-q4_k_m.gguf",
        1_117_320_736,
        4,
    ),
    Offer("Qwen3 4B", "Qwen/Qwen3-4B-GGUF", "Qwen3-4B-Q4_K_M.gguf", 2_497_280_256, 8),
)


class ModelStep(Step):
    """Models on this machine to choose from, and better ones to fetch."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.introduce(
            self.tr("Model"),
            self.tr("Choose a model"),
            self.tr(
                "The bundled model works offline at once; it is small and knows little. A larger one answers "
                "and remembers better. You can change this at any time under Models."
            ),
        )
        self._group = QButtonGroup(self)
        self._models = column(Label(self.tr("Looking for models…"), "muted"), gap=6)
        self._offers = column()
        #: Other programs' models that are offered, by path.
        self._found: dict[str, FoundModel] = {}
        self._fetching: dict[Offer, ServiceOp[ModelInfo]] = {}
        self.body.addWidget(card(self._models, margins=(14, 10, 14, 10)))
        self.body.addSpacing(8)
        self.body.addWidget(Label(self.tr("Better models to download"), "section"))
        self.body.addLayout(self._offers)
        self.body.addWidget(self.fault)
        for offer in OFFERS:
            self._offers.addWidget(self._offer(offer))

    def enter(self) -> None:
        """Fetch what is on this machine, other programs' models among it."""
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

    def leave(self) -> None:
        """A download goes on; it is seen under Models."""

    def finish(self, done: Callable[[], object], refused: Callable[[], object]) -> None:
        """Let the chosen model chat and distill."""
        chosen, found = self._chosen(), self._found.get(self._chosen())
        settings, models = self.context.services.settings, self.context.services.models

        def work() -> None:
            model_id = models.add_found(found)[0].id if found is not None else chosen
            if model_id:
                settings.update("engine", {"chat_model": model_id})
                settings.update("memory", {"core_model": model_id})

        def failed(error: Exception) -> None:
            self.show_fault(describe(error)["message"])
            refused()

        self.context.bridge.call(self, work).then(done).failure(failed).start()

    def _fill(self, models: list[ModelInfo], elsewhere: list[FoundModel], chosen: str) -> None:
        clear(self._models)
        for model in models:
            if not model.available:
                continue
            details = [size(model.size_bytes)] if model.size_bytes else []
            if model.context_tokens:
                details.append(self.tr("%n tokens of context", "", model.context_tokens))
            if model.quantization:
                details.append(model.quantization)
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

    def _offer(self, offer: Offer) -> QFrame:
        frame = QFrame()
        frame.setProperty("role", "card")
        words = self.tr("{size}, wants {gb} GB of memory").format(size=size(offer.size_bytes), gb=offer.memory_gb)
        bar = QProgressBar(textVisible=False, minimum=0, maximum=1000)
        bar.setAccessibleName(self.tr("Download of {name}").format(name=offer.name))
        bar.hide()
        state = Label(words, "muted", wrap=True)
        get = Button(self.tr("Download"), icon_name="download")
        get.clicked.connect(partial(self._fetch, offer, get, bar, state))
        head = row((column(Label(offer.name, "strong"), state, gap=2), 1), get, gap=12)
        frame.setLayout(column(head, bar, margins=(14, 10, 14, 10)))
        return frame

    def _fetch(self, offer: Offer, get: Button, bar: QProgressBar, state: Label, *_checked: bool) -> None:
        if (running := self._fetching.get(offer)) is not None:
            running.cancel()
            return
        op = self._fetching[offer] = download(self.context, repo=offer.repo, filename=offer.filename)
        get.setText(self.tr("Stop"))
        bar.setRange(0, 0)
        bar.show()

        def shown(fraction: float, _words: str) -> None:
            bar.setRange(0, 1000)
            bar.setValue(int(fraction * 1000))
            state.setText(
                self.tr("{done} of {all}").format(
                    done=size(int(fraction * offer.size_bytes)), all=size(offer.size_bytes)
                )
            )

        def ended() -> None:
            del self._fetching[offer]
            bar.hide()
            get.setText(self.tr("Download"))

        def failed(error: Exception) -> None:
            state.setText(fault_words(error))

        def done(info: ModelInfo) -> None:
            state.setText(self.tr("Downloaded and checked. It is chosen above."))
            get.setEnabled(False)
            self._look(info.id)

        op.progress(self._while_here(shown)).success(self._while_here(done))
        op.failure(self._while_here(failed, self.context.notices.error)).ended(self._while_here(ended)).start()

    def _while_here(
        self, act: Callable[..., object], other: Callable[..., object] | None = None
    ) -> Callable[..., None]:
        """Return a callback that does nothing, or something else, once this step is gone: the download goes on."""

        def call(*arguments: Any) -> None:
            if isValid(self):
                act(*arguments)
            elif other is not None:
                other(*arguments)

        return call
