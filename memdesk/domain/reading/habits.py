"""Whether "put", which has one form for both, is told as a present or as a past."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from memdesk.domain.language.analysis import Analysis, lexicon
from memdesk.domain.language.data import language_data
from memdesk.domain.language.dates import is_weekday
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.objects import AROUND

HABITUAL: Final = lexicon("always usually often every each never sometimes daily weekly monthly")
#: Verbs with identical present and past.
SAME_IN_PAST: Final = lexicon("hurt put cut set let hit cost quit shut spread beat bet read split burst")
#: Those of them that name what people do again and again.
_DONE_AGAIN: Final = lexicon("put cut set let bet read spread")


def is_present(analysis: Analysis, begin: int, end: int, verb: int) -> bool:
    """Return whether "put" is no past: what it says is habitual, or of things in general, and nothing says when it was.

    Args:
        analysis: the turn.
        begin: first token of the sentence or clause.
        end: after its last.
        verb: one of :data:`SAME_IN_PAST`, without an auxiliary.
    """
    tokens, token = analysis.tokens, analysis.tokens[verb]
    if _is_habitual([one.lower for one in tokens[begin:end]]):
        return True
    over = language_data("en").words("now", "over")
    past = any(one.entity == "date" or one.lower in over for one in tokens[begin:end])
    if token.lower not in _DONE_AGAIN or past:
        return False
    above = tokens[tokens[token.head].head]
    if token.dep == "relcl" and above.tag in {"VBP", "VBZ"}:
        return True  # "We own a cottage that we let out"
    tree = Tree(analysis, begin, end)
    if tree.kids(verb, "prt") or any(tokens[i].lower in AROUND for i in tree.kids(verb, "prep")):
        return False  # "cut sugar out of my diet"
    led = (noun for prep in tree.kids(verb, "prep", "dative") for noun in tree.kids(prep, "pobj"))
    nouns = (*tree.kids(verb, "dobj"), *led)
    general = any(tokens[i].tag in {"NN", "NNS", "CD"} and not tree.kids(i, "det", "poss", "nummod") for i in nouns)
    return token.tag == "VBP" or general


def _is_habitual(lows: list[str]) -> bool:
    """Whether a sentence, in lower case, is about something habitual."""
    weekly = any(is_weekday(low) and low.endswith("s") for low in lows)
    paced = {("a", "month"), ("a", "week"), ("a", "day"), ("a", "year")}
    return weekly or any(low in HABITUAL for low in lows) or not paced.isdisjoint(pairwise(lows))
