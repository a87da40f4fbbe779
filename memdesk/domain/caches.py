"""Caches of results computed from the memory's texts: one registry, emptied by one call; and values kept for a while.

A function's cache holds its arguments. If these are the user's words, they must not outlive the lock.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import Final, Generic, ParamSpec, Protocol, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class _Clearable(Protocol):
    def cache_clear(self) -> None: ...


_KEPT: Final[list[_Clearable]] = []


def remembered(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Cache the last ``most`` results of a function of texts, until :func:`forget_all`."""

    def keep(function: Callable[P, T]) -> Callable[P, T]:
        kept = lru_cache(maxsize=most)(function)
        _KEPT.append(kept)
        return cast("Callable[P, T]", kept)

    return keep


def forget_all() -> None:
    """Empty every cache that may hold words of the memory. Called when it is locked."""
    for kept in _KEPT:
        kept.cache_clear()


class Recent(Generic[K, V]):
    """At most ``most`` values by key; what was not used for the longest time makes room. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, threading.Lock()
        self._kept: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: K, value: V) -> None:
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def take(self, key: K) -> V | None:
        """Return a value and drop it; unknown keys are fine."""
        with self._lock:
            return self._kept.pop(key, None)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
