"""What must never be missed: allergies, diets, conditions and medicines, recognized from a clause's structure.

The words are the small ontology ``[care]`` of ``resources/language/<code>.toml``: kinds of food, reactions, conditions
and drugs, with the endings of international nonproprietary names (WHO, "The use of stems in the selection of INN").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Final

from memdesk.domain.items.statement import USER, Statement
from memdesk.domain.language.data import LanguageData, language_data, stop_words
from memdesk.domain.language.text import root, unaccented
from memdesk.domain.reading.clause import Clause
from memdesk.domain.reading.standing import prefers_answers

#: The attribute of standing instructions, and all those whose statements go with every reply.
INSTRUCTION: Final = "instruction"
CARE: Final = frozenset({"allergy", "diet", "condition", "medication", INSTRUCTION})
#: A shorter word may occur at the end or beginning of another by chance: "Reis" and "Kreis".
_LEAST_END: Final = 4
_HAVING: Final = frozenset({"be", "have", "suffer", "get", "live", "develop"})
_PARTS: Final = re.compile(r"[-\s]")


def cared(clause: Clause, statement: Statement) -> Statement:
    """Return a statement with the one of :data:`CARE` that its clause gives, if any."""
    if statement.modality == "instruction" or prefers_answers(clause, statement):
        return replace(statement, attribute="instruction")
    care = care_of(clause, statement)
    return replace(statement, attribute=care) if care else statement


def care_of(clause: Clause, statement: Statement) -> str:
    """Return the one of :data:`CARE` that a clause about the user, or somebody of theirs, gives; empty if none."""
    data = language_data("en")
    tree = clause.tree
    if statement.modality == "instruction":
        return ""
    span = range(clause.begin, clause.end)
    lemmas = {word for i in span for word in _spellings(tree.lemma(i), tree.tokens[i].lower)}
    nouns = {
        word
        for i in span
        if tree.tokens[i].pos in {"NOUN", "PROPN", "ADJ"}
        for word in _spellings(tree.lemma(i), tree.tokens[i].lower)
    }
    verb = statement.predicate.split(" ")
    if not statement.about_user():
        if _harms(clause, statement, data):
            return "allergy"
        helps = _medicine_helps(clause, statement, data)
        return "medication" if helps else _advised(clause, statement, nouns, data)
    if lemmas & data.words("care", "allergic"):
        return "allergy"
    own = lemmas if statement.subject == USER else nouns  # "I start wheezing around horses"
    reacts = own & data.words("care", "reaction") or statement.predicate in data.words("care", "reaction")
    if reacts and nouns & data.words("care", "food", "danger", "drugs"):
        return "allergy"
    if _takes_drug(verb, nouns):
        return "medication"
    if lemmas & data.words("care", "diet") and verb[0] in {"be", "eat", "have", "become", "follow", "keep", "live"}:
        return "diet"
    if _refuses(clause, statement, nouns, data):
        return "diet"
    conditions = data.words("care", "condition")
    if verb[0] in conditions or (nouns & conditions and verb[0] in _HAVING):
        return "condition"  # "I panic at spiders"
    return "condition" if verb[:2] == ["be", "diagnosed"] else _advised(clause, statement, nouns, data)


def is_medicine(nouns: Iterable[str]) -> bool:
    """Return whether one of some nouns is a medicine, by its name or by an ending of such names."""
    data = language_data("en")
    return any(noun in data.words("care", "drugs") or _is_drug(noun, data) for noun in nouns)


def named_care(words: Iterable[str], code: str) -> str:
    """Return the one of :data:`CARE` that the words of a user's sentence name, without a parse."""
    data = language_data(code)
    found = {part for word in words for part in _spellings(unaccented(word.lower()))}

    def holds(name: str, *, ends: bool = False) -> bool:
        stems = [unaccented(stem) for stem in data.words("care", name)]
        return any(
            word == stem or (len(stem) > _LEAST_END and (word.startswith(stem) or (ends and word.endswith(stem))))
            for word in found
            for stem in stems
        )

    if holds("allergic", ends=True):  # "Nussallergie"
        return "allergy"
    if holds("drugs") or any(_is_drug(word, data) for word in found):
        return "medication"
    if holds("diet") or (holds("refuse") and holds("restrict") and holds("food")):
        return "diet"
    return "condition" if holds("condition") else ""


