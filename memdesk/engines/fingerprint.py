"""SHA-256 of large files, cached until size or mtime changes."""

import hashlib
import json
import logging
import threading
from pathlib import Path

from memdesk.domain.decoding import decode
from memdesk.errors import DiskFullError, EnvironmentFault
from memdesk.messages import say
from memdesk.settings.files import write_atomic

log = logging.getLogger(__name__)
_LOCK = threading.Lock()


def sha256_of(path: Path) -> str:
    """Return the hex digest of a file's content."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


class Fingerprints:
    """Digests by path, kept in a small JSON file.

    The file is a convenience, not a defense: whoever can write it can write the models as well. It saves reading
    hundreds of megabytes at each start, and still detects a file that was replaced or truncated.
    """

    def __init__(self, store: Path) -> None:
        self._store = store

    def digest(self, path: Path) -> str:
        """Return the SHA-256 of ``path``, cached while size and mtime are unchanged.

        Raises:
            EnvironmentFault: the file cannot be read.
        """
        try:
            stat = path.stat()
            mark = f"{stat.st_size}:{stat.st_mtime_ns}"
            known = self._read().get(str(path))
            if known is not None and known.get("mark") == mark:
                return known["sha256"]
            digest = sha256_of(path)
        except OSError as error:
            raise EnvironmentFault(
                say("{name} cannot be read: {strerror}.", name=path.name, strerror=error.strerror)
            ) from error
        self._remember(path, {"mark": mark, "sha256": digest})
        return digest

    def _read(self) -> dict[str, dict[str, str]]:
        try:
            known = decode(self._store.read_bytes())
        except (OSError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}

    def _remember(self, path: Path, entry: dict[str, str]) -> None:
        with _LOCK:
            known = self._read()
            known[str(path)] = entry
            try:
                write_atomic(self._store, json.dumps(known, indent=1).encode())
            except (DiskFullError, OSError) as error:
                # The next start computes it again; a model must load even on a full or read-only disk.
                log.info("a digest could not be kept: %s", type(error).__name__)
