"""What stands in a message and is not its speaker's word, and the sentences of it that speak to the assistant.

Of the user's own words only an order to override is one (:mod:`injection`). A letter, a page or a table has nothing to tell the
assistant at all, so that it is enough there that a sentence speaks to a model, or of its user and its answers, and tells it what to do.
What people are told in it, in a recipe or a manual, is left alone.
"""

import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Final

from memdesk.domain.caches import remembered
from memdesk.domain.language.data import LANGUAGES, language_data
from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import LETTERS, content_words, one_line, sentences, stem
from memdesk.domain.reading import noise
from memdesk.domain.reading.injection import order_in, plainly_written

#: What stands for a sentence that is left out.
LEFT_OUT: Final = "\u2026"
#: Where the words end by which a text is handed over: a colon, or a question at the end of its line.
_HANDED: Final = re.compile(r":(?=\s)|\?[ \t]*\n|\n[ \t]*\n")
_FENCE: Final = re.compile(r"```|~~~")
_QUOTES: Final = re.compile(r"^[ \t]*[>|]", re.MULTILINE)
#: A line that was broken for its length: the next one goes on in a small letter.
_WRAPPED: Final = re.compile(r"(?<=[^\s.!?:;])[ \t]*\n[ \t]*(?=[^\W\d_A-Z])")
#: A row of a table, a line of a chat and a comment are cut where they say something of their own.
_CELLS: Final = re.compile(
    r"([\t|\"]|<!--|-->|<[^<>]{0,400}>|^[ \t]*\[?\d{1,2}:\d\d(?::\d\d)?\]?[ \t]*[^:\n]{1,40}:|^[ \t]*(?:#|//|\*|--)+)",
    re.MULTILINE,
)
#: Where the clauses of a sentence begin.
_CLAUSE: Final = re.compile(r"[,;:.!?()\u2013\u2014]|\b(?:and|but|und|aber|et|mais|y|e|pero|ma|en|maar)\b")
#: A label before what it speaks to.
_LABEL: Final = re.compile(r"^[^.!?:]{1,80}:")
#: Classes of words: what is said to somebody, and to whom.
_SAYING: Final = ("tell", "promote", "telling")
_USERS: Final = ("user", "readers")
#: First words of a clause among which the verb of an order stands: "please always tell ...", "kindly say ...".
_STARTS: Final = 3


@remembered(1024)
def without_orders(text: str, stems: frozenset[str] = frozenset(), *, foreign: bool = False) -> str:
    """Return a text without what others wrote in it to the assistant; each such sentence becomes :data:`LEFT_OUT`.

    A sentence of a pasted document that speaks to its reader, gives no figure and has no word of what is asked goes as well:
    it may be meant for the assistant in words that nobody foresaw, and answers nothing.

    Args:
        text: a message, or a passage of a file.
        stems: of what is asked; none where the whole is wanted.
        foreign: all of it is somebody else's.
    """
    begin = 0 if foreign else _own_until(text)
    told = _WRAPPED.sub(" ", text[begin:])
    code = language_of(told) if stems and told and not foreign and noise.clean(text).document else ""

    def unwanted(sentence: str) -> bool:
        if not any(map(str.isalpha, sentence)):
            return False
        return order_within(sentence) is not None or (
            bool(code) and _says_to_reader(sentence, language_of(sentence, code), stems)
        )

    kept = "\n".join(_line(line, unwanted) for line in told.split("\n"))
    return text[:begin] + kept if kept != told else text


def _own_until(text: str) -> int:
    """Return where the speaker's own words end and what they hand over begins; the length where nothing is handed over."""
    if len(text) > noise.PASTE_CHARS and not _HANDED.search(text[: noise.HEAD_CHARS]) and noise.clean(text).document:
        return 0
    marks = (_HANDED.search(text), _FENCE.search(text), _QUOTES.search(text))
    return min((mark.end() if mark.re is _HANDED else mark.start() for mark in marks if mark), default=len(text))


def _line(line: str, unwanted: Callable[[str], bool]) -> str:
    pieces = _CELLS.split(line)
    if any(order_in(mark) for mark in pieces[1::2]):  # "<|im_start|>": all that stands beside it is said by it
        return LEFT_OUT
    for place in range(0, len(pieces), 2):
        for sentence in sentences(pieces[place]):
            if unwanted(sentence):
                pieces[place] = pieces[place].replace(sentence, LEFT_OUT, 1)
    return "".join(pieces)


def _says_to_reader(sentence: str, code: str, stems: frozenset[str]) -> bool:
    """Whether a sentence speaks to whoever reads it, without a figure and without a word of what is asked."""
    data, words = language_data(code), frozenset(LETTERS.findall(sentence.lower()))
    to_reader = data.words("plain", "listener") | data.words("orders", "must", "always", "wishes")
    if words.isdisjoint(to_reader) or any(map(str.isdigit, sentence)):
        return False
    return stems.isdisjoint(stem(word) for word in content_words(sentence, code))


@remembered(4096)
def order_within(sentence: str) -> str | None:
    """Return why a sentence of somebody else's text tells the assistant that reads it what to do; None where it does not."""
    found = order_in(sentence)
    if found is None:
        plain = plainly_written(one_line(sentence)).lower()
        words = LETTERS.findall(plain)
        starts = frozenset(word for clause in _CLAUSE.split(plain) for word in LETTERS.findall(clause)[:_STARTS])
        found = "addresses the model" if any(_spoken_to(plain, words, starts, code) for code in LANGUAGES) else None
    return found


def _spoken_to(plain: str, words: list[str], starts: frozenset[str], code: str) -> bool:
    said, known = f" {' '.join(words)} ", frozenset(words)

    def has(*classes: str) -> bool:
        single, phrases = _classes(code, *classes)
        return not known.isdisjoint(single) or any(phrase in said for phrase in phrases)

    if not has(*_SAYING, *_USERS, "model", "answer", "override"):
        return False
    bids = not starts.isdisjoint(_classes(code, *_SAYING, "reveal", "override")[0])
    if not bids and not has("must", "wishes", "always", "nothing"):
        return False
    if has("model"):
        return has(*_SAYING, *_USERS, "reveal", "override", "instructions", "answer") or _is_labeled(plain, code)
    if has(*_USERS) and has(*_SAYING, "answer"):
        return not _users_must(words, code)
    undone = has("tasks") and has("nothing") and has(*_SAYING)
    return undone or (has("override") and has("answer"))


@cache
def _classes(code: str, *names: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the words of classes, and those of several words between blanks."""
    found = language_data(code).words("orders", *names)
    return found, tuple(f" {' '.join(LETTERS.findall(entry))} " for entry in found if not LETTERS.fullmatch(entry))


def _is_labeled(plain: str, code: str) -> bool:
    """Whether a model is called in a label: "GPT: ..."."""
    label = _LABEL.match(plain)
    return label is not None and not _classes(code, "model")[0].isdisjoint(LETTERS.findall(label[0]))


def _users_must(words: list[str], code: str) -> bool:
    """Whether it says what users have to do: "Users must always note their name"."""
    must, users = _classes(code, "must")[0], _classes(code, *_USERS)[0]
    return any(one in users and then in must for one, then in pairwise(words))
