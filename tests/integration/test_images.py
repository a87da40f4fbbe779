"""Images follow their message: to models with vision, into the store, into versions and copies, and into deletion."""

from __future__ import annotations

import pytest

from memdesk.domain.chatting.drafts import Draft
from memdesk.errors import BadRequestError, BlindModelError, EngineCrashedError
from memdesk.services.forgetting import ForgetTarget
from tests.helpers.parts import make_parts
from tests.helpers.pictures import image

LEAF, SKY = image(), image("sky.png", red=10, blue=250)


@pytest.fixture
def parts(tmp_path):
    made = make_parts(tmp_path)
    made.model.sees = True
    yield made
    made.close()


@pytest.fixture
def kept(parts):
    """Return how many pictures the database holds, whatever refers to them."""

    def count():
        with parts.store.read() as repos:
            return len(repos.images.many([LEAF.id, SKY.id]))

    return count


def say(parts, text, images=(), talk=None, **more):
    return list(parts.services.chat.send(agent_id="default", conversation_id=talk, text=text, images=images, **more))[
        -1
    ]


def shown(parts, request=-1):
    return [(m.content, m.images) for m in parts.model.requests[request].messages if m.role == "user"]


def turns(parts, talk):
    return parts.services.conversations.turns("default", talk)


def test_a_model_that_sees_is_shown_them_now_and_later(parts):
    end = say(parts, "What is this?", [LEAF])
    say(parts, "And this?", [SKY, LEAF], end.conversation_id)
    assert shown(parts) == [("What is this?", (LEAF,)), ("And this?", (SKY, LEAF))]
    assert [turn.images for turn in turns(parts, end.conversation_id)] == [(LEAF.id,), (), (SKY.id, LEAF.id), ()]


def test_a_picture_needs_no_words(parts):
    end = say(parts, "", [LEAF])
    assert parts.services.conversations.get("default", end.conversation_id).title == "leaf.png"
    assert shown(parts) == [("", (LEAF,))]
    with pytest.raises(BadRequestError):
        say(parts, " ")


def test_another_model_says_so_before_anything_is_recorded(parts):
    parts.model.sees = False
    with pytest.raises(BlindModelError):
        say(parts, "What is this?", [LEAF])
    assert parts.model.requests == []
    assert parts.services.conversations.page("default").total == 0


def test_a_model_that_sees_nothing_goes_on_with_a_chat_that_has_pictures(parts):
    end = say(parts, "What is this?", [LEAF])
    parts.model.sees = False
    say(parts, "Thanks.", talk=end.conversation_id)
    assert shown(parts) == [("What is this?\n\n(a picture, leaf.png)", ()), ("Thanks.", ())]


def test_an_edit_and_another_answer_keep_them(parts, kept):
    end = say(parts, "What is this?", [LEAF])
    list(parts.services.chat.regenerate("default", end.conversation_id))
    assert shown(parts) == [("What is this?", (LEAF,))]
    first = turns(parts, end.conversation_id)[0].id
    list(parts.services.chat.edit_and_resend("default", end.conversation_id, first, "Which tree?"))
    assert shown(parts) == [("Which tree?", (LEAF,))]
    versions = parts.services.conversations.versions("default", end.conversation_id)
    edited = turns(parts, end.conversation_id)[0]
    back = parts.services.chat.show_version("default", end.conversation_id, versions[edited.id].neighbor(-1))
    assert (back[0].content, back[0].images, kept()) == ("What is this?", (LEAF.id,), 1)


def test_an_edit_that_failed_loses_nothing(parts, kept):
    end = say(parts, "What is this?", [LEAF])
    first = turns(parts, end.conversation_id)[0].id
    parts.model.queue(EngineCrashedError("gone"))
    with pytest.raises(EngineCrashedError):
        list(parts.services.chat.edit_and_resend("default", end.conversation_id, first, "Which tree?"))
    assert (turns(parts, end.conversation_id)[0].images, kept()) == ((LEAF.id,), 1)


def test_a_branch_has_them_until_both_are_forgotten(parts, kept):
    end = say(parts, "What is this?", [LEAF])
    branch = parts.services.chat.branch("default", end.conversation_id, end.turns[1].id)
    assert turns(parts, branch)[0].images == (LEAF.id,)
    parts.services.conversations.delete("default", end.conversation_id)
    assert kept() == 1
    parts.services.conversations.delete("default", branch)
    assert kept() == 0


@pytest.mark.parametrize("kind", ["turn", "conversation", "agent"])
def test_they_are_forgotten_with_what_they_went_with(parts, kept, kind):
    end = say(parts, "What is this?", [LEAF])
    first = end.turns[0].id
    list(parts.services.chat.edit_and_resend("default", end.conversation_id, first, "Which tree?"))
    wanted = turns(parts, end.conversation_id)[0].id
    ids = {"turn": (wanted,), "conversation": (end.conversation_id,), "agent": ("default",)}[kind]
    parts.services.forgetting.forget(ForgetTarget(kind=kind, ids=ids, agent_id="default"))
    # The former version of a message that is forgotten alone stays behind its arrows.
    assert kept() == (1 if kind == "turn" else 0)


def test_a_draft_keeps_them_until_it_is_sent_or_emptied(parts, kept):
    conversations = parts.services.conversations
    draft = Draft("Look", images=(LEAF, SKY))
    conversations.save_draft("default", None, draft)
    assert conversations.draft("default", None) == draft
    conversations.save_draft("default", None, Draft("Look", images=(SKY,)))
    assert kept() == 1
    conversations.save_draft("default", None, draft)
    end = say(parts, "Look", [LEAF, SKY])
    assert not conversations.draft("default", end.conversation_id)
    conversations.save_draft("default", None, Draft())
    assert kept() == 2
    conversations.save_draft("default", None, Draft("x", images=(image(red=3),)))
    conversations.save_draft("default", None, Draft())
    with parts.store.read() as repos:
        assert not repos.images.has(image(red=3).id)


def test_a_temporary_chat_stores_none(parts, kept):
    end = say(parts, "What is this?", [LEAF], temporary=True)
    say(parts, "And now?", talk=end.conversation_id, temporary=True)
    assert shown(parts) == [("What is this?", (LEAF,)), ("And now?", ())]
    assert kept() == 0


def test_an_export_of_the_chat_shows_them(parts):
    end = say(parts, "What is this?", [LEAF])
    exported = parts.services.conversations.export("default", end.conversation_id)
    assert f"![{LEAF.id[:12]}]\n" in exported
    assert f"[{LEAF.id[:12]}]: {LEAF.url}" in exported
    assert LEAF.data in parts.services.conversations.export("default", end.conversation_id, "json")
