"""Receipts of replies."""

from collections.abc import Sequence
from typing import Any

from memdesk.domain.models import Page, Receipt, ReceiptItem
from memdesk.storage.paging import Listing, given
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.repositories.columns import MOMENT, MOMENT_OR_NONE, TEXT, Columns
from memdesk.storage.values import ids, to_json

_Q: Any = load("receipts")
_NEWEST = Listing(columns="r.*", source="receipts r", key="r.seq", tie="r.seq")
_RECEIPT = Columns(
    Receipt,
    "- id agent_id query section rule tokens budget_tokens block mode filled_from conversation_id turn_id elapsed_ms "
    "created_at",
    query=TEXT,
    block=TEXT,
    created_at=MOMENT,
)
_ITEM = Columns(
    ReceiptItem,
    "- - - kind id line score tokens date conversation_id quote left_out",
    line=TEXT,
    date=MOMENT_OR_NONE,
    quote=TEXT,
)


class SqlReceipts(Repository):
    """:class:`memdesk.ports.ReceiptsRepo` over SQLCipher."""

    def get(self, receipt_id: str) -> Receipt | None:
        row = _Q.get(self._conn, receipt_id=receipt_id)
        return None if row is None else self._with_items([row])[0]

    def put(self, receipt: Receipt) -> None:
        seq = int(_Q.put(self._conn, **_RECEIPT.values(receipt)))
        _Q.drop_items(self._conn, receipt_seq=seq)
        rows = [
            [left, position, *_ITEM.values(item).values()]
            for left, group in enumerate((receipt.items, receipt.left_out))
            for position, item in enumerate(group)
        ]
        # One statement: between two, the writer would wait for other threads of Python.
        _Q.add_items(self._conn, receipt_seq=seq, rows=to_json(rows))

    def page(
        self,
        *,
        agent_id: str | None = None,
        conversation_id: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Receipt]:
        return self._page(
            _NEWEST, given(_Q, agent_id=agent_id, conversation_id=conversation_id), self._with_items, limit, cursor
        )

    def scrub(self, kind: str, ref_ids: Sequence[str]) -> None:
        wanted = ids(ref_ids)
        _Q.scrub_blocks(self._conn, kind=kind, ids=wanted)
        _Q.scrub_items(self._conn, kind=kind, ids=wanted)

    def _with_items(self, rows: list[Row]) -> list[Receipt]:
        items: dict[tuple[int, int], list[ReceiptItem]] = {}
        if rows:
            for row in _Q.items(self._conn, seqs=ids(row[0] for row in rows)):
                items.setdefault((row[0], row[1]), []).append(_ITEM.of(row))
        return [
            _RECEIPT.of(row, items=tuple(items.get((row[0], 0), ())), left_out=tuple(items.get((row[0], 1), ())))
            for row in rows
        ]
