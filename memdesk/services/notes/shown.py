"""How the memory tool shows files and folders, in the words of the ``anthropic`` package's own backend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from memdesk.errors import BadRequestError

MAX_LINES: Final = 999_999
_NUMBER: Final = len(str(MAX_LINES))


def numbered(path: str, text: str, view_range: list[int] | None) -> str:
    lines, first = text.split("\n"), 1
    if len(lines) > MAX_LINES:
        raise BadRequestError(f"File {path} exceeds maximum line limit of 999,999 lines.")
    if view_range and len(view_range) == 2:
        first = max(1, view_range[0])
        lines = lines[first - 1 : len(lines) if view_range[1] == -1 else view_range[1]]
    return f"Here's the content of {path} with line numbers:\n{with_numbers(lines, first)}"


def with_numbers(lines: Iterable[str], first: int) -> str:
    return "\n".join(f"{number:>{_NUMBER}}\t{line}" for number, line in enumerate(lines, start=first))


def lines_of(text: str, words: str) -> list[int]:
    """Return the line numbers, from 1, where a text occurs."""
    found, at = [], text.find(words)
    while at >= 0:
        found.append(text.count("\n", 0, at) + 1)
        at = text.find(words, at + 1) if words else -1
    return found


def listing(path: str, place: str, sizes: Mapping[str, int]) -> str:
    """Return a folder's files and folders up to two levels deep, a folder before what is in it, hidden ones left out."""
    shown: dict[str, int] = {}
    for name, size in sizes.items():
        steps = name.removeprefix(f"{place}/").split("/")
        if any(step.startswith(".") for step in steps[:2]):
            continue
        for depth in range(1, min(2, len(steps)) + 1):
            entry = "/".join(steps[:depth]) + ("/" if depth < len(steps) else "")
            shown[entry] = shown.get(entry, 0) + size
    header = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
    lines = [f"{_size(sum(sizes.values()))}\t{path}"]
    lines += [f"{_size(shown[entry])}\t{path}/{entry}" for entry in sorted(shown, key=lambda entry: entry.split("/"))]
    return "\n".join([header, *lines])


def _size(count: int) -> str:
    """Return a size as the tool writes it: "0B", "12B", "1.5K", "4K"."""
    if count == 0:
        return "0B"
    power = min((count.bit_length() - 1) // 10, 3)
    value = count / 1024**power
    return f"{int(value) if value == int(value) else f'{value:.1f}'}{'BKMG'[power]}"
