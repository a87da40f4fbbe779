from __future__ import annotations

import json
from pathlib import Path

import pytest

from memdesk.bench.gate import main
from memdesk.bench.gate_prompts import Labeled, Prompt
from memdesk.bench.gate_train import learn, leave_one_out
from memdesk.domain.language.names import EntityMatcher
from memdesk.domain.recalling.gate import Gate
from memdesk.domain.recalling.gate_wording import Kinds, Wording
from memdesk.services.recalling.gate import language_rules, learned_wording, shipped_gate, word_kinds

TAUGHT = {
    "identity": ["what is my name", "tell me my name please", "wie ist mein name"],
    "pinned": ["where does my sister live", "where does my brother live", "wo wohnt meine schwester"],
    "episode": [
        "what did we talk about yesterday",
        "what did we talk about last week",
        "was haben wir gestern besprochen",
    ],
    "transcript": ["quote what i said exactly", "repeat exactly what i said", "zitiere genau was ich gesagt habe"],
    "none": ["explain how the moon moves", "explain what a planet is", "erkläre mir den mond"],
}


def taught(name="taught"):
    prompts = [Prompt(query, (section,)) for section, queries in TAUGHT.items() for query in queries]
    return Labeled(name, ("Nora",), tuple(prompts))


@pytest.fixture(scope="module")
def learned():
    return Wording(word_kinds(), learn([taught()]))


def test_words_of_one_kind_share_what_is_learned(learned):
    assert learned.choose("where does my aunt live") == "pinned"
    assert learned.choose("what did we discuss last month") == "episode"
    assert learned.choose("was haben wir gestern diskutiert") == "episode"
    assert learned.choose("recite exactly what i wrote") == "transcript"


@pytest.mark.parametrize("text", ["", "?!", "qwrt zxcv plmk", "что делает она"])
def test_unknown_words_are_left_to_the_rules(learned, text):
    assert learned.choose(text) is None


def test_kinds_of_words():
    kinds = Kinds({"KIN": "sister aunt", "ASK": "ask* aunt"})
    assert kinds.of("aunt") == ("KIN", "ASK")
    assert kinds.of("asking") == ("ASK",)
    assert (kinds.of("12"), kinds.of("1999"), kinds.of("tree")) == (("#",), ("####",), ())
    assert "s:KIN _ #" in kinds.features("sister tree 12")


def test_a_long_message_is_read_at_both_ends():
    words = [f"w{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(300)]
    features = Kinds({}).features(" ".join(words))
    assert {f"1:{words[0]}", f"1:{words[-1]}"} <= set(features)
    assert f"1:{words[150]}" not in features


def test_the_receipt_names_a_rule_that_agrees_or_the_wording():
    gate = shipped_gate()
    assert gate.decide("What did we talk about yesterday?").rule == "we-discussed"
    assert gate.decide("What should people call me?").rule == "wording"
    assert gate.decide("How is Nora?", EntityMatcher(["Nora"])).rule == "entity"


@pytest.mark.parametrize("query", ["Quel est mon métier ?", "¿Qué decidimos ayer?"])
def test_languages_that_were_not_taught_stay_with_the_rules(query):
    english = Wording(word_kinds(), learn([taught()]) | {"languages": ["en"]})
    by_rules = Gate(language_rules()).decide(query)
    assert Gate(language_rules(), wording=english).decide(query) == by_rules
    assert by_rules.section == shipped_gate().decide(query).section != "none"


def test_what_ships_can_be_learned_again(tmp_path: Path, capsys):
    source = tmp_path / "prompts.jsonl"
    rows = [{"query": prompt.query, "accept": prompt.accept} for prompt in taught().prompts]
    source.write_text("\n".join(json.dumps(row) for row in [{"entities": ["Nora"]}, *rows]))
    target = tmp_path / "weights.json"
    assert main([str(source), str(source), "--train", str(target), "--leave-one-out"]) == 0
    assert capsys.readouterr().out.endswith("accuracy 1.0000\n")
    data = json.loads(target.read_text(encoding="utf-8"))
    assert Wording(word_kinds(), data).choose("what is my name") == "identity"
    assert data["languages"] == sorted(learned_wording().languages)


def test_a_set_is_judged_by_the_others():
    lonely = Labeled("lonely", (), (Prompt("explain how the moon moves", ("pinned",)),))
    assert leave_one_out([taught(), lonely])["lonely"] == 0.0
