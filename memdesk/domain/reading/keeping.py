"""Whether a statement of the user lasts, or is only for the task at hand; told by its fields and its clause.

What lasts: who and what the user, their people and their things are, have, do, like, must and plan. What does not: requests, questions,
suppositions, what others think, remarks on the answer, what is being worked on, and states that pass.
"""

from __future__ import annotations

import re
from typing import Final

from memdesk.domain.comparing.lexicon import is_event, lexicon_of, verb_key
from memdesk.domain.comparing.ties import ties_of
from memdesk.domain.items.statement import USER, Qualifiers, Statement
from memdesk.domain.language.data import LanguageData, language_data
from memdesk.domain.language.numbers import ORDINALS
from memdesk.domain.reading.care import CARE
from memdesk.domain.reading.clauses import Clause
from memdesk.domain.reading.standing import has_taste, is_standing
from memdesk.domain.reading.statements import Read

_COPULAS: Final = frozenset({"be", "feel", "get", "become", "stay", "remain"})
_EMPTY: Final = frozenset(
    {
        "do",
        "have",
        "go",
        "come",
        "be",
        "get",
        "make",
        "take",
        "need",
        "want",
        "use",
        "put",
        "help",
        "work",
        "happen",
        "start",
        "stop",
    }
)
_NAMING: Final = frozenset(
    {"person", "place", "organisation", "date", "time", "product", "group", "event", "work", "language"}
)
#: What programs call things: no name that people give.
_IDENTIFIER: Final = re.compile(r"[a-z]{2}[A-Z]|_|\(\)")
SAID_BY_OTHER: Final = "says what another said"
THOUGHT_BY_OTHER: Final = "opinion of another"
HYPOTHETICAL: Final = "hypothetical"
#: Reasons why a clause may be of what the user told elsewhere.
OF_NOBODY: Final = frozenset({"of nobody", "nobody knows of whom"})
#: Reasons why nothing of a clause is the user's.
OF_OTHERS: Final = frozenset({SAID_BY_OTHER, THOUGHT_BY_OTHER})


def why_not(clause: Clause, read: Read, *, spoken_of: bool, requesting: bool = False, of_people: bool = False) -> str:
    """Return why a clause is not worth keeping, in two or three words; empty when it is.

    Args:
        clause: a clause said to an assistant.
        read: what it states.
        spoken_of: whether the user just told something of their own that "the house" may be of.
        requesting: whether the same turn asks for something, so that what is wanted may be no more than that.
        of_people: whether the same turn has told of people of the user's, who may be those that it names.
    """
    return _Judge(clause, read, spoken_of=spoken_of, requesting=requesting, of_people=of_people).reason()


