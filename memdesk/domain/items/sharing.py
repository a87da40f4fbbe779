"""Which lines about the user an agent sees: those that agents share with each other."""

from collections.abc import Collection, Iterable

from memdesk.domain.items.item import MemoryItem


def shared_with(agent_id: str, lines: Iterable[MemoryItem], keeping: Collection[str]) -> list[MemoryItem]:
    """Return the lines that an agent sees.

    Every agent sees what the user wrote, and what it learned itself. What another agent learned is seen only if
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
