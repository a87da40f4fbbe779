"""Opens every dialog of the window in turn, for screenshots and tests."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog

from memdesk.services.guarding import PROGRAMS

CODE = "7QKX-29FM-XA4P-0TVB-JH6D-M3WC-R8ZE"


def shown(desk):
    """Return the dialog that is open."""
    found = [dialog for dialog in desk.window.findChildren(QDialog) if dialog.isVisible()]
    assert found, "no dialog is open"
    return found[-1]


def each(desk, facts):
    """Open each dialog, let it come to rest and yield its name and itself; it is closed before the next."""
    for opened in (_chat(desk), _memory(desk, facts), _agents(desk), _models(desk), _settings(desk), _app(desk)):
        for name in opened:
            desk.settle()
            desk.qtbot.wait(120)
            dialog = shown(desk)
            yield name, dialog
            dialog.close()
            desk.settle()


def _chat(desk):
    page = desk.page("chat", agent_id="default", conversation_id="demo-0")
    page.list.ask_delete(desk.real.conversations.get("default", "demo-5"))
    yield "delete-conversation"
    page.messages.wishes.forget.emit("", "Marta is vegetarian")
    yield "forget-selection"


def _memory(desk, facts):
    page = desk.page("memory", fact_id=facts[1].id)
    tab = page.stack.currentWidget()
    tab.add()
    yield "add-fact"
    tab.panel.edit()
    yield "edit-fact"
    tab.panel._forget(tab.panel.fact)
    yield "forget-fact"
    page = desk.page("memory", tab="identity")
    page.stack.currentWidget().add()
    yield "add-line"
    episode = desk.real.memories.episodes(agent_id="default").items[0]
    page = desk.page("memory", episode_id=episode.id)
    page.stack.currentWidget()._edit(episode)
    yield "edit-episode"
    ada = next(each for each in desk.real.memories.entities(agent_id="default").items if each.name == "Ada")
    side = desk.page("memory", entity_id=ada.id).stack.currentWidget().side
    desk.settle()
    side.join(side.view.entity)
    yield "join"
    desk.real.memories.edit_facts([fact.id for fact in facts[:2]], kind="event", add_tags=["trip"])
    activity = desk.page("memory", tab="activity").stack.currentWidget()
    desk.settle()
    activity.table.selectRow(0)
    activity.back.click()
    yield "take-back"


def _agents(desk):
    from memdesk.gui.operations.agents import ask_delete

    page = desk.page("agents")
    coder = next(agent for agent in desk.real.agents.all() if agent.id == "coder")
    ask_delete(page.context, page, agent=coder, done=lambda _report: None)
    yield "delete-agent"
    page._ask_name(None, "New agent")
    yield "new-agent"


def _models(desk):
    page = desk.page("models")
    page._find()
    yield "found-models"
    page._add_server()
    yield "add-server"
    page._download()
    yield "download"


def _settings(desk):
    from memdesk.gui.views.settings.programs import ConnectCard, SeenCard
    from memdesk.gui.views.settings.tokens import TokensCard
    from memdesk.gui.views.settings.vault import NewCodeDialog, VaultCard

    page = desk.page("settings", section="server")
    tokens = page.findChild(TokensCard)
    tokens._ask()
    yield "new-token"
    tokens._ask()
    dialog = shown(desk)
    dialog.name.setText("Notebook")
    dialog._create()
    yield "token-secret"
    page = desk.page("settings", section="programs")
    desk.settle()
    connect = page.findChild(ConnectCard)
    for program in ("zed", "openwebui"):
        connect._connect(PROGRAMS[program], by_hand=True)
        yield f"by-hand-{program}"
    page.findChild(SeenCard)._look(desk.real.programs.all()[0])
    yield "program"
    page = desk.page("settings", section="privacy")
    vault = page.findChild(VaultCard)
    vault._drill()
    yield "recovery-drill"
    vault._ask_passphrase()
    yield "passphrase"
    vault._confirm_new_code()
    yield "confirm-new-code"
    NewCodeDialog(desk.window, CODE).open()
    yield "new-code"
    vault._forget_everything()
    yield "forget-everything"


def _app(desk):
    from memdesk.gui.crash import CrashDialog, trace_of

    try:
        raise ValueError("a demonstration")  # noqa: TRY301 - a trace to show
    except ValueError as error:
        CrashDialog(desk.window, trace_of(error), desk.session.context).open()
    yield "crash"
    CrashDialog(desk.window, "Fatal Python error: Segmentation fault", desk.session.context, last=True).open()
    yield "crash-before"
    for name in ("view.notices", "help.shortcuts", "help.about"):
        desk.window.commands.run(name)
        yield name.replace(".", "-")
    desk.window.commands.run("app.palette")
    yield "palette"
