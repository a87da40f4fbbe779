"""Turns a clause into a statement: subject, predicate, object, and qualifiers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from memdesk.domain.comparing.lexicon import is_event, lexicon_of, verb_key
from memdesk.domain.items.statement import USER, Qualifiers, Statement, Tense, noon
from memdesk.domain.language.data import LanguageData, is_role, language_data
from memdesk.domain.language.numbers import ORDINALS
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.attributes import attribute_of, pronouns_told
from memdesk.domain.reading.clause import SUBJECTS, Clause
from memdesk.domain.reading.clauses import is_of_nobody
from memdesk.domain.reading.discourse import Mention
from memdesk.domain.reading.objects import AROUND, is_time, leads, object_of, object_words, trait_of
from memdesk.domain.reading.predicates import (
    changes,
    has_ended,
    is_copula,
    is_ending,
    is_of_none,
    main_verb,
    modality_of,
    no_longer,
    particle,
    tense_of,
    verb_words,
)
from memdesk.domain.reading.qualifiers import leads_to_day, qualifiers_of
from memdesk.domain.reading.subjects import UNKNOWN, Named, Naming

#: Words before the value that is replaced.
_INSTEAD: Final = (("instead", "of"), ("rather", "than"), (",", "not"))


@dataclass(frozen=True, slots=True)
class Read:
    """A statement with its subject's referent."""

    statement: Statement
    subject: Named
    #: the referent of an object pronoun, with its token; None if there is none, or it is unclear.
    known_object: tuple[int, Mention] | None = None
    #: whether its subject is the speaker's only if it was mentioned before.
    tentative: bool = False


@dataclass(slots=True)
class _Said:
    """Who does what, while being read."""

    subject: Named
    predicate: str
    #: the head of the object, and the preposition to it.
    head: int | None
    via: int | None
    tense: Tense
    #: the object's.
    words: str = ""


