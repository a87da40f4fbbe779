"""The whole memory is exported to an unencrypted file and imported without loss."""

import json
import zipfile
from contextlib import ExitStack

import pytest

from memdesk.bootstrap.throwaway import throwaway
from memdesk.domain.chatting.files import SentFile, joined
from memdesk.domain.items.filters import Where
from memdesk.domain.items.scope import Scope
from memdesk.errors import ConflictError, EnvironmentFault
from memdesk.ports import FactFilter
from memdesk.services.importing.archives.model import ArchiveError
from memdesk.services.importing.everything import ROWS
from memdesk.services.recording import NewTurn
from tests.helpers import demo
from tests.helpers.pictures import image, png

#: Columns that count where a row lies, not what it says.
PLACES = {"seq", "receipt_id", "turn_count"}
#: Longer than what goes of it with the message.
REPORT = "\n\n".join(f"Chapter {n}. The dam at kilometre {n} was looked at." for n in range(200))
URL = "https://example.org/sourdough"


def files(app):
    """What agents write below ``/memories``."""
    return app.services.own_files


@pytest.fixture(scope="module")
def apps(tmp_path_factory):
    with ExitStack() as open_apps:
        made = [
            open_apps.enter_context(throwaway(tmp_path_factory.mktemp(name), embedder=lambda: None))
            for name in ("old", "new")
        ]
        demo.fill(made[0])
        made[0].services.agents.edit("default", system_prompt="Speak as a cook.")
        made[0].services.prompts.put("Explain", "Explain {topic}.")
        kitchen = made[0].services.folders.create("Kitchen", "Measure in grams.")
        made[0].services.items.put(form="link", agent_id="default", content="feed sourdough", metadata={"url": URL})
        for path, text in (("/memories/garden.md", "Beans go in in May.\n"), ("/memories/empty.md", "")):
            files(made[0]).create("default", path, text)
        talk = made[0].services.conversations.page().items[0]
        sent = joined("What of kilometre 7?", [SentFile.of("dams.txt", REPORT, "kilometre 7", 100)])
        seen = [
            NewTurn(role="user", content=sent, files={"dams.txt": REPORT}),
            NewTurn(role="assistant", content="It was looked at."),
            NewTurn(role="user", content="Our kitchen", images=(image(),)),
            NewTurn(role="assistant", content="Red."),
        ]
        made[0].services.ingest.record(agent_id=talk.agent_id, conversation_id=talk.id, turns=seen, learn=False)
        made[0].services.conversations.move(talk.agent_id, talk.id, kitchen.id)
        made[0].services.conversations.set_overrides(talk.agent_id, talk.id, {"sampling": {"temperature": 0.2}})
        yield made


@pytest.fixture(scope="module")
def exported(apps, tmp_path_factory):
    file = tmp_path_factory.mktemp("out") / "all.zip"
    return file, apps[0].services.everything.export(file)


def rows(file):
    with zipfile.ZipFile(file) as archive:
        lines = [json.loads(line) for line in archive.read(ROWS).decode().splitlines()[1:]]
    return sorted(json.dumps(_said(line), sort_keys=True) for line in lines)


def _said(value):
    if isinstance(value, dict):
        return {key: _said(part) for key, part in value.items() if key not in PLACES}
    return [_said(part) for part in value] if isinstance(value, list) else value


def test_everything_comes_back_as_it_was(apps, exported, tmp_path):
    file, report = exported
    assert (
        min(
            report.counts[name]
            for name in (
                "prompt",
                "folder",
                "image",
                "turn",
                "sent_file",
                "item",
                "file",
                "episode",
                "entity",
                "relation",
                "history",
            )
        )
        > 0
    )
    brought = apps[1].services.importing.import_archive(file, "default")
    assert brought.rows["item"] == (report.counts["item"], 0)
    apps[1].services.everything.export(tmp_path / "again.zip")
    assert rows(tmp_path / "again.zip") == rows(file)
    assert files(apps[1]).view("default", "/memories/garden.md").endswith("1\tBeans go in in May.\n     2\t")
    assert "empty.md" in files(apps[1]).view("default", "/memories")
    (kept,) = (turn for turn in _turns(apps[1]) if turn.images)
    (kitchen,) = apps[1].services.folders.all()
    assert (kitchen.name, kitchen.instructions) == ("Kitchen", "Measure in grams.")
    assert apps[1].services.conversations.get(kept.agent_id, kept.conversation_id).folder_id == kitchen.id
    assert kept.images == (image().id,)
    assert image().data in apps[1].services.conversations.export(kept.agent_id, kept.conversation_id)
    assert [
        item.metadata["url"] for item in apps[1].services.items.page(Scope(), Where("form", "eq", "link")).items
    ] == [URL]
    found = apps[1].services.recall.search(agent_id="default", query="Marta vegetarian fish")
    assert any("vegetarian" in item.text for item in found.items)
    # The built-in agent is as it was too; once in use here, it is left alone.
    agents = apps[1].services.agents
    assert agents.get("default").system_prompt == "Speak as a cook."
    agents.edit("default", system_prompt="Be brief.")
    apps[1].services.importing.import_archive(file, "default")
    assert agents.get("default").system_prompt == "Be brief."


def _turns(app):
    talks = app.services.conversations.page(limit=200).items
    return (turn for talk in talks for turn in app.services.conversations.turns(talk.agent_id, talk.id))


