"""The specifics of each form of item, and of each kind of statement.

For a form: its tiers and type, what it is embedded by, its name in the log, in lists and in forgetting, how it is
listed, and whether programs write it. For a kind: its weight, its heading, how it ages and compares.

Forms and kinds are added only here: indexing, recall, ``/memory/items``, lists, comparing and forgetting
use this module. An item of tier ``kept`` that is neither an episode nor part of one is recalled beside facts, under its
own heading if it is cited.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, Literal

from memdesk.domain.items.item import ItemType, MemoryItem, Tier
from memdesk.domain.language.dates import say_day
from memdesk.domain.models import FactKind
from memdesk.errors import BadRequestError
from memdesk.messages import say

#: The name of an item in the log, receipts and requests to forget.
Called = Literal["fact", "episode", "identity"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """The specifics of a kind.

    Attributes:
        durability: 0..1, how long a statement of it stays useful; its initial salience.
        heading: the heading it is listed under.
        passing: whether it is a fact only if somebody asks to remember it.
        dated: whether two that differ only in their day are distinct.
        personal: whether it is about other people, so that forgetting it asks about the messages too.
    """

    durability: float
    heading: str
    passing: bool = False
    dated: bool = False
    personal: bool = False


#: In the order of a block.
KINDS: Final[Mapping[FactKind, Kind]] = {
    FactKind.IDENTITY: Kind(durability=0.9, heading="About the user:"),
    FactKind.RELATIONSHIP: Kind(durability=0.75, heading="People in the user's life:", personal=True),
    FactKind.PREFERENCE: Kind(durability=0.72, heading="What the user likes and dislikes:"),
    FactKind.SKILL: Kind(durability=0.68, heading="What the user does and knows:"),
    FactKind.COMMITMENT: Kind(durability=0.62, heading="Plans and decisions:"),
    FactKind.DECISION: Kind(durability=0.72, heading="Plans and decisions:"),
    FactKind.EVENT: Kind(durability=0.5, heading="What happened:", passing=True, dated=True),
    FactKind.CORRECTION: Kind(durability=0.75, heading="Else:"),
    FactKind.OTHER: Kind(durability=0.4, heading="Else:", passing=True),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One form of item.

    Attributes:
        tiers: those that its items may have, the usual one first.
        type: the default type.
        called: its name in log, receipts and forgetting, by tier.
        embedded: the text that is embedded.
        columns: the columns of a list: the name, and the field as in ``/memory/items``.
        cited: how its place outside of the memory is cited; empty: none.
        heading: the heading of such lines in a block, for a form that is cited.
        writable: whether programs write whole items of it.
        check: raises ``BadRequestError`` for invalid metadata.
    """

    name: str
    tiers: tuple[Tier, ...]
    type: ItemType
    called: Mapping[Tier, Called]
    embedded: Callable[[MemoryItem], str]
    columns: Mapping[str, str]
    cited: Callable[[MemoryItem], str] = lambda _item: ""
    heading: str = ""
    writable: bool = True
    check: Callable[[Mapping[str, Any]], object] = lambda _metadata: None


def _said(item: MemoryItem) -> str:
    return item.content


def _session(item: MemoryItem) -> str:
    topics = f" ({', '.join(item.tags)})" if item.tags else ""
    return f"{say_day(item.happened_at.date())}: {item.content}{topics}"


def _of_file(item: MemoryItem) -> str:
    place = " > ".join(str(item.metadata[name]) for name in ("file", "heading") if item.metadata.get(name))
    return f"{place}: {item.content}" if place else item.content


def _lines(item: MemoryItem) -> str:
    """Return the file with its lines or page, in the notation of editors and forges, or of PDF viewers."""
    file, start, end, page = (item.metadata.get(name) for name in ("file", "start", "end", "page"))
    if not file or not (start or page):
        return str(file or "")
    return f"{file}#page={page}" if page else f"{file}#L{start}-L{end or start}"


def _titled(item: MemoryItem) -> str:
    """Return what a page is kept for, after its title."""
    title = item.metadata.get("title")
    return f"{title}: {item.content}" if title else item.content


#: A web page: its scheme, a host, a port, and the rest. urllib's own parser keeps what it parses in a cache.
_PAGE: Final = re.compile(r"https?://(?:\[[0-9a-f:.]+\]|[^\s/?#@:\\\[\]]+)(?::\d+)?(?:[/?#]\S*)?", re.IGNORECASE)


def _check_address(metadata: Mapping[str, Any]) -> None:
    """Refuse what is not a web page: opening ``javascript:`` or ``file:`` runs or reads something here."""
    url = metadata.get("url")
    if url is not None and not (isinstance(url, str) and _PAGE.fullmatch(url)):
        raise BadRequestError(
            say("A link's address must begin with http:// or https:// and must not contain a password.")
        )


