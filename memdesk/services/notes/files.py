"""Files of a folder of notes: listing and reading them safely."""

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Final

from memdesk.errors import BadRequestError, MissingPartError, NotFoundError
from memdesk.messages import say
from memdesk.services.documents import MOST_BYTES, limited, text_of
from memdesk.settings.schema import NoteFolder

#: File extensions of notes; other files are skipped.
KINDS: Final = frozenset(
    {".md", ".markdown", ".mdx", ".txt", ".text", ".rst", ".org", ".adoc", ".tex", ".html", ".htm", ".xhtml", ".pdf",
     ".docx"}
)  # fmt: skip
MARKDOWN: Final = frozenset({".md", ".markdown", ".mdx"})
#: Folders that programs fill. Hidden ones and virtual environments are also skipped.
_MADE: Final = frozenset({"node_modules", "__pycache__"})
#: Retries for a file that changes while being read.
_TRIES: Final = 3


class ChangingError(BadRequestError):
    """The file was modified while being read; it is read again later."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """Identifies a file's version: size in bytes, and modification time in nanoseconds."""

    size: int
    written: int


@dataclass(frozen=True, slots=True)
class Note:
    """A file as it was read."""

    stamp: Stamp
    text: str


def folder_id(folder: NoteFolder) -> str:
    """Return a folder's id, from its path and agent."""
    return hashlib.sha256(f"{folder.agent}\n{folder.path}".encode()).hexdigest()[:12]


@cache
def _systems() -> tuple[str, ...]:
    """Return the system's own folders, as real paths: devices, processes, settings with secrets in them, programs."""
    named = (
        "/proc",
        "/sys",
        "/dev",
        "/etc",
        "/boot",
        "/bin",
        "/sbin",
        "/lib",
        "/lib64",
        "/System",
        os.environ.get("SYSTEMROOT"),
    )
    return tuple(os.path.realpath(name) for name in named if name)


def relative_to(folder: NoteFolder, path: str) -> str | None:
    """Return a path relative to a folder, with slashes; None if it is absolute and elsewhere."""
    given = Path(path)
    if not given.is_absolute():
        return given.as_posix()
    for root in (Path(folder.path), Path(folder.path).resolve()):
        if given.is_relative_to(root):
            return given.relative_to(root).as_posix()
    return None


def root_of(folder: NoteFolder) -> Path:
    """Return the real path of a folder.

    Raises:
        BadRequestError: it is a system folder.
        NotFoundError: it does not exist, or is not a folder.
    """
    root = Path(os.path.realpath(folder.path))
    if root == Path("/") or any(root.is_relative_to(place) for place in _systems()):
        raise BadRequestError(
            say("{path} is a folder of the system.", path=folder.path), hint=say("Choose a folder of your own.")
        )
    if not os.path.isdir(root):  # noqa: PTH112 -- whose own raises where a name is too long or may not be looked at
        raise NotFoundError(
            say("There is no folder {path}.", path=folder.path), hint=say("It may be on a disk that is not connected.")
        )
    return root


def matcher(folder: NoteFolder) -> Any:
    """Return a predicate for relative paths of a folder's files, by ``.gitignore`` rules."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(folder.include)


def walk(folder: NoteFolder, below: str = ".") -> Iterator[tuple[str, Stamp]]:
    """Yield the notes of a folder: paths relative to it, with slashes, and their stamps.

    ``below``: limits the walk to a file or folder in it.

    Raises:
        NotFoundError: the folder does not exist.
    """
    root, wanted = root_of(folder), matcher(folder)
    start = root / below
    if not os.path.isdir(start):  # noqa: PTH112 -- as above
        if is_note(folder, below) and (found := _stamp(start)) is not None:
            yield below, found
        return
    if _hidden(PurePosixPath(below).parts):
        return
    for place, folders, names in os.walk(start):
        folders[:] = sorted(name for name in folders if not _passed_over(Path(place, name)))
        for name in sorted(names):
            path = Path(place, name)
            relative = path.relative_to(root).as_posix()
            if path.suffix.casefold() in KINDS and wanted.match_file(relative) and (stamp := _stamp(path)) is not None:
                yield relative, stamp


def is_note(folder: NoteFolder, relative: str) -> bool:
    """Whether a relative path would be among a folder's files."""
    path = PurePosixPath(relative)
    return (
        not _hidden(path.parts[:-1]) and path.suffix.casefold() in KINDS and bool(matcher(folder).match_file(relative))
    )


def read_note(folder: NoteFolder, relative: str) -> Note:
    """Read one file of a folder.

    Raises:
        NotFoundError: it does not exist (any more).
        BadRequestError: it is elsewhere, is too large, or has no text.
        ChangingError: it kept changing.
    """
    path = inside(folder, relative)
    for _ in range(_TRIES):
        stamp, data = _bytes(path, relative)
        if _stamp(path) == stamp:
            try:
                text = limited(relative, text_of(relative, data))
            except ModuleNotFoundError as error:
                raise MissingPartError.of(error) or error from error
            return Note(stamp, text)
    raise ChangingError(
        say("{relative} changed while it was read.", relative=relative),
        hint=say("It is read again once it stops changing."),
    )


def inside(folder: NoteFolder, relative: str) -> Path:
    """Return the real path of a file.

    Raises:
        BadRequestError: it leads out of the folder, by name or link.
        NotFoundError: it does not exist.
    """
    root = root_of(folder)
    path = Path(os.path.realpath(root / relative))
    if not path.is_relative_to(root):
        raise BadRequestError(
            say("{relative} leads out of the folder.", relative=relative), hint=say("Add the folder that it is in.")
        )
    if not path.exists():
        raise NotFoundError(say("There is no file {relative}.", relative=relative))
    return path


def _bytes(path: Path, name: str) -> tuple[Stamp, bytes]:
    try:
        # If the file was replaced since the check, do not follow or wait for the replacement.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with open(handle, "rb") as file:  # noqa: PTH123 -- by its descriptor
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise BadRequestError(say("{name} is not a file.", name=name))
            if found.st_size > MOST_BYTES:
                raise BadRequestError(
                    say("{name} is larger than 50 MB.", name=name), hint=say("Cut it to the part that matters.")
                )
            return Stamp(found.st_size, found.st_mtime_ns), file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadRequestError(
            say("{name} could not be read: {strerror}.", name=name, strerror=error.strerror)
        ) from error


def _stamp(path: Path) -> Stamp | None:
    try:
        found = path.stat()
    except OSError:
        # It was deleted, or is a broken link.
        return None
    return Stamp(found.st_size, found.st_mtime_ns)


def _hidden(parts: Sequence[str]) -> bool:
    return any(part.startswith(".") or part in _MADE for part in parts)


def _passed_over(folder: Path) -> bool:
    return _hidden((folder.name,)) or os.path.exists(folder / "pyvenv.cfg")  # noqa: PTH110 -- as above
