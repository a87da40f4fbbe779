"""What stands in a message and is not its speaker's word, and the sentences of it that speak to the assistant.

Of the user's own words only an order to override is one (:mod:`injection`). A letter, a page or a table has nothing to tell the
assistant at all, so that it is enough there that a sentence speaks to a model, or of its user and its answers, and tells it what to do.
What people are told in it, in a recipe or a manual, is left alone.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from memdesk.domain.caches import remembered
from memdesk.domain.language.data import LANGUAGES, language_data
from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import LETTERS, content_words, one_line, sentences, stem
from memdesk.domain.reading import noise
from memdesk.domain.reading.injection import order_in, plainly_written

#: What stands for a sentence that is left out.
LEFT_OUT: Final = "\u2026"
#: Where the words end by which a text is handed over: a colon, or a question at the end of its line or before a salutation
#: ("Is this normal? Hi Jana, ...").
_HANDED: Final = re.compile(r":(?=\s)|\?[ \t]*\n|\n[ \t]*\n|\?(?= \w+ [^\W\d_a-z]\w+,)")
_FENCE: Final = re.compile(r"```|~~~")
#: Code, which says in which language it is written; a file that was sent is none.
_CODE: Final = re.compile(r"((?:```|~~~)(?!file\n)\w+\n.*?(?:```|~~~|\Z))", re.DOTALL)
_QUOTES: Final = re.compile(r"^[ \t]*[>|]", re.MULTILINE)
#: A line that was broken for its length: the next one goes on in a small letter, and names no speaker.
_WRAPPED: Final = re.compile(r"(?<=[^\s.!?:;])[ \t]*\n[ \t]*(?=[^\W\d_A-Z])(?!\w{1,40}: )")
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
#: How what is set off as another's word begins.
_MARKED: Final = re.compile(r"[\"\u201c\u201e\u00ab>|]|```|~~~")
#: Endings that no verb has by which somebody is told to do something.
_NO_BIDS: Final = ("ed", "ing")


class Parted(NamedTuple):
    """A text without what others wrote in it to the assistant, and those sentences.

    Attributes:
        kept: the text, with :data:`LEFT_OUT` for each of them.
        orders: they.
    """

    kept: str
    orders: tuple[str, ...] = ()


@remembered(1024)
def parted(text: str, stems: frozenset[str] = frozenset(), *, foreign: bool = False) -> Parted:
    """Take out of a text what others wrote in it to the assistant.

    So goes what speaks to its reader without a word of what is asked, as it answers nothing and may be meant for the assistant in
    words that nobody foresaw: where it names a model, and in a text that is surely another's, unless it gives a figure. What a
    recipe or a list of steps tells its reader to do stays.

    Args:
        text: a message, or a passage of a file.
        stems: of what is asked; none where the whole is wanted.
        foreign: all of it is somebody else's.
    """
    begin = 0 if foreign else _own_until(text)
    parts = _CODE.split(text[begin:])
    told = "".join(part if place % 2 else _WRAPPED.sub(" ", part) for place, part in enumerate(parts))
    code = language_of(told) if stems and told and not foreign else ""
    lines = [_CELLS.split(line) for line in told.split("\n")]
    others = bool(code) and (noise.clean(text).document or _is_quoted(text, begin))
    tells = others and not _mostly_bids(lines, code)
    orders = list[str]()

    def unwanted(sentence: str) -> bool:
        if not any(map(str.isalpha, sentence)):
            return False
        if order_within(sentence) is not None:
            return True
        if not code:
            return False
        spoken = language_of(sentence, code)
        if not stems.isdisjoint(stem(word) for word in content_words(sentence, spoken)):
            return False
        to_reader, bids = _speaks_to_reader(sentence, spoken), _bids(sentence, spoken)
        if _names_model(sentence, spoken):
            return to_reader or bids or _points(sentence, spoken)
        return not any(map(str.isdigit, sentence)) and ((others and to_reader) or (tells and bids))

    kept = "\n".join(_line(pieces, unwanted, orders) for pieces in lines)
    return Parted(text[:begin] + kept, tuple(orders)) if orders else Parted(text)


def _own_until(text: str) -> int:
    """Return where the speaker's own words end and what they hand over begins; the length where nothing is handed over."""
    if len(text) > noise.PASTE_CHARS and not _HANDED.search(text[: noise.HEAD_CHARS]) and noise.clean(text).document:
        return 0
    marks = (_HANDED.search(text), _FENCE.search(text), _QUOTES.search(text))
    return min((mark.end() if mark.re is _HANDED else mark.start() for mark in marks if mark), default=len(text))


