"""The predicate of a clause: its main verb, the particles that belong to its meaning, and how it is meant."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from memdesk.domain.comparing.lexicon import lexicon_of, verb_key
from memdesk.domain.items.statement import Modality, Tense
from memdesk.domain.language.data import language_data
from memdesk.domain.language.inflect import INFORMAL
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.clause import Clause

#: Adverbs that change a verb's meaning like a particle.
_PARTICLES: Final = frozenset({"away", "aside", "off", "back", "forward"})
#: Those that do so only if they lead to a value.
_DEGREES: Final = frozenset({"up", "down"})
#: Adverbs that alone say that something no longer takes place: "is off".
_CALLED: Final = frozenset({"off", "over"})
#: Contracted forms as parsers keep them.
_WHOLE: Final = {"'m": "be", "'re": "be", "'s": "be", "'ve": "have", "m": "be"}
#: Prepositions that lead to a place.
PLACES: Final = frozenset({"in", "at", "near", "on", "from", "to", "into", "below", "above", "behind"})


def main_verb(clause: Clause) -> int:
    """Return the main verb by meaning: "swim" of "used to swim", "cancel" of "had to cancel", "like" of "grew to like"."""
    tree, lemma = clause.tree, clause.tree.lemma(clause.verb)
    able = next((i for i in tree.kids(clause.verb, "acomp") if tree.tokens[i].lower == "able"), None)
    if able is not None:  # "am not able to swim"
        return tree.kid(able, "xcomp") or clause.verb
    inner = tree.kid(clause.verb, "xcomp")
    if inner is None and tree.kid(clause.verb + 2, "aux") == clause.verb + 1:
        inner = next((i for i in tree.kids(clause.verb, "advcl") if i == clause.verb + 2), None)  # "have come to enjoy"
    if inner is None or not tree.is_verb(inner):
        return clause.verb
    denied = clause.inside("neg")
    had_to = lemma == "have" and tense_of(clause) == "past" and not denied
    how = tree.kid(inner, "advmod")
    knows = lemma == "know" and how is not None and tree.tokens[how].lower == "how"
    planned = is_planned(clause) and tree.tokens[inner].tag == "VB"
    begun = lemma in {"start", "begin"} and tense_of(clause) != "future" and not denied
    begun = begun and tree.lemma(inner) not in {"be", "get", "have"}
    grown = lemma in {"come", "grow", "learn", "get"} and tree.lemma(inner) in language_data("en").words(
        "verbs", "like"
    )
    return inner if lemma == "use" or had_to or knows or planned or begun or grown else clause.verb


def particle(clause: Clause, verb: int) -> int | None:
    """Return the particle that belongs to a verb's meaning: "give up", "gave away", "went up to"."""
    tree = clause.tree
    prt = tree.kid(verb, "prt")
    if prt is not None:
        leads = tree.kid(prt, "pobj", "pcomp") is not None  # "play squash on Tuesdays"
        return prt if not leads or changes(f"{tree.lemma(verb)} {tree.tokens[prt].lower}") else None
    adverbs = [i for i in tree.kids(verb, "advmod") if verb < i < clause.end]
    if is_copula(tree.lemma(verb)):  # "the trip is off"
        alone = not tree.kids(verb, "attr", "acomp", "oprd")
        return next((i for i in adverbs if alone and tree.tokens[i].lower in _CALLED), None)
    adverbs += [i for i in tree.kids(verb, "prep") if tree.kid(i, "prep") and i < clause.end]  # "put it up to 900"
    bare = (i for i in tree.kids(verb, "prep", "advmod") if verb < i < clause.end and not tree.kids(i))
    known = next((i for i in bare if is_ending(f"{tree.lemma(verb)} {tree.tokens[i].lower}")), None)
    if known is not None:
        return known  # "the sale fell through"
    return next((i for i in adverbs if tree.tokens[i].lower in _PARTICLES | _DEGREES), None)


def verb_words(clause: Clause, verb: int) -> str:
    """Return a verb as in predicates: "have" for "'ve got", "be moved" for a passive."""
    tree = clause.tree
    lemma = tree.lemma(verb)
    lemma = _WHOLE.get(lemma, lemma)
    if lemma == "get" and tree.tokens[verb].lower == "got" and tree.kid(verb, "aux") is not None:
        return "have"  # "I've got two cats"
    passive = tree.kid(verb, "auxpass")
    if passive is None and is_done_too(tree, verb):
        return f"be {tree.tokens[verb].lower}"
    if passive is not None:
        return f"{'get' if tree.lemma(passive) == 'get' else 'be'} {tree.tokens[verb].lower}"
    return INFORMAL.get(lemma, lemma)


