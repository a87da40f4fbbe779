from __future__ import annotations

import re
import subprocess
import sys

import pytest

from memdesk.gui.theme import Theme, tokens
from memdesk.settings.resources import resources_root


def _luminance(color):
    def channel(value):
        value /= 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    red, green, blue = (int(color[n : n + 2], 16) for n in (1, 3, 5))
    return 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue)


def contrast(one, other):
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


PAIRS = [
    *((text, ground) for text in ("text", "muted", "faint") for ground in ("window", "surface", "sidebar", "raised")),
    *(("text", ground) for ground in ("hover", "accent_soft", "selection", "code", "warning_soft", "danger_soft")),
    *(("muted", ground) for ground in ("hover", "accent_soft")),
    *(("accent", ground) for ground in ("window", "surface", "sidebar", "accent_soft")),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
    *((tone, f"{tone}_soft") for tone in ("danger", "warning", "success")),
    *((tone, ground) for tone in ("danger", "warning", "success") for ground in ("surface", "window")),
    ("surface", "danger"),
    *((f"syntax_{kind}", "code") for kind in ("keyword", "string", "comment", "number", "name")),
]


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_can_be_read(mode, text, ground):
    colors = tokens(mode)
    assert contrast(colors[text], colors[ground]) >= 4.5


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("ground", ["window", "surface", "raised"])
@pytest.mark.parametrize("edge", ["control", "faint", "accent", "danger"])
def test_edges_of_controls_and_rings_of_focus_are_seen(mode, ground, edge):
    colors = tokens(mode)
    assert contrast(colors[edge], colors[ground]) >= 3


def test_both_modes_name_the_same_tokens():
    assert tokens("light").keys() == tokens("dark").keys()


def test_glyphs_use_the_tokens():
    for mode in ("light", "dark"):
        for path in (resources_root() / "styles" / "glyphs").glob(f"{mode}-*.svg"):
            used = {c.lower() for c in re.findall(r"#[0-9A-Fa-f]{6}", path.read_text())}
            assert used <= {c.lower() for c in tokens(mode).values()}, path.name


@pytest.mark.parametrize("scale", [80, 100, 150, 200])
def test_lengths_follow_the_text_size(qapp, scale):
    theme = Theme(qapp, choice="dark", scale=scale)
    assert theme.text_px() == pytest.approx(13 * scale / 100, abs=2)
    assert "$" not in theme.style_sheet()
    assert theme.mode == "dark"
    theme.deleteLater()


def test_a_change_is_told_once_and_only_when_it_is_one(qapp, theme, qtbot):
    with qtbot.waitSignal(theme.changed):
        theme.set_choice("dark", 120)
    with qtbot.assertNotEmitted(theme.changed):
        theme.set_choice("dark", 120)


#: Widgets that nothing holds any more but themselves, and some that make work for the collector when they hear of a style.
RESTYLED = """
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from memdesk.gui.theme import Theme

class Busy(QWidget):
    def changeEvent(self, event):
        made = [[] for _ in range(2000)]
        super().changeEvent(event)

app = QApplication([])
theme = Theme(app, choice="light")
busy = [Busy() for _ in range(20)]
for one in busy:
    one.ensurePolished()
for choice in ("dark", "light", "dark"):
    for _ in range(200):
        lost = QLabel("lost")
        lost.itself = lost
        lost.ensurePolished()
        del lost
    theme.set_choice(choice, 100)
"""


def test_widgets_that_are_lost_while_the_look_changes_do_not_end_the_process():
    subprocess.run([sys.executable, "-c", RESTYLED], check=True, timeout=60)
