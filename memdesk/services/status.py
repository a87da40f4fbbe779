"""What the app is doing and how it is: for ``GET /memory/status``, the window's health tiles and bug reports."""

from __future__ import annotations

import platform
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import memdesk
from memdesk.domain.models import SignalStatus
from memdesk.errors import LockedError, MemdeskError
from memdesk.ports import ActivityRow, Clock, EngineState, Repositories, Store
from memdesk.services.events import EventBus, ServerChanged

if TYPE_CHECKING:
    from memdesk.services.consolidation import ConsolidationService
    from memdesk.services.distillation import DistillationService
    from memdesk.services.indexing import IndexingService
    from memdesk.services.models import ModelsService
    from memdesk.services.recall import RecallService
    from memdesk.services.settings import SettingsService
    from memdesk.services.vault import VaultService

Level = Literal["green", "amber", "red"]
#: Sessions named in a snapshot; their number is given in full.
SESSIONS_SHOWN: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthTile:
    """One part of the app: how it is, in a sentence, and what helps."""

    id: Literal["database", "vault", "engines", "index", "distillation", "scheduler", "server"]
    title: str
    level: Level
    sentence: str
    hint: str = ""


class StatusService:
    """Gathers state; a part that fails is named instead of failing the whole."""

    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        events: EventBus,
        settings: SettingsService,
        vault: VaultService,
        models: ModelsService,
        indexing: IndexingService,
        recall: RecallService,
        distillation: DistillationService,
        consolidation: ConsolidationService,
    ) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._vault = vault
        self._models = models
        self._indexing = indexing
        self._recall = recall
        self._distillation = distillation
        self._consolidation = consolidation
        self._started = clock.now()
        self._server_lock = threading.Lock()
        self._server = ServerChanged(url="", state="stopped")
        events.subscribe(ServerChanged, self._on_server)

    def snapshot(self) -> dict[str, Any]:
        """Return the state of memory and of the work on it.

        Raises:
            LockedError: the vault is locked.
        """
        with self._store.read() as repos:
            queues = _queues(repos)
            counts = _counts(repos)
        memory = self._settings.current.memory
        distillation = self._part(self._distillation.status)
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
            "consolidation": self._part(self._consolidation.next_run),
            "engines": [asdict(state) for state in self.engines()],
            "index": self._part(self._indexing.status),
            "caches": self._part(self._recall.stats),
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
        state = self._vault.state()
        database = "open" if state == "open" else "locked"
        if state == "open":
            try:
                with self._store.read() as repos:
                    repos.turns.count()
            except LockedError:
                database = "locked"
            except MemdeskError as error:
                database = error.code
        return {
            "ready": database == "open",
            "database": database,
            "engines": [{"name": e.name, "kind": e.kind, "state": e.state} for e in self.engines()],
        }

    def engines(self) -> list[EngineState]:
        """Return what each engine process is doing."""
        return self._models.states()

    def server(self) -> ServerChanged:
        """Return what was last told of the local server."""
        with self._server_lock:
            return self._server

    def health(self) -> list[HealthTile]:
        """Return the health tiles, in the order they are shown."""
        locked = self._vault.state() != "open"
        tiles = [self._vault_tile(locked=locked), self._database_tile(locked=locked), self._engines_tile()]
        if not locked:
            tiles += [self._index_tile(), self._distillation_tile(), self._scheduler_tile()]
        return [*tiles, self._server_tile()]

    def record_activity(self, rows: Sequence[ActivityRow]) -> None:
        """Store what was asked of the local server: never content."""
        if rows:
            self._store.write(lambda repos: repos.meta.add_activity(rows))

    def activity(self, limit: int = 100) -> list[ActivityRow]:
        """Return the latest requests to the local server, newest first."""
        with self._store.read() as repos:
            return repos.meta.activity(limit=limit)

    def report(self) -> str:
        """Return a text for a bug report: versions, states and counts; no words of the user, no names, no paths."""
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
                f"- {state.kind} {state.state}, {state.rss_bytes // 2**20} MiB, {state.restarts} restarts"
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
        if self._vault.state() == "open":
            with self._store.read() as repos:
                counts = _counts(repos)
            lines += ["", "Counts", *(f"- {name}: {number}" for name, number in counts.items())]
        return redact("\n".join(lines)) + "\n"

    def _on_server(self, event: ServerChanged) -> None:
        with self._server_lock:
            self._server = event

    def _part(self, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        try:
            return work()
        except LockedError:
            raise
        except MemdeskError as error:
            return {"error": error.code, "message": error.message}

    def _vault_tile(self, *, locked: bool) -> HealthTile:
        if locked:
            return HealthTile(
                id="vault", title="Vault", level="amber", sentence="memdesk is locked.", hint="Unlock it to use it."
            )
        return HealthTile(id="vault", title="Vault", level="green", sentence="The key is in memory.")

    def _database_tile(self, *, locked: bool) -> HealthTile:
        title = "Database"
        if locked:
            return HealthTile(id="database", title=title, level="amber", sentence="Closed while memdesk is locked.")
        try:
            with self._store.read() as repos:
                turns = repos.turns.count()
        except MemdeskError as error:
            return HealthTile(id="database", title=title, level="red", sentence=error.message, hint=error.hint)
        return HealthTile(id="database", title=title, level="green", sentence=f"Open and encrypted; {turns:,} turns.")

    def _engines_tile(self) -> HealthTile:
        states = self.engines()
        failed = [state for state in states if state.state in {"failed", "backoff"}]
        if failed:
            level: Level = "red" if any(state.state == "failed" for state in failed) else "amber"
            return HealthTile(
                id="engines",
                title="Engines",
                level=level,
                sentence=f"{len(failed)} of {len(states)} engines stopped: {redact(failed[0].last_error)[:160]}",
                hint="They restart by themselves. If it goes on, choose a smaller model or fewer threads.",
            )
        running = sum(state.state in {"ready", "busy"} for state in states)
        sentence = f"{running:,} loaded; others start when needed." if running else "Idle; they start when needed."
        return HealthTile(id="engines", title="Engines", level="green", sentence=sentence)

    def _index_tile(self) -> HealthTile:
        status = self._part(self._indexing.status)
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
        status = self._part(self._consolidation.next_run)
        if "error" in status:
            return HealthTile(id="scheduler", title="Consolidation", level="red", sentence=str(status["message"]))
        waiting = str(status["waiting"] or "")
        sentence = waiting or f"Next run: {self._clock.local(status['at']):%A, %d %b %Y, %H:%M}."
        return HealthTile(id="scheduler", title="Consolidation", level="green", sentence=sentence)

    def _server_tile(self) -> HealthTile:
        server = self.server()
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


def redact(text: str) -> str:
    """Return ``text`` without the user's home folder and account name."""
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text


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
        "episodes": repos.episodes.page(limit=1).total,
        "identity": len(repos.identity.all()),
        "entities": repos.entities.page(limit=1).total,
    }
