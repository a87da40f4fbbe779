"""Withholds from readers on other machines what is local-only, by hand or by kind, and secrets.

All that leaves goes through :class:`Sieve`: lines of a block as well as search hits.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memdesk.domain.reading.private import PrivateKind, masked, masked_field, private_kinds
from memdesk.domain.recalling.planner import Line, Part
from memdesk.services.recalling.muted import as_left_out

if TYPE_CHECKING:
    from memdesk.domain.items.item import MemoryItem
    from memdesk.domain.models import ReceiptItem
    from memdesk.ports import Repositories


@dataclass(frozen=True, slots=True, kw_only=True)
class Sieve:
    """The part of one agent's memory that stays on this machine.

    Attributes:
        ids: items marked local-only by hand, and their messages.
        conversations: those whose digest repeats such an item.
        kinds: kinds that the settings make local-only.
        people: names of persons.
    """

    ids: frozenset[str]
    conversations: frozenset[str]
    kinds: frozenset[PrivateKind]
    people: frozenset[str]

    @classmethod
    def of(cls, repos: Repositories, agent_id: str, kinds: Collection[PrivateKind]) -> Sieve:
        """Return an agent's current sieve."""
        people = repos.entities.persons(agent_id) if "people" in kinds else ()
        return cls(
            ids=frozenset(repos.items.private(agent_id)),
            conversations=frozenset(repos.items.private_conversations(agent_id)),
            kinds=frozenset(kinds),
            people=frozenset(people),
        )

    def keeps(self, *, kind: str, row_id: str, conversation_id: str | None, text: str) -> bool:
        """Whether something stays on this machine."""
        if row_id in self.ids or (kind == "episode" and conversation_id in self.conversations):
            return True
        return bool(self.kinds) and not self.kinds.isdisjoint(private_kinds(text, self.people))

    def leaving(self, items: Iterable[MemoryItem]) -> list[MemoryItem]:
        """Return the rows that may leave, with secrets masked in all that programs write into them."""
        return [
            replace(
                item,
                content=masked_field(item.key, item.content),
                key=masked(item.key),
                metadata=masked_field("", dict(item.metadata)),
                tags=tuple(map(masked, item.tags)),
            )
            for item in items
            if not self.keeps(kind=item.form, row_id=item.id, conversation_id=item.run_id, text=_told(item))
        ]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is withheld."""
        return not (self.ids or self.conversations or self.kinds)

    def keeps_any(self, items: Iterable[ReceiptItem], texts: Iterable[str]) -> bool:
        """Whether any of a block's lines, or of some texts, stays on this machine."""
        if self.is_empty:
            return False
        rows = ((item.kind, item.id, item.conversation_id, f"{item.line}\n{item.quote}") for item in items)
        said = (("", "", None, text) for text in texts)
        return any(
            self.keeps(kind=kind, row_id=row_id, conversation_id=talk, text=text)
            for kind, row_id, talk, text in (*rows, *said)
        )

    def block(self, always: Sequence[Line], parts: Sequence[Part]) -> tuple[list[Line], list[Part], list[ReceiptItem]]:
        """Return what may leave, with secrets masked, and the receipt's entry for the rest."""
        lines = [*always, *(line for part in parts for line in part.lines)]
        kept = {(line.kind, line.id) for line in lines if self._keeps(line)}
        left = [as_left_out(line, "local_only") for line in lines if (line.kind, line.id) in kept]

        def leaving(some: Sequence[Line]) -> list[Line]:
            return [
                replace(line, text=masked(line.text, line.whole), quote=masked(line.quote, line.whole), whole="")
                for line in some
                if (line.kind, line.id) not in kept
            ]

        return leaving(always), [replace(part, lines=leaving(part.lines)) for part in parts], left

    def _keeps(self, line: Line) -> bool:
        text = f"{line.text}\n{line.quote}\n{line.whole}"
        return self.keeps(kind=line.kind, row_id=line.id, conversation_id=line.conversation_id, text=text)


def _told(item: MemoryItem) -> str:
    """Return a row's text, including what programs added to it."""
    beside = (json.dumps(dict(item.metadata), ensure_ascii=False),) if item.metadata else ()
    return "\n".join(filter(None, (item.content, item.key, *item.tags, *beside)))
