"""For any store and target: the preview counts what is then deleted, and nothing else changes."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.domain.models import Entity, FactSource, FactStatus, Receipt, ReceiptItem, new_id
from memdesk.ports import TextFilter
from memdesk.services.forgetting import forgetting
from memdesk.services.forgetting.forgetting import ForgetTarget
from tests.helpers import rows
from tests.helpers.memory_rows import NOON, Desk

AGENTS = ("ana", "ben")
THREADS = ("t0", "t1", "t2")
#: Statements that share no word, each of words that stand nowhere else.
STATEMENTS = [" ".join(f"{word}{number}{word}" for word in ("quelk", "brint", "zorva", "plime")) for number in range(8)]
NAMES = ("Wilhelmina", "Bartholomew")

#: Which statements each thread's messages make, the same for both agents.
threads = st.lists(st.lists(st.integers(0, 7), min_size=1, max_size=4), min_size=3, max_size=3)
targets = st.sampled_from(("fact", "facts", "turn", "conversation", "kept", "episode", "entity", "person", "identity"))


class World:
    """The same memory for each of two agents."""

    def __init__(self, folder: Path, said: list[list[int]], named: int) -> None:
        self.desk = Desk(folder, agents=AGENTS)
        for agent in AGENTS:
            self._remember(agent, said, named)

    def _remember(self, agent: str, said: list[list[int]], named: int) -> None:
        desk, sources = self.desk, {}
        # The other agent says the same in capitals, so that bytes on a page tell whose they are.
        told = [one.upper() for one in STATEMENTS] if agent == "ben" else STATEMENTS
        for thread, numbers in zip(THREADS, said, strict=True):
            texts = [f"{NAMES[0]} told: {told[n]}" if n == named else told[n] for n in numbers]
            turns = desk.thread(thread, *texts, agent_id=agent, title=texts[0])
            for number, turn in zip(numbers, turns, strict=True):
                sources.setdefault(number, []).append(FactSource(turn_id=turn.id, quote=turn.content))
            details = [rows.detail(t.content, id=new_id(), turn_ids=(t.id,)) for t in turns]
            desk.episode(
                f"{told[numbers[0]]}. Then the weather was fine.",
                agent_id=agent,
                conversation_id=thread,
                details=details,
            )
        entity = Entity(id=f"{agent}-e", agent_id=agent, name=NAMES[0], created_at=NOON, updated_at=NOON)
        lonely = Entity(id=f"{agent}-l", agent_id=agent, name=NAMES[1], created_at=NOON, updated_at=NOON)
        for number, found in sorted(sources.items()):
            content = f"{NAMES[0]} knows {told[number]}" if number == named else f"User: {told[number]}"
            fact = desk.fact(
                content,
                id=f"{agent}-{number}",
                agent_id=agent,
                sources=tuple(found),
                source_count=len(found),
                status=FactStatus.DISABLED if number == 5 else FactStatus.ACTIVE,
                origin="distiller",
            )
            desk.memories.edit_fact(fact.id, salience=0.7)
            self._write(fact, entity, lonely, number)
        line = {"id": f"{agent}-i", "content": "The user is left-handed"}
        desk.write(lambda repos: repos.items.put(rows.line(**line, created_at=NOON, updated_at=NOON)))

    def _write(self, fact, entity, lonely, number) -> None:
        item = ReceiptItem(kind="fact", id=fact.id, line=fact.content, score=1.0, tokens=9)
        shown = Receipt(
            id=new_id(),
            agent_id=fact.agent_id,
            query="What do you know?",
            section="pinned",
            rule="always",
            tokens=9,
            budget_tokens=100,
            block=fact.content,
            items=(item,),
            created_at=NOON,
        )

        def work(repos):
            repos.receipts.put(shown)
            for one in (entity, lonely):
                if repos.entities.get(one.id) is None:
                    repos.entities.put(one)
            repos.entities.link(lonely.id if number == 2 else entity.id, "fact", fact.id)

        self.desk.write(work)

    def rows(self, agent: str) -> dict[str, dict[str, object]]:
        """Every row of an agent by kind and id."""
        desk = self.desk
        with desk.store.read() as repos:
            found = {
                "turns": {t.id: t for thread in THREADS for t in repos.turns.of_conversation(agent, thread)},
                "conversations": {c.id: c for c in repos.conversations.page(agent_id=agent).items},
                "entities": {e.id: e for e in repos.entities.page(agent_id=agent).items},
                "identity": {line.id: line for line in repos.items.lines() if line.id.startswith(agent)},
                "receipts": {r.id: r for r in repos.receipts.page(agent_id=agent, limit=100).items},
            }
        return found | {"facts": desk.facts(agent), "episodes": desk.episodes(agent)}

    def target(self, kind: str, pick: int) -> ForgetTarget:
        """Something of the first agent."""
        rows = self.rows("ana")

        def one(table: str) -> tuple[str, ...]:
            return (sorted(rows[table])[pick % len(rows[table])],)

        match kind:
            case "facts":
                return ForgetTarget(kind="facts", ids=tuple(sorted(rows["facts"])[: 1 + pick % 3]), include_turns=True)
            case "fact" | "episode" | "identity" | "turn":
                ids = one({"fact": "facts", "episode": "episodes", "identity": "identity", "turn": "turns"}[kind])
                return ForgetTarget(kind=kind, ids=ids, agent_id="ana")
            case "entity" | "person":
                return ForgetTarget(kind="entity", ids=one("entities"), include_turns=kind == "person")
        return ForgetTarget(kind="conversation", ids=one("conversations"), agent_id="ana", learned=kind != "kept")


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(threads, st.integers(0, 7), targets, st.integers(0, 20), st.sampled_from((0, 64)))
def test_what_is_announced_goes_and_nothing_else_changes(said, named, kind, pick, small):
    with tempfile.TemporaryDirectory() as folder, patch.object(forgetting, "_SMALL", small):
        world = World(Path(folder), said, named)
        desk = world.desk
        try:
            target, before, other = world.target(kind, pick), world.rows("ana"), world.rows("ben")
            announced = desk.forgetting.preview(target).counts
            assert world.rows("ana") == before
            report = desk.forgetting.forget(target)
            after = world.rows("ana")
            before["episodes"] = {key: pointing_at(after["turns"], one) for key, one in before["episodes"].items()}
            assert report.verified, report.left
            assert report.counts == announced == counted(before, after)
            assert world.rows("ben") == other
            nothing_new(before, after)
            said_still = "\n".join(repr(row) for table in after.values() for row in table.values())
            for statement in STATEMENTS:
                if statement not in said_still:
                    assert not found(desk, statement)
        finally:
            desk.close()


def pointing_at(turns, episode):
    """The episode as it is when its lines point only at messages that are there: a message takes its references along."""
    details = tuple(
        replace(line, sources=tuple(source for source in line.sources if source.turn_id in turns))
        for line in episode.session.details
    )
    return episode.with_fields({"digest.details": details})


def counted(before, after) -> dict[str, int]:
    """What is gone, and what facts and episodes changed."""
    counts = {table: len(before[table].keys() - after[table].keys()) for table in before if table != "receipts"}
    for table in ("facts", "episodes"):
        kept = before[table].keys() & after[table].keys()
        counts[f"{table}_changed"] = sum(before[table][key] != after[table][key] for key in kept)
    return {name: number for name, number in counts.items() if number}


def nothing_new(before, after) -> None:
    """Rows that stay are as they were, save that facts, episodes and titles lose what told of the forgotten."""
    for table in before:
        assert after[table].keys() <= before[table].keys()
    assert all(before["turns"][key] == turn for key, turn in after["turns"].items())
    for key, fact in after["facts"].items():
        old = before["facts"][key]
        lost = {"sources": fact.sources, "source_count": fact.source_count, "salience": fact.salience}
        changed = {**lost, "run_id": fact.run_id, "updated_at": fact.updated_at}
        assert replace(old, **changed) == fact
        assert set(fact.sources) <= set(old.sources)
    for key, episode in after["episodes"].items():
        lines = {line.id: line for line in before["episodes"][key].session.details}
        for line in episode.session.details:
            assert set(line.sources) <= set(lines[line.id].sources)
            assert replace(lines[line.id], sources=line.sources) == line
    for key, receipt in after["receipts"].items():
        old = before["receipts"][key]
        assert [item.id for item in receipt.items] == [item.id for item in old.items]
        shown = all(item.id in after["facts"] for item in old.items)
        assert receipt == old if shown else receipt.block == receipt.items[0].line == ""


def found(desk: Desk, statement: str) -> bool:
    """Whether an agent's search or a decrypted page finds a statement that only the first agent's rows made."""
    words = statement.split()
    if desk.store.pages_holding([statement.encode()]):
        return True
    with desk.store.read() as repos:
        flt = TextFilter(agent_id="ana")
        return any(repos.text.search(target, words, flt) for target in ("turn", "fact", "episode", "detail"))