FORMS: Final[Mapping[str, Form]] = {
    form.name: form
    for form in (
        Form(
            name="statement",
            tiers=("pinned", "kept", "always"),
            type="factual",
            called={"pinned": "fact", "kept": "fact", "always": "identity"},
            embedded=_said,
            columns={"id": "id", "tier": "tier", "salience": "salience", "statement": "content"},
        ),
        Form(
            name="episode",
            tiers=("kept",),
            type="episodic",
            called={"kept": "episode"},
            embedded=_session,
            columns={"id": "id", "day": "digest.started_at", "salience": "salience", "summary": "content"},
            writable=False,
        ),
        Form(
            name="passage",
            tiers=("kept",),
            type="semantic",
            called={"kept": "fact"},
            embedded=_of_file,
            columns={"id": "id", "file": "metadata.file", "heading": "metadata.heading", "passage": "content"},
            cited=_lines,
            heading="From the user's notes:",
        ),
        Form(
            name="link",
            tiers=("kept",),
            type="semantic",
            called={"kept": "fact"},
            embedded=_titled,
            columns={"id": "id", "address": "metadata.url", "title": "metadata.title", "kept for": "content"},
            cited=lambda item: str(item.metadata.get("url", "")),
            heading="Links the user keeps:",
            check=_check_address,
        ),
    )
}


#: The names of a fact's fields in HTTP, the log and diffs, with the item's fields.
FACT: Final[Mapping[str, str]] = {
    name: {"conversation_id": "run_id", "episode_id": "parent_id"}.get(name, name)
    for name in (
        "id", "agent_id", "content", "kind", "type", "key", "tags", "salience", "decayed_at", "promoted_at", "confidence",
        "source_count", "use_count", "last_used", "status", "user_pinned", "origin", "provenance", "valid_from",
        "valid_until", "expires_at", "confirmed_at", "superseded_by", "reason", "sources", "conversation_id", "episode_id",
        "statement", "created_at", "updated_at",
    )
}  # fmt: skip
#: The same for a line about the user.
IDENTITY: Final[Mapping[str, str]] = {
    name: {"origin": "told_by", "agent_id": "source_agent_id", "conversation_id": "run_id"}.get(name, name)
    for name in (
        "id", "content", "origin", "status", "agent_id", "conversation_id", "sources", "superseded_by", "statement",
        "created_at", "updated_at",
    )
}  # fmt: skip
#: The same for an episode.
EPISODE: Final[Mapping[str, str]] = {
    "id": "id",
    "agent_id": "agent_id",
    "conversation_id": "run_id",
    "summary": "content",
    "topics": "tags",
    **{name: f"digest.{name}" for name in ("entities", "decisions", "action_items", "details")},
    **{name: name for name in ("salience", "decayed_at", "source_count", "use_count", "last_used")},
    "model": "digest.model",
    "status": "status",
    "merged_into": "superseded_by",
    **{name: f"digest.{name}" for name in ("started_at", "ended_at")},
    **{name: name for name in ("created_at", "updated_at")},
}
#: The same for a statement that is kept with its episode.
DETAIL: Final[Mapping[str, str]] = {name: name for name in ("id", "content", "kind", "turn_ids", "statement")}
VIEWS: Final[Mapping[Called, Mapping[str, str]]] = {"fact": FACT, "episode": EPISODE, "identity": IDENTITY}


def view_of(item: MemoryItem) -> Mapping[str, str]:
    """Return the outside names of an item's fields, in the order they are listed."""
    return DETAIL if item.form == "statement" and item.tier == "kept" else VIEWS[called(item)]


def viewed(item: MemoryItem, view: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the fields of an item by their outside names, or by another view's."""
    return {name: attrgetter(field)(item) for name, field in (view or view_of(item)).items()}


def form_of(item: MemoryItem) -> Form:
    return FORMS[item.form]


def called(item: MemoryItem) -> Called:
    return form_of(item).called["pinned" if item.is_fact else item.tier]


def writable(name: str, tier: Tier | None) -> tuple[Form, Tier]:
    """Return the form of this name and the tier of a new item of it.

    Raises:
        BadRequestError: programs do not write it, or it has no such tier.
    """
    form = FORMS.get(name)
    if form is None or not form.writable:
        known = ", ".join(one.name for one in FORMS.values() if one.writable)
        raise BadRequestError(f"Items of form {name!r} cannot be written.", hint=f"Use one of: {known}.")
    if tier is not None and tier not in form.tiers:
        raise BadRequestError(f"A {name} has no tier {tier!r}.", hint=f"Use one of: {', '.join(form.tiers)}.")
    return form, tier or form.tiers[0]
