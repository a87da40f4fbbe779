"""The official knowledge-graph server's nine tools, on the people and things of the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field
from typing_extensions import TypedDict

from memdesk.services.remembering import Edge, Graph, GraphService, Node
from memdesk.services.tools.tool import Arguments, Tool, Use

if TYPE_CHECKING:
    from memdesk.services.recalling import RecallService, Sieve


class EntityArgument(Arguments):
    """One entity."""

    name: str = Field(description="The name of the entity.")
    entity_type: str = Field(alias="entityType", description="What it is: person, place, project, ...")
    observations: list[str] = Field(description="What is known of it, one statement each.")


class RelationArgument(Arguments):
    """One relation."""

    from_: str = Field(alias="from", description="Name of the entity where the relation starts.")
    to: str = Field(description="Name of the entity where the relation ends.")
    relation_type: str = Field(
        alias="relationType", description="Relation of the first to the second, in active voice."
    )

    def edge(self) -> Edge:
        return Edge(subject=self.from_, predicate=self.relation_type, object=self.to)


class NewObservations(Arguments):
    """Observations to add to one entity."""

    entity_name: str = Field(alias="entityName", description="The name of the entity.")
    contents: list[str] = Field(description="What is to be added.")


class GoneObservations(Arguments):
    """Observations to delete of one entity."""

    entity_name: str = Field(alias="entityName", description="The name of the entity.")
    observations: list[str] = Field(description="What is to be deleted.")


class CreateEntities(Arguments):
    """Arguments of ``create_entities``."""

    entities: list[EntityArgument]


class Relations(Arguments):
    """Arguments of ``create_relations`` and ``delete_relations``."""

    relations: list[RelationArgument]


class AddObservations(Arguments):
    """Arguments of ``add_observations``."""

    observations: list[NewObservations]


class DeleteEntities(Arguments):
    """Arguments of ``delete_entities``."""

    entity_names: list[str] = Field(alias="entityNames", description="Names of the entities to delete.")


class DeleteObservations(Arguments):
    """Arguments of ``delete_observations``."""

    deletions: list[GoneObservations]


class Nothing(Arguments):
    """No arguments."""


class Query(Arguments):
    """Arguments of ``search_nodes``."""

    query: str = Field(description="Text to find in names, types and observations.")


class Names(Arguments):
    """Arguments of ``open_nodes``."""

    names: list[str] = Field(description="Names of the entities.")


class Entity(TypedDict):
    """An entity in a result."""

    name: str
    entityType: str
    observations: list[str]


Relation = TypedDict("Relation", {"from": str, "to": str, "relationType": str})


class MadeEntities(TypedDict):
    """New entities."""

    entities: list[Entity]


class MadeRelations(TypedDict):
    """New relations."""

    relations: list[Relation]


class Added(TypedDict):
    """New observations of one entity."""

    entityName: str
    addedObservations: list[str]


class MadeObservations(TypedDict):
    """New observations of entities."""

    results: list[Added]


class Shown(MadeEntities, MadeRelations):
    """A graph, or a part of one."""


class Done(TypedDict):
    """Confirmation."""

    success: bool
    message: str


def graph_tools(graph: GraphService, recall: RecallService) -> list[Tool[Any]]:
    def sieve(use: Use) -> Sieve | None:
        return recall.sieve(use.agent_id) if use.remote else None

    def create_entities(use: Use, given: CreateEntities) -> dict[str, Any]:
        nodes = [Node(name=e.name, type=e.entity_type, observations=tuple(e.observations)) for e in given.entities]
        return {"entities": [_entity(node) for node in graph.add_nodes(use.agent_id, nodes, by=use.by)]}

    def create_relations(use: Use, given: Relations) -> dict[str, Any]:
        made = graph.add_edges(use.agent_id, [each.edge() for each in given.relations], by=use.by)
        return {"relations": [_relation(edge) for edge in made]}

    def add_observations(use: Use, given: AddObservations) -> dict[str, Any]:
        pairs = [(each.entity_name, each.contents) for each in given.observations]
        added = graph.add_observations(use.agent_id, pairs, by=use.by)
        told = zip(pairs, added, strict=True)
        return {"results": [{"entityName": name, "addedObservations": new} for (name, _), new in told]}

    def delete_entities(use: Use, given: DeleteEntities) -> dict[str, Any]:
        graph.delete_nodes(use.agent_id, given.entity_names, by=use.by)
        return {"success": True, "message": "Entities deleted successfully"}

    def delete_observations(use: Use, given: DeleteObservations) -> dict[str, Any]:
        pairs = [(each.entity_name, each.observations) for each in given.deletions]
        graph.delete_observations(use.agent_id, pairs, by=use.by)
        return {"success": True, "message": "Observations deleted successfully"}

    def delete_relations(use: Use, given: Relations) -> dict[str, Any]:
        graph.delete_edges(use.agent_id, [each.edge() for each in given.relations], by=use.by)
        return {"success": True, "message": "Relations deleted successfully"}

    def read_graph(use: Use, _given: Nothing) -> dict[str, Any]:
        return _shown(graph.read(use.agent_id, sieve(use)))

    def search_nodes(use: Use, given: Query) -> dict[str, Any]:
        return _shown(graph.search(use.agent_id, given.query, sieve(use)))

    def open_nodes(use: Use, given: Names) -> dict[str, Any]:
        return _shown(graph.open(use.agent_id, given.names, sieve(use)))

    delete: dict[str, Any] = {"scope": "memory:write", "destructive": True, "answer": Done}
    return [
        Tool(
            name="create_entities",
            title="Create entities",
            description="Create people and things in the knowledge graph, with what is known of each.",
            arguments=CreateEntities,
            run=create_entities,
            answer=MadeEntities,
            scope="memory:write",
        ),
        Tool(
            name="create_relations",
            title="Create relations",
            description="Join entities of the knowledge graph. Both must be there; a relation is in active voice.",
            arguments=Relations,
            run=create_relations,
            answer=MadeRelations,
            scope="memory:write",
        ),
        Tool(
            name="add_observations",
            title="Add observations",
            description="Add what is known to entities that are in the knowledge graph.",
            arguments=AddObservations,
            run=add_observations,
            answer=MadeObservations,
            scope="memory:write",
        ),
        Tool(
            name="delete_entities",
            title="Delete entities",
            description="Delete entities with their relations and what is known of them alone, for good.",
            arguments=DeleteEntities,
            run=delete_entities,
            **delete,
        ),
        Tool(
            name="delete_observations",
            title="Delete observations",
            description="Delete observations of entities, for good.",
            arguments=DeleteObservations,
            run=delete_observations,
            **delete,
        ),
        Tool(
            name="delete_relations",
            title="Delete relations",
            description="Delete relations between entities.",
            arguments=Relations,
            run=delete_relations,
            **delete,
        ),
        Tool(
            name="read_graph",
            title="Read the graph",
            description="Read the whole knowledge graph.",
            arguments=Nothing,
            run=read_graph,
            answer=Shown,
        ),
        Tool(
            name="search_nodes",
            title="Search nodes",
            description="Find entities by letters of their names, types and observations, with their relations.",
            arguments=Query,
            run=search_nodes,
            answer=Shown,
        ),
        Tool(
            name="open_nodes",
            title="Open nodes",
            description="Return entities by name, with their relations.",
            arguments=Names,
            run=open_nodes,
            answer=Shown,
        ),
    ]


def _shown(graph: Graph) -> dict[str, Any]:
    return {"entities": [_entity(node) for node in graph.nodes], "relations": [_relation(edge) for edge in graph.edges]}


def _entity(node: Node) -> dict[str, Any]:
    return {"name": node.name, "entityType": node.type, "observations": list(node.observations)}


def _relation(edge: Edge) -> dict[str, Any]:
    return {"from": edge.subject, "to": edge.object, "relationType": edge.predicate}
