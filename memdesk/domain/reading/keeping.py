"""Which clauses are kept: none that by its structure is a question, an order, a supposition, a story or a report.

Of the rest those that last, which is a matter of degree: :mod:`durability`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from memdesk.domain.comparing.lexicon import lexicon_of, verb_key
from memdesk.domain.items.statement import Statement
from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.data import LanguageData, is_role, language_data
from memdesk.domain.language.text import one_line
from memdesk.domain.reading.care import CARE, INSTRUCTION
from memdesk.domain.reading.clause import Clause
from memdesk.domain.reading.durability import LEAST, Judge, around
from memdesk.domain.reading.habits import HABITUAL
from memdesk.domain.reading.standing import is_standing
from memdesk.domain.reading.statements import Read

SAID_BY_OTHER: Final = "says what another said"
THOUGHT_BY_OTHER: Final = "opinion of another"
HYPOTHETICAL: Final = "hypothetical"
FICTION: Final = "fiction"
REMARK: Final = "remark on the answer"
NO_VALUE: Final = "gives no value"
SMALL_TALK: Final = "small talk"
PASSING_STATE: Final = "passing state"
#: Probability from which a sentence gives one of :data:`CARE` and is kept for that, and from which it gives an instruction.
CAREFUL, INSTRUCTS = 0.6, 0.9
#: How likely an instruction lasts at least: an order for a moment must not become one for good. Of 4,000 sentences of real chats with an
#: assistant 31 are taken for instructions.
STANDING: Final = 0.2
#: Why a clause that is the user's own is left out all the same.
PASSES: Final = "of the moment"
#: Reasons why a clause is not the user's own.
OF_OTHERS: Final = frozenset({SAID_BY_OTHER, THOUGHT_BY_OTHER})
#: Reasons why a sentence is not kept in its speaker's own words either.
NOT_SO: Final = OF_OTHERS | {FICTION, HYPOTHETICAL, REMARK, NO_VALUE, PASSING_STATE}
#: Relations of what, whose, where or how somebody or something is.
_VALUES: Final = ("attr", "acomp", "oprd", "prep", "xcomp", "ccomp")


class Keeper:
    """Decides what is kept of one turn to an assistant.

    Args:
        judge: estimates what lasts; without it everything is kept that structure does not exclude.
        question: what the assistant just asked; empty if nothing.
    """

    def __init__(self, judge: Judge | None, question: str) -> None:
        self._judge = judge
        self._question = question

    @property
    def has_judge(self) -> bool:
        return self._judge is not None

    def why_not(self, clause: Clause, read: Read) -> str:
        """Return why a clause that states ``read`` is not kept, in two or three words; empty if it is."""
        structure = _Structure(clause, read)
        reason = structure.reason()
        if reason or structure.must_stay() or self.lasts(clause.tree.analysis, clause.begin, clause.end):
            return reason
        return PASSES

    def lasts(self, analysis: Analysis, begin: int, end: int) -> bool:
        """Return whether tokens ``begin`` to ``end`` are worth remembering in a month."""
        return self._lasting(analysis, begin, end) >= LEAST

    def care(self, analysis: Analysis, begin: int, end: int) -> str:
        """Return which of :data:`CARE` the tokens give, empty if that is not likely."""
        if self._judge is None:
            return ""
        text = one_line(analysis.piece(begin, end))
        care = likeliest(self._judge.care(text))
        # "When I ask you something, do you always use the web?"
        passes = care == INSTRUCTION and (text.endswith("?") or self._lasting(analysis, begin, end) < STANDING)
        return "" if passes else care

    def _lasting(self, analysis: Analysis, begin: int, end: int) -> float:
        if self._judge is None:
            return 1.0
        return self._judge.lasting(one_line(analysis.piece(begin, end)), around(analysis, begin, end, self._question))


def likeliest(odds: Mapping[str, float]) -> str:
    """Return the likeliest of :data:`CARE`, empty if it is not likely enough."""
    care, likely = max(odds.items(), key=lambda one: one[1], default=("", 0.0))
    return care if likely >= (INSTRUCTS if care == INSTRUCTION else CAREFUL) else ""


class _Structure:
    def __init__(self, clause: Clause, read: Read) -> None:
        self._clause, self._tree = clause, clause.tree
        self._read = read
        self._statement: Statement = read.statement
        self._data: LanguageData = language_data("en")
        self._verb = self._statement.predicate.split(" ")[0]
        self._lemma = self._tree.lemma(clause.verb)
        self._lows = clause.lowers()

    def must_stay(self) -> bool:
        """Whether a clause states an illness or danger of somebody in person: not "the customer has a nut allergy"."""
        tree, subject = self._tree, self._clause.subject
        if self._diagnoses():
            return True
        if self._statement.attribute not in CARE:
            return False
        if self._read.subject.own or subject is None or self._lows & self._data.words("persons", "self", "group"):
            return True
        if tree.tokens[subject].dep == "expl":
            return "family" in self._lows  # "There's a family history of glaucoma"
        someone = tree.tokens[subject].pos in {"PROPN", "PRON"} and not tree.kids(subject, "nummod")
        return someone and bool(self._read.subject.name)

    def reason(self) -> str:
        """Return why the clause is not the user's own statement; empty if it is."""
        if self._clause.mood == "question":
            return "question"
        if self._clause.mood == "supposition":
            return HYPOTHETICAL
        if self._is_invented():
            return FICTION
        if self._clause.mood == "order" and self._lemma == "thank":
            return SMALL_TALK
        if self._clause.mood == "order":
            return "" if is_standing(self._clause, holds=self._statement.holds) else "request"
        return (
            self._of_answer()
            or self._of_others()
            or self._unsure()
            or self._points()
            or self._shows()
            or self._passes()
        )

    def _shows(self) -> str:
        """Refuse clauses that only say when something is, or that it is here: not "Gold's is where I lift"."""
        opening = {token.lower for token in self._tree.tokens[self._clause.begin : self._clause.verb]}
        bare = self._lemma in {"be", "'s"} and not self._clause.inside(*_VALUES, "aux", "auxpass")
        told = (i for kid in self._clause.inside("advcl") for i in self._tree.kids(kid, "advmod"))
        subject = [] if self._clause.subject is None else self._tree.below(self._clause.subject)
        tokens = (self._tree.tokens[i] for i in subject)
        named = any(token.pos in {"PROPN", "NUM"} or token.entity for token in tokens)
        timed = not named and any(self._tree.tokens[i].lower in {"when", "where"} for i in told)
        return NO_VALUE if bare and ("here" in opening or timed) else ""

    def _passes(self) -> str:
        """Refuse waiting or riding somewhere, and late trains and buses, but not "I'm a cook on a ferry"."""
        tree, clause = self._tree, self._clause
        lasts = not clause.tags().isdisjoint({"VBD", "MD"}) or clause.inside("attr", "dobj") or self._recurs()
        if clause.subject is None or lasts:
            return ""
        rides, late = self._data.words("now", "rides"), self._data.words("now", "late")
        told = [clause.verb, *(i for i in clause.inside("acomp") if tree.tokens[i].lower in late)]
        held = any(tree.tokens[i].lower in late for i in told)
        if tree.lemma(clause.subject) in rides:
            return PASSING_STATE if held else ""
        named = {
            i
            for i in range(clause.begin, clause.end)
            if tree.tokens[i].dep == "pobj" and tree.tokens[i].pos in {"NOUN", "PROPN"}
        }
        at = {noun for i in told for prep in tree.kids(i, "prep") for noun in tree.kids(prep, "pobj")}
        places = {
            i
            for i in named
            if tree.tokens[i].tag == "NN"
            and tree.lemma(i) in self._data.words("now", "rides", "waits")
            and not tree.kids(i, "nummod")  # "I'm on the 8.15 train" tells which
        }
        times = {i for i in named if tree.lemma(i) in self._data.words("now", "units", "times") | {"moment"}}
        here = bool(at & places) and named == places | times  # not "on the bus home from the bakery"
        stays = held or self._lemma in self._data.words("now", "stays")
        return PASSING_STATE if here and stays and tree.tokens[clause.subject].tag == "PRP" else ""

    def _recurs(self) -> bool:
        """Whether it says how often: "every day", "on Mondays", "five times a week"."""
        said = self._tree.tokens[self._clause.begin : self._clause.end]
        weekly = any(
            token.entity == "date" and token.lower.endswith("days") and token.lower != "days" for token in said
        )
        return weekly or bool(self._lows & (HABITUAL | {"times"}))

    def _of_answer(self) -> str:
        """Refuse statements about the assistant and its answers: "You are Holmes", "I don't like your examples"."""
        tree, listener = self._tree, self._data.words("persons", "listener")
        subject, head = self._clause.subject, next(iter(self._clause.inside("dobj", "attr", "oprd")), None)
        spoken_to = subject is not None and tree.tokens[subject].lower in listener
        theirs = head is not None and any(tree.tokens[i].lower in listener for i in tree.kids(head, "poss"))
        helps = [i for i in self._clause.inside("aux") if tree.tokens[i].tag == "MD"]
        told = bool(helps) and subject is not None and subject < helps[0]  # not "can you hear me"
        if spoken_to and told and self._lows & self._data.words("persons", "self", "group"):
            return "says too little"  # "You'll find me at Aldi" tells where the speaker is, in their own words
        return REMARK if spoken_to or theirs else ""

    def _points(self) -> str:
        """Refuse statements about something unnamed: "We signed it on Monday", "gave up, made me grumpy"."""
        done_to = [self._tree.tokens[i].lower for i in self._clause.inside("dobj", "dative")]
        below = self._tree.kid(self._clause.verb, "ccomp")
        done_to += [self._tree.tokens[i].lower for i in (self._tree.kids(below, "nsubj") if below is not None else ())]
        if self._by_user() and not {"me", "us"}.isdisjoint(done_to) and self._clause.mood == "statement":
            return "says too little"  # nobody says "I made me"
        pointing = self._data.words("persons", "she", "he") | {"it", "this", "that"}
        filled = self._clause.inside("xcomp", "ccomp")  # "I find it hard to sleep"
        unknown = self._read.known_object is None and self._statement.object.lower() in pointing and not filled
        return "says too little" if unknown and self._statement.attribute not in CARE else ""

    def _is_invented(self) -> bool:
        """Whether a clause is about something invented: "In my novel I am a beekeeper", "My character is a surgeon"."""
        tree, made = self._tree, self._data.words("conversation", "fiction")
        subject = self._clause.subject
        if subject is not None and tree.lemma(subject) in self._data.words("conversation", "invented"):
            return True
        told = (p for p in self._clause.inside("prep") if p < self._clause.verb and tree.tokens[p].lower == "in")
        return any(tree.lemma(noun) in made for p in told for noun in tree.kids(p, "pobj"))

    def _of_others(self) -> str:
        """Refuse reports and others' opinions; an opinion of the user counts by whom it is about."""
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
            reports = reports and not self._shown()
            return SAID_BY_OTHER if reports and self._statement.attribute not in CARE else ""
        if self._clause.subject is not None and not self._says(self._clause.subject):
            return SAID_BY_OTHER  # "my horoscope says that I ..."
        inner = self._tree.kid(below, "nsubj", "nsubjpass", "expl")
        of_self = inner is not None and self._tree.tokens[inner].lower in self._data.words("persons", "self", "group")
        if self._lemma in self._data.words("verbs", "say") and not of_self:
            return SAID_BY_OTHER
        opines = self._lemma in self._data.words("verbs", "opine")
        return THOUGHT_BY_OTHER if opines and not self._by_user() else ""

    def _shown(self) -> bool:
        """Whether a thing says it, as a form or a dial does: "My contract says 37.5 hours"."""
        tree, subject = self._tree, self._clause.subject
        if subject is None or self._lemma != "say" or is_role(tree.lemma(subject)):
            return False  # not "the fella told me 9"
        return tree.tokens[subject].pos == "NOUN" or tree.tokens[subject].lower == "it"  # not "nobody"

    def _diagnoses(self) -> bool:
        """Whether somebody in medicine gives a diagnosis: "the physio says it's a herniated disc"."""
        tree, subject = self._tree, self._clause.subject
        below = tree.kid(self._clause.verb, "ccomp")
        medic = subject is not None and tree.lemma(subject) in self._data.words("care", "medics")
        if below is None or not medic:
            return False
        told, it = tree.kid(below, "attr"), tree.kid(below, "nsubj")
        named = told is not None and tree.tokens[told].pos in {"NOUN", "PROPN"}
        return named and it is not None and tree.tokens[it].lower == "it"

    def _quotes(self) -> bool:
        """Whether somebody is quoted: 'He wrote: "I got fired"'."""
        after = self._tree.tokens[self._clause.verb + 1 : self._tree.end]
        return any(token.text in {":", '"', "\u201c", "\u201d", "``", "''"} for token in after)

    def _says(self, subject: int) -> bool:
        """Whether a subject can know what it says: a person, with a verb of saying."""
        if self._lemma not in self._data.words("verbs", "say"):
            return True
        token = self._tree.tokens[subject]
        return token.pos in {"PRON", "PROPN"} or self._tree.lemma(subject) in self._data.words("people")

    def _by_user(self) -> bool:
        subject = self._clause.subject
        return subject is None or self._tree.tokens[subject].lower in self._data.words("persons", "self", "group")

    def _ends(self) -> bool:
        """Whether it says that something no longer takes place."""
        said = verb_key(self._statement.predicate)
        return not {said, said.removeprefix("be ")}.isdisjoint(lexicon_of("en").endings)

    def _unsure(self) -> str:
        lows = self._lows
        likes = (self._verb in self._data.words("verbs", "like") and self._by_user()) or "rather" in lows
        if self._statement.attribute in CARE and not self._by_user():
            return ""  # "Peanuts could kill me"
        if self._statement.modality == "possible":
            return "not decided"
        tree, clause = self._tree, self._clause
        beside = {
            i for kid in clause.inside("conj", "advcl") for i in tree.below(kid)
        }  # "I weigh 94 kilos and would like to lose some", "we moved because nobody would help"
        helps = {tree.tokens[i].lower for i in range(clause.begin, clause.end) if i not in beside}
        return HYPOTHETICAL if helps & {"would", "'d"} and not likes else ""
