"""Updates and reversals between facts, with proof: same subject, same single-valued attribute, another value.

Likeness alone proves nothing. A fact that states no attribute known here can be repeated or added, never replaced; where
two facts look opposed without such proof, both stay and the user is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from memdesk.domain import endings, german_claims
from memdesk.domain.grounding import lemma
from memdesk.domain.kinds import RELATIVES
from memdesk.domain.language import lexicon
from memdesk.domain.models import Fact
from memdesk.domain.similarity import jaccard, word_set
from memdesk.domain.text import content_words, one_line, words

Action = Literal["ADD", "UPDATE", "DELETE", "NONE"]
_SUBJECT: Final = r"^(?P<subject>(?:the )?[\w'\u2019.\- ]{1,60}?)"
_VALUE: Final = r"(?P<value>[^.,;!]{1,80})"
_NOW: Final = r"(?: now| currently| just| recently| finally| also| still)*"


@dataclass(frozen=True, slots=True)
class Claim:
    """``subject`` has ``attribute`` with ``value``; ``holds`` is False when the statement ends it."""

    subject: str
    attribute: str
    value: str
    holds: bool = True


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do with a new fact.

    Attributes:
        action: ADD it; UPDATE: it takes the target's place; DELETE: it ends the target and is kept itself;
            NONE: the target says it already.
        target: the fact concerned.
        reason: in words for the user.
        card: whether the user should be asked about ``target``, both kept.
    """

    action: Action
    reason: str
    target: Fact | None = None
    card: bool = False


