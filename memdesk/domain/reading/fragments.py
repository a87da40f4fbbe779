"""Reads sentences without a verb of their own: answers to the assistant's questions, and brief statements.

"43" says nothing by itself, but gives a shoe size if that was asked. "Two cats, Pixel and Waffle" is what somebody has,
"On the stroke unit, since 2021" where they have been. The phrase's structure decides; a phrase that could as well be
a request about the answer ("two paragraphs", "shorter") is left alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from typing import Final

from memdesk.domain.items.statement import USER, Qualifiers, Statement, noon
from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.data import LanguageData, is_role, language_data
from memdesk.domain.language.text import capitalized, one_line
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.care import CARE, is_medicine, named_care
from memdesk.domain.reading.discourse import Mention
from memdesk.domain.reading.standing import asks_for, is_henceforth
from memdesk.domain.reading.told import Told

#: Longest question that a line can repeat, in words.
MAX_QUESTION_WORDS: Final = 14
#: Longest answer beyond "yes", in tokens.
MAX_ANSWER_TOKENS: Final = 40
#: How people give their age and sex at the beginning: "62M", "34f", "29 y/o".
_AGED: Final = re.compile(r"\d{2}(?: ?[mf]\b| ?y/?o\b)", re.IGNORECASE)
_MATTER: Final = frozenset({"NOUN", "PROPN", "NUM", "ADJ"})


@dataclass(frozen=True, slots=True)
class Question:
    """A question by the assistant to its user.

    Attributes:
        turn_id: where.
        text: the question.
        about: the user's attribute that it asks for ("shoe size"); empty if it asks for something else.
        several: whether it asks for more than one.
        age: whether it asks how old the user is.
        on: whether it is a verbless follow-up to what was just said: "What kind of music?".
    """

    turn_id: str
    text: str
    about: str = ""
    several: bool = False
    age: bool = False
    on: bool = False


def read_changes(tree: Tree, *, speaker: str, day: date) -> Iterator[Told]:
    """Yield what parts of a subjectless sentence say has changed or ended: "down to 85 kilos", "no more nights for me".

    Each counts only if it changes or ends something remembered.

    Args:
        tree: of the sentence.
        speaker: how lines call the speaker.
        day: when it was said.
    """
    if tree.tokens[tree.end - 1].text == "?":
        return
    cut = language_data("en").words("changed", "cut")
    commas = [
        i
        for i in range(tree.begin, tree.end)
        if tree.tokens[i].text in {",", ".", "!", ";", ":", "(", ")"} or tree.tokens[i].lower in cut
    ]
    for first, last in pairwise((tree.begin - 1, *commas, tree.end)):
        begin = _behind_openers(tree, first + 1, last)
        if begin < last:
            said = Statement(
                subject=USER,
                predicate="be",
                said_at=noon(day),
                quote=tree.words(range(begin, last)),
            )
            yield from (replace(one, tentative=True) for one in _moved_on(tree, begin, last, said, speaker))


def _behind_openers(tree: Tree, begin: int, end: int) -> int:
    openers = language_data("en").words("changed", "openers")
    while begin < end and (tree.tokens[begin].pos in {"INTJ", "CCONJ", "SPACE"} or tree.tokens[begin].lower in openers):
        begin += 1
    return begin


def _moved_on(tree: Tree, begin: int, end: int, said: Statement, speaker: str) -> Iterator[Told]:
    data, tokens = language_data("en"), tree.tokens
    lows = [tokens[i].lower for i in range(begin, end)]
    closing = data.words("changed", "closing")
    stop = next((i for i in range(begin + 1, end) if tokens[i].lower in closing), end)
    number = next((i for i in range(begin, stop) if tokens[i].tag == "CD"), None)
    leads = 2 if lows[:1] and lows[0] in data.words("changed", "degrees") and lows[1:2] == ["to"] else 0
    if number == stop - 1 and tokens[stop : stop + 1] and tokens[stop].lower == "for":
        later = (i for i in range(stop + 1, end) if tokens[i].lower in closing)
        stop = next(later, end)  # "up to 4,600 for the roof"
    if leads and number is not None and not _has_verb(tree, begin, stop):  # "down to 85 kilos"
        value = tree.words(range(begin + leads, stop))
        moved = replace(said, predicate=f"be {lows[0]} to", object=value, qualifiers=Qualifiers(amount=value))
        yield Told(begin, end, moved, f"{speaker} is")
        return
    over = _is_over(tree, begin, end)
    if over is not None:  # "no more nights for me", "three weeks without a cigarette"
        head = next((i for i in range(over, end) if tokens[i].pos in {"NOUN", "PROPN"} or tokens[i].tag == "VBG"), None)
        stop = next((i for i in range(over + 1, end) if tokens[i].lower in closing or tokens[i].pos == "ADP"), end)
        if head is not None and head < stop:
            thing = tree.words(i for i in range(over, stop) if tokens[i].pos not in {"DET", "ADV"})
            begin, lead = (over - 2, "has") if tokens[over - 1].lower == "more" else (begin, "is")
            ended = replace(said, predicate="be done with", object=thing, ended=True)
            yield Told(begin, stop if lead == "has" else end, ended, f"{speaker} {lead}")
        return
    now = stop < end and tokens[stop].lower in data.words("changed", "by_now") and not _has_verb(tree, begin, end)
    counts = number is not None and number <= begin + 1 and tokens[begin].pos not in {"NOUN", "PROPN"}
    last = tokens[stop - 1]
    care = named_care([last.lower], "en")
    if now and counts and (care or last.pos == "ADJ"):  # "six years sober now"
        yield Told(begin, end, replace(said, object=tree.words(range(begin, stop)), attribute=care), f"{speaker} is")
    elif now and counts and number is not None:  # "33 weeks today"
        value = tree.words(range(number, stop))
        made = replace(said, predicate="be up to", object=value, qualifiers=Qualifiers(amount=value))
        yield Told(begin, end, made, f"{speaker} is at")
    elif now and number is None and last.pos == "NOUN" and is_role(last.lower):  # "sous chef now"
        made = replace(said, predicate="work as", object=tree.words(range(begin, stop)), attribute="occupation")
        yield Told(begin, end, made, f"{speaker} is")


def _has_verb(tree: Tree, begin: int, end: int) -> bool:
    return any(tree.tokens[i].tag in {"VBZ", "VBP", "VBD", "MD"} for i in range(begin, end))


def _is_over(tree: Tree, begin: int, end: int) -> int | None:
    """Return where what has ended begins: after "no more", "off" and "three weeks without"; None if nothing has."""
    data, tokens = language_data("en"), tree.tokens
    lows = [tokens[i].lower for i in range(begin, end)]
    none = next((begin + i + 2 for i, pair in enumerate(pairwise(lows)) if pair == ("no", "more")), None)
    if none is not None and none < end and not _has_verb(tree, begin, none):
        return none if tokens[none].lower != "than" else None
    if lows[0] in data.words("changed", "off") and tokens[begin].pos in {"ADP", "ADV", "ADJ"}:
        return begin + 1
    spans = data.words("now", "units")
    lacking = next((i for i in range(begin, end) if tokens[i].lower in data.words("changed", "lacking")), end)
    timed = any(tree.lemma(i) in spans and tokens[i].entity in {"date", "time"} for i in range(begin, lacking))
    return lacking + 1 if lacking + 1 < end and timed and not _has_verb(tree, begin, lacking) else None


def question_of(turn_id: str, analysis: Analysis) -> Question | None:
    """Return the question about its user at the end of an assistant's turn; None if there is none."""
    last = next(reversed(list(analysis.sentences())), None)
    if last is None or not analysis.parsed:
        return None
    begin, end = last
    tree, data = Tree(analysis, begin, end), language_data("en")
    lows = {token.lower for token in analysis.tokens[begin:end]}
    opening = (
        begin + 2 if begin + 2 < end and analysis.tokens[begin + 1].text == "," else begin
    )  # "Sure, where are you going?"
    text = one_line(analysis.piece(opening, end))
    text = capitalized(text)
    claims = any(tree.tokens[i].dep in {"ccomp", "advcl", "relcl", "acl", "csubj"} for i in range(begin, end))
    if not text.endswith("?") or len(text.split()) > MAX_QUESTION_WORDS or claims:
        return None  # "Is it true that you own a boat?" would put words into the user's mouth
    verbless = not any(tree.is_verb(i) for i in range(opening, end))
    matter = {tree.lemma(i) for i in range(opening, end)} & data.words("conversation", "nouns")
    on = verbless and not matter and tree.tokens[opening].lower in {"what", "which"}
    if on:
        return Question(turn_id, text, on=True)
    if not _asks_of_user(tree, lows, data):
        return None
    about = _asked_for(tree)
    if about is not None:
        words = tree.words(i for i in tree.below(about, tree.kids(about, "poss")))
        return Question(turn_id, text, words, tree.tokens[about].tag in {"NNS", "NNPS"})
    return Question(turn_id, text, age=lows >= {"how", "old", "are", "you"})


