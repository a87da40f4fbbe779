"""Detects secrets in what a person says: keys, card and account numbers, passwords. Runs before anything is read.

Beside those with a form (:mod:`~memdesk.domain.reading.secret_forms`), anything is recognized by its name beside it
("my PIN is ...", "... as my password", ``[secrets]`` of ``resources/language``).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from memdesk.domain.caches import remembered
from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.data import COMPOUNDING, LANGUAGES, language_data, parting
from memdesk.domain.language.mending import mended
from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import bare, is_stop_word, sentences, words
from memdesk.domain.reading.clause import Clause
from memdesk.domain.reading.clauses import clauses
from memdesk.domain.reading.secret_forms import Secret, SecretKind, secrets_by_form
from memdesk.domain.reading.secret_references import referred
from memdesk.domain.reading.secret_words import BESIDE_REACH, CLAUSE, NUMBERED, any_of, is_clear, is_mixed, words_for

Parse = Callable[[list[str]], Sequence[Analysis]]

#: A value next to a name, and another of the same kind after it: "8391-2210 and 7723-1142".
_VALUE: Final = r"(?P<value>(?=\S*\d)\S+(?:,? (?:\w{1,3} )?(?=\S*\d{3})\S+)*|\S+)"
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
#: Fewest words of a passphrase, whose sentence contains no others.
PASS_WORDS: Final = 4
#: Names of this length end compounds: "Personalausweisnummer".
COMPOUND_CHARS: Final = 6
#: A year after its preposition: "changed in 2019", "a changé en 2019".
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_WHEN: Final = re.compile(r"\b[ei]n (?:19|20)\d\d\b")
_SEED: Final = re.compile(r"(?:\b[a-z]{3,8}\b[ ,]+){11,23}\b[a-z]{3,8}\b")


def secrets_in(text: str) -> list[Secret]:
    """Return the secrets in a text, in order; those that overlap are one."""
    return list(_secrets_in(text))


@remembered(2048)
def _secrets_in(text: str) -> tuple[Secret, ...]:
    secrets: list[Secret] = []
    for one in sorted(_found(text), key=lambda secret: secret.start):
        if secrets and one.start < secrets[-1].end:
            before = secrets.pop()
            secrets.append(replace(before, end=max(before.end, one.end)))
        else:
            secrets.append(one)
    return tuple(secrets)


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
    for line in _by_sentence(text):
        fit = []
        for sentence, seen in line or [("", [])]:
            kinds += [secret.kind for secret in seen]
            fit += _clauses_beside(sentence, seen, parse) if seen else [sentence]
        kept.append(" ".join(fit))
    return "\n".join(kept).strip("\n"), tuple(dict.fromkeys(kinds))


def _by_sentence(text: str) -> Iterator[list[tuple[str, list[Secret]]]]:
    """Yield the sentences of each line with their secrets, of which some are known only by the sentence before."""
    secrets, start = secrets_in(text), 0
    for line in text.split("\n"):
        found, at = [], start
        for sentence in sentences(line):
            at = text.index(sentence, at)
            begin, at = at, at + len(sentence)
            within = [one for one in secrets if begin <= one.start < at]
            alone = [replace(one, start=one.start - begin, end=min(one.end, at) - begin) for one in within]
            found.append((sentence, secrets_in(sentence) or alone))
        yield found
        start += len(line) + 1


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
def _verbs() -> frozenset[str]:
    """Return forms of common verbs in all languages."""
    return frozenset(form for code in LANGUAGES for form in language_data(code).forms("lemmas"))


@cache
def _secretive() -> re.Pattern[str]:
    """Return a pattern for words for secrets and for what they open."""
    called = any_of(words_for("names", "documents", "locks", "codes", "pairs", "phrases"))
    return re.compile(rf"\b(?:{called})(?:s|n|en)?\b", re.IGNORECASE)


def sentences_with_secrets(text: str) -> list[str]:
    """Return the sentences that :func:`without_secrets` removes; the whole text if a secret spans sentences or lines."""
    if not secrets_in(text):
        return []
    if _over_sentences(text):
        return [text]
    return [sentence for line in _by_sentence(text) for sentence, seen in line if seen] or [text]


def _over_sentences(text: str) -> list[Secret]:
    found = [(secret, text[secret.start : secret.end]) for secret in secrets_in(text)]
    return [secret for secret, told in found if "\n" in told or len(sentences(told)) > 1]


def _found(text: str) -> Iterator[Secret]:
    yield from secrets_by_form(text)
    yield from _named(text)
    yield from _opening(text)
    yield from referred(text)
    yield from _phrases_in(text)


@cache
def _beside() -> tuple[re.Pattern[str], ...]:
    """Return patterns for a value after its name and before it."""
    names, links = words_for("names", "documents", "keys"), any_of(words_for("links"))
    links += rf"|(?:{any_of(words_for('concluding'))})(?=\W{{1,3}}\S+(?:$|\n|(?<=[.!?,;]) ))"
    ends = {
        name
        for code in COMPOUNDING
        for name in language_data(code).words("secrets", "names", "documents", "keys")
        if len(name) >= COMPOUND_CHARS
    }
    name = rf"(?P<name>\b(?:{any_of(names)})|(?:{any_of(ends)}))(?:s|n|en)?\b(?![ -](?:{any_of(names)})\b)"
    behind = (
        rf"{name}(?: {{1,2}}\W?(?=\S*\d)|(?P<of>(?: (?![\w']*\b(?:{links})\b)[\w'-]+){{1,3}}?) (?=\S*\d)|(?P<between>[^.!?;\n:=]{{0,40}}?)\W{{0,3}}(?:(?:\b(?:{links})\b|[:=])\W{{0,3}})+)"
        rf"{_VALUE}(?=(?P<rest>[^.!?\n]{{0,{BESIDE_REACH}}}))"
    )
    before = rf"(?<!\S)(?P<value>[^\s,]*\d[^\s,]*) (?:{links}|{any_of(words_for('kinds'))})(?: [\w'-]+){{0,3}}? {name}(?P<rest>[^.!?\n]{{0,{BESIDE_REACH}}})"
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in (behind, before))


@cache
def _pairs() -> re.Pattern[str]:
    """Return a pattern for a login and password together: "the login is admin / hunter2", "log in as admin with hunter2"."""
    pairs, kinds, by = (any_of(words_for(name)) for name in ("pairs", "kinds", "by"))
    name = r"[^\W\d][^\s/]*"
    return re.compile(
        rf"\b(?:{pairs})\b[^.!?\n]{{0,60}}? (?P<value>(?:{name} ?/ ?|(?:{kinds}) {name} (?:{by}) )(?=\S*\d)[^\s/]{{4,}})",
        re.IGNORECASE,
    )


@cache
def _locks() -> tuple[re.Pattern[str], ...]:
    """Return patterns for locks, for codes with their nouns, for what directly precedes a stated code, for opening, for passwords."""
    locks, opens = words_for("locks"), words_for("opens")
    ends = {
        lock
        for code in COMPOUNDING
        for lock in language_data(code).words("secrets", "locks")
        if len(lock) >= COMPOUND_CHARS
    }
    codes, by = any_of(words_for("codes")), any_of(words_for("by", "types"))
    found = rf"(?:\b(?:{any_of(locks | opens)})|(?:{any_of(ends)}))(?:n|s|es|en)?(?:{codes})?\b"
    called = rf"(?:(?P<noun>[^\W\d_]+)(?:['\u2019]s)? )?\b(?P<stem>[^\W\d_]*?)(?:{codes})s?\b(?=(?P<rest>.{{0,{BESIDE_REACH}}}))"
    link = rf"(?:{any_of(words_for('links', 'concluding'))})"
    told = rf"(?:\b(?P<code>{codes})\W{{0,3}}|(?:\b(?:(?P<by>{by})|{link}(?: {link})*)|[:=])\W{{0,3}}(?P<way>[^\W\d_]+ )?)$"
    opening = rf"\b(?:{any_of(opens)})\b"
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in (found, called, told, opening))


@cache
def _phrases() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{any_of(words_for('phrases'))})\b", re.IGNORECASE)


def _named(text: str) -> Iterator[Secret]:
    """Yield named passwords, and numbers of documents and accounts."""
    behind, before = _beside()
    for match in behind.finditer(text):
        if _is_told(text, match):
            yield Secret("password", match.start("value"), match.end("value"))
    for match in before.finditer(text):
        if _is_value(match["value"], match["name"], clear=is_clear(match["rest"])):
            yield Secret("password", match.start("value"), match.end("value"))
    for match in _pairs().finditer(text):
        yield Secret("password", match.start("value"), match.end("value"))


def _opening(text: str) -> Iterator[Secret]:
    """Yield codes that open something: digits called a code, and next to a lock also turns of a dial and keys of a pad."""
    locks, codes, before, opening = _locks()
    for clause in CLAUSE.finditer(text):
        if not _DIALED.search(clause[0]):
            continue
        locked = locks.search(clause[0]) is not None
        opened = opening.search(clause[0]) is not None
        coded = any(_opens(code, locks) and (locked or is_clear(code["rest"])) for code in codes.finditer(clause[0]))
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
            if fits and ((told and told["code"]) or is_clear(clause[0][match.end() : match.end() + BESIDE_REACH])):
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
    if _YEAR.fullmatch(value) and re.search(r"[.!?]", text[match.end("name") : match.start("value")]):
        return False
    if match["of"]:  # "my backup code for GitHub 83921-77420", not "el wifi se llama Movistar7590"
        return (
            is_clear(match["of"])
            and _verbs().isdisjoint(map(bare, words(match["of"])))
            and is_clear(match["rest"])
            and _is_code(value)
            and (value[0].isdigit() or is_mixed(value))
        )
    clear = is_clear(match["rest"] if match["between"] is None else match["between"])
    if match["between"] is None or match["name"].lower() in words_for("documents", "keys"):
        return _is_value(value, match["name"], clear=clear)
    if not value.isalpha():
        numbered = NUMBERED.search(match["name"]) is not None
        clear = clear or not any(map(str.isalpha, value))
        return len(value) >= 3 and clear and (any(map(str.isdigit, value)) or not numbered)
    quotes = "\"'\u201c\u201e`"
    comma = "," if match["value"].endswith(",") else ""
    rest = match["rest"].strip(" .,;!?\"'\u201c\u201d")
    alone = not rest or _goes_on(comma + match["rest"]) or _is_phrase(rest)
    in_quotes = text[match.start("value") - 1] in quotes or match["value"][0] in quotes
    return len(value) >= 3 and (alone or in_quotes) and clear and NUMBERED.search(match["name"]) is None


def _goes_on(rest: str) -> bool:
    """Whether a new statement follows: "My password is bluebird and my cat is Otto", not "long and hard to guess"."""
    found = re.match(rf"\W*{parting(*LANGUAGES)}\W*(?P<next>[^\W\d_]+) +\w", rest)
    return found is not None and (found["next"].istitle() or is_stop_word(found["next"].lower()))


def _is_phrase(rest: str) -> bool:
    """Whether the words of a passphrase continue: "correct horse battery staple"."""
    words = rest.split()
    return len(words) >= PASS_WORDS - 1 and all(word.isalpha() and not is_stop_word(word.lower()) for word in words)


def _is_value(value: str, name: str, *, clear: bool) -> bool:
    """Whether the text next to a name is its value: a code if a document is named."""
    if any(name.lower().endswith(document) for document in words_for("documents", "keys")):
        return clear and _is_code(value)
    return len(value) >= BESIDE_CHARS and any(map(str.isdigit, value)) and (clear or is_mixed(value))


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


def _phrases_in(text: str) -> Iterator[Secret]:
    """Yield recovery phrases that are named."""
    if _phrases().search(text):
        for match in _SEED.finditer(text):
            yield Secret("recovery phrase", match.start(), match.end())
