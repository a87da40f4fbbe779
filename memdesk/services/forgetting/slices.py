"""Forgets what is too large for one transaction, without holding the writer for long.

First a small, durable mark: from then on no read returns any of it, and whoever reopens the store hides it again. Then,
in slices, copies are blanked and remaining rows get their new states; then rows are deleted. A kill leaves the mark,
and the next start resumes: before the first deletion by gathering the target again, which is still all there;
afterwards by the row numbers in the mark.
"""

from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import datetime
from functools import partial
from itertools import product
from typing import Any, Final

from memdesk.domain.forgetting.hiding import Hidden
from memdesk.domain.models import new_id
from memdesk.ports import AGENT_PARTS, BEING_FORGOTTEN, MIRRORS, Repositories, StoreUpkeep
from memdesk.services.distilling import marks_of, note_forgetting
from memdesk.services.forgetting.copies import Copies, find_copies
from memdesk.services.forgetting.erasing import TABLES, By, changes, hidden_by, removal
from memdesk.services.forgetting.gathering import gather
from memdesk.services.forgetting.scope import ForgetTarget, Scope
from memdesk.services.slices import Slices

#: Removing a row from a full-text index costs some 25 times as much as reindexing a remaining row.
_ANEW_FROM: Final = 25
#: Below this many rows a rebuild is never worthwhile.
_MANY_ROWS: Final = 2000
#: Each slice leaves a segment in a full-text index. More segments delay the start of a merge.
_MERGED_AFTER: Final = 16
#: Maximum pages merged at a time: their cost varies a lot.
_MERGED_PAGES: Final = 12


