"""Folders (projects) of chats: a name, instructions for each of its chats, whose memory they use, and its position."""

from dataclasses import dataclass
from typing import Final

#: Keys under which folders are stored, by their id.
FOLDERS: Final = "folder:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A folder of chats of any agent or, if it has a memory of its own, of the agent that is its memory."""

    id: str
    name: str
    #: told to the model with each message of its chats, after the agent's own or the chat's.
    instructions: str = ""
    #: counted from 0, without gaps.
    position: int = 0
    #: whether its chats are collapsed in the list.
    collapsed: bool = False
    #: the agent whose chats are exactly those of this folder; None: its chats use their agents' memory.
    agent_id: str | None = None

    def takes(self, agent_id: str) -> bool:
        return self.agent_id in {None, agent_id}

    def told(self, system_prompt: str) -> str:
        return "\n\n".join(part for part in (system_prompt, self.instructions) if part.strip())
