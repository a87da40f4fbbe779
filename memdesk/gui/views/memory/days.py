"""Days: a field for one, and the ages that lists are filtered by."""

from datetime import UTC, date, datetime, time, timedelta

from PySide6.QtCore import QDate, QLocale, Signal
from PySide6.QtWidgets import QLineEdit

from memdesk.domain.language.zones import in_zone
from memdesk.gui.text import tr
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import set_property
from memdesk.gui.words import day


class DayEdit(QLineEdit):
    """One day, or none if empty; accepts the app's date format, the system's and ISO 8601.

    ``turned``: another day, or none, was entered and the focus left.
    """

    turned = Signal()

    def __init__(self, name: str, when: datetime | None = None) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setPlaceholderText(self.tr("e.g. {day}").format(day=day(datetime(2026, 7, 25, tzinfo=UTC))))
        self.setMinimumWidth(Theme.current().px(130))
        if when is not None:
            self.setText(day(when))
        self._told = self.text()
        self.editingFinished.connect(self._finished)
        self.textEdited.connect(lambda _text: set_property(self, "invalid", value=False))

    def value(self) -> date | None:
        """Return the day; None if empty.

        Raises:
            ValueError: the input is not a day; the message says so, and the field is marked.
        """
        text = self.text().strip()
        if not text:
            return None
        found = read_day(text)
        set_property(self, "invalid", found is None)
        if found is None:
            raise ValueError(self.tr("“{text}” is not a day.").format(text=text))
        return found

    def _finished(self) -> None:
        if self.text() != self._told:
            self._told = self.text()
            self.turned.emit()


def read_day(text: str) -> date | None:
    """Return the day that a text names; None if it names none."""
    locale = QLocale()
    ways = (tr("d MMM yyyy", "pattern of a date"), "d MMMM yyyy", "yyyy-MM-dd", "d.M.yyyy")
    formats = (*ways, locale.dateFormat(QLocale.FormatType.ShortFormat), locale.dateFormat())
    found = (locale.toDate(text, way) for way in formats)
    first = next((each for each in found if each.isValid()), QDate())
    return date(first.year(), first.month(), first.day()) if first.isValid() else None


def start_of(value: date) -> datetime:
    """Return the start of a day in the user's timezone, in UTC."""
    return in_zone(datetime.combine(value, time())).astimezone(UTC)


def ages() -> list[tuple[str, str]]:
    """Return the ages that lists are filtered by, by key, starting with none."""
    return [("", tr("Any time")), ("7", tr("Last 7 days")), ("30", tr("Last 30 days")), ("365", tr("Last year"))]


def since(age: str, now: datetime) -> datetime | None:
    """Return the start of an age of :func:`ages`; None for any time."""
    return now - timedelta(days=int(age)) if age else None
