"""One main clause: its verb, its subject, and whether it states, asks, orders or supposes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from memdesk.domain.language.analysis import Token
from memdesk.domain.language.data import language_data
from memdesk.domain.language.tree import Tree

Mood = Literal["statement", "question", "order", "supposition"]
SUBJECTS: Final = ("nsubj", "nsubjpass", "expl", "csubj")
AUXILIARIES: Final = ("aux", "auxpass")
#: Words of a request.
POLITE: Final = frozenset({"please", "pls", "plz", "kindly"})
#: What separates a statement from what follows it.
_BREAKS: Final = frozenset({",", ";", "-", "\u2013", "."})


@dataclass(frozen=True, slots=True)
class Clause:
    """One main clause.

    Attributes:
        tree: of its sentence.
        begin, end: its tokens, ``end`` exclusive.
        verb: its main verb.
        subject: head of its subject, which may be in the previous clause; None if there is none.
        shared: whether the subject is in the previous clause.
        mood: how it is meant.
    """

    tree: Tree
    begin: int
    end: int
    verb: int
    subject: int | None
    shared: bool = False
    mood: Mood = "statement"

    def inside(self, *deps: str) -> list[int]:
        """Return the verb's dependents of the given relations within the clause."""
        return [kid for kid in self.tree.kids(self.verb, *deps) if self.begin <= kid < self.end]

    def tags(self) -> set[str]:
        """Return the tags of the verb and its auxiliaries."""
        return {self.tree.tokens[i].tag for i in (self.verb, *self.inside(*AUXILIARIES))}

    def lowers(self) -> set[str]:
        """Return the words of the clause in lower case."""
        return {token.lower for token in self.tree.tokens[self.begin : self.end]}

    def text(self) -> str:
        """Return the clause as said."""
        return self.tree.analysis.piece(self.begin, self.end)


def mood_of(clause: Clause, all_: list[Clause]) -> Mood:
    """Return how one of all clauses of a sentence is meant."""
    tree, data = clause.tree, language_data("en")
    tokens = tree.tokens
    if tokens[clause.verb].dep == "relcl":
        return "statement"  # "Any ideas for my aunt, who just retired?"
    asked = any(token.text == "?" for token in tokens[clause.end : tree.end])
    # "Can you find a gift for my husband, he turns 50 on Friday?" asked before the clause; "I'm on a keto diet, quick
    # lunches?" asks after it.
    last = asked and clause is all_[-1] and not any(_asks(other) for other in all_[:-1])
    if _asks(clause) or (last and not _tells_of_self(clause)):
        return "question"
    if _is_order(clause):
        supposes = tree.lemma(clause.verb) in data.words("now", "if") and not clause.lowers() & data.words(
            "now", "forever"
        )
        return "supposition" if supposes else "order"
    conditions = [i for i in tree.below(clause.verb) if _opens_condition(tree, i)]
    first = tokens[clause.begin].lower
    if first in data.words("now", "if") or (conditions and not _real(clause)):
        return "supposition"
    return "question" if asked and clause.subject is None else "statement"


def _opens_condition(tree: Tree, mark: int) -> bool:
    """Whether a word opens a condition: not in "they asked if we could come"."""
    token = tree.tokens[mark]
    return token.dep == "mark" and token.lower in {"if", "unless"} and tree.tokens[token.head].dep != "ccomp"


def _tells_of_self(clause: Clause) -> bool:
    """Whether a clause states something about the speaker before a comma, in statement order: nobody asks that."""
    tree, subject = clause.tree, clause.subject
    if subject is None or subject > clause.verb or clause.shared:
        return False
    selves = language_data("en").words("persons", "self", "group")
    own = any(tree.tokens[i].lower in selves for i in (subject, *tree.kids(subject, "poss")))
    rest = tree.tokens[clause.verb : tree.end]
    return own and any(token.text in _BREAKS for token in rest)


def _real(clause: Clause) -> bool:
    """Whether a clause with a condition still states something: "I get hives if I eat nuts", but not with "would"."""
    unreal = {"would", "could", "might", "'d", "were", "will", "'ll", "should"}
    return clause.subject is not None and unreal.isdisjoint(clause.lowers())


def _turned(tokens: Sequence[Token], wh: int) -> bool:
    """Whether an auxiliary and then a subject follow a question word: "what can we cook"."""
    behind = tokens[wh + 1 : wh + 3]
    return len(behind) == 2 and behind[0].pos == "AUX" and behind[1].dep in SUBJECTS


def _asks(clause: Clause) -> bool:
    """Whether a question word or an auxiliary precedes the subject: "what is", "do I", "is there"."""
    tree, tokens = clause.tree, clause.tree.tokens
    wh = language_data("en").words("now", "wh")
    said = not any(token.text == "?" for token in tokens[clause.begin : tree.end])
    opening = [
        i
        for i in tree.below(clause.verb)
        if clause.begin <= i < clause.verb
        and tokens[i].lower in wh
        and not (said and tokens[tokens[i].head].dep == "csubj" and not _turned(tokens, i))  # "What I love most is ..."
    ]
    if any(tokens[i].head == clause.verb or tokens[tokens[i].head].head == clause.verb for i in opening):
        return True
    if clause.shared or clause.subject is None:
        return False
    if said and tokens[clause.begin].lower in wh and any(i < clause.subject for i in clause.inside(*AUXILIARIES)):
        return True  # "how much income do I need"
    before = [i for i in (clause.verb, *clause.inside(*AUXILIARIES)) if i < clause.subject]
    inverted = [i for i in before if tokens[i].pos == "AUX" or tokens[i].tag == "MD"]
    return bool(inverted) and inverted[0] == clause.begin


