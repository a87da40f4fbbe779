"""The app's activity and health: for ``GET /memory/status``, the window's health tiles and bug reports."""

from __future__ import annotations

import platform
import statistics
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from attrs import define

import memdesk
from memdesk.domain.models import SignalStatus
from memdesk.errors import LockedError, MemdeskError
from memdesk.ports import ActivityRow, Clock, EngineState, Repositories, Store, UsageRow
from memdesk.services.events import EventBus, ServerChanged
from memdesk.services.upkeep.health import Health, HealthTile, part
from memdesk.services.upkeep.redacting import redact, without_folders

if TYPE_CHECKING:
    from memdesk.services.distilling import DistillationService
    from memdesk.services.guarding import VaultService
    from memdesk.services.models import ModelsService
    from memdesk.services.recalling import IndexingService, RecallService
    from memdesk.services.settings import SettingsService
    from memdesk.services.upkeep.consolidation import ConsolidationService

#: Maximum sessions listed in a snapshot, which has the full count.
SESSIONS_SHOWN: Final = 100
#: Receipts whose times are used.
SPEEDS_OF: Final = 30
#: Lines of the log in a report.
REPORT_LOG_LINES: Final = 60


@define(kw_only=True, eq=False, repr=False, slots=False)
class StatusService:
    """Collects state; a failing part is reported instead of failing everything."""

    _store: Store
    _clock: Clock
    _events: EventBus
    _settings: SettingsService
    _vault: VaultService
    _models: ModelsService
    _indexing: IndexingService
    _recall: RecallService
    _distillation: DistillationService
    _consolidation: ConsolidationService
    _free_disk: Callable[[], int]
    _log_tail: Callable[[int], str]
    _paused: Callable[[], bool] = lambda: False

    def __attrs_post_init__(self) -> None:
        self._started = self._clock.now()
        self._server_lock = threading.Lock()
        self._server = ServerChanged(url="", state="stopped")
        self._health = Health(
            store=self._store,
            clock=self._clock,
            settings=self._settings,
            vault=self._vault,
            indexing=self._indexing,
            consolidation=self._consolidation,
            engines=self.engines,
            server=self.server,
            free_disk=self._free_disk,
            paused=self._paused,
            lately=self._distillation.lately,
        )
        self._events.subscribe(ServerChanged, self._on_server)

    def snapshot(self) -> dict[str, Any]:
        """Return the state of the memory and of work on it.

        Raises:
            LockedError: the vault is locked.
        """
        with self._store.read() as repos:
            queues = _queues(repos)
            counts = _counts(repos)
        memory = self._settings.current.memory
        distillation = part(self._distillation.status)
        for named_already in ("pending", "parked"):
            distillation.pop(named_already, None)
        return {
            "version": memdesk.__version__,
            "enabled": memory.enabled,
            "core_model": memory.core_model,
            "chat_model": self._settings.current.engine.chat_model,
            "pending": queues["pending"],
            "parked": queues["parked"],
            "signals": queues["signals"],
            "running": distillation.get("running", []),
            "distillation": distillation,
            "consolidation": part(self._consolidation.next_run),
            "engines": [asdict(state) for state in self.engines()],
            "index": part(self._indexing.status),
            "caches": part(self._recall.stats),
            "speeds": part(self._speeds),
            "counts": counts,
            "settings": {
                "extraction_mode": memory.extraction_mode,
                "embedding_backend": memory.embedding_backend,
                "embedding_model": memory.embedding_model,
                "relevance_gate_mode": memory.relevance_gate_mode,
                "memory_budget_tokens": memory.memory_budget_tokens,
                "summary_debounce_seconds": memory.summary_debounce_seconds,
                "consolidation_interval_hours": memory.consolidation_interval_hours,
            },
            "server": asdict(self.server()),
            "uptime_seconds": round((self._clock.now() - self._started).total_seconds(), 1),
        }

    def ready(self) -> dict[str, Any]:
        """Return whether requests can be answered now, with the engines' states; starts nothing."""
        database = "locked"
        if self._vault.is_open():
            try:
                with self._store.read() as repos:
                    repos.turns.count()
                database = "open"
            except MemdeskError as error:
                database = "locked" if isinstance(error, LockedError) else error.code
        return {
            "ready": database == "open",
            "database": database,
            "engines": [{"name": e.name, "kind": e.kind, "state": e.state} for e in self.engines()],
        }

    def engines(self) -> list[EngineState]:
        return self._models.states()

    def server(self) -> ServerChanged:
        with self._server_lock:
            return self._server

    def health(self) -> list[HealthTile]:
        """Return the health tiles, in the order they are shown."""
        return self._health.tiles()

    def log(self, lines: int = 200) -> str:
        """Return the log's last lines: without secrets, user text or the account's name."""
        return redact(self._log_tail(lines))

    def record_activity(self, rows: Sequence[ActivityRow]) -> None:
        """Store requests to the local server, without content."""
        if rows:
            self._store.write(lambda repos: repos.meta.add_activity(rows))

    def activity(self, limit: int = 100) -> list[ActivityRow]:
        """Return the latest requests to the local server, newest first."""
        with self._store.read() as repos:
            return repos.meta.activity(limit=limit)

    def usage(self, days: int = 30) -> list[UsageRow]:
        """Return usage of models for answers in the last days, by day and model, newest first."""
        with self._store.read() as repos:
            return repos.turns.usage(self._clock.now() - timedelta(days=days))

    def report(self) -> str:
        """Return a text for a bug report: versions, states and counts; no user text, names or paths."""
        settings = self._settings.current
        lines = [
            f"memdesk {memdesk.__version__}",
            f"Python {platform.python_version()}, {platform.system()} {platform.release()}, {platform.machine()}",
            f"frozen: {bool(getattr(sys, 'frozen', False))}",
            "",
            "Health",
            *(f"- {tile.title}: {tile.level}. {tile.sentence}" for tile in self.health()),
            "",
            "Engines",
            *(
                f"- {state.kind} {state.state}, {state.rss_bytes / 1e6:.0f} MB, {state.restarts} restarts"
                for state in self.engines()
            ),
            "",
            "Settings",
            (
                f"- memory {settings.memory.enabled}, extraction {settings.memory.extraction_mode}, "
                f"gate {settings.memory.relevance_gate_mode}, embedding {settings.memory.embedding_backend}"
            ),
            (
                f"- context {settings.engine.context_tokens}, threads {settings.engine.threads}, "
                f"remote servers {len(settings.engine.remote_servers)}"
            ),
        ]
        if self._vault.is_open():
            lines += ["", "Counts", *(f"- {name}: {number}" for name, number in part(self._counts).items())]
        lines += ["", "Log", self.log(REPORT_LOG_LINES)]
        return without_folders("\n".join(lines)) + "\n"

    def _speeds(self) -> dict[str, Any]:
        """Return the search time for a reply, in ms (median of the last ones), and the chat model's speed."""
        with self._store.read() as repos:
            spent = [receipt.elapsed_ms for receipt in repos.receipts.page(limit=SPEEDS_OF).items]
        chat = self._models.speed(self._settings.current.engine.chat_model)
        return {
            "recalls": len(spent),
            "recall_ms": round(statistics.median(spent), 1) if spent else None,
            "chat_model": None if chat is None else asdict(chat),
        }

    def _counts(self) -> dict[str, Any]:
        with self._store.read() as repos:
            return {**_counts(repos)}

    def _on_server(self, event: ServerChanged) -> None:
        with self._server_lock:
            self._server = event


