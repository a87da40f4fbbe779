"""The real window in a process of its own, driven step by step, with every event of its main thread timed.

``python -m memdesk.bench.window_desk {tour,typing,idle} HOME`` reads the keyring's JSON from standard input and
writes one JSON object per line. ``idle`` opens every page, prints ``{"ready": pid}`` and waits to be killed.
"""

import json
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest

from memdesk.bench.watchdog import WatchedApplication
from memdesk.bench.window_store import CarriedSecrets
from memdesk.bootstrap.app import App
from memdesk.domain.chatting.drafts import Draft
from memdesk.gui.app import Starter, make_application
from memdesk.gui.i18n import install as install_language
from memdesk.gui.notices import Notices
from memdesk.gui.pages import PAGES
from memdesk.gui.theme import Theme
from memdesk.gui.views.chat.page import ChatPage
from memdesk.gui.views.memory.facts import FactsTab
from memdesk.gui.views.settings.page import TITLES
from memdesk.gui.window import MainWindow
from memdesk.services.recalling import is_large
from memdesk.settings.paths import profile_paths

#: Interval of the event loop's heartbeat, in ms.
PULSE_MS = 5
WAIT_SECONDS = 120.0
#: Key presses per second of fast typing.
KEYS_PER_SECOND = 12
#: Mouse moves per second of dragging a scroll bar.
DRAG_STEPS = 100
TYPED = "Could you tell me what we said about the greenhouse and its nine panes? "


class Desk:
    """A window over a profile, as ``memdesk gui`` opens it."""

    def __init__(self, home: Path, secrets: CarriedSecrets) -> None:
        self.qt = WatchedApplication(sys.argv[:1])
        make_application([])
        Theme(self.qt, choice="light")
        install_language(self.qt, "en")
        self.app = App(profile_paths(home=home), secrets=secrets)
        self.window = MainWindow(self.app, Notices(self.qt))
        self.window.resize(1240, 800)
        self.starter = Starter(self.app.open_window, self.window)
        self._last = time.perf_counter()
        self.gaps: list[float] = []
        self._pulse = QTimer()
        self._pulse.setInterval(PULSE_MS)
        self._pulse.timeout.connect(self._beat)

    def open(self) -> None:
        """Show the window and wait until the chat page is there."""
        self.window.show()
        self.starter.start()
        self.until(lambda: self.window.host.current == "chat")
        self.settle()
        self._pulse.start()
        self.listen()

    def listen(self) -> None:
        self._last = time.perf_counter()
        self.gaps.clear()

    def until(self, there: Callable[[], bool]) -> None:
        """Process events until the condition holds.

        Raises:
            TimeoutError: it did not hold within :data:`WAIT_SECONDS`.
        """
        end = time.monotonic() + WAIT_SECONDS
        while not there():
            if time.monotonic() > end:
                raise TimeoutError("the window did not come to rest")
            QTest.qWait(2)

    def settle(self) -> None:
        """Wait until nothing is pending."""
        session = self.starter.session
        assert session is not None
        QTest.qWait(10)
        self.until(lambda: not session.bridge.busy())

    def step(self, name: str, action: Callable[[], object], there: Callable[[], bool] | None = None) -> dict[str, Any]:
        """Do something, wait until it is done, and return its times.

        Returns:
            milliseconds until done, CPU and wall milliseconds of the longest event, and the longest pause of the loop.
        """
        self.qt.reset()
        self.listen()
        self.qt.watching = True
        started = time.perf_counter()
        # As an event, so that the action itself is timed too.
        QTimer.singleShot(0, self.window, action)
        QTest.qWait(1)
        self.until(there) if there is not None else self.settle()
        taken = time.perf_counter() - started
        QTest.qWait(50)
        self.qt.watching = False
        return {
            "step": name,
            "ms": round(taken * 1000, 1),
            "handler_ms": round(self.qt.worst * 1000, 1),
            "handler_wall_ms": round(self.qt.worst_wall * 1000, 1),
            "pause_ms": round(max(self.gaps, default=0.0) * 1000, 1),
            "slow": list(self.qt.slow),
        }

    def close(self) -> None:
        self._pulse.stop()
        self.starter.finish()
        self.window.allow_close = True
        self.window.close()
        self.app.close()

    def _beat(self) -> None:
        now = time.perf_counter()
        self.gaps.append(now - self._last - PULSE_MS / 1000)
        self._last = now


