"""Keys of model servers on a machine without a keyring."""

from __future__ import annotations

import pytest

from memdesk.bootstrap.app import App
from memdesk.bootstrap.profile import MemorySecrets
from memdesk.engines.remote_errors import RemoteAuthError
from memdesk.errors import LockedError
from memdesk.settings.paths import profile_paths
from tests.helpers.openai_server import openai_server


@pytest.fixture
def app(tmp_path):
    made = App(profile_paths(home=tmp_path), secrets=MemorySecrets(available=False), embedder=lambda: None)
    made.services.vault.create(passphrase="correct horse battery staple")
    yield made
    made.close()


def test_a_key_is_kept_in_the_encrypted_memory_where_there_is_no_keyring(app, tmp_path):
    models, vault = app.services.models, app.services.vault
    with openai_server() as server:
        server.key = "sk-0123456789"
        models.add_remote("lab", server.url, key="sk-0123456789")
        assert len(models.probe_remote("lab")) == 2
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        assert files
        assert not [path for path in files if b"sk-0123456789" in path.read_bytes()]
        vault.lock()
        with pytest.raises(LockedError):
            models.probe_remote("lab")
        vault.unlock(passphrase="correct horse battery staple")
        assert len(models.probe_remote("lab")) == 2
        models.remove_remote("lab")
        with pytest.raises(RemoteAuthError):
            models.add_remote("lab", server.url)
