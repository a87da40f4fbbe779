"""``memdesk bench plain``: questions that need no memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memdesk.bench import plain

FILE = Path(__file__).parents[2] / "data" / "plain" / "questions.json"


@pytest.mark.parametrize(
    ("answer", "right"),
    [("It is Paris.", True), ("PARIS!", True), ("Parish", False), ("The user's name is Ada.", False), ("", False)],
)
def test_an_answer_is_right_by_a_whole_word(answer, right):
    assert plain.is_right(answer, ("paris",)) is right


def test_the_file_holds_a_hundred_questions_with_answers():
    known = json.loads(FILE.read_text("utf-8"))
    assert len({row["q"] for row in known["questions"]}) == 100
    assert all(row["a"] for row in known["questions"])


@pytest.mark.model
def test_each_question_is_asked_with_and_without_memory(capsys):
    assert plain.main([str(FILE), "--questions", "1", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["questions"], report["without"], report["with"], report["changed"]) == (1, 1.0, 1.0, [])


def test_a_file_of_another_form_is_refused(tmp_path, capsys):
    path = tmp_path / "questions.json"
    path.write_text("[]", encoding="utf-8")
    assert plain.main([str(path)]) == 2
    assert "questions.json" in capsys.readouterr().err
