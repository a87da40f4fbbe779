"""The window closes properly when the system ends it: nothing is lost, no engine stays behind."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import psutil
import pytest

from memdesk.bootstrap.app import App
from memdesk.bootstrap.profile import MemorySecrets
from memdesk.cli.exits import Exit
from memdesk.settings.paths import profile_paths
from tests.helpers.person import Person
from tests.helpers.window import window

pytestmark = [pytest.mark.e2e, pytest.mark.model]

#: A window over a memory with a session that waits to be distilled; prints the recovery code once it is filled.
WINDOW = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from memdesk.bootstrap.app import App
from memdesk.bootstrap.profile import MemorySecrets
from memdesk.cli.exits import Exit
from memdesk.gui.app import make_application, run
from memdesk.services.recording.ingest import IngestTurn
from memdesk.settings.paths import profile_paths

app = App(profile_paths(home=Path(sys.argv[1])), secrets=MemorySecrets())
code = app.open()
app.services.vault.confirm_recovery(dict(enumerate(code.split("-"))))
app.services.settings.update("server", {"port": 0})
app.services.settings.update("memory", {"summary_debounce_seconds": 10})
turns = [IngestTurn(user=f"My sister Johanna keeps bees, hive number {n}.", assistant="Noted.") for n in range(30)]
app.services.ingest.ingest(agent_id="default", conversation_id="bees", turns=turns, wait=False)
make_application([])
QTimer.singleShot(0, lambda: print(code, flush=True))
sys.exit(run(app.open_window, app_controls=app))
"""


@contextmanager
def distilling(home):
    """Lend a window's process and its children, once it distills, and the recovery code."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    process = subprocess.Popen(
        [sys.executable, "-c", WINDOW, str(home)], stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        code = process.stdout.readline().strip()
        assert code
        watched = psutil.Process(process.pid)
        children = []
        end = time.monotonic() + 60
        while not children and time.monotonic() < end:
            time.sleep(0.2)
            children = watched.children(recursive=True)
        assert children, "the session's distillation started no engine"
        yield process, children, code
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_closes_the_window_and_what_belongs_to_it(home, asked):
    with distilling(home) as (process, children, code):
        process.send_signal(asked)
        assert process.wait(timeout=60) == 0
        assert not psutil.wait_procs(children, timeout=60)[1]
    app = App(profile_paths(home=home), secrets=MemorySecrets())
    try:
        app.open(recovery_code=code)
        assert app.services.distillation.status()["pending"]
    finally:
        app.close()


def test_killed_while_it_distills_the_next_start_goes_on(home, qtbot, qapp, monkeypatch):
    """Nothing of the session is lost, its engine is gone, and no lock is in the way of the next window."""
    monkeypatch.setattr("memdesk.services.distilling.distillation.ORPHAN_DELAY_SECONDS", 0.0)
    with distilling(home) as (process, children, code):
        process.kill()
        assert process.wait(timeout=60) == -signal.SIGKILL
        assert not psutil.wait_procs(children, timeout=60)[1]
    with window(home, qtbot, qapp, created=False) as desk:
        desk.app.open_window()
        desk.real.settings.update("memory", {"extraction_mode": "rules"})
        person = Person(desk)
        person.press("Recovery code")
        person.write("Recovery code", code)
        person.press("Unlock")
        person.await_text("My sister Johanna keeps bees, hive number 0.")
        person.await_text("All distilled")
        person.press("Memory")
        assert "Johanna" in person.text()


@pytest.mark.skipif(sys.platform != "linux", reason="X11 and its libraries")
@pytest.mark.parametrize(
    ("damaged", "said"),
    [("", "could not connect to display :4077"), ("libxcb-cursor.so.0", "apt-get install libxcb-cursor0")],
    ids=["no screen", "no library"],
)
def test_a_window_that_qt_cannot_show_says_why_and_what_to_do(home, tmp_path, damaged, said):
    environment = {**os.environ, "DISPLAY": ":4077", "LD_LIBRARY_PATH": str(tmp_path)}
    for name in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"):
        environment.pop(name, None)
    if damaged:
        # The loader takes the first of this name, and cannot use it.
        (tmp_path / damaged).touch()
    command = [sys.executable, "-m", "memdesk", "--home", str(home), "gui"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == Exit.ENVIRONMENT, ended.stderr
    assert said in ended.stderr
    assert "memdesk serve" in ended.stderr
    assert "Reinstalling" not in ended.stderr
