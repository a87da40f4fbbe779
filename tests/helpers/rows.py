"""Rows of the store with everything but the interesting part filled in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from memdesk.domain.items.item import Digest, MemoryItem
from memdesk.domain.items.item import detail as kept_detail
from memdesk.domain.items.item import episode as digested
from memdesk.domain.items.registry import EPISODE
from memdesk.domain.models import (
    Agent,
    Conversation,
    Entity,
    FactKind,
    FactSource,
    HistoryEntry,
    Receipt,
    ReceiptItem,
    Relation,
    Run,
    RunChange,
    Signal,
    Turn,
    new_id,
)

T0 = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
KEY = bytes(range(32))
OTHER_KEY = bytes(range(1, 33))


def agent(agent_id="ana", **fields):
    return Agent(**({"id": agent_id, "name": agent_id, "created_at": T0, "updated_at": T0} | fields))


def conversation(conversation_id="c1", agent_id="ana", **fields):
    values: dict[str, Any] = {"agent_id": agent_id, "id": conversation_id, "created_at": T0, "updated_at": T0}
    return Conversation(**(values | fields))


def turn(content, position=0, conversation_id="c1", agent_id="ana", **fields):
    values: dict[str, Any] = {
        "id": new_id(),
        "agent_id": agent_id,
        "conversation_id": conversation_id,
        "position": position,
        "role": "user",
        "content": content,
        "said_at": T0 + timedelta(minutes=position),
        "created_at": T0,
    }
    return Turn(**(values | fields))


def signal(of, **fields):
    values: dict[str, Any] = {
        "id": new_id(),
        "turn_id": of.id,
        "agent_id": of.agent_id,
        "conversation_id": of.conversation_id,
        "created_at": T0,
    }
    return Signal(**(values | fields))


def fact(content, agent_id="ana", **fields):
    values: dict[str, Any] = {
        "id": new_id(),
        "agent_id": agent_id,
        "content": content,
        "created_at": T0,
        "updated_at": T0,
    }
    return MemoryItem(**({"origin": "distiller"} | values | fields))


def line(content, **fields):
    """A line about the user, of every agent."""
    values: dict[str, Any] = {"id": new_id(), "content": content, "created_at": T0, "updated_at": T0}
    values |= {"tier": "always", "kind": FactKind.IDENTITY, "salience": 1.0}
    return MemoryItem(**(values | fields))


def source(of, quote="as said"):
    return FactSource(turn_id=of.id, quote=quote)


def detail(content, **fields):
    values: dict[str, Any] = {"id": new_id(), "at": T0} | fields
    return kept_detail(content, values.pop("turn_ids", ()), **values)


def episode(summary, agent_id="ana", conversation_id="c1", **fields):
    """An episode; its fields go by the names they have outside."""
    values: dict[str, Any] = {"id": new_id(), "created_at": T0, "updated_at": T0}
    values |= {"agent_id": agent_id, "run_id": conversation_id}
    digest = Digest(started_at=T0, ended_at=T0 + timedelta(hours=1))
    return changed(digested(summary, digest, **values), **fields)


def changed(episode, **fields):
    """An episode with other fields."""
    return episode.with_fields({EPISODE.get(name, name): value for name, value in fields.items()})


def entity(name, agent_id="ana", **fields):
    values: dict[str, Any] = {"id": new_id(), "agent_id": agent_id, "name": name, "created_at": T0, "updated_at": T0}
    return Entity(**(values | fields))


def relation(subject, predicate, object_, **fields):
    values: dict[str, Any] = {
        "id": new_id(),
        "agent_id": subject.agent_id,
        "subject_id": subject.id,
        "predicate": predicate,
        "object_id": object_.id,
        "created_at": T0,
    }
    return Relation(**(values | fields))


def history(ref_id, **fields):
    values: dict[str, Any] = {
        "id": new_id(),
        "agent_id": "ana",
        "kind": "fact",
        "ref_id": ref_id,
        "action": "edited",
        "actor": "user",
        "at": T0,
    }
    return HistoryEntry(**(values | fields))


def receipt(*items, **fields):
    values: dict[str, Any] = {
        "id": new_id(),
        "agent_id": "ana",
        "query": "what?",
        "section": "pinned",
        "rule": "possessive",
        "tokens": 5,
        "budget_tokens": 800,
        "block": "the block",
        "items": tuple(items),
        "created_at": T0,
    }
    return Receipt(**(values | fields))


def receipt_item(ref_id, line, kind="fact", **fields):
    return ReceiptItem(**({"kind": kind, "id": ref_id, "line": line, "score": 0.5, "tokens": 3} | fields))


def run(**fields):
    values: dict[str, Any] = {"id": new_id(), "started_at": T0}
    return Run(**(values | fields))


def change(ref_id, **fields):
    return RunChange(**({"action": "decay", "kind": "fact", "ref_id": ref_id, "agent_id": "ana"} | fields))


def put_snapshot(repos, agent_id, kind, model, data):
    """Store a whole snapshot of an index in one go."""
    edition, start = new_id(), 0
    while True:
        start = repos.embeddings.put_snapshot_part(agent_id, kind, model, data, start=start, edition=edition)
        if start == len(data):
            return


def forget_turns(repos, turn_ids):
    repos.erasing.rows("turns", [turn.seq for turn in repos.turns.many(turn_ids)], marks=False)


def forget_thread(repos, agent_id, conversation_id):
    seq, receipts = repos.erasing.thread(agent_id, conversation_id)
    repos.erasing.rows("receipts", receipts, marks=False)
    forget_turns(repos, [turn.id for turn in repos.turns.of_conversation(agent_id, conversation_id)])
    repos.erasing.rows("conversations", [seq], marks=False)
