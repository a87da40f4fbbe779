"""The read path: which memory a question needs, the few lines of it that matter, and the receipt that says why."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from memdesk.domain import planner
from memdesk.domain.gate import Decision, tell_language
from memdesk.domain.models import Receipt, Scope, Section, new_id
from memdesk.domain.planner import Line, Part, Plan
from memdesk.domain.ranking import forget_texts
from memdesk.domain.stopwords import STOP_WORDS
from memdesk.services.events import (
    AgentsChanged,
    ConversationsChanged,
    DistillationFinished,
    EventBus,
    LockChanged,
    MemoryChanged,
    SettingsChanged,
    TurnsRecorded,
)
from memdesk.services.moments import now_ms
from memdesk.services.recall_gate import GateKeeper
from memdesk.services.recall_lines import Lines, most_lines
from memdesk.services.recall_muted import Muted, change_muted, heard, muted_in, silenced, without
from memdesk.services.recall_question import Question
from memdesk.services.recall_search import Scored, Searcher

if TYPE_CHECKING:
    from memdesk.ports import Clock, Lanes, ModelCatalogue, Repositories, Store
    from memdesk.services.indexing import IndexingService
    from memdesk.services.seams import SettingsReader

CACHE_SECONDS = 10.0
CACHE_SIZE = 256
#: Share of the budget that distilled identity lines may take when identity is not what is asked for.
IDENTITY_SHARE = 0.12
#: Share of what is left that the chosen section may take when another one is to fill up behind it.
FIRST_SHARE = 0.45
#: The section that fills what is left of the budget.
NEXT_SECTION: dict[Section, Section] = {"pinned": "transcript", "episode": "transcript"}
_LANGUAGES = tuple(STOP_WORDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchItem:
    """One hit of a search. ``sources`` names the turns (or the episode) it stands on."""

    kind: Literal["fact", "episode", "detail", "turn"]
    id: str
    text: str
    score: float
    date: datetime | None = None
    conversation_id: str | None = None
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """Hits, best first, and how they were found: ``hybrid`` or ``fts``."""

    mode: str
    items: list[SearchItem]


class RecallService:
    """Answers "what do we know that matters here?". Thread-safe.

    Args:
        store: the database.
        settings: budget, gate, embedding.
        clock: the present.
        events: tells when memory changed.
        lanes: background work.
        indexing: vectors.
        catalogue: opens the core model for the gate's ``llm`` mode.
    """

    def __init__(
        self,
        *,
        store: Store,
        settings: SettingsReader,
        clock: Clock,
        events: EventBus,
        lanes: Lanes,
        indexing: IndexingService,
        catalogue: ModelCatalogue | None = None,
    ) -> None:
        self.store = store
        self._settings = settings
        self._clock = clock
        self._lanes = lanes
        self._indexing = indexing
        self.searcher = Searcher(store=store, clock=clock, indexing=indexing)
        self._gate = GateKeeper(store=store, settings=settings, indexing=indexing, lanes=lanes, catalogue=catalogue)
        self._lines = Lines(clock)
        self._lock = threading.Lock()
        self._cache: OrderedDict[tuple[Any, ...], tuple[datetime, Receipt]] = OrderedDict()
        self._generation: dict[str, int] = {}
        self._epoch = 0
        self._counts = {"hits": 0, "misses": 0}
        listen = events.subscribe
        listen(MemoryChanged, lambda event: self.invalidate(event.agent_id))
        listen(TurnsRecorded, lambda event: self._stale(event.agent_id))
        listen(ConversationsChanged, lambda event: self._stale(event.agent_id))
        listen(DistillationFinished, lambda event: self.invalidate(event.agent_id))
        listen(AgentsChanged, lambda _: self.invalidate(None))
        listen(SettingsChanged, lambda _: self.invalidate(None))
        listen(LockChanged, lambda _: self.invalidate(None))

    # ------------------------------------------------------------------ context

    def context(
        self,
        *,
        agent_id: str,
        query: str,
        budget_tokens: int | None = None,
        section: Section | Literal["auto"] | None = None,
        conversation_id: str | None = None,
        as_of: datetime | None = None,
        session_now: datetime | None = None,
        store_receipt: bool = False,
        bump_usage: bool = False,
        history: Sequence[str] = (),
        replies: Sequence[str] = (),
    ) -> Receipt:
        """Return the memory block for a message, with the reasons.

        Args:
            agent_id: whose memory; nothing of another agent is ever read, save identity, which is the user's.
            query: the latest user message.
            budget_tokens: of the whole block; the setting when None.
            section: None or "auto" lets the gate choose.
            conversation_id: the running chat, noted in the receipt.
            as_of: what was known then, instead of now.
            session_now: the present that "yesterday" counts from.
            store_receipt: keep the receipt.
            bump_usage: count what is shown as used.
            history: earlier user messages of the chat; they are at hand and not shown again.
            replies: what was answered in the chat; not shown again either.

        Returns:
            A receipt whose ``block`` is exactly what a chat prepends, empty when there is nothing to say.
        """
        started = time.perf_counter()
        budget = self._settings.current.memory.memory_budget_tokens if budget_tokens is None else budget_tokens
        wanted = None if section in {None, "auto"} else section
        now = now_ms(self._clock)
        muted = muted_in(self.store, agent_id, conversation_id)
        key = (agent_id, query, budget, wanted, as_of, session_now, tuple(history), tuple(replies), muted)
        receipt = self._remembered(key, now)
        if receipt is None:
            stamp = self._stamp(agent_id)
            present = session_now or now
            receipt = self._answer(agent_id, query, max(budget, 0), wanted, as_of, present, history, replies, muted)
            self._remember(key, stamp, now, receipt)
        receipt = replace(
            receipt,
            id=new_id(),
            conversation_id=conversation_id,
            created_at=now,
            elapsed_ms=round((time.perf_counter() - started) * 1000, 3),
        )
        if store_receipt:
            self.store.write(lambda repos: repos.receipts.put(receipt))
        if bump_usage and receipt.items:
            self._lanes.submit("background", lambda: self._bump(receipt, now))
        return receipt

    def wrap(self, block: str, user_message: str) -> str:
        """Return a user message with the block prepended; the message itself stays as it is."""
        return planner.wrap(block, user_message)

    # ------------------------------------------------------------------ search

    def search(
        self,
        *,
        agent_id: str,
        query: str,
        scope: Scope = "all",
        limit: int = 10,
        conversation_id: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        speaker: str | None = None,
        kind: str | None = None,
        tag: str | None = None,
        as_of: datetime | None = None,
    ) -> SearchResult:
        """Search an agent's memory for what fits at all; nothing is found where there are only nearest rows.

        Args:
            agent_id: whose memory.
            query: any text.
            scope: ``pinned`` (facts), ``episodes`` (digests and their details), ``transcript`` or ``all``.
            limit: items at most.
            conversation_id: only what comes from this conversation.
            since: only from this moment on.
            until: only before this moment.
            speaker: only what this speaker (a name, or ``user``/``assistant``) said.
            kind: only facts of this kind.
            tag: only facts with this tag, or episodes with this topic.
            as_of: what was known then.
        """
        narrow: dict[str, Any] = {
            "conversation_id": conversation_id,
            "since": since,
            "until": until,
            "speaker": speaker,
            "kind": kind,
            "tag": tag,
            "as_of": as_of,
        }
        language = tell_language(query[:400], _LANGUAGES)
        asked = self.searcher.ask(agent_id, query, now_ms(self._clock), language=language, **narrow)
        mode = "hybrid" if asked.vector is not None else "fts"
        if limit <= 0 or not asked.query.text:
            return SearchResult(mode=mode, items=[])
        hits: list[Scored] = []
        with self.store.read() as repos:
            if scope in {"pinned", "all"} and speaker is None:
                hits += self.searcher.facts(repos, asked)
            elif scope in {"pinned", "all"}:
                hits += self._by_speaker(repos, asked, self.searcher.facts(repos, asked))
            if scope in {"episodes", "all"} and kind is None and speaker is None:
                episodes = self.searcher.episodes(repos, asked)
                hits += episodes + self.searcher.details(repos, asked, episodes)
            if scope in {"transcript", "all"} and kind is None and tag is None:
                hits += self.searcher.turns(repos, asked, most=limit, only_fitting=True)
            hits = [hit for hit in hits if hit.fits]
            hits.sort(key=lambda hit: (-hit.score, hit.kind, hit.seq))
            del hits[limit:]
            # What an episode stands on is told by its details, which the search itself does without.
            whole = repos.episodes.by_seq([hit.seq for hit in hits if hit.kind == "episode"])
        hits = [replace(hit, row=whole[hit.seq]) if hit.kind == "episode" else hit for hit in hits]
        return SearchResult(mode=mode, items=[_search_item(hit) for hit in hits])

    # ------------------------------------------------------------------ upkeep

    def mute(self, *, agent_id: str, conversation_id: str, kind: str, ref_id: str, on: bool = True) -> None:
        """Do not use a line (``kind`` and ``ref_id`` of a receipt's item) in a conversation any more, or again."""
        self.store.write(lambda repos: change_muted(repos, agent_id, conversation_id, kind, ref_id, on=on))
        self._stale(agent_id)

    def invalidate(self, agent_id: str | None) -> None:
        """Drop cached answers and names of an agent, or of all."""
        self._stale(agent_id)
        self._gate.forget(agent_id)
        if agent_id is None:
            self.searcher.frequencies.forget()
            forget_texts()

    def stats(self) -> dict[str, Any]:
        """Return hits, misses and hit rates of the caches of the read path."""
        with self._lock:
            hits, misses, size = self._counts["hits"], self._counts["misses"], len(self._cache)
        figures = self.searcher.frequencies.figures()
        return {
            "contexts": {"hits": hits, "misses": misses, "rate": _rate(hits, misses), "size": size},
            "frequencies": {**figures, "rate": _rate(figures["hits"], figures["misses"])},
            **self._indexing.cache_rates(),
            "store": self.store.stats(),
        }

    # ------------------------------------------------------------------ pieces

    def _answer(
        self,
        agent_id: str,
        query: str,
        budget: int,
        wanted: str | None,
        as_of: datetime | None,
        now: datetime,
        history: Sequence[str],
        replies: Sequence[str],
        muted: Muted,
    ) -> Receipt:
        language = tell_language(query[:400], _LANGUAGES)
        asked = self.searcher.ask(agent_id, query, now, language=language, as_of=as_of)
        if wanted is None:
            decision = self._gate.decide(agent_id, query, vector=asked.vector, model=asked.model, history=history)
        else:
            decision = Decision(_section(wanted), "asked")
        with self.store.read() as repos:
            always, distilled = self._lines.identity(repos, as_of)
            at_hand = (*history, *replies)
            parts, filled = self._parts(repos, asked, decision, budget, distilled, at_hand, fill=wanted is None)
        done = planner.plan(heard(always, muted), without(parts, muted), budget)
        if muted:
            done.left_out += silenced([*always, *(line for part in parts for line in part.lines)], muted)
        return self._receipt(asked, decision, budget, done, filled)

    def _parts(
        self,
        repos: Repositories,
        asked: Question,
        decision: Decision,
        budget: int,
        distilled: list[Line],
        at_hand: Sequence[str],
        *,
        fill: bool,
    ) -> tuple[list[Part], Section | None]:
        section = decision.section
        about_user = Part(
            heading=planner.HEADINGS["identity"],
            lines=distilled,
            share=1.0 if section == "identity" else IDENTITY_SHARE,
        )
        parts = [about_user]
        if section == "none" or budget <= 0:
            return parts, None
        following = NEXT_SECTION.get(section) if fill else None
        chosen = self._section_parts(repos, asked, section, at_hand, FIRST_SHARE if following else 1.0, budget)
        if fill and section == "identity" and not distilled and not any(part.lines for part in chosen):
            # Nothing is known of the user yet; it may have been said.
            following = "transcript"
        parts += chosen
        if following is not None:
            parts += self._section_parts(repos, asked, following, at_hand, 1.0, budget)
        return parts, following

    def _section_parts(
        self, repos: Repositories, asked: Question, section: Section, at_hand: Sequence[str], share: float, budget: int
    ) -> list[Part]:
        if section == "transcript":
            hits = self.searcher.turns(repos, asked, most=most_lines(budget), exclude=at_hand)
            return [self._lines.transcript(asked, hits, share, budget)]
        if section == "episode":
            episodes = self.searcher.episodes(repos, asked, recent=10)
            hits = episodes + self.searcher.details(repos, asked, episodes)
            return [self._lines.episodes(hits, share, budget)]
        if section == "identity":
            identity = replace(asked, kind="identity")
            return [self._lines.facts(self.searcher.facts(repos, identity), share, budget)]
        return [self._lines.facts(self.searcher.facts(repos, asked), share, budget)]

    def _receipt(
        self, asked: Question, decision: Decision, budget: int, done: Plan, following: Section | None
    ) -> Receipt:
        filled = following if following is not None and done.taken and done.taken[-1] else None
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

    def _by_speaker(self, repos: Repositories, asked: Question, hits: list[Scored]) -> list[Scored]:
        """Keep facts with a source turn by the speaker asked for."""
        sources = {source.turn_id for hit in hits for source in hit.row.sources}
        wanted = (asked.speaker or "").casefold()
        said = {
            turn.id
            for turn in repos.turns.many(sorted(sources))
            if turn.speaker.casefold() == wanted or (not turn.speaker and turn.role == wanted)
        }
        return [hit for hit in hits if any(source.turn_id in said for source in hit.row.sources)]

    def _bump(self, receipt: Receipt, at: datetime) -> None:
        facts = [item.id for item in receipt.items if item.kind == "fact"]
        episodes = [item.id for item in receipt.items if item.kind == "episode"]
        if not facts and not episodes:
            return

        def work(repos: Repositories) -> None:
            repos.facts.touch(facts, at)
            repos.episodes.touch(episodes, at)

        self.store.write(work)

    # ------------------------------------------------------------------ cache

    def _stamp(self, agent_id: str) -> tuple[int, int]:
        with self._lock:
            return self._epoch, self._generation.get(agent_id, 0)

    def _remembered(self, key: tuple[Any, ...], now: datetime) -> Receipt | None:
        with self._lock:
            found = self._cache.get(key)
            if found is not None and abs(now - found[0]) <= timedelta(seconds=CACHE_SECONDS):
                self._counts["hits"] += 1
                self._cache.move_to_end(key)
                return found[1]
            self._cache.pop(key, None)
            self._counts["misses"] += 1
            return None

    def _remember(self, key: tuple[Any, ...], stamp: tuple[int, int], now: datetime, receipt: Receipt) -> None:
        with self._lock:
            # Memory that changed while the answer was made would be hidden by it for ten seconds.
            if stamp != (self._epoch, self._generation.get(receipt.agent_id, 0)):
                return
            self._cache[key] = (now, receipt)
            while len(self._cache) > CACHE_SIZE:
                self._cache.popitem(last=False)

    def _stale(self, agent_id: str | None) -> None:
        with self._lock:
            if agent_id is None:
                self._epoch += 1
                self._cache.clear()
                return
            self._generation[agent_id] = self._generation.get(agent_id, 0) + 1
            for key in [key for key in self._cache if key[0] == agent_id]:
                del self._cache[key]


def _section(name: str) -> Section:
    known: tuple[Section, ...] = ("identity", "pinned", "episode", "transcript")
    return next((section for section in known if section == name), "none")


def _rate(hits: float, misses: float) -> float:
    return round(hits / (hits + misses), 4) if hits + misses else 0.0


_ITEMS: dict[str, Callable[[Scored], SearchItem]] = {
    "fact": lambda hit: SearchItem(
        kind="fact",
        id=hit.row.id,
        text=hit.row.content,
        score=round(hit.score, 4),
        date=hit.row.valid_from or hit.row.created_at,
        conversation_id=hit.row.conversation_id,
        sources=tuple(source.turn_id for source in hit.row.sources),
    ),
    "episode": lambda hit: SearchItem(
        kind="episode",
        id=hit.row.id,
        text=hit.row.summary,
        score=round(hit.score, 4),
        date=hit.row.started_at,
        conversation_id=hit.row.conversation_id,
        sources=tuple(dict.fromkeys(turn for detail in hit.row.details for turn in detail.turn_ids)),
    ),
    "detail": lambda hit: SearchItem(
        kind="detail",
        id=hit.row.id,
        text=hit.row.content,
        score=round(hit.score, 4),
        date=hit.parent.started_at,
        conversation_id=hit.parent.conversation_id,
        sources=hit.row.turn_ids,
    ),
    "turn": lambda hit: SearchItem(
        kind="turn",
        id=hit.row.id,
        text=hit.row.content,
        score=round(hit.score, 4),
        date=hit.row.said_at,
        conversation_id=hit.row.conversation_id,
        sources=(hit.row.id,),
    ),
}


def _search_item(hit: Scored) -> SearchItem:
    return _ITEMS[hit.kind](hit)
