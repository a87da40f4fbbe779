"""Claims that give an attribute by name or by a verb: "my boss is Ada", "I report to Ada", "a new boss, Ada"."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from memdesk.domain.comparing.claims import OF_USER, Claim, topic_of
from memdesk.domain.comparing.lexicon import Lexicon
from memdesk.domain.comparing.sources import KINDS, Source, is_kin, key, plain
from memdesk.domain.comparing.values import Value, value_of
from memdesk.domain.items.statement import USER

#: Attributes whose value is a number, by its unit.
_WEIGHTS: Final = dict.fromkeys(("kg", "kilo", "kilogram"), "weight")
_BY_UNIT: Final = {"year": "age", "cm": "height", "jahr": "age", **_WEIGHTS}
#: Attributes that are stated in the past tense and hold for good.
_FOR_GOOD: Final = frozenset({"name", "birthday", "birthplace", "birth year"})
#: Attributes whose values are people or things that have attributes themselves.
_BEINGS: Final = frozenset({"partner", "boss", "doctor", "car"})
#: Attributes whose values have names.
_NAMED: Final = frozenset({"home", "employer", "bank"})
#: The role somebody has, or their place: "as my tutor", "for a teacher", "at the vet's".
_IN_ROLE: Final = re.compile(r"(?:as (?:my|our|an?)|for an?|at (?:the|my|our)) (.+?)(?:['\u2019]s)?", re.IGNORECASE)


def occasion(source: Source, base: Claim) -> Claim | None:
    """Read "we're getting married on 9 August" as the day of the wedding."""
    noun, day = source.lexicon.occasions.get(source.fields.verb), base.narrow.get("time")
    if noun is None or day is None or day.kind != "day" or not base.state or base.value is not None:
        return None
    narrow = {name: each for name, each in base.narrow.items() if name != "time"}
    return replace(base, relation=noun, value=day, narrow=narrow, one=True, named=True, moved=base.marked)


def provider(source: Source, base: Claim) -> Claim | None:
    """Read "am with EDF for electricity" as the electricity provider; several things may be used for one purpose."""
    lexicon, verb, value, topic = source.lexicon, source.fields.verb, base.value, base.topic
    if value is None:
        return None
    settles, what = verb in lexicon.settles, source.fields.against
    held = len(topic) > 1 and topic[-1].head in lexicon.devices and verb in lexicon.runs
    if held and what is None and value.names:
        name = " ".join(sorted({*topic[-1].tokens, "provid"}))  # "my phone is with Three"
        return replace(base, topic=topic[:-1], relation=name, narrow={}, one=True, named=True)
    one = settles or verb in lexicon.providers
    if one and what is None and value.kind in lexicon.services:
        what = value_of(value.kind, lexicon)  # "I'm with Voxi now"
    if not (one or verb in lexicon.purposes) or what is None:
        return None
    name, marked = " ".join(sorted({*what.tokens, "provid"})), base.marked or settles
    return replace(base, relation=name, narrow={}, one=one, named=True, state=base.state or one, marked=marked)


def attribute(source: Source, base: Claim) -> Claim | None:
    """Read an attribute by its name or its verb."""
    lexicon, said, topic = source.lexicon, source.statement.attribute.casefold(), base.topic
    state, enters, value = source.by_verb(base)
    name = state or enters or _told(source, said)
    if not name or (value is None and base.positive):
        return None
    if name in lexicon.units and value is not None:
        value = source.counted(name, value, base.narrow.get("amount"))
        if value is None:
            return None  # "makes 20 cakes" is not pay
    if value is not None and value.kind in {"number", "day"}:
        if name == "employer":
            return None  # "start work at 9"
        name = "birth year" if name == "birthplace" else name  # "was born in 1984"
    if name == "name" and len(topic) > 1:
        # "my wife is called Ines", "my partner's name is Joris": says who the wife is
        topic = topic[:-1] if key(topic[-1]) == "name" and len(topic) > 2 else topic
        if key(topic[-1]) != "name":
            return source.of_noun(replace(base, value=value), topic[-1], topic[:-1])
    elif source.fields.verb in lexicon.copulas and len(topic) > 1 and key(topic[-1]) == _key_of(said, lexicon):
        topic = topic[:-1]
    entered = bool(enters) and not state
    if state or enters:
        if name == "home" and entered and source.fields.against is not None and not said:
            return None
        if name == "home" and source.fields.verb.endswith(" in with"):
            value = _home_of_both(source, base)
            if value is None:
                return None
        becomes = " " not in source.fields.verb and source.is_becoming()
        if name == "role" and becomes and value is not None and value.kind != "role":
            return None  # "became vegan"
        value = replace(value, kind=name) if value is not None and name not in lexicon.units else value
    narrow = {name: each for name, each in base.narrow.items() if each.said != (value.said if value else "")}
    return replace(
        base,
        topic=topic,
        relation=name,
        value=value,
        narrow=narrow,
        one=name not in lexicon.several_at_once,
        state=base.state or entered or name in _FOR_GOOD,
        marked=base.marked or entered,
    )


def _home_of_both(source: Source, base: Claim) -> Value | None:
    """Return the place of "moved in with my girlfriend in Selby"."""
    _, led, place = source.fields.said.rpartition(" in ")
    found = (value_of(place, source.lexicon) if led else None) or base.narrow.get("place")
    return found if found is not None and found.names else None


def _told(source: Source, attribute: str) -> str:
    """Return the attribute that the statement itself names, if it has one value at a time."""
    known, value = source.lexicon.attribute_nouns.get(attribute, ""), source.fields.value
    if source.fields.verb not in source.lexicon.copulas:
        return ""
    no_role = known == "role" and (value is None or value.kind != "role")
    somewhere = known in _BEINGS and " " in source.fields.verb and value is not None and not value.names
    # People may have several conditions and medicines.
    return "" if no_role or somewhere or _is_described(source, known, value) else known


def _is_described(source: Source, attribute: str, value: Value | None) -> bool:
    """Whether a home or a job is told how or where it is, not which: "my company is great", "my job is in Leeds"."""
    if value is None or not source.lexicon.capitals_tell:
        return False
    if attribute == "role":
        return value.kind != "role" and (" " in source.fields.verb or not value.names)
    return attribute in _NAMED and not value.names


# ---------------------------------------------------------------------- "my NOUN is VALUE"


def identity(source: Source, base: Claim) -> Claim | None:
    """Read "my NOUN is VALUE", and a state of the person."""
    lexicon, verb, value = source.lexicon, source.fields.verb, base.value
    if value is None:
        return None
    becoming = source.is_becoming() and value.kind not in {"", "name", "number", "day"}
    if verb not in lexicon.copulas and not becoming:
        return None
    if " " in verb and verb in lexicon.verbs and value.kind not in {"day", *KINDS}:
        return None  # "is on insulin" takes it
    called = base.narrow.get("manner")
    if called is not None and called.tokens == called.names and not value.names:
        value = called  # "in a different home now, Haus Linde"
        base = replace(base, value=value, narrow={name: v for name, v in base.narrow.items() if v is not called})
    if becoming:
        base = replace(base, state=True, marked=True)
    unit = _unit(source, value)
    if value.joined and unit:  # "34 years old and single"
        beside = value.without(value.numbers)
        value, base = _without_year(value), replace(base, narrow={**base.narrow, "manner": beside})
    return (
        (_of_thing(source, base, value, unit) if len(base.topic) > 1 else None)
        or _reversed(source, base)
        or _of_person(base, value, unit)
    )


def _of_thing(source: Source, base: Claim, value: Value, unit: str) -> Claim | None:
    """Read the value of somebody's thing, and what it measures."""
    *owners, noun = base.topic
    if key(noun) == "name" and len(owners) > 1:
        return source.of_noun(base, owners[-1], tuple(owners[:-1]))
    if unit:
        return replace(base, relation=unit, one=True)
    somewhere = " " in source.fields.verb and is_kin(noun)  # "my mother is in the Sonnenhof"
    described = _is_described(source, source.lexicon.attribute_nouns.get(plain(noun, source.lexicon), ""), value)
    given = value.kind in {"name", "number", "day", "color"} and not (somewhere or described)
    if given or _is_called(source.lexicon, noun, value) or (_is_thing(source.lexicon, noun) and not described):
        return source.of_noun(base, noun, tuple(owners))
    if _key_of(source.statement.attribute, source.lexicon) == key(noun) and not described:
        return replace(source.of_noun(base, noun, tuple(owners)), one=False)
    return None


