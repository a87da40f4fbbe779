"""Measurements: counts, sizes, and speeds of search and answers."""

from collections.abc import Iterator, Mapping
from typing import Any

from memdesk.gui.text import tr
from memdesk.gui.words import count_name, number, percent, size


def measured(snapshot: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return names and figures of a snapshot; without those not measured yet."""
    return [*_sizes(snapshot), *_speeds(snapshot)]


def _sizes(snapshot: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, count in snapshot["counts"].items():
        yield count_name(name), number(count)
    store = snapshot["caches"].get("store", {})
    if "file_bytes" in store:
        yield tr("Database on disk"), size(store["file_bytes"] + store["wal_bytes"])
        if store["free_bytes"]:
            yield tr("Free inside it"), size(store["free_bytes"])
    if snapshot["index"].get("enabled"):
        yield tr("Texts with a vector"), number(snapshot["index"]["done"])


def _speeds(snapshot: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    speeds, store = snapshot["speeds"], snapshot["caches"].get("store", {})
    if speeds.get("recall_ms") is not None:
        yield tr("Searching the memory for a reply, median"), f"{number(speeds['recall_ms'], 1)} ms"
    chat = speeds.get("chat_model")
    if chat:
        yield tr("Chat model, writing"), tr("{n} tokens/s").format(n=number(chat["tokens_per_second"], 1))
        yield tr("Chat model, reading"), tr("{n} tokens/s").format(n=number(chat["prompt_tokens_per_second"], 1))
        yield tr("Chat model, time to load"), f"{number(chat['ready_seconds'], 1)} s"
    writer = store.get("writer", {})
    if writer.get("transactions"):
        yield tr("Writing to the database, mean"), f"{number(writer['mean_ms'], 1)} ms"
        yield tr("Writing to the database, longest"), f"{number(writer['longest_ms'], 1)} ms"
    contexts = snapshot["caches"].get("contexts", {})
    if contexts.get("hits", 0) + contexts.get("misses", 0):
        yield tr("Searches answered from the cache"), percent(contexts["rate"])
