"""Questions at the terminal. Secrets are read without echo."""

import sys


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
