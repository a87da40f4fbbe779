"""What restricts a statement: when, where, with whom, how and how much."""

from __future__ import annotations

from datetime import date
from typing import Final

from memdesk.domain.items.statement import Qualifiers
from memdesk.domain.language.data import language_data
from memdesk.domain.language.dates import find_dates
from memdesk.domain.language.numbers import digits
from memdesk.domain.language.timex import find_periods
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.clause import Clause
from memdesk.domain.reading.objects import TIMES, is_time, month_of
from memdesk.domain.reading.predicates import PLACES, changes, particle, tense_of, verb_words
from memdesk.domain.reading.subjects import Naming

#: How often something is done.
_FREQUENCY: Final = frozenset({"once", "twice", "times", "daily", "weekly", "monthly", "yearly", "nightly"})


def qualifiers_of(
    clause: Clause, verb: int, head: int | None, via: int | None, naming: Naming, day: date
) -> Qualifiers:
    """Return the qualifiers of a statement.

    Args:
        clause: what was said.
        verb: the main one by meaning.
        head: of its object.
        via: the preposition to the object.
        naming: resolves who is who.
        day: when it was said.
    """
    tree = clause.tree
    said: dict[str, list[str]] = {"time": [], "place": [], "company": [], "manner": [], "amount": []}
    for spot in _spots(clause, verb, head):
        if spot in {via, head} or (via is not None and spot == tree.tokens[via].head != verb):
            continue
        noun = tree.kid(spot, "pobj", "pcomp")
        said[_sort(clause, spot, noun)].append(_spoken(clause, spot, noun, naming))
    made, beside = _become(tree, verb, head, clause.end), _beside_subject(clause, naming)
    said["company"] += [beside] if beside else []
    said["manner"] += [f"as {tree.tokens[made].text}"] if made is not None else []
    begins, ends = _period(clause, verb, day)
    return Qualifiers(
        time=", ".join(_absolute(text, day) for text in said["time"]),
        begins=begins,
        ends=ends,
        place=", ".join(said["place"]),
        company=", ".join(said["company"]),
        manner=", ".join(said["manner"]),
        amount=_amount(tree, head) or ", ".join(said["amount"]),
    )


def leads_to_day(clause: Clause, verb: int) -> bool:
    """Return whether something leads to a day: "moved me to the 17th"."""
    tree = clause.tree
    preps = (i for i in tree.kids(verb, "prep") if tree.tokens[i].lower in {"to", "until", "till"})
    return any(is_time(clause, i) for i in preps)


def _spots(clause: Clause, verb: int, head: int | None) -> list[int]:
    """Return the heads of a clause's qualifiers."""
    tree = clause.tree
    spots = [*tree.kids(verb, "prep", "npadvmod"), *_nested(clause, head), *_loose(clause, verb)]
    spots += [i for i in tree.kids(clause.verb, "prep", "npadvmod") if i not in spots]
    given = [
        i
        for i in tree.kids(verb, "dative")
        if (to := tree.kid(i, "pobj")) is not None and tree.tokens[to].pos == "PROPN"
    ]
    spots += given  # "lent my drill to Ada"
    spots = [i for i in spots if clause.begin <= i < clause.end]
    if head is not None and tree.tokens[head].dep == "xcomp":
        spots += [i for i in tree.kids(head, "prep", "npadvmod") if i < clause.end]  # "go climbing with Ines"
    return spots


def _nested(clause: Clause, head: int | None) -> list[int]:
    """Return the times attached to the object, and everything attached to it if it is a day."""
    if head is None or clause.tree.tokens[head].dep in {"xcomp", "ccomp"}:
        return []
    day = month_of(clause.tree, head)
    return [i for i in clause.tree.kids(head, "prep") if i != day and (day is not None or is_time(clause, i))]


def _loose(clause: Clause, verb: int) -> list[int]:
    """Return qualifiers attached to a verb by other relations: after a particle, and frequencies."""
    tree, prt = clause.tree, particle(clause, verb)
    told = [i for i in tree.kids(verb, "prt") if i != prt and tree.kid(i, "pobj", "pcomp") is not None]
    told += tree.kids(prt, "prep") if prt is not None else []
    return told + [i for i in tree.kids(verb, "advmod") if tree.tokens[i].lower in _FREQUENCY]


def _sort(clause: Clause, spot: int, noun: int | None) -> str:
    tree = clause.tree
    if any(tree.tokens[i].lower in _FREQUENCY for i in tree.below(spot)):
        return "amount"
    if is_time(clause, spot):
        return "time"
    low = tree.tokens[spot].lower
    if noun is not None and low == "with":
        named = any(tree.tokens[i].pos == "PROPN" for i in tree.kids(noun, "appos", "conj"))
        person = tree.tokens[noun].entity == "person" or tree.kid(noun, "poss") is not None
        return "company" if person or named or tree.tokens[noun].pos in {"PROPN", "PRON"} else "manner"
    return "place" if noun is not None and low in PLACES else "manner"


def _spoken(clause: Clause, spot: int, noun: int | None, naming: Naming) -> str:
    tree = clause.tree
    if noun is not None and tree.tokens[spot].lower == "with":
        return naming.name(tree, noun).name or tree.phrase(noun)
    return tree.words(i for i in tree.below(spot) if clause.begin <= i < clause.end).strip(" ,.;!")


def _beside_subject(clause: Clause, naming: Naming) -> str:
    """Return who acts together with the subject: "Marek" of "Marek and I got married"."""
    subject, tokens = clause.subject, clause.tree.tokens
    joined = clause.tree.kids(subject, "conj") if subject is not None else []
    if subject is not None and any(tokens[i].lower == "i" for i in joined):
        return naming.name(clause.tree, subject).name
    named = next((i for i in joined if tokens[i].pos == "PROPN"), None)  # "Olga and Piotr got married"
    return naming.name(clause.tree, named).name if named is not None else ""


def _become(tree: Tree, verb: int, head: int | None, end: int) -> int | None:
    """Return what the object became: "dyed my hair red"."""
    become = (i for i in tree.kids(verb, "oprd", "dobj") if head is not None and head < i < end)
    return next((i for i in become if tree.tokens[i].pos == "ADJ"), None)


def _absolute(text: str, day: date) -> str:
    found = text
    for span in reversed(find_dates(text, day)):
        found = found[: span.start] + span.words + found[span.end :]
    return found


def _period(clause: Clause, verb: int, day: date) -> tuple[date | None, date | None]:
    moved = changes(verb_words(clause, verb)) and leads_to_day(clause, verb)
    over = tense_of(clause) == "past" or "VBN" in clause.tags() or "since" in clause.lowers()
    # "we're flying in March", "moved it to May"
    periods = find_periods(clause.text(), day, ahead=moved or not over)
    return (periods[0].start, periods[0].end) if len(periods) == 1 else (None, None)


def _amount(tree: Tree, head: int | None) -> str:
    if head is None or tree.tokens[head].entity in TIMES:
        return ""
    token, number = tree.tokens[head], tree.kid(head, "nummod")
    if number is None and token.pos == "NUM":
        return digits(tree.words(i for i in tree.below(head, tree.kids(head, "prep", "conj", "cc"))))
    if number is None or tree.tells_apart(number):
        return ""
    figure = digits(tree.words(tree.below(number)))
    measured = (
        token.pos == "NOUN" and token.dep != "attr" and tree.lemma(head) in language_data("en").words("now", "units")
    )
    return f"{figure} {token.text}".strip() if measured else figure
