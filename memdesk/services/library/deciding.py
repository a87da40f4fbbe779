"""What a new statement does to what is remembered: by fields if both have them, else by equal words."""

from collections.abc import Sequence

from memdesk.domain.comparing.comparison import compare
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.scoring import terms
from memdesk.domain.items.statement import Statement
from memdesk.domain.language.text import words
from memdesk.ports.library import Decision, Told


def decide(told: Told, known: Sequence[MemoryItem]) -> list[Decision]:
    """Return the decisions for one statement, given the memories nearest to it.

    A statement may end several memories and be kept itself ("I sold the boat"): then there is a DELETE for each, and an ADD
    only for what it says beyond that.
    """
    same = next((item for item in known if words(item.content) == words(told.text)), None)
    if same is not None:
        return [Decision("NONE", same.content, same, "said before in the same words")]
    if told.statement is None:
        return [Decision("ADD", told.text)]
    found: list[Decision] = []
    for item in known:
        if item.statement is None:
            continue
        comparison = compare(told.statement, item.statement)
        if comparison.outcome == "same":
            return [Decision("NONE", item.content, item, comparison.in_words())]
        if comparison.outcome == "update":
            found.append(Decision("UPDATE", told.text, item, comparison.in_words()))
        elif comparison.outcome == "reversal":
            found.append(_ending(told, item, comparison.in_words()))
        elif comparison.outcome == "unrelated" and (text := refined(told, item)):
            if text != told.text and any(one.event == "UPDATE" for one in found):
                continue  # What this memory says beyond the text would be lost.
            found.append(Decision("UPDATE", text, item, "says the same more closely"))
        elif comparison.outcome == "unrelated" and _goes_further(
            item.statement, item.content, told.statement, told.text
        ):
            return [Decision("NONE", item.content, item, "known more closely")]
    return _once(found) or [Decision("ADD", told.text)]


def refined(told: Told, item: MemoryItem) -> str:
    """Return a combined text if a statement refines a known one, else "".

    Both have the same subject, verb, modality and tense. The new one says all that the known one says, and more ("I have
    a dog", then "I have a dog and a cat"), or names something general, with another preposition ("works in tech", then
    "works at Google"). More words alone do not refine the past: they may report another event.
    """
    new, known = told.statement, item.statement
    assert new is not None
    assert known is not None
    if _goes_further(new, told.text, known, item.content):
        return told.text
    mine, theirs = new.predicate.split(), known.predicate.split()
    otherwise = mine != theirs and mine[:-1] == theirs[:-1] != []
    named = _alike(new, known) and new.holds and otherwise and _names(new.object) and not _names(known.object)
    return f"{item.content} {told.text}" if named else ""


def _alike(one: Statement, other: Statement) -> bool:
    """Whether two statements have one subject and one verb, and are meant alike."""
    meant = [(each.subject, each.modality, each.tense, each.holds, each.predicate.split()[:1]) for each in (one, other)]
    return meant[0] == meant[1] and not (one.ended or other.ended)


def _goes_further(further: Statement, longer: str, statement: Statement, text: str) -> bool:
    """Whether a statement of the present says all that another says, and more: "sushi and ramen" than "sushi"."""
    return _alike(further, statement) and further.tense != "past" and set(terms(text)) < set(terms(longer))


def _names(text: str) -> bool:
    return any(word[:1].isupper() for word in text.split())


def _ending(told: Told, item: MemoryItem, reason: str) -> Decision:
    """Return the deletion of a denied memory, or its update if the statement says what holds instead."""
    assert told.statement is not None
    if told.statement.holds and not told.statement.ended:
        return Decision("UPDATE", told.text, item, reason)
    return Decision("DELETE", "", item, reason)


def _once(found: list[Decision]) -> list[Decision]:
    """Let a new value update one memory; delete the others that it replaces."""
    kept: list[Decision] = []
    placed = False
    for decision in found:
        if decision.event == "UPDATE" and placed:
            kept.append(Decision("DELETE", "", decision.target, decision.reason))
            continue
        placed = placed or decision.event == "UPDATE"
        kept.append(decision)
    return kept
