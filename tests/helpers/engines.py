"""Real engines over temporary folders."""

from __future__ import annotations

from contextlib import contextmanager

from memdesk.engines.catalogue import Catalogue
from memdesk.engines.known_models import KnownModels
from memdesk.engines.remote import RemoteServers
from memdesk.runtime.lanes import ThreadLanes
from memdesk.runtime.pool import WorkerPool
from memdesk.settings.schema import EngineSettings


class FakeSecrets:
    """A keyring in memory."""

    def __init__(self, usable=True):
        self.usable = usable
        self.kept = {}

    def available(self):
        return self.usable

    def get(self, account):
        return self.kept.get(account)

    def set(self, account, secret):
        self.kept[account] = secret

    def delete(self, account):
        self.kept.pop(account, None)


class Engines:
    """A catalogue with real workers; ``settings`` may be replaced at any time."""

    def __init__(self, folder, lanes, pool):
        self.folder = folder
        self.lanes = lanes
        self.pool = pool
        self.settings = EngineSettings()
        self.secrets = FakeSecrets()
        self.known = KnownModels(folder / "config" / "models.json")
        self.servers = RemoteServers(lambda: self.settings, self.secrets, self.known)
        self.models = folder / "models"
        self.models.mkdir(parents=True, exist_ok=True)
        self.catalogue = Catalogue(
            models=self.models,
            cache=folder / "cache",
            settings=lambda: self.settings,
            known=self.known,
            workers=pool,
            servers=self.servers,
        )


@contextmanager
def engines(folder):
    """Yield engines and end every child process afterwards."""
    lanes = ThreadLanes()
    pool = WorkerPool(lanes)
    try:
        yield Engines(folder, lanes, pool)
    finally:
        pool.close()
        lanes.close()
