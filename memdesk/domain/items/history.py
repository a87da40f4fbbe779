"""The history of an item, in the terms of the Python library."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Event = Literal["ADD", "UPDATE", "DELETE", "NONE"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRecord:
    """One change of one item. The record outlives the item, until everything is reset.

    Attributes:
        event: what was done; NONE is never recorded.
        old_value: the text before, None for ADD.
        new_value: the text after, None for DELETE.
        is_deleted: whether the item was gone afterwards.
    """

    id: str
    memory_id: str
    event: Event
    old_value: str | None
    new_value: str | None
    at: datetime
    is_deleted: bool = False
