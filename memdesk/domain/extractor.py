"""Reads a session and finds the statements worth keeping. Deterministic; no model, no clock, no I/O.

Sentences about people and things are retold in the third person with absolute dates (:mod:`thirdperson`,
:mod:`dates`), classified (:mod:`kinds`) and measured (:mod:`features`); noise is left out (:mod:`noise`). Two
or three neighbouring statements of a turn are also offered as one line, since the second often says what the first is
about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memdesk.domain import antecedents, corrections, features, noise, requests
from memdesk.domain.candidates import Candidate, Extraction, SourceTurn
from memdesk.domain.clauses import clauses
from memdesk.domain.dates import DatedSpan, find_dates
from memdesk.domain.documents import statements
from memdesk.domain.gate import tell_language
from memdesk.domain.injection import order_in
from memdesk.domain.kinds import DURABILITY, kind_of
from memdesk.domain.language import Analysis, plain
from memdesk.domain.models import FactKind
from memdesk.domain.requests import LANGUAGES
from memdesk.domain.text import content_words, one_line, stem
from memdesk.domain.thirdperson import Cast, retell
from memdesk.domain.topics import topics_of
from memdesk.domain.wording import attributed, cast_of, is_foreign, names_in, persons_in, quoted, replacements

#: Longest line, in characters; statements that make a longer one stay apart.
MAX_LINE_CHARS: Final = 340
#: Longest sentence that is read at all: no line could hold it, and rewriting looks at each word from each verb.
MAX_SENTENCE_TOKENS: Final = 300
#: Most neighbouring statements that make one line.
MAX_JOINED: Final = 3
#: Turns by which a session's language is told.
SHOWN_TURNS: Final = 20
#: Least content words of a line.
MIN_CONTENT: Final = 2


def prepare(turns: Sequence[SourceTurn]) -> list[str]:
    """Return what an analyser should read of each turn: its statements, without code, quotations, pasted documents.

    Of a chat with an assistant also without requests and without what the assistant says of the world.
    """
    return [heard.text for heard in _heard(turns)[0]]


def _heard(turns: Sequence[SourceTurn]) -> tuple[list[requests.Heard], list[str]]:
    """Return what is read of each turn, and what was pasted in it."""
    language = _session_language(turns)
    found: list[requests.Heard] = []
    cleaned = [noise.clean(turn.text) for turn in turns]
    made = False
    part = ""
    for turn, clean in zip(turns, cleaned, strict=True):
        text = clean.text
        own = tell_language(text, LANGUAGES) if language == "en" and is_foreign(text) else language
        if turn.listener == ASSISTANT:
            found.append(requests.own_statements(text, own, part))
            made, part = found[-1].made, found[-1].part
        elif turn.speaker == ASSISTANT:
            found.append(requests.Heard() if made else requests.remarks(text, own))
        else:
            found.append(requests.Heard(text))
    return found, [clean.pasted for clean in cleaned]


def _session_language(turns: Sequence[SourceTurn]) -> str:
    """Return the language of a chat with an assistant, by what people say in it; short turns alone do not tell."""
    said = "\n".join(noise.clean(turn.text[:400]).text for turn in turns[:SHOWN_TURNS] if turn.listener == ASSISTANT)
    return tell_language(said, LANGUAGES)


def extract(turns: Sequence[SourceTurn], analyses: Sequence[Analysis] | None = None) -> Extraction:
    """Find the statements of a session.

    Args:
        turns: in order.
        analyses: of the texts that :func:`prepare` returned, one per turn; None cuts them by rules.
    """
    heard, pasted = _heard(turns)
    parsed = list(analyses) if analyses is not None else [plain(one.text) for one in heard]
    left_out = sum((one.left_out for one in heard), Counter())
    found = _Session(turns, parsed, left_out, _session_language(turns)).read()
    documents = [
        line
        for number, (turn, text) in enumerate(zip(turns, pasted, strict=True))
        if text and turn.provenance == "user"
        for line in statements(text, turn, number)
    ]
    return replace(found, candidates=(*found.candidates, *documents))


@dataclass(slots=True)
class _Statement:
    """A sentence that may become a line, with what is needed to join it to its neighbour."""

    line: str
    quote: str
    named: bool
    kind: FactKind
    measures: features.Measures
    spans: list[DatedSpan]
    number: int
    entities: list[tuple[str, str]] = field(default_factory=list)
    order: str = ""
    #: the user asked to remember it.
    asked: bool = False
    #: other turns that the line rests on, with what was said there: who "she" is, what was corrected.
    elsewhere: list[tuple[str, str]] = field(default_factory=list)


def _spans(analysis: Analysis, turn: SourceTurn) -> Iterator[tuple[int, int]]:
    """Yield what is read as one statement; what a person tells an assistant is short, and two facts are kept apart."""
    for begin, end in analysis.sentences():
        short = end - begin <= MAX_SENTENCE_TOKENS
        yield from clauses(analysis, begin, end) if turn.listener == ASSISTANT and short else ((begin, end),)


class _Session:
    def __init__(
        self, turns: Sequence[SourceTurn], analyses: Sequence[Analysis], left_out: Counter[str], language: str
    ) -> None:
        self._turns = turns
        self._language = language
        self._foreign = [self._is_foreign(turn, analysis) for turn, analysis in zip(turns, analyses, strict=True)]
        # A parser for English makes nothing of other languages.
        self._analyses = [
            plain(analysis.text) if foreign and analysis.parsed else analysis
            for analysis, foreign in zip(analyses, self._foreign, strict=True)
        ]
        self._left_out = left_out
        #: the statements of each turn read so far.
        self._said: list[list[_Statement]] = []
        #: whom each speaker spoke of last.
        self._mentioned: dict[str, antecedents.Mention] = {}
        self._names: Counter[tuple[str, str]] = Counter()
        self._frequencies = Counter(
            root for analysis in self._analyses for root in {stem(word) for word in content_words(analysis.text)}
        )

    def read(self) -> Extraction:
        found: list[Candidate] = []
        for number, turn in enumerate(self._turns):
            self._said.append([])
            for statement in self._statements(number, turn):
                self._said[-1].append(statement)
        for number, (turn, its) in enumerate(zip(self._turns, self._said, strict=True)):
            found += [self._candidate(number, turn, [one]) for one in its]
            found += [self._candidate(number, turn, parts) for parts in _neighbours(its)]
        entities = tuple((name, kind, count) for (name, kind), count in self._names.most_common())
        names = frozenset(name for turn in self._turns for name in cast_of(turn).names)
        return Extraction(tuple(found), entities, topics_of(self._said_by_people(), names), dict(self._left_out))

    def _amends(self, quote: str, turn: SourceTurn) -> bool:
        """Correct or drop what the speaker said before; tell whether the sentence says no more than that."""
        correction = corrections.correction_in(quote)
        if correction is not None:
            self._correct(correction, turn, quote)
            return True
        size = corrections.retraction_in(quote)
        if size:
            self._take_back(turn)
        return size > 0 and len(content_words(quote[size:])) < MIN_CONTENT

    def _correct(self, correction: corrections.Correction, turn: SourceTurn, quote: str) -> None:
        """Put what was meant into the latest of the speaker's statements that it can be of."""
        last = len(self._said) - 1
        for number in range(last, max(-1, last - CORRECTED_BACK), -1):
            for statement in reversed(self._said[number] if self._turns[number].speaker == turn.speaker else ()):
                line = corrections.corrected(statement.line, correction)
                if line:
                    statement.line = line
                    statement.spans = []
                    statement.elsewhere.append((turn.id, quote))
                    return
        self._left_out["corrects nothing"] += 1

    def _take_back(self, turn: SourceTurn) -> None:
        """Drop the speaker's latest statement, unless it is older than their turn before."""
        own = [found for its, found in zip(self._turns, self._said, strict=False) if its.speaker == turn.speaker]
        latest = next((found for found in reversed(own[-2:]) if found), None)
        if latest is not None:
            latest.pop()
            self._left_out["taken back"] += 1

    def _statements(self, number: int, turn: SourceTurn) -> Iterator[_Statement]:
        analysis = self._analyses[number]
        cast = cast_of(turn)
        self._count_names(analysis)
        foreign = self._foreign[number]
        context = features.Context(
            position=number / max(1, len(self._turns) - 1),
            answers=number > 0 and "?" in self._turns[number - 1].text,
            frequencies=self._frequencies,
        )
        before = ""
        for sentence, (begin, end) in enumerate(_spans(analysis, turn)):
            if end - begin > MAX_SENTENCE_TOKENS:
                self._left_out["too long"] += 1
                continue
            quote = one_line(analysis.piece(begin, end))
            earlier, before = before, quote
            if turn.listener == ASSISTANT and self._amends(quote, turn):
                continue
            mention = self._stands_for(number, begin, end, turn)
            reason = self._noise(quote, turn) or self._thin(number, begin, end, turn, mention)
            if reason:
                self._left_out[reason] += 1
                continue
            dates = find_dates(quote, turn.day)
            joined = antecedents.companions(quote, earlier, turn.listener, person=turn.listener != ASSISTANT)
            line = (
                quoted(quote, turn, mention)
                if foreign
                else self._retold(number, begin, end, replace(cast, companions=joined), mention)
            )
            least = MIN_CONTENT if turn.provenance == "user" else ASSISTANT_MIN_CONTENT
            if foreign:
                least = 1  # of the words said, in their own language
            content = content_words(quote, self._language) if foreign else content_words(line)
            if len(content) < least or len(line) > 2 * MAX_LINE_CHARS:
                self._left_out["says too little" if len(line) < MAX_LINE_CHARS else "too long"] += 1
                continue
            subject = features.subject_of(analysis.tokens, begin, end)
            yield _Statement(
                line=line,
                quote=quote,
                named=turn.speaker.lower() in line.lower(),
                kind=kind_of(requests.in_full(quote)),
                measures=features.measure(
                    analysis.tokens[begin:end], line, context, subject=subject, dated=bool(dates)
                ),
                spans=dates,
                number=sentence,
                entities=names_in(analysis, begin, end),
                order=order_in(quote) or "",
                asked=turn.listener == ASSISTANT and requests.asked_to_remember(quote, self._language),
                elsewhere=[(mention.turn_id, mention.quote)] if mention is not None else [],
            )

    def _is_foreign(self, turn: SourceTurn, analysis: Analysis) -> bool:
        if self._language != "en" and ASSISTANT in {turn.listener, turn.speaker}:
            return tell_language(analysis.text, LANGUAGES, self._language) != "en"
        return is_foreign(analysis.text)

    def _stands_for(self, number: int, begin: int, end: int, turn: SourceTurn) -> antecedents.Mention | None:
        """Note whom a sentence speaks of; return who its "she" or "he" is."""
        analysis = self._analyses[number]
        quote = one_line(analysis.piece(begin, end))
        if self._foreign[number]:
            mention = antecedents.german_mention_in(quote, turn.id)
            pronoun = antecedents.german_pronoun_of(quote)
        else:
            people = persons_in(analysis, begin, end) if turn.listener == ASSISTANT else []
            mention = antecedents.mention_in(quote, turn.id, people=people)
            pronoun = antecedents.pronoun_of(quote)
        known = self._mentioned.get(turn.speaker)
        if mention is not None:
            self._mentioned[turn.speaker] = mention
        if known is None or pronoun not in known.pronouns:
            return None
        # "She has a son": the new one is not who "she" is.
        return known if mention is None or self._foreign[number] or not mention.owned else None

    def _retold(self, number: int, begin: int, end: int, cast: Cast, mention: antecedents.Mention | None) -> str:
        analysis, turn = self._analyses[number], self._turns[number]
        relative = requests.RELATIVE_LINE.match(one_line(analysis.piece(begin, end)))
        if relative and turn.listener == ASSISTANT:
            owner = f"{turn.speaker[0].upper()}{turn.speaker[1:]}"
            return f"{owner}'s {relative['who'].lower()} is called {relative['name']}."
        capacity = requests.CAPACITY_LINE.match(one_line(analysis.piece(begin, end)))
        if capacity and turn.listener == ASSISTANT:
            return f"{turn.speaker[0].upper()}{turn.speaker[1:]} is {capacity['what']}."
        spans = replacements(analysis, begin, end, turn.day)
        if mention is not None:
            subject = next(i for i in range(begin, end) if analysis.tokens[i].lower in {"she", "he", "his", "her"})
            possessive = "'s" if analysis.tokens[subject].lower in {"his", "her"} else ""
            spans[subject] = (subject + 1, mention.called(turn.speaker) + possessive)
        return retell(analysis, begin, end, cast, spans)

    def _thin(self, number: int, begin: int, end: int, turn: SourceTurn, mention: antecedents.Mention | None) -> str:
        """Return why a statement to an assistant says nothing by itself; empty when it does."""
        analysis = self._analyses[number]
        quote = one_line(analysis.piece(begin, end))
        if turn.listener != ASSISTANT or order_in(quote):
            return ""
        foreign = self._foreign[number]
        pronoun = antecedents.german_pronoun_of(quote) if foreign else antecedents.pronoun_of(quote)
        if pronoun and mention is None:
            return "nobody knows of whom"
        tokens = analysis.tokens[begin:end]
        if not analysis.parsed or requests.in_full(quote) != quote:
            return ""
        if len(tokens) <= FEW_TOKENS and not any(token.pos in {"VERB", "AUX"} for token in tokens):
            return "no statement"
        if requests.patterns_for("en").small_talk.match(quote):
            return "small talk"
        names_nothing = not any(token.pos in {"NOUN", "PROPN", "NUM"} or token.entity for token in tokens)
        points = any(token.lower in _POINTING for token in tokens) and len(content_words(quote)) <= MIN_CONTENT
        return "says too little" if names_nothing and points else ""

    def _noise(self, quote: str, turn: SourceTurn) -> str:
        if noise.is_question(quote):
            return "question"
        if noise.is_small_talk(quote):
            return "small talk"
        if noise.is_hypothetical(quote):
            return "hypothetical"
        if turn.listener == ASSISTANT and noise.is_order(quote) and not order_in(quote):
            return "request"
        return ""

    def _candidate(self, number: int, turn: SourceTurn, parts: Sequence[_Statement]) -> Candidate:
        text = " ".join(part.line for part in parts)
        # What is told to an assistant is its user's word; "provenance" says so.
        if turn.listener != ASSISTANT and not any(part.named for part in parts):
            first = text.partition(" ")[0].removesuffix("'s")
            proper = any(t.text == first and (t.pos == "PROPN" or t.entity) for t in self._analyses[number].tokens)
            text = attributed(text, turn, proper=proper)
        elsewhere = {where: quote for part in parts for where, quote in part.elsewhere if where != turn.id}
        values = features.features([part.measures for part in parts])
        kinds = [part.kind for part in parts]
        kind = max(kinds, key=lambda k: DURABILITY[k])
        first_person = values["first_person"] > 0 or any(part.elsewhere for part in parts)
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
            features=values,
            score=score,
            salience=ASKED_SALIENCE if parts[0].asked else _salience(kind, turn, first_person),
            confidence=_confidence(parts, turn, first_person),
            day=spans[0].day if spans else None,
            until=spans[0].until if spans else None,
            entities=tuple(dict.fromkeys(entity for part in parts for entity in part.entities)),
            order=next((part.order for part in parts if part.order), ""),
            own=turn.own,
        )

    def _said_by_people(self) -> list[Analysis]:
        """The turns of people that are no orders to a model; a model's topics are not theirs."""
        both = zip(self._analyses, self._turns, strict=True)
        return [a for a, turn in both if turn.provenance == "user" and not order_in(a.text)]

    def _count_names(self, analysis: Analysis) -> None:
        for name, kind in names_in(analysis, 0, len(analysis.tokens)):
            self._names[name, kind] += 1