def _asks_of_user(tree: Tree, lows: set[str], data: LanguageData) -> bool:
    """Whether a question asks about a fact of the user, and not what they would like to get."""
    verbs = {tree.lemma(i) for i in range(tree.begin, tree.end) if tree.is_verb(i)}
    offers = {"would", "should", "can", "could", "shall", "may", "might", "else"} & lows
    wanted = verbs & data.words("verbs", "need") or verbs & {"mean", "think", "say"}
    known = lows & data.words("persons", "listener") or lows & data.words("people") or "any" in lows
    return bool(known) and not offers and not wanted


def _asked_for(tree: Tree) -> int | None:
    """Return the head of "your shoe size" in "What's your shoe size?"."""
    for index in range(tree.begin, tree.end):
        owner = tree.kid(index, "poss")
        be = tree.tokens[index].head
        asked = owner is not None and tree.tokens[owner].lower == "your" and tree.lemma(be) in {"be", "'s"}
        if asked and any(tree.tokens[i].lower in {"what", "which", "who"} for i in tree.kids(be, "attr", "nsubj")):
            return index
    return None


def read_fragment(
    tree: Tree, asked: Question | None, *, speaker: str, day: date, asks: bool, told: bool, just: bool
) -> Told | None:
    """Return the statement of a sentence without a clause; None if it states nothing that lasts.

    Args:
        tree: of the sentence.
        asked: what the assistant just asked; None if nothing, or it was answered already.
        speaker: the speaker's name in lines.
        day: when it was said.
        asks: whether the turn asks for something.
        told: whether the speaker recently said something about themselves that a phrase may continue.
        just: whether they did in their previous turn.
    """
    begin, end = without_edges(tree)
    if begin >= end or tree.tokens[tree.end - 1].text == "?":
        return None
    said = Statement(
        subject=USER,
        predicate="be",
        object=tree.words(range(begin, end)).strip(" ,.;:!"),
        said_at=noon(day),
        quote=tree.words(range(tree.begin, tree.end)),
    )
    if asked is not None and not asks and (just or not asked.on):
        found = _answer(tree, begin, end, asked, said, speaker)
    else:
        found = _told(tree, begin, end, said, speaker, lately=told)
    if found is None:
        return None
    first = tree.tokens[found.begin].lower
    named = tree.tokens[found.begin].entity
    if found.statement.attribute in CARE or (
        not named and (is_role(first) or first in language_data("en").words("people"))
    ):
        return replace(found, named={found.begin: first})  # "Vegan here", "Parent of two here"
    return found


