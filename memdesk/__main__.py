"""Entry point of ``memdesk`` and ``python -m memdesk``."""

import os
import sys


def main() -> int:
    """Run the command line, or the engine process that a frozen build starts by its own name; return the exit code."""
    # numpy's products are small here: waking every core for one costs twice what it saves. Read when numpy is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Whatever is written is the user's alone, however loose the shell is that started us.
    os.umask(0o077)
    if sys.argv[1:2] == ["--engine-worker"]:
        from memdesk.runtime.child import main as run_worker

        return run_worker(sys.argv[2:])
    from memdesk.cli.main import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
