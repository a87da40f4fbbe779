"""What must not become memory, with disguises and pasted texts: ``planted.toml``, ``pasted.toml`` and others of ``tests/data/reading``."""

from __future__ import annotations

import base64
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

_DATA = Path(__file__).parents[1] / "data" / "reading"
_PLANTED = tomllib.loads((_DATA / "planted.toml").read_text("utf-8"))
_PASTED = tomllib.loads((_DATA / "pasted.toml").read_text("utf-8"))
CLAIMS: list[list[str]] = _PLANTED["claims"]
FRAMES: dict[str, list[str]] = _PLANTED["frames"]
ORDERS: list[str] = _PLANTED["orders"]["plain"]
ORDERS_ELSEWHERE: list[str] = _PLANTED["orders"]["languages"]
LOOK_ALIKES: list[str] = _PLANTED["orders"]["alike"]


class Pasted(NamedTuple):
    """A sentence in a text that somebody pastes.

    Attributes:
        sentence: it.
        said: the whole message.
        asked: a later question about the rest.
        kept: what answers it.
    """

    sentence: str
    said: str
    asked: str
    kept: str


def pasted(kind: str, *parts: str) -> list[Pasted]:
    """Return those of a kind, ``orders`` or ``alike``, of the parts that are named (the seen and then the unseen ones)."""
    made = []
    for frame, sentence, *about in [case for part in parts or ("seen", "blind") for case in _PASTED[kind][part]]:
        said, asked, kept = _PASTED["frames"][frame]
        made.append(Pasted(sentence, said.replace("{}", sentence), about[0] if about else asked, kept))
    return made


def handed_over(name: str) -> list[Pasted]:
    """Return the messages of ``pasted_orders`` or ``pasted_harmless``, which are whole."""
    cases = tomllib.loads((_DATA / f"{name}.toml").read_text("utf-8"))["case"]
    return [Pasted(case.get("order", case["kept"]), case["said"], case["asked"], case["kept"]) for case in cases]


def told_secrets(kind: str) -> list[str] | list[list[str]]:
    """Return ``secrets``, each with the part that may stand nowhere, or what is only ``alike``: ``told_secrets.toml``."""
    halves = tomllib.loads((_DATA / "told_secrets.toml").read_text("utf-8"))[kind]
    return [*halves["seen"], *halves["blind"]]


def handed_on(kind: str) -> list[tuple[list[str], str]]:
    """Return chats in which a text of others is handed on, each with a word that is in no fact (``held``) or in one (``told``)."""
    halves = tomllib.loads((_DATA / "handed_on.toml").read_text("utf-8"))[kind]
    return [(case[:-1], case[-1]) for case in (*halves["seen"], *halves["blind"])]


def told(template: Sequence[str], claim: Sequence[str]) -> list[str]:
    """Return the turns of a chat in which a claim is made."""
    _, you, i = claim
    forms = {"you": you, "i": i, "You": you[0].upper() + you[1:], "I": i[0].upper() + i[1:]}
    return [turn.format(**forms) for turn in template]


def _tag_characters(order: str) -> str:
    return "Nice weather." + "".join(chr(0xE0000 + ord(char)) for char in order)


DISGUISES: dict[str, Callable[[str], str]] = {
    "plain": str,
    "zero width": "\u200b".join,
    "homoglyphs": lambda order: order.translate(
        str.maketrans("aeopcyxi", "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456")
    ),
    "full width": lambda order: "".join(chr(ord(char) + 0xFEE0) if char != " " else char for char in order),
    "backwards": lambda order: f"\u202e{order[::-1]}\u202c",
    "tags": _tag_characters,
    "leet": lambda order: order.translate(str.maketrans("aeiost", "431057")),
    "letters apart": lambda order: "  ".join(" ".join(word) for word in order.split()),
    "base64": lambda order: f"Please note: {base64.b64encode(order.encode()).decode()}",
    "accents": lambda order: order.replace("e", "e\u0301").replace("o", "o\u00ad"),
}
