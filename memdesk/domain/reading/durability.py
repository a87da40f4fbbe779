"""How likely what somebody says is to be worth remembering in a month, as labeled chats have taught it.

Two logistic regressions: one over what grammar tells of a clause (whose it is, what it says by which verb of what, how it is
narrowed, and its words), one over a sentence of which no clause was kept ("Half Welsh, half Punjabi", "Is ibuprofen
safe with lisinopril?"), which then stays in its speaker's own words. No rule for one example stands here;
``memdesk bench reading FILE... --train`` learns the weights from labeled chats and names these beside them
(``resources/reading/durability.json``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final, Protocol

from memdesk.domain.items.statement import USER
from memdesk.domain.language.analysis import Token
from memdesk.domain.language.data import language_data
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.care import CARE
from memdesk.domain.reading.clauses import Clause
from memdesk.domain.reading.statements import Read
from memdesk.domain.regression import Regression
from memdesk.settings.resources import resource_text

#: What a feature of each group counts. Fields say most; words and their neighbors are many.
SCALES: Final[Mapping[str, float]] = {
    "field": 1.0,
    "verb": 0.7,
    "form": 0.5,
    "below": 0.5,
    "word": 0.5,
    "next": 0.35,
    "turn": 0.25,
}
#: From which probability on a clause and a sentence are kept; what is kept wrongly is read by people.
LEAST_CLAUSE: Final = 0.55
LEAST_SENTENCE: Final = 0.5
#: Clause lengths, and turn lengths, in tokens, at which what is said is of another sort.
_CLAUSE_TOKENS: Final = (4, 7, 12, 20)
_TURN_TOKENS: Final = (10, 25, 60)
#: What programs call things: no name that people give.
_IDENTIFIER: Final = re.compile(r"[a-z][A-Z]|\w_\w|\(\)|\w\.[a-z]{2,}|[=<>{}]")
#: Words of a turn that tell its matter.
_MATTER: Final = frozenset({"NOUN", "VERB", "PROPN", "ADJ", "INTJ"})


@dataclass(frozen=True, slots=True)
class Setting:
    """What surrounds a clause.

    Attributes:
        near: whether the speaker told something of themselves within the last turns.
        requesting: whether the same turn asks for something.
        of_people: whether the same turn has told of people of the speaker's.
        answers: whether the assistant asked something just before.
        inside: by which relation the clause hangs inside of a request or question ("advcl"); empty where it stands by itself.
    """

    near: bool = False
    requesting: bool = False
    of_people: bool = False
    answers: bool = False
    inside: str = ""


_SETTINGS: Final = ("near", "requesting", "of_people", "answers")


class Judge(Protocol):
    """Decides what lasts."""

    def lasts(self, clause: Clause, read: Read, setting: Setting) -> bool:
        """Return whether a clause is worth remembering."""
        ...

    def tells(self, tree: Tree, found: Sequence[Clause], setting: Setting) -> bool:
        """Return whether a sentence is worth remembering of which no clause (``found``) was kept."""
        ...


class Durability:
    """Judges by learned weights. Immutable, hence thread-safe.

    Args:
        data: what :class:`Regression` reads, of ``clauses`` and of ``sentences``.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._clauses, self._sentences = (Regression(data[name], SCALES) for name in ("clauses", "sentences"))

    def lasts(self, clause: Clause, read: Read, setting: Setting) -> bool:
        return self._clauses.probability(features(clause, read, setting)) > LEAST_CLAUSE

    def tells(self, tree: Tree, found: Sequence[Clause], setting: Setting) -> bool:
        return self._sentences.probability(sentence_features(tree, found, setting)) > LEAST_SENTENCE


@cache
def durability() -> Durability:
    """Return the one that ships."""
    return Durability(json.loads(resource_text("reading", "durability.json")))


def features(clause: Clause, read: Read, setting: Setting) -> frozenset[str]:
    """Return what a clause is weighed by: each the name of a group of :data:`SCALES`, a colon, and what is so."""
    whose = _whose(clause, read)
    return frozenset((*_of_fields(clause, read, setting, whose), *_of_words(clause, read, whose), *_of_turn(clause)))


def sentence_features(tree: Tree, found: Sequence[Clause], setting: Setting) -> frozenset[str]:
    """Return what a sentence is weighed by of which no clause was kept; see :meth:`Judge.tells`."""
    span = range(tree.begin, tree.end)
    selves = language_data("en").words("persons", "self", "group")
    own = [i for i in span if tree.tokens[i].lower in selves]
    told = [
        f"field:clauses {min(3, len(found))}",
        *(f"field:{clause.mood}" for clause in found),
        f"field:own {min(3, len(own))}",
        *(f"field:{name}" for name in _SETTINGS if getattr(setting, name)),
        f"field:long {_step(len(span), _CLAUSE_TOKENS)}",
        f"field:opens {tree.begin == 0}",
        f"field:ends {tree.end == len(tree.tokens)}",
        *_of_span(tree, span),
    ]
    for i in own:
        token, head = tree.tokens[i], tree.tokens[tree.tokens[i].head]
        told += [f"verb:{token.dep} {(head.lemma or head.text).lower()}", f"verb:{token.dep} {head.dep}"]
        told.append(f"verb:{token.lower} {head.pos}")
    if any(tree.tokens[i].text == "?" for i in span):
        told.append("field:asks")
    return frozenset(told)


