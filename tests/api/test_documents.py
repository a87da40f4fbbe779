"""Files sent with a message, through each protocol's real client."""

import base64

import anthropic
import openai
import pytest

from memdesk.domain.chatting.files import apart
from tests.unit.services.test_documents import pdf

LEASE = b"I am the tenant of the mill and I love it."
AGENT = {"X-Memdesk-Agent-Id": "caroline"}


def in_base64(data, kind="text/plain"):
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


@pytest.fixture
def claude(server, secret):
    with anthropic.Anthropic(
        base_url=server.url, api_key=secret, max_retries=0, timeout=60, default_headers=AGENT
    ) as client:
        yield client


def by_chat(client, name, data, kind):
    parts = [{"type": "file", "file": {"filename": name, "file_data": in_base64(data, kind)}}]
    content = [*parts, {"type": "text", "text": "What is it?"}]
    client.chat.completions.create(model="default", messages=[{"role": "user", "content": content}])


def by_responses(client, name, data, kind):
    content = [
        {"type": "input_text", "text": "What is it?"},
        {"type": "input_file", "filename": name, "file_data": in_base64(data, kind)},
    ]
    client.responses.create(model="default", input=[{"role": "user", "content": content}])


@pytest.mark.parametrize("send", [by_chat, by_responses])
@pytest.mark.parametrize(
    ("name", "data", "kind", "told"),
    [
        ("lease.txt", LEASE, "text/plain", LEASE.decode()),
        ("two.pdf", pdf("First page", "Second page"), "application/pdf", "First page"),
    ],
)
def test_the_text_of_a_file_stands_behind_the_words(caroline, parts, send, name, data, kind, told):
    send(caroline, name, data, kind)
    words = parts.model.requests[-1].messages[-1].content
    assert words.startswith("What is it?")
    assert told in words.partition(f"{name} (")[2]


def test_a_document_of_anthropics_stands_behind_the_words_and_is_nobodys_word(claude, parts):
    documents = [
        {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": LEASE.decode()},
            "title": "Lease",
        },
        {
            "type": "document",
            "source": {
                "type": "base64",
                "media_type": "application/pdf",
                "data": base64.b64encode(pdf("A plan")).decode(),
            },
        },
    ]
    content = [*documents, {"type": "text", "text": "I keep two goats behind the house."}]
    claude.messages.create(model="default", max_tokens=50, messages=[{"role": "user", "content": content}])
    (thread,) = parts.services.conversations.page("caroline").items
    said = parts.services.conversations.turns("caroline", thread.id)[0].content
    words, files = apart(said)
    assert (words, [file.name for file in files]) == ("I keep two goats behind the house.", ["Lease", "document"])
    assert [LEASE.decode() in files[0].text, "A plan" in files[1].text] == [True, True]


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ({"filename": "a.txt", "file_data": "no base64 at all"}, "base64"),
        ({"file_id": "file-1"}, "base64"),
        ({"filename": "a.pdf", "file_data": in_base64(b"%PDF-1.4 broken")}, "damaged"),
        ({"filename": "a.txt", "file_data": in_base64(b"")}, "a.txt is empty"),
        ({"filename": "a.pdf", "file_data": in_base64(b" \n")}, "a.pdf is empty"),
        ({"filename": "a.bin", "file_data": in_base64(bytes(range(256)) * 9)}, "not text"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_words(ai, parts, file, why):
    message = {"role": "user", "content": [{"type": "file", "file": file}]}
    with pytest.raises(openai.BadRequestError, match=why):
        ai.chat.completions.create(model="default", messages=[message])
    assert parts.model.requests == []


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ({"type": "text", "media_type": "text/plain", "data": ""}, "Lease is empty"),
        ({"type": "text", "media_type": "text/plain", "data": " \n\t "}, "Lease is empty"),
        ({"type": "text", "media_type": "text/plain", "data": "a " * 2_100_000}, "4 million characters"),
        ({"type": "base64", "media_type": "application/pdf", "data": ""}, "base64"),
    ],
)
def test_a_document_of_anthropics_that_says_nothing_is_refused_in_words(claude, parts, source, why):
    content = [{"type": "document", "source": source, "title": "Lease"}, {"type": "text", "text": "What is it?"}]
    with pytest.raises(anthropic.BadRequestError, match=why):
        claude.messages.create(model="default", max_tokens=50, messages=[{"role": "user", "content": content}])
    assert parts.model.requests == []
