from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memdesk.domain.language.analysis import plain


def pieces(text):
    analysis = plain(text)
    return [analysis.piece(begin, end) for begin, end in analysis.sentences()]


def test_sentences_are_cut_at_their_ends_and_at_line_breaks():
    assert pieces("I live here. It's 3.5 km away! Good?") == ["I live here.", "It's 3.5 km away!", "Good?"]
    assert pieces("one line\nanother") == ["one line", "another"]


def test_an_address_ends_before_the_full_stop():
    assert pieces("It is https://moss.example/a.b?c=1. I keep bees.") == [
        "It is https://moss.example/a.b?c=1.",
        "I keep bees.",
    ]


def test_contractions_are_cut_as_analyzers_do():
    assert [token.text for token in plain("I don't, we're, she'll").tokens] == [
        "I", "do", "n't", ",", "we", "'re", ",", "she", "'ll",
    ]  # fmt: skip


@given(st.text(max_size=300))
def test_tokens_and_sentences_cover_the_text(text):
    analysis = plain(text)
    assert "".join(token.text for token in analysis.tokens) == "".join(text.split())
    spans = list(analysis.sentences())
    assert [index for begin, end in spans for index in range(begin, end)] == list(range(len(analysis.tokens)))
    for token in analysis.tokens:
        assert text[token.start : token.start + len(token.text)] == token.text
