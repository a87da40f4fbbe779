"""Agents."""

from typing import Any

from memdesk.domain.models import Agent
from memdesk.storage.queries import load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.repositories.columns import FLAG, JSON, MOMENT, Columns

_Q: Any = load("agents")
_AGENT = Columns(
    Agent,
    "id name description system_prompt model color sampling memory search_tool is_built_in created_at updated_at "
    "shares_identity",
    sampling=JSON,
    search_tool=FLAG,
    is_built_in=FLAG,
    created_at=MOMENT,
    updated_at=MOMENT,
    shares_identity=FLAG,
)


class SqlAgents(Repository):
    """:class:`memdesk.ports.AgentsRepo` over SQLCipher."""

    def get(self, agent_id: str) -> Agent | None:
        row = _Q.get(self._conn, agent_id=agent_id)
        return None if row is None else _AGENT.of(row)

    def all(self) -> list[Agent]:
        return _AGENT.all(_Q.all(self._conn))

    def put(self, agent: Agent) -> None:
        _Q.put(self._conn, **_AGENT.values(agent))

    def delete(self, agent_id: str) -> None:
        with self._deleting(_Q.turns(self._conn, agent_id=agent_id)):
            _Q.delete(self._conn, agent_id=agent_id)

    def fact_counts(self) -> dict[str, int]:
        return dict(_Q.fact_counts(self._conn))
