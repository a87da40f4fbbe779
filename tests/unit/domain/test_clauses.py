"""Sentences that say two things."""

from __future__ import annotations

import pytest

from memdesk.domain.clauses import clauses
from memdesk.domain.language import Analysis, Token, plain


def parsed(words):
    """An analysis from ``word/dep/head/pos`` quadruples, heads counted from 0."""
    tokens, start = [], 0
    for number, (text, dep, head, pos) in enumerate(word.split("/") for word in words.split()):
        tokens.append(Token(text, True, start, dep=dep, head=int(head), pos=pos, first=number == 0))
        start += len(text) + 1
    return Analysis(" ".join(token.text for token in tokens), tuple(tokens))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            (
                "My/poss/1/PRON sister/nsubj/2/NOUN lives/ROOT/2/VERB here/advmod/2/ADV and/cc/2/CCONJ "
                "my/poss/6/PRON dog/nsubj/7/NOUN barks/conj/2/VERB loudly/advmod/7/ADV"
            ),
            ["My sister lives here", "my dog barks loudly"],
        ),
        (
            (
                "I/nsubj/1/PRON like/ROOT/1/VERB tea/dobj/1/NOUN ,/punct/1/PUNCT but/cc/1/CCONJ I/nsubj/6/PRON "
                "hate/conj/1/VERB milk/dobj/6/NOUN and/cc/6/CCONJ Eva/nsubj/10/PROPN drinks/conj/6/VERB it/dobj/10/PRON"
            ),
            ["I like tea", "I hate milk", "Eva drinks it"],
        ),
        # One subject: one statement.
        (
            "I/nsubj/1/PRON went/ROOT/1/VERB home/advmod/1/ADV and/cc/1/CCONJ slept/conj/1/VERB well/advmod/4/ADV",
            ["I went home and slept well"],
        ),
        # The subjects are coordinated, not the verbs.
        ("Ada/nsubj/3/PROPN and/cc/0/CCONJ I/conj/0/PRON live/ROOT/3/VERB here/advmod/3/ADV", ["Ada and I live here"]),
    ],
)
def test_each_clause_with_a_subject_of_its_own_is_a_statement(words, expected):
    analysis = parsed(words)
    assert [analysis.piece(*clause) for clause in clauses(analysis, 0, len(analysis.tokens))] == expected


def test_without_a_parse_a_sentence_stays_whole():
    analysis = plain("I like tea and I hate milk.")
    assert clauses(analysis, 0, len(analysis.tokens)) == [(0, len(analysis.tokens))]
