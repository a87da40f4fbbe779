"""The icon of the built programs."""

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImageReader

SCRIPT = Path(__file__).resolve().parents[3] / "packaging" / "mark.py"


@pytest.mark.parametrize("ending", ["png", "ico", "icns"])
def test_the_mark_is_drawn_as_each_system_wants_it(tmp_path, ending):
    file = tmp_path / "deep" / f"memdesk.{ending}"
    subprocess.run([sys.executable, str(SCRIPT), str(file)], check=True, capture_output=True)
    picture = QImageReader(str(file)).read()
    assert (picture.width(), picture.height()) == (256, 256)
    assert picture.pixelColor(0, 0).alpha() == 0
    assert picture.pixelColor(128, 20).alpha() == 255
