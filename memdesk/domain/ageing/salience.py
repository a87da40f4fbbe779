"""How much a memory still matters: exponential decay by real elapsed time.

A salience ``s`` set at one moment is worth ``s * exp(-days / 30)`` some days later: about 97 % after a day,
37 % after a month, 5 % after three. Each row stores the time up to which it has been decayed, so that
any number of passes, at any hours, gives the same as one pass at the last of them.
"""

import math
from datetime import datetime, timedelta

#: Days after which a salience has fallen to 1/e.
DECAY_DAYS = 30.0

_DAY = 86_400.0


def elapsed_days(since: datetime, until: datetime) -> float:
    """Return the days between two moments; 0 when the clock has gone backwards."""
    return max(0.0, (until - since).total_seconds() / _DAY)


def decay(salience: float, days: float) -> float:
    """Return ``salience * exp(-days / 30)``, kept within 0..1.

    Composes: ``decay(decay(s, a), b)`` equals ``decay(s, a + b)`` up to the rounding of floats.
    """
    return min(1.0, max(0.0, salience)) * math.exp(-max(0.0, days) / DECAY_DAYS)


def reaches(salience: float, floor: float, since: datetime) -> datetime | None:
    """Return when a salience that was set at ``since`` falls to ``floor`` if nothing raises it.

    Returns:
        ``since`` itself if it is below already; None if it never gets there (a floor of 0) or only
        beyond the range of dates.
    """
    if salience <= floor:
        return since
    if floor <= 0.0:
        return None
    try:
        return since + timedelta(days=DECAY_DAYS * math.log(salience / floor))
    except OverflowError:
        return None


def curve(salience: float, since: datetime, until: datetime, *, points: int = 60) -> list[tuple[datetime, float]]:
    """Return ``points`` moments, evenly spaced from ``since`` to ``until``, with the salience at each.

    There are at least 2 ``points``, both ends among them; nothing is returned before ``since``.
    """
    if until <= since:
        return [(since, salience)]
    steps = max(2, points) - 1
    span = until - since
    moments = [since + span * (step / steps) for step in range(steps + 1)]
    return [(moment, decay(salience, elapsed_days(since, moment))) for moment in moments]
