"""Turns scored rows into the lines of a block."""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime

from memdesk.domain.comparing.similarity import word_set
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.registry import form_of
from memdesk.domain.items.sharing import shared_with
from memdesk.domain.language.dates import say_day
from memdesk.domain.language.text import CHARS_PER_TOKEN, content_words, stem, words
from memdesk.domain.models import Utterance
from memdesk.domain.reading.pasted import Parted, parted
from memdesk.domain.recalling.planner import HEADINGS, MAX_LINE, Line, Part, dated_line, passage_line, safe, turn_line
from memdesk.domain.recalling.query import nods
from memdesk.ports import Clock, Repositories
from memdesk.services.recalling.as_of import identity_then
from memdesk.services.recalling.bearing import Bears
from memdesk.services.recalling.index.texts import is_answer, speaker_of
from memdesk.services.recalling.question import Question
from memdesk.services.recalling.scored import Scored

#: A turn less likely than this share of the best one is noise, even if there is room: the answers to a question about
#: several things are far apart, the last ones sharing few words with it.
NOISE_SHARE = 0.0012
#: Discount of each further turn of the same conversation and day.
SPREAD = 0.94
#: The same for episodes and details if turns get the room that these leave: what merely concerns the same
#: person is worth less than the turn that answers (``memdesk bench recall --section auto``: .882 of the evidence in
#: 665 tokens, where a share of 0.3 gives .878 in 678).
STATED_NOISE_SHARE = 0.5
#: And if there is nothing else.
STATED_ALONE_SHARE = 0.001
#: A fact less likely than this share of the best one, however few there are, is merely related. Chosen on
#: ``tests/data/precision``: related facts mostly lie below, second answers mostly above.
FACT_NOISE_SHARE = 0.35
#: The same if a question asks for several things; precision falls from .15 down.
SEVERAL_NOISE_SHARE = 0.25
#: Nothing less likely is shown, even if there is room: in memories of a few dozen turns, which would fit into a block, half of
#: the candidates and .01 of the evidence (``tests/data/recall/held_out.json``); in larger ones other lines take their room.
NOISE_BOTTOM = 0.0015
#: A turn that, like its neighbors, has no word of the question is relevant from this cosine on: unrelated texts reach 0.07.
UNLIKE = 0.1
#: Content words from which an assistant's line is informative without its question.
TELLING = 3
#: Lines rendered per section, per token of the budget and at least: more than any block has.
LINES_PER_TOKEN = 0.1
LEAST_LINES = 40
#: Characters shown of an assistant's longer answer: it mostly repeats at length what the user said briefly.
ANSWER = 300
#: In chats with an assistant, of a turn less likely than this share of the best one only the answering passage is shown, of
#: this many characters of the user's and of the assistant's: answers are often in several places, and a long turn would
#: take the room of three. The same holds for every turn if several things are asked for. Chats between people have short
#: turns anyway.
SURE = 0.5
PASSAGE, ANSWER_PASSAGE = 140, 100
#: The length applies from this room in tokens on; less room shortens it in proportion, but not below this share.
ROOMY, LEAST_SHARE = 800, 0.6
#: Maximum share of the budget for one line.
LINE_SHARE = 0.35


