"""Conversations that begin with the messages of another."""

from dataclasses import replace
from typing import Final

from memdesk.domain.chatting.titles import next_title
from memdesk.domain.models import new_id
from memdesk.errors import BadRequestError, NotFoundError
from memdesk.messages import say
from memdesk.ports import Store
from memdesk.services.recording import IngestService, copied, pictures, thoughts, whole_files

#: What a branch copies from its conversation.
_KEPT_BY_BRANCH: Final = ("memory", "overrides", "folder_id")
#: A new branch's title differs from those of this many latest conversations.
_NAMESAKES: Final = 500


def branch_of(
    store: Store, ingest: IngestService, agent_id: str, conversation_id: str, turn_id: str, *, before: bool
) -> str:
    """Start a conversation with another's messages up to a message, or before it; return its id.

    Raises:
        BadRequestError: nothing comes before that message.
        NotFoundError: the conversation has no such message.
    """
    with store.read() as repos:
        known = repos.conversations.get(agent_id, conversation_id)
        history = repos.turns.of_conversation(agent_id, conversation_id) if known else []
        thought = thoughts(repos, agent_id, conversation_id)
        latest = repos.conversations.page(agent_id=agent_id, limit=_NAMESAKES).items
        shown, files = pictures(repos, history), whole_files(repos, history)
    at = next((number for number, turn in enumerate(history) if turn.id == turn_id), None)
    if known is None or at is None:
        raise NotFoundError(say("That message is no longer there."))
    taken = history[: at if before else at + 1]
    if not taken:
        raise BadRequestError(say("Nothing comes before that message: begin a new chat with it."))
    branch_id = new_id()
    ingest.record(
        agent_id=agent_id,
        conversation_id=branch_id,
        turns=[replace(copied(turn, shown, thought=thought.get(turn.id)), files=files) for turn in taken],
        learn=False,
        conversation_defaults={name: getattr(known, name) for name in _KEPT_BY_BRANCH}
        | {"title": next_title(known.title, {each.title for each in latest})},
    )
    return branch_id
