"""What a new statement does to what is remembered: by fields where both have them, else by the same words."""

from collections.abc import Sequence
from dataclasses import dataclass

from memdesk.domain.comparing.comparison import compare
from memdesk.domain.items.history import Event
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.statement import Statement
from memdesk.domain.language.text import words
from memdesk.ports.library import Told


@dataclass(frozen=True, slots=True)
class Decision:
    """What is done.

    Attributes:
        event: ADD a memory; UPDATE the target to ``text``; DELETE the target; NONE.
        reason: in words.
    """

    event: Event
    text: str
    target: MemoryItem | None = None
    reason: str = ""


def decide(told: Told, known: Sequence[MemoryItem]) -> list[Decision]:
    """Return what is done about one statement, given the memories nearest to it.

    A statement may end several memories and be kept itself ("I sold the boat"): then there is a DELETE for each that says
    no more, and an ADD only for what it says beyond that.
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
        elif comparison.outcome == "unrelated" and refines(told.statement, item.statement):
            found.append(Decision("UPDATE", f"{item.content} {told.text}", item, "says the same more closely"))
    return _once(found) or [Decision("ADD", told.text)]


def refines(new: Statement, known: Statement) -> bool:
    """Whether a statement says by name what a known one said in general: "works in tech", then "works at Google".

    Both have one subject and one verb, with another preposition each, and are meant alike; only the new one gives a name.
    """
    mine, theirs = new.predicate.split(), known.predicate.split()
    alike = (new.subject, new.modality, new.tense) == (known.subject, known.modality, known.tense)
    if not alike or not (new.holds and known.holds) or new.ended or known.ended or not mine or not theirs:
        return False
    return mine[0] == theirs[0] and mine != theirs and _names(new.object) and not _names(known.object)


def _names(text: str) -> bool:
    return any(word[:1].isupper() for word in text.split())


def _ending(told: Told, item: MemoryItem, reason: str) -> Decision:
    """A bare denial takes the memory away; one that says what is so instead takes its place."""
    assert told.statement is not None
    if told.statement.holds and not told.statement.ended:
        return Decision("UPDATE", told.text, item, reason)
    return Decision("DELETE", "", item, reason)


def _once(found: list[Decision]) -> list[Decision]:
    """Let a new value take one place: the others that it replaces go."""
    kept: list[Decision] = []
    placed = False
    for decision in found:
        if decision.event == "UPDATE" and placed:
            kept.append(Decision("DELETE", "", decision.target, decision.reason))
            continue
        placed = placed or decision.event == "UPDATE"
        kept.append(decision)
    return kept
