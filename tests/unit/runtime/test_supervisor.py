"""The supervisor against real child processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import psutil
import pytest

from memdesk.errors import (
    CancelledError,
    ContextOverflowError,
    EngineCrashedError,
    EngineFaultError,
    EngineTimeoutError,
    ModelMissingError,
)
from memdesk.ports import WorkerSpec
from memdesk.runtime.child import _step_back
from memdesk.runtime.lanes import ThreadLanes
from memdesk.runtime.pool import WorkerPool
from memdesk.runtime.process import ChildProcess
from memdesk.runtime.supervisor import backoff_seconds

HELPERS = str(Path(__file__).resolve().parents[2] / "helpers")


@pytest.fixture
def lanes():
    lanes = ThreadLanes()
    yield lanes
    lanes.close()


@pytest.fixture
def changes():
    return []


@pytest.fixture
def pool(lanes, changes):
    pool = WorkerPool(lanes, lambda name, state: changes.append(state))
    yield pool
    pool.close()


@pytest.fixture
def make(pool):

    def build(**options):
        config = options.pop("config", {})
        spec = WorkerSpec(
            name=options.pop("name", "fake"),
            kind="llm",
            target="fake_worker:FakeWorker",
            config=config,
            env={"PYTHONPATH": HELPERS},
            **options,
        )
        return pool.make(spec)

    return build


@pytest.fixture(autouse=True)
def helpers_on_path(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", HELPERS)


def wait_for(condition, seconds=60.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "condition not met in time"
        time.sleep(0.01)


def test_starts_on_first_use_and_answers(make, changes):
    worker = make(config={"noise": True})
    assert worker.state().state == "stopped"
    header, blob = worker.call("echo", {"text": "grüße \ud83d"}, blob=b"\x00\xff")
    assert header["args"] == {"text": "grüße \ud83d"}
    assert blob == b"\x00\xff"
    state = worker.state()
    assert state.state == "ready"
    assert state.pid
    assert state.rss_bytes > 0
    assert state.tokens_per_second == 12.5
    assert changes == ["starting", "busy", "ready"]


def test_child_imports_nothing_heavy(make):
    assert make().start()["modules"] == []


def test_streams_in_order(make):
    assert [item["n"] for item, _ in make().stream("count", {"n": 5, "pause": 0})] == list(range(5))


def test_typed_errors_cross_the_pipe(make):
    worker = make()
    with pytest.raises(ContextOverflowError) as caught:
        worker.call("typed", {})
    assert caught.value.hint == "shorten it"
    with pytest.raises(EngineFaultError, match="ValueError: what"):
        worker.call("foreign", {})
    assert worker.call("echo", {})[0]["args"] == {}


def test_start_errors_are_typed(make):
    with pytest.raises(ModelMissingError, match="no such model"):
        make(config={"fail_start": "typed"}).call("echo", {})


@pytest.mark.expect_log
def test_child_that_dies_at_start_backs_off(make):
    worker = make(config={"fail_start": "die"})
    for _ in range(2):
        with pytest.raises(EngineCrashedError, match="ended with code 7"):
            worker.call("echo", {})
    state = worker.state()
    assert state.restarts == 2
    assert state.state in {"backoff", "stopped"}


@pytest.mark.expect_log
def test_crash_in_mid_answer_is_typed_and_the_next_request_works(make):
    worker = make()
    stream = worker.stream("count", {"n": 1000})
    next(stream)
    os.kill(worker.state().pid, signal.SIGKILL)
    with pytest.raises(EngineCrashedError, match="killed"):
        list(stream)
    assert worker.call("echo", {"again": 1})[0]["args"] == {"again": 1}
    assert worker.state().restarts == 1


@pytest.mark.expect_log
def test_exit_in_mid_answer_is_typed(make):
    worker = make()
    with pytest.raises(EngineCrashedError, match="code 11"):
        worker.call("die", {})


@pytest.mark.expect_log
def test_hang_is_ended(make):
    worker = make()
    worker.start()
    with pytest.raises(EngineTimeoutError):
        worker.call("hang", {}, timeout=0.3)
    assert worker.call("echo", {"again": 1})[0]["args"] == {"again": 1}


@pytest.mark.expect_log
def test_hang_at_start_is_ended(make):
    with pytest.raises(EngineTimeoutError, match="did not start"):
        make(config={"fail_start": "hang"}, start_timeout=1.0).call("echo", {})


def test_signs_of_life_keep_silent_work_alive(make):
    worker = make(answer_timeout=2.0)
    assert worker.call("beats", {"n": 25, "pause": 0.1})[0] == {"ok": True}


def test_cancel_between_items(make):
    worker, cancel = make(), threading.Event()
    seen = []

    def read():
        for item, _ in worker.stream("count", {"n": 10_000}, cancel=cancel):
            seen.append(item)
            if len(seen) == 3:
                cancel.set()

    with pytest.raises(CancelledError):
        read()
    assert len(seen) < 100
    assert worker.call("echo", {"x": 1})[0]["args"] == {"x": 1}


def test_closing_the_iterator_cancels(make):
    worker = make()
    stream = worker.stream("count", {"n": 10_000})
    next(stream)
    pid = worker.state().pid
    stream.close()
    assert worker.call("echo", {"x": 1})[0]["args"] == {"x": 1}
    assert worker.state().pid == pid


def test_interactive_displaces_background(make):
    worker = make()
    outcome = []

    def background():
        try:
            list(worker.stream("count", {"n": 10_000}, priority="background"))
        except CancelledError as error:
            outcome.append(error.message)

    thread = threading.Thread(target=background)
    thread.start()
    wait_for(lambda: worker.state().state == "busy")
    assert worker.call("echo", {"chat": 1})[0]["args"] == {"chat": 1}
    thread.join(60)
    assert outcome == ["A chat went first; this work resumes later."]


def test_a_stalled_background_reader_does_not_hold_the_engine(make):
    worker = make()
    stream = worker.stream("count", {"n": 10_000}, priority="background")
    next(stream)
    assert worker.call("echo", {"chat": 1})[0]["args"] == {"chat": 1}
    with pytest.raises(CancelledError):
        list(stream)


def test_asking_aside_neither_waits_nor_displaces(make, tmp_path):
    worker, go_on = make(), tmp_path / "go-on"
    stream = worker.stream("count", {"n": 20, "until": str(go_on)}, priority="background")
    next(stream)
    for number in range(5):
        assert worker.call("echo", {"n": number}, aside=True)[0]["args"] == {"n": number}
    assert worker.state().state == "busy"
    go_on.touch()
    assert len(list(stream)) == 19


def test_asking_aside_starts_the_child_once(make):
    worker, pids = make(), set()
    threads = [
        threading.Thread(target=lambda: (worker.call("echo", {}, aside=True), pids.add(worker.state().pid)))
        for _ in range(8)
    ]
    threads.append(threading.Thread(target=lambda: list(worker.stream("count", {"n": 3}))))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(pids) == 1
    assert worker.state().restarts == 0


@pytest.mark.expect_log
def test_asking_aside_hears_of_a_crash(make):
    worker = make()
    worker.start()
    with pytest.raises(EngineCrashedError):
        worker.call("die", {}, aside=True)
    with pytest.raises(ContextOverflowError):
        worker.call("typed", {}, aside=True)


def test_without_preempt_background_finishes_first(make, tmp_path):
    worker, go_on = make(preempt=False), tmp_path / "go-on"
    seen, before = [], []
    count = {"n": 20, "until": str(go_on)}
    first = threading.Thread(target=lambda: seen.extend(worker.stream("count", count, priority="background")))
    first.start()
    wait_for(lambda: worker.state().state == "busy")
    second = threading.Thread(target=lambda: (worker.call("echo", {}), before.append(len(seen))))
    second.start()
    wait_for(lambda: len(worker._waiting) == 1)
    go_on.touch()
    for thread in (first, second):
        thread.join(60)
    assert len(seen) == 20
    assert before[0] >= 19  # the last item may be on its way to the first thread yet


def test_interactive_goes_before_waiting_background(make, tmp_path):
    log = tmp_path / "order"
    worker, go_on = make(config={"log": str(log)}), tmp_path / "go-on"
    worker.start()
    count = {"n": 2, "until": str(go_on), "name": "first"}
    first = threading.Thread(target=lambda: worker.call("count", count))
    first.start()
    wait_for(lambda: worker.state().state == "busy")
    later = [
        threading.Thread(target=lambda p=p, n=n: worker.call("echo", {"name": n}, priority=p))
        for p, n in (("background", "b1"), ("background", "b2"), ("interactive", "i1"), ("interactive", "i2"))
    ]
    for number, thread in enumerate(later, 1):
        thread.start()
        wait_for(lambda number=number: len(worker._waiting) == number)
    go_on.touch()
    for thread in (first, *later):
        thread.join(60)
    assert [line.split()[1] for line in log.read_text().splitlines()] == ["first", "i1", "i2", "b1", "b2"]


def test_unloads_when_idle_and_comes_back(make):
    worker = make(idle_seconds=0.2)
    first = worker.start()["pid"]
    wait_for(lambda: worker.state().state == "stopped")
    assert not psutil.pid_exists(first)
    assert worker.start()["pid"] != first


def test_unload_in_mid_answer_cancels(make):
    worker = make()
    stream = worker.stream("count", {"n": 10_000})
    next(stream)
    worker.unload()
    with pytest.raises(CancelledError):
        list(stream)


def test_the_pool_ends_all_and_each_comes_back(make, pool):
    workers = [make(name="one"), make(name="two"), make(name="idle")]
    pids = [worker.start()["pid"] for worker in workers[:2]]
    pool.unload()
    assert not any(psutil.pid_exists(pid) for pid in pids)
    assert [worker.state().state for worker in workers] == ["stopped"] * 3
    assert workers[0].call("echo", {"x": 1})[0]["args"] == {"x": 1}


def test_close_ends_the_child_and_refuses_work(make):
    worker = make()
    pid = worker.start()["pid"]
    worker.close()
    worker.close()
    assert not psutil.pid_exists(pid)
    with pytest.raises(CancelledError):
        worker.call("echo", {})


def test_a_request_whose_turn_comes_while_it_is_closed_starts_nothing(make, monkeypatch):
    worker = make()

    def closed_meanwhile(_cancel):
        worker.close()
        return False

    monkeypatch.setattr(worker, "_wait_for_backoff", closed_meanwhile)
    with pytest.raises(CancelledError):
        worker.call("echo", {})
    assert worker.state().pid is None
    assert worker.state().state == "stopped"


def test_many_threads_share_one_child(make):
    worker = make()
    answers = []
    threads = [
        threading.Thread(target=lambda n=n: answers.append(worker.call("echo", {"n": n})[0]["args"]["n"]))
        for n in range(24)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(answers) == list(range(24))


def test_backoff_grows_and_is_bounded():
    pauses = [backoff_seconds(n) for n in range(1, 14)]
    assert pauses[0] == 0
    assert pauses == sorted(pauses)
    assert pauses[-1] == 60


def test_children_die_with_a_killed_parent():
    script = textwrap.dedent(
        """
        import sys, time
        from memdesk.ports import WorkerSpec
        from memdesk.runtime.lanes import ThreadLanes
        from memdesk.runtime.pool import WorkerPool
        worker = WorkerPool(ThreadLanes()).make(
            WorkerSpec(name="fake", kind="llm", target="fake_worker:FakeWorker")
        )
        print(worker.start()["pid"], flush=True)
        next(worker.stream("hang", {}), None)
        """
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    wait_for(lambda: not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE)


def test_a_child_steps_back_on_windows_too(monkeypatch):
    asked = []
    monkeypatch.delattr(os, "nice")
    monkeypatch.setattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", 0x4000, raising=False)
    monkeypatch.setattr(psutil.Process, "nice", lambda _self, value: asked.append(value))
    _step_back(5)
    assert asked == [0x4000]


def test_a_crash_on_windows_is_said_in_words():
    child = ChildProcess(WorkerSpec(name="fake", kind="llm", target="none:None"), lambda _: None, lambda _: None)
    child.exit_code = 0xC0000005
    assert child.reason() == "it crashed in native code (0xC0000005)"
    child.exit_code = 3
    assert child.reason() == "it ended with code 3"


def test_interactive_requests_take_turns_and_the_background_waits_for_them(make, tmp_path):
    worker = make(shares=2, turn_seconds=0.0)
    go, order = tmp_path / "go", []

    def count(name, **more):
        for item, _ in worker.stream("count", {"n": 6, "until": str(go), "name": name, **more}, **more):
            order.append(f"{name}{item['n']}")

    threads = [threading.Thread(target=count, args=(name,)) for name in "ab"]
    threads[0].start()
    wait_for(lambda: "a0" in order)
    threads[1].start()
    threads.append(threading.Thread(target=count, args=("z",), kwargs={"priority": "background"}))
    threads[2].start()
    wait_for(lambda: len(worker._aside) == 1 and len(worker._waiting) == 1)
    go.touch()
    for thread in threads:
        thread.join(60)
    mine = [step for step in order if step[0] != "z"]
    assert mine.index("b0") < mine.index("a5") < mine.index("b5")
    assert [step for step in order if step[0] == "z"] == [f"z{n}" for n in range(6)]
    assert order.index("z0") > order.index("a5")


@pytest.mark.expect_log
def test_what_takes_turns_is_cancelled_by_itself_and_hears_of_a_crash(make, tmp_path):
    worker = make(shares=3, turn_seconds=0.0)
    go, cancel, outcomes = tmp_path / "go", threading.Event(), {}

    def run(name, op, cancel=None):
        try:
            outcomes[name] = len(list(worker.stream(op, {"n": 4, "until": str(go)}, cancel=cancel)))
        except (CancelledError, EngineCrashedError) as error:
            outcomes[name] = type(error).__name__

    first = threading.Thread(target=run, args=("first", "count"))
    first.start()
    wait_for(lambda: worker._current is not None and worker._current.sent)
    second = threading.Thread(target=run, args=("second", "count", cancel))
    second.start()
    wait_for(lambda: worker._aside)
    cancel.set()
    go.touch()
    first.join(60)
    second.join(60)
    assert outcomes == {"first": 4, "second": "CancelledError"}
    go.unlink()
    third = threading.Thread(target=run, args=("third", "count"))
    third.start()
    wait_for(lambda: worker._current is not None and worker._current.sent)
    go.touch()
    fourth = threading.Thread(target=run, args=("fourth", "die"))
    fourth.start()
    third.join(60)
    fourth.join(60)
    assert outcomes["fourth"] == "EngineCrashedError"
    assert not worker._aside
