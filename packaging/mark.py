"""Draws the app's mark into a .png, .ico (Windows) or .icns (macOS) file: python packaging/mark.py FILE."""

from __future__ import annotations

import os
import sys
from pathlib import Path

#: The largest that an .ico may hold, in pixels; systems scale it down.
SIDE = 256


def draw(path: Path) -> str:
    """Draw the mark, in the format that the file's ending names, and return the file's name.

    Raises:
        OSError: it could not be written.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from memdesk.gui.icons import mark
    from memdesk.gui.theme import Theme

    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    Theme(app, choice="light")
    path.parent.mkdir(parents=True, exist_ok=True)
    if not mark(SIDE).save(str(path)):
        raise OSError(f"{path} could not be written")
    return str(path)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(draw(Path(sys.argv[1])))
