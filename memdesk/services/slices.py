"""Work on the store in slices that never hold the writer for long."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Final, NamedTuple, TypeVar

from memdesk.ports import Repositories, StoreUpkeep

T = TypeVar("T")
R = TypeVar("R")

#: Maximum time of a slice, commit included; a chat's write waits no longer than this.
MOST_SECONDS: Final = 0.05
#: Target time of a slice, in seconds of the writer's own work, commit included.
AIM_SECONDS: Final = 0.016
#: A slice with less work than this is not made smaller: it waits for the disk or other programs.
_LEAST_SECONDS: Final = 0.004
_FIRST: Final = 2
_LARGEST: Final = 2048


class Hold(NamedTuple):
    """How long a slice held the writer, commit included."""

    seconds: float
    #: the writer's own work within them; the rest went to other programs and to waiting for the disk.
    cpu_seconds: float


class Slices:
    """Runs work over items in transactions whose size follows the time they take.

    Attributes:
        holds: of every slice so far, in order.
    """

    def __init__(self, store: StoreUpkeep) -> None:
        self._store = store
        self._size = _FIRST
        self.holds: list[Hold] = []

    def over(
        self, items: Sequence[T], work: Callable[[Repositories, Sequence[T]], R], *, between: Callable[[int], None]
    ) -> Iterator[R]:
        """Run ``work`` over ``items``, one transaction per slice, as fast as the results are consumed.

        A slice's writes are durable when its result is yielded; ``between`` is called before each with the
        number of items done, and may raise to stop.

        Yields:
            What ``work`` returned, slice by slice.
        """
        done = 0
        # Another kind of work has other costs: start small again.
        self._size = _FIRST
        while done < len(items):
            between(done)
            part = items[done : done + self._size]
            yield self._one(part, work)
            done += len(part)

    def until_nothing(self, work: Callable[[Repositories, int], int | bool], *, between: Callable[[int], None]) -> None:
        """Run ``work``, one transaction per slice, until it reports nothing to do.

        ``work`` gets the most to do, and returns how much it did, or whether anything; ``between`` is called
        before each slice with the number of slices done, and may raise to stop.
        """
        self._size = _FIRST
        for number in count():
            between(number)
            if not self._write(self._size, lambda repos: work(repos, self._size)):
                return

    def _one(self, part: Sequence[T], work: Callable[[Repositories, Sequence[T]], R]) -> R:
        return self._write(len(part), lambda repos: work(repos, part))

    def _write(self, size: int, work: Callable[[Repositories], R]) -> R:
        result = self._store.write(work, priority="background", held=self._held)
        self._size = next_size(size, self.holds[-1])
        # Otherwise one of the next commits would fold the log in, delaying whoever waits for the writer.
        self._store.fold_log()
        return result

    def _held(self, seconds: float, cpu_seconds: float) -> None:
        self.holds.append(Hold(seconds, cpu_seconds))


def next_size(size: int, hold: Hold) -> int:
    """Return how many items the next slice should have, after one of ``size`` items that took ``hold``.

    Half to twice as many. The writer's own work decides, since it alone follows the number of items; a slice
    that took too long for other reasons is made smaller too, but not forever.
    """
    # Coarse processor clocks may show zero for a slice.
    worked = hold.cpu_seconds or hold.seconds
    ratio = AIM_SECONDS / max(worked, 1e-6)
    if hold.seconds > MOST_SECONDS:
        ratio = min(ratio, 0.5 if worked > _LEAST_SECONDS else 1.0)
    return min(_LARGEST, max(1, int(size * min(2.0, max(0.5, ratio)))))
