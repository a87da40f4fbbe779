"""Files that an agent writes for itself below ``/memories``: Anthropic's memory tool over the encrypted store.

A file is its passages, in order: forgetting one also removes its text from the file, and hits are cited by file and
line. Names, formats and messages are those of the ``anthropic`` package's own backend, which models were trained with:
``anthropic/lib/tools/_beta_builtin_memory_tool.py``.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from attrs import define

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.language.text import estimate_tokens
from memdesk.domain.models import HistoryEntry, new_id
from memdesk.domain.notes.chunks import SMALL, parts
from memdesk.domain.notes.kept import FILES, files_of
from memdesk.errors import BadRequestError
from memdesk.services.events import EventBus, MemoryChanged
from memdesk.services.moments import now_ms
from memdesk.services.notes.shown import lines_of, listing, numbered, with_numbers

if TYPE_CHECKING:
    from memdesk.ports import Clock, Repositories, Store
    from memdesk.ports.seams import Indexing
    from memdesk.services.agents import AgentsService
    from memdesk.services.forgetting import ForgetReport, ForgettingService

ROOT: Final = "/memories"
#: Bytes of one file: a million short lines, which the tool refuses to show, must still be writable.
MOST_BYTES: Final = 8_000_000
MOST_PATH: Final = 1_000
_SALIENCE: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFile:
    """A file written by an agent.

    Attributes:
        id: unchanged by renaming.
        path: from ``/memories`` on.
        passages: the ids of its parts; forgetting them forgets the file.
    """

    id: str
    agent_id: str
    path: str
    text: str
    passages: tuple[str, ...]
    updated_at: datetime


@define(kw_only=True, eq=False, repr=False, slots=False)
class OwnFiles:
    """The six commands of the memory tool, and clearing all. Thread-safe.

    Each raises ``BadRequestError`` with the tool's own message on failure, without changes.

    Args:
        forgetting: also removes a file's text from the log.
    """

    _store: Store
    _agents: AgentsService
    _clock: Clock
    _events: EventBus
    _indexing: Indexing | None
    _forgetting: ForgettingService

    def view(self, agent_id: str, path: str, view_range: list[int] | None = None) -> str:
        """Return a file with line numbers, or a folder's contents up to two levels deep."""
        place = _place(path)
        with self._store.read() as repos:
            found = _below(repos, agent_id, place)
            if place in found:
                return numbered(path, _text(repos, found[place]), view_range)
            if not found and place != ROOT:
                raise _missing(path)
            sizes = {name: int(kept["size"]) for name, kept in found.items()}
        return listing(path, place, sizes)

    def all(self, agent_id: str | None = None, query: str = "") -> list[OwnFile]:
        """Return the files of an agent, or of all, with a text in their name or content, by name."""
        wanted, found = query.casefold(), []
        with self._store.read() as repos:
            for key, kept in repos.meta.prefix(files_of(agent_id) if agent_id else FILES).items():
                items = repos.items.many(kept["passages"])
                path, text = key.partition(ROOT)[2], "".join(item.content for item in items)
                if not items or (wanted not in f"{ROOT}{path}\n{text}".casefold()):
                    continue
                found.append(
                    OwnFile(
                        id=str(kept["id"]),
                        agent_id=items[0].agent_id,
                        path=ROOT + path,
                        text=text,
                        passages=tuple(item.id for item in items),
                        updated_at=max(item.updated_at for item in items),
                    )
                )
        return sorted(found, key=lambda file: (file.path, file.agent_id))

    def create(self, agent_id: str, path: str, file_text: str, *, by: str = "") -> str:
        place = _place(path)
        if place == ROOT:
            raise BadRequestError(f"File {path} already exists")

        def work(repos: Repositories, change: _Writer) -> str:
            if _below(repos, agent_id, place):
                raise BadRequestError(f"File {path} already exists")
            _refuse_below_file(repos, agent_id, path, place)
            change.put(place, file_text)
            return f"File created successfully at: {path}"

        self._agents.ensure(agent_id)
        return self._write(agent_id, by, work)

    def str_replace(self, agent_id: str, path: str, old_str: str, new_str: str, *, by: str = "") -> str:
        """Replace a text that occurs exactly once in a file."""
        place = _place(path)

        def work(repos: Repositories, change: _Writer) -> str:
            text = _file(repos, agent_id, path, place)
            at = text.find(old_str)
            if at < 0:
                raise BadRequestError(
                    f"No replacement was performed, old_str `{old_str}` did not appear verbatim in {path}."
                )
            lines = lines_of(text, old_str)
            if text.count(old_str) > 1:
                raise BadRequestError(
                    f"No replacement was performed. Multiple occurrences of old_str `{old_str}` in lines: "
                    f"{', '.join(map(str, lines))}. Please ensure it is unique"
                )
            changed = text[:at] + new_str + text[at + len(old_str) :]
            change.put(place, changed)
            first = max(0, lines[0] - 3)
            shown = with_numbers(changed.split("\n")[first : lines[0] + 2], first + 1)
            return (
                "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n" + shown
            )

        return self._write(agent_id, by, work)

    def insert(self, agent_id: str, path: str, insert_line: int, insert_text: str, *, by: str = "") -> str:
        place = _place(path)

        def work(repos: Repositories, change: _Writer) -> str:
            lines = _file(repos, agent_id, path, place).split("\n")
            if lines[-1] == "":
                lines.pop()
            if not 0 <= insert_line <= len(lines):
                raise BadRequestError(
                    f"Invalid `insert_line` parameter: {insert_line}. It should be within the range [0, {len(lines)}]."
                )
            lines.insert(insert_line, insert_text.rstrip("\n"))
            text = "\n".join(lines)
            change.put(place, text if text.endswith("\n") else f"{text}\n")
            return f"The file {path} has been edited."

        return self._write(agent_id, by, work)

    def delete(self, agent_id: str, path: str, *, by: str = "") -> str:
        """Delete a file, or a folder with its contents; the text stays in the history until forgotten."""
        place = _place(path)
        if place == ROOT:
            raise BadRequestError("Cannot delete the /memories directory itself")

        def work(repos: Repositories, change: _Writer) -> str:
            found = _below(repos, agent_id, place)
            if not found:
                raise BadRequestError(f"The path {path} does not exist")
            for name in found:
                change.drop(name)
            return f"Successfully deleted {path}"

        return self._write(agent_id, by, work)

    def forget(self, file: OwnFile) -> ForgetReport:
        """Forget a file for good: its name and text, including the log."""
        from memdesk.services.forgetting import ForgetTarget

        target = ForgetTarget(kind="facts", ids=file.passages, agent_id=file.agent_id)
        key = files_of(file.agent_id) + file.path
        return self._forgetting.forget(target, then=lambda repos: repos.meta.put(key, None))

    def rename(self, agent_id: str, old_path: str, new_path: str, *, by: str = "") -> str:
        old, new = _place(old_path), _place(new_path)
        if old == ROOT:
            raise BadRequestError("Cannot rename the /memories directory itself")

        def work(repos: Repositories, change: _Writer) -> str:
            if new == ROOT or _below(repos, agent_id, new):
                raise BadRequestError(f"The destination {new_path} already exists")
            found = _below(repos, agent_id, old)
            if not found:
                raise BadRequestError(f"The path {old_path} does not exist")
            if new.startswith(f"{old}/"):
                raise BadRequestError(f"Cannot move {old_path} into itself")
            _refuse_below_file(repos, agent_id, new_path, new)
            for name in found:
                change.move(name, new + name.removeprefix(old))
            return f"Successfully renamed {old_path} to {new_path}"

        return self._write(agent_id, by, work)

    def clear(self, agent_id: str, *, by: str = "") -> str:
        def work(repos: Repositories, change: _Writer) -> str:
            for name in _below(repos, agent_id, ROOT):
                change.drop(name)
            return "All memory cleared"

        return self._write(agent_id, by, work)

    def _write(self, agent_id: str, by: str, work: Callable[[Repositories, _Writer], str]) -> str:
        now = now_ms(self._clock)

        def done(repos: Repositories) -> tuple[str, _Writer]:
            writer = _Writer(repos, agent_id, by, now)
            return work(repos, writer), writer

        told, change = self._store.write(done)
        if self._indexing is not None:
            self._indexing.forget(agent_id, "item", change.gone)
            self._indexing.note(agent_id, "item", change.written)
        if change.written or change.gone:
            self._events.publish(MemoryChanged(agent_id, ("fact",)))
        return told


