"""Two users at once, with asyncio."""

import asyncio

from memdesk import AsyncMemory


async def main() -> None:
    """Use a memory that ends with the program."""
    async with AsyncMemory(":memory:") as memory:
        await asyncio.gather(
            memory.add("My name is Ada and I keep bees.", user_id="ada"),
            memory.add("My name is Bob and I play the cello.", user_id="bob"),
        )
        for user in ("ada", "bob"):
            print(user, [one["memory"] for one in (await memory.get_all(user_id=user))["results"]])


if __name__ == "__main__":
    asyncio.run(main())
