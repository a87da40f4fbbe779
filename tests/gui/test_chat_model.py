from __future__ import annotations

import subprocess
import sys

from memdesk.gui.models.chat import ChatModel


def heard(model, *names):
    told = []
    model.watch(lambda: told.append(model.here), *names)
    return told


def test_the_model_of_a_chat_knows_no_qt():
    code = "import sys, memdesk.gui.models.chat; print(any(name.startswith('PySide6') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_a_watcher_hears_of_what_it_asked_for_alone():
    model = ChatModel()
    opened, chosen = heard(model, "open"), heard(model, "memory", "overrides")
    model.open("writer", "t1")
    assert (opened, len(chosen)) == ([("writer", "t1")], 1)
    model.set_memory("off")
    model.set_overrides({"model": "remote:lab/owl"})
    assert (len(opened), len(chosen)) == (1, 3)


def test_a_chat_that_begins_is_given_its_id_and_loses_it_when_nothing_was_kept():
    model = ChatModel()
    model.open("default", None)
    model.place("t1")
    assert model.here == ("default", "t1")
    model.place(None)
    assert model.here == ("default", None)


def test_receipts_of_a_temporary_chat_end_with_it():
    model = ChatModel()
    model.open("default", None, temporary=True)
    model.receipts["r1"] = None
    model.open("default", None)
    assert model.receipts == {}
