"""Lines kept out of blocks: those the user muted in one conversation, and prompt injections.

Stored by id only; the memory itself is unchanged.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from memdesk.domain.models import ReceiptItem
from memdesk.domain.reading.injection import order_in
from memdesk.domain.recalling.planner import Line, Part
from memdesk.ports import Repositories, Store

Muted = frozenset[tuple[str, str]]
_PREFIX = "muted:"


def _key(agent_id: str, conversation_id: str) -> str:
    return f"{_PREFIX}{agent_id}\x1f{conversation_id}"


def muted_in(store: Store, agent_id: str, conversation_id: str | None) -> Muted:
    """Return ``(kind, id)`` of items muted in a conversation."""
    if not conversation_id:
        return frozenset()
    with store.read() as repos:
        found = repos.meta.get(_key(agent_id, conversation_id)) or []
    return frozenset((kind, ref_id) for kind, ref_id in found)


def change_muted(repos: Repositories, agent_id: str, conversation_id: str, kind: str, ref_id: str, *, on: bool) -> None:
    """Mute or unmute an item in a conversation."""
    key = _key(agent_id, conversation_id)
    present = {tuple(pair) for pair in repos.meta.get(key) or []}
    present = present | {(kind, ref_id)} if on else present - {(kind, ref_id)}
    repos.meta.put(key, sorted(present) or None)


def without(parts: Iterable[Part], muted: Muted) -> list[Part]:
    """Return the parts without muted lines."""
    return [replace(part, lines=heard(part.lines, muted)) for part in parts]


def heard(lines: Sequence[Line], muted: Muted) -> list[Line]:
    return [line for line in lines if (line.kind, line.id) not in muted]


def orders_in(shown: Iterable[ReceiptItem]) -> Muted:
    """Return messages and digests of a block that look like orders to a model: only the user's own standing instructions may be."""
    return frozenset((item.kind, item.id) for item in shown if item.kind in {"turn", "episode"} and order_in(item.line))


def silenced(lines: Iterable[Line], unwanted: Muted, why: str) -> list[ReceiptItem]:
    """Return muted lines as a receipt's omitted lines."""
    return [as_left_out(line, why) for line in lines if (line.kind, line.id) in unwanted]


def taken_out(lines: Iterable[Line], shown: Iterable[ReceiptItem]) -> list[ReceiptItem]:
    """Return sentences to the assistant removed from shown lines, as a receipt's omitted lines."""
    present = {(item.kind, item.id) for item in shown}
    return [
        as_left_out(replace(line, text=order), "order")
        for line in lines
        if (line.kind, line.id) in present
        for order in line.orders
    ]


def as_left_out(line: Line, why: str) -> ReceiptItem:
    return ReceiptItem(
        kind=line.kind,
        id=line.id,
        line=line.text,
        score=round(line.score, 4),
        tokens=0,
        date=line.date,
        conversation_id=line.conversation_id,
        quote=line.quote,
        left_out=why,
    )
