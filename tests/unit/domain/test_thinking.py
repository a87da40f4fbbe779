"""Separating thinking from the answer, whole and in pieces."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.domain.chatting.thinking import ThinkingSplitter, opened_in, split, without_thinking

CALL = '<|channel|>commentary to=functions.look_up <|constrain|>json<|message|>{"q": "cat"}<|call|>'


def in_pieces(pieces, opened="", *, cut=True):
    """Return thinking and answer of a text that comes in pieces."""
    splitter = ThinkingSplitter(opened)
    thinking = answer = ""
    for found in [piece for text in pieces for piece in splitter.feed(text)] + splitter.end(cut=cut):
        if found.taken_back:
            thinking, answer = thinking + answer, ""
        thinking, answer = thinking + found.thinking, answer + found.answer
    return thinking, answer


@pytest.mark.parametrize(
    ("text", "thinking", "answer"),
    [
        ("<think>\nHm.\n</think>\n\nYes.", "\nHm.\n", "Yes."),
        (" \n<thinking>Hm.</thinking> Yes.\n", "Hm.", "Yes.\n"),
        ("[THINK]Hm.[/THINK]Yes.", "Hm.", "Yes."),
        ("◁think▷Hm.◁/think▷Yes.", "Hm.", "Yes."),
        ("<|channel>thought\nHm.<channel|>Yes.", "\nHm.", "Yes."),
        ("<think>\n\n</think>\n\nYes.", "\n\n", "Yes."),
        ("<think>One.</think>\n<think>Two.</think>\nYes.", "One.Two.", "Yes."),
        ("<think>Cut off", "Cut off", ""),
        ("<think>Cut off in its end </thi", "Cut off in its end </thi", ""),
        ("<think>```\n</think>\nYes.", "```\n", "Yes."),
        ("<think>a</think>Use <think> and\n</think>\n.", "a", "Use <think> and\n</think>\n."),
        # The prompt held the opening tag.
        ("Hm.\n\nOr?\n</think>\n\nYes.", "Hm.\n\nOr?\n", "Yes."),
        ("</think>\nYes.", "", "Yes."),
        ("Hm.\r\n</think>\r\nYes.", "Hm.\r\n", "Yes."),
        ("Hm.\n</think>", "Hm.\n", ""),
        # Words of an answer.
        ("  Yes.\n", "", "  Yes.\n"),
        ("\n \n", "", "\n \n"),
        ("<thin air>", "", "<thin air>"),
        ("Use <think> first.\n</think>\nDone.", "", "Use <think> first.\n</think>\nDone."),
        ("So:\n```\n</think>\n```\nDone.", "", "So:\n```\n</think>\n```\nDone."),
        ("So:\n```xml\n<think>\nx\n</think>\n```\n", "", "So:\n```xml\n<think>\nx\n</think>\n```\n"),
        ("End it by `</think>`.\n</think> ends it.", "", "End it by `</think>`.\n</think> ends it."),
        ("A <|channel|> of <|end|>", "", "A <|channel|> of <|end|>"),
        # gpt-oss, with and without what servers leave out of it.
        (
            "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>",
            "Hm.",
            "Yes.",
        ),
        ("<|channel|>analysis<|message|>Hm.<|start|>assistant<|channel|>final<|message|>Yes.", "Hm.", "Yes."),
        ("<|channel|>analysis<|message|>Hm.<|end|>\nYes.", "Hm.", "Yes."),
        ("<|channel|>final <|constrain|>json<|message|>{}", "", "{}"),
        ("<|channel|>commentary<|message|>I look.<|end|>", "", "I look."),
        (CALL, "", '<tool_call>{"name": "look_up", "arguments": {"q": "cat"}}</tool_call>'),
        ("<|channel|>analysis<|message|>Hm", "Hm", ""),
    ],
)
def test_what_is_thinking_and_what_is_not(text, thinking, answer):
    assert split(text) == (thinking, answer)
    assert in_pieces(list(text)) == (thinking, answer)


@pytest.mark.parametrize(
    ("text", "thinking", "answer"),
    [
        ("Hm.\n</think>\n\nYes.", "Hm.\n", "Yes."),
        ("Hm.</think>Yes.", "Hm.", "Yes."),
        ("<think>Hm.</think>Yes.", "Hm.", "Yes."),
        ("Hm <think> hm", "Hm <think> hm", ""),
        ("  ", "", ""),
    ],
)
def test_thinking_that_the_prompt_opened(text, thinking, answer):
    assert in_pieces(list(text), "<think>") == (thinking, answer)


def test_open_thinking_that_ends_by_itself_was_the_answer():
    assert in_pieces(list("\nYes.\n"), "<think>", cut=False) == ("\nYes.\n", "Yes.")
    assert in_pieces(["<think>Hm."], "<think>", cut=False) == ("Hm.", "")
    assert in_pieces(["Hm.</think>"], "<think>", cut=False) == ("Hm.", "")
    assert in_pieces(["<think>Hm."], cut=False) == ("Hm.", "")


WORDS = st.sampled_from(
    [
        *("a", "B c", " ", "\n", "\n\n", "```", "`", "<", "</", "<|", "analysis", "final", "assistant", "</think>\n"),
        *("<think>", "</think>", "<thinking>", "[THINK]", "[/THINK]"),
        *("<|channel|>", "<|message|>", "<|end|>", "<|start|>"),
    ]
)


@given(text=st.lists(WORDS, max_size=12).map("".join), cuts=st.sets(st.integers(0, 80)), opened=st.booleans())
def test_cuts_make_no_difference_and_nothing_is_said_twice(text, cuts, opened):
    ends = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[a:b] for a, b in pairwise(ends)]
    tag = "<think>" if opened else ""
    thinking, answer = in_pieces([text], tag)
    assert in_pieces(pieces, tag) == (thinking, answer)
    assert (thinking + answer).count("B c") == text.count("B c") or "<|" in text


@given(st.text(alphabet="ab `~\n*#|", max_size=60))
def test_an_answer_without_tags_stays_as_it_is(text):
    assert split(text) == ("", text)


def test_words_come_at_once():
    splitter = ThinkingSplitter()
    assert [piece.thinking for piece in splitter.feed("<think>One, ")] == ["One, "]
    assert [piece.answer for piece in splitter.feed("two</think>\n\nThree")] == ["", "Three"]
    assert [piece.answer for piece in splitter.feed(" and <")] == [" and <"]


@pytest.mark.parametrize("line", ["\n<think>\n", "x\n", "<|end|>", "</think> x\n", "```\n</think>\n```\n"])
def test_long_texts_are_read_once(line):
    begin = "<|channel|>final<|message|>Yes.\n" if line.startswith("<|") else "Yes.\n"
    assert split(begin + line * 200_000)[1].startswith("Yes.\n")


def test_the_end_of_a_prompt_shows_whether_thinking_is_open():
    assert opened_in("<|assistant|>\n<think>\n") == "<think>"
    assert opened_in("<|assistant|>\n<think>\n\n</think>\n\n") == ""
    assert opened_in("What is <think>?\n<|assistant|>") == ""


def test_an_answer_alone():
    assert without_thinking("<think>Hm.</think>Yes.") == "Yes."