def _is_quoted(text: str, begin: int) -> bool:
    """Whether what is handed over stands as another's word: in quotation marks, set off as code or a quotation, or behind "Anna wrote:"."""
    lead, told = text[:begin].lower(), text[begin:].lstrip()
    said = any(
        not language_data(each).words("plain", "say").isdisjoint(LETTERS.findall(lead)[-_STARTS:]) for each in LANGUAGES
    )
    return (said and lead.endswith(":")) or _MARKED.match(told) is not None


def _mostly_bids(lines: Iterable[Iterable[str]], code: str) -> bool:
    """Whether a text tells its reader what to do at most of its sentences, as a recipe does."""
    told = [_bids(one, code) for pieces in lines for piece in pieces for one in sentences(piece)]
    return 2 * sum(told) > len(told)


def _line(pieces: list[str], unwanted: Callable[[str], bool], orders: list[str]) -> str:
    if any(order_in(mark) for mark in pieces[1::2]):  # "<|im_start|>": all that stands beside it is said by it
        orders.append("".join(pieces))
        return LEFT_OUT
    for place in range(0, len(pieces), 2):
        for sentence in sentences(pieces[place]):
            if unwanted(sentence):
                orders.append(sentence)
                pieces[place] = pieces[place].replace(sentence, LEFT_OUT, 1)
    return "".join(pieces)


def _speaks_to_reader(sentence: str, code: str) -> bool:
    """Whether a sentence says "you", or tells of a duty or a wish."""
    data = language_data(code)
    closed = data.words("plain", "listener") | data.words("orders", "must", "always", "wishes")
    return not closed.isdisjoint(LETTERS.findall(sentence.lower()))


def _bids(sentence: str, code: str) -> bool:
    """Whether a clause of a sentence begins with a verb and what it is done to, so that nobody is its subject."""
    data = language_data(code)
    objects, closed, skipped = (
        data.words("orders", "objects"),
        data.words("plain", "function"),
        data.words("plain", "skip"),
    )
    for clause in _CLAUSE.split(sentence.lower()):
        begin = [word for word in LETTERS.findall(clause)[: _STARTS + 1] if word not in skipped][:2]
        if len(begin) > 1 and begin[0] not in closed and begin[1] in objects and not begin[0].endswith(_NO_BIDS):
            return True
    return False


def _names_model(sentence: str, code: str) -> bool:
    """Whether a sentence names a model, in a compound too."""
    single, phrases = _classes(code, "model")
    words = LETTERS.findall(sentence.lower())
    said = f" {' '.join(words)} "
    return any(word in single or word.endswith(_heads(code)) for word in words) or any(each in said for each in phrases)


def _points(sentence: str, code: str) -> bool:
    """Whether a sentence points to what is at hand: "this page", "these minutes"."""
    data = language_data(code)
    at_hand = data.words("plain", "pointing") & data.words("orders", "objects")
    return not at_hand.isdisjoint(LETTERS.findall(sentence.lower()))


@cache
def _heads(code: str) -> tuple[str, ...]:
    """Return the names of a model that end compounds."""
    return tuple(word for word in _classes(code, "model")[0] if len(word) > len("model"))


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
