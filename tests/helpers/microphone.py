"""A microphone that hears what a test sets: a tone, or nothing."""

from __future__ import annotations

import math
import struct

from memdesk.engines.voice import RATE


def tone(seconds=1.0):
    """Return samples of a tone."""
    return b"".join(struct.pack("<h", int(9000 * math.sin(n / 9))) for n in range(int(RATE * seconds)))


class Heard:
    """Stands for a recording: it has heard everything when it is stopped. ``open`` has those that run."""

    open: set[Heard]
    samples = b""

    def __init__(self):
        Heard.open.add(self)

    def close(self):
        Heard.open.discard(self)
        return self.samples


Heard.open = set()
