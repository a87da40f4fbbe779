"""Words: how texts are cut, folded and counted everywhere in memdesk.

Full text, the gate, similarity and the planner must agree on what a word is; they all ask here.
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

#: Characters that one token stands for where no tokenizer is at hand.
CHARS_PER_TOKEN = 4

#: A word of letters, with hyphens inside: "sister-in-law".
LETTERS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
# The same for texts in lower-case ASCII, in half the time: most of them.
_ASCII_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
_SENTENCE = re.compile(r"(?<=[.!?\u2026])([\"'\u201d\u2019)\]]*)\s+")
_SPACES = re.compile(r"\s+")
#: Digits and signs of ASCII: mostly tokens of their own.
_DIGITS = b"0123456789"
_SIGNS = b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
#: What a character takes besides its quarter of a token, by script: accented letters, quotes and dashes; Greek to Armenian;
#: Hebrew and Arabic; the scripts of India; Thai, CJK, Hangul, emoji and the rest.
_SCRIPTS = (
    (re.compile(r"[\u00a1-\u036f\u2000-\u20ff]"), 2),
    (re.compile(r"[\u0370-\u058f]"), 3),
    (re.compile(r"[\u0590-\u08ff]"), 3),
    (re.compile(r"[\u0900-\u0dff]"), 4),
    (re.compile(r"[\u0e00-\u1dff\u2100-\U0010ffff]"), 8),
)
_LOCAL = threading.local()


def width(text: str) -> int:
    """Return the room that ``text`` takes, in quarters of a token, with a margin: one for a letter of ASCII.

    Tokenizers keep words of Latin letters whole; digits and signs they mostly count one by one, letters of other scripts
    in pieces. The tokenizer of the bundled model, whose vocabulary is small and English, counts at most a quarter more
    in code, JSON, dates, signs and the scripts tested (``tests/unit/domain/test_widths.py``), and fewer in English prose.
    """
    latin = text.encode("ascii", "ignore")
    more = 3 * (len(latin) - len(latin.translate(None, _DIGITS)))
    more += 2 * (len(latin) - len(latin.translate(None, _SIGNS)))
    if len(latin) < len(text):
        more += sum(room * len(script.findall(text)) for script, room in _SCRIPTS)
    return len(text) + more


def estimate_tokens(text: str) -> int:
    """Return the tokens of ``text`` where no tokenizer is at hand: a quarter of its :func:`width`, rounded up."""
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
    """Return a text of any length as :func:`fold` does a word; nothing is remembered of it."""
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
    """Return the words of ``text`` that carry a topic: stop words and clitics out, repeats kept.

    ``language``: one of :data:`memdesk.domain.language.data.LANGUAGES`, whose stop words alone are left out, since a
    word of one language may carry the topic in another ("war", "die", "sin"); None for English.
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
    """Return whether ``word`` (lower case) is a function word of any language known here."""
    return word in all_stop_words()


@remembered(65536)
def stem(word: str) -> str:
    """Return the Porter stem of ``word``, as FTS5's ``porter`` tokenizer makes it (case and accents folded)."""
    return _stemmed(fold(word), "porter")


@remembered(65536)
def root(word: str, language: str) -> str:
    """Return the stem that the forms of ``word`` share in its language, without accents: "backe" and "backen" are "back"."""
    return unaccented(_stemmed(word.casefold(), language_data(language).stemmer))


def _stemmed(word: str, name: str) -> str:
    # Stemmers keep state while they work, so that each thread needs its own.
    stemmer = getattr(_LOCAL, name, None)
    if stemmer is None:
        stemmer = snowballstemmer.stemmer(name)
        setattr(_LOCAL, name, stemmer)
    return str(stemmer.stemWord(word))


@remembered(65536)
def topic_stem(word: str) -> str:
    """Return the stem that :func:`content_words` and :func:`stem` make of one of :func:`words`, "" for a function word."""
    stop = stop_words("en")
    root = "" if word in stop else bare(word)
    return stem(root) if root and root not in stop else ""


def stems(text: str) -> set[str]:
    return {stem(word) for word in content_words(text)}


def sentences(text: str) -> list[str]:
    """Return the sentences of ``text``, trimmed, in order; nothing but white space is lost."""
    ended = _SENTENCE.sub(r"\1\n", text)
    return [piece.strip() for piece in ended.split("\n") if piece.strip()]


def one_line(text: str) -> str:
    """Return ``text`` on one line: runs of white space become one space."""
    return _SPACES.sub(" ", text).strip()


def shorten(text: str, limit: int) -> str:
    """Return ``text`` of at most ``limit`` characters, cut at a word, with an ellipsis when something went."""
    if len(text) <= limit:
        return text
    if limit <= 1:
        return text[:limit]
    head = text[: limit - 1]
    cut = head.rfind(" ")
    return (head[:cut] if cut > limit // 2 else head).rstrip() + "\u2026"


def content_hash(text: str) -> str:
    """Return a hash that names ``text`` in caches (BLAKE2b, 128 bits, hex)."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
