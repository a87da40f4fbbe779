"""Searches a memory for relevant rows only, not merely the nearest."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack

from memdesk.domain.notes import searching
from memdesk.domain.reading.private import PrivateKind, masked
from memdesk.services.moments import now_ms
from memdesk.services.recalling.discretion import Sieve
from memdesk.services.recalling.question import Question
from memdesk.services.recalling.scored import Scored
from memdesk.services.recalling.statements import STATEMENTS

if TYPE_CHECKING:
    from memdesk.domain.models import Scope
    from memdesk.ports import Clock, Repositories, Store
    from memdesk.services.recalling.search import Searcher
    from memdesk.settings.schema import NoteSearch


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchItem:
    """One hit of a search. ``sources`` has its turns (or episode)."""

    kind: Literal["fact", "episode", "detail", "turn"]
    id: str
    text: str
    score: float
    date: datetime | None = None
    conversation_id: str | None = None
    sources: tuple[str, ...] = ()
    #: for a passage of a file: its position, as "house.md#L10-L15"
    cited: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """Hits, best first, and how they were found: ``hybrid`` or ``fts``."""

    mode: str
    items: list[SearchItem]


class Narrow(TypedDict, total=False):
    """The filters of a search.

    Attributes:
        speaker: only what this speaker (a name, or ``user``/``assistant``) said.
        tag: only facts with this tag, or episodes with this topic.
        as_of: what was known then.
        remote: results leave this machine: local-only memory is excluded.
        min_score: minimum probability, overriding that of folders of notes.
    """

    conversation_id: str | None
    since: datetime | None
    until: datetime | None
    speaker: str | None
    kind: str | None
    tag: str | None
    as_of: datetime | None
    remote: bool
    min_score: float | None


class Finder:
    """Answers searches. Thread-safe.

    Args:
        local_kinds: returns the private kinds that stay on this machine.
        folders: returns the search options of an agent's folders of notes, by path.
    """

    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        searcher: Searcher,
        local_kinds: Callable[[], Collection[PrivateKind]],
        folders: Callable[[str], Mapping[str, NoteSearch]],
    ) -> None:
        self._folders = folders
        self._local_kinds = local_kinds
        self._store = store
        self._clock = clock
        self._searcher = searcher

    def search(
        self, *, agent_id: str, query: str, scope: Scope = "all", limit: int = 10, **narrow: Unpack[Narrow]
    ) -> SearchResult:
        """Search an agent's memory.

        ``scope``: ``pinned`` (facts), ``episodes`` (digests and their details), ``transcript`` or ``all``.
        """
        speaker, kind, tag = narrow.get("speaker"), narrow.get("kind"), narrow.get("tag")
        remote, least = narrow.pop("remote", False), narrow.pop("min_score", None)
        folders = self._folders(agent_id)
        width = max((STATEMENTS, *(how.candidates * limit for how in folders.values())))
        asked = self._searcher.ask(agent_id, query, now_ms(self._clock), own=False, **narrow)
        mode = "hybrid" if asked.vector is not None else "fts"
        if limit <= 0 or not asked.query.text:
            return SearchResult(mode=mode, items=[])
        hits: list[Scored] = []
        with self._store.read() as repos:
            if scope in {"pinned", "all"} and speaker is None:
                hits += self._searcher.statements.facts(repos, asked, width)
            elif scope in {"pinned", "all"}:
                hits += _by_speaker(repos, asked, self._searcher.statements.facts(repos, asked, width))
            if scope in {"episodes", "all"} and kind is None and speaker is None:
                episodes = self._searcher.statements.episodes(repos, asked)
                hits += episodes + self._searcher.statements.details(repos, asked, episodes)
            if scope in {"transcript", "all"} and kind is None and tag is None:
                hits += self._searcher.turns(repos, asked, most=limit, only_fitting=True)
            hits = [hit for hit in hits if hit.fits]
            literal: list[Scored] = []
            if (
                speaker is None
                and not any(_holds(hit, query) for hit in hits)
                and (not hits or " " not in query.strip())
            ):
                # Parts of words or symbols: full text cannot find them, and vectors always find something.
                literal = self._searcher.candidates.containing(repos, asked, scope, limit)
            if folders or least is not None:
                hits, literal = (
                    [set_ for hit in found if (set_ := _as_set(hit, folders, asked.now, least)) is not None]
                    for found in (hits, literal)
                )
            hits.sort(key=lambda hit: (-hit.score, hit.kind, hit.seq))
            hits = [*literal, *hits]
            if remote:
                sieve = Sieve.of(repos, agent_id, self._local_kinds())
                hits = [hit for hit in hits if not _stays(sieve, _search_item(hit))]
            _spread(hits, folders, limit)
            del hits[limit:]
            # An episode's sources come from its details, which the search itself does not load.
            whole = repos.items.by_seq([hit.seq for hit in hits if hit.kind == "episode"])
        hits = [replace(hit, row=whole[hit.seq]) if hit.kind == "episode" else hit for hit in hits]
        items = [_search_item(hit) for hit in hits]
        if remote:
            items = [replace(item, text=masked(item.text)) for item in items]
        return SearchResult(mode=mode, items=items)


def _stays(sieve: Sieve, item: SearchItem) -> bool:
    """Whether a hit may not leave this machine."""
    return sieve.keeps(kind=item.kind, row_id=item.id, conversation_id=item.conversation_id, text=item.text)


def _holds(hit: Scored, query: str) -> bool:
    """Whether a hit contains the query literally."""
    return query.strip().casefold() in hit.row.content.casefold()


def _by_speaker(repos: Repositories, asked: Question, hits: list[Scored]) -> list[Scored]:
    """Keep facts with a source turn by the speaker asked for."""
    sources = {source.turn_id for hit in hits for source in hit.row.sources}
    wanted = (asked.speaker or "").casefold()
    said = {
        turn.id
        for turn in repos.turns.many(sorted(sources))
        if turn.speaker.casefold() == wanted or (not turn.speaker and turn.role == wanted)
    }
    return [hit for hit in hits if any(source.turn_id in said for source in hit.row.sources)]


def _how(hit: Scored, folders: Mapping[str, NoteSearch]) -> NoteSearch | None:
    """Return the options of a hit's folder of notes; None if it is in none."""
    return folders.get(hit.row.metadata.get("folder", "")) if hit.kind == "fact" and hit.row.form == "passage" else None