def without_edges(tree: Tree) -> tuple[int, int]:
    """Return the phrase without empty words and punctuation at its ends: "yes,", "about", the full stop."""
    begin, end, tokens = tree.begin, tree.end, tree.tokens
    openers = {"yes", "yeah", "yep", "sure", "well", "oh", "hm", "hmm", "actually", "sorry", "ok", "okay", "and"}
    stops = begin + 1 < end and tokens[begin + 1].pos == "PUNCT"
    openers |= {"no"} if stops else set()  # not in "No more than three sentences"
    while begin < end and (tokens[begin].pos in {"PUNCT", "SPACE", "INTJ", "CCONJ"} or tokens[begin].lower in openers):
        if tokens[begin].lower == "no" and not stops:
            break  # "No emojis"
        begin += 1
    while end > begin and (
        tokens[end - 1].pos in {"PUNCT", "SPACE", "INTJ"} or tokens[end - 1].lower in {"please", "pls"}
    ):
        end -= 1
    return begin, end


# ---------------------------------------------------------------------- answers


def _answer(tree: Tree, begin: int, end: int, asked: Question, said: Statement, speaker: str) -> Told | None:
    data, tokens = language_data("en"), tree.tokens[begin:end]
    matter = [t for t in tokens if t.pos in _MATTER and t.lower not in data.words("now", "adjectives")]
    lows = {token.lower for token in tokens}
    unsure = lows & data.words("now", "doubt") or "please" in lows
    if not matter or unsure or len(tokens) > MAX_ANSWER_TOKENS or not _fits(tree, begin, asked):
        return None
    mentions = (Mention("", "", "", frozenset(), 0, asked.turn_id, asked.text),)
    if asked.about:
        made = replace(said, subject=f"{USER}'s {asked.about}", attribute=asked.about.lower())
        return Told(
            begin, end, made, f"{speaker}'s {asked.about} {'are' if asked.several else 'is'}", mentions=mentions
        )
    if asked.age and len(tokens) == 1 and tokens[0].pos == "NUM":
        return Told(begin, end, replace(said, attribute="age"), f"{speaker} is", mentions=mentions)
    made = replace(said, predicate="answer", qualifiers=Qualifiers(manner=asked.text))
    return Told(begin, end, made, f"asked \u201c{asked.text}\u201d, {speaker} said", mentions=mentions)


