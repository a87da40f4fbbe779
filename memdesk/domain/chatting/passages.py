"""Cuts a long text into passages and picks those relevant to a message.

A text that fits is sent whole. Of a longer one the passages are sent that share the message's rarer words (BM25,
Robertson and Zaragoza 2009), in reading order and each under its place, so that an answer can cite it.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memdesk.domain.language.text import content_words, estimate_tokens, stem

#: Ends a page, in a text with pages.
PAGE: Final = "\f"
#: Tokens of a passage: a few paragraphs, one of which answers a message.
PASSAGE_TOKENS: Final = 220
#: BM25: how soon a repeated word stops counting, and how much longer passages are penalized.
_SATURATION, _LENGTH = 1.2, 0.75
_PARAGRAPH = re.compile(r"\n\s*\n")
_SENTENCE = re.compile(r"(?<=[.!?…])\s+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a text; ``page`` counts from 1, and is 0 in a text without pages."""

    number: int
    page: int
    text: str


def passages(text: str) -> list[Passage]:
    """Cut a text at its pages and paragraphs, and long paragraphs at their sentences."""
    found: list[Passage] = []
    pages = text.split(PAGE)
    for number, page in enumerate(pages, start=1):
        held: list[str] = []
        for piece in _pieces(page):
            if held and estimate_tokens("\n\n".join([*held, piece])) > PASSAGE_TOKENS:
                found.append(Passage(len(found) + 1, number if len(pages) > 1 else 0, "\n\n".join(held)))
                held = []
            held.append(piece)
        if held:
            found.append(Passage(len(found) + 1, number if len(pages) > 1 else 0, "\n\n".join(held)))
    return found


def _pieces(page: str) -> list[str]:
    pieces: list[str] = []
    for paragraph in filter(None, map(str.strip, _PARAGRAPH.split(page))):
        if estimate_tokens(paragraph) <= PASSAGE_TOKENS:
            pieces.append(paragraph)
            continue
        for part in _SENTENCE.split(paragraph):
            # Text that runs for pages without a sentence end (tables, code) is cut once a piece is long enough.
            size = PASSAGE_TOKENS * 4
            pieces += [part[at : at + size] for at in range(0, len(part), size)]
    return pieces


def excerpt(
    name: str, text: str, asked: str, room: int, *, only_alike: bool = False
) -> tuple[str, tuple[int, int] | None]:
    """Return a text as it is sent to a model: whole if it takes at most ``room`` tokens, else the relevant passages.

    Passages come with how many there are, and of how many; each is headed by ``name`` and its place. If nothing in the
    text matches ``asked``, the beginning is taken; with ``only_alike``, nothing. ``room``: tokens at most, headings
    included.
    """
    if estimate_tokens(text) <= room and not only_alike:
        return text.replace(PAGE, "\n\n"), None
    found = passages(text)
    chosen: list[Passage] = []
    left = room
    for passage in _by_likeness(found, asked, only_alike=only_alike):
        cost = estimate_tokens(_placed(name, passage)) + 1
        if cost <= left:
            chosen.append(passage)
            left -= cost
    chosen.sort(key=lambda passage: passage.number)
    return "\n\n".join(_placed(name, passage) for passage in chosen), (len(chosen), len(found))


def _placed(name: str, passage: Passage) -> str:
    place = f"p. {passage.page}" if passage.page else f"passage {passage.number}"
    return f"[{name}, {place}]\n{passage.text}"


def _by_likeness(found: Sequence[Passage], asked: str, *, only_alike: bool) -> list[Passage]:
    wanted = set(map(stem, content_words(asked)))
    counts = [Counter(map(stem, content_words(passage.text))) for passage in found]
    lengths = [sum(count.values()) or 1 for count in counts]
    mean = sum(lengths) / len(lengths)
    holding = {word: sum(word in count for count in counts) for word in wanted}

    def likeness(number: int) -> float:
        count, length = counts[number], lengths[number]
        total = 0.0
        for word in wanted & count.keys():
            rarity = math.log(1 + (len(found) - holding[word] + 0.5) / (holding[word] + 0.5))
            bound = count[word] + _SATURATION * (1 - _LENGTH + _LENGTH * length / mean)
            total += rarity * count[word] * (_SATURATION + 1) / bound
        return total

    likely = [likeness(number) for number in range(len(found))]
    best = sorted(range(len(found)), key=lambda number: (-likely[number], number))
    return [found[number] for number in best if likely[number] > 0 or not only_alike]
