"""Images are recognized by their content, whatever their name."""

from __future__ import annotations

import base64

import pytest

from memdesk.domain.chatting import images
from memdesk.domain.chatting.images import Image
from memdesk.errors import BadRequestError
from tests.helpers.pictures import png


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (png(), "image/png"),
        (b"\xff\xd8\xff\xe0rest", "image/jpeg"),
        (b"GIF89a..", "image/gif"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
    ],
)
def test_a_picture_is_the_same_from_bytes_base64_and_address(data, kind):
    text = base64.b64encode(data).decode()
    found = {
        Image.of(data),
        Image.of(text),
        Image.of(f"data:application/x;base64,{text}"),
        Image.of(text[:8] + "\n" + text[8:]),
    }
    (one,) = found
    assert (one.media_type, one.content, one.url) == (kind, data, f"data:{kind};base64,{text}")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"%PDF-1.7",
        b"RIFF....WAVE",
        "data:image/png,plain",
        "data:image/png;base64",
        "not base64!",
        "https://a.example/b.png",
    ],
)
def test_what_is_no_picture_is_refused(data):
    with pytest.raises(BadRequestError):
        Image.of(data)


def test_a_large_picture_is_refused(monkeypatch):
    monkeypatch.setattr(images, "MOST_BYTES", 20)
    with pytest.raises(BadRequestError, match="larger"):
        Image.of(png())


def test_another_name_makes_no_other_picture():
    assert Image.of(png(), "a").id == Image.of(png(), "b").id != Image.of(png(red=1)).id
