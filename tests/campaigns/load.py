"""Overloads a server: ``python -m tests.campaigns.load``.

Chats with a slow scripted model that answers one by one, requests of every kind at a rate, and connections that never
send a whole request. A failure is an answer that is neither 200 nor a 429 whose Retry-After is kept (clients that obey
are served in the end), or growing memory, threads or descriptors.
"""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import random
import socket
import sys
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil

from tests.campaigns.report import Report, Until, options
from tests.helpers.openai_server import openai_server
from tests.helpers.server import TOKEN, Server

CHATS, RATE, SLOW = 64, 200, 500
#: Threads that make the requests.
CALLERS = 48
#: Seconds that the model takes for one answer.
ANSWER_SECONDS = 0.25
#: Times that one who comes back when told may be turned away: others are as early.
MOST_TRIES = 12
#: Requests of each kind measured one by one, and chats that keep the model busy meanwhile.
ALONE, MODELS_CHATS = 40, 4
#: Seconds from which on a run shows whether memory, threads and descriptors stay as they are.
LONG = 60
#: What the second half of a run may have more than the first.
MORE_THREADS, MORE_FILES, MORE_MEGABYTES = 24, 48, 96
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}


class Load:
    """Everything that is asked of one server, and what came of it."""

    def __init__(self, url: str, report: Report, until: Until) -> None:
        self.address = urlsplit(url).netloc
        self.report, self.until = report, until
        self.spent: dict[str, list[float]] = defaultdict(list)
        self.tries: list[int] = []
        self.let_go = 0
        self._lock = threading.Lock()
        self._number = itertools.count()

    def chats(self, name: int) -> None:
        """Chat, one message after the other, and come back when told."""
        link = self._link()
        body = {
            "model": "default",
            "stream": True,
            "messages": [{"role": "user", "content": f"What do I know of bees? {name}"}],
        }
        while self.until:
            link = self._served(link, "chat", "POST", "/v1/chat/completions", body, {"X-Memdesk-Agent-Id": "tour"})
        link.close()

    def requests(self, rate: float) -> None:
        """Ask for this and that, so many times a second by the clock, whatever became of the last."""
        link, pick, due = self._link(), random.Random(threading.get_ident()), time.monotonic()
        while self.until:
            due = max(due + 1 / rate, time.monotonic() - 1)
            time.sleep(max(0.0, due - time.monotonic()))
            kind, method, path, body = pick.choice(self._calls())
            link = self._served(link, kind, method, path, body, {})
        link.close()

    def slow(self, count: int) -> None:
        """Hold connections that never send a whole head, and open others where they are let go."""
        held: list[socket.socket] = []
        host, _, port = self.address.partition(":")
        while self.until:
            while len(held) < count:
                held.append(socket.create_connection((host, int(port)), timeout=30))
                held[-1].sendall(b"GET /health HTTP/1.1\r\n")
                held[-1].setblocking(False)
            time.sleep(0.2)
            gone = [each for each in held if _is_gone(each)]
            held = [each for each in held if each not in gone]
            self.let_go += len(gone)
            for each in gone:
                each.close()
        for each in held:
            each.close()

    def _calls(self) -> list[tuple[str, str, str, dict[str, Any] | None]]:
        number = next(self._number)
        turn = {"agent_id": "tour", "conversation_id": f"c{threading.get_ident()}-{number}", "skip_extraction": True}
        return [
            ("search", "POST", "/memory/search", {"agent_id": "tour", "query": f"bees {number}"}),
            ("context", "POST", "/memory/context", {"agent_id": "tour", "query": f"What do I know of bees? {number}"}),
            ("list", "GET", "/memory/facts?limit=20", None),
            ("ingest", "POST", "/memory/ingest", {**turn, "turns": [{"user": f"Bee {number}", "assistant": "Ok"}]}),
        ]

    def _link(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self.address, timeout=120)

    def _served(
        self, link: http.client.HTTPConnection, kind: str, method: str, path: str, body: Any, headers: dict[str, str]
    ) -> http.client.HTTPConnection:
        """Ask until it is served, as often as it is told when to come again; return a connection for the next."""
        content = None if body is None else json.dumps(body).encode()
        for tries in range(1, MOST_TRIES + 1):
            began = time.perf_counter()
            try:
                link.request(method, path, content, HEADERS | headers)
                answer = link.getresponse()
                answer.read()
            except (OSError, http.client.HTTPException) as error:
                link.close()
                link = self._link()
                if not isinstance(error, ConnectionError):
                    self.report.case(f"{kind}: {type(error).__name__}", f"{kind}: no answer: {error}")
                    return link
                # A connection that rested was let go for another, as HTTP has it; the request is made anew.
                continue
            spent = time.perf_counter() - began
            if answer.status == 429:
                again = answer.headers.get("Retry-After", "")
                self.report.case(f"{kind}: 429", "" if again.isdecimal() else f"{kind}: 429 without Retry-After")
                wait = time.monotonic() + int(again or 1)
                while self.until and time.monotonic() < wait:
                    time.sleep(0.1)
                if not self.until:
                    return link
                continue
            with self._lock:
                self.spent[kind].append(spent)
                self.tries.append(tries)
            self.report.case(
                f"{kind}: {answer.status}", "" if answer.status == 200 else f"{kind}: answered {answer.status}"
            )
            return link
        self.report.case(
            f"{kind}: never served", f"{kind}: turned away {MOST_TRIES} times, each at the time that was told"
        )
        return link


