"""Statements embedded in a remark: "Please note that I fly on Monday", "I should mention I'm deaf"."""

from __future__ import annotations

from dataclasses import replace

from memdesk.domain.language.data import language_data
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.clause import SUBJECTS, Clause


def embedded(tree: Tree, verb: int, end: int) -> Clause | None:
    """Return the subordinate clause of another, without its conjunction; None if it has no subject.

    Args:
        tree: of the sentence.
        verb: of the subordinate clause.
        end: token after the last that may belong to it.
    """
    subject = tree.kid(verb, *SUBJECTS)
    inside = [i for i in tree.below(verb, tree.kids(verb, "mark")) if i < end]
    while inside and tree.tokens[inside[-1]].pos in {"PUNCT", "SPACE"}:
        inside.pop()
    return Clause(tree, inside[0], inside[-1] + 1, verb, subject) if inside and subject is not None else None


def to_remember(clause: Clause) -> Clause | None:
    """Return what the user asks to remember, errands too: "Note that I fly on Monday", "Remind me to call Tom"."""
    tree, data = clause.tree, language_data("en")
    led = tree.kid(clause.verb, "prep")
    mind = tree.kid(led, "pobj") if led is not None else None
    key = tree.lemma(clause.verb if mind is None else mind)  # "keep in mind that ..."
    if clause.mood != "order" or key not in data.words("verbs", "remember"):
        return None
    inner = next(
        (i for i in tree.kids(clause.verb, "ccomp") if i > clause.verb and tree.kid(i, *SUBJECTS) is not None), None
    )
    if inner is not None:
        asks = tree.tokens[min(tree.below(inner))].tag in {"WP", "WDT", "WRB"}
        return None if asks else embedded(tree, inner, clause.end)  # "remind me what that was"
    errand = tree.kid(clause.verb, "xcomp", "ccomp")
    if errand is None or (tree.kid(clause.verb, "dobj") is None and "me" not in clause.lowers()):
        return None
    if any(tree.tokens[i].lower in data.words("now", "wh") for i in tree.below(errand)):
        return None
    who = tree.kid(clause.verb, "dobj", *SUBJECTS) or tree.kid(errand, *SUBJECTS)
    return replace(clause, verb=errand, subject=who, mood="statement")


def said_to_assistant(clause: Clause) -> Clause | None:
    """Return what the speaker says they tell the assistant: "I should mention I'm deaf", "I told you I'm vegan"."""
    tree, verb, data = clause.tree, clause.verb, language_data("en")
    who = tree.tokens[clause.subject].lower if clause.subject is not None else ""
    led = tree.kid(verb, "xcomp")  # "I forgot to mention", "I have to admit"
    verb = led if led is not None and tree.lemma(led) in data.words("verbs", "say") else verb
    whom = tree.kid(verb, "dobj", "dative")
    about_to = {tree.tokens[i].lower for i in tree.kids(verb, "aux")} & {"should", "must", "might", "may"}
    said = tree.lemma(verb) in data.words("verbs", "say") and (
        whom is not None or verb != clause.verb or tree.lemma(verb) != "say" or bool(about_to)
    )
    inner = next((i for i in tree.kids(verb, "ccomp") if i > verb), None) if said else None
    to_you = whom is None or tree.tokens[whom].lower in data.words("persons", "listener")
    if inner is None or not to_you or who not in data.words("persons", "self") or clause.inside("neg"):
        return None
    return embedded(tree, inner, clause.end)


def found_out(clause: Clause) -> Clause | None:
    """Return what turned out, what the speaker found out, or a diagnosis by somebody in medicine."""
    tree, data = clause.tree, language_data("en")
    inner = next((i for i in tree.kids(clause.verb, "ccomp") if i > clause.verb), None)
    if inner is None or clause.mood != "statement" or clause.inside("neg"):
        return None
    found = embedded(tree, inner, clause.end)
    if found is None or found.subject is None:
        return None
    who = tree.tokens[clause.subject].lower if clause.subject is not None else "it"
    selves = data.words("persons", "self", "group")
    of_self = tree.tokens[found.subject].lower in selves
    verb = " ".join([tree.lemma(clause.verb), *(tree.tokens[i].lower for i in tree.kids(clause.verb, "prt"))])
    if verb in data.words("verbs", "reveal"):
        return found if (verb != "know" or of_self) and who in selves | {"it"} else None
    medic = clause.subject is not None and tree.lemma(clause.subject) in data.words("care", "medics")
    told = medic and of_self and tree.lemma(clause.verb) in data.words("verbs", "say")
    return found if told and not found.lowers() & data.words("now", "doubt") else None
