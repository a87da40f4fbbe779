"""The common result of all archive readers."""

from __future__ import annotations

import hashlib
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal

from memdesk.domain.chatting.drafts import Draft
from memdesk.domain.chatting.images import MOST_BYTES, Image
from memdesk.domain.items.item import IMPORTED
from memdesk.errors import BadRequestError
from memdesk.messages import say
from memdesk.services.documents import text_of as text_of_file
from memdesk.services.importing.archives import beside
from memdesk.services.importing.archives.beside import Beside
from memdesk.services.recording import MAX_TURN_CHARS

#: Epoch values above this are milliseconds (in seconds it would be the year 5138).
_MILLISECONDS_FROM = 1e11
#: Kinds of parts with text of the conversation.
_WORDS = frozenset({"text", "input_text", "output_text"})
#: Tags that models put around their thinking.
_TAGS = ("think", "thinking", "thought", "reasoning", "reason", "antThinking", "seed:think")
#: Additions to an answer, each with its kind and end mark: thinking in tags or marks, Open WebUI's folded thinking and
#: tool calls, ChatGPT's source marks.
_BESIDE = (
    *(
        (re.compile(rf"^[ \t]*<{tag}>.*?</{tag}>", re.DOTALL | re.MULTILINE), f"</{tag}>", beside.THOUGHTS)
        for tag in _TAGS
    ),
    (re.compile(r"\[THINK\].*?\[/THINK\]", re.DOTALL), "[/THINK]", beside.THOUGHTS),
    (re.compile(r"<\|channel\|>analysis<\|message\|>.*?<\|end\|>", re.DOTALL), "<|end|>", beside.THOUGHTS),
    (re.compile(r'<details\s+type="reasoning".*?</details>', re.DOTALL), "</details>", beside.THOUGHTS),
    (
        re.compile(r'<details\s+type="(?:tool_calls|code_interpreter)".*?</details>', re.DOTALL),
        "</details>",
        beside.TOOLS,
    ),
    (re.compile(r"\ue200.*?\ue201", re.DOTALL), "\ue201", ""),
    (re.compile(r"\u3010\d+[:\u2020].*?\u3011"), "\u3011", ""),
)
#: Thinking that was opened by the prompt, or was cut off, ChatGPT's marks around quotes of sources, and remains of
#: gpt-oss's channel marks.
_HALF = re.compile(
    r"\A.*^[ \t]*</think(?:ing)?>|\A\s*<think(?:ing)?>.*\Z|[\ue200-\ue206]"
    r"|(?:<\|start\|>assistant)?<\|channel\|>(?:final|commentary)<\|message\|>|<\|(?:end|return)\|>",
    re.DOTALL | re.MULTILINE,
)
#: Substrings of each: most answers have none, and skip the slow search.
_MARK = re.compile("</?think|<\\||[\ue200-\ue206]")
#: Lone surrogates: exports truncate titles in the middle of an emoji.
_HALF_LETTERS = re.compile("[\ud800-\udfff]")
#: Maximum bytes of an attached file whose text is imported, and signatures of files that are skipped.
_MOST_TEXT = 2_000_000
_NO_TEXT = (b"%PDF-", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"\x1f\x8b", b"ID3", b"OggS", b"\x00")
#: Plausible years of a conversation; programs write 1 or 9999 for "unknown".
_YEARS = range(1971, 2200)


class ArchiveError(BadRequestError):
    """A file that cannot be read as an archive of chats; nothing was imported."""

    code = "archive_unreadable"
    title = say("That file cannot be imported")


@dataclass(frozen=True, slots=True)
class Stored:
    """A file of an archive beside its chats: its size, first bytes, and how to read it."""

    size: int
    head: bytes
    read: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Attached:
    """An attachment: by its text, as a ``data:`` URL, or by the app's name for it in the archive."""

    name: str
    text: str = ""
    data: str = ""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a message; an archive's are read only when stored, as there may be many."""

    name: str
    read: Callable[[], bytes | str]

    def image(self) -> Image:
        """Return it as stored. Raises ``BadRequestError``."""
        try:
            return Image.of(self.read(), self.name)
        except (OSError, EOFError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error) as broken:
            raise BadRequestError(say("{name} cannot be read.", name=self.name)) from broken


