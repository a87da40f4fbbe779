"""Opens the files of a folder or a ZIP archive; never a link, a pipe or a device."""

from __future__ import annotations

import codecs
import io
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO

from memdesk.domain.chatting.images import MOST_BYTES
from memdesk.messages import say
from memdesk.services.importing.archives.model import ArchiveError, Stored
from memdesk.services.importing.archives.takeouts import CELL

#: Maximum number of files scanned in a folder.
MAX_FILES = 100_000
#: Bytes needed to recognize a picture, levels of folders searched, and names with ChatGPT's ids.
_HEAD = 64
_DEPTH = 6
_WITH_ID = re.compile(r"file[-_][A-Za-z0-9]+")
#: A Takeout's page has styles before its first entry.
_STYLES = 1 << 20


def usable(path: Path) -> Path:
    """Resolve a path; only one named by the user may be a link.

    Raises:
        ArchiveError: it does not exist, or is neither a file nor a folder.
    """
    try:
        path = path.resolve()
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise ArchiveError(say("{path} does not exist.", path=path)) from None
    except (OSError, ValueError, RuntimeError) as broken:
        words = broken.strerror if isinstance(broken, OSError) else say("it is not a path")
        raise ArchiveError(say("That path cannot be read: {words}.", words=words)) from broken
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise ArchiveError(say("{path} is neither a file nor a folder.", path=path))
    return path


def _open_file(path: Path) -> io.BufferedReader:
    """Open a plain file; never a link, a pipe or a device, which could lead elsewhere or never end.

    Raises:
        OSError: it is not a plain file, or cannot be read.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError("It is not a file.")
    return os.fdopen(descriptor, "rb")


class Opener:
    """Opens one entry, and its siblings, of a folder or of a ZIP archive."""

    def __init__(self, root: Path | zipfile.ZipFile, name: str, index: Index | None = None) -> None:
        self._root = root
        self._name = name
        self._index = index or Index(root)

    @contextmanager
    def text(self) -> Iterator[IO[str]]:
        """Open it as text: UTF-8, or UTF-16 with a byte order mark; an invalid byte becomes a lone surrogate."""
        with self._bytes() as raw:
            wide = raw.peek(2)[:2] in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}
            encoding, errors = ("utf-16", "replace") if wide else ("utf-8-sig", "surrogateescape")
            with io.TextIOWrapper(raw, encoding=encoding, errors=errors) as stream:
                yield stream

    def is_log(self) -> bool:
        """Whether it is a Takeout page of activities."""
        try:
            with self.text() as stream:
                return CELL in stream.read(_STYLES)
        except (OSError, RuntimeError, NotImplementedError, EOFError, zipfile.BadZipFile, zlib.error):
            return False  # locked, or truncated

    def _bytes(self) -> io.BufferedReader:
        if isinstance(self._root, zipfile.ZipFile):
            return io.BufferedReader(self._root.open(self._name))  # type: ignore[arg-type]  # it is raw enough
        return _open_file(self._root / self._name)

    def stored(self, ref: str) -> Stored | None:
        """Return a file of the same archive by the app's id or name for it."""
        name = self._index.find(ref)
        if name is None:
            return None
        opener, root = Opener(self._root, name, self._index), self._root
        try:
            size = root.getinfo(name).file_size if isinstance(root, zipfile.ZipFile) else (root / name).stat().st_size
            with opener._bytes() as raw:
                head = raw.read(_HEAD)
        except (OSError, RuntimeError, NotImplementedError, EOFError, zipfile.BadZipFile, zlib.error):
            return None  # locked, or cut off
        return Stored(size, head, opener._whole)

    def _whole(self) -> bytes:
        with self._bytes() as raw:
            return raw.read(MOST_BYTES + 1)

    def sibling(self, name: str) -> Opener | None:
        beside = str(PurePosixPath(self._name).with_name(name))
        if isinstance(self._root, zipfile.ZipFile):
            there = beside in self._root.NameToInfo
        else:
            there = is_plain(self._root / beside)
        return Opener(self._root, beside, self._index) if there else None


class Index:
    """Finds files of an archive by apps' names: ids, which start file or folder names, or whole names."""

    def __init__(self, root: Path | zipfile.ZipFile) -> None:
        self._root = root
        self._names: dict[str, str] | None = None

    def find(self, ref: str) -> str | None:
        """Return the path, relative to the root, of the file with this name."""
        if self._names is None:
            self._names = {}
            for path in islice(self._paths(), MAX_FILES):
                for called in _callings(PurePosixPath(path)):
                    self._names.setdefault(called, path)
        return self._names.get(ref)

    def _paths(self) -> Iterator[str]:
        if isinstance(self._root, zipfile.ZipFile):
            yield from self._root.namelist()
            return
        # LM Studio's files are beside the folder of its chats.
        for folder in (self._root, self._root.parent / "user-files"):
            for above, folders, names in os.walk(folder):
                depth = len(Path(above).relative_to(folder).parts)
                folders[:] = sorted(folders) if depth < _DEPTH else []
                for name in names:
                    yield os.path.relpath(Path(above) / name, self._root).replace(os.sep, "/")


def _callings(path: PurePosixPath) -> Iterator[str]:
    """Yield apps' names of a file: its name, the id it starts with, or, if many share a name, its folder."""
    yield path.name
    if path.parent.name == "attachments":
        yield str(path)
    if path.stem == "content":
        yield path.parent.name
    elif match := _WITH_ID.match(path.name):
        yield match[0]


def is_plain(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False
