"""``memdesk bench``: runs one of the benches in ``memdesk.bench``."""

import argparse
import importlib

BENCHES = {
    "storage": "recording turns and full-text search against plain SQLite",
    "recall": "evidence recall on conversations with questions",
    "train": "train the recall weights that ship",
    "gate": "the gate on labeled prompts",
    "plain": "whether memory harms answers to plain questions",
    "precision": "whether what answers is shown, and nothing else",
    "embed": "two embedding models on your own memory",
    "scale": "a store of N turns",
    "reading": "what is kept of labeled chats; --train trains what lasts",
    "attributes": "which attribute a sentence gives, and which value; --train trains it",
    "needs": "which messages need what must not be missed in mind; --train trains it",
    "succession": "which earlier statements a new one ends; --train trains it",
    "questions": "how close questions are to their answers; --train trains it",
    "distill": "distillation on LoCoMo conversations",
    "consolidate": "consolidation of N facts",
    "proxy": "what memory adds before the first byte of a server behind memdesk",
    "library": "the Python library beside mem0ai: adding, finding, recall",
    "forget": "forgetting a conversation of N turns, a person, and everything, while a chat goes on",
    "window": "first paint against an empty PySide6 window; a large store, typing, memory at rest",
}

#: Former names, for scripts.
FORMER = {"distil": "distill"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments; for a bench's own, see ``memdesk bench NAME --help``."""
    parser.add_argument(
        "name",
        choices=BENCHES,
        type=lambda name: FORMER.get(name, name),
        help="; ".join(f"{k}: {v}" for k, v in BENCHES.items()),
    )
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="passed to the bench")


def run(options: argparse.Namespace) -> int:
    """Run the bench in a temporary profile; the user's store is not changed, and only ``embed`` reads it."""
    bench = importlib.import_module(f"memdesk.bench.{options.name}")
    arguments = [*options.arguments, *(["--json"] if options.json and "--json" not in options.arguments else [])]
    return int(bench.main(arguments) or 0)