@dataclass(frozen=True, slots=True)
class ArchivedMessage:
    """One message. ``speaker`` is a name if the source has one; ``attached`` becomes text and ``pictures``."""

    role: Literal["user", "assistant"]
    text: str
    at: datetime | None = None
    speaker: str = ""
    attached: tuple[Attached, ...] = ()
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class Aside:
    """What an app keeps besides its chats.

    Attributes:
        kind: ``memory`` (one thing it remembered about the user), ``told`` (what the user wrote about themselves),
            ``prompt`` (how to answer), ``project`` (its instructions, which may be empty).
        source: the app, as in chats.
        key: identifies it; of one kind and key the newest counts.
        text: its text.
        name: its name for people.
        at: its time.
    """

    kind: Literal["memory", "told", "prompt", "project"]
    source: str
    key: str
    text: str
    name: str = ""
    at: datetime | None = None

    @property
    def id(self) -> str:
        """Its id here, the same at every import."""
        return f"{IMPORTED}{self.source}-{self.key}"[:200]

    @classmethod
    def memory(cls, source: str, text: str, at: datetime | None = None) -> Aside:
        """Return a memory, identified by its text."""
        flat = " ".join(whole(text).split())
        return cls("memory", source, hashlib.sha256(flat.casefold().encode()).hexdigest()[:16], flat, at=at)


@dataclass(frozen=True, slots=True)
class ArchivedChat:
    """One conversation of an archive. ``id`` is the source's own and makes imports repeatable.

    ``left_out`` counts contents other than ``messages``, by kind: see
    :mod:`~memdesk.services.importing.archives.beside`. ``project`` is the key of the :class:`Aside` that it belongs to.
    """

    source: str
    id: str
    title: str
    messages: tuple[ArchivedMessage, ...]
    started: datetime | None = None
    left_out: Beside = field(default_factory=Beside)
    project: str = ""
    asides: tuple[Aside, ...] = ()

    @property
    def conversation_id(self) -> str:
        """Its id here, the same at every import."""
        return f"{IMPORTED}{self.source}-{self.id}"[:200]

    def with_files(self, find: Callable[[str], Stored | None]) -> ArchivedChat:
        """Return the chat with what is attached to its messages: texts as part of the message, as in a chat here, and pictures.

        Missing or other files are counted as left out.

        ``find`` returns the archive's file for an app's name of it.
        """
        if not any(message.attached for message in self.messages):
            return self
        left = Beside(self.left_out)
        return replace(self, messages=tuple(_filled(m, find, left) for m in self.messages), left_out=left)

    def in_words(self) -> ArchivedChat:
        """Return the chat without programs' additions to answers; drop messages that become empty."""
        left = Beside(self.left_out)
        messages = []
        for message in self.messages:
            text = whole(message.text)
            said = text if message.role == "user" else words_of(text, left)
            if said or message.pictures:
                messages.append(replace(message, text=said, speaker=whole(message.speaker)))
        return replace(
            self, id=whole(self.id), title=whole(self.title).strip(), messages=tuple(messages), left_out=left
        )


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """One app's JSON format of a chat.

    Attributes:
        name: short, stable; part of conversation ids.
        title: the app's name for people.
        accepts: whether a JSON object looks like a chat of this app.
        parse: converts it to a chat; ``fallback_id`` is for chats without an id.
    """

    name: str
    title: str
    accepts: Callable[[dict[str, Any]], bool]
    parse: Callable[[dict[str, Any], str], ArchivedChat]


def chat(
    source: str,
    name: Any,
    title: Any,
    messages: Iterable[ArchivedMessage | None],
    started: datetime | None,
    left: Beside,
    **more: Any,
) -> ArchivedChat:
    """Return a chat; empty messages are None."""
    return ArchivedChat(source, str(name), str(title or ""), tuple(filter(None, messages)), started, left, **more)


