"""Splits a sentence into its main clauses and finds who does what in each.

"My sister Ada lives in Lisbon and I am allergic to peanuts" is two facts: each ages, is corrected and is found
separately. So are "I sold the Skoda and bought a Kia" and "My kids will love it, they're four".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.data import language_data
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.clause import (
    AUXILIARIES,
    POLITE,
    SUBJECTS,
    Clause,
    before_request,
    mood_of,
    without_heading,
    without_question,
)
from memdesk.domain.reading.trimming import opens_phrase

_FINITE: Final = frozenset({"VBZ", "VBP", "VBD", "MD"})
_COMPLEMENTS: Final = ("dobj", "attr", "acomp", "prep", "xcomp", "ccomp", "oprd", "dative", "prt", "npadvmod")
#: Most tokens before "and I" that belong to one subject.
_JOINED_SUBJECT: Final = 4
#: Dependency relations of a comma-spliced clause.
_SPLICED: Final = frozenset({"ccomp", "parataxis", "dep", "advcl"})


def clauses(analysis: Analysis, begin: int, end: int) -> list[Clause]:
    """Return the main clauses of one parsed sentence, in order, without commas and conjunctions between them."""
    tree = Tree(analysis, begin, end)
    heads = sorted(dict.fromkeys(_heads(tree)))
    found: list[Clause] = []
    for head in heads:
        own = tree.below(head, [other for other in heads if other != head])
        asking = [
            other for other in heads if other != head and tree.tokens[other].head == head and _asks_below(tree, other)
        ]
        for other in asking:  # "My size is 39, so which of those fits?": the figure belongs to the statement
            own = sorted({*own, *range(head, _opening(tree, other))})
        if _asks_below(tree, head) or _opened(tree, head):
            own = [i for i in own if i >= _opening(tree, head)]
        if _follows(tree, head) and head == heads[-1]:
            own = sorted({*own, *range(head, tree.end)})  # "so I'm on the family plan now"
        run = _around(own, head)
        first, last = _trimmed(tree, run[0], run[-1] + 1)
        subject, shared = _subject(tree, head, heads)
        if subject is not None and (subject == first or tree.tokens[subject].dep == "conj"):
            start = found[-1].begin if found else tree.begin
            first = _whole_subject(tree, start, min(tree.below(subject)))
            found = (
                [*found[:-1], replace(found[-1], end=_trimmed(tree, found[-1].begin, min(found[-1].end, first))[1])]
                if found
                else []
            )
        if first <= head < last:
            found.append(Clause(tree, first, last, head, subject, shared or (subject is not None and subject < first)))
    found = [without_heading(clause) for clause in found]
    found = [without_question(replace(clause, mood=mood_of(clause, found))) for clause in found]
    found = [clause for clause in found if tree.tokens[clause.verb].lower not in POLITE]
    return [part for clause in found for part in before_request(clause)]


def _heads(tree: Tree) -> Iterator[int]:
    """Yield the verbs of main clauses: the roots, those coordinated with them, and comma splices."""
    open_ = [root for root in tree.roots() if tree.tokens[root].pos not in {"PUNCT", "SPACE"}]
    for root in open_:
        if tree.is_verb(root):
            yield _meant(tree, root)
    yield from (i for i in range(tree.begin, tree.end) if _remarks(tree, i))
    while open_:
        top = open_.pop()
        for kid in tree.kids(top):
            if not tree.is_verb(kid) or not (_joined(tree, kid, top) or _spliced(tree, kid, top) or _opened(tree, kid)):
                continue
            yield kid
            open_.append(kid)


def _meant(tree: Tree, verb: int) -> int:
    """Return the verb of "went and bought" that carries the meaning."""
    after = next((i for i in tree.kids(verb, "conj") if tree.tokens[i].tag == tree.tokens[verb].tag), None)
    light = tree.lemma(verb) == "go" and all(i < verb for i in tree.kids(verb, *_COMPLEMENTS))
    return after if light and after is not None and _own_subject(tree, after) is None else verb


def _joined(tree: Tree, kid: int, top: int) -> bool:
    """Whether a coordinated verb starts its own clause: it has its own subject, or both have their own objects."""
    if tree.tokens[kid].dep != "conj":
        return _bids(tree, kid)
    links = [tree.tokens[i].lower for i in range(top, kid) if tree.tokens[i].dep == "cc"]
    if not tree.is_verb(top):
        return _own_subject(tree, kid) is not None
    if "or" in links[-1:]:
        return False  # an alternative is not a second statement
    if _bids(tree, kid):
        return True
    if _own_subject(tree, kid) is not None:
        return True
    # A past is followed by a bare verb only in another tense: "I canceled Spotify and use Tidal now".
    tags = _FINITE | {"VB"} if tree.tokens[top].tag in {"VBD", "VBN"} else _FINITE
    finite = tree.tokens[kid].tag in tags and not tree.kids(kid, *AUXILIARIES)
    if tree.tokens[kid].tag == tree.tokens[top].tag == "VBN" and tree.kid(top, "auxpass") is not None:
        return bool(tree.kids(kid, "prep"))  # "got canceled and rebooked for 30 May"
    return (
        finite
        and bool(tree.kids(kid, *_COMPLEMENTS))
        and any(i < kid and not tree.is_verb(i) for i in tree.kids(top, *_COMPLEMENTS))
    )


def _bids(tree: Tree, verb: int) -> bool:
    """Whether a verb without a subject asks for something after a statement: "I milk at five, please keep it short", "I'm tall so show me some"."""
    joined = tree.tokens[verb].dep == "conj" or (
        tree.tokens[verb].dep == "advcl" and tree.tokens[verb - 1].lower == "so"
    )
    if tree.tokens[verb].tag not in {"VB", "VBP"} or not joined:
        return False
    please = any(tree.tokens[i].lower in POLITE for i in tree.kids(verb, "intj", "advmod"))
    teller = _own_subject(tree, tree.tokens[verb].head)
    told = teller is not None and tree.tokens[teller].lower in {"i", "we"}
    whom = [verb, *tree.kids(verb, "dative", "prep")]
    whom = [i for top in whom for i in tree.kids(top, "dobj", "dative", "pobj")]
    mine = told and any(tree.tokens[i].lower in {"me", "us"} for i in whom)  # not "myself"
    return (please or mine) and _own_subject(tree, verb) is None and not tree.kids(verb, *AUXILIARIES)


def _spliced(tree: Tree, kid: int, top: int) -> bool:
    token = tree.tokens[kid]
    if _follows(tree, kid):
        return kid > top
    if token.dep not in _SPLICED or tree.kids(kid, "mark"):
        return False
    if tree.kids(kid, "relcl"):
        return False
    between = tree.tokens[min(kid, top) + 1 : max(kid, top)]
    comma = any(
        other.text in {",", ";", "-", "\u2013", "\u2014", ":"} or other.dep == "cc" or other.lower == "so"
        for other in between
    )
    if _asks_below(tree, kid) and kid > top and _own_subject(tree, top) is not None:
        return True  # "My size is 39, so which of those fits?"
    if (
        token.dep == "ccomp"
        and kid > top
        and (tree.lemma(top) in _said() or tree.tokens[_opening(tree, kid) - 1].text != ",")
    ):
        return False  # what is said, thought or known
    helped = any(tree.lemma(i) != "do" for i in tree.kids(kid, *AUXILIARIES))  # "don't suggest" is still an order
    order = token.tag in {"VB", "VBP"} and _own_subject(tree, kid) is None and not helped
    if _own_subject(tree, kid) is None and kid < top and _opens_alone(tree, kid):
        return comma and (_own_subject(tree, top) is not None or tree.tokens[top].tag == "VBD")
    if token.tag == "VBG" and kid == tree.begin:  # "Working nights, my sleep is a mess"
        other = _own_subject(tree, top)
        selves = language_data("en").words("persons", "self", "group")
        return comma and (other is None or tree.tokens[other].lower not in selves)
    if _own_subject(tree, kid) is None and not (order and (kid < top or token.dep == "dep")):
        return False
    if token.dep == "ccomp" and _own_subject(tree, top) is not None and top > kid:
        subject = _own_subject(tree, top)
        linked = any(other.dep == "cc" or other.lower == "so" for other in between)
        told = tree.lemma(top) in _said() and not any(i > top for i in tree.kids(top, *_COMPLEMENTS)) and not linked
        return comma and subject is not None and subject > kid and not told
    if token.dep == "advcl" and any(tree.tokens[i].tag in {"WRB", "WP", "WDT"} for i in tree.kids(kid, "advmod")):
        return False
    return comma


def _follows(tree: Tree, verb: int) -> bool:
    """Whether a verb's clause has a subject and follows "so": "Dr Patel retired so I'm seeing Dr Osei"."""
    marks = tree.kids(verb, "mark") if tree.tokens[verb].dep == "advcl" else []
    so = len(marks) == 1 and tree.tokens[marks[0]].lower == "so" and tree.tokens[marks[0] + 1].lower != "that"
    return so and _own_subject(tree, verb) is not None


