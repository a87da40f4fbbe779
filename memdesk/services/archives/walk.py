"""Finds the chats in a file, a ZIP archive or a folder, and reads them one at a time."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from memdesk.services.archives.chatgpt import CHATGPT
from memdesk.services.archives.claude import CLAUDE
from memdesk.services.archives.desktop import JAN, LM_STUDIO, OPEN_WEBUI
from memdesk.services.archives.model import ArchivedChat, ArchiveError, ChatFormat
from memdesk.services.archives.plain import MESSAGES, TURNS, parse_markdown

#: In the order they are tried; the more particular shapes first.
FORMATS: tuple[ChatFormat, ...] = (CHATGPT, CLAUDE, OPEN_WEBUI, LM_STUDIO, JAN, TURNS, MESSAGES)
#: One chat larger than this is no chat; it guards against archives made to fill the memory.
MAX_CHAT_CHARS = 200_000_000
_CHUNK = 1 << 20
_SUFFIXES = frozenset({".json", ".jsonl", ".md", ".markdown"})
#: Read as Markdown. A plain text is looked at when it is chosen by itself, not wherever one lies.
_TEXTS = frozenset({".md", ".markdown", ".txt"})


@dataclass(frozen=True, slots=True)
class Unreadable:
    """One entry that was passed over, and why."""

    name: str
    reason: str


def read_chats(path: Path) -> Iterator[ArchivedChat | Unreadable]:
    """Yield every chat below ``path``, in the order of the archive, holding one at a time.

    Raises:
        ArchiveError: the path is missing, or nothing in it is of a known format.
    """
    if not path.exists():
        raise ArchiveError(f"{path} does not exist.")
    known = False
    for name, opener in _entries(path):
        for found in _read_entry(name, opener):
            known = known or isinstance(found, ArchivedChat)
            yield found.in_words() if isinstance(found, ArchivedChat) else found
    if not known:
        titles = ", ".join(dict.fromkeys(fmt.title for fmt in FORMATS))
        raise ArchiveError(
            f"{path.name} holds no chat that memdesk can read.",
            hint=f"It reads exports of {titles}, and Markdown. A ZIP may stay packed.",
        )


class _Opener:
    """Opens one entry, and its siblings, of a folder or of a ZIP archive."""

    def __init__(self, root: Path | zipfile.ZipFile, name: str) -> None:
        self._root = root
        self._name = name

    @contextmanager
    def text(self) -> Iterator[IO[str]]:
        if isinstance(self._root, zipfile.ZipFile):
            with self._root.open(self._name) as raw, io.TextIOWrapper(raw, encoding="utf-8-sig") as stream:
                yield stream
        else:
            with (self._root / self._name).open(encoding="utf-8-sig") as stream:
                yield stream

    def sibling(self, name: str) -> _Opener | None:
        beside = str(PurePosixPath(self._name).with_name(name))
        if isinstance(self._root, zipfile.ZipFile):
            there = beside in self._root.namelist()
        else:
            there = (self._root / beside).is_file()
        return _Opener(self._root, beside) if there else None


def _entries(path: Path) -> Iterator[tuple[str, _Opener]]:
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            name = file.relative_to(path).as_posix()
            if _may_hold_chats(name) and file.is_file():
                yield name, _Opener(path, name)
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in sorted(archive.namelist()):
                if _may_hold_chats(name):
                    yield name, _Opener(archive, name)
    else:
        yield _alone(path)


def _alone(path: Path) -> tuple[str, _Opener]:
    """Return a file that was chosen by itself; either file of a Jan thread stands for both, in their folder."""
    thread = path.with_name("thread.json")
    if path.name in {"messages.jsonl", "thread.json"} and thread.is_file():
        name = f"{path.parent.name}/{thread.name}"
        return name, _Opener(path.parent.parent, name)
    return path.name, _Opener(path.parent, path.name)


def _may_hold_chats(name: str) -> bool:
    """Whether an entry is worth a look; what macOS keeps beside the files of a ZIP (``._name``) is none."""
    file = PurePosixPath(name)
    return file.suffix.casefold() in _SUFFIXES and not file.name.startswith("._")


def _read_entry(name: str, opener: _Opener) -> Iterator[ArchivedChat | Unreadable]:
    file = PurePosixPath(name)
    try:
        if file.suffix.casefold() in _TEXTS:
            with opener.text() as stream:
                chat = parse_markdown(stream.read(MAX_CHAT_CHARS), file.stem)
            if chat.messages:
                yield chat
        elif file.name == "thread.json" and (messages := opener.sibling("messages.jsonl")):
            yield from _jan_thread(name, opener, messages)
        elif file.suffix.casefold() == ".jsonl":
            if file.name != "messages.jsonl" or opener.sibling("thread.json") is None:
                yield from _json_lines(name, opener)
        else:
            with opener.text() as stream:
                yield from _chats(stream_json(stream), name)
    except UnicodeDecodeError:
        yield Unreadable(name, "It is no text in UTF-8.")
    except json.JSONDecodeError:
        yield Unreadable(name, "It is not JSON, or ends in the middle; what stands before that was read.")
    except (ValueError, OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as broken:
        # zipfile raises the last two for encrypted members and unknown compression.
        yield Unreadable(name, str(broken) or type(broken).__name__)


def _chats(values: Iterable[Any], name: str) -> Iterator[ArchivedChat | Unreadable]:
    """Yield the chats among JSON values; values that are single messages or exchanges make one chat together."""
    loose: list[dict[str, Any]] = []
    stem = PurePosixPath(name).name.removesuffix(".jsonl").removesuffix(".json").removesuffix(".conversation")
    for number, data in enumerate(values):
        if not isinstance(data, dict):
            continue
        if {"role", "content"} <= data.keys() or {"user", "assistant"} <= data.keys():
            loose.append(data)
        else:
            yield from _chat_of(data, name, stem if number == 0 else f"{stem}-{number}")
    if loose:
        yield TURNS.parse({"turns": loose}, stem)


def _chat_of(data: dict[str, Any], name: str, fallback: str) -> Iterator[ArchivedChat | Unreadable]:
    for fmt in FORMATS:
        if fmt.accepts(data):
            try:
                yield fmt.parse(data, fallback)
            except (KeyError, TypeError, AttributeError, ValueError) as broken:
                yield Unreadable(f"{name}: {fallback}", f"not as {fmt.title} writes it: {broken}")
            return


def _json_lines(name: str, opener: _Opener) -> Iterator[ArchivedChat | Unreadable]:
    with opener.text() as stream:
        yield from _chats((json.loads(line) for line in stream if line.strip()), name)


def _jan_thread(name: str, opener: _Opener, messages: _Opener) -> Iterator[ArchivedChat | Unreadable]:
    """Join a thread's two files; a line that Jan did not finish costs that line alone."""
    with opener.text() as stream:
        thread = json.load(stream)
    lines: list[Any] = []
    with messages.text() as stream:
        for number, line in enumerate(stream, 1):
            try:
                lines.extend([json.loads(line)] if line.strip() else [])
            except json.JSONDecodeError:
                place = f"{name}: messages.jsonl, {number}"
                yield Unreadable(place, "It is not JSON, or ends in the middle.")
    folder = PurePosixPath(name).parent.name
    yield JAN.parse({"thread": thread if isinstance(thread, dict) else {}, "thread_messages": lines}, folder)


