"""What a bigger model may decide of two statements that rules cannot settle, and what it may not.

The decisions are those of mem0 (Chhikara et al. 2025, arXiv:2504.19413): ADD keeps both, UPDATE puts the new statement in
the place of the remembered one, DELETE ends the remembered one, NONE says that nothing new was said. None of them removes
a row: what ends keeps its words, its history and the date on which it ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from memdesk.domain.candidates import Candidate
from memdesk.domain.contradiction import Action, Verdict, differs
from memdesk.domain.injection import order_in
from memdesk.domain.models import Fact
from memdesk.domain.similarity import jaccard, word_set
from memdesk.domain.text import one_line, shorten

ACTIONS: Final[tuple[Action, ...]] = ("ADD", "UPDATE", "DELETE", "NONE")
#: Most pairs that a call asks about.
MAX_PAIRS: Final = 5
#: Likeness in which a pair is unclear: below it two matters, above it the same words.
UNCLEAR_WORDS: Final = (0.2, 0.6)
UNCLEAR_VECTOR: Final = (0.55, 0.9)
#: Longest reason kept, in characters.
REASON_CHARS: Final = 160
#: Who may not be overruled by a model.
_OF_THE_USER: Final = frozenset({"user", "api"})


@dataclass(frozen=True, slots=True)
class Pair:
    """A new line and the remembered fact that it may repeat, change or end."""

    line: Candidate
    fact: Fact


@dataclass(frozen=True, slots=True)
class Judgement:
    """A model's decision on the pair of this number, counted from 0."""

    pair: int
    action: Action
    reason: str = ""


def read_judgements(value: object, pairs: int) -> tuple[Judgement, ...]:
    """Read a model's decisions; what is not one, of no pair, or a second one on a pair is dropped."""
    found: dict[int, Judgement] = {}
    for item in value if isinstance(value, list) else []:
        if not isinstance(item, dict):
            continue
        number, action = item.get("pair"), str(item.get("decision", "")).upper()
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= pairs:
            continue
        if action in ACTIONS:
            reason = item.get("reason")
            text = shorten(one_line(reason), REASON_CHARS) if isinstance(reason, str) else ""
            text = "" if order_in(text) else text
            found.setdefault(number - 1, Judgement(number - 1, action, text))
    return tuple(found.values())


def settle(pair: Pair, judgement: Judgement, by_rules: Verdict, said_at: datetime) -> Verdict:
    """Return what is done: the rules where they have proof, else the model's decision as far as it may decide.

    Args:
        pair: what was judged.
        judgement: the model's decision on it.
        by_rules: the verdict of :func:`contradiction.judge` on the same line.
        said_at: when the new line was said.
    """
    fact = pair.fact
    if by_rules.action != "ADD":
        return by_rules
    because = f"judged by the model: {judgement.reason}" if judgement.reason else "judged by the model"
    if judgement.action == "ADD":
        return Verdict("ADD", because)
    if judgement.action == "NONE":
        if differs(pair.line.text, fact.content):
            return Verdict("ADD", "the model took it for known, but it differs in a name, a number or a negation")
        return Verdict("NONE", because, fact)
    why_not = _protected(fact, said_at)
    if why_not:
        return Verdict("ADD", f"the model would end this fact, but {why_not}; both are kept", fact, card=True)
    return Verdict(judgement.action, because, fact)


def _protected(fact: Fact, said_at: datetime) -> Literal["", "you pinned it", "you wrote it", "it was said later"]:
    if fact.user_pinned:
        return "you pinned it"
    if fact.origin in _OF_THE_USER:
        return "you wrote it"
    if fact.valid_from is not None and fact.valid_from > said_at:
        return "it was said later"
    return ""


def about_the_same(line: Candidate, other: Candidate) -> bool:
    """Return whether two lines of a session say the same, so that a decision on one is one on the other."""
    likeness = jaccard(word_set(line.text), word_set(other.text))
    return likeness >= UNCLEAR_WORDS[1] or (bool(set(line.turn_ids) & set(other.turn_ids)) and likeness >= 0.4)


def unclear(words: float, cosine: float | None) -> bool:
    """Return whether two statements are alike enough to concern each other and not enough to be the same."""
    if cosine is not None:
        return UNCLEAR_VECTOR[0] <= cosine < UNCLEAR_VECTOR[1]
    return UNCLEAR_WORDS[0] <= words < UNCLEAR_WORDS[1]


def pair_lines(pairs: Sequence[Pair]) -> str:
    """Return the pairs as a model reads them, numbered from 1."""
    return "\n".join(
        f"{number}. remembered: {pair.fact.content} | new: {pair.line.text}" for number, pair in enumerate(pairs, 1)
    )
