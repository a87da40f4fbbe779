"""The log: rotated, readable only by its owner, without secrets or user content.

Three rules: what looks like a secret is replaced; texts of foreign exceptions are left out,
since libraries quote their input; and message content is never logged in the first place.
"""

import copy
import logging
import os
import re
import sys
import traceback
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from memdesk.errors import EnvironmentFault
from memdesk.messages import say

LOG_FILE = "memdesk.log"
MAX_BYTES, BACKUPS = 1_000_000, 4
_REDACTED = "[redacted]"

#: What looks like a secret. Order matters: specific before general.
_PATTERNS = (
    # A recovery code: seven groups of four of Crockford's base32, with any separators.
    re.compile(r"\b[0-9A-TV-Za-tv-z]{4}(?:[-\s][0-9A-TV-Za-tv-z]{4}){6}\b"),
    re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}"),
    # API keys and our own tokens: a short prefix, then a long random part.
    re.compile(r"\b[A-Za-z]{2,10}[-_](?:[A-Za-z0-9]{1,12}[-_])?[A-Za-z0-9_-]{20,}"),
    # "key = value", "passphrase: value" and the like.
    re.compile(
        r"(?i)\b(api[_-]?key|key|token|secret|pass(?:word|phrase)|recovery[_ -]?code)(['\"]?\s*[=:]\s*)"
        r"(?:\"[^\"]*\"|'[^']*'|[^\s,;}\]]+)"
    ),
    re.compile(r"\b[0-9a-fA-F]{32,}\b"),
    re.compile(r"\b[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}\b"),
    # user:password@ in addresses.
    re.compile(r"(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"),
)


def redact(text: str) -> str:
    """Return ``text`` with everything that looks like a secret replaced."""
    for pattern in _PATTERNS:
        text = pattern.sub(_REDACTED, text)
    return text


class RedactingFormatter(logging.Formatter):
    """Formats records without secrets and without the texts of foreign exceptions."""

    def format(self, record: logging.LogRecord) -> str:
        # Another handler may have cached its own exception text on the record.
        record = copy.copy(record)
        record.exc_text = None
        return redact(super().format(record))

    def formatException(  # noqa: N802  # the name is logging's
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        """Return an exception's traceback; its text only for system errors."""
        error = ei[1]
        lines: list[str] = []
        seen: set[int] = set()
        while error is not None and id(error) not in seen:
            seen.add(id(error))
            where = traceback.extract_tb(error.__traceback__)
            frames = "".join(f"  {frame.filename}:{frame.lineno} in {frame.name}\n" for frame in where)
            lines.append(f"{frames}{_name(error)}")
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\ncaused by:\n".join(lines)


class _PrivateFiles(RotatingFileHandler):
    """Makes each file 0600, including those after a rotation."""

    _told = False

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # the name is logging's
        """Report once that the log cannot be written; by default, logging prints a traceback for every lost line."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            super().handleError(record)
        elif not self._told:
            self._told = True
            sys.stderr.write(f"The log cannot be written: {error.strerror}.\n")

    def close(self) -> None:
        """Close the file; lines not written because of a full disk are lost."""
        try:
            super().close()
        except OSError as error:
            sys.stderr.write(f"The end of the log is lost: {error.strerror}.\n")

    def _open(self) -> TextIOWrapper:
        handle = os.open(self.baseFilename, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
        return TextIOWrapper(os.fdopen(handle, "ab"), encoding=self.encoding)


def start_logging(folder: Path) -> logging.Handler:
    """Write ``memdesk``'s log to ``folder`` and return the handler, for ``stop_logging``.

    Raises:
        EnvironmentFault: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        handler = _PrivateFiles(folder / LOG_FILE, maxBytes=MAX_BYTES, backupCount=BACKUPS, encoding="utf-8")
    except OSError as error:
        raise EnvironmentFault(say("The log cannot be written: {strerror}.", strerror=error.strerror)) from error
    root = logging.getLogger()
    root.setLevel(min(root.level or logging.WARNING, logging.WARNING))
    logging.getLogger("memdesk").setLevel(logging.INFO)
    handler.setFormatter(RedactingFormatter("%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"))
    root.addHandler(handler)
    # These log URLs and queries at INFO.
    for noisy in ("httpx", "httpcore", "uvicorn.access", "apscheduler"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    # A traceback for every line of a tool server that is no message.
    logging.getLogger("mcp.client.stdio").setLevel(logging.CRITICAL)
    return handler


def stop_logging(handler: logging.Handler) -> None:
    logging.getLogger().removeHandler(handler)
    handler.close()


def tail(folder: Path, lines: int = 200) -> str:
    """Return the log's last lines, redacted once more; empty if there is no log."""
    try:
        text = (folder / LOG_FILE).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return redact("\n".join(text.splitlines()[-lines:]))


def _name(error: BaseException) -> str:
    words = f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""
    return f"{type(error).__module__}.{type(error).__qualname__}{words}"
