"""Replacements in a line for pronouns, for "the" before something known, and for a left-out subject."""

from __future__ import annotations

from memdesk.domain.items.statement import USER
from memdesk.domain.language.data import LanguageData, language_data
from memdesk.domain.language.inflect import article, third_person
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.clause import Clause
from memdesk.domain.reading.discourse import Mention
from memdesk.domain.reading.predicates import is_done_too
from memdesk.domain.reading.statements import Read
from memdesk.domain.reading.subjects import ONE_OF, Named, Naming, is_harm


class LineWords:
    """Words for the lines of one turn.

    Args:
        speaker: the speaker's name in lines: "the user" or a name.
        naming: of the turn.
    """

    def __init__(self, speaker: str, naming: Naming) -> None:
        self._speaker = speaker
        self._naming = naming
        self._data: LanguageData = language_data("en")

    def spoken_of(self, clause: Clause, read: Read) -> dict[int, Mention]:
        """Return whom "her" means if the speaker acts, and a final "it": "I walk her dog", "put me on it"."""
        if clause.mood != "statement":
            return {}
        tree, found, by_speaker = clause.tree, dict[int, Mention](), read.subject.name == USER
        cause = next((i for i in range(clause.begin, clause.end) if is_harm(tree, i)), None)
        harm = self._naming.name(tree, cause).mention if cause is not None else None
        if cause is not None and harm is not None:
            return {cause: harm}
        for i in range(clause.begin, clause.end):
            token, beside = tree.tokens[i], i != clause.subject
            if beside and token.lower == "it" and token.dep == "pobj":
                thing = None if self._naming.is_doubtful(tree, i) else self._naming.name(tree, i).mention
                return {i: thing} if thing is not None and thing.noun and self._naming.is_fresh(thing) else {}
            if beside and (token.pos == "PROPN" or token.lower in self._data.words("people")):
                break  # "I took my sister to her doctor"
            if beside and token.pos == "NOUN" and not by_speaker:
                break
            other = by_speaker and token.lower in {"her", "him", "his"}
            mention = self._naming.name(tree, i).mention if other else None
            if mention is not None and self._naming.is_fresh(mention):
                found[i] = mention
        return found

    def of_clause(self, clause: Clause, read: Read, spoken_of: dict[int, Mention]) -> tuple[dict[int, str], str]:
        """Return the replacements for tokens of a clause, and for a subject outside it.

        Args:
            clause: what was said.
            read: what it states.
            spoken_of: what :meth:`spoken_of` found in it.
        """
        tree = clause.tree
        if clause.mood == "order":
            denied = "" if read.statement.holds else "never " if clause.lowers() & {"ever", "never"} else "not "
            named, lead = dict[int, str](), f"{self._speaker} asks the assistant {denied}to"
        elif clause.subject is None:
            named, lead = self._left_out(clause)
        elif clause.shared:
            named, lead = {}, self._shared(tree, clause.verb, clause.subject, read.subject)
        else:
            named, lead = self._in_subject(clause, clause.subject, read.subject), ""
        if read.known_object is not None and clause.mood != "order":
            at, mention = read.known_object
            called = self._beside_speaker(mention) if read.subject.name == USER else self.called(mention.name)
            named.setdefault(at, called)
        for at, mention in spoken_of.items():
            called = self._beside_speaker(mention)
            named.setdefault(at, f"{called}'s" if tree.tokens[at].dep == "poss" else called)
        name = tree.kid(clause.verb, "attr") if read.statement.attribute == "name" else None
        if name is not None and tree.tokens[name].text.islower():
            named.setdefault(name, tree.tokens[name].text.capitalize())
        return named, lead

    # ------------------------------------------------------------------ names

    def called(self, name: str) -> str:
        """Return a line's name for what a statement calls "user's sister Ada"."""
        some = ONE_OF if name.startswith(ONE_OF) else ""
        whose = name.removeprefix(some)
        own = whose == USER or whose.startswith(f"{USER}'s ")
        return f"{some}{self._speaker}{whose[len(USER) :]}" if own else name

    def _called_in_full(self, subject: Named) -> str:
        """Return a line's name for a pronoun's referent, with its known name: "the user's toddler Otis"."""
        known, called = subject.mention, self.called(subject.name)
        proper = known.proper if known is not None and known.noun and known.name == subject.name else ""
        return f"{called} {proper}" if proper and proper not in called.split(" ") else called

    def _beside_speaker(self, mention: Mention) -> str:
        """Return a line's name for somebody in a line about the speaker: "their sister Ada"."""
        own = mention.name.startswith(f"{USER}'s ")
        return f"their{mention.name[len(USER) + 2 :]}" if own else self.called(mention.name)

    # ------------------------------------------------------------------ subjects

    def _left_out(self, clause: Clause) -> tuple[dict[int, str], str]:
        """Return the verb and the subject of "Love my job" and "Can't do eggs"."""
        finite = next(iter(clause.inside("aux")), clause.verb)
        word = clause.tree.tokens[finite]
        state = word.tag in {"VB", "VBP"}
        if clause.mood != "statement" or not (state or word.tag == "MD"):
            return {}, ""
        return ({finite: third_person(word.lower)} if state else {}), self._speaker

    def _shared(self, tree: Tree, verb: int, subject: int, named: Named) -> str:
        """Return a subject from the previous clause."""
        if not named.own:
            return tree.words(tree.below(subject))
        return f"{self.called(named.name)}{' was' if is_done_too(tree, verb) else ''}"

    def _in_subject(self, clause: Clause, subject: int, named: Named) -> dict[int, str]:
        tree = clause.tree
        found = self._definite(tree, subject, named) | self._pronoun(clause, subject, named)
        some = next((i for i in tree.below(subject) if tree.tokens[i].lower == "them"), None)
        group = self._naming.name(tree, some).name if some is not None else ""
        if some is not None and group:
            found[some] = self.called(group)  # "one of them"
        owner = tree.kid(subject, "poss")
        if owner is not None and tree.tokens[owner].lower in {"her", "his", "its", "their"}:
            whose = self._naming.name(tree, owner)
            if whose.name:
                found[owner] = f"{self.called(whose.name)}'s"
        return found

    def _pronoun(self, clause: Clause, subject: int, named: Named) -> dict[int, str]:
        """Return the words for "we" of a group, and for "she", "it" and "who" with the following verb."""
        tree, low = clause.tree, clause.tree.tokens[subject].lower
        attr = tree.kid(clause.verb, "attr") if low == "we" else None
        if attr is not None and tree.lemma(attr) in self._data.words("persons", "groups"):
            opened = tree.kid(attr, "det")  # "We're a team of five": the user is not a team
            return {opened: f"part of {tree.tokens[opened].lower}"} if opened is not None else {}
        if attr is not None and tree.tokens[attr].tag == "NNS":
            return _one_of(tree, clause.verb, attr)
        relative = low in {"who", "which"} and tree.tokens[clause.verb].dep == "relcl"
        known = low in {"she", "he", "it", "they", "mine", "ours"} and named.mention is not None
        if not (relative or known):
            return {}
        found = {subject: self._called_in_full(named)}
        follows = tree.tokens[subject + 1] if subject + 1 < clause.end else None
        if follows is not None and follows.lower == "'s" and follows.pos in {"VERB", "AUX"}:
            found[subject + 1] = "has" if _has(tree, clause.verb, subject + 1) else "is"  # no owner's "'s"
        return found

    def _definite(self, tree: Tree, subject: int, named: Named) -> dict[int, str]:
        """Return the words for "the" of the speaker's things, and for a subject without an article."""
        token, opened, mention = tree.tokens[subject], tree.kid(subject, "det"), named.mention
        known = named.own and named.name.startswith(f"{USER}'s ") and tree.kid(subject, "poss") is None
        known = known and (
            mention is not None or "of" not in {tree.tokens[i].lower for i in tree.kids(subject, "prep")}
        )
        if known and opened is not None and tree.tokens[opened].lower == "the":
            words = {opened: f"{self._speaker}'s"}
            if token.tag == "JJS" and mention is not None:
                words[subject] = f"{token.lower} {mention.noun}"
            return words
        if mention is not None and mention.proper.lower() == token.lower:
            return {subject: mention.proper}  # "otis won't eat"
        if known and opened is None and tree.below(subject) == [subject] and token.pos == "NOUN":
            return {subject: f"{self._speaker}'s {token.lower}"}  # "Rent is 790"
        return {}


