"""The small widgets of all pages."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QScrollArea, QStyleOptionButton, QToolTip, QWidget

from memdesk.gui.rich import prose_html
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import Button, IconButton
from memdesk.gui.widgets.copying import copying
from memdesk.gui.widgets.dialog import ConfirmDialog, Dialog
from memdesk.gui.widgets.forms import Combo, Field, SecretEdit, Spin
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import row
from memdesk.gui.widgets.richtext import RichText, selected_text
from memdesk.gui.widgets.share import ShareBar
from memdesk.gui.widgets.switch import Segments


@pytest.fixture
def heights(qtbot, theme):
    """The height of HTML in px."""

    def height(html):
        view = RichText("x")
        qtbot.addWidget(view)
        view.resize(600, 100)
        view.show_html(html)
        return view.height()

    return height


def test_a_list_inside_of_a_list_stands_as_close_as_its_items(heights):
    flat = heights("<ul><li>a</li><li>b</li><li>c</li></ul>")
    assert heights("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>") == flat


def test_a_choice_without_room_is_elided_and_told_in_a_tooltip(qtbot, theme):
    combo = Combo("Agent", [("a", "An assistant with a rather long name"), ("b", "Short")], snug=True)
    qtbot.addWidget(combo)
    combo.resize(90, combo.sizeHint().height())
    combo.show()
    assert combo.shown_text().endswith("…")
    QApplication.sendEvent(combo, QHelpEvent(QEvent.Type.ToolTip, QPoint(5, 5), combo.mapToGlobal(QPoint(5, 5))))
    assert QToolTip.text() == "An assistant with a rather long name"
    QToolTip.hideText()
    combo.set_key("b")
    combo.resize(combo.sizeHint())
    assert combo.shown_text() == "Short"


def test_a_snug_choice_grows_with_what_is_offered(qtbot, theme):
    combo = Combo("Agent", [("a", "Ada")], snug=True)
    qtbot.addWidget(combo)
    before = combo.sizeHint().width()
    combo.set_options([("a", "Ada, who keeps the books"), ("b", "B")])
    assert combo.sizeHint().width() > before


def test_tab_goes_to_the_chosen_segment_however_it_was_chosen(qtbot, theme):
    segments = Segments([("a", "One"), ("b", "Two")], name="Way")
    qtbot.addWidget(segments)
    segments.set_value("b")
    reached = {key: bool(b.focusPolicy() & Qt.FocusPolicy.TabFocus) for key, b in segments._buttons.items()}
    assert reached == {"a": False, "b": True}
    segments.set_label("a", "One 12")
    assert segments._buttons["a"].accessibleName() == "Way: One 12"


def test_a_dialog_begins_where_one_types_and_a_question_at_the_way_out(qtbot, theme):
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    dialog = Dialog(window, "A form")
    name = QLineEdit()
    dialog.body.addWidget(Field("Name", name))
    dialog.set_action("Save", dialog.accept)
    dialog.open()
    assert dialog.focusWidget() is name
    dialog.close()
    asked = ConfirmDialog(window, title="Sure?", text="It goes.", action="Delete", confirmed=lambda _on: None)
    asked.open()
    assert asked.focusWidget() is asked._cancel
    asked.close()


def test_a_dialog_is_as_high_as_its_words_and_no_higher_than_the_window(qtbot, theme):
    window = QWidget()
    window.resize(700, 400)
    qtbot.addWidget(window)
    window.show()
    dialog = Dialog(window, "A question")
    words = Label("A sentence that has room beside itself on one line.", wrap=True)
    dialog.body.addWidget(words)
    dialog.set_action("Save", dialog.accept)
    dialog.open()
    qtbot.waitUntil(lambda: words.height() == words.heightForWidth(words.width()))
    short = dialog.height()
    dialog.body.addWidget(Label("One more.", wrap=True))
    qtbot.waitUntil(lambda: dialog.height() > short)
    for number in range(30):
        dialog.body.addWidget(Label(f"Line {number}"))
    room = dialog.findChild(QScrollArea)
    qtbot.waitUntil(lambda: room.verticalScrollBar().maximum() > 0)
    assert dialog.height() <= window.height()
    assert dialog._accept.geometry().bottom() < dialog.height()
    dialog.close()


def test_a_segment_has_room_for_its_words_in_bold(qtbot, theme):
    segments = Segments([("a", "One"), ("b", "Wiederherstellungscode")], name="Way", value="b")
    qtbot.addWidget(segments)
    segments.show()
    button = segments._buttons["b"]
    bold = QFont(button.font())
    bold.setWeight(QFont.Weight.DemiBold)
    room = button.style().subElementRect(button.style().SubElement.SE_PushButtonContents, _option(button), button)
    assert room.width() >= QFontMetrics(bold).horizontalAdvance(button.text())


def _option(button):
    option = QStyleOptionButton()
    button.initStyleOption(option)
    option.rect = QRect(QPoint(), button.sizeHint())
    return option


def test_the_controls_of_a_line_are_equally_high(qtbot, theme):
    parts = [QLineEdit(), Combo("Kind", [("a", "One")]), Spin(), Button("Go")]
    host = QWidget()
    host.setLayout(row(*parts))
    qtbot.addWidget(host)
    host.show()
    assert len({part.sizeHint().height() for part in parts}) == 1, [part.sizeHint().height() for part in parts]


@pytest.mark.parametrize("variant", ["", "primary", "danger", "danger-solid", "ghost", "link", "chip"])
def test_a_button_that_cannot_be_pressed_looks_so(qtbot, theme, variant):
    button = Button("Forget", variant=variant)
    qtbot.addWidget(button)
    button.show()
    pressable = button.grab().toImage()
    button.setEnabled(False)
    assert button.grab().toImage() != pressable


@pytest.mark.parametrize("tone", ["accent", "warning"])
def test_a_chip_in_color_that_cannot_be_pressed_has_neither_words_nor_icon_in_it(qtbot, theme, tone):
    chip = Button("3 memories", variant="chip", icon_name="brain")
    chip.set_tone(tone)
    host = QFrame()
    host.setProperty("role", "card")
    host.setLayout(row(chip))
    qtbot.addWidget(host)
    host.show()

    def shown():
        image = host.grab().toImage()
        return {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}

    colored = {theme.color(name).rgba() for name in (tone, f"{tone}_soft")}
    assert colored <= shown()
    chip.setEnabled(False)
    assert not colored & shown()


def test_a_share_fills_its_bar_as_far_as_it_goes(qtbot, theme):
    def filled(share):
        bar = ShareBar(share)
        qtbot.addWidget(bar)
        bar.resize(bar.sizeHint())
        image = bar.grab().toImage()
        accent, middle = theme.color("accent").rgba(), round(image.height() / 2)
        return sum(image.pixel(x, middle) == accent for x in range(image.width())) / image.width()

    assert [filled(share) for share in (0.25, 0.75, 1.0)] == pytest.approx([0.25, 0.75, 1.0], abs=0.1)
    assert filled(7.0) == filled(1.0)
    assert filled(-1.0) == filled(0.0)


def test_what_is_read_is_larger_than_what_is_pressed_and_measured_so_before_it_shows(qtbot, theme):
    view = RichText("You said")
    qtbot.addWidget(view)
    view.resize(300, 100)
    view.show_plain("Marta and I want to go to Lisbon in April by train, by way of Lyon and Hendaye.")
    wide, high = view.document().idealWidth(), view.height()
    view.show()
    assert view.font().pixelSize() == theme.text_px("f_l") > theme.text_px()
    assert (view.document().idealWidth(), view.height()) == (wide, high)


def drawn(qtbot, text):
    view = RichText("An answer")
    qtbot.addWidget(view)
    view.resize(400, 100)
    view.show_html(prose_html(text))
    view.show()
    return view


def inked(view, color, columns):
    """Rows of the view in which a color stands in some columns, in device-independent px."""
    image = view.grab().toImage()
    ratio = image.devicePixelRatio()
    wanted = [x for x in columns if 0 <= x * ratio < image.width()]
    return [
        y
        for y in range(view.height())
        if any(image.pixelColor(int(x * ratio), int(y * ratio)) == color for x in wanted)
    ]


def test_a_formula_stands_on_the_line_of_the_words_in_their_color(qtbot, theme):
    view = drawn(qtbot, r"$\int$ is $\frac{a}{b}$ or $M$")
    line = view.document().begin().layout().lineAt(0)
    end = int(line.naturalTextWidth())
    rows = inked(view, theme.color("text"), range(end - 12, end))
    assert abs(max(rows) + 1 - (line.y() + line.ascent())) <= 2


def test_formulas_are_copied_as_they_were_written(qtbot, theme):
    view = drawn(qtbot, "So \U0001f600 $a^2$ and\n\n$$b$$\n\nend")
    view.selectAll()
    assert selected_text(view).rstrip() == "So \U0001f600 $a^2$ and\n$$b$$\nend"
    assert view.createMimeDataFromSelection().text() == selected_text(view)


def test_a_quote_has_a_bar_as_high_as_it_is_and_nested_ones_have_two(qtbot, theme):
    view = drawn(qtbot, "Words.\n\n> One.\n>\n> Two.\n>\n> > Three.\n\nEnd.")
    outer, inner = (inked(view, theme.color("border"), [left]) for left in (1, theme.px(16) + 1))
    assert outer == list(range(outer[0], outer[-1] + 1))
    assert inner[-1] == outer[-1]
    assert inner[0] > outer[0] + 30
    assert outer[0] > 15
    assert outer[-1] < view.height() - 15


@pytest.mark.parametrize("scale", [100, 200])
def test_the_eye_of_a_secret_is_as_large_as_the_text_is(qtbot, qapp, scale):
    theme = Theme(qapp, choice="light", scale=scale)
    secret = SecretEdit()
    qtbot.addWidget(secret)
    secret.resize(theme.px(240), secret.sizeHint().height())
    secret.show()
    eye = secret.findChild(IconButton)
    assert eye.iconSize().height() == theme.px(16)
    assert secret.rect().contains(eye.geometry())
    assert eye.toolTip() == "Show what is typed"
    qtbot.mouseClick(eye, Qt.MouseButton.LeftButton)
    assert not secret.hides
    assert eye.toolTip() == "Hide what is typed"
    secret.offer_eye(on=False)
    assert not eye.isVisible()
    theme.deleteLater()


def test_segments_become_a_list_where_they_would_take_more_than_two_lines(qtbot, theme):
    from PySide6.QtWidgets import QComboBox

    names = [(f"k{number}", f"Part number {number}") for number in range(9)]
    segments = Segments(names, name="Part", value="k3")
    qtbot.addWidget(segments)
    told = []
    segments.changed.connect(told.append)
    segments.resize(segments.sizeHint().width(), 60)
    segments.show()
    listed = segments.findChild(QComboBox)
    assert not listed.isVisible()
    segments.resize(segments.sizeHint().width() // 4, 60)
    assert listed.isVisible()
    assert listed.currentText() == "Part number 3"
    segments.set_label("k3", "Part number 3: 12")
    assert listed.currentText() == "Part number 3: 12"
    listed.setCurrentIndex(5)
    listed.activated.emit(5)
    assert told == ["k5"]
    assert segments.value() == "k5"
    segments.resize(segments.sizeHint().width(), 60)
    assert segments._buttons["k5"].isVisible()


def test_what_stands_for_nothing_leaves_its_picture_out_where_its_words_need_the_room(qtbot, theme):
    from memdesk.gui.widgets.labels import Emblem, Label
    from memdesk.gui.widgets.states import EmptyState

    host = QWidget()
    qtbot.addWidget(host)
    words = "Facts are distilled from conversations, or written by you. " * 3
    empty = EmptyState("brain", "No facts", words, parent=host)
    empty.resize(400, 400)
    host.show()
    picture = empty.findChild(Emblem)
    assert picture.isVisible()
    whole = sum(label.heightForWidth(label.width()) for label in empty.findChildren(Label))
    for high in (whole + 20, whole + 40, whole + 60, whole + 80, 400):
        empty.resize(400, high)
        QApplication.sendPostedEvents()
        assert picture.isVisible() == (high > whole + 70)
        assert all(label.height() >= label.heightForWidth(label.width()) for label in empty.findChildren(Label))


@pytest.mark.parametrize("make", [lambda: Button("Copy", icon_name="copy"), lambda: IconButton("copy", "Copy")])
def test_a_button_that_copies_shows_that_it_did(theme, qtbot, make):
    said = ["first"]
    button = copying(make(), lambda: said[-1])
    qtbot.addWidget(button)
    before = button.icon().cacheKey()
    said.append("as it reads now")
    button.click()
    assert QGuiApplication.clipboard().text() == "as it reads now"
    assert button.icon().cacheKey() != before
