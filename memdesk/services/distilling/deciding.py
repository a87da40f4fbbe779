"""Carries out the decisions of comparing: ends, confirms and asks about facts. Every change is in the history."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from memdesk.domain.comparing.comparison import compare, quote_carries
from memdesk.domain.comparing.outcomes import REASONS
from memdesk.domain.items.item import MemoryItem, type_of
from memdesk.domain.items.statement import Statement
from memdesk.domain.models import Actor, FactSource, FactStatus, new_id
from memdesk.domain.reading.judging import Verdict, said_at_of
from memdesk.ports import FactFilter, Repositories
from memdesk.services import journal
from memdesk.services.recalling import CARD_PREFIX

#: Increase of a fact's salience when it is said again.
SAID_AGAIN: Final = 0.05
#: Former facts considered to find a line's place among them.
FORMER_FACTS: Final = 500
_KINDRED: Final = frozenset({"same", "update", "reversal"})


@dataclass(frozen=True, slots=True)
class Decider:
    """Changes facts inside a transaction."""

    repos: Repositories
    now: datetime
    actor: Actor
    detail: str = ""

    def carry_out(self, verdict: Verdict, fact: MemoryItem) -> int:
        """Apply a new, already stored fact's effects on other facts; return how many cards were made."""
        targets = [found for one in verdict.targets if (found := self.repos.items.get(one.id)) is not None]
        if verdict.action in {"UPDATE", "DELETE"}:
            for old in targets:
                self.end(old, fact, verdict.reason)
            self._between(fact)
        cards = [(targets[0], verdict.reason)] if verdict.card and targets else []
        cards += [(one, REASONS["follows"]) for one in verdict.questioned]
        for old, reason in cards:
            self.ask(old, fact, reason)
        return len(cards)

    def end(self, old: MemoryItem, new: MemoryItem, reason: str) -> None:
        """End a fact where the new one begins; it stays in the history and in past states."""
        ended = replace(
            old,
            status=FactStatus.SUPERSEDED,
            valid_until=_end(old, new, self.now),
            superseded_by=new.id,
            reason=reason,
            updated_at=self.now,
        )
        self.repos.items.put(ended)
        self._log(old, ended, "supersede", reason)

    def store_readings(self, read: Mapping[str, Statement]) -> None:
        """Store the statements read from facts that had none, with the sources that support them."""
        for fact in self.repos.items.many(list(read)):
            if fact.statement is None:
                told = read[fact.id]
                kept = tuple(one for one in fact.sources if not one.quote or quote_carries(one.quote, told))
                known = replace(fact, statement=told, type=type_of(told), sources=kept)
                self.repos.items.change(known, ("statement", "type", "sources"))

    def overtaken(self, fact: MemoryItem, verdict: Verdict) -> MemoryItem | None:
        """Return a line said earlier than the remembered value, as a former value.

        None if the same turn already gave it: a continued conversation is read again.
        """
        if verdict.target is None or fact.statement is None:
            return None
        former, turns = self._former(fact, verdict.target.id), {source.turn_id for source in fact.sources}
        if any(turns & {source.turn_id for source in one.sources} and _says(one, fact) for one in former):
            return None
        later = [
            one for one in (verdict.target, *former) if said_at_of(one) > said_at_of(fact) and not _says(one, fact)
        ]
        heir = min(later, key=lambda one: (said_at_of(one), one.id))
        return replace(
            fact,
            status=FactStatus.SUPERSEDED,
            valid_until=_end(fact, heir, self.now),
            superseded_by=heir.id,
            reason=verdict.reason,
        )

    def settle_former(self, fact: MemoryItem) -> None:
        """End a former value where the next one began."""
        self._between(fact)

    def confirm(
        self, fact: MemoryItem, sources: Sequence[FactSource], said_at: datetime, salience: float, reason: str
    ) -> bool:
        """Strengthen a fact that was said again; return whether anything changed.

        A turn becomes a source of it only if its quote contains the fact's object.
        """
        known = {source.turn_id for source in fact.sources}
        fresh = tuple(source for source in sources if source.turn_id not in known)
        if not fresh and sources:
            return False
        carrying = tuple(s for s in fresh if quote_carries(s.quote, fact.statement))
        raised = replace(
            fact,
            source_count=fact.source_count + len(carrying[:1]),
            salience=round(min(1.0, max(fact.salience, salience) + SAID_AGAIN), 3),
            sources=(*fact.sources, *carrying),
            confirmed_at=max(said_at, fact.confirmed_at or said_at),
            decayed_at=self.now,
            updated_at=self.now,
        )
        self.repos.items.put(raised)
        self._log(fact, raised, "repeat", reason)
        return True

    def ask(self, old: MemoryItem, new: MemoryItem, reason: str) -> None:
        """Create a card: both are kept until the user decides."""
        ident = new_id()
        card: dict[str, Any] = {
            "id": ident,
            "agent_id": old.agent_id,
            "old": old.id,
            "new": new.id,
            "reason": reason,
            "created_at": self.now.isoformat(),
        }
        self.repos.meta.put(CARD_PREFIX + ident, card)

    def _between(self, fact: MemoryItem) -> None:
        """Shorten former values that, according to a later fact, ended earlier than known."""
        if fact.statement is None:
            return
        for one in self._former(fact, fact.superseded_by):
            begins = fact.valid_from or said_at_of(fact)
            if one.id == fact.id or _says(one, fact) or said_at_of(one) >= said_at_of(fact) or one.valid_until is None:
                continue
            if one.valid_until > begins:
                cut = replace(one, valid_until=_end(one, fact, self.now), superseded_by=fact.id, updated_at=self.now)
                self.repos.items.put(cut)
                self._log(one, cut, "supersede", cut.reason)

    def _former(self, fact: MemoryItem, heir: str | None) -> list[MemoryItem]:
        """Return former facts about the same thing, with any value, and those that led to its heir, by its id."""
        flt = FactFilter(agent_id=fact.agent_id, status=(FactStatus.SUPERSEDED,))
        found = self.repos.items.facts(flt, limit=FORMER_FACTS).items
        mine = fact.statement
        near = {one.id for one in found if one.statement is not None and mine is not None
                and compare(mine, one.statement).outcome in _KINDRED}  # fmt: skip
        line = {heir} if heir is not None else set()
        while more := {one.id for one in found if one.superseded_by in line} - line:
            line |= more
        return self.repos.items.many([one.id for one in found if one.id in near | line])

    def _log(self, old: MemoryItem, new: MemoryItem, action: str, reason: str) -> None:
        entry = journal.change(old, new, action, at=self.now, actor=self.actor, actor_detail=self.detail, reason=reason)
        self.repos.history.add([entry])


def _says(one: MemoryItem, other: MemoryItem) -> bool:
    """Whether two facts say the same."""
    if one.statement is None or other.statement is None:
        return False
    return compare(one.statement, other.statement).outcome == "same"


def _end(old: MemoryItem, new: MemoryItem, now: datetime) -> datetime:
    """Return when the old one ended: where the new one began, but never before its own start."""
    begins = new.valid_from or now
    return max(begins, old.valid_from) if old.valid_from is not None else begins
