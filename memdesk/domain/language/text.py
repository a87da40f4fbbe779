"""Words: how texts are split, folded and counted everywhere in memdesk.

Full text, the gate, similarity and the planner must agree on what a word is; they all use this module.
"""

from __future__ import annotations

import hashlib
import math
import re
import threading
import unicodedata

import snowballstemmer

from memdesk.domain.caches import remembered
from memdesk.domain.language.data import all_stop_words, language_data, stop_words

#: Characters per token if no tokenizer is available.
CHARS_PER_TOKEN = 4

#: Capital letters of alphabets that have them, for a class of a regular expression.
CAPITALS = "".join(char for char in map(chr, range(0x0530)) if char.isupper())
#: A word of letters, with hyphens inside: "sister-in-law".
LETTERS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
# The same for texts in lower-case ASCII, in half the time: most of them.
_ASCII_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
#: Where a sentence ends. Scripts written without spaces have their own stops, without a space after them.
_SENTENCE = re.compile(
    r"(?<=[.!?\u2026])([\"'\u201d\u2019)\]]*)\s+"
    r"|(?<=[\u3002\uff01\uff1f])(?![\u3002\uff01\uff1f])([\u300d\u300f\uff09\u201d\u2019]*)\s*"
)
_SPACES = re.compile(r"\s+")
#: ASCII digits and signs: mostly single tokens.
_DIGITS = b"0123456789"
_SIGNS = b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
#: Words in capitals are split. Letters next to digits ("3fa9c0") form no words, those next to accents rare words, and
#: no token includes the space before a character of another kind.
_CAPITALS = re.compile(r"(?<=[A-Za-z])[A-Z]|[A-Z](?=[A-Z])")
_MIXED = re.compile(r"[A-Za-z]+(?=\d)|(?<=\d)[A-Za-z]+")
_BESIDE = re.compile(r"[A-Za-z]+(?=[\u00c0-\u1eff])|(?<=[\u00c0-\u1eff])[A-Za-z]+")
_APART = re.compile(r" (?=[^ -/:-~])")
_STRANGE = re.compile(r"[^\x00-\x7f]+")
#: The width of a character in scripts that tokenizers know: dashes and quotes; Cyrillic; Latin with accents, Greek,
#: Hebrew, Arabic and Devanagari; other scripts of India, Thai, Georgian, signs, Chinese, Japanese and Korean. Any other
#: takes its bytes, the most that any tokenizer needs.
_SCRIPTS = (
    (re.compile(r"[\u2010-\u2027\u20ac]"), 3),
    (re.compile(r"[\u0400-\u0523]"), 4),
    (re.compile(r"[\u00a1-\u017f\u0370-\u03ff\u0590-\u06ff\u0900-\u097f]"), 5),
    (re.compile(r"[\u0980-\u0d7f\u0e00-\u0e7f\u10a0-\u10ff\u2100-\u27bf\u3000-\u9fff\uac00-\ud7af]"), 9),
)
_LOCAL = threading.local()


def width(text: str) -> int:
    """Return the space that ``text`` takes, in quarters of a token, with a margin: one for an ASCII letter.

    Tokenizers keep words of Latin letters whole; they mostly count digits and signs one by one, letters of other
    scripts in pieces, of rare ones byte by byte. The bundled model's, whose vocabulary is small and English, counts no
    more in code, JSON, dates, signs and the tested scripts (``tests/unit/domain/test_widths.py``), and fewer in English
    prose.
    """
    latin = text.encode("ascii", "ignore")
    digits = len(latin) - len(latin.translate(None, _DIGITS))
    more = 3 * digits + 2 * (len(latin) - len(latin.translate(None, _SIGNS)))
    more += len(_CAPITALS.findall(text))
    if digits:
        more += 3 * sum(map(len, _MIXED.findall(text)))
    if len(latin) < len(text) or digits:
        more += 3 * len(_APART.findall(text))
    if len(latin) < len(text):
        strange = "".join(_STRANGE.findall(text))
        more += sum(map(len, _BESIDE.findall(text)))
        more += 4 * len(strange.encode(errors="surrogatepass")) - len(strange)
        for script, room in _SCRIPTS:
            known = "".join(script.findall(strange))
            more -= 4 * len(known.encode()) - room * len(known)
    return len(text) + more


