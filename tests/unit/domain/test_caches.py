"""Cached texts of the memory are cleared on locking: every cache is in the registry."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import memdesk
from memdesk.domain import caches
from memdesk.domain.caches import Recent, forget_all, remembered
from memdesk.domain.language.text import fold, stem

#: Caches outside of the registry, by what they are asked with: names of our own, never a text that somebody wrote.
_OURS = {
    "a language": {
        "domain.comparing.lexicon.lexicon_of", "domain.comparing.sources._heads", "domain.language.data.language_data",
        "domain.language.data.parting", "domain.reading.antecedents._opening", "domain.reading.care._foods", "domain.reading.cutting._by_form",
        "domain.reading.cutting._closed",
        "domain.reading.pasted._classes", "domain.reading.pasted._heads", "domain.reading.plainwords._spoken",
        "domain.reading.private._relatives", "domain.reading.private._words", "domain.recalling.query.asking",
        "services.recalling.gate.noise_questions",
    },
    "a list, table or query that ships": {
        "domain.reading.plainly._unaccented", "domain.reading.secret_references._single", "domain.reading.secret_words.words_for", "domain.recalling.query._words",
        "services.importing.rows._adapter", "services.library.ordering._weights",
        "services.recalling.search.turn_weights", "services.recalling.statements.stated_weights",
        "services.recalling.topics.table_of", "storage.queries.load",
    },
    "a type of ours": {"api.plain._names"},
    "a model's or a translation's file": {"engines.gguf._read_cached", "gui.i18n._texts"},
    "an icon, a theme or a color": {
        "gui.icons._renderer", "gui.icons._shape", "gui.icons._svg", "gui.icons._tinted", "gui.theme.tokens",
        "gui.widgets.code._format",
    },
}  # fmt: skip


def _modules():
    for found in pkgutil.walk_packages(memdesk.__path__, "memdesk."):
        if not found.name.startswith(("memdesk.bench", "memdesk.__main__")):
            yield importlib.import_module(found.name)


def test_every_cache_of_what_is_handed_to_a_function_is_in_the_registry():
    loose = {
        f"{module.__name__}.{name}".removeprefix("memdesk.")
        for module in _modules()
        for name, value in vars(module).items()
        if hasattr(value, "cache_parameters")
        and value.__module__ == module.__name__
        and inspect.signature(value).parameters
        and not any(value is kept for kept in caches._KEPT)
    }
    assert loose == set().union(*_OURS.values())


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


def test_what_was_not_used_for_the_longest_time_makes_room():
    kept = Recent(2)
    kept.keep("a", 1)
    kept.keep("b", 2)
    assert kept.get("a") == 1
    kept.keep("c", 3)
    assert [kept.get(key) for key in "abc"] == [1, None, 3]
    kept.keep("a", 4)
    assert kept.take("a") == 4
    assert kept.take("a") is None
    kept.clear()
    assert kept.get("c") is None
