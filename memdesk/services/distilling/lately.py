"""What became of the latest sessions, for who asks why nothing new is remembered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memdesk.services.distilling.refusal import WHY_SKIPPED

if TYPE_CHECKING:
    from memdesk.services.distilling.attempt import SessionOutcome

#: After this many sessions in a row that brought nothing, it is reported.
TOLD_FROM: Final = 5


@dataclass(frozen=True, slots=True)
class Lately:
    """What became of the latest sessions since the app began.

    Attributes:
        barren: how many of the last in a row were read and brought nothing to remember.
        left_out: why what was said in those was passed over, with how often, the most frequent first.
        skipped: why sessions that wait are not read, in words for the user, by how many.
    """

    barren: int = 0
    left_out: tuple[tuple[str, int], ...] = ()
    skipped: tuple[tuple[str, int], ...] = ()


def lately(outcomes: Iterable[SessionOutcome], refused: Iterable[str]) -> Lately:
    """Return what outcomes say, the latest last, and why sessions that wait are not read."""
    read = [one for one in outcomes if one.outcome == "distilled" or one.outcome.startswith("empty:")]
    barren: list[SessionOutcome] = []
    for one in reversed(read):
        if one.facts or one.review or one.lines:
            break
        barren.append(one)
    reasons: Counter[str] = Counter()
    for one in barren:
        reasons.update(dict(one.left_out))
    skipped = Counter(WHY_SKIPPED[why] for why in refused if why)
    return Lately(len(barren), tuple(reasons.most_common()), tuple(skipped.most_common()))
