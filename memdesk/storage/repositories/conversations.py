"""Conversations."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any

from memdesk.domain.models import Conversation, Hit, Page
from memdesk.storage import fts
from memdesk.storage.paging import Listing, fetch
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.values import clean, from_json, from_ms, from_ms_or_none, ids, to_json, to_ms, to_ms_or_none

#: Characters of an excerpt before what was found; twice as many stand behind it.
AROUND_CHARS = 30
#: What FTS5 is told to put around the words that it found.
_FOUND = re.compile("\x02(.+?)\x03", re.DOTALL)
_NO_MARKS = {2: None, 3: None}
_Q: Any = load("conversations")
_NEWEST = Listing(columns=_Q.columns.sql, source="conversations c", key="c.updated_at", tie="c.seq")


def _conversation(row: Row) -> Conversation:
    (
        _seq,
        agent_id,
        id_,
        title,
        memory,
        pinned,
        archived,
        draft,
        session,
        created,
        updated,
        overrides,
        folder,
        turns,
    ) = row
    return Conversation(
        agent_id=agent_id,
        id=id_,
        title=title,
        memory=memory,
        pinned=bool(pinned),
        archived=bool(archived),
        draft=draft,
        overrides=from_json(overrides),
        folder_id=folder,
        session_date=from_ms_or_none(session),
        turn_count=turns,
        created_at=from_ms(created),
        updated_at=from_ms(updated),
    )


def _marked(turn_id: str, excerpt: str) -> Hit:
    words = tuple(dict.fromkeys(_FOUND.findall(excerpt)))
    return Hit(turn_id, " ".join(excerpt.translate(_NO_MARKS).split()), words)


def _around(turn_id: str, content: str, query: str) -> Hit:
    at = max(0, content.casefold().find(query.casefold()))
    start = max(0, at - AROUND_CHARS)
    excerpt = content[start : at + len(query) + 2 * AROUND_CHARS]
    return Hit(turn_id, ("…" if start else "") + " ".join(excerpt.split()), (query,))


class SqlConversations(Repository):
    """:class:`memdesk.ports.ConversationsRepo` over SQLCipher."""

    def get(self, agent_id: str, conversation_id: str) -> Conversation | None:
        row = _Q.get(self._conn, agent_id=agent_id, conversation_id=conversation_id)
        return None if row is None else _conversation(row)

    def put(self, conversation: Conversation) -> None:
        _Q.put(
            self._conn,
            agent_id=conversation.agent_id,
            id=conversation.id,
            title=conversation.title,
            memory=conversation.memory,
            pinned=conversation.pinned,
            archived=conversation.archived,
            draft=conversation.draft,
            session_date=to_ms_or_none(conversation.session_date),
            created_at=to_ms(conversation.created_at),
            updated_at=to_ms(conversation.updated_at),
            overrides=clean(to_json(conversation.overrides)),
            folder_id=conversation.folder_id,
        )

    def page(
        self,
        *,
        agent_id: str | None = None,
        query: str = "",
        archived: bool | None = None,
        pinned: bool | None = None,
        folder: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Conversation]:
        where: list[str] = []
        values: dict[str, Any] = {}
        if agent_id is not None:
            where.append(_Q.where_agent.sql)
            values["agent_id"] = agent_id
        if archived is not None:
            where.append(_Q.where_archived.sql)
            values["archived"] = archived
        if pinned is not None:
            where.append(_Q.where_pinned.sql)
            values["pinned"] = pinned
        if folder is not None:
            where.append(_Q.where_folder.sql if folder else _Q.where_loose.sql)
            values["folder"] = folder
        if query.strip():
            values["pattern"] = fts.like(query)
            match = fts.match_typed(query)
            where.append(_Q.where_like.sql if match is None else _Q.where_match.sql)
            if match is not None:
                values["match"] = match
        return fetch(
            self._conn,
            _NEWEST,
            where=where,
            parameters=values,
            limit=limit,
            cursor=cursor,
            build=lambda rows: [_conversation(row) for row in rows],
        )

    def hits(self, threads: Collection[tuple[str, str]], query: str) -> dict[tuple[str, str], Hit]:
        among, match = json.dumps(list(threads)), fts.match_typed(query)
        if match is None:
            rows = _Q.hits_like(self._conn, pattern=fts.like(query), among=among)
            return {(row[0], row[1]): _around(row[2], row[3], query.strip()) for row in rows}
        return {(row[0], row[1]): _marked(row[2], row[3]) for row in _Q.hits(self._conn, match=match, among=among)}

    def folder_counts(self) -> dict[str, int]:
        return dict(_Q.folder_counts(self._conn))

    def leave_folder(self, folder_id: str) -> None:
        _Q.leave_folder(self._conn, folder_id=folder_id)

    def instructed(self) -> list[Conversation]:
        return [_conversation(row) for row in _Q.instructed(self._conn)]

    def quiet(self, agent_id: str, among: Collection[str]) -> set[str]:
        return {row[0] for row in _Q.quiet(self._conn, agent_id=agent_id, among=ids(among))}