class StatementReader:
    """Reads clauses of one turn.

    Args:
        naming: resolves who is who.
        day: when it was said.
    """

    def __init__(self, naming: Naming, day: date) -> None:
        self._naming = naming
        self._day = day
        self._data: LanguageData = language_data("en")

    def read(self, clause: Clause) -> Read:
        """Return what a clause states; the subject of an order is the listener."""
        quote = clause.text()
        clause, replaced = _without_former(clause)
        verb = main_verb(clause)
        said = self._said(clause, verb)
        narrowed = qualifiers_of(clause, verb, said.head, said.via, self._naming, self._day)
        known = self._known_object(clause, said.head, said.predicate, narrowed)
        if known is not None:
            said.words = known[1].name
        self._done_to_speaker(clause, verb, said, narrowed)
        ended, denied = has_ended(clause, said.predicate), _is_denied(clause, verb, said.head)
        if denied and verb_key(said.predicate) in lexicon_of("en").occurs and not said.words:
            said.predicate, denied, ended = "be off", False, True  # "the trip isn't happening"
        if said.predicate == "give" and said.head is not None and _handed_over(clause, verb, said.head):
            said.predicate, ended = "give away", True
        since = self._since(clause, verb) if ended and said.words and not replaced else None
        if since is not None:
            said, replaced, ended = since, said.words, False
        used_to = clause.tree.lemma(clause.verb) == "use" and verb != clause.verb
        statement = Statement(
            subject=said.subject.name,
            predicate=said.predicate,
            object=said.words,
            attribute=attribute_of(clause, said.predicate, said.words, said.head),
            holds=not denied and not used_to and not no_longer(clause),
            ended=ended or used_to,
            modality=modality_of(clause, said.predicate),
            tense=said.tense,
            qualifiers=narrowed,
            speaker=USER,
            said_at=noon(self._day),
            quote=quote,
            language="en",
            replaces=replaced,
        )
        return Read(statement, said.subject, known)

    def _said(self, clause: Clause, verb: int) -> _Said:
        """Return who does what, in active or passive form."""
        tree = clause.tree
        said = _Said(self._subject(clause), *_predicate(clause, verb), tense_of(clause))
        put = self._put(clause, verb, said.head)
        if put is not None:  # "my doctor put me on sertraline", "they took Dad off it"
            said.subject, said.via, said.head = put
            prep = tree.tokens[said.via].lower.removesuffix("to")  # "onto"
            said.predicate, said.tense = f"be {'in' if leads(tree, said.via) else prep}", "present"
        caused = _caused(clause, verb)
        if caused is not None:
            said.predicate, said.head = caused
        suffered = _suffered(clause, verb, said.head)
        if suffered is not None:
            said.subject = Named(USER, own=True)
            said.predicate, said.head = suffered
        said.words = pronouns_told(clause) or object_words(clause, said.head, said.subject, self._naming)
        state = said.via is None and is_copula(tree.lemma(verb))
        if state and said.head is not None and tree.tokens[said.head].pos in {"ADJ", "VERB"}:
            said.predicate, said.words, said.head = trait_of(clause, verb, said.head, said.words, self._naming)
        return said

    def _since(self, clause: Clause, verb: int) -> _Said | None:
        """Return what somebody ended something for, if it gives an attribute: "quit nursing to become a teacher"."""
        aim = _aim(clause, verb)
        said = self._said(clause, aim) if aim is not None else None
        return said if said is not None and attribute_of(clause, said.predicate, said.words, said.head) else None

    def _done_to_speaker(self, clause: Clause, verb: int, said: _Said, narrowed: Qualifiers) -> None:
        """Make the speaker the subject of actions on what is theirs: "They moved my appointment"."""
        tree, selves = clause.tree, self._data.words("persons", "self", "group")
        raised = said.predicate.endswith((" up", " down")) and narrowed.place.startswith("to ")
        theirs = said.words.startswith(f"{USER}'s ") or _is_the_event(tree, said.head)
        if not said.subject.own and theirs and (changes(said.predicate) or raised):
            said.subject, said.words = Named(USER, own=True), said.words.removeprefix(f"{USER}'s ")
        left = said.predicate.removesuffix(" on")
        if not said.subject.own and left != said.predicate and said.words.lower() in selves and is_ending(left):
            said.subject = Named(f"{USER}'s {said.subject.name.lower()}", own=True)  # "the builders canceled on us"
            said.predicate, said.words, said.head = left, "", None
        moved = said.head is not None and tree.tokens[said.head].lower in selves and leads_to_day(clause, verb)
        if moved and clause.subject is not None and changes(said.predicate.removesuffix(" to")):
            whose = tree.words(tree.below(clause.subject))
            said.words = re.sub(r"^(?:my|our|the) ", "", whose, flags=re.IGNORECASE)
            said.subject = Named(USER, own=True)

    def _subject(self, clause: Clause) -> Named:
        if clause.mood == "order":
            return Named("assistant", own=True)
        if clause.subject is None:
            return self._dropped(clause)
        token = clause.tree.tokens[clause.subject]
        if token.dep == "expl":
            inner = clause.lowers() & self._data.words("persons", "self", "group")
            return Named(self._naming.name(clause.tree, clause.subject).name or USER, own=True) if inner else UNKNOWN
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
        """Return the subject if "I" is left out: "Went to Porto"."""
        tags = clause.tags()
        # "Beat a master last year", "Hate the commute"
        told = tags & {"VBD", "VBG", "VBN"} or (clause.mood == "statement" and ("MD" in tags or tags <= {"VB", "VBP"}))
        what = clause.tree.kid(clause.verb, "attr") if clause.tree.lemma(clause.verb) == "be" else None
        thing = what is not None and tags <= {"VBD", "VBZ"} and not clause.tree.kids(what, "det")  # "was Python before"
        thing = thing or (clause.tree.tokens[clause.verb].lower == "been" and is_of_nobody(clause.tree, clause.verb))
        return Named(USER, own=True) if told and not thing else UNKNOWN

    def _put(self, clause: Clause, verb: int, head: int | None) -> tuple[Named, int, int] | None:
        """Return person, preposition and noun of "put me on the late shift", which says that they are on it."""
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
            one = one and somebody and (leads(tree, inner) or tree.tokens[inner].lower == "in")
            one = one and not is_time(clause, inner) and noun is not None and tree.tokens[noun].pos == "NOUN"
            if noun is not None and (tree.tokens[inner].lower in among or one):
                return whom, inner, noun  # "moved Dad to ward 11"
        return None

    def _known_object(
        self, clause: Clause, head: int | None, predicate: str, narrowed: Qualifiers
    ) -> tuple[int, Mention] | None:
        """Return the referent of "it" or "them" if the clause says more about it: "I share it with two potters".

        People also say that they like, know and tried an answer: then "it" is the answer, unless the same message named it
        and they like it now.
        """
        first, now = predicate.split(" ", maxsplit=1)[0], "now" in clause.lowers()
        if head is None or first in self._data.words("verbs", "converse", "need") - self._data.words("verbs", "like"):
            return None
        liked = first in self._data.words("verbs", "like")
        if clause.mood != "statement" or (liked and not now):
            return None
        token = clause.tree.tokens[head]
        said_more = narrowed.time or narrowed.company or clause.lowers() & {"once", "twice"}
        named = any(clause.tree.tokens[i].pos == "PROPN" for i in clause.inside("oprd"))  # "we called it Petrel"
        if token.pos != "PRON" or not (said_more or narrowed.place or named or now):
            return None
        mention = self._naming.name(clause.tree, head).mention
        if mention is not None and liked and mention.turn_id != self._naming.turn_id:
            return None
        if mention is None or (not said_more and mention.noun in self._data.words("conversation", "nouns")):
            return None  # "I have a file, I opened it in Excel"
        return (head, mention) if self._naming.is_fresh(mention) else None


