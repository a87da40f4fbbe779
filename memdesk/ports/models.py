"""Where models come from: hubs, servers and other programs, and how fast they are here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from memdesk.ports.engines import ModelInfo
from memdesk.ports.threads import CancelToken

#: Called with bytes done and total bytes (0 while unknown).
Progress = Callable[[int, int], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundModel:
    """A model that another program keeps on this machine. ``known``: it is offered here already."""

    store: Literal["LM Studio", "Jan", "Ollama"]
    name: str
    path: str
    size_bytes: int
    known: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HubFile:
    """A model that can be downloaded: one file, or the first part of a split one, with the total size."""

    repo: str
    filename: str
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetching:
    """A download that runs, or one that was interrupted. ``total`` is 0 while unknown; both are bytes."""

    repo: str
    filename: str
    done: int = 0
    total: int = 0
    running: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """How fast a model was on this machine: reading the prompt, writing the answer, from nothing to ready."""

    prompt_tokens_per_second: float
    tokens_per_second: float
    ready_seconds: float


class Hub(Protocol):
    def files(self, repo: str) -> list[HubFile]:
        """List a repository's GGUF files, smallest first."""

    def search(self, words: str, limit: int = 20) -> list[str]:
        """Return repositories that hold GGUF files, most downloaded first."""

    def download(
        self, repo: str, filename: str, folder: Path, *, progress: Progress | None, cancel: CancelToken | None
    ) -> list[Path]:
        """Fetch a file (all parts of a split one) and return its path."""

    def unfinished(self, folder: Path) -> list[Fetching]:
        """Return the unfinished downloads into ``folder``, including those in progress."""

    def discard(self, repo: str, filename: str, folder: Path) -> None:
        """Delete what a download left behind."""


class Servers(Protocol):
    def check(self, name: str, address: str, key: str | None) -> tuple[str, list[str]]:
        """Query a server that is not set up yet; return its full URL and its models."""

    def reach(self, name: str) -> tuple[str, str]:
        """Return a server's base URL and key, empty if it has none."""

    def probe(self, name: str) -> list[ModelInfo]:
        """Ask a server for its models and remember them."""

    def key(self, name: str) -> str | None:
        """Return the key kept for a server, or None."""

    def set_key(self, name: str, key: str | None) -> None:
        """Store a server's key in the keyring; None deletes it."""

    def set_context(self, model_id: str, tokens: int | None) -> None:
        """Set a model's context size in tokens; None returns to the known value."""

    def forget(self, name: str) -> None:
        """Forget a server's models and key."""


class Speeds(Protocol):
    """Stores measured speeds."""

    def speeds(self) -> dict[str, dict[str, float]]:
        """Return speeds by model id."""

    def set_speed(self, model_id: str, speed: dict[str, float]) -> None:
        """Store one."""


#: Lists models of other programs: store, name, path, size in bytes.
Finder = Callable[[], Sequence[FoundModel]]
