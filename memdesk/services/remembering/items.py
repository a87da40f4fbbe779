"""Items of all forms and tiers for programs: list, get, write by key, change, forget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from attrs import define

from memdesk.domain.items import asking, registry
from memdesk.domain.items.filters import And, Filter, Where
from memdesk.domain.items.item import ItemType, MemoryItem, Privacy, Tier
from memdesk.domain.items.scope import Scope
from memdesk.domain.models import Actor, FactStatus, Page, new_id
from memdesk.errors import BadRequestError, NotFoundError
from memdesk.ports import Clock, ItemOrder, Repositories, Store
from memdesk.ports.seams import Indexing
from memdesk.services import journal
from memdesk.services.agents import known_agent
from memdesk.services.distilling import rename
from memdesk.services.events import EventBus
from memdesk.services.forgetting import ForgetPreview, ForgetReport, ForgetTarget, ForgettingService
from memdesk.services.moments import now_ms
from memdesk.services.remembering.announcing import announce
from memdesk.services.remembering.changing import check_changes, check_free, check_key

#: Maximum length of an item's metadata as JSON.
MAX_METADATA: Final = 20_000
#: Fields shared with facts, with the same bounds.
_OF_FACTS: Final = frozenset(
    {"content", "kind", "tags", "salience", "valid_from", "valid_until", "user_pinned", "status"}
)
#: Statuses of items taken out of use by the user, a summary or the review.
_HELD_BACK: Final = frozenset({FactStatus.DISABLED, FactStatus.REVIEW, FactStatus.QUARANTINED})
_LOGGED: Final = (*_OF_FACTS, "tier", "type", "key", "metadata", "privacy", "expires_at")


@define(kw_only=True, eq=False, repr=False, slots=False)
class ItemsService:
    """Lists and changes items. Every change is in the history, in the same transaction."""

    _store: Store
    _clock: Clock
    _events: EventBus
    _forgetting: ForgettingService
    _indexing: Indexing | None = None

    def page(
        self,
        scope: Scope,
        where: Filter | None = None,
        *,
        tag: str | None = None,
        query: str = "",
        expired: bool = False,
        order: ItemOrder = "created",
        descending: bool = False,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[MemoryItem]:
        """List items that pass; expired ones only on request."""
        asked = asking.asked(scope, where, expired=expired)
        with self._store.read() as repos:
            return repos.items.page(
                asked, tag=tag, query=query, order=order, descending=descending, limit=limit, cursor=cursor
            )

    def get(self, item_id: str) -> MemoryItem:
        """Return one item. Raises ``NotFoundError``."""
        with self._store.read() as repos:
            return _known(repos, item_id)

    def put(
        self,
        *,
        content: str,
        agent_id: str | None,
        form: str = "statement",
        tier: Tier | None = None,
        type: ItemType | None = None,  # noqa: A002 - the field's name
        run_id: str | None = None,
        key: str = "",
        metadata: Mapping[str, Any] | None = None,
        privacy: Privacy | None = None,
        expires_at: datetime | None = None,
        actor: Actor = "user",
        actor_detail: str = "",
        **values: Any,
    ) -> tuple[MemoryItem, bool]:
        """Store an item or, if its key exists in its scope, change that one: metadata is merged key by key.

        Faded or replaced items are in force again; disabled ones and those pending review only with a new text. Without
        a key, an identical text in the same scope and tier returns the existing item.

        Args:
            content: the text to remember.
            agent_id: whose memory; None only for the tier ``always``, which is every agent's.
            form: one that programs may write.
            tier: its tier; None: the form's usual one.
            type: its type; None: the form's usual one.
            run_id: the conversation or run it came from.
            key: the upsert key.
            metadata: JSON values; a null removes the key.
            privacy: ``local_only`` keeps it from models on other machines; None: unchanged, or ``normal`` if new.
            expires_at: time from which it is neither recalled nor listed.
            actor: its author.
            actor_detail: the token's name, for a program.
            **values: fields of a fact: kind, tags, salience, valid_from, valid_until, user_pinned.

        Returns:
            The item, and whether it is new.

        Raises:
            BadRequestError: a value is out of bounds, or the agent is missing.
            NotFoundError: the agent does not exist.
        """
        kind, placed = registry.writable(form, tier)
        wanted = check_changes({"content": content, **values})
        meta = _checked(key, metadata or {})
        kind.check(meta)
        if (agent_id is None) != (placed == "always"):
            raise BadRequestError("Items of the tier “always” are every agent's; all others name theirs in agent_id.")
        now = now_ms(self._clock)

        def work(repos: Repositories) -> tuple[MemoryItem, MemoryItem | None]:
            if agent_id is not None:
                known_agent(repos, agent_id)
            fresh = MemoryItem(
                id=new_id(),
                form=kind.name,
                tier=placed,
                type=type or kind.type,
                agent_id=agent_id or "",
                run_id=run_id,
                key=key,
                metadata={name: value for name, value in meta.items() if value is not None},
                privacy=privacy or "normal",
                expires_at=expires_at,
                origin=actor,
                decayed_at=now,
                confirmed_at=now,
                created_at=now,
                updated_at=now,
                **wanted,
            )
            known = self._same(repos, fresh)
            if known is None:
                seq = repos.items.add(fresh)
                told = _told(fresh)
                repos.history.add(
                    [journal.record(fresh, "add", at=now, actor=actor, actor_detail=actor_detail, new=told)]
                )
                return replace(fresh, seq=seq), None
            if not key:
                return known, known
            there = (tier if known.form == kind.name else None) or known.tier
            given: dict[str, Any] = {"privacy": privacy or known.privacy, "type": type or known.type, "tier": there}
            given |= {"expires_at": expires_at, "metadata": meta, **_in_force(known, wanted["content"]), **wanted}
            changed = self._write(repos, known, given, now, actor, actor_detail)
            if changed == known:
                # Rewriting it unchanged still updates the time of its last write.
                changed = replace(known, updated_at=now, confirmed_at=now)
                repos.items.replace(changed)
            return changed, known

        item, former = self._store.write(work)
        if item != former:
            announce(self._events, self._indexing, [item])
        return item, former is None

    def change(self, item_id: str, *, actor: Actor = "user", actor_detail: str = "", **changes: Any) -> MemoryItem:
        """Change fields of an item; ``metadata`` is merged key by key, a null removes a key.

        Raises:
            BadRequestError: an unknown field or a value out of bounds.
            ConflictError: another item of its scope has the key.
            NotFoundError: no item has this id.
        """
        values = check_changes({name: value for name, value in changes.items() if name in _OF_FACTS})
        rest = {name: value for name, value in changes.items() if name not in _OF_FACTS}
        unknown = rest.keys() - set(_LOGGED)
        if unknown:
            raise BadRequestError(f"There is no field {', '.join(sorted(unknown))} to change.")
        now = now_ms(self._clock)

        def work(repos: Repositories) -> tuple[MemoryItem, MemoryItem]:
            old = _known(repos, item_id)
            form = registry.form_of(old)
            if not form.writable:
                raise BadRequestError(f"A {form.name} is changed under /memory/{form.name}s.")
            tier = rest.get("tier", old.tier)
            if tier not in form.tiers or (tier == "always") != (old.tier == "always"):
                raise BadRequestError("An item of one agent and one of every agent do not become each other.")
            form.check(_checked(rest.get("key", old.key), rest.get("metadata") or {}))
            return old, self._write(repos, old, values | rest, now, actor, actor_detail)

        old, new = self._store.write(work)
        if new != old:
            announce(self._events, self._indexing, [new])
        return new

    def target(self, item_id: str) -> ForgetTarget:
        """Return the request that forgets an item; one with a key alone, as others have theirs. Raises ``NotFoundError``."""
        item = self.get(item_id)
        return ForgetTarget(
            kind=registry.called(item), ids=(item.id,), agent_id=item.agent_id or None, alone=bool(item.key)
        )

    def forget(self, item_id: str, *, actor: Actor = "user", actor_detail: str = "") -> ForgetReport:
        """Forget an item for good. Raises ``NotFoundError``."""
        return self._forgetting.forget(self.target(item_id), actor=actor, actor_detail=actor_detail)

    def preview(self, item_id: str) -> ForgetPreview:
        """Preview forgetting an item. Raises ``NotFoundError``."""
        return self._forgetting.preview(self.target(item_id))

    def _same(self, repos: Repositories, fresh: MemoryItem) -> MemoryItem | None:
        """Return the item to update: the one of this key, else one with the same text in the same place."""
        scope = {"user_id": fresh.user_id, "agent_id": fresh.agent_id or None, "run_id": fresh.run_id}
        if fresh.key:
            return repos.items.keyed(fresh.key, **scope)  # type: ignore[arg-type]  # user_id is never None
        same = {"memory": fresh.content, "tier": fresh.tier, "form": fresh.form, "status": "active", "key": ""}
        where = And(tuple(Where(name, "eq", value) for name, value in (scope | same).items()))
        found = repos.items.page(where, limit=1).items
        return found[0] if found else None

    def _write(
        self,
        repos: Repositories,
        old: MemoryItem,
        values: Mapping[str, Any],
        now: datetime,
        actor: Actor,
        actor_detail: str,
    ) -> MemoryItem:
        merged = {**old.metadata, **(values.get("metadata") or {})}
        meta = {name: value for name, value in merged.items() if value is not None}
        changed = replace(old, **{**values, "metadata": meta})
        if changed == old:
            return old
        if changed.content != old.content:
            # This text has not been parsed yet.
            changed = replace(changed, statement=None, provenance="user", confidence=1.0)
        if actor == "user":
            changed = replace(changed, origin="user")
        if changed.salience != old.salience or changed.status != old.status:
            changed = replace(changed, decayed_at=now)
        changed = replace(changed, updated_at=now, confirmed_at=now)
        if changed.key != old.key:
            check_free(repos, changed)
        repos.items.replace(changed)
        rename(repos, [(old, changed)], now)
        before, after = _told(old), _told(changed)
        differing = [name for name in before if before[name] != after[name]]
        left, right = ({name: told[name] for name in differing} for told in (before, after))
        entry = journal.record(changed, "edit", at=now, actor=actor, actor_detail=actor_detail, old=left, new=right)
        repos.history.add([entry])
        return changed


def _known(repos: Repositories, item_id: str) -> MemoryItem:
    found = repos.items.get(item_id)
    if found is None:
        raise NotFoundError("There is no such item.", hint="GET /memory/items lists them.")
    return found


def _in_force(known: MemoryItem, content: str) -> dict[str, Any]:
    """Return the changes that put a rewritten item in force; none if this exact text is held back."""
    if known.status is FactStatus.ACTIVE or (known.status in _HELD_BACK and known.content == content):
        return {}
    return {"status": FactStatus.ACTIVE, "superseded_by": None, "valid_until": None, "reason": ""}


def _checked(key: Any, metadata: Mapping[str, Any]) -> dict[str, Any]:
    check_key(key)
    if len(str(metadata)) > MAX_METADATA:
        raise BadRequestError(f"Metadata can have at most {MAX_METADATA:,} characters.")
    return dict(metadata)


def _told(item: MemoryItem) -> dict[str, Any]:
    return {name: journal.as_json(getattr(item, name)) for name in _LOGGED}
