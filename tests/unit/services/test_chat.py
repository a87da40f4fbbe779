"""The window's chat: history from the store, temporary chats, another answer, edits, stops."""

from __future__ import annotations

import itertools
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.domain.chatting.drafts import Draft
from memdesk.domain.chatting.titles import title_of
from memdesk.errors import (
    BadRequestError,
    CancelledError,
    ContextOverflowError,
    EngineCrashedError,
    LockedError,
    ModelMissingError,
    NotFoundError,
)
from memdesk.ports import ChatMessage, GenerationChunk
from memdesk.services.chatting import (
    CompletionRequest,
    Delta,
    Finished,
    MemorySearched,
    ReceiptReady,
    Thinking,
    ToolCall,
)
from memdesk.services.chatting.context import fit_context, split_exchanges
from memdesk.services.chatting.tool_calls import ToolCallBuffer
from memdesk.services.events import LockChanged
from tests.helpers.models import QueueModel, tool_call
from tests.helpers.parts import make_parts


@pytest.fixture
def parts(tmp_path):
    made = make_parts(tmp_path)
    yield made
    made.close()


@pytest.fixture
def chat(parts):
    return parts.services.chat


def send(chat, text, conversation_id=None, **more):
    return list(chat.send(agent_id="default", conversation_id=conversation_id, text=text, **more))


def contents(parts, conversation_id):
    return [turn.content for turn in parts.services.conversations.turns("default", conversation_id)]


def test_events_come_in_order_and_the_exchange_is_recorded(chat, parts):
    parts.model.queue("Hello you.")
    events = send(chat, "# Hi there\nmore")
    assert [type(event) for event in events] == [ReceiptReady, Delta, Delta, Finished]
    done = events[-1]
    assert (done.text, done.finish_reason, done.memory) == ("Hello you.", "stop", "on")
    assert [turn.content for turn in done.turns] == ["# Hi there\nmore", "Hello you."]
    thread = parts.services.conversations.get("default", done.conversation_id)
    assert thread.title == "Hi there"
    assert done.turns[1].receipt_id == done.receipt_id
    assert chat.receipts.get(done.receipt_id).turn_id == done.turns[1].id
    assert parts.distillation.activity == [("default", done.conversation_id)]


def test_memory_is_asked_for_what_is_said_and_not_for_what_stands_in_a_file(chat):
    report = {"report.txt": "The budget is 12,000 euros."}
    for words, asked in (("Is this right?", "Is this right?"), ("", "report.txt")):
        done = send(chat, Draft(words, report).message())[-1]
        assert chat.receipts.get(done.receipt_id).query == asked


def test_history_comes_from_the_store(chat, parts):
    parts.model.queue("One.", "Two.")
    first = send(chat, "First")[-1]
    send(chat, "Second", first.conversation_id)
    sent = parts.model.requests[1].messages
    assert [(m.role, m.content) for m in sent[1:]] == [("user", "First"), ("assistant", "One."), ("user", "Second")]
    assert parts.recall.calls[1]["history"] == ["First"]
    assert parts.recall.calls[1]["replies"] == ["One."]


def test_a_temporary_chat_is_answered_again_without_its_last_answer(chat, parts):
    parts.model.queue("One.", "Two.", "Three.")
    first = send(chat, "First", temporary=True)[-1]
    send(chat, "Second", first.conversation_id, temporary=True)
    list(chat.regenerate("default", first.conversation_id))
    sent = parts.model.requests[2].messages
    assert [(m.role, m.content) for m in sent[1:]] == [("user", "First"), ("assistant", "One."), ("user", "Second")]
    kept = chat.temporary_messages(first.conversation_id)
    assert [m.content for m in kept] == ["First", "One.", "Second", "Three."]


