"""Crashes without an exception, in Qt, a driver or the interpreter: recorded, and reported at the next start."""

import faulthandler
import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from memdesk.services.upkeep import without_folders

FILE = "last-crash.txt"


class LastCrash:
    """The file for the threads' stacks (functions and line numbers only) if a signal kills the process.

    Args:
        folder: the profile's folder of settings; the file exists while the window runs, and after a crash.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._file: IO[str] | None = None

    def begin(self) -> str:
        """Return what the last run left, empty if it ended normally, and start recording.

        Nothing is recorded if the file cannot be written, or if stacks are already written elsewhere, as with
        ``python -X faulthandler`` and in tests.
        """
        try:
            left = self._path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            left = ""
        if faulthandler.is_enabled():
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
            return without_folders(left)
        try:
            handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        except OSError:
            return without_folders(left)
        self._file = os.fdopen(handle, "w", encoding="utf-8")
        faulthandler.enable(self._file)
        return without_folders(left)

    def end(self) -> None:
        """Stop recording: the window ended normally. Idempotent."""
        if self._file is None:
            return
        faulthandler.disable()
        self._file.close()
        self._file = None
        self._path.unlink(missing_ok=True)
