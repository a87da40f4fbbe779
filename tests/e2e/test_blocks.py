"""Every block of README and docs, pasted as it stands, in their order, into one shell over a fresh profile and one server."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from memdesk.settings.paths import profile_paths
from tests.helpers.server import environment

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "resources" / "docs").glob("*.md")))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: What cannot run here, by how it begins, and why.
LEFT_OUT = {
    "python3 packaging/bootstrap.py": "installs everything; the CI begins with it",
    'python -c "import fastapi': "two starts to measure, of which one runs on; `memdesk bench` does it",
    "whisper-server": "another's program",
    "TOKEN=mdk-... memdesk serve --store": "wants a PostgreSQL; test_servers.py has one",
    "Memory.from_config": "wants a PostgreSQL and OpenAI",
}
#: What a block of JSON is for, by one of its names: what is done with the file that holds it.
JSON = {
    "turns": "memdesk ingest {file} --json",
    "mcpServers": """printf '%s\\n' '{{"jsonrpc": "2.0", "id": 1, "method": "ping"}}' | {command} | grep '"result"'""",
    "event": "true",
}
#: A keyring in a file: blocks of the library keep their key in it.
KEYRING = """
import json, pathlib
from keyring.backend import KeyringBackend

class Keyring(KeyringBackend):
    priority = 1
    file = pathlib.Path(__file__).with_suffix(".json")
    def kept(self): return json.loads(self.file.read_text()) if self.file.exists() else {}
    def get_password(self, service, name): return self.kept().get(f"{service} {name}")
    def set_password(self, service, name, password):
        self.file.write_text(json.dumps(self.kept() | {f"{service} {name}": password}))
"""


def blocks():
    return [(page.name, *found.groups()) for page in PAGES for found in BLOCK.finditer(page.read_text("utf-8"))]


def runs(text):
    return not text.startswith(tuple(LEFT_OUT))


def command(folder, number, language, text):
    """Return the line of the shell that does what a block shows."""
    file = folder / f"block{number}.{language}"
    if language == "sh":
        return text
    if language == "python":
        # What a block before it has in the shell.
        file.write_text(f'import os\nTOKEN = os.environ["TOKEN"]\n{text}')
        return f'PYTHON_KEYRING_BACKEND=lasting.Keyring "$PYTHON" {file}'
    file.write_text(text)
    told = json.loads(text)
    (use,) = (use for name, use in JSON.items() if name in told)
    server = next(iter(told.get("mcpServers", {}).values()), {"command": "", "args": []})
    return use.format(file=file, command=" ".join([server["command"], *server["args"]]))


def test_what_is_left_out_is_there():
    texts = [text for _page, _language, text in blocks()]
    assert all(any(text.startswith(begins) for text in texts) for begins in LEFT_OUT)


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell")
def test_every_block_does_what_it_says(home, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    paths = profile_paths(home=home)
    paths.ensure()
    (paths.config / "server.json").write_text(json.dumps({"port": port}))
    (tmp_path / "lasting.py").write_text(KEYRING)
    program = tmp_path / "memdesk"
    program.write_text('#!/bin/sh\nexec "$PYTHON" -m memdesk --passphrase-env MEMDESK_TEST_PASSPHRASE "$@"\n')
    program.chmod(0o755)
    # The usual port may be in use; nothing else of a block is changed.
    shown = [(language, text.replace("1337", str(port))) for _page, language, text in blocks() if runs(text)]
    lines = [command(tmp_path, number, *block) for number, block in enumerate(shown)]
    script = "\n".join(["set -e", *lines, "kill $(jobs -p)", "wait"])
    out = tmp_path / "out"
    with out.open("w") as told:
        shell = subprocess.Popen(
            ["bash", "-c", script],
            env=environment(
                PYTHON=sys.executable,
                MEMDESK_HOME=str(home),
                HOME=str(tmp_path),
                PATH=f"{tmp_path}:{os.environ['PATH']}",
            ),
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        code = shell.wait(600)
    finally:
        # The server outlives a shell that failed.
        with suppress(ProcessLookupError):
            os.killpg(shell.pid, signal.SIGKILL)
    said = out.read_text()
    assert code == 0, said[-4000:]
    (ready,) = (text.strip() for language, text in shown if language == "json" and "event" in json.loads(text))
    assert ready in said
    for words in ('"choices"', "allergic to peanuts", "'memory': "):
        assert words in said
