"""What is embedded of each kind of row: its text with the day and the speaker, which carry much of the meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from memdesk.domain.dates import say_day
from memdesk.domain.text import one_line

if TYPE_CHECKING:
    from memdesk.domain.models import Episode, EpisodeDetail, Fact, Turn, Utterance, VectorKind
    from memdesk.ports import Repositories

#: Kinds that are embedded. The vector of a window is the mean of its turns', which costs nothing and ranks as well.
KINDS: tuple[VectorKind, ...] = ("fact", "episode", "detail", "turn")
#: Characters of a row that the model reads; the bundled one sees 256 word pieces at most.
MAX_CHARS = 1200


def speaker_of(turn: Turn | Utterance) -> str:
    """Return who speaks: the name where there is one, else the role."""
    return turn.speaker or turn.role.capitalize()


def turn_text(turn: Turn) -> str:
    """Return what is embedded of a turn."""
    return f"{speaker_of(turn)} ({say_day(turn.said_at.date())}): {_cut(turn.content)}"


def fact_text(fact: Fact) -> str:
    """Return what is embedded of a fact."""
    return _cut(fact.content)


def episode_text(episode: Episode) -> str:
    """Return what is embedded of an episode."""
    topics = f" ({', '.join(episode.topics)})" if episode.topics else ""
    return _cut(f"{say_day(episode.started_at.date())}: {episode.summary}{topics}")


def detail_text(detail: EpisodeDetail) -> str:
    """Return what is embedded of an episode's detail."""
    return _cut(detail.content)


def _turns(repos: Repositories, seqs: Sequence[int]) -> dict[int, str]:
    return {seq: turn_text(turn) for seq, turn in repos.turns.by_seq(seqs).items()}


def _facts(repos: Repositories, seqs: Sequence[int]) -> dict[int, str]:
    return {seq: fact_text(fact) for seq, fact in repos.facts.by_seq(seqs).items()}


def _episodes(repos: Repositories, seqs: Sequence[int]) -> dict[int, str]:
    return {seq: episode_text(episode) for seq, episode in repos.episodes.by_seq(seqs).items()}


def _details(repos: Repositories, seqs: Sequence[int]) -> dict[int, str]:
    return {seq: detail_text(detail) for seq, (_, detail) in repos.episodes.details_by_seq(seqs).items()}


_READERS: dict[str, Callable[[Repositories, Sequence[int]], dict[int, str]]] = {
    "turn": _turns,
    "fact": _facts,
    "episode": _episodes,
    "detail": _details,
}


def texts(repos: Repositories, kind: VectorKind, seqs: Sequence[int]) -> dict[int, str]:
    """Return what is to be embedded of the rows that exist, by ``seq``."""
    return _READERS[kind](repos, seqs)


def _cut(text: str) -> str:
    return one_line(text[: 2 * MAX_CHARS])[:MAX_CHARS]
