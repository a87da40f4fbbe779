"""Detects secrets in what a person says: keys, card and account numbers, passwords. Runs before anything is read.

Sources: ISO/IEC 7812-1 (check digit of card numbers), ISO 13616 and SWIFT's IBAN registry (check digits and lengths),
BIP 39 (recovery phrases), the documented token formats of AWS, GitHub, GitLab, Google, OpenAI, Slack and Stripe, RFC 7519
(JSON web tokens), RFC 7468 (private keys), the US Social Security Administration's rules for its numbers; the check digits
of the German tax number (ISO 7064, MOD 11,10, one digit of the first ten twice or thrice), the French NIR (97 minus the
remainder by 97), the Spanish DNI and NIE (a letter by the remainder by 23), the format of the Italian codice fiscale.
Anything without a format is recognized by its name beside it ("my PIN is ...", "... as my password", ``[secrets]`` of
``resources/language``) or by being too random for a word.
"""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final, Literal

from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.data import COMPOUNDING, LANGUAGES, language_data, parting
from memdesk.domain.language.mending import mended
from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import is_stop_word, sentences
from memdesk.domain.reading.clauses import Clause, clauses
from memdesk.settings.resources import resource_text

SecretKind = Literal[
    "card number", "account number", "key", "password", "recovery phrase", "social security number", "identity number"
]
Parse = Callable[[list[str]], Sequence[Analysis]]

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
#: Names of secrets that are numbers.
_NUMBERED: Final = re.compile(
    r"\b(?:pin|tan|cv[vc]|ssn|combination)\b|code\b|number\b|nummer\b|zahl\b|c\u00f3digo|codice", re.IGNORECASE
)
#: A value next to a name, and another of the same kind after it: "8391-2210 and 7723-1142".
_VALUE: Final = r"(?P<value>(?=\S*\d)\S+(?:,? (?:\w{1,3} )?(?=\S*\d{3})\S+)*|\S+)"
_CLAUSE: Final = re.compile(r"[^.!?\n;]+")
#: Codes that are dialed or typed to open something: turns of a dial, or digits, perhaps ending in a pad's own keys.
_DIALED: Final = re.compile(
    r"(?<![\w.,:/*#$\u20ac\u00a3-])(?:(?P<turns>\d{1,2}(?:(?:,? | ?- ?)(?:[^\W\d_]+ )?\d{1,2}){2,4})|(?P<digits>\d{4,8})|(?=\w*\d)[A-Za-z0-9]{3,12})"
    r"(?P<keys>(?<=\d{3})[#*])?(?![\w%:/-]|[.,]\d)"
)
#: A number with its unit, shorter than those of documents: "300Mbps".
_MEASURE: Final = re.compile(r"\d{1,5}[^\W\d_]{1,4}")
#: Fewest characters of a code, and of a password directly after its name.
CODE_CHARS: Final = 6
BESIDE_CHARS: Final = 3
#: How far around a value its context is read, in characters, so that one endless sentence takes no longer than others.
BESIDE_REACH: Final = 200
#: Fewest words of a passphrase, whose sentence contains no others.
PASS_WORDS: Final = 4
#: From this length one digit among letters is enough.
LONG_CHARS: Final = 16
#: Names of this length end compounds: "Personalausweisnummer".
COMPOUND_CHARS: Final = 6
#: Possible word counts of a recovery phrase, the longest first.
PHRASE_WORDS: Final = (24, 21, 18, 15, 12)
#: Words of a recovery phrase, with any numbers and signs between them.
_PHRASE_WORD: Final = re.compile(r"[^\W\d_]+")
_NEXT_WORD: Final = re.compile(r"[ \t]+([^\W\d_][\w-]*)")
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


def secret_kinds(texts: Iterable[str]) -> tuple[SecretKind, ...]:
    """Return the kinds of secrets in texts, each once."""
    return tuple(dict.fromkeys(secret.kind for text in texts for secret in secrets_in(text)))


def without_secrets(text: str, parse: Parse | None = None) -> tuple[str, tuple[SecretKind, ...]]:
    """Remove every sentence with a secret; return the rest and the kinds of secrets found.

    Args:
        text: as it was said.
        parse: analyzes English texts from which the secrets were removed; clauses that are separate from a secret are then
            kept. Without it, or if it returns nothing, the whole sentence goes.
    """
    if not secrets_in(text):
        return text, ()
    kept: list[str] = []
    kinds: list[SecretKind] = []
    for one in reversed(_over_sentences(text)):
        kinds.append(one.kind)
        text = text[: one.start] + text[one.end :]
    for line in text.split("\n"):
        fit = []
        for sentence in sentences(line) or [""]:
            seen = secrets_in(sentence)
            kinds += [secret.kind for secret in seen]
            fit += _clauses_beside(sentence, seen, parse) if seen else [sentence]
        kept.append(" ".join(fit))
    return "\n".join(kept).strip("\n"), tuple(dict.fromkeys(kinds))


