"""Agents."""

from __future__ import annotations

from typing import Any

from memdesk.domain.models import Agent
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.values import from_json, from_ms, to_json, to_ms

_Q: Any = load("agents")


def _agent(row: Row) -> Agent:
    (id_, name, description, prompt, model, color, sampling, memory, tool, built_in, created, updated, shares, *_) = row
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
        shares_identity=bool(shares),
        is_built_in=bool(built_in),
        created_at=from_ms(created),
        updated_at=from_ms(updated),
    )


class SqlAgents(Repository):
    """:class:`memdesk.ports.AgentsRepo` over SQLCipher."""

    def get(self, agent_id: str) -> Agent | None:
        row = _Q.get(self._conn, agent_id=agent_id)
        return None if row is None else _agent(row)

    def all(self) -> list[Agent]:
        return [_agent(row) for row in _Q.all(self._conn)]

    def put(self, agent: Agent) -> None:
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
            shares_identity=agent.shares_identity,
            is_built_in=agent.is_built_in,
            created_at=to_ms(agent.created_at),
            updated_at=to_ms(agent.updated_at),
        )

    def delete(self, agent_id: str) -> None:
        with self._deleting(_Q.turns(self._conn, agent_id=agent_id)):
            _Q.delete(self._conn, agent_id=agent_id)

    def fact_counts(self) -> dict[str, int]:
        return dict(_Q.fact_counts(self._conn))