#: (attribute, pattern). The order matters: the first that matches counts.
_CLAIMS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (attribute, re.compile(_SUBJECT + pattern, re.IGNORECASE))
    for attribute, pattern in (
        ("home", rf"{_NOW} (?:lives?|is living|resides?|is based){_NOW} in {_VALUE}"),
        ("home", rf"(?: has| have|'s)?{_NOW} (?:moved|relocated)(?: (?:back|away|over))?(?: from [^.,;]+?)? to {_VALUE}"),
        ("employer", rf"{_NOW} (?:works?|is working|is employed|has a job){_NOW} (?:at|for|with) {_VALUE}"),
        ("employer", rf"{_NOW} (?:joined|started (?:working )?at|started (?:a new )?job at) {_VALUE}"),
        ("job", rf"{_NOW} (?:works?|is working|is employed|got a job|started){_NOW} as (?:an? |the )?{_VALUE}"),
        ("{what}", r"(?:'s|\u2019s) (?:(?:new|current|old) )?(?P<what>phone|phone number|e?-?mail|email address|address|hometown|time ?zone|employer|manager|boss|deadline|password manager|editor|pronouns|native language|blood type|car|bank|landlord|doctor) is " + _VALUE),
        ("name", r"(?:'s|\u2019s)(?: full| first| last)? name is " + _VALUE),
        ("name", rf" is (?:called|named) {_VALUE}"),
        ("name", r" is (?P<value>(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)?)(?=[.,]|$)"),
        ("birthday", rf"(?:'s|\u2019s) birthday is (?:on )?{_VALUE}"),
        ("birthday", rf" was born (?:on|in) {_VALUE}"),
        ("age", r" is (?P<value>\d{1,3}) years? old"),
        ("age", r"(?: has| just)* turned (?P<value>\d{1,3})\b"),
        ("partner", rf"{_NOW} (?:is|got) (?:married|engaged) to {_VALUE}"),
        ("partner", rf"(?:'s|\u2019s) (?:wife|husband|partner|girlfriend|boyfriend|spouse)(?:'s name)? is {_VALUE}"),
        ("favourite {what}", rf"(?:'s|\u2019s) (?:\w+ )?(?:favou?rite|preferred) (?P<what>\w+(?: \w+)?) is {_VALUE}"),
        ("job", rf"(?:'s|\u2019s) (?:job|profession|occupation) is {_VALUE}"),
    )
)  # fmt: skip
#: States that are or are not: "is vegetarian", "is no longer vegetarian".
_STATE: Final = re.compile(
    _SUBJECT
    + rf" (?P<be>is|isn't|is not|is no longer|was never|stopped being|has become|became|has been|went){_NOW} (?:an? )?"
    r"(?P<value>vegetarian|vegan|pescatarian|married|single|divorced|engaged|retired|unemployed|employed|pregnant|diabetic|gluten-free|lactose intolerant|"
    r"sober|religious|a smoker|smoker|a student|student|left-handed|colou?r-?blind)\b(?P<more> any ?more| any longer)?",
    re.IGNORECASE,
)
#: Homes and employers that end: "no longer lives in Porto", "doesn't work at Siemens any more", "quit their job at".
_OVER: Final = re.compile(
    _SUBJECT
    + r"(?: (?:no longer|(?:doesn't|does not|isn't|is not)(?=.*any ?(?:more|longer))) (?P<verb>lives?|living|works?|working) (?:in|at|for) (?P<value>[^.,;!]{1,60}?)"
    r"| (?:has |have )?(?:quit|left|lost) (?:their|his|her) job (?:at|with) (?P<job>[^.,;!]{1,60}?))(?: any ?more| any longer| last .*| in .*| because .*)?(?:[.,;!]|$)",
    re.IGNORECASE,
)
#: Habits that end: "no longer drinks coffee", "quit smoking", "stopped eating meat", "doesn't eat meat any more".
_ENDS: Final = re.compile(
    _SUBJECT
    + r"(?: has| have)?(?: (?:recently|just|finally|now))? (?:no longer (?P<a>\w+)|(?:quit|stopped|gave up|has quit|is done) (?P<b>\w+)|"
    r"(?:doesn't|does not|don't|do not) (?P<c>\w+)(?= .{0,60}any ?more|.{0,60}any longer))(?: (?P<value>[^.,;!]{1,60}?))?(?: any ?more| any longer)?(?:[.,;!]|$)",
    re.IGNORECASE,
)
_HABIT: Final = re.compile(
    _SUBJECT
    + rf"{_NOW} (?P<verb>drinks?|eats?|smokes?|plays?|uses?|drives?|likes?|loves?|enjoys?|prefers?|hates?|dislikes?|practi[cs]es|studies|learns?|collects?|attends?|runs?|teaches|works?|is (?:drinking|eating|smoking|playing|using|driving|studying|learning|working))\b"
    r"(?: (?P<value>[^.,;!]{1,60}))?",
    re.IGNORECASE,
)
#: Verbs whose object is exclusive only with a marker ("switched to"): replaced by "switched from X to Y".
_SWITCH: Final = re.compile(
    _SUBJECT
    + r"(?: has| have)?(?: \w+ly)? (?:switched|changed|moved|converted)(?: over)? from (?P<old>[^.,;!]{1,50}?) to (?P<value>[^.,;!]{1,50})",
    re.IGNORECASE,
)
#: Whose statement a line is that does not name its speaker; see ``wording.attributed``.
_REPORTED: Final = re.compile(r"^[\w'\u2019 -]{1,40}? said that ")
#: Words that only tell when a state began.
_TIMING: Final = lexicon("since now currently still already always lately")
#: Where a line goes on to its next clause.
_CLAUSE: Final = re.compile(
    r"(?:[.;]\s+|,\s+(?:and |but |so |because )?|\s+(?:and|but|because|so)\s+)(?=(?:the user|The user|[A-Z]\w+(?:'s)?) )"
)
#: "is vegetarian and allergic to peanuts": two things said of one subject.
_JOINED: Final = re.compile(r"\b(?:is|has|was|lives|works|likes|loves)\b[^.,;]*\band\b|, (?:and|but)\b", re.IGNORECASE)
_APART: Final = "no longer together"
_NO_LONGER: Final = {"partner": _APART + " with {}", "plan": "the plan for {} is off", "possession": "{} is gone"}
#: Why all that is said of somebody in the present ends.
OVER: Final = "they have died"
#: Likeness of content words from which a negated line speaks of the same matter as one that is not.
OPPOSED: Final = 0.5
#: The verb of a habit that is ended by naming its object alone: "gave up the cello".
ANY_HABIT: Final = "*"
_DETERMINERS: Final = lexicon("the a an their his her my")
_LIKING: Final = frozenset(f"habit {verb}" for verb in ("like", "love", "enjoy", "prefer"))
_DISLIKING: Final = frozenset(f"habit {verb}" for verb in ("hate", "dislike"))
_FEW_WORDS: Final = 3
#: Words for relatives; "sister" is not "the user's sister".
_KIN: Final = frozenset(re.sub(r"[^a-z|]", "", RELATIVES).split("|")) | {"user"}
_NEGATIONS: Final = lexicon("not no never n't isn't doesn't don't cannot can't hates dislikes stopped quit")


