"""Language analysis in its child process, and what the extractor makes of it."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace
from datetime import date

import pytest

from memdesk.domain.comparing import succession
from memdesk.domain.reading.candidates import ASSISTANT, SourceTurn
from memdesk.domain.reading.discourse import Mention
from memdesk.domain.reading.extractor import extract, prepare
from memdesk.engines import nlp
from memdesk.engines.bundled import DamagedWeightsError
from memdesk.engines.fingerprint import Fingerprints
from memdesk.errors import BadRequestError, EngineTimeoutError
from memdesk.runtime.lanes import ThreadLanes
from memdesk.runtime.pool import WorkerPool
from tests.helpers.parser import parsed, parser

pytestmark = pytest.mark.model
DAY = date(2024, 3, 13)


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """Analyse every text that the tests of this module need in one go: the process is started once."""
    lanes = ThreadLanes()
    workers = WorkerPool(lanes)
    analyzer = nlp.SpacyAnalyzer(workers, Fingerprints(tmp_path_factory.mktemp("nlp") / "fingerprints.json"))
    texts = [*TEXTS, *(text for text, _ in RETOLD)]
    found = dict(zip(texts, analyzer.analyze(prepare([turn(text) for text in texts])), strict=True))
    read = analyzer.extract(TOLD, known=KNOWN, spoken="de")
    odds = analyzer.weigh(succession.TASK, CHANGED)
    with pytest.raises(BadRequestError, match="Unknown operation astrology"):
        analyzer.weigh("astrology", CHANGED)
    state = analyzer.state()
    analyzer.unload()
    workers.close()
    lanes.close()
    return (found, state, read), odds


@pytest.fixture(scope="module")
def analyses(engine):
    return engine[0]


def turn(text, speaker="Dana", listener="Kim"):
    return SourceTurn(id="t", speaker=speaker, listener=listener, text=text, day=DAY)


NAMES = "Irene Silva moved from Berlin to work for Siemens."
#: Longer than what is parsed at once.
LONG = "I live in Porto. " * (nlp.PIECE_CHARS // 17 + 20)
LIST = "Some things:\n- I live in Porto\n- my cats are old\n"
HOME, MOVED = "The user lives in Bristol.", "We've moved to York."
#: More pairs than one run of the model takes; one of the sentences ends one of the lines.
CHANGED = [
    (home, news)
    for home in (HOME, "The user has a parrot called Kiwi.", "The user is allergic to shellfish.")
    for news in (
        MOVED,
        "What is the capital of Peru?",
        *(f"Translate line {n}: the rain in Spain stays mainly." for n in range(12)),
    )
]
#: Told, and asked behind a comma; what only looks so.
SPLICED = [
    ("Our wedding is on 3 October, how many guests fit in a barn?", 2),
    ("We're moving to Utrecht in spring - which neighborhoods are nice?", 2),
    ("My sister turns 40 in May, any gift ideas?", 2),
    ("I teach chemistry so what experiments are safe?", 2),
    ("My car is a Golf, can it tow a caravan?", 2),
    ("It's Tuesday, isn't it?", 1),
    ("If I go to Rome, what should I see?", 1),
    ("Does my aunt, who lives in Rome, need a visa?", 1),
]
#: A session with what only some turns have: a name from before, a date, a correction, half of an emoji, another language.
TOLD = [
    turn(text, speaker="the user", listener="the assistant")
    for text in (
        "I moved to Porto last Friday and Rex likes it \ud83d.",
        "I swim every day. No, I meant every second day.",
        "Ich wohne nicht mehr in Graz.",
        "My sister Ada keeps bees; she turns 40 on 3 May.",
    )
]
KNOWN = [Mention("Rex", "dog", "Rex", frozenset(), -6, "", "")]
SPELLED = {"hated": "hate", "hates": "hate", "hoped": "hope", "planned": "plan", "starred": "star", "dining": "dine"}
HATED = "My son hated school, hoped for snow and planned a trip; she hates riding, starred in it and is dining out."
TEXTS = [*(text for text, _ in SPLICED), NAMES, HATED, "I live in Porto. It rains.", "", LONG.strip(), LIST.strip()]
RETOLD = [
    ("I swim every day and run on Sundays.", "Dana swims every day and runs on Sundays."),
    ("I have been teaching yoga since 2019.", "Dana has been teaching yoga since 2019."),
    ("Gonna visit my aunt in Rome next month!", "Dana is going to visit their aunt in Rome next month (April 2024)."),
    ("Went to a jazz concert yesterday.", "Dana went to a jazz concert yesterday (12 March 2024)."),
    ("Yeah Kim, I'm into pottery, it's so calming!", "Dana is into pottery, it's so calming."),
    ("We painted the fence together.", "Dana and others painted the fence together."),
    ("You helped me find a flat.", "Kim helped Dana find a flat."),
    ("I don't think I'll sell my house.", "Dana doesn't think Dana will sell their house."),
    (
        "My brother Tom repairs violins in Bergen, and I am allergic to walnuts.",
        "Dana's brother Tom repairs violins in Bergen, and Dana is allergic to walnuts.",
    ),
]


def test_a_long_text_is_parsed_in_pieces_and_none_of_it_is_lost(analyses):
    found, _, _ = analyses
    analysis = found[LONG.strip()]
    assert all(analysis.text[token.start :].startswith(token.text) for token in analysis.tokens)
    assert {analysis.piece(*span) for span in analysis.sentences()} == {"I live in Porto."}
    assert sum(token.text == "Porto" for token in analysis.tokens) == LONG.count("Porto")
    assert all(analysis.tokens[token.head].text == "live" for token in analysis.tokens if token.text == "I")
    assert all(abs(token.head - index) < 6 for index, token in enumerate(analysis.tokens))


def test_items_of_a_list_are_sentences(analyses):
    found, _, _ = analyses
    analysis = found[LIST.strip()]
    pieces = [analysis.piece(*span).strip() for span in analysis.sentences()]
    assert [piece.lstrip("- ") for piece in pieces if piece.strip("- ")] == [
        "Some things:",
        "I live in Porto",
        "my cats are old",
    ]


def test_a_question_behind_a_comma_is_a_sentence_of_its_own(analyses):
    found, _, _ = analyses
    assert {text: len(list(found[text].sentences())) for text, _ in SPLICED} == dict(SPLICED)


def test_tokens_sentences_and_heads(analyses):
    found, state, _ = analyses
    analysis = found["I live in Porto. It rains."]
    assert analysis.parsed
    assert [analysis.piece(*span) for span in analysis.sentences()] == ["I live in Porto.", "It rains."]
    live = next(token for token in analysis.tokens if token.text == "live")
    assert (live.lemma, live.pos, live.dep) == ("live", "VERB", "ROOT")
    assert analysis.tokens[0].head == analysis.tokens.index(live)
    assert found[""].tokens == ()
    assert state.kind == "nlp"
    assert state.state == "ready"


def test_a_form_of_two_verbs_is_of_the_one_that_is_spelled_so(analyses):
    lemmas = {token.text: token.lemma for token in analyses[0][HATED].tokens}
    assert {word: lemmas[word] for word in SPELLED} == SPELLED


def test_names(analyses):
    tokens = analyses[0][NAMES].tokens
    found = {(token.text, token.entity) for token in tokens if token.entity}
    assert found >= {("Irene", "person"), ("Silva", "person"), ("Berlin", "place"), ("Siemens", "organisation")}
    assert all(NAMES[token.start : token.start + len(token.text)] == token.text for token in tokens)


@pytest.mark.parametrize(("said", "told"), RETOLD)
def test_retelling(analyses, said, told):
    found, _, _ = analyses
    candidates = extract([turn(said)], [found[said]], judge=parser().judge).candidates
    assert candidates[0].text == told


def test_the_process_reads_what_would_be_read_here(analyses):
    _, _, read = analyses
    said = [replace(one, text=one.text.replace("\ud83d", "?")) for one in TOLD]
    assert read == extract(said, parsed(prepare(said)), known=KNOWN, spoken="de", judge=parser().judge)
    assert any(candidate.statement and candidate.statement.object == "Porto" for candidate in read.candidates)


def test_pairs_are_weighed_in_their_order(engine):
    _, odds = engine
    assert [round(sum(row), 4) for row in odds] == [1.0] * len(CHANGED)
    _, likeliest = max((row[succession.OVER], pair) for row, pair in zip(odds, CHANGED, strict=True))
    assert likeliest == (HOME, MOVED)
    assert all(row[succession.OVER] < 0.5 for row, (_, news) in zip(odds, CHANGED, strict=True) if news != MOVED)


def test_damaged_weights_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(nlp, "SHA256", {"ner/model": "0" * 64})
    with pytest.raises(DamagedWeightsError):
        nlp.pipeline_folder(Fingerprints(tmp_path / "f.json"))
    monkeypatch.setattr(nlp, "PACKAGE", "no_such_pipeline")
    with pytest.raises(DamagedWeightsError):
        nlp.pipeline_folder(Fingerprints(tmp_path / "f.json"))


@pytest.mark.expect_log
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="processes are stopped by POSIX signals")
def test_a_process_that_was_stopped_is_ended_soon_and_the_next_text_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(nlp, "SIGN_SECONDS", 2.0)
    lanes = ThreadLanes()
    workers = WorkerPool(lanes)
    analyzer = nlp.SpacyAnalyzer(workers, Fingerprints(tmp_path / "fingerprints.json"))
    try:
        assert analyzer.analyze(["It rains."])
        os.kill(analyzer.state().pid, signal.SIGSTOP)
        with pytest.raises(EngineTimeoutError, match="did not respond"):
            analyzer.analyze(["It rains."])
        assert analyzer.analyze(["It rains."])
    finally:
        workers.close()
        lanes.close()


def test_reading_a_long_message_takes_time_by_its_length():
    def calls(sentences):
        text = " ".join(f"I have a red boat and {n} oars. My friend Ada likes it." for n in range(sentences))
        said = [replace(turn(text, "the user", ASSISTANT), provenance="user")]
        found, counted = parsed(prepare(said)), 0

        def count(frame, event, _arg):
            nonlocal counted
            counted += event == "call" and "memdesk" in frame.f_code.co_filename

        sys.setprofile(count)
        try:
            extract(said, found)
        finally:
            sys.setprofile(None)
        return counted

    calls(10)  # fills caches
    assert calls(160) < 2.2 * calls(80)