def test_a_temporary_chat_leaves_no_trace(chat, parts):
    parts.model.queue("A secret.", "Still here.")
    first = send(chat, "Tell me xyzzy", temporary=True)[-1]
    second = send(chat, "More plugh", first.conversation_id, temporary=True)[-1]
    assert first.conversation_id == second.conversation_id
    assert first.turns == ()
    assert [m.content for m in parts.model.requests[1].messages[1:]] == ["Tell me xyzzy", "A secret.", "More plugh"]
    assert parts.recall.calls == []
    assert parts.services.conversations.page().total == 0
    for word in (b"xyzzy", b"plugh", b"A secret"):
        assert not parts.store.pages_holding([word])
    assert len(chat.temporary_messages(first.conversation_id)) == 4
    chat.end_temporary(first.conversation_id)
    assert chat.temporary_messages(first.conversation_id) == []


def test_a_temporary_chat_may_read_memory_without_writing(chat, parts):
    send(chat, "Hm?", temporary=True, memory="on")
    assert parts.recall.calls[0]["bump_usage"] is False
    with parts.store.read() as repos:
        assert repos.receipts.page().total == 0


def test_locking_forgets_temporary_chats(chat, parts):
    done = send(chat, "Hm?", temporary=True)[-1]
    parts.events.publish(LockChanged(True))
    assert chat.temporary_messages(done.conversation_id) == []


@pytest.mark.parametrize("mode", ["read_only", "off"])
def test_a_conversation_may_be_kept_out_of_memory(chat, parts, mode):
    done = send(chat, "Hm?", memory=mode)[-1]
    assert done.memory == mode
    assert parts.services.conversations.get("default", done.conversation_id).memory == mode
    assert contents(parts, done.conversation_id) == ["Hm?", "All right."]
    with parts.store.read() as repos:
        assert repos.signals.counts().get("pending", 0) == 0
    assert len(parts.recall.calls) == (1 if mode == "read_only" else 0)
    send(chat, "Again", done.conversation_id)
    with parts.store.read() as repos:
        assert repos.signals.counts().get("pending", 0) == 0


def test_another_answer_replaces_the_former(chat, parts):
    parts.model.queue("One.", "Two.")
    first = send(chat, "First")[-1]
    events = list(chat.regenerate("default", first.conversation_id))
    assert contents(parts, first.conversation_id) == ["First", "Two."]
    assert [turn.content for turn in events[-1].turns] == ["First", "Two."]
    assert [m.content for m in parts.model.requests[1].messages if m.role != "system"] == ["First"]


def test_editing_a_message_drops_what_followed(chat, parts):
    parts.model.queue("One.", "Two.", "Three.")
    first = send(chat, "First")[-1]
    send(chat, "Second", first.conversation_id)
    user = parts.services.conversations.turns("default", first.conversation_id)[0]
    list(chat.edit_and_resend("default", first.conversation_id, user.id, "First, better"))
    assert contents(parts, first.conversation_id) == ["First, better", "Three."]
    with pytest.raises(NotFoundError):
        chat.edit_and_resend("default", first.conversation_id, "gone", "x")


def test_a_stopped_answer_keeps_what_was_said_and_says_so(chat, parts):
    parts.model.queue("One two three")
    cancel = threading.Event()
    events = []
    for event in chat.send(agent_id="default", conversation_id=None, text="Count", cancel=cancel):
        events.append(event)
        if isinstance(event, Delta):
            cancel.set()
    done = events[-1]
    assert (done.text, done.finish_reason) == ("One", "stopped")
    assert done.turns[1].usage["stopped"] is True


def test_thinking_is_told_apart_and_kept_nowhere(chat, parts):
    parts.model.queue("<think>She may mean Rome.</think> In Rome.", "<think>Hm.</think> Yes.")
    events = send(chat, "Where was I?", "c1")
    assert "".join(event.text for event in events if isinstance(event, Thinking)) == "She may mean Rome."
    assert "".join(event.text for event in events if isinstance(event, Delta)) == events[-1].text == "In Rome."
    assert contents(parts, "c1") == ["Where was I?", "In Rome."]
    send(chat, "Really?", "c1")
    assert not any("may mean" in message.content for message in parts.model.requests[-1].messages)


