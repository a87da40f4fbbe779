"""Turns scored rows into the lines of a block."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

from memdesk.domain.planner import HEADINGS, MAX_LINE, Line, Part, dated_line, safe, turn_line
from memdesk.domain.text import CHARS_PER_TOKEN
from memdesk.services.as_of import identity_then
from memdesk.services.indexing_texts import speaker_of
from memdesk.services.recall_question import Question
from memdesk.services.recall_search import Scored

if TYPE_CHECKING:
    from memdesk.domain.models import IdentityLine, Utterance
    from memdesk.ports import Clock, Repositories

#: A turn less likely than this share of the best one is noise, whatever room is left: chosen on conversations whose
#: weights were learned on others, where it saves a quarter of the tokens (``memdesk bench recall`` prints both).
NOISE_SHARE = 0.016
#: What that is multiplied by where several things are asked for: they are said in places far apart, the last ones
#: with few words of the question.
MANY = 0.1
#: What each further turn of the same conversation and day is worth then, as a share of the one before it.
SPREAD = 0.7
#: The same for facts, episodes and details where turns get the room that these leave: what is merely about the same
#: person is worth less than the turn that answers (``memdesk bench recall --section auto``: .882 of the evidence in
#: 665 tokens, where a share of 0.3 gives .878 in 678).
STATED_NOISE_SHARE = 0.5
#: And where they are all there is.
STATED_ALONE_SHARE = 0.001
#: Nothing less likely is worth its tokens.
NOISE_BOTTOM = 0.0001
#: Lines rendered of one section, for each token of the budget and at least: more than any block holds.
LINES_PER_TOKEN = 0.1
LEAST_LINES = 40
#: Characters shown of a longer answer of an assistant: mostly it says at length what the user said in short.
ANSWER = 300
#: Share of the budget that one line may take.
LINE_SHARE = 0.35


class Lines:
    """Renders rows in the reader's time zone.

    Args:
        clock: knows the time zone.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def identity(self, repos: Repositories, as_of: datetime | None) -> tuple[list[Line], list[Line]]:
        """Return the user's own identity lines, and the distilled ones."""
        lines = identity_then(repos, as_of)
        own = [_identity(line) for line in lines if line.origin == "override"]
        distilled = [_identity(line) for line in lines if line.origin != "override"]
        return own, distilled

    def transcript(self, asked: Question, hits: Sequence[Scored], share: float, budget: int) -> Part:
        """Render turns, in reading order."""
        lines = []
        room = int(budget * LINE_SHARE) * CHARS_PER_TOKEN
        fewer: dict[tuple[str, date], float] = defaultdict(lambda: 1.0)
        for hit in hits[: most_lines(budget)]:
            turn = hit.row
            said = self._clock.local(turn.said_at)
            sitting = turn.conversation_id, said.date()
            score = hit.score * fewer[sitting]
            if asked.query.wants_many:
                fewer[sitting] *= SPREAD
            text = turn_line(
                turn.content,
                speaker=speaker_of(turn),
                said=said,
                stems=asked.query.stems,
                resolve=asked.query.wants_time,
                limit=min(MAX_LINE if asked.query.of_assistant or not _is_answer(turn) else ANSWER, room),
            )
            lines.append(
                Line(
                    kind="turn",
                    id=turn.id,
                    text=text,
                    score=score,
                    date=turn.said_at,
                    conversation_id=turn.conversation_id,
                    order=(turn.said_at.timestamp(), turn.conversation_id, turn.position),
                )
            )
        return Part(
            heading=HEADINGS["transcript"],
            lines=lines,
            floor=_floor(lines, NOISE_SHARE * (MANY if asked.query.wants_many else 1.0)),
            bottom=NOISE_BOTTOM,
            share=share,
            dense=True,
            in_order=True,
        )

    def facts(self, hits: Sequence[Scored], share: float, budget: int) -> Part:
        """Render facts, best first."""
        lines = []
        for hit in hits[: most_lines(budget)]:
            fact = hit.row
            when = fact.valid_from or fact.created_at
            lines.append(
                Line(
                    kind="fact",
                    id=fact.id,
                    text=dated_line(fact.content, self._clock.local(when)),
                    score=hit.score,
                    date=when,
                    conversation_id=fact.conversation_id,
                    quote=fact.sources[0].quote if fact.sources else "",
                    order=(-hit.score, "", fact.seq),
                )
            )
        return _stated(HEADINGS["pinned"], lines, share)

    def episodes(self, hits: Sequence[Scored], share: float, budget: int) -> Part:
        """Render digests and their details, best first."""
        lines = []
        for hit in sorted(hits, key=lambda hit: (-hit.score, hit.kind, hit.seq))[: most_lines(budget)]:
            episode = hit.row if hit.kind == "episode" else hit.parent
            text = _digest(episode) if hit.kind == "episode" else hit.row.content
            lines.append(
                Line(
                    kind="episode" if hit.kind == "episode" else "detail",
                    id=hit.row.id,
                    text=dated_line(text, self._clock.local(episode.started_at)),
                    score=hit.score,
                    date=episode.started_at,
                    conversation_id=episode.conversation_id,
                    order=(-hit.score, hit.kind, hit.seq),
                )
            )
        return _stated(HEADINGS["episode"], lines, share)


def _is_answer(turn: Utterance) -> bool:
    return turn.role == "assistant" and turn.speaker.casefold() in {"", "assistant"}


def most_lines(budget: int) -> int:
    """Return how many lines of a section are rendered for a budget in tokens."""
    return max(LEAST_LINES, int(budget * LINES_PER_TOKEN))


def _digest(episode: object) -> str:
    summary = str(getattr(episode, "summary", ""))
    decisions = tuple(getattr(episode, "decisions", ()))
    return f"{summary} Decided: {'; '.join(decisions)}" if decisions else summary


def _stated(heading: str, lines: Sequence[Line], share: float) -> Part:
    """Return a part of statements that take ``share`` of the room; less than all of it leaves the rest to turns."""
    noise = STATED_NOISE_SHARE if share < 1.0 else STATED_ALONE_SHARE
    return Part(heading=heading, lines=lines, floor=_floor(lines, noise), bottom=NOISE_BOTTOM, share=share)


def _floor(lines: Sequence[Line], share: float) -> float:
    return share * max((line.score for line in lines), default=0.0)


def _identity(line: IdentityLine) -> Line:
    return Line(
        kind="identity",
        id=line.id,
        text=f"- {safe(line.content)}",
        score=1.0,
        date=line.created_at,
        conversation_id=line.conversation_id,
        quote=line.sources[0].quote if line.sources else "",
    )
