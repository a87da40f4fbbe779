"""``memdesk connect``: one entry is added to other programs' files, and removed."""

import json
import stat

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from memdesk.bootstrap.throwaway import throwaway
from memdesk.cli.client import Client as AppClient
from memdesk.cli.commands import connect
from memdesk.cli.exits import Exit
from memdesk.cli.main import run
from memdesk.errors import BadRequestError
from memdesk.runtime.instance import Owner
from memdesk.services.guarding import commented
from memdesk.services.guarding import connecting as programs
from tests.helpers.shared_app import begin_lanes

URL = "http://127.0.0.1:1337"
ENTRY = {"command": "memdesk", "args": ["mcp"]}
OTHERS = {"theme": "dark", "mcpServers": {"files": {"command": "npx"}}}


@pytest.fixture
def file(tmp_path):
    made = tmp_path / "app" / "config.json"
    made.parent.mkdir()
    made.write_text(json.dumps(OTHERS))
    return made


@pytest.fixture
def claude():
    return programs.program_of("claude-desktop")


def test_one_entry_is_written_and_the_rest_of_the_file_stays(file, claude):
    assert programs.put(file, claude, ENTRY)
    found = json.loads(file.read_text())
    assert found == {"theme": "dark", "mcpServers": {"files": {"command": "npx"}, "memdesk": ENTRY}}
    assert json.loads(file.with_name("config.json.before-memdesk").read_text()) == OTHERS
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not programs.put(file, claude, ENTRY)


def test_what_was_written_is_taken_out_again(file, claude):
    programs.put(file, claude, ENTRY)
    assert programs.remove(file, claude)
    assert json.loads(file.read_text()) == OTHERS
    assert not programs.remove(file, claude)


def test_a_program_without_a_file_gets_one(tmp_path, claude):
    file = tmp_path / "new" / "config.json"
    assert programs.put(file, claude, ENTRY)
    assert json.loads(file.read_text()) == {"mcpServers": {"memdesk": ENTRY}}


ZED = """// Zed settings
{
  "theme": "One // Dark", // mine
  /* servers, {"of": "others"} */
  "context_servers": {
    // files
    "files": {"command": "npx",},
  },
}
"""


@pytest.mark.parametrize(
    "text", [ZED, ZED.replace('"files": {"command": "npx",},', ""), "// nothing yet", '{"a": "\\ud83d"} // half', "{}"]
)
def test_comments_stay_when_an_entry_is_written_changed_and_taken_out(file, text):
    zed = programs.program_of("zed")
    file.write_text(text)
    assert programs.put(file, zed, {"command": "old"})
    assert programs.put(file, zed, ENTRY)
    written = file.read_text()
    found = json.loads(commented.plain(written))
    assert found["context_servers"].pop("memdesk") == ENTRY
    assert not programs.put(file, zed, ENTRY)
    assert programs.remove(file, zed)
    left = file.read_text()
    before = json.loads(commented.plain(text))
    assert json.loads(commented.plain(left)) == found == {"context_servers": {}} | before
    comments = (
        "// Zed",
        "One // Dark",
        "// mine",
        '/* servers, {"of": "others"} */',
        "// files",
        "// nothing",
        "\\ud83d",
        "// half",
    )
    assert [mark for mark in comments if mark in text and mark not in left] == []


@pytest.mark.parametrize(
    "place", ['"memdesk": {}, // x\n"a": 1', '"a": 1, /* , */ "memdesk": {} /* y */', '"memdesk": {},']
)
def test_an_entry_goes_with_its_comma_wherever_it_stands(file, claude, place):
    file.write_text('{"mcpServers": {' + place + "}}")
    assert programs.remove(file, claude)
    found = json.loads(commented.plain(file.read_text()))
    assert found == {"mcpServers": {"a": 1} if '"a"' in place else {}}
    assert all(mark in file.read_text() for mark in ("// x", "/* , */", "/* y */") if mark in place)


@pytest.mark.parametrize("text", ['{"a": 1 // mine', "[1]", '{"mcpServers": []}', "{"])
def test_a_file_that_would_lose_something_is_not_touched(file, claude, text):
    file.write_text(text)
    with pytest.raises(BadRequestError):
        programs.put(file, claude, ENTRY)
    assert file.read_text() == text
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_every_program_has_a_file_of_its_own_on_every_system(tmp_path, platform):
    files = [program.file(tmp_path, platform) for program in programs.PROGRAMS.values() if program.under]
    assert len(set(files)) == len(files)
    assert all(file.is_relative_to(tmp_path) for file in files)


