"""A statement in comparable form: whose, which attribute, which value, true or not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from memdesk.domain.comparing.lexicon import Lexicon, verb_key
from memdesk.domain.comparing.values import Value, code_around, value_of
from memdesk.domain.items.statement import USER, Qualifiers, Statement
from memdesk.domain.language.text import stem

#: What may narrow a statement; two that differ in one of these are about two things.
NARROWING: Final = ("time", "place", "amount", "company", "manner")
_OWNED: Final = re.compile(r"(?:'s|\u2019s)\s+")
_CAPITAL: Final = re.compile(r"[A-Z\u00c4\u00d6\u00dc]")
#: The start of an object that is the user's when the subject is somebody else.
OF_USER: Final = f"{USER}'s "
_HOLDS: Final = frozenset({"have", "get"})
_YEAR: Final = re.compile(r"1[89]\d\d|20\d\d")
_PURPOSE: Final = re.compile(r"(?P<thing>[A-Z]\S*(?: [A-Z\d]\S*)*) for (?P<purpose>.+)")
#: A passive with its agent: "was built in 1936 by my grandfather".
_DONE: Final = re.compile(r"be (?P<done>\S+)(?: (?P<through>\S+))?")
_AGENT: Final = re.compile(r"\bby ((?:my|our) [^\d,.;!?]+|[A-Z][^\d,.;!?]*)[.!]*$")
_DETERMINER: Final = re.compile(r"^(?:the|our|my|an?) ")


@dataclass(frozen=True, slots=True)
class Claim:
    """``topic`` has ``relation`` with ``value``.

    Attributes:
        topic: whose: the owners from the outermost, as sets of words: (user), (user, sister ada), (user, phone number).
        relation: an attribute, or the verb that represents its group.
        value: None if the verb says it all ("I smoke").
        narrow: what narrows it, by name.
        positive: False for what is not, or no longer, true.
        ended: it was true and has stopped.
        marked: the speaker says that it is current: "now", "new", "instead".
        one: it has one value at a time.
        state: it describes a state, not an event.
        modality: how it is meant, doubts aside.
        replaces: the value that the speaker says it replaces.
        verb: of the statement.
        any_relation: it ends any relation to its value: "gave up the cello".
        ends: what comes with the event or thing that it ends or moves: whoever quits their job has no role and no employer.
        event: words of that event or thing besides its noun: "lisbon" of "the Lisbon trip".
        dated: it holds for a period of the calendar.
        named: a noun names its relation: "my goal is ...".
        moved: it gives the thing in ``relation`` a new value: "postponed the wedding".
        by: who moved it, if neither the topic nor their kin: "my choir raised the fee".
        life: its topic has died.
        language: of the statement.
        quits: it ends something without naming it: "I quit in March".
        within: the relations that it can end; empty for all.
        adds: there is one more now: "a third dog".
        instead: it replaces something without naming it.
        over: the value that its own is preferred to.
        measured: its value is only an amount or frequency: "smokes a pack a day".
    """

    topic: tuple[Value, ...]
    relation: str = ""
    value: Value | None = None
    narrow: Mapping[str, Value] = field(default_factory=dict)
    positive: bool = True
    ended: bool = False
    marked: bool = False
    one: bool = False
    state: bool = True
    modality: str = "fact"
    replaces: Value | None = None
    verb: Value | None = None
    any_relation: bool = False
    ends: frozenset[str] = frozenset()
    event: frozenset[str] = frozenset()
    dated: bool = False
    named: bool = False
    moved: bool = False
    by: Value | None = None
    life: bool = False
    over: Value | None = None
    measured: bool = False
    within: frozenset[str] = frozenset()
    language: str = "en"
    quits: bool = False
    adds: bool = False
    instead: bool = False

    @property
    def changes(self) -> bool:
        """Whether the speaker says that something has changed or ended."""
        return self.ended or self.marked or self.moved or self.instead or self.replaces is not None

    def tokens(self) -> frozenset[str]:
        """Return the words of the value and of all that narrows it, without numbers."""
        held = (self.value, *self.narrow.values())
        return frozenset(token for value in held if value is not None for token in value.tokens - value.numbers)


@dataclass(frozen=True, slots=True)
class Fields:
    """A statement's fields, normalized: how a sentence was split into them must not matter.

    Attributes:
        verb: key of the verb (:func:`verb_key`), without "be able to".
        topic: see :class:`Claim`.
        value: the object; an amount in it is in ``narrow``.
        said: the object as said.
        narrow: what narrows it.
        towards: the value after "to": "renamed the cat to Shadow".
        against: the value after "for": "traded the iPhone for a Pixel".
        former: the value after "from" or "instead of", or named by the statement.
    """

    verb: str
    topic: tuple[Value, ...]
    value: Value | None
    said: str
    narrow: dict[str, Value]
    towards: Value | None = None
    against: Value | None = None
    former: Value | None = None


def fields_of(statement: Statement, lexicon: Lexicon) -> Fields:
    """Return a statement's normalized fields."""
    verb, said = _unfolded(statement, lexicon)
    subject, qualifiers = statement.subject, statement.qualifiers
    bare = " " not in verb and verb_key(verb) in lexicon.copulas
    said = said or (qualifiers.amount if bare else "")
    if bare and (code := code_around(said, statement.quote)):
        said, qualifiers = code, Qualifiers()  # the parser takes part of "is 0171-555-018" for a time
    if subject == "there" and statement.language == "en":
        subject, verb = USER, "have"  # "there are nine people on my team", "there are six of us on the team now"
        said = re.sub(r"(?<=\d) (?:people|of us)\b", "", said)
    able = re.match(r"(?:able to|in der lage) (\S+)\s*(.*)", said) if verb_key(verb) in {"be", "sein"} else None
    if able:
        verb, said = able[1], able[2]
    verb = re.sub(r"^(?:be able to|can|k\u00f6nnen) ", "", verb)
    narrow: dict[str, Value] = {}
    former = value_of(statement.replaces, lexicon) if statement.replaces else None
    towards = against = None
    changing = lexicon.changing(verb.split(" ")[0]) or verb_key(verb) in lexicon.enters
    for name in NARROWING:
        text = str(getattr(qualifiers, name))
        kept, replaced = _split(text, lexicon.instead, lexicon)
        led = _away_and_to(kept, lexicon) if changing else None
        if led is not None:  # "from Lloyds to Monzo"
            kept, replaced = led["to"], value_of(led["from"], lexicon)
        former = former or replaced
        degree, _, led_to = kept.partition(" ")
        alters, leads = lexicon.changing(f"{verb} {degree}"), led_to.split(" ")[0] in lexicon.towards
        moves = (alters and not led_to) or (leads and (alters or verb_key(verb) in _HOLDS))
        if degree in lexicon.degrees and said and moves:
            # "put our rent up", "got my swims up to 3 km"
            verb, kept, changing = f"{verb} {degree}", led_to, changing or alters
        first = kept.split(" ")[0].casefold()
        value = value_of(kept, lexicon) if kept else None
        if value is None or kept.casefold() in lexicon.fillers:
            continue
        if first in lexicon.away and former is None and changing:
            former = value
        else:
            narrow[name] = value
            towards = value if first in lexicon.towards and towards is None and name != "time" else towards
            traded = name == "company" and lexicon.changing(verb) and lexicon.against & {"with"}
            against = value if (first in lexicon.against or traded) and against is None else against
    if (
        changing
        and not narrow.keys() & {"time", "amount", "place"}
        and (behind := _behind(statement.quote, lexicon)) is not None
    ):
        narrow["amount"] = behind
    said = next((said.removesuffix(f" {phrase}") for phrase in lexicon.fillers if said.endswith(f" {phrase}")), said)
    purpose = _PURPOSE.match(said) if "for" in lexicon.against else None
    if purpose and against is None:  # "use Notion for my notes"
        said, against = purpose["thing"], value_of(purpose["purpose"], lexicon)
    value = value_of(said.removeprefix(OF_USER), lexicon) if said else None
    before, _, preposition = verb.rpartition(" ")
    told = lexicon.tells(verb) and lexicon.states.get(verb_key(verb)) not in lexicon.placed
    passes = preposition in lexicon.when and before not in {"be", "sein"} and not told
    if value is not None and preposition in lexicon.around and lexicon.tells(before) and not told:
        verb, narrow["time"], value = before, narrow.get("time", value), None  # "went away after the birth"
    if not statement.holds and not statement.ended and (day := _not_before(verb, value, narrow, lexicon)) is not None:
        # "can't start until the 19th": it is now on that day
        verb, narrow["time"], value = before or verb, day, None
    elif value is not None and passes and (value.kind == "day" or _YEAR.fullmatch(value.said)):
        # "died in March": a time, not a value
        verb, narrow["time"], value = before, narrow.get("time", value), None
    elif value is not None and before not in {"", "be"} and preposition in lexicon.where and not lexicon.tells(verb):
        verb, narrow["place"], value = before, narrow.get("place", value), None  # "shop at Aldi": a place, not a value
    takes_from = preposition in lexicon.away and verb_key(verb) not in lexicon.renews  # "changer de boulot"
    if value is not None and towards is None and takes_from and lexicon.changing(before):
        former, value = value, _led_to(statement.quote, lexicon)
    amount = narrow.get("amount")
    counted = value is not None and amount is not None and value.kind != "day" and amount.numbers & value.numbers
    if bare and amount is not None and (counted or amount.said in said):
        del narrow["amount"]  # "is 640 euros", "is +44 20 7946 0958"
    elif value is not None and amount is not None and counted and value.tokens - amount.tokens:
        value = value.without(amount.tokens)
    return Fields(verb_key(verb), topic_of(subject, lexicon), value, said, narrow, towards, against, former)