def _clauses_beside(sentence: str, secrets: Sequence[Secret], parse: Parse | None) -> list[str]:
    """Return the clauses of an English sentence that are independent of its secrets, each as a sentence."""
    if parse is None or language_of(sentence) != "en":
        return []
    for one in secrets:
        size = len(sentence[one.start : one.end].rstrip(".,;!?"))
        sentence = sentence[: one.start] + "0" * size + sentence[one.start + size :]
    parsed = map(mended, parse([sentence]))
    found = (clause for one in parsed for span in one.sentences() for clause in clauses(one, *span))
    return [f"{clause.text()}." for clause in found if _stands_alone(clause, secrets)]


def _stands_alone(clause: Clause, secrets: Sequence[Secret]) -> bool:
    """Whether a clause has no secret and nothing that could be or belong to one: no code, no word for either, no "it"."""
    tree, data, said = clause.tree, language_data("en"), clause.text()
    tokens = tree.tokens[clause.begin : clause.end]
    start = tokens[0].start
    apart = all(one.end <= start or start + len(said) <= one.start for one in secrets)
    if clause.mood != "statement" or clause.subject is None or clause.shared or not apart:
        return False
    pointing = data.words("persons", "pointing") | {"mine", "ours"}
    selves = data.words("persons", "self", "group")
    points = any(token.lower in pointing or (token.pos == "PRON" and token.lower not in selves) for token in tokens)
    owning = any(token.tag == "POS" for token in tree.tokens[clause.subject : clause.subject + 2])
    named = tree.tokens[clause.subject].pos in {"NOUN", "PROPN", "PRON"} and not owning
    return named and not (points or _secretive().search(said) or _DIALED.search(said))


@cache
def _secretive() -> re.Pattern[str]:
    """Return a pattern for words for secrets and for what they open."""
    called = _any_of(_words("names", "documents", "locks", "codes", "pairs", "phrases"))
    return re.compile(rf"\b(?:{called})(?:s|n|en)?\b", re.IGNORECASE)


def sentences_with_secrets(text: str) -> list[str]:
    """Return the sentences that :func:`without_secrets` removes; the whole text if a secret spans sentences or lines."""
    if not secrets_in(text):
        return []
    if _over_sentences(text):
        return [text]
    found = [one for line in text.split("\n") for one in sentences(line) if secrets_in(one)]
    return found or [text]


