"""Commands over a memory that no instance has open: each opens it, works, and closes it."""

import json

import keyring
import pytest
from keyring.backend import KeyringBackend

from memdesk.cli.exits import Exit
from memdesk.cli.main import run
from memdesk.storage.migrate import migrate

SESSION = {"conversation_id": "c", "turns": [{"user": "My sister Ada keeps bees.", "assistant": "Nice."}]}


@pytest.fixture(autouse=True)
def memory(monkeypatch, home):
    """Give commands a passphrase, and search by words alone, so that no engine has to start."""
    monkeypatch.setenv("SECRET", "a passphrase")
    config = home / "memdesk" / "config"
    config.mkdir(parents=True)
    (config / "memory.json").write_text('{"embeddingBackend": "none", "extractionMode": "manual"}')
    return home


@pytest.fixture
def memdesk(monkeypatch, capsys):
    def call(*arguments, expect=Exit.OK):
        monkeypatch.setenv("SECRET", "a passphrase")
        capsys.readouterr()
        code = run(["--passphrase-env", "SECRET", *arguments])
        out, err = capsys.readouterr()
        assert code == expect, err
        return json.loads(out) if "--json" in arguments and out else out + err

    return call


def test_ingest_search_context_and_status_agree(memdesk, tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(SESSION))
    report = memdesk("ingest", str(path), "--agent", "a", "--json")
    assert (report["sessions"], report["turns"], report["outcomes"][0]["outcome"]) == (1, 1, "skipped:manual")
    found = memdesk("search", "bees", "--agent", "a", "--json")
    assert found["mode"] == "fts"
    assert "bees" in found["items"][0]["text"]
    assert (
        "bees"
        in memdesk("context", "What does Ada keep?", "--agent", "a", "--section", "transcript", "--json")["block"]
    )
    assert memdesk("status", "--json")["pending"]
    for agent in ("a", "b"):
        assert "Nothing was found" in memdesk("search", "nothing like it", "--agent", agent, expect=Exit.NOT_FOUND)


def test_a_memory_test_is_green_until_its_line_is_gone(memdesk):
    memdesk("facts", "--agent", "default", "add", "Ada keeps bees.")
    shown = memdesk("memory-tests", "add", "What does my sister Ada keep?", "keeps bees", "--json")
    assert [test["state"] for test in shown] == ["passed"]
    memdesk("memory-tests", "run")
    fact = memdesk("facts", "list", "--json")["items"][0]
    memdesk("memory-tests", "add", "Who likes honey?", "Olga likes honey")
    failing = memdesk("memory-tests", "run", expect=Exit.FAILED)
    assert "Who likes honey?: Nothing that is remembered says this." in failing
    assert "2 memory tests, 1 failed" in failing
    memdesk("facts", "forget", fact["id"])
    (left,) = memdesk("memory-tests", "--json")
    memdesk("memory-tests", "remove", left["id"])
    assert memdesk("memory-tests", "list", "--json") == []


def test_the_first_command_shows_the_recovery_code_and_the_next_does_not(memdesk):
    assert "Write it down" in memdesk("agents", "list")
    assert "Write it down" not in memdesk("agents", "list")


def test_a_wrong_passphrase_is_told_and_changes_nothing(memdesk, monkeypatch, capsys):
    memdesk("agents", "list")
    monkeypatch.setenv("WRONG", "not it")
    assert run(["--passphrase-env", "WRONG", "agents", "list"]) == Exit.LOCKED
    assert "passphrase" in capsys.readouterr().err
    memdesk("agents", "list")


def test_without_keyring_passphrase_or_terminal_it_says_what_to_do(capsys):
    assert run(["agents", "list"]) == Exit.ENVIRONMENT
    assert "passphrase" in capsys.readouterr().err


def test_facts_are_added_listed_and_forgotten(memdesk):
    fact = memdesk("facts", "--agent", "a", "add", "Ada keeps bees", "--json")
    assert [f["content"] for f in memdesk("facts", "--agent", "a", "list", "--json")["items"]] == ["Ada keeps bees"]
    assert memdesk("facts", "--agent", "a", "list", "--query", "wasps", "--json")["items"] == []
    assert memdesk("facts", "--agent", "a", "list", "--as-of", "2020-01-01", "--json")["items"] == []
    told = memdesk("facts", "--agent", "a", "history", fact["id"], "--limit", "1", "--json")
    assert [(entry["action"], entry["actor"], entry["new"]["content"]) for entry in told["items"]] == [
        ("add", "api", "Ada keeps bees")
    ]
    assert "content: Ada keeps bees" in memdesk("facts", "--agent", "a", "history")
    memdesk("facts", "--agent", "a", "forget", fact["id"])
    assert memdesk("facts", "--agent", "a", "list", "--json")["items"] == []
    memdesk("facts", "--agent", "a", "forget", fact["id"], expect=Exit.NOT_FOUND)


