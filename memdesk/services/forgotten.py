"""Keeps, for each agent, the marks of what must not be learned again from messages that stay."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memdesk.domain.forgotten import Forgotten

if TYPE_CHECKING:
    from memdesk.domain.models import Turn
    from memdesk.ports import Repositories

PREFIX: Final = "forgotten:"


def load(repos: Repositories, agent_id: str) -> Forgotten:
    """Return an agent's marks; fresh and empty when there are none."""
    stored = repos.meta.get(PREFIX + agent_id)
    if stored is None:
        return Forgotten(os.urandom(16))
    turns = {turn_id: [frozenset(one) for one in marks] for turn_id, marks in stored["turns"].items()}
    return Forgotten(bytes.fromhex(stored["salt"]), turns)


def save(repos: Repositories, agent_id: str, forgotten: Forgotten) -> None:
    """Store an agent's marks; nothing is kept of none."""
    turns = {turn_id: [sorted(one) for one in marks] for turn_id, marks in forgotten.turns.items() if marks}
    repos.meta.put(PREFIX + agent_id, {"salt": forgotten.salt.hex(), "turns": turns} if turns else None)


def change(repos: Repositories, agent_id: str, added: Iterable[tuple[str, str]], gone_turns: Sequence[str]) -> None:
    """Add ``(turn id, text)`` marks and drop those of turns that are gone."""
    marks = load(repos, agent_id)
    for turn_id, text in added:
        marks.add(turn_id, [text])
    marks.drop(gone_turns)
    save(repos, agent_id, marks)


def without_forgotten(repos: Repositories, agent_id: str, turns: Sequence[Turn]) -> list[Turn]:
    """Return turns as a distillation may read them: without the sentences that tell what was forgotten."""
    marks = load(repos, agent_id)
    if not marks.turns:
        return list(turns)
    return [
        replace(turn, content=marks.cut(turn.id, turn.content)) if turn.id in marks.turns else turn for turn in turns
    ]
