"""Claims about states: allergies and conditions, shifts, tastes, and what a machine runs."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from memdesk.domain.comparing.claims import Claim
from memdesk.domain.comparing.sources import Source
from memdesk.domain.comparing.values import Value, value_of
from memdesk.domain.language.data import language_data
from memdesk.domain.language.text import words

_SENSITIVE: Final = ("allerg", "alerg", "intol")


def allergy(source: Source, base: Claim) -> Claim | None:
    """Read "have a nut allergy" and "am lactose intolerant" as "am allergic to"."""
    value = base.value
    if value is None or source.fields.verb not in source.lexicon.has | source.lexicon.copulas:
        return None
    named = {token for token in value.tokens if token.startswith(_SENSITIVE)}
    what, narrow = value.without(named), base.narrow
    if named and not what.tokens and (found := narrow.get("manner")) is not None:  # "soy alérgica al marisco"
        what, narrow = found, {name: each for name, each in narrow.items() if name != "manner"}
    # "vegetarian and allergic to peanuts"
    beside = value.joined and not words(value.said)[0].startswith(_SENSITIVE)
    return (
        replace(base, relation="be allerg to", value=what, narrow=narrow)
        if named and what.tokens and not beside
        else None
    )


def condition(source: Source, base: Claim) -> Claim | None:
    """Read "have asthma" and "am asthmatic" as one of possibly several conditions."""
    lexicon, people = source.lexicon, language_data("en").words("people")
    verb, _ = lexicon.verbs.get(source.fields.verb, (source.fields.verb, False))
    has = verb in lexicon.has | lexicon.copulas and source.statement.attribute == "condition"
    # not "my operation is on Monday"
    somebody = len(base.topic) == 1 or not people.isdisjoint(words(base.topic[-1].said))
    what = has and base.value is not None and base.value.kind in {"", "name"}
    return replace(base, relation="condition") if what and somebody else None


def shift(source: Source, base: Claim) -> Claim | None:
    """Read "work nights", "do earlies" and "am on the late turn at the depot" as somebody's shift."""
    lexicon = source.lexicon
    said, *place = re.split(r" (?=(?:at|in) )", source.fields.said, maxsplit=1)
    value = value_of(said, lexicon)
    if source.fields.verb not in lexicon.shifts or value is None:
        return None
    when = {word for word in words(said) if lexicon.classes.get(word) == "shift"}
    named = value_of(" ".join(sorted(when)), lexicon)
    if named is None or not value.tokens <= named.tokens | lexicon.turns:
        return None
    where = value_of(place[0], lexicon) if place else None
    narrow = {**base.narrow} | ({"place": where} if where is not None else {})
    return replace(base, relation="shift", value=replace(named, kind="shift", said=value.said), narrow=narrow, one=True)


def preference(source: Source, base: Claim) -> Claim | None:
    """Read "prefer tea to coffee", "like tea more than coffee" and "would rather have tea than coffee" as one preference."""
    fields, lexicon, place = source.fields, source.lexicon, source.statement.qualifiers.place
    prefers = fields.verb in lexicon.prefers
    rather = not lexicon.rather.isdisjoint(words(source.statement.quote))
    if not base.positive or not (prefers or rather or lexicon.verbs.get(fields.verb, ("",))[0] == "like"):
        return None
    told = f"{fields.said} {place}" if prefers and place.startswith(lexicon.over) else fields.said
    dividers = (*lexicon.than, *(lexicon.over if prefers else ()))
    cut = (told.partition(f" {word} ") for word in dividers)
    said, than, other = next((parts for parts in cut if parts[1]), (told, "", ""))
    ending = lexicon.activity
    if than.strip() in lexicon.over and said.split(" ")[0].endswith(ending) != other.split(" ")[0].endswith(ending):
        said, than, other = told, "", ""  # "going to the sea"
    value = value_of(said, lexicon)
    if value is None or not (prefers or than):
        return None
    narrow = {name: each for name, each in base.narrow.items() if name != "place"}
    beaten = value_of(other, lexicon) if than else None
    return replace(base, relation="prefer", value=value, over=beaten, narrow=narrow, modality="fact")


def system(source: Source, base: Claim) -> Claim | None:
    """Read what a machine runs: "my laptop runs Debian", "I use Debian on my laptop", "I moved my laptop to Debian"."""
    value, thing, place = base.value, None, base.narrow.get("place")
    if value is not None and _is_system(source, value):
        thing = base.topic[-1] if len(base.topic) > 1 else place
    elif place is not None and _is_system(source, place):
        value, thing = place, value
    liked = source.lexicon.verbs.get(source.fields.verb, ("", False))[0] == "like"
    if value is None or thing is None or liked or not base.positive or base.modality != "fact":
        return None
    topic, value = (*base.topic[:1], thing), replace(value, kind="system")
    return replace(base, topic=topic, relation="system", value=value, narrow={}, one=True, state=True)


def _is_system(source: Source, value: Value) -> bool:
    """Whether a value names a system, whatever its version."""
    named = [word for word in words(value.said) if not word[:1].isdigit()]
    return not value.said.islower() and source.lexicon.classes.get("".join(named[-1:])) == "system"
