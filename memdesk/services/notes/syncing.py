"""Syncs the passages of folders with their files."""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from memdesk.domain.notes.kept import FOLDERS, FORGOTTEN
from memdesk.errors import BadRequestError, EnvironmentFault, NotFoundError
from memdesk.messages import say
from memdesk.ports import Clock, Lanes, Repositories, Store
from memdesk.ports.seams import Indexing
from memdesk.services.events import EventBus, MemoryChanged, RunChanged
from memdesk.services.moments import now_ms
from memdesk.services.notes import rows
from memdesk.services.notes.files import ChangingError, Note, Stamp, folder_id, read_note, relative_to, walk
from memdesk.settings.schema import NoteFolder

#: Files per transaction.
BATCH: Final = 20
#: Seconds before a file that changed while being read is retried.
AGAIN_SECONDS: Final = 3.0
AGAIN: Final = "notes.again"

#: Stores one file; returns the numbers of new or changed rows, and of deleted ones.
_Work = Callable[["Repositories"], tuple[list[int], list[int]]]


@dataclass(slots=True, kw_only=True)
class Synced:
    """The result of one scan, in files."""

    read: int = 0
    unchanged: int = 0
    removed: int = 0
    refused: int = 0


class Synchronizer:
    """Reads what has changed and stores it, one caller at a time. Files are read outside of transactions.

    Unknown ids raise ``NotFoundError``.
    """

    def __init__(self, *, store: Store, clock: Clock, events: EventBus, lanes: Lanes, indexing: Indexing) -> None:
        self._store = store
        self._clock = clock
        self._events = events
        self._lanes = lanes
        self._indexing = indexing
        self._lock = threading.Lock()

    def whole(self, folder: NoteFolder, done: Synced, *, force: bool = False) -> None:
        """Scan all files of a folder.

        ``done`` counts the results; ``force`` rereads unchanged files.
        """
        with self._lock:
            found = dict(walk(folder))
            kept = self.kept(folder_id(folder))
            stale = [
                name for name, stamp in found.items() if force or not rows.up_to_date(kept.get(name), folder, stamp)
            ]
            done.unchanged += len(found) - len(stale)
            self._remove(folder, kept.keys() - found.keys(), done)
            for at in range(0, len(stale), BATCH):
                self._read(folder, {name: found[name] for name in stale[at : at + BATCH]}, done)
                self._tell(folder, "running", min(1.0, (at + BATCH) / len(stale)), len(stale))
            self._tell(folder, "done", 1.0, done.read)

    def some(self, folder: NoteFolder, paths: Iterable[str], done: Synced) -> None:
        """Process files given by absolute paths; a folder's path, existing or not, means everything below it."""
        names = {name for path in paths if (name := relative_to(folder, path)) is not None}
        if "." in names:
            self.whole(folder, done)
        elif names:
            with self._lock:
                found = {name: stamp for one in names for name, stamp in walk(folder, one)}
                known = {name for one in names for name in self.kept(folder_id(folder), one) if _within(name, one)}
                self._remove(folder, known - found.keys(), done)
                self._read(folder, found, done)

    def kept(self, wanted: str, name: str = "") -> dict[str, dict[str, object]]:
        """Return the stored states of a folder's files whose names start with ``name``."""
        prefix = f"{FOLDERS}{wanted}:"
        with self._store.read() as repos:
            return {key.removeprefix(prefix): value for key, value in repos.meta.prefix(prefix + name).items()}

    def drop_others(self, present: Iterable[str]) -> int:
        """Remove everything from folders other than these ids; return the number of files."""
        with self._store.read() as repos:
            known = {key.split(":", 2)[1] for key in repos.meta.prefix(FOLDERS)}
        return sum(self.drop(other) for other in known - set(present))

    def drop(self, wanted: str) -> int:
        """Remove everything from a folder; return the number of files."""
        prefix = f"{FOLDERS}{wanted}:"
        with self._lock:
            kept = self.kept(wanted)
            ids = [item_id for value in kept.values() for item_id in rows.item_ids(value)]
            with self._store.read() as repos:
                items = repos.items.many(ids)

            def work(repos: Repositories) -> None:
                repos.items.delete(ids)
                repos.meta.drop(prefix, len(kept))
                repos.meta.put(FORGOTTEN + wanted, None)

            self._store.write(work, priority="background")
        for agent_id in {item.agent_id for item in items if item.agent_id}:
            self._changed(agent_id, [], [item.seq for item in items if item.agent_id == agent_id])
        return len(kept)

    def _read(self, folder: NoteFolder, stamps: dict[str, Stamp], done: Synced) -> None:
        now, work = now_ms(self._clock), []
        restless: set[str] = set()
        for name, stamp in stamps.items():
            place = rows.Place(folder=folder, folder_id=folder_id(folder), relative=name)
            try:
                note = read_note(folder, name)
            except ChangingError:
                restless.add(str(Path(folder.path, name)))
            except NotFoundError:
                # It was deleted since the walk: the watcher reports that.
                continue
            except (BadRequestError, EnvironmentFault) as refused:
                done.refused += 1
                work.append(_refusing(place, stamp, f"{refused.message} {refused.hint}".strip()))
            else:
                done.read += 1
                work.append(_writing(place, note, now))
        self._write(folder, work)
        if restless:
            self._lanes.later(AGAIN_SECONDS, "background", lambda: self.some(folder, restless, Synced()), key=AGAIN)

    def _remove(self, folder: NoteFolder, names: Iterable[str], done: Synced) -> None:
        places = [rows.Place(folder=folder, folder_id=folder_id(folder), relative=name) for name in names]
        done.removed += len(places)
        self._write(folder, [_removing(place) for place in places])

    def _write(self, folder: NoteFolder, work: Sequence[_Work]) -> None:
        if work:
            pairs = self._store.write(lambda repos: [each(repos) for each in work], priority="background")
            self._changed(
                folder.agent, [seq for fresh, _ in pairs for seq in fresh], [seq for _, lost in pairs for seq in lost]
            )

    def _changed(self, agent_id: str, written: list[int], gone: list[int]) -> None:
        self._indexing.forget(agent_id, "item", gone)
        if written:
            self._indexing.note(agent_id, "item", written)
        if gone or written:
            self._events.publish(MemoryChanged(agent_id, ("fact",)))

    def _tell(self, folder: NoteFolder, status: str, progress: float, files: int) -> None:
        self._events.publish(RunChanged(folder_id(folder), "notes", status, progress, say("{n:,} files", n=files)))


def _within(name: str, above: str) -> bool:
    return name == above or name.startswith(f"{above}/")


def _writing(place: rows.Place, note: Note, now: datetime) -> _Work:
    return lambda repos: rows.write(repos, place, note, now)


def _refusing(place: rows.Place, stamp: Stamp, reason: str) -> _Work:
    return lambda repos: ([], rows.refuse(repos, place, stamp, reason))


def _removing(place: rows.Place) -> _Work:
    return lambda repos: ([], rows.remove(repos, place))