def _one_of(tree: Tree, verb: int, several: int) -> dict[int, str]:
    """Return the words for one of those that "we" are: "we're both big fans of jazz" makes the user a big fan of jazz."""
    noun, one = tree.tokens[several], tree.lemma(several)
    one = "person" if noun.lower == "people" and tree.kids(several, "compound", "amod") else one
    before = [i for i in range(verb + 1, several) if tree.tokens[i].dep != "neg"]
    before = [i for i in before if (tree.tokens[i].dep, tree.tokens[i].head) != ("advmod", verb)]  # "officially"
    opened = tree.kid(several, "det", "poss", "nummod")
    if opened is not None and tree.tokens[opened].lower == "the":
        return {opened: f"{ONE_OF}the"}
    if opened is not None or one == noun.lower:
        return {}  # "our own bosses", "two nurses", "people"
    both = [i for i in before if tree.tokens[i].tag == "DT"]  # "both", "all"
    first = next(i for i in (*before, several) if i not in both)
    words = {first: tree.tokens[first].text} | {several: one.capitalize() if noun.text[:1].isupper() else one}
    words[first] = f"{article(words[first])} {words[first]}"
    return words | dict.fromkeys(both, "")


def _has(tree: Tree, verb: int, short: int) -> bool:
    """Whether "'s" is short for "has": in "he's broken his arm" and "she's moved", not in "he's called Tom"."""
    if tree.tokens[verb].tag != "VBN":
        return tree.lemma(short) == "have"
    alone = tree.lemma(verb) in language_data("en").words("verbs", "alone")
    return alone or tree.tokens[short].dep == "aux" or tree.kid(verb, "dobj") is not None
