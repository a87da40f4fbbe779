"""Draws every page and state of the window, light and dark, at 1x and 2x, and one contact sheet.

``poe screenshots --out DIR``. Each theme and scale is a process of its own, since Qt takes its scale at start.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SIZE = (1320, 860)
VARIANTS = (("light", 1), ("dark", 1), ("light", 2), ("dark", 2))


class Waiter:
    """The two waits of pytest-qt that the window helper needs."""

    @staticmethod
    def wait(ms):
        from PySide6.QtCore import QEventLoop, QTimer

        loop = QEventLoop()
        QTimer.singleShot(ms, loop.quit)
        loop.exec()

    def waitUntil(self, check, timeout=10_000):  # noqa: N802 - pytest-qt's name
        for _ in range(timeout // 20):
            if check():
                return
            self.wait(20)
        raise TimeoutError


class Studio:
    """One window in one look; ``shot`` takes a picture."""

    def __init__(self, out, theme, factor, *, scale=100, size=SIZE):
        from memdesk.gui.app import make_application
        from memdesk.gui.i18n import install
        from memdesk.gui.theme import Theme
        from tests.helpers.window import Guarded, Window

        Guarded.armed = False
        self.out, self.theme, self.factor = out, theme, factor
        self.app = make_application([])
        install(self.app, "en")
        self.look = Theme(self.app, choice=theme, scale=scale)
        self.scratch = tempfile.TemporaryDirectory()
        self.desk = Window(Path(self.scratch.name), Waiter(), theme=theme, scale=scale, size=size)

    def shot(self, name, widget=None):
        self.desk.qtbot.wait(60)
        picture = (widget or self.desk.window).grab()
        picture.save(str(self.out / f"{name}-{self.theme}-{self.factor}x.png"))

    def settle(self, extra=0):
        self.desk.settle(30_000)
        if extra:
            self.desk.qtbot.wait(extra)
            self.desk.settle(30_000)

    def close(self):
        self.desk.close()
        self.look.deleteLater()
        self.desk.qtbot.wait(10)
        self.scratch.cleanup()


def first_start(out, theme, factor):
    """The four steps."""
    studio = Studio(out, theme, factor)
    studio.desk.show()
    wizard = studio.desk.face
    for name in ("code", "model", "name", "import"):
        studio.settle()
        studio.shot(f"first-start-{name}")
        wizard.go_on()
    studio.close()


def pages(out, theme, factor):
    """Every page over the demo profile, and the states that matter."""
    from memdesk.services.events import DistillationFinished, Notice
    from tests.helpers.demo import fill

    studio = Studio(out, theme, factor)
    desk = studio.desk
    desk.create()
    talks, facts = fill(desk.app)
    desk.show()
    studio.settle(300)
    studio.shot("chat-new")
    chat = desk.page("chat", agent_id="default", conversation_id="demo-0")
    receipt = _receipt(desk, talks, facts)
    desk.window.navigate("chat", new=True)
    chat = desk.page("chat", agent_id="default", conversation_id="demo-0")
    studio.settle(300)
    studio.shot("chat")
    desk.real.events.publish(
        DistillationFinished("default", "demo-0", "distilled", None, (facts[1].id, facts[2].id), (), 1)
    )
    chat.show_receipt(receipt.id)
    studio.settle(300)
    studio.shot("chat-receipt")
    last = chat.messages.last_assistant()
    last._notes[0].button.click()
    studio.settle(200)
    studio.shot("chat-learned")
    chat.learned.shut()
    desk.page("chat", new=True, temporary=True)
    studio.shot("chat-temporary")
    for tab in ("identity", "facts", "episodes", "transcript", "entities", "review", "activity", "preview"):
        desk.page("memory", tab=tab)
        studio.settle(400)
        studio.shot(f"memory-{tab}")
    desk.page("memory", fact_id=facts[1].id)
    studio.settle(400)
    studio.shot("memory-fact")
    ada = next(e for e in desk.real.memories.entities(agent_id="default").items if e.name == "Ada")
    desk.page("memory", entity_id=ada.id)
    studio.settle(400)
    studio.shot("memory-person")
    desk.page("consolidation", preview=True)
    studio.settle(700)
    studio.shot("consolidation-preview")
    desk.window.host.page("consolidation")._back()
    for page in ("consolidation", "agents", "models", "diagnostics", "settings"):
        desk.page(page)
        studio.settle(700)
        studio.shot(page)
    desk.window.commands.run("app.palette")
    studio.settle(200)
    palette = next(w for w in desk.window.children() if type(w).__name__ == "Palette")
    palette.field.setText("mar")
    studio.settle(500)
    studio.shot("palette", palette)
    palette.close()
    for notice in (
        Notice(
            "error",
            "The model engine failed",
            "The engine stopped while it answered.",
            "It restarts by itself; try again.",
        ),
        Notice("success", "Forgotten", "3 entries are gone."),
    ):
        desk.real.events.publish(notice)
    desk.page("agents")
    studio.settle(200)
    studio.shot("notices")
    desk.session.lock()
    studio.settle(200)
    studio.shot("locked")
    studio.close()


def large_text(out, theme, factor):
    """The busiest pages at 200 % text."""
    from tests.helpers.demo import fill

    studio = Studio(out, theme, factor, scale=200)
    desk = studio.desk
    desk.create()
    fill(desk.app)
    desk.show()
    desk.page("chat", agent_id="default", conversation_id="demo-0")
    studio.settle(300)
    studio.shot("large-chat")
    desk.page("memory", tab="facts")
    studio.settle(400)
    studio.shot("large-memory")
    desk.page("settings")
    studio.settle(400)
    studio.shot("large-settings")
    desk.page("agents")
    studio.settle(400)
    studio.shot("large-agents")
    studio.close()


def _receipt(desk, talks, facts):
    from dataclasses import replace

    from memdesk.domain.models import Receipt, ReceiptItem, new_id

    agent, talk, when, turns = talks[0]
    answer = next(turn for turn in turns if turn.role == "assistant")
    items = tuple(
        ReceiptItem(
            kind="fact",
            id=fact.id,
            line=f"- {fact.content}",
            score=score,
            tokens=11,
            date=fact.created_at,
            conversation_id=fact.conversation_id,
            quote=fact.sources[0].quote,
        )
        for fact, score in ((facts[1], 0.82), (facts[2], 0.57), (facts[0], 0.49))
    )
    out = ReceiptItem(
        kind="fact", id=facts[8].id, line=f"- {facts[8].content}", score=0.08, tokens=10, left_out="noise"
    )
    receipt = Receipt(
        id=new_id(),
        agent_id=agent,
        query=turns[0].content,
        section="pinned",
        rule="entity",
        tokens=46,
        budget_tokens=800,
        block="",
        items=items,
        left_out=(out,),
        conversation_id=talk,
        turn_id=answer.id,
        elapsed_ms=7.2,
        created_at=when,
    )

    def work(repos):
        repos.receipts.put(receipt)
        repos.turns.set_receipt(answer.id, receipt.id)

    desk.real.memories._store.write(work)
    return replace(receipt)


SETS = {"first": first_start, "pages": pages, "large": large_text}


def contact_sheet(out):
    """Join the 1x pictures into one, small, with their names."""
    from PySide6.QtCore import QRect, Qt
    from PySide6.QtGui import QColor, QFont, QImage, QPainter

    from memdesk.gui.app import make_application

    app = make_application([])
    names = sorted(p for p in out.glob("*-1x.png") if not p.name.startswith("contact"))
    across, wide, high, head = 6, 440, 300, 22
    rows = -(-len(names) // across)
    sheet = QImage(across * wide, rows * high, QImage.Format.Format_RGB32)
    sheet.fill(QColor("#808890"))
    painter = QPainter(sheet)
    painter.setFont(QFont("sans", 9))
    for number, path in enumerate(names):
        x, y = number % across * wide, number // across * high
        image = QImage(str(path)).scaled(
            wide - 12, high - head - 8, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        painter.drawImage(x + 6, y + head, image)
        painter.setPen(QColor("white"))
        painter.drawText(QRect(x + 6, y, wide - 12, head), int(Qt.AlignmentFlag.AlignVCenter), path.stem)
    painter.end()
    sheet.save(str(out / "contact-sheet.png"))
    del app


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", choices=SETS, action="append")
    parser.add_argument("--theme", choices=("light", "dark"))
    parser.add_argument("--factor", type=int, choices=(1, 2))
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if options.one:
        SETS[options.only[0]](out, options.theme, options.factor)
        return
    for theme, factor in VARIANTS:
        if options.theme not in {None, theme} or options.factor not in {None, factor}:
            continue
        for name in options.only or SETS:
            environment = {**os.environ, "QT_SCALE_FACTOR": str(factor)}
            command = [sys.executable, "-m", "tests.helpers.screenshots", "--out", str(out), "--one", "--only", name]
            subprocess.run([*command, "--theme", theme, "--factor", str(factor)], check=True, env=environment)
    contact_sheet(out)
    sys.stdout.write(f"{len(list(out.glob('*.png')))} pictures in {out}\n")


if __name__ == "__main__":
    main()