def test_items_of_each_form_are_listed_with_their_own_columns(memdesk):
    link = '{"url": "https://example.org/bees", "title": "Bees"}'
    made = memdesk("items", "add", "how bees winter", "--form", "link", "--metadata", link, "--json")
    memdesk("facts", "add", "Ada keeps bees.")
    head, row = memdesk("items", "list", "--form", "link").splitlines()
    assert head.split() == ["id", "address", "title", "kept", "for"]
    assert row.split(None, 3) == [made["id"], "https://example.org/bees", "Bees", "how bees winter"]
    assert [line.split()[1] for line in memdesk("items", "list").splitlines()] == ["form", "link", "statement"]
    assert "Ada keeps bees." in memdesk("items", "list", "--form", "statement", "--query", "Ada")
    assert memdesk("items", "list", "--form", "episode") == ""
    memdesk("items", "forget", made["id"])
    assert memdesk("items", "list", "--form", "link", "--json")["items"] == []
    assert "not JSON" in memdesk("items", "add", "x", "--metadata", "url", expect=Exit.USAGE)


def test_chats_are_kept_in_folders(memdesk, tmp_path):
    file = tmp_path / "chat.json"
    file.write_text(
        json.dumps({"messages": [{"role": "user", "content": "Rent?"}, {"role": "assistant", "content": "Yes"}]})
    )
    memdesk("ingest", str(file), "--agent", "default", "--conversation", "rent", "--skip-extraction")
    folder = memdesk("folders", "add", "Taxes", "--instructions", "Be exact.", "--json")["id"]
    memdesk("folders", "move", "rent", "--to", folder)
    memdesk("folders", "change", folder, "--name", "Taxes 2026")
    shown = memdesk("folders", "show", folder, "--json")
    assert (shown["name"], shown["instructions"]) == ("Taxes 2026", "Be exact.")
    assert [chat["id"] for chat in shown["chats"]] == ["rent"]
    assert "Taxes 2026" in memdesk("folders")
    assert "Nothing was deleted" in memdesk("folders", "delete", folder, expect=Exit.INTERRUPTED)
    assert memdesk("folders", "delete", folder, "--chats", "--dry-run", "--json")["counts"]["conversations"] == 1
    memdesk("folders", "move", "rent", "--out")
    memdesk("folders", "delete", folder, "--yes")
    assert memdesk("folders", "list", "--json") == {"folders": []}


def test_agents_are_made_shown_and_deleted(memdesk):
    memdesk("agents", "put", "a", "--name", "Ada's")
    assert memdesk("agents", "show", "a", "--json")["name"] == "Ada's"
    assert "Nothing was deleted" in memdesk("agents", "delete", "a", expect=Exit.INTERRUPTED)
    memdesk("agents", "delete", "a", "--yes")
    memdesk("agents", "show", "a", expect=Exit.NOT_FOUND)


def test_tokens_are_made_listed_and_revoked(memdesk):
    made = memdesk("tokens", "create", "tour", "--scope", "chat", "--json")
    assert made["secret"]
    (listed,) = memdesk("tokens", "list", "--json")["items"]
    assert listed["name"] == "tour"
    assert made["secret"] not in str(listed)
    memdesk("tokens", "revoke", made["id"])
    assert memdesk("tokens", "list", "--json")["items"][0]["revoked"]


def test_consolidation_is_previewed_run_listed_and_undone(memdesk):
    assert memdesk("consolidate", "--dry-run", "--json")["changes"] == []
    memdesk("consolidate")
    (listed,) = memdesk("consolidate", "--runs", "--json")["items"]
    assert listed["id"] in memdesk("consolidate", "--runs")


def test_chats_are_previewed_imported_and_not_doubled(memdesk, tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(SESSION))
    assert memdesk("import", str(path), "--dry-run", "--json")["new"] == 1
    assert memdesk("import", str(path), "--yes", "--json")["new"] == 1
    again = memdesk("import", str(path), "--yes")
    assert ("1 here already" in again, "memdesk distill" in again) == (True, False)
    memdesk("import", str(tmp_path / "none.zip"), expect=Exit.USAGE)


