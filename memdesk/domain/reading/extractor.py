"""Reads a session and finds the statements worth keeping. Deterministic; no model, no clock, no I/O.

Sentences about people and things are retold in the third person with absolute dates (:mod:`thirdperson`,
:mod:`dates`), classified (:mod:`kinds`) and measured (:mod:`features`); noise is left out (:mod:`noise`). Two
or three neighboring statements of a turn are also offered as one line, since the second often says what the first is
about.
"""

import re
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Final

from memdesk.domain.items.registry import KINDS
from memdesk.domain.items.statement import Statement
from memdesk.domain.language.analysis import Analysis, plain
from memdesk.domain.language.dates import DatedSpan, find_dates
from memdesk.domain.language.mending import mended
from memdesk.domain.language.tell import language_of, leading, votes
from memdesk.domain.language.text import content_words, one_line, stem
from memdesk.domain.models import FactKind
from memdesk.domain.reading import antecedents, corrections, features, noise, remarks
from memdesk.domain.reading.candidates import Candidate, Extraction, SourceTurn
from memdesk.domain.reading.care import CARE
from memdesk.domain.reading.documents import statements
from memdesk.domain.reading.durability import Judge
from memdesk.domain.reading.fragments import Question, question_of
from memdesk.domain.reading.handing import announced, announcement
from memdesk.domain.reading.injection import HIDDEN, order_in
from memdesk.domain.reading.keeping import SAID_BY_OTHER
from memdesk.domain.reading.kinds import kind_of, kind_of_statement
from memdesk.domain.reading.plainly import PlainReader
from memdesk.domain.reading.profiles import BULLETS, beside_entries, entries, profile_language
from memdesk.domain.reading.subjects import Mention
from memdesk.domain.reading.telling import Listener
from memdesk.domain.reading.thirdperson import Cast, retell
from memdesk.domain.reading.told import Told
from memdesk.domain.reading.topics import topics_of
from memdesk.domain.reading.wording import (
    FOREIGN_MARGIN,
    attributed,
    cast_of,
    is_foreign,
    names_in,
    quoted,
    replacements,
)

#: Longest line, in characters; statements that make a longer one stay apart.
MAX_LINE_CHARS: Final = 340
#: Longest sentence that is read at all: no line could hold it, and rewriting looks at each word from each verb.
MAX_SENTENCE_TOKENS: Final = 300
#: Longest heading of a list of what somebody is, its colon included.
MAX_HEADING_TOKENS: Final = 6
#: Most neighboring statements that make one line.
MAX_JOINED: Final = 3
#: Turns by which a session's language is told.
SHOWN_TURNS: Final = 20
#: Least content words of a line.
MIN_CONTENT: Final = 2


def prepare(turns: Sequence[SourceTurn]) -> list[str]:
    """Return what an analyzer should read of each turn: its words without code, quotations and pasted documents."""
    return [one.text for one in _cleaned(turns)]


def _cleaned(turns: Sequence[SourceTurn]) -> list[noise.Cleaned]:
    others = announced(turns, ASSISTANT)
    return [
        noise.Cleaned("", document=True, pasted=turn.text) if number in others else _cleaned_turn(turn)
        for number, turn in enumerate(turns)
    ]


def _cleaned_turn(turn: SourceTurn) -> noise.Cleaned:
    clean = noise.clean(turn.text)
    if turn.listener != ASSISTANT:
        return clean
    told = clean.text.replace(announcement(clean.text), "")
    return replace(clean, text=noise.itemized(told) if language_of(told) != "en" else noise.spelled_out(told))


def _said_to_assistant(turns: Sequence[SourceTurn]) -> str:
    """Return what people say in a chat with an assistant, to tell its language by: short turns alone do not."""
    return "\n".join(noise.clean(turn.text[:400]).text for turn in turns[:SHOWN_TURNS] if turn.listener == ASSISTANT)


def extract(
    turns: Sequence[SourceTurn],
    analyses: Sequence[Analysis] | None = None,
    *,
    known: Sequence[Mention] = (),
    spoken: str = "en",
    judge: Judge | None = None,
) -> Extraction:
    """Find the statements of a session.

    Args:
        turns: in order.
        analyses: of the texts that :func:`prepare` returned, one per turn; None cuts them by rules.
        known: whom the user named in earlier sessions.
        spoken: the language of earlier sessions, for words that could be of several.
        judge: tells what lasts; without one everything does that structure does not leave out.
    """
    steps = by_turns(turns, analyses, known, spoken, judge)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            found: Extraction = done.value
            return found


