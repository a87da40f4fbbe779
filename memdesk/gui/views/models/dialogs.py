"""Dialogs that bring models in: other programs' models, a remote server, a download from the hub."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit, QProgressBar

from memdesk.gui.operations import models as operations
from memdesk.gui.text import tr
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.dialog import Dialog
from memdesk.gui.widgets.forms import Combo, Field
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import clear, column, row
from memdesk.gui.words import memory_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdesk.gui.bridge import ServiceOp
    from memdesk.gui.pages import PageContext
    from memdesk.gui.views.models.page import ModelsPage
    from memdesk.ports import ModelInfo
    from memdesk.services.model_seams import FoundModel, HubFile


class FoundDialog(Dialog):
    """Models of LM Studio, Jan and Ollama, used where they are."""

    def __init__(self, context: PageContext, page: ModelsPage) -> None:
        super().__init__(page.window(), tr("Models of other programs"), width=560)
        self.context, self._page = context, page
        self.rows = column(gap=8)
        self.body.addWidget(Label(self.tr("They are used in place: nothing is copied or changed."), "muted", wrap=True))
        self.body.addLayout(self.rows)
        self.rows.addWidget(Label(self.tr("Looking…"), "muted"))
        self.set_cancel(self.tr("Close"))
        context.bridge.run(
            context.services.models.discover, owner=self, success=self._show, failure=self.show_fault, latest="found"
        )

    def _show(self, found: Sequence[FoundModel]) -> None:
        clear(self.rows)
        if not found:
            self.rows.addWidget(Label(self.tr("No models of LM Studio, Jan or Ollama were found."), "muted", wrap=True))
        for model in found:
            words = column(
                row(Label(model.name, "strong"), Chip(model.store), None, gap=6),
                Label(memory_size(model.size_bytes), "small"),
                gap=2,
            )
            box = row(gap=8)
            box.addLayout(words, 1)
            if model.known:
                box.addWidget(Chip(self.tr("added"), "success"))
            else:
                box.addWidget(Button(self.tr("Add"), partial(self._add, model), name=model.name))
            self.rows.addLayout(box)
        self.fit()

    def _add(self, model: FoundModel) -> None:
        op = operations.add_found(context=self.context, parent=self, found=model)
        op.failure(self.show_fault).success(lambda _models: self._added()).start()

    def _added(self) -> None:
        self._page.reload()
        self.context.bridge.run(self.context.services.models.discover, owner=self, success=self._show, latest="found")


class RemoteDialog(Dialog):
    """An OpenAI-compatible server: asked for its models before anything is kept."""

    def __init__(self, context: PageContext, page: ModelsPage) -> None:
        super().__init__(page.window(), tr("Add a server"))
        self.context, self._page = context, page
        self.preset = Combo(
            self.tr("Kind"),
            [
                ("http://127.0.0.1:11434/v1", "Ollama"),
                ("http://127.0.0.1:1234/v1", "LM Studio"),
                ("http://127.0.0.1:8080/v1", "llama-server"),
                ("", self.tr("Other")),
            ],
        )
        self.name, self.url, self.key = QLineEdit("Ollama"), QLineEdit("http://127.0.0.1:11434/v1"), QLineEdit()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.preset.chosen.connect(self._choose)
        self.body.addWidget(Field(self.tr("Kind"), self.preset))
        self.body.addWidget(Field(self.tr("Name"), self.name))
        self.body.addWidget(Field(self.tr("Address"), self.url))
        self.body.addWidget(Field(self.tr("Key"), self.key, self.tr("Kept in the system's keyring. Empty for none.")))
        text = self.tr("What you chat with a model of this server, memory included, is sent to it.")
        self.body.addWidget(Label(text, "warning", wrap=True))
        self.action = self.set_action(self.tr("Add"), self._add)
        self.preset.setFocus()

    def _choose(self, url: str) -> None:
        self.url.setText(url)
        self.name.setText(self.preset.currentText() if url else "")

    def _add(self) -> None:
        self.action.setEnabled(False)
        op = operations.add_remote(
            context=self.context,
            parent=self,
            name=self.name.text(),
            base_url=self.url.text().strip(),
            key=self.key.text() or None,
        )
        op.failure(self.show_fault).success(self._added).ended(lambda: self.action.setEnabled(True)).start()

    def _added(self, _models: list[ModelInfo]) -> None:
        self._page.reload()
        self.accept()


class DownloadDialog(Dialog):
    """Looks up a repository of the hub and downloads one of its files; closing leaves the part for the next try."""

    def __init__(self, context: PageContext, page: ModelsPage) -> None:
        super().__init__(page.window(), tr("Download a model"), width=560)
        self.context, self._page = context, page
        self._op: ServiceOp[ModelInfo] | None = None
        self.repo = QLineEdit()
        self.repo.setPlaceholderText("owner/name")
        self.repo.returnPressed.connect(self._list)
        text = self.tr("A repository of the model hub that holds GGUF files.")
        self.body.addWidget(Field(self.tr("Repository"), self.repo, text))
        self.look = Button(self.tr("Show files"), self._list, icon_name="search")
        self.body.addLayout(row(self.look, None))
        self.rows = column(gap=8)
        self.body.addLayout(self.rows)
        self.bar, self.words = QProgressBar(), Label("", "small")
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Download"))
        self.bar.hide()
        self.body.addWidget(self.bar)
        self.body.addWidget(self.words)
        self.set_cancel(self.tr("Close"))
        self.finished.connect(lambda _code: self._stop())

    def _list(self) -> None:
        repo, models = self.repo.text().strip(), self.context.services.models
        self.fault.hide()
        self.context.bridge.run(
            lambda: models.hub_files(repo), owner=self, success=self._show, failure=self.show_fault, latest="files"
        )

    def _show(self, files: Sequence[HubFile]) -> None:
        clear(self.rows)
        if not files:
            self.rows.addWidget(Label(self.tr("It holds no GGUF files."), "muted"))
        for file in files:
            size = memory_size(file.size_bytes)
            button = Button(self.tr("Download"), partial(self._start, file), name=file.filename)
            box = row(gap=8)
            box.addWidget(Label(file.filename, wrap=True), 1)
            box.addWidget(Label(size, "muted"))
            box.addWidget(button)
            self.rows.addLayout(box)
        self.fit()

    def _start(self, file: HubFile) -> None:
        if self._op is not None:
            return
        self.fault.hide()
        self.bar.setRange(0, 0)
        self.bar.show()
        op = operations.download(context=self.context, parent=self, repo=file.repo, filename=file.filename)
        self._op = op.progress(self._progressed).failure(self.show_fault).ended(self._ended)
        self._op.success(lambda _info: self._page.reload()).start()

    def _progressed(self, share: float, words: str) -> None:
        self.bar.setRange(0, 0 if share < 0 else 1000)
        self.bar.setValue(round(max(share, 0.0) * 1000))
        self.words.setText(words)

    def _ended(self) -> None:
        self._op = None
        self.bar.hide()
        self.words.setText("")

    def _stop(self) -> None:
        if self._op is not None:
            self._op.cancel()
