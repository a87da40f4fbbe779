"""Plans what to store from a reading and a model's digest, verifying each line. Writes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from attrs import define

from memdesk.domain.comparing.comparison import compare, quote_carries
from memdesk.domain.comparing.outcomes import AGAIN, REASONS
from memdesk.domain.comparing.relations import claim_of
from memdesk.domain.comparing.succession import ENDS
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.statement import USER as USER_SUBJECT
from memdesk.domain.items.statement import Statement
from memdesk.domain.language.text import one_line, sentences, stems
from memdesk.domain.models import FactKind
from memdesk.domain.reading import grounding
from memdesk.domain.reading.candidates import Candidate, SourceTurn
from memdesk.domain.reading.care import CARE
from memdesk.domain.reading.digest import Choice, Digest
from memdesk.domain.reading.injection import order_in
from memdesk.domain.reading.judging import (
    LIKELY,
    NEW,
    PERHAPS,
    Judgment,
    Pair,
    Verdict,
    about_the_same,
    in_its_place,
    judge,
    likely_verdict,
    overturns,
    protected,
    settle,
)
from memdesk.domain.reading.selection import MAX_FACT_CHARS, may_be_pinned, may_change_a_fact
from memdesk.messages import say
from memdesk.services.distilling.lines import LineReader
from memdesk.services.distilling.neighbors import Neighbors
from memdesk.services.distilling.rules import Rule, suppressed
from memdesk.services.distilling.session import USER, Reading, in_order
from memdesk.services.distilling.stated import Hearing, best_sentence
from memdesk.services.distilling.succeeding import Successor
from memdesk.services.distilling.summary import named, salience_of, summarize, topics_of

#: Below this confidence a candidate waits in the review inbox.
REVIEW_BELOW: Final = 0.6
#: Maximum identity lines added by one session.
MAX_IDENTITY: Final = 3
#: Maximum suspected prompt injections of one session shown to the user.
MAX_SUSPECTS: Final = 3
#: Increase of a line's salience for pinning if a weak model picked it.
PICKED: Final = 0.1


#: A line to pin with its salience and tags; a pair with the model's decision on it.
Wanted = tuple[Candidate, float, tuple[str, ...]]
Judged = tuple[Pair, Judgment]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFact:
    """A fact to store, with its effects on existing ones.

    ``status`` is ``active``, ``review`` or ``quarantined``; ``reason`` says why, worded for the user.
    """

    candidate: Candidate
    salience: float
    tags: tuple[str, ...]
    verdict: Verdict
    status: str
    reason: str


@dataclass(slots=True, kw_only=True)
class Plan:
    """What a distillation will store."""

    summary: str
    topics: tuple[str, ...]
    decisions: tuple[str, ...]
    action_items: tuple[str, ...]
    salience: float
    details: list[Candidate]
    entities: list[tuple[str, str]]
    #: durable statements of the user, whether or not in the episode.
    lasting: list[Candidate] = field(default_factory=list)
    facts: list[PlannedFact] = field(default_factory=list)
    identity: list[Candidate] = field(default_factory=list)
    #: ids of distilled identity lines said again, with the new lines.
    identity_again: list[tuple[str, Candidate]] = field(default_factory=list)
    #: statements just read from facts that had none, by id.
    read_now: dict[str, Statement] = field(default_factory=dict)
    rejected: int = 0
    rejections: list[str] = field(default_factory=list)


@define(eq=False)
class Verifier:
    """Checks every line before it is stored: grounded, new, not contradictory, no prompt injection, not unwanted.

    Args:
        successor: scores lines against facts.
        neighbors: returns the facts that a line may repeat, update or contradict, with statements.
        identity: the lines that are always shown, with statements.
        rules: what the user never wants stored.
        lines: parses what a model wrote.
    """

    _successor: Successor
    _neighbors: Neighbors
    _identity: Sequence[MemoryItem]
    _rules: Sequence[Rule]
    _lines: LineReader

    def plan(
        self,
        reading: Reading,
        *,
        choice: Choice | None = None,
        digest: Digest | None = None,
        pairs: Sequence[Pair] = (),
    ) -> Plan:
        """Make a plan of the extractor's lines with a weak model's choice, a strong model's digest, or neither.

        ``pairs`` are those that the digest's judgments refer to.
        """
        plan = self._plain(reading, choice)
        wanted = self._pinned(plan, [reading.details[i] for i in choice.pinned] if choice else [])
        if digest is not None:
            wanted = _joined(wanted, self._take_digest(plan, reading, digest))
        judged = [(pairs[j.pair], j) for j in digest.judgments] if digest else []
        wanted = _with_judged(wanted, judged)
        for line, salience, tags in wanted:
            one = self._judge(self._placed(dated(line, reading)), salience, tags, judged, reading)
            again = next(
                (n for n, each in enumerate(plan.facts) if one and about_the_same(one.candidate, each.candidate)), -1
            )
            if one is None:
                plan.rejected += 1
            elif again >= 0:
                plan.facts[again] = _twice(plan.facts[again], one)
            else:
                plan.facts.append(one)
        plan.facts = _beside_odds(plan.facts)
        plan.facts += [self._quarantine(suspect) for suspect in reading.suspects[:MAX_SUSPECTS]]
        plan.identity_again = [
            (known.id, line)
            for line in plan.identity
            for known in self._identity
            if known.origin != "user" and _says_again(line, known)
        ]
        new = [line for line in plan.identity if self._may_be_identity(line, (*plan.lasting, *plan.details))]
        # Critical lines go with every reply, however many there are.
        plan.identity = [line for line in new if is_care(line)] + [line for line in new if not is_care(line)][
            :MAX_IDENTITY
        ]
        return plan

    def _plain(self, reading: Reading, choice: Choice | None) -> Plan:
        checked = [line for line in reading.details if self._grounded(line, reading.sources)]
        allowed = self._allowed(checked, reading)
        lasting = [line for line in reading.extraction.candidates if line.lasts and not line.order]
        lasting = self._allowed([line for line in lasting if self._grounded(line, reading.sources)], reading)
        ordered = in_order(allowed, reading.sources)
        picked = [reading.details[i] for i in choice.summary if i < len(reading.details)] if choice else []
        plan = Plan(
            summary=summarize([line for line in picked if line in allowed], allowed, reading),
            topics=reading.extraction.topics[:3],
            decisions=tuple(line.text for line in ordered if line.kind is FactKind.DECISION)[:5],
            action_items=tuple(line.text for line in ordered if _is_action(line))[:5],
            salience=salience_of(allowed),
            details=ordered,
            entities=named(reading, allowed),
            rejected=len(reading.details) - len(checked),
            lasting=lasting,
        )
        plan.identity = [line for line in dict.fromkeys((*lasting, *allowed)) if is_identity(line)]
        return plan

    def _allowed(self, lines: Sequence[Candidate], reading: Reading) -> list[Candidate]:
        """Return the lines allowed by the user's rules."""
        agent_id = reading.session.agent.id
        return [line for line in lines if suppressed(self._rules, line.kind, line.text, agent_id) is None]

    def _pinned(self, plan: Plan, picks: Sequence[Candidate]) -> list[Wanted]:
        """Return every durable line, most important first, a model's picks before equals."""
        changing = [line for line in plan.details if self.concerns_a_fact(line, proven=True)]  # of any kind
        lasting = [*plan.lasting, *(line for line in plan.details if may_be_pinned(line) or line in changing)]
        durable = list({line.text: line for line in reversed(lasting)}.values())
        ranked = sorted(
            durable, key=lambda line: (line not in changing, -line.salience - PICKED * (line in picks), -line.score)
        )
        lines = list(dict.fromkeys(_corrected(line, lasting) for line in ranked))
        documents = [line for line in plan.details if line.provenance == "document"]
        return [(line, line.salience, topics_of(line, plan.topics)) for line in (*lines, *documents)]

    def _placed(self, line: Candidate) -> Candidate:
        """Return a line that names what it replaces, with the attribute of the replaced value."""
        if line.statement is None or line.statement.attribute or claim_of(line.statement).replaces is None:
            return line
        known = (*self._neighbors(line.text, line.statement), *self._neighbors.former())
        return replace(line, statement=in_its_place(line.statement, known))

    def concerns_a_fact(self, line: Candidate, *, proven: bool = False) -> bool:
        """Return whether a line provably ends or replaces a fact, or the user must be asked about it."""
        if not may_change_a_fact(line) or line.statement is None or line.statement.said_at is None:
            return False
        known = self._neighbors(line.text, line.statement)
        verdict = self._compared(line, line.statement, known, line.statement.said_at)
        return verdict.action in {"UPDATE", "DELETE"} or (verdict.card and not proven)

    def _compared(
        self, line: Candidate, statement: Statement | None, known: Sequence[MemoryItem], said_at: datetime
    ) -> Verdict:
        """Return what fields prove, else what is likely; with further facts that have a former value.

        A line told only after its successor still ends what was so before it.
        """
        verdict = self._decided(line, statement, known, said_at)
        if verdict.action not in {"UPDATE", "FORMER"}:
            return verdict
        rest = [one for one in known if one not in verdict.targets]
        more = self._successor.outdated(line, rest, said_at)
        likely = self._successor.likeliest(line, rest, said_at) if verdict.action == "FORMER" else None
        if likely is not None and likely[0] >= ENDS and likely[1] not in more:
            more.append(likely[1])
        return replace(verdict, others=(*verdict.others, *(one for one in more if not protected(one, said_at))))

    def _decided(
        self, line: Candidate, statement: Statement | None, known: Sequence[MemoryItem], said_at: datetime
    ) -> Verdict:
        verdict = judge(statement, line.text, known, said_at)
        if verdict.action != "ADD" or verdict.card or statement is None:
            return verdict
        same = self._successor.repeated(line, known)
        if same is not None:
            return Verdict("NONE", AGAIN.in_words(), same, code=AGAIN.code)
        heir = self._successor.heir(line, known, said_at)
        if heir is not None and heir[0] >= ENDS:
            return Verdict("FORMER", REASONS[LIKELY], heir[1], code=LIKELY)
        likely = self._successor.likeliest(line, known, said_at)
        changed = likely_verdict(statement, *likely) if likely is not None else None
        return changed or verdict

    def _take_digest(self, plan: Plan, reading: Reading, digest: Digest) -> list[Wanted]:
        turns = [(source.id, source.text) for source in reading.sources]
        by_id = {source.id: source for source in reading.sources}
        hearing = Hearing(reading.sources, self._lines)

        def line_of(text: str, kind: FactKind | None = None) -> Candidate | None:
            ids = grounding.sources_of(text, turns)
            line = Candidate(
                text=text if text.endswith((".", "!", "?")) else text + ".",
                kind=kind or FactKind.OTHER,
                speaker=by_id[ids[0]].speaker if ids else "",
                provenance="user" if any(by_id[i].provenance == "user" for i in ids) else "assistant",
                turn_ids=tuple(ids),
                quotes=tuple(best_sentence(text, by_id[i].text) for i in ids),
                spans=(),
                salience=0.6,
                confidence=0.8,
                order=order_in(text) or "",
                own=any(by_id[i].own for i in ids[:1]),
            )
            if ids and not line.order and self._grounded(line, reading.sources) and hearing.bears_out(line):
                return line
            plan.rejected += 1
            plan.rejections.append(text)
            return None

        kept = [text for text in sentences(digest.summary) if line_of(text)]
        if kept:
            plan.summary = " ".join(kept)
        plan.topics = digest.topics or plan.topics
        plan.decisions = tuple(t for t in digest.decisions if line_of(t, FactKind.DECISION)) or plan.decisions
        plan.action_items = (
            tuple(t for t in digest.action_items if line_of(t, FactKind.COMMITMENT)) or plan.action_items
        )
        plan.salience = digest.salience
        known = " ".join(text for _, text in turns).lower()
        plan.entities = list(
            dict.fromkeys(plan.entities + [(n, t) for n, t in digest.entities if n.lower() in known and len(n) > 1])
        )
        found: list[Wanted] = []
        for stated in digest.statements:
            line = hearing.stated(stated)
            if line is None or not self._grounded(line, hearing.own):
                plan.rejected += 1
                plan.rejections.append(stated.content)
                continue
            found.append((line, stated.salience, topics_of(line, plan.topics)))
            if is_identity(line):
                plan.identity.append(line)
        return found

    def _grounded(self, line: Candidate, sources: Sequence[SourceTurn]) -> bool:
        cited = [source for source in sources if source.id in line.turn_ids]
        if not cited:
            return False
        names = [name for source in cited for name in (source.speaker, source.listener)]
        known: frozenset[str] = frozenset()
        for source in cited:
            known |= grounding.vocabulary([source.text], names=names, day=source.day)
        return grounding.check(line.text, known).ok

    def _judge(
        self, line: Candidate, salience: float, tags: tuple[str, ...], judged: Sequence[Judged], reading: Reading
    ) -> PlannedFact | None:
        rule = suppressed(self._rules, line.kind, line.text)
        if rule is not None:
            return None
        statement = line.statement if may_change_a_fact(line) else None
        said_at = (line.statement.said_at if line.statement else None) or reading.session.ended_at
        verdict = self._compared(line, statement, self._neighbors(line.text, statement), said_at)
        for pair, judgment in judged:
            if about_the_same(line, pair.line):
                verdict = settle(pair, judgment, verdict, said_at)
        review = line.confidence < REVIEW_BELOW
        return PlannedFact(
            candidate=line,
            salience=salience,
            tags=tags,
            verdict=verdict,
            status="review" if review else "active",
            reason=say("memdesk was not sure of it") if review else "",
        )

    def _quarantine(self, suspect: Candidate) -> PlannedFact:
        return PlannedFact(
            candidate=suspect,
            salience=0.1,
            tags=(),
            verdict=Verdict("ADD", say("kept apart until the user has looked at it")),
            status="quarantined",
            reason=say("reads like an order to the model: {order}", order=suspect.order),
        )

    def _may_be_identity(self, line: Candidate, details: Sequence[Candidate]) -> bool:
        """Whether a line is new, not corrected in the session itself, and about the user."""
        if any(_says_again(line, known) for known in self._identity):
            return False
        if _corrected(line, details) is not line:
            return False
        names = {known.content.split("'s ")[0].split(" ")[0] for known in self._identity if known.origin != "user"}
        return line.speaker == USER or not names - {"The", line.speaker.split(" ")[0]}


