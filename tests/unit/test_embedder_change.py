"""Which embedder is in use, and which is coming, when the settings change."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from memdesk.bootstrap.lazy import Embedders
from memdesk.engines.known_models import KnownModels
from memdesk.errors import EnvironmentFault
from memdesk.services.events import EventBus, Notice, SettingsChanged
from memdesk.settings.paths import profile_paths
from memdesk.settings.schema import Settings


class Opened:
    """An embedder that is open until it is let go."""

    def __init__(self, name):
        self.model_id = f"{name}@1"
        self.open = True

    def unload(self):
        self.open = False


class Desk:
    """Embedders over settings that a test changes; those in ``missing`` cannot be opened."""

    def __init__(self, folder, monkeypatch):
        self.paths = profile_paths(home=folder)
        self.current = Settings()
        self.events = EventBus()
        self.told = []
        self.missing = set()
        self.events.subscribe(Notice, self.told.append)
        monkeypatch.setattr("memdesk.engines.embedder.open_embedder", self.opened)
        self.start()

    def opened(self, name, *_args, **_options):
        if name in self.missing:
            raise EnvironmentFault("It is gone.")
        return Opened(name)

    def start(self):
        self.shown = []
        models = SimpleNamespace(use_embedder=self.shown.append)
        known = KnownModels(self.paths.config / "models.json")
        self.embedders = Embedders(self.paths, self, models, known, None, set, None, self.events)

    def choose(self, name):
        self.current = Settings(memory={"embedding_model": name})
        self.events.publish(SettingsChanged(("memory.embedding_model",)))

    @property
    def names(self):
        both = self.embedders.current(), self.embedders.coming()
        return tuple("" if one is None else one.model_id.partition("@")[0] for one in both)


@pytest.fixture
def desk(tmp_path, monkeypatch):
    made = Desk(tmp_path, monkeypatch)
    made.choose("first")
    assert made.names == ("first", "")
    return made


def test_the_former_one_is_in_use_until_the_new_one_has_arrived(desk):
    former = desk.embedders.current()
    desk.choose("second")
    assert desk.names == ("first", "second")
    assert former._inner.open
    desk.embedders.arrived(desk.embedders.coming())
    assert desk.names == ("second", "")
    assert not former._inner.open
    assert desk.shown[-1] is desk.embedders.current()


def test_a_restart_in_the_middle_goes_on_with_both(desk):
    desk.choose("second")
    desk.start()
    assert desk.names == ("first", "second")
    desk.embedders.arrived(desk.embedders.coming())
    desk.start()
    assert desk.names == ("second", "")


def test_one_that_comes_too_late_is_not_put_in_use(desk):
    desk.choose("second")
    late = desk.embedders.coming()
    desk.choose("third")
    desk.embedders.arrived(late)
    assert desk.names == ("first", "third")
    assert not late._inner.open


def test_going_back_ends_the_change(desk):
    desk.choose("second")
    desk.choose("first")
    assert desk.names == ("first", "")
    assert desk.embedders.problem() == ""


@pytest.mark.expect_log
def test_one_that_cannot_be_opened_leaves_the_former_in_use(desk):
    desk.missing.add("second")
    desk.choose("second")
    assert desk.names == ("first", "")
    assert "second" in desk.embedders.problem()
    assert len(desk.told) == 1
    desk.choose("first")
    assert desk.embedders.problem() == ""


def test_a_former_one_that_is_gone_is_not_waited_for(desk):
    desk.choose("second")
    desk.missing.add("first")
    desk.start()
    assert desk.names == ("second", "")


def test_switched_off_and_on_again_the_same_one_is_in_use(desk):
    desk.current = Settings(memory={"embedding_backend": "none"})
    desk.events.publish(SettingsChanged(("memory.embedding_backend",)))
    assert desk.names == ("", "")
    assert desk.shown[-1] is None
    desk.choose("second")
    assert desk.names == ("first", "second")