class _Writer:
    """Writes files in one transaction, each as passages with history."""

    def __init__(self, repos: Repositories, agent_id: str, by: str, now: datetime) -> None:
        self._repos = repos
        self._agent_id = agent_id
        self._by = by
        self._now = now
        #: sequence numbers of rows to index anew, and of deleted ones.
        self.written: list[int] = []
        self.gone: list[int] = []

    def put(self, place: str, text: str) -> None:
        """Set the file's text.

        Unchanged passages keep their row, and so their vector; changed ones keep their id, so that forgetting them
        removes their old text from the history too.
        """
        size = len(text.encode("utf-8", "surrogatepass"))
        if size > MOST_BYTES:
            raise BadRequestError(f"The file {place} would be larger than {MOST_BYTES:,} bytes.")
        key = files_of(self._agent_id) + place
        kept = self._repos.meta.get(key) or {"id": new_id(), "passages": []}
        old = [item for item in self._repos.items.many(kept["passages"]) if item.content]
        pieces, first, last = _recut([item.content for item in old], text)
        before = {at: item for at, item in enumerate(old) if at < first}
        changed = dict(enumerate(old[first : len(old) - last], start=first))
        after = {len(pieces) - last + at: item for at, item in enumerate(old[len(old) - last :])}
        ids, line = [], 1
        for at, piece in enumerate(pieces):
            fresh = self._item(place, str(kept["id"]), piece, line)
            former = before.get(at) or after.get(at) or changed.pop(at, None)
            ids.append(self._add(fresh) if former is None else self._become(former, fresh))
            line += piece.count("\n")
        self._delete(list(changed.values()))
        self._repos.meta.put(key, {"id": kept["id"], "size": size, "passages": ids})

    def drop(self, place: str) -> None:
        key = files_of(self._agent_id) + place
        kept = self._repos.meta.get(key)
        self._delete(self._repos.items.many(kept["passages"]))
        self._repos.meta.put(key, None)

    def move(self, place: str, to: str) -> None:
        begins = files_of(self._agent_id)
        kept = self._repos.meta.get(begins + place)
        for item in self._repos.items.many(kept["passages"]):
            self._repos.items.replace(replace(item, metadata={**item.metadata, "file": to}, updated_at=self._now))
            # Its search text includes the file's name.
            self.written.append(item.seq)
        self._repos.meta.put(begins + place, None)
        self._repos.meta.put(begins + to, kept)

    def _item(self, place: str, file_id: str, part: str, line: int) -> MemoryItem:
        last = line + max(0, part.rstrip("\n").count("\n"))
        return MemoryItem(
            id=new_id(),
            form="passage",
            type="semantic",
            tier="kept",
            agent_id=self._agent_id,
            content=part,
            metadata={"file": place, "start": line, "end": last},
            salience=_SALIENCE,
            origin="api",
            provenance="tool",
            parent_id=file_id,
            created_at=self._now,
            updated_at=self._now,
        )

    def _add(self, item: MemoryItem) -> str:
        self.written.append(self._repos.items.add(item))
        self._note(item, "add", None, {"content": item.content, **item.metadata})
        return item.id

    def _become(self, old: MemoryItem, fresh: MemoryItem) -> str:
        if (old.content, old.metadata) != (fresh.content, fresh.metadata):
            new = replace(old, content=fresh.content, metadata=fresh.metadata, updated_at=self._now)
            self._repos.items.replace(new)
        if old.content != fresh.content:
            self.written.append(old.seq)
            self._note(old, "edit", {"content": old.content}, {"content": fresh.content})
        return old.id

    def _delete(self, items: list[MemoryItem]) -> None:
        self._repos.items.delete([item.id for item in items])
        self.gone += [item.seq for item in items]
        for item in items:
            self._note(item, "delete", {"content": item.content, **item.metadata}, None)

    def _note(self, item: MemoryItem, action: str, old: dict[str, Any] | None, new: dict[str, Any] | None) -> None:
        entry = HistoryEntry(
            id=new_id(),
            agent_id=self._agent_id,
            kind="fact",
            ref_id=item.id,
            action=action,
            actor="api",
            actor_detail=self._by,
            old=old,
            new=new,
            at=self._now,
        )
        self._repos.history.add([entry])