def _fits(tree: Tree, begin: int, asked: Question) -> bool:
    """Whether a phrase can be the answer: a number for "how", "yes" or "no" first for a yes-no question."""
    words = set(asked.text.lower().rstrip("?").replace(",", " ").split())
    if words & {"how"}:
        return any(token.pos == "NUM" for token in tree.tokens[begin : tree.end])
    if words & {"any", "or"} or any(word.startswith(("what", "which", "who", "where", "when")) for word in words):
        return True
    return tree.tokens[tree.begin].lower in {"yes", "yeah", "yep", "no", "nope"}


# ---------------------------------------------------------------------- brief statements


def _told(tree: Tree, begin: int, end: int, said: Statement, speaker: str, *, lately: bool) -> Told | None:
    root = next((i for i in tree.roots() if begin <= i < end), begin)
    if asks_for(tree):
        order = replace(said, subject="assistant", predicate="give", attribute="instruction", modality="instruction")
        # "From now on sign every reply": parsers tag such a verb as a noun, so the words are kept as said.
        link = ":" if is_henceforth(tree, begin) else " for"
        return Told(begin, end, order, f"{speaker} asks the assistant{link}")
    lows = {token.lower for token in tree.tokens[begin:end]}
    dated = any(token.entity == "date" for token in tree.tokens[begin:end])
    if lately and tree.tokens[begin].pos == "ADP" and "since" in lows and dated:
        return Told(begin, end, replace(said, predicate="be"), f"{speaker} has been")
    told = _of_self(tree, begin, end, said, speaker)
    if told is not None:
        return told
    if tree.tokens[root].pos not in {"NOUN", "PROPN"}:
        return None
    if _dosed(tree, begin, end):
        return Told(begin, end, replace(said, predicate="take", attribute="medication"), f"{speaker} takes")
    if _had(tree, root, begin, end, lately=lately) or (lately and "since" in lows and dated):
        return Told(begin, end, replace(said, predicate="have", object=_kept(tree, root, end)), f"{speaker} has")
    return None


