"""Files that actions write where the user chose."""

import os

from memdesk.errors import EnvironmentFault
from memdesk.messages import say


def write_text(path: str, text: str, *, private: bool = False) -> None:
    """Write a text as UTF-8. See :func:`write_bytes`."""
    write_bytes(path, text.encode("utf-8"), private=private)


def write_bytes(path: str, data: bytes, *, private: bool = False) -> None:
    """Write a file; ``private`` creates a new one that only its owner can read.

    Raises:
        EnvironmentFault: it cannot be written.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600 if private else 0o666)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
    except OSError as error:
        raise EnvironmentFault(say("The file could not be written: {strerror}.", strerror=error.strerror)) from error
