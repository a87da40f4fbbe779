from __future__ import annotations

import threading

import pytest

from memdesk.errors import CancelledError
from memdesk.services.distilling.queue import Flight


def test_jobs_of_one_session_are_joined_and_run_in_order():
    done = []
    flight = Flight(lambda job: done.append(job.key) or job.key)
    first, second = flight.add(("a", "1"), explicit=False), flight.add(("a", "2"), explicit=False)
    assert flight.add(("a", "1"), explicit=True) is first
    assert first.explicit
    assert flight.waiting == [("a", "1"), ("a", "2")]
    assert flight.wait(second) == ("a", "2")
    assert done == [("a", "1"), ("a", "2")]


def test_never_two_at_once():
    at_once, most, guard = 0, 0, threading.Lock()

    def work(job):
        nonlocal at_once, most
        with guard:
            at_once += 1
            most = max(most, at_once)
        threading.Event().wait(0.005)
        with guard:
            at_once -= 1
        return job.key

    flight = Flight(work)
    threads = [
        threading.Thread(target=lambda n=n: flight.wait(flight.add(("a", str(n)), explicit=True))) for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
    assert flight.running is None


def test_others_have_their_turn_while_a_long_job_rests():
    done = []

    def work(job):
        if job.key[1] == "long" and not done:
            flight.add(job.key, explicit=True)
            for _ in range(3):
                flight.add(("a", f"{len(done)}"), explicit=True)
                flight.rest()
        done.append(job.key[1])
        return job.key

    flight = Flight(work)
    flight.wait(flight.add(("a", "long"), explicit=True))
    assert done == ["0", "1", "2", "long", "long"]
    assert flight.running is None


@pytest.mark.expect_log
def test_an_error_reaches_who_waits_and_the_next_job_runs():
    def work(job):
        if job.key[1] == "bad":
            raise ValueError("bad")
        return "fine"

    flight = Flight(work)
    bad, good = flight.add(("a", "bad"), explicit=True), flight.add(("a", "good"), explicit=True)
    with pytest.raises(ValueError, match="bad"):
        flight.wait(bad)
    assert flight.wait(good) == "fine"


def test_waiting_ends_with_the_line_or_the_caller():
    flight = Flight(lambda job: "x")
    stop = threading.Event()
    stop.set()
    with pytest.raises(CancelledError):
        flight.wait(flight.add(("a", "1"), explicit=True), stop)
    assert flight.waiting == []
    job = flight.add(("a", "2"), explicit=True)
    flight.close()
    flight.close()
    with pytest.raises(CancelledError):
        flight.wait(job)
