"""Under which keys is kept what is known of notes, beside their passages."""

import hashlib
from typing import Final

#: Files of folders that the user added.
FOLDERS: Final = "notes:"
#: Files that agents write themselves.
FILES: Final = "files:"


def files_of(agent_id: str) -> str:
    """Return what begins the keys of an agent's own files; an agent's id may be any text, so its hash stands there."""
    return f"{FILES}{hashlib.sha256(agent_id.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}:"