def claim_of(content: str) -> Claim | None:
    """Return what a line in the third person claims, or None when it states no attribute known here."""
    text = _REPORTED.sub("", content.strip())
    german = german_claims.parse(text)
    if german is not None:
        subject, attribute, value, holds = german
        return Claim(subject, _group(value) if attribute == "state" else attribute, value, holds)
    state = _STATE.match(text)
    if state:
        verb = state["be"].lower()
        holds = not (state["more"] or verb in {"isn't", "is not", "is no longer", "was never", "stopped being"})
        value = _norm(state["value"])
        return Claim(_norm(state["subject"]), _group(value), value, holds)
    over = _OVER.match(text)
    if over:
        home = (over["verb"] or "").lower().startswith("liv")
        return Claim(
            _norm(over["subject"]), "home" if home else "employer", _value(over["value"] or over["job"]), holds=False
        )
    ends = _ENDS.match(text)
    if ends:
        verb = lemma((ends["a"] or ends["b"] or ends["c"]).lower())
        verb = ANY_HABIT if verb in _DETERMINERS else verb
        return Claim(_norm(ends["subject"]), f"habit {verb}", _norm(ends["value"] or ""), holds=False)
    switch = _SWITCH.match(text)
    if switch and len(content_words(switch["old"])) > 0:
        home = switch["old"][:1].isupper() and switch["value"][:1].isupper() and " moved " in f" {text.lower()} "
        return Claim(
            _norm(switch["subject"]), "home" if home else f"switch {_norm(switch['old'])}", _value(switch["value"])
        )
    for attribute, pattern in _CLAIMS:
        match = pattern.match(text)
        if match:
            what = match.groupdict().get("what") or ""
            value = _value(match["value"])
            if attribute == "home" and not match["value"].strip()[:1].isupper():
                return None
            return Claim(_norm(match["subject"]), attribute.format(what=_norm(what)), value)
    habit = _HABIT.match(text)
    if habit and habit["verb"]:
        verb = lemma(re.sub(r"^is (\w+?)(?:ing)$", r"\1", habit["verb"].lower()))
        return Claim(_norm(habit["subject"]), f"habit {verb}", _norm(habit["value"] or ""))
    return None


def _group(state: str) -> str:
    """Return the attribute that a state is a value of."""
    return "marital status" if state in {"married", "single", "divorced", "engaged"} else state


def judge(content: str, existing: Sequence[Fact], *, same: Sequence[Fact] = ()) -> Verdict:
    """Decide what a new line does to the facts that are there.

    Args:
        content: the new line.
        existing: active facts of the same agent.
        same: those that say nearly the same by words or vectors; a difference in value is looked for first.
    """
    mine = claims_of(content)
    unclear: Fact | None = None
    for fact in existing:
        change = _ending(content, fact.content)
        if change is not None and change[1] == OVER:
            return Verdict(*change, fact)
        if change is not None and change[1].startswith(_APART) and len(content_words(fact.content)) > _FEW_WORDS + 1:
            return Verdict("ADD", f"part of it has changed ({change[1]}); both are kept", fact, card=True)
        theirs = claims_of(fact.content)
        if change is None and not any(_same_subject(m.subject, t.subject) for m in mine for t in theirs):
            continue
        change = change or next((c for m in mine for t in theirs if (c := _change(m, t)) is not None), None)
        if change is not None:
            return _careful(Verdict(*change, fact), fact, content)
        if _opposed(content, fact.content):
            unclear = unclear or fact
    for fact in same:
        theirs = claims_of(fact.content)
        if mine and theirs and not {m.attribute for m in mine} & {t.attribute for t in theirs}:
            continue
        if not differs(content, fact.content):
            return Verdict("NONE", "said before in nearly the same words", fact)
        if _opposed(content, fact.content):
            unclear = unclear or fact
    if unclear is not None:
        return Verdict("ADD", "looks opposed to another fact, without proof; both are kept", unclear, card=True)
    return Verdict("ADD", "new")


