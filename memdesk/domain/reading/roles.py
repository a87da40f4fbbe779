"""Checks that a line agrees with what was said on who does what to whom, who owns what, and what is so.

The same words may say the opposite: "Jonas sold the user a Vespa" has all of "I sold Jonas my Vespa". So each word of
the line is looked up in the parse of what was said, and must have the same people in the same roles there.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.data import language_data
from memdesk.domain.language.text import content_words, words
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.clause import SUBJECTS
from memdesk.domain.reading.clauses import antecedent
from memdesk.domain.reading.grounding import lemma

#: Somebody unknown behind a pronoun: neither of the two who speak.
_SOMEBODY: Final = frozenset({"*"})
#: Relations of a noun's descriptions, whatever the noun does.
_BESIDE: Final = "amod"
#: Relations of a verb that shares its head's subject, or negation.
_BELOW: Final = frozenset({"xcomp", "advcl", "pcomp", "ccomp"})
_HAVING: Final = frozenset({"have", "own"})
#: Negations that depend on a verb.
_DENYING: Final = frozenset({"never", "anymore", "nobody", "none", "neither"})
_WISHING: Final = frozenset({"would", "'d", "might", "could"})


@dataclass(frozen=True, slots=True)
class Said:
    """Words of somebody to somebody.

    Attributes:
        analysis: of the words.
        speaker, listener: their names in lines.
    """

    analysis: Analysis
    speaker: str
    listener: str


@dataclass(frozen=True, slots=True)
class _Place:
    """A word's role: lemmas of its agent or bearer, of what is acted on, and of the owner; empty if unknown."""

    does: frozenset[str] = frozenset()
    suffers: frozenset[str] = frozenset()
    owners: frozenset[str] = frozenset()
    #: the preposition that leads to it.
    led: str = ""
    #: those of "denied", "over" and "wished" that hold.
    mode: frozenset[str] = frozenset()
    #: ``past``: whether it is in the past; ``had``: whether it is owned.
    past: bool = False
    had: bool = False
    #: whether it is in a subject or an owner, which a negation does not concern.
    opens: bool = False


def borne_out(line: Analysis, said: Sequence[Said]) -> bool:
    """Return whether everything in a line was said so; words that were not said are for others to check.

    Args:
        line: in the third person, parsed.
        said: what it is based on, parsed.
    """
    found: dict[str, list[_Place]] = defaultdict(list)
    speakers = frozenset().union(*(_called(one.speaker) | _called(one.listener) for one in said))
    same = list[frozenset[str]]()
    for one in said:
        reader = _Placing(one.analysis, _called(one.speaker), _called(one.listener))
        for word, place in reader.places():
            found[word].append(place)
        same += reader.same
    wanted = frozenset(map(lemma, content_words(line.text)))
    led = {place.led for places in found.values() for place in places}

    def agrees(place: _Place, other: _Place) -> bool:
        doers = other.does | (other.owners if place.had else frozenset())
        swapped = place.led != other.led and bool(place.led and other.led) and place.led in led
        return (
            _fits(place.does, doers, speakers, same)
            and _fits(place.suffers, other.suffers, speakers, same)
            and _fits(place.owners, other.owners, speakers, same)
            and (place.opens or place.mode == other.mode - ({"over"} if place.past else frozenset()))
            and not swapped
        )

    told = _Placing(line, frozenset(), frozenset()).places()
    return all(any(agrees(place, one) for one in found[word]) for word, place in told if word in wanted & found.keys())


def _called(name: str) -> frozenset[str]:
    return frozenset(lemma(word) for word in words(name) if word != "the")


def _fits(told: frozenset[str], said: frozenset[str], speakers: frozenset[str], same: Sequence[frozenset[str]]) -> bool:
    """Whether people of the line are those of what was said, as far as both are known."""
    if not told or not said:
        return True
    if said >= _SOMEBODY and told - speakers:
        return True
    return not told.isdisjoint(said.union(*(names for names in same if not names.isdisjoint(said))))


