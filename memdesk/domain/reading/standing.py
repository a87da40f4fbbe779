"""How the assistant is to answer from now on: whether an order holds for good, and whether the user says how they like answers."""

from __future__ import annotations

from memdesk.domain.items.statement import Statement
from memdesk.domain.language.data import language_data
from memdesk.domain.reading.clauses import Clause


def is_standing(clause: Clause, *, holds: bool) -> bool:
    """Return whether an order holds from now on: it says so, names the user, or is about how answers are given.

    Args:
        clause: an order.
        holds: whether it says to do something, and not to leave it.
    """
    return _Order(clause, holds=holds).stands()


class _Order:
    def __init__(self, clause: Clause, *, holds: bool) -> None:
        self._clause, self._tree = clause, clause.tree
        self._holds = holds
        self._data = language_data("en")
        self._lemma = self._tree.lemma(clause.verb)
        self._lows = clause.lowers()

    def stands(self) -> bool:
        data, tokens = self._data, self._tree.tokens
        if self._lows & {"this", "that", "it", "these", "those"} - self._condition():
            return False
        if self._lemma not in data.words("verbs", "answer", "name"):
            matter = self._tree.kid(self._clause.verb, "dobj", "prep", "xcomp", "dative")
            forever = bool(self._lows & data.words("now", "forever")) and self._lemma not in data.words("verbs", "like")
            return forever and matter is not None
        if self._lemma in data.words("verbs", "name"):
            named = self._tree.kid(self._clause.verb, "oprd", "attr") or self._tree.kid(self._clause.verb, "dobj")
            return "me" in self._lows and named is not None
        if self._lows & data.words("now", "always") or {"from", "now", "on"} <= self._lows:
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
        return (yours and many) or with_me or self._denied_to_me() or self._whenever()

    def _denied_to_me(self) -> bool:
        """Whether something is not to be done to the user: "Don't suggest phone calls to me"."""
        span = range(self._clause.begin, self._clause.end)
        to_me = any(
            self._tree.tokens[i].lower in {"me", "us"}
            and self._tree.tokens[i].dep == "pobj"
            and self._tree.tokens[self._tree.tokens[i].head].lower == "to"
            for i in span
        )
        return to_me and not self._holds

    def _whenever(self) -> bool:
        """Whether an order is for every time that something happens: "when you show me code"."""
        return any(
            self._tree.tokens[i].lower in {"when", "whenever"} for i in range(self._clause.begin, self._clause.end)
        )

    def _condition(self) -> set[str]:
        """Return the words that only join clauses."""
        return {
            self._tree.tokens[i].lower
            for i in range(self._clause.begin, self._clause.end)
            if self._tree.tokens[i].dep == "mark"
        }


def prefers_answers(clause: Clause, statement: Statement) -> bool:
    """Return whether the user says how they like answers to be: "I prefer short answers"."""
    return has_taste(clause, statement) and _liked(clause) in language_data("en").words("conversation", "answers")


def has_taste(clause: Clause, statement: Statement) -> bool:
    """Return whether the user says what they like of things in general: "emails without exclamation marks", not "your emails"."""
    tree, head = clause.tree, clause.tree.kid(clause.verb, "dobj")
    likes = statement.predicate in language_data("en").words("verbs", "like") or "rather" in clause.lowers()
    if not likes or statement.subject != "user" or head is None or tree.tokens[head].tag != "NNS":
        return False
    return not any(tree.tokens[i].lower in {"your", "the", "these", "those"} for i in tree.kids(head, "poss", "det"))


def _liked(clause: Clause) -> str:
    head = clause.tree.kid(clause.verb, "dobj")
    return "" if head is None else clause.tree.lemma(head)
