"""Measures the window: first paint against an empty PySide6 window, and with ``--facts N`` a large store.

First paint: both windows run in their own processes, alternately, so that a busy machine slows both alike; the medians
are compared. ``--facts N`` fills a throw-away profile with N facts, paints over that, and adds a recorded tour
(milliseconds of each step, the longest handler of the main thread, the longest pause of its loop) and the process's
usage at rest with every page opened. ``--vectors`` gives every fact a vector, and waits until the indexes have left
memory before the rest is measured. ``--typing`` types while the bundled model answers and a consolidation runs.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import psutil

from memdesk.bench.shared import arguments, folder, tell
from memdesk.bench.window_store import CarriedSecrets, fill
from memdesk.bootstrap.app import RELEASE_EVERY

_EMPTY = """
import os, sys, time, psutil
started = psutil.Process().create_time()
from PySide6.QtWidgets import QApplication, QMainWindow
class Window(QMainWindow):
    def paintEvent(self, event):
        print(time.time() - started, flush=True)
        os._exit(0)
app = QApplication([])
window = Window()
window.resize(1240, 800)
window.show()
app.exec()
"""
_OURS = """
import os, sys, time, psutil
started = psutil.Process().create_time()
import memdesk.gui.window
def paint(self, event):
    print(time.time() - started, flush=True)
    os._exit(0)
memdesk.gui.window.MainWindow.paintEvent = paint
from memdesk.cli.main import run
run(["--home", sys.argv[1], "gui"])
"""
#: CPU milliseconds of the main thread that one handler may take.
HANDLER_MS = 50.0
#: Seconds until an idle window has released memory taken by reads.
SETTLE_SECONDS = 2 * RELEASE_EVERY.total_seconds() + 5
#: Seconds for which an idle window is watched.
REST_SECONDS = 30.0


def main(argv: Sequence[str]) -> int:
    """Run the bench.

    Args:
        argv: ``--rounds N``, ``--facts N``, ``--vectors``, ``--typing``, ``--json``, ``--home DIR`` (a profile whose first paint is
            measured; default: a new one).
    """
    parser = arguments("window", __doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--facts", type=int, default=0, help="fill a store with so many facts and tour it")
    parser.add_argument("--vectors", action="store_true", help="with a vector for every fact")
    parser.add_argument("--typing", action="store_true", help="type while the bundled model answers")
    parser.add_argument("--home", default="")
    options = parser.parse_args(list(argv))
    with folder() as scratch:
        home = Path(options.home) if options.home else scratch
        secrets = (
            fill(home, options.facts, vectors=options.vectors)
            if (options.facts or options.typing) and not options.home
            else None
        )
        found: dict[str, Any] = {"facts": options.facts, **_first_paint(home, options.rounds)}
        if secrets is not None and options.facts:
            found["tour"] = _desk("tour", home, secrets)
            found["worst_handler_ms"] = max(step["handler_ms"] for step in found["tour"])
            found["at_rest"] = _at_rest(home, secrets)
        if secrets is not None and options.typing:
            found["typing"] = _desk("typing", home, secrets)
    tell(options, found, lambda: _lines(found))
    return 0


def _first_paint(home: Path, rounds: int) -> dict[str, float]:
    empty, ours = [], []
    for number in range(rounds + 1):
        pair = _seconds(_EMPTY), _seconds(_OURS, str(home))
        if number:  # the first round fills the disk cache
            empty.append(pair[0])
            ours.append(pair[1])
    return {
        "empty_s": round(statistics.median(empty), 3),
        "window_s": round(statistics.median(ours), 3),
        "ratio": round(statistics.median(ours) / statistics.median(empty), 2),
        "rounds": rounds,
    }


def _desk(what: str, home: Path, secrets: CarriedSecrets) -> list[dict[str, Any]]:
    done = subprocess.run(  # noqa: S603 - our own module on our own interpreter
        [sys.executable, "-m", "memdesk.bench.window_desk", what, str(home)],
        input=secrets.dump(),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env=_environment(),
        timeout=1200,
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def _at_rest(home: Path, secrets: CarriedSecrets) -> dict[str, float]:
    """Return resident MB and core share of an idle window after a tour.

    Child processes count; there are none before a model is loaded.
    """
    process = subprocess.Popen(  # noqa: S603 - our own module on our own interpreter
        [sys.executable, "-m", "memdesk.bench.window_desk", "idle", str(home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=_environment(),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(secrets.dump())
        process.stdin.close()
        next(line for line in process.stdout if line.startswith('{"ready"'))
        time.sleep(SETTLE_SECONDS)
        before = _used(process.pid)
        time.sleep(REST_SECONDS)
        after = _used(process.pid)
    finally:
        process.terminate()
        process.wait(timeout=60)
    return {
        "rss_mb": round(after[0] / 1e6, 1),
        "cpu_percent": round((after[1] - before[1]) / REST_SECONDS * 100, 2),
        "wakeups_per_second": round((after[2] - before[2]) / REST_SECONDS, 1),
        "seconds": REST_SECONDS,
    }


def _used(pid: int) -> tuple[int, float, int]:
    """Return resident bytes, CPU seconds and voluntary context switches of a process and its children."""
    parent = psutil.Process(pid)
    memory, cpu, switches = 0, 0.0, 0
    for process in (parent, *parent.children(recursive=True)):
        memory += process.memory_info().rss
        times = process.cpu_times()
        cpu += times.user + times.system
        switches += sum(_switches(process.pid, thread.id) for thread in process.threads())
    return memory, cpu, switches


def _switches(pid: int, thread: int) -> int:
    """Return how often a thread has gone to sleep; Linux only, 0 elsewhere."""
    status = Path(f"/proc/{pid}/task/{thread}/status")
    if not status.exists():
        return 0
    line = next(line for line in status.read_text().splitlines() if line.startswith("voluntary_ctxt_switches"))
    return int(line.split()[1])


def _seconds(code: str, *arguments: str) -> float:
    done = subprocess.run(  # noqa: S603 - our own code on our own interpreter
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=_environment(),
        timeout=60,
    )
    return float(done.stdout.split()[-1])


def _environment() -> dict[str, str]:
    return {"QT_QPA_PLATFORM": "offscreen", **os.environ}


def _lines(found: dict[str, Any]) -> Iterator[str]:
    yield (f"empty window {found['empty_s']} s, memdesk {found['window_s']} s, ratio {found['ratio']}")
    for step in found.get("tour", ()):
        over = "  over 50 ms" if step["handler_ms"] > HANDLER_MS else ""
        yield (
            f"{step['step']:22} {step['ms']:9.1f} ms   longest handler {step['handler_ms']:6.1f} ms CPU"
            f"   longest pause {step['pause_ms']:6.1f} ms{over}"
        )
    if "at_rest" in found:
        rest = found["at_rest"]
        yield (
            f"at rest, every page opened: {rest['rss_mb']} MB, {rest['cpu_percent']} % of a core, "
            f"{rest['wakeups_per_second']} wake-ups a second"
        )
    for step in found.get("typing", ()):
        yield (
            f"{step['step']}: a key p95 {step['key_p95_ms']} ms, most {step['key_max_ms']} ms; "
            f"pauses p95 {step['pause_p95_ms']} ms, most {step['pause_max_ms']} ms"
        )
