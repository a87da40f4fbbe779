"""Which attribute of its subject a clause gives: "home" for "moved to Porto", "shoe size" for "my shoe size is 43"."""

from __future__ import annotations

from memdesk.domain.comparing.lexicon import lexicon_of
from memdesk.domain.language.data import language_data
from memdesk.domain.language.numbers import digits
from memdesk.domain.language.text import stem
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.clause import Clause
from memdesk.domain.reading.predicates import is_copula


def attribute_of(clause: Clause, predicate: str, words: str, head: int | None) -> str:
    """Return the attribute that a clause gives; empty if it has no name.

    Args:
        clause: what was said.
        predicate: of its statement.
        words: of its object.
        head: of its object.
    """
    tree = clause.tree
    known = language_data("en").attributes
    lead = tree.tokens[head].lower if head is not None else ""
    for phrase in (predicate, f"{predicate} {lead}"):
        if phrase in known:
            if known[phrase] == "home" and _is_for_something(clause, head):
                return ""  # "moved to Resolve for editing"
            year = known[phrase] == "birthplace" and head is not None and tree.tokens[head].tag == "CD"
            return "birth year" if year else known[phrase]
    if pronouns_told(clause):
        return "pronouns"
    joined = is_copula(predicate.split(" ", maxsplit=1)[0]) or predicate in {"be called", "end in"}
    if joined and clause.subject is not None and _has_value(tree, clause.subject, head):
        return tree.phrase(clause.subject).lower()
    return _what_one_is(clause, head, words) if predicate in {"be", "become"} and words else ""


def pronouns_told(clause: Clause) -> str:
    """Return the value of "My pronouns are they/them", which parsers miss."""
    tree = clause.tree
    if clause.subject is None or tree.lemma(clause.subject) != "pronoun":
        return ""
    said = [i for i in range(clause.verb + 1, clause.end) if tree.tokens[i].tag in {"PRP", "PRP$", "SYM"}]
    return tree.words(said) if said else ""


def _is_for_something(clause: Clause, head: int | None) -> bool:
    """Whether something not named as a place is a purpose."""
    tree = clause.tree
    tops = [clause.verb, head] if head is not None else []
    aims = [i for top in tops for i in tree.kids(top, "prep") if i < clause.end and tree.tokens[i].lower == "for"]
    nouns = {stem(tree.lemma(noun)) for i in aims for noun in tree.kids(i, "pobj")}
    leads = bool(aims) and nouns.isdisjoint(lexicon_of("en").reasons)  # "moved to York for uni"
    return leads and head is not None and tree.tokens[head].entity != "place" and tree.tokens[head].pos == "PROPN"


def _has_value(tree: Tree, noun: int, head: int | None) -> bool:
    """Whether a person's thing is given its value and not its state: "is 43", "is Trek", but not "is stolen"."""
    token, data = tree.tokens[noun], language_data("en")
    owned = tree.kid(noun, "poss") is not None or token.lower in data.words("elided", "mine")
    if not owned or head is None or token.pos not in {"NOUN", "ADJ", "PROPN"}:
        return False
    if tree.lemma(noun) in data.words("people"):
        return False
    favorite = any(tree.tokens[i].lower.startswith("favo") for i in tree.kids(noun, "amod", "compound"))
    return favorite or tree.tokens[head].pos in {"NOUN", "PROPN", "NUM"} or "@" in tree.tokens[head].text


def _what_one_is(clause: Clause, head: int | None, words: str) -> str:
    tree, data = clause.tree, language_data("en")
    if digits(words).isdigit():
        return "age"
    if head is None:
        return ""
    of_self = clause.subject is not None and tree.tokens[clause.subject].lower == "i"
    token, beside = tree.tokens[head], tree.kids(head, "appos") if of_self and not tree.kids(head, "det") else []
    aged = any(tree.tokens[i].tag == "CD" for i in beside)
    if aged or (token.pos == "PROPN" and (beside or token.entity == "person")):
        return "name"  # "I'm marek, 46", "I'm Aileen, retired midwife"
    lows = {word.lower() for word in words.split()}
    if lows & data.words("care", "diet"):
        return "diet"
    if lows & data.words("care", "condition"):
        return "condition"
    article = any(tree.tokens[i].lower in {"a", "an"} for i in tree.kids(head, "det"))
    return "occupation" if article and token.dep == "attr" and token.pos == "NOUN" else ""
