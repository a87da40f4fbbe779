"""Time from process start to the first paint of the window, against an empty PySide6 window of the same size.

Both run as processes of their own, in turn, so that a busy machine slows both alike; the medians are compared.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence

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


def main(argv: Sequence[str]) -> int:
    """Run the bench.

    Args:
        argv: ``--rounds N``, ``--json``, ``--home DIR`` (a profile that exists; default: a new one).
    """
    parser = argparse.ArgumentParser(prog="memdesk bench window", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--home", default="")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(list(argv))
    empty, ours = [], []
    with tempfile.TemporaryDirectory() as scratch:
        home = options.home or scratch
        for number in range(options.rounds + 1):
            pair = _seconds(_EMPTY), _seconds(_OURS, home)
            if number:  # the first round fills the disk cache
                empty.append(pair[0])
                ours.append(pair[1])
    found = {
        "empty_s": round(statistics.median(empty), 3),
        "window_s": round(statistics.median(ours), 3),
        "ratio": round(statistics.median(ours) / statistics.median(empty), 2),
        "rounds": options.rounds,
    }
    if options.json:
        print(json.dumps(found))
    else:
        print(f"empty window {found['empty_s']} s, memdesk {found['window_s']} s, ratio {found['ratio']}")
    return 0


def _seconds(code: str, *arguments: str) -> float:
    environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ}
    done = subprocess.run(  # noqa: S603 - our own code on our own interpreter
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        timeout=60,
    )
    return float(done.stdout.split()[-1])
