"""How sentences are split into clauses, and their modality; the parses are handwritten."""

from __future__ import annotations

import pytest

from memdesk.domain.language.analysis import Analysis, Token
from memdesk.domain.reading.clauses import clauses


def parsed(words):
    """Make an analysis of "word/dep/head/pos/tag" pieces."""
    tokens, text = [], ""
    for number, word in enumerate(words.split()):
        form, dep, head, pos, tag = word.split("/")
        tokens.append(
            Token(form, True, len(text), form.lower(), pos=pos, tag=tag, dep=dep, head=int(head), first=number == 0)
        )
        text += form + " "
    return Analysis(text, tuple(tokens))


def cut(words):
    analysis = parsed(words)
    return [(clause.text(), clause.mood, clause.shared) for clause in clauses(analysis, 0, len(analysis.tokens))]


ADA = "Ada/nsubj/1/PROPN/NNP lives/ROOT/1/VERB/VBZ here/advmod/1/ADV/RB"


def test_a_clause_with_a_subject_of_its_own_is_a_statement_of_its_own():
    assert cut(f"{ADA} and/cc/1/CCONJ/CC I/nsubj/5/PRON/PRP sleep/conj/1/VERB/VBP well/advmod/5/ADV/RB") == [
        ("Ada lives here", "statement", False),
        ("I sleep well", "statement", False),
    ]


def test_two_verbs_of_one_subject_with_objects_of_their_own_are_two_statements():
    assert cut(
        "I/nsubj/1/PRON/PRP sold/ROOT/1/VERB/VBD cars/dobj/1/NOUN/NNS and/cc/1/CCONJ/CC bought/conj/1/VERB/VBD bikes/dobj/4/NOUN/NNS"
    ) == [("I sold cars", "statement", False), ("bought bikes", "statement", True)]


def test_an_alternative_is_no_second_statement():
    words = "I/nsubj/1/PRON/PRP eat/ROOT/1/VERB/VBP pork/dobj/1/NOUN/NN or/cc/1/CCONJ/CC drink/conj/1/VERB/VBP wine/dobj/4/NOUN/NN"
    assert len(cut(words)) == 1


@pytest.mark.parametrize(
    ("words", "mood"),
    [
        ("Sort/ROOT/0/VERB/VB lists/dobj/0/NOUN/NNS", "order"),
        ("Do/aux/2/AUX/VBP I/nsubj/2/PRON/PRP need/ROOT/2/VERB/VB it/dobj/2/PRON/PRP ?/punct/2/PUNCT/.", "question"),
        ("why/advmod/3/SCONJ/WRB is/ROOT/1/AUX/VBZ it/nsubj/1/PRON/PRP slow/acomp/1/ADJ/JJ", "question"),
        (
            "If/mark/2/SCONJ/IN I/nsubj/2/PRON/PRP were/advcl/5/AUX/VBD I/nsubj/5/PRON/PRP would/aux/5/AUX/MD sail/ROOT/5/VERB/VB",
            "supposition",
        ),
        (ADA, "statement"),
        (
            "what/dobj/3/PRON/WP can/aux/3/AUX/MD we/nsubj/3/PRON/PRP cook/csubj/5/VERB/VB that/nsubj/5/PRON/WDT is/ROOT/5/AUX/VBZ stew/attr/5/NOUN/NN",
            "question",
        ),
    ],
)
def test_how_a_clause_is_meant(words, mood):
    assert [clause[1] for clause in cut(words)] == [mood]


def test_a_clause_whose_subject_follows_begins_at_its_verb():
    """As "Earplugs which?" is parsed: the verb stands first, and a question word behind it is its subject."""
    assert cut("Earplugs/ROOT/0/VERB/VBZ which/nsubj/0/PRON/WDT ?/punct/0/PUNCT/.") == [
        ("Earplugs which", "question", False)
    ]
