from __future__ import annotations

import json
from pathlib import Path

import pytest

from memdesk.bench.gate import main
from memdesk.bench.gate_prompts import figures, judge, read_prompts
from memdesk.domain.language.data import LANGUAGES
from memdesk.domain.language.names import EntityMatcher
from memdesk.domain.language.tell import language_of
from memdesk.domain.recalling.gate import Gate, LanguageRules
from memdesk.services.recalling.gate import language_rules, noise_questions, shipped_gate

DATA = Path(__file__).resolve().parents[2] / "data" / "gate"
PROMPTS = DATA / "prompts.jsonl"
#: Prompts in four languages that look like questions to the memory and are none, or the other way round.
TRAPS = DATA / "traps.jsonl"
#: Everyday ones, and traps among them.
ASKED = DATA / "asked.jsonl"
#: Three sets of 99, balanced over the sections.
BLIND = DATA / "blind.jsonl"
#: Four more: two asked in roundabout ways, one plainly, one as people type, dictate and paste.
UNSEEN = [DATA / f"unseen_{letter}.jsonl" for letter in "abcd"]


@pytest.fixture(scope="module")
def gate():
    return shipped_gate()


@pytest.fixture(scope="module")
def labeled(gate):
    names, prompts = read_prompts(PROMPTS)
    return EntityMatcher(names, generic=gate.generic_words), prompts


@pytest.mark.parametrize(
    ("change", "least"),
    [
        (lambda text: text, 0.97),
        (str.lower, 0.95),
        (lambda text: text.rstrip("?!. "), 0.96),
        (lambda text: f"Hey, {text[:1].lower()}{text[1:]}", 0.9),
        (lambda text: f"  {text}  ", 0.97),
        (lambda text: text.replace("'", "\u2019"), 0.97),
    ],
    ids=["as typed", "small letters", "no mark", "greeted", "spaces", "curly"],
)
def test_labeled_prompts(gate, labeled, change, least):
    names, prompts = labeled
    wrong = [p.query for p in prompts if gate.decide(change(p.query), names).section not in p.accept]
    assert 1 - len(wrong) / len(prompts) >= least, wrong


@pytest.mark.parametrize("path", [TRAPS, ASKED, BLIND, *UNSEEN], ids=lambda path: path.stem)
def test_labeled_prompts_that_taught_the_gate(gate, path):
    names, prompts = read_prompts(path)
    judged = judge(gate, EntityMatcher(names, generic=gate.generic_words), prompts)
    wrong = [prompt.query for prompt, decision in judged if decision.section not in prompt.accept]
    assert len(prompts) > 150
    assert 1 - len(wrong) / len(prompts) >= 0.97, wrong


@pytest.mark.parametrize(
    ("query", "section"),
    [
        ("Who led the US before Lincoln?", "none"),
        ("WHAT DID YOU TELL US YESTERDAY?", "episode"),
        ("As agreed", "episode"),
        ("as discussed, go on", "episode"),
        ("Do you remember the capital of Chad?", "none"),
        ("Do you remember what Ada keeps?", "pinned"),
        ("Begin with the words: I told you so", "none"),
    ],
)
def test_words_that_mislead(gate, query, section):
    assert gate.decide(query).section == section


def test_a_rule_that_needs_words_is_silent_without_them():
    rule = {"section": "pinned", "name": "x", "needs": ["oak", "elm"], "patterns": ["tree"]}
    gate = Gate([LanguageRules({"language": "en", "rule": [rule]})])
    assert gate.decide("the elm tree").section == "pinned"
    assert gate.decide("the ash tree").section == "none"


@pytest.mark.parametrize("rules", language_rules(), ids=lambda rules: rules.language)
def test_no_pattern_has_swallowed_the_next(rules):
    every = [rule for group in (rules.guards, *rules.rules.values()) for rule in group]
    assert not [p.pattern for rule in every for p in rule.patterns if "', '" in p.pattern]


def test_no_section_is_weak(gate, labeled):
    names, prompts = labeled
    for section, row in figures(judge(gate, names, prompts))["sections"].items():
        assert row["recall"] >= 0.95, section
        assert row["precision"] >= 0.95, section