def _reversed(source: Source, base: Claim) -> Claim | None:
    """Read "Dr. Okafor is my doctor" as "my doctor is Dr. Okafor"."""
    said = re.sub(r"^(?:my|our) ", "user's ", source.fields.said.replace("\u2019", "'"))
    owned = topic_of(said, source.lexicon)
    bare = len(base.topic) == 1 or not source.statement.subject.startswith(OF_USER)
    if not bare or source.statement.subject == USER or len(owned) < 2 or "'s " not in said:
        return None
    return source.of_noun(replace(base, value=base.topic[-1]), owned[-1], owned[:-1])


def _of_person(base: Claim, value: Value, unit: str) -> Claim:
    alone = _without_year(value)
    if value.kind == "number" and (unit or alone.tokens == alone.numbers):
        return replace(base, relation=unit or "age", one=True, value=alone)
    if value.kind in {"", "name", "day", "number"}:
        return replace(base, relation="be", one=False)
    return replace(base, relation=value.kind, one=True)


def _is_called(lexicon: Lexicon, noun: Value, value: Value) -> bool:
    """Whether a value that may be a noun is a name: by its capital, where not all nouns have one."""
    if lexicon.capitals_tell:  # "my dentist is Baker"
        return value.kind == "role" and value.tokens == value.names and not is_kin(noun)
    return plain(noun, lexicon) in lexicon.attribute_nouns and value.kind == ""


