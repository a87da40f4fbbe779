"""Small parts of the llama.cpp worker, tested in another process, as this one must not load llama.cpp."""

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
from memdesk.engines.llama_prompt import ChatPrompt, _as_plain, _with_system
from memdesk.engines.llama_worker import _Answer, _overlap
from memdesk.errors import BadRequestError

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


CHATML = (
    "{%- for m in messages %}{{- '<|im_start|>' + m.role + '\\n' + m.content.split('</think>')[-1] + '<|im_end|>\\n' }}"
    "{%- endfor %}"
)
# How the generation prompts of these families end; what stands before it is made short.
FAMILIES = {
    "DeepSeek-R1 distilled": (
        "{{ bos_token }}{%- set ns = namespace(is_tool=false) -%}{%- for m in messages -%}"
        "{%- if m['role'] == 'user' -%}{%- set ns.is_tool = false -%}{{ '<｜User｜>' + m['content'] }}{%- endif -%}"
        "{%- if m['role'] == 'tool' -%}{%- set ns.is_tool = true -%}{{ '<｜tool▁output▁begin｜>' + m['content'] }}{%- endif -%}"
        "{%- endfor -%}{% if add_generation_prompt and not ns.is_tool %}{{ '<｜Assistant｜><think>\\n' }}{% endif %}"
        "{# tools #}"
    ),
    "QwQ": CHATML + "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n<think>\\n' }}{%- endif %}",
    "Qwen3": CHATML + (
        "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}"
        "{%- if enable_thinking is defined and enable_thinking is false %}{{- '<think>\\n\\n</think>\\n\\n' }}"
        "{%- endif %}{%- endif %}"
    ),
    "Nemotron Nano": CHATML + (
        "{%- set ns = namespace(think=not '/no_think' in messages[-1].content) %}{{- '<SPECIAL_11>Assistant\\n' }}"
        "{%- if ns.think %}{{- '<think>\\n\\n' }}{%- else %}{{- '<think></think>' }}{%- endif %}"
    ),
    "EXAONE Deep": CHATML + "{%- if add_generation_prompt %}{{- '[|assistant|]<thought>\\n' }}{%- endif %}",
    "ChatML": "",
}
WITHOUT = (
    "{%- if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "{%- for m in messages %}{{- '<start_of_turn>' + m.role + '\\n' + m.content + '<end_of_turn>\\n' }}{%- endfor %}"
)
ODD = "{%- for m in messages %}{%- if m.role == 'tool' %}{{ raise_exception('No tools') }}{% endif %}{{ m.content }}{% endfor %}"


def without_system(template):
    chat = ChatPrompt(template)
    said = [("system", "Be brief."), ("user", "Hi"), ("assistant", "Yes?"), ("user", "Who?")]
    messages = [{"role": role, "content": words} for role, words in said]
    return [chat.render(messages, [])[0], chat.render(messages[:2], [])[0]]


def refused(messages):
    try:
        ChatPrompt(ODD).render(messages, [])
    except BadRequestError as error:
        return str(error)


def asked(family, text="Is it open: <think>", role="user", **more):
    chat = ChatPrompt(FAMILIES[family], bos_token="<s>", eos_token="</s>", opening=[{"role": "system", "content": "Be brief."}])
    prompt, opened = chat.render([{"role": role, "content": text}], [], **more)
    return [prompt, opened]


print(json.dumps({
    "families": {family: asked(family) for family in FAMILIES},
    "at once": {family: asked(family, at_once=True) for family in FAMILIES},
    "no system role": without_system(WITHOUT),
    "system dropped": without_system(WITHOUT.replace("{{ raise_exception('System role not supported') }}", "")
                                     .replace("in messages %}", "in messages if m.role != 'system' %}")),
    "refused": [refused([{"role": "system", "content": "Be brief."}, {"role": "tool", "content": "x"}]),
                refused([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "x"}])],
    "no_think": asked("Nemotron Nano", "Hello /no_think"),
    "after a tool": asked("DeepSeek-R1 distilled", "sunny", "tool"),
    "first words": {
        family: [said("Hm", opened=asked(family)[1]), said("Hm.\n</think>\n\nYes.", opened=asked(family)[1])]
        for family in FAMILIES
    },
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


def test_the_template_shows_whether_an_answer_begins_with_thinking(rules):
    opened = {family: tag for family, (_, tag) in rules["families"].items()}
    assert opened == {
        "DeepSeek-R1 distilled": "<think>",
        "QwQ": "<think>",
        "Qwen3": "",
        "Nemotron Nano": "<think>",
        "EXAONE Deep": "<thought>",
        "ChatML": "",
    }
    assert rules["families"]["QwQ"][0].endswith("<think><|im_end|>\n<|im_start|>assistant\n<think>\n")
    assert rules["families"]["DeepSeek-R1 distilled"][0].startswith("<s><｜User｜>")
    # Some open none after a tool's answer, or when they are told so.
    assert rules["after a tool"][1] == rules["no_think"][1] == ""
    for family, (begun, whole) in rules["first words"].items():
        assert begun["thinking"] == ("Hm" if opened[family] else "")
        assert begun["text"] == ("" if opened[family] else "Hm")
        if opened[family] != "<thought>":
            assert (whole["thinking"], whole["text"]) == ("Hm.\n", "Yes.")


def test_a_model_that_must_answer_at_once_is_told_not_to_think_or_that_it_has(rules):
    prompts = {family: prompt for family, (prompt, _) in rules["at once"].items()}
    assert all(tag == "" for _, tag in rules["at once"].values())
    # As Qwen3 has learned it: with the blank line between the tags.
    assert prompts["Qwen3"].endswith("<|im_start|>assistant\n<think>\n\n</think>\n\n")
    assert prompts["QwQ"].endswith("<|im_start|>assistant\n<think>\n\n</think>\n\n")
    assert prompts["DeepSeek-R1 distilled"].endswith("<｜Assistant｜><think>\n\n</think>\n\n")
    assert prompts["EXAONE Deep"].endswith("<thought>\n\n</thought>\n\n")
    assert prompts["ChatML"] == rules["families"]["ChatML"][0]


def test_tools_are_called_after_thinking(rules):
    assert rules["thought, then called"] == {"thinking": '{"name": "f"}?', "text": "", "tools": 1, "stopped": False}
    assert rules["channels"] == {"thinking": "One.", "text": "", "tools": 1, "stopped": False}


@pytest.mark.parametrize("kind", ["no system role", "system dropped"])
def test_a_model_without_a_system_role_is_told_by_the_first_message_of_the_user(rules, kind):
    talk, first = rules[kind]
    assert first == "<start_of_turn>user\nBe brief.\n\nHi<end_of_turn>\n"
    # The beginning stays the same as the chat goes on.
    assert talk.startswith(first)
    assert talk.count("Be brief.") == 1


def test_what_a_template_refuses_for_another_reason_is_refused(rules):
    refused, taken = rules["refused"]
    assert "No tools" in refused
    assert taken is None


def test_common_prefix(rules):
    assert rules["common"] == [0, 2, 2]


def test_tools_are_told_in_words(rules):
    assert rules["system"][0] == {"role": "system", "content": "a\n\nc"}
    assert rules["no system"][0] == {"role": "system", "content": "c"}
    assert rules["tool"] == {"role": "user", "content": "<tool_response>sunny</tool_response>"}
    assert rules["called"]["content"] == '<tool_call>{"name": "f", "arguments": {}}</tool_call>'
