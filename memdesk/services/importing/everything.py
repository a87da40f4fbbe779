"""Exports and imports everything, unencrypted: agents, conversations, what was learned, and its history.

A ZIP with ``memdesk.jsonl``, one row per line as ``{"row": KIND, ...}``, which is imported without loss, and the same
as Markdown for people. Derived data is left out: indexes, receipts, runs, passages of watched files.
"""

import io
import json
import os
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, reduce
from itertools import groupby, islice
from operator import attrgetter, getitem
from pathlib import Path
from typing import IO, Any, Final

from pydantic import TypeAdapter

from memdesk.domain.chatting.files import WHOLE
from memdesk.domain.chatting.folders import FOLDERS, Folder
from memdesk.domain.chatting.images import Image
from memdesk.domain.chatting.prompts import PROMPTS, Prompt
from memdesk.domain.decoding import UndecodableError, decode
from memdesk.domain.items.filters import Where
from memdesk.domain.items.item import OF_EPISODE, MemoryItem
from memdesk.domain.items.registry import EPISODE, FORMS
from memdesk.domain.models import Agent, Conversation, Entity, HistoryEntry, Relation, Signal, SignalStatus, Turn, every
from memdesk.domain.notes.kept import FILES, files_of
from memdesk.errors import BadRequestError, ConflictError
from memdesk.messages import say
from memdesk.ports import Clock, FactFilter, Repositories, Store
from memdesk.services.agents import DEFAULT_AGENT_ID, check_prompt, put_prompt, saved_prompts
from memdesk.services.importing.archives.model import ArchiveError
from memdesk.services.importing.archives.pieces import MAX_CHAT_CHARS
from memdesk.services.recording import as_markdown, check_folder, pictures, put_folder, saved_folders
from memdesk.settings.files import create_private, put_in_place, scratch_folder, unwritten_at