def _is_gone(link: socket.socket) -> bool:
    try:
        return link.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


class Body:
    """What a process holds."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)
        self.seen: list[tuple[int, int, int]] = []

    def look(self) -> None:
        """Note threads, open files and megabytes."""
        with self._process.oneshot():
            held = self._process
            self.seen.append((held.num_threads(), held.num_fds(), held.memory_info().rss // 2**20))

    def tell(self, report: Report) -> None:
        """Compare the last half with the first, in which everything that is made once was made."""
        half = len(self.seen) // 2
        names = ("threads", "descriptors", "megabytes")
        for place, (name, more) in enumerate(zip(names, (MORE_THREADS, MORE_FILES, MORE_MEGABYTES), strict=True)):
            first, last = (max(seen[place] for seen in part) for part in (self.seen[:half], self.seen[half:]))
            report.figures[name] = f"at most {first}, then {last}"
            report.case(
                "flat" if last - first <= more else "grew",
                f"{name} grew: {first}, {last}" if last - first > more else "",
            )


def campaign(seconds: float, chats: int, rate: int, slow: int, folder: Path) -> Report:
    """Ask for all of it for so long."""
    report = Report("load")
    with openai_server() as model, contextlib.ExitStack() as stack:
        turn = threading.Lock()

        def answer(_body: dict[str, Any]) -> str:
            # One after the other, as a model on this machine answers.
            with turn:
                model.closing.wait(ANSWER_SECONDS)
            return "Bees are fine."

        model.answer = answer
        home = folder / "memdesk"
        (home / "config").mkdir(parents=True)
        engine = {"remoteServers": [{"name": "lab", "base_url": model.url}], "chatModel": "remote:lab/qwen3:4b"}
        (home / "config" / "engine.json").write_text(json.dumps(engine))
        (home / "config" / "memory.json").write_text('{"extractionMode": "rules"}')
        server = stack.enter_context(Server(home))
        for number in range(20):
            server.post("/memory/facts", {"agent_id": "tour", "content": f"The user keeps bees in hive {number}."}, 201)
        _one_by_one(server.url, 5)
        rounds = ALONE if seconds >= LONG else 5
        alone, beside = _one_by_one(server.url, rounds), _beside_models(server.url, rounds)
        assert server.process is not None
        body, load = Body(server.process.pid), Load(server.url, report, Until(seconds))
        used = psutil.Process(server.process.pid).cpu_times()
        before = used.user + used.system
        callers = min(CALLERS, rate)
        threads = [threading.Thread(target=load.chats, args=(name,)) for name in range(chats)]
        threads += [threading.Thread(target=load.requests, args=(rate / callers,)) for _ in range(callers)]
        threads.append(threading.Thread(target=load.slow, args=(slow,)))
        for thread in threads:
            thread.start()
        while load.until:
            body.look()
            time.sleep(min(1.0, seconds / 20))
        for thread in threads:
            thread.join()
        # Seconds are too few to tell what is made once from what grows.
        if seconds >= LONG:
            body.tell(report)
        for kind, times in sorted(load.spent.items()):
            report.figures[kind] = (
                f"{len(times) / seconds:.1f}/s, p50 {_at(times, 0.5):.0f} ms, p95 {_at(times, 0.95):.0f} ms"
            )
            if kind in alone:
                report.figures[kind] += (
                    f" (p95 one by one {_at(alone[kind], 0.95):.0f} ms, beside a busy model {_at(beside[kind], 0.95):.0f} ms)"
                )
        report.figures["tries until served, at most"] = str(max(load.tries, default=0))
        report.figures["slow connections let go"] = str(load.let_go)
        if slow and seconds >= LONG and not load.let_go:
            report.case("slow clients stayed", "no slow connection was let go")
        spent = psutil.Process(server.process.pid).cpu_times()
        report.figures["processor"] = (
            f"{1000 * (spent.user + spent.system - before) / max(1, len(load.tries)):.0f} ms for an answer"
        )
        # Everything was let out again: the next one is served at once.
        server.post("/memory/search", {"agent_id": "tour", "query": "bees"})
    return report


def _one_by_one(url: str, rounds: int) -> dict[str, list[float]]:
    """Measure the same requests one after the other."""
    load = Load(url, Report("alone"), Until(3600))
    link = load._link()
    for _ in range(rounds):
        for kind, method, path, body in load._calls():
            link = load._served(link, kind, method, path, body, {})
    link.close()
    return load.spent


def _beside_models(url: str, rounds: int) -> dict[str, list[float]]:
    """Measure them while a model always has something to answer."""
    chats = Load(url, Report("chats"), Until(3600))
    threads = [threading.Thread(target=chats.chats, args=(name,)) for name in range(MODELS_CHATS)]
    for thread in threads:
        thread.start()
    found = _one_by_one(url, rounds)
    chats.until = Until(0)
    for thread in threads:
        thread.join()
    return found


def _at(times: list[float], share: float) -> float:
    return sorted(times)[int(len(times) * share)] * 1000 if times else 0.0


if __name__ == "__main__":
    given = options(seconds=600, chats=CHATS, rate=RATE, slow=SLOW)
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(campaign(given.seconds, given.chats, given.rate, given.slow, Path(scratch)).tell())
