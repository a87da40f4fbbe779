"""Standing orders: whether an order to the assistant holds for good, and how the user likes answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from memdesk.domain.items.statement import Statement
from memdesk.domain.language.data import language_data
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.clause import SUBJECTS, Clause

#: Relations of words that belong to a verb itself and not to its content.
_BELOW_VERB: Final = frozenset({"prep", "pobj", "pcomp", "advmod", "npadvmod", "xcomp", "aux", "advcl"})
#: Words of an order that say neither what to do nor when.
_ASIDE: Final = frozenset({"do", "n't", "not", "never", "ever", "please", "just", "kindly"})
#: Words for content of the chat.
_POINTING: Final = frozenset({"this", "that", "it", "these", "those"})


def end_of_order(clause: Clause) -> int:
    """Return where the lasting part of an order ends: "Call me Jo" of "Call me Jo and fix this sentence"."""
    tree = clause.tree
    for other in tree.kids(clause.verb, "conj"):
        below = tree.below(other)
        links = [i for i in tree.kids(clause.verb, "cc") if clause.verb < i < below[0]]
        if (
            links
            and clause.verb < other < clause.end
            and any(tree.tokens[i].lower in _POINTING and tree.tokens[i].dep != "mark" for i in below)
        ):
            return links[-1]
    return clause.end


def worded_order(clause: Clause) -> tuple[int, int, tuple[int, int] | None]:
    """Return what a line repeats of an order, without "please", "don't" and "never".

    Returns:
        its first token, the one after its last, and those of a condition that precedes it: "For code always use ...".
    """
    tree, tokens = clause.tree, clause.tree.tokens
    begin, end = clause.begin, end_of_order(clause)

    def idle(i: int) -> bool:
        return tokens[i].lower in _ASIDE or tokens[i].pos in {"INTJ", "PUNCT"}

    while end - 1 > clause.verb and idle(end - 1):
        end -= 1
    comma = next((i for i in range(clause.verb, begin, -1) if tokens[i].text == ","), None)
    if comma is None and tokens[begin].pos == "ADP":
        comma = max(tree.below(begin)) + 1
    before = (begin, comma) if comma is not None and tree.is_verb(clause.verb) else None
    if before is not None and all(map(idle, range(*before))):
        before = None  # "No, don't ..."
    begin = begin if comma is None else comma + (tokens[comma].text == ",")
    return next((i for i in range(begin, end) if not idle(i)), begin), end, before


def is_standing(clause: Clause, *, holds: bool) -> bool:
    """Return whether an order holds from now on: it says so, names the user, or is about how answers are given.

    Args:
        clause: an order.
        holds: whether it says to do something, not to stop.
    """
    return _Order(replace(clause, end=end_of_order(clause)), holds=holds).stands()


class _Order:
    def __init__(self, clause: Clause, *, holds: bool) -> None:
        self._clause, self._tree = clause, clause.tree
        self._holds = holds
        self._data = language_data("en")
        self._lemma = self._tree.lemma(clause.verb)
        self._lows = clause.lowers()

    def _is_reasoned(self) -> bool:
        """Whether it says how to answer, for a reason: "My sight is poor, so please write in short paragraphs"."""
        tree, begin = self._tree, self._clause.begin
        so = begin > tree.begin and tree.tokens[begin - 1].lower == "so"
        return so and not tree.kids(self._clause.verb, "dobj", "dative") and bool(self._clause.inside("prep"))

    def stands(self) -> bool:
        data, tokens = self._data, self._tree.tokens
        henceforth = _henceforth(self._tree, self._clause.begin, self._clause.end)
        pointing = self._lows & _POINTING - self._condition()
        if pointing - ({"it"} if henceforth or condition_of(self._clause) is not None else set()):
            return False  # "from now on, keep it under 100 words" is about every answer
        if comes_again(self._clause) or self._is_left_alone() or self._forbids_a_form():
            return True
        if self._lemma not in data.words("verbs", "answer", "name"):
            matter = self._tree.kid(self._clause.verb, "dobj", "prep", "xcomp", "dative")
            forever = bool(self._lows & data.words("now", "forever")) and self._lemma not in data.words("verbs", "like")
            return forever and matter is not None
        if self._lemma in data.words("verbs", "name"):
            named = self._tree.kid(self._clause.verb, "oprd", "attr") or self._tree.kid(self._clause.verb, "dobj")
            return "me" in self._lows and named is not None
        if henceforth or any(self._holds_on(i) for i in range(self._clause.begin, self._clause.end)):
            return True
        if self._is_reasoned():
            return True
        span = range(self._clause.begin, self._clause.end)
        yours = any(
            tokens[i].lower == "your" and self._tree.lemma(tokens[i].head) in data.words("conversation", "answers")
            for i in span
        )
        many = any(
            self._tree.lemma(i) in data.words("conversation", "answers") and tokens[i].tag == "NNS" for i in span
        )
        with_me = any(
            tokens[i].lower == "with"
            and tokens[tokens[i].head].dep
            and (noun := self._tree.kid(i, "pobj")) is not None
            and tokens[noun].lower in {"me", "us"}
            for i in span
        )
        what = self._tree.kid(self._clause.verb, "dobj") if self._lemma == "keep" else None
        bare = what is not None and tokens[what].tag == "NNS" and not self._tree.kids(what, "det", "poss", "nummod")
        return (
            ((yours or bare) and many)
            or with_me
            or self._denied_to_me()
            or self._whenever()
            or self._stops()
            or self._agrees()
            or self._spoken_to()
        )

    def _forbids_a_form(self) -> bool:
        """Whether it forbids something that answers may have, and no single one: "Don't give me bullet points"."""
        tree, forms = self._tree, self._data.words("conversation", "forms")
        span = range(self._clause.begin, self._clause.end)
        told = [i for i in span if not forms.isdisjoint({tree.lemma(i), tree.tokens[i].lower})]
        alone = any(tree.kids(i, "det") or tree.kids(tree.tokens[i].head, "det") for i in told)
        return bool(told) and not (self._holds or alone or "here" in self._lows)

    def _spoken_to(self) -> bool:
        """Whether it says how to address the user, not about what: "Write to me in plain words"."""
        tree, verb = self._tree, self._clause.verb
        preps = {tree.tokens[i].lower: tree.kid(i, "pobj") for i in tree.kids(verb, "prep", "dative")}
        me = preps.get("to")
        said = tree.kid(verb, "dobj", "ccomp", "xcomp", "dep")
        how = preps.keys() & {"in", "like", "as", "without"} or tree.kid(verb, "advmod", "advcl") is not None
        general = said is None or tree.lemma(said) == "thing"
        return (
            me is not None
            and tree.tokens[me].lower in {"me", "us"}
            and general
            and bool(how)
            and preps.keys().isdisjoint({"about", "of", "on"})
            and self._holds
        )

    def _agrees(self) -> bool:
        """Whether it sets how things are written or measured: "use metric units", "give recipes in grams"."""
        tree, by = self._tree, self._tree.kid(self._clause.verb, "dobj")
        if by is None or not self._holds:
            return False
        settled = tree.lemma(by) in self._data.words("conversation", "conventions")
        if self._lemma == "use":
            return settled and not {"a", "an"} & {tree.tokens[i].lower for i in tree.kids(by, "det")}
        bare = tree.tokens[by].tag == "NNS" and not tree.kids(by, "det", "poss", "nummod", "amod")
        how = [*tree.kids(self._clause.verb, "prep"), *tree.kids(by, "prep")]
        told = settled and any(tree.tokens[i].lower in {"in", "with", "as", "like"} for i in how)
        return bare and (told or any(_measures(tree, i) for i in how))

    def _holds_on(self, i: int) -> bool:
        """Whether a word makes an order lasting: "always" does, the "never" of "never more than ten" does not."""
        tree, data, token = self._tree, self._data, self._tree.tokens[i]
        if token.lower not in data.words("now", "always"):
            return False
        if token.dep in {"det", "predet"} and tree.lemma(token.head) in data.words("conversation", "answers"):
            return True
        top = token.head
        while top != self._clause.verb and tree.tokens[top].dep in _BELOW_VERB and tree.tokens[top].head != top:
            top = tree.tokens[top].head
        return top == self._clause.verb

    def _stops(self) -> bool:
        """Whether the assistant should stop a habit: "stop using emojis"."""
        habit = self._tree.kid(self._clause.verb, "xcomp")
        if self._lemma not in self._data.words("verbs", "end") or habit is None:
            return False
        definite = any(self._tree.tokens[i].lower == "the" for i in self._tree.below(habit))
        return self._tree.tokens[habit].tag == "VBG" and not definite

    def _denied_to_me(self) -> bool:
        """Whether something should not be done to the user: "Don't suggest phone calls to me"."""
        span = range(self._clause.begin, self._clause.end)
        to_me = any(
            self._tree.tokens[i].lower in {"me", "us"}
            and self._tree.tokens[i].dep == "pobj"
            and self._tree.tokens[self._tree.tokens[i].head].lower == "to"
            for i in span
        )
        return to_me and not self._holds

    def _is_left_alone(self) -> bool:
        """Whether a general topic should not be mentioned or offered: "don't mention spiders"."""
        tree, verb = self._tree, self._clause.verb
        told = {"suggest", "recommend"} | self._data.words("verbs", "say", "converse")
        preps = tree.kids(verb, "prep")
        about = next((i for i in preps if tree.tokens[i].lower in {"about", "of"}), None)
        what = tree.kid(verb, "dobj") if about is None else tree.kid(about, "pobj")
        if self._holds or self._lemma not in told or what is None or not tree.tokens[what].tag.startswith("NN"):
            return False
        # "Don't mention prices in the letter" is about that letter.
        return not tree.kids(what, "det", "poss", "nummod", "prep") and all(i == about for i in preps)

    def _whenever(self) -> bool:
        """Whether an order is for every time that something happens: "when you show me code"."""
        return any(
            self._tree.tokens[i].lower in {"when", "whenever"}
            and self._tree.tokens[self._tree.tokens[i].head].dep == "advcl"
            for i in range(self._clause.begin, self._clause.end)
        )

    def _condition(self) -> set[str]:
        """Return the words that only join clauses."""
        return {
            self._tree.tokens[i].lower
            for i in range(self._clause.begin, self._clause.end)
            if self._tree.tokens[i].dep == "mark"
        }


def comes_again(clause: Clause) -> bool:
    """Return whether an order is for whenever something happens or is mentioned: "if I mention my ex, ..."."""
    tree, data = clause.tree, language_data("en")
    for verb in range(clause.begin, clause.end):
        subject = tree.kid(verb, *SUBJECTS) if tree.tokens[verb].dep == "advcl" else None
        if subject is None or tree.tokens[subject].lower not in data.words("persons", "self", "group", "listener"):
            continue
        opening = {tree.tokens[i].lower for i in tree.kids(verb, "advmod", "mark")}
        comes_up = tree.lemma(verb) in data.words("verbs", "say", "converse")
        if "whenever" in opening or (comes_up and opening & {"when", "if"}):
            return True
    return False


def condition_of(clause: Clause) -> int | None:
    """Return the verb of an order's recurring condition in the chat: "when I ask for recipes, ..."."""
    tree, persons = clause.tree, language_data("en").words("persons", "self", "group", "listener")
    for verb in tree.kids(clause.verb, "advcl"):
        subject = tree.kid(verb, *SUBJECTS)
        opens = any(tree.tokens[i].lower in {"when", "whenever"} for i in tree.kids(verb, "advmod"))
        if (
            clause.begin <= verb < clause.verb
            and opens
            and subject is not None
            and tree.tokens[subject].lower in persons
        ):
            return verb
    return None


