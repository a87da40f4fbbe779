"""The download of one file: resumed, checked, renamed into place."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define

from memdesk.domain.decoding import decode
from memdesk.engines.gguf import read_gguf
from memdesk.engines.remote_errors import RemoteAuthError, from_status, from_transport
from memdesk.errors import (
    BadRequestError,
    CancelledError,
    DiskFullError,
    EngineError,
    EnvironmentFault,
    MemdeskError,
    NotFoundError,
)
from memdesk.messages import say
from memdesk.ports import CancelToken
from memdesk.settings.addresses import is_local
from memdesk.settings.files import put_in_place, write_atomic

if TYPE_CHECKING:
    import httpx

log = logging.getLogger(__name__)

#: Free space to leave on the disk after a download, in bytes.
KEEP_FREE = 512 * 1024 * 1024
BLOCK = 1 << 20
TRIES = 4
_SHA256 = re.compile(r"[0-9a-f]{64}")
_GIT_SHA1 = re.compile(r"[0-9a-f]{40}")


class ChecksumError(EngineError):
    """The data does not match the hub's digest; it was deleted."""

    code = "checksum_mismatch"
    title = say("The download is damaged")
    default_hint = say("Download it again.")


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """One file of the hub: its URL, size, digest and name there."""

    url: str
    size: int
    etag: str
    repo: str
    name: str


@define(eq=False, repr=False, slots=False)
class Download:
    """A download of one file."""

    _remote: RemoteFile
    _target: Path
    _tell: Callable[[int], None]
    _cancel: CancelToken | None
    _wait: Callable[[float], None]

    def __attrs_post_init__(self) -> None:
        self._part = self._target.with_name(self._target.name + ".part")
        self._note = self._target.with_name(self._target.name + ".part.json")

    def run(self) -> Path:
        """Fetch what is missing, check it and return its path. Raises as ``HttpHub.download``."""
        if self._target.is_file() and self._target.stat().st_size == self._remote.size:
            self._tell(self._remote.size)
            return self._target
        try:
            self._prepare()
            self._fetch_with_retries()
            self._verify()
            put_in_place(self._part, self._target)
            self._note.unlink(missing_ok=True)
        except OSError as error:
            raise EnvironmentFault(
                say("The download cannot be stored: {strerror}.", strerror=error.strerror)
            ) from error
        return self._target

    def _prepare(self) -> None:
        self._target.parent.mkdir(parents=True, exist_ok=True)
        same = False
        try:
            note = decode(self._note.read_bytes())
            same = (note["etag"], note["size"]) == (self._remote.etag, self._remote.size)
        except (OSError, ValueError, KeyError, TypeError):
            log.debug("no part of this download is here yet")
        if not same or self._have() > self._remote.size > 0:
            self._part.unlink(missing_ok=True)
            write_atomic(self._note, json.dumps(self._mark()).encode())
        missing = self._remote.size - self._have()
        free = shutil.disk_usage(self._target.parent).free
        if missing + KEEP_FREE > free:
            raise DiskFullError(
                say(
                    "The download needs {size}; {size_} are free.",
                    size=_size(missing),
                    size_=_size(max(0, free - KEEP_FREE)),
                ),
                hint=say("Make room, or choose a smaller file."),
            )

    def _mark(self) -> dict[str, Any]:
        remote = self._remote
        return {"etag": remote.etag, "size": remote.size, "repo": remote.repo, "name": remote.name}

    def _have(self) -> int:
        return self._part.stat().st_size if self._part.exists() else 0

    def _fetch_with_retries(self) -> None:
        """Fetch, reconnecting after a lost connection while it makes progress."""
        tries = 0
        while self._remote.size == 0 or self._have() < self._remote.size:
            before = self._have()
            try:
                self._fetch()
            except (CancelledError, RemoteAuthError, NotFoundError, BadRequestError):
                raise
            except MemdeskError:
                tries = 1 if self._have() > before else tries + 1
                if tries >= TRIES:
                    raise
                self._wait(0.5 * 2.0**tries)
            else:
                if self._remote.size == 0 or self._have() >= self._remote.size:
                    return
                tries += 1
                if tries >= TRIES:
                    raise EngineError(say("The hub's answer ended too early."))

    def _fetch(self) -> None:
        import httpx

        have = self._have()
        headers = {"Accept-Encoding": "identity"}
        if have:
            headers["Range"] = f"bytes={have}-"
        try:
            with (
                client_for(self._remote.url) as client,
                client.stream("GET", self._remote.url, headers=headers, follow_redirects=True) as response,
            ):
                if response.status_code not in {200, 206}:
                    if response.status_code == 416:
                        self._part.unlink(missing_ok=True)
                    response.read()
                    raise refusal(response, self._target.name)
                resumed = response.status_code == 206 and _range_start(response) == have
                self._store(response, "ab" if resumed else "wb")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise from_transport(error, "the hub") from error

    def _store(self, response: httpx.Response, mode: str) -> None:
        with self._part.open(mode) as file:
            done = file.tell()
            self._tell(done)
            for block in response.iter_bytes(BLOCK):
                file.write(block)
                done += len(block)
                self._tell(done)
                if self._cancel is not None and self._cancel.is_set():
                    raise CancelledError(say("The download was stopped; what was downloaded so far is kept."))

    def _verify(self) -> None:
        size = self._have()
        expected = self._remote.etag
        actual = expected
        if _SHA256.fullmatch(expected):
            actual = _digest(self._part, hashlib.sha256())
        elif _GIT_SHA1.fullmatch(expected):
            actual = _digest(self._part, hashlib.sha1(f"blob {size}\0".encode(), usedforsecurity=False))
        if actual != expected or (self._remote.size and size != self._remote.size):
            self._part.unlink(missing_ok=True)
            self._note.unlink(missing_ok=True)
            raise ChecksumError(say("{name} is not what the hub announced.", name=self._target.name))
        if self._target.suffix == ".gguf":
            read_gguf(self._part)


def _digest(path: Path, digest: Any) -> str:
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return str(digest.hexdigest())


def _range_start(response: httpx.Response) -> int:
    match = re.match(r"bytes (\d+)-", response.headers.get("content-range", ""))
    return int(match[1]) if match else -1


def client_for(url: str) -> httpx.Client:
    """Return a client; addresses on this machine never go through a proxy."""
    # Imported late: it takes some 20 MB, and most windows never query a hub.
    import httpx

    return httpx.Client(timeout=httpx.Timeout(30.0, connect=10.0), trust_env=not is_local(url))


def refusal(response: httpx.Response, what: str) -> MemdeskError:
    if response.status_code == 404:
        return NotFoundError(
            say("The hub has no {what}.", what=what), hint=say("Check the names of repository and file.")
        )
    if response.status_code in {401, 403}:
        return RemoteAuthError(
            say("The hub asks for permission for {what}.", what=what), hint=say("Choose a model that is open to all.")
        )
    return from_status(response.status_code, b"", "The hub")


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"
