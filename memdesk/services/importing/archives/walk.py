"""Finds the chats in a file, a ZIP archive or a folder, and reads them one at a time."""

import csv
import json
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from memdesk.domain.decoding import MAX_SIZE, decode
from memdesk.messages import say
from memdesk.services.importing.archives import osaurus
from memdesk.services.importing.archives.chatgpt import CHATGPT
from memdesk.services.importing.archives.claude import CLAUDE, claude_asides, is_aside
from memdesk.services.importing.archives.desktop import JAN, LM_STUDIO, OPEN_WEBUI
from memdesk.services.importing.archives.model import ArchivedChat, ArchiveError, Aside, ChatFormat
from memdesk.services.importing.archives.opening import MAX_FILES, Index, Opener, is_plain, usable
from memdesk.services.importing.archives.osaurus import OSAURUS
from memdesk.services.importing.archives.pieces import MAX_CHAT_CHARS, stream_json
from memdesk.services.importing.archives.plain import MESSAGES, TURNS, parse_markdown
from memdesk.services.importing.archives.takeouts import (
    GEMINI,
    GROK,
    LIBRECHAT,
    LOGS,
    Exchange,
    conversations_of,
    exchange_of,
    exchanges_of_page,
    grok_project,
)

#: In the order they are tried; more specific formats first.
FORMATS: tuple[ChatFormat, ...] = (
    CHATGPT,
    CLAUDE,
    OPEN_WEBUI,
    LM_STUDIO,
    JAN,
    GROK,
    GEMINI,
    LIBRECHAT,
    OSAURUS,
    TURNS,
    MESSAGES,
)
_SUFFIXES = frozenset({".json", ".jsonl", ".csv", ".md", ".markdown", ".html", ".htm"})
#: JSON under another extension, as in a Workspace Takeout of Gemini.
_OF_WORKSPACE = re.compile(r"conversation_\d+\.txt")
#: Read as Markdown. Plain text is read only if chosen directly.
_PAGES = frozenset({".html", ".htm"})
_TEXTS = frozenset({".md", ".markdown", ".txt"})


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A skipped entry, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class NoChats:
    """An entry without chats: account data, notes of the other app."""

    name: str


Found = ArchivedChat | Aside | Unreadable | NoChats


def read_chats(path: Path, apart: Callable[[Path], bool] = lambda _path: False) -> Iterator[Found]:
    """Yield every chat below ``path``, in the order of the archive, with one in memory at a time.

    In a folder, the newest files come first, and ZIPs are also read. Pictures of a chat are readable until the next
    chat is requested.

    ``apart``: whether a folder, or a ZIP in one, is read elsewhere.

    Raises:
        ArchiveError: the path is missing, a ZIP is truncated, or nothing in it has a known format.
    """
    path = usable(path)
    known = False

    def left(found: Path) -> bool:
        nonlocal known
        theirs = apart(found)
        known = known or theirs
        return theirs

    for name, opener in _entries(path, left):
        for found in _read_entry(name, opener):
            known = known or isinstance(found, ArchivedChat | Aside)
            yield found.in_words() if isinstance(found, ArchivedChat) else found
    if not known:
        titles = ", ".join(dict.fromkeys([*(fmt.title for fmt in FORMATS), *LOGS]))
        raise ArchiveError(
            say("{name} holds no chat that memdesk can read.", name=path.name),
            hint=say(
                "It reads exports of {titles}, and chats in Markdown. A ZIP may stay packed. A folder of notes is "
                "added under Settings, Memory, Notes; memories of mem0 with “memdesk import mem0 FILE”, a memory.jsonl "
                "with “memdesk graph import FILE”.",
                titles=titles,
            ),
        )


def _entries(path: Path, apart: Callable[[Path], bool]) -> Iterator[tuple[str, Opener | Unreadable]]:
    if path.is_dir():
        yield from _in_folder(path, apart)
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            index = Index(archive)
            for name in sorted(archive.namelist()):
                if PurePosixPath(name).suffix.casefold() == ".zip":
                    yield name, Unreadable(name, say("It is a ZIP inside the ZIP; unpack the outer one first."))
                elif _may_hold_chats(name):
                    yield name, Opener(archive, name, index)
    elif path.suffix.casefold() == ".zip":
        raise ArchiveError(
            say("{name} is not a complete ZIP archive.", name=path.name),
            hint=say("A download that was cut off looks like this: download it again."),
        )
    else:
        yield _alone(path)


