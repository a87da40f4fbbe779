"""Watches folders through the system's notifications."""

from __future__ import annotations

import platform
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

#: A change is reported once nothing has followed it for this long, in milliseconds.
REST_MS: Final = 1500
#: How often the watcher polls for notifications, in milliseconds.
STEP_MS: Final = 500
#: How often files are polled where the system reports no changes, on Windows' disks, in milliseconds.
_POLL_MS: Final = 2000


class NoticedFolders:
    """:class:`memdesk.ports.FolderWatcher` over ``watchfiles``. Without folders there is no thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: tuple[threading.Thread, threading.Event] | None = None

    def watch(self, folders: Sequence[str], changed: Callable[[set[str]], None], failed: Callable[[str], None]) -> None:
        """Watch these folders instead of the previous ones; changes after it returns are reported."""
        self.stop()
        if not folders:
            return
        try:
            watcher = _watcher(folders)
        except OSError as error:
            failed(f"The system cannot watch these folders: {error.strerror or error}.")
            return
        ended = threading.Event()
        thread = threading.Thread(target=_listen, args=(watcher, changed, ended), name="memdesk-notes", daemon=True)
        with self._lock:
            self._running = thread, ended
        thread.start()

    def stop(self) -> None:
        with self._lock:
            running, self._running = self._running, None
        if running is not None:
            running[1].set()
            if running[0] is not threading.current_thread():
                running[0].join()


def _watcher(folders: Sequence[str]) -> RustNotify:
    # ``watchfiles.watch`` begins to watch some time after it returned; this does so when it is created:
    # https://watchfiles.helpmanual.io/api/rust_backend/
    from watchfiles._rust_notify import RustNotify

    poll = "microsoft-standard" in platform.uname().release
    return RustNotify(list(folders), False, poll, _POLL_MS, True, True)


def _listen(watcher: RustNotify, changed: Callable[[set[str]], None], ended: threading.Event) -> None:
    with watcher:
        while not ended.is_set():
            found = watcher.watch(REST_MS, STEP_MS, 0, ended)
            if isinstance(found, set) and not ended.is_set():
                changed({path for _, path in found})