class Lines:
    """Renders rows in the reader's timezone."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def identity(
        self, repos: Repositories, agent_id: str, as_of: datetime | None, bears: Bears | None = None
    ) -> list[MemoryItem]:
        """Return the lines about the user that the agent sees.

        ``bears`` decides what is relevant to the message; None if the user asked about themselves.
        """
        keeping = {agent.id for agent in repos.agents.all() if not agent.shares_identity}
        lines = shared_with(agent_id, identity_then(repos, as_of, self._clock.now()), keeping)
        return [line for line in lines if bears is None or bears(line)]

    def transcript(
        self,
        asked: Question,
        hits: Sequence[Scored],
        budget: int,
        spent: int,
        outdated: Mapping[str, Sequence[tuple[str, str]]],
        corrected: Mapping[str, Sequence[tuple[str, str]]],
        weak: Container[str] = (),
    ) -> Part:
        """Render turns in reading order; one that states a replaced value adds the current one.

        That is known by its quote (``outdated``, by id) or its former wording (``corrected``, by conversation).
        ``spent`` tokens of the budget go to lines that come in any case: passages are as long as suits the rest.
        Messages of ``weak`` models are shown only if asked for.
        """
        lines = []
        room = int(budget * LINE_SHARE) * CHARS_PER_TOKEN
        share = min(max((budget - spent) / ROOMY, LEAST_SHARE), 1.0)
        best = hits[0].score if hits else 0.0
        fewer: dict[tuple[str, date], float] = defaultdict(lambda: 1.0)
        for hit in hits[: most_lines(budget)]:
            turn = hit.row
            said = self._clock.local(turn.said_at)
            sitting = turn.conversation_id, said.date()
            # Of several things, the last ones mostly resemble no word of the question.
            wanted = (asked.query.wants_several or bears_on(hit)) and not _nods(turn, asked, weak)
            score = hit.score * fewer[sitting] if wanted else 0.0
            fewer[sitting] *= SPREAD
            told = Parted(turn.content) if is_answer(turn) else parted(turn.content, frozenset(asked.query.stems))
            text = turn_line(
                told.kept,
                speaker=speaker_of(turn),
                said=said,
                stems=asked.query.stems,
                resolve=asked.query.wants_time,
                limit=min(
                    _length(turn, asked, share, sure=hit.score >= SURE * best and not asked.query.wants_several), room
                ),
            )
            now = [heir for quote, heir in outdated.get(turn.id, ()) if _shows(text, quote)]
            text = _with_current(text, corrected.get(turn.conversation_id, ()), now)
            lines.append(
                Line(
                    kind="turn",
                    id=turn.id,
                    text=text,
                    score=score,
                    date=turn.said_at,
                    conversation_id=turn.conversation_id,
                    whole=turn.content,
                    day=f"{say_day(said.date())} ",
                    stands_on=frozenset((turn.id,)),
                    orders=told.orders,
                    order=(turn.said_at.timestamp(), turn.conversation_id, turn.position),
                )
            )
        return Part(
            heading=HEADINGS["transcript"], lines=lines, floor=_floor(lines, NOISE_SHARE), dense=True, in_order=True
        )

    def facts(
        self, hits: Sequence[Scored], budget: int, former: Mapping[str, Sequence[MemoryItem]], *, several: bool = False
    ) -> Part:
        """Render facts, each after those it replaced (``former``, by its id), with their end dates.

        Best first; if a question asks for ``several`` things, more of them, in chronological order.
        """
        lines = []
        for hit in hits[: most_lines(budget)]:
            lines += [self._ended(fact, hit.score) for fact in former.get(hit.row.id, ())]
            lines.append(self._fact(hit.row, hit.score))
        if several:
            lines = [
                replace(line, order=(line.date.timestamp() if line.date else 0.0, *line.order[1:])) for line in lines
            ]
        return Part(
            heading=HEADINGS["pinned"],
            lines=lines,
            floor=_floor(lines, SEVERAL_NOISE_SHARE if several else FACT_NOISE_SHARE),
            bottom=NOISE_BOTTOM,
            few=1,
            in_order=several,
        )

    def cited(self, asked: Question, hits: Sequence[Scored], share: float, floor: float) -> list[Part]:
        """Render items with an outside source, best first, a part for each heading of their forms.

        ``floor`` is the probability below which a line is noise.
        """
        told: dict[str, list[Line]] = defaultdict(list)
        for hit in hits:
            when = hit.row.happened_at
            read = parted(hit.row.content, foreign=True)
            text = passage_line(
                read.kept,
                self._clock.local(when),
                cited=hit.cited,
                stems=asked.query.stems,
            )
            told[form_of(hit.row).heading].append(
                replace(self._fact(hit.row, hit.score), text=text, whole=hit.row.content, orders=read.orders)
            )
        bottom = max(floor, NOISE_BOTTOM)
        return [
            Part(heading=each, lines=lines, floor=floor, bottom=bottom, share=share) for each, lines in told.items()
        ]

    def certain(self, facts: Sequence[MemoryItem]) -> list[Line]:
        """Render facts and lines about the user that a reply must not miss."""
        return [_identity(fact) if fact.tier == "always" else self._fact(fact, 1.0) for fact in facts]

    def _fact(self, fact: MemoryItem, score: float) -> Line:
        when = fact.happened_at
        return Line(
            kind="fact",
            id=fact.id,
            text=dated_line(fact.content, self._clock.local(when)),
            score=score,
            date=when,
            conversation_id=fact.run_id,
            quote=fact.sources[0].quote if fact.sources else "",
            stands_on=frozenset(source.turn_id for source in fact.sources if source.turn_id),
            order=(-score, "", fact.seq),
        )

    def _ended(self, fact: MemoryItem, score: float) -> Line:
        line = self._fact(fact, score)
        if fact.valid_until is None:
            return line
        return replace(line, text=f"{line.text} (until {say_day(self._clock.local(fact.valid_until).date())})")

    def episodes(
        self, hits: Sequence[Scored], budget: int, corrected: Mapping[str, Sequence[tuple[str, str]]], *, alone: bool
    ) -> Part:
        """Render digests and their details, best first; what was ``corrected`` since, by conversation, is added.

        ``alone``: nothing else is shown, so less likely ones are too.
        """
        lines = []
        for hit in sorted(hits, key=lambda hit: (-hit.score, hit.kind, hit.seq))[: most_lines(budget)]:
            episode = hit.row if hit.kind == "episode" else hit.parent
            text = _digest(episode) if hit.kind == "episode" else hit.row.content
            text = _with_current(text, corrected.get(episode.run_id or "", ()))
            lines.append(
                Line(
                    kind="episode" if hit.kind == "episode" else "detail",
                    id=hit.row.id,
                    text=dated_line(text, self._clock.local(episode.happened_at)),
                    score=hit.score,
                    date=episode.happened_at,
                    conversation_id=episode.run_id,
                    stands_on=frozenset(() if hit.kind == "episode" else hit.row.turn_ids),
                    order=(-hit.score, hit.kind, hit.seq),
                )
            )
        noise = STATED_ALONE_SHARE if alone else STATED_NOISE_SHARE
        return Part(heading=HEADINGS["episode"], lines=lines, floor=_floor(lines, noise), bottom=NOISE_BOTTOM)


def _length(turn: Utterance, asked: Question, share: float, *, sure: bool) -> int:
    """Return how many characters of a turn, or of its passage, are shown."""
    answer = is_answer(turn) and not asked.query.of_assistant
    if sure or turn.speaker:
        return ANSWER if answer else MAX_LINE
    return int(share * (ANSWER_PASSAGE if answer else PASSAGE))


def bears_on(hit: Scored) -> bool:
    """Return whether a turn is likely enough, and similar enough to the question, to be shown if there is room for anything."""
    return hit.score > NOISE_BOTTOM and (hit.fits or hit.cosine is None or hit.cosine >= UNLIKE)


def _nods(turn: Utterance, asked: Question, weak: Container[str]) -> bool:
    """Whether a turn is uninformative: thanks, an assistant's few words, none of them the question's ("Sure."), or what a weak model said."""
    if not is_answer(turn):
        return nods(turn.content)
    if asked.query.of_assistant:
        return False
    if turn.model in weak:
        return True
    said = content_words(turn.content)
    return len(said) < TELLING and not {stem(word) for word in said} & set(asked.query.stems)


def _shows(line: str, quote: str) -> bool:
    """Whether a line, which may be a passage of a message, contains most of a statement's quote from it."""
    wanted = {stem(word) for word in content_words(quote)}
    return 2 * len(wanted & {stem(word) for word in content_words(line)}) >= len(wanted)