def _over_sentences(text: str) -> list[Secret]:
    found = [(secret, text[secret.start : secret.end]) for secret in secrets_in(text)]
    return [secret for secret, told in found if "\n" in told or len(sentences(told)) > 1]


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
    yield from _opening(text)
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
def _words(*lists: str) -> frozenset[str]:
    """Return the words of lists of ``[secrets]`` in all languages."""
    return frozenset().union(*(language_data(code).words("secrets", *lists) for code in LANGUAGES))


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern of words, the longest first; in phrases each word may be plural: "codes de secours"."""
    firsts = groupby(sorted(words, key=lambda word: (word[0], -len(word), word)), key=lambda word: word[0])
    rests = {first: "|".join(re.escape(word[1:]).replace("\\ ", "s?\\ ") for word in found) for first, found in firsts}
    # By their first letters: many times faster than one list.
    return "|".join(f"{re.escape(first)}(?:{rest})" for first, rest in rests.items())


@cache
def _beside() -> tuple[re.Pattern[str], ...]:
    """Return patterns for a value after its name, before it, and after what it opens."""
    names, links = _words("names", "documents"), _any_of(_words("links"))
    ends = {
        name
        for code in COMPOUNDING
        for name in language_data(code).words("secrets", "names", "documents")
        if len(name) >= COMPOUND_CHARS
    }
    name = rf"(?P<name>\b(?:{_any_of(names)})|(?:{_any_of(ends)}))(?:s|n|en)?\b(?![ -](?:{_any_of(names)})\b)"
    behind = (
        rf"{name}(?: {{1,2}}\W?(?=\S*\d)|(?P<of>(?: (?![\w']*\b(?:{links})\b)[\w'-]+){{1,3}}?) (?=\S*\d)|(?P<between>[^.!?\n:=]{{0,40}}?)\W{{0,3}}(?:(?:\b(?:{links})\b|[:=])\W{{0,3}})+)"
        rf"{_VALUE}(?=(?P<rest>[^.!?\n]{{0,{BESIDE_REACH}}}))"
    )
    before = rf"(?<!\S)(?P<value>[^\s,]*\d[^\s,]*) (?:{links}|{_any_of(_words('kinds'))})(?: [\w'-]+){{0,3}}? {name}(?P<rest>[^.!?\n]{{0,{BESIDE_REACH}}})"
    opens = rf"\b(?:{_any_of(_words('opens'))})(?:\b[^.!?\n]{{0,40}}? (?:{_any_of(_words('by'))})| (?:{links})) (?P<value>\d{{4,8}})\b(?P<rest>[^.!?\n]{{0,{BESIDE_REACH}}})"
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in (behind, before, opens))


@cache
def _pairs() -> re.Pattern[str]:
    """Return a pattern for a login and password together: "the login is admin / hunter2", "log in as admin with hunter2"."""
    pairs, kinds, by = (_any_of(_words(name)) for name in ("pairs", "kinds", "by"))
    name = r"[^\W\d][^\s/]*"
    return re.compile(
        rf"\b(?:{pairs})\b[^.!?\n]{{0,60}}? (?P<value>(?:{name} ?/ ?|(?:{kinds}) {name} (?:{by}) )(?=\S*\d)[^\s/]{{4,}})",
        re.IGNORECASE,
    )


@cache
def _locks() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return patterns for locks, for codes with their nouns, and for what directly precedes a stated code."""
    locks, opens = _words("locks"), _words("opens")
    ends = {
        lock
        for code in COMPOUNDING
        for lock in language_data(code).words("secrets", "locks")
        if len(lock) >= COMPOUND_CHARS
    }
    codes, by = _any_of(_words("codes")), _any_of(_words("by", "types"))
    found = rf"(?:\b(?:{_any_of(locks | opens)})|(?:{_any_of(ends)}))(?:n|s|es|en)?(?:{codes})?\b"
    called = rf"(?:(?P<noun>[^\W\d_]+)(?:['\u2019]s)? )?\b(?P<stem>[^\W\d_]*?)(?:{codes})s?\b(?=(?P<rest>.{{0,{BESIDE_REACH}}}))"
    link = rf"(?:{_any_of(_words('links'))})"
    told = rf"(?:\b(?P<code>{codes})\W{{0,3}}|(?:\b(?:(?P<by>{by})|{link}(?: {link})*)|[:=])\W{{0,3}}(?P<way>[^\W\d_]+ )?)$"
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in (found, called, told))  # type: ignore[return-value]


@cache
def _phrases() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_any_of(_words('phrases'))})\b", re.IGNORECASE)


def _named(text: str) -> Iterator[Secret]:
    """Yield named passwords, and numbers of documents and accounts."""
    behind, before, opens = _beside()
    for match in behind.finditer(text):
        if _is_told(text, match):
            yield Secret("password", match.start("value"), match.end("value"))
    for match in before.finditer(text):
        if _is_value(match["value"], match["name"], clear=_is_clear(match["rest"])):
            yield Secret("password", match.start("value"), match.end("value"))
    for match in opens.finditer(text):
        if _is_clear(match["rest"]):
            yield Secret("password", match.start("value"), match.end("value"))
    for match in _pairs().finditer(text):
        yield Secret("password", match.start("value"), match.end("value"))


def _opening(text: str) -> Iterator[Secret]:
    """Yield codes that open something: digits called a code, and next to a lock also turns of a dial and keys of a pad."""
    locks, codes, before = _locks()
    for clause in _CLAUSE.finditer(text):
        if not _DIALED.search(clause[0]):
            continue
        locked = locks.search(clause[0]) is not None
        coded = any(_opens(code, locks) and (locked or _is_clear(code["rest"])) for code in codes.finditer(clause[0]))
        if not (locked or coded or "#" in clause[0]):
            continue
        for match in _DIALED.finditer(clause[0]):
            told = before.search(clause[0], max(0, match.start() - BESIDE_REACH), match.start())
            if match["keys"]:
                fits = locked or match["keys"] == "#"
            elif told is None or (told["way"] and not match["turns"]):
                fits = False
            elif match["digits"]:
                fits = coded or (locked and told["by"] is not None)
            else:
                fits = locked and (coded or match["turns"] is not None)
            if fits and ((told and told["code"]) or _is_clear(clause[0][match.end() : match.end() + BESIDE_REACH])):
                yield Secret("password", clause.start() + match.start(), clause.start() + match.end())


