"""The official knowledge-graph server's behavior, as black-box cases through the official client.

Every case of its own graph tests is among them; those of its file are in ``test_graph_file.py``.
"""

import json

import pytest

from memdesk.domain.models import FactStatus
from memdesk.ports import FactFilter

ADA = {"name": "Ada", "entityType": "person", "observations": ["works at Bell Labs", "likes chess"]}
BEN = {"name": "Ben", "entityType": "person", "observations": ["works at Cargo"]}
LABS = {"name": "Bell Labs", "entityType": "company", "observations": ["research company"]}
KNOWS = {"from": "Ada", "to": "Ben", "relationType": "knows"}


def bare(*names):
    return [{"name": name, "entityType": "person", "observations": []} for name in names]


@pytest.fixture
def use(talk):
    """Use one tool and return its structured result."""

    def one(name, **arguments):
        async def work(client):
            return await client.call_tool(name, arguments)

        result = talk(work)
        assert not result.is_error, result.content[0].text
        return result.structured_content

    return one


@pytest.fixture
def refused(talk):
    """Use one tool that must fail and return what it says."""

    def one(name, **arguments):
        async def work(client):
            return await client.call_tool(name, arguments)

        result = talk(work)
        assert result.is_error
        return result.content[0].text

    return one


def names(graph):
    return [entity["name"] for entity in graph["entities"]]


def observed(graph, name):
    return next(entity["observations"] for entity in graph["entities"] if entity["name"] == name)


def test_entities_are_created_and_answered_as_given(use):
    assert use("create_entities", entities=[ADA, BEN]) == {"entities": [ADA, BEN]}
    assert use("read_graph") == {"entities": [ADA, BEN], "relations": []}


def test_an_entity_is_created_once(use):
    use("create_entities", entities=[ADA])
    assert use("create_entities", entities=[ADA | {"observations": ["else"]}]) == {"entities": []}
    assert use("read_graph")["entities"] == [ADA]


def test_an_entity_that_stands_twice_in_a_call_is_created_once(use):
    assert use("create_entities", entities=[ADA, ADA]) == {"entities": [ADA]}


@pytest.mark.parametrize(
    ("tool", "arguments", "answer"),
    [
        ("create_entities", {"entities": []}, {"entities": []}),
        ("create_relations", {"relations": []}, {"relations": []}),
        ("open_nodes", {"names": []}, {"entities": [], "relations": []}),
        ("open_nodes", {"names": ["Nobody"]}, {"entities": [], "relations": []}),
        ("search_nodes", {"query": "nothing"}, {"entities": [], "relations": []}),
        ("read_graph", {}, {"entities": [], "relations": []}),
        ("add_observations", {"observations": []}, {"results": []}),
    ],
)
def test_nothing_is_answered_with_nothing(use, tool, arguments, answer):
    assert use(tool, **arguments) == answer


def test_relations_are_created_and_answered_as_given(use):
    use("create_entities", entities=bare("Ada", "Ben"))
    assert use("create_relations", relations=[KNOWS]) == {"relations": [KNOWS]}
    assert use("read_graph")["relations"] == [KNOWS]


def test_a_relation_is_created_once(use):
    use("create_entities", entities=bare("Ada", "Ben"))
    assert use("create_relations", relations=[KNOWS, KNOWS]) == {"relations": [KNOWS]}
    assert use("create_relations", relations=[KNOWS]) == {"relations": []}
    assert use("read_graph")["relations"] == [KNOWS]


@pytest.mark.parametrize("end", ["from", "to"])
def test_a_relation_with_an_unknown_end_is_refused_and_none_is_made(use, refused, end):
    use("create_entities", entities=bare("Ada", "Ben"))
    said = refused("create_relations", relations=[KNOWS, KNOWS | {end: "Ghost"}])
    assert "Entity with name Ghost not found" in said
    assert use("read_graph")["relations"] == []


def test_an_entity_may_be_joined_to_itself(use):
    use("create_entities", entities=[ADA])
    own = {"from": "Ada", "to": "Ada", "relationType": "reminds"}
    assert use("create_relations", relations=[own]) == {"relations": [own]}
    assert use("read_graph")["relations"] == [own]


def test_observations_are_added_in_their_order(use):
    use("create_entities", entities=[ADA])
    added = use("add_observations", observations=[{"entityName": "Ada", "contents": ["has a dog", "reads"]}])
    assert added == {"results": [{"entityName": "Ada", "addedObservations": ["has a dog", "reads"]}]}
    assert observed(use("read_graph"), "Ada") == [*ADA["observations"], "has a dog", "reads"]


