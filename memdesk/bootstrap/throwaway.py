"""A whole app over a temporary folder, for benches and tests."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from memdesk.bootstrap.app import App
from memdesk.bootstrap.profile import MemorySecrets
from memdesk.ports import Embedder
from memdesk.settings.paths import profile_paths


@contextmanager
def throwaway(folder: Path, embedder: Callable[[], Embedder | None] | None = None) -> Iterator[App]:
    """Lend an open app with a new memory below ``folder``; its key is in no keyring and is gone afterwards.

    Nothing runs in the background unless it is started (``start_indexing``, ``start_background``).

    ``embedder`` replaces the settings' embedder; ``lambda: None`` for text search only.
    """
    app = App(profile_paths(home=folder), secrets=MemorySecrets(), embedder=embedder)
    try:
        app.open()
        yield app
    finally:
        app.close()
