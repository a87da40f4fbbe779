"""Editors of the options that are lists: the user's own gate phrases, folders, web origins, remote servers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from memdesk.domain.reading.private import KINDS
from memdesk.domain.recalling.gate import SECTIONS
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr
from memdesk.gui.views.settings.embedders import EmbedderEditor
from memdesk.gui.views.settings.notes import NotesList
from memdesk.gui.views.settings.outside import ToolServersList
from memdesk.gui.widgets.buttons import ENTER, Button
from memdesk.gui.widgets.forms import SecretEdit, TextArea
from memdesk.gui.widgets.labels import ElidedLabel, Label
from memdesk.gui.widgets.layout import column, row
from memdesk.gui.widgets.options import FieldSpec, ShownList
from memdesk.gui.widgets.rows import RowsEditor, RowWords
from memdesk.gui.words import section_name
from memdesk.services.tools import QDRANT_KEY
from memdesk.settings.addresses import is_host, is_web_address
from memdesk.settings.prompts import distill_prompt

#: Longest prompt, in characters: under 700 tokens in any tokenizer, so that the session fits in small models.
PROMPT_CHARS = 2000
#: Longest phrase, in characters; each message is searched for every phrase.
PHRASE_CHARS = 100
_ORIGIN = re.compile(r"https?://[^\s/?#@]+/?", re.IGNORECASE)


def list_editor(context: PageContext, spec: FieldSpec) -> QWidget:
    """Return the editor of an option of kind ``rows``.

    Raises:
        KeyError: the schema has a list without an editor.
    """
    made: dict[str, Callable[[], QWidget]] = {
        "gate_phrases": PhrasesEditor,
        "local_only_kinds": KindsEditor,
        "model_folders": FoldersEditor,
        "allowed_origins": OriginsEditor,
        "without_system_role": ModelNamesEditor,
        "distill_prompt": PromptEditor,
        "embedding_model": partial(EmbedderEditor, context),
        "note_folders": partial(NotesList, context),
        "remote_servers": partial(ServersList, context),
        "tool_servers": partial(ToolServersList, context),
    }
    return made[spec.name]()


class KindsEditor(QWidget):
    """Private kinds, with a check box each. ``told``: one was toggled."""

    told = Signal()
    resettable = True

    def __init__(self) -> None:
        super().__init__()
        names = {
            "health": tr("Health"),
            "money": tr("Money"),
            "credentials": tr("Passwords, cards and accounts"),
            "people": tr("Other people"),
        }
        self._boxes = {kind: QCheckBox(names[kind]) for kind in KINDS}
        for box in self._boxes.values():
            box.clicked.connect(lambda _on: self.told.emit())
        self.setLayout(column(*self._boxes.values(), gap=4))
        self.setFocusProxy(self._boxes[KINDS[0]])

    def set_value(self, value: Sequence[str]) -> None:
        """Tick exactly these kinds, without signals."""
        for kind, box in self._boxes.items():
            box.setChecked(kind in value)

    def value(self) -> list[str]:
        return [kind for kind, box in self._boxes.items() if box.isChecked()]


class PhrasesEditor(RowsEditor):
    """Phrases, each with its section of the memory."""

    def __init__(self) -> None:
        words = RowWords(
            entry=tr("Phrase"),
            choice=tr("Leads to"),
            none=tr("None yet."),
            add=tr("Add a phrase"),
            example=tr("For example: my diary"),
            doubled=tr("This phrase is there already."),
        )
        super().__init__(words, check=check_phrase, choices=[(key, section_name(key)) for key in SECTIONS])

    def set_value(self, value: Mapping[str, Sequence[str]]) -> None:
        self.set_entries([(phrase, section) for section, phrases in value.items() for phrase in phrases])

    def value(self) -> dict[str, list[str]]:
        """Return the phrases by section.

        Raises:
            ValueError: see :meth:`RowsEditor.entries`.
        """
        found: dict[str, list[str]] = {}
        for phrase, section in self.entries():
            found.setdefault(section, []).append(phrase)
        return found


class _TextsEditor(RowsEditor):
    """A list of texts."""

    def set_value(self, value: Sequence[str]) -> None:
        self.set_entries([(text, "") for text in value])

    def value(self) -> list[str]:
        """Return the texts.

        Raises:
            ValueError: see :meth:`RowsEditor.entries`.
        """
        return [text for text, _key in self.entries()]


class FoldersEditor(_TextsEditor):
    """Folders, typed or picked."""

    def __init__(self) -> None:
        words = RowWords(
            entry=tr("Folder"),
            none=tr("None yet."),
            add=tr("Add a folder"),
            example=str(Path.home() / "models"),
            doubled=tr("This folder is there already."),
        )
        super().__init__(words, check=check_folder, folders=True)


class OriginsEditor(_TextsEditor):
    """Web origins."""

    def __init__(self) -> None:
        words = RowWords(
            entry=tr("Web origin"),
            none=tr("None: no web page may call the server."),
            add=tr("Add an origin"),
            example="http://localhost:3000",
            doubled=tr("This origin is there already."),
        )
        super().__init__(words, check=check_origin)


class ModelNamesEditor(_TextsEditor):
    """Names of models, with ``*`` as wildcard."""

    def __init__(self) -> None:
        words = RowWords(
            entry=tr("Model"),
            none=tr("None."),
            add=tr("Add a model"),
            example="gemma-3*",
            doubled=tr("This model is there already."),
        )
        super().__init__(words, check=lambda _text: "")


class PromptEditor(QWidget):
    """Instructions for the core model: the built-in text until the user replaces it."""

    told = Signal()
    resettable = True

    def __init__(self) -> None:
        super().__init__()
        self._shipped = distill_prompt()
        self.area = TextArea(rows=9, name=tr("Prompt"))
        self.area.textChanged.connect(self._show_state)
        self.state = Label("", "small", wrap=True)
        self.keep = Button(tr("Use this text"), self.told.emit, icon_name="check")
        self.setLayout(column(self.area, row(self.state, None, self.keep), gap=6))
        self._kept = ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keep the text on Ctrl+Enter."""
        if event.key() in ENTER and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.keep.click()
            return
        super().keyPressEvent(event)

    def set_value(self, value: str) -> None:
        """Show a text; empty means the built-in one."""
        self._kept = value
        self.area.setPlainText(value or self._shipped.shipped)
        self._show_state()

    def value(self) -> str:
        """Return the text; empty if it is the built-in one.

        Raises:
            ValueError: it is too long.
        """
        text = self.area.toPlainText().strip()
        if len(text) > PROMPT_CHARS:
            raise ValueError(tr("A prompt can have at most {n} characters.").format(n=PROMPT_CHARS))
        return "" if text == self._shipped.shipped.strip() else text

    def _show_state(self) -> None:
        ships = self.area.toPlainText().strip() == self._shipped.shipped.strip()
        words = tr("Version {n}, as it ships") if ships else tr("Your own text; version {n} ships")
        self.state.setText(words.format(n=self._shipped.version))
        self.keep.setEnabled(self.area.toPlainText().strip() != (self._kept or self._shipped.shipped).strip())