class Keys:
    """Tokens in memory."""

    def __init__(self):
        self.tokens = {}

    def issue(self, name, scopes, agent):
        self.tokens[f"id-{len(self.tokens)}"] = (name, agent)
        return list(self.tokens)[-1], f"mdk-{len(self.tokens)}"

    def live(self, name):
        return [token for token, (title, _agent) in self.tokens.items() if title == name]

    def revoke(self, token_id):
        self.tokens[token_id] = ("", "")


@pytest.fixture
def keys():
    return Keys()


@pytest.fixture
def service(tmp_path, keys):
    return programs.ConnectingService(keys=keys, command=["memdesk", "--home", "x"], home=tmp_path)


def test_a_program_that_starts_us_is_given_a_token_of_its_own(service, keys, tmp_path):
    service.connect("zed", url=URL, agent="a")
    (zed,) = [each for each in service.all() if each.program.id == "zed"]
    entry = json.loads(zed.file.read_text())["context_servers"]["memdesk"]
    assert entry == {"command": "memdesk", "args": ["--home", "x", "mcp"], "env": {"MEMDESK_TOKEN": "mdk-1"}}
    assert zed.connected
    assert zed.installed
    assert keys.tokens == {"id-0": ("Zed", "a")}


def test_a_file_that_cannot_be_changed_leaves_no_token_and_is_done_by_hand(service, keys):
    (cursor,) = [each for each in service.all() if each.program.id == "cursor"]
    assert not cursor.installed
    cursor.file.parent.mkdir()
    cursor.file.write_text("{'a': 1} // mine")
    with pytest.raises(BadRequestError):
        service.connect("cursor", url=URL, agent="a")
    assert set(keys.tokens.values()) == {("", "")}
    (cursor,) = [each for each in service.all() if each.program.id == "cursor"]
    assert "cannot be read" in cursor.fault
    told = service.by_hand("cursor", url=URL, agent="a")["mcpServers"]["memdesk"]
    assert told == {"url": f"{URL}/mcp", "headers": {"Authorization": "Bearer mdk-2"}}
    assert cursor.file.read_text() == "{'a': 1} // mine"


def test_open_webui_is_told_what_to_type_and_its_key_is_taken_back(service, keys):
    told = service.connect("openwebui", url=URL, agent="a")
    assert told["openai"] == {"url": f"{URL}/v1", "key": "mdk-1"}
    assert told["tools"]["url"] == f"{URL}/mcp"
    assert [each.connected for each in service.all() if each.file is None] == [True]
    assert service.disconnect("openwebui") == (False, 1)
    assert [each.connected for each in service.all() if each.file is None] == [False]


def test_a_connected_program_reads_and_writes_until_it_is_taken_out(tmp_path, capsys, monkeypatch):
    file = tmp_path / "mcp.json"

    def command(*arguments, expect=Exit.OK):
        capsys.readouterr()
        code = run(["--home", str(tmp_path / "app"), "connect", "cursor", "--file", str(file), *arguments])
        out, err = capsys.readouterr()
        assert code == expect, err
        return out

    async def work(entry):
        async with (
            httpx2.AsyncClient(headers=entry["headers"], timeout=60) as http,
            Client(streamable_http_client(entry["url"], http_client=http)) as client,
        ):
            await client.call_tool("add_memory", {"content": "Ada keeps bees."})
            return (await client.call_tool("list_memories", {})).structured_content["total"]

    with throwaway(tmp_path / "app", embedder=lambda: None) as app:
        url = app.start_server(port=0)
        begin_lanes(app)
        # A command of this process would not take this process's own app for a running one. Its port is not the settings'.
        monkeypatch.setattr(connect, "connect", lambda _options: AppClient(url, app.token))
        monkeypatch.setattr(connect, "running", lambda _paths: Owner(pid=1, started=0.0, url=url))
        assert json.loads(command("--preview"))["mcpServers"]["memdesk"]["url"] == f"{url}/mcp"
        assert not file.exists()
        command("--agent", "a")
        entry = json.loads(file.read_text())["mcpServers"]["memdesk"]
        assert anyio.run(work, entry) == 1
        command("--agent", "a")
        renewed = json.loads(file.read_text())["mcpServers"]["memdesk"]
        assert renewed["headers"] != entry["headers"]
        live = [token for token in app.services.tokens.all() if token.name == "Cursor" and not token.revoked]
        assert [token.agents for token in live] == [("a",)]
        (latest, *_) = app.services.history.page(agent_id="a").items
        assert latest.actor_detail.startswith("Cursor")
        monkeypatch.setattr(connect, "connect_running", connect.connect)
        assert run(["--home", str(tmp_path / "app"), "connect"]) == Exit.OK
        assert f"or {url}/mcp" in "".join(capsys.readouterr())
        command("--remove")
        assert json.loads(file.read_text()) == {"mcpServers": {}}
        assert all(token.revoked for token in app.services.tokens.all() if token.name == "Cursor")
        app.services.models.unload()