class _Judge:
    def __init__(self, clause: Clause, read: Read, *, spoken_of: bool, requesting: bool, of_people: bool) -> None:
        self._clause, self._tree = clause, clause.tree
        self._resolved = read.known_object
        self._requesting = requesting
        self._of_people = of_people
        self._statement: Statement = read.statement
        self._subject = read.subject
        self._spoken_of = spoken_of
        self._data: LanguageData = language_data("en")
        self._verb = self._statement.predicate.split(" ")[0]
        self._lemma = self._tree.lemma(clause.verb)
        self._lows = clause.lowers()

    def reason(self) -> str:
        if self._clause.mood == "question":
            return "question"
        if self._clause.mood == "supposition":
            return HYPOTHETICAL
        if self._is_invented():
            return "fiction"
        if self._clause.mood == "order":
            return "" if is_standing(self._clause, holds=self._statement.holds) else "request"
        return (
            self._of_whom()
            or self._of_others()
            or self._of_conversation()
            or self._passing()
            or self._unsure()
            or self._thin()
        )

    def _is_invented(self) -> bool:
        """Whether a clause is of what is invented: "In my novel I am a beekeeper", "My character is a surgeon"."""
        tree, made = self._tree, self._data.words("conversation", "fiction")
        subject = self._clause.subject
        if subject is not None and tree.lemma(subject) in self._data.words("conversation", "invented"):
            return True
        told = (p for p in self._clause.inside("prep") if p < self._clause.verb and tree.tokens[p].lower == "in")
        return any(tree.lemma(noun) in made for p in told for noun in tree.kids(p, "pobj"))

    # ------------------------------------------------------------------ of whom

    def _of_whom(self) -> str:
        subject = self._clause.subject
        if self._runs_in_family():
            return ""
        if not self._subject.name or (self._by_user() and self._done_to_self()):
            return "nobody knows of whom"  # "gave up on it, made me grumpy": nobody says "I made me"
        alone = subject is not None and not self._tree.kids(subject, "conj")  # not "me and my boyfriend"
        if subject is not None and alone and self._tree.tokens[subject].lower in {"me", "us", "him", "them"}:
            return "says too little"  # "me included"
        if subject is not None and self._tree.tokens[subject].lower == "it" and self._identifies():
            return "nobody knows of whom"
        if subject is not None and self._tree.tokens[subject].lower in self._data.words("persons", "listener"):
            return "remark on the answer"
        if self._subject.own or subject is None:
            return self._own_matter()
        if self._touches_self() or self._of_what_one_does() or self._diagnoses() or self._cares(subject):
            return ""
        if self._first_name(subject):
            return ""
        if self._is_event(subject) and (self._changes() or self._ends()):
            return ""  # "the Peru trip is off"
        if (self._changes() or self._ends()) and self._lows & {"me", "us"}:
            return ""  # "the builders canceled on us"
        theirs = self._spoken_of or self._has_date() or self._changes() or self._ends()
        return "" if theirs and self._definite(subject) and self._names_something() else "of nobody"

    def _cares(self, subject: int) -> bool:
        """Whether it says what ails or endangers the user or somebody: "Levi has asthma", not "the customer has a nut allergy"."""
        if self._statement.attribute not in CARE:
            return False
        of_self = self._lows & self._data.words("persons", "self", "group")
        someone = self._tree.tokens[subject].pos in {"PROPN", "PRON"} and not self._tree.kids(subject, "nummod")
        return bool(of_self) or someone

    def _done_to_self(self) -> bool:
        """Whether what the verb does is done to the user: "hit me hard", "gave me a headache"."""
        tree, selves = self._tree, self._data.words("persons", "self", "group")
        below = tree.kid(self._clause.verb, "ccomp")  # "made me grumpy"
        done_to = [
            *tree.kids(self._clause.verb, "dobj", "dative"),
            *(tree.kids(below, "nsubj") if below is not None else ()),
        ]
        return any(tree.tokens[i].lower in selves - {"i", "we"} for i in done_to)

    def _runs_in_family(self) -> bool:
        """Whether it says what a family has: "There's a family history of glaucoma"."""
        there = self._clause.subject is not None and self._tree.tokens[self._clause.subject].lower == "there"
        return there and "family" in self._lows and self._statement.attribute in CARE

    def _changes(self) -> bool:
        """Whether it says that a thing has another value now: "the rent went up to 930 euros"."""
        changed = self._statement.predicate.removeprefix("be ").removeprefix("get ").removesuffix(" to")
        return verb_key(changed) in lexicon_of("en").changes

    def _switches(self) -> bool:
        """Whether something has another value that is named: "switched my phone plan to O2"."""
        return self._changes() and self._names_something()

    def _ends(self) -> bool:
        """Whether it says that a thing takes place no more."""
        said = verb_key(self._statement.predicate)
        return not {said, said.removeprefix("be ")}.isdisjoint(lexicon_of("en").endings)

    def _identifies(self) -> bool:
        """Whether it says which one something is: "it's the shoulder now", whatever "it" was before."""
        told = self._tree.kid(self._clause.verb, "attr") if self._lemma == "be" else None
        if told is None or self._tree.kids(told, "amod", "prep", "relcl", "acl"):
            return False
        return any(self._tree.tokens[i].lower == "the" for i in self._tree.kids(told, "det"))

    def _is_event(self, subject: int) -> bool:
        """Whether a subject is what somebody has in the calendar: "the meeting with the notary"."""
        opened = {self._tree.tokens[i].lower for i in self._tree.kids(subject, "det")}
        owned = any(self._tree.tokens[i].pos == "PROPN" for i in self._tree.kids(subject, "poss"))  # "Ana's wedding"
        return (owned or opened == {"the"}) and is_event(self._tree.lemma(subject))

    def _has_date(self) -> bool:
        """Whether a day of the calendar is named."""
        span = self._tree.tokens[self._clause.begin : self._clause.end]
        return any(token.entity == "date" and token.pos in {"PROPN", "NUM"} for token in span)

    def _recurs(self) -> bool:
        """Whether it is said of days or times of the day, again and again: "I only work mornings", "a class every Friday"."""
        times, tree = self._data.words("now", "times"), self._tree
        for i in range(self._clause.begin, self._clause.end):
            token = tree.tokens[i]
            named = token.entity == "date"
            if named and token.lower in {"every", "each"}:
                return True
            if token.tag in {"NNS", "NNPS"} and (named or tree.lemma(i) in times):
                return True
        return False

    def _own_matter(self) -> str:
        """Refuse what is the user's only as a part of the task: "my code", "my second question", "my useEffect"."""
        subject = self._clause.subject
        if subject is not None and _IDENTIFIER.search(self._tree.tokens[subject].text):
            return "task at hand"
        nouns = self._data.words("conversation", "nouns")
        mine = subject is not None and self._tree.lemma(subject) not in nouns
        head = self._object_head()
        mine = mine or (
            self._verb == "be" and self._tree.kid(self._clause.verb, "xcomp") is not None
        )  # "My plan is to ..."
        if subject is not None and head is not None and self._tree.lemma(subject) in {"this", "that"}:
            mine = self._tree.lemma(head) not in nouns  # "this is my last try"
        counts = head is not None and self._tree.tokens[head].tag == "NNS" and self._verb == "have"
        mine = mine or (counts and head is not None and self._tree.lemma(head) in self._data.words("people"))
        counted = subject is not None and any(
            self._tree.tokens[i].lower in ORDINALS for i in self._tree.kids(subject, "amod")
        )
        told = subject is None or mine or (self._statement.attribute and not counted) or self._has_date()
        return "" if told else "task at hand"  # "my first command is pwd"

    def _touches_self(self) -> bool:
        """Whether something in general does something to the user: "Shellfish makes my throat swell"."""
        subject = self._clause.subject
        assert subject is not None
        opened = {self._tree.tokens[i].lower for i in self._tree.kids(subject, "det")}
        token = self._tree.tokens[subject]
        pointed = token.lower == "it" and self._subject.mention is not None
        general = token.pos in {"NOUN", "PROPN", "ADJ", "VERB"} or pointed or token.lower in {"nothing", "everything"}
        if opened & {"the", "this", "that", "these", "those", "a", "an"} or not general:
            return False
        if self._tree.lemma(subject) in self._data.words("conversation", "nouns"):
            return False
        present = bool(self._clause.tags() & {"VBZ", "VBP"})
        return present and bool(self._lows & {"me", "my", "us", "our"})

    def _of_what_one_does(self) -> bool:
        """Whether something is said to be what the user does, has or likes: "Oil on copper is all I paint"."""
        told = self._tree.kid(self._clause.verb, "attr")
        selves = self._data.words("persons", "self", "group")
        return told is not None and any(
            (who := self._tree.kid(verb, "nsubj")) is not None and self._tree.tokens[who].lower in selves
            for verb in self._tree.kids(told, "relcl")
        )

    def _first_name(self, subject: int) -> bool:
        """Whether somebody is called by a first name alone, as people do with those whom they know."""
        token = self._tree.tokens[subject]
        named = token.pos == "PROPN" or token.entity == "person" or (token.text.istitle() and self._tells_kin())
        to_self, got = self._does_to_self(), self._clause.inside("dobj")
        if to_self and any(self._tree.lemma(i) in self._data.words("conversation", "nouns") for i in got):
            return False  # "Java gave me an error"
        if token.pos == "PROPN" and (to_self or self._feels()):
            return True
        beside = (
            self._of_people and self._statement.tense == "present" and not self._tree.kids(subject, "det", "compound")
        )
        if token.pos == "PROPN" and beside:
            return True  # "The kids are in a club, Mateo shows rabbits"
        owner = self._tree.kid(subject, "poss")
        if owner is not None and self._tree.lemma(subject) in self._data.words("people"):
            return (
                self._tree.tokens[owner].pos == "PROPN" and self._statement.tense == "present"
            )  # "Max's sister is Leni"
        if not named or self._tree.kids(subject, "compound", "appos"):
            return False
        does = self._data.words("verbs", "like", "skill", "end")
        said = self._statement.predicate, self._verb, self._statement.predicate.rpartition(" ")[0]
        told = self._verb in does or not self._data.attributes.keys().isdisjoint(said)
        known = lexicon_of("en").states.keys() | lexicon_of("en").implies.keys()
        told = told or not known.isdisjoint(map(verb_key, said))
        return token.entity == "person" or told or self._tells_kin() or self._tells_work()

    def _does_to_self(self) -> bool:
        """Whether what somebody does is done to the user or theirs: "Wanjiru taught me Swahili", "Danny Marsh does ours"."""
        selves = self._data.words("persons", "self", "group")
        done_to = self._clause.inside("dobj", "dative")
        return any(self._tree.tokens[i].lower in selves for kid in done_to for i in self._tree.below(kid))

    def _feels(self) -> bool:
        """Whether it says what somebody is afraid or fond of, which one says of those whom one knows: "Rory is scared of thunder"."""
        state = self._tree.kid(self._clause.verb, "acomp")
        of = self._tree.kid(state, "prep") if state is not None and self._verb == "be" else None
        felt = state is not None and self._tree.lemma(state) in self._data.words("people", "feelings")
        return felt and of is not None and self._statement.tense == "present" and not self._requesting

    def _tells_work(self) -> bool:
        """Whether it says of what somebody is the founder, or where they work: a recognizer takes "Nadia" for a firm."""
        lasting = lexicon_of("en").past | {"works_at"}
        tied = (tie for tie in ties_of(self._statement) if tie.subject.name == self._statement.subject)
        return any(tie.predicate in lasting for tie in tied)

    def _tells_kin(self) -> bool:
        """Whether it says whose relative somebody is: "Rui is Ada's husband", "Selma has a son", "Ola is the mother of Kim"."""
        people = self._data.words("people")
        _, owned, kin = self._statement.object.rpartition("'s ")
        head = self._object_head()
        if head is None or self._statement.tense != "present":
            return bool(owned and kin in people)
        of = any(self._tree.tokens[i].lower == "of" for i in self._tree.kids(head, "prep"))
        has = (self._verb == "have" or of) and not people.isdisjoint(
            {self._tree.lemma(head), self._tree.tokens[head].lower}
        )
        return has or bool(owned and kin in people)

    def _definite(self, subject: int) -> bool:
        opened = {self._tree.tokens[i].lower for i in self._tree.kids(subject, "det")}
        return (
            ("the" in opened or not opened)
            and self._tree.tokens[subject].pos == "NOUN"
            # "The open day has moved to 21 June" is of the calendar, whatever chats are about otherwise.
            and (
                self._tree.lemma(subject) not in self._data.words("conversation", "nouns")
                or (self._changes() and self._has_date())
            )
        )

    def _names_something(self) -> bool:
        return any(
            token.entity in _NAMING or token.pos in {"NUM", "PROPN"}
            for token in self._tree.tokens[self._clause.begin : self._clause.end]
        )

    # ------------------------------------------------------------------ what others say and think

    def _of_others(self) -> str:
        """Refuse reports, and opinions of others; an opinion of the user is judged by whom it is about."""
        below = self._tree.kid(self._clause.verb, "ccomp")
        if self._diagnoses() or self._ends():
            return ""
        says = self._lemma in self._data.words("verbs", "say") | {"go"}  # 'She goes "we're a family"'
        if says and not self._by_user() and self._quotes():
            return SAID_BY_OTHER
        if below is None or below < self._clause.verb:
            reports = (
                self._lemma in self._data.words("verbs", "say") - {"read", "write", "hear"} and not self._by_user()
            ) and verb_key(self._statement.predicate) not in lexicon_of("en").states  # "Peter reports to Alma"
            return SAID_BY_OTHER if reports and self._statement.attribute not in CARE else ""
        if self._clause.subject is not None and not self._says(self._clause.subject):
            return SAID_BY_OTHER  # "my horoscope says that I ..."
        inner = self._tree.kid(below, "nsubj", "nsubjpass", "expl")
        of_self = inner is not None and self._tree.tokens[inner].lower in self._data.words("persons", "self", "group")
        if self._lemma in self._data.words("verbs", "need") and inner is not None:
            for_task = self._tree.tokens[inner].lower in self._data.words("persons", "pointing", "listener")
            return "task at hand" if for_task else ""
        opines = self._lemma in self._data.words("verbs", "opine")
        if self._lemma in self._data.words("verbs", "say") and not of_self:
            return SAID_BY_OTHER
        if opines and not self._by_user():
            return THOUGHT_BY_OTHER
        if opines or (self._lemma in self._data.words("verbs", "converse") and self._by_user()):
            return (
                ""
                if of_self and opines and self._tree.kid(below, "dobj", "attr", "prep", "acomp") is not None
                else "remark on the answer"
            )
        return ""

    def _diagnoses(self) -> bool:
        """Whether somebody in medicine says what it is: "the physio says it's a herniated disc"."""
        tree, subject = self._tree, self._clause.subject
        below = tree.kid(self._clause.verb, "ccomp")
        medic = subject is not None and tree.lemma(subject) in self._data.words("care", "medics")
        if below is None or not medic:
            return False
        told, it = tree.kid(below, "attr"), tree.kid(below, "nsubj")
        named = told is not None and tree.tokens[told].pos in {"NOUN", "PROPN"}
        return named and it is not None and tree.tokens[it].lower == "it"

    def _quotes(self) -> bool:
        """Whether somebody's own words are given: 'He wrote: "I got fired"'."""
        after = self._tree.tokens[self._clause.verb + 1 : self._tree.end]
        return any(token.text in {":", '"', "\u201c", "\u201d", "``", "''"} for token in after)

    def _says(self, subject: int) -> bool:
        """Whether a subject can know what it says: somebody, where the verb is one of saying."""
        if self._lemma not in self._data.words("verbs", "say"):
            return True
        token = self._tree.tokens[subject]
        return token.pos in {"PRON", "PROPN"} or self._tree.lemma(subject) in self._data.words("people")

    def _by_user(self) -> bool:
        subject = self._clause.subject
        return subject is None or self._tree.tokens[subject].lower in self._data.words("persons", "self", "group")

    # ------------------------------------------------------------------ the conversation itself

    def _of_conversation(self) -> str:
        if self._statement.attribute in CARE:
            return ""
        head = self._object_head()
        nouns = self._data.words("conversation", "nouns")
        if has_taste(self._clause, self._statement):
            return ""
        if head is not None and self._by_user():
            lemma, called = self._tree.lemma(head), self._tree.phrase(head).lower()
            yours = any(self._tree.tokens[i].lower == "your" for i in self._tree.kids(head, "poss"))
            own = any(self._tree.tokens[i].lower in {"my", "our"} for i in self._tree.kids(head, "poss"))
            made_of = {
                self._tree.lemma(i)
                for p in self._tree.kids(head, "prep")
                for i in self._tree.below(p)
                if self._tree.kid(i, "poss") is None  # "for my phone plan"
            }
            code = (
                self._verb == "get" and self._tree.tokens[head].pos == "NUM" and self._tree.tokens[head].dep == "dobj"
            )
            chat = lemma in nouns or code or lemma.endswith(("error", "exception")) or bool(made_of & nouns)
            if yours or (
                chat
                and not (own and (self._has_date() or self._switches() or called in lexicon_of("en").attribute_nouns))
                and not self._recurs()
                and self._tree.tokens[head].pos in {"NOUN", "PROPN", "NUM"}
                and not self._lasting_noun(head)
                and not self._goes_to(head)
            ):
                return "task at hand"
            if lemma in self._data.words("persons", "pointing") and not (
                self._resolved or self._narrowed(head) or self._dated()
            ):
                return "says too little"
        talks = (
            self._lemma in self._data.words("verbs", "converse") and self._tree.kid(self._clause.verb, "prt") is None
        )
        if (
            talks
            and self._by_user()
            and self._statement.modality != "wish"
            and not self._statement.attribute
            and not self._ends()
            and not self._lows & self._data.words("now", "forever")
        ):
            how = self._tree.kid(self._clause.verb, "xcomp")
            return "" if how is not None or self._own_object(head) else "small talk"
        return ""

    def _goes_to(self, head: int) -> bool:
        """Whether it is something that people take part in or gave up: "am taking evening classes", "dropped the Spanish class"."""
        told_apart = self._tree.kids(head, "amod", "compound", "poss")
        taken = self._lemma in self._data.words("verbs", "attend")
        return (taken or self._ends()) and is_event(self._tree.lemma(head)) and bool(told_apart)

    def _dated(self) -> bool:
        """Whether a clause says when or where something was, so that "I saw them in Berlin in 2017" tells something."""
        wished = self._statement.modality == "wish"
        return bool(self._statement.qualifiers.begins) and self._names_something() and not wished

    def _own_object(self, head: int | None) -> bool:
        """Whether what is seen, tried or got is somebody's own, named, or no thing of chats: "I check my blood sugar"."""
        if head is None:
            return False
        own = any(self._tree.tokens[i].lower in {"my", "our"} for i in self._tree.kids(head, "poss"))
        own = own or self._tree.lemma(head) in self._data.words("people")  # "I'm seeing a therapist"
        named = any(
            self._tree.tokens[i].entity in _NAMING - {"product", "organisation"} for i in self._tree.below(head)
        )
        purpose = self._lemma == "see" and self._statement.qualifiers.manner.startswith(("for my ", "for our "))
        purpose = purpose and self._tree.tokens[head].pos == "PROPN"  # "see Dr Pahl for my back"
        return own or named or purpose or bool(self._statement.qualifiers.time)

    def _narrowed(self, head: int) -> bool:
        """Whether a word that names nothing is told apart by what follows: "anything with nuts", "someone from Ghent"."""
        if self._tree.kids(head, "prep", "relcl", "acl"):
            return True
        some = self._tree.tokens[head].lower in {"anything", "something", "nothing", "everything"}
        after = range(head + 1, self._clause.end)
        wished = self._statement.modality == "wish" or "rather" in self._lows
        what = {"NOUN", "PROPN"} if wished else {"NOUN", "PROPN", "ADJ"}
        return some and any(self._tree.tokens[i].pos in what for i in after)

    def _lasting_noun(self, head: int) -> bool:
        """Whether a thing of which chats are made is the user's own for longer: it is named or dated."""
        below = self._tree.below(head)
        plan = self._statement.predicate == "be on" and any(self._tree.tokens[i].pos == "PROPN" for i in below)
        return (
            plan  # "I'm on the Spotify family plan"
            or any(self._tree.tokens[i].entity in {"person", "place", "date"} for i in below)
            or self._statement.attribute != ""
        )

    def _object_head(self) -> int | None:
        verb = self._clause.verb
        head = next(iter(self._clause.inside("dobj", "attr", "oprd")), None)
        if head is not None:
            return head
        inner = self._tree.kid(verb, "xcomp", "ccomp")
        if inner is not None:
            return self._tree.kid(inner, "dobj", "nsubj") if self._tree.is_verb(inner) else inner
        prep = next((p for p in self._tree.kids(verb, "prep") if p > verb), None)
        return self._tree.kid(prep, "pobj") if prep is not None else None

    # ------------------------------------------------------------------ what passes

    def _passing(self) -> str:
        tree, data = self._tree, self._data
        if self._statement.attribute in CARE:
            return ""  # "I'm fasting"
        acomp = tree.kid(self._clause.verb, "acomp")
        if acomp is None and self._lemma in {"be", "'m"}:
            acomp = (
                tree.kid(self._clause.verb, "advmod") if tree.kid(self._clause.verb, "attr", "prep") is None else None
            )
        if (
            acomp is not None
            and self._verb in _COPULAS
            and {tree.lemma(acomp), tree.tokens[acomp].lower} & data.words("now", "adjectives")
        ):
            since = any(tree.tokens[i].lower == "since" for i in self._clause.inside("prep"))  # no passing one
            narrowed = (
                since
                or bool(self._statement.qualifiers.begins)
                or (bool(tree.kids(acomp, "prep", "xcomp")) and tree.lemma(acomp) in data.words("now", "lasting"))
            )
            thing = self._subject.own and self._subject.name != USER and tree.lemma(acomp) in {"bad", "terrible"}
            if not narrowed and not thing:  # "My sight's bad"
                return "passing state"
        state = self._statement.predicate.split(" ")
        if (
            state[0] in _COPULAS
            and len(state) == 2
            and state[1] in data.words("now", "adjectives")
            and not self._statement.object
        ):
            return "passing state"
        before = {
            i for kid in self._clause.inside("advcl") for i in tree.below(kid)
        }  # "Stepped on the scale today, I'm ..."
        when = {tree.tokens[i].lower for i in tree.below(self._clause.verb) if i not in before}
        if self._verb == "be" and when & {"today", "tonight"} and self._statement.tense == "present":
            return "of the moment"
        progressive = tree.tokens[self._clause.verb].tag == "VBG" and self._lows & {
            "am",
            "'m",
            "are",
            "'re",
            "is",
            "'s",
        }
        lasts = lexicon_of("en").tells(self._statement.predicate)  # "I'm living in Riga now"
        if (
            progressive
            and not lasts
            and self._lows & {"now"}
            and not self._statement.qualifiers.time.replace("now", "").strip(" ,")
            and not any(token.entity == "place" for token in tree.tokens[self._clause.begin : self._clause.end])
        ):  # "We're now looking for a house in Delft" goes on for months
            return "of the moment"
        bare = not self._statement.object and self._statement.qualifiers == Qualifiers()
        if progressive and bare and self._by_user() and self._statement.modality == "fact":
            return "of the moment"  # "I'm dying"
        return ""

    # ------------------------------------------------------------------ wishes, plans and doubts

    def _unsure(self) -> str:
        lows = self._lows
        likes = (self._verb in self._data.words("verbs", "like") and self._by_user()) or "rather" in lows
        if self._statement.attribute in CARE and not self._by_user():
            return ""  # "Peanuts could kill me"
        if self._statement.modality == "possible":
            return "not decided"
        tree, clause = self._tree, self._clause
        beside = {
            i for kid in clause.inside("conj") for i in tree.below(kid)
        }  # "I weigh 94 kilos and would like to lose some"
        helps = {tree.tokens[i].lower for i in range(clause.begin, clause.end) if i not in beside}
        if helps & {"would", "'d"} and not likes:
            return HYPOTHETICAL
        if self._by_user() and self._statement.modality in {"wish", "plan"}:
            return "" if self._lasting_aim() else "of the moment"
        return ""

    def _lasting_aim(self) -> bool:
        """Whether what is wanted or planned is more than the next step: it is dated, placed, of somebody, or of its own sort."""
        narrowed = self._statement.qualifiers
        if narrowed.time or narrowed.company or narrowed.begins or self._names_something():
            return True
        ofs = (self._tree.kid(i, "pcomp") for i in self._clause.inside("prep"))  # "am thinking of moving"
        inner = self._tree.kid(self._clause.verb, "xcomp") or next(filter(None, ofs), None)
        if inner is not None and self._tree.is_verb(inner):
            own = any(self._tree.tokens[i].lower in {"my", "our"} for i in self._tree.below(inner))
            got = self._tree.kid(inner, "dobj") if self._tree.lemma(inner) == "get" else None
            told = self._data.words("conversation", "nouns") | self._data.words("persons", "pointing")
            own = own or (got is not None and not self._requesting and self._tree.lemma(got) not in told)
            becomes = self._tree.kid(inner, "acomp") is not None  # "of going freelance"
            return own or becomes or self._tree.lemma(inner) not in self._data.words("verbs", "moment", "converse")
        head = self._object_head()
        if self._statement.modality == "plan" and self._lemma in self._data.words("verbs", "moment", "converse"):
            return False
        return not self._requesting and head is not None and self._tree.tokens[head].pos in {"NOUN", "PROPN"}

    # ------------------------------------------------------------------ what says nothing

    def _points(self) -> bool:
        """Whether the object is "it" or "him" and nobody could tell what or whom: "We signed it on Monday"."""
        data = self._data
        singular = data.words("persons", "she", "he") | {"it", "this", "that"}
        filled = self._clause.inside("xcomp", "ccomp")  # "I find it hard to sleep"
        return self._resolved is None and self._statement.object.lower() in singular and not filled

    def _thin(self) -> str:
        statement = self._statement
        if self._tree.tokens[self._clause.verb].tag == "MD":
            return "says too little"  # "I can't even"
        if self._diagnoses() or statement.attribute == "pronouns":
            return ""
        if self._points() and statement.attribute not in CARE:
            return "says too little"
        if statement.attribute or statement.object:
            only = self._object_head()
            if (
                only is not None
                and self._tree.lemma(only) in self._data.words("persons", "pointing")
                and not (self._resolved or self._names_something())
            ):
                told = self._narrowed(only) or statement.attribute in CARE
                return "" if told else "says too little"
            return ""
        q = statement.qualifiers
        if (
            q.time
            or q.place
            or q.company
            or q.amount
            or q.manner
            or statement.ended
            or statement.predicate not in _EMPTY
        ):
            over = self._ends() and not self._by_user()  # "the trip is off"
            return "" if over or self._names_self_doing() else "says too little"
        return "" if self._person_does_not() else "says too little"

    def _person_does_not(self) -> bool:
        """Whether somebody of the user's fails to do something: "My brother doesn't help"."""
        subject = self._clause.subject
        people = self._data.words("people") - self._data.words("people", "animals")
        return subject is not None and not self._statement.holds and self._tree.lemma(subject) in people

    def _names_self_doing(self) -> bool:
        """Whether a verb without an object tells something by itself: "I can't drive", "My wife smokes"."""
        left = self._statement.ended and self._tree.kid(self._clause.verb, "prt") is not None
        if left and self._statement.tense == "present" and self._statement.qualifiers == Qualifiers():
            return False  # "I give up"
        if self._clause.subject is None and self._clause.tags() == {"VBD"} and not self._statement.ended:
            return self._statement.qualifiers != Qualifiers()  # "ok, added"
        return self._lemma not in self._data.words("verbs", "converse")
