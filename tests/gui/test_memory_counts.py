"""Each tab of the memory page says how much it holds, before anybody has opened it."""

from __future__ import annotations

import pytest

from tests.helpers.demo import FACTS, fill
from tests.helpers.window import Guarded


@pytest.fixture
def full(desk, monkeypatch):
    """The demo profile; it is filled on the main thread, which the guard of the services would refuse."""
    with monkeypatch.context() as patch:
        patch.setattr(Guarded, "armed", False)
        fill(desk.app)
    return desk


def labels(page):
    return {key: button.text() for key, button in page.segments._buttons.items()}


def test_the_tabs_count_what_they_hold_without_being_opened(full):
    page = full.page("memory", tab="facts")
    full.settle()
    assert set(page._tabs) == {"facts"}
    shown = labels(page)
    assert shown["identity"] == "Identity 3"
    assert shown["facts"].startswith(f"Facts {len(FACTS)}")
    assert shown["episodes"] == "Episodes 5"
    assert shown["review"] == "Review 3"
    assert shown["entities"].endswith(" 7")
    for key in ("identity", "episodes", "entities", "review", "transcript", "facts"):
        full.page("memory", tab=key)
        full.settle()
    assert labels(page) == shown, "a tab counts as the page counted for it"


def test_another_agent_has_other_counts_and_a_change_is_counted_at_once(full, monkeypatch):
    page = full.page("memory", tab="preview")
    full.settle()
    page.agents.set_key("coder")
    page.agents.chosen.emit("coder")
    full.settle()
    assert labels(page)["facts"] == "Facts"
    monkeypatch.setattr(Guarded, "armed", False)
    full.real.memories.add_fact(agent_id="coder", content="The build takes four minutes.")
    full.qtbot.waitUntil(lambda: labels(page)["facts"] == "Facts 1")
