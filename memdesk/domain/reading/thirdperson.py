"""Rewrites what a speaker said in the third person and with dates: "I love my sister" -> "Dana loves Dana's sister".

Only words for persons and dates are replaced, verbs made to agree, and forms of address and interjections removed;
everything else stays as said, so that a line can be checked against its source word by word.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from memdesk.domain.language.analysis import Analysis, Token, lexicon
from memdesk.domain.language.data import language_data
from memdesk.domain.language.inflect import COMMON_PRESENT, FULL_FORMS, INFORMAL, third_person
from memdesk.domain.language.text import capitalized
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.clauses import is_of_nobody
from memdesk.domain.reading.habits import SAME_IN_PAST, is_present
from memdesk.domain.reading.trimming import ASIDE, has, trim

_SUBJECT: Final = frozenset({"nsubj", "nsubjpass"})
_FIRST: Final = frozenset({"i", "me", "my", "mine", "myself"})
_PLURAL: Final = frozenset({"we", "us", "our", "ours", "ourselves", "let's"})
_SECOND: Final = frozenset({"you", "your", "yours", "yourself", "y'all"})
_PERSONS: Final = (_FIRST | _PLURAL | _SECOND) - {"i"}
#: Most adverbs between "I" and its verb, and most tokens of "my cousins and" before it, without a parse.
_ADVERBS: Final = lexicon("never always usually often also really still only just mostly currently now")
_JOINED: Final = 3
#: Relatives without "my".
_KIN: Final = lexicon("mom mum dad daddy grandma grandpa granny")
#: Words before one that show whose it is; a parse shows the rest.
_OWNERS: Final = lexicon("my our your his her their the a an 's of")
#: "Remind me to call" says that I have to call.
_REMINDER: Final = ("remind", "me", "to")
#: Contractions that the tokenizer splits, by what their first half stands for.
_SPLIT: Final = {("gon", "na"): "going", ("wan", "na"): "want", ("got", "ta"): "have"}
_VERBAL: Final = frozenset({"VERB", "AUX"})
#: Names that may be adjectives.
_CAPITAL: Final = frozenset({"group", "language"})


@dataclass(frozen=True, slots=True)
class Cast:
    """Who speaks to whom.

    Attributes:
        speaker: the speaker's name in lines.
        listener: the listener's name in lines.
        companions: what "we" adds to the speaker; if empty, "we" becomes the speaker.
        names: other spellings by which the two address each other, in lower case.
    """

    speaker: str
    listener: str
    companions: str = ""
    names: frozenset[str] = field(default_factory=frozenset)


#: Replacement words for tokens ``begin`` to ``end``, by their first index, with the index after the last.
Replacements = dict[int, tuple[int, str]]


def retell(
    analysis: Analysis, begin: int, end: int, cast: Cast, replacements: Replacements | None = None, lead: str = ""
) -> str:
    """Rewrite one sentence or clause.

    Args:
        analysis: the turn.
        begin: index of the sentence's first token.
        end: index after its last.
        cast: who speaks.
        replacements: words that replace spans, for example absolute dates.
        lead: the subject of a clause that has none of its own.

    Returns:
        a sentence with a capital letter and a full stop, or an empty text when nothing is left.
    """
    begin, end = trim(analysis.tokens, begin, end, cast.names)
    if begin >= end:
        return ""
    return _Retelling(analysis, begin, end, cast, replacements or {}, lead).text()


def _goes_on(token: Token) -> bool:
    """Whether a token without space before it belongs to the same word: "id" is split like "I'd"."""
    return token.text == "-" or (token.text[:1].isalpha() and token.lower not in {"m", "ve", "ll"})


class _Retelling:
    """One sentence being rewritten; knows whether the speaker was already named."""

    def __init__(self, analysis: Analysis, begin: int, end: int, cast: Cast, spans: Replacements, lead: str) -> None:
        self._analysis, self._tokens = analysis, analysis.tokens
        self._lead = lead
        self._sentence = next((i for i in range(begin, -1, -1) if analysis.tokens[i].first), begin)
        self._parsed = analysis.parsed
        self._begin, self._end = begin, end
        self._cast = cast
        self._spans = spans
        self._named = False
        self._they = False
        self._lowered = False
        self._out: list[str] = []

    def text(self) -> str:
        index = self._begin
        if self._lead:
            self._out.append(f"{self._lead} ")
            self._lowered = True
            self._named = self._cast.speaker.lower() in self._lead.lower()
        elif has(self._tokens, index, self._end, _REMINDER):
            self._out.append(f"{self._cast.speaker} has to ")
            self._named = True
            index += len(_REMINDER)
        else:
            self._say_dropped_subject()
        while index < self._end:
            if index in self._spans and self._spans[index][0] <= self._end:
                after, words = self._spans[index]
                self._put(words, space=self._tokens[after - 1].space)
                index = after
                continue
            if has(self._tokens, index, self._end, ASIDE):
                index += len(ASIDE)
                continue
            token = self._tokens[index]
            word = self._word(index, token)
            self._put(word, space=token.space, joined=word == token.text)
            index += 1
        return finish("".join(self._out))

    def _kin(self, index: int, token: Token) -> str | None:
        """Return whose "Dad" it is: the speaker's, if nobody else is named."""
        before = self._tokens[index - 1] if index > self._begin else None
        follows = self._tokens[index + 1] if index + 1 < self._end else None
        owned = before is not None and (before.pos in {"DET", "PRON", "ADJ", "PROPN"} or before.lower in _OWNERS)
        written = token.text[0].isupper() or before is None
        kin = token.lower in _KIN or token.lower in language_data("en").words("people", "she", "he")
        if not kin or owned or not written or (follows is not None and follows.pos == "PROPN"):
            return None
        words = f"{'their' if self._named else self._cast.speaker + chr(39) + 's'} {token.lower}"
        self._named = True
        return words

    def _put(self, words: str, *, space: bool, joined: bool = False) -> None:
        """Add words; unchanged ones stay ``joined`` to the previous word if it had no space ("4am")."""
        if words:
            if words[0] not in "'\u2019,.;:!?)n" and self._out and not self._out[-1].endswith((" ", "-", "/", "(")):
                glue = not joined and self._out[-1][-1:].isalnum() and words[0].isalnum()
                self._out.append(" " if glue and not self._out[-1].endswith("'") else "")
            self._out.append(words)
        if space:
            self._out.append(" ")

    def _word(self, index: int, token: Token) -> str:
        low = token.lower
        if token.tag in {"NNP", "NNPS"} and (token.dep == "compound" or token.text == "US"):
            return token.text  # "a US citizen", "the i Paper"
        follows = self._tokens[index + 1] if index + 1 < self._end else None
        if follows is not None and not token.space and (low, follows.lower) in _SPLIT:
            subject = self._subject(index)
            own = subject is None or self._tokens[subject].lower == "i"
            full = _SPLIT[low, follows.lower]
            return third_person(full) if own and full != "going" else full
        if index > self._begin and (self._tokens[index - 1].lower, low) in _SPLIT:
            return " to"
        if self._names_something(index):
            return token.text
        if low in _FIRST and not (follows is not None and not token.space and _goes_on(follows)):
            return self._first_person(low)
        if low == "us" and index > self._begin and self._tokens[index - 1].lower == "of":
            return "them"  # "too dark for the two of us"
        if low in _PLURAL:
            return self._plural(low)
        if low in _SECOND:
            return self._anybody(index) or self._second_person(low)
        verb = self._verb(index, token)
        if verb is not None:
            return verb
        kin = self._kin(index, token)
        if kin is not None:
            return kin
        if index == self._begin and self._lowered and token.pos != "PROPN" and token.entity not in _CAPITAL:
            return INFORMAL.get(low, low)
        return INFORMAL.get(low, token.text)

    # ------------------------------------------------------------------ persons

    def _names_something(self, index: int) -> bool:
        """Whether a pronoun is part of a name or a compound: "a pay-as-you-go SIM", "thank you notes", "Someone Like You"."""
        tokens, token = self._tokens, self._tokens[index]
        before = tokens[index - 1] if index > self._begin else None
        if before is None or token.lower not in _PERSONS:
            return False
        hyphened = before.text == "-" and not before.space and not tokens[index - 2].space
        thanked = before.lower == "thank" and tokens[index - 2].lower not in {"i", "we", "to"}
        titled = token.text.istitle() and before.text.istitle() and index - 1 > self._begin
        return hyphened or thanked or titled

    def _first_person(self, low: str) -> str:
        name = self._cast.speaker
        if low == "myself":
            return "themselves" if self._named else name
        if low in {"my", "mine"}:
            words = "their" if self._named and low == "my" else "theirs" if self._named else f"{name}'s"
            self._named = True
            return words
        if low == "me" and self._named:
            return "them"
        self._named = True
        return name

    def _plural(self, low: str) -> str:
        if low in {"our", "ours"}:
            if self._they or self._named:
                return "their" if low == "our" else "theirs"
            self._named = self._they = True
            return f"{self._cast.speaker}'s"
        if low == "ourselves":
            return "themselves"
        if not self._cast.companions:
            return self._first_person({"we": "i", "us": "me"}.get(low, low))
        if self._they:
            return "they" if low == "we" else "them"
        self._they = self._named = True
        return f"{self._cast.speaker} and {self._cast.companions}"

    def _anybody(self, you: int) -> str:
        """Return "one" where "you" is anybody: "a pool where you can swim", not "the answer you gave me"."""
        verb = self._tokens[you].head
        below = self._parsed and self._tokens[you].dep in _SUBJECT and self._tokens[verb].dep in {"relcl", "advcl"}
        if not below or self._tokens[you].lower != "you":
            return ""
        tree = Tree(self._analysis, self._begin, self._end)
        told = any(self._tokens[i].lower in _FIRST | _PLURAL or self._tokens[i].tag == "VBD" for i in tree.below(verb))
        return "" if told else "one"

    def _second_person(self, low: str) -> str:
        name = self._cast.listener
        if name in self._lead:  # "asks the assistant to keep its answers short"
            return "its" if low in {"your", "yours"} else "it"
        return f"{name}'s" if low in {"your", "yours"} else name

    # ------------------------------------------------------------------ verbs

    def _verb(self, index: int, token: Token) -> str | None:
        low = token.lower
        if low == "'d" and token.dep != "case":
            return " would" if token.tag == "MD" or not self._parsed else " had"
        if not self._parsed:
            return self._verb_by_words(index, token)
        if low in {"am", "'m"} and index > self._begin and self._tokens[index - 1].lower == "i":
            # It has no other subject, whatever the parse says of the rest: "Tom repairs violins, and I am ill".
            return (" " if low == "'m" else "") + third_person(low)
        # A pronoun just before is the subject, whatever the parse says: "in Aarhus and we're closed".
        at_hand = index > self._begin and self._tokens[index - 1].lower in {"i", "we"}
        subject = index - 1 if at_hand else self._subject(index)
        if low in FULL_FORMS and subject is None:
            return " " + FULL_FORMS[low] if token.pos in _VERBAL else None
        if low == "were" and subject is None and self._lowered and self._named:
            return "was"  # "We're vegans, always were"
        if subject is None or token.pos not in _VERBAL or self._names_something(subject):
            return None
        if subject < self._begin and self._lead.endswith(" to"):
            return None  # "asks the assistant to call them Jo"
        person = self._tokens[subject].lower
        singular = person in {"i", "you"} or (person == "we" and not self._cast.companions)
        if self._joined_to_others(subject):
            singular = False
        form = FULL_FORMS.get(low)
        lead = " " if form else ""
        if not singular:
            return None if form is None else lead + form
        if low in {"am", "'m", "are", "'re", "have", "'ve", "do"} and token.tag in {"VBP", "VB", ""}:
            return lead + third_person(low)
        if low == "'ll":
            return " will"
        if low == "were":
            return "were" if person == "i" else "was"
        if token.lemma and token.lemma.lower() != low and low not in INFORMAL:
            return None  # a past form tagged as present
        if low in SAME_IN_PAST and (token.tag != "VB" or token.dep == "conj"):
            return third_person(low) if is_present(self._analysis, self._begin, self._end, index) else None
        # Without an auxiliary a bare form is the present, whatever its tag: "I no longer work nights".
        if token.tag not in {"VBP", "VB"}:
            return None
        verb, _, rest = INFORMAL.get(low, token.text).partition(" ")  # "wanna" is "want to"
        return third_person(verb) + (f" {rest}" if rest else "")

    def _joined_to_others(self, subject: int) -> bool:
        """Whether "I" is one of several: "Ada and I live", not "in Graz, and I live"."""
        if self._tokens[subject].dep == "conj" and self._tokens[self._tokens[subject].head].dep in _SUBJECT:
            return True
        first = subject - 1
        if first <= self._begin or self._tokens[first].lower not in {"and", "or"}:
            return False
        while first > self._begin and self._tokens[first - 1].lower not in {",", ";", "and", "or"}:
            first -= 1
        before = self._tokens[first : subject - 1]
        return bool(before) and not any(token.pos in _VERBAL for token in before)

    def _verb_by_words(self, index: int, token: Token) -> str | None:
        person = index - 1
        while person > self._begin and self._tokens[person].lower in _ADVERBS:
            person -= 1
        before = self._tokens[person].lower if person >= self._begin else ""
        low = token.lower
        if person - _JOINED <= self._begin < person and self._tokens[person - 1].lower == "and":
            return None  # "Ada and I live"
        if before in ({"i", "you"} if self._cast.companions else {"i", "you", "we"}) and (
            low in COMMON_PRESENT or low in {"am", "'m", "'ve", "'re", "are"}
        ):
            return (" " if low.startswith("'") else "") + third_person(low)
        return " " + FULL_FORMS[low] if low in FULL_FORMS else None

    def _subject(self, index: int) -> int | None:
        """Return the subject of a finite verb: its own, its head's when it is an auxiliary, or its first conjunct's."""
        tokens = self._tokens
        token = tokens[index]
        if token.dep in {"aux", "auxpass"}:
            first = min(
                (
                    i
                    for i in range(self._begin, self._end)
                    if tokens[i].head == token.head and tokens[i].dep in {"aux", "auxpass"}
                ),
                default=index,
            )
            return self._own_subject(token.head) if first == index else None
        if any(tokens[i].head == index and tokens[i].dep in {"aux", "auxpass"} for i in range(self._begin, index)):
            return None
        return self._own_subject(index)

    def _own_subject(self, verb: int) -> int | None:
        seen = 0
        while seen < 6:
            for i in range(self._sentence, self._end):
                if self._tokens[i].head == verb and self._tokens[i].dep in _SUBJECT:
                    return i
            if self._tokens[verb].dep != "conj":
                return None
            verb = self._tokens[verb].head
            seen += 1
        return None

    def _is_active(self, verb: int) -> bool:
        """Whether a verb without an auxiliary is no passive: "Never learnt to drive", "Managed to haggle it down"."""
        if verb > self._begin and self._tokens[verb - 1].lower == "never":
            return True
        taken = any(token.head == verb and token.dep in {"dobj", "xcomp"} for token in self._tokens[verb : self._end])
        return taken or self._tokens[verb].lemma in language_data("en").words("verbs", "alone")

    def _say_dropped_subject(self) -> None:
        """Add the speaker if "I" is left out ("Went to Porto", "Just been to Rome", "Gonna move")."""
        if not self._parsed:
            return
        opening = {"ADV", "PART"}
        verb = next((i for i in range(self._begin, self._end) if self._tokens[i].pos not in opening), self._begin)
        token = self._tokens[verb]
        if token.lower in {"gon", "gonna", "going"} and token.pos in _VERBAL:
            lead = "is "
        elif token.lower in SAME_IN_PAST and token.pos == "VERB" and self._subject(verb) is None:
            lead = ""  # "Also quit the bakery yesterday"
        elif (
            token.pos not in _VERBAL
            or token.dep not in {"ROOT", "aux", "ccomp", "advcl", "conj"}
            or self._subject(verb) is not None
        ):
            return
        elif token.lower == "been":
            lead = "It has " if is_of_nobody(Tree(self._analysis, self._begin, self._end), verb) else "has "
        elif token.tag == "VBD" or token.lower == "used" or (token.tag == "VBN" and self._is_active(verb)):
            # "gone down to a size 14", "never seen snow"
            lead = "has " if token.tag == "VBN" and token.lower.endswith(("en", "ne", "wn")) else ""
        elif token.tag == "VBN" and token.dep == "ROOT" and self._tokens[self._begin].lower == "not":
            lead = "is "  # "Not allowed salt"
        elif token.tag == "VBG" and (token.dep == "ROOT" or not self._begin <= token.head < self._end):
            lead = "is "
        else:
            return
        self._lowered = True
        if lead.startswith("It"):
            self._out.append(lead)
            return
        self._named = True
        self._out.append(f"{self._cast.speaker} {lead}")


_TIDY: Final[Sequence[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]]] = (
    (re.compile(r"\s+"), " "),
    (re.compile(r"\s+([,.;:!?)])"), r"\1"),
    (re.compile(r"\(\s+"), "("),
    (re.compile(r"\.{3,}|\u2026"), ","),
    (re.compile(r",\s*([,.;!?])"), r"\1"),
)


def finish(text: str) -> str:
    """Tidy spaces and punctuation; give a capital letter and a full stop."""
    for pattern, put in _TIDY:
        text = pattern.sub(put, text)
    text = text.strip(" ,;:-\u2013\u2014")
    if not text:
        return ""
    text = (
        text.rstrip("!. ") + ('"' if text.count('"') % 2 else "") + (")." if text.count("(") > text.count(")") else ".")
    )
    return capitalized(text)
