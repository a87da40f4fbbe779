"""Statements about what people guard most: another person, or somebody's health."""

import tomllib
from functools import cache

from memdesk.domain.comparing.similarity import word_set
from memdesk.settings.resources import resource_text


def of_health(text: str) -> bool:
    """Whether a text contains a word of health, in any language that has such a list."""
    return not word_set(text).isdisjoint(_health())


@cache
def _health() -> frozenset[str]:
    by_language = tomllib.loads(resource_text("privacy", "health.toml"))
    return frozenset().union(*(word_set(words) for words in by_language.values()))
