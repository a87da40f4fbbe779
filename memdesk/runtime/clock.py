"""The only source of time."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo


class SystemClock:
    """The machine's clock and the user's timezone.

    Args:
        zone: timezone of words and dates that a person reads; None follows the system.
    """

    def __init__(self, zone: tzinfo | None = None) -> None:
        self._zone = zone

    def now(self) -> datetime:
        """Return the present in UTC."""
        return datetime.now(UTC)

    def local(self, when: datetime) -> datetime:
        """Return ``when`` in the user's timezone."""
        return when.astimezone(self._zone)
