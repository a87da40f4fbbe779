"""The window set up for screenshots: a demo profile, a queue-fed model, both themes of each state."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

SIZE = (1320, 860)


class Waiter:
    """The two waits of pytest-qt that the window helper needs."""

    @staticmethod
    def wait(ms):
        from PySide6.QtCore import QEventLoop, QTimer

        loop = QEventLoop()
        QTimer.singleShot(ms, loop.quit)
        loop.exec()

    def waitUntil(self, check, timeout=120_000):  # noqa: N802 - pytest-qt's name
        for _ in range(timeout // 20):
            if check():
                return
            self.wait(20)
        raise TimeoutError


class Studio:
    """One window; ``shot`` takes a picture of it in every theme asked for."""

    def __init__(self, out, themes, factor, *, scale=100, size=SIZE, language="en", mark=""):
        from PySide6.QtGui import QCursor

        from memdesk.engines.catalogue import Catalogue
        from memdesk.gui.app import make_application
        from memdesk.gui.i18n import install
        from memdesk.gui.theme import Theme
        from tests.helpers.models import QueueModel
        from tests.helpers.window import Guarded, Window

        Guarded.armed = False
        self.model = QueueModel("bundled:smollm2-135m", default="All right, noted.", context=4096)
        setattr(Catalogue, "open", lambda _catalogue, _model_id: self.model)  # noqa: B010 (a method, as mypy sees it)
        self.out, self.themes, self.factor, self.scale, self.mark = out, themes, factor, scale, mark
        self.app = make_application([])
        install(self.app, language)
        # Away from the window, or the button below it looks hovered.
        QCursor.setPos(4000, 4000)
        self.look = Theme(self.app, choice=themes[0], scale=scale)
        self.scratch = tempfile.TemporaryDirectory()
        # Nobody's own programs are in a picture, nor changed by one.
        os.environ["HOME"] = self.scratch.name
        self.desk = Window(Path(self.scratch.name), Waiter(), theme=themes[0], scale=scale, size=size)
        self.desk.real.settings.update("appearance", {"language": language})
        # The demo has no embedding model; said so, its search by words alone is no fault.
        self.desk.real.settings.update("memory", {"embedding_backend": "none"})

    def filled(self):
        """Open the window over the demo profile and return its conversations and facts."""
        from tests.helpers.demo import fill

        self.desk.create()
        made = fill(self.desk.app)
        self.desk.show()
        self.settle(300)
        return made

    def page(self, name, *, wait=300, **arguments):
        """Show a page and let it come to rest."""
        shown = self.desk.page(name, **arguments)
        self.settle(wait)
        return shown

    def shot(self, name):
        """Take the window as it is, dialogs on top."""
        # The theme that is on comes first: to restyle the window is most of what a picture costs.
        for theme in sorted(self.themes, key=lambda theme: theme != self.look.mode):
            self.look.set_choice(theme, self.scale)
            self.desk.qtbot.wait(80)
            picture = self.desk.window.grab()
            self._put_dialog(picture)
            picture.save(str(self.out / f"{self.mark}{name}-{theme}-{self.factor}x.png"), "PNG")

    def _put_dialog(self, picture):
        from PySide6.QtCore import QPoint
        from PySide6.QtGui import QColor, QPainter
        from PySide6.QtWidgets import QApplication

        dialog = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if dialog is None:
            return
        window = self.desk.window
        top = dialog.y() - window.y() if dialog.y() > window.y() else (window.height() - dialog.height()) // 2
        corner = QPoint((window.width() - dialog.width()) // 2, top)
        painter = QPainter(picture)
        painter.fillRect(window.rect(), QColor(0, 0, 0, 70))
        painter.drawPixmap(corner, dialog.grab())
        painter.setPen(self.look.color("border_strong"))
        painter.drawRect(corner.x(), corner.y(), dialog.width() - 1, dialog.height() - 1)
        painter.end()

    def shut(self):
        """Close the dialog that is open."""
        from PySide6.QtWidgets import QApplication

        dialog = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        assert dialog is not None
        dialog.close()
        self.settle()

    def settle(self, extra=0):
        self.desk.settle()
        if extra:
            self.desk.qtbot.wait(extra)
            self.desk.settle()

    def close(self):
        self.desk.close()
        self.look.deleteLater()
        self.desk.qtbot.wait(10)
        self.scratch.cleanup()
