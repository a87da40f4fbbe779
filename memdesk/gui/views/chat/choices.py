"""The choices below the text: agent, model, use of memory."""

from collections.abc import Iterator

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QWidget

from memdesk.domain.models import Agent, MemoryMode
from memdesk.gui.pages import PageContext
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import row
from memdesk.gui.words import model_name
from memdesk.ports import ModelInfo

#: Spacing between the choices, in px at 100 %.
GAP = 4
#: Minimum width of elided pickers, in px at 100 %.
AGENT_WIDTH, MODEL_WIDTH = 104, 56
WIDTHS: dict[MemoryMode, int] = {"off": 0, "read_only": 1, "on": 2}


class Choices(QWidget):
    """Always one line. Signals ``agent_chosen``, ``model_chosen`` (empty: the agent's own) and ``memory_chosen``.

    ``context_changed`` has the chosen model's context in tokens (0: unknown), ``sight_changed`` its name if it is known
    to take no pictures, else "".
    """

    agent_chosen = Signal(str)
    model_chosen = Signal(str)
    memory_chosen = Signal(str)
    context_changed = Signal(int)
    sight_changed = Signal(str)

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self._context = context
        self._contexts: dict[str, int] = {}
        #: Models that take no pictures.
        self._blind: set[str] = set()
        self._offered: list[tuple[str, str]] = []
        self._default = ""
        self._memory: MemoryMode = "on"

    def build(self) -> Iterator[None]:
        self.agents = self._picker(self.tr("Agent"))
        self.agents.chosen.connect(self.agent_chosen)
        yield
        self.models = self._picker(self.tr("Model"))
        self.models.chosen.connect(self._choose_model)
        yield
        self.memory = Button("", variant="ghost", icon_name="brain")
        self.memory.set_menu(self._memory_menu())
        self.temporary = Label("", "warning")
        self.temporary.setToolTip(self.tr("Temporary: nothing is stored"))
        self.temporary.hide()
        self.setLayout(row(self.agents, self.models, self.memory, self.temporary, None, gap=GAP))
        self.set_memory("on")

    @staticmethod
    def _picker(name: str) -> Combo:
        picker = Combo(name, snug=True)
        picker.setProperty("variant", "ghost")
        picker.setMaximumWidth(Theme.current().px(240))
        return picker

    def _memory_menu(self) -> QMenu:
        menu = QMenu(self)
        entries: list[tuple[MemoryMode, str]] = [
            ("on", self.tr("On: replies use memory, and this chat is learned from")),
            ("read_only", self.tr("Read-only: replies use memory, nothing is learned")),
            ("off", self.tr("Off: replies use no memory, and nothing is learned")),
        ]
        for mode, words in entries:
            action = menu.addAction(words)
            action.setData(mode)
            action.setCheckable(True)
            action.triggered.connect(lambda _checked=False, mode=mode: self.memory_chosen.emit(mode))
        return menu

    # -- agents and models -------------------------------------------------------------

    def set_agents(self, agents: list[Agent], agent_id: str) -> None:
        self.agents.set_options([(agent.id, agent.name) for agent in agents], agent_id)
        self._share_room()

    def set_agent(self, agent_id: str) -> None:
        self.agents.set_key(agent_id)
        self._share_room()

    def set_models(self, models: list[ModelInfo], default: str) -> None:
        """Offer models; the first choice is the agent's own."""
        most = self._context.services.settings.current.engine.context_tokens
        self._contexts = {
            m.id: m.context_tokens or most if m.source == "remote" else min(m.context_tokens, most) for m in models
        }
        self._contexts[""] = self._contexts.get(default, 0)
        self._blind = {m.id for m in models if m.sees is False}
        self._blind |= {""} if default in self._blind else set()
        # A server's models are listed once it was queried.
        name = next((model.name for model in models if model.id == default), model_name(default) or self.tr("no model"))
        # The agent's own is first, and not repeated.
        self._default = default
        self._offered = [("", name), *((m.id, m.name) for m in models if m.available and m.id != default)]
        self.set_model(self.models.key())

    def set_model(self, model_id: str) -> None:
        """Show the answering model; empty: the agent's own. A missing one stays selected: it may come back."""
        key = "" if model_id == self._default else model_id
        gone = [(key, self.tr("{name} (not here)").format(name=model_name(key)))]
        self.models.set_options(self._offered if key in dict(self._offered) else [*self._offered, *gone], key)
        self._tell(key)

    def answering(self) -> str:
        """Return the id of the answering model."""
        return self.models.key() or self._default

    def others(self) -> list[tuple[str, str]]:
        """Return the other models that can be chosen, by id and name."""
        here = {self.models.key(), self.answering()}
        return [
            (key or self._default, name) for key, name in self._offered if key not in here and (key or self._default)
        ]

    def _choose_model(self, model_id: str) -> None:
        self.model_chosen.emit(model_id)
        self._tell(model_id)

    def _tell(self, key: str) -> None:
        self.context_changed.emit(self._contexts.get(key, 0))
        self.sight_changed.emit(dict(self._offered).get(key, "") if key in self._blind else "")
        self._share_room()

    # -- memory ------------------------------------------------------------------------

    def set_memory(self, mode: MemoryMode) -> None:
        self._memory = mode
        icons = {"on": "brain", "read_only": "eye", "off": "eye-off"}
        self.memory.set_icon(icons[mode])
        self.memory.set_tone("" if mode == "on" else "warning")
        for action in self.memory.menu().actions():
            action.setChecked(action.data() == mode)
        self._share_room()

    def set_widest_memory(self, mode: MemoryMode) -> None:
        """Offer no more memory than the agent has."""
        for action in self.memory.menu().actions():
            action.setEnabled(WIDTHS[action.data()] <= WIDTHS[mode])

    def set_temporary(self, *, on: bool) -> None:
        """Say that nothing is stored."""
        self.temporary.setVisible(on)
        self.memory.setVisible(not on)
        self._share_room()

    # -- room --------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        """If narrow, memory shrinks to an icon, then the pickers are elided, the agent's last."""
        words = {"on": self.tr("Memory on"), "read_only": self.tr("Memory read-only"), "off": self.tr("Memory off")}
        name = words[self._memory]
        self.memory.setAccessibleName(name)
        self.memory.setText(name)
        self.temporary.setText(self.temporary.toolTip())
        px = Theme.current().px
        agent = min(self.agents.sizeHint().width(), px(AGENT_WIDTH))
        third = self.temporary if self.memory.isHidden() else self.memory
        pickers = self.agents.sizeHint().width() + self.models.sizeHint().width()
        if pickers + third.sizeHint().width() + 2 * px(GAP) > self.width():
            self.memory.setText("")
            self.temporary.setText(self.tr("Temporary"))
        room = self.width() - third.sizeHint().width() - 2 * px(GAP)
        # The agent's name says whose memory is used.
        least = max(min(px(MODEL_WIDTH), room // 2), 0)
        self.agents.setMinimumWidth(max(least, min(agent, room - least)))
        self.models.setMinimumWidth(least)
        self.memory.setToolTip("" if self.memory.text() else name)
