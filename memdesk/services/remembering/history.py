"""The append-only log of changes, for people to read, and the way back from it."""

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

#: Changes of one transaction.
AT_ONCE: Final = 500
#: Above the number of any change.
_LAST: Final = 2**63 - 1


@define(kw_only=True, eq=False, repr=False, slots=False)
class HistoryService:
    """Reads the history. Those who change something write it, in the same transaction as the change."""

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
        """Return every change of one thing, newest first."""
        with self._store.read() as repos:
            return list(every(repos.history.page, kind=kind, ref_id=ref_id))

    def together(self, entry_id: str) -> int:
        """Return how many changes were made in one go with a change, itself included, that the log holds.

        Raises:
            NotFoundError: there is no such change.
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
        """Take a change back, where what it left is still as it was, and note that in the log.

        With ``together`` all that were made in one go with it are taken back too, in slices, the last one first; what
        is taken back when it is cancelled stays so. ``progress`` is told how far it is, 0..1. Returns how many things
        are as they were.

        Raises:
            ConflictError: the log does not hold what was before, or something has come after.
            NotFoundError: there is no such change.
        """
        with self._store.read() as repos:
            one = _known(repos, entry_id)
            left = every = repos.history.count_alike(one) if together else 1
        if not taking_back.can_be(one):
            raise ConflictError(
                say("This change cannot be taken back."), hint=say("The log does not say what was there before.")
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
            raise ConflictError(say("Nothing was taken back: it was changed again since, or is gone."))
        return count


def _known(repos: Repositories, entry_id: str) -> HistoryEntry:
    entry = repos.history.get(entry_id)
    if entry is None:
        raise NotFoundError(say("There is no such change."), hint="GET /memory/history lists them.")
    return entry
