"""Rules for every test: nothing touches the user's home, no unexpected output, nothing is left running."""

from __future__ import annotations

import functools
import gc
import logging
import os
import re
import shutil
import threading
import time

import psutil
import pytest
from hypothesis import settings
from pytestqt.qtbot import QtBot

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
# The developer's own keyring is none of the tests' business; those that need one make a session of their own.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"

# The machine may be busy; a slow example is no failure. What passes once passes again: the same examples every time,
# and new ones where somebody looks for them (``poe explore``).
settings.register_profile("memdesk", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("MEMDESK_EXAMPLES", "memdesk"))

#: How long a test waits for what has to come. Only one that fails waits to the end: a busy machine is no failure.
PATIENCE_SECONDS = 120

#: Threads that libraries keep for the life of the process.
KEPT_THREADS = (
    "tqdm_monitor",
    "QueueFeederThread",
    "ThreadPoolExecutor",
    "asyncio_",
    "AnyIO worker thread",
    "Dummy-",
    "LanceDB",
)


#: What tests of the keyring start; ``packaging/bootstrap.py test`` names the packages.
SECRET_SERVICE = ("dbus-run-session", "gnome-keyring-daemon")


def pytest_collection_modifyitems(items):
    """Skip, in words, what needs a Secret Service where there is none to start."""
    missing = [name for name in SECRET_SERVICE if shutil.which(name) is None]
    if missing:
        reason = (
            f"{' and '.join(missing)} not installed; `python3 packaging/bootstrap.py test` says which packages hold it"
        )
        for item in items:
            if item.get_closest_marker("keyring"):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """Give the test a home of its own and point every folder that could be the user's into it."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("MEMDESK_HOME", str(home / "memdesk"))
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(home / name.lower()))
    return home


@pytest.fixture(scope="session", autouse=True)
def _cheap_keys():
    """Let making a vault take no time: what guessing its secrets costs is for the tests of the vault to say."""
    from memdesk.storage.wrapping import KdfCost

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("memdesk.storage.vault.KdfCost", lambda: KdfCost(memory_kib=64, iterations=1, lanes=1))
        yield


@pytest.fixture(scope="session", autouse=True)
def _cheap_stores():
    """Let making a store take one step, that of the schema which the first one came to by a dozen."""
    from memdesk.storage import migrate as steps

    made: list[str] = []

    def at_once(conn, **how):
        if steps.version(conn):
            return steps.migrate(conn, **how)
        if made:
            conn.executescript(made[0])
            return []
        done = steps.migrate(conn, **how)
        rows = conn.rows("SELECT type, name, sql FROM sqlite_schema WHERE sql <> '' AND name NOT GLOB 'sqlite_*'")
        # A mirror for full-text search makes tables of its own, and keeps how it works in one of them.
        mirrors = [name for _, name, sql in rows if re.search(r"USING fts5\b", sql)]
        parts = tuple(f"{name}_" for name in mirrors)
        script = [sql for kind, name, sql in rows if not (kind == "table" and name.startswith(parts))]
        for table in ("sqlite_sequence", *(f"{name}_config" for name in mirrors)):
            script += [f"REPLACE INTO {table} VALUES ('{k}', {v})" for k, v in conn.rows(f"SELECT * FROM {table}")]
        made.append(";\n".join(["BEGIN IMMEDIATE", *script, f"PRAGMA user_version = {steps.latest()}", "COMMIT;"]))
        return done

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("memdesk.storage.files.migrate", at_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def _cheap_clients():
    """Let the authorities that servers are believed by be read once: each client of a test would read them anew."""
    import httpx

    from memdesk.settings.addresses import certificates

    with pytest.MonkeyPatch.context() as patched:
        make = httpx.create_ssl_context
        patched.setattr(
            "httpx._transports.default.create_ssl_context",
            lambda verify=True, cert=None, trust_env=True: (
                certificates() if (verify, cert) == (True, None) else make(verify, cert, trust_env)
            ),
        )
        yield


@pytest.fixture(scope="session", autouse=True)
def _patient_closing():
    """Let what closes wait for running work as long as a busy machine needs; the app gives it five seconds."""
    from memdesk.runtime.lanes import ThreadLanes

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ThreadLanes, "close", functools.partialmethod(ThreadLanes.close, PATIENCE_SECONDS))
        yield


@pytest.fixture(scope="session", autouse=True)
def _patient_questions():
    """Let a question wait for its vector as long as a busy machine needs; the app gives it a third of a second."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("memdesk.services.recalling.search.EMBED_SECONDS", PATIENCE_SECONDS)
        yield


@pytest.fixture(autouse=True)
def _no_unexpected_log(caplog, request):
    """Fail on a warning or error that the test did not expect; ``caplog.clear()`` says that it did."""
    caplog.set_level(logging.WARNING, logger="memdesk")
    yield
    if request.node.get_closest_marker("expect_log"):
        return
    for phase in ("setup", "call"):
        loud = [r for r in caplog.get_records(phase) if r.levelno >= logging.WARNING and r.name.startswith("memdesk")]
        if loud:
            pytest.fail("unexpected log: " + "; ".join(f"{r.name}: {r.getMessage()}" for r in loud))


@pytest.fixture(autouse=True)
def _nothing_left_running():
    """Fail on threads and child processes that outlive the test."""
    threads = set(threading.enumerate())
    children = {child.pid for child in psutil.Process().children(recursive=True)}
    yield
    deadline = time.monotonic() + 30.0
    while True:
        left = [t for t in threading.enumerate() if t not in threads and not t.name.startswith(KEPT_THREADS)]
        processes = [
            child
            for child in psutil.Process().children(recursive=True)
            if child.pid not in children and not _is_helper(child)
        ]
        if not left and not processes:
            return
        if time.monotonic() > deadline:
            break
        gc.collect()
        time.sleep(0.05)
    pytest.fail(f"left running: threads {[t.name for t in left]}, processes {[p.pid for p in processes]}")


def _is_helper(process: psutil.Process) -> bool:
    """Whether it is multiprocessing's own resource tracker, which lives as long as we do, or already gone."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE or any("resource_tracker" in a for a in process.cmdline())
    except psutil.NoSuchProcess:
        return True


class PatientBot(QtBot):
    """pytest-qt's, which by itself waits five seconds for anything."""

    def waitUntil(self, callback, *, timeout=PATIENCE_SECONDS * 1000):  # noqa: N802 - pytest-qt's name
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal, *, timeout=PATIENCE_SECONDS * 1000, **more):  # noqa: N802 - pytest-qt's name
        return super().waitSignal(signal, timeout=timeout, **more)

    def waitSignals(self, signals, *, timeout=PATIENCE_SECONDS * 1000, **more):  # noqa: N802 - pytest-qt's name
        return super().waitSignals(signals, timeout=timeout, **more)


@pytest.fixture
def qtbot(qapp, request):
    return PatientBot(request)


@pytest.fixture(scope="session")
def qapp_cls():
    """The one application of the run; whichever test asks for it first, the tours watch it later."""
    from memdesk.bench.watchdog import WatchedApplication

    return WatchedApplication
