"""Exports of Grok and LibreChat, and the logs of Gemini and AnythingLLM, which name exchanges but no conversations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from memdesk.services.documents import words_of_page
from memdesk.services.importing.archives.beside import FILES, VERSIONS, Beside
from memdesk.services.importing.archives.model import (
    ArchivedChat,
    ArchivedMessage,
    Aside,
    Attached,
    ChatFormat,
    side,
    text_of,
    when,
)

# --------------------------------------------------------------------------- Grok


def _grok_accepts(data: dict[str, Any]) -> bool:
    return isinstance(data.get("conversation"), dict) and isinstance(data.get("responses"), list)


def _grok_parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    about, left = data["conversation"], Beside()
    messages = [m for raw in data["responses"] if (m := _grok_message(raw, left)) is not None]
    return ArchivedChat(
        source="grok",
        id=str(about.get("id") or fallback_id),
        title=str(about.get("title") or ""),
        messages=tuple(messages),
        started=_grok_time(about.get("create_time")),
        left_out=left,
    )


def _grok_message(raw: Any, left: Beside) -> ArchivedMessage | None:
    said = raw.get("response", raw) if isinstance(raw, dict) else None
    if not isinstance(said, dict):
        return None
    # "human", and "assistant" in capitals of every kind.
    role, text = side(said.get("sender")), text_of(said.get("message"), left)
    if role is None:
        left.part(said.get("sender"))
    # Ids; each file lies below ``prod-mc-asset-server`` in a folder of that name.
    listed = said.get("file_attachments")
    attached = (
        tuple(Attached("", ref=each) for each in listed if isinstance(each, str)) if isinstance(listed, list) else ()
    )
    if role is None or not (text or attached):
        return None
    return ArchivedMessage(role, text, _grok_time(said.get("create_time")), attached=attached)


def grok_project(data: dict[str, Any]) -> Iterator[Aside]:
    """Yield how a project of Grok is to answer."""
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


# --------------------------------------------------------------------------- LibreChat


def _librechat_accepts(data: dict[str, Any]) -> bool:
    return "conversationId" in data and isinstance(data.get("messagesTree", data.get("messages")), list)


def _librechat_parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    every = list(_flat(data.get("messagesTree", data.get("messages"))))
    branch, left = _librechat_branch(every), Beside()
    messages = [m for raw in branch if (m := _librechat_message(raw, left)) is not None]
    if len(every) > len(branch):
        left[VERSIONS] += len(every) - len(branch)
    return ArchivedChat(
        source="librechat",
        id=str(data.get("conversationId") or fallback_id),
        title=str(data.get("title") or ""),
        messages=tuple(messages),
        started=next((message.at for message in messages if message.at), None),
        left_out=left,
    )


def _flat(messages: Any, parent: str = "") -> Iterator[dict[str, Any]]:
    """Yield the messages of a list or a tree, parents before their children; a tree names the parent by its place."""
    for raw in messages if isinstance(messages, list) else ():
        if isinstance(raw, dict):
            yield {"parentMessageId": parent, **raw}
            yield from _flat(raw.get("children"), str(raw.get("messageId") or ""))


def _librechat_branch(every: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the branch that ends with the last message; all, in order, where messages do not name their parents."""
    by_id = {raw["messageId"]: raw for raw in every if isinstance(raw.get("messageId"), str)}
    if len(by_id) < len(every) or not any(raw.get("parentMessageId") in by_id for raw in every):
        return every
    name, branch = every[-1]["messageId"], []
    while isinstance(name, str) and name in by_id:
        branch.append(by_id.pop(name))
        name = branch[-1].get("parentMessageId")
    return branch[::-1]


def _librechat_message(raw: dict[str, Any], left: Beside) -> ArchivedMessage | None:
    role = side("user" if raw.get("isCreatedByUser") else "assistant")
    text = text_of(raw.get("text")) or text_of(raw.get("content"), left)
    left.several(raw.get("files"), FILES)
    return ArchivedMessage(role, text, when(raw.get("createdAt"))) if role and text else None


# --------------------------------------------------------------------------- logs of exchanges


@dataclass(frozen=True, slots=True)
class Exchange:
    """What was asked and answered at one time; ``place`` is where: exchanges of two places are two conversations."""

    source: str
    place: str
    at: datetime
    asked: str
    answered: str


#: After so much silence a log goes on with another conversation.
SILENCE: Final = timedelta(minutes=30)
#: What Google writes before a prompt. Other entries of the log ("Used", "Created", "Gave feedback") are not prompts.
_PROMPTED: Final = re.compile(r"(?:Prompted(?: with:)?|Asked(?: Gemini| Bard)?:?|Said)\s+(?P<asked>.+)", re.DOTALL)
_ATTACHED: Final = re.compile(r"\s*Attached \d+ files?\.?\s*\Z")


def exchange_of(data: dict[str, Any]) -> Exchange | None:
    """Return the exchange that an entry of a log holds; None where it is no such entry."""
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
    if not any("gemini" in str(name).casefold() or "bard" in str(name).casefold() for name in names):
        return None
    # The verb is in the language of the account; a prompt is what was answered.
    asked = prompt["asked"] if prompt else data["title"] if answer else ""
    return _exchange("gemini", "", data["time"], _ATTACHED.sub("", asked), answer) if asked else None


def _exchange(source: str, place: Any, at: Any, asked: str, answered: str) -> Exchange | None:
    moment = when(at)
    return Exchange(source, str(place or ""), moment, asked.strip(), answered) if moment and asked.strip() else None


def conversations_of(log: Iterable[Exchange]) -> Iterator[ArchivedChat]:
    """Yield the conversations of a log, the newest place last: one ends where nothing is said for :data:`SILENCE`."""
    ordered = sorted(log, key=attrgetter("source", "place", "at"))
    for (source, place), there in groupby(ordered, key=attrgetter("source", "place")):
        together: list[Exchange] = []
        for exchange in there:
            if together and exchange.at - together[-1].at > SILENCE:
                yield _conversation(source, place, together)
                together = []
            together.append(exchange)
        yield _conversation(source, place, together)


def _conversation(source: str, place: str, together: list[Exchange]) -> ArchivedChat:
    first = together[0]
    messages: list[ArchivedMessage] = []
    for each in together:
        messages.append(ArchivedMessage("user", each.asked, each.at))
        if each.answered:
            messages.append(ArchivedMessage("assistant", each.answered, each.at))
    # It begins when it begins, in every export: so it is known again, and grows.
    name = f"{place}-{first.at:%Y%m%dT%H%M%S}" if place else f"{first.at:%Y%m%dT%H%M%S}"
    return ArchivedChat(source, name, place, tuple(messages), first.at)


GROK = ChatFormat("grok", "Grok", _grok_accepts, _grok_parse)
LIBRECHAT = ChatFormat("librechat", "LibreChat", _librechat_accepts, _librechat_parse)
#: Apps whose exports are logs of exchanges.
LOGS: Final = ("Gemini", "AnythingLLM")