def test_an_observation_is_added_once(use):
    use("create_entities", entities=[ADA])
    added = use("add_observations", observations=[{"entityName": "Ada", "contents": ["likes chess", "reads", "reads"]}])
    assert added["results"][0]["addedObservations"] == ["reads"]
    assert len(observed(use("read_graph"), "Ada")) == 3


def test_two_things_may_be_observed_alike(use):
    use("create_entities", entities=[ADA, BEN | {"observations": ["likes chess"]}])
    use("delete_observations", deletions=[{"entityName": "Ben", "observations": ["likes chess"]}])
    graph = use("read_graph")
    assert (observed(graph, "Ada"), observed(graph, "Ben")) == (ADA["observations"], [])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("the deadline is Friday", "the deadline is Monday"),
        ("the deadline is Friday", "the deadline is Friday"),
        ("Owner is Zoe", "Owner is Max"),
        ("status is open", "status is closed"),
        ("lives in Porto", "lives in Paris"),
    ],
)
def test_what_is_observed_of_one_thing_says_nothing_of_another(use, first, second):
    use("create_entities", entities=[ADA | {"observations": [first]}, BEN | {"observations": [second]}])
    use("create_entities", entities=[LABS | {"observations": [first]}])
    observations = [entity["observations"] for entity in use("read_graph")["entities"]]
    assert observations == [[first], [second], [first]]
    use("delete_observations", deletions=[{"entityName": "Ada", "observations": [first]}])
    assert [entity["observations"] for entity in use("read_graph")["entities"]] == [[], [second], [first]]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("likes chess", "loves chess"),
        ("plays the piano", "plays piano"),
        ("favourite colour is blue", "favourite colour is green"),
        ("has a dog", "has a dog named Rex"),
    ],
)
def test_what_is_added_stands_in_its_own_words_beside_what_is_like_it(use, first, second):
    use("create_entities", entities=[ADA | {"observations": [first]}])
    use("add_observations", observations=[{"entityName": "Ada", "contents": [second]}])
    assert observed(use("read_graph"), "Ada") == [first, second]


def test_an_observation_leaves_the_graph_for_a_later_one_that_updates_it(use, app, agent):
    use("create_entities", entities=[ADA | {"observations": ["is 41 years old"]}])
    use("add_observations", observations=[{"entityName": "Ada", "contents": ["is 42 years old"]}])
    assert observed(use("read_graph"), "Ada") == ["is 42 years old"]
    replaced = FactFilter(agent_id=agent, status=(FactStatus.SUPERSEDED,))
    assert [fact.content for fact in app.services.memories.facts(replaced).items] == ["Ada: is 41 years old"]


def test_observations_of_an_unknown_entity_are_refused_and_none_is_added(use, refused):
    use("create_entities", entities=[ADA])
    given = [{"entityName": "Ada", "contents": ["new"]}, {"entityName": "Ghost", "contents": ["new"]}]
    assert "Entity with name Ghost not found" in refused("add_observations", observations=given)
    assert observed(use("read_graph"), "Ada") == ADA["observations"]


@pytest.mark.parametrize(
    "text", ["Ada likes tea", "Ada: likes tea", "ADA likes tea", "übt: täglich 東京", 'says "hi" \\ {"a": 1}']
)
def test_an_observation_comes_back_in_its_own_words(use, text):
    use("create_entities", entities=[ADA | {"observations": [text]}])
    assert observed(use("read_graph"), "Ada") == [text]
    use("delete_observations", deletions=[{"entityName": "Ada", "observations": [text]}])
    assert observed(use("read_graph"), "Ada") == []


def test_deleted_entities_are_gone_with_their_relations_and_observations(use, app, agent):
    use("create_entities", entities=[ADA, BEN, LABS])
    use("create_relations", relations=[KNOWS, KNOWS | {"from": "Ben", "to": "Bell Labs"}])
    answer = use("delete_entities", entityNames=["Ben"])
    assert answer["success"] is True
    assert use("read_graph") == {"entities": [ADA, LABS], "relations": []}
    assert "Cargo" not in str(app.services.recall.search(agent_id=agent, query="Cargo").items)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("delete_entities", {"entityNames": ["Nobody"]}),
        ("delete_observations", {"deletions": [{"entityName": "Nobody", "observations": ["x"]}]}),
        ("delete_observations", {"deletions": [{"entityName": "Ada", "observations": ["never said"]}]}),
        ("delete_relations", {"relations": [{"from": "Ada", "to": "Nobody", "relationType": "knows"}]}),
        ("delete_relations", {"relations": [KNOWS]}),
    ],
)
def test_what_is_not_there_is_deleted_without_a_word(use, tool, arguments):
    use("create_entities", entities=[ADA, BEN])
    assert use(tool, **arguments)["success"] is True
    assert use("read_graph") == {"entities": [ADA, BEN], "relations": []}


