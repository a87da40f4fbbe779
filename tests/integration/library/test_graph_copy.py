"""The copy of entities and relations in Neo4j: its own driver against an imitated server, and a real one if configured."""

from __future__ import annotations

import os
import uuid

import pytest

from memdesk import InvalidInputError, Memory, VectorStoreError
from memdesk.errors import EnvironmentFault
from memdesk.ports.library import Drawn
from memdesk.stores.memory import InMemoryStore
from tests.helpers.played_neo4j import PASSWORD, USER, PlayedNeo4j

NODES = (
    "MATCH (m:MemdeskMemory {collection: $collection})-[:NAMES]->(e:MemdeskEntity) "
    "RETURN e.name AS name, e.type AS type, e.user_id AS owner, count(m) AS memories ORDER BY name, owner"
)
EDGES = (
    "MATCH (a:MemdeskEntity {collection: $collection})-[r:RELATES]->(b:MemdeskEntity) "
    "RETURN a.name AS source, r.relation AS relation, b.name AS target ORDER BY source, target"
)
ADA = {"user_id": "ada", "agent_id": "", "run_id": ""}
BOB = {"user_id": "bob", "agent_id": "", "run_id": ""}


@pytest.fixture
def played(tmp_path):
    pytest.importorskip("neo4j", reason="Neo4j's driver is not installed")
    pytest.importorskip(
        "ladybug", reason="LadybugDB, which carries out what the played server is asked, is not installed"
    )
    server = PlayedNeo4j(tmp_path)
    yield server
    server.stop()


@pytest.fixture(params=["played", "real"])
def graph(request):
    """A copy with ``asked(query)``, which returns the rows of its collection."""
    if request.param == "real":
        url, user, password = (os.environ.get(f"MEMDESK_TEST_NEO4J_{name}", "") for name in ("URL", "USER", "PASSWORD"))
        if not url:
            pytest.skip("no MEMDESK_TEST_NEO4J_URL")
    else:
        url, user, password = request.getfixturevalue("played").url, USER, PASSWORD
    from memdesk.stores.neo4j import Neo4jGraph

    made = Neo4jGraph(url, user, password)
    made.name = f"test_{uuid.uuid4().hex[:12]}"
    made.asked = lambda query: [tuple(row.values()) for row in made._run(query, collection=made.name)]
    yield made
    made.forget(made.name)
    made.close()


def test_what_is_drawn_is_merged_and_replaced_and_each_owner_has_its_own(graph):
    works = [("Alice", "works_at", "Google")]
    drawn = [
        Drawn(id="1", owner=ADA, entities={"Alice": "person", "Google": "organisation"}, relations=works),
        Drawn(id="2", owner=ADA, entities={"Alice": "person"}),
        Drawn(id="3", owner=BOB, entities={"Alice": "person"}),
        Drawn(id="4", owner=ADA, entities={}),
    ]
    for _again in range(2):
        graph.draw(graph.name, drawn)
        assert graph.count(graph.name) == 4
        assert graph.asked(NODES) == [
            ("Alice", "person", "ada", 2),
            ("Alice", "person", "bob", 1),
            ("Google", "organisation", "ada", 1),
        ]
        assert graph.asked(EDGES) == works
    graph.draw(graph.name, [Drawn(id="1", owner=ADA, entities={"Zurich": ""})])
    assert graph.asked(EDGES) == []
    assert [row[0] for row in graph.asked(NODES)] == ["Alice", "Alice", "Zurich"]
    graph.erase(graph.name, ["1", "2", "nobody"])
    assert graph.asked(NODES) == [("Alice", "person", "bob", 1)]
    assert graph.count(graph.name) == 2
    graph.forget(graph.name)
    assert (graph.count(graph.name), graph.asked(NODES)) == (0, [])


def test_a_memory_shows_who_works_where_and_takes_it_away_again(graph, engines):
    m = engines.service(InMemoryStore(), graph=graph, collection=graph.name)
    (event,) = m.add("Alice works at Google", user_id="ada")["results"]
    assert graph.asked(EDGES) == [("Alice", "works_at", "Google")]
    m.update(event["id"], "Something else.")
    assert (graph.asked(EDGES), graph.asked(NODES), graph.count(graph.name)) == ([], [], 1)
    m.delete(event["id"])
    assert graph.count(graph.name) == 0
    m.add("Alice works at Google", user_id="ada")
    m.reset()
    assert graph.asked(NODES) == []


@pytest.mark.expect_log
def test_a_server_that_is_away_costs_no_memory_and_is_caught_up_with(played, engines):
    from memdesk.stores.neo4j import Neo4jGraph

    graph = Neo4jGraph(played.url, USER, PASSWORD)
    m = engines.service(InMemoryStore(), graph=graph)
    m.add("one", user_id="ada", infer=False)
    played.stop()
    m.add("Alice works at Google", user_id="ada")
    assert len(m.get_all(user_id="ada")["results"]) == 2
    played.start()
    m.add("three", user_id="ada", infer=False)
    assert graph.count("memories") == 3
    assert len(graph._run(EDGES, collection="memories")) == 1
    graph.close()
    other = Neo4jGraph(played.url, USER, "another")
    with pytest.raises(EnvironmentFault, match="AuthError"):
        other.count("memories")
    other.close()


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"graph_store": {"provider": "neo4j"}}, "NEO4J_URL"),
        (
            {
                "graph_store": {"provider": "neo4j", "config": {"url": "bolt://127.0.0.1:1"}},
                "vector_store": {"provider": "qdrant", "config": {"path": "x"}, "encrypt_payload": True},
            },
            "names",
        ),
    ],
)
def test_what_it_needs_is_said(config, words, monkeypatch, tmp_path):
    monkeypatch.delenv("NEO4J_URL", raising=False)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInputError, match=words):
        Memory(tmp_path, passphrase="only for a test", config=config)


def test_a_driver_that_is_not_installed_is_named_with_its_extra(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "neo4j", None)
    config = {"graph_store": {"provider": "neo4j", "config": {"url": "bolt://127.0.0.1:1"}}}
    with pytest.raises(VectorStoreError, match="not installed") as told:
        Memory(":memory:", config=config)
    assert "memdesk[neo4j]" in told.value.hint
