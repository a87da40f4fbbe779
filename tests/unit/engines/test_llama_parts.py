"""Small rules of the llama.cpp worker, tried in a process of their own: this one must not load llama.cpp."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

RULES = r"""
import json
from types import SimpleNamespace
from memdesk.engines.llama_kv import _common
from memdesk.engines.llama_threads import Sample, ThreadGovernor, free_cores
from memdesk.engines.llama_worker import _Answer, _as_plain, _overlap, _with_system

start = Sample(0.0, 0.0, 0.0)
call = {"function": {"name": "f", "arguments": "{}"}}
TOOLS = [{"function": {"name": "f"}}]


def said(text, tools=(), stop=(), opened=""):
    answer = _Answer(None, SimpleNamespace(constrained=False), list(tools), forced=False, stop=list(stop), opened=opened)
    items, stopped = [], False
    for letter in text:
        item, stopped = answer._take(answer._splitter.feed(letter))
        items.append(item)
        if stopped:
            break
    last = answer._last("length", 1, 1.0)
    told = {"thinking": "", "text": "", "tools": len(last["tool_calls"]), "stopped": stopped}
    for item in [*items, last]:
        if item.get("taken_back"):
            told["thinking"], told["text"] = told["thinking"] + told["text"], ""
        told["thinking"] += item.get("thinking", "")
        told["text"] += item.get("text", "")
    return told


print(json.dumps({
    "idle": free_cores(start, Sample(2.0, 4.0, 4.0), 2),
    "one other": free_cores(start, Sample(2.0, 4.0, 2.0), 2),
    "clock skew": free_cores(start, Sample(1.0, 1.0, 1.1), 4),
    "overlap": [_overlap("the end", "ending"), _overlap("abc", "x"), _overlap("", "x"), _overlap("aab", "ab")],
    "common": [_common([], [1]), _common([1, 2, 3], [1, 2, 4]), _common([1, 2], [1, 2, 3])],
    "system": _with_system([{"role": "system", "content": "a"}, {"role": "user", "content": "b"}], "c"),
    "no system": _with_system([{"role": "user", "content": "b"}], "c"),
    "tool": _as_plain({"role": "tool", "content": "sunny"}),
    "thought": said("<think>One. END</think>\n\nTwo. END Three.", stop=["END"]),
    "open": said("One.</think>Two.", opened="<think>"),
    "thought, then called": said('<think>{"name": "f"}?</think><tool_call>{"name": "f"}</tool_call>', TOOLS),
    "taken back": said("One.\n</think>\nTwo.", TOOLS),
    "channels": said(
        '<|channel|>analysis<|message|>One.<|end|><|start|>assistant<|channel|>commentary to=functions.f'
        '<|constrain|>json<|message|>{}<|call|>', TOOLS),
    "called": _as_plain({"role": "assistant", "content": None, "tool_calls": [call]}),
}))
"""


@pytest.fixture(scope="module")
def rules():
    done = subprocess.run([sys.executable, "-c", RULES], capture_output=True, text=True, timeout=120, check=True)
    return json.loads(done.stdout)


def test_free_cores(rules):
    assert rules["idle"] == 2
    assert rules["one other"] == 1
    assert rules["clock skew"] == 4


def test_stop_strings_that_may_have_begun(rules):
    assert rules["overlap"] == [3, 0, 0, 0]


def test_thinking_goes_out_apart_and_what_stops_an_answer_does_not_stop_it(rules):
    assert rules["thought"] == {"thinking": "One. END", "text": "Two. ", "tools": 0, "stopped": True}
    assert rules["open"] == {"thinking": "One.", "text": "Two.", "tools": 0, "stopped": False}
    assert rules["taken back"] == {"thinking": "One.\n", "text": "Two.", "tools": 0, "stopped": False}


def test_tools_are_called_after_thinking(rules):
    assert rules["thought, then called"] == {"thinking": '{"name": "f"}?', "text": "", "tools": 1, "stopped": False}
    assert rules["channels"] == {"thinking": "One.", "text": "", "tools": 1, "stopped": False}


def test_common_prefix(rules):
    assert rules["common"] == [0, 2, 2]


def test_tools_are_told_in_words(rules):
    assert rules["system"][0] == {"role": "system", "content": "a\n\nc"}
    assert rules["no system"][0] == {"role": "system", "content": "c"}
    assert rules["tool"] == {"role": "user", "content": "<tool_response>sunny</tool_response>"}
    assert rules["called"]["content"] == '<tool_call>{"name": "f", "arguments": {}}</tool_call>'
