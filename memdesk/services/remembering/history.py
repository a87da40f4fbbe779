"""The append-only log of changes, for people to read, and undo."""

from collections.abc import Callable
from typing import Final

from attrs import Factory, define

from memdesk.domain.models import HistoryEntry, Page, every
from memdesk.errors import ConflictError, NotFoundError
from memdesk.messages import say
from memdesk.ports import CancelToken, Clock, Repositories, Store
from memdesk.ports.seams import Indexing
from memdesk.services.distilling import LineReader
from memdesk.services.events import EventBus
from memdesk.services.moments import now_ms
from memdesk.services.remembering import taking_back
from memdesk.services.remembering.announcing import announce

#: Changes per transaction.
AT_ONCE: Final = 500
#: Above the number of any change.
_LAST: Final = 2**63 - 1


@define(kw_only=True, eq=False, repr=False, slots=False)
class HistoryService:
    """Reads the history. Whoever makes a change writes it, in the same transaction."""

    _store: Store
    _clock: Clock
    _events: EventBus
    _indexing: Indexing | None = None
    _lines: LineReader = Factory(lambda: LineReader(None))

    def page(
        self,
        *,
        kind: str | None = None,
        ref_id: str | None = None,
        agent_id: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[HistoryEntry]:
        """List changes, newest first.

        ``kind``: fact, episode, identity, entity, conversation or agent; None for all.
        """
        with self._store.read() as repos:
            return repos.history.page(kind=kind, ref_id=ref_id, agent_id=agent_id, limit=limit, cursor=cursor)

    def of(self, kind: str, ref_id: str) -> list[HistoryEntry]:
        """Return every change of one item, newest first."""
        with self._store.read() as repos:
            return list(every(repos.history.page, kind=kind, ref_id=ref_id))

    def together(self, entry_id: str) -> int:
        """Return the number of logged changes made together with a change, itself included.

        Raises:
            NotFoundError: no such change exists.
        """
        with self._store.read() as repos:
            return repos.history.count_alike(_known(repos, entry_id))

    def take_back(
        self,
        entry_id: str,
        *,
        together: bool = False,
        cancel: CancelToken | None = None,
        progress: Callable[[float, str], None] | None = None,
    ) -> int:
        """Undo a change, where its result is still unchanged, and log that.

        With ``together``, also undo all changes made together with it, in slices, last one first; a cancel keeps what
        is done. ``progress`` gets the share done, 0..1. Returns the number of restored items.

        Raises:
            ConflictError: the log does not have the old value, or something changed since.
            NotFoundError: no such change exists.
        """
        with self._store.read() as repos:
            one = _known(repos, entry_id)
            left = every = repos.history.count_alike(one) if together else 1
        if not taking_back.can_be(one):
            raise ConflictError(
                say("This change cannot be undone."), hint=say("The log does not say what was there before.")
            )
        now, count, part, before = now_ms(self._clock), 0, [one], _LAST
        while left > 0 and not (cancel is not None and cancel.is_set()):
            if together:
                with self._store.read() as repos:
                    part = repos.history.alike(one, before=before, limit=AT_ONCE)
            if not part:
                break
            said = taking_back.said_before(self._lines, part, now)
            rows = self._store.write(lambda repos, part=part, said=said: taking_back.take_back(repos, part, now, said))  # type: ignore[misc]  # at once
            announce(self._events, self._indexing, rows)
            count, left, before = count + len(rows), left - len(part), part[-1].seq
            if progress is not None:
                progress(1 - max(0, left) / every, "")
        if not count:
            raise ConflictError(say("Nothing was undone: it was changed again since, or is gone."))
        return count


def _known(repos: Repositories, entry_id: str) -> HistoryEntry:
    entry = repos.history.get(entry_id)
    if entry is None:
        raise NotFoundError(say("There is no such change."), hint="GET /memory/history lists them.")
    return entry