def _of_self(tree: Tree, begin: int, end: int, said: Statement, speaker: str) -> Told | None:
    """Read "Vegetarian here", "Celiac, so no bread" and "No kids, no pets"; "vegan recipes" does not say whose diet."""
    first, data = tree.tokens[begin], language_data("en")
    if first.lower == "no" and tree.lemma(first.head) in data.words("people"):
        return Told(begin, end, replace(said, predicate="have", holds=False), f"{speaker} has")
    aged = _AGED.match(tree.analysis.piece(begin, end))
    root = next(
        (
            i
            for i in reversed(range(begin, end))
            if tree.tokens[i].tag in {"NN", "NNP"} and tree.tokens[i].dep in {"ROOT", "attr"}
        ),
        None,
    )
    here = end - begin > 1 and tree.tokens[end - 1].lower == "here" and root is not None
    if aged or (
        here
        and root is not None
        and tree.lemma(root) not in data.words("conversation", "nouns")
        and first.pos in _MATTER
    ):
        return _presented(tree, begin, end - here, said, speaker, aged)
    after = tree.tokens[begin + 1].lower if begin + 1 < end else ""
    care = named_care([first.lower], "en") if first.pos in {"NOUN", "PROPN", "ADJ"} else ""
    if care not in {"allergy", "diet", "condition"} or after not in {",", "since", "so", "to"}:
        return None
    trait = care == "diet" or first.tag == "JJ" or first.lower.endswith(("ic", "iac"))
    made = replace(said, predicate="be" if trait else "have", attribute=care)
    return Told(begin, end, made, f"{speaker} {'is' if trait else 'has'}")


def _presented(tree: Tree, begin: int, end: int, said: Statement, speaker: str, aged: re.Match[str] | None) -> Told:
    """Read "34f, nurse, two kids", "vegan here" and "tester from Brno here" as a self-introduction."""
    care = named_care([token.lower for token in tree.tokens[begin:end]], "en")
    bare = aged or (end - begin == 1 and (care or tree.tokens[begin].pos == "ADJ"))
    article = "" if bare else " an" if said.object[:1] in "aeioAEIO" else " a"
    made = replace(said, attribute=care or ("age" if aged else "occupation"))
    return Told(begin, end, made, f"{speaker} is{article}")


def _dosed(tree: Tree, begin: int, end: int) -> bool:
    """Whether a medicine is named with a dose or frequency: "lamotrigine twice a day"."""
    tokens = tree.tokens[begin:end]
    medicine = is_medicine({tree.lemma(i) for i in range(begin, end) if tree.tokens[i].pos in {"NOUN", "PROPN"}})
    return medicine and any(
        token.pos == "NUM" or token.lower in {"daily", "once", "twice", "every"} for token in tokens
    )


def _had(tree: Tree, root: int, begin: int, end: int, *, lately: bool) -> bool:
    """Whether a phrase counts people or animals by name, or things by a place of the speaker's own."""
    data = language_data("en")
    if tree.lemma(root) in data.words("conversation", "nouns") | data.words("conversation", "fiction"):
        return False
    counted = any(tree.tokens[i].tag == "CD" or tree.tokens[i].lower in {"a", "an"} for i in tree.kids(root))
    living = tree.lemma(root) in data.words("people")
    named = any(tree.tokens[i].pos == "PROPN" for i in tree.kids(root, "appos", "conj"))
    own = any(token.lower in {"my", "our"} for token in tree.tokens[begin:end])
    return counted and ((living and (named or lately)) or (own and lately))


def _kept(tree: Tree, root: int, end: int) -> str:
    names = [tree.phrase(i) for i in tree.kids(root, "appos") if i < end]
    return ", ".join([tree.phrase(root), *names])
