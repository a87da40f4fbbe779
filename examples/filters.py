"""Keep notes with metadata as they are, and narrow what is found."""

from memdesk import Memory


def main() -> None:
    """Use a memory that ends with the program."""
    with Memory(":memory:") as memory:
        for text, tag, year in (("The boiler was serviced.", "house", 2025), ("The car got new tires.", "car", 2026)):
            memory.add(text, user_id="ada", metadata={"tag": tag, "year": year}, infer=False)
        wanted = {"OR": [{"tag": "car"}, {"year": {"lt": 2020}}]}
        for found in memory.search("repairs", user_id="ada", filters=wanted)["results"]:
            print(found["memory"], found["metadata"])


if __name__ == "__main__":
    main()
