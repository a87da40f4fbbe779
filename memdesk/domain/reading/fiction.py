"""Stories and games: statements in them are nobody's own.

A request for a story makes the answer to it one. If the speaker has a part in it, it continues until they leave it.
"""

from __future__ import annotations

from itertools import dropwhile
from typing import Final, NamedTuple

from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.data import LanguageData, language_data
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.clause import Clause
from memdesk.domain.reading.clauses import clauses

#: Verbs that ask for a story, a poem or a game by name.
_MAKING: Final = frozenset(
    {"write", "tell", "make", "create", "continue", "invent", "compose", "sing", "improvise", "give", "let"}
)


class _Role(NamedTuple):
    """A role given to the assistant: in which turn, and whether it has a name."""

    turn: int
    named: bool


class Fiction:
    """Follows the stories and games of one speaker, turn by turn."""

    def __init__(self) -> None:
        self._turn = 0
        #: whether the speaker has a part in the game.
        self._plays = False
        #: the assistant's latest role, unless it is the speaker's own coach or tutor.
        self._role: _Role | None = None
        self._data: LanguageData = language_data("en")

    def goes_on(self, analysis: Analysis) -> bool:
        """Return whether a game with the speaker goes on: until they leave it, laugh about it, or discuss the text.

        Args:
            analysis: of the speaker's next turn; each must be passed once, in order.
        """
        self._turn += 1
        words = [t.lower for t in analysis.tokens if t.pos not in {"PUNCT", "SPACE"}]
        laugh, lead = self._data.words("conversation", "laughs"), self._data.words("conversation", "praises")
        rest = list(dropwhile((laugh | lead).__contains__, words))
        over = self._data.words("conversation", "over")
        left = not over.isdisjoint(rest[:1]) or "actually" in rest
        laughs = bool(rest) and not laugh.isdisjoint(words[: len(words) - len(rest)])
        if self._plays and (left or (laughs and not self._plays_on(analysis))):
            self._plays = False
        elif words[-2:] in (["your", "move"], ["your", "turn"]):
            self._plays = True
        return self._plays

    def begins(self, tree: Tree, found: list[Clause]) -> bool:
        """Return whether a sentence asks for a story or a game, or plays along with a role that the speaker gave.

        Args:
            tree: of a sentence of the latest turn.
            found: its clauses.
        """
        self._role = self._acting(tree) or self._role
        for clause in found:
            if self._takes_part(clause):
                self._plays = True
                return True
            if tree.lemma(clause.verb) == "be" and (clause.mood == "order" or _of_listener(clause)):
                self._role = self._given(tree, tree.kid(clause.verb, "attr")) or self._role
            if self._asked_for(clause):
                self._plays = self._has_part(clause)
                return True
        return False

    def _plays_on(self, analysis: Analysis) -> bool:
        """Whether somebody plays on although laughing: they ask for more, wish, or act in the game: "haha I jump"."""
        lasting = self._data.words("verbs", "state", "like", "need") | {"be", "have", "get"}
        found = [clause for begin, end in analysis.sentences() for clause in clauses(analysis, begin, end)]
        return not found or any(
            clause.mood != "statement"
            or (lemma := clause.tree.lemma(clause.verb)) in {"want", "wish"}
            or (
                clause.subject is not None
                and clause.tree.tokens[clause.subject].lower in self._data.words("persons", "self")
                and clause.tags() == {"VBP"}
                and lemma not in lasting
            )
            for clause in found
        )

    def _asked_for(self, clause: Clause) -> bool:
        """Whether a clause asks for a story or a game: "Write a poem about my cat", "Let's play"."""
        tree, verbs = clause.tree, self._data.words("conversation", "fiction_verbs")
        if clause.mood not in {"order", "question", "supposition"} and not _of_listener(clause):
            return False
        objects = (i for i in tree.below(clause.verb) if tree.tokens[i].dep in {"dobj", "pobj", "attr", "dative"})
        inner = tree.kid(clause.verb, "ccomp", "xcomp") if tree.lemma(clause.verb) == "let" else None
        lemma = tree.lemma(clause.verb if inner is None else inner)
        nouns = self._data.words("conversation", "fiction")
        return lemma in verbs or (lemma in _MAKING and any(tree.lemma(i) in nouns for i in objects))

    def _has_part(self, clause: Clause) -> bool:
        """Whether the speaker plays in what they ask for, or is a character in it: not "a story for my son"."""
        tree, people, selves = clause.tree, self._data.words("people"), self._data.words("persons", "self", "group")
        lemmas = {tree.lemma(i) for i in range(clause.begin, tree.end)}
        return not lemmas.isdisjoint(self._data.words("conversation", "play")) or any(
            token.lower in selves and not (token.tag == "PRP$" and tree.tokens[token.head].lemma in people)
            for token in tree.tokens
        )

    def _acting(self, tree: Tree) -> _Role | None:
        """Return the role that "Act as a dragon" and "I want you to act like a judge" give the assistant."""
        lows, acts = [one.lower for one in tree.tokens[tree.begin : tree.end]], self._data.words("conversation", "cast")
        told = (i + 2 for i in range(len(lows) - 2) if lows[i] in acts and lows[i + 1] in {"as", "like"})
        at = next((i for i in told if i == 2 or "you" in lows[:i]), len(lows))
        nouns = (i for i in range(tree.begin + at, tree.end) if tree.tokens[i].pos in {"NOUN", "PROPN"})
        return self._given(tree, next((i for i in nouns if tree.tokens[i].dep != "compound"), None))

    def _given(self, tree: Tree, part: int | None) -> _Role | None:
        """Return the role that a noun names; None for "my coach", which is meant literally."""
        selves = self._data.words("persons", "self", "group")
        if part is None or any(tree.tokens[i].lower in selves for i in tree.kids(part, "poss")):
            return None
        return _Role(self._turn, tree.tokens[part].pos == "PROPN")

    def _takes_part(self, clause: Clause) -> bool:
        """Whether the speaker plays beside the role that they gave: "I am the knight", "I am your captain"."""
        tree, told = clause.tree, clause.tree.kid(clause.verb, "attr")
        if self._role is None or self._turn - self._role.turn > 1 or told is None or clause.subject is None:
            return False
        if tree.tokens[clause.subject].lower != "i" or clause.mood != "statement":
            return False
        opened = {tree.tokens[i].lower for i in tree.kids(told, "det", "poss")}
        related = any(tree.tokens[i].lower == "of" for i in tree.kids(told, "prep"))  # "I am the mother of two"
        named = any(tree.lemma(i) in {"call", "name"} for i in tree.kids(told, "acl"))
        return (
            (bool(opened & {"the", "your"}) and not related)
            or named
            or (self._role.named and tree.tokens[told].pos == "PROPN")
        )


def _of_listener(clause: Clause) -> bool:
    subject = clause.subject
    return subject is not None and clause.tree.tokens[subject].lower in {"you", "let", "let's", "us"}
