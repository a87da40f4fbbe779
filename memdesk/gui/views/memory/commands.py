"""The memory page's commands for menus and palette."""

from functools import partial

from PySide6.QtWidgets import QWidget

from memdesk.gui.commands import Command
from memdesk.gui.operations.work import distill_now, pause_work
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr


def commands(context: PageContext, window: QWidget) -> list[Command]:
    """Return the commands in menu order; the page's tabs are only in the palette."""
    controls = context.controls
    return [
        Command("memory.add", tr("Add a fact"), "plus", lambda: context.navigate("memory", add=True), group="memory"),
        Command(
            "memory.preview",
            tr("Preview what a chat would be given"),
            "eye",
            lambda: context.navigate("memory", tab="preview"),
            group="memory",
            keywords=tr("context"),
        ),
        Command(
            "memory.distill",
            tr("Distill pending conversations now"),
            "layers",
            lambda: distill_now(context, window).start(),
            group="memory",
        ),
        Command(
            "work.pause",
            tr("Pause background work"),
            "pause",
            lambda: pause_work(context, window, on=True).start(),
            group="memory",
            enabled=lambda: not controls.paused(),
        ),
        Command(
            "work.resume",
            tr("Resume background work"),
            "play",
            lambda: pause_work(context, window, on=False).start(),
            group="memory",
            enabled=controls.paused,
        ),
        *_parts(context),
    ]


def _parts(context: PageContext) -> list[Command]:
    words = tr("Memory: {part}")
    parts = (
        ("identity", tr("Identity"), "user"),
        ("facts", tr("Facts"), "brain"),
        ("episodes", tr("Episodes"), "calendar"),
        ("transcript", tr("Transcript"), "quote"),
        ("entities", tr("People & things"), "users"),
        ("kept", tr("Files & links"), "file-text"),
        ("review", tr("Review"), "inbox"),
        ("activity", tr("Activity"), "history"),
        ("tests", tr("Tests"), "flag"),
    )
    return [
        Command(f"memory.{key}", words.format(part=name), icon, partial(context.navigate, "memory", tab=key))
        for key, name, icon in parts
    ]
