"""What would go is counted for as long as somebody looks at the question, whatever it is about."""

from __future__ import annotations

import threading

import pytest

from memdesk.gui.operations import agents, conversations, folders, forgetting, programs
from memdesk.gui.widgets.dialog import ConfirmDialog
from memdesk.ports import FactFilter
from memdesk.services.forgetting import ForgetTarget, ForgettingService
from memdesk.services.forgetting.scope import Scope
from memdesk.services.recording.ingest import IngestTurn


def of_a_fact(desk, context, page):
    fact = desk.real.memories.facts(FactFilter(), 1).items[0]
    forgetting.ask_forget(context, page, target=ForgetTarget(kind="fact", ids=(fact.id,)), title="Forget?", text="")


def of_a_conversation(desk, context, page):
    talk = desk.real.conversations.page("default", limit=1).items[0]
    conversations.ask_delete(context, page, talk=talk, done=lambda _report: None)


def of_a_folder(desk, context, page):
    folder = desk.real.folders.create("Trips")
    talk = desk.real.conversations.page("default", limit=1).items[0]
    desk.real.conversations.move("default", talk.id, folder.id)
    dialog = folders.ask_delete(context, page, folder=folder, done=lambda _chats: None)
    dialog.reach["chats"].click()


def of_an_agent(desk, context, page):
    agent = desk.real.agents.create("Gardener")
    agents.ask_delete(context, page, agent=agent, done=lambda _report: None)


def of_a_program(desk, context, page):
    turn = IngestTurn(user="I keep bees.", assistant="Noted.")
    desk.real.ingest.ingest(agent_id="default", conversation_id="p", turns=[turn], program="notebook")
    programs.ask_take_back(context, desk.window, name="notebook", done=lambda: None)


@pytest.mark.parametrize("ask", [of_a_fact, of_a_conversation, of_a_folder, of_an_agent, of_a_program])
def test_closing_the_question_stops_the_count_of_what_would_go(full, qtbot, monkeypatch, ask):
    page = full.page("memory", tab="facts")
    full.settle()
    counting, closed, ends = threading.Event(), threading.Event(), []
    each, preview = Scope.each, ForgettingService.preview

    def slowly(scope, items):
        counting.set()
        closed.wait(20)
        return each(scope, items)

    def watched(*args, **options):
        try:
            return preview(*args, **options)
        except Exception as error:
            ends.append(type(error).__name__)
            raise

    monkeypatch.setattr(Scope, "each", slowly)
    monkeypatch.setattr(ForgettingService, "preview", watched)
    ask(full, page.context, page)
    qtbot.waitUntil(counting.is_set)
    next(dialog for dialog in full.window.findChildren(ConfirmDialog) if dialog.isVisible()).reject()
    closed.set()
    qtbot.waitUntil(lambda: bool(ends))
    assert ends == ["CancelledError"]
    full.settle()
    assert not full.window.findChildren(ConfirmDialog)
