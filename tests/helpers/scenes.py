"""The scenes of the screenshots: every page in every important state. A scene gets a studio to work in."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QLineEdit

from tests.helpers import dialogs

MEMORY_TABS = (
    "identity", "facts", "episodes", "transcript", "entities", "kept", "review", "activity", "tests", "preview",
)  # fmt: skip
PAGES = ("consolidation", "agents", "models", "diagnostics", "settings")
SETTINGS = ("engine", "server", "programs", "appearance", "privacy")
THOUGHTS = (
    "They ask whether one of these trains has beds. The one from Hendaye had, until 2020. Marta wakes early, so a hotel "
    "by the station would suit them better than a late connection."
)
LONG = (
    "By train it takes two days, by way of Lyon and Hendaye. **Day one** ends in Hendaye, at the border; the "
    "night train is gone since 2020, so you sleep there.\n\n1. Vienna to Lyon, with a change in Zurich.\n"
    "2. Lyon to Hendaye by way of Paris.\n3. Hendaye to Lisbon through Madrid"
)


def _give_titles(archive):
    """Name the chats of an archive as a person's are."""
    import json
    import zipfile

    with zipfile.ZipFile(archive) as found:
        chats = json.loads(found.read("conversations.json"))
    for chat, title in zip(chats, ("Sourdough: the crumb is dense", "Night trains from Vienna"), strict=True):
        chat["title"] = title
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("conversations.json", json.dumps(chats))


def first_start(studio):
    """The four steps."""
    studio.desk.show()
    wizard = studio.desk.face
    for name in ("code", "model", "name", "import"):
        studio.settle(300)
        studio.shot(f"first-start-{name}")
        wizard.go_on()


def first_day(studio):
    """The four steps as they are gone through: a slip in the code, a name, an archive read and imported."""
    from pathlib import Path

    from tests.helpers.archives import chatgpt_archive

    studio.desk.show()
    wizard = studio.desk.face
    code = wizard.steps[0]
    groups = code.code.split("-")
    for number, (place, edit) in enumerate(code._asked.items()):
        edit.setText(groups[place] if number else "XXXX")
    wizard.next.click()
    studio.settle(300)
    studio.shot("first-day-code-wrong")
    for place, edit in code._asked.items():
        edit.setText(groups[place])
    studio.shot("first-day-code-typed")
    for _ in range(2):
        wizard.next.click()
        studio.settle(300)
    name = wizard.steps[2]
    for edit, words in zip(name.findChildren(QLineEdit), ("Ada Berger", "Ada", "I live in Vienna."), strict=False):
        edit.setText(words)
    studio.shot("first-day-name")
    wizard.next.click()
    studio.settle(300)
    archive = Path(studio.scratch.name) / "export.zip"
    chatgpt_archive(archive)
    _give_titles(archive)
    panel = wizard.steps[3].panel
    panel.look(str(archive))
    studio.settle(300)
    studio.shot("first-day-import-read")
    panel._import(2)
    studio.settle(300)
    studio.shot("first-day-imported")
    (Path(studio.scratch.name) / "empty.zip").write_bytes(b"PK")
    panel.look(str(Path(studio.scratch.name) / "empty.zip"))
    studio.settle(300)
    studio.shot("first-day-import-refused")
    wizard.next.click()
    studio.settle(300)
    studio.shot("first-day-chat")


