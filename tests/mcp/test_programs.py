"""What a program wrote is undone together, and nothing else."""

import httpx2
import pytest

from memdesk.domain.models import FactStatus, new_id
from memdesk.ports import FactFilter

ADA = {"name": "Ada", "entityType": "person", "observations": ["likes chess"]}


@pytest.fixture
def program():
    """The name of a program that no other test uses."""
    return f"Editor {new_id()[-12:]}"


@pytest.fixture
def use(talk, program):
    def one(name, **arguments):
        async def work(client):
            return await client.call_tool(name, arguments)

        result = talk(work, token=program)
        assert not result.is_error, result.content[0].text
        return result.structured_content

    return one


def words(app, agent):
    page = app.services.memories.facts(FactFilter(agent_id=agent, status=(FactStatus.ACTIVE,)))
    return sorted(fact.content for fact in page.items)


@pytest.fixture
def mine(app, agent):
    """A fact that the user wrote."""
    app.services.agents.ensure(agent)
    return app.services.memories.add_fact(agent_id=agent, content="My boat is red.")


def test_what_it_added_is_forgotten_and_what_it_changed_is_as_it_was(use, app, agent, mine, program):
    use("add_memory", content="Ada keeps bees.")
    use("update_memory", id=mine.id, content="My boat is blue.")
    use("update_memory", id=mine.id, content="My boat is green.")
    written = app.services.programs.written(program)
    assert (written.added, written.changed, written.joined, written.kept) == (1, 2, 0, 0)
    assert app.services.programs.take_back(program) == written
    assert words(app, agent) == ["My boat is red."]
    assert app.services.programs.written(program).added == 0


def test_what_somebody_else_has_changed_since_stays(use, app, agent, program):
    fact_id = use("add_memory", content="Ada keeps bees.")["memory"]["id"]
    app.services.memories.edit_fact(fact_id, content="Ada keeps goats.")
    assert app.services.programs.take_back(program).kept == 1
    assert words(app, agent) == ["Ada keeps goats."]


def test_people_things_and_relations_go_too(use, app, agent, program):
    use("create_entities", entities=[ADA, ADA | {"name": "Ben", "observations": []}])
    use("create_relations", relations=[{"from": "Ada", "to": "Ben", "relationType": "knows"}])
    taken = app.services.programs.take_back(program)
    assert (taken.added, taken.joined) == (1, 3)
    assert use("read_graph") == {"entities": [], "relations": []}


def test_what_it_sent_goes_with_what_was_learned_from_it_alone(app, agent, mine, program):
    _, secret = app.services.tokens.create(program)
    _, other = app.services.tokens.create(f"{program} 2")

    def ingest(token, conversation, *said):
        turns = [{"user": words, "assistant": "I see."} for words in said]
        body = {"agent_id": agent, "conversation_id": conversation, "turns": turns}
        headers = {"Authorization": f"Bearer {token}"}
        assert httpx2.post(f"{app.url}/memory/ingest", json=body, headers=headers, timeout=60).is_success

    bees, goats = "I keep bees in my garden in Oslo.", "My sister Ada has three goats in Bergen."
    ingest(secret, "alone", bees)
    ingest(other, "together", goats)
    ingest(secret, "together", goats, "I work as a nurse at the hospital.")
    known = words(app, agent)
    assert len(known) >= 3
    written = app.services.programs.written(program)
    assert (written.added, written.messages, written.learned > 0) == (0, 4, True)
    (seen,) = [each for each in app.services.programs.all() if each.name == program]
    assert seen.wrote == 4
    assert app.services.programs.take_back(program) == written
    left = words(app, agent)
    assert "My boat is red." in left
    assert any("goats" in line for line in left)
    assert not any("bees" in line or "nurse" in line for line in left)
    (talk,) = app.services.conversations.page(agent).items
    assert [turn.content for turn in app.services.conversations.turns(agent, talk.id)] == [goats, "I see."]
    assert app.services.programs.written(program).messages == 0


def test_another_programs_work_stays(use, talk, app, agent, program):
    use("add_memory", content="Ada keeps bees.")

    async def other(client):
        return await client.call_tool("add_memory", {"content": "Ben keeps goats."})

    talk(other, token=f"{program} 2")
    app.services.programs.take_back(program)
    assert words(app, agent) == ["Ben keeps goats."]


def test_a_program_that_shares_a_token_is_found_by_its_own_name_and_by_the_tokens(app, agent, program):
    from types import SimpleNamespace

    caller = SimpleNamespace(
        token=SimpleNamespace(name=program, scopes=()),
        agent=lambda asked: asked,
        need_scope=lambda _scope: None,
        uses=lambda _tool, _by: None,
    )
    for name in ("Claude", "Cursor_%"):
        app.services.tools.use("add_memory", {"content": f"From {name}."}, caller, agent_id=agent, program=name)
    app.services.programs.take_back(f"{program}: Cursor_%")
    assert words(app, agent) == ["From Claude."]
    app.services.programs.take_back(program)
    assert words(app, agent) == []


def test_what_a_program_asked_and_wrote_is_shown_under_its_name(use, app, agent, program):
    use("add_memory", content="Ada keeps bees.")
    use("search_memory", query="bees")
    use("search_memory", query="Ada")
    app._server.activity.flush()
    (seen,) = [each for each in app.services.programs.all() if each.name == program]
    assert seen.connected
    assert seen.last is not None
    assert seen.wrote == 1
    assert {each.route: each.times for each in seen.asked if " " in each.route} == {
        "/mcp search_memory": 2,
        "/mcp add_memory": 1,
    }
    assert [entry.action for entry in app.services.programs.changes(program)] == ["add"]
    for token in app.services.tokens.all():
        if token.name == program:
            app.services.tokens.revoke(token.id)
    (seen,) = [each for each in app.services.programs.all() if each.name == program]
    assert not seen.connected
