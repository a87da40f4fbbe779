"""The health of each part of the app: for the window's health tiles, ``GET /memory/health`` and bug reports."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import reduce
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from attrs import define

from memdesk.domain.models import SignalStatus
from memdesk.errors import LockedError, MemdeskError
from memdesk.messages import say
from memdesk.services.distilling import TOLD_FROM, model_wanted, why_passed
from memdesk.services.upkeep.redacting import redact

if TYPE_CHECKING:
    from memdesk.domain.models import Unread
    from memdesk.ports import Clock, EngineState, Store
    from memdesk.services.distilling import Lately
    from memdesk.services.events import ServerChanged
    from memdesk.services.guarding import VaultService
    from memdesk.services.recalling import IndexingService
    from memdesk.services.settings import SettingsService
    from memdesk.services.upkeep.consolidation import ConsolidationService

log = logging.getLogger(__name__)

Level = Literal["green", "amber", "red"]
TileId = Literal["database", "vault", "disk", "engines", "index", "distillation", "scheduler", "server"]
#: Free disk space in bytes below which to warn, and below which writes will soon fail.
LOW_DISK: Final = 1_000_000_000
FULL_DISK: Final = 100_000_000
#: After this long, an untested recovery code may have been lost unnoticed.
DRILL_AFTER: Final = timedelta(days=90)


_TITLES: Final[dict[TileId, str]] = {
    "vault": say("Vault"),
    "database": say("Database"),
    "disk": say("Disk"),
    "engines": say("Engines"),
    "index": say("Index"),
    "distillation": say("Distillation"),
    "scheduler": say("Consolidation"),
    "server": say("Local server"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthTile:
    """One part of the app: its state in a sentence, and a hint."""

    id: TileId
    title: str
    level: Level
    sentence: str
    hint: str = ""


class _Seen(NamedTuple):
    level: Level
    sentence: str
    hint: str = ""


@define(kw_only=True, eq=False, repr=False, slots=False)
class Health:
    """Checks each part separately: a failing check is reported and hides no other.

    Args:
        server: returns the local server's last state.
        paused: whether the user paused background work.
        lately: returns the outcomes of the latest sessions.
    """

    _store: Store
    _clock: Clock
    _settings: SettingsService
    _vault: VaultService
    _indexing: IndexingService
    _consolidation: ConsolidationService
    _engines: Callable[[], list[EngineState]]
    _server: Callable[[], ServerChanged]
    _free_disk: Callable[[], int]
    _paused: Callable[[], bool]
    _lately: Callable[[], Lately]

    def tiles(self) -> list[HealthTile]:
        """Return the tiles in the order they are shown; without those that need the memory while locked."""
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
            return _Seen(level="amber", sentence=say("memdesk is locked."), hint=say("Unlock it to use it."))
        self._vault.check_file()
        tried = self._vault.recovery_tried()
        if tried is None or self._clock.now() - tried > DRILL_AFTER:
            return _Seen(
                level="amber",
                sentence=say("The recovery code has not been tried for three months."),
                hint=say("Try it under Settings, Privacy: it opens the memory when nothing else does."),
            )
        return _Seen(level="green", sentence=say("The key is in memory."))

    def _database_seen(self) -> _Seen:
        if not self._vault.is_open():
            return _Seen(level="amber", sentence=say("Closed while memdesk is locked."))
        with self._store.read() as repos:
            turns = repos.turns.count()
        return _Seen(level="green", sentence=say("Open and encrypted; {n:,} turns.", n=turns))

    def _disk_seen(self) -> _Seen:
        free = self._free_disk()
        if free >= LOW_DISK:
            return _Seen(level="green", sentence=say("{size:.1f} GB are free.", size=free / 1e9))
        return _Seen(
            level="red" if free < FULL_DISK else "amber",
            sentence=say("Only {free:.0f} MB are free.", free=free / 1000000.0),
            hint=say("Free some space: on a full disk nothing new is remembered."),
        )

    def _engines_seen(self) -> _Seen:
        states = self._engines()
        failed = [state for state in states if state.state in {"failed", "backoff"}]
        if failed:
            return _Seen(
                level="red" if any(state.state == "failed" for state in failed) else "amber",
                sentence=say(
                    "{n} of {len} engines stopped: {redact}",
                    n=len(failed),
                    len=len(states),
                    redact=redact(failed[0].last_error)[:160],
                ),
                hint=say("They restart by themselves. If it keeps happening, choose a smaller model or fewer threads."),
            )
        running = sum(state.state in {"ready", "busy"} for state in states)
        sentence = (
            say("{n:,} loaded; others start when needed.", n=running)
            if running
            else say("Idle; they start when needed.")
        )
        return _Seen(level="green", sentence=sentence)

    def _index_seen(self) -> _Seen:
        status = self._indexing.status()
        if status.get("error"):
            return _Seen(
                level="red",
                sentence=str(status.get("message") or status["error"]),
                hint=say("Search by words still works."),
            )
        memory = self._settings.current.memory
        if not status.get("enabled", True) and memory.embedding_backend != "none":
            return _Seen(
                level="red",
                sentence=say("The embedding model {model} cannot be used.", model=memory.embedding_model),
                hint=say("Search uses words only. Choose another model in the settings."),
            )
        if status.get("problem"):
            return _Seen(
                level="red",
                sentence=status["problem"],
                hint=say("Search still uses the previous model. Choose another one in the settings."),
            )
        missing = int(status.get("missing") or 0)
        if missing and status.get("coming"):
            return _Seen(
                level="amber",
                sentence=say("{n:,} texts are waiting to be embedded by the new model.", n=missing),
                hint=say("This runs in the background; search uses the previous model until it is done."),
            )
        if missing:
            return _Seen(
                level="amber",
                sentence=say("{n:,} texts are waiting to be embedded.", n=missing),
                hint=say("This runs in the background; meanwhile they are found by their words."),
            )
        if status.get("leaves"):
            return _Seen(
                level="green",  # as the user chose
                sentence=say("Up to date. Texts leave this machine to be embedded."),
                hint=say(
                    "Secrets and what is kept for models here do not; with a model on this machine, nothing does."
                ),
            )
        sentence = say("Up to date.") if status.get("enabled", True) else say("Off: search uses words only.")
        return _Seen(level="green", sentence=sentence)

    def _distillation_seen(self) -> _Seen:
        with self._store.read() as repos:
            pending = repos.signals.counts()[SignalStatus.PENDING]
            parked, put_off = (repos.signals.unread(status) for status in (SignalStatus.PARKED, SignalStatus.PENDING))
        if parked is not None:
            sentence = say("Set aside since {since:%d %b %Y, %H:%M}: {n:turn}. {why}", **self._told(parked))
            return _Seen("red", sentence, say("Then retry, under Diagnostics or with: memdesk distill --retry-parked"))
        if pending and model_wanted(self._settings.current.memory):
            return _Seen(
                level="amber",
                sentence=(
                    say("One turn waits, and no core model is chosen.")
                    if pending == 1
                    else say("{n:,} turns wait, and no core model is chosen.", n=pending)
                ),
                hint=say("Choose one under Models."),
            )
        if put_off is not None:
            sentence = say("Waiting since {since:%d %b %Y, %H:%M}: {n:turn}. {why}", **self._told(put_off))
            return _Seen("amber", sentence, say("It is retried automatically; memdesk distill retries it at once."))
        recent = self._lately()
        return self._learning_seen(recent) or self._waiting_seen(pending, recent.secrets)

    def _told(self, unread: Unread) -> dict[str, Any]:
        return {"n": unread.signals, "since": self._clock.local(unread.since), "why": redact(unread.why)}

    def _learning_seen(self, recent: Lately) -> _Seen | None:
        """Report which sessions were skipped and why, or that the last ones gave nothing; None if neither."""
        if recent.skipped:
            why, _ = recent.skipped[0]
            return _Seen(
                level="green",  # as the user chose
                sentence=say("{n:conversation} not read: {why}", n=sum(count for _, count in recent.skipped), why=why),
                hint=say("What was said in them is stored and can be searched; nothing new is remembered from it."),
            )
        if recent.barren < TOLD_FROM:
            return None
        counts: Counter[str] = Counter()
        for reason, count in recent.left_out:
            counts[why_passed(reason)] += count
        parts = [say("{why} ({count})", why=why, count=count) for why, count in counts.most_common(4)]
        passed = reduce(lambda before, part: before + ", " + part, parts) if parts else ""
        return _Seen(
            level="amber",
            sentence=say("The last {n:conversation} brought nothing to remember.", n=recent.barren),
            hint=say("Passed over: {passed}.", passed=passed) if passed else "",
        )

    def _waiting_seen(self, pending: int, secrets: int) -> _Seen:
        sentence = say("Nothing waits.")
        if pending:
            sentence = (
                say("One message waits for its conversation to rest.")
                if pending == 1
                else say("{n:,} messages wait for their conversations to rest.", n=pending)
            )
        hint = say(
            "Recently left out of memory: {n:secret}. The chat shows it and keeps it if you want; programs can store it as a fact.",
            n=secrets,
        )
        return _Seen(level="green", sentence=sentence, hint=hint if secrets else "")

    def _scheduler_seen(self) -> _Seen:
        status = self._consolidation.next_run()
        if self._paused():
            return _Seen(
                level="amber",
                sentence=say("Background work is paused."),
                hint=say("Resume it whenever you like; nothing is lost."),
            )
        waiting = str(status["waiting"] or "")
        sentence = waiting or say("Next run: {local:%A, %d %b %Y, %H:%M}.", local=self._clock.local(status["at"]))
        return _Seen(level="green", sentence=sentence)

    def _server_seen(self) -> _Seen:
        server = self._server()
        if server.state == "failed":
            return _Seen(level="red", sentence=server.message, hint=say("Change the port, then restart."))
        if server.state == "listening":
            return _Seen(level="green", sentence=say("Listening at {url}.", url=server.url))
        if not self._settings.current.server.enabled:
            return _Seen(level="green", sentence=say("Switched off in the settings."))
        return _Seen(level="amber", sentence=say("Not running."))


def part(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what ``work`` returns, or ``error`` and ``message`` if it fails. Raises ``LockedError``."""
    try:
        return work()
    except LockedError:
        raise
    except MemdeskError as error:
        return {"error": error.code, "message": error.message}
    except Exception as error:
        # Any failure is logged and shown in place of this part; the other parts are still reported.
        log.exception("a part cannot tell its state")
        return {"error": "internal_error", "message": f"An unexpected {type(error).__name__} came up."}


def _looked(id_: TileId, look: Callable[[], _Seen]) -> _Seen:
    try:
        return look()
    except MemdeskError as error:
        return _Seen("amber" if isinstance(error, LockedError) else "red", redact(error.message), error.hint)
    except Exception:
        # Any failure is logged and its tile is red; the others are still reported.
        log.exception("the tile %s cannot be made", id_)
        return _Seen(
            level="red", sentence=say("Its state cannot be read."), hint=say("Copy a report and send it to us.")
        )
