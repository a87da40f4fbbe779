"""Questions at the terminal. Secrets are read without echo and never from an argument."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from memdesk.errors import BadRequestError

if TYPE_CHECKING:
    import argparse

_MAX_SECRET_BYTES = 4096


def confirm(question: str) -> bool:
    """Ask for a yes; without a terminal the answer is no."""
    if not sys.stdin.isatty():
        return False
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().casefold() in {"y", "yes"}


def secret_from_env(name: str | None) -> str | None:
    """Return the secret in a variable and remove it, so that no child process inherits it; None without a name.

    Raises:
        BadRequestError: the variable is not set or empty.
    """
    if not name:
        return None
    secret = os.environ.pop(name, None)
    if not secret:
        raise BadRequestError(f"The environment variable {name} is not set or empty.")
    return secret


def given_passphrase(options: argparse.Namespace) -> str | None:
    """Return the passphrase named by ``--passphrase-env`` or ``--passphrase-fd``, or None when neither is given.

    Raises:
        BadRequestError: the variable is not set, or the descriptor cannot be read.
    """
    if options.passphrase_env:
        return secret_from_env(options.passphrase_env)
    if options.passphrase_fd is not None:
        try:
            with os.fdopen(options.passphrase_fd, "rb") as stream:
                data = stream.read(_MAX_SECRET_BYTES)
            secret = data.decode("utf-8").rstrip("\r\n")
        except (OSError, ValueError) as failed:
            raise BadRequestError(f"File descriptor {options.passphrase_fd} cannot be read: {failed}.") from failed
        if not secret:
            raise BadRequestError(f"File descriptor {options.passphrase_fd} gave no passphrase.")
        return secret
    return None


def ask_secret(question: str) -> str | None:
    """Ask for a secret without echo; None when there is no terminal to ask at."""
    import getpass

    if not sys.stdin.isatty():
        return None
    return getpass.getpass(f"{question}: ", stream=sys.stderr)
