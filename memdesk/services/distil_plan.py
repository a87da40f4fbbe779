"""From a reading and a model's digest to what will be stored, each line verified. Writes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final

from memdesk.domain import grounding
from memdesk.domain.candidates import Candidate, SourceTurn
from memdesk.domain.contradiction import Verdict, claims_made, judge, overturns
from memdesk.domain.digest import Choice, Digest
from memdesk.domain.injection import order_in
from memdesk.domain.judging import Judgement, Pair, about_the_same, settle
from memdesk.domain.kinds import kind_of
from memdesk.domain.models import Fact, FactKind, FactSource, IdentityLine
from memdesk.domain.selection import (
    MAX_FACT_CHARS,
    MAX_PINNED,
    SAME_VECTOR,
    SAME_WORDS,
    may_be_pinned,
    may_change_a_fact,
)
from memdesk.domain.similarity import jaccard, text_jaccard, word_set
from memdesk.domain.text import sentences, stems
from memdesk.services.distil_session import USER, Reading, SessionReader, in_order
from memdesk.services.review_rules import Rule, suppressed

if TYPE_CHECKING:
    from memdesk.ports import Vectors

#: Below this confidence a candidate waits in the review inbox.
REVIEW_BELOW: Final = 0.6
#: Facts compared by vectors with a new one, the likeliest by words.
COMPARED: Final = 12
#: Likeness of words from which vectors are worth computing.
COMPARABLE: Final = 0.2
SUMMARY_CHARS: Final = 280
#: Up to this many lines a session is told by two of them.
SHORT: Final = 3
#: Identity lines that one session may add.
MAX_IDENTITY: Final = 3
#: What a weak model's pick adds to a line's salience when lines are ranked for pinning.
PICKED: Final = 0.1


#: A line to pin with its salience and tags; a pair with the model's decision on it.
Wanted = tuple[Candidate, float, tuple[str, ...]]
Judged = tuple[Pair, Judgement]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFact:
    """A fact to store, with what it does to those that are there.

    ``status`` is ``active``, ``review`` or ``quarantined``; ``reason`` says why, in words for the user.
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
    facts: list[PlannedFact] = field(default_factory=list)
    identity: list[Candidate] = field(default_factory=list)
    #: ids of distilled identity lines that are said again, each with what says so.
    identity_again: list[tuple[str, Candidate]] = field(default_factory=list)
    rejected: int = 0
    rejections: list[str] = field(default_factory=list)