def as_order(clause: Clause) -> tuple[Clause, bool] | None:
    """Return the standing order in a question, wish or permission to the assistant, and whether it is to do something.

    "Can you always answer in French?", "I don't want you to apologize", "You can call me Jo", "Remember to use kilometers".
    """
    tree, data = clause.tree, language_data("en")
    subject = tree.tokens[clause.subject].lower if clause.subject is not None else ""
    lemma, inner = tree.lemma(clause.verb), None
    asked = any(token.text == "?" for token in tree.tokens[clause.begin : tree.end])
    if clause.mood == "question" and clause.subject is None and not asked and condition_of(clause) is not None:
        # "When I ask for recipes, always use grams" begins like a question.
        order, holds = replace(clause, mood="order"), not clause.inside("neg")
        return (
            (order, holds)
            if tree.tokens[clause.verb].tag in {"VB", "VBP"} and is_standing(order, holds=holds)
            else None
        )
    if subject in data.words("persons", "listener") and any(tree.tokens[i].tag == "MD" for i in clause.inside("aux")):
        inner = clause.verb if clause.mood == "question" or lemma in data.words("verbs", "name") else None
    elif subject in data.words("persons", "self") and lemma in data.words("verbs", "need", "like"):
        below = tree.kids(clause.verb, "ccomp", "xcomp")
        inner = next((i for i in below if _of_listener(tree, i)), None)
    elif clause.mood == "order" and lemma in data.words("verbs", "remember") and tree.kid(clause.verb, "dobj") is None:
        inner = tree.kid(clause.verb, "xcomp")
    if inner is None or not clause.begin <= inner < clause.end:
        return None
    before = [
        i
        for i in tree.below(inner)
        if i < inner and (tree.tokens[i].dep in SUBJECTS or tree.tokens[i].tag in {"TO", "MD"})
    ]
    order = replace(
        clause, begin=max(before, default=inner - 1) + 1, verb=inner, subject=None, shared=False, mood="order"
    )
    holds = not clause.inside("neg") and tree.kid(inner, "neg") is None
    # A dislike or a request to remember is not an order for now, unless it is about what was shown.
    lasts = (not holds and inner != clause.verb) or lemma in data.words("verbs", "remember")
    lasts = lasts and tree.lemma(inner) in data.words("verbs", "answer", "converse")
    pointed = order.lowers() & {*_POINTING, "me"}
    return (order, holds) if (lasts and not pointed) or is_standing(order, holds=holds) else None