def programs(studio):
    """Programs that are connected, one whose file cannot be changed, and what they asked and wrote."""
    from datetime import timedelta

    from memdesk.ports import ActivityRow
    from memdesk.services.guarding import PROGRAMS

    studio.filled()
    real = studio.desk.real
    real.connecting.connect("cursor", url="http://127.0.0.1:1337", agent="default")
    zed = PROGRAMS["zed"].file()
    assert zed is not None
    zed.parent.mkdir(parents=True, exist_ok=True)
    zed.write_text("{\n  // mine\n}")
    row = ActivityRow(
        at=real.clock.now() - timedelta(minutes=4),
        token_name="Cursor",
        method="POST",
        route="/mcp search_memory",
        agent_id="default",
        status=200,
        ms=12.0,
    )
    real.status.record_activity([row] * 7)
    real.memories.add_fact(
        agent_id="default", content="Ada is moving the garden project to Rust.", actor="api", actor_detail="Cursor"
    )
    page = studio.page("settings", section="programs", wait=500)
    studio.shot("settings-programs-used")
    page.stack.currentWidget().verticalScrollBar().setValue(10_000)
    studio.settle(200)
    studio.shot("settings-programs-seen")
    from memdesk.gui.views.settings.programs import SeenCard

    page.findChild(SeenCard)._look(real.programs.all()[0])
    studio.settle(400)
    studio.shot("dialog-program-cursor")
    dialogs.shown(studio.desk).close()
    page.findChild(SeenCard)._take_back(real.programs.all()[0])
    studio.settle(400)
    studio.shot("dialog-program-take-back")
    dialogs.shown(studio.desk).close()


def outside(studio):
    """Tools of another program: the server in the settings, the question in the chat, the answer."""
    from memdesk.gui.views.settings.outside import ToolServersList
    from memdesk.mcp.client import McpConnector
    from memdesk.settings.schema import ToolServer
    from tests.helpers.models import tool_call
    from tests.helpers.sky import Sky

    sky = Sky()
    setattr(McpConnector, "open", lambda _connector, address, _cancel=None: sky.open(address))  # noqa: B010 (a method, as mypy sees it)
    studio.filled()
    studio.desk.real.outside.add(ToolServer(name="sky", command=["npx", "sky-server"]))
    page = studio.page("settings", section="engine", wait=500)
    servers = page.findChild(ToolServersList)
    page.stack.currentWidget().ensureWidgetVisible(servers, 0, 200)
    studio.shot("settings-tools")
    servers._ask()
    studio.settle(300)
    studio.shot("dialog-tool-server")
    dialogs.shown(studio.desk).close()
    studio.model.queue(tool_call("sky_weather", '{"city": "Lisbon"}'), "Take an umbrella: it rains in Lisbon.")
    page = studio.page("chat", wait=300)
    page.composer.editor.setPlainText("What should I wear in Lisbon today?")
    page.composer.send()
    studio.desk.qtbot.wait(1500)
    studio.shot("chat-tool-asked")
    from memdesk.gui.views.chat.outside import ToolRow

    tool = page.findChild(ToolRow)
    tool.buttons[0].click()
    studio.settle(600)
    tool.fold.click()
    studio.settle(200)
    studio.shot("chat-tool-used")


def all_dialogs(studio):
    """Every dialog there is."""
    _talks, facts = studio.filled()
    for name, _dialog in dialogs.each(studio.desk, facts):
        studio.shot(f"dialog-{name}")


def lists(studio):
    """Options that are lists, filled and with something wrong; the lock and the restore page refusing."""
    from memdesk.errors import EnvironmentFault
    from memdesk.gui.widgets.rows import RowsEditor

    studio.filled()
    desk = studio.desk
    desk.real.settings.update(
        "memory", {"gate_phrases": {"transcript": ["my diary", "the minutes"], "none": ["off the record"]}}
    )
    server = {"name": "Attic", "base_url": "http://192.168.0.9:8080/v1"}
    desk.real.settings.update(
        "engine", {"remote_servers": [server], "model_folders": ["/srv/models", "/home/ada/models"]}
    )
    desk.real.settings.update("server", {"allowed_origins": ["http://localhost:3000"]})
    for section in ("memory", "engine", "server"):
        page = studio.page("settings", section=section)
        rows = next(editor for editor in page.findChildren(RowsEditor) if editor.isVisible())
        page.stack.currentWidget().ensureWidgetVisible(rows, 0, 200)
        studio.shot(f"settings-lists-{section}")
    rows._add_typed()
    rows.rows[-1].edit.setText("localhost/page")
    rows.rows[-1].edit.editingFinished.emit()
    studio.settle(200)
    studio.shot("settings-lists-wrong")
    desk.session.lock()
    studio.settle(300)
    for way in ("passphrase", "recovery"):
        desk.face.ask(way)
        studio.shot(f"locked-{way}")
    desk.face.show_fault(EnvironmentFault("The keyring is locked.", hint="Set a passphrase instead."))
    studio.shot("locked-refused")