def by_turns(
    turns: Sequence[SourceTurn],
    analyses: Sequence[Analysis] | None,
    known: Sequence[Mention],
    spoken: str,
    judge: Judge | None = None,
) -> Generator[None, None, Extraction]:
    """Do what :func:`extract` does, with a rest behind each turn."""
    cleaned = _cleaned(turns)
    parsed = list(analyses) if analyses is not None else [plain(one.text) for one in cleaned]
    found = yield from _Session(turns, parsed, known, spoken, judge).read()
    documents = [
        line
        for number, (turn, clean) in enumerate(zip(turns, cleaned, strict=True))
        if clean.pasted and turn.provenance == "user"
        for line in statements(clean.pasted, turn, number)
    ]
    return replace(found, candidates=(*found.candidates, *documents))


@dataclass(slots=True)
class _Statement:
    """A sentence that may become a line, with what is needed to join it to its neighbor."""

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
    #: what it says, in fields, where it was read by grammar; then it lasts, or it would not be here.
    statement: Statement | None = None
    #: see :class:`Candidate`.
    tentative: bool = False
    sentence: str = ""
    #: other turns that the line rests on, with what was said there: who "she" is, what was corrected.
    elsewhere: list[tuple[str, str]] = field(default_factory=list)


class _Session:
    def __init__(
        self,
        turns: Sequence[SourceTurn],
        analyses: Sequence[Analysis],
        known: Sequence[Mention],
        spoken: str,
        judge: Judge | None = None,
    ) -> None:
        self._turns, self._judge = turns, judge
        said = _said_to_assistant(turns)
        self._language = language_of(said, spoken)
        #: several where words alone do not tell.
        self._languages = [spoken] if spoken in (found := leading(said)) else found
        self._foreign = [self._is_foreign(turn, analysis) for turn, analysis in zip(turns, analyses, strict=True)]
        # A parser for English makes nothing of other languages.
        self._analyses = [
            plain(analysis.text)
            if foreign and analysis.parsed
            else mended(analysis)
            if turn.listener == ASSISTANT
            else analysis
            for turn, analysis, foreign in zip(turns, analyses, self._foreign, strict=True)
        ]
        self._left_out: Counter[str] = Counter()
        self._known = known
        self._known_names = frozenset(one.proper for one in known)
        #: whom the user named in this session where nothing parses it, in lower case.
        self._introduced: frozenset[str] = frozenset()
        self._listeners: dict[str, Listener] = {}
        #: whether the speaker's last turn asked for a text, so that the answer is that text.
        self._made = False
        #: whether a story or a game goes on.
        self._playing = False
        #: the statements of each turn read so far.
        self._said: list[list[_Statement]] = []
        #: whom each speaker spoke of last.
        self._mentioned: dict[str, antecedents.Mention] = {}
        self._names: Counter[tuple[str, str]] = Counter()
        self._frequencies = Counter(
            root for analysis in self._analyses for root in {stem(word) for word in content_words(analysis.text)}
        )

    def read(self) -> Generator[None, None, Extraction]:
        found: list[Candidate] = []
        for number, turn in enumerate(self._turns):
            self._said.append([])
            for statement in self._of_turn(number, turn):
                self._said[-1].append(statement)
            yield
        for number, (turn, its) in enumerate(zip(self._turns, self._said, strict=True)):
            found += [self._candidate(number, turn, [one]) for one in its]
            found += [self._candidate(number, turn, parts) for parts in _neighbors(its)]
        entities = tuple((name, kind, count) for (name, kind), count in self._names.most_common())
        names = frozenset(name for turn in self._turns for name in cast_of(turn).names)
        return Extraction(tuple(found), entities, topics_of(self._said_by_people(), names), dict(self._left_out))

    def _of_turn(self, number: int, turn: SourceTurn) -> Iterator[_Statement]:
        told = turn.listener == ASSISTANT and turn.provenance == "user"
        if told and self._analyses[number].parsed and profile_language(self._analyses[number]) in {"", "en"}:
            return self._told(number, turn)
        if told:
            return self._plainly(number, turn)
        if turn.speaker == ASSISTANT:
            return iter(()) if self._made else self._remarked(number, turn)
        return self._statements(number, turn)

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
        """Read what one person tells another, sentence by sentence."""
        analysis = self._analyses[number]
        cast = cast_of(turn)
        self._count_names(analysis)
        foreign = self._foreign[number]
        before = ""
        for sentence, (begin, end) in enumerate(analysis.sentences()):
            if end - begin > MAX_SENTENCE_TOKENS:
                self._left_out["too long"] += 1
                continue
            quote = one_line(analysis.piece(begin, end))
            earlier, before = before, quote
            mention = self._stands_for(number, begin, end, turn)
            reason = _noise(quote)
            if reason:
                self._left_out[reason] += 1
                continue
            joined = antecedents.companions(quote, earlier, turn.listener, person=True)
            line = (
                quoted(quote, turn.speaker, language_of(quote, self._language), mention)
                if foreign
                else self._retold(number, begin, end, replace(cast, companions=joined), mention)
            )
            content = content_words(quote, self._language) if foreign else content_words(line)
            if len(content) < (1 if foreign else MIN_CONTENT) or len(line) > 2 * MAX_LINE_CHARS:
                self._left_out["says too little" if len(line) < MAX_LINE_CHARS else "too long"] += 1
                continue
            yield self._measured(number, turn, begin, end, line, quote, sentence, mention)

    def _measured(
        self,
        number: int,
        turn: SourceTurn,
        begin: int,
        end: int,
        line: str,
        quote: str,
        place: int,
        mention: antecedents.Mention | None = None,
    ) -> _Statement:
        analysis = self._analyses[number]
        dates = find_dates(quote, turn.day)
        subject = features.subject_of(analysis.tokens, begin, end)
        return _Statement(
            line=line,
            quote=quote,
            named=turn.speaker.lower() in line.lower(),
            kind=kind_of(quote),
            measures=features.measure(
                analysis.tokens[begin:end], line, self._context(number), subject=subject, dated=bool(dates)
            ),
            spans=dates,
            number=place,
            entities=names_in(analysis, begin, end),
            order=order_in(quote) or "",
            elsewhere=[(mention.turn_id, mention.quote)] if mention is not None else [],
        )

    def _remarked(self, number: int, turn: SourceTurn) -> Iterator[_Statement]:
        """Read what an assistant says of what it did and of its user; what it says of the world is no memory."""
        analysis = self._analyses[number]
        for begin, end in analysis.sentences():
            quote = one_line(analysis.piece(begin, end))
            if order_in(quote) or (analysis.parsed and remarks.of_both(analysis, begin, end)):
                line = retell(analysis, begin, end, cast_of(turn), replacements(analysis, begin, end, turn.day))
                if len(content_words(line)) >= ASSISTANT_MIN_CONTENT and len(line) < 2 * MAX_LINE_CHARS:
                    yield self._measured(number, turn, begin, end, line, quote, begin)
                    continue
            self._left_out["said by the assistant"] += 1

    def _plainly(self, number: int, turn: SourceTurn) -> Iterator[_Statement]:
        """Read what a person tells an assistant in a language that nothing parses here, or without a parser."""
        analysis = self._analyses[number]
        of_turn = self._reader_for(analysis.text)
        self._playing = self._made = self._playing and not of_turn.is_over(analysis.text)
        of_turn = PlainReader(profiled) if (profiled := profile_language(analysis)) else of_turn
        for begin, _, end in entries(analysis, of_turn.code) if profiled and not self._playing else ():
            yield self._in_own_words(number, turn, begin, end, of_turn, None)
        for first, whole in beside_entries(analysis, of_turn.code) if not self._playing else ():
            begin = _opened(analysis, first, whole, of_turn)
            if begin == whole:
                continue
            reader = _reader_within(analysis.piece(begin, whole), of_turn)
            end = _before_question(analysis, begin, whole, reader)
            quote = one_line(analysis.piece(begin, end))
            if self._amends(quote, turn):
                continue
            if _HANDED.search(quote) and not reader.asks_to_remember(quote):
                self._left_out["material"] += 1
                self._made = True
                return  # what a request is to be carried out on
            mention = self._stands_for(number, begin, end, turn, reader.code)
            meant = quote if mention is None else antecedents.in_place_of(quote, mention, reader.code)
            reason = "" if order_in(quote) else reader.why_not(meant)
            named = self._named_in(analysis, begin, end)
            introduced = reader.introduced(quote)
            self._introduced |= introduced
            self._names.update((name.title(), "person") for name in introduced)
            parts = tuple(_parts(analysis, begin, end, reader))
            if not reason and reader.told_apart([one_line(analysis.piece(*part)) for part in parts], turn.day):
                yield from (self._in_own_words(number, turn, *part, reader, None) for part in parts)
                continue
            if not reason or (reason == "of nobody" and (mention is not None or named)):
                of = named if reason and mention is None else ""
                yield self._in_own_words(number, turn, begin, end, reader, mention, of)
                continue
            if reader.invents(quote):
                self._left_out[reason] += 1
                self._playing, self._made = reader.takes_part(quote), True
                return  # what follows tells of the story
            part = _part_kept(analysis, begin, end, reader) if reason in _OF_A_PART else None
            if part is None:
                self._left_out[reason] += 1
            else:
                yield self._in_own_words(number, turn, *part, reader, None)

    def _beside_english(self, analysis: Analysis) -> Iterator[tuple[int, int, PlainReader]]:
        """Yield what an English turn says in another language: "ich wohne in Bonn, and now I'm looking for jobs"."""
        for begin, end in analysis.sentences():
            whole = _left_out_self(analysis, begin, end)
            if whole is not None:
                yield begin, end, whole
                continue
            reader, read = PlainReader("en"), list[tuple[int, int, PlainReader]]()
            for first, last in _parts(analysis, begin, end, reader):
                reader = _reader_within(analysis.piece(first, last), reader)
                read.append((first, last, reader))
            for reader, run in groupby(read, key=lambda part: part[2]):
                if reader.code != "en":
                    parts = list(run)
                    yield parts[0][0], parts[-1][1], reader

    def _named_in(self, analysis: Analysis, begin: int, end: int) -> str:
        """Return who opens a sentence of those the user named before, or is in it of those named in earlier sessions."""
        for token in analysis.tokens[begin:end]:
            if token.text in self._known_names:
                return token.text
        opening = next((token for token in analysis.tokens[begin:end] if token.pos != "PUNCT"), None)
        return opening.text.capitalize() if opening is not None and opening.lower in self._introduced else ""

    def _reader_for(self, text: str) -> PlainReader:
        """Return the reader of a turn's language; where several could be meant, one that finds a statement in it."""
        codes = leading(text) or [self._language]
        if len(self._languages) == 1 and self._languages[0] in codes:
            return PlainReader(self._languages[0])
        readers = [PlainReader(code) for code in codes]
        return next((reader for reader in readers if not reader.why_not(text)), readers[0])

    def _in_own_words(
        self,
        number: int,
        turn: SourceTurn,
        begin: int,
        end: int,
        reader: PlainReader,
        mention: antecedents.Mention | None,
        of: str = "",
    ) -> _Statement:
        quote = one_line(self._analyses[number].piece(begin, end))
        statement, kind = reader.statement(quote, turn.day, of)
        if statement.language == "en":
            line = self._retold(number, begin, end, cast_of(turn), mention)
        else:
            line = quoted(quote, turn.speaker, statement.language, mention)
        made = self._measured(number, turn, begin, end, line, quote, begin, mention)
        made.kind, made.statement, made.named = kind, statement, True
        made.asked = reader.asks_to_remember(quote)
        return made

    def _told(self, number: int, turn: SourceTurn) -> Iterator[_Statement]:
        """Read what a person tells an assistant, by grammar."""
        analysis = self._analyses[number]
        self._count_names(analysis)
        listener = self._listeners.setdefault(turn.speaker, Listener(self._left_out, self._known, self._judge))
        sentences = list(analysis.sentences())
        amended: dict[int, bool] = {}
        for begin, end in sentences:
            quote = one_line(analysis.piece(begin, end))
            if order_in(quote):  # put before the user, whatever else it is
                amended[begin] = True
                yield self._measured(number, turn, begin, end, quoted(quote, turn.speaker, "en"), quote, begin)
        if order_in(analysis.text) == HIDDEN:
            self._left_out[HIDDEN] += 1  # spelled so that no sentence of it shows all that it says
            return
        elsewhere = list(self._beside_english(analysis))
        for first, last, reader in elsewhere:
            if not reader.why_not(one_line(analysis.piece(first, last))):
                yield self._in_own_words(number, turn, first, last, reader, None)
        for told in listener.read(turn, analysis, self._asked_before(number)):
            if any(first <= told.begin < last for first, last, _ in elsewhere):
                continue
            begin, end = next((first, last) for first, last in sentences if first <= told.begin < last)
            self._amended(amended, turn, analysis, begin)
            if not amended[begin]:
                made = self._as_line(number, turn, told)
                if made is not None:
                    made.sentence = one_line(analysis.piece(begin, end))
                    yield made
        self._amended(amended, turn, analysis, len(analysis.tokens))
        self._made = listener.made

    def _asked_before(self, number: int) -> Question | None:
        """Return what the assistant asked at the end of the turn before."""
        before = self._turns[number - 1] if number else None
        if before is None or before.speaker != ASSISTANT or order_in(before.text):
            return None
        return question_of(before.id, self._analyses[number - 1])

    def _amended(self, done: dict[int, bool], turn: SourceTurn, analysis: Analysis, until: int) -> None:
        """Let corrections take effect in their place among what is told: those of sentences that begin up to ``until``."""
        for begin, end in analysis.sentences():
            if begin <= until and begin not in done:
                done[begin] = self._amends(one_line(analysis.piece(begin, end)), turn)

    def _as_line(self, number: int, turn: SourceTurn, told: Told) -> _Statement | None:
        analysis = self._analyses[number]
        quote = one_line(told.statement.quote)
        spans = replacements(analysis, told.begin, told.end, turn.day)
        spans |= {index: (index + 1, words) for index, words in told.named.items()}
        joined = antecedents.companions(quote, one_line(analysis.piece(0, told.begin)), turn.listener, person=False)
        cast = replace(cast_of(turn), companions=joined)
        line = retell(analysis, told.begin, told.end, cast, spans, told.lead)
        if told.verbatim or _runs_on(analysis, told.begin, told.end):
            line = quoted(quote, turn.speaker, "en")
        if told.before is not None:
            when = retell(analysis, *told.before, cast, spans)
            link = "," if told.begin < told.before[0] else ""  # "..., it's coffee now"
            line = f"{line.rstrip('.')}{link} {when[:1].lower()}{when[1:]}" if when else line
        if not line or len(line) > MAX_LINE_CHARS:
            self._left_out["too long" if line else "says too little"] += 1
            return None
        made = self._measured(number, turn, told.begin, told.end, line, quote, told.begin)
        made.kind, made.statement = kind_of_statement(told.statement), told.statement
        made.named, made.asked, made.tentative = True, told.asked, told.tentative
        made.elsewhere = [(one.turn_id, one.quote) for one in told.mentions]
        return made

    def _context(self, number: int) -> features.Context:
        return features.Context(
            position=number / max(1, len(self._turns) - 1),
            answers=number > 0 and "?" in self._turns[number - 1].text,
            frequencies=self._frequencies,
        )

    def _is_foreign(self, turn: SourceTurn, analysis: Analysis) -> bool:
        if self._language != "en" and ASSISTANT in {turn.listener, turn.speaker}:
            return language_of(analysis.text, self._language) != "en"
        return is_foreign(analysis.text)

    def _stands_for(
        self, number: int, begin: int, end: int, turn: SourceTurn, code: str = "de"
    ) -> antecedents.Mention | None:
        """Note whom a sentence speaks of; return who its "she" or "he" is."""
        analysis = self._analyses[number]
        quote = one_line(analysis.piece(begin, end))
        if self._foreign[number] and code not in {"de", "en"}:
            return self._stands_for_by_words(quote, turn, code)
        if self._foreign[number]:
            mention = antecedents.german_mention_in(quote, turn.id)
            pronoun = antecedents.german_pronoun_of(quote)
        else:
            mention = antecedents.mention_in(quote, turn.id)
            pronoun = antecedents.pronoun_of(quote)
        known = self._mentioned.get(turn.speaker)
        if mention is not None:
            self._mentioned[turn.speaker] = mention
        if known is None or pronoun not in known.pronouns:
            return None
        # "She has a son": the new one is not who "she" is.
        return known if mention is None or self._foreign[number] else None

    def _stands_for_by_words(self, quote: str, turn: SourceTurn, code: str) -> antecedents.Mention | None:
        """The same where things are "he" and "she" too: only who was named in the speaker's sentence just before is meant."""
        known = self._mentioned.pop(turn.speaker, None)
        meant = known if known is not None and antecedents.pronoun_by_words(quote, code) in known.pronouns else None
        latest = antecedents.mention_by_words(quote, turn.id, code) or meant
        if latest is not None:
            self._mentioned[turn.speaker] = latest
        return meant

    def _retold(self, number: int, begin: int, end: int, cast: Cast, mention: antecedents.Mention | None) -> str:
        analysis, turn = self._analyses[number], self._turns[number]
        spans = replacements(analysis, begin, end, turn.day)
        if mention is not None:
            subject = next(i for i in range(begin, end) if analysis.tokens[i].lower in {"she", "he", "his", "her"})
            possessive = "'s" if analysis.tokens[subject].lower in {"his", "her"} else ""
            spans[subject] = (subject + 1, mention.called(turn.speaker) + possessive)
        return retell(analysis, begin, end, cast, spans)

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
        kind = max(kinds, key=lambda k: KINDS[k].durability)
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

    def _said_by_people(self) -> list[Analysis]:
        """The turns of people that are no orders to a model; a model's topics are not theirs."""
        both = zip(self._analyses, self._turns, strict=True)
        return [a for a, turn in both if turn.provenance == "user" and not order_in(a.text)]

    def _count_names(self, analysis: Analysis) -> None:
        for name, kind in names_in(analysis, 0, len(analysis.tokens)):
            self._names[name, kind] += 1


