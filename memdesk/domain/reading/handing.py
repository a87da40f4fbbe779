"""Texts by others that a user hands over: announced, asked about, or given as the material of a request.

Announcements and questions are recognized by word classes alone (``[handing]`` of ``resources/language``): "I am a
sailor" reads the same in a story as in a chat.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.data import COMPOUNDING, LANGUAGES, LanguageData, is_role, language_data
from memdesk.domain.language.text import LETTERS, sentences
from memdesk.domain.reading.candidates import SourceTurn
from memdesk.domain.reading.clause import Clause, is_label
from memdesk.domain.reading.clauses import clauses

#: Longest line that announces or asks about a text, in characters.
LINE_CHARS: Final = 300
#: A line of a mail's header: "From: Sven".
_FIELD: Final = re.compile(r"^[ \t]*(?P<name>[^\W\d_]+):[ \t]*\S.*$")
#: Words between "this" and its noun: "this long text".
POINTED_BACK: Final = 2


def announcement(text: str) -> str:
    """Return the sentence that announces a text by others in the next message; empty if none does, or it follows."""
    last = text.strip().rpartition("\n")[2]
    found = (one for one in sentences(last) if len(last) <= LINE_CHARS)
    return next((one for one in found if any(_announces(one.lower(), language_data(each)) for each in LANGUAGES)), "")


def announced(turns: Sequence[SourceTurn], listener: str) -> frozenset[int]:
    """Return the positions of turns that their speaker announced in the previous turn as a text by others.

    Args:
        turns: in order.
        listener: only turns addressed to them.
    """
    found, waiting = set[int](), set[str]()
    for number, turn in enumerate(turns):
        if turn.listener != listener or turn.provenance != "user":
            continue
        if turn.speaker in waiting:
            found.add(number)
            waiting.remove(turn.speaker)
        elif announcement(turn.text):
            waiting.add(turn.speaker)
    return frozenset(found)


def asks_of_text(line: str) -> bool:
    """Return whether a line ends by asking what a given text says: "What does this page say?"."""
    if len(line) > LINE_CHARS or not line.rstrip().endswith("?"):
        return False
    words = LETTERS.findall(sentences(line)[-1].lower())
    return any(_asks(words, language_data(each)) for each in LANGUAGES)


def mail_in(text: str) -> tuple[int, int] | None:
    """Return the span of a mail in a text: from its header (two lines or more) to a last paragraph asking about it."""
    at, before = 0, None
    for line in text.splitlines(keepends=True):
        field = _FIELD.match(line)
        head = at if field is not None and field["name"].lower() in _heads() else None
        if head is not None and before is not None:
            last = text.rstrip().rfind("\n\n")
            asks = last > at and text.rstrip().endswith("?")
            return before, last if asks else len(text)
        before, at = head, at + len(line)
    return None


@cache
def _heads() -> frozenset[str]:
    """Return the header names of mails, in any language."""
    return frozenset().union(*(language_data(each).words("handing", "heads") for each in LANGUAGES))


def _asks(words: list[str], data: LanguageData) -> bool:
    this, says = data.words("handing", "this"), data.words("handing", "says")
    pointed = any(not this.isdisjoint(words[max(0, at - POINTED_BACK) : at]) for at in _texts(words, data))
    return pointed and not says.isdisjoint(words)


def _announces(sentence: str, data: LanguageData) -> bool:
    words = LETTERS.findall(sentence)

    def said(*lists: str) -> bool:
        return not data.words("handing", *lists).isdisjoint(words)

    named = list(_texts(words, data))
    if not named:
        return False
    to_listener = said("send") and said("next") and not data.words("plain", "listener").isdisjoint(words)
    if said("self") and (to_listener or (said("paste") and said("next", "future"))):
        return True
    coming, messages = data.words("handing", "next"), data.words("handing", "messages")
    follows = messages | data.words("handing", "comes")
    return any(
        ((one in coming and then in follows) or (one in messages and then in coming)) and at + 1 < named[-1]
        for at, (one, then) in enumerate(pairwise(words))
    )


def _texts(words: list[str], data: LanguageData) -> Iterator[int]:
    """Yield the positions of words for texts, also in compounds."""
    texts = data.words("handing", "texts")
    ends = tuple(texts) if data.code in COMPOUNDING else ()
    return (at for at, word in enumerate(words) if word in texts or word.endswith(ends))


# ---------------------------------------------------------------------- the material of a request


def material_in(analysis: Analysis, begin: int, end: int, found: Sequence[Clause], *, lists_self: bool) -> int:
    """Return the token at which the material that a sentence hands over begins; the end of the turn if there is none.

    The material of "Fix this text" is on the lines below. It is on the same line only if it may be prose and is not the
    speaker's own remark: not in "Fix this code. We use Rust", "Shorten this. I'm dyslexic". A letter begins with whom it is to.

    Args:
        analysis: of an English turn.
        begin: the sentence's first token.
        end: after its last.
        found: its clauses.
        lists_self: whether the turn lists what its speaker is and has.
    """
    tokens = analysis.tokens
    nothing = len(tokens)
    if end > begin + 1 and tokens[begin].text == "Dear" and tokens[begin + 1].text[:1].isupper():
        return begin  # a letter
    colon = next((i for i in range(begin, end) if tokens[i].text == ":" or tokens[i].text.endswith(":")), None)
    if colon is not None and _hands_over(analysis, begin, colon, found, lists_self=lists_self):
        return colon
    if end >= nothing or not _points_at_work(analysis, begin, end, found):
        return nothing
    line_ends = analysis.text.find("\n", tokens[end - 1].start)
    below = next((i for i in range(end, nothing) if 0 <= line_ends <= tokens[i].start), nothing)
    named = _named_behind_pointers(analysis, begin, end)
    if _is_own_letter(analysis, begin, end, named):
        return _salutation(analysis, end, below)
    return below if _is_own(analysis, named, end, below) else end


def _points_at_work(analysis: Analysis, begin: int, end: int, found: Sequence[Clause]) -> bool:
    """Whether a sentence asks for work on what it points to, perhaps without a parsed verb: "proofread this pls"."""
    data, opening = language_data("en"), analysis.tokens[begin:end]
    works, pointers = data.words("conversation", "material"), data.words("handing", "pointers")
    if opening[0].lower in works and pointers & {token.lower for token in opening}:
        return True
    asks = (one for one in found if one.mood in {"order", "question"})
    return any(pointers & one.lowers() and one.tree.lemma(one.verb) in works for one in asks)


def _named_behind_pointers(analysis: Analysis, begin: int, end: int) -> list[str]:
    """Return the nouns for what a sentence points to: "email" of "Edit this email"."""
    tokens, pointers = analysis.tokens, language_data("en").words("handing", "pointers")
    heads = (tokens[i].head for i in range(begin, end) if tokens[i].dep == "det" and tokens[i].lower in pointers)
    return [tokens[head].lower for head in heads if tokens[head].pos == "NOUN"]


def _is_own_letter(analysis: Analysis, begin: int, end: int, named: Sequence[str]) -> bool:
    """Whether a sentence asks for work on a letter that its speaker writes: not "Translate this letter"."""
    data, said = language_data("en"), {token.lower for token in analysis.tokens[begin:end]}
    drafts = data.words("handing", "drafting")
    return not (data.words("handing", "letters").isdisjoint(named) or drafts.isdisjoint(said))


def _salutation(analysis: Analysis, begin: int, end: int) -> int:
    """Return the first token of the first sentence that greets somebody by name or title: "Hi Tom, ..."; ``end`` without one."""
    tokens, greetings = analysis.tokens, language_data("en").words("handing", "greetings")
    opened = (first for first, last in analysis.sentences() if begin <= first < min(end, last - 1))
    return next((i for i in opened if tokens[i].lower in greetings and tokens[i + 1].text[:1].isupper()), end)


def _is_own(analysis: Analysis, named: Sequence[str], end: int, below: int) -> bool:
    """Whether the rest of a line is its speaker's own: after something other than prose, or one sentence with "I"."""
    data, tokens = language_data("en"), analysis.tokens
    if named and data.words("handing", "texts").isdisjoint(named):
        return True
    behind = (span for span in analysis.sentences() if end <= span[0] < below)
    stated = [span for span in behind if any(one.mood == "statement" for one in clauses(analysis, *span))]
    opened = (tokens[first] for first, _ in stated)
    own = all(one.lower == "i" or one.pos in {"ADV", "CCONJ", "ADP"} for one in opened)
    return own and len(stated) <= 1


