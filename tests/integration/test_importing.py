"""Imports into a real encrypted store: previewed, repeatable, cancellable."""

import json
import os
import secrets
import threading
import time
import zipfile
from dataclasses import replace

import pytest

from memdesk.domain.items.filters import Where
from memdesk.runtime.clock import SystemClock
from memdesk.services.agents import saved_prompts
from memdesk.services.agents.agents import AgentsService
from memdesk.services.events import EventBus
from memdesk.services.forgetting.forgetting import ForgettingService
from memdesk.services.importing.archives.model import ArchiveError
from memdesk.services.importing.everything import EverythingService
from memdesk.services.importing.importing import ImportService
from memdesk.services.recording import put_folder, saved_folders
from memdesk.services.recording.ingest import IngestService
from memdesk.services.remembering.memories import MemoriesService
from memdesk.services.settings import SettingsService
from memdesk.settings.store import SettingsStore
from memdesk.storage.database import Database
from tests.helpers.exchange import exchange
from tests.helpers.pictures import png
from tests.unit.services.archives.test_asides import CHATGPT, claude_export
from tests.unit.services.archives.test_attached import GARDEN


class Distillation:
    def __init__(self):
        self.activity = []

    def note_activity(self, agent_id, conversation_id):
        self.activity.append(conversation_id)


@pytest.fixture
def store(tmp_path):
    database = Database(tmp_path / "memory.db")
    database.open(secrets.token_bytes(32))
    yield database
    database.close()


@pytest.fixture
def distillation():
    return Distillation()


@pytest.fixture
def service(store, distillation, tmp_path):
    clock, events = SystemClock(), EventBus()
    forgetting = ForgettingService(store=store, clock=clock, events=events)
    agents = AgentsService(store=store, clock=clock, events=events, forgetting=forgetting)
    ingest = IngestService(
        store=store,
        clock=clock,
        events=events,
        settings=SettingsService(SettingsStore(tmp_path / "config"), events),
        agents=agents,
        distillation=distillation,
        forgetting=forgetting,
    )
    everything = EverythingService(store=store, clock=clock)
    settings = SettingsService(SettingsStore(tmp_path / "settings"), events)
    memories = MemoriesService(store=store, clock=clock, events=events, settings=settings)
    return ImportService(
        store=store, ingest=ingest, everything=everything, events=events, agents=agents, remember=memories.add_fact
    )


def claude(uuid, *texts):
    senders = ("human", "assistant")
    messages = [
        {"sender": senders[n % 2], "text": text, "created_at": f"2024-05-01T10:0{n}:00Z"}
        for n, text in enumerate(texts)
    ]
    return {"uuid": uuid, "name": f"Chat {uuid}", "created_at": "2024-05-01T10:00:00Z", "chat_messages": messages}


def write(path, *chats):
    path.write_text(json.dumps(list(chats)), encoding="utf-8")
    return path


def turns(store, conversation_id, agent_id="me"):
    with store.read() as repos:
        return [(t.role, t.content) for t in repos.turns.of_conversation(agent_id, conversation_id)]


def test_a_preview_counts_and_changes_nothing(service, store, tmp_path):
    path = write(tmp_path / "x.json", claude("a", "one", "two", "three"), claude("b"))
    report = service.preview(path, "me")
    assert (report.conversations, report.new, report.turns, report.empty) == (1, 1, 3, 1)
    assert report.titles == ["Chat a"]
    assert report.first.isoformat() == "2024-05-01T10:00:00+00:00"
    with store.read() as repos:
        assert repos.turns.count() == 0
        assert repos.agents.get("me") is None


def test_an_import_stores_the_transcript_and_leaves_distillation_to_the_background(
    service, store, distillation, tmp_path
):
    seen = []
    report = service.import_archive(write(tmp_path / "x.json", claude("a", "one", "two", "three")), "me", seen.append)
    assert report.new == 1
    assert turns(store, "import-claude-a") == [("user", "one"), ("assistant", "two"), ("user", "three")]
    assert distillation.activity == ["import-claude-a"]
    assert [(p.done, p.title) for p in seen] == [(1, "Chat a")]
    with store.read() as repos:
        assert repos.conversations.get("me", "import-claude-a").title == "Chat a"
        assert repos.signals.counts()["pending"] == 3


def test_the_same_archive_again_changes_nothing_and_a_grown_chat_replaces_its_former_self(service, store, tmp_path):
    path = write(tmp_path / "x.json", claude("a", "one", "two"), claude("b", "uno", "due"))
    service.import_archive(path, "me")
    again = service.import_archive(path, "me")
    assert (again.new, again.changed, again.unchanged, again.turns) == (0, 0, 2, 0)
    write(path, claude("a", "one", "two", "three"), claude("b", "uno", "due"), claude("c", "neu"))
    grown = service.import_archive(path, "me")
    assert (grown.new, grown.changed, grown.unchanged) == (1, 1, 1)
    assert [text for _, text in turns(store, "import-claude-a")] == ["one", "two", "three"]


