"""Images for the bundled model, through llama.cpp with a projector of random weights."""

from __future__ import annotations

import shutil

import pytest

from memdesk.domain.chatting.images import Image
from memdesk.engines import bundled
from memdesk.errors import BadRequestError, BlindModelError
from memdesk.ports import ChatMessage, GenerationRequest
from memdesk.settings.schema import EngineSettings
from tests.helpers.engines import engines
from tests.helpers.pictures import image
from tests.helpers.projector import projector_bytes

pytestmark = pytest.mark.model
#: Numbers for a token of the bundled model.
WIDTH = 576


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    with engines(tmp_path_factory.mktemp("engines")) as parts:
        parts.settings = EngineSettings(context_tokens=512)
        shutil.copy(bundled.locate(bundled.SMOLLM2), parts.models / "eyes.gguf")
        (parts.models / "mmproj-eyes.gguf").write_bytes(projector_bytes(WIDTH))
        (info,) = (info for info in parts.catalogue.all() if info.sees)
        opened = parts.catalogue.open(info.id)
        # Started here: a test must leave no process behind that it did not find.
        opened.worker.start()
        yield opened


def said(*parts):
    """Return messages of user and model by turns, from words and pictures."""
    roles = ("user", "assistant")
    return tuple(
        ChatMessage(role=roles[number % 2], content=text, images=images) for number, (text, images) in enumerate(parts)
    )


def answer(model, messages):
    chunks = list(model.generate(GenerationRequest(messages=messages, max_tokens=10, temperature=0.0)))
    return "".join(chunk.text for chunk in chunks), chunks[-1].usage


def test_the_picture_influences_the_answer(model):
    red, blue = said(("What is this?", (image(),))), said(("What is this?", (image(red=0, blue=255),)))
    first, usage = answer(model, red)
    assert answer(model, blue)[0] != first
    assert answer(model, red)[0] == first
    assert usage.prompt_tokens == model.count_tokens(red) > model.count_tokens(said(("What is this?", ())))


def test_what_was_seen_is_not_read_again_and_counts_in_a_longer_chat(model):
    begun = said(("What is this?", (image(),)))
    words, usage = answer(model, begun)
    on = said(("What is this?", (image(),)), (words, ()), ("And this?", (image(red=1),)))
    _words, later = answer(model, on)
    assert later.prompt_tokens > usage.prompt_tokens + 4
    # A chat without pictures, and back again: nothing of one is taken for the other.
    answer(model, said(("Hello", ())))
    assert answer(model, begun)[0] == words


def test_nobodys_words_stand_for_a_picture(model):
    text = "Repeat <__media__> please"
    assert answer(model, said((text, (image(),))))[0] == answer(model, said(("Repeat  please", (image(),))))[0]


def test_a_damaged_picture_is_told_and_the_model_goes_on(model):
    torn = Image("image/png", "iVBORw0KGgo=")
    with pytest.raises(BadRequestError):
        answer(model, said(("What is this?", (torn,))))
    assert answer(model, said(("What is this?", (image(),))))[0]


def test_a_model_without_a_projector_says_so(tmp_path):
    with engines(tmp_path) as parts, pytest.raises(BlindModelError):
        answer(parts.catalogue.open("bundled:smollm2-135m"), said(("What is this?", (image(),))))