def _opens_alone(tree: Tree, verb: int) -> bool:
    """Whether a finite verb opens a sentence without "I" or "it": "Moved to Bonn, it's lovely", "Turns out I'm not"."""
    opening = [
        i for i in range(tree.begin, verb) if tree.tokens[i].head != verb or tree.tokens[i].dep not in {"aux", "neg"}
    ]
    able = any(tree.tokens[i].tag == "MD" for i in tree.kids(verb, "aux"))  # "Can't do eggs, they're awful"
    finite = tree.tokens[verb].tag in {"VBD", "VBZ"} or able
    return finite and all(tree.tokens[i].pos in {"ADV", "INTJ", "PUNCT"} for i in opening)


def _opened(tree: Tree, kid: int) -> bool:
    """Whether "that's when" opens a clause: "that's when I coach the under-12s"."""
    token = tree.tokens[kid]
    subject = _own_subject(tree, token.head)
    return (
        token.dep in {"advcl", "ccomp"}
        and tree.lemma(token.head) == "be"
        and subject is not None
        and tree.tokens[subject].lower == "that"
        and _own_subject(tree, kid) is not None
        and any(tree.tokens[i].lower in {"when", "where"} for i in tree.kids(kid, "advmod"))
    )


def _remarks(tree: Tree, verb: int) -> bool:
    """Whether a relative clause at the end describes somebody of the speaker's: "my cat, who is blind"."""
    if tree.tokens[verb].dep != "relcl":  # called for every token
        return False
    subject, owner = tree.kid(verb, "nsubj", "nsubjpass"), tree.kid(antecedent(tree, verb), "poss")
    if subject is None or owner is None:
        return False
    if tree.tokens[subject].lower not in {"who", "which"} or not _of_speaker(tree, owner):
        return False
    after = tree.tokens[max(tree.below(verb)) + 1 : tree.end]
    told = antecedent(tree, verb)  # after a name the clause does not restrict: "my sister Ruth who lives in Perth"
    named = tree.tokens[told].pos == "PROPN" or any(tree.tokens[i].pos == "PROPN" for i in tree.kids(told, "appos"))
    return (named or tree.tokens[subject - 1].text == ",") and all(other.pos in {"PUNCT", "SPACE"} for other in after)