def _is_order(clause: Clause) -> bool:
    tree = clause.tree
    if clause.subject is not None and not clause.shared:
        # "you must", "you should", "let's".
        return tree.tokens[clause.subject].lower in {"you", "u"} and bool(clause.lowers() & {"must", "should"})
    verb = tree.tokens[clause.verb]
    if clause.subject is not None:
        return False
    finite = {tree.tokens[i].tag for i in clause.inside(*AUXILIARIES)}
    over = [t for t in tree.tokens[clause.verb : clause.end] if t.lower in language_data("en").words("now", "over")]
    if any(token.entity == "date" or token.lower == "ago" for token in over):
        return False  # "Beat a master last year": past events are stated, not asked for
    data = language_data("en")
    if tree.lemma(clause.verb) in data.words("verbs", "state"):
        return False  # "Love my job, hate the commute": not an order
    told = {f"{tree.lemma(clause.verb)} {tree.tokens[prep].lower}" for prep in clause.inside("prep")}
    if any(data.attributes.get(phrase) in {"home", "employer", "occupation", "birthplace"} for phrase in told):
        return False  # "Work at a bakery"
    if tree.lemma(clause.verb) in {"have", "own", "drive"} and clause.inside("neg"):
        return False  # "Don't drive", "don't have a car"
    return verb.tag in {"VB", "VBP"} and "MD" not in finite and verb.lower == tree.lemma(clause.verb)


def without_heading(clause: Clause) -> Clause:
    """Cut off what stands before the colon of a clause: "Another step up: my dose is 125 mcg now", but not "Ada: ..."."""
    tokens = clause.tree.tokens
    opens = clause.verb if clause.subject is None else min(clause.verb, clause.subject)
    colon = next((i for i in reversed(range(clause.begin, opens)) if tokens[i].text == ":"), None)
    if colon is None or clause.subject is None:
        return clause
    return clause if is_label(tokens[clause.begin : colon]) else replace(clause, begin=colon + 1)


def is_label(heading: Sequence[Token]) -> bool:
    """Whether what stands before a colon is a label, as of a speaker or a field: one word, or something with a name."""
    words = [token.pos for token in heading if token.pos not in {"PUNCT", "SPACE"}]
    return len(words) < 2 or "PROPN" in words


def without_question(clause: Clause) -> Clause:
    """Cut off a verbless question after a statement: "I'm on a keto diet, quick lunches?"."""
    tree = clause.tree
    if clause.mood != "statement" or tree.tokens[tree.end - 1].text != "?" or clause.end < tree.end - 1:
        return clause
    commas = [i for i in range(clause.verb + 1, clause.end) if tree.tokens[i].text in _BREAKS]
    rest = range(commas[-1] + 1, clause.end) if commas else range(0)
    return replace(clause, end=commas[-1]) if rest and not any(tree.is_verb(i) for i in rest) else clause


def before_request(clause: Clause) -> list[Clause]:
    """Part a statement from a request after it: "I'm vegan, recipes please", "he's on 0161, add him to the list"."""
    tree, tokens = clause.tree, clause.tree.tokens
    if clause.mood != "statement" or clause.subject is None:
        return [clause]
    breaks = (i for i in range(clause.verb + 1, clause.end - 1) if tokens[i].text in _BREAKS or tokens[i].lower == "so")
    for at in breaks:
        opens = at + 2 if tokens[at].text == "," and tokens[at + 1].lower in {"so", "and", "but"} else at + 1
        rest = range(opens, clause.end)
        does = (i for i in rest if tokens[i].dep in SUBJECTS and tokens[tokens[i].head].lower not in POLITE)
        if not rest or any(tokens[i].lower not in {"me", "us"} for i in does):
            continue
        pleads = any(tokens[i].lower in POLITE for i in rest)
        bids = (
            tokens[opens].pos == "VERB"
            and tokens[opens].tag in {"VB", "VBP"}
            and tokens[opens].lower == tree.lemma(opens)
        )
        # "I can swim, dive and sail" asks for nothing.
        bids = bids and (tokens[opens].dep != "conj" or tokens[clause.verb].tag == "VBZ" or tokens[at].lower == "so")
        whole = tokens[opens].lower in POLITE or not any(tokens[i].text in _BREAKS for i in rest)
        if (pleads or bids) and whole:
            verb = next((i for i in rest if tokens[i].tag in {"VB", "VBP"} and tokens[i].pos == "VERB"), None)
            order = [] if verb is None else [replace(clause, begin=opens, verb=verb, subject=None, mood="order")]
            return [replace(clause, end=at), *order]
    return [clause]
