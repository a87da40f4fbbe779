"""``/v1/completions``, and several answers at once, through the real OpenAI client."""

import openai
import pytest


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
    [{"prompt": [200_000]}, {"prompt": "x", "suffix": "y"}, {"prompt": "x", "stream": True, "n": 2}, {"prompt": []}],
)
def test_what_cannot_be_done_is_refused_in_words(ai, more):
    with pytest.raises(openai.BadRequestError):
        ai.completions.create(model="default", **more)


def test_a_stream_of_a_chat_has_one_answer(ai):
    with pytest.raises(openai.BadRequestError, match="A stream has one answer"):
        ai.chat.completions.create(model="default", messages=[{"role": "user", "content": "Hi"}], n=2, stream=True)
