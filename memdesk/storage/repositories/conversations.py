"""Conversations."""

import json
import re
from collections.abc import Collection
from typing import Any

from memdesk.domain.models import Conversation, Hit, Page
from memdesk.storage import fts
from memdesk.storage.paging import Listing, given
from memdesk.storage.queries import load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.repositories.columns import FLAG, JSON, MOMENT, MOMENT_OR_NONE, Columns
from memdesk.storage.values import ids

#: Characters of an excerpt before the match; twice as many follow it.
AROUND_CHARS = 30
#: Markers that FTS5 puts around the words it found.
_FOUND = re.compile("\x02(.+?)\x03", re.DOTALL)
_NO_MARKS = {2: None, 3: None}
_Q: Any = load("conversations")
_NEWEST = Listing(columns=_Q.columns.sql, source="conversations c", key="c.updated_at", tie="c.seq")
_CONVERSATION = Columns(
    Conversation,
    "- agent_id id title memory pinned archived draft session_date created_at updated_at overrides folder_id turn_count",
    pinned=FLAG,
    archived=FLAG,
    session_date=MOMENT_OR_NONE,
    created_at=MOMENT,
    updated_at=MOMENT,
    overrides=JSON,
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
        return None if row is None else _CONVERSATION.of(row)

    def put(self, conversation: Conversation) -> None:
        _Q.put(self._conn, **_CONVERSATION.values(conversation))

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
        where, values = given(_Q, agent_id=agent_id, archived=archived, pinned=pinned, folder=folder or None)
        if folder == "":
            where.append(_Q.where_loose.sql)
        typed, words = fts.typed(_Q, query)
        return self._page(_NEWEST, (where + typed, values | words), _CONVERSATION.all, limit, cursor)

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
        return _CONVERSATION.all(_Q.instructed(self._conn))

    def quiet(self, agent_id: str, among: Collection[str]) -> set[str]:
        return {row[0] for row in _Q.quiet(self._conn, agent_id=agent_id, among=ids(among))}
