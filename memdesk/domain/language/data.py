"""Language-specific data: ``resources/language/<code>.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from memdesk.settings.resources import resource_text

#: Languages with a file; in a tie, the first one wins.
LANGUAGES: Final = ("en", "de", "fr", "es", "it", "nl")
#: Those that write compounds as one word, the head noun last.
COMPOUNDING: Final = ("de", "nl")


class LanguageData:
    """The words of one language, by section and name."""

    def __init__(self, sections: Mapping[str, Any]) -> None:
        self.code: str = sections["language"]
        #: its name in snowballstemmer
        self.stemmer: str = sections["stemmer"]
        self._quoted: str = sections["quoted"]
        self._sides: Mapping[str, str] = {f"the {side}": sections[side] for side in ("user", "assistant")}
        self._sections: Mapping[str, Mapping[str, frozenset[str]]] = MappingProxyType(
            {
                name: MappingProxyType({key: frozenset(words) for key, words in section.items()})
                for name, section in sections.items()
                if isinstance(section, dict)
            }
        )
        #: cache of :meth:`words`, which readers call for each token.
        self._joined: dict[tuple[str, ...], frozenset[str]] = {}
        self._forms: dict[str, Mapping[str, str]] = {}
        #: what a verb with its preposition says of its subject.
        self.attributes: Mapping[str, str] = MappingProxyType(
            {phrase: name for name, phrases in self._sections.get("attributes", {}).items() for phrase in phrases}
        )

    def own_words(self, speaker: str, words: str) -> str:
        """Return a line that quotes somebody's own words; ``speaker`` is a name, "the user" or "the assistant"."""
        line = self._quoted.format(who=self.called(speaker), words=words)
        return f"{line[0].upper()}{line[1:]}"

    def called(self, speaker: str) -> str:
        """Return the language's name for somebody in a line."""
        return self._sides.get(speaker, speaker)

    def names(self, section: str) -> tuple[str, ...]:
        """Return the names of a section's lists.

        Raises:
            KeyError: the file has no such section.
        """
        return tuple(self._sections[section])

    def forms(self, section: str) -> Mapping[str, str]:
        """Return the key under which each word of a section is listed: for ``lemmas`` the base form."""
        found = self._forms.get(section)
        if found is None:
            lists = self._sections[section]
            found = self._forms[section] = {form: name for name, words in lists.items() for form in words}
        return found

    def words(self, section: str, *names: str) -> frozenset[str]:
        """Return the words of one or more lists of a section together.

        Raises:
            KeyError: the file has no such list.
        """
        asked = section, *names
        joined = self._joined.get(asked)
        if joined is None:
            lists = self._sections[section]
            joined = self._joined[asked] = frozenset().union(*(lists[name] for name in names or tuple(lists)))
        return joined


def stop_words(code: str) -> frozenset[str]:
    """Return the function words of one of :data:`LANGUAGES`: they carry no topic, and identify the language."""
    return language_data(code).words("plain", "function")


@cache
def all_stop_words() -> frozenset[str]:
    """Return the function words of every language."""
    return frozenset().union(*map(stop_words, LANGUAGES))


@cache
def parting(*codes: str) -> str:
    """Return a pattern of what separates two clauses in some of :data:`LANGUAGES`: a comma, a semicolon, "and"."""
    also = frozenset().union(*(language_data(code).words("cut", "also") for code in codes))
    return rf"(?:[,;]|\b(?:{'|'.join(sorted(also))})\b)"


def is_role(noun: str) -> bool:
    """Return whether an English noun before a name may say who somebody is to the speaker: "my dispatcher Jo"."""
    data = language_data("en")
    ends = noun.islower() and noun.endswith(tuple(data.words("persons", "role_endings")))
    return ends or noun.lower() in data.words("people")


@cache
def language_data(code: str) -> LanguageData:
    """Return the data of one of :data:`LANGUAGES`.

    Raises:
        FileNotFoundError: there is none.
    """
    return LanguageData(tomllib.loads(resource_text("language", f"{code}.toml")))
