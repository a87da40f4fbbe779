"""Draws every page and state of the window, light and dark, at 1x and 2x, and one contact sheet.

``poe screenshots --out DIR``. Each scene and scale runs in its own process, since Qt sets its scale at start;
as many run at once as there are cores. Windows of other sizes, text sizes and languages are drawn at 1x alone.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.helpers.scenes import SCENES
from tests.helpers.studio import Studio

THEMES = ("light", "dark")
#: Scenes that are drawn at 2x as well.
SHARP = ("readme", "first", "chat", "memory", "work", "shell", "dialogs")


def play(out, scene, factor, themes):
    """Draw one scene in this process."""
    act, options = SCENES[scene]
    studio = Studio(out, themes, factor, **options)
    try:
        act(studio)
    finally:
        studio.close()


def play_apart(out, scene, factor, themes):
    """Draw one scene in a process of its own; return its exit code."""
    command = [sys.executable, "-m", "tests.helpers.screenshots", "--out", str(out), "--one", "--only", scene]
    looks = [part for theme in themes for part in ("--theme", theme)]
    environment = {**os.environ, "QT_SCALE_FACTOR": str(factor)}
    return subprocess.run([*command, *looks, "--factor", str(factor)], check=False, env=environment).returncode


#: What the sheet shows, in this order: the first part of a picture's name and a heading.
GROUPS = (
    ("readme", "For the README"),
    ("chat", "Chat"),
    ("memory", "Memory"),
    ("consolidation", "Consolidation"),
    ("agents", "Agents"),
    ("models", "Models"),
    ("diagnostics", "Diagnostics"),
    ("settings", "Settings"),
    ("first", "First start"),
    ("empty", "Nothing there yet"),
    ("dialog", "Dialogs"),
    ("", "Palette, notices, lock"),
    ("narrow", "A small window"),
    ("wide", "A large window"),
    ("large", "Text at 200 %"),
    ("german-large", "German, text at 200 %"),
    ("german", "German"),
)
ACROSS, CELL, HEAD, GAP = 8, (360, 236), 46, 10


def group_of(name):
    """Return the place of a picture's group."""
    known = sorted((key for key, _title in GROUPS if key and name.startswith(key)), key=len)
    return next(place for place, (key, _title) in enumerate(GROUPS) if key == (known[-1] if known else ""))


def contact_sheet(out):
    """Join the 1x pictures into one, small: by part of the app, each state in light and dark side by side."""
    from PySide6.QtCore import QPoint, QRect, Qt
    from PySide6.QtGui import QColor, QFont, QImage, QPainter

    from memdesk.gui.app import make_application

    app = make_application([])
    groups: list[list[Path]] = [[] for _ in GROUPS]
    for path in sorted(out.glob("*-1x.png"), key=lambda p: p.stem.replace("-dark-1x", "2").replace("-light-1x", "1")):
        groups[group_of(path.stem)].append(path)
    wide, high = CELL
    heights = [HEAD + -(-len(paths) // ACROSS) * high if paths else 0 for paths in groups]
    sheet = QImage(ACROSS * wide + GAP, sum(heights) + GAP, QImage.Format.Format_RGB32)
    sheet.fill(QColor("#8A939B"))
    painter = QPainter(sheet)
    small, large = QFont(app.font()), QFont(app.font())
    small.setPixelSize(12)
    large.setPixelSize(20)
    large.setWeight(QFont.Weight.DemiBold)
    painter.setPen(QColor("white"))
    top = 0
    for (_key, title), paths, height in zip(GROUPS, groups, heights, strict=True):
        if paths:
            painter.setFont(large)
            painter.drawText(QRect(GAP, top, wide * 2, HEAD), int(Qt.AlignmentFlag.AlignVCenter), title)
        painter.setFont(small)
        for number, path in enumerate(paths):
            x, y = GAP + number % ACROSS * wide, top + HEAD + number // ACROSS * high
            room = QRect(x, y, wide - GAP, high - GAP - 18)
            picture = QImage(str(path)).scaled(
                room.size(), Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
            painter.drawImage(QPoint(x, y), picture)
            words = painter.fontMetrics().elidedText(
                path.stem.removesuffix("-1x"), Qt.TextElideMode.ElideMiddle, room.width()
            )
            painter.drawText(QRect(x, room.bottom(), room.width(), 20), int(Qt.AlignmentFlag.AlignVCenter), words)
        top += height
    painter.end()
    sheet.save(str(out / "contact-sheet.png"))
    del app


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", choices=SCENES, action="append")
    parser.add_argument("--theme", choices=THEMES, action="append")
    parser.add_argument("--factor", type=int, choices=(1, 2))
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    themes = tuple(options.theme or THEMES)
    if options.one:
        play(out, options.only[0], options.factor, themes)
        return
    factors = (1, 2) if options.factor is None else (options.factor,)
    names = options.only or SCENES
    wanted = [(name, factor) for factor in factors for name in names if factor == 1 or options.only or name in SHARP]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        codes = list(pool.map(lambda scene: play_apart(out, scene[0], scene[1], themes), wanted))
    contact_sheet(out)
    sys.stdout.write(f"{len(list(out.glob('*.png')))} pictures in {out}\n")
    broken = [f"{name} at {factor}x ({code})" for (name, factor), code in zip(wanted, codes, strict=True) if code]
    if broken:
        sys.exit(f"not drawn to the end, by exit code: {', '.join(broken)}")


if __name__ == "__main__":
    main()
