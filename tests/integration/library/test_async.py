"""``AsyncMemory`` never blocks the loop."""

from __future__ import annotations

import asyncio
import threading

import pytest

import memdesk
from memdesk.compat import mem0
from memdesk.library import AsyncMemory, Memory
from memdesk.library.aio import SIDE_BY_SIDE
from memdesk.stores.memory import InMemoryStore


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
