"""Claims that something is over or has a new value: "quit smoking", "the rent went up", "we postponed the wedding"."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from memdesk.domain.comparing.claims import OF_USER, Claim, topic_of
from memdesk.domain.comparing.sources import KINDS, Source, attribute_named, is_kin, key, now, over
from memdesk.domain.comparing.values import Value, value_of
from memdesk.domain.items.statement import USER
from memdesk.domain.language.text import stem, words

_DETERMINERS: Final = frozenset({"the", "my", "our"})
_DEGREES: Final = frozenset({"up", "down"})


def slot(source: Source, base: Claim) -> Claim | None:
    """Read a value that replaced another: it has the other's attribute."""
    statement, fields, lexicon = source.statement, source.fields, source.lexicon
    if not statement.replaces or not statement.attribute or fields.verb in lexicon.copulas:
        return None
    given = base.value is not None and base.replaces is not None and base.value.like(base.replaces) == "same"
    given = given or (base.ended and fields.against is not None)  # "left Voxi for Lebara"
    value = fields.against if given else base.value
    if value is None or source.by_verb(base)[0]:
        return None
    name = lexicon.attribute_nouns.get(statement.attribute, statement.attribute)
    return replace(now(base, name, replace(value, kind=name)), positive=True, ended=False)


# ---------------------------------------------------------------------- what is over


def death(source: Source, base: Claim) -> Claim | None:
    """Read "my mother died" and "I lost my mother"."""
    fields, lexicon = source.fields, source.lexicon
    lost = base.value if fields.verb in lexicon.losses and base.value is not None and is_kin(base.value) else None
    died = fields.verb in lexicon.deaths and base.value is None  # "passed the exam" is not a death
    if lost is None and not died:
        return None
    topic = base.topic if lost is None else (*base.topic, lost)
    return replace(base, topic=topic, relation="life", value=None, positive=False, ended=True, life=True)


def ending(source: Source, base: Claim) -> Claim | None:
    """Read what ends its object: "quit smoking", "my appointment was cancelled"."""
    lexicon, verb = source.lexicon, source.among(source.lexicon.endings | source.lexicon.quits)
    if base.ended and source.fields.verb in lexicon.needs:
        verb = source.fields.verb  # "I don't need the hearing aid any more"
        base = replace(base, modality="fact")
    if not verb or not (base.positive or base.ended):
        return None
    if verb not in lexicon.quits and _is_to_come(source, base):
        return None
    base = _of_kin(source, base)
    value, topic = base.value, _owner(source, base)
    if value is None and verb in lexicon.partings:
        value = base.narrow.get("company") or base.narrow.get("manner")
        if value is None:
            couple = len(topic) > 1 and attribute_named(topic[-1], lexicon) == "partner"  # "my wife and I"
            return over(replace(base, topic=topic[:-1] if couple else topic, relation="partner"))
    elif value is None and len(topic) > 1 and not is_kin(topic[-1]):  # people do not end by leaving
        value, topic = topic[-1], topic[:-1]
        if value.head in lexicon.holds and topic[0].said != USER:  # "Ana's wedding", to which the user goes
            value, topic = value_of(source.statement.subject, lexicon) or value, topic_of(USER, lexicon)
    if value is None:
        alone = base.topic == topic_of(USER, lexicon) and not base.narrow.keys() - {"time"}
        return over(replace(base, relation=verb, quits=True)) if verb in lexicon.quits and alone else None
    return _left_by_notice(source, base, value, topic) or _ended(source, base, verb, value, topic)


def _is_to_come(source: Source, base: Claim) -> bool:
    """Whether something ends by itself, but in the future or repeatedly: "my contract ends in June", "my flight leaves"."""
    begins, said_at = source.statement.qualifiers.begins, source.statement.said_at
    itself = base.value is None and not source.fields.verb.startswith(("be ", "get "))
    ahead = begins is not None and said_at is not None and begins > said_at.date()
    first = source.statement.predicate.split(" ")[0]
    return itself and (ahead or re.search(rf"\b{re.escape(first)}e?s\b", source.statement.quote) is not None)


def _left_by_notice(source: Source, base: Claim, value: Value, topic: tuple[Value, ...]) -> Claim | None:
    """Read "handed in my notice at the bakery" as leaving the bakery."""
    left, lexicon = base.narrow.get("place"), source.lexicon
    if left is None or f"{source.fields.verb} {value.head}" not in lexicon.quits or value.head in lexicon.holds:
        return None
    return over(replace(base, topic=topic, relation="*", value=left, any_relation=True, within=lexicon.left_by))


