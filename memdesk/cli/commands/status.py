"""``memdesk status``: what is stored, pending and running."""

import argparse

from memdesk.cli.backend import connect
from memdesk.cli.output import print_rows


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """Add nothing: the command takes no arguments of its own."""


def run(options: argparse.Namespace) -> None:
    with connect(options) as client:
        answer = client.get("/memory/status")
    print_rows(options, answer, _flat(answer))


def _flat(value: object, path: str = "") -> list[tuple[str, object]]:
    if isinstance(value, dict):
        return [row for key, inner in value.items() for row in _flat(inner, f"{path}.{key}" if path else str(key))]
    if isinstance(value, list):
        return [(path, len(value))]
    return [(path, value)]
