"""The default title of a conversation."""

import re
from collections.abc import Collection
from itertools import count
from typing import Final

from memdesk.domain.chatting.files import apart

TITLE_CHARS: Final = 60
#: Keys under which a model's title for a conversation is stored, by agent and, after a mark, conversation.
TITLED: Final = "titled:"


def title_of(text: str) -> str:
    """Return a conversation's title from its first message: its first line, cut at a word, or the name of its file."""
    words, files = apart(text)
    text = words or next((file.name for file in files), "")
    line = next((part.strip() for part in text.splitlines() if part.strip()), "")
    line = " ".join(line.lstrip("#>*- ").split()) or line
    if len(line) <= TITLE_CHARS:
        return line
    cut = line[: TITLE_CHARS - 1]
    head = cut.rsplit(" ", 1)[0] if " " in cut[TITLE_CHARS // 2 :] else cut
    return head.rstrip(" ,.;:") + "…"


def next_title(title: str, taken: Collection[str]) -> str:
    """Return a title with the first free number, for a conversation that continues another one."""
    base = re.sub(r" \(\d+\)$", "", title)
    return next(numbered for number in count(2) if (numbered := f"{base} ({number})") not in taken)


def as_title(answer: str) -> str:
    """Return the title in a model's answer, without marks around it; "" if it is too long or has no words."""
    line = next((part for part in answer.splitlines() if part.strip()), "")
    line = " ".join(line.strip(" \t#*_`\"'\u201c\u201d\u201e\u00ab\u00bb").rstrip(".:").split())
    return line if len(line) <= TITLE_CHARS and any(letter.isalnum() for letter in line) else ""
