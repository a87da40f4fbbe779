"""Counts of each tab of the memory page, read together without opening the tabs."""

from collections.abc import Mapping

from memdesk.domain.models import FactStatus
from memdesk.gui.operations.kept import count_kept
from memdesk.ports import FactFilter
from memdesk.services.container import Services


def read_counts(services: Services, agent_id: str) -> Mapping[str, int]:
    """Return the number beside each tab's name, without any search.

    Runs on a lane; all agents if none is named. Requests pages of one row for their totals, which the database counts.
    """
    memories, review, owner = services.memories, services.review, agent_id or None
    active = FactFilter(agent_id=owner, status=(FactStatus.ACTIVE,))
    return {
        "identity": sum(line.status == "active" for line in memories.identity(agent_id=owner)),
        "facts": memories.facts(active, 1).total,
        "episodes": memories.episodes(agent_id=owner, limit=1).total,
        "transcript": memories.transcript(owner, limit=1).total,
        "entities": memories.entities(agent_id=owner, limit=1).total,
        "kept": count_kept(services, owner),
        "tests": len(services.tests.all(owner)),
        "review": review.items(owner, 1, None).total + len(review.contradictions(owner)),
    }
