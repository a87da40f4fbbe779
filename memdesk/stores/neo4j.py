"""Neo4j: a copy of entities and relations, for programs that query in Cypher."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from memdesk.errors import EnvironmentFault

if TYPE_CHECKING:
    from memdesk.ports.library import Drawn

#: Keys of MERGE, so that two concurrent programs create one node.
KEYS: Final = tuple(
    f"CREATE CONSTRAINT {label.lower()}_key IF NOT EXISTS FOR (n:{label}) REQUIRE n.key IS UNIQUE"
    for label in ("MemdeskMemory", "MemdeskEntity")
)
MEMORIES: Final = """
UNWIND $rows AS row
MERGE (m:MemdeskMemory {key: row.key})
SET m.collection = $collection, m.id = row.id, m.user_id = row.user_id, m.agent_id = row.agent_id, m.run_id = row.run_id
"""
ENTITIES: Final = """
UNWIND $rows AS row
MATCH (m:MemdeskMemory {key: row.memory})
MERGE (e:MemdeskEntity {key: row.key})
SET e.collection = $collection, e.name = row.name, e.user_id = row.user_id, e.agent_id = row.agent_id, e.run_id = row.run_id,
    e.type = CASE WHEN row.type = '' THEN coalesce(e.type, '') ELSE row.type END
MERGE (m)-[:NAMES]->(e)
"""
RELATIONS: Final = """
UNWIND $rows AS row
MATCH (a:MemdeskEntity {key: row.source}), (b:MemdeskEntity {key: row.target})
MERGE (a)-[:RELATES {relation: row.relation, memory: row.memory}]->(b)
"""
UNRELATE: Final = "MATCH (:MemdeskEntity)-[r:RELATES]->(:MemdeskEntity) WHERE r.memory IN $keys DELETE r"
UNNAME: Final = "MATCH (m:MemdeskMemory)-[n:NAMES]->(:MemdeskEntity) WHERE m.key IN $keys DELETE n"
ERASE: Final = "MATCH (m:MemdeskMemory) WHERE m.key IN $keys DETACH DELETE m"
UNNAMED: Final = (
    "MATCH (e:MemdeskEntity {collection: $collection}) "
    "WHERE NOT EXISTS { MATCH (:MemdeskMemory)-[:NAMES]->(e) } DETACH DELETE e"
)
COUNT: Final = "MATCH (m:MemdeskMemory {collection: $collection}) RETURN count(m) AS memories"
FORGET: Final = tuple(
    f"MATCH (n:{label} {{collection: $collection}}) DETACH DELETE n" for label in ("MemdeskMemory", "MemdeskEntity")
)
#: Seconds of retrying an unreachable server, while whoever adds a memory waits.
PATIENCE: Final = 1.0


class Neo4jGraph:
    """``ports.library.GraphCopy`` on Neo4j 5 or later.

    ``(:MemdeskMemory {id})-[:NAMES]->(:MemdeskEntity {name, type})-[:RELATES {relation}]->(:MemdeskEntity)``; both nodes have
    ``collection``, ``user_id``, ``agent_id``, ``run_id``. No text of a memory is sent.

    Args:
        url: ``neo4j://host:7687``, ``bolt://...``, ``neo4j+s://...``.
        username: empty for a server without authentication.
        password: of the user.
        database: empty for the server's own default.
    """

    def __init__(self, url: str, username: str = "", password: str = "", database: str = "") -> None:
        import neo4j

        self._errors = (neo4j.exceptions.Neo4jError, neo4j.exceptions.DriverError, OSError, ValueError)
        self._database = database or None
        self._keyed = False
        with self._translated():
            self._driver = neo4j.GraphDatabase.driver(
                url,
                auth=(username, password) if username else None,
                connection_timeout=5,
                max_transaction_retry_time=PATIENCE,
                telemetry_disabled=True,
            )

    def close(self) -> None:
        self._driver.close()

    def draw(self, collection: str, drawn: Sequence[Drawn]) -> None:
        keys = {one.id: _key(collection, id=one.id) for one in drawn}
        named = [
            {
                "memory": keys[one.id],
                "key": _key(collection, **one.owner, name=name),
                "name": name,
                "type": kind,
                **one.owner,
            }
            for one in drawn
            for name, kind in one.entities.items()
        ]
        related = [
            {
                "memory": keys[one.id],
                "relation": relation,
                "source": _key(collection, **one.owner, name=source),
                "target": _key(collection, **one.owner, name=target),
            }
            for one in drawn
            for source, relation, target in one.relations
        ]
        if not self._keyed:
            for key in KEYS:
                self._run(key)
            self._keyed = True
        self._write(
            (UNRELATE, {"keys": list(keys.values())}),
            (UNNAME, {"keys": list(keys.values())}),
            (MEMORIES, {"rows": [{"key": keys[one.id], "id": one.id, **one.owner} for one in drawn]}),
            (ENTITIES, {"rows": named}),
            (RELATIONS, {"rows": related}),
            (UNNAMED, {}),
            collection=collection,
        )

    def erase(self, collection: str, ids: Sequence[str]) -> None:
        keys = [_key(collection, id=name) for name in ids]
        self._write((UNRELATE, {"keys": keys}), (ERASE, {"keys": keys}), (UNNAMED, {}), collection=collection)

    def count(self, collection: str) -> int:
        return int(self._run(COUNT, collection=collection)[0]["memories"])

    def forget(self, collection: str) -> None:
        self._write(*((query, {}) for query in FORGET), collection=collection)

    def _run(self, query: str, **values: Any) -> list[Any]:
        with self._translated():
            return list(self._driver.execute_query(query, values, database_=self._database).records)

    def _write(self, *work: tuple[str, Mapping[str, Any]], collection: str) -> None:
        """Run queries in one transaction, with the driver's retries; queries without rows are skipped."""

        def together(transaction: Any) -> None:
            for query, values in work:
                if values.get("rows") == []:
                    continue
                transaction.run(query, {"collection": collection, **values}).consume()

        with self._translated(), self._driver.session(database=self._database) as session:
            session.execute_write(together)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except self._errors as error:
            raise EnvironmentFault(
                f"Neo4j does not answer or refuses ({type(error).__name__}).",
                hint="Check graph_store in the configuration, then try again.",
            ) from error


def _key(collection: str, **parts: str) -> str:
    return json.dumps([collection, *parts.values()], ensure_ascii=False)
