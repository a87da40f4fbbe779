"""Detects secrets in what a person says: keys, card and account numbers, passwords. Runs before anything is read.

Beside those with a form (:mod:`~memdesk.domain.reading.secret_forms`), anything is recognized by its name beside it
("my PIN is ...", "... as my password", ``[secrets]`` of ``resources/language``).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import Final

from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.data import COMPOUNDING, LANGUAGES, language_data, parting
from memdesk.domain.language.mending import mended
from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import is_stop_word, sentences
from memdesk.domain.reading.clause import Clause
from memdesk.domain.reading.clauses import clauses
from memdesk.domain.reading.secret_forms import Secret, SecretKind, secrets_by_form

Parse = Callable[[list[str]], Sequence[Analysis]]

#: Names of secrets that are numbers.
_NUMBERED: Final = re.compile(
    r"\b(?:pin|tan|cv[vc]|ssn|combination)\b|code\b|number\b|nummer\b|zahl\b|c\u00f3digo|codice", re.IGNORECASE
)
#: A value next to a name, and another of the same kind after it: "8391-2210 and 7723-1142".
_VALUE: Final = r"(?P<value>(?=\S*\d)\S+(?:,? (?:\w{1,3} )?(?=\S*\d{3})\S+)*|\S+)"
#: Ends where a space follows: signs stand in passwords.
_CLAUSE: Final = re.compile(r"(?:[^.!?\n;]|[.!?;](?=\S))+")
#: Something with a digit that begins with a letter, and is no path or address.
_MIXED: Final = re.compile(r"(?<![\w/@.#-])(?=[^\s,]{0,39}\d)[^\W\d_][^\s,;:/@()]{3,39}(?![/@])")
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
#: A year after its preposition: "changed in 2019", "a changé en 2019".
_WHEN: Final = re.compile(r"\b[ei]n (?:19|20)\d\d\b")
_NEXT_WORD: Final = re.compile(r"[ \t]+([^\W\d_][\w-]*)")
_SEED: Final = re.compile(r"(?:\b[a-z]{3,8}\b[ ,]+){11,23}\b[a-z]{3,8}\b")


def secrets_in(text: str) -> list[Secret]:
    """Return the secrets in a text, in order; those that overlap are one."""
    secrets: list[Secret] = []
    for one in sorted(_found(text), key=lambda secret: secret.start):
        if secrets and one.start < secrets[-1].end:
            before = secrets.pop()
            secrets.append(replace(before, end=max(before.end, one.end)))
        else:
            secrets.append(one)
    return secrets


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
    yield from secrets_by_form(text)
    yield from _named(text)
    yield from _opening(text)
    yield from _mixed_in(text)
    yield from _phrases_in(text)


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
    """Return patterns for a value after its name and before it."""
    names, links = _words("names", "documents", "keys"), _any_of(_words("links"))
    links += rf"|(?:{_any_of(_words('concluding'))})(?=\W{{1,3}}\S+(?:$|\n|(?<=[.!?,;]) ))"
    ends = {
        name
        for code in COMPOUNDING
        for name in language_data(code).words("secrets", "names", "documents", "keys")
        if len(name) >= COMPOUND_CHARS
    }
    name = rf"(?P<name>\b(?:{_any_of(names)})|(?:{_any_of(ends)}))(?:s|n|en)?\b(?![ -](?:{_any_of(names)})\b)"
    behind = (
        rf"{name}(?: {{1,2}}\W?(?=\S*\d)|(?P<of>(?: (?![\w']*\b(?:{links})\b)[\w'-]+){{1,3}}?) (?=\S*\d)|(?P<between>[^.!?\n:=]{{0,40}}?)\W{{0,3}}(?:(?:\b(?:{links})\b|[:=])\W{{0,3}})+)"
        rf"{_VALUE}(?=(?P<rest>[^.!?\n]{{0,{BESIDE_REACH}}}))"
    )
    before = rf"(?<!\S)(?P<value>[^\s,]*\d[^\s,]*) (?:{links}|{_any_of(_words('kinds'))})(?: [\w'-]+){{0,3}}? {name}(?P<rest>[^.!?\n]{{0,{BESIDE_REACH}}})"
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in (behind, before))


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
def _locks() -> tuple[re.Pattern[str], ...]:
    """Return patterns for locks, for codes with their nouns, for what directly precedes a stated code, for opening, for passwords."""
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
    link = rf"(?:{_any_of(_words('links', 'concluding'))})"
    told = rf"(?:\b(?P<code>{codes})\W{{0,3}}|(?:\b(?:(?P<by>{by})|{link}(?: {link})*)|[:=])\W{{0,3}}(?P<way>[^\W\d_]+ )?)$"
    opening = rf"\b(?:{_any_of(opens)})\b"
    named = rf"\b(?:{_any_of(_words('names'))})\b(?=(?P<rest>.{{0,{BESIDE_REACH}}}))"
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in (found, called, told, opening, named))


@cache
def _phrases() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_any_of(_words('phrases'))})\b", re.IGNORECASE)


def _named(text: str) -> Iterator[Secret]:
    """Yield named passwords, and numbers of documents and accounts."""
    behind, before = _beside()
    for match in behind.finditer(text):
        if _is_told(text, match):
            yield Secret("password", match.start("value"), match.end("value"))
    for match in before.finditer(text):
        if _is_value(match["value"], match["name"], clear=_is_clear(match["rest"])):
            yield Secret("password", match.start("value"), match.end("value"))
    for match in _pairs().finditer(text):
        yield Secret("password", match.start("value"), match.end("value"))


def _opening(text: str) -> Iterator[Secret]:
    """Yield codes that open something: digits called a code, and next to a lock also turns of a dial and keys of a pad."""
    locks, codes, before, opening, _ = _locks()
    for clause in _CLAUSE.finditer(text):
        if not _DIALED.search(clause[0]):
            continue
        locked = locks.search(clause[0]) is not None
        opened = opening.search(clause[0]) is not None
        coded = any(_opens(code, locks) and (locked or _is_clear(code["rest"])) for code in codes.finditer(clause[0]))
        if not (locked or coded or "#" in clause[0]):
            continue
        for match in _DIALED.finditer(clause[0]):
            told = before.search(clause[0], max(0, match.start() - BESIDE_REACH), match.start())
            if _WHEN.match(clause[0], max(0, match.start() - 3)):
                fits = False
            elif match["keys"]:
                fits = locked or match["keys"] == "#"
            elif told is None or (told["way"] and not match["turns"]):
                fits = False
            elif match["digits"]:
                fits = coded or opened or (locked and told["by"] is not None)
            else:
                fits = locked and (coded or match["turns"] is not None)
            if fits and ((told and told["code"]) or _is_clear(clause[0][match.end() : match.end() + BESIDE_REACH])):
                yield Secret("password", clause.start() + match.start(), clause.start() + match.end())


def _mixed_in(text: str) -> Iterator[Secret]:
    """Yield letters mixed with digits that are said to be used, set or concluded where a password is named."""
    _, _, before, _, names = _locks()
    for clause in _CLAUSE.finditer(text):
        found = [match for match in _MIXED.finditer(clause[0]) if _is_mixed(match[0])]
        if found and any(_is_clear(name["rest"]) for name in names.finditer(clause[0])):
            for match in found:
                told = before.search(clause[0], max(0, match.start() - BESIDE_REACH), match.start())
                if told and _is_clear(clause[0][match.end() : match.end() + BESIDE_REACH]):
                    yield Secret("password", clause.start() + match.start(), clause.start() + match.end())


def _opens(code: re.Match[str], locks: re.Pattern[str]) -> bool:
    """Whether the noun before a code or in it does not make it another one: "error code", "postcode"."""
    nouns = [noun for noun in (code["noun"], code["stem"]) if noun and not is_stop_word(noun.lower())]
    return all(locks.fullmatch(noun) for noun in nouns)


def _is_told(text: str, match: re.Match[str]) -> bool:
    """Whether the text after the name of a secret is one."""
    value = match["value"].strip(".,;!?\"'\u201c\u201d\u201e`()")
    if _WHEN.match(text, max(0, match.start("value") - 3)):
        return False
    if match["of"]:  # "my backup code for GitHub 83921-77420"
        return (
            _is_clear(match["of"])
            and _is_clear(match["rest"])
            and _is_code(value)
            and (value[0].isdigit() or _is_mixed(value))
        )
    clear = _is_clear(match["rest"] if match["between"] is None else match["between"])
    if match["between"] is None or match["name"].lower() in _words("documents", "keys"):
        return _is_value(value, match["name"], clear=clear)
    if not value.isalpha():
        numbered = _NUMBERED.search(match["name"]) is not None
        clear = clear or not any(map(str.isalpha, value))
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
    if any(name.lower().endswith(document) for document in _words("documents", "keys")):
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


def _phrases_in(text: str) -> Iterator[Secret]:
    """Yield recovery phrases that are named."""
    if _phrases().search(text):
        for match in _SEED.finditer(text):
            yield Secret("recovery phrase", match.start(), match.end())