def _in_folder(folder: Path, apart: Callable[[Path], bool]) -> Iterator[tuple[str, Opener | Unreadable]]:
    """Yield possible chat files in a folder, newest first: what is read first is learned first."""
    found, index = sorted(_files_below(folder, apart)), Index(folder)
    for _, name, plain in found:
        file = folder / name
        if not plain:
            if _may_hold_chats(name):
                yield name, Unreadable(name, say("It is a link or a special file, and is not followed."))
        elif file.suffix.casefold() == ".zip":
            if apart(file):
                continue
            if zipfile.is_zipfile(file):
                yield from ((f"{name}/{inner}", opener) for inner, opener in _entries(file, apart))
            else:
                yield name, Unreadable(name, say("It is not a complete ZIP archive; download it again."))
        elif _may_hold_chats(name):
            yield name, Opener(folder, name, index)


def _files_below(folder: Path, apart: Callable[[Path], bool]) -> Iterator[tuple[float, str, bool]]:
    """Yield age, name and whether it is a plain file, of everything readable in a folder.

    Raises:
        ArchiveError: there are more files than in any collection of chats.
    """
    number = 0
    for above, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not apart(Path(above) / name)]
        number += len(names)
        if number > MAX_FILES:
            raise ArchiveError(
                say("{folder} holds more than {n:,} files.", folder=folder, n=MAX_FILES),
                hint=say("Choose the folder of the chats."),
            )
        for name in names:
            file = Path(above) / name
            try:
                state = file.lstat()
            except OSError:
                # It was deleted since, or is not readable.
                continue
            yield -state.st_mtime, file.relative_to(folder).as_posix(), stat.S_ISREG(state.st_mode)


def _alone(path: Path) -> tuple[str, Opener]:
    """Return a directly chosen file; either file of a Jan thread stands for both."""
    thread = path.with_name("thread.json")
    if path.name in {"messages.jsonl", "thread.json"} and is_plain(thread):
        name = f"{path.parent.name}/{thread.name}"
        return name, Opener(path.parent.parent, name)
    return path.name, Opener(path.parent, path.name)


def _may_hold_chats(name: str) -> bool:
    """Whether an entry may have chats; macOS's extra ZIP entries (``._name``) do not."""
    file = PurePosixPath(name)
    known = file.suffix.casefold() in _SUFFIXES or _OF_WORKSPACE.fullmatch(file.name)
    return bool(known) and not file.name.startswith("._")


def _read_entry(name: str, opener: Opener | Unreadable) -> Iterator[Found]:
    """Yield one entry's chats and unreadable parts, or that there are neither."""
    if isinstance(opener, Unreadable):
        yield Unreadable(name, opener.reason)
        return
    if PurePosixPath(name).suffix.casefold() in _PAGES and not opener.is_log():
        return  # any page: ChatGPT's own view of the chats
    if PurePosixPath(name).name == "messages.jsonl" and opener.sibling("thread.json"):
        return  # read together with it
    nothing = True
    try:
        for found in _open_entry(name, opener):
            nothing = False
            yield found.with_files(opener.stored) if isinstance(found, ArchivedChat) else found
    except json.JSONDecodeError:
        yield Unreadable(name, say("It is not JSON, or ends in the middle; what stands before that was read."))
    except NotImplementedError:
        yield Unreadable(name, say("It is packed in a way that cannot be read here; unpack the archive first."))
    except RuntimeError as broken:
        # zipfile raises it for encrypted members; deeply nested values raise RecursionError.
        locked = "password" in str(broken)
        yield Unreadable(
            name, say("It is protected by a password; unpack the archive first.") if locked else str(broken)
        )
    except (ValueError, OSError, EOFError, zipfile.BadZipFile, zlib.error) as broken:
        yield Unreadable(name, str(broken) or type(broken).__name__)
    else:
        if nothing:
            yield NoChats(name)


