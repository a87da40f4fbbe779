"""How a server without a window is stopped."""

from __future__ import annotations

import signal
import threading

import pytest

from memdesk.cli.commands.serve import signals


@pytest.fixture
def _former():
    before = {name: signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM)}
    yield
    for name, handler in before.items():
        signal.signal(name, handler)


@pytest.mark.usefixtures("_former")
def test_a_signal_that_another_thread_gets_is_heard():
    with signals() as awake:
        awake.settimeout(30)
        other = threading.Thread(target=lambda: signal.pthread_kill(threading.get_ident(), signal.SIGTERM))
        other.start()
        assert awake.recv(1) == bytes([signal.SIGTERM])
        other.join()