class Verifier:
    """Checks every line before it is kept: grounded, new, not opposed, not an order, not unwanted.

    Args:
        reader: embeds, where an embedder is at hand.
        neighbours: gives the active facts that a line may repeat, update or oppose.
        identity: the lines that are always on.
        rules: what the user never wants stored.
    """

    def __init__(
        self,
        reader: SessionReader,
        neighbours: Callable[[str], Sequence[Fact]],
        identity: Sequence[IdentityLine],
        rules: Sequence[Rule],
    ) -> None:
        self._reader = reader
        self._neighbours = neighbours
        self._identity = list(identity)
        self._rules = rules

    def plan(
        self,
        reading: Reading,
        *,
        choice: Choice | None = None,
        digest: Digest | None = None,
        pairs: Sequence[Pair] = (),
    ) -> Plan:
        """Make a plan of the extractor's lines with a weak model's choice, a strong model's digest, or neither.

        ``pairs`` are what the digest's judgements are of.
        """
        plan = self._plain(reading, choice)
        wanted = self._pinned(plan, [reading.details[i] for i in choice.pinned] if choice else [])
        if digest is not None:
            wanted = self._take_digest(plan, reading, digest) or wanted
        judged = [(pairs[j.pair], j) for j in digest.judgements] if digest else []
        wanted = _with_judged(wanted, judged)
        said_at = reading.session.ended_at
        planned = [self._judge(line, salience, tags, judged, said_at) for line, salience, tags in wanted]
        for one in planned:
            if one is None:
                plan.rejected += 1
            else:
                plan.facts.append(one)
        plan.facts += [self._quarantine(suspect) for suspect in reading.suspects[:MAX_PINNED]]
        plan.identity_again = [
            (known.id, line)
            for line in plan.identity
            for known in self._identity
            if known.origin == "distilled" and text_jaccard(line.text, known.content) >= SAME_WORDS
        ]
        plan.identity = [line for line in plan.identity if self._may_be_identity(line, plan.details)][:MAX_IDENTITY]
        return plan

    # ------------------------------------------------------------------ the extractor's part

    def _plain(self, reading: Reading, choice: Choice | None) -> Plan:
        checked = [line for line in reading.details if self._grounded(line, reading.sources)]
        allowed = [
            line for line in checked if suppressed(self._rules, line.kind, line.text, reading.session.agent.id) is None
        ]
        ordered = in_order(allowed, reading.sources)
        picked = [reading.details[i] for i in choice.summary if i < len(reading.details)] if choice else []
        plan = Plan(
            summary=summarise([line for line in picked if line in allowed], allowed, reading),
            topics=reading.extraction.topics[:3],
            decisions=tuple(line.text for line in ordered if line.kind is FactKind.DECISION)[:5],
            action_items=tuple(line.text for line in ordered if _is_action(line))[:5],
            salience=_salience(allowed),
            details=ordered,
            entities=named(reading, allowed),
            rejected=len(reading.details) - len(checked),
        )
        plan.identity = [line for line in allowed if is_identity(line)]
        return plan

    def _pinned(self, plan: Plan, picks: Sequence[Candidate]) -> list[Wanted]:
        """Return the few durable lines: by salience, a model's picks before their equals."""
        changing = [line for line in plan.details if self._changes_a_fact(line)]
        durable = [line for line in plan.details if may_be_pinned(line) or line in changing]
        ranked = sorted(
            durable, key=lambda line: (line not in changing, -line.salience - PICKED * (line in picks), -line.score)
        )
        lines = list(dict.fromkeys(_corrected(line, plan.details) for line in ranked[:MAX_PINNED]))
        documents = [line for line in plan.details if line.provenance == "document"][: MAX_PINNED - len(lines)]
        return [(line, line.salience, _topics_of(line, plan.topics)) for line in (*lines, *documents)]

    def _changes_a_fact(self, line: Candidate) -> bool:
        """Whether a line ends or replaces what is remembered, as rules can prove; then it matters whatever its kind."""
        if not may_change_a_fact(line) or not claims_made(line.text):
            return False
        return judge(line.text, self._neighbours(line.text)).action in {"UPDATE", "DELETE"}

    # ------------------------------------------------------------------ a strong model's part

    def _take_digest(self, plan: Plan, reading: Reading, digest: Digest) -> list[Wanted]:
        turns = [(source.id, source.text) for source in reading.sources]
        by_id = {source.id: source for source in reading.sources}

        def line_of(text: str, kind: FactKind | None = None) -> Candidate | None:
            ids = grounding.sources_of(text, turns)
            line = Candidate(
                text=text if text.endswith((".", "!", "?")) else text + ".",
                kind=kind or kind_of(_first_person(text)),
                speaker=by_id[ids[0]].speaker if ids else "",
                provenance="user" if any(by_id[i].provenance == "user" for i in ids) else "assistant",
                turn_ids=tuple(ids),
                quotes=tuple(_best_sentence(text, by_id[i].text) for i in ids),
                spans=(),
                salience=0.6,
                confidence=0.8,
                order=order_in(text) or "",
                own=any(by_id[i].own for i in ids[:1]),
            )
            if ids and not line.order and self._grounded(line, reading.sources):
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
        found = []
        for pinned in digest.pinned:
            line = line_of(pinned.content)
            if line is not None and line.provenance == "user":
                found.append((line, pinned.salience, pinned.tags))
        for text in digest.identity:
            line = line_of(text, FactKind.IDENTITY)
            if line is not None and line.provenance == "user" and line.own:
                plan.identity.append(line)
        return found

    # ------------------------------------------------------------------ checks

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
        self, line: Candidate, salience: float, tags: tuple[str, ...], judged: Sequence[Judged], said_at: datetime
    ) -> PlannedFact | None:
        rule = suppressed(self._rules, line.kind, line.text)
        if rule is not None:
            return None
        facts = self._neighbours(line.text)
        verdict = judge(line.text, facts, same=self._alike(line.text, facts))
        for pair, judgement in judged:
            if about_the_same(line, pair.line):
                verdict = settle(pair, judgement, verdict, said_at)
        review = line.confidence < REVIEW_BELOW
        return PlannedFact(
            candidate=line,
            salience=salience,
            tags=tags,
            verdict=verdict,
            status="review" if review else "active",
            reason="memdesk was not sure of it" if review else "",
        )

    def _quarantine(self, suspect: Candidate) -> PlannedFact:
        return PlannedFact(
            candidate=suspect,
            salience=0.1,
            tags=(),
            verdict=Verdict("ADD", "kept apart until the user has looked at it"),
            status="quarantined",
            reason=f"reads like an order to the model: {suspect.order}",
        )

    def _alike(self, text: str, facts: Sequence[Fact]) -> list[Fact]:
        """Return facts that say nearly the same, by words or by vectors, the likeliest first."""
        mine = word_set(text)
        likeness = [(jaccard(mine, word_set(fact.content)), fact) for fact in facts]
        near = sorted((pair for pair in likeness if pair[0] >= COMPARABLE), key=lambda pair: (-pair[0], pair[1].id))
        near = near[:COMPARED]
        found = {fact.id: fact for words, fact in near if words >= SAME_WORDS}
        vectors = self._vectors(text, [fact for _, fact in near])
        if vectors is not None:
            for (_, fact), cosine in zip(near, vectors[1:] @ vectors[0], strict=True):
                if cosine >= SAME_VECTOR:
                    found.setdefault(fact.id, fact)
        return list(found.values())

    def _vectors(self, text: str, facts: Sequence[Fact]) -> Vectors | None:
        return self._reader.embed([text, *(fact.content for fact in facts)]) if facts else None

    def _may_be_identity(self, line: Candidate, details: Sequence[Candidate]) -> bool:
        """Whether a line is new, not corrected in the session itself, and of the one person the lines are about."""
        if any(text_jaccard(line.text, known.content) >= SAME_WORDS for known in self._identity):
            return False
        if _corrected(line, details) is not line:
            return False
        names = {known.content.split("'s ")[0].split(" ")[0] for known in self._identity if known.origin == "distilled"}
        return line.speaker == USER or not names - {"The", line.speaker.split(" ")[0]}


