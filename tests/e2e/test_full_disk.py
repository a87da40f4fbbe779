"""The disk fills while memdesk runs: everything can be read, forgetting makes room, and nothing is lost."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from contextlib import suppress

import pytest

from tests.helpers.server import Server

pytestmark = pytest.mark.e2e

SIZE = 24 * 2**20
CHAT = {"model": "default", "messages": [{"role": "user", "content": "Hello"}]}


@pytest.fixture
def small_disk(tmp_path):
    """A file system of its own, which can really fill."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=700", "tmpfs", str(folder)]
    if (
        os.name == "nt"
        or os.geteuid() != 0
        or shutil.which("mount") is None
        or subprocess.run(command, check=False).returncode
    ):
        pytest.skip("a file system can be mounted by root alone")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(path):
    """Leave nothing free, nor what the app lets go of meanwhile: a log that is folded in, or the room it kept."""
    with path.open("wb", buffering=0) as file:
        while os.statvfs(path).f_bavail:
            with suppress(OSError):
                file.write(bytes(4096))


def session(name):
    words = random.Random(name).randbytes(15_000).hex()
    turns = [{"user": f"My cat of {name} is called Zorro{name}. {words}", "assistant": "Nice."}]
    return {"agent_id": "tour", "conversation_id": name, "turns": turns, "skip_extraction": True}


def test_a_full_disk_is_told_and_forgetting_makes_room(small_disk, tmp_path):
    reserve = small_disk / "memdesk" / "data" / "memory.db.reserve"
    with Server(small_disk / "memdesk") as server:
        for number in range(8):
            server.post("/memory/ingest", session(f"c{number}"))
        while not reserve.exists():
            server.get("/health")
        fill(small_disk / "full")
        refused = server.post("/memory/ingest", session("late"), 507)["error"]
        assert refused["code"] == "disk_full"
        assert server.post("/v1/chat/completions", CHAT, 507, **{"X-Memdesk-Agent-Id": "tour"})["error"] == {
            **refused,
            "message": "The disk is full: the memory can be read, but nothing new is saved.",
            "hint": "Free some space, or forget something here: room is kept for that. What was saved before is safe.",
        }
        assert not reserve.exists()
        fill(small_disk / "fuller")
    assert "Traceback" not in server.said()
    assert "The disk is full" in server.said()

    server.start()
    found = server.post("/memory/search", {"agent_id": "tour", "query": "What is my cat called?", "scope": "all"})
    assert "Zorro" in str(found)
    assert server.post("/memory/backup", {"path": str(tmp_path / "elsewhere.backup")})["counts"]["turns"] == 16
    server.post("/memory/ingest", session("late"), 507)
    server.kill()

    (small_disk / "fuller").unlink()
    with server:
        server.post("/memory/ingest", session("late"), 507)
        gone = {"kind": "conversation", "ids": [f"c{number}" for number in range(7)], "agent_id": "tour"}
        assert server.post("/memory/forget", gone)["verified"]
        (small_disk / "full").unlink()
        while (answer := server.http.post("/memory/ingest", json=session("late"))).status_code == 507:
            continue
        assert answer.status_code == 200
        assert server.get("/memory/conversations", agent_id="tour")["total"] == 2


def test_every_way_to_write_says_that_the_disk_is_full_and_goes_on_when_there_is_room(small_disk, tmp_path):
    chats = tmp_path / "chats.json"
    chats.write_text(json.dumps([session("imported")]))
    agent = {"agent_id": "tour"}
    ways = [
        ("POST", "/memory/facts", agent | {"content": "My cat is called Zorro."}, 201),
        ("POST", "/memory/identity", {"content": "I live in Graz."}, 201),
        ("POST", "/memory/episodes", agent | {"summary": "We talked about hives."}, 201),
        ("POST", "/memory/folders", {"name": "Hives"}, 201),
        ("POST", "/memory/tokens", {"name": "notebook", "scopes": ["chat"]}, 201),
        ("POST", "/memory/import", agent | {"path": str(chats), "skip_extraction": True}, 200),
        ("POST", "/memory/consolidate", {}, 200),
        ("PUT", "/memory/settings", {"summaryDebounceSeconds": 11}, 200),
        ("POST", "/memory/export", {"path": str(small_disk / "all.zip")}, 200),
        ("POST", "/memory/backup", {"path": str(small_disk / "all.memdesk-backup")}, 200),
    ]
    with Server(small_disk / "memdesk") as server:
        for number in range(8):
            server.post("/memory/ingest", session(f"c{number}"))
        reserve = small_disk / "memdesk" / "data" / "memory.db.reserve"
        while not reserve.exists():
            server.get("/health")
        fill(small_disk / "full")
        server.post("/memory/ingest", session("late"), 507)
        # What was kept for forgetting is gone, too.
        fill(small_disk / "fuller")
        before = sorted(small_disk.rglob("*"))
        facts = set()
        for method, path, body, status in ways:
            answer = server.http.request(method, path, json=body)
            while answer.status_code == status:  # kept: the log of a write that failed has room for smaller ones
                facts |= {answer.json()["id"]} if path == "/memory/facts" else set()
                answer = server.http.request(method, path, json=body)
            assert (answer.status_code, answer.json()["error"]["code"]) == (507, "disk_full"), path
        assert sorted(small_disk.rglob("*")) == before
        for name in ("full", "fuller"):
            (small_disk / name).unlink()
        while server.http.post("/memory/ingest", json=session("late")).status_code == 507:
            continue
        for method, path, body, status in ways:
            answer = server.http.request(method, path, json=body)
            assert answer.status_code == status, path
            facts |= {answer.json()["id"]} if path == "/memory/facts" else set()
        assert server.get("/memory/facts", agent_id="tour")["total"] == len(facts)
        assert server.get("/memory/conversations", agent_id="tour")["total"] == 10
    assert "Traceback" not in server.said()
