"""Actions on agents."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memdesk.domain.decoding import MAX_SIZE, decode
from memdesk.errors import BadRequestError, EnvironmentFault
from memdesk.gui.bridge import ServiceOp
from memdesk.gui.operations.files import write_text
from memdesk.gui.operations.forgetting import worded
from memdesk.gui.text import said, tr
from memdesk.gui.widgets.dialog import ConfirmDialog
from memdesk.messages import say
from memdesk.services.guarding import TRY_IT
from memdesk.settings.files import read_given

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QWidget

    from memdesk.domain.models import Agent
    from memdesk.gui.pages import PageContext
    from memdesk.services.agents import AgentTemplate

TRY_SECONDS = 120


class ServerOffError(EnvironmentFault):
    """Nothing can be tried over HTTP while the local server is off."""


def create(context: PageContext, parent: QObject, *, name: str, template: AgentTemplate | None) -> ServiceOp[Agent]:
    """Create an agent, optionally from a template, in the user's language."""
    agents = context.services.agents
    if template is None:
        return ServiceOp(context.bridge, parent, lambda _op: agents.create(agents.free_name(name)))
    fields = spoken(template)

    def work() -> Agent:
        return agents.create(agents.free_name(name), template=template.id, **fields)

    return context.bridge.call(parent, work)


def spoken(template: AgentTemplate) -> dict[str, Any]:
    """Return a template's texts, except its name, in the user's language."""
    return {"description": said(template.description), "system_prompt": said(template.system_prompt)}


def introduce(context: PageContext, parent: QObject) -> ServiceOp[None]:
    """Translate the built-in agent, if unchanged, to the user's language; for a first start."""
    agents = context.services.agents
    template = agents.templates()[0]
    name, fields = said(template.name), spoken(template)

    def work() -> None:
        agent = agents.get("default")
        made = (template.name, template.description, template.system_prompt)
        if name != template.name and (agent.name, agent.description, agent.system_prompt) == made:
            agents.edit(agent.id, name=name, **fields)

    return context.bridge.call(parent, work)


def duplicate(context: PageContext, parent: QObject, *, agent: Agent) -> ServiceOp[Agent]:
    """Copy an agent's settings; its memory stays its own."""
    agents = context.services.agents
    name = tr("{name} (copy)").format(name=agent.name)
    return context.bridge.call(parent, agents.duplicate, agent.id, name)


def export(context: PageContext, parent: QObject, *, agent_id: str, path: str) -> ServiceOp[None]:
    """Write an agent's settings to a file; without its memory."""
    agents = context.services.agents

    def work() -> None:
        text = json.dumps(agents.export(agent_id), ensure_ascii=False, indent=2)
        write_text(path, text + "\n")

    return context.bridge.call(parent, work).tell(tr("Exported"), path)


def import_file(context: PageContext, parent: QObject, *, path: str) -> ServiceOp[Agent]:
    agents = context.services.agents

    def work() -> Agent:
        try:
            data = decode(read_given(Path(path), MAX_SIZE))
        except OSError as error:
            raise EnvironmentFault(say("The file could not be read: {strerror}.", strerror=error.strerror)) from error
        except ValueError as error:
            raise BadRequestError(
                say("This is not an exported agent."), hint=say("It should be a JSON file.")
            ) from error
        return agents.import_(data)

    return context.bridge.call(parent, work)


def ask_delete(context: PageContext, parent: QWidget, *, agent: Agent, done: Callable[[Any], object]) -> ConfirmDialog:
    """Confirm with a preview of the memory that goes with the agent, then delete."""
    from memdesk.services.forgetting import ForgetTarget

    service = context.services.forgetting
    target = ForgetTarget(kind="agent", ids=(agent.id,), agent_id=agent.id, learned=True)

    def yes(_option: bool) -> None:
        op = context.bridge.call(parent, context.services.agents.delete, agent.id)
        op.tell(tr("{name} is gone").format(name=agent.name)).success(done).start()

    dialog = ConfirmDialog(
        parent.window(),
        title=tr("Delete {name}?").format(name=agent.name),
        text=tr("Its conversations and everything it remembers go with it. Lines about you stay; they are yours."),
        action=tr("Delete"),
        confirmed=yes,
    )
    dialog.preview(context.bridge, lambda cancel: worded(service.preview(target, cancel=cancel)))
    dialog.open()
    return dialog


def try_over_http(context: PageContext, parent: QObject, *, agent_id: str, text: str) -> ServiceOp[str]:
    """Send one message through the local server, as a program would, and return the answer's text."""
    tokens, controls = context.services.tokens, context.controls

    def work() -> str:
        state, url = controls.server_state()
        if state != "listening":
            raise ServerOffError(tr("The local server does not run."))
        secret = tokens.issue_for_process(name=TRY_IT)
        # A trial reads the memory but leaves nothing in it.
        body = {"model": "default", "messages": [{"role": "user", "content": text}], "memory": "read_only"}
        request = urllib.request.Request(  # noqa: S310 - the url is our own server's
            f"{url.rstrip('/')}/v1/chat/completions",
            data=json.dumps(body).encode(),
            headers={
                "Authorization": f"Bearer {secret}",
                "Content-Type": "application/json",
                "X-Memdesk-Agent-Id": agent_id,
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=TRY_SECONDS) as answer:  # noqa: S310 - as above
                data = decode(answer.read())
        except urllib.error.HTTPError as error:
            raise EnvironmentFault(_words_of(error), hint="") from error
        except (OSError, ValueError) as error:
            raise EnvironmentFault(tr("The local server did not answer.")) from error
        return str(data["choices"][0]["message"]["content"] or tr("The answer holds no words."))

    return context.bridge.call(parent, work)


def turn_server_on(context: PageContext, parent: QObject) -> ServiceOp[None]:
    """Start the local server, now and at every start."""
    settings, controls = context.services.settings, context.controls

    def work() -> None:
        settings.update("server", {"enabled": True})
        controls.restart_server()

    return context.bridge.call(parent, work)


def _words_of(error: urllib.error.HTTPError) -> str:
    try:
        return str(decode(error.read())["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return tr("The server answered {status}.").format(status=error.code)
