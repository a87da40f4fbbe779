"""Actions on connected programs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr
from memdesk.gui.widgets.dialog import ConfirmDialog
from memdesk.ports import CancelToken
from memdesk.services.guarding import Program

#: The port in a URL while the server has none: 0 means any free one.
USUAL_PORT = 1337


def server_url(context: PageContext) -> str:
    """Return where the server listens, or will listen."""
    settings = context.services.settings.current.server
    where = f"[{settings.host}]" if ":" in settings.host else settings.host
    return context.controls.server_state()[1] or f"http://{where}:{settings.port or USUAL_PORT}"


def connect_program(
    context: PageContext, parent: QObject, *, program: Program, agent: str, by_hand: bool
) -> ServiceOp[dict[str, Any]]:
    """Give a program a new token and add memdesk to its configuration; ``by_hand`` only returns the text to add."""
    connecting = context.services.connecting
    work = connecting.by_hand if by_hand else connecting.connect
    return ServiceOp(context.bridge, parent, lambda _op: work(program.id, url=server_url(context), agent=agent))


def disconnect_program(context: PageContext, parent: QObject, *, program: Program) -> ServiceOp[tuple[bool, int]]:
    """Remove memdesk from a program's configuration, and revoke its token."""
    op = context.bridge.call(parent, context.services.connecting.disconnect, program.id)
    words = tr("{program} is disconnected").format(program=program.title)
    return op.tell(words)


def ask_take_back(context: PageContext, window: QWidget, *, name: str, done: Callable[[], object]) -> None:
    """Show a program's changes that can be undone, and undo them after confirmation."""
    programs = context.services.programs

    def counts(cancel: CancelToken) -> tuple[Mapping[str, int], Sequence[str]]:
        written = programs.written(name, cancel=cancel)
        shown = {
            tr("Added by it: will be forgotten"): written.added,
            tr("Changed by it: will be restored"): written.changed,
            tr("People, things and relations it made"): written.joined,
            tr("Messages it sent, with their answers"): written.messages,
            tr("Learned from these messages alone"): written.learned,
        }
        kept = tr("%n changed by others since are kept", "", written.kept)
        return shown, [kept] if written.kept else []

    def confirmed(_option: bool) -> None:
        op = context.bridge.call(window, programs.take_back, name).behind()
        words = tr("What {program} wrote was undone").format(program=name)
        op.tell(words).ended(done).start()

    ConfirmDialog(
        window,
        title=tr("Undo everything {program} wrote?").format(program=name),
        text=tr("What it added and sent is forgotten for good; what it changed is as it was before."),
        action=tr("Undo"),
        confirmed=confirmed,
    ).preview(context.bridge, counts).open()