def test_an_import_counts_what_it_leaves_out_and_names_the_way_of_other_memories(memdesk, tmp_path):
    path = tmp_path / "x.json"
    thought = {"role": "assistant", "content": [{"type": "thinking", "thinking": "h"}, {"type": "text", "text": "Hi."}]}
    path.write_text(json.dumps({"messages": [{"role": "user", "content": "Hello"}, thought]}))
    assert "not part of a conversation: 1 thought." in memdesk("import", str(path), "--dry-run")
    kept = tmp_path / "memory.jsonl"
    kept.write_text('{"type": "entity", "name": "Ada", "entityType": "person", "observations": []}\n')
    refused = memdesk("import", str(kept), expect=Exit.USAGE)
    assert "memdesk graph import FILE" in refused


def test_an_import_of_an_own_export_counts_its_facts(memdesk, tmp_path):
    memdesk("facts", "add", "Ada keeps bees")
    memdesk("export", str(tmp_path / "all.zip"))
    told = memdesk("import", str(tmp_path / "all.zip"), "--dry-run")
    assert "0 facts and lines about you would be imported, 1 here already." in told


def test_a_backup_is_written_checked_and_restored(memdesk, tmp_path, monkeypatch):
    memdesk("facts", "--agent", "a", "add", "Ada keeps bees")
    memdesk("backup", str(tmp_path / "x.backup"))
    assert memdesk("restore", str(tmp_path / "x.backup"), "--check", "--json")["counts"]["facts"] == 1
    memdesk("restore", str(tmp_path / "x.backup"), expect=Exit.CONFLICT)
    assert "What was here before" in memdesk("restore", str(tmp_path / "x.backup"), "--replace")
    assert memdesk("facts", "--agent", "a", "list", "--json")["items"]


def test_a_snapshot_is_shown_beside_what_is_here_now(memdesk, home):
    memdesk("facts", "--agent", "a", "add", "Ada keeps bees")
    folder, name = home / "memdesk" / "data" / "snapshots", "memdesk-20260101-120000.memdesk-backup"
    assert "no snapshots yet" in memdesk("snapshots")
    folder.mkdir(exist_ok=True)
    memdesk("backup", str(folder / name))
    memdesk("facts", "--agent", "a", "add", "Ada keeps goats")
    assert name in memdesk("snapshots")
    for which in ("1", name):
        table = [line.split() for line in memdesk("snapshots", which).splitlines()]
        assert ["facts", "1", "2", "+1"] in table
        assert ["agents", "1", "1"] in table
    assert memdesk("snapshots", "1", "--json")["now"]["facts"] == 2
    for which in ("0", "2", "../vault.json", "other.memdesk-backup"):
        memdesk("snapshots", which, expect=Exit.NOT_FOUND)


def test_what_is_left_of_a_damaged_memory_is_salvaged_and_restored(memdesk, tmp_path, home, monkeypatch):
    # Made as the app makes it: in the tests' own, made in one step, the last page may be one of the schema's.
    monkeypatch.setattr("memdesk.storage.files.migrate", migrate)
    memdesk("facts", "--agent", "a", "add", "Ada keeps bees")
    whole = tmp_path / "whole.backup"
    assert memdesk("salvage", str(whole), "--json")["unreadable"] == 0
    file = home / "memdesk" / "data" / "memory.db"
    data = bytearray(file.read_bytes())
    data[-2000] ^= 1
    file.write_bytes(data)
    left = tmp_path / "left.backup"
    report = memdesk("salvage", str(left), "--json", expect=Exit.PARTIAL)
    assert report["unreadable"] == 1
    assert file.read_bytes() == data
    memdesk("restore", str(left), "--replace")
    assert memdesk("facts", "--agent", "a", "list", "--json")["total"] == report["counts"]["facts"]
    assert "no memory.db.damaged-9" in memdesk(
        "salvage", str(tmp_path / "x"), "--of", "memory.db.damaged-9", expect=Exit.NOT_FOUND
    )
    memdesk("salvage", str(tmp_path / "x"), "--of", "../config/memory.json", expect=Exit.NOT_FOUND)


def test_the_vault_is_shown_checked_and_given_a_new_code(memdesk, monkeypatch):
    memdesk("agents", "list")
    assert memdesk("vault", "status", "--json")["passphrase"] is True
    code = memdesk("vault", "recovery").splitlines()[0]
    monkeypatch.setenv("CODE", code)
    memdesk("vault", "check", "--recovery-code-env", "CODE")
    monkeypatch.setenv("NEW", "another passphrase")
    memdesk("vault", "set-passphrase", "--new-passphrase-env", "NEW")
    memdesk("agents", "list", expect=Exit.LOCKED)


