"""Drafts of lines: what was read of a sentence, measured, and joined with its neighbors into candidates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from memdesk.domain.items.registry import KINDS
from memdesk.domain.items.statement import Statement
from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.dates import DatedSpan, find_dates
from memdesk.domain.language.text import content_words, stem
from memdesk.domain.models import FactKind
from memdesk.domain.reading import antecedents, features
from memdesk.domain.reading.candidates import ASSISTANT, Candidate, SourceTurn
from memdesk.domain.reading.care import CARE
from memdesk.domain.reading.injection import order_in
from memdesk.domain.reading.kinds import kind_of
from memdesk.domain.reading.thirdperson import Cast, retell
from memdesk.domain.reading.wording import attributed, names_in, replacements

#: Longest line, in characters; statements that would exceed it stay separate.
MAX_LINE_CHARS: Final = 340
#: Most adjacent statements in one line.
MAX_JOINED: Final = 3
#: Salience of what the user asked to remember.
ASKED_SALIENCE: Final = 0.85
#: Salience of dangers and of instructions, and the least of a lasting statement.
CARE_SALIENCE: Final = 0.95
LASTING_SALIENCE: Final = 0.5
#: How much less a model's own statements score.
ASSISTANT_PENALTY: Final = 1.0
#: How much "it", "that" or "them" without its noun lowers the confidence.
POINTING_DOUBT: Final = 0.08
#: What people say of each other is worth keeping; what a user says of the assistant hardly.
ADDRESS_PENALTY: Final = 0.6


@dataclass(slots=True)
class Draft:
    """A sentence that may become a line, with the data for joining it to its neighbor."""

    line: str
    quote: str
    #: whether the line names its speaker.
    named: bool
    kind: FactKind
    measures: features.Measures
    spans: list[DatedSpan]
    #: its position in the turn: lines with the same position are redundant.
    number: int
    #: its first token.
    begin: int
    entities: list[tuple[str, str]] = field(default_factory=list)
    order: str = ""
    #: the user asked to remember it.
    asked: bool = False
    #: what it says, in fields, if it was read by grammar; then it lasts, or it would not be here.
    statement: Statement | None = None
    #: see :class:`Candidate`.
    tentative: bool = False
    sentence: str = ""
    #: other turns that the line is based on, with what was said there: who "she" is, what was corrected.
    elsewhere: list[tuple[str, str]] = field(default_factory=list)


class Drafter:
    """Makes drafts of a session's sentences, and candidates from drafts.

    Args:
        turns: of the session.
        analyses: one per turn.
    """

    def __init__(self, turns: Sequence[SourceTurn], analyses: Sequence[Analysis]) -> None:
        self._turns, self._analyses = turns, analyses
        self._frequencies = Counter(
            root for analysis in analyses for root in {stem(word) for word in content_words(analysis.text)}
        )

    def draft(
        self,
        number: int,
        begin: int,
        end: int,
        line: str,
        quote: str,
        *,
        place: int | None = None,
        mention: antecedents.Mention | None = None,
    ) -> Draft:
        """Return tokens of a turn with their measures.

        Args:
            number: of the turn.
            begin: first token.
            end: after the last.
            line: how they are remembered.
            quote: what was said.
            place: in the turn, if not given by the first token.
            mention: the person a pronoun in the line refers to.
        """
        turn, analysis = self._turns[number], self._analyses[number]
        dates = find_dates(quote, turn.day)
        subject = features.subject_of(analysis.tokens, begin, end)
        context = features.Context(
            position=number / max(1, len(self._turns) - 1),
            answers=number > 0 and "?" in self._turns[number - 1].text,
            frequencies=self._frequencies,
        )
        return Draft(
            line=line,
            quote=quote,
            named=turn.speaker.lower() in line.lower(),
            kind=kind_of(quote),
            measures=features.measure(analysis.tokens[begin:end], line, context, subject=subject, dated=bool(dates)),
            spans=dates,
            number=begin if place is None else place,
            begin=begin,
            entities=names_in(analysis, begin, end),
            order=order_in(quote) or "",
            elsewhere=[(mention.turn_id, mention.quote)] if mention is not None else [],
        )

    def retold(self, number: int, begin: int, end: int, cast: Cast, mention: antecedents.Mention | None) -> str:
        """Return tokens of a turn in the third person, with a name for "she" or "he"."""
        analysis, turn = self._analyses[number], self._turns[number]
        spans = replacements(analysis, begin, end, turn.day)
        if mention is not None:
            subject = next(i for i in range(begin, end) if analysis.tokens[i].lower in {"she", "he", "his", "her"})
            possessive = "'s" if analysis.tokens[subject].lower in {"his", "her"} else ""
            spans[subject] = (subject + 1, mention.called(turn.speaker) + possessive)
        return retell(analysis, begin, end, cast, spans)

    def candidates(self, number: int, drafts: Sequence[Draft]) -> Iterator[Candidate]:
        """Yield the lines of a turn: each draft alone, then runs of adjacent ones."""
        for parts in (*([one] for one in drafts), *_neighbors(drafts)):
            yield self._candidate(number, parts)

    def _candidate(self, number: int, parts: Sequence[Draft]) -> Candidate:
        turn = self._turns[number]
        text = " ".join(part.line for part in parts)
        # Statements to an assistant are its user's; "provenance" says so.
        if turn.listener != ASSISTANT and not any(part.named for part in parts):
            first = text.partition(" ")[0].removesuffix("'s")
            proper = any(t.text == first and (t.pos == "PROPN" or t.entity) for t in self._analyses[number].tokens)
            text = attributed(text, turn, proper=proper)
        elsewhere = {where: quote for part in parts for where, quote in part.elsewhere if where != turn.id}
        values = features.features([part.measures for part in parts])
        kind = max((part.kind for part in parts), key=lambda k: KINDS[k].durability)
        lasts = len(parts) == 1 and parts[0].statement is not None
        first_person = lasts or values["first_person"] > 0 or any(part.elsewhere for part in parts)
        spans = [span for part in parts for span in part.spans]
        score = features.score(values) - (ASSISTANT_PENALTY if turn.provenance != "user" else 0.0)
        if turn.listener == ASSISTANT:
            score -= ADDRESS_PENALTY * values["second_person"]
        return Candidate(
            text=text,
            kind=kind if first_person or kind is not FactKind.IDENTITY else FactKind.OTHER,
            speaker=turn.speaker,
            provenance=turn.provenance,
            turn_ids=(turn.id, *elsewhere),
            quotes=(" ".join(part.quote for part in parts), *elsewhere.values()),
            spans=tuple((number, part.number) for part in parts),
            score=score,
            salience=_worth(parts[0], _salience(kind, turn, first_person)),
            confidence=_confidence(parts, turn, first_person),
            day=spans[0].day if spans else None,
            until=spans[0].until if spans else None,
            entities=tuple(dict.fromkeys(entity for part in parts for entity in part.entities)),
            order=next((part.order for part in parts if part.order), ""),
            own=turn.own,
            lasts=lasts,
            statement=parts[0].statement if lasts else None,
            tentative=any(part.tentative for part in parts),
            sentence=parts[0].sentence,
        )


def _neighbors(drafts: Sequence[Draft]) -> Iterator[Sequence[Draft]]:
    """Yield runs of adjacent drafts for one line, none of them an order to a model."""
    for size in range(2, MAX_JOINED + 1):
        for start in range(len(drafts) - size + 1):
            parts = drafts[start : start + size]
            alone = any(part.order or part.tentative for part in parts)
            if sum(len(part.line) for part in parts) < MAX_LINE_CHARS and not alone:
                yield parts


def _worth(part: Draft, salience: float) -> float:
    """Return the salience of a line: highest for requests to remember and dangers, then for lasting statements."""
    if part.statement is not None and part.statement.attribute in CARE:
        return CARE_SALIENCE
    return ASKED_SALIENCE if part.asked else max(salience, LASTING_SALIENCE) if part.statement is not None else salience


def _salience(kind: FactKind, turn: SourceTurn, first_person: bool) -> float:
    value = KINDS[kind].durability - (0.0 if first_person else 0.15)
    return round(max(0.1, value * (1.0 if turn.provenance == "user" else 0.5)), 2)


def _confidence(parts: Sequence[Draft], turn: SourceTurn, first_person: bool) -> float:
    value = 0.9 if first_person else 0.7
    vague = bool(parts[0].measures.flags["subject_vague"])
    # A subject that is vague is doubted once: "They've put the rent up, it costs me 1,480".
    pointing = sum(part.measures.counts["pointing"] for part in parts) - vague
    value -= 0.15 * vague + POINTING_DOUBT * max(0, min(2, pointing))
    if turn.provenance != "user":
        value -= 0.2
    return round(max(0.1, value), 2)
