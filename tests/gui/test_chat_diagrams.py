"""Mermaid's diagrams in a chat: drawn once their source is complete, in the theme's colors; the source is never lost."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage

from memdesk.gui.theme import Theme
from memdesk.gui.views.chat.diagram import DiagramBlock
from memdesk.gui.views.chat.shown import LargePicture
from memdesk.gui.widgets.code import CodeBlock
from tests.helpers.dialogs import shown

FLOW = "flowchart TD\n  A[What was said] --> B{Known?}\n  B -->|yes| C[Update]\n  B -->|no| D[Add]"


def ask(desk, qtbot, model, answer):
    """Say something, get ``answer``, and return the blocks of code in it."""
    model.default = answer
    page = desk.page("chat")
    page.composer.editor.setPlainText("Draw it.")
    qtbot.keyClick(page.composer.editor, Qt.Key.Key_Return)
    desk.settle()
    return page.messages.messages[-1].findChildren(CodeBlock)


@pytest.fixture(autouse=True)
def clipboard(qapp):
    """The clipboard, empty again at the end."""
    yield
    QGuiApplication.clipboard().clear()


@pytest.fixture
def drawn(desk, qtbot, model):
    """A diagram between two paragraphs, and its picture."""
    (block,) = ask(desk, qtbot, model, f"Here it is.\n\n```mermaid\n{FLOW}\n```\n\nThat is all.")
    qtbot.waitUntil(block.picture.isVisible, timeout=120_000)
    return block


def test_a_diagram_is_drawn_and_its_source_a_click_away(desk, qtbot, drawn):
    assert isinstance(drawn, DiagramBlock)
    assert not drawn.view.isVisible()
    assert drawn.picture.iconSize().height() > 100
    drawn.turn.click()
    assert drawn.view.isVisible()
    assert drawn.view.toPlainText() == FLOW
    assert not drawn.picture.isVisible()
    assert drawn.turn.accessibleName() == "Show the picture"
    drawn.turn.click()
    assert drawn.picture.isVisible()
    drawn.copy.click()
    assert QGuiApplication.clipboard().text() == FLOW


def test_its_picture_is_saved(desk, qtbot, drawn, tmp_path):
    drawn.large.click()
    desk.settle()
    dialog = shown(desk)
    assert isinstance(dialog, LargePicture)
    dialog.save(str(tmp_path / "diagram.png"))
    desk.settle()
    assert QImage(str(tmp_path / "diagram.png")).width() > 200


def test_another_theme_draws_it_anew(desk, qtbot, drawn, model):
    desk.real.settings.update("appearance", {"theme": "dark"})
    desk.settle()
    assert Theme.current().mode == "dark"
    (block,) = desk.page("chat").messages.messages[-1].findChildren(CodeBlock)
    ground = QColor(Theme.current().hex("code")).name()
    qtbot.waitUntil(lambda: ground_of(block) == ground, timeout=120_000)


def ground_of(block):
    icon = block.picture.icon()
    return "" if icon.isNull() else icon.pixmap(block.picture.iconSize()).toImage().pixelColor(1, 1).name()


def test_a_faulty_one_stays_source_and_says_why(desk, qtbot, model):
    (block,) = ask(desk, qtbot, model, "```mermaid\nflowchart TD\n A[--> B{\n```")
    qtbot.waitUntil(block.note.isVisible, timeout=120_000)
    assert block.note.text().startswith("No picture: Mermaid says: Parse error on line 2")
    assert "\n" not in block.note.text()
    assert block.view.isVisible()
    assert not block.turn.isVisible()
    assert not block.large.isVisible()


def test_one_that_never_ended_is_source(desk, qtbot, model):
    (block,) = ask(desk, qtbot, model, "```mermaid\nflowchart TD\n A --> B")
    assert type(block) is CodeBlock
    assert block.language.text() == "mermaid"


def test_a_long_reply_keeps_its_place_when_a_picture_comes(desk, qtbot, model):
    words = "\n\n".join(f"Paragraph {n} of what follows below it." for n in range(60))
    (block,) = ask(desk, qtbot, model, f"```mermaid\n{FLOW}\n```\n\n{words}")
    qtbot.waitUntil(lambda: not block.note.isHidden() or not block.picture.isHidden(), timeout=120_000)
    bar = desk.page("chat").messages.verticalScrollBar()
    assert bar.value() == bar.maximum()
