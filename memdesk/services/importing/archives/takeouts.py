"""Exports of Grok and LibreChat, and the logs of Gemini and AnythingLLM, which have exchanges but no conversations."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from html import unescape
from itertools import groupby
from operator import attrgetter
from typing import IO, Any, Final
from urllib.parse import unquote

from memdesk.services.documents import words_of_page
from memdesk.services.importing.archives.beside import FILES, THOUGHTS, VERSIONS, Beside
from memdesk.services.importing.archives.model import (
    ArchivedChat,
    ArchivedMessage,
    Aside,
    Attached,
    ChatFormat,
    chain,
    chat,
    side,
    text_of,
    when,
)
from memdesk.services.importing.dates import read_date


def _grok_accepts(data: dict[str, Any]) -> bool:
    return isinstance(data.get("conversation"), dict) and isinstance(data.get("responses"), list)


def _grok_parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    about, left = data["conversation"], Beside()
    messages = [_grok_message(raw, left) for raw in data["responses"]]
    started = _grok_time(about.get("create_time"))
    return chat("grok", about.get("id") or fallback_id, about.get("title"), messages, started, left)


def _grok_message(raw: Any, left: Beside) -> ArchivedMessage | None:
    said = raw.get("response", raw) if isinstance(raw, dict) else None
    if not isinstance(said, dict):
        return None
    # "human", and "assistant" in any case.
    role, text = side(said.get("sender"), left), text_of(said.get("message"), left)
    # Ids; each file is below ``prod-mc-asset-server`` in a folder of that name.
    listed = said.get("file_attachments")
    attached = (
        tuple(Attached("", ref=each) for each in listed if isinstance(each, str)) if isinstance(listed, list) else ()
    )
    if role is None or not (text or attached):
        return None
    return ArchivedMessage(role, text, _grok_time(said.get("create_time")), attached=attached)


def grok_project(data: dict[str, Any]) -> Iterator[Aside]:
    """Yield the instructions of a Grok project."""
    text, name = str(data.get("custom_personality") or "").strip(), str(data.get("name") or "").strip()
    if text:
        key = str(data.get("id") or data.get("workspace_id") or name or "project")
        at = _grok_time(data.get("create_time"))
        yield Aside("prompt", "grok", key, text, f"Grok: {name or 'Project'}"[:100], at)


def _grok_time(value: Any) -> datetime | None:
    """Read ISO 8601, or MongoDB's extended JSON: ``{"$date": {"$numberLong": "1705312200000"}}``."""
    while isinstance(value, dict):
        value = next(iter(value.values()), None)
    return when(int(value)) if isinstance(value, str) and value.isdigit() else when(value)


def _librechat_accepts(data: dict[str, Any]) -> bool:
    return "conversationId" in data and isinstance(data.get("messagesTree", data.get("messages")), list)


def _librechat_parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    every = list(_flat(data.get("messagesTree", data.get("messages"))))
    branch, left = _librechat_branch(every), Beside()
    messages = [_librechat_message(raw, left) for raw in branch]
    if len(every) > len(branch):
        left[VERSIONS] += len(every) - len(branch)
    started = next((message.at for message in messages if message and message.at), None)
    return chat("librechat", data.get("conversationId") or fallback_id, data.get("title"), messages, started, left)


def _flat(messages: Any, parent: str = "") -> Iterator[dict[str, Any]]:
    """Yield the messages of a list or a tree, parents before their children; a tree implies the parent by nesting."""
    for raw in messages if isinstance(messages, list) else ():
        if isinstance(raw, dict):
            yield {"parentMessageId": parent, **raw}
            yield from _flat(raw.get("children"), str(raw.get("messageId") or ""))


