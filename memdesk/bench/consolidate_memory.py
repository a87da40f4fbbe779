"""An invented memory of any size for the consolidation bench, and its consolidation by brute force."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memdesk.bench.shared import AGENT, NOW, Texts
from memdesk.domain.ageing.consolidation import Rules, recent_episodes
from memdesk.domain.comparing.likeness import episode_lines, episode_set, fact_set, same_statement, statement_set
from memdesk.domain.comparing.similarity import jaccard
from memdesk.domain.items.item import Digest, MemoryItem, detail, episode
from memdesk.domain.models import FactKind

_DETAILS = 6


@dataclass(frozen=True, slots=True)
class Invented:
    """Facts and episodes, oldest first."""

    facts: list[MemoryItem]
    episodes: list[MemoryItem]


class Author:
    """Writes a memory of statements in :class:`~memdesk.bench.shared.Texts`'s words, the same every time."""

    def __init__(self, seed: int) -> None:
        self._texts = Texts(seed)
        self._random = self._texts.random

    def memory(self, facts: int, episodes: int) -> Invented:
        """Return a memory of just over a year: some duplicates, some recurring facts, some faded."""
        topics = [self._sentence() for _ in range(max(3, episodes // 20))]
        made = [self._episode(number, episodes, topics) for number in range(episodes)]
        lines = [detail.content for episode in made for detail in episode.session.details]
        found: list[MemoryItem] = []
        for number in range(facts):
            fate = self._random.random()
            if fate < 0.05 and found:
                content = self._again(self._random.choice(found).content)
            elif fate < 0.25:
                content = self._random.choice(lines)
            else:
                content = self._sentence()
            found.append(self._fact(number, facts, content))
        for number in range(0, episodes, 25):
            other = made[self._random.randrange(episodes)]
            made[number] = self._twin(made[number], other)
        return Invented(found, sorted(made, key=lambda e: (e.created_at, e.id)))

    def _sentence(self) -> str:
        words = self._texts.words(self._random.randint(5, 12))
        return f"The user {words[0]} the {words[1]} of {' '.join(words[2:])}"

    def _again(self, content: str) -> str:
        """Return the same statement with other function words, or one that differs in an important word."""
        words = content.split()
        if self._random.random() < 0.3:
            return " ".join([*words[:-1], self._random.choice(self._texts.vocabulary)])
        return content + "." if self._random.random() < 0.5 else content.replace(" the ", " a ", 1)

    def _fact(self, number: int, total: int, content: str) -> MemoryItem:
        made = NOW - timedelta(days=120 * (1 - number / total), seconds=self._random.randrange(3600))
        return MemoryItem(
            id=self._id(made),
            agent_id=AGENT,
            content=content,
            kind=FactKind.OTHER,
            origin="distiller",
            salience=self._random.uniform(0.3, 1.0),
            created_at=made,
            updated_at=made,
        )

    def _episode(self, number: int, total: int, topics: Sequence[str]) -> MemoryItem:
        made = NOW - timedelta(days=400 * (1 - number / total), seconds=self._random.randrange(3600))
        lines = [self._sentence() for _ in range(_DETAILS)]
        if self._random.random() < 0.7:
            lines[-1] = self._random.choice(topics)
        details = tuple(detail(line, id=self._id(made), at=made) for line in lines)
        return episode(
            f"{self._sentence()}. {self._sentence()}.",
            Digest(details=details, started_at=made, ended_at=made),
            id=self._id(made),
            agent_id=AGENT,
            run_id=f"thread-{number}",
            created_at=made,
            updated_at=made,
        )

    def _twin(self, first: MemoryItem, other: MemoryItem) -> MemoryItem:
        """Return ``first`` retelling ``other`` almost verbatim."""
        details = tuple(replace(detail, id=self._id(first.created_at)) for detail in other.session.details)
        return first.with_fields({"content": other.content.replace("The user", "They"), "digest.details": details})

    def _id(self, made: datetime) -> str:
        """Return a UUID version 7 of that moment: rows made together are stored together, as the app's are."""
        noise = self._random.getrandbits(74)
        stamp = int(made.timestamp() * 1000)
        return str(uuid.UUID(int=stamp << 80 | 0x7 << 76 | noise >> 62 << 64 | 0b10 << 62 | noise & ((1 << 62) - 1)))


def slow_episode_merges(episodes: Sequence[MemoryItem], rules: Rules) -> dict[str, str]:
    """Return ``{episode: older episode}`` by comparing every pair."""
    return _slow_merges([(episode, episode_set(episode)) for episode in episodes], rules, lambda _early, _late: True)


def slow_fact_merges(facts: Sequence[MemoryItem], rules: Rules) -> dict[str, str]:
    """Return ``{fact: older fact}`` by comparing every pair."""
    return _slow_merges([(fact, statement_set(fact)) for fact in facts if not fact.user_pinned], rules, same_statement)


def _slow_merges(
    rows: Sequence[tuple[MemoryItem, frozenset[str]]], rules: Rules, same: Callable[[MemoryItem, MemoryItem], bool]
) -> dict[str, str]:
    alone: list[tuple[MemoryItem, frozenset[str]]] = []
    joined: dict[str, str] = {}
    for late, words in sorted(rows, key=lambda row: (row[0].created_at, row[0].id)):
        found = (early for early, other in alone if jaccard(other, words) >= rules.merge_at and same(early, late))
        if (home := next(found, None)) is None:
            alone.append((late, words))
        else:
            joined[late.id] = home.id
    return joined


def slow_promotions(facts: Sequence[MemoryItem], episodes: Sequence[MemoryItem], rules: Rules) -> set[str]:
    """Return the ids of facts that enough recent episodes speak of, by comparing each with every line."""
    recent = [episode_lines(episode) for episode in recent_episodes(episodes, rules)]
    found = set()
    for fact in facts:
        mine = fact_set(fact.content)
        told = sum(any(jaccard(mine, line) >= rules.overlap_at for line in lines) for lines in recent)
        if told >= rules.overlap_episodes:
            found.add(fact.id)
    return found
