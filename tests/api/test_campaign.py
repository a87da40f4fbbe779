"""The campaign over every route, in its short form; ``poe campaign-api`` is the long one."""

from __future__ import annotations

import pytest

from tests.campaigns.api import campaign


@pytest.mark.expect_log
def test_generated_calls_find_no_fault(tmp_path):
    report = campaign(300, 7, tmp_path / "profile")
    assert report.cases == 300
    assert report.failures == []


def test_an_address_names_every_method_it_takes(http):
    answer = http.post("/memory/facts/x", json={})
    assert answer.status_code == 405
    assert answer.headers["Allow"] == "DELETE, GET, PATCH"