def stream_json(stream: IO[str]) -> Iterator[Any]:
    """Yield the elements of a JSON array one by one, or the one value that the stream holds.

    Raises:
        ValueError: it is not JSON, or one element is beyond ``MAX_CHAT_CHARS``.
    """
    pieces = _Pieces(stream)
    if not pieces.starts_with("["):
        if not pieces.at_end():
            yield pieces.value()
        return
    pieces.take()
    while not pieces.at_end() and not pieces.starts_with("]"):
        yield pieces.value()
        if pieces.starts_with(","):
            pieces.take()


class _Pieces:
    """A stream of JSON read in pieces, which double while a value is incomplete: the work stays linear."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._decoder = json.JSONDecoder()
        self._buffer = ""
        self._at = 0

    def at_end(self) -> bool:
        """Skip white space; return whether nothing follows."""
        while True:
            while self._at < len(self._buffer) and self._buffer[self._at] in " \t\r\n":
                self._at += 1
            if self._at < len(self._buffer):
                return False
            if not self._more(_CHUNK):
                return True

    def starts_with(self, char: str) -> bool:
        return not self.at_end() and self._buffer[self._at] == char

    def take(self) -> None:
        self._at += 1

    def value(self) -> Any:
        want = _CHUNK
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._at)
            except json.JSONDecodeError:
                if len(self._buffer) - self._at > MAX_CHAT_CHARS or not self._more(want):
                    raise
                want *= 2
                continue
            # A number may go on in the next piece; every other value ends by itself.
            if end == len(self._buffer) and isinstance(value, int | float) and self._more(_CHUNK):
                continue
            self._at = end
            return value

    def _more(self, count: int) -> bool:
        text = self._stream.read(count)
        if text:
            self._buffer, self._at = self._buffer[self._at :] + text, 0
        return bool(text)
