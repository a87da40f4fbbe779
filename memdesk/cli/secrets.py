"""Secrets passed to a command: by a variable, a file descriptor or a file; never by an argument."""

import argparse
import ctypes
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from memdesk.errors import BadRequestError

_MAX_SECRET_BYTES: Final = 4096


def secret_from(options: argparse.Namespace, name: str) -> str | None:
    """Return the secret that the options name, or None.

    A ``name`` of ``passphrase`` reads ``passphrase_env``, ``passphrase_fd`` and ``passphrase_file``.

    Raises:
        BadRequestError: it is given in two ways, is empty, or cannot be read.
    """
    readers: dict[str, Callable[[str], str]] = {
        "env": secret_from_env,
        "fd": lambda number: _from_descriptor(int(number)),
        "file": lambda path: _from_file(Path(path)),
    }
    given = {way: value for way in readers if (value := getattr(options, f"{name}_{way}", None)) is not None}
    if len(given) > 1:
        told = " and ".join(f"--{name.replace('_', '-')}-{way}" for way in given)
        raise BadRequestError(f"{told} name the same secret.", hint="Give one of them.")
    return next((readers[way](value) for way, value in given.items()), None)


def given_passphrase(options: argparse.Namespace) -> str | None:
    """Return the passphrase that the options name, or None. Raises as :func:`secret_from`."""
    return secret_from(options, "passphrase")


def given_recovery_code(options: argparse.Namespace) -> str | None:
    """Return the recovery code that the options name, or None. Raises as :func:`secret_from`."""
    return secret_from(options, "recovery_code")


def secret_from_env(name: str) -> str:
    """Return the secret in a variable and remove it, so that no child inherits it and ``/proc/PID/environ`` does not show it.

    Raises:
        BadRequestError: the variable is not set or empty.
    """
    secret = os.environ.get(name)
    if not secret:
        raise BadRequestError(f"The environment variable {name} is not set or empty.")
    _overwrite(name)
    del os.environ[name]
    return secret


def _overwrite(name: str) -> None:
    """Overwrite a variable's value with zeros in the process's initial environment, where ``unsetenv`` leaves it."""
    if sys.platform == "win32":
        # The block is a private copy, which no other user can read.
        return
    libc = ctypes.CDLL(None)
    libc.getenv.restype = ctypes.c_void_p
    at = libc.getenv(os.fsencode(name))
    if at is not None:
        ctypes.memset(at, 0, len(ctypes.string_at(at)))


def _from_descriptor(number: int) -> str:
    try:
        with os.fdopen(number, "rb") as stream:
            data = stream.read(_MAX_SECRET_BYTES)
        return _text(data, f"File descriptor {number}")
    except OSError as failed:
        raise BadRequestError(f"File descriptor {number} cannot be read: {failed.strerror}.") from failed


def _from_file(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            if sys.platform != "win32" and os.fstat(stream.fileno()).st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise BadRequestError(f"Others may read {path}.", hint=f"chmod 600 {path}")
            data = stream.read(_MAX_SECRET_BYTES)
    except OSError as failed:
        raise BadRequestError(f"{path} cannot be read: {failed.strerror}.") from failed
    return _text(data, str(path))


def _text(data: bytes, where: str) -> str:
    try:
        secret = data.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError as failed:
        raise BadRequestError(f"{where} cannot be read: it is not UTF-8.") from failed
    if not secret:
        raise BadRequestError(f"{where} holds no secret.")
    return secret
