"""One running memdesk: owns the profile, the services, the local server and background work."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import define

import memdesk
from memdesk.errors import CancelledError, LockedError, MemdeskError
from memdesk.messages import say
from memdesk.runtime.autostart import set_start_at_login
from memdesk.runtime.instance import Instance
from memdesk.runtime.logs import start_logging, stop_logging
from memdesk.services.events import LockChanged, Notice, ServerChanged, WindowWanted
from memdesk.services.guarding import ALL_SCOPES, COMMAND_LINE

if TYPE_CHECKING:
    from memdesk.api.server import ApiServer
    from memdesk.bootstrap.wiring import Wiring
    from memdesk.mcp.http import McpEndpoint
    from memdesk.ports import Embedder, SecretStore
    from memdesk.runtime.hotkey import Shortcut
    from memdesk.services.container import Services
    from memdesk.settings.paths import ProfilePaths

log = logging.getLogger(__name__)

#: How often to check whether a consolidation pass is due.
LOOK_EVERY: Final = timedelta(minutes=5)
FIRST_LOOK: Final = timedelta(minutes=10)
#: Soon after the start, so that short daily sessions get snapshots too.
FIRST_SNAPSHOT: Final = timedelta(minutes=2)
#: How often memory taken by reads is released, and how many reads since then mean it is still needed.
RELEASE_EVERY: Final = timedelta(minutes=2)
MANY_READS: Final = 50


@define(eq=False, repr=False, slots=False)
class App:
    """The process around window, server and command line. Thread-safe; ``close`` is idempotent.

    Nothing is read or created before ``open`` or ``open_window``.

    Args:
        secrets: the keyring; None for the system's.
        embedder: replaces the settings' embedder, for throw-away profiles.
        brief: it lives as long as one command.
    """

    paths: ProfilePaths
    _secrets: SecretStore | None = None
    _embedder: Callable[[], Embedder | None] | None = None
    _brief: bool = False

    def __attrs_post_init__(self) -> None:
        self._lock = threading.RLock()
        self._closing = ExitStack()
        self._closed = False
        self._shortcut: Shortcut | None = None
        self._instance = Instance(self.paths.data)
        self._wiring: Wiring | None = None
        self._server: ApiServer | None = None
        self._server_failed = ""
        self._scheduled = False
        self._indexing = False

    @property
    def services(self) -> Services:
        """The service layer; the memory may still be locked.

        Raises:
            AlreadyRunningError: another process owns the profile.
            SettingsFileError: a settings file cannot be used.
            CancelledError: the app was closed before it opened.
        """
        with self._lock:
            if self._wiring is None:
                self._wiring = self._wire()
            return self._wiring.services

    @property
    def token(self) -> str:
        """The secret our own command line uses with this process."""
        assert self._instance.owner is not None
        return self._instance.owner.token

    def lend_embedder(self, model: str) -> Embedder:
        """Return a second embedding model, named as in the settings. Raises ``EnvironmentFault``."""
        return self._parts.embedders.lent(model)

    def open(self, passphrase: str | None = None, recovery_code: str | None = None) -> str | None:
        """Open the memory, or make a new one; return the recovery code of a new one, else None.

        Raises:
            LockedError: the key is not available.
            EnvironmentFault: no keyring and no passphrase, or the store cannot be used.
        """
        vault = self.services.vault
        if vault.state() == "new":
            return vault.create(passphrase)
        vault.unlock(passphrase=passphrase, recovery_code=recovery_code)
        return None

    def open_window(self, passphrase: str | None = None, recovery_code: str | None = None) -> Services:
        """Open what the window needs, and start the rest once the memory is open. Call it off the main thread.

        Args:
            passphrase: opens an existing memory; a first start asks for its own.
            recovery_code: the same. If it does not open the memory, the log says so and the window asks.
        """
        services = self.services

        def opened(event: LockChanged) -> None:
            if not event.locked:
                services.lanes.submit("background", self._after_unlock)

        self._closing.callback(services.events.subscribe(LockChanged, opened))
        if (passphrase or recovery_code) and services.vault.state() == "locked":
            try:
                services.vault.unlock(passphrase=passphrase, recovery_code=recovery_code)
            except LockedError as error:
                log.warning("the window asks how to unlock: %s", error.message)
        return services

    def _after_unlock(self) -> None:
        if self.services.settings.current.server.enabled:
            try:
                self.start_server()
            except CancelledError:
                return
            except MemdeskError as error:
                self.services.events.publish(
                    Notice("error", error.title, error.message, hint=error.hint, code=error.code)
                )
        self.start_background()

    def _wire(self) -> Wiring:
        # Imported late, so that the window is painted first.
        from memdesk.bootstrap.wiring import wire

        if self._closed:
            raise CancelledError(say("memdesk is closing."))
        _no_core_dumps()
        self.paths.ensure()
        # A failure is cleaned up, so that a second try starts afresh.
        with ExitStack() as made:
            owner = self._instance.acquire(brief=self._brief)
            made.callback(self._instance.release)
            handler = start_logging(self.paths.log)
            made.callback(stop_logging, handler)
            self.paths.close_to_others()
            wiring = wire(self.paths, secrets=self._secrets, embedder=self._embedder)
            made.callback(wiring.close)
            self._closing.push(made.pop_all())
        wiring.services.tokens.accept(owner.token, name=COMMAND_LINE, scopes=ALL_SCOPES)
        wiring.services.events.subscribe(ServerChanged, self._server_changed)
        wiring.services.events.subscribe(LockChanged, self._lock_changed)
        return wiring

    def start_server(
        self, host: str | None = None, port: int | None = None, upstream: tuple[str, str] | None = None
    ) -> str:
        """Start the local server, by default as in the settings, and return its URL.

        Port 0 takes a free one. ``upstream`` is base URL and key of a server whose chat gets memory, instead of our own
        models; None: the one in the settings.

        Raises:
            PortTakenError: another program uses the port.
            NotFoundError: the settings name a server that is not set up.
            CancelledError: the app is closing.
        """
        from memdesk.api.server import ApiServer
        from memdesk.api.upstreams import Upstream

        with self._lock:
            if self._closed:
                raise CancelledError(say("memdesk is closing."))
            if self._server is None:
                wanted = self.services.settings.current.server
                if upstream is None and wanted.upstream:
                    upstream = self.services.models.reach_remote(wanted.upstream)
                self._server = ApiServer(
                    self.services,
                    host=wanted.host if host is None else host,
                    port=wanted.port if port is None else port,
                    mounts=self._mounts,
                    upstream=Upstream.of(*upstream) if upstream is not None else None,
                )
            url = self._server.start()
            self._instance.announce(url)
        return url

    def _mounts(self) -> dict[str, McpEndpoint]:
        """Return what other layers serve through the local server."""
        from memdesk.api.auth import agent_header, caller_of
        from memdesk.mcp.http import McpEndpoint

        # Not via the property: whoever stops the server holds its lock and waits for this thread.
        services = self._parts.services
        endpoint = McpEndpoint(
            services.tools, lambda request: (caller_of(request), agent_header(request)), services.events
        )
        return {"/mcp": endpoint}

    def stop_server(self) -> None:
        """Stop the local server. Idempotent."""
        with self._lock:
            server, self._server = self._server, None
            if server is not None:
                server.stop()
                if self._instance.owner is not None:
                    self._instance.announce("")

    def restart_server(self) -> None:
        self.stop_server()
        if self.services.settings.current.server.enabled:
            self.start_server()

    def server_state(self) -> tuple[str, str]:
        server = self._server
        if server is not None and server.url:
            return "listening", server.url
        return ("failed" if self._server_failed else "stopped"), ""

    def start_indexing(self) -> None:
        """Embed new rows from now on. Idempotent."""
        with self._lock:
            if not self._indexing:
                self._indexing = True
                self.services.indexing.start()

    def finish_indexing(self, progress: Callable[[int], None] | None = None) -> None:
        """Embed everything that has no vector yet, and wait; ``progress`` gets the row count of each batch.

        Raises:
            EngineError: the embedder failed; missing rows are embedded at a later start.
        """
        self.services.indexing.flush(progress=progress)

    def start_background(self) -> None:
        """Start indexing, resume unfinished work, and start the schedule.

        Called whenever the memory is opened: like the end of a run, locking leaves work unfinished.

        Raises:
            LockedError: the memory was locked again meanwhile.
        """
        with self._lock:
            if self._closed:
                return
            self._keep_schedule()
        self.start_indexing()
        services = self.services
        services.lanes.submit("background", services.forgetting.resume)
        services.distillation.resume_orphans()
        services.notes.start()
        services.entries_copy.start()
        services.tests.start()

    def _keep_schedule(self) -> None:
        if self._scheduled:
            return
        self._scheduled = True
        scheduler = self._parts.scheduler
        scheduler.every(
            LOOK_EVERY,
            self._consolidate_if_due,
            key="consolidation",
            first_after=FIRST_LOOK,
            jitter=timedelta(seconds=30),
        )
        scheduler.every(LOOK_EVERY, self._keep_snapshot, key="snapshot", first_after=FIRST_SNAPSHOT)
        scheduler.every(RELEASE_EVERY, self._release_unused, key="memory")
        scheduler.every(LOOK_EVERY, self._parts.store.room.keep_reserve, key="reserve", first_after=timedelta(0))
        scheduler.start()

    def _release_unused(self) -> None:
        if self.services.vault.state() == "open":
            self._parts.store.release_memory(unless_read=MANY_READS)

    def _keep_snapshot(self) -> None:
        if self.services.vault.state() == "open":
            self.services.snapshots.keep_if_due()

    def _consolidate_if_due(self) -> None:
        if self.services.vault.state() == "open":
            self.services.consolidation.run_if_due()

    @property
    def _parts(self) -> Wiring:
        assert self._wiring is not None
        return self._wiring

    def paused(self) -> bool:
        return self._parts.lanes.held

    def set_paused(self, on: bool) -> None:
        """Pause or resume background work. What the user asks for runs anyway."""
        self._parts.lanes.held = on

    @property
    def version(self) -> str:
        return memdesk.__version__

    @property
    def config_folder(self) -> Path:
        return self.paths.config

    def on_raise(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` when a second start asks for the window."""
        self.services.events.subscribe(WindowWanted, lambda _event: callback())

    def set_start_at_login(self, on: bool) -> None:
        set_start_at_login(on=on, options=self.paths.options)

    def bind_shortcut(self, keys: str, pressed: Callable[[str], object]) -> str:
        """Bind a global shortcut to ``pressed``, replacing the previous one.

        Raises:
            ShortcutError: the system does not grant the shortcut.
        """
        from memdesk.runtime.hotkey import bind

        if self._shortcut is not None:
            self._shortcut.close()
            self._shortcut = None
        if keys:
            self._shortcut = bind(keys, pressed)
        return self._shortcut.keys if self._shortcut is not None else ""

    def close(self) -> None:
        """Stop the server, background work, engines and store, in this order. Idempotent."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        if self._shortcut is not None:
            self._shortcut.close()
        self.stop_server()
        self._closing.close()

    def _server_changed(self, event: ServerChanged) -> None:
        self._server_failed = event.message if event.state == "failed" else ""

    def _lock_changed(self, event: LockChanged) -> None:
        if event.locked:
            # Engines hold prompts in memory: they end with the key.
            self.services.models.unload()
        elif (kept := self._parts.store.damaged) is not None:
            log.warning("the write-ahead log could not be read whole")
            self.services.events.publish(
                Notice(
                    "warning",
                    title=say("The last messages may be missing"),
                    message=say(
                        "The log of the memory was damaged and could not be read whole. It is kept as {name}.",
                        name=kept.name,
                    ),
                    hint=say(
                        "Check that your last conversations are there; if not: memdesk salvage --of {name}",
                        name=kept.name,
                    ),
                    code="log_damaged",
                )
            )
        elif self._parts.store.log_gone:
            log.warning("the write-ahead log was deleted")
            self.services.events.publish(
                Notice(
                    "warning",
                    title=say("The last messages may be missing"),
                    message=say(
                        "memdesk was stopped in the middle of its work, and the memory's log has been deleted since."
                    ),
                    hint=say("Put memory.db-wal back beside memory.db if you still have it, or restore a backup."),
                    code="log_gone",
                )
            )


def _no_core_dumps() -> None:
    """Keep the memory of a crashed process off the disk."""
    if os.name == "nt":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