def _queues(repos: Repositories) -> dict[str, Any]:
    counts = repos.signals.counts()
    pending = repos.signals.sessions(SignalStatus.PENDING)
    parked = repos.signals.sessions(SignalStatus.PARKED)
    reasons: dict[tuple[str, str], str] = {}
    if parked:
        for signal in repos.signals.page(status=SignalStatus.PARKED, limit=500).items:
            reasons.setdefault((signal.agent_id, signal.conversation_id), signal.last_error)
    return {
        "signals": counts,
        "pending": [
            {"agent_id": agent, "conversation_id": conversation, "signals": number}
            for agent, conversation, number in pending[:SESSIONS_SHOWN]
        ],
        "parked": [
            {
                "agent_id": agent,
                "conversation_id": conversation,
                "signals": number,
                "reason": reasons.get((agent, conversation), ""),
            }
            for agent, conversation, number in parked[:SESSIONS_SHOWN]
        ],
    }


def _counts(repos: Repositories) -> dict[str, int]:
    return {
        "agents": len(repos.agents.all()),
        "conversations": repos.conversations.page(limit=1).total,
        "turns": repos.turns.count(),
        "facts": sum(repos.agents.fact_counts().values()),
        "episodes": repos.items.episodes(limit=1).total,
        "identity": len(repos.items.lines()),
        "entities": repos.entities.page(limit=1).total,
    }
