"""Every action of the window by name: the registry behind menus, shortcuts and the palette."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget


@dataclass(frozen=True, slots=True)
class Command:
    """One action.

    Attributes:
        id: stable name such as ``chat.new``.
        title: its text in menus and the palette.
        icon: an icon's name.
        handler: what it does.
        shortcut: portable key sequence such as ``Ctrl+N``; empty for none.
        also: a second one, not shown.
        group: the menu it belongs to: ``file``, ``chat``, ``memory``, ``view``, ``help``; empty keeps it out of menus.
        keywords: more words for the palette's search.
        enabled: whether it can run now.
        always: also works on the lock screen and at the first start.
    """

    id: str
    title: str
    icon: str
    handler: Callable[[], object]
    _: KW_ONLY
    shortcut: str = ""
    also: str = ""
    group: str = ""
    keywords: str = ""
    enabled: Callable[[], bool] | None = None
    always: bool = False


def shown_keys(words: str, keys: str) -> str:
    """Return a text followed by a shortcut as this platform and language write it: ``Strg+B``, ``⌘B``."""
    return f"{words} ({QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)})"


class Commands(QObject):
    """The registry. Main thread only."""

    changed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._commands: dict[str, Command] = {}
        self._actions: dict[str, QAction] = {}

    def add(self, command: Command) -> QAction:
        """Register a command and give its shortcut to the window; an existing id is replaced."""
        self.remove(command.id)
        action = QAction(command.title, self)
        action.setObjectName(command.id)
        if command.shortcut:
            action.setShortcuts([QKeySequence(keys) for keys in (command.shortcut, command.also) if keys])
        action.triggered.connect(lambda _checked=False: self.run(command.id))
        self._window.addAction(action)
        self._commands[command.id] = command
        self._actions[command.id] = action
        self.changed.emit()
        return action

    def remove(self, command_id: str) -> None:
        """Forget a command; unknown ids are fine."""
        action = self._actions.pop(command_id, None)
        if action is not None:
            self._window.removeAction(action)
            action.deleteLater()
            del self._commands[command_id]
            self.changed.emit()

    def run(self, command_id: str) -> None:
        command = self._commands[command_id]
        if command.enabled is None or command.enabled():
            command.handler()

    def all(self) -> list[Command]:
        return list(self._commands.values())

    def action(self, command_id: str) -> QAction:
        return self._actions[command_id]

    def group(self, name: str) -> list[QAction]:
        """Return the actions of a menu in order."""
        return [self._actions[c.id] for c in self._commands.values() if c.group == name]

    def set_active(self, active: bool) -> None:
        """Turn shortcuts off and on (lock screen, first start)."""
        for command_id, action in self._actions.items():
            action.setEnabled(active or self._commands[command_id].always)