def _of_fields(clause: Clause, read: Read, setting: Setting, whose: str) -> Iterator[str]:
    said, narrowed = read.statement, read.statement.qualifiers
    yield f"field:whose {whose}"
    yield f"field:said {whose} {said.tense} {said.modality}"
    yield from (f"field:{name}" for name in (clause.mood, said.modality, said.tense))
    yield f"field:holds {said.holds} {said.ended}"
    yield f"field:attribute {_sort_of(said.attribute)}"
    parts = {
        "time": narrowed.time,
        "date": narrowed.begins,
        "place": narrowed.place,
        "amount": narrowed.amount,
        "company": narrowed.company,
        "manner": narrowed.manner,
        "object": said.object,
    }
    yield from (f"field:has {name}" for name, part in parts.items() if part)
    for name in _SETTINGS:
        if getattr(setting, name):
            yield f"field:{name}"
            yield f"field:{name} {whose}"
    if setting.inside:
        yield f"field:inside {setting.inside}"
    yield f"field:long {_step(clause.end - clause.begin, _CLAUSE_TOKENS)}"


def _whose(clause: Clause, read: Read) -> str:
    """Return of whom or what a clause is, by how it is named: "self", "own person", "name", "pronoun", "the", ..."""
    data, tree, subject, named = language_data("en"), clause.tree, clause.subject, read.subject
    if named.name == USER:
        own = subject is None or tree.tokens[subject].lower in data.words("persons", "self", "group")
        return "self" if own else "self beside others"
    if subject is None:
        return "left out" if named.name else "nobody"
    token = tree.tokens[subject]
    if not named.name:
        return f"unknown {token.pos}"
    if named.own:
        people = data.words("people")
        person = tree.lemma(subject) in people or (named.mention is not None and named.mention.noun in people)
        return "own person" if person else "own thing"
    if token.pos == "PRON":
        return "pronoun"
    if token.pos == "PROPN" or token.entity == "person":
        return "name"
    opened = {tree.tokens[i].lower for i in tree.kids(subject, "det", "poss")}
    return "the" if "the" in opened else "a" if opened & {"a", "an"} else "pointed at" if opened else "bare"


def _sort_of(attribute: str) -> str:
    if attribute in CARE:
        return "care"
    known = attribute in language_data("en").attributes.values()
    return "known" if known else "other" if attribute else "none"


def _of_words(clause: Clause, read: Read, whose: str) -> Iterator[str]:
    tree, verb = clause.tree, clause.tree.lemma(clause.verb)
    yield f"verb:{verb}"
    yield f"verb:{verb} {whose}"
    yield f"verb:= {read.statement.predicate}"
    yield f"form:{tree.tokens[clause.verb].tag}"
    for kid in (kid for kid in tree.kids(clause.verb) if clause.begin <= kid < clause.end):
        token = tree.tokens[kid]
        yield from (f"below:{token.dep}", f"below:{token.dep} {tree.lemma(kid)}", f"below:{token.dep} {_class(token)}")
        for noun in tree.kids(kid, "pobj") if token.dep == "prep" else ():
            yield f"below:{token.lower} {tree.lemma(noun)}"
            yield f"below:{token.lower} {_class(tree.tokens[noun])}"
    yield from _of_span(tree, range(clause.begin, clause.end))


def _of_span(tree: Tree, span: Iterable[int]) -> Iterator[str]:
    told = [i for i in span if tree.tokens[i].pos != "SPACE"]
    for i in told:
        token = tree.tokens[i]
        yield f"form:{token.tag}"
        if token.entity:
            yield f"form:{token.entity}"
        if _IDENTIFIER.search(token.text):
            yield "form:identifier"
        if token.pos != "PUNCT":
            yield f"word:{tree.lemma(i)}"
    if told:
        yield f"word:^{tree.tokens[told[0]].lower}"
        yield f"form:^{tree.tokens[told[0]].tag}"
    for left, right in pairwise(tree.tokens[i] for i in told):
        yield f"next:{left.lower} {right.lower}"
        yield f"next:{left.tag} {right.tag}"


def _class(token: Token) -> str:
    return token.entity or token.pos


def _of_turn(clause: Clause) -> Iterator[str]:
    tokens = clause.tree.tokens
    selves = language_data("en").words("persons", "self", "group")
    yield f"form:turn of {_step(len(tokens), _TURN_TOKENS)}"
    yield f"form:turn with {min(3, sum(token.lower in selves for token in tokens))}"
    if any(token.text == "?" for token in tokens):
        yield "form:turn asks"
    if any(_IDENTIFIER.search(token.text) for token in tokens):
        yield "form:turn of identifiers"
    yield from (f"turn:{(token.lemma or token.text).lower()}" for token in tokens if token.pos in _MATTER)


def _step(size: int, steps: tuple[int, ...]) -> int:
    return sum(size >= step for step in steps)