def test_an_answer_that_turns_out_to_be_thinking_is_taken_back(chat, parts):
    parts.model.queue("Rome or Oslo?\n</think>\n\nIn Rome.")
    events = send(chat, "Where was I?", "c1")
    assert [event.text for event in events if isinstance(event, Thinking) and event.taken_back] == ["Rome or Oslo?\n"]
    assert contents(parts, "c1") == ["Where was I?", "In Rome."]


def test_an_answer_that_is_all_thinking_records_nothing(chat, parts):
    parts.model.queue("<think>Hm, and so on")
    finished = send(chat, "Where was I?", "c1")[-1]
    assert (finished.text, finished.turns) == ("", ())


def test_stopping_before_the_first_word_records_nothing(chat, parts):
    cancel = threading.Event()
    cancel.set()
    done = send(chat, "Count", cancel=cancel)[-1]
    assert (done.finish_reason, done.turns) == ("stopped", ())
    assert parts.services.conversations.page().total == 0


def test_closing_the_iterator_stops_the_model_and_keeps_what_was_said(chat, parts):
    parts.model.queue("One two three")
    stream = chat.send(agent_id="default", conversation_id="c1", text="Count")
    next(stream)
    next(stream)
    stream.close()
    assert contents(parts, "c1") == ["Count", "One"]
    assert not chat.busy()


@pytest.mark.parametrize("how", ["send", "regenerate"])
def test_a_conversation_that_is_deleted_under_its_answer_does_not_come_back(chat, parts, how):
    first = send(chat, "First")[-1]
    again = first.conversation_id
    if how == "send":
        stream = chat.send(agent_id="default", conversation_id=again, text="Second")
    else:
        stream = chat.regenerate("default", again)
    next(stream)
    parts.services.conversations.delete("default", again)
    list(stream)
    assert parts.services.conversations.page("default").total == 0
    assert chat.receipts.page("default").total == 0


def test_a_displaced_answer_is_an_error_not_a_stop(chat, parts):
    parts.model.queue([GenerationChunk(text="Half"), CancelledError("displaced")])
    with pytest.raises(CancelledError):
        send(chat, "Hi")
    assert parts.services.conversations.page().total == 0


def test_failures_record_nothing_and_leave_nobody_busy(chat, parts):
    parts.model.queue(EngineCrashedError("gone"))
    with pytest.raises(EngineCrashedError):
        send(chat, "Hi")
    parts.recall.failure = LockedError("locked")
    with pytest.raises(LockedError):
        send(chat, "Hi")
    parts.services.settings.update("engine", {"chatModel": "bundled:gone"})
    with pytest.raises(ModelMissingError):
        send(chat, "Hi")
    with pytest.raises(BadRequestError):
        send(chat, "   ")
    assert parts.services.conversations.page().total == 0
    assert not chat.busy()


def test_the_agents_model_goes_before_the_apps(chat, parts):
    parts.services.agents.create("Other", agent_id="other", model="fake:own")
    assert chat.default_model("other") == "fake:own"
    assert chat.default_model("default") == "fake:echo"


def test_the_windows_chat_searches_memory_when_the_agent_may(chat, parts):
    parts.services.agents.ensure("default")
    parts.services.agents.edit("default", search_tool=True)
    parts.services.memories.add_fact(agent_id="default", content="The dog is called Biscuit.")
    parts.model.queue(tool_call("search_memory", '{"query": "dog"}'), "Biscuit.")
    events = send(chat, "Hm?")
    found = next(event for event in events if isinstance(event, MemorySearched))
    assert (found.query, found.scope, found.found) == ("dog", "all", 1)
    assert events[-1].text == "Biscuit."