def _hands_over(analysis: Analysis, begin: int, colon: int, found: Sequence[Clause], *, lists_self: bool) -> bool:
    data, lead = language_data("en"), analysis.tokens[begin:colon]
    before = [token.lower for token in lead if token.pos not in {"PUNCT", "SPACE"}]
    works = not data.words("conversation", "material").isdisjoint(before)  # "Proofread: ..."
    if not works and not any(token.pos in {"NOUN", "PROPN", "VERB", "AUX"} for token in lead):
        return False  # "Three of them: ...", "Seriously: ..."
    noun = colon - 1
    named = analysis.tokens[noun].lower in data.words("handing", "texts")
    if named and any(
        one.head == noun and one.dep == "poss" and one.pos in {"NOUN", "PROPN"} for one in analysis.tokens
    ):
        return True  # "Here's my friend's message: ..."
    if not works and before and before[-1] in data.words("conversation", "leads"):
        return False  # "Quick update: ...", "About me: ..."
    head = next((clause for clause in found if clause.verb < colon), None)
    if lists_self and not works and (head is None or head.mood == "statement"):
        return False  # "Here's what you should know: - I teach Year 4"
    others = data.words("persons", "self", "group").isdisjoint(before)
    if head is None and not (works or not data.words("handing", "texts").isdisjoint(before)):
        return others and _speaks(analysis, begin, colon)
    if head is not None and head.mood == "order":
        return head.tree.lemma(head.verb) not in data.words("verbs", "remember")
    # "They moved the exam: 29 January" hands over nothing.
    quotes = data.words("verbs", "say", "opine")
    shows = data.words("handing", "texts", "pointers", "this") | {"here"}
    points = works or head is None or head.mood == "question" or head.tree.lemma(head.verb) in quotes
    return others and (points or not shows.isdisjoint(before))


def _speaks(analysis: Analysis, begin: int, colon: int) -> bool:
    """Whether a label is of who says the sentence behind it: "Victor: I ..."; not "Climbing: I lead 6b", "Vet: Dr Papp"."""
    lead = analysis.tokens[begin:colon]
    end = next((last for first, last in analysis.sentences() if first > begin or last > colon + 1), colon)
    someone = any(token.pos == "PROPN" for token in lead) or is_role(lead[-1].lower)
    return is_label(lead) and someone and any(token.pos in {"VERB", "AUX"} for token in analysis.tokens[colon:end])
