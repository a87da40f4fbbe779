"""Above the messages: the conversation's title, and its overrides of the agent's settings."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from memdesk.gui.commands import Command
from memdesk.gui.models.chat import ChatModel
from memdesk.gui.widgets.buttons import Button, IconButton
from memdesk.gui.widgets.labels import ElidedLabel
from memdesk.gui.widgets.layout import row
from memdesk.gui.words import model_name, number

#: Characters shown of a system prompt.
PROMPT_CHARS = 80
#: Characters shown of a folder's name.
FOLDER_CHARS = 28


class ChatHead(QWidget):
    """The conversation's title and own settings.

    Signals ``wanted_settings`` and ``wanted_reset`` for its settings, ``wanted_folder`` to show its folder,
    ``wanted_comparing`` with the widget below which to choose a second model.
    """

    wanted_settings = Signal()
    wanted_reset = Signal()
    wanted_folder = Signal()
    wanted_comparing = Signal(object)

    def __init__(self, model: ChatModel, show_list: Callable[[], object]) -> None:
        super().__init__()
        self._model = model
        #: Whether list and messages do not fit side by side.
        self.conversations = Button(self.tr("Conversations"), show_list, variant="ghost", icon_name="panel-left")
        self.conversations.hide()
        self.title = ElidedLabel("", "muted")
        self.settings = Button("", self.wanted_settings.emit, variant="chip", icon_name="sliders-horizontal")
        self.settings.set_tone("accent")
        self.plain = IconButton("sliders-horizontal", self.tr("Settings of this chat"), self.wanted_settings.emit)
        self.reset = IconButton("rotate-ccw", self.tr("Use the agent's settings again"), self.wanted_reset.emit)
        box = row(self.conversations, gap=4, margins=(24, 4, 12, 0))
        self.folder = Button("", self.wanted_folder.emit, variant="chip", icon_name="folder")
        box.addWidget(self.folder)
        box.addSpacing(4)
        box.addWidget(self.title, 1)
        box.addStretch()
        compare = self.tr("Compare two models")
        self.compare = IconButton("git-compare", compare, lambda: self.wanted_comparing.emit(self.compare))
        self.beside = Button(
            "", lambda: self.wanted_comparing.emit(self.beside), variant="chip", icon_name="git-compare"
        )
        self.beside.set_tone("accent")
        self.beside.setToolTip(compare)
        for part in (self.beside, self.compare, self.settings, self.reset, self.plain):
            box.addWidget(part)
        self.setLayout(box)
        model.watch(self._show_overrides, "overrides", "agents")
        model.watch(lambda: self.title.setText(model.title), "title")
        model.watch(self._show_folder, "folder")
        model.watch(self._show_compared, "compared", "open")
        self._show_overrides()
        self._show_folder()
        self._show_compared()

    def commands(self) -> list[Command]:
        ask = Command(
            "conversation.settings",
            self.plain.toolTip() + "…",
            "sliders-horizontal",
            self.wanted_settings.emit,
            keywords=self.tr("temperature system prompt model"),
        )
        compare = Command(
            "conversation.compare",
            self.compare.toolTip() + "…",
            "git-compare",
            lambda: self.wanted_comparing.emit(self),
            keywords=self.tr("side by side second model"),
        )
        return [ask] if self._model.temporary else [ask, compare]

    def _show_compared(self) -> None:
        compared = self._model.compared
        self.beside.setVisible(compared is not None)
        # A temporary chat is not stored: there is no version to go back to.
        self.compare.setVisible(compared is None and not self._model.temporary)
        if compared is not None:
            self.beside.setText(self.tr("with {model}").format(model=self._model.compared_names[1]))

    def _show_folder(self) -> None:
        folder = self._model.folder
        self.folder.setVisible(folder is not None)
        if folder is not None:
            name = folder.name
            self.folder.setText(name if len(name) <= FOLDER_CHARS else name[: FOLDER_CHARS - 1].rstrip() + "…")
            told = folder.instructions[:PROMPT_CHARS]
            self.folder.setToolTip(
                "\n".join(part for part in (self.tr("Folder: {name}").format(name=name), told) if part)
            )

    def show_list_button(self, *, on: bool) -> None:
        """Show the button for the list of conversations in place of the title."""
        self.conversations.setVisible(on)
        self.title.setVisible(not on)
        self._show_overrides()

    def _show_overrides(self) -> None:
        found = self._told()
        self.settings.setVisible(bool(found))
        self.reset.setVisible(bool(found))
        self.plain.setVisible(not found)
        words = self.tr("%n own settings", "", len(found))
        # Where the title has no room, the words have none either.
        self.settings.setText(words if self.conversations.isHidden() else number(len(found)))
        self.settings.setAccessibleName(words)
        self.settings.setToolTip("\n".join(found))

    def _told(self) -> list[str]:
        """Return a description of the conversation's own settings."""
        own, sampling = self._model.overrides, self._model.overrides.get("sampling", {})
        numbers = {
            "temperature": self.tr("Temperature"),
            "top_p": self.tr("Top p"),
            "max_tokens": self.tr("Longest reply"),
            "seed": self.tr("Seed"),
        }
        found = {}
        if "model" in own:
            found[self.tr("Model")] = model_name(own["model"]) or self.tr("The app's chat model")
        if "system_prompt" in own:
            found[self.tr("System prompt")] = own["system_prompt"][:PROMPT_CHARS] or self.tr("none")
        if "search_tool" in own:
            found[self.tr("search_memory tool")] = self.tr("on") if own["search_tool"] else self.tr("off")
        for key, name in numbers.items():
            if key in sampling:
                found[name] = self.tr("model's own") if sampling[key] is None else f"{sampling[key]:g}"
        return [f"{name}: {value}" for name, value in found.items()]
