"""Conversations."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from memdesk.domain.models import Conversation, Page
from memdesk.storage import fts
from memdesk.storage.paging import Listing, fetch
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.values import from_ms, from_ms_or_none, ids, to_ms, to_ms_or_none

_Q: Any = load("conversations")
_NEWEST = Listing(columns=_Q.columns.sql, source="conversations c", key="c.updated_at", tie="c.seq")


def _conversation(row: Row) -> Conversation:
    (_seq, agent_id, id_, title, memory, pinned, archived, draft, session, created, updated, *_, turns) = row
    return Conversation(
        agent_id=agent_id,
        id=id_,
        title=title,
        memory=memory,
        pinned=bool(pinned),
        archived=bool(archived),
        draft=draft,
        session_date=from_ms_or_none(session),
        turn_count=turns,
        created_at=from_ms(created),
        updated_at=from_ms(updated),
    )


class SqlConversations(Repository):
    """:class:`memdesk.ports.ConversationsRepo` over SQLCipher."""

    def get(self, agent_id: str, conversation_id: str) -> Conversation | None:
        """Return one thread."""
        row = _Q.get(self._conn, agent_id=agent_id, conversation_id=conversation_id)
        return None if row is None else _conversation(row)

    def put(self, conversation: Conversation) -> None:
        """Insert or update. ``turn_count`` is counted, never written."""
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
        )

    def page(
        self,
        *,
        agent_id: str | None = None,
        query: str = "",
        archived: bool | None = None,
        pinned: bool | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Conversation]:
        """List threads, last used first; ``query`` looks into titles and turns."""
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

    def quiet(self, agent_id: str, among: Collection[str]) -> set[str]:
        """Return those of the ids whose thread is kept out of memory."""
        return {row[0] for row in _Q.quiet(self._conn, agent_id=agent_id, among=ids(among))}

    def delete(self, agent_id: str, conversation_id: str) -> None:
        """Delete the thread; turns, signals, receipts and vectors follow."""
        with self._deleting(_Q.turns(self._conn, agent_id=agent_id, conversation_id=conversation_id)):
            _Q.delete(self._conn, agent_id=agent_id, conversation_id=conversation_id)
