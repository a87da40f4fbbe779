"""The notices of this session, for rereading."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from memdesk.gui.notices import Kept, Notices
from memdesk.gui.widgets.dialog import Dialog
from memdesk.gui.widgets.labels import IconLabel, Label
from memdesk.gui.widgets.layout import column, line, row
from memdesk.gui.widgets.notice import ICONS
from memdesk.gui.words import clock


class NoticeList(Dialog):
    """Newest first; reading them here clears the bell's mark."""

    def __init__(self, notices: Notices, parent: QWidget) -> None:
        super().__init__(parent, "")
        title = self.tr("Notices")
        self.setWindowTitle(title)
        self.heading.setText(title)
        self._notices = notices
        notices.see()
        if not notices.kept:
            self.body.addWidget(Label(self.tr("None in this session."), "muted"))
        for place, kept in enumerate(reversed(notices.kept)):
            if place:
                self.body.addWidget(line())
            self.body.addWidget(_Line(kept))
        self.set_cancel(self.tr("Close"))
        clear = self.set_action(self.tr("Clear"), self._clear, "ghost")
        clear.setEnabled(bool(notices.kept))
        clear.setDefault(False)

    def _clear(self) -> None:
        self._notices.forget()
        self.accept()


class _Line(QWidget):
    """Time, message and hint."""

    def __init__(self, kept: Kept) -> None:
        super().__init__()
        notice = kept.notice
        name, tint = ICONS[notice.level]
        when = clock(kept.at)
        self.setAccessibleName(" ".join(part for part in (when, notice.title, notice.message, notice.hint) if part))
        words = column(row(Label(notice.title, "strong", wrap=True)), gap=2)
        for text in (notice.message, notice.hint):
            if text:
                words.addWidget(Label(text, "muted", wrap=True, selectable=True))
        box = row(gap=10)
        box.addWidget(IconLabel(name, tint), 0, Qt.AlignmentFlag.AlignTop)
        box.addLayout(words, 1)
        box.addWidget(Label(when, "small"), 0, Qt.AlignmentFlag.AlignTop)
        self.setLayout(box)