def dated(line: Candidate, reading: Reading) -> Candidate:
    """Return a line whose statement has the exact time at which it was said, not only the day."""
    said = next((turn.said_at for turn in reading.session.turns if turn.id in line.turn_ids[:1]), None)
    if line.statement is None or said is None:
        return line
    return replace(line, statement=replace(line.statement, said_at=said))


def _twice(first: PlannedFact, again: PlannedFact) -> PlannedFact:
    """Return a fact said twice in a session, with both turns if they contain its object."""
    known, more = first.candidate, again.candidate
    fresh = [
        (turn_id, quote)
        for turn_id, quote in zip(more.turn_ids, more.quotes, strict=False)
        if turn_id not in known.turn_ids and quote_carries(quote, known.statement)
    ]
    joined = replace(
        known,
        turn_ids=(*known.turn_ids, *(turn_id for turn_id, _ in fresh)),
        quotes=(*known.quotes, *(quote for _, quote in fresh)),
    )
    return replace(first, candidate=joined, salience=max(first.salience, again.salience))


def _beside_odds(facts: Sequence[PlannedFact]) -> list[PlannedFact]:
    """Let a repeated statement override odds that it is over: "He still lives in Galway, he just painted his house"."""
    again = {one.verdict.target.id for one in facts if one.verdict.action == "NONE" and one.verdict.target is not None}
    doubted = (
        one.verdict.code in {LIKELY, PERHAPS} and one.verdict.target is not None and one.verdict.target.id in again
        for one in facts
    )
    return [replace(one, verdict=NEW) if held else one for one, held in zip(facts, doubted, strict=True)]


