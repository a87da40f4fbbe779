"""Reads a session and finds the statements worth keeping. Deterministic; no model, no clock, no I/O.

Sentences about people and things are reworded in the third person with absolute dates (:mod:`thirdperson`,
:mod:`dates`), classified (:mod:`kinds`) and measured (:mod:`features`); noise is left out (:mod:`noise`). Two
or three adjacent statements of a turn are also offered as one line, since the second often says what the first is
about.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Final

from memdesk.domain.language.analysis import Analysis, plain
from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import content_words, one_line
from memdesk.domain.reading import antecedents, noise, remarks
from memdesk.domain.reading.amending import MIN_CONTENT, SaidSoFar
from memdesk.domain.reading.candidates import ASSISTANT, Extraction, Passed, SourceTurn
from memdesk.domain.reading.discourse import Mention
from memdesk.domain.reading.documents import statements
from memdesk.domain.reading.drafts import MAX_LINE_CHARS, Draft, Drafter
from memdesk.domain.reading.durability import Judge
from memdesk.domain.reading.fragments import Question, question_of
from memdesk.domain.reading.handing import announced, announcement
from memdesk.domain.reading.injection import HIDDEN, order_in
from memdesk.domain.reading.keeping import PASSES
from memdesk.domain.reading.kinds import kind_of_statement
from memdesk.domain.reading.ownwords import OwnWordsReader
from memdesk.domain.reading.profiles import profile_language
from memdesk.domain.reading.session import Session, session_of
from memdesk.domain.reading.telling import Listener
from memdesk.domain.reading.thirdperson import retell
from memdesk.domain.reading.told import Told
from memdesk.domain.reading.topics import topics_of
from memdesk.domain.reading.wording import cast_of, quoted, replacements

#: Longest sentence that is read: no line could hold a longer one, and rewriting looks at each word from each verb.
MAX_SENTENCE_TOKENS: Final = 300
#: From this many tokens without a stop, several verbs count as several sentences.
RUN_ON_TOKENS: Final = 24
#: Tokens before a sentence that are searched for the people its "we" includes.
_JUST_BEFORE: Final = 200
#: Fewest content words of a model's statement; its lists and courtesies are shorter.
ASSISTANT_MIN_CONTENT: Final = 6


def prepare(turns: Sequence[SourceTurn]) -> list[str]:
    """Return the text of each turn for the analyzer: without code, quotations and pasted documents."""
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
        analyses: of the texts that :func:`prepare` returned, one per turn; None splits them by rules.
        known: people the user named in earlier sessions.
        spoken: the language of earlier sessions, for words that could be of several.
        judge: estimates what lasts; without it everything is kept that structure does not exclude.
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
    """Do what :func:`extract` does, yielding after each turn."""
    cleaned = _cleaned(turns)
    parsed = list(analyses) if analyses is not None else [plain(one.text) for one in cleaned]
    found = yield from _SessionReader(session_of(turns, parsed, spoken), known, judge).read()
    documents = [
        line
        for number, (turn, clean) in enumerate(zip(turns, cleaned, strict=True))
        if clean.pasted and turn.provenance == "user"
        for line in statements(clean.pasted, turn, number)
    ]
    return replace(found, candidates=(*found.candidates, *documents))


class _SessionReader:
    def __init__(self, session: Session, known: Sequence[Mention], judge: Judge | None) -> None:
        self._session, self._known, self._judge = session, known, judge
        self._drafter = Drafter(session.turns, session.analyses)
        self._said = SaidSoFar(session.turns, session.left_out)
        self._named = antecedents.LastNamed()
        self._own_words = OwnWordsReader(session, self._drafter, self._said, self._named, known)
        self._listeners: dict[str, Listener] = {}
        #: whether the speaker's last turn asked for a text, so that the answer is that text.
        self._made = False

    def read(self) -> Generator[None, None, Extraction]:
        turns, said = self._session.turns, self._said.by_turn
        for number in range(len(turns)):
            said.append([])
            self._session.left_out.next_turn()
            for draft in self._of_turn(number):
                said[-1].append(draft)
            yield
        found = [one for number, drafts in enumerate(said) for one in self._drafter.candidates(number, drafts)]
        entities = tuple((name, kind, count) for (name, kind), count in self._session.names.most_common())
        names = frozenset(name for turn in turns for name in cast_of(turn).names)
        topics = topics_of(self._said_by_people(), names)
        return Extraction(tuple(found), entities, topics, self._session.left_out.by_reason(), tuple(self._passed()))

    def _passed(self) -> Iterator[Passed]:
        """Yield the sentences of people from which at most tentative candidates are left, with the latest reason."""
        session = self._session
        for number, (turn, analysis) in enumerate(zip(session.turns, session.analyses, strict=True)):
            for begin, end in analysis.sentences() if turn.provenance == "user" else ():
                its = [draft for draft in self._said.by_turn[number] if begin <= draft.begin < end]
                why = session.left_out.last_reason(number, begin, end) or (PASSES if its else "")
                if why and all(draft.tentative for draft in its):
                    yield Passed(turn.id, one_line(analysis.piece(begin, end)), why)

    def _of_turn(self, number: int) -> Iterator[Draft]:
        turn, analysis = self._session.turns[number], self._session.analyses[number]
        told = turn.listener == ASSISTANT and turn.provenance == "user"
        if told and analysis.parsed and profile_language(analysis) in {"", "en"}:
            yield from self._told(number)
        elif told:
            yield from self._own_words.read(number)
            self._made = self._own_words.made
        elif turn.speaker != ASSISTANT:
            yield from self._between_people(number)
        elif not self._made:
            yield from self._remarked(number)

    def _between_people(self, number: int) -> Iterator[Draft]:
        """Read what people say to each other, sentence by sentence."""
        session, turn, analysis = self._session, self._session.turns[number], self._session.analyses[number]
        session.count_names(number)
        foreign, cast, before = session.foreign[number], cast_of(turn), ""
        for sentence, (begin, end) in enumerate(analysis.sentences()):
            if end - begin > MAX_SENTENCE_TOKENS:
                session.left_out.note("too long", begin)
                continue
            quote = one_line(analysis.piece(begin, end))
            earlier, before = before, quote
            mention = self._named.meant_by(quote, turn.speaker, turn.id, "de" if foreign else "en")
            reason = _noise(quote)
            if reason:
                session.left_out.note(reason, begin)
                continue
            if foreign:
                line = quoted(quote, turn.speaker, language_of(quote, session.language), mention)
                told, least = content_words(quote, session.language), 1
            else:
                joined = antecedents.companions(quote, earlier, turn.listener, person=True)
                line = self._drafter.retold(number, begin, end, replace(cast, companions=joined), mention)
                told, least = content_words(line), MIN_CONTENT
            if len(told) < least or len(line) > 2 * MAX_LINE_CHARS:
                session.left_out.note("says too little" if len(line) < MAX_LINE_CHARS else "too long", begin)
                continue
            yield self._drafter.draft(number, begin, end, line, quote, place=sentence, mention=mention)

    def _remarked(self, number: int) -> Iterator[Draft]:
        """Read what an assistant says about its actions and its user; what it says about the world is not kept."""
        turn, analysis = self._session.turns[number], self._session.analyses[number]
        for begin, end in analysis.sentences():
            quote = one_line(analysis.piece(begin, end))
            if order_in(quote) or (analysis.parsed and remarks.of_both(analysis, begin, end)):
                line = self._drafter.retold(number, begin, end, cast_of(turn), None)
                if len(content_words(line)) >= ASSISTANT_MIN_CONTENT and len(line) < 2 * MAX_LINE_CHARS:
                    yield self._drafter.draft(number, begin, end, line, quote)
                    continue
            self._session.left_out.note("said by the assistant", begin)

    def _told(self, number: int) -> Iterator[Draft]:
        """Read what a person says to an assistant, by grammar."""
        session, turn, analysis = self._session, self._session.turns[number], self._session.analyses[number]
        session.count_names(number)
        amended: dict[int, bool] = {}
        sentences = list(analysis.sentences())
        for begin, end in sentences:
            quote = one_line(analysis.piece(begin, end))
            if order_in(quote):  # goes to review, whatever else it is
                amended[begin] = True
                yield self._drafter.draft(number, begin, end, quoted(quote, turn.speaker, "en"), quote)
        if order_in(analysis.text) == HIDDEN:
            session.left_out.note(HIDDEN, 0)  # disguised: no single sentence shows it
            return
        elsewhere = list(self._own_words.read_beside_english(number))
        yield from (draft for _, _, draft in elsewhere if draft is not None)
        waiting = deque(sentences)
        listener = self._listeners.setdefault(turn.speaker, Listener(session.left_out, self._known, self._judge))
        for told in listener.read(turn, analysis, self._asked_before(number)):
            if any(first <= told.begin < last for first, last, _ in elsewhere):
                continue
            begin, end = sentences[bisect_right(sentences, told.begin, key=itemgetter(0)) - 1]
            self._amend(amended, turn, analysis, waiting, begin)
            made = None if amended[begin] else self._drafted(number, told)
            if made is not None:
                made.sentence = one_line(analysis.piece(begin, end))
                yield made
        self._amend(amended, turn, analysis, waiting, len(analysis.tokens))
        self._made = listener.made

    def _asked_before(self, number: int) -> Question | None:
        """Return the assistant's question at the end of the previous turn."""
        before = self._session.turns[number - 1] if number else None
        if before is None or before.speaker != ASSISTANT or order_in(before.text):
            return None
        return question_of(before.id, self._session.analyses[number - 1])

    def _amend(
        self, done: dict[int, bool], turn: SourceTurn, analysis: Analysis, waiting: deque[tuple[int, int]], until: int
    ) -> None:
        """Apply corrections in order, among the other statements: those of sentences that begin up to ``until``."""
        while waiting and waiting[0][0] <= until:
            begin, end = waiting.popleft()
            if begin not in done:
                done[begin] = self._said.amends(one_line(analysis.piece(begin, end)), turn)

    def _drafted(self, number: int, told: Told) -> Draft | None:
        turn, analysis = self._session.turns[number], self._session.analyses[number]
        quote = one_line(told.statement.quote)
        line = self._line(turn, analysis, told, quote)
        if not line or len(line) > MAX_LINE_CHARS:
            self._session.left_out.note("too long" if line else "says too little", told.begin)
            return None
        made = self._drafter.draft(number, told.begin, told.end, line, quote)
        made.kind, made.statement = kind_of_statement(told.statement), told.statement
        made.named, made.asked, made.tentative = True, told.asked, told.tentative
        made.elsewhere = [(one.turn_id, one.quote) for one in told.mentions]
        return made

    @staticmethod
    def _line(turn: SourceTurn, analysis: Analysis, told: Told, quote: str) -> str:
        """Return how a statement is remembered; empty if its words say nothing."""
        spans = replacements(analysis, told.begin, told.end, turn.day)
        spans |= {index: (index + 1, words) for index, words in told.named.items()}
        before = one_line(analysis.piece(max(0, told.begin - _JUST_BEFORE), told.begin))
        joined = antecedents.companions(quote, before, turn.listener, person=False)
        if joined.istitle() and not any(token.text == joined and token.pos == "PROPN" for token in analysis.tokens):
            joined = ""  # "Done with Succession, and we've moved on"
        cast = replace(cast_of(turn), companions=joined)
        line = retell(analysis, told.begin, told.end, cast, spans, told.lead)
        if told.verbatim or (not joined and antecedents.is_mutual(quote)) or _runs_on(analysis, told.begin, told.end):
            line = quoted(quote, turn.speaker, "en")
        if told.before is not None:
            when = retell(analysis, *told.before, cast, spans)
            link = "," if told.begin < told.before[0] else ""  # "..., it's coffee now"
            line = f"{line.rstrip('.')}{link} {when[:1].lower()}{when[1:]}" if when else line
        return line

    def _said_by_people(self) -> list[Analysis]:
        """The turns of people, without orders to a model; a model's topics are not theirs."""
        both = zip(self._session.analyses, self._session.turns, strict=True)
        return [a for a, turn in both if turn.provenance == "user" and not order_in(a.text)]


def _runs_on(analysis: Analysis, begin: int, end: int) -> bool:
    """Whether several sentences run on without a stop, so that no parse is reliable and their own words are better."""
    span = analysis.tokens[begin:end]
    verbs = sum(token.tag in {"VBZ", "VBP", "VBD"} for token in span)
    return len(span) > RUN_ON_TOKENS and verbs > 3 and not any(token.pos == "PUNCT" for token in span)


def _noise(quote: str) -> str:
    """Return why a sentence to another person is not worth a line; empty if it is."""
    if noise.is_question(quote):
        return "question"
    if noise.is_small_talk(quote):
        return "small talk"
    return "hypothetical" if noise.is_hypothetical(quote) else ""
