"""A server's requests and the garbage collector."""

import subprocess
import sys

SHOWN = """
import gc
from memdesk.runtime.collecting import YOUNG, spare
kept = [[] for _ in range(1000)]
spare()
assert gc.get_freeze_count() > 1000
assert gc.get_threshold()[0] == YOUNG
cycle = []
cycle.append(cycle)
del cycle
assert gc.collect() >= 1
"""


def test_what_exists_is_left_out_of_collections_and_later_cycles_are_found():
    done = subprocess.run([sys.executable, "-c", SHOWN], capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
