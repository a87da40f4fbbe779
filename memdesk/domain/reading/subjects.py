"""Names who and what is mentioned: "I", "my sister Ada", "she", "the house" as one name each, in a conversation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from memdesk.domain.comparing.lexicon import is_event
from memdesk.domain.language.data import LanguageData, is_role, language_data
from memdesk.domain.language.dates import is_weekday
from memdesk.domain.language.numbers import ORDINALS
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.clauses import antecedent, is_of_nobody
from memdesk.domain.reading.discourse import Discourse, Mention

#: How a name says that it is one of several, but not which.
ONE_OF: Final = "one of "
#: Words for some or none of a group named after them: "nobody in our family".
_SOME: Final = frozenset({"nobody", "none", "everyone", "everybody", "most", "some", "all", "one", "both", "neither"})
#: The prominence of what a sentence names, by its role: the subject comes first to mind.
_PROMINENCE: Final = {"pobj": 0, "poss": 0, "appos": 1, "dobj": 2, "attr": 3, "nsubj": 4, "nsubjpass": 4}


@dataclass(frozen=True, slots=True)
class Named:
    """The referent of a noun phrase.

    Attributes:
        name: as in statements; empty if unclear.
        mention: the earlier mention that a pronoun or a bare noun refers to.
        own: whether it is the speaker, or somebody or something of theirs.
    """

    name: str
    mention: Mention | None = None
    own: bool = False


UNKNOWN: Final = Named("")


class Naming:
    """Names noun phrases of one turn.

    Args:
        discourse: of its speaker.
        turn_id: of the turn.
    """

    def __init__(self, discourse: Discourse, turn_id: str) -> None:
        self._discourse = discourse
        self.turn_id = turn_id
        self._data: LanguageData = language_data("en")

    def name(self, tree: Tree, head: int) -> Named:
        """Return the referent of the phrase under a token."""
        token = tree.tokens[head]
        low = token.lower
        speaker = self._discourse.speaker
        if low in {"mine", "ours"}:
            return self._likewise()
        if low in self._data.words("persons", "self", "group"):
            return Named(speaker, own=True)
        pronoun = self._pronoun(low)
        if pronoun == "it" and tree.lemma(token.head) in self._data.words("verbs", "weather"):
            return UNKNOWN
        if pronoun == "it" and tree.tokens[token.head].lower == "been" and is_of_nobody(tree, token.head):
            return UNKNOWN  # "It's been an hour"
        if pronoun:
            found = self._antecedent(pronoun, cause=is_harm(tree, head))
            if pronoun == "it" and _measures_another(tree, token.head, found):
                return UNKNOWN
            return UNKNOWN if found.mention is not None and self._has_nearer(tree, head, found.mention) else found
        if low in {"who", "which"} and tree.tokens[token.head].dep == "relcl":
            return self.name(tree, antecedent(tree, token.head))
        if low in {"that", "this", "these", "those"} and tree.kid(head, "poss") is None:
            return UNKNOWN
        owner = self._owner(tree, head)
        if owner is not None:
            return Named(self._owned(tree, head, owner), owner.mention, owner.own)
        if (token.pos == "PROPN" or token.entity == "person") and not self._is_attribute(tree, head):
            return self._proper(tree, head)
        return self._bare(tree, head)

    def group(self) -> str:
        """Return the group of the speaker's that "us" is part of; empty if they named none lately."""
        groups = self._data.words("persons", "groups")
        near = (m for m in reversed(self._discourse.mentions) if m.noun in groups and m.owned and self.is_fresh(m))
        return next((m.name for m in near), "")

    def is_doubtful(self, tree: Tree, it: int) -> bool:
        """Return whether "it" may be either of two things of one sentence: "Dairy upsets my skin, I avoid it"."""
        mention = self._discourse.latest("it")
        if mention is None or is_harm(tree, it):
            return False
        # "The Tribune gets thrown on my porch, so I'm up early with it"
        aside = any(tree.tokens[i].dep == "pobj" and tree.lemma(i) == mention.noun for i in range(tree.begin, it))
        return aside or self._discourse.is_doubtful(mention, "it")

    def is_fresh(self, mention: Mention) -> bool:
        """Return whether something was mentioned in this turn of the speaker or the one before."""
        return self._discourse.turn - mention.turn <= 1

    def note(self, tree: Tree, begin: int, end: int, quote: str, *, stated: bool = True) -> None:
        """Remember the people and things in tokens ``begin`` to ``end`` that belong to the speaker, the main one last.

        Args:
            tree: of the sentence.
            begin: first token.
            end: after the last.
            quote: the sentence.
            stated: whether it states; "How do I make a roux?" gives nobody a roux.
        """
        nouns = [i for i in range(begin, end) if tree.tokens[i].pos in {"NOUN", "PROPN", "ADJ"}]
        people = self._data.words("people")  # who may be parsed as a measure, like "all my life"
        measures = [i for i in nouns if tree.tokens[i].dep == "npadvmod" and tree.tokens[i].pos == "NOUN"]
        nouns = [i for i in nouns if tree.tokens[i].dep != "compound"]
        nouns = [i for i in nouns if i not in measures or tree.lemma(i) in people]
        nouns.sort(key=lambda i: _PROMINENCE.get(tree.tokens[i].dep, 0) + self._affects(tree, i))
        # Named before any is remembered: in "Her teacher is Ms Walsh" nobody in the sentence is "her".
        found = [self._mention(tree, index, quote, stated=stated) for index in nouns]
        for index, mention in zip(nouns, found, strict=True):
            for one in self._each(tree, index, mention) if mention is not None else ():
                self._discourse.meet(one)

    def meet(self, name: str, quote: str) -> None:
        """Remember somebody known only by name."""
        self._discourse.meet(
            Mention(name, "", name, frozenset({"she", "he"}), self._discourse.turn, self.turn_id, quote)
        )

    # ------------------------------------------------------------------ pronouns

    def _pronoun(self, low: str) -> str:
        for name in ("she", "he"):
            if low in self._data.words("persons", name):
                return name
        return {"it": "it", "its": "it", "they": "they", "them": "they", "their": "they", "theirs": "they"}.get(low, "")

    def _antecedent(self, pronoun: str, *, cause: bool) -> Named:
        mention = self._discourse.latest(pronoun)
        if mention is not None and mention.of is not None and mention.of.pronouns == {"they"}:
            last = self._discourse.mentions[-1]
            if last.name == mention.of.name:  # still unclear which of "two girls, Ada and Bea"
                return Named(f"{ONE_OF}{last.name}", last, own=True)
        if mention is not None and self._discourse.is_doubtful(mention, pronoun) and not cause:
            return UNKNOWN
        return Named(mention.name, mention, own=mention.owned) if mention is not None else UNKNOWN

    def _has_nearer(self, tree: Tree, head: int, mention: Mention) -> bool:
        """Whether the sentence names somebody else before a "she" from a previous turn: "a pal's 50th, he's baldy"."""
        if "it" in mention.pronouns and "she" in mention.pronouns:  # "Our dog gets by on Chappie, it's cheap"
            span = tree.tokens[tree.begin : head]
            things = (token for token in span if token.dep in {"dobj", "pobj"} and token.pos in {"NOUN", "PROPN"})
            things = (token for token in things if (token.lemma or token.text).lower() != mention.noun)
            return tree.tokens[head].lower == "it" and any(token.entity not in {"date", "time"} for token in things)
        if mention.turn == self._discourse.turn or "it" in mention.pronouns:
            return False
        before = (tree.tokens[i] for i in range(tree.begin, head) if tree.tokens[i].pos in {"NOUN", "PROPN"})
        known, people = mention.name.split(" "), self._data.words("people")
        return any(
            token.text not in known and (token.pos == "PROPN" or (token.lemma or token.text).lower() in people)
            for token in before
        )

    def _likewise(self) -> Named:
        """Resolve "mine" by the last mention: after "her dad", the speaker's dad."""
        last = next((m for m in reversed(self._discourse.mentions) if m.noun), None)
        if last is None or not self.is_fresh(last):
            return UNKNOWN
        return Named(f"{self._discourse.speaker}'s {last.noun}", last, own=True)

    # ------------------------------------------------------------------ phrases

    def _owner(self, tree: Tree, head: int) -> Named | None:
        """Return the owner: of "my", "Ada's", "of my project", "in our family"; None if there is none."""
        poss = tree.kid(head, "poss")
        if poss is not None:
            return self.name(tree, poss)
        low = tree.tokens[head].lower
        for prep in tree.kids(head, "prep"):
            noun = tree.kid(prep, "pobj")
            if noun is None:
                continue
            if tree.tokens[prep].lower == "of" and (tree.tokens[noun].lower in {"mine", "ours"}):
                return Named(self._discourse.speaker, own=True)
            inner = self.name(tree, noun)
            if inner.own and (tree.tokens[prep].lower == "of" or low in _SOME):
                return inner
        return None

    def _owned(self, tree: Tree, head: int, owner: Named) -> str:
        """Return "user's project's code name" for "the code name of my project"."""
        if not owner.name:
            return ""
        if tree.tokens[head].lower in _SOME:
            return owner.name
        return f"{owner.name}'s {self._with_name(tree, head)}"

    def _with_name(self, tree: Tree, head: int) -> str:
        """Return "sister Ada" for "older sister, Ada"."""
        of = [i for i in tree.kids(head, "prep") if tree.kid(head, "poss") is None and tree.tokens[i].lower == "of"]
        noun = tree.phrase(head, of)
        apposed = tree.kid(head, "appos")
        if apposed is not None and tree.tokens[apposed].pos == "PROPN":
            return f"{noun} {tree.words([*tree.kids(apposed, 'compound'), apposed])}"
        return noun

    def _proper(self, tree: Tree, head: int) -> Named:
        words = tree.phrase(head)
        kin, _, name = words.partition(" ")
        if kin.istitle() and kin.lower() in self._data.words("people", "she", "he"):  # "Mum", "Aunt May"
            return Named(f"{self._discourse.speaker}'s {kin.lower()} {name}".rstrip(), own=True)
        known = self._discourse.called(words)
        if known is not None:
            return Named(known.name, known, own=True)
        apposed = tree.kid(head, "appos")
        owner = self._owner(tree, apposed) if apposed is not None and tree.kid(apposed, "poss") is not None else None
        if apposed is not None and owner is not None and owner.own:  # "Ella, my daughter, ..."
            name = tree.words(i for i in tree.below(head, [apposed]) if tree.tokens[i].pos == "PROPN")
            return Named(f"{owner.name}'s {tree.lemma(apposed)} {name}", own=True)
        return Named(words)

    def _bare(self, tree: Tree, head: int) -> Named:
        """Name "Dad" and "wife" of "wife works nights" as the speaker's, and "the house" too if they mentioned one."""
        token = tree.tokens[head]
        opened = {tree.tokens[i].lower for i in tree.kids(head, "det")}
        numbered = any(tree.tells_apart(i) for i in tree.kids(head, "nummod"))
        people = self._data.words("people") - self._data.words("people", "animals")
        subject = token.dep in {"nsubj", "nsubjpass"} and not tree.kids(head, "poss", "amod", "prep", "compound")
        if not opened and token.lower in people and (token.text[:1].isupper() or subject):
            told = tree.phrase(head).lower() if numbered else token.lower  # "Client 1" is not just the client
            return Named(f"{self._discourse.speaker}'s {told}", own=True)
        named = self._discourse.called(token.text.title()) if not opened and token.text.islower() else None
        if named is not None and not tree.kids(head, "poss", "amod", "prep", "compound"):
            return Named(named.name, named, own=True)  # "Otis is two", then "otis won't eat"
        known = self._discourse.thing(tree.lemma(head)) if "the" in opened and not numbered else None
        if known is not None:
            return Named(known.name, known, own=True)
        if self._is_attribute(tree, head) or self._is_aim(tree, head, opened):
            return Named(f"{self._discourse.speaker}'s {tree.phrase(head).lower()}", own=True)
        if (
            opened == {"the"}
            and token.lower in self._data.words("people", "household")
            and not tree.kids(head, "prep", "relcl", "acl")
        ):
            return Named(f"{self._discourse.speaker}'s {tree.phrase(head)}", own=True)
        several = self._discourse.latest("they") if "the" in opened else None
        if several is not None and token.tag == "JJS":  # "I teach eleven pupils, the youngest is five"
            return Named(f"{self._discourse.speaker}'s {token.lower} {several.noun}", several, own=True)
        if several is not None and several.noun in self._data.words("people") and (token.lower == "one"):
            return Named(f"{self._discourse.speaker}'s {tree.phrase(head)}", several, own=True)
        return Named(tree.phrase(head))

    @staticmethod
    def _is_aim(tree: Tree, head: int, opened: set[str]) -> bool:
        """Whether it is the speaker's plan: "Plan is to sail to Texel", "The goal is to finish in May"."""
        verb = tree.tokens[head].head
        aimed = tree.tokens[head].dep == "nsubj" and tree.lemma(verb) == "be" and opened <= {"the"}
        inner = tree.kid(verb, "xcomp") if aimed else None
        return inner is not None and any(tree.tokens[i].tag == "TO" for i in tree.kids(inner, "aux"))

    def _is_attribute(self, tree: Tree, head: int) -> bool:
        """Whether a noun without an article that opens a statement is something everybody has one of: "Rent is 790"."""
        verb = tree.tokens[head].head
        bare = tree.tokens[head].dep in {"nsubj", "nsubjpass"} and not tree.kids(head, "det", "poss", "amod", "prep")
        own = tree.tokens[head].lower in self._data.words("elided", "mine") or is_event(tree.lemma(head))
        told = any(
            i > verb and (tree.tokens[i].pos in {"NUM", "PROPN"} or tree.tokens[i].entity == "date")
            for i in tree.below(verb)
        )
        # "Notes are in Joplin now", not "Exams hurt kids with ADHD"
        preps = [verb, *tree.kids(verb, "prep")]
        value = any(tree.tokens[i].head in preps and tree.tokens[i].pos in {"NUM", "PROPN"} for i in tree.below(verb))
        return bare and own and told and (value or tree.tokens[head].tag != "NNS")

    # ------------------------------------------------------------------ mentions

    def _mention(self, tree: Tree, index: int, quote: str, *, stated: bool) -> Mention | None:
        token = tree.tokens[index]
        noun = token.lower if token.tag == "JJS" else tree.lemma(index)
        apposed = tree.kid(index, "appos")
        proper = tree.phrase(apposed) if apposed is not None and tree.tokens[apposed].pos == "PROPN" else ""
        owner = self._owner(tree, index)
        if owner is not None and owner.own and owner.name:
            name = self._owned(tree, index, owner)
            # "My youngest, Poppy, hates lentils": somebody, whatever "youngest" is of.
            someone = token.pos == "PROPN" and any(tree.tokens[i].tag == "JJS" for i in tree.kids(index, "amod"))
            called = apposed if proper else self._called(tree, index)
            person = called is not None and tree.tokens[called].entity == "person"
            words = tree.phrase(called) if called is not None else ""
            return self._made(name, "" if someone else noun, words, quote, of=owner.mention, person=person)
        told = token.pos == "NOUN" and (
            tree.kids(index, "det")
            or (
                token.dep == "nsubj"
                and (self._called(tree, index) is not None or token.lower in self._data.words("people", "several"))
            )
        )
        mine = self._bare(tree, index) if told else UNKNOWN
        if mine.own and mine.mention is None:  # "the twins", "toddler is Otis"
            called = apposed if proper else self._called(tree, index)
            return self._made(mine.name, noun, tree.phrase(called) if called is not None else "", quote)
        if mine.mention is not None and mine.mention.proper.lower() == token.lower:
            return replace(mine.mention, turn=self._discourse.turn, turn_id=self.turn_id, quote=quote)
        if stated and self._affects(tree, index):
            them = frozenset({"they" if token.tag in {"NNS", "NNPS"} else "it"})
            words = tree.phrase(index)
            words = words if index > tree.begin else words[:1].lower() + words[1:]
            return Mention(words, noun, "", them, self._discourse.turn, self.turn_id, quote, owned=False)
        with_self = any(tree.tokens[i].lower in {"i", "me"} for i in tree.kids(index, "conj"))
        named = token.pos == "PROPN" and token.dep != "appos" and not tree.kids(index, "det")  # "a Kia" is nobody
        if named and (token.entity == "person" or with_self or self._discourse.called(tree.phrase(index)) is not None):
            words = tree.phrase(index)
            kin = words.lower() if words.lower() in self._data.words("people", "she", "he") else ""
            if kin and words.istitle():
                return self._made(f"{self._discourse.speaker}'s {kin}", kin, "", quote)  # "Mum"
            known = self._discourse.called(words)
            name, person = known.name if known else words, token.entity == "person"
            made = self._made(name, known.noun if known else "", words, quote, person=person)
            return made if known or stated or with_self else replace(made, asked=True)
        opened = {tree.tokens[i].lower for i in tree.kids(index, "det")}
        determined = opened & {"a", "an", "some"}
        alone = token.dep == "dobj" and all(other.dep != "pobj" for other in tree.tokens[index : tree.end])
        if not stated and opened == {"the"} and token.tag == "NN" and alone:  # "it" is this from now on
            name = f"the {tree.phrase(index)}"
            return Mention(name, "", "", frozenset({"it"}), self._discourse.turn, self.turn_id, quote, owned=False)
        several = token.tag == "NNS" and token.text.islower() and noun not in self._data.words("now", "units")
        counted = several and any(tree.tokens[i].tag == "CD" for i in tree.kids(index, "nummod", "compound"))
        if stated and token.dep in {"dobj", "attr"} and (determined or counted) and self._of_self(tree, index):
            return self._made(f"{self._discourse.speaker}'s {tree.phrase(index)}", noun, proper, quote)
        mass = token.tag == "NN" and not tree.kids(index, "det", "poss", "nummod")
        introduced = token.dep == "dobj" or (token.dep == "attr" and tree.kid(token.head, "expl") is not None)
        if (
            stated and introduced and (determined or mass)
        ):  # "Our bank suggested a loan", "There's a pear tree": nobody's yet
            thing = self._made(f"{'' if mass else 'the '}{tree.phrase(index)}", noun, proper, quote)
            return replace(thing, owned=False) if thing.pronouns == {"it"} else None
        return None

    def _affects(self, tree: Tree, index: int) -> bool:
        """Whether a thing without an article does something to the speaker: "Shellfish makes my throat swell"."""
        token, verb = tree.tokens[index], tree.tokens[index].head
        thing = (
            token.dep == "nsubj" and token.entity != "person" and not tree.kids(index, "det", "poss", "nummod", "prep")
        )
        acts = self._data.words("verbs", "say") | {"be", "have"}
        if not thing or tree.lemma(index) in self._data.words("people") or tree.lemma(verb) in acts:
            return False
        below = {i for kid in tree.kids(verb, "dobj", "dative", "ccomp") for i in tree.below(kid)}
        selves = self._data.words("persons", "self", "group")
        return any(tree.tokens[i].lower in selves for i in below)

    def _each(self, tree: Tree, index: int, several: Mention) -> Iterator[Mention]:
        """Yield the members of a group, each by name, and the whole group: "two girls, Ada and Bea"."""
        listed = index + 1 < tree.end and tree.tokens[index + 1].text in {",", ":"}
        counted = listed and tree.kid(index, "nummod") is not None
        first = tree.kid(index, "appos", "conj") if counted else tree.kid(index, "appos")
        if first is not None and tree.tokens[index].tag == "NNS" and tree.tokens[first].pos == "PROPN":
            names = [first]
            while (after := tree.kid(names[-1], "conj")) is not None and tree.tokens[after].pos == "PROPN":
                names.append(after)
            if len(names) > 1:
                pronouns = self._made("", several.noun, "", "").pronouns
                whose = f"{self._discourse.speaker}'s {tree.tokens[index].lower}"
                several = replace(several, proper="", name=whose, pronouns=frozenset({"they"}))
                for name in (tree.words([*tree.kids(i, "compound"), i]) for i in names):
                    yield replace(several, name=name, proper=name, pronouns=pronouns, of=several)
        yield several

    def _called(self, tree: Tree, index: int) -> int | None:
        """Return where a sentence gives a name: "My boss is called Hanneke", "our dog is Biscuit"."""
        named = tree.kid(tree.tokens[index].head, "oprd", "attr")
        if tree.tokens[index].dep not in {"nsubj", "nsubjpass"} or named is None:
            return None
        return named if tree.tokens[named].pos == "PROPN" else None

    def _of_self(self, tree: Tree, index: int) -> bool:
        """Whether the speaker is the subject of the verb above a phrase: "I bought a flat"."""
        top = index
        while tree.tokens[top].head != top and not tree.is_verb(top):
            top = tree.tokens[top].head
        while tree.tokens[top].dep == "conj" and tree.kid(top, "nsubj", "nsubjpass") is None:
            top = tree.tokens[top].head  # "I sold the one and bought the other"
        subject = tree.kid(top, "nsubj", "nsubjpass")
        selves = self._data.words("persons", "self", "group")
        return subject is not None and tree.tokens[subject].lower in selves

    def _made(
        self, name: str, noun: str, proper: str, quote: str, *, of: Mention | None = None, person: bool = False
    ) -> Mention:
        data = self._data
        pronouns = {"it"}
        if noun in data.words("people", "several") or (noun and name.endswith(f"{noun}s")):
            pronouns = {"they"}
        elif noun in data.words("people", "she"):
            pronouns = {"she"}
        elif noun in data.words("people", "he"):
            pronouns = {"he"}
        elif noun and f"{noun}s" in name:
            pronouns = {"they"}
        elif noun in data.words("people", "animals"):
            pronouns = {"she", "he", "it"}
        elif (
            noun in data.words("people")
            or noun in ORDINALS
            or not noun
            or person  # "my lad Kieran", "my other half, Graham"
            or (proper and (is_role(noun) or noun.endswith("est")))
        ):
            pronouns = {"she", "he"}
        return Mention(name, noun, proper, frozenset(pronouns), self._discourse.turn, self.turn_id, quote, of)


def _measures_another(tree: Tree, verb: int, found: Named) -> bool:
    """Whether "it" is a bare number or day that what was found does not have: "Nearly had a heart attack, it's 45 now"."""
    told = tree.kid(verb, "attr", "npadvmod")
    if told is None or tree.below(told) != [told]:
        return False
    timed = found.mention is not None and is_event(found.mention.noun)
    return (tree.tokens[told].tag == "CD" and not found.own) or (is_weekday(tree.lemma(told)) and not timed)


def is_harm(tree: Tree, it: int) -> bool:
    """Return whether a pronoun is what somebody is allergic to: then it is what did something to them."""
    prep, pronoun = tree.tokens[it].head, tree.tokens[it].lower in {"it", "them"}
    above = {tree.lemma(prep), tree.lemma(tree.tokens[prep].head)}
    above |= {tree.lemma(i) for i in tree.kids(tree.tokens[prep].head, "dobj", "acomp")}
    return pronoun and tree.tokens[it].dep == "pobj" and bool(above & language_data("en").words("care", "allergic"))
