"""Tool calls in the answers of local models."""

from __future__ import annotations

import json

import pytest

from memdesk.engines.toolcalls import forced_schema, instructions, may_be_call, parse

TOOLS = [
    {"type": "function", "function": {"name": "search", "parameters": {"type": "object", "properties": {"q": {}}}}},
    {"type": "function", "function": {"name": "now"}},
]
NAMES = {"search", "now"}


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "search", "arguments": {"q": "tea"}}</tool_call>',
        '<tool_call>\n{"name": "search", "arguments": {"q": "tea"}}\n',
        '[TOOL_CALLS][{"name": "search", "arguments": {"q": "tea"}}]',
        '<|python_tag|>{"name": "search", "parameters": {"q": "tea"}}',
        '{"name": "search", "parameters": {"q": "tea"}}',
        '```json\n{"name": "search", "arguments": "{\\"q\\": \\"tea\\"}"}\n```',
        '{"type": "function", "function": {"name": "search", "arguments": {"q": "tea"}}}',
    ],
)
def test_finds_a_call(text):
    words, calls = parse(text, NAMES)
    assert words == ""
    assert [call["function"]["name"] for call in calls] == ["search"]
    assert json.loads(calls[0]["function"]["arguments"]) == {"q": "tea"}
    assert may_be_call(text[:5])


def test_several_calls_and_words_between():
    text = 'Let me see. <tool_call>{"name": "now"}</tool_call><tool_call>{"name": "search"}</tool_call>'
    words, calls = parse(text, NAMES)
    assert words == "Let me see."
    assert [call["function"]["name"] for call in calls] == ["now", "search"]
    assert len({call["id"] for call in calls}) == 2


@pytest.mark.parametrize(
    "text",
    ["Plain words.", '{"name": "format_disk", "arguments": {}}', '{"a": 1}', "<tool_call>{broken</tool_call>", "[1]"],
)
def test_words_stay_words(text):
    assert parse(text, NAMES) == (text, [])


def test_early_decision_whether_it_may_be_a_call():
    assert all(may_be_call(start) for start in ("", " ", "<", "<tool", "{", '{"name"', "[TOOL"))
    assert not any(may_be_call(start) for start in ("Hello", "<b>", "- item"))


def test_forced_calls():
    assert forced_schema(TOOLS, "auto") is None
    assert forced_schema(TOOLS, None) is None
    assert len(forced_schema(TOOLS, "required")["anyOf"]) == 2
    one = forced_schema(TOOLS, {"type": "function", "function": {"name": "now"}})
    assert one["properties"]["name"] == {"const": "now"}
    assert forced_schema(TOOLS, {"function": {"name": "absent"}}) is None


def test_instructions_name_every_function():
    assert all(name in instructions(TOOLS) for name in NAMES)
