"""The bench runs, prints JSON, and its results equal those of brute force."""

from __future__ import annotations

import json

from memdesk.bench import consolidate


def test_the_bench_compares_with_brute_force(capsys):
    assert consolidate.main(["400", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert all(part["equal"] for part in answer["brute_force"].values())
    assert answer["brute_force"]["fact_merges"]["found"] > 5
    assert [run["facts"] for run in answer["runs"]] == [200, 400]
    # Every row is aged, or leaves without.
    counts = answer["runs"][-1]["counts"]
    assert counts["decay"] < 440 <= counts["decay"] + counts["evict"] + counts["prune"]
    for holds in (answer["runs"][-1]["holds"], answer["runs"][-1]["undo_holds"]):
        assert 0 < holds["p50"] <= holds["p95"] <= holds["max"] <= answer["longest_hold_ms"]
        assert holds["cpu_max"] > 0


def test_the_bench_speaks_to_people(capsys):
    assert consolidate.main(["200"]) == 0
    out = capsys.readouterr().out
    assert "200 facts" in out
    assert "the same as brute force" in out
    assert "writer held by its undo: p50" in out
