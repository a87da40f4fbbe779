from __future__ import annotations

import pytest

from memdesk.bench.scale import run
from memdesk.bench.shared import exponent


def test_the_exponent_is_that_of_the_power():
    sizes = [1e4, 1e5, 1e6]
    assert exponent(sizes, [3 * size**1.5 for size in sizes]) == pytest.approx(1.5)


@pytest.mark.parametrize("vectors", [True, False])
def test_a_small_store_is_filled_asked_and_opened_again(vectors):
    row = run(120, vectors=vectors)
    assert row["turns"] == 120
    assert row.get("index_recall_at_10") == (1.0 if vectors else None)
    assert ("indexes_loaded_seconds" in row) is vectors
    for name in ("context", "context_auto", "search_all", "record"):
        assert 0 < row[f"{name}_p50_ms"] <= row[f"{name}_p95_ms"]
    assert row["record_per_second"] > 0
    assert row["disk_mb"] > 0