def _corrected(line: Candidate, lines: Sequence[Candidate]) -> Candidate:
    """Return the statement of the same session that took back ``line``, or ``line`` itself."""
    after = [one for one in lines if one.spans > line.spans and may_change_a_fact(one)]
    return next((one for one in reversed(after) if overturns(one.text, line.text)), line)


def _with_judged(wanted: Sequence[Wanted], judged: Sequence[Judged]) -> list[Wanted]:
    """Put the lines that change a remembered fact before the others; they stand for those that say the same."""
    changing = [pair.line for pair, judgement in judged if judgement.action in {"UPDATE", "DELETE"}]
    first: list[Wanted] = [(line, line.salience, ()) for line in changing]
    rest = [one for one in wanted if not any(about_the_same(one[0], line) for line in changing)]
    return [*first, *rest][: max(MAX_PINNED, len(first))]


def summarise(picked: Sequence[Candidate], ranked: Sequence[Candidate], reading: Reading) -> str:
    """Return 2 or 3 sentences: who talked about what, and two lines, the picked ones or else the best.

    Two lines and the lead keep the summary from being one of the details said twice.
    """
    chosen: list[Candidate] = []
    singles = [line for line in reading.extraction.candidates if len(line.spans) == 1]
    # What the user said of themselves goes before what was pasted.
    for whole in (*picked, *sorted(ranked, key=lambda c: (c.provenance != "user", -c.score))):
        # The best statement of a line that joins several leaves room for another.
        line = max((one for one in singles if one.spans[0] in whole.spans), key=lambda c: c.score, default=whole)
        size = sum(len(one.text) for one in chosen) + len(line.text)
        if len(chosen) < 2 and line not in chosen and size <= SUMMARY_CHARS:
            chosen.append(line)
    topics = _topics_beside(reading.extraction.topics, chosen, ranked)
    people = list(dict.fromkeys(s.speaker for s in reading.sources if s.provenance == "user"))
    # Two lines tell all of a short session, and a single word no more than they do.
    telling = len(ranked) > SHORT and len(topics) > 1
    lead = f"{_listed(people)} talked about {_listed(topics)}." if people and telling else ""
    body = [line.text for line in in_order(chosen, reading.sources)]
    return " ".join(part for part in (lead[:1].upper() + lead[1:], *body) if part)


