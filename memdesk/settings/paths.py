"""Where a profile's files live, by the platform's own conventions."""

import logging
import os
import re
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from memdesk.errors import BadRequestError, EnvironmentFault
from memdesk.messages import say
from memdesk.settings.files import unwritten

log = logging.getLogger(__name__)

APP_NAME = "memdesk"
#: Profile names are folder names.
_NAME = re.compile(r"[^\W_](?:[\w .-]{0,62}[\w-])?")


@dataclass(frozen=True, slots=True)
class ProfilePaths:
    """The folders of one profile. Nothing is created until ``ensure`` is called.

    Attributes:
        data: ``memory.db``, ``vault.json`` and the instance lock.
        config: ``memory.json`` and its neighbors.
        cache: engine files that can be rebuilt and hold nothing of the user's.
        models: GGUF files that the user adds or downloads.
        options: command line options that select this profile.
    """

    data: Path
    config: Path
    cache: Path
    log: Path
    models: Path
    options: tuple[str, ...] = ()

    @property
    def database(self) -> Path:
        return self.data / "memory.db"

    @property
    def vault(self) -> Path:
        """The wrapped data key."""
        return self.data / "vault.json"

    @property
    def snapshots(self) -> Path:
        """The daily copies of the memory."""
        return self.data / "snapshots"

    @property
    def command(self) -> list[str]:
        """The command line of memdesk with this profile, up to the command's name."""
        return [sys.executable, *([] if getattr(sys, "frozen", False) else ["-m", "memdesk"]), *self.options]

    def ensure(self) -> None:
        """Create the folders, readable only by their owner.

        Raises:
            EnvironmentFault: one cannot be created, or is world-writable, so its files cannot be trusted; or a pipe or device
                is in the place of a file, which would be read for ever.
        """
        for folder in self.folders:
            try:
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            except OSError as error:
                raise unwritten(error, folder) from error
            if os.name != "nt" and folder.stat().st_mode & stat.S_IWOTH:
                raise EnvironmentFault(
                    say("Anyone can write to {folder}.", folder=folder), hint=say("chmod 700 {folder}", folder=folder)
                )
        for file in (*self.data.iterdir(), *self.config.iterdir()):
            if any(is_kind(file) for is_kind in (Path.is_fifo, Path.is_char_device, Path.is_block_device)):
                raise EnvironmentFault(
                    say("{name} is not a file.", name=file), hint=say("Move it away, then start memdesk again.")
                )

    def close_to_others(self) -> None:
        """Remove others' permissions on files of the memory and the settings, which copying may have granted.

        Raises:
            EnvironmentFault: a file is not the user's.
        """
        if os.name == "nt":
            return
        for file in (*self.data.iterdir(), *self.config.iterdir()):
            try:
                mode = file.lstat().st_mode
                if not stat.S_ISREG(mode) or not mode & (stat.S_IRWXG | stat.S_IRWXO):
                    continue
                file.chmod(0o600)
            except OSError as error:
                raise unwritten(error, file) from error
            log.info("%s was open to others (%o); it is its owner's alone now", file.name, stat.S_IMODE(mode))

    @property
    def folders(self) -> tuple[Path, ...]:
        return self.data, self.config, self.cache, self.log, self.models


def profile_paths(profile: str = "default", home: Path | None = None) -> ProfilePaths:
    """Return the folders of ``profile``.

    Args:
        profile: profile name; ``default`` has no folder level of its own.
        home: put everything in this folder instead (``--home``, tests, portable use).
            The environment variable ``MEMDESK_HOME`` does the same.

    Raises:
        BadRequestError: the name could lead out of the folder of profiles.
    """
    if not _NAME.fullmatch(profile):
        raise BadRequestError(
            say("{profile!r} is not a valid name for a profile.", profile=profile),
            hint=say("Use letters, digits, spaces and - _ . inside; a path is not allowed."),
        )
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
