"""What a note says about itself: front matter, tags and links to other notes, as Obsidian and others write them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

import yaml

#: Anything longer is not front matter; YAML's aliases can make much of little.
MOST_FRONT: Final = 16_000
#: Most values of one list, and most links and tags of one note.
MOST_VALUES: Final = 100
_FENCE: Final = re.compile(r"(?m)^(`{3,}|~{3,})[^\n]*\n(?:.*\n)*?\1[^\n]*$")
_INLINE: Final = re.compile(r"`[^`\n]*`")
#: Letters, digits, ``_``, ``-`` and ``/`` after a hash, not only digits: https://help.obsidian.md/tags
_TAG: Final = re.compile(r"(?<![^\s(\[,;])#((?=[\w/-]*[^\W\d_])[\w/-]+)")
#: ``[[Note]]``, ``[[Note#Heading]]``, ``[[Note|shown]]``, embedded with ``!``: https://help.obsidian.md/links
_LINK: Final = re.compile(r"\[\[([^\]\[|#\n]+)(?:#[^\]\[|\n]*)?(?:\|[^\]\[\n]*)?\]\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What a note says about itself.

    Attributes:
        lines: of the front matter, including its fences; 0 if there is none.
        front: its values: only texts, numbers and flat lists; without tags.
        tags: of the front matter and of the text, without ``#``.
        links: names of the notes it links to, in order.
    """

    lines: int = 0
    front: Mapping[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


def marks_of(text: str) -> Marks:
    lines, front = _front(text)
    body = _INLINE.sub(" ", _FENCE.sub(" ", "\n".join(text.split("\n")[lines:])))
    named = _listed(front.pop("tags", None)) + _listed(front.pop("tag", None))
    tags = [tag.lstrip("#") for tag in named] + _TAG.findall(body)
    links = [link.strip() for link in _LINK.findall(body)]
    return Marks(
        lines=lines,
        front=front,
        tags=tuple(dict.fromkeys(filter(None, tags)))[:MOST_VALUES],
        links=tuple(dict.fromkeys(filter(None, links)))[:MOST_VALUES],
    )


def _front(text: str) -> tuple[int, dict[str, Any]]:
    """Return how many lines the front matter takes, and its values; what cannot be parsed is left as text."""
    lines = text[:MOST_FRONT].split("\n")
    if lines[0].rstrip() != "---":
        return 0, {}
    end = next((at for at, line in enumerate(lines[1:], start=1) if line.rstrip() in {"---", "..."}), 0)
    try:
        found = yaml.safe_load("\n".join(lines[1:end])) if end else None
    except (yaml.YAMLError, ValueError, RecursionError):
        # PyYAML raises ValueError for invalid dates: 2026-02-31.
        return 0, {}
    if not isinstance(found, dict):
        return 0, {}
    kept = {str(name): _plain(value) for name, value in found.items()}
    return end + 1, {name: value for name, value in kept.items() if value not in (None, [], "")}


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [one for one in map(_scalar, value[:MOST_VALUES]) if one is not None]
    return _scalar(value)


def _scalar(value: Any) -> str | float | bool | None:
    if isinstance(value, date):
        return value.isoformat()
    return value if isinstance(value, str | int | float | bool) else None


def _listed(value: Any) -> list[str]:
    if isinstance(value, str):
        return re.split(r"[,\s]+", value.strip())
    return [str(one).strip() for one in value] if isinstance(value, list) else []
