"""The bench of the proxy server, small."""

import json

import pytest

from memdesk.bench.proxy import main


@pytest.mark.model
def test_what_is_added_is_the_difference_of_the_sides(capsys):
    assert main(["--facts", "5", "--questions", "4", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report.keys() == {"past", "off", "on", "added", "memory"}
    assert all(found["p95"] >= found["p50"] for found in report.values())
    assert report["on"]["cpu"] - report["past"]["cpu"] == pytest.approx(report["added"]["cpu"], abs=0.2)
