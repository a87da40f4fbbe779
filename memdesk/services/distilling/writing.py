"""Stores what a distillation found, in one transaction."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time
from typing import Any, Final

from memdesk.domain.comparing.comparison import compare, quote_carries
from memdesk.domain.items.item import Digest, MemoryItem, detail, episode, type_of
from memdesk.domain.items.statement import Statement
from memdesk.domain.models import FactKind, FactSource, FactStatus, HistoryEntry, SignalStatus, new_id
from memdesk.domain.reading.candidates import Candidate
from memdesk.domain.reading.judging import Verdict
from memdesk.ports import Repositories
from memdesk.services import journal
from memdesk.services.distilling.deciding import Decider
from memdesk.services.distilling.naming import link_names
from memdesk.services.distilling.plan import Plan, PlannedFact
from memdesk.services.distilling.session import Session

#: History rows of rejected candidates contain no text.
_ACTOR: Final = "distiller"


@dataclass(slots=True)
class Written:
    """What was stored, for events and indexes."""

    episode_id: str = ""
    episode_seq: int = 0
    facts: list[str] = field(default_factory=list)
    review: list[str] = field(default_factory=list)
    fact_seqs: list[int] = field(default_factory=list)
    detail_seqs: list[int] = field(default_factory=list)
    gone_detail_seqs: list[int] = field(default_factory=list)
    cards: int = 0
    identity: bool = False


class Writer:
    """Carries out one plan inside a transaction.

    Args:
        session: what was distilled; its signals are marked done.
        model: name of the model used; empty if none.
    """

    def __init__(self, repos: Repositories, session: Session, now: datetime, model: str) -> None:
        self._repos = repos
        self._session = session
        self._now = now
        self._model = model
        self._agent_id = session.agent.id
        self._done = Written()
        self._history: list[HistoryEntry] = []
        self._decider = Decider(repos, now, _ACTOR, model)

    def store(self, plan: Plan) -> Written:
        """Store episode, facts, identity, entities, history; mark the signals done."""
        episode = self._episode(plan)
        self._decider.store_readings(plan.read_now)
        facts = [fact for planned in plan.facts if (fact := self._fact(planned, episode)) is not None]
        self._identity(plan.identity, facts)
        for line_id, line in plan.identity_again:
            self._say_identity_again(line_id, line)
        self._entities(plan, episode, facts)
        self._repos.history.add(self._history)
        self._repos.signals.mark([signal.id for signal in self._session.signals], SignalStatus.DONE)
        return self._done

    def _episode(self, plan: Plan) -> MemoryItem:
        former = next((e for e in self._session.episodes if e.status == "active"), None)
        stated = {text for planned in plan.facts if (text := _stated(planned))}
        details = tuple(
            detail(
                c.text,
                c.turn_ids,
                id=new_id(),
                at=self._now,
                kind=c.kind,
                statement=c.statement,
                provenance=c.provenance,
                salience=plan.salience,
            )
            for c in plan.details
            if c.text not in stated
        )
        digest = Digest(
            entities=tuple(name for name, _ in plan.entities),
            decisions=plan.decisions,
            action_items=plan.action_items,
            details=_keep_ids(former.session.details, details) if former else details,
            model=self._model,
            started_at=self._session.started_at,
            ended_at=self._session.ended_at,
        )
        fresh = episode(
            plan.summary,
            digest,
            id=former.id if former else new_id(),
            agent_id=self._agent_id,
            run_id=self._session.conversation.id,
            tags=plan.topics,
            salience=max(plan.salience, former.salience if former else 0.0),
            decayed_at=self._now,
            source_count=former.source_count if former else 1,
            use_count=former.use_count if former else 0,
            last_used=former.last_used if former else None,
            created_at=former.created_at if former else self._now,
            updated_at=self._now,
            seq=former.seq if former else 0,
        )
        if former:
            kept = {detail.id for detail in digest.details}
            gone = [d.seq for d in former.session.details if d.id not in kept]
            self._done.gone_detail_seqs = sorted(self._repos.embeddings.among("detail", gone))
            self._history.append(self._change(former, fresh, "update", "the conversation went on"))
        else:
            self._history.append(self._created(fresh, f"digest of {len(self._session.turns)} turns"))
        self._done.episode_id = fresh.id
        self._done.episode_seq = self._repos.items.put(fresh)
        stored = self._repos.items.episode(fresh.id)
        known = {detail.id for detail in former.session.details} if former else set()
        new = (d.seq for d in stored.session.details if d.id not in known) if stored else ()
        self._done.detail_seqs = list(new)
        return fresh

    def _fact(self, planned: PlannedFact, episode: MemoryItem) -> MemoryItem | None:
        verdict = planned.verdict
        target = self._repos.items.get(verdict.target.id) if verdict.target else None
        if planned.status == "active" and verdict.action == "NONE" and target is not None:
            self._say_again(target, planned, episode)
            return target
        fact = self._new_fact(planned, episode)
        if planned.status == "active" and verdict.action == "FORMER":
            self._put_former(fact, verdict)
            return None
        seq = self._repos.items.put(fact)
        self._history.append(self._created(fact, verdict.reason))
        if fact.status is not FactStatus.ACTIVE:
            self._done.review.append(fact.id)
            return None
        self._done.facts.append(fact.id)
        self._done.fact_seqs.append(seq)
        if fact.provenance == "user":
            self._end_former_identity(fact.statement, None)
        self._done.cards += self._decider.carry_out(verdict, fact)
        return fact

    def _put_former(self, fact: MemoryItem, verdict: Verdict) -> None:
        """Store a value that was already superseded when it was read, unless the same turn already gave it."""
        former = self._decider.overtaken(fact, verdict)
        if former is None:
            return
        self._repos.items.put(former)
        self._history.append(self._created(former, verdict.reason))
        for older in self._repos.items.many([one.id for one in verdict.others]):
            self._decider.end(older, former, verdict.reason)
        self._decider.settle_former(former)

    def _new_fact(self, planned: PlannedFact, episode: MemoryItem) -> MemoryItem:
        line = planned.candidate
        said = (line.statement.said_at if line.statement is not None else None) or self._session.ended_at
        start = _moment(line.day, said) if line.day else said
        return MemoryItem(
            id=new_id(),
            agent_id=self._agent_id,
            content=line.text,
            kind=line.kind,
            tags=planned.tags,
            salience=round(planned.salience, 3),
            confidence=line.confidence,
            status=FactStatus(planned.status),
            origin=_ACTOR,
            provenance=line.provenance,
            valid_from=min(start, said),
            reason=planned.reason,
            sources=_sources(line),
            run_id=self._session.conversation.id,
            parent_id=episode.id,
            type=type_of(line.statement),
            statement=line.statement,
            created_at=self._now,
            updated_at=self._now,
        )

    def _say_again(self, fact: MemoryItem, planned: PlannedFact, episode: MemoryItem) -> None:
        """Strengthen a known fact, unless by the very same turns; other words for it are merged into it."""
        line = planned.candidate
        said_at = (line.statement.said_at if line.statement is not None else None) or self._session.ended_at
        sources = _sources(line)
        if sources and not any(quote_carries(source.quote, fact.statement) for source in sources):
            turns = {source.turn_id for source in sources}
            merged = self._repos.items.absorbed([fact.id])
            if any(not turns.isdisjoint(source.turn_id for source in one.sources) for one in merged):
                return
            reason = planned.verdict.reason
            new = self._new_fact(planned, episode)
            new = replace(new, status=FactStatus.MERGED, superseded_by=fact.id, reason=reason)
            self._repos.items.put(new)
            self._history.append(self._created(new, reason))
        if self._decider.confirm(fact, sources, said_at, planned.salience, planned.verdict.reason):
            self._done.facts.append(fact.id)

    def _identity(self, lines: Sequence[Candidate], facts: Sequence[MemoryItem]) -> None:
        known = {line.content for line in self._repos.items.lines(include_inactive=True)}
        stored = {fact.content: fact for fact in facts}
        for line in lines:
            for text in apart(line.text, line.speaker):
                if text not in known:
                    known.add(text)
                    if text in stored:
                        self._with_every_reply(stored[text])
                    else:
                        self._identity_line(text, line)

    def _with_every_reply(self, fact: MemoryItem) -> None:
        """Show a fact with every reply, instead of storing the sentence twice."""
        self._repos.items.change(replace(fact, tier="always"), ("tier",))
        self._end_former_identity(fact.statement, fact.id)
        self._done.identity = True

    def _say_identity_again(self, line_id: str, line: Candidate) -> None:
        """Add turns that repeat a known line, so that it survives forgetting the first ones."""
        known = self._repos.items.get(line_id)
        if known is None or known.is_fact:
            return  # a fact is confirmed as a fact, and another agent's rests on that agent's conversations
        new = tuple(source for source in _sources(line) if source not in known.sources)
        if new:
            self._repos.items.put(replace(known, sources=(*known.sources, *new), updated_at=self._now))

    def _identity_line(self, text: str, line: Candidate) -> None:
        row = MemoryItem(
            id=new_id(),
            tier="always",
            kind=FactKind.IDENTITY,
            salience=1.0,
            content=text,
            statement=line.statement if text == line.text else _piece_of(line.statement, text, line.speaker),
            origin=_ACTOR,
            source_agent_id=self._agent_id,
            run_id=self._session.conversation.id,
            sources=_sources(line),
            created_at=self._now,
            updated_at=self._now,
        )
        self._repos.items.put(row)
        self._end_former_identity(row.statement, row.id)
        self._history.append(self._created(row, "the user said so of themselves"))
        self._done.identity = True

    def _end_former_identity(self, statement: Statement | None, successor: str | None) -> None:
        """End distilled lines superseded by another value or the end of a state, except where agents keep theirs."""
        keeping = {agent.id for agent in self._repos.agents.all() if not agent.shares_identity}
        for old in self._repos.items.lines():
            owner = old.agent_id or old.source_agent_id
            if owner != self._agent_id and keeping & {owner, self._agent_id}:
                continue
            if old.origin == "user" or old.id == successor or statement is None or old.statement is None:
                continue
            if old.agent_id == self._agent_id:
                continue  # it ends as a fact
            change = compare(statement, old.statement)
            if change.outcome not in {"update", "reversal"} or change.open or _is_later(old.statement, statement):
                continue
            if old.is_fact:
                # Another agent's belief stays, but is no longer identity.
                pinned = replace(old, tier="pinned", updated_at=self._now)
                self._repos.items.change(pinned, ("tier", "updated_at"))
                self._history.append(self._change(old, pinned, "edit", change.in_words()))
            else:
                ended = replace(old, status=FactStatus.SUPERSEDED, superseded_by=successor, updated_at=self._now)
                self._repos.items.put(ended)
                self._history.append(self._change(old, ended, "supersede", change.in_words()))
            self._done.identity = True

    def _entities(self, plan: Plan, episode: MemoryItem, facts: Sequence[MemoryItem]) -> None:
        again = any(one.id == episode.id for one in self._session.episodes)
        guessed = dict(plan.entities)
        link_names(self._repos, self._agent_id, facts, self._now, guessed=guessed, episode_id=episode.id, again=again)

    def _created(self, row: MemoryItem, reason: str) -> HistoryEntry:
        return journal.created(row, actor=_ACTOR, actor_detail=self._model, reason=reason)

    def _change(self, old: Any, new: Any, action: str, reason: str) -> HistoryEntry:
        return journal.change(old, new, action, at=self._now, actor=_ACTOR, actor_detail=self._model, reason=reason)


def _piece_of(statement: Statement | None, text: str, who: str) -> Statement | None:
    """Return the statement of one part of a split line."""
    piece = re.match(rf"^{re.escape(who)} (?:is|has) ([^,;]+)\.$", text, re.IGNORECASE)
    return replace(statement, object=piece[1], attribute="") if statement is not None and piece else None


def _is_later(statement: Statement, other: Statement) -> bool:
    return statement.said_at is not None and other.said_at is not None and statement.said_at > other.said_at


def apart(text: str, who: str = "the user") -> list[str]:
    """Split an identity line about ``who`` with two statements, so that one can end without the other."""
    if text.endswith(("\u201c", "\u201d", "\u00bb")):  # somebody's own words
        german = _TWO_GERMAN.match(text)
        return [f"{german[1]}{german[2]}.\u201c", f"{german[1]}[Ich] {german[3]}\u201c"] if german else [text]
    name = re.escape(who)
    lines = [part.rstrip(".") + "." for part in re.split(rf",? and (?={name}\b)|, (?={name}\b)", text)]
    if len(lines) > 1 and not all(_stands_alone(line, name) for line in lines):
        lines = [text]
    found: list[str] = []
    for line in lines:
        found += _two_things(line[0].upper() + line[1:], name)
    return found


#: Verbs of clauses about somebody's relative or thing.
_VERBS: Final = r"(?:is|are|was|were|isn't|aren't|has|have|had|does|doesn't|can|can't|will|won't|lives?|works?|loves?|likes?|speaks?|plays?|hates?|owns?)"
#: What a second object of the same verb does not begin with: "is allergic to penicillin and to latex".
_LEANING: Final = r"(?!(?:to|for|in|with|at|from|of|on|by|not|then|also|now|so|the user|\w+ly)\b)"


#: "Ich arbeite bei der Bank und bin Raucherin": the second part gets the subject back, in square brackets.
_TWO_GERMAN: Final = re.compile(
    r"^(.{1,60} hat gesagt: \u201e)([Ii]ch (?:(?! und )[^,.;:\u201c])+) und ((?:bin|habe|arbeite|wohne|lebe|esse|trinke|spreche|hei\u00dfe|komme|mag|vertrage|studiere)\b"
    r"(?:(?! und )[^,;:\u201c])+)\u201c$"
)


def _stands_alone(line: str, name: str) -> bool:
    """Whether a part of a line is a sentence about ``name``: not "Ada" of "Ada and the user live in Vienna"."""
    own = rf"^{name} (?!(?:and|or)\b)[a-z']+\b.*\w"
    return re.match(rf"{own}|^{name}'s [\w' -]+? {_VERBS} ", line, re.IGNORECASE) is not None


def _two_things(sentence: str, name: str) -> list[str]:
    """Split "is vegetarian and allergic to peanuts"."""
    match = re.match(
        rf"^({name} (?:is|has)) ([^,.;]+?),? and (?!{name}\b){_LEANING}([^,.;]+)\.$", sentence, re.IGNORECASE
    )
    if match is None:
        return [sentence]
    lead, one, two = match.groups()
    if re.match(rf"{_VERBS}\b", two, re.IGNORECASE):
        return [f"{lead} {one}.", f"{lead.rpartition(' ')[0]} {two}."]
    if re.search(r"\b(?:to|of|in|at|with|from|for|by|between|after)\b", one):
        return [sentence]  # "allergic to peanuts and latex"
    return [f"{lead} {one}.", f"{lead} {two}."]


def _stated(planned: PlannedFact) -> str:
    """Return the sentence that is, or becomes, a fact, and is therefore not kept as a detail."""
    target = planned.verdict.target
    if planned.status != "active":
        return ""
    if planned.verdict.action == "NONE" and target is not None:
        return target.content
    return planned.candidate.text


def _keep_ids(former: Sequence[MemoryItem], fresh: Sequence[MemoryItem]) -> tuple[MemoryItem, ...]:
    """Let details that still say the same keep their id, and with it their vector and links."""
    known = {(one.content, one.turn_ids): one for one in former}
    return tuple(known.get((one.content, one.turn_ids), one) for one in fresh)


def _moment(day: Any, fallback: datetime) -> datetime:
    zone = fallback.tzinfo or UTC
    return datetime.combine(day, time.min, tzinfo=zone)


def _sources(line: Candidate) -> tuple[FactSource, ...]:
    quotes = (*line.quotes, *([""] * len(line.turn_ids)))
    return tuple(
        FactSource(turn_id=turn_id, quote=quote) for turn_id, quote in zip(line.turn_ids, quotes, strict=False)
    )
