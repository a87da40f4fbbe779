"""What a full disk means for the memory: it is read, what frees room is written, and nothing else.

Forgetting writes before it frees: rows are overwritten in the log first. So that it can begin on a disk without a
free byte, a file without content, the reserve, lies beside the memory while there is room, and is deleted when there is
none. What the reserve held must not go to messages and indexes, which is why other writes wait until more is free.
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

#: Twice what the log grows to before it is folded in while much is forgotten.
RESERVE: Final = 8 * 2**20
#: What must be free beside the reserve for it to be made, or for anything new to be kept again.
SPARE: Final = 2**20
#: What opening the file needs: the index of its log and a few pages.
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
        """Whether nothing new is kept."""
        return self._full

    def keep_reserve(self) -> None:
        """Make the reserve if it is not there and there is more than enough room."""
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
        """Find out whether there is room to work in beside the reserve; else let go of it."""
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
        """Refuse what does not free room while the disk is full.

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
        """Let this thread write although the disk is full, for it frees room.

        Args:
            drop: deletes what may go first, when there is no room to begin with.
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
        """Return whether there is room for the reserve and more; then it is made, and everything is kept again."""
        with self._lock:
            # Without the reserve, what was let go of for forgetting would go to the next messages.
            if self._full and has_room(self._path, RESERVE + SPARE) and self._make_reserve():
                self._full = False
                log.info("there is room again on the disk")
                self._told(False)
            return not self._full


def _fill(path: Path) -> None:
    """Write a file of the reserve's size that really takes its room: a file with holes would not."""
    with path.open("xb") as file:
        path.chmod(0o600)
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, RESERVE)
        else:
            for _ in range(RESERVE // 2**20):
                file.write(bytes(2**20))