def _as_set(hit: Scored, folders: Mapping[str, NoteSearch], now: datetime, least: float | None) -> Scored | None:
    """Return a hit with its folder's score; None below the minimum."""
    how = _how(hit, folders)
    if how is not None:
        score = searching.scored(
            how,
            hit.score,
            words=hit.words,
            cosine=hit.cosine,
            file=hit.row.metadata["file"],
            days=(now - hit.row.created_at) / timedelta(days=1),
        )
        hit = replace(hit, score=score)
    floor = least if least is not None else 0.0 if how is None else how.min_score
    return hit if hit.score >= floor else None


def _spread(hits: list[Scored], folders: Mapping[str, NoteSearch], limit: int) -> None:
    """Reorder passages as their folders require, within their positions among all hits."""
    told = [(at, hit, how) for at, hit in enumerate(hits) if (how := _how(hit, folders)) is not None]
    if all(how.mmr_lambda is None for _, _, how in told):
        return
    order = searching.spread(
        [hit.score for _, hit, _ in told],
        [hit.row.content for _, hit, _ in told],
        [1.0 if how.mmr_lambda is None else how.mmr_lambda for _, _, how in told],
        limit,
    )
    for (at, _, _), chosen in zip(told, order, strict=True):
        hits[at] = told[chosen][1]


def _search_item(hit: Scored) -> SearchItem:
    row, home = hit.row, hit.row if hit.parent is None else hit.parent
    if hit.kind == "turn":
        date, conversation_id, sources = row.said_at, row.conversation_id, (row.id,)
    else:
        told = (row,) if row.digest is None else row.digest.details
        date, conversation_id = home.happened_at, home.run_id
        sources = tuple(dict.fromkeys(turn for item in told for turn in item.turn_ids))
    return SearchItem(
        kind=hit.kind,
        id=row.id,
        text=row.content,
        score=round(hit.score, 4),
        date=date,
        conversation_id=conversation_id,
        sources=sources,
        cited=hit.cited,
    )