def speaks_of_food(words: Iterable[str], code: str) -> bool:
    """Return whether a message is about food, by its words and their compounds: "Was darf ich nicht essen?"."""
    said = {word for word in words if len(word) > 2}
    nouns, roots = _foods(code)
    told = {unaccented(word) for word in said - stop_words(code)}
    # "Geburtstagskuchen", "Kuhmilch"
    if any(root(word, code) in roots for word in told | (said - stop_words(code))) or any(map(nouns.search, told)):
        return True
    restrict = {unaccented(word) for word in language_data(code).words("care", "restrict")}
    return len({unaccented(word) for word in said} & restrict) > 1


@cache
def _foods(code: str) -> tuple[re.Pattern[str], frozenset[str]]:
    """Return a pattern for food at the end of a compound, and the roots of words for food and eating."""
    named = language_data(code).words("care", "food", "meals")
    ends = sorted(unaccented(word) for word in named if len(word) > _LEAST_END)
    return re.compile(rf"(?:{'|'.join(ends)})$"), frozenset(root(word, code) for word in named)


def _spellings(*words: str) -> set[str]:
    return {spelling for word in words for spelling in (word, *_PARTS.split(word))}


def _is_drug(word: str, data: LanguageData) -> bool:
    return len(word) > 6 and word.endswith(tuple(data.words("care", "drug_endings")))


def _takes_drug(verb: list[str], nouns: set[str]) -> bool:
    if verb[0] not in {"take", "inject", "use", "have", "need", "prescribe"} and verb[:2] not in (
        ["be", "on"],
        ["be", "prescribed"],
    ):
        return False
    return is_medicine(nouns)


def _harms(clause: Clause, statement: Statement, data: LanguageData) -> bool:
    """Whether a food or the like is said to endanger the speaker or somebody of theirs: "Peanuts could kill me"."""
    tree = clause.tree
    if clause.subject is None or clause.mood != "statement" or not statement.holds:
        return False
    # "Even a trace of peanuts could kill me"
    substance = any(tree.lemma(i) in data.words("care", "food", "danger") for i in tree.below(clause.subject))
    selves = data.words("persons", "self", "group")
    harmed = any(
        {tree.tokens[i].lower for i in tree.below(harm)} & selves for harm in tree.kids(clause.verb, "dobj", "ccomp")
    )
    given = tree.kid(clause.verb, "dative")  # "Strawberries give me hives"
    reacts = tree.lemma(tree.kid(clause.verb, "dobj") or clause.verb) in data.words("care", "reaction")
    harmed = harmed or (given is not None and tree.tokens[given].lower in selves and reacts)
    hurts = tree.lemma(clause.verb) in data.words("care", "harm")
    lands = any(tree.lemma(i) == "hospital" for i in range(clause.verb, clause.end))  # "Bee stings put me in hospital"
    return substance and harmed and (hurts or lands)


def _medicine_helps(clause: Clause, statement: Statement, data: LanguageData) -> bool:
    """Whether a medicine is said to have an effect, by name and dose: "Amitriptyline, 10 mg at night, helps a bit"."""
    tree = clause.tree
    if clause.subject is None or clause.mood != "statement" or statement.tense != "present":
        return False
    named = is_medicine({tree.lemma(clause.subject)})
    dosed = any(tree.tokens[i].tag == "CD" for i in tree.below(clause.subject))
    return named and dosed and tree.lemma(clause.verb) in data.words("care", "effect")


def _advised(clause: Clause, statement: Statement, nouns: set[str], data: LanguageData) -> str:
    """Return the kind of care advised by somebody in medicine: "My doctor told me to stay off salt"."""
    tree = clause.tree
    medic = clause.subject is not None and tree.lemma(clause.subject) in data.words("care", "medics")
    told = statement.predicate.split(" ")[0] in data.words("verbs", "say") | data.words("care", "advise")
    if not (medic and told and clause.lowers() & data.words("persons", "self", "group")):
        return ""
    return "diet" if nouns & data.words("care", "food") else "medication" if is_medicine(nouns) else ""


def _refuses(clause: Clause, statement: Statement, nouns: set[str], data: LanguageData) -> bool:
    """Whether a food is refused or given up, or all but one kind of it."""
    if statement.ended and nouns & data.words("care", "food"):
        return True
    if statement.predicate.split(" ")[0] not in data.words("care", "restrict"):
        return False
    limited = not statement.holds or "only" in clause.lowers()
    anything = bool(nouns & {"anything", "nothing"}) or clause.tree.lemma(clause.verb) == "eat"
    return limited and (bool(nouns & data.words("care", "food")) or anything)