#: Why a sentence is left out of which a part may still be worth keeping.
_OF_A_PART: Final = frozenset(
    {"small talk", "task at hand", "of nobody", "request", "remark on the answer", SAID_BY_OTHER, "says too little"}
)
#: Where a sentence hands over what it is to be carried out on; not a time of day.
_HANDED: Final = re.compile(r":(?:\s|$)")
#: Turns that a correction may look back.
CORRECTED_BACK: Final = 8
#: Tokens without a stop from which several verbs are several sentences.
RUN_ON_TOKENS: Final = 24
#: Salience of what the user asked to remember.
ASKED_SALIENCE: Final = 0.85
#: Salience of what endangers or tells how to answer, and the least of a statement that lasts.
CARE_SALIENCE: Final = 0.95
LASTING_SALIENCE: Final = 0.5
#: How the model is called in lines; its own statements count for less.
ASSISTANT: Final = "the assistant"
ASSISTANT_PENALTY: Final = 1.0
#: Least content words of a model's statement; its lists and courtesies are shorter.
ASSISTANT_MIN_CONTENT: Final = 6
#: What "it", "that" or "them" without its noun takes from the confidence.
POINTING_DOUBT: Final = 0.08
#: What a person says of another is worth keeping; what a user says of the assistant hardly.
ADDRESS_PENALTY: Final = 0.6