def chain(nodes: Mapping[str, Any], last: Any, parent: str) -> list[dict[str, Any]]:
    """Return the path to the last message of a tree of parent links; stops at cycles."""
    left, found = dict(nodes), list[dict[str, Any]]()
    while isinstance(last, str) and isinstance(node := left.pop(last, None), dict):
        found.append(node)
        last = node.get(parent)
    return found[::-1]


def _filled(message: ArchivedMessage, find: Callable[[str], Stored | None], left: Beside) -> ArchivedMessage:
    texts: dict[str, str] = {}
    pictures: dict[str, Picture] = {}
    for each in message.attached:
        stored = find(each.ref) if each.ref else None
        text, name = each.text or _text_in(each.name, stored), each.name or each.ref
        if texts.get(name, text) != text:
            name = f"{name} ({len(texts) + 1})"
        if _is_picture(each.data or (stored.head if stored else b"")) and (stored is None or stored.size <= MOST_BYTES):
            pictures[each.ref or each.data] = Picture(each.name, stored.read if stored else partial(str, each.data))
        elif text.strip() and len(Draft(message.text, {**texts, name: text}).message()) <= MAX_TURN_CHARS:
            texts[name] = text
        else:
            left[beside.FILES] += 1
    said = Draft(message.text, texts).message() if texts else message.text
    return replace(message, text=said, attached=(), pictures=tuple(pictures.values()))


def _is_picture(data: bytes | str) -> bool:
    try:
        return bool(data) and bool(Image.of(data))
    except BadRequestError:
        return False


def _text_in(name: str, stored: Stored | None) -> str:
    """Return the text of a file that is one; a PDF would take seconds at every preview."""
    if stored is None or stored.size > _MOST_TEXT or stored.head.startswith(_NO_TEXT):
        return ""
    try:
        return text_of_file(name, stored.read())
    except (BadRequestError, OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error):
        return ""


def when(value: Any) -> datetime | None:
    """Read a time as archives write it: epoch seconds or milliseconds, or ISO 8601 (UTC where it names no zone).

    None if it is neither, or of an implausible year.
    """
    if isinstance(value, bool) or not value:
        return None
    try:
        if isinstance(value, (int, float)):
            found = datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS_FROM else value, UTC)
        else:
            parsed = datetime.fromisoformat(str(value))
            found = parsed.astimezone(UTC) if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    except (OverflowError, ValueError, OSError):
        return None
    return found if found.year in _YEARS else None


def side(role: Any, left: Beside | None = None) -> Literal["user", "assistant"] | None:
    """Return a message's role; None for system messages, tools and unknown ones, which ``left`` counts."""
    word = str(role or "").strip().casefold()
    if word in {"user", "human", "you", "me", "prompt"}:
        return "user"
    if word in {"assistant", "ai", "bot", "model", "chatgpt", "claude", "gpt", "response"}:
        return "assistant"
    if left is not None:
        left.part(role)
    return None


def whole(text: str) -> str:
    """Return text as it is stored, so that it compares equal later: lone surrogates become the replacement character."""
    return _HALF_LETTERS.sub("\ufffd", text).replace("\0", " ")


def text_of(content: Any, left: Beside | None = None) -> str:
    """Return the text of a message's content, which is a string or a list of parts; ``left`` counts the other parts."""
    if isinstance(content, str):
        return content.strip()
    if isinstance(content, dict):
        if content.get("type", "text") not in _WORDS:
            if left is not None:
                left.part(content.get("type"))
            return ""
        for key in ("text", "value", "content"):
            if key in content:
                return text_of(content[key], left)
        return ""
    if isinstance(content, list):
        return "\n\n".join(words for part in content if (words := text_of(part, left)))
    return ""


def words_of(answer: str, left: Beside | None = None) -> str:
    """Return a model's answer without thinking, tool calls and source marks; ``left`` counts them."""
    for pattern, end, kind in _BESIDE:
        if end not in answer:
            continue
        # After the last closing mark none can match; searching would take quadratic time.
        last = answer.rfind(end) + len(end)
        said, number = pattern.subn("", answer[:last])
        answer = said + answer[last:]
        if left is not None and kind and number:
            left[kind] += number
    return (_HALF.sub("", answer) if _MARK.search(answer) else answer).strip()