def _of_listener(tree: Tree, verb: int) -> bool:
    subject = tree.kid(verb, *SUBJECTS)
    return subject is not None and tree.tokens[subject].lower in language_data("en").words("persons", "listener")


def minds(clause: Clause) -> bool:
    """Return whether the user says which answers they mind: "I hate it when you apologize"."""
    tree, data = clause.tree, language_data("en")
    habit = next((i for i in tree.kids(clause.verb, "advcl") if _of_listener(tree, i)), None)
    if habit is None or clause.subject is None or tree.lemma(habit) not in data.words("verbs", "answer"):
        return False
    if tree.tokens[clause.subject].lower not in data.words("persons", "self"):
        return False
    inside = {tree.tokens[i].lower for i in tree.below(habit)}
    each_time = bool({"when", "whenever"} & inside) and tree.lemma(clause.verb) in data.words("verbs", "like")
    return (each_time or tree.lemma(clause.verb) == "prefer") and not inside & {"this", "that", "these", "those"}


def is_henceforth(tree: Tree, place: int) -> bool:
    """Return whether "from now on" is at this place."""
    return [token.lower for token in tree.tokens[place : place + 3]] == ["from", "now", "on"]


def _henceforth(tree: Tree, begin: int, end: int) -> bool:
    return any(is_henceforth(tree, i) for i in range(begin, end - 2))


