"""Folders of notes: added by the user, read at start, watched, and removed with everything from them."""

import logging
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from attrs import define

from memdesk.errors import BadRequestError, ConflictError, LockedError, MemdeskError, NotFoundError
from memdesk.messages import say
from memdesk.ports import Clock, FolderWatcher, Lanes, Store
from memdesk.ports.seams import Indexing
from memdesk.services.agents import DEFAULT_AGENT_ID, AgentsService
from memdesk.services.events import AgentsChanged, EventBus, LockChanged, SettingsChanged
from memdesk.services.moments import now_ms
from memdesk.services.notes import rows
from memdesk.services.notes.files import folder_id, inside, is_note, read_note, relative_to, root_of
from memdesk.services.notes.syncing import AGAIN, Synced, Synchronizer
from memdesk.services.settings import SettingsService
from memdesk.settings.files import unwritten
from memdesk.settings.schema import NoteFolder, NoteSearch

log = logging.getLogger(__name__)

_FIELD: Final = "memory.note_folders"
_EVERY: Final = "notes.every"
#: Maximum refused files listed in a status.
MOST_REFUSED: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStatus:
    """The state of search; the figures cover all memory, which shares one index.

    Attributes:
        provider: the embedding model; empty if none.
        fallback: ``full text`` if only text is searched, else empty.
        reason: why there is a fallback, or why the configured model is not in use.
        full_text: the full-text search; always available.
        vectors: number of texts with a vector.
        missing: number of texts without one.
        cache: hits, misses and rate of the cache of vectors by content.
    """

    provider: str
    fallback: str
    reason: str
    full_text: bool = True
    vectors: int
    missing: int
    cache: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderStatus:
    """A folder and its state in memory.

    Attributes:
        refused: files that could not be read, and why.
        state: ``syncing``, ``watched``, ``not watched`` or ``missing``.
        error: why it is missing or not watched, in words.
        synced_at: when it was last fully scanned; None: not since this start.
    """

    id: str
    path: str
    agent: str
    include: tuple[str, ...]
    local_only: bool
    append: bool
    sync_minutes: int
    search: NoteSearch
    files: int
    passages: int
    index: IndexStatus
    refused: tuple[dict[str, str], ...]
    state: str
    error: str = ""
    synced_at: datetime | None = None


@dataclass(slots=True)
class _Known:
    """A folder's state since the start."""

    watched: bool = False
    syncing: bool = False
    error: str = ""
    synced_at: datetime | None = None

    @property
    def state(self) -> str:
        if self.syncing:
            return "syncing"
        if self.error and not self.watched:
            return "missing"
        return "watched" if self.watched else "not watched"