def _predicate(clause: Clause, verb: int) -> tuple[str, int | None, int | None]:
    """Return a clause's predicate, the head of the object, and the preposition to it."""
    tree, prt = clause.tree, particle(clause, verb)
    predicate = verb_words(clause, verb)
    if prt is not None:
        predicate = f"{predicate} {tree.tokens[prt].lower}".lstrip()
    head, via = object_of(clause, verb)
    told = tree.kid(head, "attr") if head is not None and tree.lemma(head) in {"be", "become"} else None
    if told is not None and f"{predicate} as" in language_data("en").attributes:
        predicate, head = f"{predicate} as", told  # "am training to be a nurse"
    if via is None or head is None:
        return predicate, head, via
    over = tree.tokens[via].head  # "is down to 78 kilos"
    beside = over not in {prt, verb} and tree.tokens[over].lower in AROUND
    degree = f"{tree.tokens[over].lower} " if beside else ""
    return f"{predicate} {degree}{tree.tokens[via].lower}", head, via


def _is_denied(clause: Clause, verb: int, head: int | None) -> bool:
    tree = clause.tree
    not_to = verb != clause.verb and tree.kid(verb, "neg") is not None  # "decided not to buy a house"
    none = head is not None and any(tree.tokens[i].lower == "no" for i in tree.kids(head, "det"))  # "no siblings"
    return bool(clause.inside("neg")) or not_to or none or is_of_none(clause)


def _is_the_event(tree: Tree, head: int | None) -> bool:
    """Whether it is an event that its participants call so: "the exam"."""
    opened = {tree.tokens[i].lower for i in tree.kids(head, "det")} if head is not None else set()
    return head is not None and opened == {"the"} and is_event(tree.lemma(head))


def _without_former(clause: Clause) -> tuple[Clause, str]:
    """Cut "instead of Tuesdays" and ", not Monday" off a clause, and return the replaced value.

    A purpose stays: "a Fairphone to replace my old phone".
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


def _aim(clause: Clause, verb: int) -> int | None:
    """Return the verb of what somebody ended something for: "quit nursing to become a teacher"."""
    tree = clause.tree
    below = (i for i in tree.kids(verb, "xcomp", "advcl") if verb < i < clause.end)
    return next((i for i in below if any(tree.tokens[kid].tag == "TO" for kid in tree.kids(i, "aux"))), None)


def _caused(clause: Clause, verb: int) -> tuple[str, int] | None:
    """Return "let go" and the caravan of "let the caravan go", if that ends something: one verb around its object."""
    tree = clause.tree
    below = tree.kid(verb, "ccomp")
    what = tree.kid(below, "nsubj", "nsubjpass") if below is not None and below < clause.end else None
    if below is None or what is None or tree.tokens[what].pos not in {"NOUN", "PROPN"}:
        return None
    if any(not is_time(clause, i) for i in tree.kids(below, "prep", "dobj", "xcomp")):
        return None  # "let my son go to the party"
    particles = (tree.tokens[i].lower for i in tree.kids(below, "prt"))
    done = " ".join((tree.lemma(verb), tree.tokens[below].lower, *particles))
    return (done, what) if verb_key(done) in lexicon_of("en").endings else None


def _suffered(clause: Clause, verb: int, head: int | None) -> tuple[str, int | None] | None:
    """Return "be fired from" and the bakery of "they fired me from the bakery", if it affects the person."""
    tree, lexicon = clause.tree, lexicon_of("en")
    selves, whom, who = language_data("en").words("persons", "self", "group"), tree.kid(verb, "dative"), clause.subject
    given = whom is not None and tree.tokens[whom].lower in selves and tree.lemma(verb) in {"give", "offer", "get"}
    if given and who is not None and tree.tokens[who].lower == "they":
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


def _handed_over(clause: Clause, verb: int, head: int) -> bool:
    """Whether somebody received what was the speaker's: "gave the hens to my cousin"."""
    tree = clause.tree
    opened = {tree.tokens[i].lower for i in tree.kids(head, "det", "poss")} & {"the", "my", "our"}
    to = any(tree.tokens[i].lower == "to" for i in tree.kids(verb, "prep", "dative"))
    return bool(opened) and to and tense_of(clause) == "past"
