"""Remember what a user says, and find it again: on this machine, without a key."""

import sys

from memdesk import Memory


def main(folder: str) -> None:
    """Keep a memory in a folder; without one, ``Memory()`` keeps it in the user's data folder."""
    with Memory(folder, passphrase="choose a better one") as memory:
        memory.add("I live in Porto and I'm allergic to peanuts.", user_id="ada")
        done = memory.add("I live in Lisbon now.", user_id="ada")
        print([event["event"] for event in done["results"]])
        for found in memory.search("Where is home?", user_id="ada", limit=1)["results"]:
            print(f"{found['score']:.2f}", found["memory"])


if __name__ == "__main__":
    main(sys.argv[1])
