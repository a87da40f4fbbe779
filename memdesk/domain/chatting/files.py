"""Files sent with a message: how they are written into its text, and found there again.

A message is stored as it was sent to the model. After the words each file follows in a fence longer than any in
it, under a line that names it, so that the window can show it as a file, and reading does not take it as said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from memdesk.domain.chatting.passages import PAGE, excerpt
from memdesk.domain.language.text import estimate_tokens

#: Keys under which the whole text of a long file is stored, by agent, conversation and name, after marks.
WHOLE: Final = "whole_file:"
#: Most tokens that passages of earlier files take in a later message about them.
AGAIN_TOKENS: Final = 2000
_MARK: Final = "file"
_GAP: Final = "\n\n"
_FILE: Final = re.compile(
    r"^(?P<name>\S[^\n]*) \((?:(?P<pages>\d+) pages, )?(?P<chars>\d+) characters"
    r"(?:; (?P<chosen>\d+) of (?P<all>\d+) passages[^\n]*)?\):\n"
    rf"(?P<fence>`{{3,}}){_MARK}\n(?P<text>.*?)\n(?P=fence)(?=\n\n|\Z)",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file as it was sent with a message.

    Attributes:
        chars, pages: of the whole file; ``pages`` is 0 if it has none.
        text: what the model was given of it.
        passages: how many passages ``text`` is, and of how many; None if it is the whole file.
    """

    name: str
    chars: int
    pages: int
    text: str
    passages: tuple[int, int] | None = None

    @classmethod
    def of(
        cls, name: str, content: str, asked: str = "", room: int | None = None, *, only_alike: bool = False
    ) -> SentFile:
        """Return a file as it is sent: whole, or if longer than ``room`` tokens the passages that answer ``asked``.

        With ``only_alike`` it has no text if nothing does.
        """
        text, chosen = content.replace(PAGE, _GAP), None
        if room is not None:
            text, chosen = excerpt(name, content, asked, room, only_alike=only_alike)
        pages = content.count(PAGE) + 1 if PAGE in content else 0
        return cls(" ".join(name.split()), len(content), pages, text.rstrip(), chosen)

    def __str__(self) -> str:
        fence = "```"
        while fence in self.text:
            fence += "`"
        size = (f"{self.pages} pages, " if self.pages else "") + f"{self.chars} characters"
        if self.passages:
            chosen, every = self.passages
            size += f"; {chosen} of {every} passages, those closest to the message; name the place when you quote one"
        return f"{self.name} ({size}):\n{fence}{_MARK}\n{self.text}\n{fence}"


def joined(words: str, files: Iterable[SentFile]) -> str:
    """Return a message as it is sent and stored."""
    return _GAP.join(part for part in (words.strip(), *map(str, files)) if part)


def apart(message: str) -> tuple[str, tuple[SentFile, ...]]:
    """Return the words of a message and its files; what only looks like a file among the words belongs to the words."""
    if not message.endswith("```"):
        return message, ()
    end, files = len(message), []
    for found in reversed(list(_FILE.finditer(message))):
        if found.end() != end or (found.start() and not message[: found.start()].endswith(_GAP)):
            break
        chosen = (int(found["chosen"]), int(found["all"])) if found["all"] else None
        files.append(SentFile(found["name"], int(found["chars"]), int(found["pages"] or 0), found["text"], chosen))
        end = max(0, found.start() - len(_GAP))
    return message[:end], tuple(reversed(files))


def files_room(context: int) -> int:
    """Return how many tokens of a model's context files may take; the rest is for answer, chat and memory."""
    return context // 2


def shortened(messages: Iterable[str]) -> set[str]:
    """Return the names of files that were sent as passages in messages of the user."""
    return {file.name for message in messages for file in apart(message)[1] if file.passages}


def with_passages(message: str, whole: Mapping[str, str], room: int) -> str:
    """Return a message with the passages of long files that answer its words, or as it is if none does.

    They replace the passages sent with it; ``room``: tokens at most, of all files.
    """
    words, sent = apart(message)
    found = (SentFile.of(*file, words, room // len(whole), only_alike=True) for file in whole.items())
    told = {file.name: file for file in found if file.text}
    return message if not told else joined(words, [*(told.pop(file.name, file) for file in sent), *told.values()])


def fitted(words: str, files: Mapping[str, str], room: int) -> list[SentFile]:
    """Return files as they are sent to a model with room for so many tokens of them: of long ones, passages.

    They share the room: what a short one leaves goes to those after it.
    """
    sent: dict[str, SentFile] = {}
    left = max(0, room)
    waiting = sorted(files.items(), key=lambda file: len(file[1]))
    for number, (name, content) in enumerate(waiting):
        sent[name] = SentFile.of(name, content, words, left // (len(waiting) - number))
        left -= estimate_tokens(sent[name].text)
    return [sent[name] for name in files]