def tour(desk: Desk) -> None:
    """Open the Facts tab of a large store, scroll to the end in every order, filter, search, select all, open pages."""
    window = desk.window
    _tell(desk.step("page memory", lambda: window.navigate("memory", tab="identity")))
    _tell(desk.step("open Facts", lambda: window.navigate("memory", tab="facts")))
    page = window.host.page("memory")
    assert page is not None
    tab = page.findChild(FactsTab)
    assert tab is not None
    model, bar = tab.model, tab.table.verticalScrollBar()

    def there() -> bool:
        """Whether the last row is drawn with its text."""
        last = model.index(model.total - 1, 0)
        return tab.table.rowAt(tab.table.viewport().height() - 2) == last.row() and model.item(last) is not None

    def drag(part: int = 0) -> None:
        """Drag the scroll bar from the first row to the last in a second."""
        bar.setValue(bar.maximum() * part // DRAG_STEPS)
        if part < DRAG_STEPS:
            QTimer.singleShot(1000 // DRAG_STEPS, window, lambda: drag(part + 1))

    _tell(desk.step("jump to the end", lambda: bar.setValue(bar.maximum()), there))
    _tell(desk.step("drag to the end", drag, there))
    _tell(desk.step("back to the start", lambda: bar.setValue(0)))
    for order in ("salience", "content", "last_used", "created", "updated"):
        _tell(desk.step(f"sort by {order}", lambda order=order: _choose(tab.filters.order, order)))  # type: ignore[misc]
        _tell(desk.step("to its end", lambda: bar.setValue(bar.maximum()), there))
        _tell(desk.step("to its middle", lambda: bar.setValue(bar.maximum() // 2)))
    _tell(desk.step("filter by kind", lambda: _choose(tab.filters.kind, "preference")))
    _tell(desk.step("all kinds", lambda: _choose(tab.filters.kind, "")))
    _tell(desk.step("filter by state", lambda: _choose(tab.filters.state, "all")))
    _tell(desk.step("filter by date", lambda: _choose(tab.filters.age, "365")))
    _tell(desk.step("any date", lambda: _choose(tab.filters.age, "")))
    _tell(desk.step("choose all", tab.table.selectAll))
    tab.table.clearSelection()
    word, every = _words(tab)[0], model.total
    _tell(desk.step("search a word", lambda: tab.search.setText(word), lambda: model.total < every and _rest(desk)))
    _tell(desk.step("search nothing", lambda: tab.search.setText(""), lambda: _rest(desk)))
    _tell(desk.step("open a fact", lambda: tab.table.selectRow(3)))
    for other in ("episodes", "transcript", "entities", "review", "activity", "preview", "identity", "facts"):
        _tell(desk.step(f"tab {other}", lambda other=other: window.navigate("memory", tab=other)))  # type: ignore[misc]
    for spec in PAGES:
        _tell(desk.step(f"page {spec.id}", lambda spec=spec: window.navigate(spec.id)))  # type: ignore[misc]
    for section in TITLES:
        _tell(desk.step(f"settings {section}", lambda section=section: window.navigate("settings", section=section)))  # type: ignore[misc]
    _tell(desk.step("search settings", lambda: window.navigate("settings", query="memory")))


def typing(desk: Desk) -> None:
    """Type into the composer at rest, while the chat model answers, and while a consolidation runs as well."""
    page = desk.window.host.page("chat")
    assert isinstance(page, ChatPage)
    session = desk.starter.session
    assert session is not None
    services = session.services
    _tell(_typed(desk, page, "typing at rest"))
    page.answers.send(Draft("Write a long story about a village by the sea, with many people in it."))
    desk.until(lambda: bool(page.answers.shown is not None and (last := page.messages.last_assistant()) and last.text))
    _tell(_typed(desk, page, "typing while the model answers") | {"answering": page.answers.shown is not None})
    done = threading.Event()

    def consolidate() -> int:
        """Repeatedly look for what could be merged, evicted and pruned."""
        passes = 0
        while not done.is_set():
            services.consolidation.run(dry_run=True, cancel=done)
            passes += 1
        return passes

    run = services.lanes.submit("background", consolidate)
    _tell(_typed(desk, page, "typing while it answers and consolidation runs") | {"consolidating": not run.done()})
    done.set()
    page.answers.stop()
    desk.settle()


def idle(desk: Desk) -> None:
    """Open every page and tab once and wait, first for large indexes to leave memory."""
    for spec in PAGES:
        desk.step(spec.id, lambda spec=spec: desk.window.navigate(spec.id))  # type: ignore[misc]
    for tab in ("identity", "facts", "episodes", "transcript", "entities", "review", "activity", "preview"):
        desk.step(tab, lambda tab=tab: desk.window.navigate("memory", tab=tab))  # type: ignore[misc]
    desk.step("chat", lambda: desk.window.navigate("chat"))
    indexing = desk.app.services.indexing
    desk.until(lambda: not any(map(is_large, indexing.status()["indexes"].values())))
    desk._pulse.stop()  # noqa: SLF001 - the pulse is the bench's own and must not be counted
    _tell({"ready": os.getpid()})
    desk.qt.exec()


def _typed(desk: Desk, page: ChatPage, name: str) -> dict[str, Any]:
    """Type a sentence and return the CPU and wall times of its keys, and the loop's pauses."""
    editor = page.composer.editor
    wall: list[float] = []
    desk.listen()
    for letter in TYPED:
        started = time.perf_counter()
        QTest.keyClicks(editor, letter)
        wall.append((time.perf_counter() - started) * 1000)
        QTest.qWait(1000 // KEYS_PER_SECOND)
    editor.clear()
    gaps = [gap * 1000 for gap in desk.gaps]
    return {
        "step": name,
        "key_p95_ms": round(statistics.quantiles(wall, n=20)[-1], 1),
        "key_max_ms": round(max(wall), 1),
        "pause_p95_ms": round(statistics.quantiles(gaps, n=20)[-1], 1),
        "pause_max_ms": round(max(gaps), 1),
    }


def _choose(combo: Any, key: str) -> None:
    combo.set_key(key)
    combo.chosen.emit(key)


def _words(tab: FactsTab) -> list[str]:
    return next(fact for _row, fact in tab.model.known()).content.split()


def _rest(desk: Desk) -> bool:
    session = desk.starter.session
    assert session is not None
    return not session.bridge.busy()


def _tell(found: dict[str, Any]) -> None:
    print(json.dumps(found), flush=True)


def main(what: str, home: str) -> int:
    desk = Desk(Path(home), CarriedSecrets.load(sys.stdin.read()))
    try:
        desk.open()
        {"tour": tour, "typing": typing, "idle": idle}[what](desk)
    finally:
        desk.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
