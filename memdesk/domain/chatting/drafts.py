"""Unsent messages: words, and the text files and pictures that go with them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from memdesk.domain.chatting.files import fitted, joined
from memdesk.domain.chatting.images import Image

#: Keys under which drafts without a conversation are stored, by agent.
NEXT: Final = "draft:"
#: Keys under which the files of drafts are stored, by agent and, after a mark, conversation.
FILES: Final = "draft_files:"
#: And their pictures, by id; the database deletes a picture when this no longer names it.
PICTURES: Final = "draft_images:"
#: Keys for how an agent's next conversation is to use memory.
CHOICE: Final = "next_memory:"
#: And for what it sets differently from its agent.
OVERRIDES: Final = "next_overrides:"
#: Separates two drafts that became one.
_GAP: Final = "\n\n"


@dataclass(frozen=True, slots=True)
class Draft:
    """Words, attached files by name, and pictures; falsy if it has none of them."""

    text: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    images: tuple[Image, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.text or self.files or self.images)

    def then(self, later: Draft) -> Draft:
        """Return this draft followed by what was written after it."""
        text = _GAP.join(part for part in (self.text, later.text) if part)
        return Draft(text, {**self.files, **later.files}, tuple(dict.fromkeys(self.images + later.images)))

    def after(self, sent: Draft) -> Draft:
        """Return what is left once ``sent``, with which this draft may begin, has been sent."""
        if self.text == sent.text:
            rest = ""
        elif self.text.startswith(sent.text + _GAP):
            rest = self.text[len(sent.text + _GAP) :]
        elif not sent.text:
            rest = self.text
        else:
            return self
        files = {name: text for name, text in self.files.items() if sent.files.get(name) != text}
        return Draft(rest, files, tuple(image for image in self.images if image not in sent.images))

    def without(self, sent: Draft) -> Draft:
        """Return what is left once ``sent``, one of those that became this draft, has been sent."""
        before, found, behind = self.text.partition(_GAP + sent.text)
        if self.after(sent) is self and sent.text and found and (not behind or behind.startswith(_GAP)):
            return replace(self, text=sent.text + _GAP + before + behind).after(sent)
        return self.after(sent)

    def message(self, room: int | None = None) -> str:
        """Return what is sent besides the pictures: the words and the files; with ``room``, passages of long ones."""
        every = sys.maxsize if room is None else room
        return joined(self.text, fitted(self.text, self.files, every))
