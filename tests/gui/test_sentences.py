"""Services' English messages, including figures, appear in the user's language."""

from __future__ import annotations

import ast
import pickle
from datetime import timedelta

import pytest

from memdesk import errors
from memdesk.errors import NotFoundError
from memdesk.gui.i18n import install
from memdesk.gui.notices import Notices, describe
from memdesk.gui.text import said, sentence
from memdesk.gui.words import number, percent, relation_name, rule_name
from memdesk.messages import Message, recalled, say, stored
from memdesk.services.events import Notice
from memdesk.settings.resources import resources_root


@pytest.fixture
def german(qapp):
    install(qapp, "de")


@pytest.mark.parametrize(
    ("told", "german_text"),
    [
        (say("{n:,} texts embedded", n=1234), "1.234 Texte eingebettet"),
        (say("{n:,} texts embedded", n=1), "1 Text eingebettet"),
        (say("The battery is low."), "Der Akku ist schwach."),
        (say("salience {salience:.2f} is below the floor {floor:.2f} and it rested for {rested:,} days",
             salience=0.08, floor=0.2, rested=41),
         "Gewicht 0,08 liegt unter dem Mindestgewicht 0,20, und 41 Tage ohne Gebrauch"),
        (say("says the same as an older fact ({likeness:.0%} of the words shared)", likeness=0.83),
         "sagt dasselbe wie ein älterer Fakt (83 % der Wörter gemeinsam)"),
        (Message("{title}: {message}", title=say("The model engine stopped unexpectedly"), message=say(
            "{name} stopped while it worked: {reason}.", name="llama", reason=say("it ended with code {code}", code=3))),
         "Die Modell-Engine ist unerwartet stehen geblieben: llama endete bei der Arbeit: er endete mit dem Code 3."),
        (say("Taken up after an interruption.") + " " + say("The consolidation was stopped."),
         "Nach einer Unterbrechung fortgesetzt. Die Konsolidierung wurde angehalten."),
        (say("Port {port} on {host} is in use{more}.", port=1337, host="127.0.0.1", more=""),
         "Port 1337 auf 127.0.0.1 ist belegt."),
    ],
)  # fmt: skip
def test_a_sentence_with_figures_is_said_in_german_before_and_after_it_was_stored(german, told, german_text):
    assert said(told) == german_text
    assert said(recalled(stored(told))) == german_text
    assert recalled(stored(told)) == told


@pytest.mark.parametrize("words", ["", "Ada sings alto.", "x" * 5000, "Graz: a town"])
def test_what_nobody_knows_stays(german, words):
    assert said(words) == words


def test_a_count_beside_another_sentence_has_its_number_in_english(qapp):
    told = say("{n:conversation} not read: {why}", n=1, why=say("The battery is low."))
    assert said(told) == "1 conversation not read: The battery is low."


def test_english_stays_as_the_service_said_it(qapp):
    assert said(say("{n:,} texts embedded", n=1234)) == "1,234 texts embedded"
    assert said(say("The battery is low.")) == "The battery is low."


def test_a_message_keeps_its_code_between_processes():
    told = pickle.loads(pickle.dumps(NotFoundError(say("There is no model {model_id} here.", model_id="phi")))).message
    assert (told, told.code) == ("There is no model phi here.", "There is no model {model_id} here.")


#: They speak to programs alone.
FOR_PROGRAMS = {"library", "tools", "items.py", "locomo.py", "own_files.py", "shown.py"}


def test_every_error_of_a_service_is_said_by_code():
    """An error in a plain text would stay English in every window."""
    files = (resources_root().parent / "memdesk" / "services").rglob("*.py")
    calls = [
        (path, node)
        for path in sorted(files)
        if not FOR_PROGRAMS & {path.name, path.parent.name}
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "").endswith(("Error", "Fault"))
        and hasattr(errors, node.func.id)
    ]
    assert len(calls) > 100
    plain = [f"{path}:{call.lineno}" for path, call in calls if isinstance(call.args[0], ast.JoinedStr | ast.Constant)]
    assert plain == []


