"""The review inbox: uncertain candidates, quarantined ones, and apparent contradictions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from attrs import Factory, define

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import FactStatus, Page, Provenance, new_id
from memdesk.errors import BadRequestError, ConflictError, NotFoundError
from memdesk.messages import say
from memdesk.ports import Clock, FactFilter, Repositories, Store
from memdesk.ports.seams import Indexing
from memdesk.services import journal
from memdesk.services.distilling import PREFIX, LineReader, Rule, load_rules, rename, rule_from, save_rule
from memdesk.services.events import EventBus, MemoryChanged
from memdesk.services.recalling import CARD_PREFIX
from memdesk.services.remembering.announcing import announce
from memdesk.services.remembering.changing import check_text

Keep = Literal["old", "new", "both"]
WAITING: Final = (FactStatus.REVIEW, FactStatus.QUARANTINED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewItem:
    """A candidate pending review.

    Attributes:
        fact: the candidate; its status is ``review`` or ``quarantined``, its reason says why.
        quotes: ``(turn id, sentence)`` that support it.
        provenance: whose words they are.
    """

    fact: MemoryItem
    quotes: tuple[tuple[str, str], ...]
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionCard:
    """Two apparently contradictory facts; both stay active until the user decides."""

    id: str
    agent_id: str
    old: MemoryItem
    new: MemoryItem
    reason: str
    created_at: str


@define(kw_only=True, eq=False, repr=False, slots=False)
class ReviewService:
    """Lets the user accept, edit or reject candidates, and settle contradictions."""

    _store: Store
    _clock: Clock
    _events: EventBus
    _indexing: Indexing | None = None
    _lines: LineReader = Factory(lambda: LineReader(None))

    def items(self, agent_id: str | None = None, limit: int = 50, cursor: str | None = None) -> Page[ReviewItem]:
        """Return pending candidates, newest first, with evidence."""
        flt = FactFilter(agent_id=agent_id, status=WAITING, sort="created")
        with self._store.read() as repos:
            page = repos.items.facts(flt, limit=limit, cursor=cursor)
            facts = {fact.id: fact for fact in repos.items.many([fact.id for fact in page.items])}
        items = [_item(facts.get(fact.id, fact)) for fact in page.items]
        return Page(items, page.total, page.next)

    def accept(self, fact_id: str, content: str | None = None) -> MemoryItem:
        """Make a candidate an active fact, in its own wording or the user's.

        Raises:
            NotFoundError: it is gone.
            ConflictError: it is no longer pending.
        """
        words = check_text(content, "A fact") if content is not None else None
        told = self._lines.read([(words, self._clock.local(self._clock.now()))])[0] if words is not None else None

        def work(repos: Repositories) -> tuple[MemoryItem, int]:
            fact = _waiting(repos, fact_id)
            edited = words is not None and words != fact.content
            accepted = replace(
                fact,
                content=words or fact.content,
                statement=told if edited else fact.statement,
                status=FactStatus.ACTIVE,
                confidence=1.0,
                salience=max(fact.salience, 0.5),
                provenance="user" if edited else fact.provenance,
                reason="",
                updated_at=self._clock.now(),
            )
            seq = repos.items.put(accepted)
            rename(repos, [(fact, accepted)], accepted.updated_at)
            entry = journal.change(
                fact, accepted, "accept", at=accepted.updated_at, actor="user", reason=say("accepted in review")
            )
            repos.history.add([entry])
            return accepted, seq

        fact, seq = self._store.write(work)
        announce(self._events, self._indexing, [replace(fact, seq=seq)])
        return fact

    def reject(self, fact_id: str, never_again: bool = False) -> Rule | None:
        """Delete a candidate; with ``never_again`` learn a rule from it and return that.

        Raises:
            NotFoundError: it is gone.
            ConflictError: it is no longer pending.
        """

        def work(repos: Repositories) -> tuple[MemoryItem, Rule | None]:
            fact = _waiting(repos, fact_id)
            rule = None
            if never_again:
                speaker = fact.content.partition(" ")[0]
                rule = rule_from(new_id(), fact.agent_id, fact.kind, fact.content, speaker, self._clock.now())
                save_rule(repos, rule)
            repos.items.delete([fact.id])
            repos.history.scrub("fact", [fact.id])
            entry = journal.record(fact, "reject", at=self._clock.now(), actor="user", reason=say("rejected in review"))
            repos.history.add([entry])
            return fact, rule

        fact, rule = self._store.write(work)
        self._events.publish(MemoryChanged(fact.agent_id, ("fact",)))
        return rule

    def rules(self) -> list[Rule]:
        """Return what is never stored, oldest first."""
        with self._store.read() as repos:
            return load_rules(repos)

    def remove_rule(self, rule_id: str) -> None:
        """Allow such statements again. Raises ``NotFoundError``."""

        def work(repos: Repositories) -> None:
            if repos.meta.get(PREFIX + rule_id) is None:
                raise NotFoundError(say("There is no such rule any more."))
            repos.meta.put(PREFIX + rule_id, None)

        self._store.write(work)

    def contradictions(self, agent_id: str | None = None) -> list[ContradictionCard]:
        """Return open cards, oldest first; without those whose facts are gone or already settled."""
        with self._store.read() as repos:
            raw = [card for card in repos.meta.prefix(CARD_PREFIX).values() if agent_id in {None, card["agent_id"]}]
            ids = [card[side] for card in raw for side in ("old", "new")]
            facts = {fact.id: fact for fact in repos.items.many(ids) if fact.status is FactStatus.ACTIVE}
        cards = [
            ContradictionCard(
                id=card["id"],
                agent_id=card["agent_id"],
                old=facts[card["old"]],
                new=facts[card["new"]],
                reason=card["reason"],
                created_at=card["created_at"],
            )
            for card in raw
            if card["old"] in facts and card["new"] in facts
        ]
        return sorted(cards, key=lambda card: (card.created_at, card.id))

    def resolve_contradiction(self, card_id: str, keep: Keep) -> tuple[str, ...]:
        """Settle a card: facts not kept are superseded (none for ``both``); return the ids that stay active.

        Raises:
            NotFoundError: the card or one of its facts is gone.
            BadRequestError: ``keep`` is none of the three words.
        """
        if keep not in {"old", "new", "both"}:
            raise BadRequestError(say("Keep the old fact, the new one, or both."))

        def work(repos: Repositories) -> tuple[str, tuple[str, ...]]:
            card = repos.meta.get(CARD_PREFIX + card_id)
            if card is None:
                raise NotFoundError(say("This contradiction is settled already."))
            repos.meta.put(CARD_PREFIX + card_id, None)
            if keep != "both":
                self._supersede(repos, card["new" if keep == "old" else "old"], card[keep])
            return str(card["agent_id"]), (card["old"], card["new"]) if keep == "both" else (card[keep],)

        agent_id, kept = self._store.write(work)
        self._events.publish(MemoryChanged(agent_id, ("fact",)))
        return kept

    def _supersede(self, repos: Repositories, loser_id: str, winner_id: str) -> None:
        loser, winner = repos.items.get(loser_id), repos.items.get(winner_id)
        if loser is None or winner is None:
            raise NotFoundError(say("One of the two facts is gone."))
        now = self._clock.now()
        ended = replace(
            loser,
            status=FactStatus.SUPERSEDED,
            superseded_by=winner.id,
            valid_until=max(now, loser.valid_from or now),
            reason=say("the user kept the other of two opposed facts"),
            updated_at=now,
        )
        repos.items.put(ended)
        repos.history.add([journal.change(loser, ended, "supersede", at=now, actor="user", reason=ended.reason)])


def _waiting(repos: Repositories, fact_id: str) -> MemoryItem:
    fact = repos.items.get(fact_id)
    if fact is None:
        raise NotFoundError(say("This candidate is gone."))
    if fact.status not in WAITING:
        raise ConflictError(say("This fact does not wait for review any more."))
    return fact


def _item(fact: MemoryItem) -> ReviewItem:
    quotes: Sequence[tuple[str, str]] = [(source.turn_id, source.quote) for source in fact.sources]
    return ReviewItem(fact=fact, quotes=tuple(quotes), provenance=fact.provenance)