def _is_thing(lexicon: Lexicon, noun: Value) -> bool:
    """Whether a noun is an attribute, not a person or thing with attributes."""
    found = lexicon.attribute_nouns.get(plain(noun, lexicon))
    return not lexicon.best.isdisjoint(noun.tokens) or (found is not None and found not in _BEINGS)


def _unit(source: Source, value: Value) -> str:
    placed = source.fields.verb in {"be in", "be on", "be at"}  # "in my third year", but "at 95 kilos"
    units = _WEIGHTS if placed else _BY_UNIT
    return next((name for unit, name in units.items() if unit in value.tokens), "") if value.numbers else ""


def _without_year(value: Value) -> Value:
    """Return the number alone: "34 years old" as "34"."""
    return replace(value, tokens=value.numbers) if "year" in value.tokens else value


def _key_of(text: str, lexicon: Lexicon) -> str:
    value = value_of(text, lexicon)
    return key(value) if value is not None else ""


# ---------------------------------------------------------------------- "have a NOUN, VALUE"


def possession(source: Source, base: Claim) -> Claim | None:
    """Read who it is from "I have a new landlord, Mrs Sato", "I found a new dentist, Mr Ott" and "I've got Pavel as my tutor now"."""
    lexicon, verb = source.lexicon, source.fields.verb
    got = base.marked and verb in lexicon.gains | lexicon.finds
    if not (got or verb in lexicon.has | {"us"}) or base.value is None:
        return None
    noun, _, name = source.fields.said.partition(", ")
    named = value_of(name, lexicon) if name else None
    found = _in_role(source, base, named or base.value)
    if found is not None:
        return found
    found = _named(source, base, noun, named, bare=not name)
    return replace(found, state=base.state or got) if found is not None else None


def _in_role(source: Source, base: Claim, someone: Value) -> Claim | None:
    qualifiers = source.statement.qualifiers
    made = next(filter(None, map(_IN_ROLE.fullmatch, (qualifiers.manner, qualifiers.place))), None)
    role = value_of(made[1], source.lexicon) if made is not None else None
    if made is None or role is None or not someone.names:
        return None
    mine = made[0].startswith(("as my", "as our"))
    if not mine and (role.kind != "role" or someone.names != someone.tokens):
        return None  # "at the vet's we've got a Ms Amsel"
    return replace(source.of_noun(base, role, base.topic), value=someone, narrow={}, marked=base.marked)


def _named(source: Source, base: Claim, noun: str, named: Value | None, *, bare: bool) -> Claim | None:
    """Read "a new landlord, Mrs Sato", and "a new number: 0171 555 018" where no name follows the noun."""
    owned, value = value_of(noun, source.lexicon), named
    if owned is not None and bare and plain(owned, source.lexicon) in source.lexicon.attribute_nouns:
        behind = source.statement.quote.partition(f"{noun}: ")[2]
        value = value_of(behind.rstrip(".!"), source.lexicon)
    by_place = base.marked and not source.lexicon.capitals_tell  # "eine neue Chefin, Marta"
    if owned is None or value is None or not (bare or value.names or by_place):
        return None
    return replace(source.of_noun(base, owned.without(owned.numbers), base.topic), value=value)
