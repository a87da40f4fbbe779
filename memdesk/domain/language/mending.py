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

_FINITE: Final = frozenset({"VBZ", "VBP", "VBD", "MD"})
_SUBJECTS: Final = frozenset({"nsubj", "nsubjpass"})
_NOUNS: Final = frozenset({"NOUN", "PROPN", "ADJ"})
#: Most words between "my" and the noun: "my dear old friend".
_BETWEEN: Final = 3


def mended(analysis: Analysis) -> Analysis:
    """Return an analysis with corrected trees; the tokens' texts and positions stay."""
    if not analysis.parsed:
        return analysis
    tokens = list(analysis.tokens)
    _part(tokens)
    analysis = replace(analysis, tokens=tuple(tokens))
    for (begin, end), (after, _) in pairwise(analysis.sentences()):
        _join_subject(tokens, begin, end, after)
    joined = replace(analysis, tokens=tuple(tokens))
    for begin, end in joined.sentences():
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


class _Sentence:
    def __init__(self, tokens: list[Token], begin: int, end: int) -> None:
        self._tokens, self._begin, self._end = tokens, begin, end

    def mend(self) -> None:
        """Apply each rule where its structure occurs."""
        for place in range(self._begin, self._end - 1):
            parsed = self._tokens[self._begin : self._end]
            self._mend_at(place)
            if self._tokens[self._begin : self._end] != parsed and not self._is_tree():
                self._tokens[self._begin : self._end] = parsed

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

    def _is_tree(self) -> bool:
        """Whether every token finally depends on a root of the sentence, not on itself."""
        for start in self._range():
            index = start
            for _ in self._range():
                head = self._tokens[index].head
                if head == index or not self._begin <= head < self._end:
                    break
                index = head
            else:
                return False
        return True

    def _number_behind(self, noun: int) -> None:
        """Attach the numbers of "Client 1 wrote row 0" and the letter of "is run by server B" to their nouns."""
        tokens, number = self._tokens, noun + 1
        token, head = tokens[number], tokens[number].head
        letter = len(token.text.rstrip(".")) == 1 and token.text.isupper() and token.pos != "PRON"
        tells = letter or (token.tag == "CD" and token.text.isdecimal())
        stray = token.dep in {"nummod", "npadvmod"} and (head < noun or self._is_lost_verb(head))
        singular = tokens[noun].tag in {"NN", "NNP"} and tokens[noun].entity not in {"date", "time"}
        singular = singular and not self._kids(noun, "det", "poss")  # "pay the cleaner 15 an hour"
        if tells and stray and singular:
            self._hang(number, noun, "nummod")

    def _is_lost_verb(self, i: int) -> bool:
        """Whether a plural noun has a subject, or directly follows "Flight 302": "leaves at nine"."""
        token = self._tokens[i]
        if token.tag != "NNS" or self._has_verb():
            return False
        beside = token.dep == "appos" and token.head == i - 2 and self._tokens[i - 1].tag == "CD"
        return beside or (token.dep == "ROOT" and bool(self._kids(i, "nsubj")))

    def _form(self, verb: int) -> None:
        """Make "rewrote" a past, "hate" the lemma of "hates", and a token with a subject a verb."""
        token, known = self._tokens[verb], _verbs()
        if self._is_lost_verb(verb):
            self._make_verb(verb, next(iter(self._kids(verb, "nsubj")), token.head))
            return
        if token.tag == "VBZ" and token.lemma not in known and f"{token.lemma}e" in known:
            self._tokens[verb] = replace(token, lemma=f"{token.lemma}e")  # not from "hat"
        before = self._tokens[verb - 1] if verb > self._begin else token
        if token.tag == "NN" and (before.lower, before.head, before.dep) == ("i", verb, "nsubj"):  # "I crew for them"
            self._tokens[verb] = token = replace(token, pos="VERB", tag="VBP")
        if token.pos == "PUNCT" and "@" in token.text and token.dep == "punct":  # an address
            self._tokens[verb] = replace(token, pos="PROPN", tag="NNP", dep="dobj")
        if token.tag == "IN" and token.lower == "like" and self._kids(verb, "nsubj"):  # "I quite like jazz"
            self._tokens[verb] = replace(token, pos="VERB", tag="VBP")
            for i in self._kids(verb, "pobj"):
                self._hang(i, verb, "dobj")
        if token.tag in {"VB", "VBP"} and token.lemma in {"", token.lower} and token.lower.endswith(_pasts()):
            self._tokens[verb] = replace(token, tag="VBD")

    def _owned_name(self, kin: int) -> None:
        """Make "my niece Eva" one phrase with the noun as its head and the name as apposition."""
        tokens = self._tokens
        first = self._owner(kin) if is_role(tokens[kin].text) else None
        after = kin + 1
        while after < self._end and self._is_name(after):
            after += 1
        if first is None or after == kin + 1:
            return
        group = range(first, after)
        outside = [i for i in group if tokens[i].head not in group or tokens[i].head == i]
        top = next((i for i in outside if tokens[i].dep in _SUBJECTS), outside[-1] if outside else kin)
        verb = self._verb_after(after)
        if top == kin and tokens[after - 1].dep == "appos" and verb is None:
            return
        hung = [i for i in range(self._begin, self._end) if i not in group and tokens[i].head in group]
        self._hang(kin, tokens[top].head if tokens[top].head not in group else kin, tokens[top].dep)
        for i in (i for i in group if i != kin):
            dep = "appos" if i == after - 1 else "compound" if i > kin else tokens[i].dep
            self._hang(i, after - 1 if kin < i < after - 1 else kin, "poss" if tokens[i].tag == "PRP$" else dep)
        for i in hung:
            self._hang(i, kin, tokens[i].dep)
        if verb is not None:
            self._make_verb(verb, kin)

    def _owner(self, noun: int) -> int | None:
        """Return the index of "my" before a noun, with adjectives between them."""
        for i in range(noun - 1, max(self._begin, noun - 1 - _BETWEEN) - 1, -1):
            if self._tokens[i].tag == "PRP$":
                return i
            if self._tokens[i].pos not in _NOUNS:
                return None
        return None

    def _is_name(self, i: int) -> bool:
        token = self._tokens[i]
        return token.text[:1].isupper() and token.pos in _NOUNS and not token.text.isupper()

    def _verb_after(self, i: int) -> int | None:
        """Return a noun in "-s" that must be the verb, since the sentence has none."""
        plural = i < self._end - 1 and self._tokens[i].tag == "NNS" and self._tokens[i].text.islower()
        return i if plural and not self._has_verb() else None

    def _make_verb(self, verb: int, subject: int) -> None:
        tokens = self._tokens
        object_ = tokens[verb].head if tokens[verb].dep == "compound" and tokens[verb].head > verb else None
        known = _verbs()  # "leaves" is not a leaf here
        lemma = next((form for form in _stripped(tokens[verb].lower) if form in known), tokens[verb].lemma)
        tokens[verb] = replace(tokens[verb], lemma=lemma, pos="VERB", tag="VBZ")
        self._hang(verb, verb, "ROOT")
        for i in range(verb + 1, self._end):
            if tokens[i].head in {i, subject}:
                self._hang(i, verb, "dobj" if i == object_ else tokens[i].dep)
        if object_ is not None:
            self._hang(object_, verb, "dobj")
        self._hang(subject, verb, "nsubj")

    def _lost_verb(self, noun: int) -> None:
        """Find the verb of "My flight leaves at 9:40", which was tagged as a plural noun."""
        tokens, verb = self._tokens, noun + 1
        opened = self._owner(noun) == self._begin and tokens[noun].pos == "NOUN" and tokens[noun].head == verb
        known = _verbs()
        if self._lost_behind_a_name(noun, known):
            return
        tagged = opened and tokens[verb].tag == "VBZ" and tokens[noun].dep == "compound"
        if tagged:  # "My private phone ends in 871"
            for i in range(self._begin, noun):
                self._hang(i, noun, tokens[i].dep)
            self._hang(noun, verb, "nsubj")
        elif opened and self._verb_after(verb) is not None and not known.isdisjoint(_stripped(tokens[verb].lower)):
            for i in range(self._begin, noun):
                self._hang(i, noun, tokens[i].dep)
            self._make_verb(verb, noun)

    def _lost_behind_a_name(self, noun: int, known: frozenset[str]) -> bool:
        """Find the verb of "My flight to Athens leaves on Sunday", which was parsed as the object of "to"."""
        tokens, prep = self._tokens, noun + 1
        name = next((i for i in range(prep + 1, self._end) if not self._is_name(i)), self._end) - 1
        if [token.lower for token in tokens[prep : prep + 4]] == ["-", "in", "-", "law"]:
            prep, name = noun + 2, noun + 4  # "My brother-in-law works for Shell"
        verb = name + 1
        opened = self._owner(noun) == self._begin and tokens[prep].tag in {"IN", "TO"} and name > prep
        if not opened or self._verb_after(verb) is None or known.isdisjoint(_stripped(tokens[verb].lower)):
            return False
        for i in range(prep + 1, name):
            self._hang(i, name, "compound")
        self._make_verb(verb, noun)
        for i in range(verb + 1, self._end):
            if tokens[i].head == noun:
                self._hang(i, verb, tokens[i].dep)
        self._hang(prep, noun, "prep")
        self._hang(name, prep, "pobj")
        return True

    def _split_subject(self, name: int) -> None:
        """Give "Bo and I got married" one subject, and "My name is Bo and I live in Rome" two."""
        tokens, self_ = self._tokens, name + 2
        if self_ >= self._end or tokens[name].pos != "PROPN" or tokens[self_].lower != "i":
            return
        verb, dep, is_ = tokens[self_].head, tokens[self_].dep, name - 1
        told = tokens[name].head
        told_of = (tokens[told].dep, tokens[told].head) == ("ccomp", is_) and tokens[is_].lemma == "be"
        if dep == "conj" and verb == name and told_of:
            self._hang(name, is_, "attr")  # nobody "is that Bo and I live"
            self._hang(name + 1, is_, "cc")
            self._hang(self_, told, tokens[name].dep if tokens[name].dep in _SUBJECTS else "nsubj")
            self._hang(told, is_, "conj")
            return
        if tokens[name + 1].lower != "and" or (tokens[verb].dep, tokens[verb].head) != ("conj", name):
            return
        if tokens[name].dep in {"attr", "pobj"}:
            top = name
            while tokens[top].head != top and not tokens[top].tag.startswith("VB"):
                top = tokens[top].head
            self._hang(name + 1, top, "cc")
            self._hang(verb, top, "conj")
            return
        self._hang(verb, verb if tokens[name].head == name else tokens[name].head, tokens[name].dep)
        self._hang(name, verb, dep)
        self._hang(self_, name, "conj")

    def _subject_behind_and(self, verb: int) -> None:
        """Give "I work at Google and Ada works at Apple" its second subject, if Ada was joined to Google.

        The one "and" cannot join both nouns and verbs: nothing else joins this verb to the one before.
        """
        tokens = self._tokens
        if tokens[verb].dep not in {"conj", "advcl"} or self._kids(verb, *_SUBJECTS, "mark"):
            return
        helps = self._kids(verb, "aux", "auxpass", "neg", "advmod")
        opens = verb
        while opens - 1 in helps:
            opens -= 1
        name, link = opens - 1, opens - 2
        while (
            link > self._begin and tokens[link].head == name and tokens[link].dep in {"compound", "det", "amod", "poss"}
        ):
            link -= 1
        finite = any(tokens[i].tag in _FINITE for i in range(opens, verb + 1))
        joined = name > self._begin and tokens[name].dep == "conj" and tokens[name].pos in {"NOUN", "PROPN"}
        if finite and joined and link > self._begin and tokens[link].dep == "cc" and tokens[link].head < link:
            self._hang(link, tokens[verb].head, "cc")
            self._hang(verb, tokens[verb].head, "conj")
            self._hang(name, verb, "nsubj")

    def _noun_behind_and(self, place: int) -> None:
        """Make "shellfish" in "I'm allergic to nuts and shellfish" a noun: a finite verb has no bare one beside it.

        With words of its own it is the second verb: "I start work at 6 and finish at 2".
        """
        tokens = self._tokens
        token, top, noun = tokens[place], tokens[place].head, place - 2
        verb = tokens[top].head
        second = token.tag == "VB" and token.dep == "conj" and tokens[top].pos == "NOUN" and tokens[top].dep == "dobj"
        if second and self._kids(place, "prep") and not self._kids(place, "aux") and tokens[verb].tag == "VBP":
            tokens[place] = replace(token, tag="VBP")
            self._hang(place, verb, "conj")
            return
        bare = token.tag == "VB" and token.dep == "conj" and not self._kids(place) and token.lower not in _verbs()
        listed = noun > self._begin and tokens[place - 1].dep == "cc" and tokens[noun].pos in {"NOUN", "PROPN"}
        if bare and listed and tokens[top].tag in _FINITE - {"MD"}:
            tokens[place] = replace(token, lemma=token.lower, pos="NOUN", tag="NN")
            self._hang(place - 1, noun, "cc")
            self._hang(place, noun, "conj")

    def _named_object(self, verb: int) -> None:
        """Make "Turkish" in "I speak Turkish" the object if it was parsed as an adverb."""
        tokens, name = self._tokens, verb + 1
        taken = tokens[name].dep == "advmod" and tokens[name].head == verb and tokens[name].tag in {"JJ", "NNP"}
        if taken and tokens[verb].pos == "VERB" and tokens[name].text.istitle():
            tokens[name] = replace(tokens[name], pos="PROPN", tag="NNP")
            self._hang(name, verb, "dobj")

    def _page_led_to(self, at: int) -> None:
        """Attach an address to "at" that was parsed as an adverb: "is at https://kestrel.example now"."""
        tokens, page = self._tokens, at + 1
        if tokens[at].tag == "IN" and tokens[page].dep == "advmod" and "://" in tokens[page].text:
            top = tokens[page].head
            tokens[page] = replace(tokens[page], pos="PROPN", tag="NNP")
            self._hang(at, top, "prep")
            self._hang(page, at, "pobj")

    def _contracted(self, at: int) -> None:
        """Make "'s" a verb if nothing follows that could belong to its noun."""
        tokens = self._tokens
        if tokens[at].tag != "POS" or at + 2 > self._end or at == self._begin or self._has_verb(until=self._link(at)):
            return
        told, owner = at + 1, tokens[at].head
        opens = tokens[told].tag in {"DT", "PRP$"}  # "my manager's a guy called Anton"
        over = tokens[told].tag == "RB" and tokens[told].lower in {"off", "over"}  # "the wedding's off"
        weekly = tokens[told].head == told and is_weekday(tokens[told].lower)  # "yoga's Thursdays now"
        if not (opens or over or weekly or self._is_state(told)) or not self._begin <= owner < at:
            return
        told = tokens[told].head if opens and tokens[told].head > told else told
        comma = (self._comma(at) if opens or over else None) or self._end
        tokens[at] = replace(tokens[at], lemma="be", pos="AUX", tag="VBZ")
        for i in range(self._begin, self._end):
            if i not in {at, told, owner} and (tokens[i].head == i or (tokens[i].head == owner and i > at)):
                self._hang(i, at, "parataxis" if i > comma and tokens[i].head == i else tokens[i].dep)
            elif tokens[i].head == told and (i < owner or (weekly and i > told)):
                self._hang(i, owner if i < owner else at, tokens[i].dep)
        self._hang(at, at, "ROOT")
        self._hang(owner, at, "nsubj")
        if opens or over or weekly:
            self._hang(told, at, "advmod" if over else "attr")
            return
        prep = tokens[told].tag == "IN"
        tokens[told] = replace(tokens[told], pos=tokens[told].pos if prep else "ADJ")
        self._hang(told, at, "prep" if prep else "acomp")

    def _is_state(self, i: int) -> bool:
        """Whether a token says how or where somebody is, and no noun follows it."""
        data, token = language_data("en"), self._tokens[i]
        after = self._tokens[i + 1] if i + 1 < self._end else None
        if after is not None and after.pos in _NOUNS:
            return token.tag == "IN" and after.pos == "PROPN"
        return token.tag in {"JJ", "IN"} or token.lower in data.words("care", "diet", "condition")

    def _place_gone_to(self, to: int) -> None:
        """Make a destination that was parsed as a verb a place."""
        tokens, place = self._tokens, to + 1
        goes = tokens[place].head
        taken = tokens[to].tag == "TO" and tokens[place].tag == "VB" and tokens[to].head == place
        lemma = (tokens[goes].lemma or "").lower()
        behind = [
            i for i in range(place + 1, min(place + 2, self._end)) if tokens[i].tag == "CD" and tokens[i].head == place
        ]
        moved = lemma in {"move", "transfer"} and bool(behind)  # "moved Dad to ward 11"
        if not taken or not (moved or (lemma == "go" and goes == to - 1)):
            return
        below = [i for i in range(self._begin, self._end) if tokens[i].head == place and i not in {place, to}]
        below = [i for i in below if i not in behind]
        if tokens[goes].tag == "VBG" or any(tokens[i].dep in {"dobj", "prt", "xcomp", "ccomp"} for i in below):
            return  # "I'm going to swim", "I went to see Ada"
        for i in below:
            self._hang(i, goes, tokens[i].dep)
        for i in behind:
            self._hang(i, place, "nummod")
        tokens[place] = replace(tokens[place], pos="NOUN", tag="NN")
        self._lead(goes, to, place)

    def _to_no_verb(self, to: int) -> None:
        """Attach Linz in "I moved from Graz to Linz" and Gozo in "going to Gozo instead" to "to" if parsed as verbs."""
        tokens, name = self._tokens, self._tokens[to].head
        verb = tokens[name].head
        written = name == to + 1 and tokens[name].text.istitle() and tokens[name].lower not in _verbs()
        named = tokens[name].pos == "PROPN" or (tokens[name].tag == "VB" and written)
        taken = tokens[to].lower == "to" and tokens[to].dep == "aux" and named
        if not taken or self._kids(name, "dobj") or verb == name or not tokens[verb].tag.startswith("VB"):
            return
        for i in self._kids(name, "prep", "advmod", "npadvmod"):
            self._hang(i, verb, tokens[i].dep)
        tokens[name] = replace(tokens[name], pos="PROPN", tag="NNP", lemma=tokens[name].text)
        self._lead(verb, to, name)

    def _verb_of_help(self, verb: int) -> None:
        """Make "have" in "I have type 1 diabetes" the verb if it was parsed as an auxiliary of a noun."""
        tokens, noun = self._tokens, self._tokens[verb].head
        helps = tokens[verb].dep == "aux" and tokens[verb].lower in {"have", "'ve", "has", "had"}
        bare = tokens[noun].tag == "VB" and noun == verb + 1  # "has stage 2 cancer"
        if not helps or not (bare or tokens[noun].tag in {"NN", "NNP", "CD"}) or self._has_verb(besides=verb):
            return
        top, dep = (verb if tokens[noun].head == noun else tokens[noun].head), tokens[noun].dep
        inner = next(
            (i for i in range(noun + 1, self._end) if tokens[i].head == noun and tokens[i].dep == "dobj"), noun
        )
        for i in self._range():
            if i != inner and tokens[i].head == noun:
                self._hang(i, verb if i < verb or tokens[i].pos == "PUNCT" else inner, tokens[i].dep)
        tokens[verb] = replace(tokens[verb], lemma="have", pos="VERB")
        tokens[noun] = replace(tokens[noun], pos="NOUN", tag="NN") if bare else tokens[noun]
        self._hang(verb, top, dep)
        if inner != noun:
            self._hang(noun, inner, "compound")
        self._hang(inner, verb, "dobj")

    def _led_up_to(self, up: int) -> None:
        """Attach the sum in "put my rent up to 780 euros" to "up to" if it was parsed as a second object."""
        tokens, to = self._tokens, up + 1
        number = tokens[up].head
        if (tokens[up].dep, tokens[to].dep, tokens[to].lower) != ("quantmod", "quantmod", "to"):
            return
        sum_ = tokens[number].head if tokens[number].dep == "nummod" else number
        verb = tokens[sum_].head
        if tokens[up].lower not in {"up", "down"} or not tokens[verb].tag.startswith("VB") or verb > up:
            return
        tokens[up] = replace(tokens[up], pos="ADP", tag="RP")
        self._hang(up, verb, "prt")
        self._lead(verb, to, sum_)

    def _subject_behind_on(self, on: int) -> None:
        """Give the verb of "from now on my doctor is Dr Hill" its subject, which was parsed as the object of "on"."""
        tokens = self._tokens
        if [token.lower for token in tokens[max(self._begin, on - 2) : on + 1]] != ["from", "now", "on"]:
            return
        noun = next((i for i in self._kids(on, "pobj") + self._kids(on - 2, "pobj") if i > on), None)
        verb = next((i for i in range(noun or self._end, self._end) if tokens[i].tag in _FINITE), None)
        if noun is None or verb is None or self._kids(verb, *_SUBJECTS):
            return
        self._hang(noun, verb, "nsubj")
        self._hang(on - 2, verb, "prep")
        self._hang(on, on - 2, "pcomp")

    def _has_verb(self, besides: int = -1, until: int | None = None) -> bool:
        return any(
            self._tokens[i].tag in _FINITE for i in self._range()[: until and until - self._begin] if i != besides
        )

    def _comma(self, after: int) -> int | None:
        """Return where a comma splices something on after a token."""
        return next((i for i in range(after, self._end) if self._tokens[i].text in {",", ";"}), None)

    def _link(self, after: int) -> int | None:
        """Return where another clause begins after a token."""
        links = (
            i for i in range(after, self._end) if self._tokens[i].text in {",", ";", "so", "and", "but", "because"}
        )
        return next(links, None)

    def _kids(self, head: int, *deps: str) -> list[int]:
        """Return a token's dependents except punctuation; only those of the given relations, if any are given."""
        found = (i for i in self._range() if self._tokens[i].head == head != i and self._tokens[i].dep != "punct")
        return [i for i in found if not deps or self._tokens[i].dep in deps]

    def _lead(self, verb: int, to: int, noun: int) -> None:
        """Make "to" a preposition from a verb to a noun."""
        self._tokens[to] = replace(self._tokens[to], pos="ADP", tag="IN")
        self._hang(to, verb, "prep")
        self._hang(noun, to, "pobj")

    def _range(self) -> range:
        return range(self._begin, self._end)

    def _hang(self, index: int, head: int, dep: str) -> None:
        self._tokens[index] = replace(self._tokens[index], head=head, dep="ROOT" if head == index else dep)


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


def _stripped(verb: str) -> tuple[str, str]:
    """Return the possible base forms of "leaves" and "goes"."""
    return verb[:-1], verb[:-2]