def _ended(source: Source, base: Claim, verb: str, value: Value, topic: tuple[Value, ...]) -> Claim:
    other, lexicon = source.fields.against, source.lexicon
    traded = base.value is not None and other is not None and value.names and other.names
    if traded and verb not in lexicon.partings:  # "left Voxi for Lebara"
        return replace(now(base, verb, other), replaces=value, positive=True, ended=False)
    light = value.tokens & lexicon.light - lexicon.holds.keys()
    ends = lexicon.holds.get(value.head, frozenset())
    value = value.without(light) if value.tokens > light else value  # "the Leith thing fell through"
    base = replace(base, topic=topic, relation="*", value=value, any_relation=True, ends=ends)
    base = replace(base, within=lexicon.only.get(verb, frozenset()), by=_agent(source, base))
    return over(replace(base, event=value.tokens - {value.head}))


# ---------------------------------------------------------------------- what has a new value


def change(source: Source, base: Claim) -> Claim | None:
    """Read what gives a thing a new value: "we postponed the wedding to September", "the rent went up"."""
    if base.ended or not base.positive:
        return None
    fields, lexicon, base = source.fields, source.lexicon, _of_kin(source, base)
    verb = source.among((*lexicon.changes, *lexicon.exchanges))
    if not verb and fields.towards is not None and fields.towards.numbers:
        # "turned my insulin up to 18 units"
        verb = fields.verb if fields.verb.rpartition(" ")[2] in _DEGREES else ""
    found = (_for_purpose(source, base) if verb else None) or _reached(source, base)
    if found is not None or not verb or _brings_about(source, base):
        return found
    return (
        _exchanged(source, base, verb)
        or _of_service(source, base)
        or _measured(source, base, verb)
        or _moved(source, base, verb)
    )


def _for_purpose(source: Source, base: Claim) -> Claim | None:
    """Read "switched to Vodafone for the internet", but not "moved to Leeds for my job"."""
    against, lexicon = source.fields.against, source.lexicon
    if base.value is not None and base.value.kind in lexicon.services:
        return _of_service(source, base)  # "switched to O2 for my phone"
    if against is None or base.value is None or not source.leads_to() or source.statement.attribute == "home":
        return None
    reason = not against.tokens.isdisjoint(lexicon.reasons) or source.statement.subject != USER
    if reason and lexicon.enters.get(source.fields.verb) == "home":
        return None
    return replace(now(base, attribute_named(against, lexicon), base.value), moved=True)


def _reached(source: Source, base: Claim) -> Claim | None:
    """Read "hit 6,500 on the deposit"."""
    place = base.narrow.get("place") or base.narrow.get("manner")
    number = base.value is not None and base.value.kind == "number"
    if source.fields.verb not in source.lexicon.coming or not number or place is None:
        return None
    return replace(now(base, key(place), base.value), moved=True)


def _brings_about(source: Source, base: Claim) -> bool:
    """Whether the verb leads to a value of an attribute; "I'm down to 10 mg" is not a weight."""
    name, value = source.lexicon.enters.get(source.fields.verb, ""), base.value
    if not name or value is None:
        return bool(name)
    if name in source.lexicon.units and source.counted(name, value, base.narrow.get("amount")) is None:
        return False
    return value.kind not in {"day", "number"} or source.fields.verb.startswith("be ")


def _exchanged(source: Source, base: Claim, verb: str) -> Claim | None:
    """Read "switched from Vim to Helix", "traded the iPhone for a Pixel" and "changed to history"."""
    value, against, former = base.value, source.fields.against, base.replaces
    if verb not in source.lexicon.exchanges or value is None:
        return None
    if former:
        return replace(now(base, verb, value), replaces=former)
    if against:
        return replace(now(base, verb, against), replaces=value)
    if source.leads_to() and value.kind in KINDS:  # replaces whatever the speaker studied
        return replace(base, relation=value.kind, marked=True, one=True, state=True)
    return None


def _of_service(source: Source, base: Claim) -> Claim | None:
    """Read "moved everything over to Monzo" and "went over to Starling" as the current bank."""
    value, lexicon = base.value, source.lexicon
    passed = value is not None and (value.tokens <= lexicon.whatever or value.head in lexicon.devices)
    given = source.fields.towards if passed else value
    if given is None or given.kind not in lexicon.services:
        return None
    if given is not source.fields.towards and not source.leads_to():
        return None
    kind = value_of(given.kind, lexicon)
    return now(base, key(kind) if kind is not None else given.kind, given)