def _topics_of(line: Candidate, topics: Sequence[str]) -> tuple[str, ...]:
    """Return those of a session's topics that the line itself is about."""
    said = stems(line.text)
    return tuple(topic for topic in topics if (asked := stems(topic)) and asked <= said)


def _topics_beside(topics: Sequence[str], chosen: Sequence[Candidate], kept: Sequence[Candidate]) -> Sequence[str]:
    """Return up to three topics: where there are enough, those of kept lines that the chosen ones leave out."""
    told = word_set(" ".join(line.text for line in chosen))
    held = word_set(" ".join(line.text for line in kept))
    beside = [topic for topic in topics if (words := word_set(topic)) and words <= held and not words & told]
    return beside[:3] if len(beside) > 1 else topics[:3]


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def named(reading: Reading, lines: Sequence[Candidate]) -> list[tuple[str, str]]:
    """Return the names worth an entity: those in kept lines, and the people who speak."""
    speakers = [s.speaker for s in reading.sources if s.provenance == "user" and s.speaker != USER]
    found: dict[str, tuple[str, str]] = {name.casefold(): (name, "person") for name in speakers}
    aliases = {name[:size] for name in found for size in (3, 4)}
    text = " ".join(line.text for line in lines)
    for name, kind, _ in reading.extraction.entities:
        key = name.casefold()
        if key in found or key in aliases or len(name) < 3 or not name[0].isupper():
            continue
        if re.search(rf"\b{re.escape(name)}\b", text):
            found[key] = (name, kind)
    return list(found.values())


def is_identity(line: Candidate) -> bool:
    """Return whether a line may join what is always known of the user: their own words about who they are."""
    return (
        line.kind is FactKind.IDENTITY
        and line.provenance == "user"
        and line.own
        and len(line.text) <= MAX_FACT_CHARS
        and line.confidence >= REVIEW_BELOW
        and len(line.spans) == 1
    )


def sources_with_quotes(line: Candidate) -> tuple[FactSource, ...]:
    """Return the sources of a line."""
    quotes = (*line.quotes, *([""] * len(line.turn_ids)))
    return tuple(
        FactSource(turn_id=turn_id, quote=quote) for turn_id, quote in zip(line.turn_ids, quotes, strict=False)
    )


def _is_action(line: Candidate) -> bool:
    return line.kind is FactKind.COMMITMENT and line.provenance == "user"


def _salience(lines: Sequence[Candidate]) -> float:
    best = sorted((line.salience for line in lines), reverse=True)[:3]
    return round(min(0.9, sum(best) / len(best)), 2) if best else 0.3


def _first_person(text: str) -> str:
    """Read a line of a model as the extractor's classes expect it."""
    return re.sub(
        r"^(?:The user|[A-Z]\w+) (is|has|was)\b", lambda m: {"is": "I am", "has": "I have", "was": "I was"}[m[1]], text
    )


def _best_sentence(line: str, text: str) -> str:
    wanted = word_set(line)
    return max(sentences(text) or [""], key=lambda sentence: len(word_set(sentence) & wanted))
