"""What the command line prints: results on stdout, everything else on stderr."""

import argparse
import io
import json
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from memdesk.errors import MemdeskError

#: Control characters: text from others must not control the terminal.
_MARKS = dict.fromkeys([*range(32), *range(127, 160)], "\N{REPLACEMENT CHARACTER}")


def speak_utf8() -> None:
    """Make the output support all characters, whatever the system's code page.

    Files and other programs get UTF-8, as JSON is; a terminal shows unsupported characters as escapes.
    """
    for stream in (sys.stdout, sys.stderr):
        # Without a console (pythonw, a windowed build) there is no stream; a program's replacement stays as it is.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


def print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def note(text: str) -> None:
    """Print a message to the user that is not part of the result."""
    print(text, file=sys.stderr, flush=True)


def print_error(error: MemdeskError, *, as_json: bool) -> None:
    """Print an error on stderr: title, message and hint, or the API's error object."""
    if as_json:
        body = {"message": error.message, "type": type(error).__name__, "code": error.code, "hint": error.hint}
        print(json.dumps({"error": body}, ensure_ascii=False), file=sys.stderr)
        return
    print(f"{error.title}: {error.message}", file=sys.stderr)
    if error.hint:
        print(f"  {error.hint}", file=sys.stderr)


def print_table(rows: Iterable[Sequence[Any]], head: Sequence[str] = ()) -> None:
    """Print rows in aligned columns; the last column is cut to the terminal's width."""
    cells = [[_cell(value) for value in row] for row in rows]
    if not cells:
        return
    if head:
        cells.insert(0, list(head))
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    room = shutil.get_terminal_size((120, 24)).columns if sys.stdout.isatty() else 10_000
    for row in cells:
        line = "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        print(line if len(line) <= room else line[: room - 1] + "…")


def print_rows(
    options: argparse.Namespace, value: Any, rows: Iterable[Sequence[Any]], head: Sequence[str] = ()
) -> None:
    """Print an answer: all of it for a program, else its rows."""
    if options.json:
        print_json(value)
    else:
        print_table(rows, head)


def print_wrapped(text: str, indent: str = "") -> None:
    """Print a paragraph within the terminal's width."""
    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    print(textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent))


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: ``1 chat``, ``2 chats``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.2f}"
    return " ".join(str(value).split()).translate(_MARKS)


def progress(total: int | None, label: str, unit: str = "it") -> Any:
    """Return a tqdm bar on stderr; silent when stderr is not a terminal."""
    from tqdm import tqdm

    return tqdm(total=total, desc=label, unit=unit, file=sys.stderr, disable=None, leave=False)
