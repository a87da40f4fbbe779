"""Detects secrets by their form: check digits, documented formats, randomness.

Sources: ISO/IEC 7812-1 (check digit of card numbers), ISO 13616 and SWIFT's IBAN registry (check digits and lengths),
BIP 39 (recovery phrases), the documented token formats of AWS, GitHub, GitLab, Google, OpenAI, Slack and Stripe, RFC 7519
(JSON web tokens), RFC 7468 (private keys), the US Social Security Administration's rules for its numbers; the check digits
of the German tax number (ISO 7064, MOD 11,10, one digit of the first ten twice or thrice), the French NIR (97 minus the
remainder by 97), the Spanish DNI and NIE (a letter by the remainder by 23), the format of the Italian codice fiscale.
"""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from memdesk.settings.resources import resource_text

SecretKind = Literal[
    "card number", "account number", "key", "password", "recovery phrase", "social security number", "identity number"
]

_TOKENS: Final = re.compile(
    r"\b(?:A(?:KI|SI)A[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{40,}|glpat-[\w-]{20,}|AIza[\w-]{35}|xox[abeoprs]-[\w-]{10,}|"
    r"[prs]k_(?:live|test)_\w{10,}|sk-[\w-]{16,}|hf_[A-Za-z0-9]{20,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[^-]+-----END [A-Z ]*PRIVATE KEY-----)?|\b[a-z][a-z0-9+.-]*://[^\s:/@]+:[^\s/@]+@"
)
_DIGITS: Final = re.compile(r"(?<![\w.,-])(?:\d(?:[ -]?\d){12,18}|\d{4}(?:\.\d{4}){2}\.\d{1,7})(?![\w-]|[.,]\d)")
#: Countries by the length of their IBANs, so that none includes the next word.
_IBAN_LENGTHS: Final = {
    15: "NO", 16: "BE", 18: "DK FI FK FO GL NL SD", 19: "MK SI", 20: "AT BA EE KZ LT LU MN XK", 21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA", 23: "AE GI IL IQ OM SO TL", 24: "AD CZ ES MD PK RO SA SE SK TN VG",
    25: "LY PT ST", 26: "IS TR", 27: "BI DJ FR GR IT MC MR SM", 28: "AL AZ BY CY DO GT HN HU LB NI PL SV",
    29: "BR EG PS QA UA", 30: "JO KW MU YE", 31: "MT SC", 32: "LC", 33: "RU",
}  # fmt: skip
_IBAN: Final = re.compile(
    "|".join(
        rf"\b(?=[A-Z]{{2}}\d)(?:{'|'.join(countries.split())})\d\d(?: ?[A-Z0-9]){{{length - 4}}}\b"
        for length, countries in _IBAN_LENGTHS.items()
    ),
    re.IGNORECASE,
)
_SOCIAL: Final = re.compile(r"(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])")
_TAX_NUMBER: Final = re.compile(r"(?<![\d.,-])[1-9]\d(?: ?\d{3}){3}(?![\w-]|[.,]\d)")
_NIR: Final = re.compile(r"\b([12] ?\d\d ?\d\d ?(?:\d\d|2[AB]) ?\d{3} ?\d{3}) ?(\d\d)\b")
_DNI: Final = re.compile(r"\b([XYZ]\d{7}|\d{8})[ -]?([A-Z])\b")
_CODICE_FISCALE: Final = re.compile(r"\b[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]\b")
_DNI_LETTERS: Final = "TRWAGMYFPDXBNJZSQVHLCKE"
#: Any long text without a space that could be a token; paths, addresses and dates have other characters, and a UUID (RFC 9562) is a name.
_RUN: Final = re.compile(
    r"(?<![\w/@.+-])(?![\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}(?![\w-]))[A-Za-z0-9_+=-]{20,200}(?![\w/@.])"
)
#: Bits per character from which a text is no word: words have some 2.5 to 3.3, random letters and digits over 3.8.
RANDOM_BITS: Final = 3.7
#: Possible word counts of a recovery phrase, the longest first.
PHRASE_WORDS: Final = (24, 21, 18, 15, 12)
#: Words of a recovery phrase, with any numbers and signs between them.
_PHRASE_WORD: Final = re.compile(r"[^\W\d_]+")


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


def secrets_by_form(text: str) -> Iterator[Secret]:
    """Yield the secrets that need no name beside them."""
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
    yield from _phrases_in(text)


def _is_card(digits: str) -> bool:
    """Whether digits have the check digit of ISO/IEC 7812-1, and begin like cards."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return int(digits[0]) in range(2, 7) and total % 10 == 0


def _is_iban(number: str) -> bool:
    """Whether letters and digits have the check digits of ISO 13616."""
    moved = number[4:] + number[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


def _is_identity(match: re.Match[str]) -> bool:
    """Whether a personal number has its country's check digits; a codice fiscale has its own format."""
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
def _phrase_words() -> Mapping[str, int]:
    lines = resource_text("privacy", "bip39.txt").splitlines()
    return {word: place for place, word in enumerate(line for line in lines if not line.startswith("#"))}


def _phrases_in(text: str) -> Iterator[Secret]:
    """Yield recovery phrases with a valid checksum."""
    known, run = _phrase_words(), list[re.Match[str]]()
    for word in (*_PHRASE_WORD.finditer(text), None):
        if word is not None and word[0].lower() in known:
            run.append(word)
            continue
        yield from _phrase_of(run)
        run = []


def _phrase_of(run: Sequence[re.Match[str]]) -> Iterator[Secret]:
    """Yield the longest recovery phrase in consecutive words of the list."""
    places = [_phrase_words()[word[0].lower()] for word in run]
    for length in PHRASE_WORDS:
        for begin in range(len(run) - length + 1):
            if _has_checksum(places[begin : begin + length]):
                yield Secret("recovery phrase", run[begin].start(), run[begin + length - 1].end())
                return


def _has_checksum(places: Sequence[int]) -> bool:
    """Whether the words' bits (11 each) end in a valid BIP 39 checksum: SHA-256's first bits, one for every 32."""
    checked = len(places) // 3
    number = sum(place << 11 * i for i, place in enumerate(reversed(places)))
    digest = hashlib.sha256((number >> checked).to_bytes(checked * 4)).digest()
    return number & ((1 << checked) - 1) == digest[0] >> (8 - checked)
