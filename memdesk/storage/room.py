"""Handling of a full disk: the memory can be read, and only writes that free space are allowed.

Forgetting writes before it frees: rows are first overwritten in the log. So that it can begin on a completely full
disk, a filler file, the reserve, is kept beside the memory and deleted when space runs out. Messages and indexes must
not use up the reserve's space, so other writes wait until more is free.
"""

import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from memdesk.errors import DiskFullError
from memdesk.messages import say
from memdesk.storage.errors import has_room

log = logging.getLogger(__name__)

#: Twice the size of the log before it is folded in during a large forgetting.
RESERVE: Final = 8 * 2**20
#: Free space, besides the reserve, required to create it or to allow new writes again.
SPARE: Final = 2**20
#: Space that opening the file needs: the index of its log and a few pages.
LEAST: Final = 2**17


class Room:
    """Decides who may write beside a database file. Thread-safe."""

    def __init__(self, path: Path, told: Callable[[bool], object] = lambda _full: None) -> None:
        self._path = path
        self._told = told
        self._lock = threading.RLock()
        self._freeing = threading.local()
        self._full = False

    @property
    def reserve(self) -> Path:
        return self._path.with_name(self._path.name + ".reserve")

    @property
    def full(self) -> bool:
        """Whether new writes are refused."""
        return self._full

    def keep_reserve(self) -> None:
        """Create the reserve if it is missing and there is ample space."""
        with self._lock:
            if not self._full and not self.reserve.exists() and has_room(self._path, 2 * RESERVE + SPARE):
                self._make_reserve()

    def _make_reserve(self) -> bool:
        try:
            _fill(self.reserve)
        except OSError as error:
            self._let_go()
            log.warning("no room is reserved beside the memory: %s", error.strerror)
            return False
        return True

    def _let_go(self) -> None:
        try:
            self.reserve.unlink(missing_ok=True)
        except OSError as error:
            log.warning("the room beside the memory cannot be let go of: %s", error.strerror)

    def look(self) -> None:
        """Check whether there is space besides the reserve; if not, delete it."""
        if self._path.exists() and not has_room(self._path, LEAST if self.reserve.exists() else RESERVE + SPARE):
            self.ran_out()

    def ran_out(self) -> None:
        with self._lock:
            self._let_go()
            changed, self._full = not self._full, True
        if changed:
            log.warning("the disk is full: the memory is read, and nothing new is kept")
            self._told(True)

    def check(self) -> None:
        """Refuse writes that do not free space while the disk is full.

        Raises:
            DiskFullError: it is.
        """
        if self._full and not getattr(self._freeing, "on", False) and not self.look_again():
            raise DiskFullError(
                say("The disk is full: the memory can be read, but nothing new is saved."),
                hint=say(
                    "Free some space, or forget something here: room is kept for that. What was saved before is safe."
                ),
            )

    @contextmanager
    def freeing(self, drop: Callable[[], object]) -> Iterator[None]:
        """Let this thread write although the disk is full, because it frees space.

        Args:
            drop: deletes expendable files if there is no space to begin with.
        """
        if not has_room(self._path, RESERVE):
            self.ran_out()
            drop()
        self._freeing.on = True
        try:
            yield
        finally:
            self._freeing.on = False

    def look_again(self) -> bool:
        """Return whether there is space for the reserve and more; if so, create it and allow all writes again."""
        with self._lock:
            # Without the reserve, the space released for forgetting would go to the next messages.
            if self._full and has_room(self._path, RESERVE + SPARE) and self._make_reserve():
                self._full = False
                log.info("there is room again on the disk")
                self._told(False)
            return not self._full


def _fill(path: Path) -> None:
    """Write a file of the reserve's size that really takes up space: a sparse file would not."""
    with path.open("xb") as file:
        path.chmod(0o600)
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, RESERVE)
        else:
            for _ in range(RESERVE // 2**20):
                file.write(bytes(2**20))
