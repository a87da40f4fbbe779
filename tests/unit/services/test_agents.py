"""Agents: templates, copies, files, limits."""

from __future__ import annotations

import pytest

from memdesk.errors import BadRequestError, ConflictError, NotFoundError
from memdesk.services.agents.agents import slug
from memdesk.services.events import AgentsChanged
from tests.helpers.exchange import exchange
from tests.helpers.parts import make_parts


@pytest.fixture
def parts(tmp_path):
    made = make_parts(tmp_path)
    yield made
    made.close()


@pytest.fixture
def agents(parts):
    return parts.services.agents


def test_the_built_in_agent_is_always_there_and_first(agents):
    agents.create("Aaron")
    first = agents.all()[0]
    assert (first.id, first.name, first.is_built_in) == ("default", "Assistant", True)
    assert agents.get("default").id == "default"


def test_ensure_makes_an_agent_once_and_tells(agents, parts):
    heard = []
    parts.events.subscribe(AgentsChanged, heard.append)
    made = agents.ensure("work-notes")
    assert made == agents.ensure("work-notes")
    assert (made.name, made.is_built_in, len(heard)) == ("work-notes", False, 1)


@pytest.mark.parametrize("bad", ["", " ", " a", "x" * 301, "a\nb", "a\0"])
def test_ids_are_on_one_line_and_not_endless(agents, bad):
    with pytest.raises(BadRequestError):
        agents.ensure(bad)


def test_templates_are_starting_points(agents):
    for template in agents.templates():
        made = agents.create(f"My {template.name}", template=template.id)
        assert (made.system_prompt, made.sampling) == (template.system_prompt, template.sampling)
    with pytest.raises(BadRequestError):
        agents.create("X", template="nope")


def test_ids_come_from_names_and_never_collide(agents):
    assert [agents.create("Zoë & Co").id for _ in range(3)] == ["zoe-co", "zoe-co-2", "zoe-co-3"]
    assert agents.create("日本").id == "agent"
    assert slug("  Hello,  World ") == "hello-world"
    with pytest.raises(ConflictError):
        agents.create("Other", agent_id="zoe-co")


def test_editing_keeps_when_it_was_made(agents):
    made = agents.create("A")
    changed = agents.edit(made.id, name="B", memory="read_only", sampling={"temperature": 0.5, "stop": ["x"]})
    assert (changed.name, changed.memory, changed.id) == ("B", "read_only", made.id)
    assert abs((changed.created_at - made.created_at).total_seconds()) < 0.01


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "  "},
        {"name": "x" * 101},
        {"memory": "sometimes"},
        {"sampling": {"temperature": 3}},
        {"sampling": {"top_k": 3}},
        {"sampling": {"max_tokens": True}},
        {"sampling": {"stop": [1]}},
        {"sampling": []},
        {"search_tool": "yes"},
        {"description": 5},
        {"is_built_in": True},
    ],
)
def test_fields_out_of_bounds_are_refused(agents, fields):
    agents.create("A", agent_id="a")
    with pytest.raises(BadRequestError):
        agents.edit("a", **fields)


def test_a_copy_has_the_settings_and_none_of_the_memory(agents, parts):
    source = agents.create("A", system_prompt="Be kind.", search_tool=True)
    parts.services.memories.add_fact(agent_id=source.id, content="The dog is called Biscuit.")
    copy = agents.duplicate(source.id)
    assert (copy.name, copy.system_prompt, copy.search_tool) == ("A (copy)", "Be kind.", True)
    assert agents.counts() == {source.id: 1}
    assert agents.duplicate("default").is_built_in is False


def test_export_and_import_round_trip(agents):
    source = agents.create("A", system_prompt="Be kind.", sampling={"temperature": 0.2}, color="#123456")
    data = agents.export(source.id)
    twin = agents.import_(data)
    assert twin.id != source.id
    assert twin.name == "A (2)"
    assert agents.export(twin.id) | {"id": source.id, "name": "A"} == data
    agents.delete(source.id)
    assert agents.import_(data).id == source.id
    for bad in ({}, {"format": "other"}, data | {"sampling": {"temperature": 99}}, data | {"name": ""}):
        with pytest.raises(BadRequestError):
            agents.import_(bad)


def test_deleting_takes_the_memory_and_can_be_previewed(agents, parts):
    agents.create("A", agent_id="a")
    parts.services.memories.add_fact(agent_id="a", content="The dog is called Biscuit.")
    exchange(parts.services.ingest, agent_id="a", conversation_id="c", user="Hi", assistant="Ho")
    assert agents.delete("a", dry_run=True).counts["facts"] == 1
    assert agents.get("a")
    agents.delete("a")
    with pytest.raises(NotFoundError):
        agents.get("a")
    assert parts.services.conversations.page("a").total == 0
    with pytest.raises(ConflictError):
        agents.delete("default")
