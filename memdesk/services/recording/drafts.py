"""Storage of drafts in the encrypted database, by conversation or for an agent's next one.

Everything here runs in a transaction of its caller.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import get_args

from memdesk.domain.chatting.drafts import CHOICE, FILES, NEXT, OVERRIDES, PICTURES, Draft
from memdesk.domain.models import MemoryMode, Overrides
from memdesk.ports import Repositories


def read(repos: Repositories, agent_id: str, conversation_id: str | None) -> Draft:
    """Return a draft; empty if there is none."""
    thread = repos.conversations.get(agent_id, conversation_id) if conversation_id else None
    text = thread.draft if thread is not None else ""
    named = _named(repos, agent_id, conversation_id)
    shown = repos.images.many(named)
    return Draft(
        text or str(repos.meta.get(_next(agent_id, conversation_id)) or ""),
        repos.meta.get(_files(agent_id, conversation_id)) or {},
        tuple(shown[image] for image in named if image in shown),
    )


def write(repos: Repositories, agent_id: str, conversation_id: str | None, draft: Draft) -> None:
    """Store a draft, replacing the previous one.

    A conversation is stored with its first answer; until then its draft has its own place.
    """
    thread = repos.conversations.get(agent_id, conversation_id) if conversation_id else None
    if thread is not None and thread.draft != draft.text:
        repos.conversations.put(replace(thread, draft=draft.text))
    repos.meta.put(_next(agent_id, conversation_id), draft.text or None if thread is None else None)
    key = _files(agent_id, conversation_id)
    # Text is stored every few letters; its files rarely change.
    if (repos.meta.get(key) or {}) != draft.files:
        repos.meta.put(key, dict(draft.files) or None)
    images = [image.id for image in draft.images]
    if images != _named(repos, agent_id, conversation_id):
        repos.images.put(draft.images)
        repos.meta.put(_pictures(agent_id, conversation_id), {"images": images} if images else None)


def drop_recorded(repos: Repositories, agent_id: str, conversation_id: str | None, said: Collection[Draft]) -> None:
    """Drop a draft that has become one of the messages ``said``; text written meanwhile stays."""
    draft = read(repos, agent_id, conversation_id)
    if not draft:
        return
    if any((draft.message(), draft.images) == (one.text, one.images) for one in said):
        left = Draft()
    else:
        left = next((rest for one in said if (rest := draft.after(one)) != draft), draft)
    if left != draft:
        write(repos, agent_id, conversation_id, left)


def memory_of_next(repos: Repositories, agent_id: str) -> MemoryMode | None:
    """Return the memory mode for the agent's next conversation; None if not chosen."""
    chosen = repos.meta.get(CHOICE + agent_id)
    return chosen if chosen in get_args(MemoryMode) else None


def choose_memory(repos: Repositories, agent_id: str, mode: MemoryMode | None) -> None:
    """Store the memory mode for the agent's next conversation, until one has started with it."""
    repos.meta.put(CHOICE + agent_id, mode)


def overrides_of_next(repos: Repositories, agent_id: str) -> Overrides:
    """Return the overrides for the agent's next conversation."""
    return repos.meta.get(OVERRIDES + agent_id) or {}


def choose_overrides(repos: Repositories, agent_id: str, overrides: Overrides) -> None:
    """Store the overrides for the agent's next conversation, until one has started with them."""
    repos.meta.put(OVERRIDES + agent_id, overrides or None)


def _named(repos: Repositories, agent_id: str, conversation_id: str | None) -> list[str]:
    """Return the ids of a draft's pictures."""
    return list((repos.meta.get(_pictures(agent_id, conversation_id)) or {}).get("images", ()))


def _next(agent_id: str, conversation_id: str | None) -> str:
    return f"{NEXT}{agent_id}\x1f{conversation_id}" if conversation_id else NEXT + agent_id


def _files(agent_id: str, conversation_id: str | None) -> str:
    return f"{FILES}{agent_id}\x1f{conversation_id or ''}"


def _pictures(agent_id: str, conversation_id: str | None) -> str:
    return f"{PICTURES}{agent_id}\x1f{conversation_id or ''}"
