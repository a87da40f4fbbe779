"""The models page: models on this machine and remote servers, their uses, and how to get more."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from memdesk.domain.reading.digest import ModelGrade
from memdesk.gui.bridge import ServiceOp
from memdesk.gui.operations import models as operations
from memdesk.gui.pages import Page
from memdesk.gui.slices import SliceOp
from memdesk.gui.text import said, tr
from memdesk.gui.views.models.dialogs import ContextDialog, DownloadDialog, FoundDialog, RemoteDialog
from memdesk.gui.views.models.downloads import DownloadsBox
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.dialog import ConfirmDialog
from memdesk.gui.widgets.files import ask_file, ask_folder
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import PAGE_WIDTH, FlowLayout, ScrollColumn, boxed, card, clear, column, flowing, line
from memdesk.gui.widgets.search import SearchField
from memdesk.gui.widgets.states import PageHead, SectionHead
from memdesk.gui.words import number, size
from memdesk.ports import EngineState, ModelInfo
from memdesk.ports.models import HubFile, Speed
from memdesk.services.events import EngineChanged, SettingsChanged

#: From this many models there is a search, and a server shows at most this many at once.
MANY = 12


@dataclass(frozen=True, slots=True)
class ModelView:
    """One model with what is known of it here."""

    info: ModelInfo
    speed: Speed | None
    grade: ModelGrade | None
    loaded: EngineState | None


class ModelsPage(Page):
    """Cards of models by where they are."""

    def build(self) -> Iterator[None]:
        #: The work on a model with its description, so that it can be stopped.
        self._busy: dict[str, tuple[str, ServiceOp[Any]]] = {}
        self._views: Sequence[ModelView] = ()
        tools = (
            Button(self.tr("Add file"), self._add_file, icon_name="file-plus"),
            Button(self.tr("Add folder"), self._add_folder, icon_name="folder-open"),
            Button(self.tr("Find on this machine"), self._find, icon_name="hard-drive"),
            Button(self.tr("Add server"), self._add_server, icon_name="server"),
            Button(self.tr("Download"), self._download, icon_name="download", variant="primary"),
        )
        text = self.tr("Which model chats, which one keeps the memory, and what they need.")
        scroll = ScrollColumn(width=PAGE_WIDTH)
        scroll.body.addWidget(PageHead(self.tr("Models"), text, *tools))
        self.setLayout(column(scroll, gap=0))
        yield
        self.body = column(gap=12)
        self.downloads = DownloadsBox(self.context)
        self.downloads.ended.connect(self.reload)
        scroll.body.addWidget(self.downloads)
        self.search = SearchField(self.tr("Search models"))
        self.search.setMaximumWidth(self.context.theme.px(360))
        self.search.searched.connect(lambda _text: self._draw())
        self.search.hide()
        scroll.body.addWidget(self.search)
        scroll.body.addLayout(self.body)
        scroll.body.addStretch(1)
        for kind in (EngineChanged, SettingsChanged):
            self.context.bridge.on(kind, lambda _event: self._stale(), owner=self, settle_ms=400)

    def enter(self, **arguments: Any) -> None:
        """Read the models; ``begin`` opens a dialog: ``file``, ``folder``, ``find``, ``server`` or ``download``."""
        self.reload()
        ways = {
            "file": self._add_file,
            "folder": self._add_folder,
            "find": self._find,
            "server": self._add_server,
            "download": self._download,
        }
        if "begin" in arguments:
            ways[str(arguments["begin"])]()

    def reload(self) -> None:
        services = self.context.services
        self.downloads.look()

        def read() -> list[ModelView]:
            states = {state.model: state for state in services.models.states() if state.state in {"ready", "busy"}}
            return [
                ModelView(
                    info=info,
                    speed=services.models.speed(info.id),
                    grade=services.distillation.grade(info.id),
                    loaded=states.get(info.id),
                )
                for info in services.models.all()
            ]

        self.context.bridge.run(self, read, self._show, latest="models")

    def _stale(self) -> None:
        if self.isVisible():
            self.reload()

    # -- showing -------------------------------------------------------------------------

    def _show(self, views: Sequence[ModelView]) -> None:
        self._views = views
        self.search.setVisible(len(views) > MANY or bool(self.search.text()))
        self._draw()

    def _draw(self) -> None:
        words = self.search.text().casefold().split()
        views = [view for view in self._views if all(word in view.info.name.casefold() for word in words)]
        parts: list[QWidget] = []
        work = SliceOp(self.context.bridge, self, self._make(views, parts))
        work.done(lambda: self._put(parts)).start(latest="cards")

    def _make(self, views: Sequence[ModelView], parts: list[QWidget]) -> Iterator[None]:
        """Create the cards, then replace the old ones at once.

        Everything created is in a widget before the next step: a nested layout dropped with the work, when the models
        are reloaded meanwhile, crashes the process.
        """
        parts.append(Label(self.tr("On this machine"), "section"))
        for view in views:
            if view.info.source != "remote":
                parts.append(card((yield from self._body(view))))
                yield
        servers = self.context.services.settings.current.engine.remote_servers
        if servers:
            parts.append(Label(self.tr("On other servers"), "section"))
        for server in servers:
            start = f"remote:{server['name']}/"
            there = [view for view in views if view.info.id.startswith(start)]
            parts.append((yield from self._server(server, there)))
            yield

    def _put(self, parts: Sequence[QWidget]) -> None:
        clear(self.body)
        for part in parts:
            self.body.addWidget(part)

    def _server(self, server: dict[str, str], views: Sequence[ModelView]) -> Generator[None, None, QWidget]:
        name = server["name"]
        tools = (
            Button(self.tr("Refresh"), partial(self._refresh_server, name), icon_name="refresh-cw"),
            Button(self.tr("Change"), partial(self._ask_server, server), icon_name="pencil"),
            Button(self.tr("Remove"), partial(self._remove_server, name), icon_name="x"),
        )
        for button in tools:
            button.setAccessibleName(f"{button.text().strip()}: {name}")
        frame = column(SectionHead(name, server["base_url"], *tools), gap=10)
        surface = card(frame)
        if not views:
            nothing = self.tr("None of its models matches.") if self.search.text() else ""
            frame.addWidget(Label(nothing or self.tr("It had no models when last asked."), "muted"))
        # A server may have hundreds; those in use come first, the others are searched.
        settings = self.context.services.settings.current
        used = {settings.engine.chat_model, settings.memory.core_model}
        for view in sorted(views, key=lambda view: view.info.id not in used)[:MANY]:
            frame.addWidget(line())
            frame.addWidget((yield from self._body(view, name)))
            yield
        if len(views) > MANY:
            frame.addWidget(Label(self.tr("%n more: search for one by name.", "", len(views) - MANY), "muted"))
        return surface

    def _body(self, view: ModelView, server: str = "") -> Generator[None, None, QWidget]:
        info, settings = view.info, self.context.services.settings.current
        # The card of a server has its name already.
        name: QWidget = Label(info.name.removesuffix(f" ({server})"), "strong")
        name.setToolTip(info.path)
        chips = [name]
        if settings.engine.chat_model == info.id:
            chips.append(Chip(self.tr("chats"), "accent"))
        if settings.memory.core_model == info.id:
            chips.append(Chip(self.tr("keeps the memory"), "accent"))
        if view.loaded is not None:
            chips.append(Chip(self.tr("loaded"), "success"))
        if not info.available:
            chips.append(Chip(self.tr("not usable"), "danger"))
        box = column(flowing(*chips, gap=6), Label(self._facts(view), "muted", wrap=True), gap=4)
        if info.problem:
            box.addWidget(Label(said(info.problem), "danger", wrap=True))
        box.addWidget(Label(self._worth(view), "small", wrap=True))
        box.addSpacing(self.context.theme.px(8))
        body = boxed(box)
        yield
        box.addWidget((yield from self._tools(view)))
        return body

    def _facts(self, view: ModelView) -> str:
        info = view.info
        parts = []
        if info.parameters:
            parts.append(
                self.tr("{n} B parameters").format(n=number(info.parameters / 1e9, 1))
                if info.parameters >= 1e9
                else self.tr("{n} M parameters").format(n=number(info.parameters / 1e6))
            )
        if info.quantization:
            parts.append(info.quantization)
        if info.size_bytes:
            parts.append(size(info.size_bytes))
        if info.context_tokens:
            parts.append(self.tr("context {n}").format(n=number(info.context_tokens)))
        if info.license:
            parts.append(info.license)
        if view.speed:
            words = self.tr("reads {read}, writes {write} tokens/s here")
            speed = view.speed
            parts.append(
                words.format(read=number(speed.prompt_tokens_per_second), write=number(speed.tokens_per_second))
            )
        if view.loaded and view.loaded.rss_bytes:
            parts.append(self.tr("{size} in memory").format(size=size(view.loaded.rss_bytes)))
        return " · ".join(parts)

    def _worth(self, view: ModelView) -> str:
        if busy := self._busy.get(view.info.id):
            return busy[0]
        if view.grade is None:
            return self.tr("Not tested yet: the self-test says whether it may write the memory in its own words.")
        return said(view.grade.message)

    def _tools(self, view: ModelView) -> Generator[None, None, QWidget]:
        info, services = view.info, self.context.services
        update, settings = services.settings.update, services.settings.current
        widget = QWidget()
        flow = FlowLayout(widget, gap=8)
        buttons: list[Button] = []
        if busy := self._busy.get(info.id):
            buttons.append(Button(self.tr("Stop"), busy[1].cancel, icon_name="x"))
            info = replace(info, available=False, extra={})
        if info.available and settings.engine.chat_model != info.id:
            buttons.append(
                Button(self.tr("Use for chat"), partial(self._do, update, "engine", {"chat_model": info.id}))
            )
        if info.available and settings.memory.core_model != info.id:
            buttons.append(
                Button(self.tr("Use for memory"), partial(self._do, update, "memory", {"core_model": info.id}))
            )
        if info.available:
            buttons.append(Button(self.tr("Self-test"), partial(self._test, info.id), icon_name="circle-check"))
            buttons.append(Button(self.tr("Measure"), partial(self._measure, info.id), icon_name="gauge"))
        if info.source == "remote":
            buttons.append(
                Button(self.tr("Context…"), partial(self._ask_context, info), icon_name="sliders-horizontal")
            )
        if view.loaded is not None:
            buttons.append(Button(self.tr("Unload"), partial(self._unload, info.id), icon_name="power"))
        if info.extra.get("place") == "added":
            buttons.append(Button(self.tr("Remove"), partial(self._do, services.models.remove, info.id), icon_name="x"))
        if info.extra.get("place") == "downloads":
            buttons.append(Button(self.tr("Delete file…"), partial(self._ask_delete, info), icon_name="trash-2"))
        yield
        for button in buttons:
            button.setAccessibleName(f"{button.text().strip()}: {info.name}")
            flow.addWidget(button)
        return widget

    # -- actions -------------------------------------------------------------------------

    def _do(self, service: Callable[..., object], *arguments: object) -> None:
        self.context.bridge.call(self, service, *arguments).ended(self.reload).start()

    def _unload(self, model_id: str) -> None:
        op = self.context.bridge.call(self, self.context.services.models.unload, model_id).tell(tr("Unloaded"))
        op.ended(self.reload).start()

    def _ask_context(self, info: ModelInfo) -> None:
        dialog = ContextDialog(self.context, self.window(), info)
        dialog.changed.connect(self.reload)
        dialog.open()

    def _ask_delete(self, info: ModelInfo) -> None:
        ConfirmDialog(
            self.window(),
            title=self.tr("Delete {name}?").format(name=info.name),
            text=self.tr("Its file, {size}, is deleted from this disk. It can be downloaded again.").format(
                size=size(info.size_bytes)
            ),
            action=self.tr("Delete"),
            confirmed=lambda _option: self._do(self.context.services.models.delete_file, info.id),
        ).open()

    def _measure(self, model_id: str) -> None:
        self._long(operations.measure(self.context, self, model_id=model_id), model_id, self.tr("Measuring…"))

    def _test(self, model_id: str) -> None:
        op = operations.self_test(self.context, self, model_id=model_id)
        self._long(op, model_id, self.tr("Reading a small conversation…"))

    def _long(self, op: ServiceOp[Any], model_id: str, words: str) -> None:
        self._busy[model_id] = (words, op)

        def ended() -> None:
            self._busy.pop(model_id, None)
            self.reload()

        op.ended(ended).start()
        self.reload()

    def _add_file(self) -> None:
        ask_file(self.window(), self.tr("Add a model"), self._add, self.tr("Models (*.gguf)"))

    def _add_folder(self) -> None:
        ask_folder(self.window(), self.tr("Add a folder of models"), self._add)

    def _add(self, path: str) -> None:
        operations.add_path(self.context, self, path=path).ended(self.reload).start()

    def _find(self) -> None:
        dialog = FoundDialog(self.context, self.window())
        dialog.added.connect(self.reload)
        dialog.open()

    def _add_server(self) -> None:
        self._ask_server(None)

    def _refresh_server(self, name: str) -> None:
        operations.refresh_remote(self.context, self, name=name).ended(self.reload).start()

    def _ask_server(self, server: dict[str, str] | None) -> None:
        dialog = RemoteDialog(self.context, self.window(), server)
        dialog.added.connect(self.reload)
        dialog.open()

    def _remove_server(self, name: str) -> None:
        self.context.bridge.call(self, self.context.services.models.remove_remote, name).ended(self.reload).start()

    def _download(self) -> None:
        dialog = DownloadDialog(self.context, self.window())
        dialog.wanted.connect(self._fetch)
        dialog.open()

    def _fetch(self, file: HubFile) -> None:
        """Download a file of the hub; the page may be gone when it is done."""

        def ended() -> None:
            if isValid(self):
                self.reload()

        operations.download(self.context, repo=file.repo, filename=file.filename).ended(ended).start()
        self.downloads.watch()
