"""The user's own texts for models: instructions of agents, chats and folders, and saved prompts.

Forgotten sentences are removed from them only on request; the preview lists each place.
"""

from dataclasses import dataclass, replace
from typing import Literal

from memdesk.domain.chatting.folders import FOLDERS
from memdesk.domain.chatting.prompts import PROMPTS
from memdesk.domain.forgetting.redaction import Tells
from memdesk.domain.language.text import sentences
from memdesk.messages import say
from memdesk.ports import Repositories


@dataclass(frozen=True, slots=True)
class Instruction:
    """A text that says it.

    Attributes:
        kind: type of its owner.
        key: the agent; the agent and its conversation; or the key of the folder or of the saved prompt.
        name: its name for the user.
        told: the sentences in it that say it.
    """

    kind: Literal["agent", "chat", "folder", "prompt"]
    key: tuple[str, ...]
    name: str
    told: tuple[str, ...]

    def without(self, text: str) -> str:
        """Return a text without those sentences, with the line breaks of the rest."""
        for sentence in self.told:
            text = text.replace(sentence, "")
        lines = [line.rstrip() for line in text.strip().splitlines()]
        return "\n".join(line for at, line in enumerate(lines) if line or (at and lines[at - 1]))


def instructions_telling(repos: Repositories, tells: Tells) -> list[Instruction]:
    """Return the texts with a sentence that says it."""
    found: list[Instruction] = []

    def look(kind: Literal["agent", "chat", "folder", "prompt"], key: tuple[str, ...], name: str, text: str) -> None:
        if told := tuple(sentence for sentence in sentences(text) if tells(sentence)):
            found.append(Instruction(kind, key, name, told))

    for agent in repos.agents.all():
        look("agent", (agent.id,), agent.name, f"{agent.description}\n{agent.system_prompt}")
    for thread in repos.conversations.instructed():
        look("chat", (thread.agent_id, thread.id), thread.title or thread.id, thread.overrides["system_prompt"])
    for key, folder in repos.meta.prefix(FOLDERS).items():
        look("folder", (key,), folder["name"], f"{folder['name']}\n{folder['instructions']}")
    for key, prompt in repos.meta.prefix(PROMPTS).items():
        look("prompt", (key,), prompt["name"], f"{prompt['name']}\n{prompt['text']}")
    return found


def notes_of(found: list[Instruction]) -> list[str]:
    """Return a sentence for the user about each kind of text that says it."""
    agents, chats, folders, prompts = (
        ", ".join(f"“{one.name}”" for one in found if one.kind == kind)
        for kind in ("agent", "chat", "folder", "prompt")
    )
    said = [
        agents
        and say(
            "The instructions of {names} say it too; they keep it unless you have it removed there too.", names=agents
        ),
        chats
        and say(
            "The chat settings of {names} say it too; they keep it unless you have it removed there too.", names=chats
        ),
        folders
        and say(
            "The instructions of the folders {names} say it too; they keep it unless you have it removed there too.",
            names=folders,
        ),
        prompts
        and say(
            "The saved prompts {names} say it too; they keep it unless you have it removed there too.", names=prompts
        ),
    ]
    return [note for note in said if note]


def cut(repos: Repositories, one: Instruction) -> None:
    """Remove the sentences from a text; delete a saved prompt that becomes empty."""
    match one.kind:
        case "agent":
            agent = repos.agents.get(one.key[0])
            if agent is not None:
                left = replace(
                    agent, description=one.without(agent.description), system_prompt=one.without(agent.system_prompt)
                )
                repos.agents.put(left)
        case "chat":
            thread = repos.conversations.get(*one.key)
            if thread is not None and "system_prompt" in thread.overrides:
                left_to = one.without(thread.overrides["system_prompt"])
                repos.conversations.put(replace(thread, overrides={**thread.overrides, "system_prompt": left_to}))
        case "folder":
            folder = repos.meta.get(one.key[0])
            if folder is not None:
                left_of = {part: one.without(folder[part]) for part in ("name", "instructions")}
                repos.meta.put(one.key[0], folder | left_of | {"name": left_of["name"] or say("Folder")})
        case "prompt":
            prompt = repos.meta.get(one.key[0])
            if prompt is not None:
                parts = {part: one.without(prompt[part]) for part in ("name", "text")}
                gone = not parts["text"]
                repos.meta.put(one.key[0], None if gone else parts | {"name": parts["name"] or parts["text"][:100]})
