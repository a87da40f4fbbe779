"""Sees secrets in what a person says: keys, card and account numbers, passwords. They are told apart before anything is read.

Sources: ISO/IEC 7812-1 (check digit of card numbers), ISO 13616 (check digits of an IBAN), the forms that issuers document for their tokens
(AWS, GitHub, GitLab, Google, OpenAI, Slack, Stripe), RFC 7519 (JSON web tokens), RFC 7468 (private keys), the US Social Security Administration's
rules for its numbers; the check digits of the German tax number (ISO 7064, MOD 11,10, one digit of the first ten twice or thrice), the French NIR
(97 less the rest by 97), the Spanish DNI and NIE (a letter by the rest by 23), the form of the Italian codice fiscale. What has no form of its own is told by its name ("my PIN is ...", ``[secrets]`` of ``resources/language``) or by being too
random for a word.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from memdesk.domain.language.data import LANGUAGES, language_data
from memdesk.domain.language.text import sentences

SecretKind = Literal[
    "card number", "account number", "key", "password", "recovery phrase", "social security number", "identity number"
]

_TOKENS: Final = re.compile(
    r"\b(?:A(?:KI|SI)A[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{40,}|glpat-[\w-]{20,}|AIza[\w-]{35}|xox[abeoprs]-[\w-]{10,}|"
    r"[prs]k_(?:live|test)_\w{10,}|sk-[\w-]{16,}|hf_[A-Za-z0-9]{20,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[^-]+-----END [A-Z ]*PRIVATE KEY-----)?|\b[a-z][a-z0-9+.-]*://[^\s:/@]+:[^\s/@]+@"
)
_DIGITS: Final = re.compile(r"(?<![\w.,-])(?:\d(?:[ -]?\d){12,18}|\d{4}(?:\.\d{4}){2}\.\d{1,7})(?![\w-]|[.,]\d)")
_IBAN: Final = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b")
_SOCIAL: Final = re.compile(r"(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])")
_TAX_NUMBER: Final = re.compile(r"(?<![\d.,-])[1-9]\d(?: ?\d{3}){3}(?![\w-]|[.,]\d)")
_NIR: Final = re.compile(r"\b([12] ?\d\d ?\d\d ?(?:\d\d|2[AB]) ?\d{3} ?\d{3}) ?(\d\d)\b")
_DNI: Final = re.compile(r"\b([XYZ]\d{7}|\d{8})[ -]?([A-Z])\b")
_CODICE_FISCALE: Final = re.compile(r"\b[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]\b")
_DNI_LETTERS: Final = "TRWAGMYFPDXBNJZSQVHLCKE"
#: Anything long without a blank that could be a token; paths, addresses and dates have other characters.
_RUN: Final = re.compile(r"(?<![\w/@.+-])[A-Za-z0-9_+=-]{20,200}(?![\w/@.])")
#: Bits a character from which a run is no word: text has some 2.5 to 3.3, random letters and digits above 3.8.
RANDOM_BITS: Final = 3.7
_VALUE: Final = (
    r"\W{0,3}(?:\b(?:is|was|are|ist|lautet|war|est|es|\u00e8|is|=)\b|[:=])\W{0,3}(?P<value>\S+)(?P<rest>[^.!?\n]*)"
)
#: Names of secrets that are numbers; and the words that may stand between a name and what it names.
_NUMBERED: Final = re.compile(
    r"\b(?:pin|tan|cv[vc]|ssn|combination)\b|code\b|number\b|nummer\b|zahl\b|c\u00f3digo|codice", re.IGNORECASE
)
_BETWEEN: Final = frozenset(
    {
        "is",
        "was",
        "are",
        "for",
        "of",
        "to",
        "at",
        "ist",
        "lautet",
        "war",
        "f\u00fcr",
        "est",
        "pour",
        "es",
        "para",
        "\u00e8",
        "per",
        "voor",
    }
)
_SEED: Final = re.compile(r"(?:\b[a-z]{3,8}\b[ ,]+){11,23}\b[a-z]{3,8}\b")


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret in a text.

    Attributes:
        kind: what it is, in words for the user.
        start, end: where.
    """

    kind: SecretKind
    start: int
    end: int


def secrets_in(text: str) -> list[Secret]:
    """Return the secrets in a text, in order."""
    return sorted(_found(text), key=lambda secret: secret.start)


def without_secrets(text: str) -> tuple[str, tuple[SecretKind, ...]]:
    """Leave out every sentence that holds a secret; return what is left with the kinds that were seen."""
    if not secrets_in(text):
        return text, ()
    kept: list[str] = []
    kinds: list[SecretKind] = []
    for one in reversed(_over_lines(text)):
        kinds.append(one.kind)
        text = text[: one.start] + text[one.end :]
    for line in text.split("\n"):
        fit = []
        for sentence in sentences(line) or [""]:
            seen = [secret.kind for secret in secrets_in(sentence)]
            kinds += seen
            if not seen:
                fit.append(sentence)
        kept.append(" ".join(fit))
    return "\n".join(kept).strip("\n"), tuple(dict.fromkeys(kinds))