def _librechat_branch(every: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the branch that ends with the last message; all, in order, if messages do not name their parents."""
    by_id = {raw["messageId"]: raw for raw in every if isinstance(raw.get("messageId"), str)}
    if len(by_id) < len(every) or not any(raw.get("parentMessageId") in by_id for raw in every):
        return every
    return chain(by_id, every[-1]["messageId"], "parentMessageId")


def _librechat_message(raw: dict[str, Any], left: Beside) -> ArchivedMessage | None:
    role = side("user" if raw.get("isCreatedByUser") else "assistant")
    text = text_of(raw.get("text")) or text_of(raw.get("content"), left)
    left.several(raw.get("files"), FILES)
    return ArchivedMessage(role, text, when(raw.get("createdAt"))) if role and text else None


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and answer at one time; exchanges of different ``place`` belong to different conversations."""

    source: str
    place: str
    at: datetime
    asked: str
    answered: str
    #: the conversation's own id, if the log has it.
    talk: str = ""
    attached: tuple[Attached, ...] = ()


#: After this much silence a log starts another conversation.
SILENCE: Final = timedelta(minutes=30)
#: Google's prefix of a prompt. Other entries of the log ("Used", "Created", "Gave feedback") are not prompts.
_PROMPTED: Final = re.compile(r"(?:Prompted(?: with:)?|Asked(?: Gemini| Bard)?:?|Said)\s+(?P<asked>.+)", re.DOTALL)
#: An entry's reference to its conversation.
_TALK: Final = re.compile(r"gemini\.google\.com/app/([\w-]+)")
#: A Takeout's default page: the start mark of an entry; its product; question, time and answer.
CELL: Final = '<div class="outer-cell'
_PRODUCT: Final = re.compile(r'mdl-typography--title">(.*?)</p>', re.DOTALL)
_SAID: Final = re.compile(r'mdl-typography--body-1">(.*?)</div>\s*<div class="content-cell', re.DOTALL)
_BREAK: Final = re.compile(r"<br ?/?>")
#: "5. nov. 2025, 01:34:47 CEST", "Nov 5, 2025, 1:34:47 AM CEST": a year, a time, and little else.
_STAMP: Final = re.compile(r"(?=[^<>]*(?<!\d)\d{4}(?!\d))(?=[^<>]*\d{1,2}:\d{2}:\d{2})[^<>]{12,48}")
_YEAR_FIRST: Final = re.compile(r"(\d{4})\s?\D{1,2}(\d{1,2})\s?\D{1,2}(\d{1,2})\D{0,2}\s")
_YEAR_LAST: Final = re.compile(r"(\d{1,2})([./-])\s?(\d{1,2})[./-]\s?(\d{4}),?\s")
_LINK: Final = re.compile(r'^\s*-\s*<a href="(?P<file>[^":]+)">(?P<name>.*?)</a>', re.DOTALL)
_ATTACHED: Final = re.compile(r"\s*Attached \d+ files?\.?\s*\Z")


def exchange_of(data: dict[str, Any]) -> Exchange | None:
    """Return the exchange of a log entry; None if it is not one."""
    if isinstance(data.get("title"), str) and {"header", "time"} <= data.keys():
        return _of_gemini(data)
    if {"prompt", "response", "sent_at"} <= data.keys():
        return _exchange(
            "anythingllm", data.get("workspace"), data["sent_at"], text_of(data["prompt"]), text_of(data["response"])
        )
    return None


def _of_gemini(data: dict[str, Any]) -> Exchange | None:
    products = data.get("products")
    names = [data["header"], *(products if isinstance(products, list) else [])]
    prompt = _PROMPTED.fullmatch(data["title"].strip())
    items = data.get("safeHtmlItem")
    answer = "\n\n".join(
        words_of_page(str(item.get("html") or ""))
        for item in (items if isinstance(items, list) else [])
        if isinstance(item, dict)
    )
    if not any(_is_gemini(str(name)) for name in names):
        return None
    # The verb is in the account's language; prompts are recognized by having an answer.
    asked = prompt["asked"] if prompt else data["title"] if answer else ""
    talk = _TALK.search(f"{data.get('titleUrl')} {data.get('details')}")
    found = _exchange("gemini", "", data["time"], _ATTACHED.sub("", asked), answer)
    return replace(found, talk=talk[1]) if found and talk else found


def _exchange(source: str, place: Any, at: Any, asked: str, answered: str) -> Exchange | None:
    moment = when(at)
    if moment is None and isinstance(at, str) and (spoken := read_date(at)):
        moment = when(spoken.isoformat())  # AnythingLLM's tables: "Fri May 02 2025 08:00:00 GMT+0200 (CEST)"
    return Exchange(source, str(place or ""), moment, asked.strip(), answered) if moment and asked.strip() else None


def exchanges_of_page(stream: IO[str]) -> Iterator[Exchange | str]:
    """Yield the exchanges of a Takeout's page, and the entries without a readable time.

    Names, labels and dates are in the account's language: entries are recognized by markup, the user's text by the
    non-breaking space before it, and prompts by having an answer.
    """
    from dateparser.date import DateDataParser

    # The language found for one date is tried first for the next.
    dates = DateDataParser(settings={"PARSERS": ["absolute-time"], "RETURN_AS_TIMEZONE_AWARE": True})
    for cell in _cells(stream):
        product, said = _PRODUCT.search(cell), _SAID.search(cell)
        if product is None or said is None or not _is_gemini(words_of_page(product[1])):
            continue
        lines = _BREAK.split(said[1])
        at = next((n for n, line in enumerate(lines) if _STAMP.fullmatch(line.strip())), None)
        moment = dates.get_date_data(_in_order(lines[at])).date_obj if at is not None else None
        if at is None or moment is None:
            yield words_of_page(said[1])[:60]
            continue
        asked, attached = _asked(lines[:at])
        answer, talk = words_of_page("<br>".join(lines[at + 1 :])), _TALK.search(cell)
        if (asked or attached) and (answer or _PROMPTED.match(words_of_page(lines[0]).replace("\xa0", " "))):
            yield Exchange("gemini", "", moment.astimezone(UTC), asked, answer, talk[1] if talk else "", attached)


def _in_order(stamp: str) -> str:
    """Return a date text with a numeric day rewritten year first, as its order depends on the country."""
    stamp = stamp.replace("\u202f", " ").strip()
    if found := _YEAR_FIRST.match(stamp):
        return f"{found[1]}-{found[2]}-{found[3]} {stamp[found.end() :]}"
    if found := _YEAR_LAST.match(stamp):
        # A 12-hour clock with slashes means the American order.
        american = found[2] == "/" and re.search(r"\d\s*[AP]M\b", stamp)
        month, day = (found[1], found[3]) if american else (found[3], found[1])
        return f"{found[4]}-{month}-{day} {stamp[found.end() :]}"
    return stamp


def _cells(stream: IO[str]) -> Iterator[str]:
    held = ""
    while piece := stream.read(1 << 20):
        *whole, held = (held + piece).split(CELL)
        yield from whole
    yield held


def _is_gemini(name: str) -> bool:
    return "gemini" in name.casefold() or "bard" in name.casefold()


def _asked(lines: list[str]) -> tuple[str, tuple[Attached, ...]]:
    """Return a prompt's text and its files, which follow a line that counts them."""
    files = [n for n, line in enumerate(lines) if _LINK.match(line)]
    attached = tuple(
        Attached(words_of_page(found["name"]), ref=unquote(found["file"]).rpartition("/")[2])
        for n in files
        if (found := _LINK.match(lines[n]))
    )
    told = "<br>".join(lines[: files[0] - 1] if files else lines)
    # "Prompted", or its translation, ends with the first non-breaking space.
    label, _, words = unescape(told).partition("\xa0")
    return words_of_page(words or label).strip(), attached


def _gemini_accepts(data: dict[str, Any]) -> bool:
    return isinstance(data.get("conversation_turns"), list)


def _gemini_parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    """Read a conversation of ``Conversation History``, with turns of user and model."""
    left, started = Beside(), when(data.get("creation_time"))
    messages = []
    for raw in data["conversation_turns"]:
        for key, role in (("user_turn", side("user")), ("system_turn", side("assistant"))):
            turn = raw.get(key) if isinstance(raw, dict) else None
            if not isinstance(turn, dict) or role is None or turn.get("turn_deleted_time"):
                continue
            left.several(turn.get("model_thoughts"), THOUGHTS)
            left.several(turn.get("images"), FILES)
            told = turn.get("text")
            parts = (
                [str(each.get("data") or "") for each in told if isinstance(each, dict)]
                if isinstance(told, list)
                else []
            )
            text = str(turn.get("prompt") or "").strip() or "\n\n".join(filter(None, map(str.strip, parts)))
            if text:
                messages.append(ArchivedMessage(role, text, when(turn.get("turn_last_modified"))))
    # Each export renumbers file names.
    name = f"{started:%Y%m%dT%H%M%S%f}" if started else fallback_id
    return chat("gemini", name, data.get("title"), messages, started, left)


def conversations_of(log: Iterable[Exchange]) -> Iterator[ArchivedChat]:
    """Yield the conversations of a log, the newest place last, split at gaps of :data:`SILENCE`.

    Those with their own id are never split.
    """
    ordered = sorted(log, key=attrgetter("source", "place", "talk", "at"))
    for (source, place, talk), there in groupby(ordered, key=attrgetter("source", "place", "talk")):
        together: list[Exchange] = []
        for exchange in there:
            if together and not talk and exchange.at - together[-1].at > SILENCE:
                yield _conversation(source, place, together)
                together = []
            together.append(exchange)
        yield _conversation(source, place, together)


def _conversation(source: str, place: str, together: list[Exchange]) -> ArchivedChat:
    first = together[0]
    messages: list[ArchivedMessage] = []
    for each in together:
        messages.append(ArchivedMessage("user", each.asked, each.at, attached=each.attached))
        if each.answered:
            messages.append(ArchivedMessage("assistant", each.answered, each.at))
    # Its start is the same in every export, so that it is recognized and extended.
    name = first.talk or (f"{place}-" if place else "") + f"{first.at:%Y%m%dT%H%M%S}"
    return ArchivedChat(source, name, place, tuple(messages), first.at)


GROK = ChatFormat("grok", "Grok", _grok_accepts, _grok_parse)
GEMINI = ChatFormat("gemini", "Gemini", _gemini_accepts, _gemini_parse)
LIBRECHAT = ChatFormat("librechat", "LibreChat", _librechat_accepts, _librechat_parse)
#: Apps whose exports are logs of exchanges.
LOGS: Final = ("Gemini", "AnythingLLM")
