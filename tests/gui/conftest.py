"""The window in tests: offscreen, watched, over real services."""

from __future__ import annotations

import gc

import pytest

from tests.helpers.parser import read_here


@pytest.fixture(autouse=True)
def english(qapp):
    """Every test begins in English, as a user sees it: plurals come from the English translation as well."""
    from PySide6.QtCore import QLocale

    from memdesk.gui.i18n import install

    before = QLocale()
    install(qapp, "en")
    yield
    QLocale.setDefault(before)


@pytest.fixture(autouse=True)
def silent(monkeypatch):
    """Whether this machine has a voice changes no test; those that want one give it back."""
    from memdesk.gui import speech

    monkeypatch.setattr(speech, "can_speak", lambda: False)


@pytest.fixture
def watched(qapp):
    """The application, every handler of which is timed; ``slow`` tells of those that took too long.

    Full passes of the garbage collector over what the tests hold are no part of it: the application keeps its own
    small in the same way.
    """
    gc.collect()
    gc.freeze()
    qapp.reset()
    qapp.watching = True
    yield qapp
    qapp.watching = False
    gc.unfreeze()


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


@pytest.fixture
def model(monkeypatch):
    """A queue-fed model in the place of every language model."""
    from memdesk.engines.catalogue import Catalogue
    from tests.helpers.models import QueueModel

    made = QueueModel("bundled:smollm2-135m", default="All right, noted.")
    monkeypatch.setattr(Catalogue, "open", lambda _self, _model_id: made)
    return made


@pytest.fixture(autouse=True)
def _read_here(request, monkeypatch):
    """Read without a process, save where the window's handlers are timed, which reading would hold up."""
    if "watched" not in request.fixturenames:
        read_here(monkeypatch)


@pytest.fixture
def desk(home, qtbot, qapp, model):
    """The window, filled, over a fresh memory."""
    from tests.helpers.window import window

    with window(home, qtbot, qapp) as made:
        yield made


@pytest.fixture
def full(desk):
    """The window over the demo profile."""
    from tests.helpers.demo import fill

    desk.talks, desk.made = fill(desk.app)
    desk.settle()
    return desk


@pytest.fixture
def new_desk(home, qtbot, qapp, model):
    """The window as a newcomer sees it first."""
    from tests.helpers.window import window

    with window(home, qtbot, qapp, created=False) as made:
        yield made


def loose_layouts(steps):
    """Return the layouts that stand in no widget, in what a generator and those it waits for hold."""
    from PySide6.QtWidgets import QLayout

    found = []
    while (frame := getattr(steps, "gi_frame", None)) is not None:
        held = frame.f_locals.items()
        where = f"{frame.f_code.co_qualname}:{frame.f_lineno}"
        found += [f"{where} {name}" for name, one in held if isinstance(one, QLayout) and one.parentWidget() is None]
        steps = steps.gi_yieldfrom
    return found


@pytest.fixture(autouse=True)
def no_loose_layouts(monkeypatch):
    """Fail when work in slices gives way while it holds a layout without a widget.

    Dropped in that moment, nested layouts end the process: shiboken deletes the inner one after the outer one.
    """
    from memdesk.gui.slices import SliceOp

    made, loose = SliceOp.__init__, []

    def watched(steps):
        for _ in steps:
            loose.extend(loose_layouts(steps))
            yield

    monkeypatch.setattr(SliceOp, "__init__", lambda op, bridge, owner, steps: made(op, bridge, owner, watched(steps)))
    yield
    assert not set(loose)
