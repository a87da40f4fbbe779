"""Reads turns to an assistant that nothing parses here, and keeps what they state in their speaker's own words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from memdesk.domain.items.statement import USER
from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.tell import leading, votes
from memdesk.domain.language.text import one_line
from memdesk.domain.reading import antecedents
from memdesk.domain.reading.amending import SaidSoFar
from memdesk.domain.reading.discourse import Mention
from memdesk.domain.reading.drafts import Draft, Drafter
from memdesk.domain.reading.injection import order_in
from memdesk.domain.reading.keeping import PASSING_STATE, SAID_BY_OTHER
from memdesk.domain.reading.plainly import PlainReader
from memdesk.domain.reading.profiles import BULLETS, beside_entries, entries, profile_language
from memdesk.domain.reading.session import Session
from memdesk.domain.reading.wording import FOREIGN_MARGIN, cast_of, quoted

#: Longest heading of a list of what somebody is, its colon included.
MAX_HEADING_TOKENS: Final = 6
#: Why a sentence is left out of which a part may still be worth keeping.
_OF_A_PART: Final = frozenset(
    {
        "small talk",
        "task at hand",
        "of nobody",
        "request",
        "remark on the answer",
        "says too little",
        SAID_BY_OTHER,
        PASSING_STATE,
    }
)
#: Where a sentence hands over what it is to be carried out on; not a time of day.
_HANDED: Final = re.compile(r":(?:\s|$)")


class OwnWordsReader:
    """Reads turns of a session by closed classes of words.

    Args:
        session: whose turns.
        drafter: of the session.
        said: so far in it.
        named: so far in it.
        known: whom the user named in earlier sessions.
    """

    def __init__(
        self,
        session: Session,
        drafter: Drafter,
        said: SaidSoFar,
        named: antecedents.LastNamed,
        known: Sequence[Mention],
    ) -> None:
        self._session, self._drafter, self._said, self._named = session, drafter, said, named
        self._known_names = {one.proper: f"{USER}'s {one.noun} {one.proper}" for one in known}
        #: whom the user named in this session, in lower case.
        self._introduced: frozenset[str] = frozenset()
        #: whether the last turn asked for a text, so that the answer is that text.
        self.made = False
        #: whether a story or a game goes on.
        self._playing = False

    def read(self, number: int) -> Iterator[Draft]:
        """Yield what a turn states."""
        analysis = self._session.analyses[number]
        of_turn = self._reader_for(analysis.text)
        self._playing = self.made = self._playing and not of_turn.is_over(analysis.text)
        if self._playing:
            return
        profiled = profile_language(analysis)
        of_turn = PlainReader(profiled) if profiled else of_turn
        for begin, _, end in entries(analysis, of_turn.code) if profiled else ():
            yield self.draft(number, begin, end, of_turn)
        for first, whole in beside_entries(analysis, of_turn.code):
            begin = _opened(analysis, first, whole, of_turn)
            if begin == whole:
                continue
            reader = _reader_within(analysis.piece(begin, whole), of_turn)
            yield from self._sentence(number, begin, _before_question(analysis, begin, whole, reader), reader)
            if self.made:
                return  # what follows tells of the story, or is what a request is to be carried out on

    def read_beside_english(self, number: int) -> Iterator[tuple[int, int, Draft | None]]:
        """Yield the tokens of what an English turn says in another language, and what they state.

        "ich wohne in Bonn, and now I'm looking for jobs".
        """
        analysis = self._session.analyses[number]
        for begin, end, reader in _beside_english(analysis):
            stated = not reader.why_not(one_line(analysis.piece(begin, end)))
            yield begin, end, self.draft(number, begin, end, reader) if stated else None

    def draft(
        self,
        number: int,
        begin: int,
        end: int,
        reader: PlainReader,
        mention: antecedents.Mention | None = None,
        of: str = "",
    ) -> Draft:
        """Return what tokens of a turn state.

        Args:
            number: of the turn.
            begin: first token.
            end: after the last.
            reader: of their language.
            mention: whom their pronoun stands for.
            of: whom they name as their subject, where that is not the speaker.
        """
        turn = self._session.turns[number]
        quote = one_line(self._session.analyses[number].piece(begin, end))
        statement, kind = reader.statement(quote, turn.day, of)
        if statement.language == "en":
            line = self._drafter.retold(number, begin, end, cast_of(turn), mention)
        else:
            line = quoted(quote, turn.speaker, statement.language, mention)
        made = self._drafter.draft(number, begin, end, line, quote, mention=mention)
        made.kind, made.statement, made.named = kind, statement, True
        made.asked = reader.asks_to_remember(quote)
        return made

    def _sentence(self, number: int, begin: int, end: int, reader: PlainReader) -> Iterator[Draft]:
        """Yield what a sentence states; where what follows is not the speaker's, :attr:`made` is set."""
        turn, analysis, left_out = self._session.turns[number], self._session.analyses[number], self._session.left_out
        quote = one_line(analysis.piece(begin, end))
        if self._said.amends(quote, turn):
            return
        if _HANDED.search(quote) and not reader.asks_to_remember(quote):
            left_out.note("material", begin)
            self.made = True
            return
        mention = self._named.meant_by(quote, turn.speaker, turn.id, self._language_of(number, reader))
        meant = quote if mention is None else antecedents.in_place_of(quote, mention, reader.code)
        reason = "" if order_in(quote) else reader.why_not(meant)
        named = self._named_in(analysis, begin, end)
        introduced = reader.introduced(quote)
        self._introduced |= introduced
        self._session.names.update((name.title(), "person") for name in introduced)
        parts = tuple(_parts(analysis, begin, end, reader))
        if not reason and reader.told_apart([one_line(analysis.piece(*part)) for part in parts], turn.day):
            yield from (self.draft(number, *part, reader) for part in parts)
        elif not reason or (reason == "of nobody" and (mention is not None or named)):
            opens = quote.startswith(named.rpartition(" ")[2])  # "Leo tiene 7 años", which is no "leo"
            of = named if mention is None and (reason or opens) else ""
            yield self.draft(number, begin, end, reader, mention, of)
        elif reader.invents(quote):
            left_out.note(reason, begin)
            self._playing, self.made = reader.takes_part(quote), True
        elif reason in _OF_A_PART and (part := _part_kept(analysis, parts, reader)) is not None:
            yield self.draft(number, *part, reader)
        else:
            left_out.note(reason, begin)

    def _language_of(self, number: int, reader: PlainReader) -> str:
        """Return the language by whose words "she" and "he" are read."""
        if not self._session.foreign[number]:
            return "en"
        return "de" if reader.code == "en" else reader.code

    def _named_in(self, analysis: Analysis, begin: int, end: int) -> str:
        """Return who opens a sentence of those the user named before, or is in it of those named in earlier sessions, as statements call them."""
        for token in analysis.tokens[begin:end]:
            if token.text in self._known_names:
                return self._known_names[token.text]
        opening = next((token for token in analysis.tokens[begin:end] if token.pos != "PUNCT"), None)
        return opening.text.capitalize() if opening is not None and opening.lower in self._introduced else ""

    def _reader_for(self, text: str) -> PlainReader:
        """Return the reader of a turn's language; where several could be meant, one that knows what it says, else finds a statement."""
        codes, spoken = leading(text) or [self._session.language], self._session.languages
        if len(spoken) == 1 and spoken[0] in codes:
            return PlainReader(spoken[0])
        readers = [PlainReader(code) for code in codes]
        reasons = [reader.why_not(text) for reader in readers]
        return readers[next((reasons.index(why) for why in (PASSING_STATE, "") if why in reasons), 0)]


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


def _beside_english(analysis: Analysis) -> Iterator[tuple[int, int, PlainReader]]:
    """Yield where an English turn says something in another language, with the reader of that."""
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


def _part_kept(analysis: Analysis, parts: Sequence[tuple[int, int]], reader: PlainReader) -> tuple[int, int] | None:
    """Return the run of a sentence's parts that are worth keeping beside what is not: "Soy celíaca, dame ideas"."""
    kept = [part for part in parts if len(parts) > 1 and not reader.why_not(one_line(analysis.piece(*part)))]
    return (kept[0][0], kept[-1][1]) if kept else None