#: The member to import, and its first line.
ROWS: Final = "memdesk.jsonl"
FORMAT: Final = "memdesk.everything/1"
#: Bytes in which the first line must appear.
_HEAD: Final = 200
_PAGE: Final = 500
#: Forms of items that are not exported as items: episodes and files of agents have their own rows, and folders of notes
#: are read again.
_LEFT_OUT: Final = frozenset({"episode", "passage"})
_UNFIT: Final = re.compile(r"[^\w\- ]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """An entity with its other names and what mentions it."""

    entity: Entity
    aliases: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFile:
    """A file that an agent wrote below ``/memories``: its text is that of its passages."""

    id: str
    path: str
    agent_id: str
    size: int
    passages: tuple[MemoryItem, ...]

    def key(self) -> str:
        return files_of(self.agent_id) + self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class SentWhole:
    """The whole text of a long file of which passages were sent in a conversation."""

    agent_id: str
    conversation_id: str
    name: str
    text: str

    def __post_init__(self) -> None:
        if any("\x1f" in part for part in (self.agent_id, self.conversation_id, self.name)):
            raise ValueError("a unit separator in what a file is named by")

    def key(self) -> str:
        return f"{WHOLE}{self.agent_id}\x1f{self.conversation_id}\x1f{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportReport:
    """The contents of an export."""

    path: str
    bytes: int
    counts: dict[str, int]


Row = Agent | Prompt | Folder | Conversation | Image | Turn | Signal | MemoryItem | Named | Relation | HistoryEntry


@dataclass(frozen=True, slots=True)
class _Kind:
    """How rows of one kind are read, recognized and written."""

    name: str
    type: type[Any]
    all: Callable[[Repositories], Iterable[Any]]
    known: Callable[[Repositories, Any], bool]
    add: Callable[[Repositories, list[Any]], object]
    #: rows held and written at once.
    page: int = _PAGE


def _items(repos: Repositories) -> Iterator[MemoryItem]:
    for form in FORMS.values():
        if form.name not in _LEFT_OUT:
            found = every(repos.items.page, Where("form", "eq", form.name))
            # A detail is written with its episode. Other items may name an episode but are independent.
            yield from (item for item in found if item.tier != "kept" or item.parent_id is None)


def _put_episode(repos: Repositories, episode: MemoryItem) -> None:
    """Write an episode and its details, which it would itself write without usage, age and privacy."""
    details = episode.session.details
    known = {item.id for item in repos.items.many([detail.id for detail in details])}
    repos.items.put_many([*(detail for detail in details if detail.id not in known), episode])


def _named(repos: Repositories) -> Iterator[Named]:
    for entity in every(repos.entities.page):
        links = tuple(repos.entities.links(entity.id))
        yield Named(entity=entity, aliases=tuple(repos.entities.aliases(entity.id)), links=links)


def _files(repos: Repositories) -> Iterator[OwnFile]:
    for key, kept in repos.meta.prefix(FILES).items():
        passages = tuple(repos.items.many(kept["passages"]))
        if passages:
            path = key.removeprefix(FILES).partition(":")[2]
            agent_id = passages[0].agent_id or ""
            yield OwnFile(id=kept["id"], path=path, agent_id=agent_id, size=kept["size"], passages=passages)


def _put_file(repos: Repositories, file: OwnFile) -> None:
    repos.items.put_many(file.passages)
    ids = [passage.id for passage in file.passages]
    repos.meta.put(file.key(), {"id": file.id, "size": file.size, "passages": ids})


def _sent_whole(repos: Repositories) -> Iterator[SentWhole]:
    for key, text in repos.meta.prefix(WHOLE).items():
        agent_id, conversation_id, name = key.removeprefix(WHOLE).split("\x1f")
        yield SentWhole(agent_id=agent_id, conversation_id=conversation_id, name=name, text=text)


def _relations(repos: Repositories) -> Iterator[Relation]:
    seen: set[str] = set()
    for entity in every(repos.entities.page):
        for relation in repos.entities.relations(entity.id):
            if relation.id not in seen:
                seen.add(relation.id)
                yield relation


def _each(put: Callable[[Repositories, Any], object]) -> Callable[[Repositories, list[Any]], None]:
    def add(repos: Repositories, rows: list[Any]) -> None:
        for row in rows:
            put(repos, row)

    return add


def _put_named(repos: Repositories, named: Named) -> None:
    repos.entities.put(named.entity)
    repos.entities.set_aliases(named.entity, named.aliases)
    for kind, ref_id in named.links:
        repos.entities.link(named.entity.id, kind, ref_id)  # type: ignore[arg-type]  # checked by the database


def _add_turns(repos: Repositories, rows: list[Turn]) -> None:
    # Receipts are not exported.
    repos.turns.add([replace(turn, receipt_id=None, seq=0) for turn in rows])


def _unused(repos: Repositories, agent_id: str) -> bool:
    """Whether it is the built-in agent of a memory where nobody has spoken with it: an exported one takes its place."""
    talks = repos.conversations.page(agent_id=agent_id, limit=1).total
    return (
        agent_id == DEFAULT_AGENT_ID
        and not talks
        and not repos.items.facts(FactFilter(agent_id=agent_id), limit=1).total
    )


#: In order of dependency.
KINDS: Final = (
    _Kind(
        "agent",
        Agent,
        lambda repos: repos.agents.all(),
        lambda repos, row: repos.agents.get(row.id) is not None and not _unused(repos, row.id),
        _each(lambda repos, row: repos.agents.put(row)),
    ),
    _Kind(
        "prompt",
        Prompt,
        saved_prompts,
        lambda repos, row: repos.meta.get(PROMPTS + row.id) is not None,
        _each(put_prompt),
    ),
    _Kind(
        "folder",
        Folder,
        saved_folders,
        lambda repos, row: repos.meta.get(FOLDERS + row.id) is not None,
        _each(put_folder),
    ),
    _Kind(
        "conversation",
        Conversation,
        lambda repos: every(repos.conversations.page),
        lambda repos, row: repos.conversations.get(row.agent_id, row.id) is not None,
        _each(lambda repos, row: repos.conversations.put(row)),
    ),
    _Kind(
        "image",
        Image,
        lambda repos: repos.images.all(),
        lambda repos, row: repos.images.has(row.id),
        lambda repos, rows: repos.images.put(rows),
        page=1,
    ),
    _Kind(
        "turn",
        Turn,
        lambda repos: every(repos.turns.page, agent_id=None),
        lambda repos, row: repos.turns.get(row.id) is not None,
        _add_turns,
    ),
    _Kind(
        "sent_file",
        SentWhole,
        _sent_whole,
        lambda repos, row: repos.meta.get(row.key()) is not None,
        _each(lambda repos, row: repos.meta.put(row.key(), row.text)),
        page=1,
    ),
    _Kind(
        "pending",
        Signal,
        lambda repos: every(repos.signals.page, status=SignalStatus.PENDING),
        lambda repos, row: bool(repos.signals.of_turns([row.turn_id])),
        lambda repos, rows: repos.signals.add(rows),
    ),
    _Kind(
        "item",
        MemoryItem,
        _items,
        lambda repos, row: repos.items.get(row.id) is not None,
        lambda repos, rows: repos.items.put_many(rows),
    ),
    _Kind(
        "episode",
        MemoryItem,
        lambda repos: every(repos.items.episodes, status=None),
        lambda repos, row: repos.items.get(row.id) is not None,
        _each(_put_episode),
    ),
    _Kind("file", OwnFile, _files, lambda repos, row: repos.meta.get(row.key()) is not None, _each(_put_file), page=1),
    _Kind("entity", Named, _named, lambda repos, row: repos.entities.get(row.entity.id) is not None, _each(_put_named)),
    _Kind(
        "relation",
        Relation,
        _relations,
        lambda repos, row: any(one.id == row.id for one in repos.entities.relations(row.subject_id)),
        _each(lambda repos, row: repos.entities.relate(row)),
    ),
    _Kind(
        "history",
        HistoryEntry,
        lambda repos: every(repos.history.page),
        lambda repos, row: repos.history.get(row.id) is not None,
        lambda repos, rows: repos.history.add(rows),
    ),
)
_BY_NAME: Final = {kind.name: kind for kind in KINDS}


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(_BY_NAME[name].type)


def is_everything(path: Path) -> bool:
    """Whether a path is such an export: packed, unpacked in a folder, or only the rows."""
    # A pipe or a device would be read forever.
    if os.path.isdir(path):  # noqa: PTH112 (whose own raises for odd names)
        return is_everything(path / ROWS)
    if not os.path.isfile(path):  # noqa: PTH113 (as above)
        return False
    try:
        if not zipfile.is_zipfile(path):
            with path.open("rb") as raw:
                return path.name == ROWS or FORMAT.encode() in raw.readline(_HEAD)
        with zipfile.ZipFile(path) as archive:
            return ROWS in archive.NameToInfo
    except (OSError, zipfile.BadZipFile):
        return False


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """Open the rows of an export."""
    if path.is_dir():
        path /= ROWS
    if not zipfile.is_zipfile(path):
        with path.open("rb") as raw:
            yield raw
        return
    with zipfile.ZipFile(path) as archive, archive.open(ROWS) as raw:
        yield raw


class EverythingService:
    """Exports everything remembered to an unencrypted file, and imports such a file.

    Args:
        own: the profile's folders, where unencrypted files are not allowed.
    """

    def __init__(self, *, store: Store, clock: Clock, own: Iterable[Path] = ()) -> None:
        self._store = store
        self._clock = clock
        self._own = tuple(own)

    def export(self, path: Path | str, items: Iterable[MemoryItem] | None = None) -> ExportReport:
        """Write a new file; anyone who has it can read it.

        ``items``: only these and their agents, as JSON Lines, which can be imported like a full export.

        Raises:
            ConflictError: the file exists already, or would be among memdesk's own.
            EnvironmentFault: it cannot be written; a WrongPlaceError if no file can be there.
        """
        target = Path(path).expanduser().absolute()
        if any(target.parent.resolve().is_relative_to(folder.resolve()) for folder in self._own):
            raise ConflictError(
                say("{target} is among memdesk's own files.", target=target),
                hint=say("Choose another folder, preferably on another disk."),
            )
        try:
            if target.exists():
                raise ConflictError(say("{target} exists already.", target=target), hint=say("Choose another name."))
            with scratch_folder(target.parent) as scratch:
                whole = scratch / "export"
                create_private(whole)
                counts = self._write(whole) if items is None else self._write_items(whole, items)
                put_in_place(whole, target)
        except OSError as error:
            raise unwritten_at(error, target) from error
        return ExportReport(path=str(target), bytes=target.stat().st_size, counts=counts)

    def _write(self, whole: Path) -> dict[str, int]:
        with self._store.read() as repos, zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
            with archive.open(ROWS, "w", force_zip64=True) as raw:
                counts = self._write_rows(raw, {kind.name: kind.all(repos) for kind in KINDS})
            for name, page in self._pages_to_read(repos):
                archive.writestr(name, page)
        return counts

    def _write_items(self, whole: Path, items: Iterable[MemoryItem]) -> dict[str, int]:
        kept = list(items)
        whose = {item.agent_id for item in kept}
        with self._store.read() as repos, whole.open("wb") as raw:
            agents = [agent for agent in repos.agents.all() if agent.id in whose]
            return self._write_rows(raw, {"agent": agents, "item": kept})

    def _write_rows(self, raw: IO[bytes], rows: Mapping[str, Iterable[Any]]) -> dict[str, int]:
        """Write rows by kind; return the number of each."""
        counts = dict.fromkeys(rows, 0)
        raw.write(_line({"row": "format", "format": FORMAT, "at": self._clock.now().isoformat()}))
        for kind, some in rows.items():
            adapter = _adapter(kind)
            for row in some:
                told = adapter.dump_python(row, mode="json")
                raw.write(_line({"row": kind, **(_as_episode(told) if kind == "episode" else told)}))
                counts[kind] += 1
        return counts

    def _pages_to_read(self, repos: Repositories) -> Iterator[tuple[str, str | bytes]]:
        """Yield name and Markdown of the facts and of each conversation, and the latter's pictures."""
        names = {agent.id: agent.name for agent in repos.agents.all()}
        known = sorted(
            (item for item in _items(repos) if item.status == "active"), key=lambda item: item.agent_id or ""
        )
        for agent_id, items in groupby(known, key=attrgetter("agent_id")):
            whose = names.get(agent_id, agent_id) if agent_id else "About you"
            lines = [f"- {item.content}" for item in items]
            yield f"{_file_name(whose, agent_id or 'everyone')}/memory.md", "\n".join([f"# {whose}", "", *lines, ""])
        for file in _files(repos):
            whose = names.get(file.agent_id, file.agent_id)
            text = "".join(passage.content for passage in file.passages)
            yield f"{_file_name(whose, file.agent_id)}/files/{_file_name(file.path, file.passages[0].id)}.txt", text
        for sent in _sent_whole(repos):
            folder = f"{_file_name(names.get(sent.agent_id, sent.agent_id), sent.agent_id)}/sent files"
            yield f"{folder}/{_file_name(sent.name, sent.conversation_id)}.txt", sent.text
        for thread in every(repos.conversations.page):
            whose = names.get(thread.agent_id, thread.agent_id)
            turns = repos.turns.of_conversation(thread.agent_id, thread.id)
            name = f"{_file_name(whose, thread.agent_id)}/conversations/{_file_name(thread.title, thread.id)}.md"
            shown = {key: f"../../{_picture(image)}" for key, image in pictures(repos, turns).items()}
            yield name, as_markdown(thread, turns, whose, self._clock, shown)
        yield from ((_picture(image), image.content) for image in repos.images.all())

    def bring(
        self, path: Path | str, fault: Callable[[str], None], *, dry_run: bool = False
    ) -> dict[str, tuple[int, int]]:
        """Import an export, up to a damaged line; existing rows stay unchanged.

        Args:
            path: the export.
            fault: called with that line.
            dry_run: only count.

        Returns:
            Numbers of new and existing rows by kind.

        Raises:
            ArchiveError: it is from a newer memdesk.
        """
        counts: dict[str, tuple[int, int]] = {}
        with _opened(Path(path)) as raw:
            text = io.TextIOWrapper(raw, encoding="utf-8", errors="replace")
            lines = iter(lambda: text.readline(MAX_CHAT_CHARS), "")
            _check_format(next(lines, ""))
            for name, rows in groupby(_rows(lines, fault), key=lambda pair: pair[0].name):
                kind, left = _BY_NAME[name], (row for _, row in rows)
                while some := list(islice(left, kind.page)):
                    new = self._store.write(lambda repos, kind=kind, some=some: _add(repos, kind, some, dry_run))  # type: ignore[misc]
                    before = counts.get(name, (0, 0))
                    counts[name] = before[0] + new, before[1] + len(some) - new
        return counts


def _add(repos: Repositories, kind: _Kind, rows: list[Any], dry_run: bool) -> int:
    new = [row for row in rows if not kind.known(repos, row)]
    if new and not dry_run:
        kind.add(repos, new)
    return len(new)


def _as_episode(item: dict[str, Any]) -> dict[str, Any]:
    """Return an episode's item under the names that episodes have outside."""
    return {name: reduce(getitem, field.split("."), item) for name, field in EPISODE.items()}


def _as_item(episode: dict[str, Any]) -> dict[str, Any]:
    """Return the input of :func:`_as_episode`."""
    item: dict[str, Any] = {**OF_EPISODE, "digest": {}}
    for name, field in EPISODE.items():
        part, _, last = field.rpartition(".")
        if name in episode:
            (item[part] if part else item)[last] = episode[name]
    return item


def _line(row: dict[str, Any]) -> bytes:
    return (json.dumps(row, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def _check_format(line: str) -> None:
    try:
        made = decode(line)
    except UndecodableError:
        made = None
    if not isinstance(made, dict) or made.get("format") != FORMAT:
        raise ArchiveError(
            say("This export was made by a newer memdesk, or is damaged."), hint=say("Update memdesk, then try again.")
        )


def _rows(lines: Iterable[str], fault: Callable[[str], None]) -> Iterator[tuple[_Kind, Any]]:
    try:
        yield from map(_parsed, lines)
    except ArchiveError as damaged:
        fault(damaged.message)


def _parsed(line: str) -> tuple[_Kind, Any]:
    try:
        row = dict(decode(line, most=MAX_CHAT_CHARS))
        kind = _BY_NAME[row.pop("row")]
        made = _adapter(kind.name).validate_python(_as_item(row) if kind.name == "episode" else row)
        if isinstance(made, Prompt):
            check_prompt(made)
        elif isinstance(made, Folder):
            check_folder(made)
        elif isinstance(made, MemoryItem):
            FORMS[made.form].check(made.metadata)
    except (ValueError, KeyError, TypeError, BadRequestError) as broken:
        raise ArchiveError(say("A line of the export is damaged: {line}", line=line[:80])) from broken
    return kind, made


def _picture(image: Image) -> str:
    return f"pictures/{image.id}.{image.media_type.partition('/')[2]}"


def _file_name(name: str, fallback: str) -> str:
    return (_UNFIT.sub("", name).strip() or "untitled")[:60].strip() + f" ({_UNFIT.sub('', fallback)[-12:]})"
