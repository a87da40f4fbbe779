"""The preview of an import: what is found, what is left out, how long it takes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memdesk.gui.views.firststart.import_words import how_long, what_stays_behind, what_will_happen
from memdesk.services.distilling.learning_time import Forecast
from memdesk.services.importing.importing import ImportProblem, ImportReport


def report(**more):
    return ImportReport(dry_run=True, agent_id="default", **more)


def same(moment):
    return moment


def test_in_an_empty_memory_it_is_not_said_that_all_are_new():
    day = datetime(2024, 5, 1, tzinfo=UTC)
    found = report(conversations=2, new=2, turns=4, sources={"claude": 1, "gemini": 1}, first=day, last=day)
    assert what_will_happen(found, same) == [
        "2 conversations were found: Claude (1), Gemini (1).",
        "They date from 1 May 2024.",
        "4 messages are stored, encrypted, on this computer.",
    ]


def test_the_second_time_it_says_what_is_new_and_what_cannot_be_read():
    problem = ImportProblem(name="a.json", reason="It is not JSON, or ends in the middle.")
    found = report(conversations=4, new=1, unchanged=2, kept=1, turns=1, problem_count=1, problems=[problem])
    assert what_will_happen(found, same) == [
        "4 conversations were found.",
        "1 is new, 2 are here already.",
        "1 was continued here since and is left as it is.",
        "1 message is stored, encrypted, on this computer.",
        "1 entry cannot be read: a.json (It is not JSON, or ends in the middle).",
    ]


def test_what_the_other_app_keeps_beside_its_chats_is_told():
    rows = {"fact": (4, 1), "prompt": (2, 0), "folder": (0, 3)}
    found = report(conversations=2, new=2, turns=4, sources={"chatgpt": 2}, rows=rows)
    assert what_will_happen(found, same)[-1] == (
        "From the other app: 4 memories become facts, 2 instructions go to your prompts."
    )
    # An export of memdesk itself has rows of its own.
    own = report(conversations=2, new=2, sources={"memdesk": 2}, rows={**rows, "item": (3, 1)})
    assert what_will_happen(own, same) == [
        "2 conversations were found: memdesk (2).",
        "3 facts and lines about you are added.",
    ]


def test_what_stays_behind_is_told_by_kind_and_what_nobody_knows_by_its_name():
    found = report(
        left_out={"thoughts": 1, "tools": 2, "files": 3, "instructions": 1, "versions": 2, "hologram": 2},
        without_chats=4,
        others=["a.json", "b.json", "c.json", "d.json"],
    )
    assert what_stays_behind(found) == [
        (
            "Not imported: 1 thought of a model, 2 tool calls and results, 3 pictures and files, 1 instruction or "
            "hidden message, 2 messages of other versions, 2 parts of unknown kinds (hologram)."
        ),
        "4 files hold no conversations: a.json, b.json, c.json, …",
    ]
    assert what_stays_behind(report()) == []


@pytest.mark.parametrize(
    ("forecast", "words"),
    [
        (Forecast(seconds=10.0), "less than a minute"),
        (Forecast(seconds=25 * 60.0), "about 25 minutes"),
        (Forecast(seconds=5 * 3600.0), "about 5 hours"),
        (Forecast(seconds=100 * 3600.0), "about 4 days"),
        (Forecast(), "it can be paused"),
        (None, "it can be paused"),
        (Forecast(reason="Memory is off."), "Memory is off."),
    ],
)
def test_it_says_how_long_learning_takes_or_why_there_is_none(forecast, words):
    assert words in how_long(forecast)
