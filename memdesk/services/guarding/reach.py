"""Decides which rows a caller may name: the only place, for every kind of row and every interface.

A caller limited to an agent that names another's row gets the same answer as for an unknown id, so that trying ids
reveals nothing about other agents.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal, Protocol

from memdesk.errors import NotFoundError
from memdesk.messages import say
from memdesk.ports import Repositories, Store
from memdesk.services.recalling import CARD_PREFIX
from memdesk.services.testing import PREFIX as TEST_PREFIX

#: Kinds of rows that belong to one agent and have their own id. Identity lines, runs, rules and tokens are
#: the user's; conversations are named together with their agent.
RowKind = Literal["fact", "episode", "entity", "turn", "receipt", "card", "item", "memory test"]

Owner = Callable[["Repositories", str], "str | None"]


class _Owned(Protocol):
    @property
    def agent_id(self) -> str | None: ...


class _Rows(Protocol):
    """A repository whose rows have an owner."""

    def get(self, row_id: str, /) -> _Owned | None: ...


def _owner_in(rows_of: Callable[[Repositories], _Rows]) -> Owner:
    """Return a function for the owner of a repository's row; None if it has none or does not exist."""

    def owner(repos: Repositories, row_id: str) -> str | None:
        row = rows_of(repos).get(row_id)
        return row.agent_id or None if row is not None else None

    return owner


def _owner_under(prefix: str) -> Owner:
    """Return a function for the owner of a value stored under ``prefix`` and its id."""

    def owner(repos: Repositories, row_id: str) -> str | None:
        row = repos.meta.get(prefix + row_id)
        return None if row is None else str(row["agent_id"])

    return owner


OWNERS: Final[Mapping[RowKind, Owner]] = {
    "fact": _owner_in(lambda repos: repos.items),
    "episode": _owner_in(lambda repos: repos.items),
    "entity": _owner_in(lambda repos: repos.entities),
    "turn": _owner_in(lambda repos: repos.turns),
    "receipt": _owner_in(lambda repos: repos.receipts),
    "card": _owner_under(CARD_PREFIX),
    "item": _owner_in(lambda repos: repos.items),
    "memory test": _owner_under(TEST_PREFIX),
}
#: The user's name for such a row.
NAMES: Final[Mapping[RowKind, str]] = {
    "fact": "fact",
    "episode": "episode",
    "entity": "person or thing",
    "turn": "message",
    "receipt": "receipt",
    "card": "contradiction",
    "item": "item",
    "memory test": "memory test",
}


def check_reach(store: Store, agents: Iterable[str] | None, kind: RowKind, ids: Iterable[str]) -> None:
    """Refuse rows outside a caller's agents; None means no limit.

    Raises:
        NotFoundError: one of them does not exist or belongs to another agent; the error does not say which.
    """
    if agents is None:
        return
    allowed, owner = frozenset(agents), OWNERS[kind]
    with store.read() as repos:
        for row_id in ids:
            if owner(repos, row_id) not in allowed:
                raise unknown(kind)


def unknown(kind: RowKind) -> NotFoundError:
    """Return the error for an id that is unknown or another agent's."""
    return NotFoundError(say("There is no such {kind}.", kind=NAMES[kind]), hint=say("It may be gone already."))
