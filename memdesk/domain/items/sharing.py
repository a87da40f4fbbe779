"""Which lines about the user an agent sees. They are the user's, and shared by the agents that the user lets share them."""

from collections.abc import Collection, Iterable

from memdesk.domain.items.item import MemoryItem


def shared_with(agent_id: str, lines: Iterable[MemoryItem], keeping: Collection[str]) -> list[MemoryItem]:
    """Return the lines that an agent sees.

    What the user wrote is seen by every agent, and what an agent learned by itself. What another learned is seen where
    neither of the two keeps to itself.

    ``keeping``: ids of the agents that keep to themselves.
    """
    return [
        line
        for line in lines
        if line.origin == "user"
        or line.source_agent_id in {None, agent_id}
        or (agent_id not in keeping and line.source_agent_id not in keeping)
    ]
