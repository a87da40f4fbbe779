"""Ranks lines lower that replies were given on many days and never used.

Kept by id alone, for each agent: on how many days a line was shown in vain. One use resets the count.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import date
from typing import Final

from memdesk.domain.language.text import stem
from memdesk.domain.models import Receipt
from memdesk.domain.reading.care import CARE
from memdesk.domain.recalling.query import Query
from memdesk.domain.recalling.ranking import stems_of
from memdesk.ports import Repositories
from memdesk.services.recalling.scored import Scored, ranked

UNUSED: Final = "unused:"
#: Days on which a line was shown in vain before it steps back, what each further one leaves of its probability, and how many count.
PATIENCE, STEP, MOST_DAYS = 2, 0.9, 8
#: Lines counted for one agent, those shown last.
MOST_LINES = 500

#: Days on which each line was shown in vain, by its id.
Unused = Mapping[str, int]


def unused_in(repos: Repositories, agent_id: str) -> dict[str, int]:
    """Return on how many days each of an agent's lines was shown in vain since it was last used."""
    return {ref_id: days for ref_id, (days, _) in (repos.meta.get(UNUSED + agent_id) or {}).items()}


def note_use(repos: Repositories, receipt: Receipt, answer: str, today: date) -> bool:
    """Count once a day the lines of a receipt that an answer left unused, and none that it used; return whether any changed.

    A line was used where the answer holds a word of it that the message did not: what only repeats the message tells nothing.
    """
    known = dict(repos.meta.get(UNUSED + receipt.agent_id) or {})
    before = dict(known)
    asked, said = set(stems_of(receipt.query)), set(stems_of(answer))
    for item in receipt.items:
        if item.kind == "identity":
            continue
        days, last = known.pop(item.id, (0, ""))
        told = set(stems_of(item.line)) - asked
        if told and told.isdisjoint(said):
            days += last != today.isoformat()
            known[item.id] = [min(days, MOST_DAYS), today.isoformat()]
    if known == before:
        return False
    kept = list(known.items())[-MOST_LINES:]
    repos.meta.put(UNUSED + receipt.agent_id, dict(kept) or None)
    return True


def stepped_back(hits: Sequence[Scored], unused: Unused, query: Query) -> list[Scored]:
    """Return rows, most likely first, those shown in vain on many days a little less likely.

    What the user pinned or wrote, what must never be missed and what holds a word or name of the question stays as likely as it is.
    """
    if not unused:
        return list(hits)
    named = {*query.stems, *map(stem, query.names)}
    return ranked([replace(hit, score=hit.score * _share(hit, unused, named)) for hit in hits])


def _share(hit: Scored, unused: Unused, named: AbstractSet[str]) -> float:
    days = unused.get(hit.row.id, 0)
    if days <= PATIENCE or not named.isdisjoint(stems_of(hit.row.content)):
        return 1.0
    if hit.kind != "turn" and (
        hit.row.lasts or (hit.row.statement is not None and hit.row.statement.attribute in CARE)
    ):
        return 1.0
    return float(STEP ** (min(days, MOST_DAYS) - PATIENCE))
