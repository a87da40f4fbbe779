"""Which conversation a client's messages belong to, and which of them are new."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from memdesk.domain.models import Turn
from memdesk.ports import ChatMessage
from memdesk.services.chatting.threads import Said, common_prefix, derived_id, reconcile, said, tail_key

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def stored(*texts):
    return [
        Turn(
            id=f"t{number}",
            agent_id="a",
            conversation_id="c",
            position=number,
            role="user" if number % 2 == 0 else "assistant",
            content=text,
            said_at=NOW,
            created_at=NOW,
        )
        for number, text in enumerate(texts)
    ]


def spoken(*texts):
    return [Said("user" if number % 2 == 0 else "assistant", text) for number, text in enumerate(texts)]


def after(turns, change):
    kept = [turn.content for turn in turns if turn.id not in change.drop]
    return [*kept, *(message.content for message in change.add)]


def test_tool_traffic_and_system_prompts_are_not_speech():
    messages = [
        ChatMessage(role="system", content="Be kind"),
        ChatMessage(role="user", content="Weather?"),
        ChatMessage(role="assistant", content="", tool_calls=({"id": "1"},)),
        ChatMessage(role="tool", content="cold"),
    ]
    assert said(messages) == [Said("user", "Weather?")]


def test_a_client_that_sends_only_the_newest_message_appends():
    change = reconcile(stored("a", "b", "c", "d"), spoken("e"))
    assert (change.drop, [m.content for m in change.add]) == ((), ["e"])


def test_a_summary_in_place_of_old_messages_drops_nothing():
    change = reconcile(stored("a", "b", "c", "d"), spoken("summary of it all", "ok", "e"))
    assert change.drop == ()
    assert [m.content for m in change.add] == ["e"]


def test_an_answer_that_the_client_changed_keeps_the_conversation():
    change = reconcile(stored("a", "b with thoughts", "c", "d"), spoken("a", "b", "c", "d", "e"))
    assert (change.drop, [m.content for m in change.add]) == ((), ["e"])


def test_an_edit_far_back_takes_back_all_that_followed():
    turns = stored("a", "b", "c", "d", "e", "f")
    assert after(turns, reconcile(turns, spoken("a", "b", "x"))) == ["a", "b", "x"]


def test_another_answer_to_the_same_message_keeps_the_message():
    change = reconcile(stored("a", "b", "c", "d"), spoken("a", "b", "c"))
    assert (change.drop, change.add) == (("t3",), ())


def test_whitespace_is_no_difference():
    assert common_prefix(stored("a  b", "c"), spoken("a b\n", " c")) == 2


def test_derived_ids_depend_on_agent_and_opening():
    first = derived_id("a", spoken("Hi"))
    assert first == derived_id("a", spoken("Hi", "Hello", "More"))
    assert (
        len({first, derived_id("b", spoken("Hi")), derived_id("a", spoken("Ho")), derived_id("a", spoken("Hi"), 2)})
        == 4
    )
    assert tail_key("a", spoken("Hi")) is None
    assert tail_key("a", spoken("Hi", "Ho")) == tail_key("a", spoken("x", "y", "Hi", "Ho"))


@given(st.lists(st.text("abc", min_size=1, max_size=3), min_size=1, max_size=12), st.data())
def test_resending_everything_stores_every_message_once(texts, data):
    """However much of a history is stored, going on with all of it leaves exactly that history."""
    texts = texts if len(texts) % 2 else texts[:-1] or texts
    known = data.draw(st.integers(0, len(texts) // 2)) * 2
    turns = stored(*texts[:known])
    assert after(turns, reconcile(turns, spoken(*texts))) == texts


@given(
    st.lists(st.text(min_size=1, max_size=3), max_size=8),
    st.lists(st.text(min_size=1, max_size=3), min_size=1, max_size=9),
)
def test_the_latest_message_is_never_lost(known, sent):
    sent = sent if len(sent) % 2 else sent[:-1] or sent
    turns = stored(*known)
    result = after(turns, reconcile(turns, spoken(*sent)))
    assert " ".join(result[-1].split()) == " ".join(sent[-1].split())
