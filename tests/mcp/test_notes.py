"""Notes and memory with OpenClaw's names and shapes, through the official client."""

import pytest

from memdesk.errors import LockedError
from memdesk.services.recalling import RecallService
from tests.mcp.test_tools import call, facts, said

HOUSE = "# House\n\nThe boiler is serviced in October by Mr. Silva.\nThe roof was tiled in 2019.\n"


@pytest.fixture
def vault(app, agent, tmp_path):
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "house.md").write_text(HOUSE)
    app.services.agents.create("Notes", agent_id=agent)
    made = app.services.notes.add(str(folder), agent=agent)
    app.services.notes.sync(made.id)
    yield folder
    app.services.notes.remove(made.id)


def test_a_search_cites_the_lines_that_get_reads(talk, vault):
    (hit,) = talk(call("memory_search", query="Who services the boiler?")).structured_content["results"]
    assert (hit["path"], hit["startLine"], hit["endLine"]) == ("house.md", 1, 4)
    assert (hit["citation"], hit["source"]) == ("house.md#L1-L4", "memory")
    assert "Mr. Silva" in hit["snippet"]
    read = talk(call("memory_get", path=hit["path"], **{"from": 3, "lines": 1})).structured_content
    assert read == {"path": "house.md", "text": HOUSE.split("\n")[2], "from": 3, "lines": 1}


def test_a_file_that_is_not_there_is_empty_and_one_outside_is_refused_in_the_answer(talk, vault):
    assert talk(call("memory_get", path="memory/2026-01-01.md")).structured_content == {
        "path": "memory/2026-01-01.md",
        "text": "",
    }
    refused = talk(call("memory_get", path="/etc/passwd")).structured_content
    assert (refused["text"], refused["disabled"]) == ("", True)
    assert "in no folder of notes" in refused["error"]


def test_results_are_limited_by_number_score_and_corpus(talk, vault):
    for arguments in ({"minScore": 1}, {"corpus": "wiki"}, {"corpus": "sessions"}):
        found = talk(call("memory_search", query="Who services the boiler?", **arguments))
        assert found.structured_content["results"] == []
    assert talk(call("memory_search", query="boiler", corpus="attic")).is_error
    assert talk(call("memory_search", query="boiler", maxResults=0)).is_error


def test_what_is_stored_is_found_read_and_not_stored_twice(talk, app, agent):
    made = talk(call("memory_store", text="Ada keeps bees in Porto.", category="preference", importance=0.9))
    made = made.structured_content
    assert made["action"] == "created"
    (fact,) = facts(app, agent)
    assert (fact.id, fact.kind, fact.salience) == (made["id"], "preference", 0.9)
    again = talk(call("memory_store", text="Ada keeps bees in Porto.")).structured_content
    assert again == {"action": "duplicate", "existingId": fact.id, "existingText": fact.content}
    (hit,) = talk(call("memory_search", query="Who keeps bees?")).structured_content["results"]
    assert talk(call("memory_get", path=hit["path"])).structured_content["text"] == fact.content


def test_a_message_that_a_search_cites_is_read(talk, app, agent):
    said(app, agent, "The spare tire of my van is flat.", "Have it mended.")
    found = talk(call("memory_search", query="spare tire", corpus="sessions")).structured_content["results"]
    hit = next(each for each in found if each["path"].startswith("memdesk/turn/"))
    read = talk(call("memory_get", path=hit["path"])).structured_content
    assert read == {"path": hit["path"], "text": hit["snippet"], "from": 1, "lines": 1}
    assert talk(call("memory_get", path=hit["path"]), named="stranger").structured_content["text"] == ""


def test_what_is_kept_here_of_a_note_is_not_read_elsewhere(talk, app, vault):
    (folder,) = app.services.notes.folders()
    (vault / "house.md").write_text(f"{HOUSE}The diabetes clinic is near.\nThe card is 4539 1488 0343 6467.\n")
    app.services.settings.update("memory", {"local_only_kinds": ["health"]})

    def read(*more):
        return talk(call("memory_get", path="house.md"), scopes=["memory:read", *more]).structured_content["text"]

    assert read() == f"{HOUSE}…\nThe card is [card number].\n"
    assert "clinic" in read("memory:private")
    app.services.settings.update("memory", {"local_only_kinds": []})
    app.services.notes.change(folder.id, local_only=True)
    assert read() == ""
    assert read("memory:private").startswith(HOUSE)


def test_where_the_user_lets_programs_write_a_note_is_written(talk, app, agent, vault):
    app.services.notes.remove(app.services.notes.folders()[0].id)
    app.services.notes.add(str(vault), agent=agent, append=True)
    path = talk(call("memory_store", text="The well is 12 m deep.")).structured_content["path"]
    again = talk(call("memory_store", text="The well is  12 m deep.")).structured_content
    assert (again["action"], again["existingText"]) == ("duplicate", "- The well is 12 m deep.")
    assert (vault / path).read_text() == "- The well is 12 m deep.\n"
    (hit,) = talk(call("memory_search", query="How deep is the well?")).structured_content["results"]
    assert hit["citation"] == f"{path}#L1-L1"
    app.services.notes.remove(app.services.notes.folders()[0].id)
    app.services.notes.add(str(vault), agent=agent)


def test_forgetting_by_words_asks_where_more_than_one_fits(talk, app, agent):
    for text in ("Ada keeps bees in Porto.", "Ada keeps bees in Braga."):
        talk(call("memory_store", text=text))
    asked = talk(call("memory_forget", query="bees")).structured_content
    assert (asked["action"], len(asked["candidates"]), len(facts(app, agent))) == ("candidates", 2, 2)
    done = talk(call("memory_forget", memoryId=asked["candidates"][0]["id"])).structured_content
    assert done == {"action": "deleted", "id": asked["candidates"][0]["id"]}
    assert len(facts(app, agent)) == 1
    assert talk(call("memory_forget")).structured_content == {"error": "missing_param"}
    assert talk(call("memory_forget", query="narwhals")).structured_content == {"found": 0}


def test_a_forgotten_note_says_that_its_file_still_has_the_words(talk, vault):
    (hit,) = talk(call("memory_search", query="Who services the boiler?")).structured_content["results"]
    done = talk(call("memory_forget", id=hit["id"])).structured_content
    assert done["note"] == "The words still stand in the file house.md."
    assert talk(call("memory_search", query="Who services the boiler?")).structured_content["results"] == []


def test_another_agents_memory_is_not_there(talk, app):
    made = talk(call("memory_store", text="Ada keeps bees.")).structured_content
    assert talk(call("memory_forget", id=made["id"]), named="stranger").is_error
    path = f"memdesk/fact/{made['id']}"
    assert talk(call("memory_get", path=path), named="stranger").structured_content == {"path": path, "text": ""}


def test_a_locked_memory_is_told_as_unavailable(talk, monkeypatch):
    def locked(_self, **_):
        raise LockedError("The memory is locked.")

    monkeypatch.setattr(RecallService, "search", locked)
    told = talk(call("memory_search", query="bees")).structured_content
    assert (told["results"], told["disabled"], told["unavailable"]) == ([], True, True)
    assert told["error"] == "The memory is locked."
