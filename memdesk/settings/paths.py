"""Where a profile's files live, by the platform's own conventions."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

APP_NAME = "memdesk"


@dataclass(frozen=True, slots=True)
class ProfilePaths:
    """The folders of one profile. Nothing is created until ``ensure`` is called.

    Attributes:
        data: ``memory.db``, ``vault.json`` and the instance lock.
        config: ``memory.json`` and its neighbours.
        cache: engine files that can be rebuilt and hold nothing of the user's.
        log: redacted logs.
        models: GGUF files that the user adds or downloads.
        options: what leads a command line to this profile.
    """

    data: Path
    config: Path
    cache: Path
    log: Path
    models: Path
    options: tuple[str, ...] = ()

    @property
    def database(self) -> Path:
        """The encrypted store."""
        return self.data / "memory.db"

    @property
    def vault(self) -> Path:
        """The wrapped data key."""
        return self.data / "vault.json"

    def ensure(self) -> None:
        """Create the folders, readable by their owner alone."""
        for folder in (self.data, self.config, self.cache, self.log, self.models):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def profile_paths(profile: str = "default", home: Path | None = None) -> ProfilePaths:
    """Return the folders of ``profile``.

    Args:
        profile: profile name; ``default`` has no folder level of its own.
        home: put everything below this folder instead (``--home``, tests, portable use).
            The environment variable ``MEMDESK_HOME`` does the same.
    """
    root = home or (Path(os.environ["MEMDESK_HOME"]) if os.environ.get("MEMDESK_HOME") else None)
    named = () if profile == "default" else ("--profile", profile)
    if root is not None:
        base = root / profile if profile != "default" else root
        options = ("--home", str(root.resolve()), *named)
        return ProfilePaths(base / "data", base / "config", base / "cache", base / "log", base / "models", options)
    dirs = platformdirs.PlatformDirs(APP_NAME, appauthor=False)
    sub = Path() if profile == "default" else Path("profiles") / profile
    data = Path(dirs.user_data_dir) / sub
    return ProfilePaths(
        data=data,
        config=Path(dirs.user_config_dir) / sub,
        cache=Path(dirs.user_cache_dir) / sub,
        log=Path(dirs.user_log_dir) / sub,
        models=Path(dirs.user_data_dir) / "models",
        options=named,
    )
