"""Reports that leave the machine contain no names and no folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.services.upkeep import redacting
from memdesk.services.upkeep.redacting import redact, without_folders


@pytest.fixture(autouse=True)
def ada(monkeypatch):
    monkeypatch.setattr(redacting.getpass, "getuser", lambda: "ada")


def test_home_and_account_are_taken_out():
    assert redact(f"{Path.home()}/models/x.gguf of ada") == "~/models/x.gguf of [user]"
    assert redact("adagio") == "adagio"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("/media/ada/stick/x.gguf is gone", "…/x.gguf is gone"),
        ('File "/opt/py/site-packages/httpx/_client.py", line 3', 'File "…/site-packages/httpx/_client.py", line 3'),
        ("~/src/memdesk/gui/app.py:80 in run", "…/memdesk/gui/app.py:80 in run"),
        (r"C:\Users\Ada\memory.db cannot be read", "…/memory.db cannot be read"),
        ("Listening at http://127.0.0.1:1337.", "Listening at http://127.0.0.1:1337."),
        ("7.2 tokens/s, 3 and/or 4", "7.2 tokens/s, 3 and/or 4"),
    ],
)
def test_a_path_is_cut_to_its_file_or_to_what_is_the_programs_own(text, left):
    assert without_folders(text) == left