@pytest.mark.parametrize(
    ("query", "section"),
    [
        ("Wie heiße ich?", "identity"),
        ("Was habe ich genau über den Vermieter gesagt?", "transcript"),
        ("Worüber haben wir gestern gesprochen?", "episode"),
        ("Wann war ich beim Zahnarzt?", "episode"),
        ("Wie heißt mein Hund?", "pinned"),
        ("Habe ich Allergien?", "pinned"),
        ("Schreibe ein Gedicht über den Herbst", "none"),
        ("Wie kann ich eine Liste sortieren?", "none"),
        ("Quel âge ai-je ?", "identity"),
        ("Répète mot pour mot ce que j'ai dit", "transcript"),
        ("De quoi avons-nous parlé hier ?", "episode"),
        ("Comment s'appelle mon chien ?", "pinned"),
        ("Que fait Priya ?", "pinned"),
        ("Traduis « bonjour » en anglais", "none"),
        ("¿Cómo me llamo?", "identity"),
        ("¿Cuáles fueron mis palabras exactas?", "transcript"),
        ("¿Qué decidimos la semana pasada?", "episode"),
        ("¿Tengo alergias?", "pinned"),
        ("¿Qué pasó en noviembre de 1918?", "none"),
        ("¿Qué es la cerámica?", "none"),
        ("¿A quién le presté la moto?", "pinned"),
        ("C'est quoi le compost ?", "none"),
        ("À qui j'ai vendu mon vélo ?", "pinned"),
        ("Come mi chiamo?", "identity"),
        ("A chi ho venduto la barca?", "pinned"),
        ("Di cosa abbiamo parlato ieri?", "episode"),
        ("Come funziona una lavatrice?", "none"),
        ("Hoe heet ik?", "identity"),
        ("Aan wie heb ik mijn fiets verkocht?", "pinned"),
        ("Wat hebben we vorige week besloten?", "episode"),
        ("Hoe werkt een sluis?", "none"),
        ("今日Priyaは？", "pinned"),
        ("Что делает Priya?", "pinned"),
        ("Какая столица Франции?", "none"),
    ],
)
def test_other_languages(gate, query, section):
    assert gate.decide(query, EntityMatcher(["Priya"])).section == section


@pytest.mark.parametrize(
    "query",
    [
        "Write a poem titled We discussed the moon",
        "Write a poem called 'We discussed the moon'",
        'Explain the proverb "remember what I said yesterday"',
        "Proofread: what did I say yesterday about my dog?",
        "```\nwhat did I say\n```",
        "Return exactly the verbatim JSON",
        "What happened on 14 July 1789?",
        "yesterday",
    ],
)
def test_traps(gate, query):
    assert gate.decide(query).section == "none"


@pytest.mark.parametrize(
    "query",
    [
        "When did Ines sell the farm?",
        "Why did Ines learn to dive?",
        "Wann hat Ines das Boot repariert?",
        "How is Ines doing",
    ],
)
def test_what_somebody_known_did_is_a_fact(gate, query):
    assert gate.decide(query, EntityMatcher(["Ines"])).section == "pinned"


@pytest.mark.parametrize(
    ("query", "final"),
    [
        ("Tell me about Priya", True),
        ("remind me who Priya is", True),
        ("Write a poem about Priya", False),
        ("Translate Priya into Greek", False),
        ("Tell me about Fiji", False),
        ("Who is Priya?", True),
        ("and who was Priya?", True),
        ("where is Priya", False),
        ("who was the Priya", False),
        ("Quelle est la superficie de la Priya ?", False),
        ("Wer ist Priya?", True),
        ("Wie was Priya ook alweer?", True),
        ("Quel était le métier de Priya ?", True),
        ("How are you, Priya?", False),
        ("Priya, wie geht es dir?", False),
        ("Groetjes van Priya. Hoe hoog is de Mont Blanc?", False),
        ("who wrote Priya", False),
        ("what are the Priya Broads", False),
        ("where does the word Priya come from", False),
    ],
)
def test_who_bids_to_be_told_of_a_known_name_is_told(gate, query, final):
    decision = gate.decide(query, EntityMatcher(["Priya"]))
    assert decision.final == final
    assert not final or decision.section == "pinned"


@pytest.mark.parametrize(
    ("query", "mentions"),
    [
        ("Priya wrote back, wish me luck, now fix this code", True),
        ("Priya heeft geantwoord, wens me succes en verbeter deze code", True),
        ("Write a card for Priya", False),
        ("What's the capital of Priya, it's for the quiz", False),
        ("Priya is coming on Saturday. What wine should I buy?", False),
    ],
)
def test_who_is_only_mentioned_is_no_reason_to_look(gate, query, mentions):
    assert gate.decide(query, EntityMatcher(["Priya"])).mentions == mentions


@pytest.mark.parametrize(
    ("query", "guarded"),
    [
        ("Traduci in inglese: Priya studia i vulcani", True),
        ("Vertaal naar het Engels: Priya schreef een boek", True),
        ("Raccourcis cette phrase : Priya dirige le bac", True),
        ("Una domanda: chi è Priya?", False),
        ('tidy this: "Priya needs the form by Friday"', False),
    ],
)
def test_who_is_named_in_a_text_handed_over_is_not_asked_of(gate, query, guarded):
    assert gate.decide(query, EntityMatcher(["Priya"])).guarded == guarded


@pytest.mark.parametrize(
    ("query", "greets"),
    [
        ("Merci Priya !", True),
        ("Buenas noches, Priya.", True),
        ("Und das Boot, Priya?", False),
    ],
)
def test_who_is_greeted_is_not_asked_of(gate, query, greets):
    decision = gate.decide(query, EntityMatcher(["Priya"]))
    assert (decision.section == "none" and decision.final) == greets