def asks_for(tree: Tree) -> bool:
    """Return whether a sentence without a verb says how answers should be.

    "No more than three sentences from now on", "no emojis please", "recipes in grams, never cups".
    """
    if _henceforth(tree, tree.begin, tree.end):
        return True
    data, span = language_data("en"), range(tree.begin, tree.end)
    lows = [tree.tokens[i].lower for i in span if tree.tokens[i].pos not in {"PUNCT", "SPACE"}]
    pointed = {"this", "that", "these", "those", "now", "?"} & set(lows)
    forms = data.words("conversation", "forms")
    told = [i for i in span if tree.lemma(i) in forms or tree.tokens[i].lower in forms]
    if pointed or not lows:
        return False
    of_all = not {"anything", "everything"}.isdisjoint(lows) and "you" in lows  # "no spiders in anything you write"
    if [low for low in lows[:2] if low not in {"so", "and", "but"}][:1] == ["no"] and (told or of_all):
        return True
    settled = data.words("conversation", "answers", "conventions")
    told += [i for i in span if tree.lemma(i) in settled or _measures(tree, i)]
    return bool(told) and not {"always", "never", "only"}.isdisjoint(lows)


def _measures(tree: Tree, prep: int) -> bool:
    """Whether "in grams" gives a unit, and not an amount."""
    unit = tree.kid(prep, "pobj") if tree.tokens[prep].lower == "in" else None
    if unit is None or tree.kids(unit, "det", "nummod", "poss"):
        return False
    data = language_data("en")
    return tree.lemma(unit) in data.words("now", "units") | data.words("conversation", "conventions")


def prefers_answers(clause: Clause, statement: Statement) -> bool:
    """Return whether the user says how they like answers: "I prefer short answers"."""
    liked = has_taste(clause, statement) and _liked(clause) in language_data("en").words("conversation", "answers")
    return liked or minds(clause)


def has_taste(clause: Clause, statement: Statement) -> bool:
    """Return whether the user says how they like things in general: "emails without ...", not "your emails"."""
    tree, head = clause.tree, clause.tree.kid(clause.verb, "dobj")
    likes = statement.predicate in language_data("en").words("verbs", "like") or "rather" in clause.lowers()
    if not likes or statement.subject != "user" or head is None or tree.tokens[head].tag != "NNS":
        return False
    return not any(tree.tokens[i].lower in {"your", "the", "these", "those"} for i in tree.kids(head, "poss", "det"))


def _liked(clause: Clause) -> str:
    head = clause.tree.kid(clause.verb, "dobj")
    return "" if head is None else clause.tree.lemma(head)
