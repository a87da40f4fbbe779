"""How a new line affects the known facts: by the fields of their statements, else by a model's judgment.

The decisions are those of mem0 (Chhikara et al. 2025, arXiv:2504.19413): ADD keeps both, UPDATE replaces the remembered
statement with the new one, DELETE ends the remembered one, NONE means that nothing new was said. None of them removes
a row: what ends keeps its words, its history and its end date. FORMER is ours: the new line was said before
what is remembered, which replaces it, so that it is kept as what held until then.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal

from memdesk.domain.comparing.comparison import compare, follows_from, quote_carries
from memdesk.domain.comparing.outcomes import REASONS, Comparison
from memdesk.domain.comparing.relations import attribute_of, claim_of
from memdesk.domain.comparing.succession import ASKS, ENDS
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.statement import Statement
from memdesk.domain.language.text import one_line, shorten
from memdesk.domain.reading.candidates import Candidate
from memdesk.domain.reading.care import CARE
from memdesk.domain.reading.injection import order_in
from memdesk.messages import say

Action = Literal["ADD", "UPDATE", "DELETE", "NONE", "FORMER"]
#: The decisions of a model.
ACTIONS: Final[tuple[Action, ...]] = ("ADD", "UPDATE", "DELETE", "NONE")
#: Most pairs in one call.
MAX_PAIRS: Final = 5
#: The similarity of unclear pairs: below it two subjects, above it the same words.
UNCLEAR_WORDS: Final = (0.2, 0.6)
UNCLEAR_VECTOR: Final = (0.55, 0.9)
#: Longest reason kept, in characters.
REASON_CHARS: Final = 160
#: Whose facts a model cannot overrule.
_OF_THE_USER: Final = frozenset({"user", "api"})


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do with a new line.

    Attributes:
        action: ADD it; UPDATE: it replaces the targets; DELETE: it ends the targets and is kept itself; NONE: the
            target says it already; FORMER: the target replaces it.
        reason: in words for the user.
        target: the fact concerned; the first of several.
        card: whether to ask the user about ``target`` and keep both.
        others: further facts that it ends or replaces; for FORMER, what was so before it.
        questioned: facts that may no longer hold, since what they depend on has changed.
        code: of the reason, for the user's language; see :data:`comparison.REASONS`. Empty for a model's.
        args: what the reason names.
    """

    action: Action
    reason: str
    target: MemoryItem | None = None
    card: bool = False
    others: tuple[MemoryItem, ...] = ()
    questioned: tuple[MemoryItem, ...] = ()
    code: str = ""
    args: tuple[str, ...] = ()

    @property
    def targets(self) -> tuple[MemoryItem, ...]:
        """Every fact that it ends or replaces."""
        return (self.target, *self.others) if self.target is not None else ()


NEW: Final = Verdict("ADD", "new")
#: The codes of decisions by odds alone.
LIKELY: Final = "likely"
PERHAPS: Final = "perhaps"


def said_at_of(fact: MemoryItem) -> datetime:
    """Return when a fact was said: the newer one replaces the older."""
    if fact.statement is not None and fact.statement.said_at is not None:
        return fact.statement.said_at
    return fact.valid_from or fact.created_at


def in_its_place(statement: Statement, known: Sequence[MemoryItem]) -> Statement:
    """Return a statement with the attribute of the value that it says it replaces, if one is known.

    Who "traded the Golf for a Corsa" drives a Corsa if they drove the Golf; a later car replaces it in turn.
    """
    claim = claim_of(statement)
    if claim.replaces is None or statement.attribute:
        return statement
    told = (fact.statement for fact in known if fact.statement is not None)
    places = (attribute_of(one) for one in told if compare(statement, one).code == "replaced")
    attribute = next((place for place in places if place), "")
    return replace(statement, attribute=attribute, replaces=claim.replaces.said) if attribute else statement


