"""Removes what identifies the user from texts for others: the home folder, the account's name, whole paths."""

import getpass
import re
from pathlib import Path
from typing import Final

#: Folders after which a path belongs to the program, not the user.
_OURS: Final = ("memdesk", "site-packages")
#: A path of at least two folders; URLs (``http://``) and routes (``/memory/facts``) are not file paths.
_PATH: Final = re.compile(r"(?<![\w.:/\\~…])(?:[A-Za-z]:[\\/]|~[\\/]|/)(?:[^\s\\/'\",;:()]+[\\/]+)+")
#: A shorter account name is left in: it is part of too many ordinary words.
_LEAST_NAME: Final = 3


def redact(text: str) -> str:
    """Return ``text`` without the user's home folder and account name; unchanged, also as a message, if it has neither."""
    home, name = str(Path.home()), _account()
    clean = text.replace(home, "~") if len(home) > 1 else text
    if len(name) >= _LEAST_NAME:
        clean = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "[user]", clean)
    return text if clean == text else clean


def without_folders(text: str) -> str:
    """Return ``text`` redacted, with every path cut to its file name, or to the program's own part."""
    return _PATH.sub(lambda found: _own_part(found[0]), redact(text))


def _own_part(folders: str) -> str:
    parts = [part for part in re.split(r"[\\/]+", folders) if part]
    known = next((place for place, part in enumerate(parts) if part in _OURS), len(parts))
    return "".join(f"{part}/" for part in ("…", *parts[known:]))


def _account() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