def _not_before(verb: str, value: Value | None, narrow: dict[str, Value], lexicon: Lexicon) -> Value | None:
    """Return the day before which something does not take place."""
    first, _, last = verb.rpartition(" ")
    if last in lexicon.towards and first in lexicon.begins:
        return value if value is not None and value.kind == "day" else None
    day = narrow.get("time")
    led = day is not None and day.said.split(" ")[0].casefold() in lexicon.towards
    return day if led and verb in lexicon.begins and value is None else None


def _behind(quote: str, lexicon: Lexicon) -> Value | None:
    """Return the value appended to a change: "doubled my metformin, 1000 now"."""
    added = quote.rpartition(",")[2].strip() if "," in quote else ""
    told = added[:1].isdigit() and lexicon.marks.search(added)
    return value_of(added[: told.start()], lexicon) if told else None


def verbs_of(fields: Fields) -> tuple[str, ...]:
    """Return the verb alone, and with object and preposition: "start", "start job at"."""
    place = fields.narrow.get("place")
    if place is None:
        return (fields.verb,)
    head = fields.value.head if fields.value is not None else ""
    return fields.verb, " ".join(filter(None, (fields.verb, head, place.said.split(" ")[0].casefold())))


def _unfolded(statement: Statement, lexicon: Lexicon) -> tuple[str, str]:
    """Return verb and object if a noun or adjective carries the verb's meaning: "have a subscription to", "go jogging"."""
    verb, said = statement.predicate, statement.object
    planned = statement.modality == "wish" or (statement.modality == "plan" and " " not in verb)
    if planned and said and f" to {said.casefold()}" in statement.quote.casefold():
        verb, _, said = said.partition(" ")  # "want to buy a house"
        said = _DETERMINER.sub("", said)
        said = said.removesuffix(statement.qualifiers.place).rstrip()  # "plan to get married in Tuscany"
    left = verb_key(f"{verb} {said}") in lexicon.quits and not statement.qualifiers.place
    if said and (left or lexicon.tells(f"{verb} {said}")):
        return f"{verb} {said}", ""
    first, _, rest = said.partition(" ")
    if verb in lexicon.activities and first.endswith(lexicon.activity):
        return first, rest
    if said and statement.qualifiers.company and lexicon.tells(f"{verb} {said} with"):
        return f"{verb} {said} with", statement.qualifiers.company  # "share a flat with Ewa"
    parts = said.split(" ")
    for place in range(1, len(parts) - 1):
        phrase = f"{verb} {parts[place - 1]} {parts[place]}"
        counted = any(part[0].isdigit() for part in parts[: place - 1])  # "34 years old and single"
        if lexicon.tells(phrase) and lexicon.joins.isdisjoint(parts[:place]) and not counted:
            return phrase, " ".join(parts[place + 1 :])
    *becomes, state = verb.split(" ")
    is_so = becomes == ["be"] and verb_key(f"{verb} from") not in lexicon.endings
    if not said and (is_so or " ".join(becomes) in lexicon.becoming) and state in lexicon.classes:
        return becomes[0], state  # "got engaged"
    return verb, said