#: Up to this many tokens without a verb are no statement; a parser may take the verb of more for a noun.
FEW_TOKENS: Final = 5
#: Turns that a correction may look back.
CORRECTED_BACK: Final = 8
_POINTING: Final = frozenset(
    {"it", "that", "this", "them", "these", "those", "there", "you", "here", "some", "one", "any"}
)
#: Salience of what the user asked to remember.
ASKED_SALIENCE: Final = 0.85
#: How the model is called in lines; its own statements count for less.
ASSISTANT: Final = "the assistant"
ASSISTANT_PENALTY: Final = 1.0
#: Least content words of a model's statement; its lists and courtesies are shorter.
ASSISTANT_MIN_CONTENT: Final = 6
#: What "it", "that" or "them" without its noun takes from the confidence.
POINTING_DOUBT: Final = 0.08
#: What a person says of another is worth keeping; what a user says of the assistant hardly.
ADDRESS_PENALTY: Final = 0.6


def _neighbours(statements: Sequence[_Statement]) -> Iterator[Sequence[_Statement]]:
    """Yield runs of neighbouring statements that make one line, none of them an order to a model."""
    for size in range(2, MAX_JOINED + 1):
        for start in range(len(statements) - size + 1):
            parts = statements[start : start + size]
            if sum(len(part.line) for part in parts) < MAX_LINE_CHARS and not any(part.order for part in parts):
                yield parts


def _salience(kind: FactKind, turn: SourceTurn, first_person: bool) -> float:
    value = DURABILITY[kind] if first_person else DURABILITY[kind] - 0.15
    return round(max(0.1, value * (1.0 if turn.provenance == "user" else 0.5)), 2)


def _confidence(parts: Sequence[_Statement], turn: SourceTurn, first_person: bool) -> float:
    value = 0.9 if first_person else 0.7
    if parts[0].measures.flags["subject_vague"]:
        value -= 0.15
    value -= POINTING_DOUBT * min(2, sum(part.measures.counts["pointing"] for part in parts))
    if turn.provenance != "user":
        value -= 0.2
    return round(max(0.1, value), 2)
