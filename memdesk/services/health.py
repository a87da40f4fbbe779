"""How each part of the app is: for the window's health tiles, ``GET /memory/health`` and bug reports."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from memdesk.domain.models import SignalStatus
from memdesk.errors import LockedError, MemdeskError
from memdesk.services.redacting import redact

if TYPE_CHECKING:
    from memdesk.ports import Clock, EngineState, Store
    from memdesk.services.consolidation import ConsolidationService
    from memdesk.services.events import ServerChanged
    from memdesk.services.indexing import IndexingService
    from memdesk.services.settings import SettingsService
    from memdesk.services.vault import VaultService

log = logging.getLogger(__name__)

Level = Literal["green", "amber", "red"]
TileId = Literal["database", "vault", "disk", "engines", "index", "distillation", "scheduler", "server"]
#: Free room of the disk that holds the memory, in bytes, below which it is told; and below which writing soon fails.
LOW_DISK: Final = 1_000_000_000
FULL_DISK: Final = 100_000_000


_TITLES: Final[dict[TileId, str]] = {
    "vault": "Vault",
    "database": "Database",
    "disk": "Disk",
    "engines": "Engines",
    "index": "Index",
    "distillation": "Distillation",
    "scheduler": "Consolidation",
    "server": "Local server",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthTile:
    """One part of the app: how it is, in a sentence, and what helps."""

    id: TileId
    title: str
    level: Level
    sentence: str
    hint: str = ""


class _Seen(NamedTuple):
    """How a part is."""

    level: Level
    sentence: str
    hint: str = ""


class Health:
    """Looks at each part by itself: one that fails, for whatever reason, is told and hides no other.

    Args:
        store: the memory's database.
        clock: for the time of the next run.
        settings: what is switched on.
        vault: whether the memory is open.
        indexing: vectors, and texts that wait for theirs.
        consolidation: when it runs next.
        engines: returns what each engine process is doing.
        server: returns what was last told of the local server.
        free_disk: returns the free bytes of the disk that holds the memory.
        paused: whether the user holds background work.
    """

    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        settings: SettingsService,
        vault: VaultService,
        indexing: IndexingService,
        consolidation: ConsolidationService,
        engines: Callable[[], list[EngineState]],
        server: Callable[[], ServerChanged],
        free_disk: Callable[[], int],
        paused: Callable[[], bool],
    ) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._vault = vault
        self._indexing = indexing
        self._consolidation = consolidation
        self._engines = engines
        self._server = server
        self._free_disk = free_disk
        self._paused = paused

    def tiles(self) -> list[HealthTile]:
        """Return the tiles in the order they are shown; while locked, those that need the memory are left out."""
        looks: dict[TileId, Callable[[], _Seen]] = {
            "vault": self._vault_seen,
            "database": self._database_seen,
            "disk": self._disk_seen,
            "engines": self._engines_seen,
        }
        if self._vault.is_open():
            looks |= {
                "index": self._index_seen,
                "distillation": self._distillation_seen,
                "scheduler": self._scheduler_seen,
            }
        looks["server"] = self._server_seen
        return [HealthTile(id=id_, title=_TITLES[id_], **_looked(id_, look)._asdict()) for id_, look in looks.items()]

    def _vault_seen(self) -> _Seen:
        if not self._vault.is_open():
            return _Seen(level="amber", sentence="memdesk is locked.", hint="Unlock it to use it.")
        self._vault.check_file()
        return _Seen(level="green", sentence="The key is in memory.")

    def _database_seen(self) -> _Seen:
        if not self._vault.is_open():
            return _Seen(level="amber", sentence="Closed while memdesk is locked.")
        with self._store.read() as repos:
            turns = repos.turns.count()
        return _Seen(level="green", sentence=f"Open and encrypted; {turns:,} turns.")

    def _disk_seen(self) -> _Seen:
        free = self._free_disk()
        size = f"{free / 1e9:.1f}"
        if free >= LOW_DISK:
            return _Seen(level="green", sentence=f"{size} GB are free.")
        return _Seen(
            level="red" if free < FULL_DISK else "amber",
            sentence=f"Only {free / 1e6:.0f} MB are free.",
            hint="Free some space: on a full disk nothing new is remembered.",
        )

    def _engines_seen(self) -> _Seen:
        states = self._engines()
        failed = [state for state in states if state.state in {"failed", "backoff"}]
        if failed:
            return _Seen(
                level="red" if any(state.state == "failed" for state in failed) else "amber",
                sentence=f"{len(failed)} of {len(states)} engines stopped: {redact(failed[0].last_error)[:160]}",
                hint="They restart by themselves. If it goes on, choose a smaller model or fewer threads.",
            )
        running = sum(state.state in {"ready", "busy"} for state in states)
        sentence = f"{running:,} loaded; others start when needed." if running else "Idle; they start when needed."
        return _Seen(level="green", sentence=sentence)

    def _index_seen(self) -> _Seen:
        status = self._indexing.status()
        if status.get("error"):
            return _Seen(
                level="red",
                sentence=str(status.get("message") or status["error"]),
                hint="Search by words goes on working.",
            )
        missing = int(status.get("missing") or 0)
        if missing:
            return _Seen(
                level="amber",
                sentence=f"{missing:,} texts wait for their vectors.",
                hint="This goes on in the background; search by words covers them meanwhile.",
            )
        sentence = "Up to date." if status.get("enabled", True) else "Off: search goes by words alone."
        return _Seen(level="green", sentence=sentence)

    def _distillation_seen(self) -> _Seen:
        with self._store.read() as repos:
            counts = repos.signals.counts()
        parked = counts.get(SignalStatus.PARKED, 0)
        pending = counts.get(SignalStatus.PENDING, 0)
        if parked:
            return _Seen(
                level="red",
                sentence=(
                    "One turn is parked after five failures."
                    if parked == 1
                    else f"{parked:,} turns are parked after five failures."
                ),
                hint="See the reason below, then retry.",
            )
        if pending and not self._settings.current.memory.core_model:
            return _Seen(
                level="amber",
                sentence=(
                    "One turn waits, and no core model is chosen."
                    if pending == 1
                    else f"{pending:,} turns wait, and no core model is chosen."
                ),
                hint="Choose one under Models.",
            )
        sentence = "Nothing waits."
        if pending:
            sentence = (
                "One turn waits for its conversation to rest."
                if pending == 1
                else f"{pending:,} turns wait for their conversations to rest."
            )
        return _Seen(level="green", sentence=sentence)

    def _scheduler_seen(self) -> _Seen:
        status = self._consolidation.next_run()
        if self._paused():
            return _Seen(
                level="amber",
                sentence="Background work is paused.",
                hint="Resume it when you want: nothing is lost meanwhile.",
            )
        waiting = str(status["waiting"] or "")
        sentence = waiting or f"Next run: {self._clock.local(status['at']):%A, %d %b %Y, %H:%M}."
        return _Seen(level="green", sentence=sentence)

    def _server_seen(self) -> _Seen:
        server = self._server()
        if server.state == "failed":
            return _Seen(level="red", sentence=server.message, hint="Change the port, then restart.")
        if server.state == "listening":
            return _Seen(level="green", sentence=f"Listening at {server.url}.")
        if not self._settings.current.server.enabled:
            return _Seen(level="green", sentence="Switched off in the settings.")
        return _Seen(level="amber", sentence="Not running.")


def part(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what ``work`` returns, or ``error`` and ``message`` when it fails.

    Raises:
        LockedError: the memory is locked.
    """
    try:
        return work()
    except LockedError:
        raise
    except MemdeskError as error:
        return {"error": error.code, "message": error.message}
    except Exception as error:
        # Whatever broke, it is logged and named in this part's place; the other parts are still told.
        log.exception("a part cannot tell its state")
        return {"error": "internal_error", "message": f"An unexpected {type(error).__name__} came up."}


def _looked(id_: TileId, look: Callable[[], _Seen]) -> _Seen:
    try:
        return look()
    except MemdeskError as error:
        return _Seen("amber" if isinstance(error, LockedError) else "red", redact(error.message), error.hint)
    except Exception:
        # Whatever broke, it is logged, its tile is red, and the others are still told.
        log.exception("the tile %s cannot be made", id_)
        return _Seen(level="red", sentence="It cannot tell its state.", hint="Copy a report and send it to us.")