def _open_entry(name: str, opener: Opener) -> Iterator[ArchivedChat | Aside | Unreadable]:
    file = PurePosixPath(name)
    if file.suffix.casefold() in _PAGES:
        with opener.text() as stream:
            yield from _page(stream, name)
    elif file.suffix.casefold() in _TEXTS and not _OF_WORKSPACE.fullmatch(file.name):
        with opener.text() as stream:
            text = _of_a_page(stream.read(MAX_CHAT_CHARS))
        chat = osaurus.parse_markdown(text, file.parent) or parse_markdown(text, file.stem)
        if chat.messages:
            yield chat
    elif file.name == "thread.json" and (messages := opener.sibling("messages.jsonl")):
        yield from _jan_thread(name, opener, messages)
    elif file.suffix.casefold() == ".jsonl":
        yield from _json_lines(name, opener)
    elif file.suffix.casefold() == ".csv":
        with opener.text() as stream:
            yield from _chats(_rows(stream, name), name)
    else:
        with opener.text() as stream:
            yield from _chats(stream_json(stream), name)


def _page(stream: IO[str], name: str) -> Iterator[ArchivedChat | Unreadable]:
    log: list[Exchange] = []
    for found in exchanges_of_page(stream):
        if isinstance(found, Exchange):
            log.append(found)
        else:
            yield Unreadable(f"{name}: {found}", say("its date cannot be read"))
    yield from conversations_of(log)


def _of_a_page(text: str) -> str:
    """Decode a text that is not UTF-8 in an older Windows encoding, which some editors still write."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape").decode("cp1252", "replace")
    return text


def _chats(values: Iterable[Any], name: str) -> Iterator[ArchivedChat | Aside | Unreadable]:
    """Yield the chats among JSON values; single messages or exchanges are combined into chats."""
    loose: list[dict[str, Any]] = []
    log: list[Exchange] = []
    stem = PurePosixPath(name).name.removesuffix(".jsonl").removesuffix(".json").removesuffix(".conversation")
    for number, data in enumerate(values):
        if isinstance(data, Unreadable):
            yield data
        if not isinstance(data, dict):
            continue
        if {"role", "content"} <= data.keys() or {"user", "assistant"} <= data.keys():
            loose.append(data)
        elif (exchange := exchange_of(data)) is not None:
            log.append(exchange)
        elif is_aside(data):
            yield from claude_asides(data)
        elif isinstance(data.get("conversations"), list):
            yield from _chats(data["conversations"], name)
            for project in data["projects"] if isinstance(data.get("projects"), list) else ():
                yield from grok_project(project) if isinstance(project, dict) else ()
        else:
            yield from _chat_of(data, name, stem if number == 0 else f"{stem}-{number}")
    if loose:
        yield TURNS.parse({"turns": loose}, stem)
    yield from conversations_of(log)


def _chat_of(data: dict[str, Any], name: str, fallback: str) -> Iterator[ArchivedChat | Aside | Unreadable]:
    for fmt in FORMATS:
        if fmt.accepts(data):
            try:
                yield fmt.parse(data, fallback)
            except (KeyError, TypeError, AttributeError, ValueError) as broken:
                yield Unreadable(
                    f"{name}: {fallback}", say("not as {title} writes it: {broken}", title=fmt.title, broken=broken)
                )
            return


def _json_lines(name: str, opener: Opener) -> Iterator[ArchivedChat | Aside | Unreadable]:
    with opener.text() as stream:
        yield from _chats(_lines(stream, name), name)


def _lines(stream: IO[str], name: str) -> Iterator[Any]:
    """Yield the values of a JSON Lines file; a malformed line loses only that line."""
    for number, line in enumerate(stream, 1):
        try:
            if line.strip():
                yield decode(line)
        except ValueError:
            yield Unreadable(f"{name}, {number}", say("It is not JSON, or ends in the middle."))


def _rows(stream: IO[str], name: str) -> Iterator[Any]:
    """Yield the rows of a table as objects, named by its first line; a malformed row ends it."""
    try:
        yield from csv.DictReader(stream)
    except csv.Error as broken:
        yield Unreadable(name, str(broken))


def _jan_thread(name: str, opener: Opener, messages: Opener) -> Iterator[ArchivedChat | Aside | Unreadable]:
    """Join a thread's two files."""
    with opener.text() as stream:
        thread = decode(stream.read(MAX_SIZE + 1))
    lines: list[Any] = []
    with messages.text() as stream:
        for line in _lines(stream, str(PurePosixPath(name).with_name("messages.jsonl"))):
            if isinstance(line, Unreadable):
                yield line
            else:
                lines.append(line)
    folder = PurePosixPath(name).parent.name
    yield JAN.parse({"thread": thread if isinstance(thread, dict) else {}, "thread_messages": lines}, folder)
