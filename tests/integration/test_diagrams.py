"""Diagrams drawn by Mermaid in its child process: light and dark, faulty, too large, in other scripts, without a network."""

from __future__ import annotations

import psutil
import pytest
from PySide6.QtGui import QColor, QImage

from memdesk.engines.diagrams import MOST_CHARS, MermaidDrawer
from memdesk.errors import BadRequestError, EngineTimeoutError
from memdesk.ports import DiagramColors
from memdesk.runtime.lanes import ThreadLanes
from memdesk.runtime.pool import WorkerPool

LIGHT = DiagramColors(
    dark=False, background="#f1f3f5", raised="#e3e7ea", text="#1a2025", line="#55606a", border="#b9c1c8",
    hues=("#0b736e", "#1f5fa8"),
)  # fmt: skip
DARK = DiagramColors(
    dark=True, background="#14181c", raised="#272e35", text="#e7ebee", line="#a5b0b9", border="#4a5560",
    hues=("#4cc2b8", "#8fc1ff"),
)  # fmt: skip
KINDS = {
    "flowchart": "flowchart TD\n A[Begin] --> B{Known?}\n B -->|yes| C[Update]\n B -->|no| D[Add]",
    "sequence": "sequenceDiagram\n Ada->>Memory: where?\n Memory-->>Ada: Lisbon",
    "entities": "erDiagram\n CUSTOMER ||--o{ ORDER : places",
    "mind map": "mindmap\n root((garden))\n  roses\n  herbs\n   mint",
    "pie": 'pie title Pets\n "Dogs" : 3\n "Cats" : 5',
}


@pytest.fixture
def workers():
    lanes = ThreadLanes()
    pool = WorkerPool(lanes)
    yield pool
    pool.close()
    lanes.close()


@pytest.fixture
def drawer(workers):
    return MermaidDrawer(workers)


def picture(drawn):
    image = QImage.fromData(drawn.png)
    assert not image.isNull()
    return image


def lightness(image):
    return [
        QColor(image.pixel(x, y)).lightness() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)
    ]


def test_each_kind_is_drawn_in_light_and_dark(drawer):
    for kind, source in KINDS.items():
        light, dark = (picture(drawer.draw(source, colors)) for colors in (LIGHT, DARK))
        assert light.size() == dark.size(), kind
        assert light.pixelColor(0, 0).name() == LIGHT.background, kind
        assert dark.pixelColor(0, 0).name() == DARK.background, kind
        # words are there, in the color of words: dark on light, light on dark
        assert min(lightness(light)) < QColor(LIGHT.text).lightness() + 25, kind
        assert max(lightness(dark)) > QColor(DARK.text).lightness() - 25, kind


def test_what_cannot_be_drawn_is_refused_in_a_line_and_the_next_is_drawn(drawer):
    with pytest.raises(BadRequestError, match="Mermaid says: Parse error on line 2") as fault:
        drawer.draw("flowchart TD\n A[--> B{", LIGHT)
    assert "\n" not in fault.value.message
    assert picture(drawer.draw("flowchart LR\n A --> B", LIGHT)).width() > 50

    # what a picture in it would be fetched from is asked nothing
    for foreign in (
        'A@{ img: "http://127.0.0.1:9/x.png", label: "x" }',
        "A[<img src='http://127.0.0.1:9/y.png'> told]",
    ):
        with pytest.raises(BadRequestError, match="Mermaid says"):
            drawer.draw(f"flowchart LR\n {foreign} --> B", LIGHT)
    # letters that the font lacks are no blank boxes, and emoji are named
    with pytest.raises(BadRequestError, match="no “の”"):
        drawer.draw("flowchart LR\n A[日本語のラベル] --> B", LIGHT)
    drawn = drawer.draw("flowchart LR\n A[Größe \U0001f680\ufe0f] --> B[Привет]", LIGHT)
    assert drawn.left_out == "\U0001f680"
    with pytest.raises(BadRequestError, match="too long"):
        drawer.draw("flowchart LR\n" + "A --> B\n" * MOST_CHARS, LIGHT)


@pytest.mark.expect_log
def test_one_that_takes_too_long_is_ended_with_its_process(workers):
    hurried = MermaidDrawer(workers, draw_seconds=0.3)
    crowd = "flowchart TD\n" + "\n".join(f" n{n} --> n{n * 7 % 60}" for n in range(200))
    with pytest.raises(EngineTimeoutError):
        hurried.draw(crowd, LIGHT)


def test_the_process_ends_with_the_app_and_has_no_connection(workers, drawer):
    drawer.draw("flowchart LR\n A --> B", LIGHT)
    child = psutil.Process(workers._workers[0].state().pid)
    assert not child.net_connections()
    workers.close()
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_the_process_refuses_to_open_a_connection():
    import subprocess
    import sys

    code = (
        "from memdesk.engines.diagram_worker import DiagramWorker\n"
        "import socket\n"
        "DiagramWorker({})\n"
        "try:\n    socket.create_connection(('127.0.0.1', 9), 1)\n"
        "except PermissionError as error:\n    print('refused', error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=240)
    assert done.stdout.startswith("refused socket.")
