"""A whole app over a folder that is thrown away: for benches and tests."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from memdesk.bootstrap.app import App
from memdesk.bootstrap.profile import MemorySecrets
from memdesk.ports import Embedder
from memdesk.settings.paths import profile_paths


@contextmanager
def throwaway(folder: Path, embedder: Callable[[], Embedder | None] | None = None) -> Iterator[App]:
    """Lend an open app with a new memory below ``folder``; its key is in no keyring and gone afterwards.

    Nothing runs in the background unless it is started (``start_indexing``, ``start_background``).

    ``embedder`` gives the embedder instead of the settings'; ``lambda: None`` for words alone.
    """
    app = App(profile_paths(home=folder), secrets=MemorySecrets(), embedder=embedder)
    try:
        app.open()
        yield app
    finally:
        app.close()