def _opens(code: re.Match[str], locks: re.Pattern[str]) -> bool:
    """Whether the noun before a code or in it does not make it another one: "error code", "postcode"."""
    nouns = [noun for noun in (code["noun"], code["stem"]) if noun and not is_stop_word(noun.lower())]
    return all(locks.fullmatch(noun) for noun in nouns)


def _is_told(text: str, match: re.Match[str]) -> bool:
    """Whether the text after the name of a secret is one."""
    value = match["value"].strip(".,;!?\"'\u201c\u201d\u201e`()")
    if match["of"]:  # "my backup code for GitHub 83921-77420"
        return (
            _is_clear(match["of"])
            and _is_clear(match["rest"])
            and _is_code(value)
            and (value[0].isdigit() or _is_mixed(value))
        )
    clear = _is_clear(match["rest"] if match["between"] is None else match["between"])
    if match["between"] is None or match["name"].lower() in _words("documents"):
        return _is_value(value, match["name"], clear=clear)
    if not value.isalpha():
        numbered = _NUMBERED.search(match["name"]) is not None
        clear = clear or _is_mixed(value) or not any(map(str.isalpha, value))
        return len(value) >= 3 and clear and (any(map(str.isdigit, value)) or not numbered)
    quotes = "\"'\u201c\u201e`"
    comma = "," if match["value"].endswith(",") else ""
    rest = match["rest"].strip(" .,;!?\"'\u201c\u201d")
    alone = not rest or _goes_on(comma + match["rest"]) or _is_phrase(rest)
    in_quotes = text[match.start("value") - 1] in quotes or match["value"][0] in quotes
    return len(value) >= 3 and (alone or in_quotes) and clear and _NUMBERED.search(match["name"]) is None


def _goes_on(rest: str) -> bool:
    """Whether a new statement follows: "My password is bluebird and my cat is Otto", not "long and hard to guess"."""
    found = re.match(rf"\W*{parting(*LANGUAGES)}\W*(?P<next>[^\W\d_]+) +\w", rest)
    return found is not None and (found["next"].istitle() or is_stop_word(found["next"].lower()))


def _is_phrase(rest: str) -> bool:
    """Whether the words of a passphrase continue: "correct horse battery staple"."""
    words = rest.split()
    return len(words) >= PASS_WORDS - 1 and all(word.isalpha() and not is_stop_word(word.lower()) for word in words)


def _is_clear(beside: str) -> bool:
    """Whether the next word is not a noun that gives the name another meaning: "password manager", "1200 points"."""
    word = _NEXT_WORD.match(beside)
    return word is None or is_stop_word(word[1].lower())


def _is_value(value: str, name: str, *, clear: bool) -> bool:
    """Whether the text next to a name is its value: a code if a document is named."""
    if any(name.lower().endswith(document) for document in _words("documents")):
        return clear and _is_code(value)
    return len(value) >= BESIDE_CHARS and any(map(str.isdigit, value)) and (clear or _is_mixed(value))


def _is_code(value: str) -> bool:
    """Whether something is a number with enough digits, or letters and digits that are not a number with its unit."""
    digits = sum(map(str.isdigit, value))
    parts = re.findall(r"\w+", value)
    return (digits >= CODE_CHARS and not any(map(str.isalpha, value))) or any(
        len(part) >= CODE_CHARS
        and any(map(str.isdigit, part))
        and any(map(str.isalpha, part))
        and not _MEASURE.fullmatch(part)
        for part in parts
    )


def _is_mixed(value: str) -> bool:
    """Whether letters and digits are mixed as in no name of a program."""
    digits = sum(map(str.isdigit, value))
    return any(map(str.isalpha, value)) and (digits > 1 or (digits == 1 and len(value) >= LONG_CHARS))


@cache
def _phrase_words() -> Mapping[str, int]:
    lines = resource_text("privacy", "bip39.txt").splitlines()
    return {word: place for place, word in enumerate(line for line in lines if not line.startswith("#"))}


def _phrases_in(text: str) -> Iterator[Secret]:
    """Yield recovery phrases: named ones, and those with a valid checksum."""
    if _phrases().search(text):
        for match in _SEED.finditer(text):
            yield Secret("recovery phrase", match.start(), match.end())
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
