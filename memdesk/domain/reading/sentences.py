"""Reads a turn sentence by sentence: which clauses are statements of the speaker, and what each says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from memdesk.domain.items.statement import USER, Qualifiers, Statement, noon
from memdesk.domain.language.data import LanguageData, language_data
from memdesk.domain.language.text import one_line
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.asides import AsideReader
from memdesk.domain.reading.candidates import SourceTurn
from memdesk.domain.reading.care import CARE, cared, named_care
from memdesk.domain.reading.clause import SUBJECTS, Clause
from memdesk.domain.reading.discourse import FORGOTTEN_AFTER, Discourse
from memdesk.domain.reading.embedded import found_out, said_to_assistant, to_remember
from memdesk.domain.reading.following import follows_from, in_place_of, of_another_chat, pointing_back, turned_to
from memdesk.domain.reading.fragments import Question, read_changes, read_fragment
from memdesk.domain.reading.injection import is_disguised
from memdesk.domain.reading.keeping import NOT_SO, OF_OTHERS, PASSES, Keeper
from memdesk.domain.reading.pronouns import LineWords
from memdesk.domain.reading.session import LeftOut
from memdesk.domain.reading.standing import as_order, asks_for, comes_again, minds, worded_order
from memdesk.domain.reading.statements import Read, StatementReader
from memdesk.domain.reading.subjects import Naming
from memdesk.domain.reading.told import Told

#: Longest quote that begins a sentence earlier, in characters.
MAX_QUOTED: Final = 240


class SentenceReader:
    """Reads the sentences of one turn, in order.

    Args:
        turn: what was said.
        discourse: what its speaker has mentioned so far.
        keeper: of the turn.
        left_out: records what is left out, and why.
        asked: what the assistant just asked.
        requesting: whether the turn asks for something.
    """

    def __init__(
        self,
        turn: SourceTurn,
        discourse: Discourse,
        keeper: Keeper,
        left_out: LeftOut,
        *,
        asked: Question | None,
        requesting: bool,
    ) -> None:
        self._turn, self._discourse, self._keeper, self._left_out = turn, discourse, keeper, left_out
        self._naming = Naming(discourse, turn.id)
        self._reader = StatementReader(self._naming, turn.day)
        self._words = LineWords(turn.speaker, self._naming)
        self._asides = AsideReader(turn.speaker, self._reader, keeper)
        #: the assistant's question that is not answered yet.
        self._asked = asked
        self._requesting = requesting
        #: the previous statement in the turn.
        self._last: Read | None = None
        #: whether the sentence says something lasting about somebody unnamed: "She's eleven".
        self._unnamed = False
        #: where the sentence before begins.
        self._before = 0
        #: whether nothing in it shows who or what it is about, lasting or not.
        self._points = False
        #: whether it reports what others say, or something that is not so.
        self._refused = False
        #: whether it only asks for something: "Draft me the request."
        self._asks = False
        self._data: LanguageData = language_data("en")

    def read(self, tree: Tree, found: list[Clause]) -> Iterator[Told]:
        """Yield a sentence's statements.

        Args:
            tree: of the sentence, or of its part before the material that it hands over.
            found: clauses of the sentence; those that continue beyond the tree are skipped.
        """
        self._unnamed = self._refused = self._points = False
        within = [clause for clause in found if clause.end <= tree.end]
        if all(clause.subject is None and clause.mood == "statement" for clause in within) and asks_for(tree):
            within = []  # "No emojis" is not a verb
        self._asks = bool(within) and all(clause.mood != "statement" for clause in within)
        if not within:
            self._left_out.note("no statement", tree.begin)
            words = one_line(tree.analysis.piece(tree.begin, tree.end))
            self._naming.note(tree, tree.begin, tree.end, words, stated=not words.endswith("?"))
            yield from self._in_few_words(tree) or self._asides.read(tree, tree.begin, tree.end)
        self._asked = None
        yield from read_changes(tree, speaker=self._turn.speaker, day=self._turn.day)
        yield from self._joined(tree, within)

    def or_in_own_words(self, tree: Tree, told: list[Told]) -> list[Told]:
        """Return the last sentence's statements, or if it was not read the sentence as said: "Half Welsh, half Punjabi".

        A passing one may still end something remembered: "down to one cat now". What must never be missed is kept, and
        marked in what gives it: "One wasp sting and my throat closes, so I carry two pens".

        Args:
            tree: of the sentence.
            told: what :meth:`read` yielded.
        """
        silent = (self._refused and not told) or is_disguised(one_line(tree.analysis.piece(tree.begin, tree.end)))
        care = "" if silent else self._keeper.care(tree.analysis, tree.begin, tree.end)
        told = self._in_own_words(tree, told, lasts=bool(care))
        if not care or any(one.statement.attribute in CARE for one in told):
            return told
        giving = [
            one.verbatim
            or (one.begin == tree.begin and one.end >= tree.end - 1)  # all but the full stop
            or self._keeper.care(tree.analysis, one.begin, one.end) == care
            for one in told
        ]
        if not any(giving):  # only the whole gives it
            return [*told, self._quoted(tree, tree.begin, care, tentative=False)]
        return [
            replace(one, statement=replace(one.statement, attribute=care), tentative=False) if gives else one
            for one, gives in zip(told, giving, strict=True)
        ]

    def _in_own_words(self, tree: Tree, told: list[Told], *, lasts: bool) -> list[Told]:
        read = any(not one.tentative for one in told)
        begin, self._before = self._before, tree.begin
        words = one_line(tree.analysis.piece(begin, tree.end))
        if told or not self._points or len(words) > MAX_QUOTED:  # what "it" is may have been said just before
            begin, words = tree.begin, one_line(tree.analysis.piece(tree.begin, tree.end))
        if not self._keeper.has_judge or self._refused or (read and not self._unnamed) or is_disguised(words):
            return told
        # "Is 37 high? That's mine." lasts as a whole, if at all.
        judged = begin if tree.tokens[tree.begin - 1].text == "?" else tree.begin
        lasts = lasts or self._unnamed or self._keeper.lasts(tree.analysis, judged, tree.end)
        if words.endswith(":") or ((told or self._asks or words.endswith("?")) and not lasts):
            return told  # "Budget:" is a heading
        if len(told) == 1 and not self._unnamed:  # what lasts as a whole lasts in its one part
            return [replace(told[0], tentative=False)]
        return [*told, self._quoted(tree, begin, self._named_care(tree), tentative=not lasts)]

    def _named_care(self, tree: Tree) -> str:
        """Return which of :data:`CARE` a sentence of the speaker about themselves names."""
        span = tree.tokens[tree.begin : tree.end]
        lows = [token.lower for token in span]
        left_out = all(token.dep not in SUBJECTS for token in span)  # "can't eat gluten"
        own = left_out or not self._data.words("persons", "self", "group").isdisjoint(lows)
        return named_care(lows, "en") if own else ""

    def _quoted(self, tree: Tree, begin: int, attribute: str, *, tentative: bool) -> Told:
        """Return tokens from ``begin`` to a sentence's end as they were said."""
        words = one_line(tree.analysis.piece(begin, tree.end))
        said = Statement(
            subject=USER,
            predicate="say",
            object=words.strip(" .!"),
            attribute=attribute,
            said_at=noon(self._turn.day),
            quote=words,
        )
        return Told(begin, tree.end, said, verbatim=True, tentative=tentative)

    def _in_few_words(self, tree: Tree) -> list[Told]:
        """Return the statements of a sentence without a clause: an answer, or "Two cats, Pixel and Waffle"."""
        found = read_fragment(
            tree,
            self._asked,
            speaker=self._turn.speaker,
            day=self._turn.day,
            asks=self._requesting,
            told=self._discourse.told_within(FORGOTTEN_AFTER),
            just=self._discourse.told_within(1),
        )
        if found is None:
            return []
        self._discourse.tell()
        return [found]

    def _joined(self, tree: Tree, found: list[Clause]) -> Iterator[Told]:
        """Yield the statements of clauses, those that mean nothing alone together with the previous one."""
        former: Read | None = None
        last: Told | None = None
        quote = one_line(tree.analysis.piece(tree.begin, tree.end))
        for clause in found:
            if last is not None and follows_from(clause, last):
                both = tree.analysis.piece(last.begin, clause.end)
                last = replace(last, end=clause.end, statement=replace(last.statement, quote=both))
                continue
            turned = turned_to(clause, last) if last is not None else None
            if turned is not None:
                last = turned
                continue
            for told, read in self._clause(clause):
                if last is not None:
                    yield last
                last = replace(told, statement=in_place_of(told.statement, former))
                former = self._last = read
                if not told.tentative:
                    self._discourse.tell()
            self._naming.note(clause.tree, clause.begin, clause.end, quote, stated=clause.mood == "statement")
        if last is not None:
            yield last

    # ------------------------------------------------------------------ one clause

    def _clause(self, clause: Clause) -> Iterator[tuple[Told, Read]]:
        """Yield the statements of a clause, each with its reading."""
        # "Whenever I mention rowing, remind me to warm up" is an order, "remind me to call Tom" something to remember.
        inner = None if clause.mood == "order" and comes_again(clause) else to_remember(clause)
        order = as_order(clause) if inner is None else None
        clause = inner or (order[0] if order else None) or said_to_assistant(clause) or found_out(clause) or clause
        if minds(clause):
            clause = replace(clause, mood="statement")
        read = self._read(clause, holds=order[1] if order else None)
        asked = inner is not None
        goes_on = _goes_on(clause)
        self._points = self._points or goes_on or _is_unnamed(clause, read)
        reason = "" if order or (asked and read.subject.name) else self._keeper.why_not(clause, read)
        elsewhere = self._of_another_chat(clause, read, reason)
        if elsewhere is not None:
            self._last, read, reason = elsewhere, elsewhere, ""
            said = read.statement
            if not (said.object or said.qualifiers != Qualifiers() or said.ended):
                return  # "Spotify went up, it's 14 now": to what comes next
        if reason == PASSES and read.subject.name:
            read, reason = replace(read, tentative=True), ""  # "Rent is 680 now" counts if another rent is known
        if reason:
            self._left_out.note(reason, clause.begin)
            self._refused = self._refused or reason in NOT_SO
            yield from ((told, read) for told in self._beside(clause, reason))
        elif goes_on or _is_unnamed(clause, read) or self._is_unclear(clause):
            self._unnamed = self._points = True
        else:
            yield from ((told, read) for told in self._stated(clause, read, asked=asked))

    def _read(self, clause: Clause, *, holds: bool | None) -> Read:
        """Return a clause's reading; ``holds``: whether an order says to do something; None if it is not an order."""
        read = self._reader.read(clause)
        if self._last is not None:
            read = pointing_back(clause, read, self._last, self._discourse.turn)
        if holds is not None:
            read = replace(read, statement=replace(read.statement, holds=holds))
        return replace(read, statement=cared(clause, read.statement))

    def _is_unclear(self, clause: Clause) -> bool:
        """Whether its object may be either of two things: "Dairy makes my skin flare up, I stay away from it"."""
        tree, tokens = clause.tree, clause.tree.tokens
        below = {i for kid in clause.inside("ccomp", "xcomp", "advcl") for i in tree.below(kid)}
        objects = (i for i in range(clause.begin, clause.end) if tokens[i].dep in {"dobj", "pobj"} and i not in below)
        it = next((i for i in objects if tokens[i].lower == "it"), None)
        return clause.mood == "statement" and it is not None and self._naming.is_doubtful(clause.tree, it)

    def _of_another_chat(self, clause: Clause, read: Read, reason: str) -> Read | None:
        nouns = clause.subject is not None and clause.tree.tokens[clause.subject].pos == "NOUN"
        # "Sertraline is up to 100 mg", "pottery wasn't for me"
        unclaimed = reason == PASSES or (not reason and (nouns or bool(read.statement.qualifiers.amount)))
        elsewhere = of_another_chat(clause, read) if unclaimed and not read.subject.own else None
        return replace(elsewhere, tentative=bool(reason)) if elsewhere is not None else None

    def _beside(self, clause: Clause, reason: str) -> Iterator[Told]:
        """Return what a clause that is left out still says about its speaker."""
        if reason in OF_OTHERS:
            return self._asides.relative_who(clause)
        return self._asides.read(clause.tree, clause.begin, clause.end, supposed=clause.mood == "supposition")

    def _stated(self, clause: Clause, read: Read, *, asked: bool) -> Iterator[Told]:
        """Yield the statements of a kept clause, and what its speaker adds after their name."""
        spoken_of = self._words.spoken_of(clause, read)
        known = (read.subject.mention, read.known_object[1] if read.known_object else None, *spoken_of.values())
        chains = (each for mention in known if mention is not None for each in mention.chain())
        mentions = tuple(dict.fromkeys(each for each in chains if each.turn_id))  # of this conversation
        named, lead = self._words.of_clause(clause, read, spoken_of)
        us = _counted_us(clause)
        group = self._naming.group() if us is not None else ""
        if us is not None and group:
            named[us] = self._words.called(group)  # "There are eleven of us now", of the user's team
        made = Told(
            clause.begin,
            clause.end,
            read.statement,
            lead,
            named,
            asked,
            mentions,
            verbatim=us is not None and not group,
            tentative=read.tentative,
        )
        subject = clause.subject
        alone = subject is not None and not read.subject.own and clause.tree.tokens[subject].pos == "PROPN"
        if alone and not read.tentative:
            self._naming.meet(read.subject.name, clause.text())  # known by name alone
        if clause.mood == "order":
            begin, end, before = worded_order(clause)
            yield replace(made, begin=begin, end=end, before=before)
            return
        beside = list(self._beside_name(clause, read))
        yield replace(made, end=min((told.begin - 1 for told in beside), default=clause.end))
        yield from beside

    def _beside_name(self, clause: Clause, read: Read) -> Iterator[Told]:
        """Yield what people say of themselves after their name: "I'm Anna, 34, a nurse from Leeds"."""
        tree, said = clause.tree, read.statement
        name = tree.kid(clause.verb, "attr") if said.predicate == "be" and said.attribute == "name" else None
        if name is None or said.subject != USER or not said.holds:
            return
        for apposed in (i for i in tree.kids(name, "appos") if tree.kid(i, "poss") is None):
            inside = [i for i in tree.below(apposed, tree.kids(apposed, "appos")) if i < clause.end]
            age = tree.tokens[apposed].tag == "CD" and len(inside) == 1
            words = tree.words(inside)
            article = "" if age or tree.kids(apposed, "det") else " an" if words[0].lower() in "aeiou" else " a"
            made = replace(said, object=words, attribute="age" if age else "occupation")
            lead = f"{self._turn.speaker} is{article}"
            yield Told(inside[0], inside[-1] + 1, made, lead=lead, tentative=read.tentative)


