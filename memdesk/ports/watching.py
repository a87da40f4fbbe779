"""Notification of changed files."""

from collections.abc import Callable, Sequence
from typing import Protocol


class FolderWatcher(Protocol):
    """Reports files below some folders that were created, changed or deleted. One set of folders at a time."""

    def watch(self, folders: Sequence[str], changed: Callable[[set[str]], None], failed: Callable[[str], None]) -> None:
        """Watch these folders instead of the previous ones, until :meth:`stop`.

        Args:
            folders: absolute paths of existing folders.
            changed: called on the watcher's thread with absolute paths, once they have settled.
            failed: called with a message if the system cannot watch; nothing is watched then.
        """

    def stop(self) -> None:
        """Stop watching. Idempotent."""
