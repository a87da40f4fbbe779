"""The parts of a profile that work without wiring the whole app: keyring, vault, database."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memdesk.errors import MemdeskError, NotFoundError
from memdesk.messages import say

if TYPE_CHECKING:
    from memdesk.engines.catalogue import Catalogue
    from memdesk.engines.known_models import KnownModels
    from memdesk.engines.remote import RemoteServers
    from memdesk.ports import ModelCatalogue, ModelInfo, SecretStore, Workers
    from memdesk.settings.paths import ProfilePaths
    from memdesk.settings.schema import EngineSettings
    from memdesk.storage.database import Database
    from memdesk.storage.vault import Vault


class MemorySecrets:
    """A ``SecretStore`` that forgets everything with the process: throw-away profiles, drills, backups.

    Args:
        available: whether it counts as a keyring; if not, a vault asks for a passphrase.
    """

    def __init__(self, *, available: bool = True) -> None:
        self._available = available
        self._lock = threading.Lock()
        self._kept: dict[str, str] = {}

    def available(self) -> bool:
        return self._available

    def get(self, account: str) -> str | None:
        with self._lock:
            return self._kept.get(account)

    def set(self, account: str, secret: str) -> None:
        """Keep a secret until the process ends."""
        with self._lock:
            self._kept[account] = secret

    def delete(self, account: str) -> None:
        """Delete a secret; missing ones are fine."""
        with self._lock:
            self._kept.pop(account, None)


def keyring(profile: str = "default") -> SecretStore:
    from memdesk.engines.keyring_store import KeyringStore

    return KeyringStore(profile)


def keyring_available() -> bool:
    return keyring().available()


def keyring_keeps() -> bool:
    """Whether the system's keyring returns what was stored in it.

    Raises:
        EnvironmentFault: there is none, or it is locked.
    """
    from memdesk.engines.keyring_store import KeyringStore

    return KeyringStore().keeps()


def vault_at(path: Path, secrets: SecretStore | None = None) -> Vault:
    """Return the vault kept in ``path``; without ``secrets`` it opens by code or passphrase only."""
    from memdesk.storage.vault import Vault

    return Vault(path, MemorySecrets(available=False) if secrets is None else secrets)


def profile_vault(paths: ProfilePaths, secrets: SecretStore | None = None) -> Vault:
    """Return a profile's own vault, by default over the system's keyring."""
    return vault_at(paths.vault, keyring() if secrets is None else secrets)


def open_store(path: Path, key: bytes) -> Database:
    """Open an existing database file.

    Raises:
        EnvironmentFault: it is damaged, from a newer version, in use, or has another key.
    """
    from memdesk.storage.database import Database

    database = Database(path)
    database.open(key, create=False)
    return database


def parse_a_sentence() -> int:
    """Read a sentence with the bundled language pipeline, in a process of its own, and return its number of words.

    Raises:
        EngineError: the pipeline is not installed, is damaged, or failed.
    """
    from memdesk.bootstrap.lazy import lazy_analyzer
    from memdesk.runtime.lanes import ThreadLanes
    from memdesk.runtime.pool import WorkerPool

    lanes = ThreadLanes()
    pool = WorkerPool(lanes)
    try:
        with tempfile.TemporaryDirectory(prefix="memdesk-doctor-") as folder:
            (analysis,) = lazy_analyzer(pool, Path(folder) / "fingerprints.json").analyze(["Ada keeps bees in Lisbon."])
        return sum(token.pos != "PUNCT" for token in analysis.tokens)
    finally:
        pool.close()
        lanes.close()


def list_models(paths: ProfilePaths) -> list[ModelInfo]:
    """Return the models of a profile without starting anything.

    Raises:
        SettingsFileError: the engine settings cannot be used.
    """
    from memdesk.runtime.lanes import ThreadLanes
    from memdesk.runtime.pool import WorkerPool
    from memdesk.settings.store import SettingsStore

    settings = SettingsStore(paths.config).load()
    lanes = ThreadLanes()
    try:
        _, _, catalogue = make_catalogue(paths, lambda: settings.engine, keyring(), WorkerPool(lanes))
        return catalogue.all()
    finally:
        lanes.close()


def make_catalogue(
    paths: ProfilePaths, settings: Callable[[], EngineSettings], secrets: SecretStore, workers: Workers
) -> tuple[KnownModels, RemoteServers, Catalogue]:
    """Return the model catalogue of a profile and its remote servers; starts and queries nothing."""
    from memdesk.engines.catalogue import Catalogue
    from memdesk.engines.known_models import KnownModels
    from memdesk.engines.remote import RemoteServers

    known = KnownModels(paths.config / "models.json")
    servers = RemoteServers(settings, secrets, known)
    catalogue = Catalogue(
        models=paths.models, cache=paths.cache, settings=settings, known=known, workers=workers, servers=servers
    )
    return known, servers, catalogue


def model_check(catalogue: ModelCatalogue) -> Callable[[str, Any], None]:
    """Return a check that refuses unavailable core or embedding models; it starts and queries nothing."""

    def check(name: str, value: Any) -> None:
        if name == "memory.core_model" and value:
            _check_core(catalogue, str(value))
        elif name == "memory.embedding_model":
            from memdesk.engines.embedder import check_embedder
            from memdesk.settings.store import SettingsValueError

            try:
                if str(value).startswith("remote:"):
                    _check_served(catalogue, str(value))
                else:
                    check_embedder(str(value))
            except MemdeskError as error:
                raise SettingsValueError(error.message, hint=error.hint) from error

    return check


def _check_served(catalogue: ModelCatalogue, model_id: str) -> None:
    """Refuse a model of a server that is not set up; servers do not say which models can embed.

    Raises:
        NotFoundError: it is not set up.
    """
    if catalogue.info(model_id) is None:
        raise NotFoundError(
            say("There is no embedding model {model} here.", model=model_id),
            hint=say("Set its server up under Models first."),
        )


def _check_core(catalogue: ModelCatalogue, model_id: str) -> None:
    """Refuse a model that is not listed; models of a server whose list was never fetched are accepted."""
    from memdesk.settings.store import SettingsValueError

    usable = [info.id for info in catalogue.all() if info.available]
    server, slash, _model = model_id.partition("/")
    unlisted = bool(slash) and not any(known.startswith(f"{server}/") for known in usable)
    if model_id in usable or (unlisted and model_id.startswith("remote:") and catalogue.info(model_id) is not None):
        return
    raise SettingsValueError(
        say("There is no model {model_id} here.", model_id=model_id),
        hint=say("Use one of: {join}.", join=", ".join(usable)),
    )
