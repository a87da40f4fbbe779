"""Where drafts are kept: inside the encrypted database, by conversation or as the beginning of an agent's next one.

Everything here runs in a transaction of its caller.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from memdesk.domain.drafts import Draft
from memdesk.ports import Repositories

#: Keys of drafts that have no conversation yet, by agent.
NEXT = "draft:"
#: Keys of the files of drafts, by agent and, behind a mark, conversation.
FILES = "draft_files:"


def read(repos: Repositories, agent_id: str, conversation_id: str | None) -> Draft:
    """Return a draft; an empty one where there is none."""
    if conversation_id is None:
        text = str(repos.meta.get(NEXT + agent_id) or "")
    else:
        thread = repos.conversations.get(agent_id, conversation_id)
        text = thread.draft if thread is not None else ""
    return Draft(text, repos.meta.get(_files(agent_id, conversation_id)) or {})


def write(repos: Repositories, agent_id: str, conversation_id: str | None, draft: Draft) -> None:
    """Keep a draft in the place of the one before; that of a conversation which is not there is dropped."""
    if conversation_id is None:
        repos.meta.put(NEXT + agent_id, draft.text or None)
    else:
        thread = repos.conversations.get(agent_id, conversation_id)
        if thread is None:
            return
        if thread.draft != draft.text:
            repos.conversations.put(replace(thread, draft=draft.text))
    key = _files(agent_id, conversation_id)
    # Words are kept every few letters; the files beside them rarely change.
    if (repos.meta.get(key) or {}) != draft.files:
        repos.meta.put(key, dict(draft.files) or None)


def drop_recorded(repos: Repositories, agent_id: str, conversation_id: str | None, said: Collection[str]) -> None:
    """Drop a draft that has become one of the messages ``said``; another one, written meanwhile, stays."""
    draft = read(repos, agent_id, conversation_id)
    if draft and draft.message() in said:
        write(repos, agent_id, conversation_id, Draft())


def _files(agent_id: str, conversation_id: str | None) -> str:
    return f"{FILES}{agent_id}\x1f{conversation_id or ''}"
