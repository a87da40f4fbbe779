"""What the window needs from the process around it; provided by the composition root."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol


class AppControls(Protocol):
    """The process: folders, instance lock, start at login, server, quitting.

    Methods may be called from a lane's thread; ``on_raise`` is called on the main thread.
    """

    @property
    def version(self) -> str:
        """The app's version."""

    @property
    def config_folder(self) -> Path:
        """Folder of ``appearance.json`` and the window's own state."""

    def on_raise(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` (from any thread) when a second start asks this window to show itself."""

    def set_start_at_login(self, on: bool) -> None:
        """Register or remove the start at login by the platform's own means."""

    def bind_shortcut(self, keys: str, pressed: Callable[[str], object]) -> str:
        """Bind a global shortcut to ``pressed`` (on any thread), replacing the previous one; empty for none.

        ``pressed`` gets the activation token for taking focus. Returns the keys as the system names them.

        Raises:
            EnvironmentFault: the system does not grant the shortcut.
        """

    def server_state(self) -> tuple[str, str]:
        """Return ``(state, url)`` of the local server: ``stopped``, ``starting``, ``listening`` or ``failed``."""

    def restart_server(self) -> None:
        """Stop the local server and start it with the present settings."""

    def paused(self) -> bool:
        """Whether background work (distillation, consolidation, indexing) is paused."""

    def set_paused(self, on: bool) -> None:
        """Pause or resume background work."""

    def close(self) -> None:
        """Close server, lanes, engines and store in order. Called once, after the window is gone."""
