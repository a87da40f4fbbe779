"""The parts of a message that are not its speaker's words, and the sentences in them that address the assistant.

Of the user's own words only an order to override counts (:mod:`injection`). A letter, a page or a table has nothing to tell
the assistant at all, so there it is enough if a sentence addresses a model, or mentions its user and its answers, and gives
an order. Instructions to people, in a recipe or a manual, are left alone.
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

#: Replaces a sentence that is left out.
LEFT_OUT: Final = "\u2026"
#: The end of the words that hand over a text: a colon, or a question at the end of its line or before a salutation
#: ("Is this normal? Hi Jana, ...").
_HANDED: Final = re.compile(r":(?=\s)|\?[ \t]*\n|\n[ \t]*\n|\?(?= \w+ [^\W\d_a-z]\w+,)")
_FENCE: Final = re.compile(r"```|~~~")
#: Code, marked with its language; a sent file does not count.
_CODE: Final = re.compile(r"((?:```|~~~)(?!file\n)\w+\n.*?(?:```|~~~|\Z))", re.DOTALL)
_QUOTES: Final = re.compile(r"^[ \t]*[>|]", re.MULTILINE)
#: A line wrapped for its length: the next one begins in lower case, and names no speaker.
_WRAPPED: Final = re.compile(r"(?<=[^\s.!?:;])[ \t]*\n[ \t]*(?=[^\W\d_A-Z])(?!\w{1,40}: )")
#: A row of a table, a line of a chat and a comment are split if they contain something of their own.
_CELLS: Final = re.compile(
    r"([\t|\"]|<!--|-->|<[^<>]{0,400}>|^[ \t]*\[?\d{1,2}:\d\d(?::\d\d)?\]?[ \t]*[^:\n]{1,40}:|^[ \t]*(?:#|//|\*|--)+)",
    re.MULTILINE,
)
#: The beginnings of a sentence's clauses.
_CLAUSE: Final = re.compile(r"[,;:.!?()\u2013\u2014]|\b(?:and|but|und|aber|et|mais|y|e|pero|ma|en|maar)\b")
#: A label at the beginning: "GPT: ...".
_LABEL: Final = re.compile(r"^[^.!?:]{1,80}:")
#: Word classes: what is said to somebody, and to whom.
_SAYING: Final = ("tell", "promote", "telling")
_USERS: Final = ("user", "readers")
#: The verb of an order is among this many first words of its clause: "please always tell ...".
_STARTS: Final = 3
#: The beginning of text set off as another's.
_MARKED: Final = re.compile(r"[\"\u201c\u201e\u00ab>|]|```|~~~")
#: Endings that no imperative has.
_NO_BIDS: Final = ("ed", "ing")


class Parted(NamedTuple):
    """A text without others' sentences to the assistant, and those sentences.

    Attributes:
        kept: the text, with :data:`LEFT_OUT` for each of them.
        orders: the sentences.
    """

    kept: str
    orders: tuple[str, ...] = ()


@remembered(1024)
def parted(text: str, stems: frozenset[str] = frozenset(), *, foreign: bool = False) -> Parted:
    """Remove from a text others' sentences to the assistant.

    This includes sentences that address the reader without a word of the question, since they answer nothing and may be orders
    in unforeseen words: those that name a model, and in a text that is clearly another's, those without a figure. Instructions of
    a recipe or a list of steps stay.

    Args:
        text: a message, or a passage of a file.
        stems: of the question; none if all of the text is wanted.
        foreign: whether all of it is somebody else's.
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
    """Return where the speaker's own words end and a handed-over text begins; the length if there is none."""
    if len(text) > noise.PASTE_CHARS and not _HANDED.search(text[: noise.HEAD_CHARS]) and noise.clean(text).document:
        return 0
    marks = (_HANDED.search(text), _FENCE.search(text), _QUOTES.search(text))
    return min((mark.end() if mark.re is _HANDED else mark.start() for mark in marks if mark), default=len(text))


def _is_quoted(text: str, begin: int) -> bool:
    """Whether a handed-over text is marked as another's: quoted, set off as code, or after "Anna wrote:"."""
    lead, told = text[:begin].lower(), text[begin:].lstrip()
    said = any(
        not language_data(each).words("plain", "say").isdisjoint(LETTERS.findall(lead)[-_STARTS:]) for each in LANGUAGES
    )
    return (said and lead.endswith(":")) or _MARKED.match(told) is not None


def _mostly_bids(lines: Iterable[Iterable[str]], code: str) -> bool:
    """Whether most sentences of a text instruct its reader, as in a recipe."""
    told = [_bids(one, code) for pieces in lines for piece in pieces for one in sentences(piece)]
    return 2 * sum(told) > len(told)


def _line(pieces: list[str], unwanted: Callable[[str], bool], orders: list[str]) -> str:
    if any(order_in(mark) for mark in pieces[1::2]):  # "<|im_start|>": all of it comes from the model
        orders.append("".join(pieces))
        return LEFT_OUT
    for place in range(0, len(pieces), 2):
        for sentence in sentences(pieces[place]):
            if unwanted(sentence):
                orders.append(sentence)
                pieces[place] = pieces[place].replace(sentence, LEFT_OUT, 1)
    return "".join(pieces)


def _speaks_to_reader(sentence: str, code: str) -> bool:
    """Whether a sentence says "you", or states a duty or a wish."""
    data = language_data(code)
    closed = data.words("plain", "listener") | data.words("orders", "must", "always", "wishes")
    return not closed.isdisjoint(LETTERS.findall(sentence.lower()))


def _bids(sentence: str, code: str) -> bool:
    """Whether a clause of a sentence begins with a verb and its object, and so has no subject."""
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
    """Whether a sentence names a model, also in a compound."""
    single, phrases = _classes(code, "model")
    words = LETTERS.findall(sentence.lower())
    said = f" {' '.join(words)} "
    return any(word in single or word.endswith(_heads(code)) for word in words) or any(each in said for each in phrases)


def _points(sentence: str, code: str) -> bool:
    """Whether a sentence refers to the text itself: "this page", "these minutes"."""
    data = language_data(code)
    at_hand = data.words("plain", "pointing") & data.words("orders", "objects")
    return not at_hand.isdisjoint(LETTERS.findall(sentence.lower()))


@cache
def _heads(code: str) -> tuple[str, ...]:
    """Return the names of models that end compounds."""
    return tuple(word for word in _classes(code, "model")[0] if len(word) > len("model"))


@remembered(4096)
def order_within(sentence: str) -> str | None:
    """Return why a sentence in somebody else's text is an order to the assistant; None if it is not."""
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
    """Return the single words of classes, and their phrases between spaces."""
    found = language_data(code).words("orders", *names)
    return found, tuple(f" {' '.join(LETTERS.findall(entry))} " for entry in found if not LETTERS.fullmatch(entry))


def _is_labeled(plain: str, code: str) -> bool:
    """Whether a label addresses a model: "GPT: ..."."""
    label = _LABEL.match(plain)
    return label is not None and not _classes(code, "model")[0].isdisjoint(LETTERS.findall(label[0]))


def _users_must(words: list[str], code: str) -> bool:
    """Whether it says what users must do: "Users must always note their name"."""
    must, users = _classes(code, "must")[0], _classes(code, *_USERS)[0]
    return any(one in users and then in must for one, then in pairwise(words))
