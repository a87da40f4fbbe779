"""How each part of the app is: for the window's health tiles, ``GET /memory/health`` and bug reports."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

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


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthTile:
    """One part of the app: how it is, in a sentence, and what helps."""

    id: TileId
    title: str
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
        looks: list[tuple[TileId, str, Callable[[], HealthTile]]] = [
            ("vault", "Vault", self._vault_tile),
            ("database", "Database", self._database_tile),
            ("disk", "Disk", self._disk_tile),
            ("engines", "Engines", self._engines_tile),
        ]
        if self._vault.is_open():
            looks += [
                ("index", "Index", self._index_tile),
                ("distillation", "Distillation", self._distillation_tile),
                ("scheduler", "Consolidation", self._scheduler_tile),
            ]
        looks.append(("server", "Local server", self._server_tile))
        return [_looked(*look) for look in looks]

    def _vault_tile(self) -> HealthTile:
        if not self._vault.is_open():
            return HealthTile(
                id="vault", title="Vault", level="amber", sentence="memdesk is locked.", hint="Unlock it to use it."
            )
        self._vault.check_file()
        return HealthTile(id="vault", title="Vault", level="green", sentence="The key is in memory.")

    def _database_tile(self) -> HealthTile:
        if not self._vault.is_open():
            return HealthTile(
                id="database", title="Database", level="amber", sentence="Closed while memdesk is locked."
            )
        with self._store.read() as repos:
            turns = repos.turns.count()
        return HealthTile(
            id="database", title="Database", level="green", sentence=f"Open and encrypted; {turns:,} turns."
        )

    def _disk_tile(self) -> HealthTile:
        free = self._free_disk()
        size = f"{free / 1e9:.1f}"
        if free >= LOW_DISK:
            return HealthTile(id="disk", title="Disk", level="green", sentence=f"{size} GB are free.")
        return HealthTile(
            id="disk",
            title="Disk",
            level="red" if free < FULL_DISK else "amber",
            sentence=f"Only {free / 1e6:.0f} MB are free.",
            hint="Free some space: on a full disk nothing new is remembered.",
        )

    def _engines_tile(self) -> HealthTile:
        states = self._engines()
        failed = [state for state in states if state.state in {"failed", "backoff"}]
        if failed:
            return HealthTile(
                id="engines",
                title="Engines",
                level="red" if any(state.state == "failed" for state in failed) else "amber",
                sentence=f"{len(failed)} of {len(states)} engines stopped: {redact(failed[0].last_error)[:160]}",
                hint="They restart by themselves. If it goes on, choose a smaller model or fewer threads.",
            )
        running = sum(state.state in {"ready", "busy"} for state in states)
        sentence = f"{running:,} loaded; others start when needed." if running else "Idle; they start when needed."
        return HealthTile(id="engines", title="Engines", level="green", sentence=sentence)

    def _index_tile(self) -> HealthTile:
        status = self._indexing.status()
        if status.get("error"):
            return HealthTile(
                id="index",
                title="Index",
                level="red",
                sentence=str(status.get("message") or status["error"]),
                hint="Search by words goes on working.",
            )
        missing = int(status.get("missing") or 0)
        if missing:
            return HealthTile(
                id="index",
                title="Index",
                level="amber",
                sentence=f"{missing:,} texts wait for their vectors.",
                hint="This goes on in the background; search by words covers them meanwhile.",
            )
        sentence = "Up to date." if status.get("enabled", True) else "Off: search goes by words alone."
        return HealthTile(id="index", title="Index", level="green", sentence=sentence)

    def _distillation_tile(self) -> HealthTile:
        with self._store.read() as repos:
            counts = repos.signals.counts()
        parked = counts.get(SignalStatus.PARKED, 0)
        pending = counts.get(SignalStatus.PENDING, 0)
        title = "Distillation"
        if parked:
            return HealthTile(
                id="distillation",
                title=title,
                level="red",
                sentence=(
                    "One turn is parked after five failures."
                    if parked == 1
                    else f"{parked:,} turns are parked after five failures."
                ),
                hint="See the reason below, then retry.",
            )
        if pending and not self._settings.current.memory.core_model:
            return HealthTile(
                id="distillation",
                title=title,
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
        return HealthTile(id="distillation", title=title, level="green", sentence=sentence)

    def _scheduler_tile(self) -> HealthTile:
        status = self._consolidation.next_run()
        title = "Consolidation"
        if self._paused():
            return HealthTile(
                id="scheduler",
                title=title,
                level="amber",
                sentence="Background work is paused.",
                hint="Resume it when you want: nothing is lost meanwhile.",
            )
        waiting = str(status["waiting"] or "")
        sentence = waiting or f"Next run: {self._clock.local(status['at']):%A, %d %b %Y, %H:%M}."
        return HealthTile(id="scheduler", title=title, level="green", sentence=sentence)

    def _server_tile(self) -> HealthTile:
        server = self._server()
        title = "Local server"
        if server.state == "failed":
            return HealthTile(
                id="server", title=title, level="red", sentence=server.message, hint="Change the port, then restart."
            )
        if server.state == "listening":
            return HealthTile(id="server", title=title, level="green", sentence=f"Listening at {server.url}.")
        if not self._settings.current.server.enabled:
            return HealthTile(id="server", title=title, level="green", sentence="Switched off in the settings.")
        return HealthTile(id="server", title=title, level="amber", sentence="Not running.")


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
        log.exception("a part cannot tell its state")
        return {"error": "internal_error", "message": f"An unexpected {type(error).__name__} came up."}


def _looked(id_: TileId, title: str, look: Callable[[], HealthTile]) -> HealthTile:
    try:
        return look()
    except MemdeskError as error:
        level: Level = "amber" if isinstance(error, LockedError) else "red"
        return HealthTile(id=id_, title=title, level=level, sentence=redact(error.message), hint=error.hint)
    except Exception:
        log.exception("the tile %s cannot be made", id_)
        return HealthTile(
            id=id_,
            title=title,
            level="red",
            sentence="It cannot tell its state.",
            hint="Copy a report and send it to us.",
        )
