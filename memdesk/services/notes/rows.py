"""The passages of one file as items: written and deleted as a whole, so that a file always has one complete version."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any, Final

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.language.text import content_hash
from memdesk.domain.models import new_id
from memdesk.domain.notes.chunks import VERSION, Chunk, chunks
from memdesk.domain.notes.kept import FOLDERS, FORGOTTEN
from memdesk.domain.notes.marks import Marks, marks_of
from memdesk.domain.notes.searching import day_of
from memdesk.ports import Repositories
from memdesk.services.notes.files import MARKDOWN, Note, Stamp
from memdesk.settings.schema import NoteFolder

_SALIENCE: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A file of a folder, and the key of its stored state."""

    folder: NoteFolder
    folder_id: str
    relative: str

    @property
    def key(self) -> str:
        return f"{FOLDERS}{self.folder_id}:{self.relative}"


def up_to_date(kept: Any, folder: NoteFolder, stamp: Stamp) -> bool:
    """Whether neither the file nor its options have changed since it was read."""
    return bool(kept) and kept.items() >= _state(folder, stamp).items()


def item_ids(kept: Mapping[str, Any]) -> list[str]:
    """Return the ids of a file's stored passages."""
    return [item_id for _, _, item_id in kept["passages"] if item_id]


def write(repos: Repositories, place: Place, note: Note, now: datetime) -> tuple[list[int], list[int]]:
    """Replace the passages of a file, in the caller's transaction.

    An unchanged passage keeps its row, and so its vector; a forgotten one stays forgotten.

    Returns:
        Numbers of new or changed rows, and of deleted ones.
    """
    kept = repos.meta.get(place.key) or {}
    before = {(digest, number): item_id for digest, number, item_id in kept.get("passages", ())}
    known = {item.id: item for item in repos.items.many([item_id for item_id in before.values() if item_id])}
    file_id = kept.get("id") or new_id()
    forgotten = frozenset(repos.meta.get(FORGOTTEN + place.folder_id) or ())
    written: list[int] = []
    passages: list[tuple[str, int, str]] = []
    seen: Counter[str] = Counter()
    for item in _items(place, note, file_id, now):
        digest = content_hash(item.content)
        at = digest, seen[digest]
        seen[digest] += 1
        if at not in before and digest in forgotten:
            passages.append((*at, ""))
            continue
        if at not in before:
            written.append(repos.items.add(item))
            passages.append((*at, item.id))
            continue
        old = known.pop(before[at], None)
        # A forgotten passage must not come back with the next change of its file.
        passages.append((*at, old.id if old is not None else ""))
        written += _moved(repos, old, item) if old is not None else []
    gone = _delete(repos, list(known.values()))
    repos.meta.put(place.key, {**_state(place.folder, note.stamp), "id": file_id, "passages": passages})
    return written, gone


def refuse(repos: Repositories, place: Place, stamp: Stamp, reason: str) -> list[int]:
    """Record why a file cannot be read; return the numbers of the deleted rows."""
    gone = remove(repos, place)
    repos.meta.put(place.key, {**_state(place.folder, stamp), "reason": reason, "passages": []})
    return gone


def remove(repos: Repositories, place: Place) -> list[int]:
    """Remove a file with its passages; return the numbers of the deleted rows.

    What was forgotten of it stays so under another name.
    """
    kept = repos.meta.get(place.key)
    if kept is None:
        return []
    repos.meta.put(place.key, None)
    there = repos.items.many(item_ids(kept))
    ids = {item.id for item in there}
    if gone := {digest for digest, _, item_id in kept["passages"] if item_id not in ids}:
        key = FORGOTTEN + place.folder_id
        repos.meta.put(key, sorted(gone.union(repos.meta.get(key) or ())))
    return _delete(repos, there)


def _state(folder: NoteFolder, stamp: Stamp) -> dict[str, Any]:
    return {"cut": VERSION, "local_only": folder.local_only, "size": stamp.size, "written": stamp.written}


def _delete(repos: Repositories, items: Sequence[MemoryItem]) -> list[int]:
    repos.items.delete([item.id for item in items])
    return [item.seq for item in items]


def _moved(repos: Repositories, old: MemoryItem, new: MemoryItem) -> list[int]:
    """Update a passage's position; return its number if its search text has changed."""
    changed = replace(
        old,
        metadata=new.metadata,
        tags=new.tags,
        privacy=new.privacy,
        created_at=new.created_at,
        updated_at=new.updated_at,
    )
    if replace(changed, updated_at=old.updated_at) == old:
        return []
    repos.items.replace(changed)
    return [old.seq] if changed.metadata.get("heading") != old.metadata.get("heading") else []


def _items(place: Place, note: Note, file_id: str, now: datetime) -> list[MemoryItem]:
    marks = marks_of(note.text) if PurePosixPath(place.relative).suffix.casefold() in MARKDOWN else Marks()
    when = _written(place.relative, note.stamp, now)
    return [
        MemoryItem(
            id=new_id(),
            form="passage",
            type="semantic",
            tier="kept",
            agent_id=place.folder.agent,
            content=chunk.text,
            metadata=_metadata(place, marks, chunk),
            tags=marks.tags,
            privacy="local_only" if place.folder.local_only else "normal",
            salience=_SALIENCE,
            origin="import",
            provenance="document",
            parent_id=file_id,
            created_at=when,
            updated_at=now,
        )
        for chunk in chunks(note.text, skipped=marks.lines)
    ]


def _metadata(place: Place, marks: Marks, chunk: Chunk) -> dict[str, Any]:
    found = {
        "file": place.relative,
        "folder": place.folder.path,
        "start": chunk.start,
        "end": chunk.end,
        "page": chunk.page,
        "heading": chunk.heading,
        "links": list(marks.links),
        "front": dict(marks.front),
    }
    return {name: value for name, value in found.items() if value}


def _written(relative: str, stamp: Stamp, now: datetime) -> datetime:
    """Return the day in a file's name, as in daily notes, else the file's modification time; never in the future."""
    written = datetime.fromtimestamp(stamp.written / 1e9, UTC).replace(microsecond=0)
    return min(day_of(relative) or written, now)
