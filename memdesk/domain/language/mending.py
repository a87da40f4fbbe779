"""Corrects errors that small parsers make again and again in everyday English.

Each rule looks for a structure that no sentence has: a verb-less sentence with a noun in "-s" after somebody's name, a
possessive that nothing belongs to, "to" and a verb that is a place. Nothing else is touched, and the result is a tree:
if rules would make it circular, the parse stays as it was.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Final

from memdesk.domain.language.analysis import Analysis, Token
from memdesk.domain.language.data import is_role, language_data
from memdesk.domain.language.dates import is_weekday
from memdesk.domain.language.tree import OpenTree

_FINITE: Final = frozenset({"VBZ", "VBP", "VBD", "MD"})
_SUBJECTS: Final = frozenset({"nsubj", "nsubjpass"})
_NOUNS: Final = frozenset({"NOUN", "PROPN", "ADJ"})
#: Where something is spliced on, and where another clause begins.
_COMMAS: Final = frozenset({",", ";"})
_LINKS: Final = _COMMAS | {"so", "and", "but", "because"}
#: Most words between "my" and the noun: "my dear old friend".
_BETWEEN: Final = 3


def mended(analysis: Analysis) -> Analysis:
    """Return an analysis with corrected trees; the tokens' texts and positions stay."""
    if not analysis.parsed:
        return analysis
    tokens = list(analysis.tokens)
    _part(tokens)
    for (begin, end), (after, _) in pairwise(replace(analysis, tokens=tuple(tokens)).sentences()):
        _join_subject(tokens, begin, end, after)
    for begin, end in replace(analysis, tokens=tuple(tokens)).sentences():
        _Sentence(tokens, begin, end).mend()
    return replace(analysis, tokens=tuple(tokens))


def _part(tokens: list[Token]) -> None:
    """End a sentence at its full stop if the next one begins in lower case: "we drive a Skoda. roof box?"."""
    opens = [
        i
        for i in range(1, len(tokens))
        if tokens[i - 1].text in {".", "!", "?"} and tokens[i - 1].space
        if not tokens[i].first and tokens[i].text[0].isalpha()
    ]
    for at in opens:
        tokens[at] = replace(tokens[at], first=True)
    if not opens:
        return
    starts = [i for i, token in enumerate(tokens) if token.first or i == 0]
    told = list(tokens)
    for begin, end in pairwise([*starts, len(tokens)]):
        roots = [i for i in range(begin, end) if told[i].head == i]
        for i in range(begin, end):
            above, dep, own = told[i].head, told[i].dep, told[i].dep
            while not begin <= above < end and told[above].head != above:
                above, dep = told[above].head, told[above].dep
            if not begin <= above < end:
                roots = roots or [i]
                above, dep = roots[0], "ROOT" if roots[0] == i else "punct" if own == "punct" else "parataxis"
            tokens[i] = replace(tokens[i], head=above, dep=dep)


def _join_subject(tokens: list[Token], begin: int, end: int, after: int) -> None:
    """Join "Sven" and "and I broke up" if they were parsed as two sentences, also after "I think"."""
    opines = language_data("en").words("verbs", "opine")
    thinks = next((i for i in range(begin, end) if tokens[i].pos == "VERB" and tokens[i].lemma in opines), None)
    self_, begin = after + 1, begin if thinks is None else thinks + 1
    named = begin < end and all(token.pos == "PROPN" for token in tokens[begin:end])
    if not named or self_ >= len(tokens) or tokens[after].lower != "and" or tokens[self_].dep not in _SUBJECTS:
        return
    top = end - 1
    tokens[top] = replace(tokens[top], head=tokens[self_].head, dep=tokens[self_].dep)
    tokens[after] = replace(tokens[after], first=False, head=top, dep="cc")
    tokens[self_] = replace(tokens[self_], head=top, dep="conj")
    root = tokens[top].head
    while thinks is not None and tokens[root].head != root:
        root = tokens[root].head
    if thinks is not None:
        tokens[root] = replace(tokens[root], head=thinks, dep="ccomp")