def _says_again(line: Candidate, known: MemoryItem) -> bool:
    if line.statement is not None and known.statement is not None:
        return compare(line.statement, known.statement).outcome == "same"
    return one_line(line.text).casefold() == one_line(known.content).casefold()


def _corrected(line: Candidate, lines: Sequence[Candidate]) -> Candidate:
    """Return the statement of the same session that took back ``line``, or ``line`` itself."""
    after = [one for one in lines if one.spans > line.spans and may_change_a_fact(one)]
    return next((one for one in reversed(after) if overturns(one.statement, line.statement)), line)


def _joined(own: Sequence[Wanted], stated: Sequence[Wanted]) -> list[Wanted]:
    """Add what only a model found; if grammar read the same, keep its fields, or the model's if it was a quote."""
    new = [one for one in stated if not any(about_the_same(one[0], line) for line, _, _ in own)]
    return [*(one for one in own if not any(_puts(line, one[0]) for line, _, _ in new)), *new]


def _puts(stated: Candidate, quoted: Candidate) -> bool:
    """Whether a model's line rewords a sentence kept verbatim."""
    unread = quoted.statement is not None and quoted.statement.predicate == "say"
    said = stems(stated.text)
    shared = said & stems(" ".join(quoted.quotes))
    return unread and stated.turn_ids[:1] == quoted.turn_ids[:1] and 2 * len(shared) > len(said)


