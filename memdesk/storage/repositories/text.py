"""Full-text search."""

import math
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal

from memdesk.domain.models import Target
from memdesk.ports import TextFilter, TextHit
from memdesk.storage import fts
from memdesk.storage.queries import load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.values import clean, fold, from_json, ids, to_json, to_ms

_Q: Any = load("text")
_OVERFETCH = 4
#: The id of a row, in tables that have one.
_KEYS = ("id", "key", "ref_id", "turn_id")
#: Most rows with a phrase that are returned.
_HOLDERS = 20
_EVERYTHING = -1
#: Matches that one ranking may score. BM25 costs some 2.5 microseconds a match (the row's length is looked
#: up each time), so this bounds a query to about 50 ms however large the store is.
MATCH_BUDGET = 20_000
#: Matches of a word whose rows are looked up to count an agent's own: some 6 milliseconds, once until there are more rows.
_COUNTED = 4_000


def _piece(name: str, target: Target) -> str | None:
    found = getattr(_Q, f"{name}_{target}", None)
    return None if found is None else str(found.sql)


def _mirror(target: Target) -> str:
    """Return the full-text index over a target's rows."""
    return "turn" if target == "turn" else "item"


def _conditions(target: Target, flt: TextFilter) -> tuple[list[str], dict[str, Any]]:
    """Return the filter as SQL. Fields without a column in the target are ignored."""
    owner = _Q.agent_detail.sql if target == "detail" else _Q.agent_turn.sql
    where = [owner]
    values: dict[str, Any] = {"agent_id": flt.agent_id}
    live = "live_fact_as_of" if target == "fact" and flt.as_of else f"live_{target}"
    if (piece := getattr(_Q, live, None)) is not None:
        where.append(piece.sql)
    wanted: dict[str, Any] = {
        "conversation": flt.conversation_id,
        "since": flt.since and to_ms(flt.since),
        "until": flt.until and to_ms(flt.until),
        "as_of": flt.as_of and to_ms(flt.as_of),
        "speaker": flt.speaker,
        "kind": flt.kind,
        "tag": flt.tag and (fold(flt.tag) if target == "fact" else flt.tag),
    }
    for name, value in wanted.items():
        if value is None:
            continue
        # One part serves both if table and column have the same names.
        text = _piece(name, target)
        if text is None and name == "conversation":
            text = _Q.conversation_turn.sql
        if text is None and name == "kind" and target == "detail":
            text = _Q.kind_fact.sql
        if text is not None:
            where.append(text)
            values["conversation_id" if name == "conversation" else name] = value
    return where, values


