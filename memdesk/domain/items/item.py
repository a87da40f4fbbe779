"""One thing that can be recalled, changed, aged and forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Literal

from memdesk.domain.items.statement import Statement
from memdesk.domain.models import Actor, FactKind, FactSource, FactStatus, Provenance

#: How closely an item is kept: with every reply, as a fact, as a detail of its session.
Tier = Literal["always", "pinned", "kept"]
#: What an item is, in psychology's words.
ItemType = Literal["factual", "episodic", "procedural", "semantic"]
#: ``local_only``: never in a block for a model that is not on this machine.
Privacy = Literal["normal", "local_only"]
#: Begins the keys of what an import brought, which say nothing to a reader.
IMPORTED: Final = "import-"
#: The desktop's own user.
ME: Final = "me"


#: The fields of every episode, with the default importance.
OF_EPISODE: Final[Mapping[str, Any]] = {
    "form": "episode",
    "tier": "kept",
    "type": "episodic",
    "kind": FactKind.EVENT,
    "origin": "distiller",
    "salience": 0.5,
}


def type_of(statement: Statement | None) -> ItemType:
    """Return the type of an item with this statement: instructions to the assistant are procedural."""
    return "procedural" if statement is not None and statement.modality == "instruction" else "factual"


def detail(
    content: str,
    turn_ids: Iterable[str] = (),
    *,
    id: str,  # noqa: A002 - the field's name
    at: datetime,
    **fields: Any,
) -> MemoryItem:
    """Return a statement that is kept with its session; the episode it is stored with says whose it is."""
    sources = tuple(FactSource(turn_id=turn_id) for turn_id in turn_ids)
    values: dict[str, Any] = {
        "tier": "kept",
        "origin": "distiller",
        "salience": 0.5,
        "created_at": at,
        "updated_at": at,
    }
    return MemoryItem(**(values | {"id": id, "content": content, "sources": sources} | fields))


def episode(content: str, digest: Digest, **fields: Any) -> MemoryItem:
    return MemoryItem(**{**OF_EPISODE, "content": content, "digest": digest, **fields})


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """What an episode says about its session, besides the summary.

    Attributes:
        details: statements that are kept with it or were pinned since.
        model: the model that worded it; empty: none did.
    """

    entities: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    action_items: tuple[str, ...] = ()
    details: tuple[MemoryItem, ...] = ()
    model: str = ""
    started_at: datetime
    ended_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryItem:
    """One thing that is remembered.

    Attributes:
        form: the entry of the registry that says how it is worded, indexed, ranked, aged and cited: "statement",
            "episode", "passage".
        type: what it is, in psychology's terms.
        tier: how closely it is kept. The same sentence is never stored in two tiers.
        user_id: whose it is.
        agent_id: the agent that may recall it; empty: every agent of the user, as identity.
        source_agent_id: for an item of every agent, the agent in whose conversation it was said; for a fact that goes
            with every reply, the agent whose fact it is.
        run_id: the conversation it came from, or the run of a program.
        key: what a caller upserts by, unique in its scope; empty: none.
        content: the text shown and searched.
        statement: what it says, in fields; None if it could not be read into fields.
        metadata: the caller's, JSON, can be filtered by.
        salience: 0..1, how much it matters.
        confidence: 0..1; below the review threshold it waits in the inbox.
        valid_from: since when it holds; None: always.
        valid_until: until when it holds; None: still.
        confirmed_at: when it was last said or confirmed.
        expires_at: from when it is neither recalled nor listed.
        parent_id: the episode or file it is part of.
        digest: for an episode, what it says about its session.
        seq: its number; 0 before it is stored. Ignored when items are compared.
    """

    id: str
    form: str = "statement"
    kind: FactKind = FactKind.OTHER
    type: ItemType = "factual"
    tier: Tier = "pinned"
    user_id: str = ME
    agent_id: str = ""
    source_agent_id: str | None = None
    run_id: str | None = None
    key: str = ""
    content: str
    statement: Statement | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    privacy: Privacy = "normal"
    salience: float = 0.6
    decayed_at: datetime | None = None
    promoted_at: datetime | None = None
    confidence: float = 1.0
    source_count: int = 1
    use_count: int = 0
    last_used: datetime | None = None
    status: FactStatus = FactStatus.ACTIVE
    #: Pinned by the user: like what the user wrote, never decayed, merged or evicted.
    user_pinned: bool = False
    origin: Actor = "user"
    provenance: Provenance = "user"
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    confirmed_at: datetime | None = None
    expires_at: datetime | None = None
    superseded_by: str | None = None
    #: Why it has its status, in words for the user.
    reason: str = ""
    sources: tuple[FactSource, ...] = ()
    parent_id: str | None = None
    digest: Digest | None = None
    created_at: datetime
    updated_at: datetime
    seq: int = field(default=0, compare=False)

    @property
    def session(self) -> Digest:
        """What an episode says about its session. Raises ``TypeError`` for other items."""
        if self.digest is None:
            raise TypeError(f"a {self.form} is no episode")
        return self.digest

    @property
    def happened_at(self) -> datetime:
        """When what it says began or took place; when it was stored if that is unknown."""
        return self.digest.started_at if self.digest is not None else self.valid_from or self.created_at

    @property
    def lasts(self) -> bool:
        """Whether it never fades and is never merged or removed automatically.

        The user pinned or wrote it, or it goes with every reply.
        """
        return self.user_pinned or self.origin == "user" or self.tier == "always"

    @property
    def is_fact(self) -> bool:
        """Whether it is a fact of one agent, even if it goes with every reply."""
        return self.tier != "kept" and bool(self.agent_id)

    @property
    def turn_ids(self) -> tuple[str, ...]:
        return tuple(source.turn_id for source in self.sources)

    @property
    def told_by(self) -> Literal["override", "distilled"]:
        """The source of a line about the user: ``override``, they wrote it; ``distilled``, a conversation."""
        return "override" if self.origin == "user" else "distilled"

    @property
    def heard_by(self) -> str:
        """The agent whose memory it is, or in whose conversation it was said; empty: none."""
        return self.agent_id or self.source_agent_id or ""

    def with_fields(self, values: Mapping[str, Any]) -> MemoryItem:
        """Return the item with other fields; one of its digest is named "digest.details"."""
        own = {name: value for name, value in values.items() if "." not in name}
        told = {name.partition(".")[2]: value for name, value in values.items() if "." in name}
        if told:
            own["digest"] = replace(self.session, **told)
        return replace(self, **own)
