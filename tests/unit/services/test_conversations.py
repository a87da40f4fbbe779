"""Threads: drafts, order, export."""

from __future__ import annotations

import json

import pytest

from memdesk.domain.chatting.drafts import Draft
from memdesk.errors import BadRequestError, NotFoundError
from tests.helpers.exchange import exchange
from tests.helpers.parts import make_parts


@pytest.fixture
def parts(tmp_path):
    made = make_parts(tmp_path)
    for name in ("one", "two"):
        exchange(
            made.services.ingest, agent_id="a", conversation_id=name, user=f"About {name}", assistant=f"Yes, {name}"
        )
    yield made
    made.close()


@pytest.fixture
def threads(parts):
    return parts.services.conversations


def test_listing_finds_by_what_was_said_and_skips_the_archived(threads):
    assert [thread.id for thread in threads.page("a").items] == ["two", "one"]
    assert [thread.id for thread in threads.page("a", "one").items] == ["one"]
    threads.archive("a", "one")
    assert [thread.id for thread in threads.page("a", archived=False).items] == ["two"]
    assert threads.archive("a", "one", on=False).archived is False


def test_changes_by_hand_do_not_move_a_thread(threads):
    before = threads.get("a", "one").updated_at
    threads.rename("a", "one", "  A   title ")
    threads.pin("a", "one")
    threads.set_memory("a", "one", "off")
    thread = threads.get("a", "one")
    assert (thread.title, thread.pinned, thread.memory, thread.updated_at) == ("A title", True, "off", before)


def test_drafts_survive_with_their_files(threads):
    kept = Draft("half", {"notes.md": "# Geese", "log.txt": "```\n"})
    threads.save_draft("a", "one", kept)
    threads.save_draft("a", None, Draft("for a new one"))
    threads.save_draft("a", "gone", Draft("x", {"notes.md": "y"}))
    assert threads.draft("a", "one") == kept
    assert threads.draft("a", None) == Draft("for a new one")
    threads.save_draft("a", "one", Draft("half"))
    threads.save_draft("a", None, Draft())
    assert threads.draft("a", "one") == Draft("half")
    assert threads.draft("a", None) == Draft()
    # Of a conversation that is stored with its first answer.
    assert threads.draft("a", "gone") == Draft("x", {"notes.md": "y"})


def test_a_deleted_conversation_leaves_no_file_of_its_draft(threads, parts):
    threads.save_draft("a", "one", Draft("", {"notes.md": "the vault's combination"}))
    threads.delete("a", "one")
    with parts.store.read() as repos:
        assert repos.meta.prefix("draft") == {}


def test_export_reads_well_and_comes_back(threads, parts):
    text = threads.export("a", "one")
    assert text.startswith("# About one\n\n*a, ")
    assert "**You** · " in text
    assert "Yes, one" in text
    data = json.loads(threads.export("a", "one", "json"))
    assert data["messages"][0] | {"date": None} == {
        "role": "user",
        "speaker": "",
        "content": "About one",
        "date": None,
        "model": "",
    }


def test_wrong_calls(threads):
    with pytest.raises(NotFoundError):
        threads.get("a", "gone")
    with pytest.raises(NotFoundError):
        threads.get("b", "one")
    with pytest.raises(NotFoundError):
        threads.delete("a", "gone")
    with pytest.raises(BadRequestError):
        threads.rename("a", "one", " ")
    with pytest.raises(BadRequestError):
        threads.set_memory("a", "one", "sometimes")
    with pytest.raises(BadRequestError):
        threads.export("a", "one", "pdf")


def test_deleting_without_what_was_learned_keeps_facts(threads, parts):
    fact = parts.services.memories.remember("a", "The dog is called Biscuit.")
    assert threads.delete("a", "one", learned=False).counts["turns"] == 2
    assert parts.services.memories.fact(fact.id)
    assert [thread.id for thread in threads.page("a").items] == ["two"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("one\n\ntwo\n\nthree", "one\n\nthree"),
        ("one\n\ntwo", "one"),
        ("two\n\nthree", "three"),
        ("one\n\ntwo three", "one\n\ntwo three"),
    ],
)
def test_of_drafts_that_became_one_each_can_be_sent_first(text, left):
    assert Draft(text).without(Draft("two")) == Draft(left)
