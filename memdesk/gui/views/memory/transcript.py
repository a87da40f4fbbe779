"""The transcript tab: every message of an agent, searched by words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from memdesk.domain.models import Page, Turn
from memdesk.errors import NotFoundError
from memdesk.gui.models.paged import PagedModel
from memdesk.gui.theme import Theme
from memdesk.gui.views.memory.tab import MemoryTab, Table, TwoLines
from memdesk.gui.widgets.search import SearchField
from memdesk.gui.widgets.states import EmptyState, StatePane
from memdesk.gui.words import moment, speaker_name
from memdesk.services.events import ConversationsChanged, MemoryChanged, TurnsRecorded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QModelIndex, QObject

    from memdesk.gui.bridge import Bridge
    from memdesk.ports import Clock


#: Marks of Markdown that mean nothing in a line of a list.
_MARKS = re.compile(r"\*\*|__|`+|^#+ |^[-*|] |\|", re.MULTILINE)


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub(" ", text).split())


class TurnsModel(PagedModel[Turn]):
    """Columns: what was said, when."""

    def __init__(self, bridge: Bridge, clock: Clock, parent: QObject | None = None) -> None:
        super().__init__(bridge, None, parent)
        self._clock = clock
        self.headers = (self.tr("Message"), self.tr("Said"))
        #: Titles of the conversations of the rows, by agent and id.
        self.titles: dict[tuple[str, str], str] = {}
        #: Names of the agents where those of all are shown.
        self.agents: dict[str, str] = {}

    def text(self, item: Turn, column: int) -> str:
        """Return a cell's words."""
        if column == 0:
            return _plain(item.content)
        return moment(self._clock.local(item.said_at))

    def more(self, item: Turn, column: int, role: int) -> Any:
        """Return who said it as the second line."""
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


class TranscriptTab(MemoryTab):
    """A double click or Enter opens the conversation at the message."""

    def build(self) -> Iterator[None]:
        """Make the search, then the list."""
        self.search = SearchField(self.tr("Search messages"))
        self.search.searched.connect(lambda _text: self.reload())
        below = self.lay(self.search)
        yield
        self.model = TurnsModel(self.context.bridge, self.context.services.clock, self)
        self.table = Table(self.model, self.tr("Messages"))
        self.table.setItemDelegateForColumn(0, TwoLines(self.table))
        self.table.set_lines(2)
        self.table.set_widths({1: 170})
        self.table.hide_when_narrow((1,), 380)
        self.table.activated.connect(self._open)
        self._none = EmptyState("message-square", "")
        self.pane = StatePane(self.table, self._none)
        self.pane.show_loading()
        yield
        below.addWidget(self.pane)
        self.model.loaded.connect(self._loaded)
        self.model.failed.connect(lambda error: self.pane.show_failed(error, self.reload))
        for kind in (TurnsRecorded, MemoryChanged, ConversationsChanged):
            self.context.bridge.on(kind, lambda _event: self._stale(), owner=self, settle_ms=400)

    def reload(self) -> None:
        """Read the messages of the agent chosen, or of all."""
        services, agent_id, query = self.context.services, self.agent_id or None, self.search.text().strip()
        titles: dict[tuple[str, str], str] = {}

        def title(turn: Turn) -> str:
            try:
                return services.conversations.get(turn.agent_id, turn.conversation_id).title
            except NotFoundError:  # deleted since the page was read
                return ""

        def fetch(limit: int, cursor: str | None) -> Page[Turn]:
            page = services.memories.transcript(agent_id, query=query, limit=limit, cursor=cursor)
            if not cursor and agent_id is None:
                self.model.agents = {agent.id: agent.name for agent in services.agents.all()}
            for turn in page.items:
                if (key := (turn.agent_id, turn.conversation_id)) not in titles:
                    titles[key] = title(turn)
            return page

        self.model.titles = titles
        self.model.agents = {}
        self.model.reload(fetch, query=(agent_id, query))

    def _loaded(self, total: int) -> None:
        if self.search.text().strip():
            self._none.set_words(self.tr("Nothing matches"), self.tr("Search for other words."), "search")
        else:
            text = self.tr("What you and your agents say is kept here, word for word.")
            self._none.set_words(self.tr("No messages"), text, "message-square")
            self.counted.emit(total)
        self.pane.show_content(empty=total == 0)

    def _open(self, index: QModelIndex) -> None:
        turn = self.model.item(index)
        if turn is not None:
            self.context.navigate("chat", agent_id=turn.agent_id, conversation_id=turn.conversation_id, turn_id=turn.id)
