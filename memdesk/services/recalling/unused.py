"""Demotes lines shown to replies on many days but never used.

Stores by id, per agent, on how many days a line was shown without use. One use resets the count.
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
#: Unused days before a line is demoted, the factor of each further day, and how many of them count.
PATIENCE, STEP, MOST_DAYS = 2, 0.9, 8
#: Lines counted per agent, the latest shown.
MOST_LINES = 500

#: Days on which each line was shown without use, by id.
Unused = Mapping[str, int]


def unused_in(repos: Repositories, agent_id: str) -> dict[str, int]:
    """Return on how many days each of an agent's lines was shown since its last use."""
    return {ref_id: days for ref_id, (days, _) in (repos.meta.get(UNUSED + agent_id) or {}).items()}


def note_use(repos: Repositories, receipt: Receipt, answer: str, today: date) -> bool:
    """Count, once a day, a receipt's lines that the answer did not use, and reset the others; return whether any changed.

    A line counts as used if the answer has a word of it that is not in the message.
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
    """Return rows, most likely first, slightly demoting those shown without use on many days.

    Exempt are pinned, handwritten and critical items, and those with a word or name of the question.
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
