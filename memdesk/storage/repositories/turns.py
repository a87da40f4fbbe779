"""The transcript."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from memdesk.domain.models import Page, Turn, Utterance
from memdesk.ports import UsageRow
from memdesk.storage import fts
from memdesk.storage.paging import Listing, given
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories.base import FEW, Repository, insert_few
from memdesk.storage.values import clean, dated, from_json, from_ms, ids, to_json, to_ms

_Q: Any = load("turns")
_THREAD = Listing(columns="t.*", source="turns t", key="t.position", tie="t.seq", descending=False)
_NEWEST = Listing(columns="t.*", source="turns t", key="t.said_at", tie="t.seq")


def _turn(row: Row) -> Turn:
    (seq, id_, agent_id, conversation_id, position, role, speaker, content, said, created, *rest) = row
    (model, receipt_id, usage, _dated, images, program) = rest
    return Turn(
        id=id_,
        agent_id=agent_id,
        conversation_id=conversation_id,
        position=position,
        role=role,
        speaker=speaker,
        content=content,
        said_at=from_ms(said),
        created_at=from_ms(created),
        model=model,
        receipt_id=receipt_id,
        usage={} if usage == "{}" else from_json(usage),
        images=() if images == "[]" else tuple(from_json(images)),
        program=program,
        seq=seq,
    )


def _values(turn: Turn, seq: int) -> tuple[Any, ...]:
    """Return the columns in the order of the query."""
    return (
        seq,
        turn.id,
        turn.agent_id,
        turn.conversation_id,
        turn.position,
        turn.role,
        clean(turn.speaker),
        clean(turn.content),
        to_ms(turn.said_at),
        to_ms(turn.created_at),
        turn.model,
        turn.receipt_id,
        to_json(turn.usage),
        dated(turn.said_at),
        ids(turn.images),
        clean(turn.program),
    )


class SqlTurns(Repository):
    """:class:`memdesk.ports.TurnsRepo` over SQLCipher."""

    def add(self, turns: Sequence[Turn]) -> list[int]:
        """Insert turns; return their ``seq``, ascending, in the order given.

        The conversations must exist. The numbers are assigned here rather than queried row by row, which lets one
        statement insert them all; with a single writer, nobody else takes them.
        """
        first = (_Q.last_seq(self._conn) or 0) + 1
        rows = [_values(turn, first + offset) for offset, turn in enumerate(turns)]
        if len(rows) <= FEW:
            insert_few(self._conn, _Q.add_few.sql, rows)
        else:
            _Q.add(self._conn, rows=to_json(rows))
        return list(range(first, first + len(turns)))

    def get(self, turn_id: str) -> Turn | None:
        row = _Q.get(self._conn, turn_id=turn_id)
        return None if row is None else _turn(row)

    def many(self, turn_ids: Sequence[str]) -> list[Turn]:
        return [_turn(row) for row in _Q.many(self._conn, ids=ids(turn_ids))]

    def by_seq(self, seqs: Sequence[int]) -> dict[int, Turn]:
        return {row[0]: _turn(row) for row in _Q.by_seq(self._conn, seqs=ids(seqs))}

    def said(self, seqs: Sequence[int]) -> dict[int, Utterance]:
        rows = from_json(_Q.said(self._conn, seqs=ids(seqs)))
        return {row[0]: Utterance._make((*row[:8], from_ms(row[8]), row[9])) for row in rows}

    def of_conversation(self, agent_id: str, conversation_id: str) -> list[Turn]:
        rows = _Q.of_conversation(self._conn, agent_id=agent_id, conversation_id=conversation_id)
        return [_turn(row) for row in rows]

    def of_program(self, program: str) -> list[Turn]:
        name = clean(program)
        return [_turn(row) for row in _Q.of_program(self._conn, detail=name, begins=f"{name}: ")]

    def senders(self) -> list[tuple[str, int, datetime]]:
        return [(name, count, from_ms(at)) for name, count, at in _Q.senders(self._conn)]

    def page(
        self,
        *,
        agent_id: str | None,
        conversation_id: str | None = None,
        query: str = "",
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Turn]:
        where, values = given(_Q, agent_id=agent_id, conversation_id=conversation_id)
        typed, words = fts.typed(_Q, query)
        return self._page(
            _NEWEST if conversation_id is None else _THREAD,
            (where + typed, values | words),
            lambda rows: [_turn(row) for row in rows],
            limit,
            cursor,
        )

    def usage(self, since: datetime) -> list[UsageRow]:
        return [
            UsageRow(
                day=date.fromisoformat(day),
                model=model,
                answers=answers,
                prompt_tokens=read,
                completion_tokens=written,
                memory_tokens=memory,
                seconds=seconds,
            )
            for day, model, answers, read, written, memory, seconds in _Q.usage(self._conn, since=to_ms(since))
        ]

    def next_position(self, agent_id: str, conversation_id: str) -> int:
        return int(_Q.next_position(self._conn, agent_id=agent_id, conversation_id=conversation_id))

    def count(self, agent_id: str | None = None) -> int:
        found = _Q.count_all(self._conn) if agent_id is None else _Q.count_of(self._conn, agent_id=agent_id)
        return int(found)