def _with_judged(wanted: Sequence[Wanted], judged: Sequence[Judged]) -> list[Wanted]:
    """Put the lines that change a fact first; they replace those that say the same."""
    changing = [pair.line for pair, judgment in judged if judgment.action in {"UPDATE", "DELETE"}]
    first: list[Wanted] = [(line, line.salience, ()) for line in changing]
    rest = [one for one in wanted if not any(about_the_same(one[0], line) for line in changing)]
    return [*first, *rest]


def is_identity(line: Candidate) -> bool:
    """Return whether a line may become identity: the user's own words about who they are."""
    return (
        (is_care(line) or (line.kind is FactKind.IDENTITY and _is_of_the_user(line)))
        and line.provenance == "user"
        and line.own
        and len(line.text) <= MAX_FACT_CHARS
        and line.confidence >= REVIEW_BELOW
        and len(line.spans) == 1
    )


def _is_of_the_user(line: Candidate) -> bool:
    """Whether a line is about the user, not somebody of theirs: all agents see it."""
    said = line.statement
    return said is None or said.subject in {USER_SUBJECT, f"{USER_SUBJECT}'s {said.attribute}"}  # "user's name"


def is_care(line: Candidate) -> bool:
    """Return whether a line is critical to somebody's safety, or says how the assistant must answer."""
    return line.statement is not None and line.statement.attribute in CARE and not line.statement.ended


def _is_action(line: Candidate) -> bool:
    return line.kind is FactKind.COMMITMENT and line.provenance == "user"