def is_done_too(tree: Tree, verb: int) -> bool:
    """Return whether a participle continues a passive: "rebooked" of "got canceled and rebooked for 30 May"."""
    top = tree.tokens[verb].head
    both = tree.tokens[verb].dep == "conj" and tree.tokens[verb].tag == tree.tokens[top].tag == "VBN"
    return both and tree.kid(top, "auxpass") is not None


def is_copula(lemma: str) -> bool:
    """Return whether a verb only links a subject to its description."""
    return lemma in {"be", "become", "feel", "stay", "remain", "get", "turn", "'m", "'s", "'re"}


def changes(predicate: str) -> bool:
    """Return whether it says that a thing has a new value, or has ended, whoever did it."""
    return verb_key(predicate) in lexicon_of("en").changes or is_ending(predicate)


def is_ending(predicate: str) -> bool:
    """Return whether it says that a thing has ended."""
    return verb_key(predicate) in lexicon_of("en").endings


# ---------------------------------------------------------------------- how it is meant


def tense_of(clause: Clause) -> Tense:
    """Return when a clause holds, as meant when it was said."""
    tags, lows = clause.tags(), clause.lowers()
    if lows & {"will", "'ll", "wo", "gonna"}:
        return "future"
    if "VBD" in tags and not (tags & {"VBP", "VBZ"}):
        return "past"
    return "past" if "VBN" in tags and lows & {"was", "were", "had"} else "present"


def modality_of(clause: Clause, predicate: str) -> Modality:
    """Return whether a clause is a fact, a plan, a wish, a doubt or an instruction."""
    data, tokens, lows = language_data("en"), clause.tree.tokens, clause.lowers()
    first = predicate.split(" ", maxsplit=1)[0]
    if clause.mood == "order":
        return "instruction"
    doubts = data.words("now", "doubt")
    doubted = (i for i in range(clause.begin, clause.end) if tokens[i].lower in doubts and tokens[i].pos != "PROPN")
    if any(i < clause.verb or tokens[i - 1].lower != "so" for i in doubted):  # not "hates it, so maybe another"
        return "possible"
    if first in data.words("verbs", "need") and (first not in {"like", "love"} or lows & {"'d", "would"}):
        return "wish"
    if first == "think" and any(clause.tree.kid(i, "pcomp") is not None for i in clause.inside("prep")):
        return "wish"  # "am thinking of moving to Cork"
    going = clause.tree.lemma(clause.verb) != "go" or clause.tree.kid(clause.verb, "xcomp") is not None
    return "plan" if lows & {"will", "'ll", "wo", "gonna"} or (is_planned(clause) and going) else "fact"


def is_planned(clause: Clause) -> bool:
    """Return whether what follows the verb is planned: "am going to move", "plan to run"."""
    lemma = clause.tree.lemma(clause.verb)
    going = lemma == "go" and clause.tree.tokens[clause.verb].tag == "VBG"
    return going or lemma in language_data("en").words("verbs", "plan") - {"go", "mean"}


def has_ended(clause: Clause, predicate: str) -> bool:
    """Return whether a clause says that something has stopped."""
    verb, _, rest = predicate.partition(" ")
    if verb == "leave" and rest in PLACES | {"for"}:
        return no_longer(clause)  # "leaves at 9:40" and comes back
    ends = language_data("en").words("verbs", "end")
    return no_longer(clause) or any(predicate == one or predicate.startswith(f"{one} ") for one in ends)


def no_longer(clause: Clause) -> bool:
    """Return whether a clause says "no longer" or "not any more"."""
    lows = [token.lower for token in clause.tree.tokens[clause.begin : clause.end]]
    pairs = {("no", "longer"), ("any", "more")}
    return not pairs.isdisjoint(pairwise(lows)) or ("anymore" in lows and bool(clause.inside("neg")))


def is_of_none(clause: Clause) -> bool:
    """Return whether a clause is negated by its subject or by "never": "None of us ride"."""
    if clause.subject is None:
        return False
    subject = {clause.tree.tokens[i].lower for i in clause.tree.below(clause.subject)}
    return bool(subject & {"nobody", "none", "neither"}) or "never" in clause.lowers()
