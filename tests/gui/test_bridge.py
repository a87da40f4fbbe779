from __future__ import annotations

import threading
import time
from itertools import pairwise

import pytest
from PySide6.QtCore import QEventLoop, QObject
from shiboken6 import delete

from memdesk.errors import BadRequestError, CancelledError
from memdesk.gui.bridge import ServiceOp, StreamOp
from memdesk.services.events import AgentsChanged, MemoryChanged, Notice


def test_work_runs_elsewhere_and_comes_back(bridge, qtbot):
    seen = {}
    bridge.run(
        bridge, threading.current_thread, lambda thread: seen.update(work=thread, back=threading.current_thread())
    )
    qtbot.waitUntil(lambda: "back" in seen)
    assert seen["work"] is not threading.main_thread()
    assert seen["back"] is threading.main_thread()
    assert not bridge.busy()


def test_a_fault_without_a_handler_is_shown(bridge, qtbot):
    def fail():
        raise BadRequestError("It cannot be.", hint="Do another thing.")

    bridge.run(bridge, fail)
    qtbot.waitUntil(lambda: bool(bridge.notices.recent))
    notice = bridge.notices.recent[0]
    assert (notice.level, notice.message, notice.hint) == ("error", "It cannot be.", "Do another thing.")


def test_our_own_bug_is_shown_without_its_text(bridge, qtbot, caplog):
    def fail():
        raise KeyError("what the user wrote")

    bridge.run(bridge, fail)
    qtbot.waitUntil(lambda: bool(bridge.notices.recent))
    assert "what the user wrote" not in bridge.notices.recent[0].message
    caplog.clear()


def test_a_callback_that_fails_keeps_none_of_the_others_waiting(bridge, qtbot):
    """It is a bug of ours, told by the crash guard; a busy button or a waiting page must not come on top of it."""
    seen = []

    def broken(_result):
        raise ZeroDivisionError

    with qtbot.captureExceptions() as caught:
        gate = threading.Event()
        ops = [
            ServiceOp(bridge, bridge, lambda _op: gate.wait(60)).success(callback).ended(lambda: seen.append("ended"))
            for callback in (broken, seen.append, seen.append)
        ]
        for op in ops:
            op.start()
        gate.set()
        qtbot.waitUntil(lambda: not bridge.busy())
        bridge.post(lambda: seen.append("later"))
        qtbot.waitUntil(lambda: "later" in seen)
    assert [kind for kind, *_ in caught] == [ZeroDivisionError]
    assert sorted(map(str, seen)) == ["True", "True", "ended", "ended", "ended", "later"]


def test_mail_comes_in_order_and_through_an_event_loop_within_a_callback(bridge, qtbot):
    seen = []

    def nested():
        seen.append("outer")
        loop = QEventLoop()
        bridge.post(loop.quit)
        loop.exec()
        seen.append("outer ended")

    bridge.post(nested)
    bridge.post(lambda: seen.append("second"))
    qtbot.waitUntil(lambda: "outer ended" in seen)
    assert seen == ["outer", "second", "outer ended"]


def test_a_newer_run_makes_the_older_stale(bridge, qtbot):
    gate = threading.Event()
    seen = []
    bridge.run(bridge, lambda: gate.wait(60) and "old", seen.append, latest="x")
    bridge.run(bridge, lambda: "new", seen.append, latest="x")
    qtbot.waitUntil(lambda: seen == ["new"])
    gate.set()
    qtbot.waitUntil(lambda: not bridge.busy())
    assert seen == ["new"]


def test_a_deleted_owner_hears_nothing(bridge, qtbot):
    gate = threading.Event()
    owner = QObject()
    seen = []
    bridge.run(owner, lambda: gate.wait(60), seen.append)
    delete(owner)
    gate.set()
    qtbot.waitUntil(lambda: not bridge.busy())
    assert seen == []