def _runs_on(analysis: Analysis, begin: int, end: int) -> bool:
    """Whether several sentences are strung together without a stop, so that no parse tells who does what: their own words say it best."""
    span = analysis.tokens[begin:end]
    verbs = sum(token.tag in {"VBZ", "VBP", "VBD"} for token in span)
    return len(span) > RUN_ON_TOKENS and verbs > 3 and not any(token.pos == "PUNCT" for token in span)


def _before_question(analysis: Analysis, begin: int, end: int, reader: PlainReader) -> int:
    """Return where a sentence ends, or the statement before a question that a comma splices on."""
    if not analysis.piece(begin, end).rstrip().endswith("?"):
        return end
    commas = [i for i in range(begin + 1, end - 1) if analysis.tokens[i].text == ","]
    stated = [i for i in commas if reader.states_before(analysis.piece(begin, i), analysis.piece(i + 1, end))]
    # "Sono diabetico, prendo la metformina, che dolce posso mangiare?": not before what still states.
    return next((i for i in stated if reader.opens_question(analysis.piece(i + 1, end))), next(iter(stated), end))


def _opened(analysis: Analysis, begin: int, end: int, reader: PlainReader) -> int:
    """Return where a sentence begins behind a bullet and behind what leads in a list of what its writer is: "Über mich:"."""
    tokens = analysis.tokens
    while begin + 1 < end and tokens[begin].text in BULLETS:
        begin += 1
    colon = next((i for i in range(begin, min(begin + MAX_HEADING_TOKENS, end)) if tokens[i].text == ":"), None)
    return begin if colon is None or not reader.is_of_self(analysis.piece(begin, colon)) else colon + 1