def test_deleted_observations_are_gone_and_the_others_stay(use):
    use("create_entities", entities=[ADA])
    use("delete_observations", deletions=[{"entityName": "Ada", "observations": ["likes chess"]}])
    assert observed(use("read_graph"), "Ada") == ["works at Bell Labs"]


def test_an_entity_stays_without_observations_and_keeps_its_relations(use):
    use("create_entities", entities=[ADA, BEN])
    use("create_relations", relations=[KNOWS])
    use("delete_observations", deletions=[{"entityName": "Ada", "observations": ADA["observations"]}])
    graph = use("read_graph")
    assert (names(graph), observed(graph, "Ada"), graph["relations"]) == (["Ada", "Ben"], [], [KNOWS])


def test_a_deleted_relation_is_gone_and_the_others_stay(use):
    use("create_entities", entities=bare("Ada", "Ben"))
    works = KNOWS | {"relationType": "works_with"}
    use("create_relations", relations=[KNOWS, works])
    assert use("delete_relations", relations=[KNOWS])["success"] is True
    assert use("read_graph")["relations"] == [works]


@pytest.fixture
def firm(use):
    use("create_entities", entities=[ADA, BEN, LABS])
    relations = [
        {"from": "Ada", "to": "Bell Labs", "relationType": "works_at"},
        {"from": "Ben", "to": "Bell Labs", "relationType": "competes_with"},
    ]
    use("create_relations", relations=relations)
    return relations


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Ada", ["Ada"]),
        ("ADA", ["Ada"]),
        ("company", ["Bell Labs"]),
        ("chess", ["Ada"]),
        ("person", ["Ada", "Ben"]),
        ("Bell", ["Ada", "Bell Labs"]),
    ],
)
def test_nodes_are_found_by_name_type_and_observation(use, firm, query, found):
    assert names(use("search_nodes", query=query)) == found


def test_a_search_brings_every_relation_of_what_it_finds(use, firm):
    assert use("search_nodes", query="Ada")["relations"] == firm[:1]
    assert use("search_nodes", query="research")["relations"] == firm
    assert use("search_nodes", query="Bell")["relations"] == firm


def test_nodes_are_opened_by_name_with_every_relation_of_theirs(use):
    use("create_entities", entities=bare("Ada", "Ben", "Cid"))
    onward = {"from": "Ben", "to": "Cid", "relationType": "knows"}
    use("create_relations", relations=[KNOWS, onward])
    both = use("open_nodes", names=["Ben", "Ada"])
    assert (names(both), both["relations"]) == (["Ada", "Ben"], [KNOWS, onward])
    assert use("open_nodes", names=["Ada"]) == {"entities": bare("Ada"), "relations": [KNOWS]}
    assert use("open_nodes", names=["Ben"]) == {"entities": bare("Ben"), "relations": [KNOWS, onward]}
    assert use("open_nodes", names=["Cid"]) == {"entities": bare("Cid"), "relations": [onward]}


def test_the_resource_is_the_graph(talk, use, firm):
    async def work(client):
        listed = (await client.list_resources()).resources
        return [str(each.uri) for each in listed], (await client.read_resource("memory://knowledge-graph")).contents[0]

    uris, content = talk(work)
    assert (uris, content.mime_type) == (["memory://knowledge-graph"], "application/json")
    assert json.loads(content.text) == use("read_graph")


def test_what_is_observed_is_remembered_in_the_chat_too(use, app, agent):
    use("create_entities", entities=[ADA | {"observations": ["breeds alpacas in Porto"]}])
    (found,) = app.services.recall.search(agent_id=agent, query="Who breeds alpacas?").items
    assert found.text == "Ada: breeds alpacas in Porto"


def test_agents_have_graphs_of_their_own(use, talk):
    use("create_entities", entities=[ADA])

    async def work(client):
        return await client.call_tool("read_graph", {})

    assert talk(work, named="somebody-else").structured_content == {"entities": [], "relations": []}
