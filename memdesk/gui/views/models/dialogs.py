"""Dialogs that add models: other programs' models, a remote server, a download from the hub."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QSpinBox, QWidget

from memdesk.errors import MemdeskError
from memdesk.gui.operations import models as operations
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.dialog import Dialog
from memdesk.gui.widgets.forms import Combo, Field, SecretEdit
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import clear, column, row
from memdesk.gui.words import size
from memdesk.ports import ModelInfo
from memdesk.ports.models import FoundModel, HubFile

T = TypeVar("T")


class FoundDialog(Dialog):
    """Models of LM Studio, Jan and Ollama, used in place. ``added``: one was added."""

    added = Signal()

    def __init__(self, context: PageContext, window: QWidget) -> None:
        super().__init__(window, tr("Models of other programs"), width=560)
        self.context = context
        self.rows = column()
        self.body.addWidget(Label(self.tr("They are used in place: nothing is copied or changed."), "muted", wrap=True))
        self.body.addLayout(self.rows)
        self.rows.addWidget(Label(self.tr("Looking…"), "muted"))
        self.set_cancel(self.tr("Close"))
        context.bridge.run(self, context.services.models.discover, self._show, self.show_fault, latest="found")

    def _show(self, found: Sequence[FoundModel]) -> None:
        clear(self.rows)
        if not found:
            self.rows.addWidget(Label(self.tr("No models of LM Studio, Jan or Ollama were found."), "muted", wrap=True))
        for model in found:
            words = column(
                row(Label(model.name, "strong"), Chip(model.store), None, gap=6),
                Label(size(model.size_bytes), "small"),
                gap=2,
            )
            box = row((words, 1))
            if model.known:
                box.addWidget(Chip(self.tr("added"), "success"))
            else:
                box.addWidget(Button(self.tr("Add"), partial(self._add, model), name=model.name))
            self.rows.addLayout(box)
        self.fit()

    def _add(self, model: FoundModel) -> None:
        op = self.context.bridge.call(self, self.context.services.models.add_found, model)
        op.failure(self.show_fault).then(self._added).start()

    def _added(self) -> None:
        self.added.emit()
        self.context.bridge.run(self, self.context.services.models.discover, self._show, latest="found")


class RemoteDialog(Dialog):
    """An OpenAI-compatible server: queried for its models before anything is stored. ``known`` is one to edit.

    ``added``: it was stored, with its models.
    """

    added = Signal(list)

    def __init__(self, context: PageContext, window: QWidget, known: Mapping[str, str] | None = None) -> None:
        super().__init__(window, tr("Change a server") if known else tr("Add a server"))
        self.context, self._known = context, known
        self.preset = Combo(
            self.tr("Kind"),
            [
                ("http://127.0.0.1:11434/v1", "Ollama"),
                ("http://127.0.0.1:1234/v1", "LM Studio"),
                ("http://127.0.0.1:8080/v1", "llama-server"),
                ("https://api.openai.com/v1", "OpenAI"),
                ("https://openrouter.ai/api/v1", "OpenRouter"),
                ("", self.tr("Other")),
            ],
        )
        self.name, self.url, self.key = QLineEdit("Ollama"), QLineEdit("http://127.0.0.1:11434/v1"), SecretEdit()
        self.url.setPlaceholderText("https://example.org/v1")
        self.preset.chosen.connect(self._choose)
        key_words = self.tr(
            "Kept in the system's keyring, or in the encrypted memory where there is none. Leave it empty if the server needs none."
        )
        if known is None:
            self.body.addWidget(Field(self.tr("Kind"), self.preset))
        else:
            self.name.setText(known["name"])
            self.name.setEnabled(False)
            self.url.setText(known["base_url"])
            key_words = self.tr(
                "Kept in the system's keyring, or in the encrypted memory where there is none. Leave it empty to keep the present one."
            )
        self.body.addWidget(Field(self.tr("Name"), self.name))
        self.body.addWidget(Field(self.tr("Address"), self.url))
        self.body.addWidget(Field(self.tr("Key"), self.key, key_words))
        text = self.tr("What you say to a model of this server, memory included, is sent to it.")
        self.body.addWidget(Label(text, "warning", wrap=True))
        self.action = self.set_action(self.tr("Save") if known else self.tr("Add"), self._add)
        (self.preset if known is None else self.url).setFocus()

    def _choose(self, url: str) -> None:
        self.url.setText(url)
        self.name.setText(self.preset.currentText() if url else "")

    def _add(self) -> None:
        self.action.setEnabled(False)
        self.fault.hide()
        op = operations.add_remote(
            self.context,
            self,
            name=self.name.text(),
            base_url=self.url.text().strip(),
            key=self.key.text() or None,
            same_key=self._known is not None,
        )
        op.failure(self._failed).success(self._added).ended(lambda: self.action.setEnabled(True)).start()

    def _failed(self, error: Exception) -> None:
        """Name the fault; for a wrong address or key, the hint leads to this dialog."""
        if isinstance(error, MemdeskError) and error.code in {"remote_unreachable", "remote_auth"}:
            error.hint = ""
        self.show_fault(error)

    def _added(self, models: list[ModelInfo]) -> None:
        self.added.emit(models)
        self.accept()


class ContextDialog(Dialog):
    """A remote model's context size, if its server does not say or is wrong. ``changed``: a new number."""

    changed = Signal()

    def __init__(self, context: PageContext, window: QWidget, info: ModelInfo) -> None:
        super().__init__(window, tr("Context of {model}").format(model=info.name))
        self.context, self._info = context, info
        text = self.tr("Tokens that the model sees at once. A longer chat loses its oldest messages.")
        self.tokens = QSpinBox()
        self.tokens.setRange(512, 16_777_216)
        self.tokens.setSingleStep(1024)
        self.tokens.setGroupSeparatorShown(True)
        self.tokens.setValue(info.context_tokens or context.services.settings.current.engine.context_tokens)
        self.body.addWidget(Field(self.tr("Tokens"), self.tokens, text))
        if info.extra.get("context_set"):
            known = Button(self.tr("Reset to the known value"), lambda: self._save(None), icon_name="undo-2")
            self.body.addLayout(row(known, None))
        self.set_action(self.tr("Save"), lambda: self._save(self.tokens.value()))
        self.tokens.setFocus()

    def _save(self, tokens: int | None) -> None:
        op = self.context.bridge.call(self, self.context.services.models.set_context, self._info.id, tokens)
        op.failure(self.show_fault).then(self._saved).start()

    def _saved(self) -> None:
        self.changed.emit()
        self.accept()