def empty(studio):
    """What a newcomer finds: pages that say what will be there."""
    studio.desk.create()
    studio.desk.show()
    studio.page("chat")
    studio.shot("empty-chat")
    for tab in MEMORY_TABS[:-1]:
        studio.page("memory", tab=tab)
        studio.shot(f"empty-memory-{tab}")
    studio.page("consolidation")
    studio.shot("empty-consolidation")


def chat(studio):
    """A conversation, its receipt, what was learned, an answer on its way, a failure."""
    from memdesk.errors import EngineError
    from memdesk.services.events import DistillationFinished
    from tests.helpers.demo import give_receipt

    talks, facts = studio.filled()
    desk = studio.desk
    studio.shot("chat-new")
    receipt = give_receipt(desk.app, talks, facts)
    page = studio.page("chat", agent_id="default", conversation_id="demo-0")
    studio.shot("chat")
    studio.page("chat", agent_id="coder", conversation_id="demo-3")
    studio.shot("chat-code")
    page = studio.page("chat", agent_id="default", conversation_id="demo-0")
    desk.real.events.publish(
        DistillationFinished("default", "demo-0", "distilled", None, (facts[1].id, facts[2].id), (), 1)
    )
    page.explaining.show_receipt(receipt.id)
    studio.settle(300)
    studio.shot("chat-receipt")
    page.messages.last_assistant()._notes[0].button.click()
    studio.settle(200)
    studio.shot("chat-learned")
    page.explaining.learned.shut()
    page.list.search.setText("lisbon")
    studio.settle(500)
    studio.shot("chat-search")
    page.list.search.clear()
    page = studio.page("chat", agent_id="default", conversation_id="demo-5")
    studio.model.hold, studio.model.hold_after = threading.Event(), 40
    studio.model.queue(LONG)
    page.composer.editor.setPlainText("Which trains would we take?")
    page.composer.send()
    desk.qtbot.waitUntil(studio.model.holding.is_set)
    desk.qtbot.wait(400)
    studio.shot("chat-streaming")
    studio.model.hold.set()
    studio.settle(300)
    studio.model.hold = None
    studio.shot("chat-answered")
    studio.model.hold, studio.model.hold_after = threading.Event(), 34
    studio.model.holding.clear()
    studio.model.queue(f"<think>\n{THOUGHTS}\n</think>\n\nNot any more. Sleep in Hendaye, close to the station.")
    page.composer.editor.setPlainText("Can we sleep on one of them?")
    page.composer.send()
    desk.qtbot.waitUntil(studio.model.holding.is_set)
    page.messages.last_assistant().thinking.fold.click()
    desk.qtbot.wait(400)
    studio.shot("chat-thinking")
    studio.model.hold.set()
    studio.settle(300)
    studio.model.hold = None
    studio.model.queue(EngineError("The engine stopped while it answered."))
    page.composer.editor.setPlainText("And where do we sleep in Hendaye?")
    page.composer.send()
    studio.settle(300)
    studio.shot("chat-failed")
    studio.page("chat", new=True, temporary=True)
    studio.shot("chat-temporary")


