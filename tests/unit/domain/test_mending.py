"""The parser's systematic errors are corrected, and nothing else is changed."""

from __future__ import annotations

import random

import pytest

from memdesk.domain.language.mending import mended
from tests.helpers.parser import parsed


def relations(text):
    """Return each word's relation and head."""
    (analysis,) = parsed([text])
    tokens = mended(analysis).tokens
    return {token.text: (token.dep, tokens[token.head].text) for token in tokens}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My niece Eva studies in Delft.", {"niece": ("nsubj", "studies"), "Eva": ("appos", "niece"), "in": ("prep", "studies")}),
        ("My nephew Pau works for the tax office.", {"My": ("poss", "nephew"), "nephew": ("nsubj", "works")}),
        ("My cousin Bo is a porter.", {"cousin": ("nsubj", "is"), "Bo": ("appos", "cousin")}),
        ("My sister's vegan.", {"sister": ("nsubj", "'s"), "vegan": ("acomp", "'s")}),
        ("The baby's due in March.", {"baby": ("nsubj", "'s"), "due": ("acomp", "'s")}),
        ("My flight leaves at 9:40.", {"flight": ("nsubj", "leaves"), "at": ("prep", "leaves")}),
        ("I'm with Luca now, Sven and I broke up.", {"Sven": ("nsubj", "broke"), "and": ("cc", "Sven")}),
        ("Bo and I got married on Saturday.", {"Bo": ("nsubjpass", "married"), "I": ("conj", "Bo")}),
        ("My private phone ends in 871.", {"phone": ("nsubj", "ends"), "My": ("poss", "phone")}),
        ("My folio is at https://a.example now.", {"https://a.example": ("pobj", "at"), "at": ("prep", "is"), "now": ("advmod", "is")}),
        ("I speak Turkish.", {"Turkish": ("dobj", "speak")}),
        ("I speak Finnish.", {"Finnish": ("dobj", "speak")}),
        ("yoga's Thursdays now.", {"yoga": ("nsubj", "'s"), "Thursdays": ("attr", "'s"), "now": ("advmod", "'s")}),
        ("They moved Dad to ward 11.", {"ward": ("pobj", "to"), "to": ("prep", "moved"), "11": ("nummod", "ward")}),
        ("we drive a Skoda. roof box?", {"Skoda": ("dobj", "drive"), "box": ("ROOT", "box")}),
        ("I work at Google and Ada works at Apple.", {"Ada": ("nsubj", "works"), "and": ("cc", "work"), "Google": ("pobj", "at")}),
        ("I moved to Oslo and Tom Riley is working in Bergen now.", {"Riley": ("nsubj", "working"), "Oslo": ("pobj", "to")}),
        ("I'm allergic to nuts and shellfish", {"shellfish": ("conj", "nuts"), "nuts": ("pobj", "to")}),
        ("I moved from Graz to Linz in May", {"Linz": ("pobj", "to"), "to": ("prep", "moved"), "in": ("prep", "moved")}),
        ("My name is Bob and I live in Rome", {"Bob": ("attr", "is"), "I": ("nsubj", "live"), "live": ("conj", "is")}),
        ("My name is Bob and I live in Rome.", {"Bob": ("attr", "is"), "I": ("nsubj", "live"), "live": ("conj", "is")}),
        ("Client 1 wrote row 0.", {"1": ("nummod", "Client"), "0": ("nummod", "row"), "row": ("dobj", "wrote")}),
        ("Our payroll is run by server B.", {"B.": ("nummod", "server"), "server": ("pobj", "by")}),
        ("Flight 302 leaves at nine.", {"302": ("nummod", "Flight"), "Flight": ("nsubj", "leaves"), "at": ("prep", "leaves")}),
        ("Bus 44 leaves from the square.", {"44": ("nummod", "Bus"), "Bus": ("nsubj", "leaves"), "from": ("prep", "leaves")}),
        ("We're going to Gozo instead.", {"Gozo": ("pobj", "to"), "to": ("prep", "going"), "instead": ("advmod", "going")}),
        ("I go to choir on Tuesdays.", {"choir": ("pobj", "to"), "on": ("prep", "go")}),
    ],
)  # fmt: skip
def test_common_faults_are_put_right(text, expected):
    found = relations(text)
    assert {word: found[word] for word in expected} == expected


@pytest.mark.parametrize(
    "text",
    [
        "My sister's dog.",
        "My sister's new dog barks a lot.",
        "My favorite books at the moment.",
        "I went to see my cousin Rui in Porto.",
        "I'm going to swim on Tuesdays.",
        "I want to Google it.",
        "My mother turned 80.",
        "The room costs 40 euros.",
        "My sister Ada lives in Lisbon and I am allergic to peanuts.",
    ],
)
def test_what_is_right_stays(text):
    (analysis,) = parsed([text])
    heads = [
        (token.text, token.tag, token.head) for token in analysis.tokens if token.text not in {"cousin", "Rui", "my"}
    ]
    again = [
        (token.text, token.tag, token.head)
        for token in mended(analysis).tokens
        if token.text not in {"cousin", "Rui", "my"}
    ]
    assert again == heads


WORDS = [
    "my", "our", "daughter", "niece", "nephew", "Kaylee", "Bo", "Eva", "Sven", "I", "she", "we", "and", ",", ".",
    "'s", "eight", "off", "vegan", "stays", "leaves", "goes", "works", "is", "has", "have", "to", "in", "with",
    "on", "Wednesday", "Mondays", "nights", "London", "ward", "11", "type", "2", "diabetes", "put", "rent", "up",
    "780", "speak", "Turkish", "what", "can", "that", "n't", "a", "the", "go", "going",
]  # fmt: skip


def test_what_comes_out_is_a_tree():
    chance = random.Random(5)
    texts = ["my daughter Kaylee's eight and she stays with me Wednesday nights"]
    texts += [" ".join(chance.choices(WORDS, k=chance.randint(3, 14))) for _ in range(1500)]
    for analysis in parsed(texts):
        tokens = mended(analysis).tokens
        for index in range(len(tokens)):
            above = index
            for _ in tokens:
                above = tokens[above].head
            assert tokens[above].head == above, analysis.text