def _goes_on(clause: Clause) -> bool:
    """Whether it is the end of a sentence that was parsed as two: "it's Valencia" with "I'm building up to"."""
    tree, last = clause.tree, clause.tree.tokens[clause.end - 1]
    stranded = last.dep == "prep" and last.pos == "ADP" and not tree.kids(clause.end - 1)
    return stranded and clause.begin == tree.begin > 0 and tree.tokens[tree.begin - 1].pos not in {"PUNCT", "SPACE"}


def _counted_us(clause: Clause) -> int | None:
    """Return "us" where it says how many belong to a group: "There are five of us", not "too dark for the two of us"."""
    tree, tokens = clause.tree, clause.tree.tokens
    told = (i for i in (clause.subject, *clause.inside("attr")) if i is not None and tokens[i].tag == "CD")
    below = (noun for i in told for of in tree.kids(i, "prep") for noun in tree.below(of))
    return next((i for i in below if tokens[i].lower == "us"), None)


def _is_unnamed(clause: Clause, read: Read) -> bool:
    """Whether nothing shows who or what a clause is about: "She's eleven", "it's the shoulder now"."""
    tree, subject = clause.tree, clause.subject
    if subject is None or tree.tokens[subject].pos != "PRON" or tree.tokens[subject].dep == "expl":
        return False
    told = tree.kid(clause.verb, "attr") if tree.tokens[subject].lower == "it" else None
    which = told is not None and [tree.tokens[i].lower for i in tree.kids(told, "det")] == ["the"]
    if which and not tree.kids(told or 0, "amod", "prep", "relcl", "acl"):
        return True
    # "It's my everyday watch" names nothing but itself, unlike "It's my birthday on Friday".
    mine = told is not None and read.subject.mention is None and tree.kid(told, "poss") is not None
    return not read.subject.name or (mine and clause.end == (told or 0) + 1 and tree.tokens[clause.begin].lower == "it")
