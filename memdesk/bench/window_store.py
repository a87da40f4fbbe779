"""A profile with many facts for the window's bench, and its secrets, passed between processes."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tqdm import tqdm

from memdesk.bench.scale_data import SyntheticEmbedder, Writer
from memdesk.bench.shared import put_all
from memdesk.bootstrap.app import App
from memdesk.bootstrap.profile import MemorySecrets
from memdesk.engines.bundled import MINILM
from memdesk.services.agents import DEFAULT_AGENT_ID
from memdesk.services.recalling import TARGETS
from memdesk.settings.paths import profile_paths

#: Conversations of the store, of 40 turns each.
TALKS = 50
#: Seconds without use after which models and indexes leave memory in a profile with vectors.
UNLOAD_SECONDS = 10
_FIRST = datetime(2023, 1, 1, tzinfo=UTC)


class CarriedSecrets(MemorySecrets):
    """A keyring that can be passed to another process."""

    def dump(self) -> str:
        """Return everything as JSON; for a pipe, never for a file or an argument."""
        with self._lock:
            return json.dumps(self._kept)

    @classmethod
    def load(cls, text: str) -> CarriedSecrets:
        made = cls()
        made._kept = json.loads(text)
        return made


class StandIn(SyntheticEmbedder):
    """Creates vectors that a window takes for the bundled model's."""

    model_id = MINILM.revision


def fill(home: Path, facts: int, talks: int = TALKS, *, vectors: bool = False) -> CarriedSecrets:
    """Create a profile with this many facts and conversations; return its keyring.

    The server is off and no background work is left, so that only the window's own work is measured. Without vectors
    search is by text; with them, indexes leave memory after :data:`UNLOAD_SECONDS`.
    """
    secrets = CarriedSecrets()
    embedder = StandIn() if vectors else None
    app = App(profile_paths(home=home), secrets=secrets, embedder=lambda: embedder)
    try:
        code = app.open()
        assert code is not None
        services = app.services
        services.vault.confirm_recovery(dict(enumerate(code.split("-"))))
        services.settings.update("server", {"enabled": False})
        if vectors:
            services.settings.update("engine", {"idle_unload_seconds": UNLOAD_SECONDS})
        else:
            services.settings.update("memory", {"embedding_backend": "none"})
        writer = Writer(facts * 10)
        for name, when, turns in tqdm(
            writer.sessions(talks * 40), total=talks, desc="conversations", unit="", file=sys.stderr
        ):
            services.ingest.ingest(
                agent_id=DEFAULT_AGENT_ID,
                conversation_id=name,
                turns=turns,
                session_date=when,
                skip_extraction=True,
                wait=False,
            )
        moments = [_FIRST + timedelta(minutes=number) for number in range(facts)]
        made = [writer.fact(DEFAULT_AGENT_ID, at) for at in tqdm(moments, desc="facts", unit="", file=sys.stderr)]
        put_all(services.recall.store, made, 1000)
        for target in TARGETS if vectors else ():
            # As in a running app, the indexes exist before the rows and grow with them.
            services.indexing.size(DEFAULT_AGENT_ID, target)
        if vectors:
            services.indexing.flush()
    finally:
        app.close()
    return secrets
