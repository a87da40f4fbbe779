"""Folders of notes: what is read, found, cited, kept up to date, refused and removed."""

import errno
import os
import threading
from datetime import UTC, datetime
from pathlib import Path

import docx
import pytest

from memdesk.bootstrap.throwaway import throwaway
from memdesk.domain.items.filters import parse
from memdesk.domain.items.scope import Scope
from memdesk.domain.models import new_id
from memdesk.errors import BadRequestError, ConflictError, EnvironmentFault, NotFoundError
from memdesk.services.events import MemoryChanged
from memdesk.services.notes import files, rows
from memdesk.services.recalling import IndexingService
from memdesk.settings.schema import NoteSearch
from tests.conftest import PATIENCE_SECONDS
from tests.helpers.recall_desk import WordEmbedder
from tests.helpers.shared_app import begin_lanes
from tests.unit.services.test_documents import pdf

HOUSE = (
    "# House\n\n## Boiler\nThe boiler is serviced in October by Mr. Silva.\n\n## Roof\nThe roof was tiled in 2019.\n"
)
BOILER = "Who services the boiler?"


class Vault:
    """A folder of notes and the agent that remembers it."""

    def __init__(self, app, folder):
        self.app, self.folder, self.agent = app, folder, f"agent-{new_id()[-12:]}"
        self.notes = app.services.notes
        app.services.agents.create("Notes", agent_id=self.agent)
        folder.mkdir()

    def put(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def add(self, **options):
        self.id = self.notes.add(str(self.folder), agent=self.agent, **options).id
        return self.sync()

    def sync(self, **options):
        done = self.notes.sync(self.id, **options)
        self.app.services.indexing.flush()
        return done

    def status(self):
        return next(each for each in self.notes.folders() if each.id == self.id)

    def found(self, query=BOILER, **narrow):
        return self.app.services.recall.search(agent_id=self.agent, query=query, **narrow).items

    def passages(self):
        page = self.app.services.items.page(Scope(agent_id=self.agent), parse({"form": "passage"}), limit=500)
        return {item.metadata["file"]: item for item in page.items}


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    words = WordEmbedder()
    with throwaway(tmp_path_factory.mktemp("app"), embedder=lambda: words) as running:
        begin_lanes(running)
        yield running


@pytest.fixture
def vault(app, tmp_path):
    made = Vault(app, tmp_path / "vault")
    yield made
    for folder in app.services.notes.folders():
        app.services.notes.remove(folder.id)


def test_what_a_note_says_is_found_with_its_place(vault):
    vault.put("house.md", HOUSE)
    vault.put("plans/trip.md", "We fly to Porto on 3 May.\n")
    assert vault.add().read == 2
    assert [(hit.kind, hit.cited) for hit in vault.found()] == [("fact", "house.md#L1-L7")]
    assert [hit.cited for hit in vault.found("When do we fly to Porto?")] == ["plans/trip.md#L1-L1"]
    assert (vault.status().files, vault.status().passages) == (2, 2)


def test_a_reply_is_given_notes_beside_other_memory_with_their_place_and_a_receipt(vault):
    services = vault.app.services
    services.memories.add_fact(agent_id=vault.agent, content="User's boiler is from Vaillant.", actor="user")
    vault.put("house.md", HOUSE)
    vault.add()
    receipt = services.recall.context(agent_id=vault.agent, query="Who services my boiler, and what make is it?")
    assert "From the user's notes:" in receipt.block
    assert "serviced in October by Mr. Silva." in receipt.block
    assert "(house.md#L1-L7)" in receipt.block
    assert "from Vaillant" in receipt.block
    (item,) = vault.passages().values()
    assert item.id in {line.id for line in receipt.items}
    services.models.unload()


def test_what_only_shares_the_folder_with_an_answer_stays_out_of_a_reply(vault):
    vault.put("house.md", HOUSE)
    vault.put("bees.md", "Queens are marked in white this year.\n")
    vault.add()
    receipt = vault.app.services.recall.context(agent_id=vault.agent, query="Who services my boiler?", section="pinned")
    assert "house.md" in receipt.block
    assert "bees.md" not in receipt.block


def test_a_changed_file_keeps_what_stayed_and_replaces_the_rest(vault):
    orchard = "\n".join(f"Line {number} tells of the orchard and its {number} trees." for number in range(80))
    intro = "\n".join(f"Introduction number {number} says what this farm is about." for number in range(12))
    text = f"# Farm\n{intro}\n# Orchard\n{orchard}\n# Well\nThe well is 12 m deep.\n"
    vault.put("farm.md", text)
    vault.add()
    before = vault.app.services.items.page(Scope(agent_id=vault.agent), limit=500).items
    calls = vault.app.services.indexing.status()["content_cache"]["misses"]
    vault.put("farm.md", text.replace("# Farm\n", "# Farm\nA new line.\n\n").replace("12 m", "14 m"))
    assert vault.sync().read == 1
    after = vault.app.services.items.page(Scope(agent_id=vault.agent), limit=500).items
    stayed = {item.id for item in before} & {item.id for item in after}
    assert len(stayed) == len(before) - 2
    assert vault.app.services.indexing.status()["content_cache"]["misses"] - calls == len(after) - len(stayed)
    assert vault.found("How deep is the well?")[0].text.endswith("The well is 14 m deep.")
    moved = next(item for item in after if item.id in stayed)
    assert moved.metadata["start"] == next(item for item in before if item.id == moved.id).metadata["start"] + 2


def test_a_status_says_by_what_passages_are_found(vault, monkeypatch):
    vault.put("house.md", HOUSE)
    vault.add()
    index = vault.status().index
    assert (index.provider, index.fallback, index.reason, index.full_text) == ("words@1", "", "", True)
    assert (index.vectors > 0, index.missing, set(index.cache)) == (True, 0, {"hits", "misses", "rate"})
    told = {"enabled": False, "missing": 0, "done": 0, "model": "", "error": ""}
    monkeypatch.setattr(IndexingService, "status", lambda _: told)
    without = vault.status().index
    assert (without.provider, without.fallback) == ("", "full text")
    assert without.reason.endswith("cannot be used.")


def test_unchanged_files_are_not_read_again_unless_forced(vault):
    vault.put("house.md", HOUSE)
    vault.add()
    assert (vault.sync().read, vault.sync().unchanged) == (0, 1)
    assert vault.sync(force=True).read == 1


def test_what_goes_from_the_disk_goes_from_the_memory(vault):
    gone = vault.put("house.md", HOUSE)
    vault.put("trip.md", "We fly to Porto on 3 May.")
    vault.add()
    gone.unlink()
    assert vault.sync().removed == 1
    assert vault.found() == []
    assert vault.notes.remove(vault.id) == 1
    assert vault.passages() == {}
    assert vault.notes.folders() == []


def test_a_folder_that_is_not_there_now_has_lost_nothing(vault):
    vault.put("house.md", HOUSE)
    vault.add()
    away = vault.folder.rename(vault.folder.with_name("away"))
    vault.sync()
    assert "There is no folder" in vault.status().error
    assert len(vault.found()) == 1
    away.rename(vault.folder)
    vault.sync()
    assert vault.status().error == ""


def test_a_forgotten_passage_does_not_come_back_with_the_next_change_of_its_file(vault):
    vault.put("house.md", HOUSE)
    vault.add()
    (hit,) = vault.found()
    vault.app.services.items.forget(hit.id)
    vault.put("house.md", f"{HOUSE}\n\n")
    assert vault.sync().read == 1
    assert vault.found() == []


def test_a_forgotten_passage_does_not_come_back_when_its_file_is_renamed_or_moved(vault):
    vault.put("house.md", HOUSE)
    vault.put("bees.md", "Queens are marked in white this year.\n")
    vault.add()
    vault.app.services.items.forget(vault.passages()["house.md"].id)
    (vault.folder / "house.md").rename(vault.folder / "home.md")
    (vault.folder / "bees.md").rename(vault.folder / "queens.md")
    vault.sync()
    assert vault.passages().keys() == {"queens.md"}
    (vault.folder / "old").mkdir()
    (vault.folder / "home.md").rename(vault.folder / "old" / "home.md")
    vault.sync()
    assert vault.passages().keys() == {"queens.md"}
    vault.put("old/home.md", HOUSE + "The gate is painted green.\n")
    vault.sync()
    assert "green" in vault.passages()["old/home.md"].content


def test_only_the_files_asked_for_are_read_and_no_made_or_hidden_ones(vault):
    for name in ("MEMORY.md", "memory/2026-01-12.md", "other.md", "memory/deep/x.md"):
        vault.put(name, f"About {name}.")
    for name in ("memory/.git/a.md", "memory/node_modules/a.md", "memory/env/a.md", "memory/photo.png"):
        vault.put(name, "No note.")
    vault.put("memory/env/pyvenv.cfg", "home = /usr")
    vault.add(include=["/MEMORY.md", "/memory/**/*.md"])
    assert set(vault.passages()) == {"MEMORY.md", "memory/2026-01-12.md", "memory/deep/x.md"}
    assert vault.passages()["memory/2026-01-12.md"].created_at.date().isoformat() == "2026-01-12"


def test_word_html_pdf_and_text_are_read_and_a_pdf_is_cited_by_page(vault):
    document = docx.Document()
    document.add_paragraph("The lease ends in June.")
    vault.folder.joinpath("x").mkdir()
    document.save(str(vault.folder / "lease.docx"))
    vault.put("page.html", "<p>The parking space is number 12.</p>")
    vault.put("plain.txt", "The meter stands in the hall.")
    vault.put("rent.pdf", pdf("The deposit is three rents.", "The landlord is Mrs. Costa."))
    assert vault.add().read == 4
    assert vault.found("Who is the landlord?")[0].cited == "rent.pdf#page=2"
    assert vault.found("When does the lease end?")[0].cited == "lease.docx#L1-L1"
    assert vault.found("Which number is the parking space?")[0].cited == "page.html#L1-L1"


def test_tags_links_and_front_matter_are_kept(vault):
    vault.put("house.md", f"---\ntags: home\nowner: Ada\n---\n{HOUSE}See [[Plumber]].\n")
    vault.put("work.md", "The boiler at work is new. #work\n")
    vault.add()
    assert [hit.cited for hit in vault.found(tag="home")] == ["house.md#L5-L12"]
    meta = vault.passages()["house.md"].metadata
    assert (meta["front"], meta["links"], vault.passages()["work.md"].tags) == (
        {"owner": "Ada"},
        ["Plumber"],
        ("work",),
    )


def test_a_folder_for_this_machine_only_is_not_shown_to_remote_models(vault):
    vault.put("house.md", HOUSE)
    vault.add(local_only=True)
    assert len(vault.found()) == 1
    assert vault.found(remote=True) == []


def test_what_cannot_be_read_is_refused_in_words_and_the_rest_is_read(vault, tmp_path):
    secret = tmp_path / "secret.md"
    secret.write_text("The boiler's code is 1234.")
    vault.folder.joinpath("out.md").symlink_to(secret)
    vault.put("binary.md", b"\x00\x01\x02")
    vault.put("broken.pdf", b"%PDF-1.4 nothing")
    with vault.folder.joinpath("huge.txt").open("wb") as huge:
        huge.truncate(2 * 1024**3)
    vault.put("house.md", HOUSE)
    assert (vault.add().read, vault.sync().refused) == (1, 0)
    reasons = {each["file"]: each["reason"] for each in vault.status().refused}
    assert reasons.keys() == {"out.md", "binary.md", "broken.pdf", "huge.txt"}
    assert "leads out of the folder" in reasons["out.md"]
    assert "is not text" in reasons["binary.md"]
    assert "larger than 50 MB" in reasons["huge.txt"]
    assert "damaged" in reasons["broken.pdf"]
    assert set(vault.passages()) == {"house.md"}


def test_a_file_that_changes_while_it_is_read_is_read_again(vault, monkeypatch):
    path = vault.put("house.md", "The boiler is old.")
    real, times = files._bytes, []

    def growing(read, name):
        found = real(read, name)
        times.append(name)
        if len(times) == 1:
            path.write_text("The boiler is old. It is serviced by Mr. Silva.")
        return found

    monkeypatch.setattr(files, "_bytes", growing)
    vault.add()
    assert len(times) == 2
    assert vault.found()[0].text.endswith("Mr. Silva.")


def test_a_file_that_never_rests_is_left_for_later(vault, monkeypatch):
    vault.put("house.md", HOUSE)
    monkeypatch.setattr(files, "_stamp", lambda path: files.Stamp(path.stat().st_size, 0))
    assert vault.add().read == 0
    monkeypatch.undo()
    assert vault.sync().read == 1


def test_a_failure_in_mid_write_leaves_the_former_version_whole(vault, monkeypatch):
    vault.put("house.md", HOUSE)
    vault.add()

    def fail(repos, items):
        repos.items.delete([item.id for item in items])
        raise EnvironmentFault("The disk is full.")

    vault.put("house.md", "Nothing of the sort.")
    monkeypatch.setattr(rows, "_delete", fail)
    with pytest.raises(EnvironmentFault):
        vault.sync()
    assert [hit.cited for hit in vault.found()] == ["house.md#L1-L7"]
    monkeypatch.undo()
    assert vault.sync().read == 1
    assert vault.found() == []


def test_a_change_on_the_disk_is_heard_and_searchable(vault):
    vault.add()
    changed = threading.Event()
    with_subscription = vault.app.services.events.subscribe(
        MemoryChanged, lambda event: changed.set() if event.agent_id == vault.agent else None
    )
    try:
        vault.notes.start()
        vault.app.services.lanes.submit("background", lambda: None).result()
        while vault.status().state != "watched":
            threading.Event().wait(0.01)
        for query, write in (
            (BOILER, lambda: vault.put("new/house.md", HOUSE)),
            ("What is marked in white?", lambda: vault.put("bees.md", "Queens are marked in white this year.")),
        ):
            changed.clear()
            write()
            assert changed.wait(PATIENCE_SECONDS)
            assert len(vault.found(query)) == 1
        changed.clear()
        (vault.folder / "new").rename(vault.folder.with_name("elsewhere"))
        assert changed.wait(PATIENCE_SECONDS)
        assert vault.found() == []
    finally:
        with_subscription()
        vault.notes.stop()


def test_a_folder_without_change_notifications_is_scanned_regularly(vault, monkeypatch):
    lanes, due = vault.app.services.lanes, threading.Event()
    waits = []

    def later(seconds, lane, work, *, key):
        waits.append((seconds, work))
        due.set()

    monkeypatch.setattr(lanes, "later", later)
    vault.add(sync_minutes=5)
    try:
        vault.notes.start()
        assert due.wait(PATIENCE_SECONDS)
        vault.notes._watcher.stop()
        vault.put("house.md", HOUSE)
        seconds, work = waits[-1]
        work()
        assert (seconds, len(vault.found()), vault.status().sync_minutes) == (300, 1, 5)
        # And again after that.
        assert len(waits) > 1
    finally:
        vault.notes.stop()


def test_without_folders_nothing_is_watched(app):
    app.services.notes.start()
    assert not [each for each in threading.enumerate() if each.name == "memdesk-notes"]
    app.services.notes.stop()


def test_a_note_is_read_by_its_path_and_nothing_outside_is(vault, tmp_path):
    (tmp_path / "secret.md").write_text("Secret.")
    vault.put("house.md", HOUSE)
    vault.put("code.py", "print()")
    vault.add()
    assert vault.notes.text(vault.agent, "house.md") == HOUSE
    assert vault.notes.text(vault.agent, str(vault.folder / "house.md")) == HOUSE
    assert vault.notes.text(vault.agent, "memory/2026-01-01.md") == ""
    for path in ("../secret.md", str(tmp_path / "secret.md"), "code.py", "/etc/passwd"):
        with pytest.raises(BadRequestError):
            vault.notes.text(vault.agent, path)


def test_programs_add_to_todays_note_only_where_the_user_lets_them(vault):
    vault.add()
    assert vault.notes.append(vault.agent, "The boiler is new.") is None
    vault.notes.remove(vault.id)
    vault.add(append=True)
    name = vault.notes.append(vault.agent, "The boiler\nis new.")
    assert (vault.folder / name).read_text() == "- The boiler is new.\n"
    assert [hit.cited for hit in vault.found("What is new?")] == [f"{name}#L1-L1"]
    vault.put(name, "- Called Mr. Silva.")
    vault.notes.append(vault.agent, "The roof is old.")
    assert (vault.folder / name).read_text() == "- Called Mr. Silva.\n- The roof is old.\n"


def test_a_folder_that_cannot_be_remembered_is_refused(vault, tmp_path):
    vault.add()
    with pytest.raises(ConflictError):
        vault.add()
    with pytest.raises(NotFoundError):
        vault.notes.add(str(tmp_path / "nowhere"))
    with pytest.raises(NotFoundError):
        vault.notes.add(str(tmp_path), agent="nobody-at-all")
    with pytest.raises(BadRequestError):
        vault.notes.add("relative/path")


@pytest.mark.skipif(os.name != "posix", reason="these are its folders")
def test_what_is_the_systems_own_is_refused_in_words_by_every_way_to_it(vault, tmp_path):
    (tmp_path / "harmless").symlink_to("/etc")
    present = [
        place for place in ("/", "/proc", "/proc/self", "/sys", "/dev", "/etc/ssl", "/bin") if Path(place).is_dir()
    ]
    for path in (*present, "/etc/hosts", str(tmp_path / "harmless"), f"{tmp_path}/../../../../../../../../etc"):
        with pytest.raises(BadRequestError, match="is a folder of the system"):
            vault.notes.add(path)
    assert vault.notes.folders() == []


def test_a_folder_that_may_not_be_looked_into_is_passed_over(vault, monkeypatch):
    vault.put("house.md", HOUSE)
    vault.put("closed/x.md", "What stands here is not to be seen.")
    real = os.stat

    def refusing(path, *args, **kwargs):
        if str(path).endswith("pyvenv.cfg"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path, *args, **kwargs)

    monkeypatch.setattr(os, "stat", refusing)
    vault.add()
    assert "house.md" in vault.passages()


def test_one_file_may_be_added_alone(vault):
    vault.put("MEMORY.md", HOUSE)
    vault.put("other.md", "Another.")
    vault.id = vault.notes.add(str(vault.folder / "MEMORY.md"), agent=vault.agent).id
    assert vault.sync().read == 1
    assert set(vault.passages()) == {"MEMORY.md"}


def test_the_notes_of_a_deleted_agent_are_gone(vault):
    vault.put("house.md", HOUSE)
    vault.add()
    vault.app.services.agents.delete(vault.agent)
    assert vault.sync().read == 0
    assert (vault.status().files, vault.status().error) == (0, f"There is no agent {vault.agent}.")


ROOFS = {
    "roof.md": "The roof was tiled with slates in spring.\n",
    "roof-again.md": "The roof was tiled with slates in spring, again.\n",
    "gutter.md": "Gutters of the roof leak after storms and want solder.\n",
}
ROOF = "Who tiled the roof with slates in spring?"


def cited(hits):
    return [hit.cited.partition("#")[0] for hit in hits]


def test_a_folder_has_its_own_minimum_score_which_a_search_may_override(vault):
    for name, text in ROOFS.items():
        vault.put(name, text)
    vault.add()
    scores = {name: hit.score for name, hit in zip(cited(vault.found(ROOF)), vault.found(ROOF), strict=True)}
    assert scores.keys() == ROOFS.keys()
    assert scores["gutter.md"] < scores["roof.md"]
    vault.notes.change(vault.id, NoteSearch(min_score=(scores["gutter.md"] + scores["roof.md"]) / 2))
    assert "gutter.md" not in cited(vault.found(ROOF))
    assert set(cited(vault.found(ROOF, min_score=0.0))) == ROOFS.keys()
    assert vault.found(ROOF, min_score=1.0) == []
    assert vault.found("slat", min_score=1.0) == []


def test_a_folder_may_weigh_meaning_against_words_by_itself(vault):
    vault.put("house.md", HOUSE)
    vault.add()
    (item,) = vault.passages().values()
    recall = vault.app.services.recall
    with recall.store.read() as repos:
        asked = recall.searcher.ask(vault.agent, BOILER, datetime.now(UTC))
        (hit,) = recall.searcher.statements.facts(repos, asked)
    assert (hit.row.id, hit.words) == (item.id, 1.0)
    assert 0 < hit.cosine < 1
    for share in (0.0, 0.7, 1.0):
        vault.notes.change(vault.id, NoteSearch(vector_weight=share))
        assert vault.found()[0].score == pytest.approx(share * hit.cosine + 1 - share, abs=1e-3)
    vault.notes.change(vault.id, NoteSearch(vector_weight=None))
    assert vault.found()[0].score == pytest.approx(hit.score, abs=1e-3)


def test_variety_puts_what_says_something_else_before_what_is_said_twice(vault):
    for name, text in ROOFS.items():
        vault.put(name, text)
    vault.add()
    assert cited(vault.found(ROOF))[2] == "gutter.md"
    vault.notes.change(vault.id, NoteSearch(mmr_lambda=0.2))
    assert cited(vault.found(ROOF))[1] == "gutter.md"
    assert "gutter.md" in cited(vault.found(ROOF, limit=2))
    vault.notes.change(vault.id, NoteSearch(mmr_lambda=1.0))
    assert cited(vault.found(ROOF))[2] == "gutter.md"


def test_daily_notes_fade_by_the_day_in_their_name_and_kept_ones_do_not(vault):
    for name in ("memory/2020-01-01.md", "memory/roofs.md", "MEMORY.md"):
        vault.put(name, ROOFS["roof.md"])
    vault.add()
    before = {name: hit.score for name, hit in zip(cited(vault.found(ROOF)), vault.found(ROOF), strict=True)}
    vault.notes.change(vault.id, NoteSearch(half_life_days=30))
    after = {name: hit.score for name, hit in zip(cited(vault.found(ROOF)), vault.found(ROOF), strict=True)}
    assert after.pop("memory/2020-01-01.md") < 1e-3 < before.pop("memory/2020-01-01.md")
    assert after == before


def test_more_candidates_are_looked_at_where_a_folder_asks_for_them(vault):
    for number in range(70):
        vault.put(f"{number}.md", f"Roof number {number} was tiled.\n")
    vault.add()
    few = len(vault.found("Which roof was tiled?", limit=70))
    vault.notes.change(vault.id, NoteSearch(candidates=4))
    assert few < len(vault.found("Which roof was tiled?", limit=70)) == 70


def test_how_a_folder_is_searched_is_changed_piece_by_piece_and_touches_no_other_memory(vault):
    fact = vault.app.services.memories.add_fact(
        agent_id=vault.agent, content="The boiler is from Vaillant.", actor="user"
    )
    vault.put("house.md", HOUSE)
    vault.add(search=NoteSearch(half_life_days=30))
    vault.notes.change(vault.id, NoteSearch(min_score=1.0))
    assert vault.status().search == NoteSearch(half_life_days=30, min_score=1.0)
    assert [hit.id for hit in vault.found()] == [fact.id]
    with pytest.raises(NotFoundError):
        vault.notes.change("nowhere")
    vault.app.services.models.unload()  # the fact was read by the language engine


def test_how_a_folder_is_read_is_changed_without_adding_it_anew(vault):
    vault.put("house.md", HOUSE)
    vault.put("garden.md", "The pear tree is from 1950.")
    vault.add(search=NoteSearch(half_life_days=30))
    vault.notes.change(vault.id, include=["house.md"], local_only=True, append=True, sync_minutes=5)
    vault.sync()
    status = vault.status()
    assert (status.files, status.include, status.local_only, status.append) == (1, ("house.md",), True, True)
    assert (status.sync_minutes, status.search) == (5, NoteSearch(half_life_days=30))
    assert not vault.found(remote=True)
    vault.notes.change(vault.id, local_only=False)
    vault.sync()
    assert vault.status().append
    assert vault.found(remote=True)