class DownloadDialog(Dialog):
    """Searches the hub for models, by words or a repository's name. ``wanted`` has the chosen file."""

    wanted = Signal(object)

    def __init__(self, context: PageContext, window: QWidget) -> None:
        super().__init__(window, tr("Download a model"), width=560)
        self.context = context
        self.repo = QLineEdit(placeholderText=self.tr("for example: qwen3 4b, or owner/name"))
        self.repo.returnPressed.connect(self._look)
        text = self.tr("Words, or the name of a repository. Only this search and the download go to the hub.")
        self.body.addWidget(Field(self.tr("Model"), self.repo, text))
        self.look = Button(self.tr("Search"), self._look, icon_name="search")
        self.body.addLayout(row(self.look, None))
        self.rows = column()
        self.body.addLayout(self.rows)
        self.set_cancel(self.tr("Close"))

    def _look(self) -> None:
        words, models = self.repo.text().strip(), self.context.services.models
        if not words:
            return
        self.fault.hide()
        clear(self.rows)
        self.rows.addWidget(Label(self.tr("Asking the hub…"), "muted"))
        self.fit()
        if "/" in words:
            self._ask(lambda: models.hub_files(words), self._show)
        else:
            self._ask(lambda: models.search_hub(words), self._show_repos)

    def _ask(self, work: Callable[[], Sequence[T]], success: Callable[[Sequence[T]], object]) -> None:
        self.context.bridge.run(self, work, success, self._failed, latest="hub")

    def _failed(self, error: Exception) -> None:
        clear(self.rows)
        self.show_fault(error)

    def _show_repos(self, repos: Sequence[str]) -> None:
        clear(self.rows)
        if not repos:
            self.rows.addWidget(Label(self.tr("Nothing with GGUF files matches."), "muted"))
        for repo in repos:
            box = row(
                (Label(repo, wrap=True), 1), Button(self.tr("Show files"), partial(self._choose, repo), name=repo)
            )
            self.rows.addLayout(box)
        self.fit()

    def _choose(self, repo: str) -> None:
        self.repo.setText(repo)
        self._look()

    def _show(self, files: Sequence[HubFile]) -> None:
        clear(self.rows)
        if not files:
            self.rows.addWidget(Label(self.tr("It holds no GGUF files."), "muted"))
        for file in files:
            button = Button(self.tr("Download"), partial(self._start, file), name=file.filename)
            box = row((Label(file.filename, wrap=True), 1), Label(size(file.size_bytes), "muted"), button)
            self.rows.addLayout(box)
        self.fit()

    def _start(self, file: HubFile) -> None:
        self.wanted.emit(file)
        self.accept()