class ServersList(ShownList):
    """The remote servers, read-only; the Models page sets them and their keys up."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(gap=4)
        manage = Button(tr("Manage under Models"), lambda: context.navigate("models"), icon_name="server")
        self.setLayout(column(self.rows, row(manage, None)))

    def set_value(self, value: Sequence[Mapping[str, str]]) -> None:
        super().set_value([dict(server) for server in value])
        self.fill(
            [
                row(
                    Label(server.get("name", ""), "strong"),
                    (ElidedLabel(server.get("base_url", ""), "muted"), 1),
                    gap=10,
                )
                for server in value
            ]
        )


def check_phrase(text: str) -> str:
    """Return what is wrong with a gate phrase."""
    if len(text) > PHRASE_CHARS:
        return tr("A phrase can have at most {n} characters.").format(n=PHRASE_CHARS)
    if not any(letter.isalnum() for letter in text):
        return tr("A phrase needs a letter or a digit.")
    return ""


def check_folder(text: str) -> str:
    """Return what is wrong with a folder's path. The disk is not checked: it may be slow or missing."""
    if text.startswith("~") or Path(text).is_absolute():
        return ""
    return tr("Give the absolute path, such as {example}.").format(example=Path.home() / "models")


def check_origin(text: str) -> str:
    """Return what is wrong with a web origin."""
    if _ORIGIN.fullmatch(text):
        return ""
    return tr("An origin must be http:// or https:// with a host and perhaps a port, without a path.")


def check_hub(text: str) -> str:
    """Return what is wrong with the address of a model hub."""
    return "" if is_web_address(text) else tr("An address must begin with http:// or https:// and a host.")


def check_host(text: str) -> str:
    """Return what is wrong with the address that the server listens at."""
    return (
        ""
        if is_host(text)
        else tr("The address must be a host name or an IP address of this machine, such as 127.0.0.1.")
    )


#: Validators of options' texts while typing, by option name.
CHECKS = {"hub_url": check_hub, "host": check_host}


class QdrantKey(QWidget):
    """The key of the copy's server, which is not a setting but stored like other servers' keys."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self._context, self._copy = context, context.services.entries_copy
        self.key = SecretEdit()
        self.key.setAccessibleName(tr("Qdrant's key"))
        self.key.returnPressed.connect(self._save)
        self._drop = Button(tr("Remove the key"), partial(self._use, ""))
        words = tr("Kept in the system's keyring, or in the encrypted memory where there is none.")
        box = row((self.key, 1), Button(tr("Save the key"), self._save), self._drop)
        self.setLayout(column(Label(tr("Qdrant's key"), "strong"), Label(words, "small", wrap=True), box, gap=4))
        context.bridge.run(self, lambda: bool(self._copy.keys.get(QDRANT_KEY)), self._show)

    def _save(self) -> None:
        if self.key.text().strip():
            self._use(self.key.text().strip())

    def _use(self, key: str) -> None:
        """Store another key, and report whether the server accepts it."""

        def use() -> bool:
            self._copy.use_key(key)
            return bool(key)

        self._context.bridge.run(self, use, self._used)

    def _used(self, kept: bool) -> None:
        self._show(kept)
        if self._context.services.settings.current.memory.qdrant_address:
            answers = partial(self._context.notices.success, tr("Qdrant answers"))
            self._context.bridge.run(self, self._copy.ask, lambda _done: answers())

    def _show(self, kept: bool) -> None:
        self.key.clear()
        self.key.setPlaceholderText(tr("A key is stored") if kept else tr("None"))
        self._drop.setVisible(kept)
