"""The bench runs, and its last line is as documented."""

from __future__ import annotations

import json

from memdesk.bench import storage as bench

SMALL = ["--turns", "400", "--queries", "5", "--exchanges", "5"]


def test_figures_as_json(capsys):
    assert bench.main([*SMALL, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["turns"] == 400
    for name in ("search", "search_after_commit", "record", "record_in_full"):
        assert set(figures[name]) == {"memdesk_ms", "bare_ms", "ratio"}
        assert figures[name]["ratio"] > 0


def test_a_table_ends_with_the_ratios(capsys):
    assert bench.main(SMALL) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("ratios: search ")