def sentences_with_secrets(text: str) -> list[str]:
    """Return the sentences that :func:`without_secrets` leaves out; the whole text where a secret goes over several lines."""
    if not secrets_in(text):
        return []
    if _over_lines(text):
        return [text]
    found = [one for line in text.split("\n") for one in sentences(line) if secrets_in(one)]
    return found or [text]


def _over_lines(text: str) -> list[Secret]:
    return [secret for secret in secrets_in(text) if "\n" in text[secret.start : secret.end]]


def _found(text: str) -> Iterator[Secret]:
    for match in _TOKENS.finditer(text):
        yield Secret("key", match.start(), match.end())
    for match in _DIGITS.finditer(text):
        if _is_card(re.sub(r"\D", "", match[0])):
            yield Secret("card number", match.start(), match.end())
    for match in _IBAN.finditer(text):
        if _is_iban(match[0].replace(" ", "")):
            yield Secret("account number", match.start(), match.end())
    for match in _SOCIAL.finditer(text):
        yield Secret("social security number", match.start(), match.end())
    for match in (
        *_TAX_NUMBER.finditer(text),
        *_NIR.finditer(text),
        *_DNI.finditer(text),
        *_CODICE_FISCALE.finditer(text),
    ):
        if _is_identity(match):
            yield Secret("identity number", match.start(), match.end())
    for match in _RUN.finditer(text):
        if _is_random(match[0]):
            yield Secret("key", match.start(), match.end())
    yield from _named(text)


def _is_card(digits: str) -> bool:
    """Whether digits carry the check digit of ISO/IEC 7812-1, and begin as cards do."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return int(digits[0]) in range(2, 7) and total % 10 == 0


def _is_iban(number: str) -> bool:
    """Whether letters and digits carry the check digits of ISO 13616."""
    moved = number[4:] + number[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


def _is_identity(match: re.Match[str]) -> bool:
    """Whether a number of a person carries the check digits of its country; a codice fiscale has a form of its own."""
    if match.re is _TAX_NUMBER:
        digits = [int(digit) for digit in match[0] if digit != " "]
        left = 10
        for digit in digits[:-1]:
            left = ((digit + left) % 10 or 10) * 2 % 11
        often = Counter(digits[:-1]).values()
        return (11 - left) % 10 == digits[-1] and max(often) in {2, 3} and sum(count > 1 for count in often) == 1
    if match.re is _NIR:
        number = match[1].replace(" ", "").replace("2A", "19").replace("2B", "18")
        return 97 - int(number) % 97 == int(match[2])
    if match.re is _DNI:
        number = match[1].translate(str.maketrans("XYZ", "012"))
        return _DNI_LETTERS[int(number) % len(_DNI_LETTERS)] == match[2]
    return True


def _is_random(run: str) -> bool:
    counts = Counter(run)
    bits = -sum(n / len(run) * math.log2(n / len(run)) for n in counts.values())
    mixed = any(char.isdigit() for char in run) and any(char.isalpha() for char in run)
    joined = run.count("-") + run.count("_") >= 2 and all(
        part.isalpha() or part.isdigit() for part in re.split(r"[-_]", run)
    )
    return mixed and bits >= RANDOM_BITS and not joined


@cache
def _named_secret() -> re.Pattern[str]:
    names = {name for code in LANGUAGES for name in language_data(code).words("secrets", "names")}
    listed = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"\b(?P<name>{listed})\b[^.!?\n:=]{{0,40}}?{_VALUE}", re.IGNORECASE)


@cache
def _pairs() -> re.Pattern[str]:
    """Return what tells a name and its password in one: "the login is admin / hunter2"."""
    names = {name for code in LANGUAGES for name in language_data(code).words("secrets", "pairs")}
    listed = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(
        rf"\b(?:{listed})\b[^.!?\n]{{0,60}}? (?P<value>[^\W\d][^\s/]* ?/ ?(?=\S*\d)[^\s/]{{4,}})", re.IGNORECASE
    )


@cache
def _phrases() -> re.Pattern[str]:
    names = {name for code in LANGUAGES for name in language_data(code).words("secrets", "phrases")}
    return re.compile(rf"\b(?:{'|'.join(re.escape(name) for name in sorted(names))})\b", re.IGNORECASE)


def _named(text: str) -> Iterator[Secret]:
    """Yield passwords and numbers that are called so, and the words of a recovery phrase."""
    for match in _named_secret().finditer(text):
        value = match["value"].strip(".,;!?\"'\u201c\u201d\u201e`()")
        alone = not match["rest"].strip(" .,;!?\"'\u201c\u201d")
        in_quotes = text[match.start("value") - 1] in "\"'\u201c\u201e`" or match["value"][0] in "\"'\u201c\u201e`"
        numbered = _NUMBERED.search(match["name"]) is not None
        between = text[match.end("name") : match.start("value")].split()
        named = not between[:1] or between[0].lower() in _BETWEEN or not between[0][:1].isalpha()
        word = (alone or in_quotes) and named and not numbered
        if len(value) >= 3 and (word if value.isalpha() else any(char.isdigit() for char in value) or not numbered):
            yield Secret("password", match.start("value"), match.end("value"))
    for match in _pairs().finditer(text):
        yield Secret("password", match.start("value"), match.end("value"))
    if _phrases().search(text):
        for match in _SEED.finditer(text):
            yield Secret("recovery phrase", match.start(), match.end())