def test_pictures_are_stored_with_their_messages_once(service, store, tmp_path):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([GARDEN]))
        archive.writestr("file-AbC1-beds.png", png(1))
        archive.writestr("dalle-generations/file_00ab-9f.webp", png(2))
    assert service.preview(path, "me").new == 1
    report = service.import_archive(path, "me")
    assert (report.new, report.turns, report.problem_count) == (1, 3, 0)
    with store.read() as repos:
        asked, painted, told = repos.turns.of_conversation("me", "import-chatgpt-g")
        kept = repos.images.many([*asked.images, *painted.images])
        assert [kept[key].content for key in (*asked.images, *painted.images)] == [png(1), png(2)]
        assert (painted.role, painted.content, told.images) == ("assistant", "", ())
    again = service.import_archive(path, "me")
    assert (again.new, again.changed, again.unchanged) == (0, 0, 1)


def test_a_picture_that_is_damaged_is_named_and_its_message_is_stored(service, store, tmp_path):
    large = png(1) + bytes(range(256)) * 40
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([GARDEN]))
        archive.writestr("file-AbC1-beds.png", large)
    whole = path.read_bytes()
    end = whole.index(large) + len(large)
    path.write_bytes(whole[: end - 1] + b"!" + whole[end:])
    report = service.import_archive(path, "me")
    assert (report.new, [problem.reason for problem in report.problems]) == (1, ["beds.png cannot be read."])
    assert turns(store, "import-chatgpt-g")[0] == ("user", "What grows here?")


def test_what_an_app_keeps_beside_its_chats_comes_along_once(service, store, tmp_path):
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([CHATGPT]))
    rows = {"prompt": (1, 0), "fact": (4, 0), "folder": (1, 0)}
    assert service.preview(path, "me").rows == rows
    with store.read() as repos:
        assert not saved_prompts(repos) + saved_folders(repos)
    report = service.import_archive(path, "me")
    # The chat, and the one that says what ChatGPT was told.
    assert (report.rows, report.new, report.todo, report.problem_count) == (rows, 2, 8, 0)
    assert turns(store, "import-chatgpt-user_profile") == [("user", "I bake bread in Graz.")]
    with store.read() as repos:
        (prompt,), (folder,) = saved_prompts(repos), saved_folders(repos)
        assert (prompt.name, prompt.text) == ("ChatGPT: Custom instructions", "Be short.")
        assert repos.conversations.get("me", "import-chatgpt-g").folder_id == folder.id
        facts = {fact.content: fact for fact in repos.items.page(Where("form", "eq", "statement")).items}
        assert set(facts) == {"Has a cat named Minka.", "Is learning Greek.", "Lives in Linz.", "Moved in June."}
        cat = facts["Has a cat named Minka."]
        assert (cat.origin, cat.tags, cat.valid_from.isoformat()) == (
            "import",
            ("chatgpt",),
            "2024-05-01T00:00:00+00:00",
        )
    # What was changed here stays as it is here.
    store.write(lambda repos: put_folder(repos, replace(folder, name="Bread")))
    again = service.import_archive(path, "me")
    assert (again.rows, again.new, again.unchanged) == ({kind: (0, sum(n)) for kind, n in rows.items()}, 0, 2)
    with store.read() as repos:
        assert repos.items.page(Where("form", "eq", "statement")).total == 4


def test_an_export_of_claude_brings_its_projects_as_folders(service, store, tmp_path):
    path = claude_export(tmp_path / "data-batch-0000.zip")
    service.import_archive(path, "me")
    with store.read() as repos:
        (folder,) = saved_folders(repos)
        assert (folder.name, folder.instructions) == ("Garden", "Answer as a gardener.")
        inside = {talk.id for talk in repos.conversations.page(folder=folder.id).items}
    assert inside == {"import-claude-c", "import-claude-documents-p-1"}
    assert service.import_archive(path, "me").todo == 0


def test_without_learning_the_memories_of_the_other_app_stay_away(service, store, tmp_path):
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([CHATGPT]))
    assert "fact" not in service.import_archive(path, "me", skip_extraction=True).rows


def test_letters_that_cannot_be_stored_are_known_again(service, tmp_path):
    path = write(tmp_path / "x.json", claude("a", "half \ud83d an emoji", "a \0 byte"))
    assert service.import_archive(path, "me").new == 1
    again = service.import_archive(path, "me")
    assert (again.changed, again.unchanged) == (0, 1)


