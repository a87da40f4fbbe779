"""``memdesk bench precision`` on facts with known answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memdesk.bench import precision

REAL = DATA = Path(__file__).parents[2] / "data" / "precision"


@pytest.fixture
def ask(tmp_path, capsys):
    """Run the bench on some of the cases; return its report."""

    def run(names: set[str], *options: str):
        cases = [case for case in json.loads((DATA / "cases.json").read_text("utf-8")) if case["caseId"] in names]
        chosen = tmp_path / "cases.json"
        chosen.write_text(json.dumps(cases), encoding="utf-8")
        assert precision.main([str(DATA / "beliefs.json"), str(chosen), *options, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return run


def test_what_answers_is_shown_and_neither_a_successor_s_past_nor_another_user_s(ask):
    names = {"cat", "key", "no-cat", "superseded", "other-user", "resolved", "relation", "cap", "blank"}
    report = ask(names)["cases"]
    assert report["questions"] == len(names)
    assert report["recall"] == 1.0
    assert report["forbidden"] == 0
    assert report["failed"] == []


def test_a_case_that_only_forbids_has_no_precision(ask, tmp_path, monkeypatch):
    """What else is shown is neither right nor wrong there."""
    cases = json.loads((DATA / "cases.json").read_text("utf-8"))
    (cat,) = [case for case in cases if case["caseId"] == "cat"]
    shown = cat["expect"]["relevantBeliefs"]["shouldOnlyInclude"]
    forbids = {**cat, "caseId": "forbids", "expect": {"relevantBeliefs": {"mustExclude": ["b-nobody-s"]}}}
    leaks = {**cat, "caseId": "leaks", "expect": {"relevantBeliefs": {"mustExclude": shown}}}
    (tmp_path / "cases.json").write_text(json.dumps([forbids, leaks]), encoding="utf-8")
    monkeypatch.setattr("tests.unit.bench.test_precision.DATA", tmp_path)
    (tmp_path / "beliefs.json").write_text((REAL / "beliefs.json").read_text("utf-8"), encoding="utf-8")
    report = ask({"forbids", "leaks"})["cases"]
    assert report["precision"] is None
    assert report["failed"] == ["leaks"]


def test_a_session_learns_as_it_goes_and_what_it_left_behind_does_not_come_back(ask):
    report = ask({"empty"}, "--sessions", str(DATA / "sessions.json"))["sessions"]
    assert report["questions"] == 10
    assert report["recall"] == 1.0
    assert report["drift"] <= 0.1


def test_a_file_of_another_form_is_refused(tmp_path, capsys):
    path = tmp_path / "beliefs.json"
    path.write_text("{}", encoding="utf-8")
    assert precision.main([str(path), str(path)]) == 2
    assert "beliefs.json" in capsys.readouterr().err
