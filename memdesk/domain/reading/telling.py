"""Reads what a person tells an assistant, turn by turn, by grammar: which clauses are statements of theirs, and what each says.

Of a request that is handed something to work on ("Translate: ..."), of a story and of a game nothing after it is the speaker's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time
from itertools import dropwhile, pairwise
from typing import Final

from memdesk.domain.comparing.lexicon import is_event, lexicon_of, verb_key
from memdesk.domain.items.statement import USER, Qualifiers, Statement
from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.data import is_role, language_data
from memdesk.domain.language.inflect import third_person
from memdesk.domain.language.text import one_line
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.candidates import SourceTurn
from memdesk.domain.reading.care import CARE, care_of, cared, named_care
from memdesk.domain.reading.clauses import SUBJECTS, Clause, clauses
from memdesk.domain.reading.durability import LEAST, Judge, around
from memdesk.domain.reading.fragments import (
    BULLETS,
    Question,
    beside_entries,
    read_changes,
    read_fragment,
    read_item,
    read_profile,
)
from memdesk.domain.reading.injection import is_disguised
from memdesk.domain.reading.keeping import HYPOTHETICAL, NOT_SO, OF_OTHERS, PASSES, must_stay, why_not
from memdesk.domain.reading.standing import as_order, asks_for, comes_again, end_of_order, minds
from memdesk.domain.reading.statements import Read, StatementReader, is_done_too
from memdesk.domain.reading.subjects import ONE_OF, Discourse, Mention, Named, Naming

#: Turns after which "the house" may no more be of what the user told.
NEAR_TURNS: Final = 6
_SELVES: Final = frozenset({"i", "my", "me", "we", "our", "us", "mine"})


@dataclass(frozen=True, slots=True)
class Told:
    """A clause that is a statement of its speaker.

    Attributes:
        begin, end: its tokens.
        statement: what it says.
        named: whom pronouns in it stand for, by token: the words of a line.
        lead: the subject's words where the clause itself has none.
        asked: whether the user asked to remember it.
        mentions: earlier turns that tell who is meant.
        before: what a line says last and its clause does not: when an order holds, "Whenever I paste code, ...", and what came in the place
            of another, "it's coffee now".
        tentative: whether it counts only where it changes or ends what is remembered.
        verbatim: whether it is kept in its speaker's own words.
    """

    begin: int
    end: int
    statement: Statement
    named: dict[int, str] = field(default_factory=dict)
    lead: str = ""
    asked: bool = False
    mentions: tuple[Mention, ...] = ()
    before: tuple[int, int] | None = None
    tentative: bool = False
    verbatim: bool = False


class Listener:
    """Listens to the turns of one speaker in order.

    Args:
        speaker: how lines call them: "the user" or a name.
        left_out: counts what is passed over, by reason.
        known: whom they named in earlier conversations.
        judge: tells what lasts; without one every clause does that structure does not leave out, and no sentence in its own words.
    """

    def __init__(
        self, speaker: str, left_out: Counter[str], known: Sequence[Mention] = (), judge: Judge | None = None
    ) -> None:
        self.left_out = left_out
        self._judge = judge
        #: whether the last turn asked for a text, so that the answer is that text.
        self.made = False
        self._speaker = speaker
        self._discourse = Discourse(USER, list(known))
        self._part = ""
        #: the turn in which the assistant was given a part that is not the speaker's own coach or tutor; whether it has a name.
        self._cast: tuple[int, bool] | None = None
        self._told_in = -NEAR_TURNS - 1
        #: what the assistant asked and nobody answered yet.
        self._asked: Question | None = None
        #: what it asked just before the turn that is read.
        self._question = ""
        #: whether the turn that is read asks for something.
        self._requesting = False
        #: whether it lists what its speaker is and has.
        self._lists = False
        #: the statement before in the turn that is read.
        self._last: Read | None = None
        #: whether the sentence that is read says something lasting of nobody knows whom: "She's eleven".
        self._unnamed = False
        #: whether it tells what others say, or what is not so.
        self._refused = False
        self._data = language_data("en")

    def read(self, turn: SourceTurn, analysis: Analysis, asked: Question | None = None) -> Iterator[Told]:
        """Yield the statements of a turn.

        Args:
            turn: what was said.
            analysis: of its text.
            asked: what the assistant asked just before.
        """
        self._asked, self._question = asked, asked.text if asked is not None else ""
        self._discourse.turn += 1
        self.made = False
        self._requesting = _requests(analysis)
        self._last = None
        if self._goes_on(analysis):
            self.left_out["fiction"] += 1
            self.made = True
            return
        naming = Naming(self._discourse, turn.id)
        of_self = self._lists = self._lists_self(analysis)
        entries = [] if self._requesting else read_profile(analysis, speaker=self._speaker, day=turn.day)
        for entry in entries:
            self._told_in = self._discourse.turn
            first = analysis.tokens[entry.begin]
            as_written = {entry.begin: first.text if analysis.tokens[entry.begin - 1].text == ":" else first.lower}
            yield Told(entry.begin, entry.end, entry.statement, as_written, entry.lead)
        for begin, end in beside_entries(analysis, "en") if entries else analysis.sentences():
            items = self._items(Tree(analysis, begin, end), turn) if of_self else []
            if items:
                yield from items
                continue
            of_self = of_self or self._heads_list(analysis, begin, end)
            found = clauses(analysis, begin, end)
            if self._invents(Tree(analysis, begin, end), found):
                self.left_out["fiction"] += 1
                self.made = True
                return
            stop = self._handed(analysis, begin, end, found)
            own = [clause for clause in found if clause.end != stop or stop >= end]  # not "This is my friend's message"
            told = list(self._sentence(naming, turn, analysis, begin, min(end, stop), own))
            listed = analysis.tokens[begin].text in BULLETS or (begin and analysis.tokens[begin - 1].text in BULLETS)
            if stop == len(analysis.tokens) and not listed:
                told = self._or_in_own_words(Tree(analysis, begin, end), turn, told)
            yield from told
            if stop < len(analysis.tokens):
                self.left_out["material"] += 1
                self.made = True
                return

    def _or_in_own_words(self, tree: Tree, turn: SourceTurn, told: list[Told]) -> list[Told]:
        """Return what a sentence tells, or the sentence as it was said where that was not read: "Half Welsh, half Punjabi".

        One that does not last may still end what is remembered: "down to one cat now".
        """
        unnamed, refused = self._unnamed, self._refused
        self._unnamed = self._refused = False
        read = any(not one.tentative for one in told)
        words = one_line(tree.analysis.piece(tree.begin, tree.end))
        if self._judge is None or refused or (read and not unnamed) or is_disguised(words):
            return told
        lasts = unnamed or self._lasts(self._judge, tree.analysis, tree.begin, tree.end)
        if told and not lasts:
            return told
        if len(told) == 1 and not unnamed:  # what lasts as a whole lasts in its one part
            return [replace(told[0], tentative=False)]
        span = tree.tokens[tree.begin : tree.end]
        lows = [token.lower for token in span]
        left_out = all(token.dep not in SUBJECTS for token in span)  # "can't eat gluten"
        own = left_out or not self._data.words("persons", "self", "group").isdisjoint(lows)
        said = Statement(
            subject=USER,
            predicate="say",
            object=words.strip(" .!"),
            attribute=named_care(lows, "en") if own else "",
            said_at=datetime.combine(turn.day, time(12), UTC),
            quote=words,
        )
        return [*told, Told(tree.begin, tree.end, said, verbatim=True, tentative=not lasts)]

    def _heads_list(self, analysis: Analysis, begin: int, end: int) -> bool:
        """Whether a sentence leads in a list of what its speaker is: "Some context about me:"."""
        lows = [token.lower for token in analysis.tokens[begin:end] if token.pos != "SPACE"]
        return lows[-1:] == [":"] and any(
            pair in {("about", "me"), ("about", "myself"), ("about", "us")} for pair in pairwise(lows)
        )

    def _lists_self(self, analysis: Analysis) -> bool:
        """Whether an item of a list has its writer for a subject: "* I teach Year 4 * 31 kids"."""
        selves, tokens = self._data.words("persons", "self", "group"), analysis.tokens
        items = [
            begin
            for begin, _ in analysis.sentences()
            if tokens[begin].text in BULLETS or (begin and tokens[begin - 1].text in BULLETS)
        ]
        opening = (begin + (tokens[begin].text in BULLETS) for begin in items)
        opened = (tokens[i] for i in opening if i < len(tokens) and tokens[i].lower in selves)
        # Not "my wife's shampoo", which states nothing.
        return len(items) > 1 and any(
            one.dep in SUBJECTS or (one.dep == "poss" and tokens[one.head].dep in SUBJECTS) for one in opened
        )

    def _items(self, tree: Tree, turn: SourceTurn) -> list[Told]:
        bullet = tree.begin - 1 if tree.begin and tree.tokens[tree.begin - 1].text in BULLETS else tree.begin
        if tree.tokens[bullet].text not in BULLETS:
            return []
        found = read_item(tree, speaker=self._speaker, day=turn.day)
        self._told_in = self._discourse.turn
        return [Told(one.begin, one.end, one.statement, {}, one.lead) for one in found]

    def _sentence(
        self, naming: Naming, turn: SourceTurn, analysis: Analysis, begin: int, end: int, found: list[Clause]
    ) -> Iterator[Told]:
        reader = StatementReader(naming, turn.day)
        within = [clause for clause in found if clause.end <= end]
        if within and all(clause.subject is None and clause.mood == "statement" for clause in within):
            within = [] if asks_for(Tree(analysis, begin, end)) else within  # "No emojis" is no verb
        if not within:
            self.left_out["no statement"] += 1
            words = one_line(analysis.piece(begin, end))
            naming.note(Tree(analysis, begin, end), begin, end, words, stated=not words.endswith("?"))
            yield from self._in_few_words(Tree(analysis, begin, end), turn) or self._salvaged(
                naming, reader, Tree(analysis, begin, end), begin, end
            )
        self._asked = None
        for part in read_changes(Tree(analysis, begin, end), speaker=self._speaker, day=turn.day):
            yield Told(part.begin, part.end, part.statement, {}, part.lead, tentative=True)
        former: Read | None = None
        last: Told | None = None
        for clause in within:
            if last is not None and self._follows_from(clause, last):
                quote = analysis.piece(last.begin, clause.end)
                last = replace(last, end=clause.end, statement=replace(last.statement, quote=quote))
                continue
            turned = self._turned_to(clause, last) if last is not None else None
            if turned is not None:
                last = turned
                continue
            for told, read in self._clause(naming, reader, clause):
                if last is not None:
                    yield last
                last = self._with_former(told, former)
                former = self._last = read
                if not told.tentative:
                    self._told_in = self._discourse.turn
            stated = clause.mood == "statement"
            naming.note(clause.tree, clause.begin, clause.end, one_line(analysis.piece(begin, end)), stated=stated)
        if last is not None:
            yield last

    def _follows_from(self, clause: Clause, last: Told) -> bool:
        """Whether a clause says what follows from the one before, and nothing without it: "so everything is in raised beds"."""
        tree = clause.tree
        if clause.mood != "statement" or clause.subject is None or tree.tokens[clause.subject - 1].lower != "so":
            return False
        if any(token.lower not in {",", "so", "and"} for token in tree.tokens[last.end : clause.subject]):
            return False
        lows = clause.lowers()
        pointing = tree.tokens[clause.subject].lower in self._data.words("persons", "pointing")
        told = any(
            tree.tokens[i].pos in {"NOUN", "PROPN"}
            for i in clause.inside("attr", "dobj", "prep")
            for i in tree.below(i)
        )
        return (
            pointing
            and told
            and not lows & (self._data.words("persons", "listener") | self._data.words("now", "doubt"))
        )

    @staticmethod
    def _turned_to(clause: Clause, last: Told) -> Told | None:
        """Read "it's coffee now" behind "I've gone off tea" with that, as turning from one to the other."""
        tree, former, lexicon = clause.tree, last.statement, lexicon_of("en")
        it = clause.subject is not None and tree.tokens[clause.subject].lower == "it"
        going = tree.tokens[clause.verb].tag == "VBG" and not clause.inside(
            "dobj", "attr", "acomp", "xcomp"
        )  # "it's running now"
        thing = clause.verb if going else next(iter(clause.inside("attr")), None)
        ended = (
            former.subject == USER and former.object and former.holds and verb_key(former.predicate) in lexicon.endings
        )
        if (
            not it
            or not ended
            or thing is None
            or clause.mood != "statement"
            or not lexicon.marks.search(clause.text())
        ):
            return None
        if tree.kids(thing, "det", "neg") or tree.tokens[thing].pos not in {"NOUN", "PROPN", "VERB"}:
            return None
        said = tree.tokens[thing].text if going else tree.phrase(thing)
        quote = tree.analysis.piece(last.begin, clause.end)
        made = replace(former, predicate="switch to", object=said, replaces=former.object, ended=False, quote=quote)
        return replace(last, before=(clause.begin, clause.end), statement=made)

    def _in_few_words(self, tree: Tree, turn: SourceTurn) -> list[Told]:
        """Return what a sentence without a clause states: an answer to what was asked, or "Two cats, Pixel and Waffle"."""
        found = read_fragment(
            tree,
            self._asked,
            speaker=self._speaker,
            day=turn.day,
            asks=self._requesting,
            told=self._discourse.turn - self._told_in <= NEAR_TURNS,
            just=self._discourse.turn - self._told_in <= 1,
        )
        if found is None:
            return []
        self._told_in = self._discourse.turn
        asked = found.question
        mentions = (Mention("", "", "", frozenset(), 0, asked.turn_id, asked.text),) if asked is not None else ()
        first = tree.tokens[found.begin]
        named = {found.begin: first.lower} if found.statement.attribute in CARE and found.lead else {}  # "Vegan here"
        return [Told(found.begin, found.end, found.statement, named, found.lead, mentions=mentions)]

    def _clause(self, naming: Naming, reader: StatementReader, clause: Clause) -> Iterator[tuple[Told, Read]]:
        # "Whenever I mention rowing, remind me to warm up" is an order, "remind me to call Tom" something to remember.
        inner = None if clause.mood == "order" and comes_again(clause) else self._to_remember(clause)
        asked = inner is not None
        order = None if asked else as_order(clause)
        found = self._by_the_way(clause) or self._come_to_know(clause)
        clause = inner or (order[0] if order else None) or found or clause
        if minds(clause):
            clause = replace(clause, mood="statement")
        read = self._pointed(clause, reader.read(clause))
        if order is not None:
            read = replace(read, statement=replace(read.statement, holds=order[1]))
        read = replace(read, statement=cared(clause, read.statement))
        reason = "" if order or (asked and read.subject.name) else self._why_not(clause, read)
        nouns = clause.subject is not None and clause.tree.tokens[clause.subject].pos == "NOUN"
        # "Sertraline is up to 100 mg", "pottery wasn't for me"
        unclaimed = reason == PASSES or (not reason and (nouns or bool(read.statement.qualifiers.amount)))
        elsewhere = self._of_another_chat(clause, read) if unclaimed and not read.subject.own else None
        if elsewhere is not None:
            elsewhere = replace(elsewhere, tentative=bool(reason))
            self._last, read, reason = elsewhere, elsewhere, ""
            said = read.statement
            if not (said.object or said.qualifiers != Qualifiers() or said.ended):
                return  # "Spotify went up, it's 14 now": to what comes next
        if reason == PASSES and read.subject.name:
            read, reason = replace(read, tentative=True), ""  # "Rent is 680 now" counts where another rent is known
        if reason:
            self.left_out[reason] += 1
            self._refused = self._refused or reason in NOT_SO
            if reason in OF_OTHERS:
                yield from ((told, read) for told in self._of_kin(naming, clause))
                return
            for told in self._salvaged(
                naming, reader, clause.tree, clause.begin, clause.end, asked=reason != HYPOTHETICAL
            ):
                yield told, read
            return
        if self._is_unnamed(clause, read):
            self._unnamed = True
            return
        spoken_of = self._spoken_of(clause, read, naming)
        known = (read.subject.mention, read.known_object[1] if read.known_object else None, *spoken_of.values())
        chains = (each for mention in known if mention is not None for each in mention.chain())
        mentions = tuple(dict.fromkeys(each for each in chains if each.turn_id))  # of this conversation
        named, lead = self._words(clause, read, naming)
        for at, mention in spoken_of.items():
            owner = clause.tree.tokens[at].dep == "poss"
            named.setdefault(at, f"{self._beside_self(mention)}'s" if owner else self._beside_self(mention))
        name = clause.tree.kid(clause.verb, "attr") if read.statement.attribute == "name" else None
        if name is not None and clause.tree.tokens[name].text.islower():
            named.setdefault(name, clause.tree.tokens[name].text.capitalize())
        if not read.tentative:
            self._meet(clause, read, naming)
        if clause.mood == "order":
            begin, end, before = self._ordered(clause)
            yield Told(begin, end, read.statement, named, lead, asked, mentions, before, read.tentative), read
            return
        beside = list(self._beside_name(clause, read))
        end = min((told.begin - 1 for told in beside), default=clause.end)
        yield Told(clause.begin, end, read.statement, named, lead, asked, mentions, tentative=read.tentative), read
        for told in beside:
            yield replace(told, tentative=read.tentative), read

    @staticmethod
    def _is_unnamed(clause: Clause, read: Read) -> bool:
        """Whether nobody could say who or what a clause is of: "She's eleven", "it's the shoulder now"."""
        tree, subject = clause.tree, clause.subject
        if subject is None or tree.tokens[subject].pos != "PRON" or tree.tokens[subject].dep == "expl":
            return False
        told = tree.kid(clause.verb, "attr") if tree.tokens[subject].lower == "it" else None
        which = told is not None and [tree.tokens[i].lower for i in tree.kids(told, "det")] == ["the"]
        return not read.subject.name or (which and not tree.kids(told or 0, "amod", "prep", "relcl", "acl"))

    def _why_not(self, clause: Clause, read: Read) -> str:
        """Return why a clause is left out; empty where it is kept."""
        reason = why_not(clause, read)
        if reason or must_stay(clause, read) or self._judge is None:
            return reason
        return "" if self._lasts(self._judge, clause.tree.analysis, clause.begin, clause.end) else PASSES

    def _lasts(self, judge: Judge, analysis: Analysis, begin: int, end: int) -> bool:
        piece = one_line(analysis.piece(begin, end))
        return judge(piece, around(analysis, begin, end, self._question)) >= LEAST

    def _of_another_chat(self, clause: Clause, read: Read) -> Read | None:
        """Read what changed or ended as the speaker's, if they told of it before: "sertraline is up to 100 mg", "keto's over"."""
        tree, said, lexicon = clause.tree, read.statement, lexicon_of("en")
        if clause.subject is None or clause.mood != "statement" or said.modality != "fact":
            return None
        if is_event(tree.lemma(clause.subject)):
            return None  # "The Perth trip is off" speaks for itself
        lost = self._lost(clause, said)
        if lost:  # "a fox got all our chickens"
            taken = replace(said, subject=USER, predicate="lose", object=lost, ended=True)
            return Read(taken, Named(USER, own=True), tentative=True)
        opened, subject = {tree.tokens[i].lower for i in tree.kids(clause.subject, "det")}, tree.tokens[clause.subject]
        theirs = any(tree.tokens[i].entity != "date" for i in tree.kids(clause.subject, "poss"))  # "Jana's wedding"
        if not (subject.pos in {"NOUN", "PROPN"} or subject.text.istitle()) or not opened <= {"the"} or theirs:
            return None
        verb = verb_key(said.predicate.removeprefix("be ").removeprefix("get ").removesuffix(" to"))
        unfit = said.predicate == "be for" and not said.holds and said.object.lower() in {"me", "us"}
        if unfit:  # "pottery wasn't for me"
            said = replace(said, predicate="be over", object="", holds=True, ended=True)
        ends = unfit or {verb, verb_key(said.predicate)} & lexicon.endings
        marked = said.predicate in {"be", "be at"} and said.object and lexicon.marks.search(said.quote)
        if not (verb in lexicon.changes or ends or marked):
            return None
        of_speaker = f"{USER}'s {tree.phrase(clause.subject)}"
        return Read(replace(said, subject=of_speaker), Named(of_speaker, own=True), tentative=True)

    def _lost(self, clause: Clause, said: Statement) -> str:
        """Return what of the speaker's somebody or something took or destroyed."""
        tree, data = clause.tree, self._data
        taken = clause.inside("dobj")
        own = taken and any(tree.tokens[i].lower in {"my", "our"} for i in tree.kids(taken[0], "poss"))
        whole = taken and any(tree.tokens[i].lower in {"all", "both"} for i in tree.kids(taken[0], "predet", "det"))
        takes = said.predicate in data.words("changed", "destroys") or (whole and said.predicate in {"get", "take"})
        return tree.phrase(taken[0]) if own and takes and said.holds else ""

    def _pointed(self, clause: Clause, read: Read) -> Read:
        """Read "it" behind what changed as that: "We changed our broadband, it's Zen now", "we renamed the boat, it's called Petrel"."""
        it = clause.subject is not None and clause.tree.tokens[clause.subject].lower == "it"
        told = clause.tree.kid(clause.verb, "attr", "oprd", "acomp") or clause.tree.kid(clause.verb, "prep")
        if not it or told is None or clause.mood != "statement" or self._last is None:
            return read
        former, lexicon = self._last.statement, lexicon_of("en")
        verb = verb_key(former.predicate.removesuffix(" to"))
        new = former.subject if lexicon.marks.search(former.subject) else ""
        given = former.replaces or former.qualifiers.place.partition(" ")[2] or former.object
        thing = new.rpartition("'s ")[2] or former.object if self._last.subject.name == USER or new else ""
        thing = former.subject.rpartition("'s ")[2] if self._last.tentative else thing
        if not thing or not (new or verb in lexicon.changes or verb in lexicon.exchanges):
            return read
        different = {"different", "other", "another"} & set(given.lower().split())
        noun = given.rpartition(" ")[2] if different and not new else thing.removeprefix("new ").removeprefix("the ")
        called = f"{USER}'s {noun}"
        which = clause.tree.kid(clause.verb, "attr") is not None
        attribute = read.statement.attribute or (noun.lower() if which else "")
        made = replace(read.statement, subject=called, attribute=attribute)
        mention = Mention(called, noun, "", frozenset({"it"}), self._discourse.turn, "", "")
        subject = Named(called, mention, own=True)
        return replace(read, statement=made, subject=subject, tentative=self._last.tentative)

    def _beside_name(self, clause: Clause, read: Read) -> Iterator[Told]:
        """Yield what somebody says of themselves behind their name: "I'm Anna, 34, a nurse from Leeds"."""
        tree, said = clause.tree, read.statement
        name = tree.kid(clause.verb, "attr") if said.predicate == "be" and said.attribute == "name" else None
        if name is None or said.subject != USER or not said.holds:
            return
        for apposed in tree.kids(name, "appos"):
            inside = [i for i in tree.below(apposed, tree.kids(apposed, "appos")) if i < clause.end]
            age = tree.tokens[apposed].tag == "CD" and len(inside) == 1
            words = tree.words(inside)
            article = "" if age or tree.kids(apposed, "det") else " an" if words[0].lower() in "aeiou" else " a"
            made = replace(said, object=words, attribute="age" if age else "occupation")
            yield Told(inside[0], inside[-1] + 1, made, {}, f"{self._speaker} is{article}")

    def _meet(self, clause: Clause, read: Read, naming: Naming) -> None:
        """Know from now on somebody of whom the user told by name alone."""
        subject = clause.subject
        if subject is not None and not read.subject.own and clause.tree.tokens[subject].pos == "PROPN":
            naming.meet(read.subject.name, clause.text())

    def _with_former(self, told: Told, former: Read | None) -> Told:
        """Name what was given up for what was got in the same breath: "sold the Skoda and bought a Kia", "use Tidal now"."""
        said, lexicon = told.statement, lexicon_of("en")
        ends = former is not None and former.statement.holds and verb_key(former.statement.predicate) in lexicon.endings
        if former is None or not ends or former.subject.name != said.subject:
            return told
        sold = verb_key(former.statement.predicate) in lexicon.disposals and verb_key(said.predicate) in lexicon.gains
        now = said.tense == "present" and lexicon.marks.search(said.quote)
        if said.ended or not said.holds or said.replaces or not said.object or not (sold or now):
            return told
        return replace(told, statement=replace(said, replaces=former.statement.object))

    # ------------------------------------------------------------------ words

    def called(self, name: str) -> str:
        """Return how a line names what a statement calls "user's sister Ada"."""
        some = ONE_OF if name.startswith(ONE_OF) else ""
        whose = name.removeprefix(some)
        own = whose == USER or whose.startswith(f"{USER}'s ")
        return f"{some}{self._speaker}{whose[len(USER) :]}" if own else name

    def _called_in_full(self, subject: Named) -> str:
        """Return how a line names what a pronoun stands for, with the name that was given before: "the user's toddler Otis"."""
        known, called = subject.mention, self.called(subject.name)
        proper = known.proper if known is not None and known.noun and known.name == subject.name else ""
        return f"{called} {proper}" if proper and proper not in called.split(" ") else called

    def _beside_self(self, mention: Mention) -> str:
        """Return how a line about the speaker names somebody: "their sister Ada"."""
        own = mention.name.startswith(f"{USER}'s ")
        return f"their{mention.name[len(USER) + 2 :]}" if own else self.called(mention.name)

    def _spoken_of(self, clause: Clause, read: Read, naming: Naming) -> dict[int, Mention]:
        """Return whom "her" stands for where the speaker does something, and "it" at its end: "I walk her dog", "put me on it"."""
        if clause.mood != "statement":
            return {}
        tree, found = clause.tree, dict[int, Mention]()
        for i in range(clause.begin, clause.end):
            token = tree.tokens[i]
            if token.lower == "it" and token.dep == "pobj" and i != clause.subject:
                thing = naming.name(tree, i).mention
                return {i: thing} if thing is not None and thing.noun and naming.is_fresh(thing) else {}
            if i != clause.subject and token.pos in {"NOUN", "PROPN"} and read.subject.name != USER:
                break
            if i != clause.subject and (token.pos == "PROPN" or token.lower in self._data.words("people")):
                break  # "I took my sister to her doctor"
            other = read.subject.name == USER and token.lower in {"her", "him", "his"}
            mention = naming.name(tree, i).mention if other else None
            if mention is not None and naming.is_fresh(mention):
                found[i] = mention
        return found

    def _words(self, clause: Clause, read: Read, naming: Naming) -> tuple[dict[int, str], str]:
        """Return what stands in for pronouns of the clause, and for a subject that is not in it."""
        if clause.mood == "order":
            denied = "" if read.statement.holds else "never " if clause.lowers() & {"ever", "never"} else "not "
            return {}, f"{self._speaker} asks the assistant {denied}to"
        named: dict[int, str] = {}
        if read.known_object is not None:
            at, mention = read.known_object
            named[at] = self._beside_self(mention) if read.subject.name == USER else self.called(mention.name)
        subject = clause.subject
        if subject is None:
            finite = next(iter(clause.inside("aux")), clause.verb)
            word = clause.tree.tokens[finite]
            state = word.tag in {"VB", "VBP"}
            if clause.mood != "statement" or not (state or word.tag == "MD"):
                return named, ""
            conjugated = {finite: third_person(word.lower)} if state else {}  # "Love my job", "Can't do eggs"
            return {**named, **conjugated}, self._speaker
        if clause.shared:
            if read.subject.own:
                done = " was" if is_done_too(clause.tree, clause.verb) else ""
                return named, f"{self.called(read.subject.name)}{done}"
            return named, clause.tree.words(clause.tree.below(subject))
        tree = clause.tree
        low = tree.tokens[subject].lower
        attr = tree.kid(clause.verb, "attr") if low == "we" else None
        opened = (
            tree.kid(attr, "det")
            if attr is not None and tree.lemma(attr) in self._data.words("persons", "groups")
            else None
        )
        if opened is not None:
            named[opened] = f"part of {tree.tokens[opened].lower}"  # "We're a team of five": the user is no team
        others = {"she", "he", "it", "they", "mine", "ours"}
        relative = low in {"who", "which"} and tree.tokens[clause.verb].dep == "relcl"
        if relative or (low in others and read.subject.mention is not None):
            named[subject] = self._called_in_full(read.subject)
            follows = tree.tokens[subject + 1] if subject + 1 < clause.end else None
            if follows is not None and follows.lower == "'s" and follows.pos in {"VERB", "AUX"}:
                named[subject + 1] = "has" if tree.lemma(subject + 1) == "have" else "is"  # no owner's "'s"
        some = next((i for i in tree.below(subject) if tree.tokens[i].lower == "them"), None)
        group = naming.name(tree, some).name if some is not None else ""
        if some is not None and group:
            named[some] = self.called(group)  # "one of them"
        owner = tree.kid(subject, "poss")
        if owner is not None and tree.tokens[owner].lower in {"her", "his", "its", "their"}:
            whose = naming.name(tree, owner)
            if whose.name:
                named[owner] = f"{self.called(whose.name)}'s"
        opened = tree.kid(subject, "det")
        known = read.subject.own and read.subject.name.startswith(f"{USER}'s ") and tree.kid(subject, "poss") is None
        if known and opened is not None and tree.tokens[opened].lower == "the":
            named[opened] = f"{self._speaker}'s"
            if tree.tokens[subject].tag == "JJS" and read.subject.mention is not None:
                named[subject] = f"{tree.tokens[subject].lower} {read.subject.mention.noun}"
        elif read.subject.mention is not None and read.subject.mention.proper.lower() == low:
            named.setdefault(subject, read.subject.mention.proper)  # "otis won't eat"
        elif known and opened is None and tree.below(subject) == [subject] and tree.tokens[subject].pos == "NOUN":
            named.setdefault(subject, f"{self._speaker}'s {tree.tokens[subject].lower}")  # "Rent is 790"
        return named, ""

    def _ordered(self, clause: Clause) -> tuple[int, int, tuple[int, int] | None]:
        """Return what an order says without "please", "don't" and "never", and when it is to be done where that comes first."""
        tree, tokens = clause.tree, clause.tree.tokens
        aside = {"do", "n't", "not", "never", "ever", "please", "just", "kindly"}
        begin, end = clause.begin, end_of_order(clause)
        while end - 1 > clause.verb and (tokens[end - 1].lower in aside or tokens[end - 1].pos in {"INTJ", "PUNCT"}):
            end -= 1
        comma = next((i for i in range(clause.verb, begin, -1) if tokens[i].text == ","), None)
        if comma is None and tokens[begin].pos == "ADP":  # "For code always use snake_case"
            comma = max(tree.below(begin)) + 1
        before = (begin, comma) if comma is not None and tree.is_verb(clause.verb) else None
        begin = begin if comma is None else comma + (tokens[comma].text == ",")
        opening = (
            i for i in range(begin, end) if tokens[i].lower not in aside and tokens[i].pos not in {"INTJ", "PUNCT"}
        )
        if before is not None and all(
            tokens[i].lower in aside or tokens[i].pos in {"INTJ", "PUNCT"} for i in range(*before)
        ):
            before = None  # "No, don't ..."
        return next(opening, begin), end, before

    # ------------------------------------------------------------------ what is inside requests

    def _to_remember(self, clause: Clause) -> Clause | None:
        """Return what an order says to remember: "Please note that I fly on Monday"."""
        tree = clause.tree
        led = tree.kid(clause.verb, "prep")
        mind = tree.kid(led, "pobj") if led is not None else None
        key = tree.lemma(clause.verb if mind is None else mind)  # "keep in mind that ..."
        if clause.mood != "order" or key not in self._data.words("verbs", "remember"):
            return None
        inner = next(
            (i for i in tree.kids(clause.verb, "ccomp") if i > clause.verb and tree.kid(i, *SUBJECTS) is not None), None
        )
        if inner is not None:
            asks = tree.tokens[min(tree.below(inner))].tag in {"WP", "WDT", "WRB"}
            return None if asks else self._embedded(tree, inner, clause.end)  # "remind me what that was"
        errand = tree.kid(clause.verb, "xcomp", "ccomp")
        if errand is None or (tree.kid(clause.verb, "dobj") is None and "me" not in clause.lowers()):
            return None
        if any(tree.tokens[i].lower in self._data.words("now", "wh") for i in tree.below(errand)):
            return None
        return replace(
            clause,
            verb=errand,
            subject=tree.kid(clause.verb, "dobj", *SUBJECTS) or tree.kid(errand, *SUBJECTS),
            mood="statement",
        )

    def _by_the_way(self, clause: Clause) -> Clause | None:
        """Return what the speaker says that they say to the assistant: "I should mention I'm deaf", "I told you I'm vegan"."""
        tree, verb = clause.tree, clause.verb
        who = tree.tokens[clause.subject].lower if clause.subject is not None else ""
        led = tree.kid(verb, "xcomp")  # "I forgot to mention", "I have to admit"
        verb = led if led is not None and tree.lemma(led) in self._data.words("verbs", "say") else verb
        whom = tree.kid(verb, "dobj", "dative")
        about_to = {tree.tokens[i].lower for i in tree.kids(verb, "aux")} & {"should", "must", "might", "may"}
        said = tree.lemma(verb) in self._data.words("verbs", "say") and (
            whom is not None or verb != clause.verb or tree.lemma(verb) != "say" or bool(about_to)
        )
        inner = next((i for i in tree.kids(verb, "ccomp") if i > verb), None) if said else None
        to_you = whom is None or tree.tokens[whom].lower in self._data.words("persons", "listener")
        if inner is None or not to_you or who not in self._data.words("persons", "self") or clause.inside("neg"):
            return None
        return self._embedded(tree, inner, clause.end)

    def _come_to_know(self, clause: Clause) -> Clause | None:
        """Return what turned out, what the speaker found out, or what somebody in medicine says that they have."""
        tree, data = clause.tree, self._data
        inner = next((i for i in tree.kids(clause.verb, "ccomp") if i > clause.verb), None)
        if inner is None or clause.mood != "statement" or clause.inside("neg"):
            return None
        found = self._embedded(tree, inner, clause.end)
        if found is None or found.subject is None:
            return None
        who = tree.tokens[clause.subject].lower if clause.subject is not None else "it"
        selves = data.words("persons", "self", "group")
        verb = " ".join([tree.lemma(clause.verb), *(tree.tokens[i].lower for i in tree.kids(clause.verb, "prt"))])
        if verb in data.words("verbs", "reveal"):
            known = verb != "know" or tree.tokens[found.subject].lower in selves
            return found if known and who in selves | {"it"} else None
        medic = clause.subject is not None and tree.lemma(clause.subject) in data.words("care", "medics")
        of_self = tree.tokens[found.subject].lower in selves
        told = medic and of_self and tree.lemma(clause.verb) in data.words("verbs", "say")
        return found if told and not found.lowers() & data.words("now", "doubt") else None

    def _embedded(self, tree: Tree, verb: int, end: int) -> Clause | None:
        subject = tree.kid(verb, *SUBJECTS)
        inside = [i for i in tree.below(verb, tree.kids(verb, "mark")) if i < end]
        if subject is None or not inside:
            return None
        while inside and tree.tokens[inside[-1]].pos in {"PUNCT", "SPACE"}:
            inside.pop()
        return Clause(tree, inside[0], inside[-1] + 1, verb, subject)

    def _salvaged(
        self, naming: Naming, reader: StatementReader, tree: Tree, begin: int, end: int, *, asked: bool = True
    ) -> Iterator[Told]:
        """Yield what a request or question says of its speaker by the way: reasons, what they are, who their people are."""
        for index in range(begin, end):
            token = tree.tokens[index]
            if token.pos == "PROPN" and token.dep in {"appos", "pobj", "dobj", "attr"}:
                yield from self._relative(naming, tree, index)
            elif token.dep == "prep" and token.lower == "as":
                yield from self._capacity(tree, index)
            elif asked and ((token.dep == "advcl" and self._reasoned(tree, index)) or self._passed_on(tree, index)):
                yield from self._reason_in(reader, tree, index, end)

    def _passed_on(self, tree: Tree, index: int) -> bool:
        """Whether an order is to tell somebody what is so: "Tell them I've lived here since 2014", "Mention that our son ..."."""
        top = tree.tokens[index].head
        says = (self._data.words("verbs", "say") | {"add", "include"}) - {"say"}  # "Say I had three kids" supposes
        quoted = any(tree.tokens[i].text in {'"', "``", "\u201c"} for i in tree.below(index))  # of whom, nobody knows
        ordered = (
            not quoted
            and tree.tokens[top].tag == "VB"
            and tree.kid(top, *SUBJECTS, "aux") is None
            and tree.lemma(top) in says
        )
        doubted = {tree.tokens[i].lower for i in tree.below(index)} & (self._data.words("now", "wh", "if") - {"who"})
        care = named_care([tree.tokens[i].lower for i in tree.below(index)], "en")
        states = bool(care) or tree.kid(index, "acomp") is None  # not "add that we're friendly"
        return ordered and not doubted and tree.tokens[index].dep == "ccomp" and states

    def _reasoned(self, tree: Tree, index: int) -> bool:
        marks = {tree.tokens[i].lower for i in tree.kids(index, "mark")}
        return bool(marks & self._data.words("now", "because"))

    def _reason_in(self, reader: StatementReader, tree: Tree, index: int, end: int) -> Iterator[Told]:
        inner = self._embedded(tree, index, end)
        if inner is None:
            return
        read = reader.read(inner)
        read = replace(read, statement=cared(inner, read.statement))
        if not self._why_not(inner, read):
            yield Told(inner.begin, inner.end, read.statement)

    def _capacity(self, tree: Tree, prep: int) -> Iterator[Told]:
        """Read "As a diabetic, what can I eat?" as what the speaker is."""
        noun = tree.kid(prep, "pobj")
        verb = tree.tokens[prep].head
        subject = tree.kid(verb, "nsubj", "nsubjpass")
        opened = noun is not None and any(tree.tokens[i].lower in {"a", "an"} for i in tree.kids(noun, "det"))
        mine = subject is not None and tree.tokens[subject].lower in {"i", "we"}
        # "As a mother of two, what can I cook?"
        asks = any(
            tree.tokens[i].lower in {"i", "we"} and tree.tokens[i].dep in SUBJECTS for i in range(prep, tree.end)
        )
        mine = mine or (asks and is_role(tree.lemma(noun if noun is not None else prep)))
        if (
            noun is None
            or not opened
            or tree.lemma(verb) in {"use", "work", "treat", "see", *self._data.words("conversation", "cast")}
        ):
            return
        inside = tree.below(noun)
        clause = Clause(tree, inside[0], inside[-1] + 1, noun, None)
        words = tree.phrase(noun)
        statement = Statement(
            subject=USER, predicate="be", object=words, quote=tree.words(tree.below(prep)).rstrip(" ,")
        )
        care = care_of(clause, statement)
        if mine or care:
            made = replace(statement, attribute=care or "occupation")
            yield Told(inside[0], inside[-1] + 1, made, {}, f"{self._speaker} is")

    def _relative(self, naming: Naming, tree: Tree, name: int) -> Iterator[Told]:
        """Read "my daughter Emma" as what she is called."""
        noun, whose = tree.tokens[name].head, tree.kid(tree.tokens[name].head, "poss")
        if tree.tokens[name].dep != "appos":  # parsed as one name: "my grandson Jonas"
            noun = next((i for i in tree.kids(name, "compound") if i < name), noun)
            whose = tree.kid(name, "poss")
        mine = whose is not None and tree.tokens[whose].lower in {"my", "our"}
        if whose is None or not mine or tree.tokens[noun].pos == "ADP" or not is_role(tree.lemma(noun)):
            return
        called = f"{naming.name(tree, whose).name}'s {tree.lemma(noun)}"
        statement = Statement(
            subject=called,
            predicate="be called",
            object=tree.words(self._name_alone(tree, name, noun)),
            attribute="name",
            quote=tree.words(sorted({*tree.below(noun), *tree.below(name)})),
        )
        inside = self._name_alone(tree, name, noun)
        yield Told(inside[0], inside[-1] + 1, statement, {}, f"{self.called(called)} is called")

    def _of_kin(self, naming: Naming, clause: Clause) -> Iterator[Told]:
        """Yield how a relative is called of whom only what they think is told: "My daughter Morag thinks I should ..."."""
        tree, who = clause.tree, clause.subject
        name = tree.kid(who, "appos") if who is not None else None
        if who is not None and name is not None and tree.lemma(who) in self._data.words("people", "she", "he"):
            yield from self._relative(naming, tree, name)

    @staticmethod
    def _name_alone(tree: Tree, name: int, noun: int) -> list[int]:
        """Return the words of a name: "Dr. Aydin" without "my doctor"."""
        return [i for i in (*tree.kids(name, "compound"), name) if i > noun or tree.tokens[name].dep == "appos"]

    # ------------------------------------------------------------------ what is not theirs

    def _goes_on(self, analysis: Analysis) -> bool:
        """Whether a part that the speaker plays goes on: until they leave the game, laugh about it, or speak of the text that was written."""
        words = [t.lower for t in analysis.tokens if t.pos not in {"PUNCT", "SPACE"}]
        laugh, lead = self._data.words("conversation", "laughs"), self._data.words("conversation", "praises")
        rest = list(dropwhile((laugh | lead).__contains__, words))
        over = self._data.words("conversation", "over")
        left = not over.isdisjoint(rest[:1]) or "actually" in rest
        laughs = bool(rest) and not laugh.isdisjoint(words[: len(words) - len(rest)])
        if self._part and (left or (laughs and not self._plays_on(analysis))):
            self._part = ""
        elif words[-2:] in (["your", "move"], ["your", "turn"]):
            self._part = "game"
        return bool(self._part)

    def _plays_on(self, analysis: Analysis) -> bool:
        """Whether somebody goes on with what they laugh about: they ask for more, wish, or do something in it: "haha I jump"."""
        lasting = self._data.words("verbs", "state", "like", "need") | {"be", "have", "get"}
        found = [clause for begin, end in analysis.sentences() for clause in clauses(analysis, begin, end)]
        return not found or any(
            clause.mood != "statement"
            or (lemma := clause.tree.lemma(clause.verb)) in {"want", "wish"}
            or (
                clause.subject is not None
                and clause.tree.tokens[clause.subject].lower in self._data.words("persons", "self")
                and clause.tags() == {"VBP"}
                and lemma not in lasting
            )
            for clause in found
        )

    def _invents(self, tree: Tree, found: list[Clause]) -> bool:
        """Whether a sentence asks for a story or a game, and whether the speaker plays a part in it."""
        nouns, verbs = self._data.words("conversation", "fiction"), self._data.words("conversation", "fiction_verbs")
        self._cast = self._acting(tree) or self._cast
        for clause in found:
            if self._takes_part(clause):
                self._part = "game"
                return True
            if tree.lemma(clause.verb) == "be" and (clause.mood == "order" or self._by_listener(clause)):
                self._cast = self._given(tree, tree.kid(clause.verb, "attr")) or self._cast
            if clause.mood not in {"order", "question", "supposition"} and not self._by_listener(clause):
                continue
            lemmas = {tree.lemma(i) for i in range(clause.begin, tree.end)}
            objects = {
                tree.lemma(i)
                for i in tree.below(clause.verb)
                if tree.tokens[i].dep in {"dobj", "pobj", "attr", "dative"}
            }
            inner = tree.kid(clause.verb, "ccomp", "xcomp") if tree.lemma(clause.verb) == "let" else None
            lemma = tree.lemma(clause.verb if inner is None else inner)  # "Let's play"
            if not (objects & nouns or lemma in verbs):
                continue
            makes = lemma in verbs | {
                "write",
                "tell",
                "make",
                "create",
                "continue",
                "invent",
                "compose",
                "sing",
                "improvise",
                "give",
                "let",
            }
            if not makes:
                continue
            played = lemmas & self._data.words("conversation", "play")
            people, tokens = self._data.words("people"), tree.analysis.tokens
            takes_part = any(
                t.lower in _SELVES and not (t.tag == "PRP$" and tokens[t.head].lemma in people) for t in tokens
            )
            self._part = "game" if played else "text" if takes_part else ""
            return True
        return False

    def _acting(self, tree: Tree) -> tuple[int, bool] | None:
        """Return what "Act as a dragon" and "I want you to act like a judge" make of the assistant, as :attr:`_cast`."""
        lows, acts = [token.lower for token in tree.tokens], self._data.words("conversation", "cast")
        told = (i + 2 for i in range(tree.begin, tree.end - 2) if lows[i] in acts and lows[i + 1] in {"as", "like"})
        at = next((i for i in told if i == tree.begin + 2 or "you" in lows[tree.begin : i]), tree.end)
        nouns = (i for i in range(at, tree.end) if tree.tokens[i].pos in {"NOUN", "PROPN"})
        return self._given(tree, next((i for i in nouns if tree.tokens[i].dep != "compound"), None))

    def _given(self, tree: Tree, part: int | None) -> tuple[int, bool] | None:
        """Return when a part was given, and whether it has a name; None for "my coach", who is the speaker's in earnest."""
        if part is None or any(tree.tokens[i].lower in _SELVES for i in tree.kids(part, "poss")):
            return None
        return self._discourse.turn, tree.tokens[part].pos == "PROPN"

    def _takes_part(self, clause: Clause) -> bool:
        """Whether the speaker plays beside the part that they gave: "I am the knight", "I am your captain"."""
        tree, told = clause.tree, clause.tree.kid(clause.verb, "attr")
        if self._cast is None or self._discourse.turn - self._cast[0] > 1 or told is None or clause.subject is None:
            return False
        if tree.tokens[clause.subject].lower != "i" or clause.mood != "statement":
            return False
        opened = {tree.tokens[i].lower for i in tree.kids(told, "det", "poss")}
        related = any(tree.tokens[i].lower == "of" for i in tree.kids(told, "prep"))  # "I am the mother of two"
        named = any(tree.lemma(i) in {"call", "name"} for i in tree.kids(told, "acl"))
        return (
            (bool(opened & {"the", "your"}) and not related)
            or named
            or (self._cast[1] and tree.tokens[told].pos == "PROPN")
        )

    def _by_listener(self, clause: Clause) -> bool:
        subject = clause.subject
        return subject is not None and clause.tree.tokens[subject].lower in {"you", "let", "let's", "us"}

    def _handed(self, analysis: Analysis, begin: int, end: int, found: list[Clause]) -> int:
        """Return where the material begins that a sentence hands over; the end of the turn where it hands over none."""
        tokens = analysis.tokens
        nothing = len(tokens)
        if end > begin + 1 and tokens[begin].text == "Dear" and tokens[begin + 1].text[:1].isupper():
            return begin  # a letter
        colon = next((i for i in range(begin, end) if tokens[i].text == ":" or tokens[i].text.endswith(":")), None)
        if colon is not None and self._hands_over(analysis, begin, colon, found):
            return colon
        last = found[-1] if found else None
        if last is None or last.mood not in {"order", "question"} or end >= nothing:
            return nothing
        pointed = {"this", "these", "following", "below"} & last.lowers()
        works = last.tree.lemma(last.verb) in self._data.words("conversation", "material")
        return end if pointed and works else nothing

    def _hands_over(self, analysis: Analysis, begin: int, colon: int, found: list[Clause]) -> bool:
        before = [token.lower for token in analysis.tokens[begin:colon] if token.pos not in {"PUNCT", "SPACE"}]
        works = not self._data.words("conversation", "material").isdisjoint(before)  # "Proofread: ..."
        if not works and not any(t.pos in {"NOUN", "PROPN", "VERB", "AUX"} for t in analysis.tokens[begin:colon]):
            return False  # "Three of them: ...", "Seriously: ..."
        noun = colon - 1
        named = analysis.tokens[noun].lower in self._data.words("handing", "texts")
        if named and any(
            one.head == noun and one.dep == "poss" and one.pos in {"NOUN", "PROPN"} for one in analysis.tokens
        ):
            return True  # "Here's my friend's message: ..."
        if not works and before and before[-1] in self._data.words("conversation", "leads"):
            return False  # "Quick update: ...", "About me: ..."
        head = next((clause for clause in found if clause.begin < colon), None)
        if self._lists and not works and (head is None or head.mood == "statement"):
            return False  # "Here's what you should know: - I teach Year 4"
        if head is not None and head.mood == "order":
            return head.tree.lemma(head.verb) not in self._data.words("verbs", "remember")
        return bool(before) and not set(before) & _SELVES


def _requests(analysis: Analysis) -> bool:
    """Whether a turn asks for something."""
    return any(
        clause.mood in {"order", "question"}
        for begin, end in analysis.sentences()
        for clause in clauses(analysis, begin, end)
    )
