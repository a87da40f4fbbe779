"""The window in tests: offscreen, watched, over real services."""

from __future__ import annotations

import pytest

from tests.helpers.watchdog import WatchedApplication


@pytest.fixture(scope="session")
def qapp_cls():
    return WatchedApplication


@pytest.fixture
def theme(qapp):
    from memdesk.gui.theme import Theme

    theme = Theme(qapp, choice="light")
    yield theme
    theme.deleteLater()


@pytest.fixture
def bridge(qapp, theme):
    """A bridge over real lanes and a real event bus, without services."""
    from types import SimpleNamespace

    from memdesk.gui.bridge import Bridge
    from memdesk.gui.notices import Notices
    from memdesk.runtime.lanes import ThreadLanes
    from memdesk.services.events import EventBus

    lanes = ThreadLanes()
    bridge = Bridge(SimpleNamespace(lanes=lanes, events=EventBus()), Notices())
    yield bridge
    bridge.close()
    lanes.close()
