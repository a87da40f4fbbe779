"""``/v1/completions``, and several answers at once, through the real OpenAI client."""

import threading

import httpx
import openai
import pytest

from memdesk.errors import EngineError


def test_a_text_is_continued(ai, parts):
    parts.model.queue("and a fox.")
    answer = ai.completions.create(model="default", prompt="A dog", max_tokens=9, stop="END", echo=True)
    assert (answer.object, answer.choices[0].text, answer.choices[0].finish_reason) == (
        "text_completion",
        "A dogand a fox.",
        "stop",
    )
    request = parts.model.requests[-1]
    assert ([m.content for m in request.messages], request.max_tokens, request.stop) == (["A dog"], 9, ("END",))
    assert answer.usage.completion_tokens == 3


def test_a_text_is_streamed(ai, parts):
    parts.model.queue("one two three")
    stream = list(ai.completions.create(model="default", prompt="Count", stream=True))
    assert "".join(chunk.choices[0].text for chunk in stream) == "one two three"
    assert stream[-1].choices[0].finish_reason == "stop"


def test_several_texts_and_answers_come_in_their_order(ai, parts):
    parts.model.queue("a1", "a2", "b1", "b2")
    answer = ai.completions.create(model="default", prompt=["a", "b"], n=2)
    assert [(choice.index, choice.text) for choice in answer.choices] == [(0, "a1"), (1, "a2"), (2, "b1"), (3, "b2")]


def test_a_chat_has_several_answers_and_keeps_the_first(caroline, parts):
    parts.model.queue("First.", "Second.", "Third.")
    answer = caroline.chat.completions.create(
        model="default", messages=[{"role": "user", "content": "Hello there"}], n=3, seed=7
    )
    assert [(choice.index, choice.message.content) for choice in answer.choices] == [
        (0, "First."),
        (1, "Second."),
        (2, "Third."),
    ]
    assert [request.seed for request in parts.model.requests[-3:]] == [7, 8, 9]
    assert answer.usage.completion_tokens == 3
    (thread,) = parts.services.conversations.page("caroline").items
    assert thread.turn_count == 2


@pytest.mark.parametrize(
    "more",
    [{"prompt": [200_000]}, {"prompt": "x", "suffix": "y"}, {"prompt": "x", "stream": True, "n": 9}, {"prompt": []}],
)
def test_what_cannot_be_done_is_refused_in_words(ai, more):
    with pytest.raises(openai.BadRequestError):
        ai.completions.create(model="default", **more)


def told(stream):
    """Return the words of each answer of a stream and why it ended, by index."""
    words, reasons = {}, {}
    for chunk in stream:
        for choice in chunk.choices:
            piece = choice.delta.content if hasattr(choice, "delta") else choice.text
            words[choice.index] = words.get(choice.index, "") + (piece or "")
            reasons.setdefault(choice.index, []).extend([choice.finish_reason] if choice.finish_reason else [])
    return [(words[index], reasons[index]) for index in sorted(words)]


def test_several_answers_of_a_chat_are_streamed_and_counted_together(caroline, parts):
    parts.model.queue("One two.", "Three.", "Four five six.")
    chunks = list(
        caroline.chat.completions.create(
            model="default",
            messages=[{"role": "user", "content": "Hello there"}],
            n=3,
            stream=True,
            stream_options={"include_usage": True},
        )
    )
    assert told(chunks) == [("One two.", ["stop"]), ("Three.", ["stop"]), ("Four five six.", ["stop"])]
    assert [choice.index for chunk in chunks for choice in chunk.choices if choice.delta.role] == [0, 1, 2]
    assert [chunk.usage.completion_tokens for chunk in chunks if chunk.usage] == [6]
    (thread,) = parts.services.conversations.page("caroline").items
    assert thread.turn_count == 2


def test_several_texts_are_streamed_behind_what_is_echoed(ai, parts):
    parts.model.queue("a1", "a2", "b1", "b2")
    asked = {"prompt": ["A ", "B "], "n": 2, "echo": True, "stream_options": {"include_usage": True}}
    stream = list(ai.completions.create(model="default", stream=True, **asked))
    assert [chunk.usage.completion_tokens for chunk in stream if chunk.usage] == [4]
    assert told(stream) == [("A a1", ["stop"]), ("A a2", ["stop"]), ("B b1", ["stop"]), ("B b2", ["stop"])]


@pytest.mark.expect_log
def test_an_answer_that_fails_after_another_ends_the_stream_with_an_error(ai, parts):
    parts.model.queue("One.", EngineError("The engine is gone."))
    stream = ai.chat.completions.create(model="default", messages=[{"role": "user", "content": "Hi"}], n=2, stream=True)
    heard = []
    with pytest.raises(openai.APIError, match="engine is gone"):
        heard += [chunk.choices[0].delta.content for chunk in stream]
    assert len(parts.model.requests) == 2


def test_stopping_the_server_begins_no_further_answer(server, secret, parts):
    parts.model.hold = threading.Event()
    parts.model.queue("One two three.", "Four.")
    body = {"messages": [{"role": "user", "content": "Count"}], "stream": True, "n": 2}
    headers = {"Authorization": f"Bearer {secret}"}
    with httpx.stream("POST", f"{server.url}/v1/chat/completions", json=body, headers=headers, timeout=60) as answer:
        lines = answer.iter_lines()
        while "One" not in next(lines):
            pass
        server.stop()
        list(lines)
    assert len(parts.model.requests) == 1