def _reader_within(text: str, around: PlainReader) -> PlainReader:
    """Return the reader of a sentence's language, which is that of the text around it where no other clearly leads."""
    counts = votes(text)
    best = max(counts, key=lambda code: counts[code])
    return PlainReader(best) if counts[best] >= counts[around.code] + FOREIGN_MARGIN else around


def _left_out_self(analysis: Analysis, begin: int, end: int) -> PlainReader | None:
    """Return the reader of another language's statement without "I", too short to be far from English: "Bin Lehrerin", "Abito a Bari"."""
    piece = PlainReader("en").behind_greeting(one_line(analysis.piece(begin, end)))
    tags = {token.tag for token in analysis.tokens[begin:end]}
    found = leading(piece)
    if found[:1] == ["en"] or not tags.isdisjoint({"VBZ", "VBP", "VBD", "MD"}):
        return None
    readers = (PlainReader(code) for code in found)
    return next((one for one in readers if one.leaves_out_self(piece) and not one.why_not(piece)), None)


def _parts(analysis: Analysis, begin: int, end: int, reader: PlainReader) -> Iterator[tuple[int, int]]:
    """Yield what commas and "and" part in a sentence."""
    first = begin
    for i in range(begin, end):
        after = analysis.tokens[i + 1].text if i + 1 < end else ""
        if reader.parts(analysis.tokens[i].text, after):
            if i > first:
                yield first, i
            first = i + 1
    if end > first:
        yield first, end