@define(kw_only=True, eq=False, repr=False, slots=False)
class NotesService:
    """Keeps the passages of the user's notes in sync with the files. Thread-safe.

    Unknown ids raise ``NotFoundError``.

    Args:
        events: publishes progress and memory changes; source of settings and lock events.
    """

    _store: Store
    _settings: SettingsService
    _agents: AgentsService
    _clock: Clock
    _events: EventBus
    _lanes: Lanes
    _watcher: FolderWatcher
    _indexing: Indexing

    def __attrs_post_init__(self) -> None:
        self._sync = Synchronizer(
            store=self._store, clock=self._clock, events=self._events, lanes=self._lanes, indexing=self._indexing
        )
        self._lock = threading.Lock()
        self._known: dict[str, _Known] = {}
        self._unsubscribe: list[Callable[[], None]] = []

    def start(self) -> None:
        """Scan all folders in the background, and watch them from now on. Idempotent."""
        with self._lock:
            if self._unsubscribe:
                return
            listen = self._events.subscribe
            self._unsubscribe = [
                listen(SettingsChanged, self._settings_changed),
                listen(AgentsChanged, lambda _: self._soon()),
                listen(LockChanged, lambda event: self.stop() if event.locked else None),
            ]
        if self._settings.current.memory.note_folders:
            self._soon()

    def stop(self) -> None:
        """Stop watching. Idempotent."""
        with self._lock:
            unsubscribe, self._unsubscribe = self._unsubscribe, []
            self._known.clear()
        for each in unsubscribe:
            each()
        self._lanes.forget(AGAIN)
        self._lanes.forget(_EVERY)
        self._watcher.stop()

    def _every(self) -> None:
        """Rescan folders with a check interval when due."""
        minutes = [each.sync_minutes for each in self._settings.current.memory.note_folders if each.sync_minutes]
        with self._lock:
            started = bool(self._unsubscribe)
        if started and minutes:
            self._lanes.later(60.0 * min(minutes), "background", self._all_in_background, key=_EVERY)
        else:
            self._lanes.forget(_EVERY)

    def _soon(self) -> None:
        self._lanes.submit("background", self._all_in_background)

    def _settings_changed(self, event: SettingsChanged) -> None:
        if _FIELD in event.names:
            self._soon()

    def _all_in_background(self) -> None:
        try:
            self._watch()
            self.sync()
        except LockedError:
            return
        except MemdeskError as error:
            log.warning("notes were not looked at: %s", error.code)
        self._every()

    def folders(self) -> list[FolderStatus]:
        index = self._index()
        return [self._status(folder, index) for folder in self._settings.current.memory.note_folders]

    def add(
        self,
        path: str,
        *,
        agent: str = "default",
        include: Sequence[str] = (),
        local_only: bool = False,
        append: bool = False,
        sync_minutes: int = 0,
        search: NoteSearch | None = None,
    ) -> FolderStatus:
        """Remember a folder from now on; it is read in the background. A file's path means that file alone.

        Raises:
            BadRequestError: the path is relative, or a system folder.
            NotFoundError: the folder or the agent does not exist.
            ConflictError: this agent already has it.
        """
        given = Path(path).expanduser()
        if not given.is_absolute():
            raise BadRequestError(
                say("{path!r} is not an absolute path.", path=path), hint=say("Give the folder's full path.")
            )
        if os.path.isfile(given):  # noqa: PTH113 -- whose own raises where a name is too long or may not be looked at
            include, given = [f"/{given.name}"], given.parent
        folder = NoteFolder(
            path=str(given),
            agent=agent,
            include=list(include) or ["**/*"],
            local_only=local_only,
            append=append,
            sync_minutes=sync_minutes,
            search=search or NoteSearch(),
        )
        root_of(folder)
        if agent == DEFAULT_AGENT_ID:
            self._agents.ensure(agent)
        self._agents.get(agent)
        present = self._settings.current.memory.note_folders
        if any(folder_id(each) == folder_id(folder) for each in present):
            raise ConflictError(
                say("{given} is remembered already.", given=given),
                hint=say("Change its options with “memdesk notes change {id}”.", id=folder_id(folder)),
            )
        self._settings.update("memory", {"note_folders": [each.model_dump() for each in (*present, folder)]})
        return self._status(folder, self._index())

    def change(self, wanted: str, search: NoteSearch | None = None, **how: Any) -> FolderStatus:
        """Change how a folder is read or searched; options not given, also of ``search``, stay.

        Args:
            wanted: the folder's id.
            search: how its passages are found.
            how: ``include``, ``local_only``, ``append`` and ``sync_minutes``, as :meth:`add` takes them.
        """
        folder = self._folder(wanted)
        given = search.model_dump(exclude_unset=True) if search is not None else {}
        changed = folder.model_copy(update={**how, "search": folder.search.model_copy(update=given)})
        present = self._settings.current.memory.note_folders
        folders = [changed if folder_id(each) == wanted else each for each in present]
        self._settings.update("memory", {"note_folders": [each.model_dump() for each in folders]})
        return self._status(changed, self._index())

    def remove(self, wanted: str) -> int:
        """Forget a folder with all its passages; its files stay. Return the number of files."""
        self._folder(wanted)
        left = [each for each in self._settings.current.memory.note_folders if folder_id(each) != wanted]
        self._settings.update("memory", {"note_folders": [each.model_dump() for each in left]})
        return self._sync.drop_others(map(folder_id, left))

    def _folder(self, wanted: str) -> NoteFolder:
        for folder in self._settings.current.memory.note_folders:
            if folder_id(folder) == wanted:
                return folder
        raise NotFoundError(say("There is no such folder of notes."), hint="GET /memory/notes lists them.")

    def of(self, agent_id: str) -> list[NoteFolder]:
        return [each for each in self._settings.current.memory.note_folders if each.agent == agent_id]

    def _index(self) -> IndexStatus:
        told, memory = self._indexing.status(), self._settings.current.memory
        reason = told["error"] or told.get("problem", "")
        if not told["enabled"] and memory.embedding_backend != "none":
            reason = say("The embedding model {model} cannot be used.", model=memory.embedding_model)
        return IndexStatus(
            provider=told["model"],
            fallback="" if told["enabled"] and not told["error"] else "full text",
            reason=reason,
            vectors=told["done"],
            missing=told["missing"],
            cache=told.get("content_cache", {}),
        )

    def _status(self, folder: NoteFolder, index: IndexStatus) -> FolderStatus:
        wanted = folder_id(folder)
        files = self._sync.kept(wanted)
        refused = [
            {"file": name, "reason": str(value["reason"])} for name, value in files.items() if value.get("reason")
        ]
        with self._lock:
            known = self._known.get(wanted) or _Known()
        return FolderStatus(
            id=wanted,
            path=folder.path,
            agent=folder.agent,
            include=tuple(folder.include),
            local_only=folder.local_only,
            append=folder.append,
            sync_minutes=folder.sync_minutes,
            search=folder.search,
            files=len(files) - len(refused),
            passages=sum(len(rows.item_ids(value)) for value in files.values()),
            index=index,
            refused=tuple(refused[:MOST_REFUSED]),
            state=known.state,
            error=known.error,
            synced_at=known.synced_at,
        )

    def text(self, agent_id: str, path: str, *, remote: bool = False) -> str:
        """Return a note's present text from its file; empty if the file does not exist.

        ``path`` is relative to one of the agent's folders, or absolute. ``remote``: for a reader on another machine,
        for whom local-only folders do not exist.

        Raises:
            BadRequestError: it is in none of the folders, or cannot be read.
        """
        try:
            folder, relative = self._note(agent_id, path)
            return "" if remote and folder.local_only else read_note(folder, relative).text
        except NotFoundError:
            return ""

    def file(self, agent_id: str, path: str) -> Path:
        """Return the real path of a note. Raises as ``text``, and ``NotFoundError``: it does not exist (any more)."""
        return inside(*self._note(agent_id, path))

    def _note(self, agent_id: str, path: str) -> tuple[NoteFolder, str]:
        folders = self.of(agent_id)
        refusal: MemdeskError = BadRequestError(
            say("{path} is in no folder of notes.", path=path), hint="GET /memory/notes lists them."
        )
        for folder in folders:
            relative = relative_to(folder, path)
            if relative is None:
                continue
            try:
                inside(folder, relative)
            except NotFoundError:
                refusal = NotFoundError(say("There is no file {path}.", path=path))
                continue
            if is_note(folder, relative):
                return folder, relative
        raise refusal

    def append(self, agent_id: str, text: str) -> str | None:
        """Write a line into today's note of the first folder that allows it; return its path, else None.

        Raises:
            EnvironmentFault: the file cannot be written.
        """
        folder = next((each for each in self.of(agent_id) if each.append), None)
        if folder is None:
            return None
        today = self._clock.local(self._clock.now()).date().isoformat()
        relative = f"memory/{today}.md"
        place = root_of(folder) / "memory"
        try:
            place.mkdir(exist_ok=True)
            path = inside(folder, "memory") / f"{today}.md"
            if path.is_symlink():
                raise BadRequestError(say("{relative} leads out of the folder.", relative=relative))
            with path.open("a+b") as file:
                if file.tell():
                    file.seek(-1, os.SEEK_END)
                    # Many editors end a file without ending its last line.
                    file.write(b"" if file.read() == b"\n" else b"\n")
                file.write(f"- {' '.join(text.split())}\n".encode())
        except OSError as error:
            raise unwritten(error, Path(relative)) from error
        self.changed({str(path)})
        return relative

    def sync(self, wanted: str | None = None, *, force: bool = False) -> Synced:
        """Scan one folder or all, now, on this thread.

        ``force`` rereads unchanged files.
        """
        present = self._settings.current.memory.note_folders
        folders = present if wanted is None else [self._folder(wanted)]
        done = Synced()
        self._sync.drop_others(map(folder_id, present))
        for folder in folders:
            self._whole(folder, done, force=force)
        return done

    def _whole(self, folder: NoteFolder, done: Synced, *, force: bool) -> None:
        wanted = folder_id(folder)
        if self._agents.find(folder.agent) is None:
            self._sync.drop(wanted)
            self._say(wanted, error=f"There is no agent {folder.agent}.")
            return
        self._say(wanted, syncing=True)
        try:
            self._sync.whole(folder, done, force=force)
        except NotFoundError as missing:
            # A disk that is not mounted has lost nothing.
            self._say(wanted, error=missing.message)
        else:
            self._say(wanted, error="", synced_at=now_ms(self._clock))
        finally:
            self._say(wanted, syncing=False)

    def changed(self, paths: set[str]) -> None:
        """Process created, changed or deleted files, given by absolute paths."""
        for folder in self._settings.current.memory.note_folders:
            if self._agents.find(folder.agent) is None:
                continue
            try:
                self._sync.some(folder, paths, Synced())
            except NotFoundError as missing:
                self._say(folder_id(folder), error=missing.message)

    def _watch(self) -> None:
        roots: dict[str, str] = {}
        for folder in self._settings.current.memory.note_folders:
            try:
                roots[folder_id(folder)] = str(root_of(folder))
            except NotFoundError as missing:
                self._say(folder_id(folder), watched=False, error=missing.message)

        def failed(words: str) -> None:
            for one in roots:
                self._say(one, watched=False, error=words)

        for one in roots:
            self._say(one, watched=True)
        self._watcher.watch(sorted(set(roots.values())), self._heard, failed)

    def _heard(self, paths: set[str]) -> None:
        try:
            self.changed(paths)
        except LockedError:
            return
        except MemdeskError as error:
            log.warning("changed notes were not read: %s", error.code)

    def _say(self, wanted: str, **values: Any) -> None:
        with self._lock:
            known = self._known.setdefault(wanted, _Known())
            for name, value in values.items():
                setattr(known, name, value)
