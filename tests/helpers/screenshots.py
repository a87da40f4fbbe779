"""Draws every page and state of the window, light and dark, at 1x and 2x, and one contact sheet.

``poe screenshots --out DIR``. Each scene and scale is a process of its own, since Qt takes its scale at start.
Windows of other sizes, text sizes and languages are drawn at 1x alone.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from tests.helpers.scenes import SCENES
from tests.helpers.studio import Studio

THEMES = ("light", "dark")
#: Scenes that are drawn at 2x as well.
SHARP = ("first", "chat", "memory", "work", "shell", "dialogs")


def play(out, scene, factor, themes):
    """Draw one scene in this process."""
    act, options = SCENES[scene]
    studio = Studio(out, themes, factor, **options)
    try:
        act(studio)
    finally:
        studio.close()


def contact_sheet(out):
    """Join the 1x pictures into one, small, with their names."""
    from PySide6.QtCore import QRect, Qt
    from PySide6.QtGui import QColor, QFont, QImage, QPainter

    from memdesk.gui.app import make_application

    app = make_application([])
    names = sorted(out.glob("*-1x.png"))
    across, wide, high, head = 8, 330, 238, 18
    rows = -(-len(names) // across)
    sheet = QImage(across * wide, rows * high, QImage.Format.Format_RGB32)
    sheet.fill(QColor("#808890"))
    painter = QPainter(sheet)
    painter.setFont(QFont("sans", 8))
    for number, path in enumerate(names):
        x, y = number % across * wide, number // across * high
        image = QImage(str(path)).scaled(
            wide - 10, high - head - 6, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        painter.drawImage(x + 5, y + head, image)
        painter.setPen(QColor("white"))
        painter.drawText(QRect(x + 5, y, wide - 10, head), int(Qt.AlignmentFlag.AlignVCenter), path.stem)
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
    for factor in (1, 2) if options.factor is None else (options.factor,):
        for name in options.only or SCENES:
            if factor == 2 and name not in SHARP and not options.only:
                continue
            environment = {**os.environ, "QT_SCALE_FACTOR": str(factor)}
            command = [sys.executable, "-m", "tests.helpers.screenshots", "--out", str(out), "--one", "--only", name]
            looks = [part for theme in themes for part in ("--theme", theme)]
            subprocess.run([*command, *looks, "--factor", str(factor)], check=True, env=environment)
    contact_sheet(out)
    sys.stdout.write(f"{len(list(out.glob('*.png')))} pictures in {out}\n")


if __name__ == "__main__":
    main()