def _part_kept(analysis: Analysis, begin: int, end: int, reader: PlainReader) -> tuple[int, int] | None:
    """Return the run of a sentence's parts that are worth keeping beside what is not: "Soy celíaca, dame ideas"."""
    parts = list(_parts(analysis, begin, end, reader))
    kept = [part for part in parts if len(parts) > 1 and not reader.why_not(one_line(analysis.piece(*part)))]
    return (kept[0][0], kept[-1][1]) if kept else None


def _noise(quote: str) -> str:
    """Return why a sentence to another person says nothing worth a line; empty when it does."""
    if noise.is_question(quote):
        return "question"
    if noise.is_small_talk(quote):
        return "small talk"
    return "hypothetical" if noise.is_hypothetical(quote) else ""


def _neighbors(statements: Sequence[_Statement]) -> Iterator[Sequence[_Statement]]:
    """Yield runs of neighboring statements that make one line, none of them an order to a model."""
    for size in range(2, MAX_JOINED + 1):
        for start in range(len(statements) - size + 1):
            parts = statements[start : start + size]
            alone = any(part.order or part.tentative for part in parts)
            if sum(len(part.line) for part in parts) < MAX_LINE_CHARS and not alone:
                yield parts


def _worth(part: _Statement, salience: float) -> float:
    """Return the salience of a line: what is asked for and what endangers counts for most, a statement that lasts for something."""
    if part.statement is not None and part.statement.attribute in CARE:
        return CARE_SALIENCE
    return ASKED_SALIENCE if part.asked else max(salience, LASTING_SALIENCE) if part.statement is not None else salience


def _salience(kind: FactKind, turn: SourceTurn, first_person: bool) -> float:
    value = KINDS[kind].durability - (0.0 if first_person else 0.15)
    return round(max(0.1, value * (1.0 if turn.provenance == "user" else 0.5)), 2)


def _confidence(parts: Sequence[_Statement], turn: SourceTurn, first_person: bool) -> float:
    value = 0.9 if first_person else 0.7
    if parts[0].measures.flags["subject_vague"]:
        value -= 0.15
    value -= POINTING_DOUBT * min(2, sum(part.measures.counts["pointing"] for part in parts))
    if turn.provenance != "user":
        value -= 0.2
    return round(max(0.1, value), 2)