class SqlTextSearch(Repository):
    """:class:`memdesk.ports.TextSearchRepo` over FTS5."""

    def search(
        self,
        target: Target,
        terms: Sequence[str],
        flt: TextFilter,
        *,
        limit: int = 100,
        among: Collection[int] | None = None,
    ) -> list[TextHit]:
        """Rank live rows with any of ``terms`` by BM25, best first.

        Words that FTS5 cannot find again (symbols, emoji, scripts without spaces) are searched with LIKE and weighted
        by rarity: ``ln(1 + hits wanted / hits)``.
        """
        wanted = fts.normalize(terms)
        where, values = _conditions(target, flt)
        words = [term for term in wanted if fts.indexable(term)]
        scores: dict[int, float] = {}
        if words and limit > 0:
            kept, lowest = self.affordable(target, words, None if among is None else len(among))
            query = {**values, "match": fts.match_any(kept), "lowest": lowest}
            scores = self._ranked(target, where, query, limit, narrow=flt.conversation_id is not None, among=among)
        for term in wanted:
            if not fts.indexable(term):
                found = self._containing(target, term, where, values, limit)
                weight = math.log1p(limit / max(len(found), 1))
                for seq in found:
                    scores[seq] = scores.get(seq, 0.0) + weight
        best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[: max(limit, 0)]
        return [TextHit(seq, score) for seq, score in best]

    def containing(self, target: Target, text: str, flt: TextFilter, *, limit: int) -> list[int]:
        where, values = _conditions(target, flt)
        return self._containing(target, clean(text), where, values, limit)

    def having(self, target: Literal["turn", "fact", "episode"], agent_id: str, words: Iterable[str]) -> list[int]:
        wanted = sorted({form for word in words for form in fts.written(clean(word))})
        quoted = to_json([fts.quote(form) for form in wanted])
        return [row[0] for row in getattr(_Q, f"having_{target}")(self._conn, agent_id=agent_id, words=quoted)]

    def document_frequency(self, target: Target, terms: Sequence[str], agent_id: str | None = None) -> dict[str, int]:
        """Return estimates of how many rows contain each term, as last counted.

        Counted through the index rather than ``fts5vocab``, whose entries are stems: the index stems the term as it
        stemmed the rows, and can count phrases too. A word that very many rows of all agents contain is taken to be as frequent
        in those of one.
        """
        wanted = [clean(term) for term in terms if fts.indexable(term)]
        mirror = _mirror(target)
        size = getattr(_Q, f"last_{mirror}")(self._conn) or 0
        found = self._frequencies(mirror, wanted, size)
        own = None if agent_id is None else self._own_rows(mirror, agent_id)
        if own is not None:
            rare = [word for word, count in found.items() if count <= _COUNTED]
            found = {word: round(count * own / size) for word, count in found.items()}
            found |= self._frequencies(mirror, rare, own, agent_id)
        return {term: found.get(clean(term), 0) for term in terms}

    def holding(self, phrase: str) -> list[tuple[str, str]]:
        """Return up to 20 ``(table, id)`` of rows that contain ``phrase`` literally in any text column.

        Takes the columns from the schema itself, so that none can be overlooked. Reads every row; meant for proving
        that something was forgotten.
        """
        text = clean(phrase)
        if not text:
            return []
        values = {"phrase": text, "json": to_json(text)[1:-1]}
        forms = [f":{name}" for name in ("phrase", "json")[: len(set(values.values()))]]
        selects = []
        for table, columns in self.text_columns().items():
            key = next((name for name in _KEYS if name in columns), columns[0])
            found = " OR ".join(f"instr({column}, {form})" for column in columns for form in forms)
            selects.append(f"SELECT '{table}', {key} FROM {table} WHERE {found}")
        return self._conn.rows(" UNION ALL ".join(selects) + f" LIMIT {_HOLDERS}", values)

    def text_columns(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for table, column in _Q.text_columns(self._conn):
            found.setdefault(table, []).append(column)
        return found

    def affordable(self, target: Target, words: list[str], among: int | None = None) -> tuple[list[str], int]:
        """Return the words to rank by and the lowest row to look at, within :data:`MATCH_BUDGET` matches.

        The most frequent words are dropped first: BM25 gives them next to no weight. If even the rarest is too
        frequent, only the latest rows are scored.

        Args:
            target: the kind of rows.
            words: the words asked for.
            among: how many rows are ranked; None: all.
        """
        if among is not None and among <= MATCH_BUDGET:
            return words, 0
        size = getattr(_Q, f"last_{_mirror(target)}")(self._conn) or 0
        ranked = size if among is None else among
        if ranked <= MATCH_BUDGET:
            return words, 0
        known = self._frequencies(_mirror(target), words, size)
        counted = sorted((known[word] * ranked // size, n) for n, word in enumerate(words))
        total = 0
        kept: list[int] = []
        for count, n in counted:
            total += count
            if kept and total > MATCH_BUDGET:
                break
            kept.append(n)
        rarest = counted[0][0]
        lowest = 0 if rarest <= MATCH_BUDGET else size - int(size * MATCH_BUDGET / rarest)
        return [words[n] for n in sorted(kept)], lowest

    def _frequencies(self, mirror: str, words: Sequence[str], size: int, agent_id: str | None = None) -> dict[str, int]:
        """Return how many of ``size`` rows of a full-text index, of all agents or of one, contain each word."""
        shared = self._shared.frequencies
        found = {word: known for word in words if (known := shared.get(mirror, word, size, agent_id)) is not None}
        if missing := [(word, fts.either(word)) for word in words if word not in found]:
            counted = getattr(_Q, f"frequencies_{mirror}" if agent_id is None else f"own_frequencies_{mirror}")
            whose = {} if agent_id is None else {"agent_id": agent_id}
            for word, count in counted(self._conn, words=to_json(missing), **whose):
                shared.put(mirror, word, size, count, agent_id)
                found[word] = count
        return found

    def rows(self, target: Target, agent_id: str | None = None) -> int:
        mirror = _mirror(target)
        own = None if agent_id is None else self._own_rows(mirror, agent_id)
        return int(getattr(_Q, f"rows_{mirror}")(self._conn)) if own is None else own

    def _own_rows(self, mirror: str, agent_id: str) -> int | None:
        """Return how many rows are an agent's; None if no other has any."""
        if not getattr(_Q, f"shared_{mirror}")(self._conn, agent_id=agent_id):
            return None
        return int(getattr(_Q, f"own_rows_{mirror}")(self._conn, agent_id=agent_id))

    def _ranked(
        self,
        target: Target,
        where: list[str],
        values: dict[str, Any],
        limit: int,
        *,
        narrow: bool,
        among: Collection[int] | None,
    ) -> dict[int, float]:
        # Joining every match with its row costs as much as ranking them. The best few of the whole index are taken
        # first; all matches are joined only if the filter leaves too few of them.
        filters = " AND ".join(f"({piece})" for piece in where)
        ranked = getattr(_Q, f"ranked_{_mirror(target)}" if among is None else "ranked_among").sql
        joined = f"{getattr(_Q, f'joined_{target}').sql} WHERE {filters}"
        # One value, as in turns.sql, and how many hits there were before the filter.
        sql = f"""WITH h AS MATERIALIZED ({ranked})
        SELECT (SELECT json_group_array(json_array(seq, score)) FROM (
          SELECT t.seq, -h.rank AS score FROM h {joined} LIMIT :wanted)), (SELECT count(*) FROM h)"""
        values |= {"wanted": limit, "among": ids(among or ())}
        considered = limit * _OVERFETCH
        for bound in (_EVERYTHING,) if narrow or among is not None else (considered, _EVERYTHING):
            ((packed, hits),) = self._conn.rows(sql, {**values, "considered": bound})
            rows = from_json(packed)
            if len(rows) >= limit or hits < considered:
                break
        return {seq: max(score, 0.0) for seq, score in rows}

    def _containing(self, target: Target, term: str, where: list[str], values: dict[str, Any], limit: int) -> list[int]:
        filters = " AND ".join(f"({piece})" for piece in (*where, getattr(_Q, f"text_{target}").sql))
        sql = f"{getattr(_Q, f'like_{target}').sql} WHERE {filters} ORDER BY t.seq DESC LIMIT :wanted"
        rows = self._conn.rows(sql, {**values, "pattern": fts.like(term), "wanted": limit})
        return [row[0] for row in rows]
