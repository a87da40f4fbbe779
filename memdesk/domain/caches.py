"""Caches of results computed from the memory's texts: one registry, emptied by one call.

A function's cache holds its arguments. If these are the user's words, they must not outlive the lock.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, ParamSpec, Protocol, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")


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