def memory(studio):
    """Every tab, a fact, an episode, a person, a context preview, forgetting and adding."""
    _talks, facts = studio.filled()
    desk = studio.desk
    ask = desk.real.tests.add
    ask(agent_id="default", question="Is anybody in my family allergic?", line="allergic to peanuts")
    ask(agent_id="default", question="Which trains go to Lisbon?", line="the night train leaves at nine")
    for tab in MEMORY_TABS:
        studio.page("memory", tab=tab)
        studio.shot(f"memory-{tab}")
    page = studio.page("memory", fact_id=facts[1].id)
    studio.shot("memory-fact")
    page.stack.currentWidget().table.selectAll()
    studio.settle(200)
    studio.shot("memory-facts-chosen")
    episode = desk.real.memories.episodes(agent_id="default").items[0]
    studio.page("memory", episode_id=episode.id)
    studio.shot("memory-episode")
    ada = next(e for e in desk.real.memories.entities(agent_id="default").items if e.name == "Ada")
    studio.page("memory", entity_id=ada.id)
    studio.shot("memory-person")
    studio.page("memory", tab="preview", query="What should I cook for Marta?", wait=900)
    studio.shot("memory-context")


def _shelf(studio):
    """Put models of usual sizes into a folder: headers without weights, in files of the right length."""
    import os
    from pathlib import Path

    from tests.helpers.gguf import gguf_bytes

    folder = Path(studio.scratch.name) / "Models"
    folder.mkdir()
    for name, family, context, parameters, size in (
        ("Qwen2.5 7B Instruct", "qwen2", 32_768, 7_615_616_512, 4_683_074_240),
        ("Qwen3 4B", "qwen3", 40_960, 4_022_468_096, 2_497_280_256),
    ):
        more = {f"{family}.context_length": context, "llama.context_length": None}
        path = folder / f"{name.replace(' ', '-')}-Q4_K_M.gguf"
        header = gguf_bytes(
            name,
            tensors=((parameters,),),
            general__architecture=family,
            general__license="apache-2.0",
            **{key.replace(".", "__"): value for key, value in more.items()},
        )
        path.write_bytes(header)
        os.truncate(path, size)
    studio.desk.real.settings.update("engine", {"model_folders": [str(folder)]})


def work(studio):
    """Consolidation before, during and after; agents, models, diagnostics, settings."""
    studio.filled()
    _shelf(studio)
    desk = studio.desk
    studio.page("consolidation", preview=True, wait=700)
    studio.shot("consolidation-preview")
    page = desk.window.host.page("consolidation")
    page._back()
    page.run_now()
    studio.settle(600)
    studio.shot("consolidation-done")
    page._open(desk.real.consolidation.runs(1).items[0])
    studio.settle(300)
    studio.shot("consolidation-run")
    page._back()
    for name in PAGES:
        studio.page(name, wait=500)
        studio.shot(name)
    for section in SETTINGS:
        studio.page("settings", section=section, wait=200)
        studio.shot(f"settings-{section}")
    studio.page("settings", query="memory", wait=500)
    studio.shot("settings-search")
    _download(studio)
    _trouble(studio)


def _download(studio):
    from PySide6.QtWidgets import QApplication

    from memdesk.gui.widgets.buttons import Button
    from tests.helpers.gguf import gguf_bytes
    from tests.helpers.hub import hub_server

    repo = "Qwen/Qwen2.5-1.5B-Instruct-GGUF"
    with hub_server() as hub:
        for name, size in (("q4_k_m", 9_000_000), ("q8_0", 16_000_000)):
            hub.add(repo, f"qwen2.5-1.5b-instruct-{name}.gguf", gguf_bytes("Qwen2.5 1.5B Instruct", padding=size))
        studio.desk.real.settings.update("engine", {"hub_url": hub.url})
        page = studio.page("models")
        page._download()
        dialog: Any = QApplication.activeModalWidget()
        dialog.repo.setText("qwen2.5")
        dialog.look.click()
        studio.settle(300)
        studio.shot("models-search")
        dialog._choose(repo)
        studio.settle(300)
        studio.shot("models-download")
        hub.hold.clear()
        next(button for button in dialog.findChildren(Button) if "q4_k_m" in button.accessibleName()).click()
        studio.desk.qtbot.waitUntil(lambda: page.downloads.rows and page.downloads.rows[0].fetching.done > 0)
        studio.desk.qtbot.wait(700)
        studio.shot("models-downloading")
        page.downloads.rows[0]._stop()
        hub.hold.set()
        studio.settle(800)
        studio.shot("models-interrupted")
        page._add_server()
        studio.shot("models-server")
        studio.shut()


