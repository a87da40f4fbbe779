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
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path
from typing import IO, Any, Final

from memdesk.domain.chatting.images import Image
from memdesk.domain.decoding import UndecodableError, decode
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import every
from memdesk.errors import BadRequestError, ConflictError
from memdesk.messages import say
from memdesk.ports import Clock, Repositories, Store
from memdesk.services.importing.archives.model import ArchiveError
from memdesk.services.importing.archives.pieces import MAX_CHAT_CHARS
from memdesk.services.importing.rows import KINDS, Kind, all_files, all_items, all_sent
from memdesk.services.recording import as_markdown, pictures
from memdesk.settings.files import create_private, put_in_place, scratch_folder, unwritten_at

#: The member to import, and its first line.
ROWS: Final = "memdesk.jsonl"
FORMAT: Final = "memdesk.everything/1"
#: Bytes in which the first line must appear.
_HEAD: Final = 200
_UNFIT: Final = re.compile(r"[^\w\- ]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportReport:
    """The contents of an export."""

    path: str
    bytes: int
    counts: dict[str, int]


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
                counts = self._write_rows(raw, {name: kind.all(repos) for name, kind in KINDS.items()})
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
        for name, some in rows.items():
            for row in some:
                raw.write(_line({"row": name, **KINDS[name].dump(row)}))
                counts[name] += 1
        return counts

    def _pages_to_read(self, repos: Repositories) -> Iterator[tuple[str, str | bytes]]:
        """Yield name and Markdown of the facts and of each conversation, and the latter's pictures."""
        names = {agent.id: agent.name for agent in repos.agents.all()}
        known = sorted(
            (item for item in all_items(repos) if item.status == "active"), key=lambda item: item.agent_id or ""
        )
        for agent_id, items in groupby(known, key=attrgetter("agent_id")):
            whose = names.get(agent_id, agent_id) if agent_id else "About you"
            lines = [f"- {item.content}" for item in items]
            yield f"{_file_name(whose, agent_id or 'everyone')}/memory.md", "\n".join([f"# {whose}", "", *lines, ""])
        for file in all_files(repos):
            whose = names.get(file.agent_id, file.agent_id)
            text = "".join(passage.content for passage in file.passages)
            yield f"{_file_name(whose, file.agent_id)}/files/{_file_name(file.path, file.passages[0].id)}.txt", text
        for sent in all_sent(repos):
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
                kind, left = KINDS[name], (row for _, row in rows)
                while some := list(islice(left, kind.page)):
                    new = self._store.write(lambda repos, kind=kind, some=some: _add(repos, kind, some, dry_run))  # type: ignore[misc]
                    before = counts.get(name, (0, 0))
                    counts[name] = before[0] + new, before[1] + len(some) - new
        return counts


def _add(repos: Repositories, kind: Kind, rows: list[Any], dry_run: bool) -> int:
    new = [row for row in rows if not kind.known(repos, row)]
    if new and not dry_run:
        kind.add(repos, new)
    return len(new)


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


def _rows(lines: Iterable[str], fault: Callable[[str], None]) -> Iterator[tuple[Kind, Any]]:
    try:
        yield from map(_parsed, lines)
    except ArchiveError as damaged:
        fault(damaged.message)


def _parsed(line: str) -> tuple[Kind, Any]:
    try:
        row = dict(decode(line, most=MAX_CHAT_CHARS))
        kind = KINDS[row.pop("row")]
        made = kind.parse(row)
    except (ValueError, KeyError, TypeError, BadRequestError) as broken:
        raise ArchiveError(say("A line of the export is damaged: {line}", line=line[:80])) from broken
    return kind, made


def _picture(image: Image) -> str:
    return f"pictures/{image.id}.{image.media_type.partition('/')[2]}"


def _file_name(name: str, fallback: str) -> str:
    return (_UNFIT.sub("", name).strip() or "untitled")[:60].strip() + f" ({_UNFIT.sub('', fallback)[-12:]})"
