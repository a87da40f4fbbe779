"""Progress of the first start, kept in the window's state; contains no user data.

Separate from the steps, since every later start checks it without needing the steps' imports.
"""

from PySide6.QtCore import QSettings

from memdesk.gui.pages import PageContext

#: How many steps there are.
COUNT = 4
_KEY = "firststart/step"


def place(context: PageContext) -> int | None:
    """Return the number of the next step, :data:`COUNT` after the last; None before a first start."""
    value = _state(context).value(_KEY)
    return None if value is None else int(str(value))


def keep(context: PageContext, number: int) -> None:
    """Store the next step."""
    state = _state(context)
    state.setValue(_KEY, number)
    state.sync()


def unfinished(context: PageContext) -> bool:
    """Whether a first start was begun but neither finished nor skipped."""
    number = place(context)
    return number is not None and number < COUNT


def finish(context: PageContext) -> None:
    """Count a first start as finished: a restored memory needs none."""
    keep(context, COUNT)


def _state(context: PageContext) -> QSettings:
    return QSettings(str(context.controls.config_folder / "window.ini"), QSettings.Format.IniFormat)
