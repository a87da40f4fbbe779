"""The diagnostics page: health tiles, queues, engines, requests to the local server, sizes and speeds, the log."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QGridLayout, QProgressBar, QWidget

from memdesk.errors import CancelledError, LockedError, MemdeskError, NotFoundError
from memdesk.gui.bridge import ServiceOp
from memdesk.gui.operations.diagnostics import backfill, copy_report
from memdesk.gui.operations.work import distill_now
from memdesk.gui.pages import Page
from memdesk.gui.slices import SliceOp
from memdesk.gui.text import said
from memdesk.gui.views.diagnostics.activity import ActivityCard
from memdesk.gui.views.diagnostics.log import LogCard
from memdesk.gui.views.diagnostics.sizes import measured
from memdesk.gui.views.diagnostics.tile import Tile
from memdesk.gui.views.diagnostics.usage import DAYS, UsageCard
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Chip, Label, Tone
from memdesk.gui.widgets.layout import PAGE_WIDTH, ScrollColumn, card, clear, column, line, row
from memdesk.gui.widgets.states import PageHead, SectionHead, StatePane
from memdesk.gui.words import engine_state_name, number, size, weekday
from memdesk.ports import ActivityRow, EngineState, UsageRow
from memdesk.services.events import EngineChanged, PendingChanged, RunChanged, ServerChanged
from memdesk.services.recording import ConversationsService
from memdesk.services.upkeep import HealthTile

log = logging.getLogger(__name__)
#: Refresh interval while the page is shown, in ms.
REFRESH_MS = 5000
#: Conversations of a queue listed by name; an import may leave thousands.
MOST_SHOWN = 30
#: Lines of the log shown.
LOG_LINES = 200


@dataclass(frozen=True, slots=True)
class Findings:
    """What the page shows, read together off the main thread."""

    tiles: Sequence[HealthTile]
    #: the memory's contents, or the error in reading them
    snapshot: dict[str, Any] | MemdeskError
    engines: Sequence[EngineState]
    activity: Sequence[ActivityRow]
    usage: Sequence[UsageRow]
    log: str
    #: of pending conversations, by ``(agent id, conversation id)``
    titles: Mapping[tuple[str, str], str]


class DiagnosticsPage(Page):
    """The health of memdesk."""

    def build(self) -> Iterator[None]:
        context = self.context
        self._backfill: ServiceOp[Any] | None = None
        scroll = ScrollColumn(width=PAGE_WIDTH)
        report = Button(self.tr("Copy report"), self._copy, icon_name="copy")
        text = self.tr("How memdesk is doing, and what to do if something is wrong.")
        # Nothing below the header shows before it is read: tiles appearing later would push the rest down.
        self.pane = StatePane(QWidget(), QWidget())
        self.pane.show_loading()
        scroll.body.addWidget(PageHead(self.tr("Diagnostics"), text, report))
        scroll.body.addWidget(self.pane, 1)
        self.setLayout(column(scroll, gap=0))
        yield
        body = column(gap=16)
        self.pane.content.setLayout(body)
        self.tiles = QGridLayout()
        self.tiles.setSpacing(context.theme.px(12))
        body.addWidget(self._framed(self.tiles))
        self.queues = column()
        self.queue_card = self._queue_card()
        body.addWidget(self.queue_card)
        yield
        self.engines = column()
        body.addWidget(self._section(self.tr("Engines"), self.tr("Processes that run models."), self.engines))
        yield
        self.activity = ActivityCard(context)
        yield from self.activity.build()
        body.addWidget(self.activity)
        yield
        self.sizes = row(gap=48)
        self.sizes_card = self._section(self.tr("Sizes and speeds"), self.tr("Measured here."), self.sizes)
        body.addWidget(self.sizes_card)
        yield
        self.usage = UsageCard()
        body.addWidget(self.usage)
        yield
        self.log = LogCard(context)
        body.addWidget(self.log)
        body.addStretch(1)
        self._timer = QTimer(self, interval=REFRESH_MS)
        self._timer.timeout.connect(self.reload)
        for kind in (PendingChanged, EngineChanged, ServerChanged, RunChanged):
            context.bridge.on(kind, lambda _event: self._stale(), owner=self, settle_ms=500)

    def enter(self, **arguments: Any) -> None:
        """Refresh now, and repeatedly while shown."""
        del arguments
        self.reload()
        self._timer.start()

    def leave(self) -> None:
        self._timer.stop()

    def lock(self) -> None:
        self._timer.stop()

    def reload(self) -> None:
        status, conversations = self.context.services.status, self.context.services.conversations

        def read() -> Findings:
            tiles, engines, log = status.health(), status.engines(), status.log(LOG_LINES)
            try:
                snapshot = status.snapshot()
                shown = [*snapshot["parked"][:MOST_SHOWN], *snapshot["pending"][:MOST_SHOWN]]
                titles = {_key(entry): _title(conversations, *_key(entry)) for entry in shown}
                return Findings(tiles, snapshot, engines, status.activity(50), status.usage(DAYS), log, titles)
            except LockedError:
                raise
            except MemdeskError as error:
                # The page that shows problems must show all that can be read.
                return Findings(tiles, error, engines, (), (), log, {})

        self.context.bridge.run(self, read, self._show, self._failed, latest="status")

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, (LockedError, CancelledError)):
            log.error("the state cannot be read", exc_info=error)
            self.pane.show_failed(error, self.reload)

    # -- parts ---------------------------------------------------------------------------

    @staticmethod
    def _framed(layout: QGridLayout) -> QWidget:
        widget = QWidget()
        layout.setContentsMargins(0, 0, 0, 0)
        widget.setLayout(layout)
        return widget

    @staticmethod
    def _section(title: str, text: str, body: Any) -> QWidget:
        return card(SectionHead(title, text), line(), body, gap=12)

    def _queue_card(self) -> QWidget:
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(self.tr("Backfill"))
        self.bar.hide()
        self.doing = Label("", "muted")
        self.doing.hide()
        self.again = Button(self.tr("Learn from older chats"), self._toggle_backfill, icon_name="history")
        now = Button(self.tr("Distill now"), self._distill, icon_name="sparkles")
        head = SectionHead(
            self.tr("Waiting to be distilled"),
            self.tr("Messages are stored at once and distilled when their conversation rests."),
            self.again,
            now,
        )
        return card(head, self.bar, self.doing, line(), self.queues, gap=12)

    # -- showing -------------------------------------------------------------------------

    def _show(self, found: Findings) -> None:
        SliceOp(self.context.bridge, self, self._fill(found)).start(latest="findings")

    def _fill(self, found: Findings) -> Iterator[None]:
        """Show the findings; each part replaces its predecessor at once."""
        snapshot = found.snapshot
        tiles = []
        for tile in found.tiles:
            figures = "" if isinstance(snapshot, MemdeskError) else self._figures(tile, snapshot)
            tiles.append(Tile(self.context, tile, figures))
            yield
        self._show_tiles(tiles)
        yield
        self._show_engines(found.engines)
        yield
        for part in (self.queue_card, self.activity, self.sizes_card, self.usage):
            part.setVisible(not isinstance(snapshot, MemdeskError))
        if not isinstance(snapshot, MemdeskError):
            self._show_queues(snapshot, found.titles)
            yield
            self._show_sizes(snapshot)
            yield
            self.activity.show_rows(found.activity)
            yield
            self.usage.show_rows(found.usage)
        self.log.show_log(found.log)
        self.pane.show_content()

    def _show_tiles(self, tiles: Sequence[Tile]) -> None:
        clear(self.tiles)
        px, wide = self.context.theme.px, self.width()
        columns = 1 if wide < px(430) else 2 if wide < px(860) else 4
        for position, tile in enumerate(tiles):
            self.tiles.addWidget(tile, position // columns, position % columns)
        for place in range(columns):
            self.tiles.setColumnStretch(place, 1)

    def _figures(self, tile: HealthTile, snapshot: dict[str, Any]) -> str:
        """Return a green tile's figures in the user's language; empty if its own sentence suffices."""
        if tile.level != "green":
            return ""
        if tile.id == "database":
            return self.tr("Open and encrypted; %n messages.", "", snapshot["counts"]["turns"])
        planned = snapshot["consolidation"]
        if tile.id == "scheduler" and not planned.get("waiting") and planned.get("at"):
            return self.tr("Next run: {when}.").format(when=weekday(self.context.services.clock.local(planned["at"])))
        return ""

    def _show_queues(self, snapshot: dict[str, Any], titles: Mapping[tuple[str, str], str]) -> None:
        clear(self.queues)

        def title(entry: dict[str, Any]) -> str:
            return titles[_key(entry)]

        for entry in snapshot["parked"][:MOST_SHOWN]:
            retry = Button(
                self.tr("Retry"),
                partial(self._retry, entry),
                icon_name="refresh-cw",
                name=self.tr("Retry {conversation}").format(conversation=title(entry)),
            )
            words = column(
                row(Chip(self.tr("parked"), "danger"), Label(title(entry), "strong"), None),
                Label(said(entry["reason"]) or self.tr("No reason was noted."), "muted", wrap=True),
                gap=2,
            )
            box = row((words, 1), retry, gap=12)
            self.queues.addLayout(box)
        for entry in snapshot["pending"][:MOST_SHOWN]:
            count = self.tr("%n messages", "", entry["signals"])
            self.queues.addLayout(row(Label(title(entry)), Label(count, "muted"), None))
        more = sum(max(0, len(snapshot[name]) - MOST_SHOWN) for name in ("parked", "pending"))
        if more:
            self.queues.addWidget(Label(self.tr("%n more conversations", "", more), "muted"))
        if not snapshot["parked"] and not snapshot["pending"]:
            self.queues.addWidget(Label(self.tr("Nothing waits."), "muted"))

    def _show_engines(self, engines: Sequence[EngineState]) -> None:
        clear(self.engines)
        if not engines:
            self.engines.addWidget(Label(self.tr("None is running. They start on first use."), "muted"))
        tones: dict[str, Tone] = {"ready": "success", "busy": "accent", "backoff": "warning", "failed": "danger"}
        for engine in engines:
            facts = [size(engine.rss_bytes)] if engine.rss_bytes else []
            if engine.tokens_per_second:
                facts.append(self.tr("{n} tokens/s").format(n=number(engine.tokens_per_second)))
            if engine.restarts:
                facts.append(self.tr("%n restarts", "", engine.restarts))
            head = row(
                Label(engine.model or engine.name, "strong"),
                Chip(engine_state_name(engine.state), tones.get(engine.state, "")),
                None,
                Label(" · ".join(facts), "muted"),
            )
            self.engines.addLayout(head)
            if engine.last_error and engine.state in {"backoff", "failed"}:
                self.engines.addWidget(Label(said(engine.last_error), "danger", wrap=True))

    def _show_sizes(self, snapshot: dict[str, Any]) -> None:
        clear(self.sizes)
        figures = measured(snapshot)
        half = -(-len(figures) // 2)
        for part in (figures[:half], figures[half:]):
            lines = column(gap=6)
            for name, figure in part:
                lines.addLayout(row(Label(name, "muted"), None, Label(figure, "strong")))
            lines.addStretch(1)
            self.sizes.addLayout(lines, 1)

    # -- actions -------------------------------------------------------------------------

    def _stale(self) -> None:
        if self._timer.isActive():
            self.reload()

    def _copy(self) -> None:
        copy_report(self.context, self).start()

    def _distill(self) -> None:
        distill_now(self.context, self).ended(self.reload).start()

    def _retry(self, entry: dict[str, Any]) -> None:
        self.context.bridge.call(
            self, self.context.services.distillation.retry_parked, entry["agent_id"], entry["conversation_id"]
        ).behind().ended(self.reload).start()

    def _toggle_backfill(self) -> None:
        if self._backfill is not None:
            self._backfill.cancel()
            self.doing.setText(self.tr("Stopping after the conversation that is being distilled…"))
            return
        self.again.setText(self.tr("Cancel backfill"))
        self.bar.setRange(0, 0)
        self.bar.show()
        self.doing.setText(self.tr("Looking for conversations that were never distilled…"))
        self.doing.show()
        op = backfill(self.context, self)
        self._backfill = op.progress(self._progressed).ended(self._backfilled)
        self._backfill.start()

    def _progressed(self, share: float, text: str) -> None:
        self.bar.setRange(0, 100)
        self.bar.setValue(round(share * 100))
        self.doing.setText(text)

    def _backfilled(self) -> None:
        self._backfill = None
        self.again.setText(self.tr("Learn from older chats"))
        for part in (self.bar, self.doing):
            part.hide()
        self.reload()


def _key(entry: dict[str, Any]) -> tuple[str, str]:
    return entry["agent_id"], entry["conversation_id"]


def _title(conversations: ConversationsService, agent_id: str, conversation_id: str) -> str:
    """Return the conversation's title; for a deleted one, its id."""
    try:
        return conversations.get(agent_id, conversation_id).title or conversation_id
    except NotFoundError:
        return conversation_id
