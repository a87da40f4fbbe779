"""Everything known, by topic, for a question about the user in general, which has nothing to search for."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from memdesk.domain.items.item import ME, MemoryItem
from memdesk.domain.items.registry import KINDS
from memdesk.domain.models import FactStatus
from memdesk.domain.recalling.planner import HEADINGS, Line, Part, dated_line
from memdesk.ports import Clock, FactFilter, Repositories

#: The gate's rule for such a question.
_RULE: Final = "about-me"
#: Rows read per kind; a block has fewer.
_MOST: Final = 60


def asks_for_all(rule: str) -> bool:
    """Whether the gate's rule is that of a question about the user in general."""
    return rule.rpartition(":")[2] == _RULE


def overview(repos: Repositories, agent_id: str, clock: Clock, as_of: datetime | None) -> list[Part]:
    """Return facts and details of episodes, most important first, a part for each topic that has any.

    The topics share the budget evenly; what one leaves goes to later ones.
    """
    told: dict[str, list[Line]] = {topic.heading: [] for topic in KINDS.values()}
    now = clock.now()
    for kind, topic in KINDS.items():
        flt = FactFilter(agent_id=agent_id, kind=kind, status=(FactStatus.ACTIVE,), as_of=as_of or now, sort="salience")
        for fact in repos.items.facts(flt, limit=_MOST).items:
            told[topic.heading].append(_line(fact, clock, 1.0 if fact.user_pinned else fact.salience))
    episodes = repos.items.episodes(agent_id=agent_id, until=as_of, limit=_MOST).items
    own = repos.embeddings.among("detail", [detail.seq for episode in episodes for detail in episode.session.details])
    for episode in episodes:
        for detail in episode.session.details:
            if detail.seq not in own:
                continue  # it is a fact
            told[KINDS[detail.kind].heading].append(
                Line(
                    kind="detail",
                    id=detail.id,
                    text=dated_line(detail.content, clock.local(episode.happened_at)),
                    # After the facts of its topic: it was not important enough to be one.
                    score=episode.salience / 2,
                    date=episode.happened_at,
                    conversation_id=episode.run_id,
                )
            )
    ids = [line.id for lines in told.values() for line in lines]
    shown = {item.id for item in repos.items.many(ids) if item.user_id == ME}
    return _parts([(heading, [line for line in lines if line.id in shown]) for heading, lines in told.items()])


def latest(repos: Repositories, agent_id: str, clock: Clock, as_of: datetime | None) -> Part:
    """Return the latest facts, newest first."""
    flt = FactFilter(agent_id=agent_id, status=(FactStatus.ACTIVE,), as_of=as_of or clock.now(), sort="created")
    facts = repos.items.facts(flt, limit=_MOST).items
    lines = [_line(fact, clock, 1 / rank) for rank, fact in enumerate(facts, 1)]
    return Part(heading=HEADINGS["pinned"], lines=lines)


def _line(fact: MemoryItem, clock: Clock, score: float) -> Line:
    return Line(
        kind="fact",
        id=fact.id,
        text=dated_line(fact.content, clock.local(fact.happened_at)),
        score=score,
        date=fact.happened_at,
        conversation_id=fact.run_id,
        quote=fact.sources[0].quote if fact.sources else "",
    )


def _parts(topics: Sequence[tuple[str, list[Line]]]) -> list[Part]:
    filled = [(heading, sorted(lines, key=lambda line: -line.score)) for heading, lines in topics if lines]
    return [
        Part(heading=heading, lines=lines, share=1 / (len(filled) - number))
        for number, (heading, lines) in enumerate(filled)
    ]