def _trouble(studio):
    from datetime import timedelta

    from memdesk.domain.models import Signal, SignalStatus, new_id
    from memdesk.services.events import PendingChanged, ServerChanged

    desk = studio.desk

    def park(repos):
        now = desk.real.clock.now()
        turn = repos.turns.of_conversation("default", "demo-6")[0]
        signal = Signal(
            id=new_id(), turn_id=turn.id, agent_id="default", conversation_id="demo-6", created_at=now,
            status=SignalStatus.PARKED, attempts=5, last_error="The model's answer holds no JSON.",
            next_try_at=now + timedelta(days=1),
        )  # fmt: skip
        repos.signals.add([signal])

    desk.real.memories._store.write(park)
    desk.real.events.publish(PendingChanged())
    desk.real.events.publish(ServerChanged("", "failed", "Port 1337 on 127.0.0.1 is in use."))
    studio.page("diagnostics", wait=700)
    studio.shot("diagnostics-trouble")


def shell(studio):
    """Palette, notices, a crash, the lock, putting a backup back."""
    from memdesk.services.events import Notice

    studio.filled()
    desk = studio.desk
    desk.window.commands.run("app.palette")
    studio.settle(200)
    studio.shot("palette-actions")
    palette = next(w for w in desk.window.children() if type(w).__name__ == "Palette")
    palette.field.setText("mar")
    studio.settle(500)
    studio.shot("palette")
    palette.close()
    for notice in (
        Notice("error", "The model engine failed", "The engine stopped.", "Try again."),
        Notice("success", "Forgotten", "3 entries are gone."),
    ):
        desk.real.events.publish(notice)
    studio.page("agents")
    studio.shot("notices")
    desk.qtbot.wait(8000)
    desk.session.lock()
    studio.settle(300)
    studio.shot("locked")
    desk.session.show_restore()
    studio.settle(300)
    studio.shot("restore")


def tour(studio):
    """The pages once, for a window of another size, text size or language."""
    from tests.helpers.demo import give_receipt

    talks, facts = studio.filled()
    receipt = give_receipt(studio.desk.app, talks, facts)
    page = studio.page("chat", agent_id="default", conversation_id="demo-0")
    studio.shot("chat")
    page.explaining.show_receipt(receipt.id)
    studio.settle(300)
    studio.shot("chat-receipt")
    page.explaining.receipt.shut()
    for tab in MEMORY_TABS:
        studio.page("memory", tab=tab)
        studio.shot(f"memory-{tab}")
    studio.page("memory", fact_id=facts[1].id)
    studio.shot("memory-fact")
    for name in PAGES:
        studio.page(name, wait=500)
        studio.shot(name)
    for section in SETTINGS:
        studio.page("settings", section=section, wait=200)
        studio.shot(f"settings-{section}")


def readme(studio):
    """The pictures of the README, in a window small enough to be read there."""
    from memdesk.services.events import DistillationFinished
    from tests.helpers.demo import give_receipt

    talks, facts = studio.filled()
    desk = studio.desk
    receipt = give_receipt(desk.app, talks, facts)
    page = studio.page("chat", agent_id="default", conversation_id="demo-0")
    learned = (facts[1].id, facts[2].id)
    desk.real.events.publish(DistillationFinished("default", "demo-0", "distilled", None, learned, (), 0))
    page.explaining.show_receipt(receipt.id)
    studio.settle(300)
    studio.shot("chat")
    page.explaining.receipt.shut()
    studio.page("memory", fact_id=facts[1].id)
    studio.shot("memory")
    ada = next(e for e in desk.real.memories.entities(agent_id="default").items if e.name == "Ada")
    studio.page("memory", entity_id=ada.id)
    studio.shot("people")