def test_a_cancelled_import_goes_on_when_run_again(service, store, tmp_path):
    path = write(tmp_path / "x.json", *(claude(str(n), f"text {n}") for n in range(5)))
    cancel = threading.Event()

    def stop_after_two(progress):
        if progress.done == 2:
            cancel.set()

    first = service.import_archive(path, "me", stop_after_two, cancel)
    assert first.cancelled
    assert first.new == 2
    second = service.import_archive(path, "me")
    assert (second.new, second.unchanged) == (3, 2)


def test_agents_do_not_share_imports(service, store, tmp_path):
    path = write(tmp_path / "x.json", claude("a", "one"))
    service.import_archive(path, "me")
    report = service.import_archive(path, "other")
    assert report.new == 1
    assert turns(store, "import-claude-a", "other") == [("user", "one")]


def test_what_is_no_archive_is_refused_before_anything_is_stored(service, store, tmp_path):
    path = tmp_path / "photo.json"
    path.write_bytes(b"\x89PNG")
    with pytest.raises(ArchiveError):
        service.import_archive(path, "me")
    with store.read() as repos:
        assert repos.agents.get("me") is None


def test_a_transcript_only_import_leaves_nothing_pending(service, store, distillation, tmp_path):
    service.import_archive(write(tmp_path / "x.json", claude("a", "one")), "me", skip_extraction=True)
    assert distillation.activity == []
    with store.read() as repos:
        assert not repos.signals.counts().get("pending")


def test_what_was_said_here_after_an_import_outlives_the_next_one(service, store, tmp_path):
    path = write(tmp_path / "x.json", claude("a", "one", "two"), claude("b", "uno", "due"))
    service.import_archive(path, "me")
    for name in ("a", "b"):
        exchange(
            service._ingest,
            agent_id="me",
            conversation_id=f"import-claude-{name}",
            user="here",
            assistant="too",
            model="m",
        )
    write(path, claude("a", "one", "two"), claude("b", "uno", "due", "tre"))
    report = service.import_archive(path, "me")
    assert (report.unchanged, report.kept, report.changed, report.turns) == (1, 1, 0, 0)
    assert [text for _, text in turns(store, "import-claude-b")] == ["uno", "due", "here", "too"]


def test_an_older_archive_takes_nothing_away(service, store, tmp_path):
    service.import_archive(write(tmp_path / "new.json", claude("a", "one", "two", "three")), "me")
    report = service.import_archive(write(tmp_path / "old.json", claude("a", "one", "two")), "me")
    assert report.unchanged == 1
    assert len(turns(store, "import-claude-a")) == 3


def _chats(folder, name="chats.json"):
    file = folder / name
    file.write_text(json.dumps({"messages": [{"role": "user", "content": "I play the bandoneon."}]}), encoding="utf-8")
    return file


def test_links_in_a_folder_are_told_and_not_followed(service, tmp_path):
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    _chats(folder)
    (folder / "secret.json").symlink_to(_chats(outside))
    (folder / "secret.md").symlink_to("/etc/passwd")
    (folder / "more").symlink_to(outside, target_is_directory=True)
    report = service.preview(folder, "a")
    assert report.conversations == 1
    assert sorted(problem.name for problem in report.problems) == ["secret.json", "secret.md"]


def test_a_link_beside_a_threads_file_is_not_read(service, tmp_path):
    thread = tmp_path / "thread"
    thread.mkdir()
    (thread / "thread.json").write_text('{"id": "t", "title": "x"}', encoding="utf-8")
    (thread / "messages.jsonl").symlink_to("/etc/passwd")
    with pytest.raises(ArchiveError):
        service.preview(thread, "a")


def test_pipes_and_devices_are_refused_and_passed_over(service, tmp_path):
    pipe = tmp_path / "chats.json"
    os.mkfifo(pipe)
    for path in (pipe, "/dev/zero", "/dev/null"):
        with pytest.raises(ArchiveError, match="neither a file nor a folder"):
            service.preview(path, "a")
    _chats(tmp_path, "real.json")
    assert service.preview(tmp_path, "a").conversations == 1


@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "nothing"])
def test_paths_that_lead_nowhere_are_told(service, tmp_path, name):
    with pytest.raises(ArchiveError):
        service.preview(tmp_path / name, "a")


def test_packed_spaces_are_passed_over_quickly(service, tmp_path):
    with zipfile.ZipFile(tmp_path / "spaces.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", " " * 2**26)
    began = time.process_time()
    with pytest.raises(ArchiveError):
        service.preview(tmp_path / "spaces.zip", "a")
    # A look at each letter took half a minute.
    assert time.process_time() - began < 10