def test_a_quoted_name_is_still_a_name(gate):
    assert gate.decide('What do you make of "Project Heron"?', EntityMatcher(["Project Heron"])).rule == "entity"


def test_names_overrule_some_guards_only(gate):
    names = EntityMatcher(["Priya"])
    assert gate.decide("How do I reach Priya?", names).section == "pinned"
    assert gate.decide("Translate Priya is here into French", names).section == "none"


PASTED = "Yesterday we agreed that my sister would host. I said that I remember what you told me. "


@pytest.mark.parametrize(
    "query",
    [
        f"Shorten this:\n\n{PASTED}",
        f"Translate the following to Spanish. {PASTED}",
        f"Reply to this mail\n{PASTED}",
        f"{PASTED}\n\nPlease proofread it",
        f"tl;dr {PASTED}",
        "Verbessere diesen Text. Gestern haben wir besprochen, was ich gesagt habe.",
        "Antworte auf diese Mail:\nWeißt du noch, was wir gestern entschieden haben?",
    ],
)
def test_a_text_to_be_worked_on_asks_for_nothing(gate, query):
    assert gate.decide(query).section == "none"


def test_a_long_text_is_read_at_both_ends(gate):
    assert (
        gate.decide(f"{'The rain fell on the hills. ' * 200}\n\nWhat did we talk about yesterday?").section == "episode"
    )


def test_a_greeting_is_left_out(gate):
    assert gate.reading("Hey, good morning! How old am I?") == gate.reading("how old am i?")
    assert gate.reading("Hallo, kurze Frage: wie alt bin ich")[0] == "wie alt bin ich"


def test_the_users_own_phrases_go_first():
    gate = Gate(language_rules(), {"transcript": ["the scroll"], "none": ["who am i"], "bogus": ["x"], "pinned": [" "]})
    assert gate.decide("Read THE SCROLL of Monday").section == "transcript"
    assert gate.decide("Who am I?").section == "none"
    assert gate.decide("the scrolls of Rome").section == "none"


def test_without_rules_names_still_count():
    gate = Gate([])
    assert gate.decide("Where is Priya now?", EntityMatcher(["Priya"])).section == "pinned"
    assert gate.decide("Where is everyone?").section == "none"


@pytest.mark.parametrize(
    "broken",
    [
        {"language": "xx", "rule": [{"section": "moon", "name": "n", "patterns": ["a"]}]},
        {"language": "xx", "rule": [{"section": "none", "name": "n", "patterns": ["("]}]},
    ],
)
def test_broken_rule_files_are_refused(broken):
    with pytest.raises(ValueError, match=r"xx|moon"):
        LanguageRules(broken)


def test_macros_and_conditions():
    rules = LanguageRules(
        {
            "language": "en",
            "words": {"animal": "cat|dog"},
            "rule": [
                {"section": "pinned", "name": "n", "patterns": [r"\b{animal}s?\b"], "also": "food", "unless": "wild"}
            ],
        }
    )
    gate = Gate([rules])
    assert gate.decide("the dogs want food").rule == "n"
    assert gate.decide("the dogs want sleep").rule == "none"
    assert gate.decide("the wild dogs want food").rule == "none"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Was habe ich gestern über die Miete gesagt?", "de"),
        ("Où est-ce que nous sommes allés ?", "fr"),
        ("¿Qué es lo que dije?", "es"),
        ("Di che colore era la porta?", "it"),
        ("Waar hebben we het over gehad?", "nl"),
        ("We met last week", "en"),
        ("zzz qqq", "en"),
    ],
)
def test_language_is_told_by_function_words(text, code):
    assert language_of(text) == code


@pytest.mark.parametrize("code", LANGUAGES)
def test_noise_questions_need_no_memory(gate, code):
    questions = noise_questions(code)
    assert len(questions) >= 20
    opened = [q for q in questions if gate.decide(q).section != "none"]
    assert len(opened) <= 0.03 * len(questions), opened  # a trip may be planned by what is known
    assert [q for q in questions if language_of(q, code) != code] == []


def test_bench(tmp_path, capsys):
    assert main([str(ASKED), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["accuracy"] > 0.97
    assert sum(sum(row.values()) for row in report["confusion"].values()) == len(read_prompts(ASKED)[1])
    few = tmp_path / "few.jsonl"
    few.write_text("".join(PROMPTS.read_text(encoding="utf-8").splitlines(keepends=True)[:20]), encoding="utf-8")
    assert main([str(few), str(few)]) == 0
    assert float(capsys.readouterr().out.split()[-1]) > 0.97
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"query": "no label"}\n')
    assert main([str(bad)]) == 2
    assert "line 1" in capsys.readouterr().err
