"""``AsyncMemory`` never blocks the loop."""

from __future__ import annotations

import asyncio
import http.server
import threading
from contextlib import suppress

import pytest

import memdesk
from memdesk.compat import mem0
from memdesk.engines.clients import make_embedder, make_model
from memdesk.errors import RateLimitedError
from memdesk.library import AsyncMemory, Memory
from memdesk.library.aio import SIDE_BY_SIDE
from memdesk.services.library.modelling import ModelExtractor
from memdesk.services.library.retrying import RetryingEmbedder, RetryingModel
from memdesk.stores.memory import InMemoryStore
from tests.helpers.programs import QueueText


class Slow:
    """A reader that waits until the test lets it go on."""

    def __init__(self) -> None:
        self.go, self.full = threading.Event(), threading.Event()
        self.running = 0
        self.most = 0
        self._lock = threading.Lock()

    def read(self, messages, **_wishes):
        with self._lock:
            self.running += 1
            self.most = max(self.most, self.running)
            if self.running == SIDE_BY_SIDE:
                self.full.set()
        assert self.go.wait(60)
        with self._lock:
            self.running -= 1
        return []


def test_the_loop_goes_on_while_a_call_takes_its_time(engines):
    slow = Slow()

    async def main():
        async with AsyncMemory(lambda: Memory(engines.service(InMemoryStore(), extractor=slow))) as m:
            adding = [asyncio.create_task(m.add("x", user_id=str(n))) for n in range(20)]
            ticks = 0
            # Each turn of the loop comes back while every thread of the memory waits.
            while slow.running < 8 or ticks < 100:
                await asyncio.sleep(0)
                ticks += 1
            assert not any(task.done() for task in adding)
            slow.go.set()
            assert await asyncio.gather(*adding) == [{"results": []}] * 20

    asyncio.run(asyncio.wait_for(main(), 60))
    assert slow.most == 8


@pytest.mark.parametrize("make", [lambda m: AsyncMemory(lambda: m), lambda m: mem0.AsyncMemory(memory=m)])
def test_reading_waits_for_no_slow_model(engines, make):
    slow = Slow()

    async def main():
        async with make(Memory(engines.service(InMemoryStore(), extractor=slow))) as m:
            adding = [asyncio.create_task(m.add("x", user_id="a")) for _ in range(80)]
            assert await asyncio.to_thread(slow.full.wait, 60)
            assert await m.history("x") == []
            assert not any(task.done() for task in adding)
            slow.go.set()
            await asyncio.gather(*adding)

    asyncio.run(asyncio.wait_for(main(), 60))


def test_every_call_can_be_awaited(engines):
    async def main():
        async with AsyncMemory(lambda: Memory(engines.service(InMemoryStore()))) as m:
            done = await m.add("The user keeps bees.", user_id="a", infer=False)
            name = done["results"][0]["id"]
            assert (await m.get(name))["memory"] == "The user keeps bees."
            assert [one["id"] for one in (await m.search("bees", user_id="a"))["results"]] == [name]
            await m.update(name, "The user keeps hens.")
            assert (await m.get_all(user_id="a"))["results"][0]["memory"] == "The user keeps hens."
            assert await m.entities(user_id="a") == []
            assert await m.relations("hens", user_id="a") == []
            await m.delete(name)
            assert [one["event"] for one in await m.history(name)] == ["ADD", "UPDATE", "DELETE"]
            assert await m.delete_all(user_id="a") == 0
            await m.reset()
            await m.close()

    asyncio.run(main())


def test_opening_takes_a_thread_and_closing_ends_every_call(engines):
    async def main():
        loop_s, opened = threading.current_thread(), []

        def open_memory():
            opened.append(threading.current_thread())
            return Memory(engine)

        engine = engines.service(InMemoryStore())
        m = AsyncMemory(open_memory)
        assert opened == []
        assert await asyncio.gather(*(m.get("x") for _ in range(8))) == [None] * 8
        assert len(opened) == 1
        assert opened != [loop_s]
        await m.close()
        await m.close()
        for call in (m.get("x"), m.add("x", user_id="a"), m.history("x")):
            with pytest.raises(memdesk.VaultError, match="closed"):
                await call
        unopened = AsyncMemory(open_memory)
        await unopened.close()
        with pytest.raises(memdesk.VaultError, match="closed"):
            await unopened.get("x")

    asyncio.run(main())


