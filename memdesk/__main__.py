"""Entry point of ``memdesk`` and ``python -m memdesk``."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line, or the engine process that a frozen build starts by its own name; return the exit code."""
    if sys.argv[1:2] == ["--engine-worker"]:
        from memdesk.runtime.child import main as run_worker

        return run_worker(sys.argv[2:])
    from memdesk.cli.main import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
