"""Help: components with licenses, and every shortcut."""

import platform
from collections.abc import Iterator

from PySide6.QtCore import Qt, QUrl, qVersion
from PySide6.QtGui import QDesktopServices, QKeySequence
from PySide6.QtWidgets import QGridLayout, QWidget

from memdesk.gui.commands import Commands
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.dialog import Dialog
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import ScrollColumn, line, row
from memdesk.settings.resources import resources_root

#: Components with license and source.
PARTS = (
    ("memdesk", "Apache-2.0", ""),
    ("Qt, PySide6", "LGPL-3.0", "https://code.qt.io"),
    ("Lucide", "ISC, MIT", "https://lucide.dev"),
    ("llama.cpp, llama-cpp-python", "MIT", "https://github.com/ggml-org/llama.cpp"),
    ("SQLCipher, SQLite", "BSD-3-Clause, public domain", "https://www.zetetic.net/sqlcipher"),
    ("ONNX Runtime", "MIT", "https://onnxruntime.ai"),
    ("hnswlib", "Apache-2.0", "https://github.com/nmslib/hnswlib"),
    ("spaCy, en_core_web_sm", "MIT", "https://spacy.io"),
    ("FastAPI, Pydantic, Uvicorn", "MIT, BSD-3-Clause", "https://fastapi.tiangolo.com"),
    ("SmolLM2 135M Instruct", "Apache-2.0", "https://huggingface.co/HuggingFaceTB"),
    ("all-MiniLM-L6-v2", "Apache-2.0", "https://huggingface.co/sentence-transformers"),
)


class AboutDialog(Dialog):
    """Version, licenses, and links to the documentation and bug reports."""

    def __init__(self, context: PageContext, parent: QWidget) -> None:
        title = tr("About memdesk")
        super().__init__(parent, title, width=620)
        versions = f"memdesk {context.controls.version} · Python {platform.python_version()} · Qt {qVersion()}"
        self.body.addWidget(Label(versions, "mono", selectable=True, wrap=True))
        self.body.addWidget(
            Label(
                self.tr(
                    "Everything stays on this computer. memdesk asks for no updates and reports nothing by itself; it "
                    "reaches a network only for servers and downloads that you set up."
                ),
                wrap=True,
            )
        )
        self.body.addWidget(line())
        self.body.addWidget(Label(self.tr("Built with"), "strong"))
        self.body.addLayout(_parts())
        self.body.addWidget(
            Label(
                self.tr(
                    "Qt and PySide6 are used unchanged under the GNU Lesser General Public License, version 3. They are "
                    "separate libraries beside the app, and may be replaced with your own versions. Their source is "
                    "at code.qt.io."
                ),
                "small",
                wrap=True,
            )
        )
        self.set_cancel(self.tr("Close"))
        docs = Button(self.tr("Documentation"), open_documentation, icon_name="book-open")
        report = Button(self.tr("Report a bug"), lambda: self._leave_for(context), icon_name="bug")
        for place, button in enumerate((docs, report)):
            self.foot.insertWidget(place, button)

    def _leave_for(self, context: PageContext) -> None:
        self.accept()
        context.navigate("diagnostics")


def open_documentation() -> None:
    """Open the folder of the bundled documentation; no network."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(resources_root() / "docs")))


def _parts() -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(Theme.current().px(12))
    grid.setVerticalSpacing(Theme.current().px(4))
    for place, (name, terms, address) in enumerate(PARTS):
        for column, label in enumerate((Label(name, wrap=True), Label(terms, "muted", wrap=True))):
            label.setToolTip(address)
            grid.addWidget(label, place, column)
    return grid


class ShortcutsDialog(Dialog):
    """Every shortcut, by the menu it belongs to."""

    def __init__(self, commands: Commands, groups: list[tuple[str, str]], parent: QWidget) -> None:
        super().__init__(parent, tr("Shortcuts"), width=520)
        area = ScrollColumn(margins=(0, 0, 16, 0), gap=6)
        area.setMinimumHeight(min(Theme.current().px(420), parent.height() // 2))
        for title, rows in _sections(commands, groups):
            area.body.addWidget(Label(title, "section"))
            for words, keys in rows:
                area.body.addWidget(_line(words, keys))
            area.body.addSpacing(Theme.current().px(8))
        area.body.addStretch(1)
        area.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        area.setAccessibleName(tr("Shortcuts"))
        self.body.addWidget(area, 1)
        self.set_cancel(self.tr("Close")).setFocus()


def _sections(commands: Commands, groups: list[tuple[str, str]]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    for group, title in groups:
        rows = [(command.title, command.shortcut) for command in commands.all() if command.group == group]
        if any(keys for _words, keys in rows):
            yield title, [(words, keys) for words, keys in rows if keys]
    yield (
        tr("In a chat"),
        [(tr("Send"), "Return"), (tr("New line"), "Shift+Return"), (tr("Send an edited message"), "Ctrl+Return")],
    )
    yield (
        tr("In lists"),
        [(tr("Rename or edit"), "F2"), (tr("Delete or forget"), "Delete"), (tr("Go back"), "Alt+Left")],
    )
    yield (
        tr("Everywhere"),
        [(tr("Next control"), "Tab"), (tr("Press a button"), "Space"), (tr("Close a dialog or a panel"), "Escape")],
    )


def _line(words: str, keys: str) -> QWidget:
    shown = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    box = QWidget(accessibleName=f"{words}: {shown}")
    box.setLayout(row(Label(words), None, Chip(shown)))
    return box
