"""Later contradictions of a fact, while a card asks the user which of the two holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memdesk.domain.models import FactStatus
from memdesk.domain.reading.judging import said_at_of
from memdesk.domain.recalling.planner import Line, safe

if TYPE_CHECKING:
    from memdesk.ports import Repositories

#: Key prefix of review cards, which have the ids of two facts.
CARD_PREFIX: Final = "contradiction:"


def said_later(repos: Repositories, agent_id: str) -> dict[str, str]:
    """Return facts of open cards, by id, each with the text of the later one unless it is local-only."""
    cards = [card for card in repos.meta.prefix(CARD_PREFIX).values() if card["agent_id"] == agent_id]
    found = repos.items.many([card[side] for card in cards for side in ("old", "new")]) if cards else []
    facts = {fact.id: fact for fact in found if fact.status is FactStatus.ACTIVE and fact.privacy == "normal"}
    pairs = [(facts[card["old"]], facts[card["new"]]) for card in cards if {card["old"], card["new"]} <= facts.keys()]
    return {earlier.id: later.content for earlier, later in (sorted(pair, key=said_at_of) for pair in pairs)}


def marked(lines: Sequence[Line], later: Mapping[str, str]) -> list[Line]:
    """Return lines, adding a later contradiction to its fact: two values must not appear equally true."""
    return [
        replace(line, text=f"{line.text} [said later: {safe(later[line.id])}]") if line.id in later else line
        for line in lines
    ]
