"""The examples run unchanged."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("remember.py", ["['UPDATE']", "Lisbon"]),
        ("filters.py", ["The car got new tires. {'tag': 'car', 'year': 2026}"]),
        ("awaited.py", ["bees", "cello"]),
    ],
)
def test_an_example_shows_what_it_says(name, shown, tmp_path):
    arguments = [str(tmp_path)] if name == "remember.py" else []
    done = subprocess.run(
        [sys.executable, str(FOLDER / name), *arguments], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert all(words in done.stdout for words in shown), done.stdout


def test_no_example_is_left_out():
    assert {path.name for path in FOLDER.glob("*.py")} == {"awaited.py", "filters.py", "remember.py"}