def is_of_nobody(tree: Tree, been: int) -> bool:
    """Whether the left-out subject is "it", as in "Been a long week", not "I" as in "Been a teacher"."""
    told = tree.kid(been, "attr", "npadvmod", "acomp", "prep")
    if told is None or tree.tokens[told].dep in {"acomp", "prep"}:
        return False
    lasted = tree.tokens[told].dep == "npadvmod" or tree.tokens[told].entity in {"date", "time"}
    return lasted or tree.lemma(told) in language_data("en").words("now", "units")


def antecedent(tree: Tree, verb: int) -> int:
    """Return what a relative clause is about: the dog of "my dog Bruno, who has hip dysplasia"."""
    head = tree.tokens[verb].head
    return tree.tokens[head].head if tree.tokens[head].dep == "appos" else head


def _of_speaker(tree: Tree, owner: int) -> bool:
    return any(tree.tokens[i].lower in language_data("en").words("persons", "self", "group") for i in tree.below(owner))


def _asks_below(tree: Tree, kid: int) -> bool:
    """Whether a clause in a sentence with a question mark opens with a question word."""
    wh = language_data("en").words("now", "wh")
    subject = _own_subject(tree, kid)
    marked = tree.tokens[tree.end - 1].text == "?" or "?" in {t.text for t in tree.tokens[kid : tree.end]}
    return marked and subject is not None and tree.tokens[subject].lower in wh


