import sqlite3

import pytest

from memdesk.domain.comparing.similarity import containment, jaccard, word_set
from memdesk.domain.language import text as t


def test_tokens_are_quarters_of_characters_with_a_margin_for_other_scripts():
    assert [t.estimate_tokens("x" * n) for n in (0, 1, 4, 5, 8)] == [0, 1, 1, 2, 2]
    assert [t.estimate_tokens(word) for word in ("Übermut", "“Élan”", "Привет", "京都", "สวัสดี", "🌱🌱")] == [
        5,
        5,
        6,
        5,
        14,
        8,
    ]


def test_words_keep_inner_apostrophes_and_fold_case():
    assert t.words("It's Dana’s CAFÉ_bar 42!") == ["it's", "dana’s", "café", "bar", "42"]


@pytest.mark.parametrize(
    ("word", "bare"),
    [("dana's", "dana"), ("l'ami", "ami"), ("d’accord", "accord"), ("don't", "don"), ("plain", "plain")],
)
def test_clitics(word, bare):
    assert t.bare(word) == bare


def test_content_words_leave_function_words_of_the_language_out():
    assert t.content_words("What did we say about the war?") == ["say", "war"]
    assert t.content_words("Was war mit dem Hund?", "de") == ["hund"]


def test_stems_are_those_of_fts5():
    words = ["running", "cities", "relational", "happily", "Zürich", "counselling", "adopted", "generously", "flies"]
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE f USING fts5 (c, tokenize = 'porter unicode61 remove_diacritics 2')")
    db.execute("CREATE VIRTUAL TABLE v USING fts5vocab (f, row)")
    db.execute("INSERT INTO f VALUES (?)", (" ".join(words),))
    terms = {row[0] for row in db.execute("SELECT term FROM v")}
    db.close()
    assert {t.stem(word) for word in words} == terms


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("用户住在杭州。后来下雨了。", ["用户住在杭州。", "后来下雨了。"]),
        ("他说：「好！！」然后走了。", ["他说：「好！！」", "然后走了。"]),
        ('"Yes." Then no.', ['"Yes."', "Then no."]),
    ],
)
def test_a_sentence_ends_with_its_script_s_own_stop(text, parts):
    assert t.sentences(text) == parts


def test_sentences_lose_nothing_but_white_space():
    text = 'He said "Stop!" Then he left.  Why?\nNobody knows… Perhaps.'
    assert t.sentences(text) == ['He said "Stop!"', "Then he left.", "Why?", "Nobody knows…", "Perhaps."]


def test_shorten_cuts_at_a_word():
    assert t.shorten("one two three", 9) == "one two…"
    assert t.shorten("short", 9) == "short"
    assert t.shorten("abc", 1) == "a"


def test_hash_takes_any_text():
    assert t.content_hash("a") != t.content_hash("b")
    assert len(t.content_hash("\ud800")) == 32


def test_jaccard():
    assert jaccard({"a", "b"}, ["b", "c"]) == pytest.approx(1 / 3)
    assert jaccard([], []) == 0.0
    assert jaccard(word_set("I like cats"), word_set("She likes a cat")) == 1.0
    assert word_set("The cats") == {"cat"}


def test_containment():
    assert containment(["a", "b"], ["b", "c"]) == 0.5
    assert containment([], ["b"]) == 0.0