def test_calls_of_both_kinds_go_to_the_client_alone(chat, parts):
    parts.services.agents.create("A", agent_id="a", search_tool=True)
    both = [*tool_call("search_memory", "{}")[:1], *tool_call("weather", "{}", "c2")]
    parts.model.queue(both)
    tools = ({"type": "function", "function": {"name": "weather"}},)
    events = list(
        chat.clients.complete(
            CompletionRequest(messages=(ChatMessage(role="user", content="Hi"),), agent_id="a", tools=tools)
        )
    )
    assert [event.name for event in events if isinstance(event, ToolCall)] == ["weather"]
    assert events[-1].finish_reason == "tool_calls"


def test_tool_call_pieces_without_index_are_whole_calls():
    buffer = ToolCallBuffer()
    buffer.add([{"function": {"name": "a", "arguments": {"x": 1}}}, {"function": {"name": "b"}}])
    first, second = buffer.calls()
    assert (first.name, first.arguments, second.name, second.arguments) == ("a", '{"x": 1}', "b", "{}")
    assert first.id != second.id


def test_memory_takes_at_most_a_quarter_of_a_small_context(tmp_path):
    parts = make_parts(tmp_path, model=QueueModel(context=400))
    try:
        send(parts.services.chat, "Hi")
        assert parts.recall.calls[0]["budget_tokens"] == 100
    finally:
        parts.close()


def test_exchanges_are_dropped_whole_and_the_memory_block_last(parts):
    model = QueueModel(context=120)
    messages = [
        ChatMessage(role="system", content="s"),
        ChatMessage(role="user", content="old " * 60),
        ChatMessage(role="assistant", content="", tool_calls=({"id": "1"},)),
        ChatMessage(role="tool", content="result", tool_call_id="1"),
        ChatMessage(role="user", content="recent"),
        ChatMessage(role="assistant", content="yes"),
        ChatMessage(role="user", content="latest"),
    ]
    kept, fit, limit = fit_context(model, messages, max_tokens=None)
    assert [message.content for message in kept] == ["s", "recent", "yes", "latest"]
    assert (fit.dropped_messages, fit.context_tokens) == (3, 120)
    assert limit is None
    assert fit_context(model, messages, max_tokens=500)[2] == 120 - fit.prompt_tokens
    head, exchanges, last = split_exchanges(messages)
    assert ([len(e) for e in exchanges], len(head), len(last)) == ([3, 2], 1, 1)


def test_the_cut_moves_in_steps_so_that_prompts_keep_their_beginning():
    model = QueueModel(context=600)
    messages, beginnings = [ChatMessage(role="system", content="s")], []
    for number in range(120):
        messages.append(ChatMessage(role="user", content=f"Question {number} " + "word " * (5 + number % 7)))
        kept, fit, _ = fit_context(model, messages, max_tokens=50)
        assert fit.prompt_tokens <= 550
        beginnings.append(kept[1].content)
        messages.append(ChatMessage(role="assistant", content=f"Answer {number} " + "word " * (3 + number % 5)))
    changes = sum(one != other for one, other in itertools.pairwise(beginnings))
    assert 3 <= changes <= 20
    assert fit.prompt_tokens > 300


@given(
    st.lists(st.integers(0, 400), max_size=40),
    st.integers(60, 3000),
    st.one_of(st.none(), st.integers(1, 500)),
)
def test_whatever_is_kept_fits(sizes, context, max_tokens):
    model = QueueModel(context=context)
    messages = [
        ChatMessage(role="user" if number % 2 == 0 else "assistant", content="word " * size)
        for number, size in enumerate(sizes)
    ]
    messages.append(ChatMessage(role="user", content="latest"))
    kept, fit, limit = fit_context(model, messages, max_tokens=max_tokens)
    assert kept[-1].content == "latest"
    assert fit.prompt_tokens + (limit or 0) <= context
    assert len(kept) + fit.dropped_messages == len(messages)
    assert list(kept) == messages[len(messages) - len(kept) :]