def estimate_tokens(text: str) -> int:
    """Return the tokens of ``text`` if no tokenizer is available: a quarter of its :func:`width`, rounded up."""
    return math.ceil(width(text) / CHARS_PER_TOKEN)


def words(text: str) -> list[str]:
    """Return the words of ``text``, lower-cased, in order. Apostrophes inside a word belong to it."""
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    return _WORD.findall(text.casefold())


@remembered(65536)
def fold(word: str) -> str:
    """Return ``word`` without case and diacritics, as FTS5's ``remove_diacritics 2`` does."""
    return unaccented(word)


def unaccented(text: str) -> str:
    """Return a text of any length as :func:`fold` does a word, uncached."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def bare(word: str) -> str:
    """Return ``word`` without a clitic after an apostrophe (``dana's`` is ``dana``, ``l'ami`` is ``ami``)."""
    for mark in ("'", "\u2019"):
        if mark in word:
            left, _, right = word.partition(mark)
            return right if len(left) <= 2 < len(right) else left
    return word


def content_words(text: str, language: str | None = None) -> list[str]:
    """Return the words of ``text`` that carry a topic: without stop words and clitics, with repeats.

    ``language``: one of :data:`memdesk.domain.language.data.LANGUAGES`, whose stop words alone are left out, since a
    stop word of one language may carry the topic in another ("war", "die", "sin"); None for English.
    """
    stop = stop_words(language or "en")
    found = []
    for word in words(text):
        if word in stop:
            continue
        root = bare(word)
        if root and root not in stop:
            found.append(root)
    return found


def is_stop_word(word: str) -> bool:
    """Return whether ``word`` (lower case) is a function word of any known language."""
    return word in all_stop_words()


@remembered(65536)
def stem(word: str) -> str:
    """Return the Porter stem of ``word``, as FTS5's ``porter`` tokenizer makes it (case and accents folded)."""
    return _stemmed(fold(word), "porter")


@remembered(65536)
def root(word: str, language: str) -> str:
    """Return the stem of ``word`` in its language, without accents: "backe" and "backen" give "back"."""
    return unaccented(_stemmed(word.casefold(), language_data(language).stemmer))


def _stemmed(word: str, name: str) -> str:
    # Stemmers are stateful, so each thread needs its own.
    stemmer = getattr(_LOCAL, name, None)
    if stemmer is None:
        stemmer = snowballstemmer.stemmer(name)
        setattr(_LOCAL, name, stemmer)
    return str(stemmer.stemWord(word))


@remembered(65536)
def topic_stem(word: str) -> str:
    """Return the stem by :func:`content_words` and :func:`stem` of one of :func:`words`, "" for a function word."""
    stop = stop_words("en")
    root = "" if word in stop else bare(word)
    return stem(root) if root and root not in stop else ""


def stems(text: str) -> set[str]:
    return {stem(word) for word in content_words(text)}


def sentences(text: str) -> list[str]:
    """Return the sentences of ``text``, trimmed, in order; nothing but white space is lost."""
    ended = _SENTENCE.sub(r"\1\2\n", text)
    return [piece.strip() for piece in ended.split("\n") if piece.strip()]


def one_line(text: str) -> str:
    """Return ``text`` on one line: runs of white space become one space."""
    return _SPACES.sub(" ", text).strip()


def capitalized(text: str) -> str:
    """Return a sentence with a capital first letter, unless its first word is spelled otherwise: "iOS", "kim@example.org"."""
    first, *_ = text.split(maxsplit=1) or [""]
    spelled = first[:1].islower() and any(char.isupper() or char.isdigit() or char == "@" for char in first)
    return text if spelled else text[:1].upper() + text[1:]


def shorten(text: str, limit: int) -> str:
    """Return ``text`` cut to at most ``limit`` characters, at a word, with an ellipsis if something was cut."""
    if len(text) <= limit:
        return text
    if limit <= 1:
        return text[:limit]
    head = text[: limit - 1]
    cut = head.rfind(" ")
    return (head[:cut] if cut > limit // 2 else head).rstrip() + "\u2026"


def content_hash(text: str) -> str:
    """Return a hash that identifies ``text`` in caches (BLAKE2b, 128 bits, hex)."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
