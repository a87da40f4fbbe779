"""Keys under which data about notes is stored, besides their passages."""

import hashlib
from typing import Final

#: Files of folders that the user added.
FOLDERS: Final = "notes:"
#: Hashes of passages that were forgotten from files which are gone since: most were renamed or moved.
FORGOTTEN: Final = "notes_forgotten:"
#: Files that agents write themselves.
FILES: Final = "files:"


def files_of(agent_id: str) -> str:
    """Return the prefix of the keys of an agent's own files; it has the id's hash, since an id may be any text."""
    return f"{FILES}{hashlib.sha256(agent_id.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}:"
