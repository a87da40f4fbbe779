"""``poe campaign-servers [SECONDS] [--servers N...] [--only kills|calm]``: servers on one PostgreSQL under load, killed and restarted.

Each client stores its own line with a key, at any available server, and retries until it is acknowledged; every
second line is searched. At the end each acknowledged line must exist exactly once.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx

from tests.helpers.fleet import Server, memories
from tests.helpers.stores import Stores

CLIENTS = 4
#: Seconds between two kills.
KILL_EVERY = 10.0


class Load:
    """Clients that store and search until they are stopped."""

    def __init__(self, servers: list[Server], user: str) -> None:
        self.servers, self.user = servers, user
        self.stop = threading.Event()
        self.stored: list[str] = []
        self.spent: dict[str, list[float]] = {"add": [], "search": []}
        self.retries = 0

    def run(self, name: int) -> None:
        """Store and search, as a program does that keeps its connections."""
        number, clients = 0, {}
        try:
            while not self.stop.is_set():
                self._line(name, number, clients)
                number += 1
        finally:
            for client in clients.values():
                client.close()

    def _line(self, name: int, number: int, clients: dict[Server, httpx.Client]) -> None:
        text = f"Client {name} wrote line {number} of its {random.Random(number).randint(0, 9999)}."
        body = {"messages": text, "user_id": self.user, "infer": False}
        key = {"Idempotency-Key": f"{self.user}-{name}-{number}"}
        self._until_told(clients, "add", "/v1/memories/", body, key)
        self.stored.append(text)
        asked = {"query": text, "user_id": self.user, "limit": 5}
        self._until_told(clients, "search", "/v1/memories/search/", asked, {})

    def _until_told(self, clients: dict[Server, httpx.Client], call: str, path: str, body: dict, headers: dict) -> None:
        while True:
            server = random.choice(self.servers)
            client = clients.get(server) or clients.setdefault(server, server.client())
            began = time.perf_counter()
            try:
                answer = client.post(path, json=body, headers=headers)
                if answer.is_success:
                    self.spent[call].append(time.perf_counter() - began)
                    return
            except httpx.HTTPError:
                pass
            self.retries += 1
            time.sleep(0.05)


def measured(store: str, count: int, seconds: float, *, kill: bool) -> list[str]:
    """Print one row; return what was lost or doubled."""
    servers = [Server(store) for _ in range(count)]
    load = Load(servers, f"load{count}{'k' if kill else ''}")
    threads = [threading.Thread(target=load.run, args=(number,)) for number in range(CLIENTS)]
    began, kills = time.monotonic(), 0
    try:
        for thread in threads:
            thread.start()
        while time.monotonic() - began < seconds:
            time.sleep(min(KILL_EVERY, seconds))
            if kill:
                doomed = random.randrange(count)
                servers[doomed].kill()
                servers[doomed] = Server(store)
                kills += 1
        load.stop.set()
        for thread in threads:
            thread.join()
        took = time.monotonic() - began
        with servers[0].client() as client:
            kept = memories(client, load.user)
    finally:
        load.stop.set()
        for server in servers:
            server.close()
    wrong = sorted(set(load.stored) ^ set(kept)) + [text for text in set(kept) if kept.count(text) > 1]
    figures = [f"{call} {len(times) / took:.1f}/s p95 {_p95(times):.0f} ms" for call, times in load.spent.items()]
    print(
        f"{count} servers, {kills} kills: {'; '.join(figures)}; {load.retries} tried again; {len(wrong)} lost or doubled",
        flush=True,
    )
    return wrong


def _p95(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)] * 1000 if times else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="campaign-servers", description=__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=600.0, help="of each row (600)")
    parser.add_argument("--servers", nargs="+", type=int, default=[1, 2, 4], help="how many run at once (1 2 4)")
    parser.add_argument("--only", choices=("kills", "calm"), help="rows with kills, or without; both unless told")
    given = parser.parse_args()
    ways = {"kills": [True], "calm": [False]}.get(given.only, [False, True])
    with tempfile.TemporaryDirectory() as folder:
        stores = Stores(Path(folder), only=("pgvector",))
        try:
            wrong = [
                one
                for count in given.servers
                for kill in ways
                for one in measured(stores.postgres, count, given.seconds, kill=kill)
            ]
        finally:
            stores.close()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