class SlicedForgetting:
    """One piece of forgetting, in slices.

    Args:
        name: of the mark; a new one unless resuming.

    Attributes:
        slices: the cost of each slice.
    """

    def __init__(self, store: StoreUpkeep, target: ForgetTarget, by: By, *, name: str = "") -> None:
        self._store = store
        self._target = target
        self._by = by
        self._name = name or BEING_FORGOTTEN + new_id()
        self.slices = Slices(store)
        self._merging = Slices(store)
        self._marks = False
        self._unmerged = 0

    def begin(self, scope: Scope, copies: Copies, then: Callable[[Repositories], object] | None = None) -> None:
        """Hide and mark it, together with its replacement.

        ``then`` writes in the same transaction.
        """
        with self._store.read() as repos:
            hidden = hidden_by(repos, scope, copies)
        mark = self._mark(hidden, rows_only=False)

        def work(repos: Repositories) -> None:
            repos.meta.put(self._name, mark)
            note_forgetting(repos, scope.agent_ids(), self._by.at)
            for key in copies.notes:
                repos.meta.put(key, None)
            for thread in scope.conversations.values():
                # Later messages start it again.
                repos.conversations.put(replace(thread, title="", draft=""))
            if then is not None:
                then(repos)

        self._store.hide(self._name, hidden)
        try:
            self._store.write(work)
        except BaseException:
            # Nothing was marked, whatever stopped it: everything must be visible again.
            self._store.hide(self._name, None)
            raise

    def change(self, scope: Scope, copies: Copies) -> Hidden:
        """Blank copies and write the new states of remaining rows; return what is left to delete."""
        for step in changes(scope, copies):
            for _ in self.slices.over(step.items, step.work, between=_go_on):
                pass
        if scope.agents:
            # Its own log is blanked with the rest.
            entries = [self._by.entry("agent", agent_id, agent_id) for agent_id in sorted(scope.agents)]
            self._store.write(lambda repos: repos.history.add(entries), priority="background")
        with self._store.read(unveiled=True) as repos:
            hidden = hidden_by(repos, scope, None)
        mark = self._mark(hidden, rows_only=True)
        self._store.write(lambda repos: repos.meta.put(self._name, mark), priority="background")
        self._store.hide(self._name, hidden)
        return hidden

    def remove(self, hidden: Hidden) -> None:
        """Delete the rows, and finally the mark."""
        with self._store.read() as repos:
            self._marks = _anew(repos, hidden)
        self._remove_agents(hidden.agents)
        for table in TABLES:
            seqs = hidden.threads if table == "conversations" else hidden.rows.get(table, ())
            step = removal(table, seqs, self._by, marks=self._marks)
            if table == "entities" and step.items:
                self._until_nothing(lambda repos, bound, seqs=step.items: repos.erasing.links(seqs, bound))  # type: ignore[misc]
            for _ in self.slices.over(step.items, step.work, between=self._count):
                pass
        # Latest segments first: the fewer there are, the sooner the rewrite starts.
        self._merge_all(whole=False)
        self._merge_all(whole=True)
        self._store.write(lambda repos: repos.meta.put(self._name, None), priority="background")
        self._store.hide(self._name, None)

    def resume(self, mark: dict[str, Any]) -> None:
        """Resume after a kill."""
        hidden = Hidden.from_json(mark["hidden"])
        if not mark["rows_only"]:
            with self._store.read(unveiled=True) as repos:
                scope = gather(repos, self._target, self._by.at, among=hidden)
                copies = find_copies(repos, scope)
            hidden = self.change(scope, copies)
        self.remove(hidden)

    def _mark(self, hidden: Hidden, *, rows_only: bool) -> dict[str, Any]:
        return {
            "hidden": hidden.as_json(),
            "rows_only": rows_only,
            "target": asdict(self._target),
            "by": [self._by.actor, self._by.detail, self._by.at.isoformat()],
        }

    def _remove_agents(self, agent_ids: frozenset[str]) -> None:
        for agent_id, part in product(sorted(agent_ids), AGENT_PARTS):
            self._until_nothing(partial(_drain, agent_id, part))
        for agent_id in sorted(agent_ids):
            self._until_nothing(partial(_drop_marks, marks_of(agent_id)))

    def _until_nothing(self, work: Callable[[Repositories, int], int | bool]) -> None:
        self.slices.until_nothing(work, between=self._count)

    def _count(self, _done: int) -> None:
        """Merge the latest segments of the full-text indexes periodically."""
        self._unmerged += 1
        if self._unmerged >= _MERGED_AFTER:
            self._merge_all(whole=False)

    def _merge_all(self, *, whole: bool) -> None:
        self._unmerged = 0
        for mirror in MIRRORS if self._marks else ():
            self._merge(mirror, first=whole)

    def _merge(self, mirror: str, *, first: bool) -> None:

        def work(repos: Repositories, pages: int) -> bool:
            nonlocal first
            more = repos.erasing.merge_indexes(mirror, min(pages, _MERGED_PAGES), first=first)
            first = False
            return more

        self._merging.until_nothing(work, between=_go_on)


def _anew(repos: Repositories, hidden: Hidden) -> bool:
    """Whether to rebuild the full-text indexes instead of deleting word by word."""
    if hidden.agents:
        return True
    going = sum(len(hidden.rows.get(table, ())) for table in ("turns", "facts", "episodes"))
    return going >= _MANY_ROWS and going * _ANEW_FROM >= repos.text.rows("turn")


def unfinished(store: StoreUpkeep) -> list[tuple[SlicedForgetting, dict[str, Any]]]:
    with store.read() as repos:
        marks = repos.meta.prefix(BEING_FORGOTTEN)
    found = []
    for name, mark in marks.items():
        actor, detail, at = mark["by"]
        target = ForgetTarget(**{**mark["target"], "ids": tuple(mark["target"]["ids"])})
        by = By(actor, detail, datetime.fromisoformat(at))
        found.append((SlicedForgetting(store, target, by, name=name), mark))
    return found


def _drain(agent_id: str, part: str, repos: Repositories, bound: int) -> int:
    return repos.erasing.drain(agent_id, part, bound)


def _drop_marks(prefix: str, repos: Repositories, bound: int) -> int:
    return repos.meta.drop(prefix, bound)


def _go_on(_done: int) -> None:
    return None