def _recut(old: list[str], text: str) -> tuple[list[str], int, int]:
    """Split a changed text, keeping the passages before and after the change.

    Returns:
        The parts, and how many at the start and at the end are unchanged.
    """
    first = at = 0
    while first < len(old) and text.startswith(old[first], at):
        at += len(old[first])
        first += 1
    last, end = 0, len(text)
    while last < len(old) - first and end - len(old[-1 - last]) >= at and text.endswith(old[-1 - last], at, end):
        end -= len(old[-1 - last])
        last += 1
    if at < end and first and estimate_tokens(text[at:end]) < SMALL:
        # An inserted line joins the passage before it.
        first -= 1
        at -= len(old[first])
    middle = parts(text[at:end]) if at < end or not (first or last) else []
    return [*old[:first], *middle, *(old[len(old) - last :])], first, last


def _place(path: str) -> str:
    """Return a path without dots and doubled slashes."""
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise BadRequestError(f"Path must start with /memories, got: {path}")
    place = posixpath.normpath(path)
    if place != ROOT and not place.startswith(f"{ROOT}/"):
        raise BadRequestError(f"Path {path} would escape /memories directory")
    if len(place) > MOST_PATH:
        raise BadRequestError(f"A path has at most {MOST_PATH:,} characters.")
    return place


