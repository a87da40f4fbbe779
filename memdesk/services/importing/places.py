"""Where LM Studio and Jan keep their models and chats on this machine, and Osaurus its chats."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memdesk.domain.decoding import decode


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatFolder:
    """A folder of another program's chats."""

    program: str
    path: Path


def chat_folders(home: Path | None = None) -> list[ChatFolder]:
    """Return the chat folders of LM Studio, Jan and Osaurus, below ``home`` or the present user's."""
    home = home or Path.home()
    places = [("LM Studio", base / "conversations", "*.conversation.json") for base in lm_studio_folders(home)]
    places += [("Jan", base / "threads", "messages.jsonl") for base in jan_folders(home)]
    places += [("Osaurus", home / ".osaurus" / name, "*.json") for name in ("sessions", "sessions.archive")]
    found = [ChatFolder(program=program, path=path) for program, path, files in places if _holds(path, files)]
    return list({folder.path.resolve(): folder for folder in found}.values())


def lm_studio_folders(home: Path) -> list[Path]:
    """Return LM Studio's folders, existing or not; a moved one comes first.

    https://github.com/lmstudio-ai/lmstudio-js uses the same pointer file (``findLMStudioHome``).
    """
    folders = [home / ".lmstudio", home / ".cache" / "lm-studio"]
    moved = text_of(home / ".lmstudio-home-pointer").strip()
    return [Path(moved), *folders] if moved else folders


def jan_folders(home: Path) -> list[Path]:
    """Return Jan's data folders, existing or not; its settings name a moved one."""
    folders = [home / "jan"]
    for base in _application_folders(home, "Jan"):
        folders.append(base / "data")
        settings = json_of(base / "settings.json")
        if isinstance(settings, dict) and isinstance(settings.get("data_folder"), str):
            folders.append(Path(settings["data_folder"]))
    return folders


def text_of(path: Path) -> str:
    """Return a file's text; empty if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def json_of(path: Path) -> Any:
    """Return a JSON file's value; None if it cannot be read."""
    try:
        return decode(text_of(path))
    except ValueError:
        return None


def _holds(folder: Path, files: str) -> bool:
    try:
        return next(folder.rglob(files), None) is not None
    except OSError:
        return False


def _application_folders(home: Path, name: str) -> list[Path]:
    if sys.platform == "darwin":
        return [home / "Library" / "Application Support" / name]
    if sys.platform == "win32":
        return [Path(os.environ.get("APPDATA", str(home / "AppData" / "Roaming"))) / name]
    return [
        Path(os.environ.get("XDG_DATA_HOME", str(home / ".local" / "share"))) / name,
        Path(os.environ.get("XDG_CONFIG_HOME", str(home / ".config"))) / name,
    ]
