"""Keeps the garbage collector out of a server's requests."""

import gc
from typing import Final

#: Objects made before the youngest are looked at: more than one request makes, which frees nearly all of them itself.
YOUNG: Final = 20_000


def spare() -> None:
    """Leave what exists now out of every later collection, and collect less often.

    A full collection over all imported modules, with every thread waiting for it, took 300 ms; during requests it came every few
    seconds.
    """
    gc.collect()
    gc.freeze()
    _young, middle, old = gc.get_threshold()
    gc.set_threshold(YOUNG, middle, old)