def _below(repos: Repositories, agent_id: str, place: str) -> dict[str, Mapping[str, Any]]:
    """Return the files at a path or below it that still have a passage."""
    begins = files_of(agent_id)
    found = {key.removeprefix(begins): kept for key, kept in repos.meta.prefix(begins + place).items()}
    near = {name: kept for name, kept in found.items() if name == place or name.startswith(f"{place}/")}
    there = {item.id for item in repos.items.many([each for kept in near.values() for each in kept["passages"]])}
    return {name: kept for name, kept in near.items() if there.intersection(kept["passages"])}


def _refuse_below_file(repos: Repositories, agent_id: str, path: str, place: str) -> None:
    """Refuse a file below a file, which no file system allows."""
    while (place := posixpath.dirname(place)) != ROOT:
        if place in _below(repos, agent_id, place):
            raise BadRequestError(f"{path} cannot be there: {place} is a file.")


def _file(repos: Repositories, agent_id: str, path: str, place: str) -> str:
    found = _below(repos, agent_id, place)
    if place in found:
        return _text(repos, found[place])
    raise BadRequestError(f"The path {path} is not a file.") if found or place == ROOT else _missing(path)


def _text(repos: Repositories, kept: Mapping[str, Any]) -> str:
    return "".join(item.content for item in repos.items.many(kept["passages"]))


def _missing(path: str) -> BadRequestError:
    return BadRequestError(f"The path {path} does not exist. Please provide a valid path.")
