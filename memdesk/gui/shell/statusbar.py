"""The status bar: engine, server, pending distillation, notices."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QStyle, QStyleOptionButton, QStylePainter, QWidget

from memdesk.gui.pages import PageContext
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import IconButton
from memdesk.gui.widgets.dot import Dot
from memdesk.gui.widgets.layout import row
from memdesk.gui.words import engine_state_name, model_name, percent
from memdesk.services.distilling import SWITCHED_OFF
from memdesk.services.events import (
    ConversationsChanged,
    DistillationFinished,
    DistillationStarted,
    EngineChanged,
    LockChanged,
    PendingChanged,
    RunChanged,
    ServerChanged,
    SettingsChanged,
    TurnsRecorded,
)

#: Polling interval between events, in ms.
REFRESH_MS = 15_000


class StatusButton(QPushButton):
    """A text of the bar. One that gives way is elided with … and has its full text as tooltip."""

    def __init__(self, words: str, handler: Callable[[], object], *, gives_way: bool) -> None:
        super().__init__(words)
        self._gives_way = gives_way
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(lambda _checked=False: handler())

    def minimumSizeHint(self) -> QSize:
        """Fit the whole text, or a few letters if it gives way."""
        least = self.sizeHint()
        return QSize(min(least.width(), Theme.current().px(48)), least.height()) if self._gives_way else least

    def shown(self) -> str:
        """Return the text, elided to the width."""
        if self.width() >= self.sizeHint().width():
            return self.text()
        margin = self.sizeHint().width() - self.fontMetrics().horizontalAdvance(self.text())
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width() - margin)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setToolTip("" if self.shown() == self.text() else self.text())

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = self.shown()
        QStylePainter(self).drawControl(QStyle.ControlElement.CE_PushButton, option)


class StatusBar(QWidget):
    """Shows that memdesk is starting until it gets the context."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("statusbar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Status"))
        self._context: PageContext | None = None
        self._dots = {name: Dot() for name in ("engine", "server", "pending")}
        self.engine = self._button(self.tr("Starting…"), "models")
        self.server = self._button("", "diagnostics")
        self.pending = self._button("", "diagnostics")
        self.work = self._button("", "consolidation")
        self.bell = IconButton("bell", self.tr("Notices"), self._show_notices)
        box = row(gap=2, margins=(12, 2, 10, 2))
        for name, button in (("engine", self.engine), ("server", self.server), ("pending", self.pending)):
            box.addWidget(self._dots[name])
            box.addWidget(button)
            box.addSpacing(Theme.current().px(8))
        box.addStretch(1)
        box.addWidget(self.work)
        box.addWidget(self.bell)
        self.setLayout(box)
        self._show("server", "", "track")
        self._show("pending", "", "track")
        self.work.hide()
        self._timer = QTimer(self, interval=REFRESH_MS)
        self._timer.timeout.connect(self.refresh)

    def attach(self, context: PageContext) -> None:
        self._context = context
        bridge = context.bridge
        for kind in (
            ConversationsChanged,
            EngineChanged,
            PendingChanged,
            TurnsRecorded,
            DistillationStarted,
            DistillationFinished,
            SettingsChanged,
            LockChanged,
        ):
            bridge.on(kind, lambda _event: self.refresh(), owner=self, settle_ms=250)
        context.notices.counted.connect(self._count_notices)
        self._count_notices(context.notices.unseen)
        bridge.on(ServerChanged, lambda event: self._fill_server(event.state, event.url), owner=self)
        bridge.on(RunChanged, self._run_changed, owner=self, settle_ms=100)
        self.refresh()
        self._timer.start()

    def detach(self) -> None:
        """Stop updating (lock, quit)."""
        self._timer.stop()
        if self._context is not None:
            self._context.notices.counted.disconnect(self._count_notices)
        self._context = None

    def refresh(self) -> None:
        context = self._context
        if context is None:
            return
        services, controls = context.services, context.controls

        def read() -> tuple[Any, dict[str, Any], tuple[str, str], str, bool]:
            chat_model = services.settings.current.engine.chat_model
            known = services.models.catalogue.info(chat_model)
            return (
                services.models.states(),
                services.distillation.status(),
                controls.server_state(),
                known.name if known is not None else model_name(chat_model),
                chat_model.startswith("remote:"),
            )

        context.bridge.run(self, read, self._fill, latest="status")

    def _fill(self, state: tuple[Any, dict[str, Any], tuple[str, str], str, bool]) -> None:
        engines, distillation, (server, url), chat_model, remote = state
        llm = next((item for item in engines if item.kind == "llm"), None)
        if remote and (llm is None or llm.state not in {"backoff", "failed"}):
            # The state of another machine is unknown here; the local model only does memory work.
            self._show("engine", self.tr("{model} · remote").format(model=chat_model), "track")
        else:
            self._fill_engine(llm, chat_model)
        self._fill_server(server, url)
        pending, parked = _count(distillation.get("pending")), _count(distillation.get("parked"))
        pending -= sum(n for why, n in distillation.get("skipped", {}).items() if why in SWITCHED_OFF)
        running = distillation.get("running")
        if parked:
            self._show("pending", self.tr("%n parked", "", parked), "warning")
        elif running:
            self._show("pending", self.tr("Distilling…"), "accent")
        elif pending:
            self._show("pending", self.tr("%n pending", "", pending), "accent")
        else:
            self._show("pending", self.tr("All distilled"), "success")

    def _fill_engine(self, llm: Any, chat_model: str) -> None:
        name = (llm.name if llm is not None else "") or chat_model
        if not name:
            self._show("engine", self.tr("No model"), "warning")
            return
        state = llm.state if llm is not None else "stopped"
        tokens = {"ready": "success", "busy": "accent", "starting": "accent", "backoff": "warning", "failed": "danger"}
        self._show("engine", f"{name} · {engine_state_name(state)}", tokens.get(state, "track"))

    def _fill_server(self, state: str, url: str) -> None:
        words = {
            "listening": url.removeprefix("http://"),
            "starting": self.tr("Server starting"),
            "failed": self.tr("Server failed"),
            "stopped": self.tr("Server off"),
        }
        token = {"listening": "success", "failed": "danger", "starting": "accent"}.get(state, "track")
        self._show("server", words.get(state, state), token)

    def _run_changed(self, event: RunChanged) -> None:
        running = event.status == "running"
        self.work.setVisible(running)
        if running:
            names = {
                "consolidation": self.tr("Consolidating"),
                "import": self.tr("Importing"),
                "reembed": self.tr("Indexing"),
                "distillation": self.tr("Distilling"),
            }
            self.work.setText(f"{names.get(event.kind, event.kind)} {percent(event.progress)}")

    def _count_notices(self, unseen: int) -> None:
        self.bell.set_icon("bell", "accent" if unseen else "muted")
        self.bell.set_name(self.tr("%n new notices", "", unseen) if unseen else self.tr("Notices"))

    def _show_notices(self) -> None:
        if self._context is not None:
            self._context.commands.run("view.notices")

    def _show(self, name: str, text: str, token: str) -> None:
        button: StatusButton = getattr(self, name)
        button.setText(text)
        button.setVisible(bool(text))
        self._dots[name].setVisible(bool(text))
        self._dots[name].set_token(token)

    def _button(self, text: str, page: str) -> StatusButton:
        # A model's name may be long, and is shown elsewhere too.
        return StatusButton(text, lambda: self._go(page), gives_way=page == "models")

    def _go(self, page: str) -> None:
        if self._context is not None and page:
            self._context.navigate(page)


def _count(value: Any) -> int:
    return value if isinstance(value, int) else len(value or ())
