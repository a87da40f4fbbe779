"""Entry point of ``memdesk`` and ``python -m memdesk``."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; return its exit code."""
    from memdesk.cli.main import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