def judge(
    statement: Statement | None,
    content: str,
    existing: Sequence[MemoryItem],
    said_at: datetime,
    *,
    by_hand: bool = False,
) -> Verdict:
    """Decide how a new line affects the known facts.

    Args:
        statement: what it says; None if it could not be read into fields: then only the very same words are the same.
        content: the line.
        existing: active facts of the same agent, with their statements.
        said_at: when it was said.
        by_hand: whether the user wrote it; else what they wrote is only asked about, see :func:`_is_asked_about`.
    """
    words = one_line(content).casefold()
    for fact in existing:
        if one_line(fact.content).casefold() == words:
            return Verdict("NONE", say("said before in the same words"), fact, code="said_again")
    if statement is None:
        return NEW
    found = [(fact, *_judged(statement, fact, said_at, by_hand)) for fact in existing if fact.statement is not None]
    for action in ("FORMER", "NONE"):
        for fact, done, why in found:
            if done == action:
                return _verdict(done, why, fact)
    changed = [(fact, done, why) for fact, done, why in found if done in {"UPDATE", "DELETE"}]
    several = _several(changed)
    if several is not None:
        return _verdict("ADD", several[1], several[0], card=True)
    if changed:
        return _changing(statement, changed, existing)
    asked = next(((fact, why) for fact, done, why in found if done == "CARD"), None)
    if asked is not None:
        return _verdict("ADD", asked[1], asked[0], card=True)
    return NEW


def likely_verdict(statement: Statement, odds: float, fact: MemoryItem) -> Verdict | None:
    """Return the effect of a statement on a fact that it probably replaces; None if the probability is too low.

    What the user wrote or pinned is only asked about.
    """
    if odds < ASKS:
        return None
    if odds < ENDS or protected(fact, said_at_of(fact)):
        return Verdict("ADD", REASONS[PERHAPS], fact, card=True, code=PERHAPS)
    action: Action = "UPDATE" if claim_of(statement).positive and not statement.ended else "DELETE"
    return Verdict(action, REASONS[LIKELY], fact, code=LIKELY)


def _several(
    changed: Sequence[tuple[MemoryItem, Action | Literal["CARD"], Comparison]],
) -> tuple[MemoryItem, Comparison] | None:
    """Return the first of several facts that a statement without its subject may refer to; None if only one."""
    opened = [(fact, why) for fact, _, why in changed if why.open and fact.statement is not None]
    of = [attribute_of(fact.statement) for fact, _ in opened if fact.statement is not None]
    doubtful = len(opened) > 1 and (len(set(of)) < len(of) or "" in of)
    return (opened[0][0], replace(opened[0][1], outcome="unclear", code="opposed")) if doubtful else None


def _judged(
    statement: Statement, fact: MemoryItem, said_at: datetime, by_hand: bool
) -> tuple[Action | Literal["CARD"], Comparison]:
    assert fact.statement is not None
    if said_at_of(fact) > said_at:
        why = compare(fact.statement, statement)
        if why.outcome in {"update", "reversal"}:
            return "FORMER", why
    else:
        why = compare(statement, fact.statement)
        if why.outcome in {"update", "reversal"}:
            asked = fact.user_pinned or (not by_hand and fact.origin == "user" and _is_asked_about(fact, statement))
            return "CARD" if asked else "UPDATE" if why.outcome == "update" else "DELETE", why
    if why.outcome == "same":
        return "NONE", why
    return ("CARD", why) if why.outcome == "unclear" else ("ADD", why)


def _is_asked_about(fact: MemoryItem, statement: Statement) -> bool:
    """Whether what the user wrote by hand stays until they are asked, whatever a chat says.

    A change that they report ends it ("I moved to Bonn", "no longer"), as they would expect; nothing ends a danger.
    """
    health = fact.statement is not None and fact.statement.attribute in CARE - {"instruction"}
    claim = claim_of(statement)
    return health or not (claim.changes or statement.tense == "past")


def _changing(
    statement: Statement,
    changed: Sequence[tuple[MemoryItem, Action | Literal["CARD"], Comparison]],
    existing: Sequence[MemoryItem],
) -> Verdict:
    first, done, why = changed[0]
    ended = {fact.id for fact, _, _ in changed}
    rest = [fact for fact in existing if fact.id not in ended and fact.statement is not None]
    shaken = tuple(fact for fact in rest if fact.statement is not None and follows_from(fact.statement, statement, why))
    others = tuple(fact for fact, _, _ in changed[1:])
    return _verdict(done, why, first, others=others, questioned=shaken)