def overturns(content: str, former: str) -> bool:
    """Return whether a line gives a state that a former one tells another value, or ends it."""
    return change_by(content, former) is not None


def change_by(content: str, former: str) -> tuple[Action, str] | None:
    """Return what a line does to a former one that it ends or replaces, with the reason; None when it does neither."""
    changes = (_change(mine, theirs) for mine in claims_of(content) for theirs in claims_of(former))
    found = next((change for change in changes if change is not None and change[0] in {"UPDATE", "DELETE"}), None)
    return found or _ending(content, former)


def claims_made(content: str) -> tuple[Claim, ...]:
    """Return what a line claims and what it ends."""
    return (*claims_of(content), *(Claim(*row) for row in endings.ended(content.strip())))


def _ending(content: str, former: str) -> tuple[Action, str] | None:
    """Return what a line ends that a former one claims or takes for granted."""
    rows = [Claim(*row) for clause in _clauses(content) for row in endings.ended(clause)]
    if not rows:
        return None
    theirs = (*claims_of(former), *(Claim(*row) for clause in _clauses(former) for row in endings.held(clause)))
    for mine in rows:
        for other in theirs:
            if mine.attribute != other.attribute or not other.holds or not _same_subject(mine.subject, other.subject):
                continue
            if mine.attribute == "life":
                return "DELETE", OVER
            same = _same_value(mine.value, other.value)
            if not mine.holds and same:
                return "DELETE", _NO_LONGER.get(mine.attribute, "no longer {}").format(other.value)
            if mine.holds and not same:
                return "UPDATE", f"{mine.attribute}: {mine.value} instead of {other.value}"
    return None


def _clauses(content: str) -> list[str]:
    """Return the clauses of a line, and the line itself."""
    text = _REPORTED.sub("", one_line(content))
    return list(dict.fromkeys((text, *_CLAUSE.split(text))))


def kindred_words(claim: Claim) -> tuple[str, ...]:
    """Return the words by which full text finds other claims on the same attribute of the same subject."""
    words_ = _KINDRED.get(claim.attribute) or tuple(content_words(claim.attribute))
    return (*words_, *content_words(claim.subject))


_KINDRED: Final = {
    "home": ("lives", "moved", "relocated", "based", "resides"),
    "employer": ("works", "employed", "joined", "job"),
    "job": ("works", "job", "profession", "occupation", "employed"),
    "partner": ("married", "engaged", "wife", "husband", "partner", "girlfriend", "boyfriend", "spouse"),
    "marital status": ("married", "single", "divorced", "engaged"),
    "name": ("name", "called", "named"),
    "birthday": ("birthday", "born"),
}


@lru_cache(maxsize=16384)
def claims_of(content: str) -> tuple[Claim, ...]:
    """Return what each clause of a line claims."""
    return tuple(claim for clause in _CLAUSE.split(one_line(content)) if (claim := claim_of(clause)) is not None)


def _careful(verdict: Verdict, fact: Fact, content: str) -> Verdict:
    """Let a fact end only when it says nothing beyond what has changed; else the user decides."""
    if verdict.action not in {"UPDATE", "DELETE"}:
        told = {lemma(word) for word in content_words(content) if word not in _TIMING}
        known = {lemma(word) for word in content_words(fact.content)}
        # The claim is known, but the line may say more.
        return verdict if len(told - known) <= 1 else Verdict("ADD", "says more than what is known")
    clauses = [clause for clause in _CLAUSE.split(one_line(fact.content)) if content_words(clause)]
    if len(clauses) > 1 or _JOINED.search(fact.content) or german_claims.says_more(fact.content):
        return Verdict("ADD", f"part of it has changed ({verdict.reason}); both are kept", fact, card=True)
    return verdict