def _opening(tree: Tree, verb: int) -> int:
    """Return where a clause begins: at its subject, or at its verb where the subject follows ("Earplugs which?")."""
    subject = _own_subject(tree, verb)
    return min(verb, *tree.below(subject if subject is not None else verb))


def _said() -> frozenset[str]:
    return language_data("en").words("verbs", "say", "opine")


def _own_subject(tree: Tree, verb: int) -> int | None:
    """Return a verb's subject, which may depend on its auxiliary: "My sister got engaged"."""
    heads = (verb, *tree.kids(verb, "aux", "auxpass"))
    return next((found for head in heads if (found := tree.kid(head, *SUBJECTS)) is not None), None)


def _subject(tree: Tree, verb: int, heads: list[int]) -> tuple[int | None, bool]:
    own = _own_subject(tree, verb)
    if own is None and not _bids(tree, verb) and tree.tokens[verb].tag in _FINITE:
        own = _named_before(tree, verb)
    if own is not None or _bids(tree, verb):
        return own, False
    top = verb
    while tree.tokens[top].dep == "conj" and tree.tokens[top].head != top:
        top = tree.tokens[top].head
        found = _own_subject(tree, top)
        if found is not None and tree.tokens[verb].tag == "VBP" and _is_one(tree, found):
            return None, False  # "my train is at six, need to meet her"
        if found is not None:
            return found, top in heads
    return None, False


def _is_one(tree: Tree, subject: int) -> bool:
    """Whether a subject is one thing or somebody, whose verbs end in "-s"."""
    return tree.tokens[subject].tag in {"NN", "NNP"} and not tree.kids(subject, "conj")


def _named_before(tree: Tree, verb: int) -> int | None:
    """Return a subject that was parsed as a second object: "It is about tax and my boss, Ms Hill, wants it"."""
    tokens = tree.tokens
    last = verb - 1 - (tokens[verb - 1].text == ",")
    top = last
    while top > tree.begin and tokens[top].dep in {"compound", "appos", "punct"}:
        top = tokens[top].head
    noun = tokens[top]
    if noun.dep != "conj" or noun.pos not in {"NOUN", "PROPN"} or tree.kid(top, "poss") is None or last <= tree.begin:
        return None
    ends = max(tree.below(top)) in {last, verb - 1}
    return top if ends and tokens[min(tree.below(top)) - 1].dep == "cc" else None


def _around(indexes: list[int], head: int) -> list[int]:
    """Return the run of adjacent tokens that contains the head."""
    place = indexes.index(head)
    first = last = place
    while first > 0 and indexes[first - 1] == indexes[first] - 1:
        first -= 1
    while last + 1 < len(indexes) and indexes[last + 1] == indexes[last] + 1:
        last += 1
    return indexes[first : last + 1]


def _trimmed(tree: Tree, first: int, last: int) -> tuple[int, int]:
    tokens = tree.tokens
    while first < last and (tokens[first].pos in {"PUNCT", "SPACE", "CCONJ"} or tokens[first].dep == "cc"):
        if opens_phrase(tokens, first):
            break
        first += 1
    while last > first and (
        tokens[last - 1].pos in {"PUNCT", "SPACE", "CCONJ"}
        or tokens[last - 1].dep == "cc"
        or (tokens[last - 1].lower == "so" and last < tree.end and tokens[last].pos != "PUNCT")
    ):
        last -= 1
    return first, last


def _whole_subject(tree: Tree, start: int, subject: int) -> int:
    """Return where "my cousins and I" begins if only "I" was parsed as the subject."""
    tokens = tree.tokens
    if subject - 1 <= start or tokens[subject - 1].lower != "and" or tokens[subject].lower != "i":
        return subject
    first = subject - 1
    while first - 1 > start and tokens[first - 1].text not in {",", ";"} and tokens[first - 1].lower != "and":
        first -= 1
    between = range(first, subject - 1)
    joins = tokens[first - 1].lower in {"and", ","} and 0 < len(between) <= _JOINED_SUBJECT
    return first if joins and not any(tree.is_verb(i) for i in between) else subject
