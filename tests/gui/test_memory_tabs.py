"""Review, preview, transcript and episodes: jumping to the source, and pages that keep their position."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memdesk.bench.shared import put_all
from memdesk.domain.models import FactStatus
from memdesk.errors import NotFoundError
from memdesk.gui.views.memory.episodes import EpisodesTab
from memdesk.gui.views.memory.identity import IdentityTab
from memdesk.gui.views.memory.preview import PreviewTab
from memdesk.gui.views.memory.review import ReviewTab
from memdesk.gui.views.memory.tab import TwoLines
from memdesk.gui.views.memory.transcript import TranscriptTab
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Label
from memdesk.messages import say
from memdesk.services.agents import DEFAULT_AGENT_ID as A
from memdesk.services.recalling import CARD_PREFIX
from memdesk.services.recording.ingest import IngestTurn
from tests.helpers.demo import fill
from tests.helpers.rows import T0
from tests.helpers.rows import fact as a_fact
from tests.helpers.window import window


def opened(desk, name, kind):
    found = desk.page("memory", tab=name).findChild(kind)
    desk.rest()
    return found


def buttons(tab, text):
    return [b for b in tab.findChildren(Button) if b.text().strip() == text and b.isVisibleTo(tab)]


def words(tab):
    return [label.text() for label in tab.findChildren(Label) if label.isVisibleTo(tab)]


def test_what_waits_leads_to_where_it_was_said_and_the_next_card_gets_the_keyboard(full):
    tab = opened(full, "review", ReviewTab)
    before = len(buttons(tab, "Keep"))
    first = buttons(tab, "Keep")[0]
    assert len({button.accessibleName() for button in buttons(tab, "Keep")}) == before
    first.setFocus()
    first.click()
    full.rest()
    left = buttons(tab, "Keep")
    assert len(left) == before - 1
    assert full.window.focusWidget() is left[0]
    kept = left[0]
    full.real.memories.add_fact(agent_id="default", content="The gate squeaks.")
    full.rest()
    assert buttons(tab, "Keep")[0] is kept
    assert full.window.focusWidget() is kept
    buttons(tab, "Open")[0].click()
    full.rest()
    assert full.window.host.current == "chat"


def test_of_many_lines_about_the_user_some_are_shown_and_more_on_demand(desk):
    for number in range(107):
        desk.real.memories.add_identity(f"Speaks language {number}.")
    tab = opened(desk, "identity", IdentityTab)
    shown = []
    for more in ("Show 50 more", "Show 7 more", ""):
        shown.append(len([text for text in words(tab) if text.startswith("Speaks language")]))
        for button in buttons(tab, more):
            button.click()
        desk.rest()
    assert shown == [50, 100, 107]
    assert buttons(tab, "Show 7 more") == []


def test_of_all_that_waits_for_a_decision_some_is_shown_and_more_on_demand(desk):
    store, later = desk.real.recall.store, [T0 + timedelta(minutes=number) for number in range(70)]
    waiting = [a_fact(f"The shelf {n} holds jars.", A, status=FactStatus.REVIEW) for n in range(60)]
    apart = [a_fact(f"The lamp {n} is {color}.", A) for n in range(70) for color in ("red", "blue")]
    put_all(store, [*waiting, *apart])
    for number, at in enumerate(later):
        sides = {"old": apart[2 * number].id, "new": apart[2 * number + 1].id}
        card = {"id": str(number), "agent_id": A, "reason": say("They differ."), "created_at": at} | sides
        store.write(lambda repos, card=card: repos.meta.put(CARD_PREFIX + card["id"], card))
    tab = opened(desk, "review", ReviewTab)
    shown = []
    for more in ("Show 50 more", "Show 30 more"):
        shown.append((len(buttons(tab, "Both are true")), len(buttons(tab, "Keep"))))
        last = buttons(tab, more)[0]
        last.setFocus()
        last.click()
        desk.rest()
    assert shown == [(50, 0), (70, 30)]
    assert (len(buttons(tab, "Both are true")), len(buttons(tab, "Keep"))) == (70, 60)


def test_lines_about_the_user_stay_as_they_are_while_facts_come_and_follow_what_a_program_writes(full):
    tab = opened(full, "identity", IdentityTab)
    add = buttons(tab, "Add a line")[0]
    add.setFocus()
    full.real.memories.add_fact(agent_id="default", content="The gate squeaks.")
    full.rest()
    assert full.window.focusWidget() is add
    tab._failed(NotFoundError("Nothing."))
    tab.reload()
    full.rest()
    assert tab.pane.currentWidget() is tab.pane.content
    full.real.memories.add_identity("Ada plays the cello.", actor="api")
    full.rest()
    assert "Ada plays the cello." in words(tab)


def test_both_sides_of_a_contradiction_show_when_and_how_they_were_learned(full):
    tab = opened(full, "review", ReviewTab)
    (card,) = full.real.review.contradictions()
    told = words(tab)
    for fact in (card.old, card.new):
        assert any(fact.sources[0].quote in text for text in told)
    assert sum("learned on" in text for text in told) == 2
    full.real.review.resolve_contradiction(card.id, "new")
    full.rest()
    assert not any("learned on" in text for text in words(tab))
    again = full.real.memories.set_status([card.old.id], "active")
    assert again.count == 1
    assert full.real.memories.fact(card.old.id).superseded_by is None


def test_the_preview_says_whose_it_is_why_and_follows_room_and_memory(full):
    tab = opened(full, "preview", PreviewTab)
    tab.query.setText("What should I cook for Marta?")
    tab.ask()
    full.rest()
    told = " ".join(words(tab))
    agent = full.real.agents.all()[0].name
    assert f"as {agent} is given it" in told
    assert "The question touches on what you told or decided" in told
    used = tab._shown[0].tokens
    tab.budget.setValue(100)
    full.rest()
    assert tab._shown[0].budget_tokens == 100
    assert tab._shown[0].tokens <= min(used, 100)
    tab.budget.setValue(800)
    full.real.memories.add_fact(agent_id="default", content="Marta loves roast pumpkin.", salience=0.9)
    full.rest()
    assert "Marta loves roast pumpkin." in tab._shown[0].block
    next(b for b in buttons(tab, "Show") if "pumpkin" in b.accessibleName()).click()
    full.rest()
    assert full.window.host.page("memory").segments.value() == "facts"


def test_the_transcript_of_all_agents_is_whole_names_them_and_grows(full):
    tab = opened(full, "transcript", TranscriptTab)
    everything = sum(full.real.memories.transcript(agent.id).total for agent in full.real.agents.all())
    assert tab.model.total == everything
    seconds = {tab.model.index(row, 0).data(TwoLines.SECOND) for row in range(tab.model.rowCount())}
    names = {agent.id: agent.name for agent in full.real.agents.all()}
    assert any(second.endswith(names["writer"]) for second in seconds)
    tab.table.selectRow(2)
    chosen = tab.model.item(tab.table.currentIndex()).id
    turns = [IngestTurn(user="The gate squeaks.", assistant="Oil it.")]
    full.real.ingest.ingest(agent_id="default", conversation_id="new", turns=turns, skip_extraction=True)
    full.rest()
    assert tab.model.total == everything + 2
    assert tab.model.item(tab.table.currentIndex()).id == chosen


def test_an_episode_is_switched_off_found_again_and_narrowed_by_day(full):
    tab = opened(full, "episodes", EpisodesTab)
    total = tab.model.total
    episode = full.real.memories.episodes().items[0]
    tab.enter(episode_id=episode.id)
    full.rest()
    buttons(tab, "Disable")[0].click()
    full.rest()
    assert tab.model.total == total - 1
    assert full.real.memories.episode(episode.id).status == "disabled"
    tab.state.set_key("disabled")
    tab.state.chosen.emit("disabled")
    full.rest()
    assert [item.id for _row, item in tab.model.known()] == [episode.id]
    buttons(tab, "Enable")[0].click()
    tab.state.set_key("active")
    tab.age.set_key("30")
    tab.age.chosen.emit("30")
    full.rest()
    month = full.real.clock.now() - timedelta(days=30)
    assert 0 < tab.model.total <= total
    assert all(item.session.ended_at >= month for _row, item in tab.model.known())


@pytest.mark.parametrize("name", ["episodes", "entities", "kept"])
def test_where_there_is_no_room_for_both_one_thing_takes_the_place_of_the_list(home, qtbot, qapp, model, name):
    with window(home, qtbot, qapp, scale=200, size=(800, 600)) as desk:
        fill(desk.app)
        desk.real.own_files.create("default", "/memories/kitchen.md", "The oven holds two trays.")
        tab = desk.page("memory", tab=name).stack.currentWidget()
        desk.rest()
        tab.table.setFocus()
        tab.table.selectRow(0)
        desk.rest()
        assert tab.side.isVisible()
        assert not tab.pane.isVisible()
        assert tab.side.width() <= tab.width()
        back = buttons(tab, "Back to the list")[0]
        assert desk.window.focusWidget() is back
        back.click()
        desk.rest()
        assert tab.pane.isVisible()
        assert not tab.side.isVisible()


@pytest.mark.parametrize("key", ["facts", "episodes", "entities"])
def test_the_entry_of_one_agent_goes_when_another_is_chosen(full, key):
    page = full.page("memory", tab=key, agent_id="default")
    full.settle()
    tab = page.stack.currentWidget()
    tab.table.selectRow(0)
    full.settle()
    side = tab.panel if key == "facts" else tab.side
    assert side.isVisible()
    page.agents.setFocus()
    page.agents.set_key("coder")
    page.agents.chosen.emit("coder")
    full.settle()
    assert not side.isVisible()
    assert full.window.focusWidget() is page.agents
    assert tab.pane.isVisible()