def test_an_error_and_a_notice_are_german_throughout(german, qapp):
    words = describe(
        NotFoundError(say("There is no agent “{agent_id}”.", agent_id="coder"), hint="GET /agents lists them.")
    )
    assert words["message"] == "Es gibt keinen Agenten „coder“."
    assert words["hint"] == ""
    notices = Notices()
    notices.heard(
        Notice(
            "error",
            say("The disk is full"),
            say("There is no room left to write {name}.", name="memory.db"),
            say("Try again in a moment."),
        )
    )
    (told,) = notices.recent
    assert (told.title, told.message) == ("Die Festplatte ist voll", "Für memory.db ist kein Platz mehr.")


def test_figures_take_the_form_of_the_language(german):
    assert number(12345.678, 1) == "12.345,7"
    assert percent(0.42) == "42 %"


def test_what_joins_people_is_told_in_words(qapp):
    assert relation_name("cousin_of") == "is a cousin of"
    assert relation_name("founded") == "founded"
    assert relation_name("midwife_of") == "is midwife of"
    assert relation_name("best_man_of") == "is best man of"
    assert relation_name("keeps_bees_with") == "keeps bees with"


def test_what_joins_people_is_told_in_german(german):
    assert relation_name("friend_of") == "ist befreundet mit"
    assert relation_name("flatmate_of") == "wohnt zusammen mit"
    assert relation_name("owns") == "besitzt"
    assert relation_name("midwife_of") == "ist midwife von"


def test_rules_are_told_in_words(qapp):
    assert rule_name("entity") == "a known name"
    assert rule_name("memory") == "something is remembered about it"
    assert rule_name("late:guard") == "a task, not about you; the core model did not choose"
    assert rule_name("engine_failed:none").endswith("the core model did not choose")
    assert rule_name("brand-new") == "brand new"


def test_every_rule_of_the_gate_has_words(qapp):
    from memdesk.services.recalling.gate import language_rules

    named = {rule.name for rules in language_rules() for group in rules.rules.values() for rule in group}
    assert len(named) > 10
    assert [name for name in named - {"exact-words"} if rule_name(name) == name.replace("-", " ")] == []


def test_the_window_shows_a_parked_session_in_german(german, desk):
    from memdesk.domain.models import Signal, SignalStatus, new_id
    from memdesk.gui.widgets.labels import Label
    from memdesk.services.recording.ingest import IngestTurn

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
            status=SignalStatus.PARKED, attempts=5, last_error=say("The model's answer holds no JSON."),
            next_try_at=now + timedelta(days=1),
        )])  # fmt: skip

    desk.real.memories._store.write(park)
    page = desk.page("diagnostics")
    texts = [label.text() for label in page.findChildren(Label)]
    assert "Die Antwort des Modells enthält kein JSON." in texts


def test_the_window_shows_in_german_what_was_passed_over_and_how_much_room_is_left(german, desk, monkeypatch):
    from memdesk.gui.widgets.labels import Label
    from memdesk.services.distilling import TOLD_FROM, Lately

    left_out = (("question", 3), ("request", 2), ("task at hand", 2), ("a reason of tomorrow", 1))
    health = desk.real.status._health
    monkeypatch.setattr(health, "_lately", lambda: Lately(barren=TOLD_FROM, left_out=left_out))
    monkeypatch.setattr(health, "_free_disk", lambda: 81_460_000_000)
    page = desk.page("diagnostics")
    texts = [label.text() for label in page.findChildren(Label)]
    assert "81,5 GB sind frei." in texts
    passed = "gehört nur zur Aufgabe (4), eine Frage (3), a reason of tomorrow (1)"
    assert f"Dort übergangen: {passed}." in texts


def test_a_sentence_begins_large_save_with_the_name_of_the_app(german):
    assert sentence(say("only supposed")) == "Nur angenommen"
    assert sentence(say("memdesk was not sure of it")) == "memdesk war sich nicht sicher"


def test_a_value_that_looks_like_a_place_is_shown_as_it_is(german):
    told = say("{name} failed with {status}: {words}", name="{words}", status=500, words="{status} of {name}")
    assert said(told) == "{words} ist mit 500 gescheitert: {status} of {name}"
