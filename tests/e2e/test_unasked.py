"""Nothing leaves the machine, and nothing is written outside the profile, unless the user asks for it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.openai_server import openai_server
from tests.helpers.server import PASSPHRASE, TOKEN, Server, environment

pytestmark = [pytest.mark.e2e, pytest.mark.model]

CALLS = "connect,sendto,sendmsg,sendmmsg"
SESSION = {
    "agent_id": "tour",
    "conversation_id": "monday",
    "session_date": "2024-05-06T18:00:00+00:00",
    "turns": [{"user": "My sister Philippa keeps bees in Lisbon.", "assistant": "How lovely."}],
}
#: An address in a traced call: ``sin_addr=inet_addr("127.0.0.1")`` or ``inet_pton(AF_INET6, "::1", ...)``.
ADDRESS = re.compile(r'inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"')
UNIX = re.compile(r'AF_UNIX, sun_path=@?"([^"]*)"')


def reached(trace):
    """Return what was called outside the process: addresses but the loopback's, and services that look names up."""
    found = []
    for line in trace.splitlines():
        found += [a or b for a, b in ADDRESS.findall(line) if (a or b) not in {"127.0.0.1", "::1"}]
        found += [path for path in UNIX.findall(line) if re.search("nscd|resolve|avahi|mdns", path)]
        if re.search(r"sin6?_port=htons\(53\)", line):
            found.append("a name server")
    return found


def test_telemetry_is_off_from_the_first_import_on():
    code = "import os, memdesk; print(os.environ['ORT_DISABLE_TELEMETRY'])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "1\n"


def test_what_a_trace_shows_is_understood():
    trace = """
    1 connect(3, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("93.184.216.34")}, 16) = 0
    1 connect(3, {sa_family=AF_INET6, sin6_port=htons(443), inet_pton(AF_INET6, "2606:2800::1", &sin6_addr)}, 28) = 0
    1 connect(3, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.1")}, 16) = 0
    1 connect(3, {sa_family=AF_INET, sin_port=htons(1337), sin_addr=inet_addr("127.0.0.1")}, 16) = 0
    1 connect(3, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT (No such file or directory)
    """
    assert reached(trace) == ["93.184.216.34", "2606:2800::1", "a name server", "/var/run/nscd/socket"]


def tracer(trace):
    """Return what runs a command and notes what it reaches; -D: it is our own child, the tracer a bystander that ends with it."""
    return ["strace", "-D", "-f", "-qq", "--seccomp-bpf", "-e", f"trace={CALLS}", "-s", "0", "-o", str(trace)]


@pytest.mark.timeout(900)  # a busy machine makes a traced window slow
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_a_day_at_the_window_and_the_pass_of_the_night_ask_nobody_but_the_engine_here(home, tmp_path):
    trace = tmp_path / "trace.txt"
    with openai_server() as engine:
        day = [sys.executable, "-m", "tests.helpers.window_day", str(home / "memdesk"), engine.url]
        done = subprocess.run(
            [*tracer(trace), *day],
            env=environment(QT_QPA_PLATFORM="offscreen"),
            cwd=Path(__file__).parents[2],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert engine.bodies, "the engine was asked nothing"
    assert "127.0.0.1" in trace.read_text(encoding="utf-8", errors="replace")
    assert reached(trace.read_text(encoding="utf-8", errors="replace")) == []


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_a_day_of_work_asks_nobody_and_writes_nowhere_else(home, monkeypatch, tmp_path):
    scratch, trace = tmp_path / "tmp", tmp_path / "trace.txt"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    chats = tmp_path / "chats.json"
    said = [{"role": "user", "content": "I play the bandoneon."}, {"role": "assistant", "content": "Fine."}]
    chats.write_text(json.dumps({"messages": said}), encoding="utf-8")
    with Server(home / "memdesk", tracer=tracer(trace)) as server:
        for name in ("environ", "cmdline"):
            shown = Path(f"/proc/{server.process.pid}/{name}").read_bytes()
            assert not [secret for secret in (TOKEN, PASSPHRASE) if secret.encode() in shown], name
        server.post("/memory/ingest", {**SESSION, "wait": False})
        # This waits for as long as it takes, which a traced server on a busy machine needs.
        assert [one["outcome"] for one in server.post("/memory/distill", {"agent_id": "tour"})["outcomes"]] == [
            "distilled"
        ]
        assert "Lisbon" in server.post("/memory/context", {"agent_id": "tour", "query": "Where is Philippa?"})["block"]
        chat = {"agent_id": "tour", "max_tokens": 8, "messages": [{"role": "user", "content": "Hello"}]}
        assert server.post("/v1/chat/completions", chat)["choices"]
        assert server.post("/v1/embeddings", {"input": "bees"})["data"]
        server.post("/memory/consolidate", {})
        assert server.http.post("/memory/import", json={"path": str(chats), "agent_id": "tour"}).status_code == 200
    assert trace.stat().st_size > 0
    assert reached(trace.read_text(encoding="utf-8", errors="replace")) == []
    outside = [file for file in home.rglob("*") if not file.is_relative_to(home / "memdesk") and not file.is_dir()]
    assert outside == []
    assert list(scratch.rglob("*")) == []