def _led_to(quote: str, lexicon: Lexicon) -> Value | None:
    """Return what follows "to": "switched from biology to computer science"."""
    found = _away_and_to(quote, lexicon)
    return value_of(found["to"].partition(" ")[2], lexicon) if found else None


def _away_and_to(text: str, lexicon: Lexicon) -> re.Match[str] | None:
    away, towards = (("|".join(map(re.escape, words))) for words in (lexicon.away, lexicon.towards))
    pattern = rf"\b(?:{away}) (?P<from>.+?),? (?P<to>(?:{towards}) [^,.;!]+)"
    return re.search(pattern, text, re.IGNORECASE)


def topic_of(subject: str, lexicon: Lexicon) -> tuple[Value, ...]:
    """Return the owners in a subject: "user's sister Ada's dog" is (user), (sister ada), (dog)."""
    parts = [part for part in _OWNED.split(subject.strip()) if part]
    found = [value for part in parts if (value := value_of(part, lexicon)) is not None]
    user = value_of(USER, lexicon)
    if not found or user is None:
        return ()
    # "the project deadline", "Japan trip" and "party in May" belong to the speaker; "Alice" belongs to nobody.
    said = _DETERMINER.sub("", parts[0]).split(" ")
    noun = next((before for before, after in pairwise(said) if after in lexicon.links), said[-1])
    ours = not _CAPITAL.match(noun) and found[0].tokens != user.tokens
    return (user, *found) if ours else tuple(found)