@pytest.mark.parametrize("known", [True, False])
def test_a_prompt_that_was_miscounted_is_shortened_and_sent_once_more(tmp_path, known):
    parts = make_parts(tmp_path, model=QueueModel(context=300))
    try:
        chat = parts.services.chat
        first = send(chat, "word " * 50)[-1]
        for _ in range(2):
            send(chat, "word " * 50, first.conversation_id)
        if not known:
            parts.model.context_tokens = 0
            parts.model.count_tokens = lambda messages: 0
        parts.model.queue(ContextOverflowError("too long"), "Short now.")
        done = send(chat, "last", first.conversation_id)[-1]
        one, two = (request.messages for request in parts.model.requests[-2:])
        assert done.text == "Short now."
        assert len(two) < len(one)
        assert two[-1].content == "last"
        assert done.fit.dropped_messages > 0
        parts.model.queue(ContextOverflowError("too long"))
        with pytest.raises(ContextOverflowError):
            send(chat, "alone")
    finally:
        parts.close()


def test_a_memory_block_that_leaves_no_room_is_left_out(tmp_path):
    parts = make_parts(tmp_path, model=QueueModel(context=100))
    try:
        parts.services.agents.ensure("default")
        parts.services.agents.edit("default", system_prompt="s")
        parts.services.memories.add_fact(agent_id="default", content="dog " * 80)
        done = send(parts.services.chat, "dog " + "word " * 50)[-1]
        assert done.fit.memory_dropped is True
        assert done.receipt_id is None
    finally:
        parts.close()


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Hello", "Hello"),
        ("\n\n  ## Plan for   May \nmore", "Plan for May"),
        ("word " * 30, "word word word word word word word word word word word…"),
        ("x" * 100, "x" * 59 + "…"),
        ("", ""),
    ],
)
def test_titles(text, title):
    assert title_of(text) == title
    assert len(title_of(text)) <= 60


def test_a_conversation_answers_with_what_it_has_in_the_place_of_its_agents(chat, parts):
    parts.services.agents.edit("default", system_prompt="Be brief.", sampling={"temperature": 0.7, "seed": 4})
    own = {"system_prompt": "Be long.", "sampling": {"temperature": None, "max_tokens": 9}}
    thread = send(chat, "First", overrides=own)[-1].conversation_id
    send(chat, "Second", thread)
    list(chat.regenerate("default", thread))
    branch = chat.branch("default", thread, turn_ids(parts, thread)[-1])
    send(chat, "Third", branch)
    for asked in parts.model.requests:
        assert asked.messages[0].content == "Be long."
        assert (asked.temperature, asked.max_tokens, asked.seed) == (None, 9, 4)
    request = CompletionRequest(
        messages=(ChatMessage(role="user", content="Over HTTP"),), agent_id="default", conversation_id=thread
    )
    list(chat.clients.complete(request))
    assert parts.model.requests[-1].messages[0].content == "Be brief."


def turn_ids(parts, conversation_id):
    return [turn.id for turn in parts.services.conversations.turns("default", conversation_id)]


@pytest.mark.parametrize("wrong", [{"name": "X"}, {"sampling": {"heat": 1}}, {"sampling": 3}, {"system_prompt": 4}, []])
def test_a_conversation_has_nothing_of_its_own_that_its_agent_could_not_have(chat, parts, wrong):
    with pytest.raises(BadRequestError):
        send(chat, "Hello", overrides=wrong)
    with pytest.raises(BadRequestError):
        parts.services.conversations.set_overrides("default", None, wrong)
    assert parts.model.requests == []


def test_a_branch_has_a_title_of_its_own(parts, chat):
    thread = send(chat, "Plans for the attic")[-1].conversation_id
    last = turn_ids(parts, thread)[-1]
    one = chat.branch("default", thread, last)
    other = chat.branch("default", thread, last)
    third = chat.branch("default", one, turn_ids(parts, one)[-1])
    with parts.store.read() as repos:
        titles = [repos.conversations.get("default", each).title for each in (thread, one, other, third)]
    assert titles == [
        "Plans for the attic",
        "Plans for the attic (2)",
        "Plans for the attic (3)",
        "Plans for the attic (4)",
    ]