def test_reading_it_twice_changes_nothing(apps, exported):
    file, report = exported
    assert apps[0].services.importing.preview(file, "default").new == 0
    again = apps[0].services.importing.import_archive(file, "default")
    assert all(new == 0 for new, _ in again.rows.values())
    assert again.rows["turn"] == (0, report.counts["turn"])


@pytest.mark.parametrize("where", ["unpacked", "unpacked below", "packed in a folder", "the rows alone"])
def test_it_is_known_again_however_it_lies(apps, exported, tmp_path, where):
    """The Markdown in it is for people: read as chats, every conversation would be there twice."""
    folder = tmp_path / "below" if where == "unpacked below" else tmp_path
    if where == "packed in a folder":
        (tmp_path / "all.zip").write_bytes(exported[0].read_bytes())
    else:
        with zipfile.ZipFile(exported[0]) as archive:
            archive.extractall(folder)
    report = apps[0].services.importing.preview(tmp_path / ROWS if where == "the rows alone" else tmp_path, "default")
    assert (report.new, report.changed, report.conversations) == (0, 0, exported[1].counts["conversation"])
    assert report.sources == {"memdesk": report.conversations}


def test_chats_beside_it_are_read_as_well(apps, exported, tmp_path):
    (tmp_path / "all.zip").write_bytes(exported[0].read_bytes())
    (tmp_path / "talk.md").write_text("**User:** Hello there\n\n**Assistant:** Hello.\n")
    report = apps[0].services.importing.preview(tmp_path, "default")
    assert (report.new, report.turns) == (1, 2)
    assert report.rows["turn"] == (0, exported[1].counts["turn"])


def test_people_can_read_it(exported):
    with zipfile.ZipFile(exported[0]) as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist() if name.endswith(".md")}
    assert any("- Marta is vegetarian and eats no fish." in text for text in pages.values())
    assert any(name.startswith("About you") for name in pages)
    with zipfile.ZipFile(exported[0]) as archive:
        (picture,) = (name for name in archive.namelist() if name.startswith("pictures/"))
        assert archive.read(picture) == png()
        assert b"Beans go in in May.\n" in [archive.read(name) for name in archive.namelist() if "/files/" in name]
        assert [archive.read(name).decode() for name in archive.namelist() if "/sent files/" in name] == [REPORT]
    assert any(f"]: ../../{picture}\n" in text for text in pages.values())
    assert any("**You** · " in text for name, text in pages.items() if "/conversations/" in name)


def test_a_file_that_is_there_is_not_written_over(apps, exported, tmp_path):
    with pytest.raises(ConflictError):
        apps[0].services.everything.export(exported[0])
    with pytest.raises(EnvironmentFault):
        apps[0].services.everything.export(tmp_path / "missing" / "all.zip")
    for folder in apps[0].paths.folders:
        with pytest.raises(ConflictError, match="own files"):
            apps[0].services.everything.export(folder / "all.zip")


@pytest.mark.parametrize("first", ['{"row": "format", "format": "memdesk.everything/2"}', "junk", "[]"])
def test_an_export_of_another_make_is_refused(apps, tmp_path, first):
    with zipfile.ZipFile(tmp_path / "odd.zip", "w") as archive:
        archive.writestr(ROWS, first + "\n")
    with pytest.raises(ArchiveError):
        apps[1].services.importing.import_archive(tmp_path / "odd.zip", "default")


def test_a_damaged_line_is_named_and_what_stands_before_it_stays(apps, exported, tmp_path):
    with zipfile.ZipFile(exported[0]) as whole:
        lines = whole.read(ROWS).decode().splitlines(keepends=True)
    with zipfile.ZipFile(tmp_path / "cut.zip", "w") as archive:
        archive.writestr(ROWS, "".join(lines[:40]) + lines[40][:30])
    for dry_run in (True, False):
        report = apps[1].services.importing.import_archive(tmp_path / "cut.zip", "default", dry_run=dry_run)
        assert sum(map(sum, report.rows.values())) == 39
        (problem,) = report.problems
        assert (problem.name, "damaged" in problem.reason) == ("cut.zip", True)


def test_a_name_that_somebody_else_uses_for_a_part_blocks_nothing(apps, tmp_path):
    (tmp_path / "all.zip.part").write_text("mine")
    apps[0].services.everything.export(tmp_path / "all.zip")
    assert sorted(file.name for file in tmp_path.glob("*all*")) == ["all.zip", "all.zip.part"]
    assert not list(tmp_path.glob(".memdesk*"))
    assert (tmp_path / "all.zip.part").read_text() == "mine"


def test_some_items_alone_are_lines_of_json_that_are_read_again(apps, tmp_path):
    facts = apps[0].services.memories.facts(FactFilter(agent_id="default")).items
    file = tmp_path / "facts.jsonl"
    report = apps[0].services.everything.export(file, facts)
    assert report.counts == {"agent": 1, "item": len(facts)}
    with throwaway(tmp_path / "fresh", embedder=lambda: None) as fresh:
        assert fresh.services.importing.import_archive(file, "default").rows["item"] == (len(facts), 0)
        assert {fact.id for fact in fresh.services.memories.facts(FactFilter(agent_id="default")).items} == {
            fact.id for fact in facts
        }
