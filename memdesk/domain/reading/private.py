"""Recognizes kinds of private things in a text, and masks its secrets."""

import re
import tomllib
from collections.abc import Collection
from functools import cache
from typing import Any, Final, Literal, get_args

from memdesk.domain.comparing.similarity import word_set
from memdesk.domain.language.data import language_data
from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import one_line
from memdesk.domain.reading.secrets import secrets_in
from memdesk.settings.resources import resource_text

PrivateKind = Literal["health", "money", "credentials", "people"]
KINDS: Final[tuple[PrivateKind, ...]] = get_args(PrivateKind)
#: An amount: a currency sign or a common ISO 4217 code, before or after a number.
_AMOUNT: Final = re.compile(
    r"(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF|JPY|INR|CAD|AUD)\b)\s?\d|\d\s?(?:[$€£¥₹]|(?:USD|EUR|GBP|CHF|JPY|INR|CAD|AUD)\b)"
)

#: Where the words of a field's name part: ``wifi_password``, ``bankPin``, ``home.wifi``.
_PARTS: Final = re.compile(r"[_.:/-]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def private_kinds(text: str, people: Collection[str] = ()) -> frozenset[PrivateKind]:
    """Return the kinds of private things a text mentions; its language is detected from its words.

    Args:
        text: any language; there are words for those in ``resources/privacy``.
        people: names of people whom the user knows.
    """
    words, language = word_set(text), language_of(text)
    found: set[PrivateKind] = set()
    if not words.isdisjoint(_words("health", language)):
        found.add("health")
    if _AMOUNT.search(text) or not words.isdisjoint(_words("money", language)):
        found.add("money")
    if secrets_in(text):
        found.add("credentials")
    if not words.isdisjoint(_relatives(language)) or any(word_set(name) <= words for name in people if name):
        found.add("people")
    return frozenset(found)


def masked(text: str, whole: str = "") -> str:
    """Return a text with each secret replaced by the name of its kind.

    ``whole``: what the text is an excerpt of. A secret there is one in the text too, even where nothing else shows it.
    """
    spans = [(secret.start, -secret.end, secret.kind) for secret in secrets_in(text)]
    for secret in secrets_in(whole):
        told = re.findall(r"\w.*\w|\w", one_line(whole[secret.start : secret.end]))
        found = re.finditer(rf"(?<!\w){re.escape(told[0])}(?!\w)", text) if told else ()
        spans += [(at.start(), -at.end(), secret.kind) for at in found]
    out, done = "", 0
    for start, end, kind in sorted(spans):
        if start >= done:
            out += f"{text[done:start]}[{kind}]"
        done = max(done, -end)
    return out + text[done:]


def masked_field(name: str, value: Any) -> Any:
    """Return a JSON value with every secret in it replaced by what it is; a name beside a value tells it as a sentence does."""
    if isinstance(value, dict):
        return {masked(key): masked_field(key, each) for key, each in value.items()}
    if isinstance(value, list):
        return [masked_field(name, each) for each in value]
    if value is None or isinstance(value, bool):
        return value
    text, said = str(value), f"{' '.join(_PARTS.split(masked(name)))}: "
    told = masked(said + text)
    left = told.removeprefix(said) if told.startswith(said) else masked(text)
    return value if left == text else left


@cache
def _words(kind: str, language: str) -> frozenset[str]:
    return word_set(tomllib.loads(resource_text("privacy", f"{kind}.toml")).get(language, ""))


@cache
def _relatives(language: str) -> frozenset[str]:
    data = language_data(language)
    whose = (
        data.words("people", "she", "he", "either", "several") if language == "en" else data.words("plain", "people")
    )
    return frozenset().union(*map(word_set, whose))
