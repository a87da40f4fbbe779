"""A real encrypted store with one agent and one conversation in it."""

from __future__ import annotations

import pytest

from memdesk.storage.database import Database
from memdesk.storage.migrate import migrate
from tests.helpers import rows


@pytest.fixture(autouse=True)
def _steps_as_users_take_them(monkeypatch):
    """Let stores come to their schema by all steps, as every store did: which page holds what depends on them."""
    monkeypatch.setattr("memdesk.storage.files.migrate", migrate)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.db"


@pytest.fixture
def store(path):
    database = Database(path)
    database.open(rows.KEY)

    def begin(repos):
        repos.agents.put(rows.agent("ana"))
        repos.agents.put(rows.agent("ben"))
        repos.conversations.put(rows.conversation("c1", "ana"))
        repos.conversations.put(rows.conversation("c1", "ben"))

    database.write(begin)
    yield database
    database.close()
