"""What services say in English, figures and all, is said in the user's language."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from datetime import timedelta

import pytest

from memdesk.errors import NotFoundError
from memdesk.gui.i18n import install
from memdesk.gui.notices import Notices, describe
from memdesk.gui.sentences import known
from memdesk.gui.text import said
from memdesk.gui.words import number, percent, rule_name
from memdesk.services.events import Notice
from memdesk.settings.resources import resource_text, resources_root


@pytest.fixture
def german(qapp):
    install(qapp, "de")


def test_the_sentences_are_those_of_the_sources():
    program = "import sys; sys.argv = ['x']; sys.path.insert(0, 'packaging'); import texts, json; print(json.dumps(texts.sentences()))"
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=resources_root().parent, check=True, capture_output=True, text=True
    ).stdout
    assert json.loads(found) == json.loads(resource_text("translations", "sentences.json")), "run: poe translations"


def test_the_words_of_a_sentence_with_most_of_its_own_are_tried_first():
    own = [len(re.sub(r"%n|\{\w+\}", "", sentence.source)) for sentence in known()]
    assert len(own) > 100
    assert own == sorted(own, reverse=True)


@pytest.mark.parametrize(
    ("english", "german_text"),
    [
        ("1,234 texts embedded", "1.234 Texte eingebettet"),
        ("1 texts embedded", "1 Text eingebettet"),
        ("12,000 turns are parked after five failures.", "12.000 Nachrichten sind nach fünf Fehlversuchen zurückgestellt."),
        ("The battery is low.", "Der Akku ist schwach."),
        (
            "salience 0.08 is below the floor 0.20 and it rested for 41 days",
            "Gewicht 0,08 liegt unter dem Mindestgewicht 0,20, und 41 Tage ohne Gebrauch",
        ),
        (
            "2 episodes of the last 30 days speak of it",
            "2 Episoden der letzten 30 Tage sprechen davon",
        ),
        ("ADD: looks opposed to another fact, without proof; both are kept",
         "scheint einem anderen Fakt zu widersprechen, ohne Beleg; beide bleiben"),
        ("part of it has changed (home: Vienna instead of Graz); both are kept",
         "ein Teil davon hat sich geändert (Wohnort: Vienna statt Graz); beide bleiben"),
        ("The model engine stopped unexpectedly: llama stopped while it worked: it ended with code 3.",
         "Die Modell-Engine ist unerwartet stehen geblieben: llama endete bei der Arbeit: er endete mit dem Code 3."),
        ("Taken up after an interruption. The consolidation was stopped.",
         "Nach einer Unterbrechung fortgesetzt. Die Konsolidierung wurde angehalten."),
        (
            ("Left in the transcript: 1 message that it came from. "
            "Forget the messages too, or the conversation, if the words themselves must go."),
            ("1 Nachricht, aus der er stammt, bleibt im Wortlaut. "
            "Vergiss auch sie oder das Gespräch, wenn die Worte selbst fort sollen."),
        ),
        (
            ("Left in the transcript: 2,000 messages with the name “Marta”, in “A trip”; nothing is learned from "
            "those sentences again. Forget the messages too if the name itself must go."),
            ("2.000 Nachrichten, die „Marta“ nennen, bleiben im Wortlaut, in „A trip“; aus diesen "
            "Sätzen wird nichts mehr gelernt. Vergiss auch die Nachrichten, wenn der Name selbst fort soll."),
        ),
        ("Port 1337 on 127.0.0.1 is in use.", "Port 1337 auf 127.0.0.1 ist belegt."),
    ],
)  # fmt: skip
def test_a_sentence_with_figures_is_said_in_german(german, english, german_text):
    assert said(english) == german_text


@pytest.mark.parametrize("words", ["", "Ada sings alto.", "x" * 5000, "Graz: a town"])
def test_what_nobody_knows_stays(german, words):
    assert said(words) == words


def test_english_stays_as_the_service_said_it(qapp):
    assert said("1,234 texts embedded") == "1,234 texts embedded"
    assert said("The battery is low.") == "The battery is low."


def test_every_pattern_hears_its_own_sentence():
    for sentence in known():
        spoken = sentence.source.replace("%n", "3").format_map(_Filled())
        assert sentence.places(spoken) is not None, sentence.source


class _Filled(dict):
    def __missing__(self, key):
        return "some words"


def test_an_error_and_a_notice_are_german_throughout(german, qapp):
    words = describe(NotFoundError("There is no agent “coder”.", hint="GET /agents lists them."))
    assert words["message"] == "Es gibt keinen Agenten „coder“."
    assert words["hint"] == ""
    notices = Notices()
    notices.heard(
        Notice("error", "The disk is full", "There is no room left to write memory.db.", "Try again in a moment.")
    )
    (told,) = notices.recent
    assert (told.title, told.message) == ("Die Festplatte ist voll", "Für memory.db ist kein Platz mehr.")


def test_figures_take_the_form_of_the_language(german):
    assert number(12345.678, 1) == "12.345,7"
    assert percent(0.42) == "42 %"


def test_rules_are_told_in_words(qapp):
    assert rule_name("entity") == "a known name"
    assert rule_name("follow-up:we-talked") == "an earlier talk, from the message before"
    assert rule_name("late:guard") == "a task, not about you; the core model did not choose"
    assert rule_name("engine_failed:none").endswith("the core model did not choose")
    assert rule_name("brand-new") == "brand new"


def test_every_rule_of_the_gate_has_words(qapp):
    from memdesk.services.recall_gate import language_rules

    named = {rule.name for rules in language_rules() for group in rules.rules.values() for rule in group}
    assert len(named) > 10
    assert [name for name in named - {"exact-words"} if rule_name(name) == name.replace("-", " ")] == []


def test_the_window_tells_a_parked_session_in_german(german, desk):
    from memdesk.domain.models import Signal, SignalStatus, new_id
    from memdesk.gui.widgets.labels import Label
    from memdesk.services.ingest import IngestTurn

    desk.real.ingest.ingest(
        agent_id="default",
        conversation_id="talk",
        turns=[IngestTurn(user="Hello", assistant="Hi")],
        skip_extraction=True,
    )
    (turn, *_rest) = desk.real.conversations.turns("default", "talk")
    now = desk.real.clock.now()

    def park(repos):
        repos.signals.add([Signal(
            id=new_id(), turn_id=turn.id, agent_id="default", conversation_id="talk", created_at=now,
            status=SignalStatus.PARKED, attempts=5, last_error="The model's answer holds no JSON.",
            next_try_at=now + timedelta(days=1),
        )])  # fmt: skip

    desk.real.memories._store.write(park)
    page = desk.page("diagnostics")
    texts = [label.text() for label in page.findChildren(Label)]
    assert "Die Antwort des Modells enthält kein JSON." in texts
    assert "Eine Nachricht ist nach fünf Fehlversuchen zurückgestellt." in texts
