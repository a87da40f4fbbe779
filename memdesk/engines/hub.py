"""Downloads models from a hub with Hugging Face's URLs, only when the user asks.

``HEAD /<repo>/resolve/<revision>/<file>`` returns size and digest: ``X-Linked-Etag`` is the SHA-256 of a large
file, ``ETag`` the git blob id of a small one (https://huggingface.co/docs/hub/api). A download goes to
``<file>.part`` beside a note of its origin; it is resumed only if that is unchanged.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urljoin

from memdesk.domain.decoding import decode
from memdesk.engines.hub_download import Download, RemoteFile, client_for, refusal
from memdesk.engines.remote_errors import from_transport
from memdesk.errors import BadRequestError, EngineError, EnvironmentFault
from memdesk.messages import say
from memdesk.ports import CancelToken
from memdesk.ports.models import Fetching, HubFile, Progress

if TYPE_CHECKING:
    import httpx

log = logging.getLogger(__name__)

_REPO = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_PART = re.compile(r"-00001-of-(\d{5})\.gguf$")


class HttpHub:
    def __init__(self, address: Callable[[], str], wait: Callable[[float], None] = time.sleep) -> None:
        self._address = address
        self._wait = wait

    def files(self, repo: str) -> list[HubFile]:
        """List a repository's models, smallest first: split ones once, without picture projectors.

        Raises:
            NotFoundError: there is no such repository.
            EngineError: the hub does not answer.
        """
        entries = self._json(f"/api/models/{_checked(repo)}/tree/main?recursive=true")
        sizes: dict[str, int] = {}
        for entry in entries:
            path = PurePosixPath(str(entry.get("path", ""))) if isinstance(entry, dict) else PurePosixPath()
            if path.suffix == ".gguf" and not path.name.lower().startswith("mmproj"):
                first = _first(str(path))
                sizes[first] = sizes.get(first, 0) + int(entry.get("size") or 0)
        found = [HubFile(repo=repo, filename=name, size_bytes=size) for name, size in sizes.items()]
        return sorted(found, key=lambda file: file.size_bytes)

    def search(self, words: str, limit: int = 20) -> list[str]:
        query = f"search={quote(words)}&filter=gguf&sort=downloads&direction=-1&limit={limit}"
        return [str(entry["id"]) for entry in self._json(f"/api/models?{query}") if isinstance(entry, dict)]

    def download(
        self,
        repo: str,
        filename: str,
        folder: Path,
        *,
        progress: Progress | None = None,
        cancel: CancelToken | None = None,
    ) -> list[Path]:
        """Fetch a file, or all parts of a split model, into ``folder/<owner>/<name>``.

        Raises:
            NotFoundError, RemoteAuthError, EngineError: the hub's answers.
            DiskFullError: too little space.
            ChecksumError: the data does not match the announced digest.
            CancelledError: ``cancel`` was set; what was received is kept.
        """
        names = _parts(filename)
        target = folder.joinpath(*_checked(repo).split("/"))
        remotes = [self._remote(repo, name) for name in names]
        total = sum(remote.size for remote in remotes)
        paths, done = [], 0
        for name, remote in zip(names, remotes, strict=True):
            before = done

            def tell(count: int, before: int = before) -> None:
                if progress is not None:
                    progress(before + count, total)

            paths.append(Download(remote, target / PurePosixPath(name).name, tell, cancel, self._wait).run())
            done += remote.size
        return paths

    def unfinished(self, folder: Path) -> list[Fetching]:
        found: dict[tuple[str, str], Fetching] = {}
        for note in sorted(folder.glob("*/*/*.part.json")):
            try:
                mark = decode(note.read_bytes())
                job = (str(mark["repo"]), _first(str(mark["name"])))
                done = note.with_suffix("").stat().st_size
            except (OSError, ValueError, KeyError, TypeError):
                log.debug("%s tells of no download that could go on", note.name)
                continue
            found[job] = Fetching(repo=job[0], filename=job[1], done=done, total=int(mark.get("size") or 0))
        return list(found.values())

    def discard(self, repo: str, filename: str, folder: Path) -> None:
        """Delete what a download left behind.

        Raises:
            EnvironmentFault: it cannot be deleted.
        """
        target = folder.joinpath(*_checked(repo).split("/"))
        for name in (PurePosixPath(part).name for part in _parts(filename)):
            try:
                for end in (".part", ".part.json"):
                    (target / f"{name}{end}").unlink(missing_ok=True)
            except OSError as error:
                raise EnvironmentFault(
                    say("{name} cannot be deleted: {strerror}.", name=name, strerror=error.strerror)
                ) from error

    def _remote(self, repo: str, filename: str) -> RemoteFile:
        """Query size and digest. Follows redirects within the hub, but not to the storage."""
        url = f"{self._base()}/{_checked(repo)}/resolve/main/{quote(filename)}"
        with client_for(url) as client:
            for _ in range(5):
                response = _send(lambda: client.head(url, headers={"Accept-Encoding": "identity"}))  # noqa: B023  # called at once
                location = response.headers.get("location", "")
                if response.is_redirect and "x-linked-etag" not in response.headers:
                    url = urljoin(url, location)
                    continue
                if not response.is_redirect and response.status_code != 200:
                    raise refusal(response, filename)
                headers = response.headers
                etag = (headers.get("x-linked-etag") or headers.get("etag") or "").removeprefix("W/").strip('"')
                size = int(headers.get("x-linked-size") or headers.get("content-length") or 0)
                return RemoteFile(url, size, etag, repo, filename)
        raise EngineError(say("The hub redirects in circles."))

    def _json(self, path: str) -> list[Any]:
        url = self._base() + path
        with client_for(url) as client:
            response = _send(lambda: client.get(url, follow_redirects=True))
        if response.status_code != 200:
            raise refusal(response, path)
        try:
            value = decode(response.content)
        except ValueError as error:
            raise EngineError(say("The hub's answer makes no sense.")) from error
        return value if isinstance(value, list) else []

    def _base(self) -> str:
        return self._address().rstrip("/")


def _first(filename: str) -> str:
    """Return the name of a split model's first part; any other name unchanged."""
    return re.sub(r"-\d{5}(-of-\d{5}\.gguf)$", r"-00001\1", filename)


def _parts(filename: str) -> list[str]:
    """Return the files of a split model, given its first; of any other only itself."""
    path = PurePosixPath(filename)
    if not filename or path.is_absolute() or ".." in path.parts or "\\" in filename:
        raise BadRequestError(say("{filename!r} is not a file of a repository.", filename=filename))
    match = _PART.search(filename)
    if match is None:
        return [filename]
    count, stem = int(match[1]), filename[: match.start()]
    return [f"{stem}-{number:05d}-of-{count:05d}.gguf" for number in range(1, count + 1)]


def _checked(repo: str) -> str:
    if not _REPO.fullmatch(repo) or ".." in repo:
        raise BadRequestError(
            say("{repo!r} is not a repository.", repo=repo), hint=say("It should look like owner/name.")
        )
    return repo


def _send(call: Callable[[], httpx.Response]) -> httpx.Response:
    import httpx

    try:
        return call()
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise from_transport(error, "the hub") from error