class _Sentence(OpenTree):
    def mend(self) -> None:
        """Apply each rule where its structure occurs."""
        for place in range(self.begin, self.end - 1):
            parsed = self.tokens[self.begin : self.end]
            self._mend_at(place)
            if self.tokens[self.begin : self.end] != parsed and not self.is_tree():
                self.tokens[self.begin : self.end] = parsed

    def _mend_at(self, place: int) -> None:
        self._number_behind(place)
        self._form(place)
        self._owned_name(place)
        self._lost_verb(place)
        self._split_subject(place)
        self._subject_behind_and(place + 1)
        self._noun_behind_and(place + 1)
        self._named_object(place)
        self._page_led_to(place)
        self._contracted(place)
        self._place_gone_to(place)
        self._to_no_verb(place)
        self._verb_of_help(place)
        self._led_up_to(place)
        self._subject_behind_on(place)

    def _number_behind(self, noun: int) -> None:
        """Attach the numbers of "Client 1 wrote row 0" and the letter of "is run by server B" to their nouns."""
        tokens, number = self.tokens, noun + 1
        token, head = tokens[number], tokens[number].head
        letter = len(token.text.rstrip(".")) == 1 and token.text.isupper() and token.pos != "PRON"
        tells = letter or (token.tag == "CD" and token.text.isdecimal())
        stray = token.dep in {"nummod", "npadvmod"} and (head < noun or self._is_lost_verb(head))
        singular = tokens[noun].tag in {"NN", "NNP"} and tokens[noun].entity not in {"date", "time"}
        singular = singular and not self.kids(noun, "det", "poss")  # "pay the cleaner 15 an hour"
        if tells and stray and singular:
            self.hang(number, noun, "nummod")

    def _is_lost_verb(self, i: int) -> bool:
        """Whether a plural noun has a subject, or directly follows "Flight 302": "leaves at nine"."""
        token = self.tokens[i]
        if token.tag != "NNS" or self._has_verb():
            return False
        beside = token.dep == "appos" and token.head == i - 2 and self.tokens[i - 1].tag == "CD"
        return beside or (token.dep == "ROOT" and bool(self.kids(i, "nsubj")))

    def _form(self, verb: int) -> None:
        """Make "rewrote" a past, "hate" the lemma of "hates", and a token with a subject a verb."""
        token, known = self.tokens[verb], _verbs()
        if self._is_lost_verb(verb):
            self._make_verb(verb, next(iter(self.kids(verb, "nsubj")), token.head))
            return
        if token.tag == "VBZ" and token.lemma not in known and f"{token.lemma}e" in known:
            self.tokens[verb] = replace(token, lemma=f"{token.lemma}e")  # not from "hat"
        before = self.tokens[verb - 1] if verb > self.begin else token
        if token.tag == "NN" and (before.lower, before.head, before.dep) == ("i", verb, "nsubj"):  # "I crew for them"
            self.tokens[verb] = token = replace(token, pos="VERB", tag="VBP")
        if token.pos == "PUNCT" and "@" in token.text and token.dep == "punct":  # an address
            self.tokens[verb] = replace(token, pos="PROPN", tag="NNP", dep="dobj")
        if token.tag == "IN" and token.lower == "like" and self.kids(verb, "nsubj"):  # "I quite like jazz"
            self.tokens[verb] = replace(token, pos="VERB", tag="VBP")
            self.pass_on(self.kids(verb, "pobj"), verb, "dobj")
        if token.tag in {"VB", "VBP"} and token.lemma in {"", token.lower} and token.lower.endswith(_pasts()):
            self.tokens[verb] = replace(token, tag="VBD")

    def _owned_name(self, kin: int) -> None:
        """Make "my niece Eva" one phrase with the noun as its head and the name as apposition."""
        tokens = self.tokens
        first = self._owner(kin) if is_role(tokens[kin].text) else None
        after = self._after_name(kin + 1)
        if first is None or after == kin + 1:
            return
        group = range(first, after)
        outside = [i for i in group if tokens[i].head not in group or tokens[i].head == i]
        top = next((i for i in outside if tokens[i].dep in _SUBJECTS), outside[-1] if outside else kin)
        verb = self._verb_after(after)
        if top == kin and tokens[after - 1].dep == "appos" and verb is None:
            return
        hung = [i for i in self.span if i not in group and tokens[i].head in group]
        self.hang(kin, tokens[top].head if tokens[top].head not in group else kin, tokens[top].dep)
        for i in (i for i in group if i != kin):
            dep = "appos" if i == after - 1 else "compound" if i > kin else tokens[i].dep
            self.hang(i, after - 1 if kin < i < after - 1 else kin, "poss" if tokens[i].tag == "PRP$" else dep)
        self.pass_on(hung, kin)
        if verb is not None:
            self._make_verb(verb, kin)

    def _owner(self, noun: int) -> int | None:
        """Return the index of "my" before a noun, with adjectives between them."""
        for i in range(noun - 1, max(self.begin, noun - 1 - _BETWEEN) - 1, -1):
            if self.tokens[i].tag == "PRP$" or self.tokens[i].pos not in _NOUNS:
                return i if self.tokens[i].tag == "PRP$" else None
        return None

    def _after_name(self, begin: int) -> int:
        return next((i for i in range(begin, self.end) if not self._is_name(i)), self.end)

    def _is_name(self, i: int) -> bool:
        token = self.tokens[i]
        return token.text[:1].isupper() and token.pos in _NOUNS and not token.text.isupper()

    def _verb_after(self, i: int) -> int | None:
        """Return a noun in "-s" that must be the verb, since the sentence has none."""
        plural = i < self.end - 1 and self.tokens[i].tag == "NNS" and self.tokens[i].text.islower()
        return i if plural and not self._has_verb() else None

    def _make_verb(self, verb: int, subject: int) -> None:
        tokens = self.tokens
        object_ = tokens[verb].head if tokens[verb].dep == "compound" and tokens[verb].head > verb else None
        lemma = self._base(verb) or tokens[verb].lemma  # "leaves" is not a leaf here
        self.hang(verb, verb, "ROOT", lemma=lemma, pos="VERB", tag="VBZ")
        self.pass_on([i for i in range(verb + 1, self.end) if tokens[i].head in {i, subject}], verb)
        if object_ is not None:
            self.hang(object_, verb, "dobj")
        self.hang(subject, verb, "nsubj")

    def _lost_verb(self, noun: int) -> None:
        """Find the verb of "My flight leaves at 9:40", which was tagged as a plural noun."""
        tokens, verb = self.tokens, noun + 1
        if self._owner(noun) != self.begin or self._lost_behind_a_name(noun):
            return
        opened = tokens[noun].pos == "NOUN" and tokens[noun].head == verb
        tagged = tokens[verb].tag == "VBZ" and tokens[noun].dep == "compound"  # "My private phone ends in 871"
        if opened and (tagged or self._known_verb_after(verb)):
            self.pass_on(range(self.begin, noun), noun)
            if tagged:
                self.hang(noun, verb, "nsubj")
            else:
                self._make_verb(verb, noun)

    def _known_verb_after(self, i: int) -> bool:
        return self._verb_after(i) is not None and bool(self._base(i))

    def _base(self, i: int) -> str:
        """Return "leave" of "leaves" and "go" of "goes"; "" if it is no common verb."""
        word, known = self.tokens[i].lower, _verbs()
        return next((form for form in (word[:-1], word[:-2]) if form in known), "")

    def _lost_behind_a_name(self, noun: int) -> bool:
        """Find the verb of "My flight to Athens leaves on Sunday", which was parsed as the object of "to"."""
        tokens, prep = self.tokens, noun + 1
        name = self._after_name(prep + 1) - 1
        if [token.lower for token in tokens[prep : prep + 4]] == ["-", "in", "-", "law"]:
            prep, name = noun + 2, noun + 4  # "My brother-in-law works for Shell"
        verb = name + 1
        if tokens[prep].tag not in {"IN", "TO"} or name <= prep or not self._known_verb_after(verb):
            return False
        self.pass_on(range(prep + 1, name), name, "compound")
        self._make_verb(verb, noun)
        self.pass_on([i for i in range(verb + 1, self.end) if tokens[i].head == noun], verb)
        self.hang(prep, noun, "prep")
        self.hang(name, prep, "pobj")
        return True

    def _split_subject(self, name: int) -> None:
        """Give "Bo and I got married" one subject, and "My name is Bo and I live in Rome" two."""
        tokens, self_ = self.tokens, name + 2
        if self_ >= self.end or tokens[name].pos != "PROPN" or tokens[self_].lower != "i":
            return
        verb, dep, is_ = tokens[self_].head, tokens[self_].dep, name - 1
        told = tokens[name].head
        told_of = (tokens[told].dep, tokens[told].head) == ("ccomp", is_) and tokens[is_].lemma == "be"
        if dep == "conj" and verb == name and told_of:
            self.hang(name, is_, "attr")  # nobody "is that Bo and I live"
            self.hang(name + 1, is_, "cc")
            self.hang(self_, told, tokens[name].dep if tokens[name].dep in _SUBJECTS else "nsubj")
            self.hang(told, is_, "conj")
            return
        if tokens[name + 1].lower != "and" or (tokens[verb].dep, tokens[verb].head) != ("conj", name):
            return
        if tokens[name].dep in {"attr", "pobj"}:
            top = name
            while tokens[top].head != top and not tokens[top].tag.startswith("VB"):
                top = tokens[top].head
            self.hang(name + 1, top, "cc")
            self.hang(verb, top, "conj")
            return
        self.hang(verb, verb if tokens[name].head == name else tokens[name].head, tokens[name].dep)
        self.hang(name, verb, dep)
        self.hang(self_, name, "conj")

    def _subject_behind_and(self, verb: int) -> None:
        """Give "I work at Google and Ada works at Apple" its second subject, if Ada was joined to Google.

        The one "and" cannot join both nouns and verbs: nothing else joins this verb to the one before.
        """
        tokens = self.tokens
        if tokens[verb].dep not in {"conj", "advcl"} or self.kids(verb, *_SUBJECTS, "mark"):
            return
        helps = self.kids(verb, "aux", "auxpass", "neg", "advmod")
        opens = verb
        while opens - 1 in helps:
            opens -= 1
        name, link = opens - 1, opens - 2
        inner = self.kids(name, "compound", "det", "amod", "poss")
        while link > self.begin and link in inner:
            link -= 1
        finite = any(tokens[i].tag in _FINITE for i in range(opens, verb + 1))
        joined = name > self.begin and tokens[name].dep == "conj" and tokens[name].pos in {"NOUN", "PROPN"}
        if finite and joined and link > self.begin and tokens[link].dep == "cc" and tokens[link].head < link:
            self.hang(link, tokens[verb].head, "cc")
            self.hang(verb, tokens[verb].head, "conj")
            self.hang(name, verb, "nsubj")

    def _noun_behind_and(self, place: int) -> None:
        """Make "shellfish" in "I'm allergic to nuts and shellfish" a noun: a finite verb has no bare one beside it.

        With words of its own it is the second verb: "I start work at 6 and finish at 2".
        """
        tokens = self.tokens
        token, top, noun = tokens[place], tokens[place].head, place - 2
        verb = tokens[top].head
        second = token.tag == "VB" and token.dep == "conj" and tokens[top].pos == "NOUN" and tokens[top].dep == "dobj"
        if second and self.kids(place, "prep") and not self.kids(place, "aux") and tokens[verb].tag == "VBP":
            self.hang(place, verb, "conj", tag="VBP")
            return
        bare = token.tag == "VB" and token.dep == "conj" and not self.kids(place) and token.lower not in _verbs()
        listed = noun > self.begin and tokens[place - 1].dep == "cc" and tokens[noun].pos in {"NOUN", "PROPN"}
        if bare and listed and tokens[top].tag in _FINITE - {"MD"}:
            self.hang(place - 1, noun, "cc")
            self.hang(place, noun, "conj", lemma=token.lower, pos="NOUN", tag="NN")

    def _named_object(self, verb: int) -> None:
        """Make "Turkish" in "I speak Turkish" the object if it was parsed as an adverb."""
        tokens, name = self.tokens, verb + 1
        taken = tokens[name].dep == "advmod" and tokens[name].head == verb and tokens[name].tag in {"JJ", "NNP"}
        if taken and tokens[verb].pos == "VERB" and tokens[name].text.istitle():
            self.hang(name, verb, "dobj", pos="PROPN", tag="NNP")

    def _page_led_to(self, at: int) -> None:
        """Attach an address to "at" that was parsed as an adverb: "is at https://kestrel.example now"."""
        tokens, page = self.tokens, at + 1
        if tokens[at].tag == "IN" and tokens[page].dep == "advmod" and "://" in tokens[page].text:
            self.lead(tokens[page].head, at, page, pos="PROPN", tag="NNP")

    def _contracted(self, at: int) -> None:
        """Make "'s" a verb if nothing follows that could belong to its noun."""
        tokens = self.tokens
        clause = self._first(at, _LINKS)
        if tokens[at].tag != "POS" or at + 2 > self.end or at == self.begin or self._has_verb(until=clause):
            return
        told, owner = at + 1, tokens[at].head
        opens = tokens[told].tag in {"DT", "PRP$"}  # "my manager's a guy called Anton"
        over = tokens[told].tag == "RB" and tokens[told].lower in {"off", "over"}  # "the wedding's off"
        weekly = tokens[told].head == told and is_weekday(tokens[told].lower)  # "yoga's Thursdays now"
        if not (opens or over or weekly or self._is_state(told)) or not self.begin <= owner < at:
            return
        told = tokens[told].head if opens and tokens[told].head > told else told
        comma = (self._first(at, _COMMAS) if opens or over else None) or self.end
        tokens[at] = replace(tokens[at], lemma="be", pos="AUX", tag="VBZ")
        for i in self.span:
            if i not in {at, told, owner} and (tokens[i].head == i or (tokens[i].head == owner and i > at)):
                self.hang(i, at, "parataxis" if i > comma and tokens[i].head == i else tokens[i].dep)
            elif tokens[i].head == told and (i < owner or (weekly and i > told)):
                self.hang(i, owner if i < owner else at, tokens[i].dep)
        self.hang(at, at, "ROOT")
        self.hang(owner, at, "nsubj")
        if opens or over or weekly:
            self.hang(told, at, "advmod" if over else "attr")
            return
        prep = tokens[told].tag == "IN"
        self.hang(told, at, "prep" if prep else "acomp", pos=tokens[told].pos if prep else "ADJ")

    def _is_state(self, i: int) -> bool:
        """Whether a token says how or where somebody is, and no noun follows it."""
        data, token = language_data("en"), self.tokens[i]
        after = self.tokens[i + 1] if i + 1 < self.end else None
        if after is not None and after.pos in _NOUNS:
            return token.tag == "IN" and after.pos == "PROPN"
        return token.tag in {"JJ", "IN"} or token.lower in data.words("care", "diet", "condition")

    def _place_gone_to(self, to: int) -> None:
        """Make a destination that was parsed as a verb a place."""
        tokens, place = self.tokens, to + 1
        goes = tokens[place].head
        taken = tokens[to].tag == "TO" and tokens[place].tag == "VB" and tokens[to].head == place
        lemma = (tokens[goes].lemma or "").lower()
        behind = [i for i in self.kids(place) if i == place + 1 and tokens[i].tag == "CD"]
        moved = lemma in {"move", "transfer"} and bool(behind)  # "moved Dad to ward 11"
        if not taken or not (moved or (lemma == "go" and goes == to - 1)):
            return
        below = [i for i in self.span if tokens[i].head == place and i not in {place, to, *behind}]
        if tokens[goes].tag == "VBG" or any(tokens[i].dep in {"dobj", "prt", "xcomp", "ccomp"} for i in below):
            return  # "I'm going to swim", "I went to see Ada"
        self.pass_on(below, goes)
        self.pass_on(behind, place, "nummod")
        self.lead(goes, to, place, pos="NOUN", tag="NN")

    def _to_no_verb(self, to: int) -> None:
        """Attach Linz in "I moved from Graz to Linz" and Gozo in "going to Gozo instead" to "to" if parsed as verbs."""
        tokens, name = self.tokens, self.tokens[to].head
        verb = tokens[name].head
        written = name == to + 1 and tokens[name].text.istitle() and tokens[name].lower not in _verbs()
        named = tokens[name].pos == "PROPN" or (tokens[name].tag == "VB" and written)
        taken = tokens[to].lower == "to" and tokens[to].dep == "aux" and named
        if not taken or self.kids(name, "dobj") or verb == name or not tokens[verb].tag.startswith("VB"):
            return
        self.pass_on(self.kids(name, "prep", "advmod", "npadvmod"), verb)
        self.lead(verb, to, name, pos="PROPN", tag="NNP", lemma=tokens[name].text)

    def _verb_of_help(self, verb: int) -> None:
        """Make "have" in "I have type 1 diabetes" the verb if it was parsed as an auxiliary of a noun."""
        tokens, noun = self.tokens, self.tokens[verb].head
        helps = tokens[verb].dep == "aux" and tokens[verb].lower in {"have", "'ve", "has", "had"}
        bare = tokens[noun].tag == "VB" and noun == verb + 1  # "has stage 2 cancer"
        if not helps or not (bare or tokens[noun].tag in {"NN", "NNP", "CD"}) or self._has_verb(besides=verb):
            return
        top, dep = (verb if tokens[noun].head == noun else tokens[noun].head), tokens[noun].dep
        inner = next((i for i in range(noun + 1, self.end) if tokens[i].head == noun and tokens[i].dep == "dobj"), noun)
        for i in self.span:
            if i != inner and tokens[i].head == noun:
                self.hang(i, verb if i < verb or tokens[i].pos == "PUNCT" else inner, tokens[i].dep)
        self.hang(verb, top, dep, lemma="have", pos="VERB")
        self.hang(noun, inner, "compound", **({"pos": "NOUN", "tag": "NN"} if bare else {}))
        self.hang(inner, verb, "dobj")

    def _led_up_to(self, up: int) -> None:
        """Attach the sum in "put my rent up to 780 euros" to "up to" if it was parsed as a second object."""
        tokens, to, number = self.tokens, up + 1, self.tokens[up].head
        if (tokens[up].dep, tokens[to].dep, tokens[to].lower) != ("quantmod", "quantmod", "to"):
            return
        sum_ = tokens[number].head if tokens[number].dep == "nummod" else number
        verb = tokens[sum_].head
        if tokens[up].lower not in {"up", "down"} or not tokens[verb].tag.startswith("VB") or verb > up:
            return
        self.hang(up, verb, "prt", pos="ADP", tag="RP")
        self.lead(verb, to, sum_)

    def _subject_behind_on(self, on: int) -> None:
        """Give the verb of "from now on my doctor is Dr Hill" its subject, which was parsed as the object of "on"."""
        tokens = self.tokens
        if [token.lower for token in tokens[max(self.begin, on - 2) : on + 1]] != ["from", "now", "on"]:
            return
        noun = next((i for i in self.kids(on, "pobj") + self.kids(on - 2, "pobj") if i > on), None)
        verb = next((i for i in range(noun or self.end, self.end) if tokens[i].tag in _FINITE), None)
        if noun is None or verb is None or self.kids(verb, *_SUBJECTS):
            return
        self.hang(noun, verb, "nsubj")
        self.hang(on - 2, verb, "prep")
        self.hang(on, on - 2, "pcomp")

    def _has_verb(self, besides: int = -1, until: int | None = None) -> bool:
        return any(self.tokens[i].tag in _FINITE for i in range(self.begin, until or self.end) if i != besides)

    def _first(self, after: int, words: frozenset[str]) -> int | None:
        return next((i for i in range(after, self.end) if self.tokens[i].text in words), None)


@cache
def _verbs() -> frozenset[str]:
    """Return verbs common enough to be assumed if the sentence has no other."""
    data = language_data("en")
    return data.words("verbs") | {phrase.partition(" ")[0] for phrase in data.attributes}


@cache
def _pasts() -> tuple[str, ...]:
    """Return the endings of irregular pasts, whatever precedes them: "wrote"."""
    known = language_data("en").words("elided", "past")
    return tuple(
        past for past in known if len(past) > 3 and not past.endswith("ed") and past not in {"finished", "quit"}
    )
