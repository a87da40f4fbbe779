"""Kills a server during every kind of work, and checks what it left: ``python -m tests.campaigns.kills``.

A failure is a lost acknowledged message, a database that does not verify, a partial write of something atomic, or a
name blocked by leftovers. Some 500 kills take an hour.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx

from memdesk.bootstrap.profile import open_store, vault_at
from memdesk.errors import MemdeskError
from memdesk.settings.paths import profile_paths
from memdesk.storage.database import Database
from tests.campaigns.report import Report, options
from tests.helpers import killed_migration, rows
from tests.helpers.old_store import old_store
from tests.helpers.server import PASSPHRASE, TOKEN, Server, environment

AGENT = "tour"
#: Exchanges of a session, sessions of an import, files of a folder of notes.
EXCHANGES, SESSIONS, FILES = 4, 12, 25
#: Seconds from a request to its kill, at most: what is quicker is met in the middle by a smaller draw.
LATEST = 1.2


class Rounds:
    """One memory that is killed again and again, and what is known of it."""

    def __init__(self, folder: Path, seed: int, report: Report) -> None:
        self.folder, self.report = folder, report
        self.pick = random.Random(seed)
        self.paths = profile_paths(home=folder / "memdesk")
        self.paths.config.mkdir(parents=True)
        self.out = folder / "out"
        self.out.mkdir()
        #: Conversations that were acknowledged, that were asked to be forgotten, and that were forgotten.
        self.kept: set[str] = set()
        self.asked: set[str] = set()
        self.gone: set[str] = set()
        self.number = 0
        #: What the next start shows of the work before it.
        self.owed: list[Callable[[], None]] = []
        self.server = Server(folder / "memdesk")
        self.kinds: dict[str, Callable[[], str]] = {
            "ingest": self.ingest,
            "distill": self.distill,
            "consolidate": self.consolidate,
            "forget": self.forget,
            "import": self.import_,
            "export": lambda: self.write("export", "zip"),
            "backup": lambda: self.write("backup", "memdesk-backup"),
            "rotate": self.rotate,
            "migrate": self.migrate,
            "index": self.index,
            "notes": self.notes,
        }

    # ------------------------------------------------------------------ rounds

    def play(self, kind: str) -> None:
        """Start the server, let it work, kill it, and look at what is there."""
        self.number += 1
        failure = ""
        try:
            # Words alone: no engine has to start and die where it is not what is looked at.
            self._embed("sentence-transformers" if kind == "index" else "none")
            if kind not in {"rotate", "migrate"}:
                self.server.start()
                self._look()
                self.server.post("/memory/ingest", self._session(f"warm-{self.number}", wait=False))
                self.kept.add(f"warm-{self.number}")
            outcome = self.kinds[kind]()
            if self.server.process is not None:
                self.server.kill()
            failure = self.wrong()
        except (AssertionError, MemdeskError, httpx.HTTPError) as error:
            outcome, failure = "an error", f"{type(error).__name__}: {str(error)[:1500]}"
            if self.server.process is not None:
                self.server.kill()
        self.report.case(f"{kind}: {outcome}", f"kill {self.number}, {kind}: {failure}" if failure else "")

    def end(self) -> None:
        """Start once more: what was left goes on, and ends."""
        with self.server as server:
            self._look()
            for name in sorted(self.asked):
                left = server.get("/memory/transcript", agent_id=AGENT, conversation_id=name)["total"]
                if left not in {0, 2 * EXCHANGES}:
                    self.report.case("half", f"{left} messages of {name} are left of a forgetting")
            for kind, suffix in (("export", "zip"), ("backup", "memdesk-backup")):
                server.post(f"/memory/{kind}", {"path": str(self.out / f"last.{suffix}")})
        left_over = [
            each.name for each in (*self.out.iterdir(), *self.paths.data.iterdir()) if each.name.startswith(".memdesk-")
        ]
        self.report.case("the last start", f"left over: {left_over}" if left_over else self.wrong())

    def wrong(self) -> str:
        """Return what is wrong with a copy of the memory; nothing where all is right."""
        copy = self.folder / "copy"
        shutil.copytree(self.paths.data, copy)
        try:
            key = vault_at(copy / "vault.json").open(passphrase=PASSPHRASE)
            store = open_store(copy / "memory.db", key)
            try:
                return "; ".join([*store.verify(), *self._half(store)])
            finally:
                store.close()
        finally:
            shutil.rmtree(copy)

    def _half(self, store: Database) -> list[str]:
        with store.read() as repos:
            count = {
                name: len(repos.turns.of_conversation(AGENT, name)) for name in (*self.kept, *self.asked, *self.gone)
            }
        whole = 2 * EXCHANGES
        found = [
            f"{name} was acknowledged and has {count[name]} messages" for name in self.kept if count[name] != whole
        ]
        found += [f"{name} was forgotten and has {count[name]} messages" for name in self.gone if count[name]]
        return found + [
            f"{name} has {count[name]} messages" for name in self.asked - self.gone if count[name] not in {0, whole}
        ]

    # ------------------------------------------------------------------ kinds of work

    def ingest(self) -> str:
        """Record sessions, one after the other, each with what is learned from it."""

        def work(http: httpx.Client) -> None:
            for place in range(1000):
                name = f"c-{self.number}-{place}"
                if self._post(http, "/memory/ingest", self._session(name)):
                    self.kept.add(name)

        return self._met(work)

    def distill(self) -> str:
        """Digest what was recorded before."""
        for place in range(3):
            name = f"d-{self.number}-{place}"
            self.server.post("/memory/ingest", self._session(name, wait=False))
            self.kept.add(name)
        return self._met(lambda http: self._post(http, "/memory/distill", {"agent_id": AGENT}))

    def consolidate(self) -> str:
        """Age and merge."""
        for place in range(30):
            self.server.post(
                "/memory/facts", {"agent_id": AGENT, "content": f"Hive {self.number} holds {place} frames."}, 201
            )
        return self._met(lambda http: self._post(http, "/memory/consolidate", {}))

    def forget(self) -> str:
        """Forget conversations with what was learned from them."""
        chosen = self.pick.sample(sorted(self.kept), min(3, len(self.kept)))
        self.kept -= set(chosen)
        self.asked |= set(chosen)

        def work(http: httpx.Client) -> None:
            if self._post(http, "/memory/forget", {"kind": "conversation", "ids": chosen, "agent_id": AGENT}):
                self.gone.update(chosen)

        return self._met(work)

    def import_(self) -> str:
        """Import a file of chats; once more at the next start, where it was broken off."""
        names = [f"i-{self.number}-{place}" for place in range(SESSIONS)]
        file = self.folder / "chats.json"
        file.write_text(json.dumps([self._session(name) for name in names]))
        asked = {"path": str(file), "agent_id": AGENT, "skip_extraction": True}
        stored = {f"import-json-{name}" for name in names}
        self.asked |= stored

        def again() -> None:
            assert self.server.http is not None
            told = self.server.http.post("/memory/import", json=asked).text
            assert '"event": "report"' in told, told
            self.asked -= stored
            self.kept |= stored

        self.owed.append(again)
        return self._met(lambda http: self._post(http, "/memory/import", asked))

    def write(self, route: str, suffix: str) -> str:
        """Write a file; nothing that is left of it may block its name."""
        asked = {"path": str(self.out / f"{self.number}.{suffix}")}

        def again() -> None:
            if not Path(asked["path"]).exists():
                self.server.post(f"/memory/{route}", asked)
            Path(asked["path"]).unlink()

        self.owed.append(again)
        return self._met(lambda http: self._post(http, f"/memory/{route}", asked))

    def rotate(self) -> str:
        """Give the memory a new key; whatever it answers to, the passphrase opens it."""
        arguments = ["--home", str(self.paths.data.parent), "--passphrase-env", "MEMDESK_TEST_PASSPHRASE"]
        command = [sys.executable, "-m", "memdesk", *arguments, "vault", "rotate"]
        work = subprocess.Popen(
            # What is read from the environment is taken out of it: one name cannot be read twice.
            [*command, "--new-passphrase-env", "MEMDESK_NEW_PASSPHRASE"],
            env=environment(MEMDESK_NEW_PASSPHRASE=PASSPHRASE), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert work.stdout is not None
        # The code is shown right before the key changes.
        work.stdout.readline()
        with contextlib.suppress(subprocess.TimeoutExpired):
            work.wait(self.pick.uniform(0, LATEST) ** 2)
        work.kill()
        work.wait(30)
        work.stdout.close()
        assert work.returncode in {0, -signal.SIGKILL}, f"a new key could not be given: {work.returncode}"
        return "killed in it" if work.returncode == -signal.SIGKILL else "done before"

    def migrate(self) -> str:
        """Bring a store of 0.1 up to date."""
        path = self.folder / "old" / "memory.db"
        path.parent.mkdir()
        try:
            old_store(path)
            command = [sys.executable, "-m", killed_migration.__name__, str(path), str(self.pick.randint(5, 120))]
            done = subprocess.run(command, capture_output=True, timeout=120, check=False)
            store = Database(path)
            store.open(rows.KEY, create=False)
            try:
                problems = store.verify()
                with store.read() as repos:
                    problems += [] if repos.turns.count() else ["the messages are gone"]
            finally:
                store.close()
            assert not problems, problems
        finally:
            shutil.rmtree(path.parent)
        return "killed in it" if done.returncode == -signal.SIGKILL else "done before"

    def index(self) -> str:
        """Embed what is new."""

        def work(http: httpx.Client) -> None:
            for place in range(1000):
                content = f"Bee {place} of {self.number} is called Ada{place}."
                self._post(http, "/memory/facts", {"agent_id": AGENT, "content": content}, 201)

        return self._met(work)

    def notes(self) -> str:
        """Remember a folder of files that changed since; each is remembered once when it was looked at whole."""
        folder = self.folder / "notes"
        folder.mkdir(exist_ok=True)
        for place in range(FILES):
            (folder / f"{place}.md").write_text(f"# Hive {place}\n\nIt was painted in round {self.number}.\n")
        if not self.server.get("/memory/notes")["items"]:
            self.server.post("/memory/notes", {"path": str(folder), "agent": AGENT}, 201)
        mark = f"round {self.number}."

        def again() -> None:
            self.server.post("/memory/notes/sync", {})
            found = self.server.get("/memory/items", agent_id=AGENT, form="passage", limit=500)
            old = [item["content"] for item in found["items"] if mark not in item["content"]]
            assert found["total"] == FILES, f"{found['total']} passages of {FILES} files"
            assert not old, old

        self.owed.append(again)
        return self._met(lambda http: self._post(http, "/memory/notes/sync", {"force": True}))

    # ------------------------------------------------------------------ parts

    def _look(self) -> None:
        """Look at what the work before left for this start."""
        owed, self.owed = self.owed, []
        for look in owed:
            look()

    def _met(self, work: Callable[[httpx.Client], object]) -> str:
        """Let the server work and kill it meanwhile; say whether it was met in it."""
        broken = threading.Event()

        def run() -> None:
            with httpx.Client(
                base_url=url, headers={"Authorization": f"Bearer {TOKEN}"}, trust_env=False, timeout=300
            ) as http:
                try:
                    work(http)
                except httpx.TransportError:
                    broken.set()

        url, worker = self.server.url, threading.Thread(target=run)
        worker.start()
        worker.join(self.pick.uniform(0, LATEST) ** 2)
        self.server.kill()
        worker.join(60)
        assert not worker.is_alive()
        return "killed in it" if broken.is_set() else "done before"

    def _post(self, http: httpx.Client, path: str, body: dict[str, Any], status: int = 200) -> bool:
        answer = http.post(path, json=body)
        assert answer.status_code == status, f"{path}: {answer.status_code} {answer.text[:500]}"
        return True

    def _session(self, name: str, *, wait: bool = True) -> dict[str, Any]:
        said = (f"I keep bees in hive {name}-{place} near Lisbon." for place in range(EXCHANGES))
        turns = [{"user": text, "assistant": "Noted."} for text in said]
        asked = {"agent_id": AGENT, "conversation_id": name, "turns": turns}
        return asked if wait else asked | {"wait": False}

    def _embed(self, backend: str) -> None:
        chosen = {"embeddingBackend": backend, "extractionMode": "rules"}
        file = self.paths.config / "memory.json"
        known = json.loads(file.read_text()) if file.exists() else {}
        file.write_text(json.dumps(known | chosen))


def campaign(kills: int, seed: int, folder: Path, kinds: tuple[str, ...] = (), *, sides: int = 1) -> Report:
    """Kill so many times, each kind of work as often, ``sides`` memories side by side: most of a round is waiting."""
    report = Report("kills")
    began = time.monotonic()

    def side(number: int) -> Rounds:
        rounds = Rounds(folder / str(number), seed + number, report)
        chosen = kinds or tuple(rounds.kinds)
        rounds.play("ingest")
        for place in range(number + sides, kills, sides):
            rounds.play(chosen[place // sides % len(chosen)])
        rounds.end()
        return rounds

    with ThreadPoolExecutor(sides) as pool:
        ended = list(pool.map(side, range(sides)))
    kept, gone = sum(len(each.kept) for each in ended), sum(len(each.gone) for each in ended)
    report.figures["acknowledged conversations"] = f"{kept} there, {gone} forgotten"
    report.figures["seconds a kill"] = f"{(time.monotonic() - began) / kills:.1f}"
    return report


if __name__ == "__main__":
    if os.name == "nt":
        sys.exit("Nothing can be killed like this here.")
    given = options(kills=500, seed=1, sides=os.cpu_count() or 1)
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(campaign(given.kills, given.seed, Path(scratch), sides=given.sides).tell())
