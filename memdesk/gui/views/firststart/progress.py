"""How far the first start has come, kept in the window's own state; it holds nothing of the user's.

Apart from the steps, since every later start asks, and none of those needs what the steps import.
"""

from PySide6.QtCore import QSettings

from memdesk.gui.pages import PageContext

#: How many steps there are.
COUNT = 4
_KEY = "firststart/step"


def place(context: PageContext) -> int | None:
    """Return the number of the step that comes next, :data:`COUNT` after the last; None before a first start."""
    value = _state(context).value(_KEY)
    return None if value is None else int(str(value))


def keep(context: PageContext, number: int) -> None:
    """Keep which step comes next."""
    state = _state(context)
    state.setValue(_KEY, number)
    state.sync()


def unfinished(context: PageContext) -> bool:
    """Whether a first start was begun and neither finished nor skipped."""
    number = place(context)
    return number is not None and number < COUNT


def finish(context: PageContext) -> None:
    """Count a first start as finished: a restored memory needs none."""
    keep(context, COUNT)


def _state(context: PageContext) -> QSettings:
    return QSettings(str(context.controls.config_folder / "window.ini"), QSettings.Format.IniFormat)
