"""Recording: one transaction, replacement, and events."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta

import pytest

from memdesk.domain.chatting.drafts import Draft
from memdesk.domain.models import SignalStatus, every
from memdesk.errors import BadRequestError
from memdesk.services.events import ConversationsChanged, PendingChanged, TurnsRecorded
from memdesk.services.recording.ingest import MAX_TURN_CHARS, IngestTurn, NewTurn
from tests.helpers.exchange import exchange
from tests.helpers.memory_rows import NOON
from tests.helpers.parts import make_parts


@pytest.fixture
def parts(tmp_path):
    made = make_parts(tmp_path)
    yield made
    made.close()


@pytest.fixture
def ingest(parts):
    return parts.services.ingest


def contents(parts, conversation_id, agent_id="a"):
    return [turn.content for turn in parts.services.conversations.turns(agent_id, conversation_id)]


def test_an_exchange_is_two_turns_two_signals_and_one_rest(ingest, parts):
    heard = []
    for kind in (TurnsRecorded, PendingChanged, ConversationsChanged):
        parts.events.subscribe(kind, heard.append)
    user, assistant = exchange(ingest, agent_id="a", conversation_id="c", user="Hi", assistant="Ho", model="m")
    assert (user.position, assistant.position, assistant.model) == (0, 1, "m")
    assert 0 < user.seq < assistant.seq
    with parts.store.read() as repos:
        assert [signal.turn_id for signal in repos.signals.pending("a", "c")] == [user.id, assistant.id]
    assert [type(event) for event in heard] == [TurnsRecorded, PendingChanged, ConversationsChanged]
    assert parts.distillation.activity == [("a", "c")]
    exchange(ingest, agent_id="a", conversation_id="c", user="More", assistant="Yes")
    assert [t.position for t in parts.services.conversations.turns("a", "c")] == [0, 1, 2, 3]


def test_thinking_of_an_imported_answer_is_not_stored(ingest, parts):
    turns = [
        IngestTurn(user="<think> is what I type.", assistant="<think>\nHm.\n</think>\n\nSo it is."),
        IngestTurn(user="And now?", assistant="<think>cut off"),
    ]
    ingest.ingest(agent_id="a", conversation_id="c1", turns=turns, skip_extraction=True)
    assert contents(parts, "c1") == ["<think> is what I type.", "So it is.", "And now?"]


def test_a_draft_goes_with_the_message_it_became(ingest, parts):
    threads, files = parts.services.conversations, {"notes.md": "# Geese"}
    for talk, text in ((None, "Hi"), ("c", "More")):
        draft = Draft(f" {text}\n", files)
        threads.save_draft("a", talk, draft)
        exchange(ingest, agent_id="a", conversation_id="c", user=draft.message(), assistant="Ho")
        assert threads.draft("a", talk) == Draft()
    with parts.store.read() as repos:
        assert repos.meta.prefix("draft") == {}


def test_a_draft_stays_when_something_else_is_recorded(ingest, parts):
    threads = parts.services.conversations
    exchange(ingest, agent_id="a", conversation_id="c", user="Hi", assistant="Ho")
    for talk in (None, "c"):
        threads.save_draft("a", talk, Draft("half a thought", {"notes.md": "# Geese"}))
    exchange(ingest, agent_id="a", conversation_id="c", user="From a program", assistant="Ho")
    exchange(ingest, agent_id="a", conversation_id="new", user="half a thing", assistant="Ho")
    for talk in (None, "c"):
        assert threads.draft("a", talk) == Draft("half a thought", {"notes.md": "# Geese"})


def test_a_replacement_that_fails_leaves_the_former_session_whole(ingest, parts, monkeypatch):
    ingest.ingest(agent_id="a", conversation_id="c", turns=[IngestTurn(user="Old words")])

    def fail(*_args):
        raise BadRequestError("on purpose")

    monkeypatch.setattr(ingest, "_entry", fail)
    with pytest.raises(BadRequestError):
        ingest.ingest(agent_id="a", conversation_id="c", turns=[IngestTurn(user="New words")])
    assert contents(parts, "c") == ["Old words"]
    with parts.store.read() as repos:
        assert repos.signals.counts()[SignalStatus.PENDING] == 1


def test_what_the_user_set_by_hand_outlives_a_replacement(ingest, parts):
    threads = parts.services.conversations
    ingest.ingest(agent_id="a", conversation_id="c", turns=[IngestTurn(user="Old words")])
    threads.rename("a", "c", "My title")
    threads.pin("a", "c")
    ingest.ingest(agent_id="a", conversation_id="c", turns=[IngestTurn(user="New words")])
    thread = threads.get("a", "c")
    assert (thread.title, thread.pinned, contents(parts, "c")) == ("My title", True, ["New words"])
    # The log is emptied when nobody writes; here, now.
    parts.store.checkpoint()
    assert not parts.store.pages_holding([b"Old words"])


def test_single_sided_turns_and_speakers_are_kept(ingest, parts):
    turns = [
        IngestTurn(user="Hey Mel!", user_speaker="Caroline"),
        IngestTurn(assistant="Hey!", assistant_speaker="Melanie"),
        IngestTurn(assistant="And again.", assistant_speaker="Melanie"),
    ]
    assert ingest.ingest(agent_id="a", conversation_id="c", turns=turns).turns_ingested == 3
    stored = parts.services.conversations.turns("a", "c")
    assert [(t.role, t.speaker) for t in stored] == [
        ("user", "Caroline"),
        ("assistant", "Melanie"),
        ("assistant", "Melanie"),
    ]
    assert [t.said_at for t in stored] == sorted(t.said_at for t in stored)


def test_a_conversation_that_may_not_be_learned_from_says_so(ingest, parts):
    parts.services.agents.ensure("a")
    parts.services.conversations.create("a", conversation_id="c", memory="read_only")
    result = ingest.ingest(agent_id="a", conversation_id="c", turns=[IngestTurn(user="Hi")])
    assert result.distillation == "skipped:conversation_memory_off"


def test_concurrent_sessions_and_replacements_never_double(ingest, parts):
    def work(number):
        for _ in range(3):
            ingest.ingest(
                agent_id="a",
                conversation_id=f"c{number % 2}",
                turns=[IngestTurn(user=f"Words {number}", assistant="Yes")],
            )

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(contents(parts, "c0")) == len(contents(parts, "c1")) == 2


def test_turns_that_cannot_be_stored_change_nothing(ingest, parts):
    with pytest.raises(BadRequestError):
        ingest.ingest(agent_id="a", conversation_id="c", turns=[IngestTurn(user="x" * (MAX_TURN_CHARS + 1))])
    with pytest.raises(BadRequestError):
        ingest.record(agent_id="", conversation_id="c", turns=[NewTurn(role="user", content="x")])
    assert parts.services.conversations.page().total == 0


def test_thousands_of_turns_are_one_transaction(ingest, parts):
    turns = [IngestTurn(user=f"Question {n}", assistant=f"Answer {n}") for n in range(2500)]
    result = ingest.ingest(agent_id="a", conversation_id="c", turns=turns, skip_extraction=True)
    assert result.distillation == "skipped:skip_extraction"
    assert len(contents(parts, "c")) == 5000
    with parts.store.read() as repos:
        assert repos.signals.counts().get(SignalStatus.PENDING, 0) == 0


SESSION = [IngestTurn(user="I adopted a dog.", assistant="Lovely."), IngestTurn(user="He is called Rex.")]


def rows_of(parts):
    return [(turn.id, turn.position, turn.content) for turn in parts.services.conversations.turns("a", "c")]


def waiting(parts):
    with parts.store.read() as repos:
        return [signal.turn_id for signal in repos.signals.pending("a", "c")]


def again(ingest, turns=SESSION, **more):
    return ingest.ingest(agent_id="a", conversation_id="c", turns=turns, **more).distillation


def learned(parts):
    def work(repos):
        ids = [signal.id for signal in repos.signals.pending("a", "c")]
        repos.signals.mark(ids, SignalStatus.DONE)

    parts.store.write(work)


def test_a_session_that_is_here_already_is_left_as_it_is(ingest, parts):
    again(ingest)
    before = rows_of(parts)
    # What waits is distilled all the same.
    assert again(ingest) != "unchanged"
    learned(parts)
    written = parts.store.stats()["writer"]["transactions"]
    assert again(ingest) == "unchanged"
    assert rows_of(parts) == before
    assert waiting(parts) == []
    assert parts.store.stats()["writer"]["transactions"] == written


def test_of_a_session_that_went_on_only_the_rest_is_new(ingest, parts):
    again(ingest)
    before = rows_of(parts)
    learned(parts)
    again(ingest, [*SESSION, IngestTurn(user="Rex is a poodle.", assistant="Good.")])
    after = rows_of(parts)
    assert after[:3] == before
    assert [row[1:] for row in after[3:]] == [(3, "Rex is a poodle."), (4, "Good.")]
    assert waiting(parts) == [row[0] for row in after[3:]]


@pytest.mark.parametrize(
    "change",
    [
        {"turns": [IngestTurn(user="I adopted a cat.", assistant="Lovely."), SESSION[1]]},
        {"turns": SESSION[:1]},
        {"session_date": NOON},
        {"skip_extraction": True},
        {"title": "Rex"},
        {"turns": [replace(SESSION[0], user_speaker="Ann"), SESSION[1]]},
        {"turns": [replace(SESSION[0], date=NOON), SESSION[1]]},
    ],
    ids=lambda change: next(iter(change)),
)
def test_any_other_change_replaces_all_of_it(ingest, parts, change):
    again(ingest)
    learned(parts)
    before = {row[0] for row in rows_of(parts)}
    again(ingest, **change)
    assert before.isdisjoint(row[0] for row in rows_of(parts))
    assert len(waiting(parts)) == (0 if "skip_extraction" in change else len(rows_of(parts)))


def test_a_session_that_was_only_stored_is_learned_from_when_it_is_sent_for_that(ingest, parts):
    assert again(ingest, skip_extraction=True) == "skipped:skip_extraction"
    before = rows_of(parts)
    assert again(ingest, skip_extraction=True) == "skipped:skip_extraction"
    assert rows_of(parts) == before
    again(ingest)
    assert len(waiting(parts)) == 3


def test_lists_go_by_when_something_was_last_said(ingest, parts):
    """An import stands among the talks of its own time on every page, and comes up when it goes on."""
    exchange(ingest, agent_id="a", conversation_id="today", user="Hi", assistant="Ho")
    for number, when in enumerate([NOON - timedelta(days=90), NOON - timedelta(days=400), NOON - timedelta(days=200)]):
        said = [IngestTurn(user="Then", assistant="So")]
        ingest.ingest(agent_id="a", conversation_id=f"old-{number}", turns=said, session_date=when, wait=False)

    def listed():
        return [talk.id for talk in every(parts.services.conversations.page, "a", limit=1)]

    assert listed() == ["today", "old-0", "old-2", "old-1"]
    exchange(ingest, agent_id="a", conversation_id="old-1", user="And now", assistant="Now")
    assert listed() == ["old-1", "today", "old-0", "old-2"]
