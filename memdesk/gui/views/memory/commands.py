"""What the memory page brings to menus and palette."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from memdesk.gui.commands import Command
from memdesk.gui.operations.work import distill_now, pause_work
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr


def commands(context: PageContext, window: QWidget) -> list[Command]:
    """Return the commands, in the order menus show them; the parts of the page are for the palette alone."""
    controls = context.controls
    return [
        Command(
            id="memory.add",
            title=tr("Add a fact"),
            group="memory",
            icon="plus",
            handler=lambda: context.navigate("memory", add=True),
        ),
        Command(
            id="memory.preview",
            title=tr("Preview what a chat would be given"),
            group="memory",
            icon="eye",
            keywords=tr("context"),
            handler=lambda: context.navigate("memory", tab="preview"),
        ),
        Command(
            id="memory.distill",
            title=tr("Distill pending conversations now"),
            group="memory",
            icon="layers",
            handler=lambda: distill_now(context=context, parent=window).start(),
        ),
        Command(
            id="work.pause",
            title=tr("Pause background work"),
            group="memory",
            icon="pause",
            enabled=lambda: not controls.paused(),
            handler=lambda: pause_work(context=context, parent=window, on=True).start(),
        ),
        Command(
            id="work.resume",
            title=tr("Resume background work"),
            group="memory",
            icon="play",
            enabled=controls.paused,
            handler=lambda: pause_work(context=context, parent=window, on=False).start(),
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

    def part(key: str, name: str, icon: str) -> Command:
        return Command(
            id=f"memory.{key}",
            title=words.format(part=name),
            icon=icon,
            handler=lambda: context.navigate("memory", tab=key),
        )

    return [part(*each) for each in parts]
