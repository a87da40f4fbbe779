"""Lanes whose timed background work can be held."""

from collections.abc import Callable
from typing import Final

from memdesk.ports import LaneName
from memdesk.runtime.lanes import ThreadLanes

#: How long a held piece of work rests before it is looked at again.
HELD_SECONDS: Final = 30.0
#: Timed work that a pause holds, by the beginning of its key; unloading idle engines is not among it.
HELD_KEYS: Final = ("distill:", "indexing.")


class HoldableLanes(ThreadLanes):
    """``ThreadLanes`` that a user can pause: what would start by itself waits, what is asked for runs."""

    def __init__(self) -> None:
        super().__init__()
        self.held = False

    def later(self, seconds: float, lane: LaneName, work: Callable[[], object], *, key: str) -> None:
        """Run ``work`` once after ``seconds``, or when the pause is over."""

        def unless_held() -> None:
            if self.held:
                super(HoldableLanes, self).later(HELD_SECONDS, lane, unless_held, key=key)
            else:
                work()

        super().later(seconds, lane, unless_held if key.startswith(HELD_KEYS) else work, key=key)
