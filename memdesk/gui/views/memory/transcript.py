"""The transcript tab: every message of an agent, with full-text search."""

import re
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt

from memdesk.domain.chatting.files import apart
from memdesk.domain.models import Page, Turn
from memdesk.errors import NotFoundError
from memdesk.gui.bridge import Bridge
from memdesk.gui.models.paged import PagedModel
from memdesk.gui.theme import Theme
from memdesk.gui.views.memory.listed import ListTab
from memdesk.gui.views.memory.tab import TwoLines
from memdesk.gui.words import moment, speaker_name
from memdesk.services.events import ConversationsChanged, MemoryChanged, TurnsRecorded

#: Markdown marks that are noise in a list.
_MARKS = re.compile(r"\*\*|__|`+|^#+ |^[-*|] |\|", re.MULTILINE)


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub(" ", text).split())


class TurnsModel(PagedModel[Turn]):
    """Columns: message, time."""

    def __init__(self, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(bridge, parent=parent)
        #: Titles of the conversations of the rows, by agent and id.
        self.titles: dict[tuple[str, str], str] = {}
        #: Names of the agents, if all are shown.
        self.agents: dict[str, str] = {}

    def heads(self) -> tuple[str, ...]:
        return (self.tr("Message"), self.tr("Said"))

    def text(self, item: Turn, column: int) -> str:
        if column == 0:
            words, files = apart(item.content)
            return " · ".join([*filter(None, [_plain(words)]), *(file.name for file in files)])
        return moment(self.clock.local(item.said_at))

    def more(self, item: Turn, column: int, role: int) -> Any:
        if role == TwoLines.SECOND and column == 0:
            who = item.speaker or speaker_name(item.role)
            title = self.titles.get((item.agent_id, item.conversation_id), "")
            agent = self.agents.get(item.agent_id, "") if len(self.agents) > 1 else ""
            return " · ".join(part for part in (who, title, agent) if part)
        if role == Qt.ItemDataRole.ToolTipRole and column == 0:
            return item.content[:2000]
        if role == Qt.ItemDataRole.ForegroundRole and column:
            return Theme.current().color("muted")
        return None


class TranscriptTab(ListTab):
    """A double click or Enter opens the conversation at the message."""

    def build(self) -> Iterator[None]:
        below = self.narrow_by(self.tr("Search messages"))
        yield
        self.turns = TurnsModel(self.context.bridge, parent=self)
        self.make_list(self.turns, self.tr("Messages"), "message-square")
        self.table.set_widths({1: 170})
        self.table.hide_when_narrow((1,), 380)
        self.table.activated.connect(self._open)
        yield
        below.addWidget(self.pane)
        for kind in (TurnsRecorded, MemoryChanged, ConversationsChanged):
            self.context.bridge.on(kind, lambda _event: self._stale(), owner=self, settle_ms=400)

    def reload(self) -> None:
        services, agent_id, query = self.context.services, self.agent_id or None, self.query()
        titles: dict[tuple[str, str], str] = {}

        def title(turn: Turn) -> str:
            try:
                return services.conversations.get(turn.agent_id, turn.conversation_id).title
            except NotFoundError:  # deleted since the page was read
                return ""

        def fetch(limit: int, cursor: str | None) -> Page[Turn]:
            page = services.memories.transcript(agent_id, query=query, limit=limit, cursor=cursor)
            if not cursor and agent_id is None:
                self.turns.agents = {agent.id: agent.name for agent in services.agents.all()}
            for turn in page.items:
                if (key := (turn.agent_id, turn.conversation_id)) not in titles:
                    titles[key] = title(turn)
            return page

        self.turns.titles = titles
        self.turns.agents = {}
        self.model.reload(fetch, query=(agent_id, query))

    def nothing(self) -> tuple[str, str]:
        return self.tr("No messages"), self.tr("What you and your agents say is kept here, word for word.")

    def _open(self, index: QModelIndex) -> None:
        turn = self.turns.item(index)
        if turn is not None:
            self.context.navigate("chat", agent_id=turn.agent_id, conversation_id=turn.conversation_id, turn_id=turn.id)
