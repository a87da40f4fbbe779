"""Prompts at the terminal. Secrets are read without echo."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memdesk.cli.exits import Exit
from memdesk.cli.output import note, print_json

if TYPE_CHECKING:
    from memdesk.cli.client import Client


def confirm(question: str) -> bool:
    """Ask for a yes; without a terminal the answer is no."""
    if not sys.stdin.isatty():
        return False
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().casefold() in {"y", "yes"}


def ask_secret(question: str) -> str | None:
    """Ask for a secret without echo; None when there is no terminal to ask at."""
    import getpass

    if not sys.stdin.isatty():
        return None
    return getpass.getpass(f"{question}: ", stream=sys.stderr)


def delete_asking(
    options: argparse.Namespace, client: Client, address: str, question: Callable[[Any], str], **how: Any
) -> Exit | None:
    """Delete what a path names, after confirmation of what would be deleted; or only print that."""
    preview = client.delete(address, **how, dry_run=True)
    if options.dry_run:
        print_json(preview)
    elif options.yes or confirm(question(preview)):
        print_json(client.delete(address, **how))
    else:
        note("Nothing was deleted. (--yes deletes without asking.)")
        return Exit.INTERRUPTED
    return None
