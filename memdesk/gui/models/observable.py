"""State that several parts observe, without Qt: it can be made, changed and watched in a plain test."""

from __future__ import annotations

from collections.abc import Callable


class Observable:
    """Tells its watchers the name of what changed; called, and calling, on one thread."""

    def __init__(self) -> None:
        self._watchers: list[tuple[frozenset[str], Callable[[], object]]] = []

    def watch(self, call: Callable[[], object], *names: str) -> None:
        """Call ``call`` after each change of one of ``names``, in the order the watchers came."""
        self._watchers.append((frozenset(names), call))

    def _tell(self, *names: str) -> None:
        changed = frozenset(names)
        for wanted, call in list(self._watchers):
            if wanted & changed:
                call()
