"""Composes a block for a message: one retrieval, the gate, the relevant lines, and the receipt that explains them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from memdesk.domain.language.text import estimate_tokens, words
from memdesk.domain.models import FactStatus, Receipt, ReceiptItem, Section
from memdesk.domain.notes.kept import files_of
from memdesk.domain.reading.care import INSTRUCTION
from memdesk.domain.reading.plainly import PlainReader
from memdesk.domain.reading.private import PrivateKind
from memdesk.domain.recalling import planner
from memdesk.domain.recalling.gate import Decision
from memdesk.domain.recalling.opening import SENSED, Signals, least_of
from memdesk.domain.recalling.planner import Line, Part, Plan
from memdesk.domain.recalling.query import MAX_CHARS
from memdesk.services.recalling.bearing import HEALTH, Bearing, Bears
from memdesk.services.recalling.discretion import Sieve
from memdesk.services.recalling.gate import learned_sense
from memdesk.services.recalling.lines import STATED_NOISE_SHARE, Lines, most_lines
from memdesk.services.recalling.muted import Muted, heard, orders_in, silenced, taken_out, without
from memdesk.services.recalling.opposed import marked, said_later
from memdesk.services.recalling.overview import asks_for_all, latest, overview
from memdesk.services.recalling.question import Question
from memdesk.services.recalling.scored import NOTHING_KNOWN
from memdesk.services.recalling.unused import Unused, stepped_back, unused_in

if TYPE_CHECKING:
    from memdesk.domain.items.item import MemoryItem
    from memdesk.ports import Clock, Repositories, Store
    from memdesk.services.recalling.gate import GateKeeper
    from memdesk.services.recalling.index.indexing import IndexingService
    from memdesk.services.recalling.request import Request
    from memdesk.services.recalling.scored import Scored
    from memdesk.services.recalling.search import Described, Searcher

#: Facts whose former versions are looked up.
_CHANGES = 10
#: Share of the budget for distilled identity lines when the question is not about identity.
IDENTITY_SHARE = 0.12
#: Share of the remaining budget for passages of the user's notes beside a section, and how many are considered.
NOTES_SHARE = 0.35
MOST_PASSAGES = 6
#: Sections whose lines compete for room if the gate chooses, by what a message asks for. Each line is worth its probability
#: relative to its length, so that no choice hides what another would have shown.
MIX: dict[Section, tuple[Section, ...]] = {
    "identity": ("pinned", "transcript"),
    "pinned": ("pinned", "transcript"),
    "transcript": ("pinned", "transcript"),
    "episode": ("pinned", "episode", "transcript"),
}


class Composer:
    """Makes blocks. Thread-safe.

    Args:
        bearing: finds what a message must not be answered without.
        has_notes: whether an agent remembers folders of notes.
        is_weak: whether a model, by its id, failed its self-test.
        local_kinds: returns the private kinds that stay on this machine.
    """

    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        indexing: IndexingService,
        searcher: Searcher,
        gate: GateKeeper,
        bearing: Bearing,
        has_notes: Callable[[str], bool],
        is_weak: Callable[[Repositories, str], bool],
        local_kinds: Callable[[], Collection[PrivateKind]] = tuple,
    ) -> None:
        self._local_kinds = local_kinds
        self._store = store
        self._clock = clock
        self._indexing = indexing
        self._searcher = searcher
        self._gate = gate
        self._bearing = bearing
        self._has_notes = has_notes
        self._is_weak = is_weak
        self._lines = Lines(clock)

    def compose(self, request: Request, now: datetime) -> Receipt:
        """Return the block for a message sent at ``now``, as a receipt without an id."""
        query, budget = request.query, max(request.budget, 0)
        asked = self._searcher.ask(
            request.agent_id,
            query,
            request.session_now or now,
            as_of=request.as_of,
            history=request.history,
        )
        decision = (
            self._gate.decide(request.agent_id, query)
            if request.section is None
            else Decision(request.section, "asked", final=True)
        )
        with self._store.read() as repos:
            bears = self._bearing.on(asked)
            certain = self._bearing.facts(repos, asked, bears) if query.strip() else []
            told = facts = None
            if not decision.final:
                told = self._searcher.describe_turns(repos, asked)
                facts = self._searcher.statements.facts(repos, asked)
                at_hand, running = request.at_hand, request.conversation_id
                if names := self._searcher.heard(told, asked, facts, exclude=at_hand, running=running):
                    decision = self._gate.decide(request.agent_id, query, names)
                signals = self.signals(repos, asked, decision, told, facts, request)
                # Without turns, their vectors cannot show the mode; facts may still have vectors.
                mode = "hybrid" if self._likens(asked) and (told.cosines is not None or not told.turns) else "fts"
                if not decision.final:
                    told_by = mode if mode == "hybrid" or asked.language == SENSED else "foreign"
                    decision = self._gate.weigh(decision, signals, told_by, least_of(signals, sparing=request.sparing))
            about_user = self._lines.identity(
                repos, request.agent_id, request.as_of, None if decision.section == "identity" else bears
            )
            first, distilled = self._first(certain, about_user)
            if request.sparing and decision.section == "none":
                first, distilled = [item for item in first if self._bearing.kind(item) in HEALTH], []
            always = self._lines.certain(first)
            parts = self._parts(
                repos,
                asked,
                decision,
                budget,
                self._lines.certain(distilled),
                sum(estimate_tokens(line.text) for line in always),
                request.at_hand,
                bears,
                told=told,
                facts=facts,
                mixed=request.section is None,
            )
            # For a past moment (as_of) there are no cards.
            if request.as_of is None and (later := said_later(repos, request.agent_id)):
                always, parts = (
                    marked(always, later),
                    [replace(part, lines=marked(part.lines, later)) for part in parts],
                )
            kept: list[ReceiptItem] = []
            if request.remote:
                always, parts, kept = Sieve.of(repos, request.agent_id, self._local_kinds()).block(always, parts)
        count = None if request.tokenizer is None else request.tokenizer.count
        lines = [*always, *(line for part in parts for line in part.lines)]
        orders: Muted = frozenset()
        while True:
            unwanted = request.muted | orders
            done = planner.plan_counted(heard(always, unwanted), without(parts, unwanted), budget, count)
            if not (found := orders_in(done.items)):
                break
            orders |= found
        done.left_out += silenced(lines, request.muted, "muted") + silenced(lines, orders - request.muted, "order")
        done.left_out += taken_out(lines, done.items) + kept
        return self._receipt(asked, decision, budget, done)

    def _first(
        self, certain: Sequence[MemoryItem], about_user: Sequence[MemoryItem]
    ) -> tuple[list[MemoryItem], list[MemoryItem]]:
        """Return what is shown first, and the other distilled lines about the user.

        Health comes first, then instructions, even those given to another agent: neither may be lost for lack of room.
        """
        told = {fact.content for fact in certain}
        lines = [(self._bearing.kind(line), line) for line in about_user if line.content not in told]
        known = [*((self._bearing.kind(fact), fact) for fact in certain), *(each for each in lines if each[0])]
        known.sort(key=lambda each: each[0] == INSTRUCTION)
        own = [line for kind, line in lines if not kind and line.origin == "user"]
        return [*(item for _kind, item in known), *own], [
            line for kind, line in lines if not kind and line.origin != "user"
        ]

    def _likens(self, asked: Question) -> bool:
        """Whether a message's vector can be compared: to an embedder that does not know the language, all of it is similar."""
        return asked.vector is not None and self._bearing.knows(asked.language, asked.model)

    def signals(
        self,
        repos: Repositories,
        asked: Question,
        decision: Decision,
        told: Described,
        facts: Sequence[Scored],
        request: Request,
    ) -> Signals:
        """Return the signals for showing memory: the wording of a message, and what was found for it."""
        found = self._searcher.signals(
            told,
            asked,
            facts,
            names=decision.entities,
            exclude=request.at_hand,
            running=request.conversation_id,
        )
        above, likeness, third = self._gate.above_noise, 0.0, 0.0
        if asked.vector is not None and self._likens(asked):
            near = self._indexing.search(asked.agent_id, "fact", asked.vector, 1, model=asked.model, repos=repos)
            stated = above(asked.agent_id, "fact", near[0][1] if near else 0.0, asked.language)
            likeness = max(above(asked.agent_id, "turn", found["likeness"], asked.language), stated)
            third = max(above(asked.agent_id, "turn", found["third"], asked.language), stated)
        query = told.query
        return Signals(
            wording=decision.wording,
            sense=learned_sense().of(asked.vector, asked.model) if asked.language == SENSED else None,
            guarded=float(decision.guarded),
            named=float(bool(decision.entities or query.names) and not decision.mentions),
            likeness=likeness,
            third=third,
            # Without usable vectors only words decide.
            answer=max(likeness, found["coverage"]) * math.sqrt(found["best"]),
            coverage=found["coverage"],
            refers=found["refers"],
            of_self=float(query.of_self),
            of_assistant=float(query.of_assistant),
            asks=float(asked.text.rstrip().endswith("?") or PlainReader(asked.language).opens_question(query.text)),
            in_chat=float(bool(request.history)),
            expected=found["expected"],
            rare=found["rare"],
            about=0.0 if decision.mentions else found["about"],
            length=math.log1p(len(words(asked.text[:MAX_CHARS]))),
        )

    def _parts(
        self,
        repos: Repositories,
        asked: Question,
        decision: Decision,
        budget: int,
        distilled: list[Line],
        spent: int,
        at_hand: Sequence[str],
        bears: Bears,
        *,
        told: Described | None,
        facts: Sequence[Scored] | None,
        mixed: bool,
    ) -> list[Part]:
        section = decision.section
        about_user = Part(
            heading=planner.HEADINGS["identity"],
            lines=distilled,
            share=1.0 if section == "identity" and not mixed else IDENTITY_SHARE,
        )
        parts = [about_user]
        if section == "none" or budget <= 0:
            return parts
        if asked.strategy == "recent":
            return [*parts, latest(repos, asked.agent_id, self._clock, asked.as_of)]
        if asks_for_all(decision.rule):
            return [*parts, *overview(repos, asked.agent_id, self._clock, asked.as_of)]
        sections = MIX[section] if mixed else (section,)
        # For a past moment (as_of) usage is not known.
        unused = {} if asked.as_of is not None else unused_in(repos, asked.agent_id)
        stated, notes = self._stated(repos, asked, sections, bears, facts)
        told = told or (self._searcher.describe_turns(repos, asked) if "transcript" in sections else None)
        facts = stepped_back(self._searcher.sourced(stated, told), unused, asked.query)
        chosen = [
            self._section_part(repos, asked, each, at_hand, budget, spent, bears, told, facts, unused, mixed=mixed)
            for each in sections
        ]
        found = [*notes, *chosen]
        likeliest = max((line.score for part in found for line in part.lines), default=0.0)
        if mixed and not decision.final and asked.vector is not None and likeliest < NOTHING_KNOWN:
            return [*parts, *(replace(part, bottom=NOTHING_KNOWN) for part in found)]
        # Notes go before what may take all the remaining room.
        return [*parts, *notes, chosen[0], *(replace(part, beside=True) for part in chosen[1:])]

    def _stated(
        self,
        repos: Repositories,
        asked: Question,
        sections: Collection[Section],
        bears: Bears,
        found: Sequence[Scored] | None,
    ) -> tuple[list[Scored], list[Part]]:
        """Return the fitting facts, and parts with cited items, such as passages of files.

        ``found``: facts, if already ranked.
        """
        has_notes = self._has_notes(asked.agent_id) or bool(repos.meta.prefix(files_of(asked.agent_id)))
        if "pinned" not in sections and not has_notes:
            return [], []
        # A fact or passage that is merely the nearest one is not relevant.
        fitting = [
            hit
            for hit in (self._searcher.statements.facts(repos, asked) if found is None else found)
            if hit.fits and not bears.unasked(hit, hit.row.statement.attribute if hit.row.statement else "")
        ]
        cited = [hit for hit in fitting if hit.cited]
        if not cited:
            return fitting, []
        floor = STATED_NOISE_SHARE * fitting[0].score
        parts = self._lines.cited(asked, cited[:MOST_PASSAGES], NOTES_SHARE, floor)
        return [hit for hit in fitting if not hit.cited], parts

    def _section_part(
        self,
        repos: Repositories,
        asked: Question,
        section: Section,
        at_hand: Sequence[str],
        budget: int,
        spent: int,
        bears: Bears,
        told: Described | None,
        facts: Sequence[Scored],
        unused: Unused,
        *,
        mixed: bool,
    ) -> Part:
        if section == "transcript" and told is not None:
            hits = self._searcher.ranked_turns(told, asked, most=most_lines(budget), exclude=at_hand)
            hits = stepped_back(self._bearing.asked_for(asked, hits, bears), unused, told.query)
            # For a past moment (as_of) nothing counts as outdated.
            outdated = repos.items.outdated([hit.row.id for hit in hits]) if asked.as_of is None else {}
            models = {hit.row.model for hit in hits if hit.row.model}
            weak = {model for model in models if self._is_weak(repos, model)}
            corrected = _corrected(repos, asked, [hit.row.conversation_id for hit in hits])
            return self._lines.transcript(asked, hits, budget, spent, outdated, corrected, weak)
        if section == "episode":
            episodes = self._searcher.statements.episodes(repos, asked, recent=10)
            hits = episodes + self._searcher.sourced(self._searcher.statements.details(repos, asked, episodes), told)
            runs = [(hit.row if hit.kind == "episode" else hit.parent).run_id for hit in hits]
            corrected = _corrected(repos, asked, [run for run in runs if run])
            return self._lines.episodes(stepped_back(hits, unused, asked.query), budget, corrected, alone=not mixed)
        if section == "identity":
            identity = replace(asked, kind="identity")
            return self._lines.facts(self._searcher.statements.facts(repos, identity), budget, {})
        former = _former(repos, asked, facts)
        return self._lines.facts(facts, budget, former, several=asked.query.wants_several)

    def _receipt(self, asked: Question, decision: Decision, budget: int, done: Plan) -> Receipt:
        filled: Section | None = None
        if decision.section != "transcript" and any(item.kind == "turn" for item in done.items):
            filled = "transcript"
        return Receipt(
            id="",
            agent_id=asked.agent_id,
            query=asked.text,
            section=decision.section,
            rule=decision.rule,
            tokens=done.tokens,
            budget_tokens=budget,
            block=done.block,
            items=tuple(done.items),
            left_out=tuple(done.left_out),
            mode="hybrid" if asked.vector is not None else "fts",
            filled_from=filled,
            created_at=asked.now,
        )


def _corrected(
    repos: Repositories, asked: Question, conversation_ids: Iterable[str]
) -> dict[str, list[tuple[str, str]]]:
    """Return what was corrected since, by conversation; for a past moment (as_of) nothing was."""
    ids = sorted(set(conversation_ids))
    return repos.items.corrected(asked.agent_id, ids) if ids and asked.as_of is None else {}


def _former(repos: Repositories, asked: Question, facts: Sequence[Scored]) -> dict[str, list[MemoryItem]]:
    """Return what facts replaced, oldest first, if a question asks for a time or a course: it shows when something changed."""
    found: dict[str, list[MemoryItem]] = {}
    if (asked.query.wants_time or asked.query.wants_course) and asked.as_of is None:
        users = {hit.row.id: hit.row.user_id for hit in facts[:_CHANGES]}
        for fact in sorted(repos.items.absorbed(list(users)), key=lambda fact: fact.created_at):
            heir = fact.superseded_by
            if heir is not None and fact.status is FactStatus.SUPERSEDED and users.get(heir) == fact.user_id:
                found.setdefault(heir, []).append(fact)
    return found
