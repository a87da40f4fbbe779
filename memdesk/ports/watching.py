"""Hearing of changed files."""

from collections.abc import Callable, Sequence
from typing import Protocol


class FolderWatcher(Protocol):
    """Tells which files below some folders were made, changed or removed. One set of folders at a time."""

    def watch(self, folders: Sequence[str], changed: Callable[[set[str]], None], failed: Callable[[str], None]) -> None:
        """Watch these folders in the place of those before, until :meth:`stop`.

        Args:
            folders: absolute paths of folders that are there.
            changed: called on a thread of the watcher with absolute paths, once they rest.
            failed: called with words where the system cannot watch; nothing is watched then.
        """

    def stop(self) -> None:
        """Watch nothing any more. Idempotent."""
