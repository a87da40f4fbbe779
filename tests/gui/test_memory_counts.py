"""Each tab of the memory page shows its count before it is opened."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtWidgets import QFrame

from memdesk.domain.models import FactStatus
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Label
from memdesk.ports import FactFilter
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


WORDS = {"red": "not working", "amber": "needs attention"}


def figures(page):
    """Return words and figure of each card that is shown."""
    cards = [card for card in page.figures.findChildren(QFrame) if card.property("role") == "card" and card.isVisible()]
    return {card.findChild(Button).text(): [label.text() for label in card.findChildren(Label)] for card in cards}


def test_figures_lead_to_the_facts_of_a_type_and_to_how_memdesk_is(full):
    made = full.real.memories.add_fact(agent_id="default", content="The parking permit is 40-17.", type="semantic")
    page = full.page("memory", tab="episodes")
    full.rest()
    tiles = {
        level: [tile.title for tile in full.real.status.health() if tile.level == level] for level in ("red", "amber")
    }
    named = [f"{title}: {words}" for level, words in WORDS.items() for title in tiles[level]]
    state = next(iter(named), "In order")
    facts = full.real.memories.facts(FactFilter(status=(FactStatus.ACTIVE,)), 200).items
    counts = Counter(fact.type for fact in facts)
    assert figures(page) == {"Factual": [str(counts["factual"])], "Semantic": ["1"], state: []}
    next(button for button in page.figures.findChildren(Button) if button.text() == "Semantic").click()
    full.rest()
    assert page.segments.value() == "facts"
    assert [fact.id for _row, fact in page._tabs["facts"].model.known()] == [made.id]
    full.real.memories.edit_fact(made.id, status="disabled")
    full.rest()
    assert list(figures(page)) == ["Factual", state]
    next(button for button in page.figures.findChildren(Button) if button.text() == state).click()
    full.rest()
    assert full.window.host.current == "diagnostics"