def _measured(source: Source, base: Claim, verb: str) -> Claim | None:
    """Read "I'm up to 35 km a week", whatever it measures."""
    value = value_of(source.fields.said, source.lexicon)
    leads = source.leads_to() and value is not None and value.numbers
    if verb not in source.lexicon.degrees or not leads or len(base.topic) != 1:
        return None
    return replace(now(base, "", value), moved=True)


def _moved(source: Source, base: Claim, verb: str) -> Claim | None:
    """Read which thing has which value now: "we postponed the wedding to September"."""
    lexicon, by = source.lexicon, _agent(source, base)
    thing, value, topic = _thing_and_value(source, base, _owner(source, base) if by is None else base.topic[:1])
    if thing is None:
        return None
    if value is None and verb in lexicon.renews:
        if had := lexicon.holds.get(thing.head):  # "changed jobs": both role and employer are new
            return over(replace(base, topic=topic, relation="*", value=thing, any_relation=True, ends=had))
        return over(replace(source.of_noun(base, thing, topic), value=None))  # "changed therapists"
    name = attribute_named(thing, lexicon)
    moved = replace(now(base, name, None), topic=topic, moved=True, by=by)
    if value is None:  # "doubled my dose", but not "got a raise to 3,100"
        return moved if verb in lexicon.amounts and thing.kind not in {"number", "day"} else None
    counted = source.counted(name, value, None) if name in lexicon.units else None
    led, span = words(value.said)[:1], value.tokens - value.numbers
    if span and span <= lexicon.spans and not (led and led[0] in lexicon.towards):
        value = replace(value, kind="day")  # "pushed back a week": it is no longer on the known day
    ends, event = lexicon.holds.get(thing.head, frozenset()), thing.tokens - {thing.head}
    return replace(moved, value=counted or value, ends=ends, event=event)


def _thing_and_value(
    source: Source, base: Claim, topic: tuple[Value, ...]
) -> tuple[Value | None, Value | None, tuple[Value, ...]]:
    """Return what was moved, to what, and whose it is."""
    time, amount, day = base.narrow.get("time"), base.narrow.get("amount"), source.day_given()
    counted = amount if source.leads_to() and day is None else None  # "down to 65 cows after the summer"
    given = source.fields.towards or counted or time or amount or base.narrow.get("place")
    if len(topic) > 1 and (base.value is None or _is_target(source, base.value)):
        return topic[-1], day or base.value or given, topic[:-1]
    return base.value, given, topic


def _is_target(source: Source, value: Value) -> bool:
    return value.kind in {"day", "number", "name"} or source.leads_to()


# ---------------------------------------------------------------------- who changed whose thing


def _owner(source: Source, base: Claim) -> tuple[Value, ...]:
    """Return the owner of the changed thing: "my doctor raised my dose"."""
    return topic_of(OF_USER, source.lexicon) if source.fields.said.startswith(OF_USER) else base.topic


def _of_kin(source: Source, base: Claim) -> Claim:
    """Attribute "they raised my wife's dose" to the wife."""
    *owners, thing = topic_of(OF_USER + source.fields.said, source.lexicon)[1:] or (None,)
    if source.statement.subject != USER or thing is None or not owners or not is_kin(owners[0]):
        return base
    return replace(base, topic=(*base.topic, *owners), value=thing)


def _agent(source: Source, base: Claim) -> Value | None:
    """Return who changed something that may not be theirs: the GP of "my GP raised the dose"."""
    if source.statement.subject == USER:
        return _named_before_verb(source)
    own = source.fields.said.startswith(OF_USER)
    if len(base.topic) != 2 or base.topic[0].said != USER or base.value is None or own:
        return None
    passive = source.fields.verb.startswith(("be ", "get ")) or _is_target(source, base.value)
    return None if passive or is_kin(base.topic[1]) else base.topic[1]


def _named_before_verb(source: Source) -> Value | None:
    """Return who changed the user's thing: the dentist of "the dentist moved my appointment"."""
    said, verb, lexicon = words(source.statement.quote), source.fields.verb.split(" ")[0], source.lexicon
    does = (i for i, word in enumerate(said) if lexicon.participles.get(stem(word), stem(word)) == verb)
    end = next(does, 0)
    return value_of(" ".join(said[1:end]), lexicon) if said and said[0] in _DETERMINERS else None