def _same_subject(left: str, right: str) -> bool:
    """Whether two subjects are one; "johanna" is "the user's sister johanna"."""
    short, long = sorted((left, right), key=len)
    return short == long or (" " not in short and short not in _KIN and long.endswith(" " + short))


def _change(mine: Claim, theirs: Claim) -> tuple[Action, str] | None:
    """Return what a claim does to another, with the reason."""
    if not _same_subject(mine.subject, theirs.subject):
        return None
    if mine.attribute.startswith("switch "):
        old = mine.attribute.removeprefix("switch ")
        if theirs.holds and _same_value(theirs.value, old):
            return "UPDATE", f"switched from {old} to {mine.value}"
        return None
    if _turned(mine, theirs):
        return "UPDATE", f"feels otherwise about {theirs.value} now"
    ended = mine.attribute == f"habit {ANY_HABIT}" and theirs.attribute.startswith("habit ")
    if mine.attribute != theirs.attribute and not ended:
        return None
    if mine.attribute.startswith("habit "):
        if mine.holds or not theirs.holds:
            return None
        if not mine.value or _same_value(mine.value, theirs.value):
            return "DELETE", "the user has said that this ended"
        return None
    if not mine.holds:
        over = theirs.holds and (not mine.value or _same_value(mine.value, theirs.value))
        return ("DELETE", f"no longer {mine.value}") if over else None
    if not theirs.holds:
        return "UPDATE", f"{mine.attribute}: {mine.value} again"
    if _same_value(mine.value, theirs.value):
        return "NONE", f"{mine.attribute} is known to be {theirs.value}"
    return "UPDATE", f"{mine.attribute}: {mine.value} instead of {theirs.value}"


def _turned(mine: Claim, theirs: Claim) -> bool:
    """Whether what was liked is disliked now, or the other way round: the same thing, in a few words."""
    sides = (
        mine.attribute in _LIKING,
        mine.attribute in _DISLIKING,
        theirs.attribute in _LIKING,
        theirs.attribute in _DISLIKING,
    )
    few = max(len(content_words(mine.value)), len(content_words(theirs.value))) <= _FEW_WORDS
    return (
        sides in {(True, False, False, True), (False, True, True, False)}
        and few
        and _same_value(mine.value, theirs.value)
    )


def _same_value(left: str, right: str) -> bool:
    a, b = {lemma(w) for w in content_words(left)}, {lemma(w) for w in content_words(right)}
    return bool(a and b) and (a <= b or b <= a)


def differs(left: str, right: str) -> bool:
    """Return whether two like lines differ in a number, a negation or a name."""
    a, b = set(words(left)), set(words(right))
    change = a ^ b
    if any(word[0].isdigit() for word in change) or change & _NEGATIONS:
        return True
    upper = {w.casefold() for text in (left, right) for w in re.findall(r"(?<=[\w,] )[A-Z][\w-]+", text)}
    return bool(change & upper) and bool((a - b) & upper) and bool((b - a) & upper)


def _opposed(left: str, right: str) -> bool:
    """Whether one of two lines on the same matter is negated and the other is not."""
    a, b = set(words(left)), set(words(right))
    if bool(a & _NEGATIONS) == bool(b & _NEGATIONS):
        return False
    return jaccard(word_set(left), word_set(right)) >= OPPOSED


def _norm(text: str) -> str:
    text = text.replace(" and others", "")
    return re.sub(r"^(?:the|a|an) ", "", " ".join(text.lower().replace("\u2019", "'").split()))


def _value(text: str) -> str:
    """Return a value without what only tells when."""
    return _norm(
        re.split(
            r"\b(?:since|for the|on \d|in \d{4}|last|next|now|because|with|after|before|when|where|and)\b",
            text,
            maxsplit=1,
        )[0]
    ).strip()
