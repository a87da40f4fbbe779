"""Receipts of replies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memdesk.domain.models import Page, Receipt, ReceiptItem
from memdesk.storage.paging import Listing, fetch
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.values import clean, from_ms, from_ms_or_none, ids, to_ms, to_ms_or_none

_Q: Any = load("receipts")
_NEWEST = Listing(columns="r.*", source="receipts r", key="r.seq", tie="r.seq")
_Items = dict[tuple[int, int], list[ReceiptItem]]


def _item(row: Row) -> ReceiptItem:
    (_receipt, _left, _position, kind, ref_id, line, score, tokens, date, conversation_id, quote, left_out, *_) = row
    return ReceiptItem(
        kind=kind,
        id=ref_id,
        line=line,
        score=score,
        tokens=tokens,
        date=from_ms_or_none(date),
        conversation_id=conversation_id,
        quote=quote,
        left_out=left_out,
    )


def _receipt(row: Row, items: _Items) -> Receipt:
    (seq, id_, agent_id, query, section, rule, tokens, budget, block, mode, filled_from, *rest) = row
    (conversation_id, turn_id, elapsed, created, *_) = rest
    return Receipt(
        id=id_,
        agent_id=agent_id,
        query=query,
        section=section,
        rule=rule,
        tokens=tokens,
        budget_tokens=budget,
        block=block,
        items=tuple(items.get((seq, 0), ())),
        left_out=tuple(items.get((seq, 1), ())),
        mode=mode,
        filled_from=filled_from,
        conversation_id=conversation_id,
        turn_id=turn_id,
        elapsed_ms=elapsed,
        created_at=from_ms(created),
    )


def _item_values(seq: int, receipt: Receipt) -> list[dict[str, Any]]:
    return [
        {
            "receipt_seq": seq,
            "is_left_out": left,
            "position": position,
            "kind": item.kind,
            "ref_id": item.id,
            "line": clean(item.line),
            "score": item.score,
            "tokens": item.tokens,
            "date": to_ms_or_none(item.date),
            "conversation_id": item.conversation_id,
            "quote": clean(item.quote),
            "left_out": item.left_out,
        }
        for left, group in enumerate((receipt.items, receipt.left_out))
        for position, item in enumerate(group)
    ]


class SqlReceipts(Repository):
    """:class:`memdesk.ports.ReceiptsRepo` over SQLCipher."""

    def get(self, receipt_id: str) -> Receipt | None:
        row = _Q.get(self._conn, receipt_id=receipt_id)
        return None if row is None else self._with_items([row])[0]

    def put(self, receipt: Receipt) -> None:
        seq = int(
            _Q.put(
                self._conn,
                id=receipt.id,
                agent_id=receipt.agent_id,
                query=clean(receipt.query),
                section=receipt.section,
                rule=receipt.rule,
                tokens=receipt.tokens,
                budget_tokens=receipt.budget_tokens,
                block=clean(receipt.block),
                mode=receipt.mode,
                filled_from=receipt.filled_from,
                conversation_id=receipt.conversation_id,
                turn_id=receipt.turn_id,
                elapsed_ms=receipt.elapsed_ms,
                created_at=to_ms(receipt.created_at),
            )
        )
        _Q.drop_items(self._conn, receipt_seq=seq)
        _Q.add_items(self._conn, _item_values(seq, receipt))

    def page(
        self,
        *,
        agent_id: str | None = None,
        conversation_id: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Receipt]:
        where: list[str] = []
        values: dict[str, Any] = {}
        if agent_id is not None:
            where.append(_Q.where_agent.sql)
            values["agent_id"] = agent_id
        if conversation_id is not None:
            where.append(_Q.where_conversation.sql)
            values["conversation_id"] = conversation_id
        return fetch(
            self._conn,
            _NEWEST,
            where=where,
            parameters=values,
            limit=limit,
            cursor=cursor,
            build=self._with_items,
        )

    def scrub(self, kind: str, ref_ids: Sequence[str]) -> None:
        wanted = ids(ref_ids)
        _Q.scrub_blocks(self._conn, kind=kind, ids=wanted)
        _Q.scrub_items(self._conn, kind=kind, ids=wanted)

    def _with_items(self, rows: list[Row]) -> list[Receipt]:
        items: _Items = {}
        if rows:
            for row in _Q.items(self._conn, seqs=ids(row[0] for row in rows)):
                items.setdefault((row[0], row[1]), []).append(_item(row))
        return [_receipt(row, items) for row in rows]