def test_progress_and_cancel(bridge, qtbot):
    told, ended, failed = [], [], []

    def work(op):
        op.report(0.25, "a quarter")
        assert op.token.wait(60)
        raise CancelledError("stopped")

    op = ServiceOp(bridge, bridge, work)
    op.progress(lambda part, words: told.append((part, words))).failure(failed.append).ended(lambda: ended.append(1))
    op.start()
    qtbot.waitUntil(lambda: bool(told))
    op.cancel()
    qtbot.waitUntil(lambda: bool(ended))
    assert told == [(0.25, "a quarter")]
    assert isinstance(failed[0], CancelledError)


def test_a_cancelled_run_is_silent(bridge, qtbot):
    def work():
        raise CancelledError("stopped")

    bridge.run(bridge, work)
    qtbot.waitUntil(lambda: not bridge.busy())
    assert not bridge.notices.recent


@pytest.mark.parametrize("fault", [None, BadRequestError("no")])
def test_a_stream_comes_in_batches_and_in_order(bridge, qtbot, fault):
    items, batches, end = [], [], []

    def work(_cancel):
        yield from range(500)
        if fault:
            raise fault

    def take(batch):
        batches.append(len(batch))
        items.extend(batch)

    stream = StreamOp(bridge, bridge, work, items=take, done=lambda: end.append("done"), failure=end.append)
    stream.start()
    qtbot.waitUntil(lambda: bool(end))
    assert items == list(range(500))
    assert len(batches) < 100
    assert end == [fault or "done"]


def test_a_stream_that_takes_long_to_draw_leaves_time_to_others(bridge, qtbot):
    """After a draw of 40 ms the next comes no sooner than after three times as long, whatever has come by then."""
    drawn, end = [], []

    def work(_cancel):
        for number in range(150):
            yield number
            time.sleep(0.004)

    def draw(batch):
        began = time.perf_counter()
        time.sleep(0.04)
        drawn.append((began, time.perf_counter(), len(batch)))

    StreamOp(bridge, bridge, work, items=draw, done=lambda: end.append("done"), failure=end.append).start()
    qtbot.waitUntil(lambda: bool(end), timeout=60_000)
    assert sum(size for _began, _ended, size in drawn) == 150
    # The last one comes with the end of the stream.
    rests = [began - ended for (_, ended, _), (began, _, _) in pairwise(drawn[:-1])]
    assert rests
    assert min(rests) > 0.1


def test_events_reach_the_main_thread_and_bursts_settle(bridge, qtbot):
    each, last = [], []
    bridge.on(MemoryChanged, lambda event: each.append(threading.current_thread()), owner=bridge)
    bridge.on(MemoryChanged, last.append, owner=bridge, settle_ms=30)
    bridge.on(AgentsChanged, lambda event: pytest.fail("another event"), owner=bridge)
    bus = bridge.services.events

    def publish():
        for number in range(20):
            bus.publish(MemoryChanged(str(number)))

    thread = threading.Thread(target=publish)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: bool(last))
    assert set(each) == {threading.main_thread()}
    assert len(each) == 20
    assert [event.agent_id for event in last] == ["19"]


def test_notices_of_services_are_shown(bridge, qtbot):
    bridge.services.events.publish(Notice("warning", "Disk nearly full"))
    qtbot.waitUntil(lambda: bool(bridge.notices.recent))


def test_closing_drops_what_waits(bridge, qtbot):
    seen = []
    bridge.post(lambda: seen.append(1))
    bridge.close()
    bridge.close()
    qtbot.wait(20)
    assert seen == []


def test_closing_drops_a_burst_that_has_not_settled(bridge, qtbot):
    seen, closed = [], []
    bridge.on(MemoryChanged, seen.append, owner=bridge, settle_ms=1)
    # In the same round as the settling begins.
    bridge.on(MemoryChanged, lambda _event: closed.append(bridge.close()), owner=bridge)
    bridge.services.events.publish(MemoryChanged("default"))
    qtbot.waitUntil(lambda: bool(closed))
    qtbot.wait(20)
    assert seen == []