def _with_current(text: str, corrected: Iterable[tuple[str, str]], now: Iterable[str] = ()) -> str:
    """Return a line with what holds ``now`` instead, and instead of what it says that was ``corrected`` since."""
    current = dict.fromkeys([*now, *(heir for former, heir in corrected if _tells(text, former, heir))])
    return f"{text} [now: {' '.join(map(safe, current))}]" if current else text


def _tells(line: str, former: str, now: str) -> bool:
    """Whether a line says what is no longer so: all that was replaced in a statement, and half of its other words.

    One of these may be its subject, which the speaker calls "I".
    """
    said, before, after = map(word_set, (line, former, now))
    changed = words(former) != words(now)
    return changed and before - after <= said and 2 * len(before & said) >= len(before) - 1


def most_lines(budget: int) -> int:
    """Return how many lines of a section to render for a budget in tokens."""
    return max(LEAST_LINES, int(budget * LINES_PER_TOKEN))


def _digest(episode: MemoryItem) -> str:
    decisions = episode.session.decisions
    return f"{episode.content} Decided: {'; '.join(decisions)}" if decisions else episode.content


def _floor(lines: Sequence[Line], share: float) -> float:
    return share * max((line.score for line in lines), default=0.0)


def _identity(line: MemoryItem) -> Line:
    return Line(
        kind="identity",
        id=line.id,
        text=f"- {safe(line.content)}",
        score=1.0,
        date=line.created_at,
        conversation_id=line.run_id,
        quote=line.sources[0].quote if line.sources else "",
    )
