"""The bench of the library's stores, small."""

from __future__ import annotations

import json

from memdesk.bench.library import main


def test_a_store_is_filled_step_by_step_and_searched_in_a_scope_and_whole(capsys):
    assert main(["--rows", "2000", "1000", "--json"]) == 0
    small, large = json.loads(capsys.readouterr().out)
    assert (small["rows"], large["rows"]) == (1000, 2000)
    # A row is at least its vector: 384 numbers of four bytes.
    assert all(row["kb"] > 1.5 and row["scope_ms"] > 0 and row["whole_ms"] > 0 for row in (small, large))
