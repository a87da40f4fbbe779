"""From a clause to a statement: subject, verb with what makes its meaning, object, and what narrows it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from typing import Final

from memdesk.domain.comparing.lexicon import is_event, lexicon_of, verb_key
from memdesk.domain.items.statement import USER, Modality, Qualifiers, Statement, Tense, noon
from memdesk.domain.language.data import LanguageData, is_role, language_data
from memdesk.domain.language.dates import find_dates
from memdesk.domain.language.inflect import INFORMAL
from memdesk.domain.language.numbers import ORDINALS, digits
from memdesk.domain.language.text import stem
from memdesk.domain.language.timex import find_periods
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.clauses import SUBJECTS, Clause, is_of_nobody
from memdesk.domain.reading.subjects import Mention, Named, Naming

_TIMES: Final = frozenset({"date", "time"})
#: Prepositions that open a qualifier rather than make the verb's meaning.
_NARROWING: Final = {
    "company": frozenset({"with"}),
    "place": frozenset({"in", "at", "near", "on", "from", "to", "into", "below", "above", "behind"}),
}
#: Adverbs that make a verb's meaning as a particle does; the second ones only where they lead to a value.
_PARTICLES: Final = frozenset({"away", "aside", "off", "back", "forward"})
#: Adverbs that say by themselves that a thing takes place no more: "is off".
_CALLED: Final = frozenset({"off", "over"})
_DEGREES: Final = frozenset({"up", "down"})
#: Words between a verb and the preposition to its object that make its meaning: "is down to", "dropped out of".
_AROUND: Final = frozenset({"up", "down", "out", "off"})
#: How often something is done.
_FREQUENCY: Final = frozenset({"once", "twice", "times", "daily", "weekly", "monthly", "yearly", "nightly"})
#: What stands before the value that another takes the place of.
_INSTEAD: Final = (("instead", "of"), ("rather", "than"), (",", "not"))


@dataclass(frozen=True, slots=True)
class Read:
    """A statement with whom its subject stands for."""

    statement: Statement
    subject: Named
    #: what an object pronoun stands for, with its token; None where there is none, or nobody could tell.
    known_object: tuple[int, Mention] | None = None
    #: whether its subject is the speaker's only if it was told before.
    tentative: bool = False


def is_done_too(tree: Tree, verb: int) -> bool:
    """Whether a participle goes on with a passive: "rebooked" of "got canceled and rebooked for 30 May"."""
    top = tree.tokens[verb].head
    both = tree.tokens[verb].dep == "conj" and tree.tokens[verb].tag == tree.tokens[top].tag == "VBN"
    return both and tree.kid(top, "auxpass") is not None


class StatementReader:
    """Reads clauses of one turn.

    Args:
        naming: knows who is who.
        day: when it was said.
    """

    def __init__(self, naming: Naming, day: date) -> None:
        self._naming = naming
        self._day = day
        self._data: LanguageData = language_data("en")

    def read(self, clause: Clause) -> Read:
        """Return what a clause states; the subject of an order is the one spoken to."""
        tree, whole = clause.tree, clause
        clause, replaced = self._without_former(clause)
        subject = self._subject(clause)
        verb = self._verb(clause)
        prt = self._particle(clause, verb)
        predicate = " ".join(
            part for part in (self._lemma(clause, verb), tree.tokens[prt].lower if prt is not None else "") if part
        )
        head, via = self._object(clause, verb)
        if head is not None and tree.lemma(head) in {"be", "become"} and f"{predicate} as" in self._data.attributes:
            told = tree.kid(head, "attr")  # "am training to be a nurse"
            predicate, head = (f"{predicate} as", told) if told is not None else (predicate, head)
        if via is not None and head is not None:
            over = tree.tokens[via].head  # "is down to 78 kilos"
            degree = (
                f"{tree.tokens[over].lower} " if over not in {prt, verb} and tree.tokens[over].lower in _AROUND else ""
            )
            predicate = f"{predicate} {degree}{tree.tokens[via].lower}"
        put = self._put(clause, verb, head)
        if (
            put is not None
        ):  # "They've put me on the late shift", "my doctor put me on sertraline", "they took Dad off it"
            subject, via, head = put
            predicate = f"be {'in' if self._leads(tree, via) else tree.tokens[via].lower.removesuffix('to')}"  # "onto"
        caused = self._caused(clause, verb)
        if caused:  # "we let the caravan go", "had the dog put down"
            predicate, head = caused
        suffered = self._suffered(clause, verb, head)
        if suffered:  # "they fired me from the bakery"
            subject, predicate, head = Named(USER, own=True), *suffered
        words = self._pronouns(clause) or self._object_words(clause, head, subject)
        if (
            self._copula(tree.lemma(verb))
            and head is not None
            and tree.tokens[head].pos in {"ADJ", "VERB"}
            and via is None
        ):
            predicate, words, head = self._trait(clause, verb, head, words)
        narrowed = self._qualifiers(clause, verb, head, via)
        known = self._known_object(clause, head, predicate, narrowed)
        if known is not None:
            words = known[1].name
        selves = self._data.words("persons", "self", "group")
        if (
            not subject.own
            and (
                self._changes(predicate) or (predicate.endswith((" up", " down")) and narrowed.place.startswith("to "))
            )
            and (words.startswith(f"{USER}'s ") or self._an_event(tree, head))
        ):
            # "They moved my appointment", "The dentist canceled my appointment", "They moved the exam"
            subject, words = Named(USER, own=True), words.removeprefix(f"{USER}'s ")
        on_self = predicate.removesuffix(" on"), words.lower() in selves
        if not subject.own and all(on_self) and predicate.endswith(" on") and self._is_ending(on_self[0]):
            subject = Named(f"{USER}'s {(subject.name or '').lower()}", own=True)  # "the builders canceled on us"
            predicate, words, head = on_self[0], "", None
        moves = self._changes(predicate.removesuffix(" to")) and head is not None and clause.subject is not None
        if moves and head is not None and tree.tokens[head].lower in selves and self._a_day(clause, verb):
            whose = tree.words(tree.below(clause.subject)) if clause.subject is not None else ""
            words = re.sub(r"^(?:my|our|the) ", "", whose, flags=re.IGNORECASE)
            subject = Named(USER, own=True)  # "the dentist moved me to 17 June"
        ended = self._ended(clause, predicate)
        none = head is not None and any(tree.tokens[i].lower == "no" for i in tree.kids(head, "det"))  # "no siblings"
        not_to = verb != clause.verb and tree.kid(verb, "neg") is not None  # "decided not to buy a house"
        denied = bool(clause.inside("neg")) or not_to or none or self._nobody(clause)
        if denied and verb_key(predicate) in lexicon_of("en").occurs and not words:  # "the trip isn't happening"
            predicate, denied, ended = "be off", False, True
        if predicate == "give" and head is not None and self._handed_over(clause, verb, head):
            predicate, ended = "give away", True
        used_to = tree.lemma(clause.verb) == "use" and verb != clause.verb
        statement = Statement(
            subject=subject.name or "",
            predicate=predicate,
            object=words,
            attribute=self._attribute(clause, predicate, words, head),
            holds=not denied and not used_to and not self._no_longer(clause),
            ended=ended or used_to,
            modality=self._modality(clause, predicate),
            tense="present" if put is not None else self._tense(clause),
            qualifiers=narrowed,
            speaker=USER,
            said_at=noon(self._day),
            quote=whole.text(),
            language="en",
            replaces=replaced,
        )
        return Read(statement, subject, known)

    def _caused(self, clause: Clause, verb: int) -> tuple[str, int] | None:
        """Return "let go" and the caravan of "let the caravan go", where that ends something: one verb round its object."""
        tree = clause.tree
        below = tree.kid(verb, "ccomp")
        what = tree.kid(below, "nsubj", "nsubjpass") if below is not None and below < clause.end else None
        if below is None or what is None or tree.tokens[what].pos not in {"NOUN", "PROPN"}:
            return None
        if any(not self._is_time(clause, i) for i in tree.kids(below, "prep", "dobj", "xcomp")):
            return None  # "let my son go to the party"
        particles = (tree.tokens[i].lower for i in tree.kids(below, "prt"))
        done = " ".join((tree.lemma(verb), tree.tokens[below].lower, *particles))
        return (done, what) if verb_key(done) in lexicon_of("en").endings else None

    def _suffered(self, clause: Clause, verb: int, head: int | None) -> tuple[str, int | None] | None:
        """Return "be fired from" and the bakery of "they fired me from the bakery", where that tells something of whom it is done to."""
        tree, lexicon = clause.tree, lexicon_of("en")
        selves, whom, who = self._data.words("persons", "self", "group"), tree.kid(verb, "dative"), clause.subject
        given = whom is not None and tree.tokens[whom].lower in selves and who is not None
        if (
            given
            and who is not None
            and tree.tokens[who].lower == "they"
            and tree.lemma(verb) in {"give", "offer", "get"}
        ):
            return "get", head  # "they gave me a Vito"
        made = tree.kid(verb, "oprd", "ccomp") if tree.lemma(verb) == "make" else None
        if made is not None and made < clause.end and tree.tokens[made].pos == "NOUN" and is_role(tree.lemma(made)):
            self_ = tree.kid(verb, "dobj") or tree.kid(made, *SUBJECTS)
            if self_ is not None and tree.tokens[self_].lower in selves:
                return "become", made  # "they made me a senior developer"
        if head is None or tree.tokens[head].lower not in selves:
            return None
        done = f"be {tree.tokens[verb].lower}"
        if lexicon.tells(f"{done} by") and who is not None and who != head:
            return f"{done} by", who  # "Callum dumped me"
        preps = [i for i in tree.kids(verb, "prep", "dative") if i < clause.end]
        for prep in preps:
            noun = tree.kid(prep, "pobj")
            if noun is not None and lexicon.tells(f"{done} {tree.tokens[prep].lower}"):
                return f"{done} {tree.tokens[prep].lower}", noun
        return (done, None) if not preps and lexicon.tells(done) else None

    def _put(self, clause: Clause, verb: int, head: int | None) -> tuple[Named, int, int] | None:
        """Return whom, "on" and the late shift of "put me on the late shift": who was put on it is on it."""
        tree = clause.tree
        if head is None or tree.lemma(verb) not in {"put", "move", "switch", "transfer", "keep", "take"}:
            return None
        selves = self._data.words("persons", "self", "group")
        whom = Named(USER, own=True) if tree.tokens[head].lower in selves else self._naming.name(tree, head)
        if not whom.name or not (whom.own or tree.lemma(head) in self._data.words("people")):
            return None
        among = {"on", "onto"} if tree.lemma(verb) != "take" else {"off"}
        somebody = tree.lemma(verb) in {"put", "move", "transfer"} and tree.tokens[head].lower in (
            selves | self._data.words("people")
        )
        for prep in (i for i in tree.kids(verb, "prep") if i < clause.end):
            inner = tree.kid(prep, "prep") or prep  # "up to"
            noun = tree.kid(inner, "pobj")
            numbers = map(tree.tokens.__getitem__, tree.kids(noun, "nummod", "amod") if noun is not None else ())
            one = any(token.pos == "NUM" or token.lower in ORDINALS for token in numbers)
            one = one and somebody and (self._leads(tree, inner) or tree.tokens[inner].lower == "in")
            one = one and not self._is_time(clause, inner) and noun is not None and tree.tokens[noun].pos == "NOUN"
            if noun is not None and (tree.tokens[inner].lower in among or one):
                return whom, inner, noun  # "moved Dad to ward 11"
        return None

    @staticmethod
    def _leads(tree: Tree, prep: int) -> bool:
        return tree.tokens[prep].lower in {"to", "into"}

    def _handed_over(self, clause: Clause, verb: int, head: int) -> bool:
        """Whether somebody got what was the speaker's: "gave the hens to my cousin"."""
        tree = clause.tree
        opened = {tree.tokens[i].lower for i in tree.kids(head, "det", "poss")} & {"the", "my", "our"}
        to = any(tree.tokens[i].lower == "to" for i in tree.kids(verb, "prep", "dative"))
        return bool(opened) and to and self._tense(clause) == "past"

    def _a_day(self, clause: Clause, verb: int) -> bool:
        """Whether something leads to a day: "moved me to the 17th"."""
        tree = clause.tree
        return any(
            tree.tokens[i].lower in {"to", "until", "till"} and self._is_time(clause, i)
            for i in tree.kids(verb, "prep")
        )

    def _known_object(
        self, clause: Clause, head: int | None, predicate: str, narrowed: Qualifiers
    ) -> tuple[int, Mention] | None:
        """Return what "it" or "them" stands for where the clause says more of it: "I share it with two potters".

        Of an answer people say that they like it, know it and tried it: there it stands for that.
        """
        first = predicate.split(" ", maxsplit=1)[0]
        if head is None or first in self._data.words("verbs", "like", "converse", "need") or clause.mood != "statement":
            return None
        token = clause.tree.tokens[head]
        said_more = narrowed.time or narrowed.company or clause.lowers() & {"once", "twice"}
        named = any(clause.tree.tokens[i].pos == "PROPN" for i in clause.inside("oprd"))  # "we called it Petrel"
        if token.pos != "PRON" or not (said_more or narrowed.place or named or "now" in clause.lowers()):
            return None
        mention = self._naming.name(clause.tree, head).mention
        if mention is None or (not said_more and mention.noun in self._data.words("conversation", "nouns")):
            return None  # "I have a file, I opened it in Excel"
        return (head, mention) if self._naming.is_fresh(mention) else None

    @staticmethod
    def _an_event(tree: Tree, head: int | None) -> bool:
        opened = {tree.tokens[i].lower for i in tree.kids(head, "det")} if head is not None else set()
        return head is not None and opened == {"the"} and is_event(tree.lemma(head))

    @staticmethod
    def _changes(predicate: str) -> bool:
        """Whether it says that a thing has another value now, or has ended, whoever did it."""
        lexicon, verb = lexicon_of("en"), verb_key(predicate)
        return verb in lexicon.changes or verb in lexicon.endings

    def _without_former(self, clause: Clause) -> tuple[Clause, str]:
        """Cut "instead of Tuesdays" and ", not Monday" off a clause, and return the value that is replaced.

        What something is got for stays in it: "a Fairphone to replace my old phone".
        """
        tokens = clause.tree.tokens
        over = (
            i for i in range(clause.verb + 1, clause.end) if clause.tree.lemma(i) == "replace" and tokens[i].tag == "VB"
        )
        former_thing = next((kid for i in over if (kid := clause.tree.kid(i, "dobj")) is not None), None)
        if former_thing is not None and former_thing < clause.end and clause.tree.kid(clause.verb, "dobj") is not None:
            return clause, clause.tree.phrase(former_thing)
        pairs = ((i, (tokens[i].lower, tokens[i + 1].lower)) for i in range(clause.verb + 1, clause.end - 2))
        at = next((i for i, pair in pairs if pair in _INSTEAD), None)
        if at is None:
            return clause, ""
        former = [i for i in range(at + 2, clause.end) if tokens[i].pos not in {"DET", "PUNCT", "ADV"}]
        if not former or any(tokens[i].dep in SUBJECTS for i in former):
            return clause, ""
        return replace(clause, end=at), clause.tree.words(former)

    # ------------------------------------------------------------------ subject and verb

    def _subject(self, clause: Clause) -> Named:
        if clause.mood == "order":
            return Named("assistant", own=True)
        if clause.subject is None:
            return self._dropped(clause)
        token = clause.tree.tokens[clause.subject]
        if token.dep == "expl":
            inner = clause.lowers() & self._data.words("persons", "self", "group")
            return Named(self._naming.name(clause.tree, clause.subject).name or USER, own=True) if inner else Named("")
        does = clause.tree.kid(clause.subject, "nsubj") if token.dep == "csubj" else None
        if does is not None:  # "What I love most is ..."
            return self._naming.name(clause.tree, does)
        named = self._naming.name(clause.tree, clause.subject)
        told = clause.tree.kid(clause.verb, "attr")
        if not named.name and told is not None and token.lower in {"that", "this", "it"}:
            shown = self._naming.name(clause.tree, told)  # "That's my home server"
            return shown if shown.own else named
        # "Ines and I", not "the cat I adopted".
        self_ = next((i for i in clause.tree.joined(clause.subject) if clause.tree.tokens[i].lower == "i"), None)
        return named if self_ is None else Named(self._naming.name(clause.tree, self_).name, own=True)

    def _dropped(self, clause: Clause) -> Named:
        """Whose sentence it is where chat leaves "I" out: "Went to Porto"."""
        tags = clause.tags()
        told = tags & {"VBD", "VBG", "VBN"} or (
            clause.mood == "statement" and ("MD" in tags or tags <= {"VB", "VBP"})
        )  # "Beat a master last year", "Hate the commute"
        what = clause.tree.kid(clause.verb, "attr") if clause.tree.lemma(clause.verb) == "be" else None
        thing = what is not None and tags <= {"VBD", "VBZ"} and not clause.tree.kids(what, "det")  # "was Python before"
        thing = thing or (clause.tree.tokens[clause.verb].lower == "been" and is_of_nobody(clause.tree, clause.verb))
        return Named(USER, own=True) if told and not thing else Named("")

    def _particle(self, clause: Clause, verb: int) -> int | None:
        """Return what makes the meaning of a verb with it: "give up", "gave away", "went up to"."""
        tree = clause.tree
        prt = tree.kid(verb, "prt")
        if prt is not None:
            leads = tree.kid(prt, "pobj", "pcomp") is not None  # "play squash on Tuesdays"
            return prt if not leads or self._changes(f"{tree.lemma(verb)} {tree.tokens[prt].lower}") else None
        adverbs = [i for i in tree.kids(verb, "advmod") if verb < i < clause.end]
        if self._copula(tree.lemma(verb)):  # "the trip is off"
            alone = not tree.kids(verb, "attr", "acomp", "oprd")
            return next((i for i in adverbs if alone and tree.tokens[i].lower in _CALLED), None)
        adverbs += [i for i in tree.kids(verb, "prep") if tree.kid(i, "prep") and i < clause.end]  # "put it up to 900"
        bare = (i for i in tree.kids(verb, "prep", "advmod") if verb < i < clause.end and not tree.kids(i))
        known = next((i for i in bare if self._is_ending(f"{tree.lemma(verb)} {tree.tokens[i].lower}")), None)
        if known is not None:
            return known  # "the sale fell through"
        return next((i for i in adverbs if tree.tokens[i].lower in _PARTICLES | _DEGREES), None)

    @staticmethod
    def _is_ending(verb: str) -> bool:
        return verb_key(verb) in lexicon_of("en").endings

    def _verb(self, clause: Clause) -> int:
        """Return the verb that carries the meaning: "swim" of "used to swim", "cancel" of "had to cancel"."""
        able = next((i for i in clause.tree.kids(clause.verb, "acomp") if clause.tree.tokens[i].lower == "able"), None)
        if able is not None:  # "am not able to swim"
            return clause.tree.kid(able, "xcomp") or clause.verb
        inner = clause.tree.kid(clause.verb, "xcomp")
        if inner is None or not clause.tree.is_verb(inner):
            return clause.verb
        had_to = clause.tree.lemma(clause.verb) == "have" and self._tense(clause) == "past" and not clause.inside("neg")
        how = clause.tree.kid(inner, "advmod")
        able = clause.tree.lemma(clause.verb) == "know" and how is not None and clause.tree.tokens[how].lower == "how"
        planned = self._is_planned(clause) and clause.tree.tokens[inner].tag == "VB"
        begun = clause.tree.lemma(clause.verb) in {"start", "begin"} and self._tense(clause) != "future"
        begun = begun and not clause.inside("neg") and clause.tree.lemma(inner) not in {"be", "get", "have"}
        if clause.tree.lemma(clause.verb) == "use" or had_to or able or planned or begun:
            return inner
        return clause.verb

    def _is_planned(self, clause: Clause) -> bool:
        """Whether what follows is planned: "am going to move", "plan to run"."""
        lemma = clause.tree.lemma(clause.verb)
        going = lemma == "go" and clause.tree.tokens[clause.verb].tag == "VBG"
        return going or lemma in self._data.words("verbs", "plan") - {"go", "mean"}

    def _lemma(self, clause: Clause, verb: int) -> str:
        tree = clause.tree
        lemma = tree.lemma(verb)
        lemma = {"'m": "be", "'re": "be", "'s": "be", "'ve": "have", "m": "be"}.get(lemma, lemma)
        if lemma == "get" and tree.tokens[verb].lower == "got" and tree.kid(verb, "aux") is not None:
            return "have"  # "I've got two cats"
        passive = tree.kid(verb, "auxpass")
        if passive is None and is_done_too(tree, verb):
            return f"be {tree.tokens[verb].lower}"
        if passive is not None:
            return f"{'get' if tree.lemma(passive) == 'get' else 'be'} {tree.tokens[verb].lower}"
        return INFORMAL.get(lemma, lemma)

    @staticmethod
    def _copula(lemma: str) -> bool:
        return lemma in {"be", "become", "feel", "stay", "remain", "get", "turn", "'m", "'s", "'re"}

    # ------------------------------------------------------------------ object

    def _object(self, clause: Clause, verb: int) -> tuple[int | None, int | None]:
        """Return the head of what is said, and the preposition through which, where there is one."""
        tree = clause.tree
        objects = tree.kids(verb, "dobj", "attr", "oprd", "acomp")
        prt = self._particle(clause, verb)
        if prt is not None and tree.tokens[prt].dep == "prt":
            objects += tree.kids(prt, "pobj")  # "called off the meeting"
        left = next((i for i in tree.kids(verb, "ccomp", "xcomp") if tree.tokens[i].lower == "left"), None)
        objects += tree.kids(left, "nsubj") if left is not None else []  # "we have two hens left"
        stray = tree.kids(verb, "advcl", "xcomp") if not objects else []  # "I don't eat gluten"
        objects += [
            i for i in stray if i == verb + 1 and not tree.kids(i) and tree.tokens[i].tag in {"VB", "NN", "VBN"}
        ]
        direct = next((i for i in objects if clause.begin <= i < clause.end), None)
        if direct is not None:
            return direct, None
        inner = next((i for i in tree.kids(verb, "xcomp", "ccomp") if verb < i < clause.end), None)
        if inner is not None:
            return inner, None
        # "went back to my maiden name", "dropped out of medicine"
        copula = self._copula(tree.lemma(verb))  # "is back home from hospital" is not "is from"
        adverbs = [i for i in tree.kids(verb, "advmod") if not copula or tree.tokens[i].lower in _AROUND]
        around = [verb, *adverbs, *(p for p in tree.kids(verb, "prep") if tree.kid(p, "prep"))]
        preps = [p for top in around for p in tree.kids(top, "prep") if clause.begin <= p < clause.end and p > verb]
        preps = [
            p for p in preps if (of := tree.kid(p, "pcomp")) is None or tree.tokens[of].tag != "IN"
        ]  # "because of"
        preps.sort(key=lambda p: tree.tokens[p].lower not in {"to", "into"})  # "from Ghent to Namur" leads to Namur
        bound = [
            p for p in preps if (noun := tree.kid(p, "pobj", "pcomp")) is not None and not self._is_time(clause, noun)
        ]
        for prep in bound or preps:
            noun = tree.kid(prep, "pobj", "pcomp")
            if noun is not None:
                return noun, prep
        agent = tree.kid(verb, "agent")
        number = tree.kid(verb, "nummod", "npadvmod")
        if number is None:
            number = next((i for i in range(verb, clause.end) if tree.tokens[i].tag == "CD"), None)
        if agent is not None:
            return tree.kid(agent, "pobj"), agent
        return (number, None) if number is not None and self._copula(tree.lemma(verb)) else (None, None)

    def _object_words(self, clause: Clause, head: int | None, subject: Named) -> str:
        tree = clause.tree
        if head is None:
            return ""
        if tree.tokens[head].dep in {"xcomp", "ccomp"}:
            times = [i for i in tree.kids(head, "prep", "npadvmod") if self._is_time(clause, i)]
            inside = [i for i in tree.below(head, times) if clause.begin <= i < clause.end]
            return tree.words(
                i
                for i in inside
                if not (tree.tokens[i].dep in {"aux", "mark"} and tree.tokens[i].lower in {"to", "that"})
            )
        times = [i for i in tree.kids(head, "prep", "npadvmod") if self._is_time(clause, i)]
        if tree.tokens[head].dep == "acomp":  # "34 years old" is a measure, however much it looks like a time
            times = [i for i in times if all(tree.tokens[n].pos != "NUM" for n in tree.below(i))]
        day = self._month_of(tree, head)
        if day is not None:  # "the 3rd of June with Emirates" is a day
            times = [i for i in tree.kids(head, "prep") if i != day]
        words = self._owner_of(clause, head, subject) + tree.phrase(head, [*times, *self._beyond(clause, head)])
        after = tree.tokens[head + 1] if head + 1 < clause.end else None
        if after is not None and after.tag == "CD" and tree.tokens[head].pos == "PROPN" and after.head != head:
            words = f"{words} {after.text}"  # "got the Pixel 9 yesterday"
        named = self._called(clause, head)
        if named is not None:
            called = [tree.phrase(i) for i in (named, *tree.joined(named)) if i < clause.end]
            words = f"{words}, {' and '.join(called)}"
        joined = [i for i in tree.joined(head) if i < clause.end and not tree.is_verb(i)]
        return " and ".join([words, *(tree.phrase(i) for i in joined)]) if joined else words

    @staticmethod
    def _month_of(tree: Tree, head: int) -> int | None:
        """Return the "of" that leads from a day to its month."""
        if not tree.tokens[head].text[:1].isdigit():
            return None
        return next((i for i in tree.kids(head, "prep") if tree.tokens[i].lower == "of"), None)

    @staticmethod
    def _beyond(clause: Clause, head: int) -> list[int]:
        return [i for i in clause.tree.below(head) if i >= clause.end]

    @staticmethod
    def _called(clause: Clause, head: int) -> int | None:
        """Return the name in "a new landlord, Mrs Sato" and "a dog called Barney"."""
        tree = clause.tree
        said = [i for i in tree.kids(head, "acl") if tree.lemma(i) in {"call", "name"}]
        names = [*tree.kids(head, "appos"), *(i for verb in said for i in tree.kids(verb, "oprd", "dobj"))]
        return next((i for i in names if i < clause.end and tree.tokens[i].pos == "PROPN"), None)

    def _owner_of(self, clause: Clause, head: int, subject: Named) -> str:
        """Return whose the object is, where it is another's than the subject's: "Helena is my boss"."""
        owner = clause.tree.kid(head, "poss")
        name = self._naming.name(clause.tree, owner).name if owner is not None else ""
        return f"{name}'s " if name and name != subject.name and not subject.name.startswith(f"{name} ") else ""

    def _trait(self, clause: Clause, verb: int, head: int, words: str) -> tuple[str, str, int]:
        """Read "am allergic to hazelnuts" as that predicate and its object."""
        tree = clause.tree
        lemma = self._lemma(clause, verb)
        prep = next((p for p in tree.kids(head, "prep") if tree.kid(p, "pobj", "pcomp") is not None), None)
        if prep is None:
            return lemma, words, head
        noun = tree.kid(prep, "pobj", "pcomp")
        assert noun is not None
        return (
            f"{lemma} {tree.tokens[head].lower} {tree.tokens[prep].lower}",
            self._object_words(clause, noun, Named("")),
            noun,
        )

    # ------------------------------------------------------------------ how it is meant

    def _no_longer(self, clause: Clause) -> bool:
        lows = [token.lower for token in clause.tree.tokens[clause.begin : clause.end]]
        pairs = set(pairwise(lows))
        return (
            ("no", "longer") in pairs or ("any", "more") in pairs or ("anymore" in lows and bool(clause.inside("neg")))
        )

    def _ended(self, clause: Clause, predicate: str) -> bool:
        verb, _, rest = predicate.partition(" ")
        if verb == "leave" and rest in _NARROWING["place"] | {"for"}:
            return self._no_longer(clause)  # "leaves at 9:40" and comes back
        ends = self._data.words("verbs", "end")
        return self._no_longer(clause) or any(predicate == one or predicate.startswith(f"{one} ") for one in ends)

    def _nobody(self, clause: Clause) -> bool:
        if clause.subject is None:
            return False
        subject = {clause.tree.tokens[i].lower for i in clause.tree.below(clause.subject)}
        return bool(subject & {"nobody", "none", "neither"}) or "never" in clause.lowers()

    def _modality(self, clause: Clause, predicate: str) -> Modality:
        lows = clause.lowers()
        first = predicate.split(" ", maxsplit=1)[0]
        if clause.mood == "order":
            return "instruction"
        span = range(clause.begin, clause.end)
        doubts = self._data.words("now", "doubt")
        tokens = clause.tree.tokens
        doubted = (i for i in span if tokens[i].lower in doubts and tokens[i].pos != "PROPN")
        if any(i < clause.verb or tokens[i - 1].lower != "so" for i in doubted):  # not "hates it, so maybe another"
            return "possible"
        if first in self._data.words("verbs", "need") and (first not in {"like", "love"} or lows & {"'d", "would"}):
            return "wish"
        if first == "think" and any(clause.tree.kid(i, "pcomp") is not None for i in clause.inside("prep")):
            return "wish"  # "am thinking of moving to Cork"
        going = clause.tree.lemma(clause.verb) != "go" or clause.tree.kid(clause.verb, "xcomp") is not None
        if lows & {"will", "'ll", "wo", "gonna"} or (self._is_planned(clause) and going):
            return "plan"
        return "fact"

    def _tense(self, clause: Clause) -> Tense:
        tags, lows = clause.tags(), clause.lowers()
        if lows & {"will", "'ll", "wo", "gonna"}:
            return "future"
        if "VBD" in tags and not (tags & {"VBP", "VBZ"}):
            return "past"
        return "past" if "VBN" in tags and lows & {"was", "were", "had"} else "present"

    # ------------------------------------------------------------------ what it tells

    def _attribute(self, clause: Clause, predicate: str, words: str, head: int | None) -> str:
        tree = clause.tree
        known = self._data.attributes
        lead = tree.tokens[head].lower if head is not None else ""
        for phrase in (predicate, f"{predicate} {lead}"):
            if phrase in known:
                if known[phrase] == "home" and self._for_something(clause, head):
                    return ""  # "moved to Resolve for editing"
                year = known[phrase] == "birthplace" and head is not None and tree.tokens[head].tag == "CD"
                return "birth year" if year else known[phrase]
        if self._pronouns(clause):
            return "pronouns"
        if (clause.subject is not None and self._copula(predicate.split(" ", maxsplit=1)[0])) or predicate in {
            "be called",
            "end in",
        }:
            noun = clause.subject
            of_self = noun is not None and (
                tree.kid(noun, "poss") is not None or tree.tokens[noun].lower in self._data.words("elided", "mine")
            )
            owned = of_self and noun is not None and self._names_value(tree, noun, head)
            people = self._data.words("people")
            if (
                owned
                and noun is not None
                and tree.lemma(noun) not in people
                and tree.tokens[noun].pos in {"NOUN", "ADJ", "PROPN"}
            ):
                return tree.phrase(noun).lower()
        if predicate == "be" and words:
            return self._what_one_is(clause, head, words)
        return ""

    @staticmethod
    def _pronouns(clause: Clause) -> str:
        """Return the value of "My pronouns are they/them", which no parser takes for one."""
        tree = clause.tree
        if clause.subject is None or tree.lemma(clause.subject) != "pronoun":
            return ""
        said = [i for i in range(clause.verb + 1, clause.end) if tree.tokens[i].tag in {"PRP", "PRP$", "SYM"}]
        return tree.words(said) if said else ""

    @staticmethod
    def _for_something(clause: Clause, head: int | None) -> bool:
        """Whether what is no place by its name is for something."""
        tree = clause.tree
        tops = [clause.verb, head] if head is not None else []
        aims = [i for top in tops for i in tree.kids(top, "prep") if i < clause.end and tree.tokens[i].lower == "for"]
        nouns = {stem(tree.lemma(noun)) for i in aims for noun in tree.kids(i, "pobj")}
        leads = bool(aims) and nouns.isdisjoint(lexicon_of("en").reasons)  # "moved to York for uni"
        return leads and head is not None and tree.tokens[head].entity != "place" and tree.tokens[head].pos == "PROPN"

    @staticmethod
    def _names_value(tree: Tree, noun: int, head: int | None) -> bool:
        """Whether what is said gives a thing's value and not its state: "is 43", "is Trek", but not "is stolen"."""
        if head is None:
            return False
        favourite = any(tree.tokens[i].lower.startswith("favo") for i in tree.kids(noun, "amod", "compound"))
        return favourite or tree.tokens[head].pos in {"NOUN", "PROPN", "NUM"} or "@" in tree.tokens[head].text

    def _what_one_is(self, clause: Clause, head: int | None, words: str) -> str:
        if digits(words).isdigit():
            return "age"
        tree = clause.tree
        if head is None:
            return ""
        of_self = clause.subject is not None and tree.tokens[clause.subject].lower == "i"
        token, beside = tree.tokens[head], tree.kids(head, "appos") if of_self and not tree.kids(head, "det") else []
        aged = any(tree.tokens[i].tag == "CD" for i in beside)
        if aged or (token.pos == "PROPN" and (beside or token.entity == "person")):
            return "name"  # "I'm marek, 46", "I'm Aileen, retired midwife"
        article = any(tree.tokens[i].lower in {"a", "an"} for i in tree.kids(head, "det"))
        lows = {word.lower() for word in words.split()}
        if lows & self._data.words("care", "diet"):
            return "diet"
        if lows & self._data.words("care", "condition"):
            return "condition"
        return "occupation" if article and tree.tokens[head].dep == "attr" and tree.tokens[head].pos == "NOUN" else ""

    # ------------------------------------------------------------------ what narrows it

    def _qualifiers(self, clause: Clause, verb: int, head: int | None, via: int | None) -> Qualifiers:
        tree = clause.tree
        said: dict[str, list[str]] = {"time": [], "place": [], "company": [], "manner": [], "amount": []}
        spots = [
            i
            for i in (*tree.kids(verb, "prep", "npadvmod"), *self._nested(clause, head), *self._loose(clause, verb))
            if clause.begin <= i < clause.end
        ]
        spots += [
            i for i in tree.kids(clause.verb, "prep", "npadvmod") if clause.begin <= i < clause.end and i not in spots
        ]
        if head is not None and tree.tokens[head].dep == "xcomp":
            spots += [i for i in tree.kids(head, "prep", "npadvmod") if i < clause.end]  # "go climbing with Ines"
        for spot in spots:
            if spot in {via, head} or (via is not None and spot == tree.tokens[via].head != verb):
                continue
            noun = tree.kid(spot, "pobj", "pcomp")
            said[self._sort(clause, spot, noun)].append(self._spoken(clause, spot, noun))
        made = self._made(clause, verb, head)
        said["company"] += [self._beside_self(clause)] if self._beside_self(clause) else []
        said["manner"] += [f"as {tree.tokens[made].text}"] if made is not None else []
        begins, ends = self._period(clause, verb)
        return Qualifiers(
            time=", ".join(self._absolute(text) for text in said["time"]),
            begins=begins,
            ends=ends,
            place=", ".join(said["place"]),
            company=", ".join(said["company"]),
            manner=", ".join(said["manner"]),
            amount=self._amount(clause, head) or ", ".join(said["amount"]),
        )

    def _beside_self(self, clause: Clause) -> str:
        """Return who does it with the subject: "Marek" of "Marek and I got married"."""
        subject, tokens = clause.subject, clause.tree.tokens
        joined = clause.tree.kids(subject, "conj") if subject is not None else []
        if subject is not None and any(tokens[i].lower == "i" for i in joined):
            return self._naming.name(clause.tree, subject).name
        named = [i for i in joined if tokens[i].pos == "PROPN"]  # "Olga and Piotr got married"
        return self._naming.name(clause.tree, named[0]).name if named else ""

    def _loose(self, clause: Clause, verb: int) -> list[int]:
        """Return what narrows a verb and hangs on it by another relation: after a particle, and how often."""
        tree, particle = clause.tree, self._particle(clause, verb)
        told = [i for i in tree.kids(verb, "prt") if i != particle and tree.kid(i, "pobj", "pcomp") is not None]
        told += tree.kids(particle, "prep") if particle is not None else []
        return told + [i for i in tree.kids(verb, "advmod") if tree.tokens[i].lower in _FREQUENCY]

    def _made(self, clause: Clause, verb: int, head: int | None) -> int | None:
        """Return what the object has become: "dyed my hair red"."""
        tree = clause.tree
        become = [i for i in tree.kids(verb, "oprd", "dobj") if head is not None and head < i < clause.end]
        return next((i for i in become if tree.tokens[i].pos == "ADJ"), None)

    def _nested(self, clause: Clause, head: int | None) -> list[int]:
        if head is None or clause.tree.tokens[head].dep in {"xcomp", "ccomp"}:
            return []
        day = self._month_of(clause.tree, head)
        return [i for i in clause.tree.kids(head, "prep") if i != day and (day is not None or self._is_time(clause, i))]

    def _spoken(self, clause: Clause, spot: int, noun: int | None) -> str:
        tree = clause.tree
        words = tree.words(i for i in tree.below(spot) if clause.begin <= i < clause.end)
        if noun is not None and tree.tokens[spot].lower == "with":
            named = self._naming.name(tree, noun)
            return named.name or tree.phrase(noun)
        return words.strip(" ,.;!")

    def _sort(self, clause: Clause, spot: int, noun: int | None) -> str:
        tree = clause.tree
        if any(tree.tokens[i].lower in _FREQUENCY for i in tree.below(spot)):
            return "amount"
        if self._is_time(clause, spot):
            return "time"
        low = tree.tokens[spot].lower
        if noun is not None and low in _NARROWING["company"]:
            named = any(tree.tokens[i].pos == "PROPN" for i in tree.kids(noun, "appos", "conj"))
            person = tree.tokens[noun].entity == "person" or tree.kid(noun, "poss") is not None
            return "company" if person or named or tree.tokens[noun].pos in {"PROPN", "PRON"} else "manner"
        if noun is not None and low in _NARROWING["place"]:
            return "place"
        return "manner"

    def _is_time(self, clause: Clause, spot: int) -> bool:
        below = [clause.tree.tokens[i] for i in clause.tree.below(spot)]
        return any(token.entity in _TIMES or token.lower == "now" for token in below)

    def _absolute(self, text: str) -> str:
        found = text
        for span in reversed(find_dates(text, self._day)):
            found = found[: span.start] + span.words + found[span.end :]
        return found

    def _period(self, clause: Clause, verb: int) -> tuple[date | None, date | None]:
        tree = clause.tree
        moved = self._changes(self._lemma(clause, verb)) and any(
            tree.tokens[i].lower in {"to", "until", "till"} and self._is_time(clause, i)
            for i in tree.kids(verb, "prep")
        )
        over = self._tense(clause) == "past" or "VBN" in clause.tags() or "since" in clause.lowers()
        # "we're flying in March", "moved it to May"
        periods = find_periods(clause.text(), self._day, ahead=moved or not over)
        return (periods[0].start, periods[0].end) if len(periods) == 1 else (None, None)

    def _amount(self, clause: Clause, head: int | None) -> str:
        tree = clause.tree
        if head is None or tree.tokens[head].entity in _TIMES:
            return ""
        number = tree.kid(head, "nummod")
        if number is None and tree.tokens[head].pos == "NUM":
            return digits(tree.words(i for i in tree.below(head, tree.kids(head, "prep", "conj", "cc"))))
        if number is None:
            return ""
        figure = digits(tree.words(tree.below(number)))
        unit = (
            tree.tokens[head].text if tree.tokens[head].pos == "NOUN" and clause.tree.tokens[head].dep != "attr" else ""
        )
        return f"{figure} {unit}".strip() if unit and tree.lemma(head) in self._data.words("now", "units") else figure
