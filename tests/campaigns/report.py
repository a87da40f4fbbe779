"""The report of a campaign, in a common format."""

from __future__ import annotations

import argparse
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

#: Seconds between two lines that tell how far a campaign is.
PROGRESS_EVERY = 15.0


@dataclass
class Report:
    """Cases and failures of one campaign.

    Attributes:
        name: of the campaign.
        cases: how many were tried.
        failures: what went wrong, in words that say how to see it again.
        outcomes: how often each outcome came that is none.
        figures: what was measured.
    """

    name: str
    cases: int = 0
    failures: list[str] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    figures: dict[str, str] = field(default_factory=dict)
    _told: float = field(default_factory=time.monotonic)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def case(self, outcome: str, failure: str = "") -> None:
        """Count one case; a failure is printed at once, so that a run that is broken off has told what it found."""
        with self._lock:
            self.cases += 1
            self.outcomes[outcome] += 1
            if failure:
                self.failures.append(failure)
                print("FAILED", failure, flush=True)
            if time.monotonic() - self._told > PROGRESS_EVERY:
                self._told = time.monotonic()
                print(self._summary(), "so far", flush=True)

    def tell(self) -> int:
        """Print what it comes to; return the exit code."""
        for outcome, number in self.outcomes.most_common():
            print(f"{number:6} {outcome}")
        for name, value in self.figures.items():
            print(f"       {name}: {value}")
        print(self._summary())
        return bool(self.failures)

    def _summary(self) -> str:
        return f"{self.name}: {self.cases} cases, {len(self.failures)} failures"


def options(**defaults: int) -> argparse.Namespace:
    """Return the numbers that the command line gives, by name."""
    parser = argparse.ArgumentParser()
    for name, value in defaults.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    return parser.parse_args()


class Until:
    """Goes on for so many seconds, whatever the machine is doing."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def __bool__(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self._end
