"""Dataclasses as rows, and back: one mapping of columns to fields for both directions."""

from collections.abc import Callable
from typing import Any, Final, Generic, NamedTuple, TypeVar

from memdesk.messages import recalled, stored
from memdesk.storage.queries import Row
from memdesk.storage.values import clean, from_json, from_ms, from_ms_or_none, to_json, to_ms, to_ms_or_none

T = TypeVar("T")


class Form(NamedTuple):
    """How to read a field from its column and write it."""

    read: Callable[[Any], Any]
    write: Callable[[Any], Any]


def _same(value: Any) -> Any:
    return value


TEXT: Final = Form(_same, clean)
FLAG: Final = Form(bool, int)
MOMENT: Final = Form(from_ms, to_ms)
MOMENT_OR_NONE: Final = Form(from_ms_or_none, to_ms_or_none)
JSON: Final = Form(from_json, lambda value: clean(to_json(value)))
JSON_OR_NONE: Final = Form(
    lambda text: None if text is None else from_json(text),
    lambda value: None if value is None else clean(to_json(value)),
)
#: A service's message, as a code with values.
MESSAGE: Final = Form(recalled, lambda message: clean(stored(message)))


class Columns(Generic[T]):
    """A dataclass and the columns that hold its fields.

    Args:
        made: the dataclass to create.
        columns: the fields in the order of the columns, separated by spaces; ``-`` skips a column. Trailing columns are
            left out.
        forms: of fields that need conversion.
    """

    def __init__(self, made: type[T], columns: str, **forms: Form) -> None:
        self._made = made
        self._fields = [(place, name, forms.get(name)) for place, name in enumerate(columns.split()) if name != "-"]

    def of(self, row: Row, **others: Any) -> T:
        """Return the object of a row; ``others`` are fields from other rows."""
        found = {name: row[at] if form is None else form.read(row[at]) for at, name, form in self._fields}
        return self._made(**found, **others)

    def all(self, rows: list[Row]) -> list[T]:
        return [self.of(row) for row in rows]

    def values(self, one: T) -> dict[str, Any]:
        """Return the placeholders for writing it, by field."""
        plain = ((name, form, getattr(one, name)) for _, name, form in self._fields)
        return {name: value if form is None else form.write(value) for name, form, value in plain}