def test_errors_of_opening_and_the_recovery_code_are_told(tmp_path):
    async def main():
        with pytest.raises(memdesk.InvalidInputError, match="nowhere"):
            await memdesk.AsyncMemory.from_config({"nowhere": 1}).get("x")
        m = memdesk.AsyncMemory(tmp_path, passphrase="only for a test")
        assert m.recovery_code == ""
        async with m:
            assert m.recovery_code

    asyncio.run(main())


@pytest.fixture
def silent():
    """A server that takes questions, answers none, and counts who went away."""
    asked, left = threading.Semaphore(0), threading.Semaphore(0)

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            asked.release()
            with suppress(OSError):
                self.rfile.read(1)
            left.release()

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as serving:
        thread = threading.Thread(target=serving.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{serving.server_port}", asked, left
        serving.shutdown()
        thread.join()


def test_a_call_that_is_cancelled_leaves_its_model_and_its_thread_and_writes_nothing(engines, silent):
    url, asked, left = silent
    given = {"model": "m", "api_key": "x", "base_url": url, "temperature": 0.0, "max_tokens": 9}
    model, store = make_model("ollama", given), InMemoryStore()
    embedder = make_embedder("ollama", given | {"dimensions": 8})

    async def main():
        parts = {"extractor": ModelExtractor(RetryingModel(model)), "embedder": RetryingEmbedder(embedder)}
        async with AsyncMemory(lambda: Memory(engines.service(store, **parts))) as m:
            store.create("memories", dimensions=8)
            calls = [asyncio.create_task(m.add("I keep bees", user_id="a")) for _ in range(SIDE_BY_SIDE)]
            calls += [asyncio.create_task(m.search("bees", user_id="a")) for _ in range(SIDE_BY_SIDE)]
            for _ in calls:
                await asyncio.to_thread(asked.acquire)
            for call in calls:
                call.cancel()
            assert {type(one) for one in await asyncio.gather(*calls, return_exceptions=True)} == {
                asyncio.CancelledError
            }
            for _ in calls:
                await asyncio.to_thread(left.acquire)
            # Every thread is free again.
            assert await asyncio.gather(*(m.history("x") for _ in range(SIDE_BY_SIDE))) == [[]] * SIDE_BY_SIDE
            assert (await m.get_all(user_id="a")) == {"results": []}

    asyncio.run(asyncio.wait_for(main(), 60))
    model.close()
    embedder.close()


def test_what_is_being_written_when_its_caller_gives_up_is_written_whole(engines):
    writing, go = threading.Event(), threading.Event()

    class Held(InMemoryStore):
        def insert(self, *given, **more):
            writing.set()
            assert go.wait(60)
            super().insert(*given, **more)

    async def main():
        async with AsyncMemory(lambda: Memory(engines.service(Held()))) as m:
            adding = asyncio.create_task(m.add("I keep bees. I live in Porto.", user_id="a"))
            await asyncio.to_thread(writing.wait)
            adding.cancel()
            with pytest.raises(asyncio.CancelledError):
                await adding
            go.set()
            # Behind the one that writes.
            await m.add("I keep bees. I live in Porto.", user_id="a")
            assert len((await m.get_all(user_id="a"))["results"]) == 2

    asyncio.run(asyncio.wait_for(main(), 60))


def test_a_pause_between_two_tries_ends_with_its_call(engines):
    paused = threading.Event()

    class Busy(QueueText):
        def complete(self, system, user):
            paused.set()
            raise RateLimitedError("Slow down.")

    async def main():
        reader = ModelExtractor(RetryingModel(Busy()))
        m = AsyncMemory(lambda: Memory(engines.service(InMemoryStore(), extractor=reader)))
        adding = asyncio.create_task(m.add("I keep bees", user_id="a"))
        await asyncio.to_thread(paused.wait)
        adding.cancel()
        await m.close()

    asyncio.run(asyncio.wait_for(main(), 60))


def test_one_memory_serves_loops_one_after_the_other_and_side_by_side(engines):
    m = AsyncMemory(lambda: Memory(engines.service(InMemoryStore())))

    def life(number):
        asyncio.run(m.add(f"The user keeps {number} bees.", user_id="a", infer=False))

    for number in range(2):
        life(number)
    threads = [threading.Thread(target=life, args=(number,)) for number in range(2, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(asyncio.run(m.get_all(user_id="a"))["results"]) == 5
    asyncio.run(m.close())
