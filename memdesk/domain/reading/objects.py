"""The object of a clause: its head, the preposition that leads to it, and the words of both."""

from __future__ import annotations

from typing import Final

from memdesk.domain.language.data import language_data
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.clause import Clause
from memdesk.domain.reading.predicates import is_copula, particle, verb_words
from memdesk.domain.reading.subjects import UNKNOWN, Named, Naming

#: Entities that are times.
TIMES: Final = frozenset({"date", "time"})
#: Words between a verb and the preposition that belong to its meaning: "is down to", "dropped out of".
AROUND: Final = frozenset({"up", "down", "out", "off"})


def object_of(clause: Clause, verb: int) -> tuple[int | None, int | None]:
    """Return the head of the object, and the preposition that leads to it, if any."""
    tree = clause.tree
    direct = _direct(clause, verb)
    if direct is None:
        direct = next((i for i in tree.kids(verb, "xcomp", "ccomp") if verb < i < clause.end), None)
    if direct is not None:
        return direct, None
    prep = _leading(clause, verb)
    if prep is not None:
        return tree.kid(prep, "pobj", "pcomp"), prep
    agent = tree.kid(verb, "agent")
    if agent is not None:
        return tree.kid(agent, "pobj"), agent
    number = tree.kid(verb, "nummod", "npadvmod")
    if number is None:
        number = next((i for i in range(verb, clause.end) if tree.tokens[i].tag == "CD"), None)
    return (number if is_copula(tree.lemma(verb)) else None), None


def _direct(clause: Clause, verb: int) -> int | None:
    tree = clause.tree
    objects = tree.kids(verb, "dobj", "attr", "oprd", "acomp")
    prt = particle(clause, verb)
    if prt is not None and tree.tokens[prt].dep == "prt":
        objects += tree.kids(prt, "pobj")  # "called off the meeting"
    left = next((i for i in tree.kids(verb, "ccomp", "xcomp") if tree.tokens[i].lower == "left"), None)
    objects += tree.kids(left, "nsubj") if left is not None else []  # "we have two hens left"
    stray = tree.kids(verb, "advcl", "xcomp", "advmod") if not objects else []  # "I don't eat gluten"
    tags = {"VB", "NN", "VBN"} | ({"JJ"} if tree.lemma(verb) in language_data("en").words("verbs", "like") else set())
    objects += [i for i in stray if i == verb + 1 and not tree.kids(i) and tree.tokens[i].tag in tags]
    return next((i for i in objects if clause.begin <= i < clause.end), None)


def _leading(clause: Clause, verb: int) -> int | None:
    """Return the preposition to the object: "went back to my maiden name", "dropped out of medicine"."""
    tree = clause.tree
    copula = is_copula(tree.lemma(verb))  # "is back home from hospital" is not "is from"
    adverbs = [i for i in tree.kids(verb, "advmod") if not copula or tree.tokens[i].lower in AROUND]
    around = [verb, *adverbs, *(p for p in tree.kids(verb, "prep") if tree.kid(p, "prep"))]
    preps = [p for top in around for p in tree.kids(top, "prep") if clause.begin <= p < clause.end and p > verb]
    nouns = {p: noun for p in preps if (noun := tree.kid(p, "pobj", "pcomp")) is not None}
    led = [p for p in nouns if (of := tree.kid(p, "pcomp")) is None or tree.tokens[of].tag != "IN"]  # "because of"
    led.sort(key=lambda p: not leads(tree, p))  # "from Ghent to Namur": Namur
    return next((p for p in led if not is_time(clause, nouns[p])), next(iter(led), None))


def object_words(clause: Clause, head: int | None, subject: Named, naming: Naming) -> str:
    """Return an object as in statements: without times, with its owner if that is not the subject."""
    tree = clause.tree
    if head is None:
        return ""
    times = [i for i in tree.kids(head, "prep", "npadvmod") if is_time(clause, i)]
    if tree.tokens[head].dep in {"xcomp", "ccomp"}:
        joins = {i for i in tree.below(head) if tree.tokens[i].dep in {"aux", "mark"}}
        joins = {i for i in joins if tree.tokens[i].lower in {"to", "that"}}
        return tree.words(i for i in tree.below(head, times) if clause.begin <= i < clause.end and i not in joins)
    if tree.tokens[head].dep == "acomp":  # "34 years old" is a measure, however much it looks like a time
        times = [i for i in times if all(tree.tokens[n].pos != "NUM" for n in tree.below(i))]
    day = month_of(tree, head)
    if day is not None:  # "the 3rd of June with Emirates" is a day
        times = [i for i in tree.kids(head, "prep") if i != day]
    beyond = (i for i in tree.below(head) if i >= clause.end)
    words = _owner_of(tree, head, subject, naming) + tree.phrase(head, [*times, *beyond])
    after = tree.tokens[head + 1] if head + 1 < clause.end else None
    if after is not None and after.tag == "CD" and tree.tokens[head].pos == "PROPN" and after.head != head:
        words = f"{words} {after.text}"  # "got the Pixel 9 yesterday"
    named = _called(clause, head)
    if named is not None:
        called = [tree.phrase(i) for i in (named, *tree.joined(named)) if i < clause.end]
        words = f"{words}, {' and '.join(called)}"
    joined = [i for i in tree.joined(head) if i < clause.end and not tree.is_verb(i)]
    return " and ".join([words, *(tree.phrase(i) for i in joined)]) if joined else words


def trait_of(clause: Clause, verb: int, head: int, words: str, naming: Naming) -> tuple[str, str, int]:
    """Return predicate, object words and head of "am allergic to hazelnuts"."""
    tree, lemma = clause.tree, verb_words(clause, verb)
    for prep in tree.kids(head, "prep"):
        noun = tree.kid(prep, "pobj", "pcomp")
        if noun is not None:
            trait = f"{lemma} {tree.tokens[head].lower} {tree.tokens[prep].lower}"
            return trait, object_words(clause, noun, UNKNOWN, naming), noun
    return lemma, words, head


def _called(clause: Clause, head: int) -> int | None:
    """Return the name in "a new landlord, Mrs Sato" and "a dog called Barney"."""
    tree = clause.tree
    said = [i for i in tree.kids(head, "acl") if tree.lemma(i) in {"call", "name"}]
    names = [*tree.kids(head, "appos"), *(i for verb in said for i in tree.kids(verb, "oprd", "dobj"))]
    return next((i for i in names if i < clause.end and tree.tokens[i].pos == "PROPN"), None)


def _owner_of(tree: Tree, head: int, subject: Named, naming: Naming) -> str:
    """Return the object's owner if that is not the subject: "Helena is my boss"."""
    owner = tree.kid(head, "poss")
    name = naming.name(tree, owner).name if owner is not None else ""
    return f"{name}'s " if name and name != subject.name and not subject.name.startswith(f"{name} ") else ""


def month_of(tree: Tree, head: int) -> int | None:
    """Return the "of" between a day and its month."""
    if not tree.tokens[head].text[:1].isdigit():
        return None
    return next((i for i in tree.kids(head, "prep") if tree.tokens[i].lower == "of"), None)


def is_time(clause: Clause, spot: int) -> bool:
    """Return whether a phrase tells when."""
    below = [clause.tree.tokens[i] for i in clause.tree.below(spot)]
    return any(token.entity in TIMES or token.lower == "now" for token in below)


def leads(tree: Tree, prep: int) -> bool:
    """Return whether a preposition leads to the destination or result of something."""
    return tree.tokens[prep].lower in {"to", "into"}