def in_active(statement: Statement, lexicon: Lexicon) -> Statement:
    """Return "my car was repaired by Tom" as "Tom repaired my car", unless done to the user: "was hired by"."""
    done = _DONE.fullmatch(statement.predicate)
    if done is None or statement.subject == USER or statement.language != "en":
        return statement
    through, qualifiers = done["through"], statement.qualifiers
    verb = lexicon.participles.get(stem(done["done"]), done["done"] if done["done"].endswith("ed") else "")
    by = None if through == "by" else _AGENT.search(statement.quote)
    told = through == "by" or (by is not None and (not statement.object or through in lexicon.when))
    if not verb or not told or lexicon.tells(f"be {done['done']} by"):
        return statement
    who = statement.object if by is None else re.sub(r"^(?:my|our) ", OF_USER, by[1])
    if by is not None and statement.object:
        qualifiers = replace(qualifiers, time=statement.object)  # "was built in 1936 by my grandfather"
    return replace(statement, subject=who, predicate=verb, object=statement.subject, qualifiers=qualifiers)


def _split(text: str, phrases: tuple[str, ...], lexicon: Lexicon) -> tuple[str, Value | None]:
    """Split "on Wednesdays instead of Mondays" before the replaced value."""
    low = text.casefold()
    at = next((low.index(phrase) for phrase in phrases if phrase in low), -1)
    if at < 0:
        return text, None
    phrase = next(phrase for phrase in phrases if phrase in low)
    return text[:at].rstrip(" ,"), value_of(text[at + len(phrase) :], lexicon)
