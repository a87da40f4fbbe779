"""Agents."""

from __future__ import annotations

from typing import Any

from memdesk.domain.models import Agent
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.values import from_json, from_ms, to_json, to_ms

_Q: Any = load("agents")


def _agent(row: Row) -> Agent:
    (id_, name, description, prompt, model, color, sampling, memory, tool, built_in, created, updated, *_) = row
    return Agent(
        id=id_,
        name=name,
        description=description,
        system_prompt=prompt,
        model=model,
        color=color,
        sampling=from_json(sampling),
        memory=memory,
        search_tool=bool(tool),
        is_built_in=bool(built_in),
        created_at=from_ms(created),
        updated_at=from_ms(updated),
    )


class SqlAgents(Repository):
    """:class:`memdesk.ports.AgentsRepo` over SQLCipher."""

    def get(self, agent_id: str) -> Agent | None:
        """Return one agent."""
        row = _Q.get(self._conn, agent_id=agent_id)
        return None if row is None else _agent(row)

    def all(self) -> list[Agent]:
        """Return all agents, built-in ones first, then by name."""
        return [_agent(row) for row in _Q.all(self._conn)]

    def put(self, agent: Agent) -> None:
        """Insert or update."""
        _Q.put(
            self._conn,
            id=agent.id,
            name=agent.name,
            description=agent.description,
            system_prompt=agent.system_prompt,
            model=agent.model,
            color=agent.color,
            sampling=to_json(agent.sampling),
            memory=agent.memory,
            search_tool=agent.search_tool,
            is_built_in=agent.is_built_in,
            created_at=to_ms(agent.created_at),
            updated_at=to_ms(agent.updated_at),
        )

    def delete(self, agent_id: str) -> None:
        """Delete the agent with its memory; history keeps what happened, without the words."""
        with self._deleting(_Q.turns(self._conn, agent_id=agent_id)):
            _Q.delete(self._conn, agent_id=agent_id)

    def drain(self, agent_id: str, part: str, bound: int) -> int:
        """Take up to ``bound`` rows of a part of an agent's memory; return how many went, 0 when none are left.

        Words of theirs stay in the full-text indexes, where no search finds them, until :meth:`merge_indexes`
        has gone through.

        Args:
            agent_id: whose.
            part: one of :data:`memdesk.ports.AGENT_PARTS`, in their order: what the rows of one would drag along all
                at once (snapshots, vectors, receipts) goes before them.
            bound: how many rows at most.
        """
        with self._leaving_marks():
            return int(getattr(_Q, f"drain_{part}")(self._conn, agent_id=agent_id, bound=bound))

    def merge_indexes(self, mirror: str, pages: int, *, first: bool) -> bool:
        """Rewrite some pages of a full-text index without what was deleted; return whether there may be more.

        Args:
            mirror: one of :data:`memdesk.ports.MIRRORS`.
            pages: about how many.
            first: begin, rather than go on.
        """
        return self._merge(mirror, -pages if first else pages) or first

    def fact_counts(self) -> dict[str, int]:
        """Return active facts by agent id; agents without any are left out."""
        return dict(_Q.fact_counts(self._conn))