def _verdict(action: str, why: Comparison, fact: MemoryItem, **more: object) -> Verdict:
    return Verdict(action, why.in_words(), fact, code=why.code, args=why.args, **more)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Pair:
    """A new line and the remembered fact that it may repeat, change or end."""

    line: Candidate
    fact: MemoryItem


@dataclass(frozen=True, slots=True)
class Judgment:
    """A model's decision on the pair with this number, counted from 0."""

    pair: int
    action: Action
    reason: str = ""


def read_judgments(value: object, pairs: int) -> tuple[Judgment, ...]:
    """Parse a model's decisions; invalid ones, those on unknown pairs and repeats are dropped."""
    found: dict[int, Judgment] = {}
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
            found.setdefault(number - 1, Judgment(number - 1, action, text))
    return tuple(found.values())


def settle(pair: Pair, judgment: Judgment, by_rules: Verdict, said_at: datetime) -> Verdict:
    """Return the outcome: by rules if they have proof and not just odds, else by the model, as far as it may decide.

    Args:
        pair: what was judged.
        judgment: the model's decision on it.
        by_rules: the verdict of :func:`judge` on the same line.
        said_at: when the new line was said.
    """
    fact = pair.fact
    if by_rules.action != "ADD" and by_rules.code != LIKELY:
        return by_rules
    because = (
        say("judged by the model: {reason}", reason=judgment.reason) if judgment.reason else say("judged by the model")
    )
    if judgment.action == "ADD":
        return Verdict("ADD", because)
    if judgment.action == "NONE":
        if not _may_be_one(pair.line, fact):
            return Verdict("ADD", say("the model took it for known, but it does not say the same of the same thing"))
        return Verdict("NONE", because, fact)
    why_not = protected(fact, said_at)
    if why_not:
        return Verdict(
            "ADD", say("the model would end this fact, but {why_not}; both are kept", why_not=why_not), fact, card=True
        )
    return Verdict(judgment.action, because, fact)


def _may_be_one(line: Candidate, fact: MemoryItem) -> bool:
    """Whether a model may take a line for a known fact: it mentions the object, and agrees on whether it is so."""
    mine, theirs = line.statement, fact.statement
    if mine is None or theirs is None or (mine.holds, mine.ended) != (theirs.holds, theirs.ended):
        return False
    return any(quote_carries(words, theirs) for words in (line.text, *line.quotes))


def protected(fact: MemoryItem, said_at: datetime) -> str:
    """Return why a fact is not ended unasked, in words; empty if it may be."""
    if fact.user_pinned:
        return say("you pinned it")
    if fact.origin in _OF_THE_USER:
        return say("you wrote it")
    if fact.valid_from is not None and fact.valid_from > said_at:
        return say("it was said later")
    return ""


def about_the_same(line: Candidate, other: Candidate) -> bool:
    """Return whether two lines of a session say the same, so that a decision on one applies to the other."""
    if line.statement is not None and other.statement is not None:
        return compare(line.statement, other.statement).outcome == "same"
    return one_line(line.text).casefold() == one_line(other.text).casefold()


def overturns(statement: Statement | None, former: Statement | None) -> bool:
    """Return whether a statement changes the value of an earlier one, or ends it."""
    return statement is not None and former is not None and compare(statement, former).outcome in {"update", "reversal"}


def unclear(words: float, cosine: float | None) -> bool:
    """Return whether two statements are similar enough to be related and not enough to be the same."""
    if cosine is not None:
        return UNCLEAR_VECTOR[0] <= cosine < UNCLEAR_VECTOR[1]
    return UNCLEAR_WORDS[0] <= words < UNCLEAR_WORDS[1]


def pair_lines(pairs: Sequence[Pair]) -> str:
    """Return the pairs as a model reads them, numbered from 1."""
    return "\n".join(
        f"{number}. remembered: {pair.fact.content} | new: {pair.line.text}" for number, pair in enumerate(pairs, 1)
    )