def test_doctor_finds_a_healthy_installation(memdesk):
    found = memdesk("doctor", "--json")
    assert {check["name"]: check["state"] for check in found}["vault drill"] == "ok"
    assert not [check for check in found if check["state"] == "fail"]
    assert memdesk("doctor", "paths", "--json")["data"].endswith("data")


def test_doctor_fails_a_keyring_that_answers_and_keeps_nothing(memdesk):
    class Sieve(KeyringBackend):
        priority = 1

        def get_password(self, service, username):
            return None

        def set_password(self, service, username, password):
            pass

        def delete_password(self, service, username):
            pass

    before = keyring.get_keyring()
    keyring.set_keyring(Sieve())
    try:
        found = memdesk("doctor", "--json", expect=Exit.FAILED)
    finally:
        keyring.set_keyring(before)
    (check,) = [check for check in found if check["name"] == "keyring"]
    assert check["state"] == "fail"
    assert "keeps nothing" in check["message"]


def test_a_damaged_settings_file_is_named_by_every_command(memdesk, home):
    (home / "memdesk" / "config" / "memory.json").write_text('{"memoryBudgetTokens": -5}')
    said = memdesk("agents", "list", expect=Exit.ENVIRONMENT)
    assert "memory.json" in said
    assert "'memoryBudgetTokens'" in said


def test_a_window_without_a_display_says_what_else_there_is(monkeypatch, capsys):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert run(["gui"]) == Exit.ENVIRONMENT
    assert "memdesk serve" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["facts list", "facts history", "items list", "graph export out.jsonl"])
def test_an_agent_that_is_not_there_has_no_empty_list(memdesk, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "no agent" in memdesk(*command.split(), "--agent", "nosuch", expect=Exit.NOT_FOUND)
    assert not list(tmp_path.glob("out.jsonl"))
    memdesk(*command.split(), "--agent", "default")


def test_the_history_of_a_fact_that_is_not_the_agents_says_so(memdesk):
    fact = memdesk("facts", "--agent", "a", "add", "Ada keeps bees.", "--json")
    assert "content: Ada keeps bees." in memdesk("facts", "history", fact["id"], "--agent", "a")
    told = memdesk("facts", "history", fact["id"], "--agent", "b", expect=Exit.NOT_FOUND)
    assert "--agent a" in told
    assert "no such fact" in memdesk("facts", "history", "nothing", "--agent", "a", expect=Exit.NOT_FOUND)


@pytest.mark.parametrize("port", ["99999", "-1", "http"])
def test_a_port_that_does_not_exist_is_refused_in_words(capsys, port):
    with pytest.raises(SystemExit) as ended:
        run(["serve", f"--port={port}"])
    assert ended.value.code == Exit.USAGE
    assert "is not a port" in capsys.readouterr().err


def test_a_folder_of_notes_is_added_searched_and_removed(memdesk, tmp_path):
    folder = tmp_path / "vault"
    (folder / "memory").mkdir(parents=True)
    (folder / "MEMORY.md").write_text("The boiler is serviced in October.")
    (folder / "other.md").write_text("Not a memory.")
    made = memdesk("notes", "add", str(folder), "--openclaw", "--json")
    assert (made["files"], made["passages"], sum(made["synced"].values())) == (1, 1, 1)
    (hit,) = memdesk("search", "When is the boiler serviced?", "--json")["items"]
    assert hit["cited"] == "MEMORY.md#L1-L1"
    assert "MEMORY.md#L1-L1" in memdesk("search", "When is the boiler serviced?")
    assert str(folder) in memdesk("notes")
    changed = memdesk("notes", "change", made["id"], "--min-score", "0.9", "--half-life", "30", "--json")
    assert (changed["search"]["minScore"], changed["search"]["halfLifeDays"]) == (0.9, 30)
    memdesk("notes", "change", made["id"], "--mmr", "7", expect=Exit.USAGE)
    changed = memdesk("notes", "change", made["id"], "--append", "--every", "5", "--json")
    assert (changed["append"], changed["sync_minutes"], changed["local_only"]) == (True, 5, False)
    assert not memdesk("notes", "change", made["id"], "--no-append", "--json")["append"]
    memdesk("notes", "remove", made["id"])
    (folder / "broken.pdf").write_bytes(b"no pages")
    told = memdesk("notes", "add", str(folder))
    assert str(folder) in told
    assert "broken.pdf is damaged" in told
    memdesk("notes", "remove", made["id"])
    assert memdesk("notes", "list", "--json")["items"] == []


def test_an_empty_path_does_not_name_the_present_folder(memdesk):
    memdesk("notes", "add", "", expect=Exit.USAGE)
    assert memdesk("notes", "list", "--json")["items"] == []
