"""What the window relies on in the Qt binding itself."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject, Signal

ROUNDS = 50


class Talker(QObject):
    said = Signal(object)


def test_signals_and_events_keep_the_references_of_none_and_true(qtbot):
    """PySide6 6.12.0 loses one each time on Python 3.11, until the interpreter ends the process."""
    talker = Talker()
    talker.said.connect(lambda _what: None)
    before = sys.getrefcount(None), sys.getrefcount(True)
    for _ in range(ROUNDS):
        talker.said.emit(True)
    after = sys.getrefcount(None), sys.getrefcount(True)
    assert [old - new < ROUNDS // 2 for old, new in zip(before, after, strict=True)] == [True, True]
