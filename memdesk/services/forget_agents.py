"""Forgets the whole memory of agents, however large, without holding the writer for long.

First a mark, durable: from then on nothing of it is returned by any read. Then the rows go in slices. A kill in
between leaves the mark, and the next start goes on.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from memdesk.ports import AGENT_PARTS, BEING_FORGOTTEN, MIRRORS
from memdesk.services.erasing import clear_notes, empty_agent, entries_for, mark_forgotten
from memdesk.services.run_slices import Slices

if TYPE_CHECKING:
    from memdesk.domain.models import Actor
    from memdesk.ports import Repositories, Store
    from memdesk.services.forget_scope import Scope


def begin(store: Store, scope: Scope, actor: Actor, actor_detail: str) -> None:
    """Mark the agents of ``scope``, hide them, and erase what else it names: identity, drafts, rules."""

    def work(repos: Repositories) -> None:
        repos.identity.delete(list(scope.identity))
        for kind, refs in (("identity", list(scope.identity)), ("agent", sorted(scope.agents))):
            repos.history.scrub(kind, refs)
            repos.runs.forget(kind, refs)
        clear_notes(repos, scope)
        mark_forgotten(repos, replace(scope, turns={}, marks=[]))
        repos.history.add(entries_for(scope, actor, actor_detail))
        for agent_id in scope.agents:
            repos.meta.put(BEING_FORGOTTEN + agent_id, True)

    store.hide(scope.agents)
    try:
        store.write(work)
    except BaseException:
        store.hide(scope.agents, hidden=False)
        raise


def marked(repos: Repositories) -> set[str]:
    """Return the agents whose forgetting has begun and not ended."""
    return {key.removeprefix(BEING_FORGOTTEN) for key in repos.meta.prefix(BEING_FORGOTTEN)}


def finish(store: Store, agent_ids: Collection[str]) -> Slices:
    """Erase the memory of marked agents; return the slices it took. Doing it twice is doing it once."""
    slices = Slices(store)
    for agent_id, part in product(sorted(agent_ids), AGENT_PARTS):
        slices.until_nothing(partial(_drain, agent_id, part), between=_go_on)
    for mirror in MIRRORS:
        _merge(slices, mirror)

    def work(repos: Repositories) -> None:
        for agent_id in sorted(agent_ids):
            empty_agent(repos, agent_id)
            repos.meta.put(BEING_FORGOTTEN + agent_id, None)

    store.write(work)
    store.hide(agent_ids, hidden=False)
    return slices


def _drain(agent_id: str, part: str, repos: Repositories, bound: int) -> int:
    return repos.agents.drain(agent_id, part, bound)


def _merge(slices: Slices, mirror: str) -> None:
    first = True

    def work(repos: Repositories, pages: int) -> bool:
        nonlocal first
        more = repos.agents.merge_indexes(mirror, pages, first=first)
        first = False
        return more

    slices.until_nothing(work, between=_go_on)


def _go_on(_done: int) -> None:
    return None