class _Placing:
    """Finds the roles of the words of one text, given the names of speaker and listener; a line has neither."""

    def __init__(self, analysis: Analysis, speaker: frozenset[str], listener: frozenset[str]) -> None:
        self._analysis = analysis
        self._tokens = analysis.tokens
        self._speaker, self._listener = speaker, listener
        self._data = language_data("en")
        #: words for the same person: "daughter" and "Emma" of "my daughter Emma".
        self.same: list[frozenset[str]] = []

    def places(self) -> Iterator[tuple[str, _Place]]:
        """Yield each content word as a lemma, with its role."""
        for begin, end in self._analysis.sentences():
            tree = Tree(self._analysis, begin, end)
            for index in range(begin, end):
                if self._tokens[index].pos in {"NOUN", "PROPN", "VERB", "ADJ", "NUM"}:
                    yield lemma(self._tokens[index].text), self._place(tree, index)

    def _place(self, tree: Tree, index: int) -> _Place:
        verb, led, beside, opens = self._climbed(tree, index)
        owners = self._owners(tree, index)
        if verb is None:
            none = frozenset({"denied"}) if self._denies(tree, index) else frozenset[str]()
            asked_of = frozenset() if opens else beside or self._speaker | self._listener
            return _Place(asked_of, owners=owners, led=led, mode=none, opens=opens)
        does, suffers = self._around(tree, verb)
        mode, past = self._mode(tree, verb), self._tokens[verb].tag == "VBD"
        if index == verb:
            return _Place(does, suffers, mode=mode, past=past)
        if self._tokens[index].dep == _BESIDE:
            return _Place(self._who(tree, self._tokens[index].head), owners=owners, mode=mode, past=past)
        told_of = beside if opens else beside | (does or suffers)
        had = tree.lemma(verb) in _HAVING
        return _Place(told_of, owners=owners, led=led, mode=mode, past=past, had=had, opens=opens)

    def _climbed(self, tree: Tree, index: int) -> tuple[int | None, str, frozenset[str], bool]:
        """Return the verb above a word, or None, its preposition, the nouns between, and whether it is in a subject."""
        top, led, beside, opens = index, "", frozenset[str](), False
        while not self._is_verb(tree, top):
            head = self._tokens[top].head
            if head == top or not tree.begin <= head < tree.end:
                return None, led, beside, opens
            if self._tokens[top].dep == "poss":
                return None, led, frozenset(), True
            opens = self._tokens[top].dep in {*SUBJECTS, "agent"}
            if self._tokens[head].dep == "prep" and not led:
                led = self._tokens[head].lower
            if self._tokens[head].pos in {"NOUN", "PROPN"} and self._tokens[top].dep not in {"conj", "compound"}:
                beside |= self._who(tree, head)
            top = head
        return top, led, beside, opens

    @staticmethod
    def _is_verb(tree: Tree, index: int) -> bool:
        return tree.is_verb(index) and tree.tokens[index].dep not in {"aux", "auxpass", "amod", "compound"}

    # ------------------------------------------------------------------ who

    def _who(self, tree: Tree, head: int) -> frozenset[str]:
        token = self._tokens[head]
        if token.lower in self._data.words("persons", "self", "group"):
            return self._speaker
        if token.lower in self._data.words("persons", "listener"):
            return self._listener
        if token.lower in {"who", "which", "that"} and self._tokens[token.head].dep == "relcl":
            return self._who(tree, antecedent(tree, token.head))
        if token.pos in {"PRON", "DET"}:
            return _SOMEBODY if self._speaker else frozenset()
        names = {head, *tree.kids(head, "compound", "appos")}
        names |= {i for apposed in tree.kids(head, "appos") for i in tree.kids(apposed, "compound")}
        found = frozenset(lemma(self._tokens[i].text) for i in names)
        if len(found) > 1:
            self.same.append(found)
        return found.union(*(self._who(tree, i) for i in tree.kids(head, "conj")))

    def _owners(self, tree: Tree, index: int) -> frozenset[str]:
        poss = tree.kid(index, "poss")
        if poss is None and self._tokens[index].dep == "conj":
            return self._owners(tree, self._tokens[index].head)
        return self._who(tree, poss) if poss is not None else frozenset()

    def _around(self, tree: Tree, verb: int) -> tuple[frozenset[str], frozenset[str]]:
        """Return the agent of a verb, and what is acted on."""
        agent = tree.kid(verb, "agent")
        by = tree.kid(agent, "pobj") if agent is not None else None
        done_to = frozenset[str]().union(*(self._who(tree, i) for i in self._objects(tree, verb)))
        suffers = tree.kid(verb, "nsubjpass")
        if suffers is not None:
            return self._who(tree, by) if by is not None else frozenset(), self._who(tree, suffers)
        subject = tree.kid(verb, "nsubj", "csubj", "expl")
        if subject is not None:
            return frozenset() if self._tokens[subject].dep == "expl" else self._who(tree, subject), done_to
        token = self._tokens[verb]
        if token.dep in {"acl", "relcl"}:
            noun = self._who(tree, token.head)
            return (frozenset(), noun) if token.tag == "VBN" else (noun, done_to)
        above = self._above(tree, verb)
        if above is None:
            return self._speaker | self._listener, done_to  # "Sold my Vespa", "Call me Jo"
        does, whom = self._around(tree, above)
        shared = token.dep == "conj" and token.tag == "VBN" and tree.kid(above, "nsubjpass") is not None
        if shared:
            return does, whom
        return (does or whom) | (whom if token.dep == "xcomp" else frozenset()), done_to

    def _objects(self, tree: Tree, verb: int) -> list[int]:
        led = [noun for i in tree.kids(verb, "dative") if (noun := tree.kid(i, "pobj")) is not None]
        return [*tree.kids(verb, "dobj"), *(i for i in tree.kids(verb, "dative") if not tree.kids(i, "pobj")), *led]

    def _above(self, tree: Tree, verb: int) -> int | None:
        """Return the verb that shares its subject with this one."""
        head = self._tokens[verb].head
        bound = self._tokens[verb].dep in _BELOW or self._tokens[verb].dep == "conj"
        if head == verb or not bound or not tree.begin <= head < tree.end:
            return None
        return self._climbed(tree, head)[0]

    # ------------------------------------------------------------------ negation

    def _mode(self, tree: Tree, verb: int) -> frozenset[str]:
        found, top = set[str](), verb
        while True:
            kids = tree.kids(top)
            if self._denies(tree, top) or any(self._denies(tree, kid) for kid in kids if not self._is_verb(tree, kid)):
                found.add("denied")
            if not _WISHING.isdisjoint(self._tokens[kid].lower for kid in kids):
                found.add("wished")
            above = self._governing(tree, top)
            if above is None:
                return frozenset(found)
            if self._tokens[top].dep == "xcomp" and tree.lemma(above) == "use":
                found.add("over")
            if self._tokens[top].dep == "xcomp" and tree.lemma(above) in _wishes():
                found.add("wished")
            top = above

    def _denies(self, tree: Tree, index: int) -> bool:
        """Whether a word is negated by a dependent: "not", "never", the "no" of "no kids" and "no longer"."""
        kids = tree.kids(index)
        none = any(self._tokens[i].lower == "no" for i in tree.kids(index, "det", "neg", "advmod"))
        return none or any(self._tokens[i].dep == "neg" or self._tokens[i].lower in _DENYING for i in kids)

    def _governing(self, tree: Tree, verb: int) -> int | None:
        """Return the verb that shares its negation with this one: "don't think I ...", "don't smoke or drink"."""
        token = self._tokens[verb]
        linked = {self._tokens[i].lower for i in tree.kids(token.head, "cc")}
        alternative = token.dep == "conj" and bool(linked & {"or", "nor"})
        if token.head == verb or not (token.dep in {"xcomp", "ccomp"} or alternative):
            return None
        return token.head if tree.begin <= token.head < tree.end and self._is_verb(tree, token.head) else None


def _wishes() -> frozenset[str]:
    return language_data("en").words("verbs", "need") - {"like", "love"}
