"""The episodes tab: digests of conversations with their details."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from memdesk.domain.items.item import MemoryItem
from memdesk.errors import NotFoundError
from memdesk.gui.commands import Command
from memdesk.gui.models.paged import PagedModel
from memdesk.gui.operations.forgetting import ask_forget
from memdesk.gui.operations.learned import keep
from memdesk.gui.theme import Theme
from memdesk.gui.views.memory import days
from memdesk.gui.views.memory.editing import LineDialog
from memdesk.gui.views.memory.listed import ListTab
from memdesk.gui.views.memory.tab import TwoLines
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import FlowLayout, clear, line, row
from memdesk.gui.widgets.menus import tools_of
from memdesk.gui.words import day, model_name
from memdesk.services.events import MemoryChanged
from memdesk.services.forgetting import ForgetTarget


class EpisodesModel(PagedModel[MemoryItem]):
    """Columns: summary, day."""

    def heads(self) -> tuple[str, ...]:
        return (self.tr("Episode"), self.tr("Day"))

    def text(self, item: MemoryItem, column: int) -> str:
        return item.content if column == 0 else day(self.clock.local(item.session.ended_at))

    def more(self, item: MemoryItem, column: int, role: int) -> Any:
        if role == TwoLines.SECOND and column == 0:
            return " · ".join(item.tags or item.session.entities)
        if role == Qt.ItemDataRole.ForegroundRole and (column or item.status != "active"):
            return Theme.current().color("muted")
        return None


class EpisodesTab(ListTab):
    """List at the left, one episode at the right."""

    def build(self) -> Iterator[None]:
        context = self.context
        self.episode: MemoryItem | None = None
        #: Its details that are not in a fact.
        self._unkept: frozenset[str] = frozenset()
        self._asked = ""
        self.state = Combo(self.tr("State"), [("active", self.tr("Active")), ("disabled", self.tr("Disabled"))])
        self.age = Combo(self.tr("When"), days.ages())
        below = self.narrow_by(self.tr("Search episodes"), self.state, self.age)
        yield
        model = EpisodesModel(context.bridge, parent=self)
        self.make_list(model, self.tr("Episodes"), "book-open", lambda episode: self._read(episode.id))
        yield
        self.join(below, self.make_side())
        context.bridge.on(MemoryChanged, lambda _event: self._stale(), owner=self, settle_ms=400)

    def set_agent(self, agent_id: str) -> None:
        """Show another agent's episodes, and close the pane of the previous one's."""
        if agent_id != self.agent_id and agent_id:
            self.side.hide()
        super().set_agent(agent_id)

    def reload(self) -> None:
        memories, agent_id, query = self.context.services.memories, self.agent_id or None, self.query()
        state, age = self.state.key(), self.age.key()
        since = days.since(age, self.context.services.clock.now())
        self.model.reload(
            lambda limit, cursor: memories.episodes(
                agent_id=agent_id, query=query, status=state, since=since, limit=limit, cursor=cursor
            ),
            query=(agent_id, query, state, age),
        )

    def nothing(self) -> tuple[str, str]:
        return self.tr("No episodes"), self.tr("When a conversation rests, its digest appears here.")

    def _stale(self) -> None:
        super()._stale()
        if self.isVisible() and self.side.isVisible() and self.episode is not None:
            # Another one may be loading meanwhile.
            self._read(self._asked)

    def enter(self, **arguments: Any) -> None:
        if "query" in arguments:
            self.search.setText(str(arguments["query"]))
        if arguments.get("episode_id"):
            self._read(str(arguments["episode_id"]))

    def _read(self, episode_id: str) -> None:
        memories = self.context.services.memories
        self._asked = episode_id
        self.context.bridge.run(
            self, lambda: self._with_unkept(memories.episode(episode_id)), self._show, self._failed, latest="episode"
        )

    def _failed(self, error: Exception) -> None:
        if isinstance(error, NotFoundError):
            # Forgotten since it was listed.
            self.side.hide()
        else:
            self.context.notices.error(error)

    def _with_unkept(self, episode: MemoryItem) -> tuple[MemoryItem, frozenset[str]]:
        """Return an episode with the ids of its details that are not in a fact; on a lane."""
        return episode, frozenset(detail.id for detail in self.context.services.memories.unkept(episode))

    def _show(self, found: tuple[MemoryItem, frozenset[str]]) -> None:
        episode, unkept = found
        if (episode, unkept) == (self.episode, self._unkept) and self.side.isVisible():
            return
        self.episode, self._unkept = episode, unkept
        body = self.detail.body
        clear(body)
        span = self.moment(episode.session.ended_at)
        body.addWidget(Label(span, "small"))
        body.addWidget(Label(episode.content, "heading", wrap=True, selectable=True))
        body.addWidget(self._chips((*episode.tags, *episode.session.entities)))
        body.addWidget(tools_of(self.commands_of(episode)))
        for title, lines in (
            (self.tr("Decisions"), episode.session.decisions),
            (self.tr("To do"), episode.session.action_items),
        ):
            if lines:
                body.addWidget(line())
                body.addWidget(Label(title, "section"))
                for text in lines:
                    body.addWidget(Label(f"• {text}", wrap=True, selectable=True))
        if episode.session.details:
            body.addWidget(line())
            body.addWidget(Label(self.tr("Details"), "section"))
            for detail in episode.session.details:
                body.addWidget(self._detail(detail))
        worded_by = episode.session.model
        made = self.tr("Distilled by {model}").format(model=model_name(worded_by)) if worded_by else ""
        used = self.tr("used %n times", "", episode.use_count) if episode.use_count else self.tr("not used yet")
        body.addWidget(Label(" · ".join(part for part in (made, used) if part), "small", wrap=True))
        body.addStretch(1)
        self.side.show()

    def commands_of(self, item: MemoryItem) -> list[Command]:
        active = item.status == "active"
        go = partial(self.context.navigate, "chat", agent_id=item.agent_id, conversation_id=item.run_id)
        able = partial(self._able, item, "disabled" if active else "active")
        there = [Command("episode.open", self.tr("Open conversation"), "message-square", go)] if item.run_id else []
        return [
            *there,
            Command("episode.edit", self.tr("Edit"), "pencil", partial(self._edit, item)),
            Command(
                "episode.able",
                self.tr("Disable") if active else self.tr("Enable"),
                "eye-off" if active else "eye",
                able,
            ),
            Command("episode.forget", self.tr("Forget"), "trash-2", partial(self._forget, item)),
        ]

    def _detail(self, detail: MemoryItem) -> QWidget:
        """Return a detail, with a button to keep it as a fact unless one already says it."""
        box = QWidget()
        words = row((Label(f"• {detail.content}", wrap=True, selectable=True), 1))
        if detail.id in self._unkept:
            name = self.tr("Keep: {text}").format(text=detail.content)
            words.addWidget(Button(self.tr("Keep"), partial(self._keep, detail), name=name))
        box.setLayout(words)
        return box

    def _keep(self, detail: MemoryItem) -> None:
        episode = self.episode
        if episode is None:
            return

        def kept(_fact: object) -> None:
            self._unkept = self._unkept - {detail.id}
            self.episode = None
            self._show((episode, self._unkept))

        keep(self.context, self, episode_id=episode.id, detail=detail).success(kept).start()

    @staticmethod
    def _chips(words: Sequence[str]) -> QWidget:
        box = QWidget()
        flow = FlowLayout(box)
        for word in dict.fromkeys(words):
            flow.addWidget(Chip(word))
        return box

    def _edit(self, episode: MemoryItem) -> None:
        def save(text: str, dialog: LineDialog) -> None:
            op = self.context.bridge.call(self, self.context.services.memories.edit_episode, episode.id, summary=text)
            op.failure(dialog.show_fault)
            op.success(self._changed).then(dialog.accept).then(self.reload).start()

        LineDialog(self.window(), self.tr("Edit summary"), save, text=episode.content).open()

    def _able(self, episode: MemoryItem, status: str) -> None:
        """Disable an episode for every model, or enable it again."""
        op = self.context.bridge.call(self, self.context.services.memories.edit_episode, episode.id, status=status)
        op.success(self._changed).then(self.reload).start()

    def _changed(self, new: MemoryItem) -> None:
        if self.episode is not None and self.episode.id == new.id:
            self._show((new, self._unkept))

    def _forget(self, episode: MemoryItem) -> None:
        ask_forget(
            self.context,
            self,
            target=ForgetTarget(kind="episode", ids=(episode.id,), agent_id=episode.agent_id),
            title=self.tr("Forget this episode?"),
            text=episode.content,
            done=self._forgotten,
        )

    def _forgotten(self, _report: object) -> None:
        self.side.hide()
        self.reload()
