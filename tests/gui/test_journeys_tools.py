"""Looking behind the memory: context preview, diagnostics, tokens for programs, rejected candidates, agents."""

from __future__ import annotations

import httpx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from memdesk.errors import EngineError
from memdesk.gui.views.diagnostics.tile import Tile
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Label
from memdesk.ports import FactFilter
from memdesk.services.recording.ingest import IngestTurn
from tests.helpers import rows
from tests.helpers.demo import fill
from tests.helpers.person import Person


def words(widget):
    return [label.text() for label in widget.findChildren(Label)]


@pytest.fixture
def person(desk):
    return Person(desk)


def test_the_preview_shows_what_a_chat_is_given(desk, person, model):
    fact = desk.real.memories.add_fact(agent_id="default", content="The user's sister is called Johanna.")
    used = desk.real.memories.fact(fact.id).use_count
    person.press("Memory")
    person.press("Part of the memory: Preview")
    person.write("Question", "What is my sister called?")
    person.key("Return")
    person.await_text("about you · ")
    assert desk.real.memories.fact(fact.id).use_count == used
    given = next(text for text in words(desk.window) if "Johanna" in text and "<" in text)
    person.press("Chat")
    person.write("Message Assistant", "What is my sister called?")
    person.key("Return")
    assert given.strip() in model.requests[-1].messages[-1].content
    person.press("Memory")
    person.choose("Section", "Transcript")
    person.write("Question", "noted")
    person.key("Return")
    person.await_text("All right, noted.")
    assert "Johanna is" not in person.text()


def test_a_parked_session_is_seen_and_tried_again(desk, qtbot, model):
    desk.real.settings.update("memory", {"core_model": "bundled:smollm2-135m"})
    for _ in range(6):
        model.queue(EngineError("The model gave nothing."))
    turns = [IngestTurn(user="My brother Karl moved to Graz in May.", assistant="Noted.")]
    desk.real.ingest.ingest(agent_id="default", conversation_id="karl", turns=turns)
    for _ in range(6):
        if desk.real.distillation.status()["parked"]:
            break
        desk.real.distillation.distill("default", "karl")
    page = desk.page("diagnostics")
    desk.settle()
    tiles = page.findChildren(Tile)
    assert len(tiles) >= 6
    assert all(tile.accessibleName() for tile in tiles)
    assert desk.real.conversations.get("default", "karl").title in words(page)
    model.default = '{"episode": null}'
    retry = next(b for b in page.findChildren(Button) if b.text().strip() == "Retry")
    retry.click()
    desk.settle()
    assert not desk.real.distillation.status()["parked"]


def test_the_report_is_copied_without_content(desk, qtbot, model):
    desk.real.memories.add_fact(agent_id="default", content="The safe opens with 4711.")
    page = desk.page("diagnostics")
    next(b for b in page.findChildren(Button) if b.text().strip() == "Copy report").click()
    desk.settle()
    report = QApplication.clipboard().text()
    assert "memdesk" in report
    assert "4711" not in report


def test_a_token_is_made_used_over_http_and_revoked(desk, person):
    desk.real.memories.add_fact(agent_id="default", content="The boat is called Petrel.")
    url = desk.app.start_server()
    person.press("Settings")
    person.press("Server")
    person.press("New token")
    person.write("Client", "notebook")
    person.press("chat")
    person.press("Create")
    secret = person.read("Secret")
    person.press("Close")
    person.await_text("notebook")

    def search():
        return httpx.post(
            f"{url}/memory/search",
            json={"agent_id": "default", "query": "boat", "scope": "pinned", "limit": 3},
            headers={"Authorization": f"Bearer {secret}"},
            timeout=60,
        )

    found = search()
    assert found.status_code == 200
    assert "Petrel" in found.text
    refused = httpx.post(
        f"{url}/v1/chat/completions",
        json={"model": "default", "messages": [{"role": "user", "content": "Hello"}]},
        headers={"Authorization": f"Bearer {secret}"},
        timeout=60,
    )
    assert refused.status_code == 403
    person.press("Revoke: notebook")
    person.press("Revoke")
    person.await_text("No client has a token yet.")
    assert search().status_code == 401
    desk.app.stop_server()  # which writes what it noted of the last seconds
    page = desk.page("diagnostics")
    table = page.activity.model
    rows = [[table.index(row, column).data() for column in range(6)] for row in range(table.rowCount())]
    assert ["notebook", "POST /memory/search", "200"] in [[row[1], row[2], row[4]] for row in rows]


@pytest.mark.parametrize("never", [False, True])
def test_a_rejected_candidate_is_gone_and_never_means_never(desk, person, never):
    fill(desk.app)
    first = desk.real.review.items().items[0].fact
    person.press("Memory")
    person.press("Review 3")
    person.press("Never store this kind" if never else "Drop", near=first.content)
    assert (first.content in person.text()) is never  # as a kind that is not stored
    assert all(item.fact.id != first.id for item in desk.real.review.items().items)
    assert all(fact.id != first.id for fact in desk.real.memories.facts(FactFilter(), limit=200).items)
    assert bool(desk.real.review.rules()) is never


def test_an_agent_that_keeps_to_itself_shares_nothing_it_learns(desk, person):
    desk.real.agents.create("Coach", agent_id="coach")
    learned = rows.line("Ada trains for a marathon.", origin="distiller", source_agent_id="coach")
    desk.real.memories._store.write(lambda repos: repos.items.put(learned))
    person.press("Memory")
    person.choose("Agent", "Assistant")
    person.await_text("Identity 1")
    person.press("Identity 1")
    person.await_text(learned.content)
    desk.page("agents", agent_id="coach")
    person.press("Share what is learned about you")
    person.press("Save")
    assert not desk.real.agents.get("coach").shares_identity
    person.press("Memory")
    person.await_text("Nothing about you yet")
    assert "Identity 1" not in person.text()
    person.choose("Agent", "Coach")
    person.await_text(learned.content)


def test_enter_presses_the_button_that_has_the_focus(desk, qtbot):
    page = desk.page("diagnostics")
    copy = next(b for b in page.findChildren(Button) if b.text().strip() == "Copy report")
    QApplication.clipboard().setText("")
    copy.setFocus()
    qtbot.keyClick(copy, Qt.Key.Key_Return)
    desk.settle()
    assert "memdesk" in QApplication.clipboard().text()
