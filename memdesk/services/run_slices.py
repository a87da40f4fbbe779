"""Work on the store in slices that never hold the writer for long."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from memdesk.ports import Repositories, Store

T = TypeVar("T")
R = TypeVar("R")

#: What a slice may cost, commit included; a chat's write waits no longer than this.
MOST_SECONDS: Final = 0.05
#: What the work of a slice is grown or shrunk towards. The rest is the commit's, whose cost is the disk's
#: and does not shrink with the slice.
AIM_SECONDS: Final = 0.02
_FIRST: Final = 4
_LARGEST: Final = 1024


class Slices:
    """Runs work over items in transactions whose size follows the time they take.

    Attributes:
        longest: the longest time, in seconds, that a slice held the writer so far.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._size = _FIRST
        self.longest = 0.0

    def over(
        self, items: Sequence[T], work: Callable[[Repositories, Sequence[T]], R], *, between: Callable[[int], None]
    ) -> Iterator[R]:
        """Run ``work`` over ``items``, a slice a transaction, as fast as the results are taken.

        Args:
            items: in order.
            work: given a slice; its writes are durable when its result is yielded.
            between: called before each slice with the number of items done; may raise to stop.

        Yields:
            What ``work`` returned, slice by slice.
        """
        done = 0
        # Another kind of work costs otherwise: it begins small again.
        self._size = _FIRST
        while done < len(items):
            between(done)
            part = items[done : done + self._size]
            yield self._timed(part, work)
            done += len(part)

    def _timed(self, part: Sequence[T], work: Callable[[Repositories, Sequence[T]], R]) -> R:
        began = worked = 0.0

        def timed(repos: Repositories) -> R:
            nonlocal began, worked
            # Only the time on the writer counts, not the time in its queue.
            began = time.perf_counter()
            outcome = work(repos, part)
            worked = time.perf_counter() - began
            return outcome

        result = self._store.write(timed, priority="background")
        self.longest = max(self.longest, time.perf_counter() - began)
        ratio = min(2.0, max(0.25, AIM_SECONDS / max(worked, 1e-6)))
        self._size = min(_LARGEST, max(1, int(len(part) * ratio)))
        return result
