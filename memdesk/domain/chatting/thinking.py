"""Separates a model's thinking from its answer, in whole texts and in streamed pieces. Pure.

Models that think first write it in one of these forms; servers that know the form return it separately:

* tags around it: ``<think>`` (Qwen, DeepSeek, and most others), ``[THINK]`` (Magistral), ``◁think▷`` (Kimi),
  ``<|channel>thought`` (Gemma);
* no opening tag, if the chat template wrote it into the prompt: ``…</think>`` on a line of its own;
* the channels of gpt-oss (OpenAI's harmony format): ``<|channel|>analysis<|message|>…<|end|>``.

Thinking is only at the beginning of an answer: tags in the middle of it or in its code are part of the answer.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

#: Opening tags and what closes them.
TAGS: Final = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<seed:think>": "</seed:think>",
    "[THINK]": "[/THINK]",
    "◁think▷": "◁/think▷",
    "<|channel>thought": "<channel|>",
}
_HARMONY: Final = tuple(f"<|{name}|>" for name in ("start", "channel", "message", "end", "return", "call"))
_MARK = re.compile("|".join(map(re.escape, _HARMONY)))
_RECIPIENT = re.compile(r"\bto=functions\.([\w.-]+)")
_OPENERS: Final = (*TAGS, "<|start|>", "<|channel|>")
_FENCES: Final = ("```", "~~~")
_LINE_MARKS: Final = (*TAGS.values(), *_FENCES)
_LONGEST: Final = max(map(len, _OPENERS))
#: Tokens that programs usually strip from a model's text, and that show where its thinking is.
CONTROL_TOKENS: Final = frozenset({*TAGS, *TAGS.values(), *_HARMONY, "<|channel>", "<|constrain|>"})


@dataclass(frozen=True, slots=True)
class Piece:
    """The next words of one kind; with ``taken_back`` the answer so far was thinking, and these come after it."""

    thinking: str = ""
    answer: str = ""
    taken_back: bool = False


class ThinkingSplitter:
    """Takes a model's text as it is streamed. The result does not depend on how the text is split.

    Args:
        opened: the tag of :data:`TAGS` that the prompt ended with; empty if none.
    """

    def __init__(self, opened: str = "") -> None:
        self._opened = opened
        self._closer = TAGS.get(opened, "")
        self._mode: Callable[[], bool] = self._opening
        self._text, self._at, self._last = "", 0, False
        self._pieces: list[Piece] = []
        #: Text treated as thinking only because the prompt opened it.
        self._presumed: list[str] = []
        #: Whether thinking was found; blank space between it and the answer belongs to neither.
        self._thought = False
        # In an answer: whether a lone closing tag may still come, and the position in a line and in code.
        self._watching, self._line_begins, self._in_code, self._tail = True, True, False, ""
        # In channels: the header being read, and the kind of the current message.
        self._header: str | None = None
        self._analysis = self._calling = self._said = False

    @property
    def unclosed(self) -> bool:
        """Whether it is inside thinking marked by tags."""
        return self._mode == self._thinking

    def feed(self, text: str) -> list[Piece]:
        """Take the next text and return what is certain by now."""
        return self._run(text, last=False)

    def end(self, *, cut: bool = True) -> list[Piece]:
        """Return what was held back, once no more text comes.

        ``cut``: the text was cut off. If not, thinking that the prompt opened and nothing closed was the
        answer: the model was asked not to think, or forgot the closing tag.
        """
        pieces = self._run("", last=True)
        if self._presumed and self.unclosed and not cut:
            self._tell(answer="".join(self._presumed).strip())
        if self._calling:
            self._close_call()
        return pieces

    def _run(self, text: str, *, last: bool) -> list[Piece]:
        self._text, self._at, self._last, self._pieces = self._text[self._at :] + text, 0, last, []
        while self._at < len(self._text) and self._mode():
            pass
        return self._pieces

    # -- modes: each continues from ``_at`` and returns whether another one can continue at once ----------------

    def _opening(self) -> bool:
        """Check whether thinking begins here."""
        text, start = self._text, self._at
        while start < len(text) and text[start].isspace():
            start += 1
        if start == len(text):
            if self._last:
                self._tell(answer="" if self._thought or self._opened else text[self._at :])
                self._at = start
            return False
        head = text[start : start + _LONGEST]
        for opener in _OPENERS:
            if head.startswith(opener):
                channels = opener not in TAGS
                self._thought = True
                self._at = start if channels else start + len(opener)
                self._closer = "" if channels else TAGS[opener]
                self._opened = ""
                self._mode = self._channels if channels else self._thinking
                return True
        if not self._last and any(opener.startswith(head) for opener in _OPENERS):
            return False
        if self._opened and not self._thought:
            self._thought, self._mode = True, self._thinking
            return True
        if self._thought:
            self._at, self._watching = start, False
        self._mode = self._answer
        return True

    def _thinking(self) -> bool:
        end = self._text.find(self._closer, self._at)
        if end >= 0:
            self._tell(thinking=self._text[self._at : end])
            self._presumed = []
            self._at = end + len(self._closer)
            self._mode = self._opening
            return True
        stop = self._safe_end((self._closer,))
        self._tell(thinking=self._text[self._at : stop])
        if self._opened:
            self._presumed.append(self._text[self._at : stop])
        self._at = stop
        return False

    def _answer(self) -> bool:
        """Pass words on, watching for a closing tag alone on its line whose opening tag was in the prompt."""
        begin = self._at
        while self._watching and self._at < len(self._text):
            end = self._text.find("\n", self._at) + 1
            line = self._text[self._at : end or len(self._text)]
            if self._line_begins:
                word = line.strip()
                whole = bool(end) or self._last
                if not whole and any(mark.startswith(word) for mark in _LINE_MARKS):
                    self._tell(answer=self._text[begin : self._at])
                    return False
                if whole and not self._in_code and word in TAGS.values():
                    self._tell(answer=self._text[begin : self._at])
                    self._pieces.append(Piece(taken_back=True))
                    self._at += len(line)
                    self._thought, self._mode = True, self._opening
                    return True
                self._in_code ^= word.startswith(_FENCES)
            seen = self._tail + line
            self._watching = not any(opener in seen for opener in TAGS)
            self._tail = seen[-_LONGEST:]
            self._line_begins = bool(end)
            self._at += len(line)
        self._tell(answer=self._text[begin:])
        self._at = len(self._text)
        return False

    def _channels(self) -> bool:
        """Read the messages of gpt-oss: a header that names the channel, then its words."""
        found = _MARK.search(self._text, self._at)
        stop = found.start() if found else self._safe_end(_HARMONY)
        words, self._at = self._text[self._at : stop], found.end() if found else stop
        if self._header is not None:
            self._header += words
        elif self._analysis:
            self._tell(thinking=words)
        else:
            words = words if self._said else words.lstrip()
            self._said = self._said or bool(words)
            self._tell(answer=words)
        if found:
            self._marked(found[0])
        return found is not None

    # -- parts ---------------------------------------------------------------------------------------------

    def _marked(self, mark: str) -> None:
        if self._calling:
            self._close_call()
        if mark in {"<|start|>", "<|channel|>"}:
            self._header = f"{self._header or ''} "
            return
        header, self._header = self._header or "", None
        self._analysis = "analysis" in header.split()
        if recipient := _RECIPIENT.search(header):
            # Written as most models write calls, so that ``engines.toolcalls`` finds it.
            self._analysis, self._calling = False, True
            self._tell(answer=f'<tool_call>{{"name": {json.dumps(recipient[1])}, "arguments": ')

    def _close_call(self) -> None:
        self._calling = False
        self._tell(answer="}</tool_call>")

    def _tell(self, *, thinking: str = "", answer: str = "") -> None:
        if thinking or answer:
            self._pieces.append(Piece(thinking, answer))

    def _safe_end(self, marks: tuple[str, ...]) -> int:
        """Return the end of the text that cannot be the beginning of a mark."""
        text = self._text
        if not self._last:
            for size in range(min(max(map(len, marks)) - 1, len(text) - self._at), 0, -1):
                if any(mark.startswith(text[-size:]) for mark in marks):
                    return len(text) - size
        return len(text)


def split(text: str) -> tuple[str, str]:
    """Return the thinking and the answer of a whole text."""
    splitter = ThinkingSplitter()
    thinking: list[str] = []
    answer: list[str] = []
    for piece in (*splitter.feed(text), *splitter.end()):
        if piece.taken_back:
            thinking, answer = [*thinking, *answer], []
        thinking.append(piece.thinking)
        answer.append(piece.answer)
    return "".join(thinking), "".join(answer)


def without_thinking(text: str) -> str:
    """Return a model's answer without the thinking at its beginning."""
    return split(text)[1]


def opened_in(prompt: str) -> str:
    """Return the tag of :data:`TAGS` that a prompt ends with, or ""."""
    end = prompt[-2 * _LONGEST :].rstrip()
    return next((opener for opener in TAGS if end.endswith(opener)), "")
