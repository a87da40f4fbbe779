"""What is kept of the memory's texts goes with the lock: every cache is in the one registry."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import memdesk.domain
import memdesk.services
from memdesk.domain import caches
from memdesk.domain.caches import forget_all, remembered
from memdesk.domain.language.text import fold, stem


def _modules():
    for room in (memdesk.domain, memdesk.services):
        for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            yield importlib.import_module(found.name)


def test_every_cache_of_what_is_handed_to_a_function_is_in_the_registry():
    # A cache without a bound is of our own tables: it may take no text that a user wrote.
    loose = [
        f"{module.__name__}.{name}"
        for module in _modules()
        for name, value in vars(module).items()
        if hasattr(value, "cache_parameters")
        and value.cache_parameters()["maxsize"] is not None
        and inspect.signature(value).parameters
        and not any(value is kept for kept in caches._KEPT)
    ]
    assert loose == []


def test_one_call_empties_them_all():
    stem("bandoneon")
    assert stem.cache_info().currsize > 0
    forget_all()
    assert (stem.cache_info().currsize, fold.cache_info().currsize) == (0, 0)


def test_a_result_is_kept_until_then():
    asked = []

    @remembered(2)
    def looked_up(text: str) -> int:
        asked.append(text)
        return len(text)

    assert [looked_up("a"), looked_up("a")] == [1, 1]
    forget_all()
    looked_up("a")
    assert asked == ["a", "a"]