#: scene: what to play and how the studio is set up.
def chat_folders(studio):
    """Chats in folders: one open, one folded, one empty; the dialogs for a folder, and a chat that begins in one."""
    talks, _facts = studio.filled()
    del talks
    services = studio.desk.real
    taxes = services.folders.create("Taxes 2026", "Name the paragraph of the law for every answer.")
    trip = services.folders.create("Lisbon by train", "We travel in May, and Marta eats no meat.")
    services.folders.create("Reading")
    diary = services.folders.create("Diary", own_memory_as="default")
    listed = services.conversations.page(archived=False).items
    for talk in listed[:3]:
        services.conversations.move(talk.agent_id, talk.id, trip.id)
    services.conversations.move(listed[4].agent_id, listed[4].id, taxes.id)
    services.folders.edit(taxes.id, collapsed=True)
    page = studio.page("chat", agent_id=listed[0].agent_id, conversation_id=listed[0].id)
    studio.shot("chat-folders")
    shelf = page.list.model.shelf(trip.id)
    dialog = page.list.folders.ask()
    dialog.name.setText("Health")
    dialog.own.setChecked(True)
    studio.settle(200)
    studio.shot("dialog-folder-new")
    studio.shut()
    page.list.folders.ask_delete(page.list.model.shelf(diary.id))
    studio.settle(300)
    studio.shot("dialog-delete-folder-closed")
    studio.shut()
    page.list.folders.ask(shelf.folder)
    studio.settle(200)
    studio.shot("dialog-folder")
    studio.shut()
    asked = page.list.folders.ask_delete(shelf)
    studio.settle(300)
    studio.shot("dialog-delete-folder")
    asked.reach["chats"].click()
    studio.settle(300)
    studio.shot("dialog-delete-folder-chats")
    studio.shut()
    menu = page.list.menu_of(listed[5])
    menu.popup(page.list.mapToGlobal(page.list.rect().center()))
    studio.settle(100)
    studio.shot("menu-conversation-folders")
    studio.shut()
    page.new_chat(folder=shelf.folder)
    studio.settle(200)
    studio.shot("chat-folder-new")


SCENES: dict[str, tuple[Callable[[Any], None], dict[str, Any]]] = {
    "readme": (readme, {"size": (1280, 800), "mark": "readme-"}),
    "first": (first_start, {}),
    "first-day": (first_day, {}),
    "dialogs": (all_dialogs, {}),
    "lists": (lists, {}),
    "programs": (programs, {}),
    "outside": (outside, {}),
    "empty": (empty, {}),
    "chat": (chat, {}),
    "folders": (chat_folders, {}),
    "memory": (memory, {}),
    "work": (work, {}),
    "shell": (shell, {}),
    "narrow": (tour, {"size": (720, 600), "mark": "narrow-"}),
    "wide": (tour, {"size": (1920, 1080), "mark": "wide-"}),
    "large": (tour, {"scale": 200, "mark": "large-"}),
    "german": (tour, {"language": "de", "mark": "german-"}),
    "german-first": (first_start, {"language": "de", "mark": "german-"}),
    "german-first-day": (first_day, {"language": "de", "mark": "german-"}),
    "german-work": (work, {"language": "de", "mark": "german-"}),
    "german-dialogs": (all_dialogs, {"language": "de", "mark": "german-"}),
    "german-lists": (lists, {"language": "de", "mark": "german-"}),
    "german-programs": (programs, {"language": "de", "mark": "german-"}),
    "german-outside": (outside, {"language": "de", "mark": "german-"}),
    "narrow-programs": (programs, {"size": (720, 600), "mark": "narrow-"}),
    "large-dialogs": (all_dialogs, {"scale": 200, "mark": "large-"}),
    "german-large": (tour, {"language": "de", "scale": 200, "mark": "german-large-"}),
}
