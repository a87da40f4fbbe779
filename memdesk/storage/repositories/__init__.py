"""One file per table group; together they are :class:`memdesk.ports.Repositories`."""

from functools import cached_property

from memdesk.storage.connection import Connection
from memdesk.storage.repositories.agents import SqlAgents
from memdesk.storage.repositories.collections import SqlCollections
from memdesk.storage.repositories.conversations import SqlConversations
from memdesk.storage.repositories.embeddings import SqlEmbeddings
from memdesk.storage.repositories.entities import SqlEntities
from memdesk.storage.repositories.erasing import SqlErasing
from memdesk.storage.repositories.history import SqlHistory
from memdesk.storage.repositories.images import SqlImages
from memdesk.storage.repositories.meta import SqlMeta
from memdesk.storage.repositories.receipts import SqlReceipts
from memdesk.storage.repositories.runs import SqlRuns
from memdesk.storage.repositories.signals import SqlSignals
from memdesk.storage.repositories.text import SqlTextSearch
from memdesk.storage.repositories.tokens import SqlTokens
from memdesk.storage.repositories.turns import SqlTurns
from memdesk.storage.shared import Shared


class SqlRepositories:
    """All repositories over one connection, created on first use."""

    def __init__(self, conn: Connection, shared: Shared) -> None:
        self._conn = conn
        self._shared = shared

    @cached_property
    def agents(self) -> SqlAgents:
        return SqlAgents(self._conn, self._shared)

    @cached_property
    def conversations(self) -> SqlConversations:
        return SqlConversations(self._conn, self._shared)

    @cached_property
    def turns(self) -> SqlTurns:
        return SqlTurns(self._conn, self._shared)

    @cached_property
    def images(self) -> SqlImages:
        return SqlImages(self._conn, self._shared)

    @cached_property
    def signals(self) -> SqlSignals:
        return SqlSignals(self._conn, self._shared)

    @cached_property
    def items(self) -> SqlCollections:
        return SqlCollections(self._conn, self._shared)

    @cached_property
    def entities(self) -> SqlEntities:
        return SqlEntities(self._conn, self._shared)

    @cached_property
    def history(self) -> SqlHistory:
        return SqlHistory(self._conn, self._shared)

    @cached_property
    def receipts(self) -> SqlReceipts:
        return SqlReceipts(self._conn, self._shared)

    @cached_property
    def erasing(self) -> SqlErasing:
        return SqlErasing(self._conn, self._shared)

    @cached_property
    def tokens(self) -> SqlTokens:
        return SqlTokens(self._conn, self._shared)

    @cached_property
    def embeddings(self) -> SqlEmbeddings:
        return SqlEmbeddings(self._conn, self._shared)

    @cached_property
    def text(self) -> SqlTextSearch:
        return SqlTextSearch(self._conn, self._shared)

    @cached_property
    def runs(self) -> SqlRuns:
        return SqlRuns(self._conn, self._shared)

    @cached_property
    def meta(self) -> SqlMeta:
        return SqlMeta(self._conn, self._shared)
