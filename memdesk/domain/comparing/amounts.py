"""Claims that count or measure: what is paid, charged or saved, how many there are, and which stage somebody is at."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from memdesk.domain.comparing.claims import Claim
from memdesk.domain.comparing.sources import Source, as_number, key
from memdesk.domain.comparing.values import value_of
from memdesk.domain.language.numbers import ORDINALS
from memdesk.domain.language.text import words

#: "third year", "year 5".
_STAGE: Final = re.compile(rf"\b(?:\d+(?:st|nd|rd|th)|{'|'.join(ORDINALS)})\b|^[^\W\d]+ \d+$", re.IGNORECASE)
#: Repeated or additional savings.
_RECURS: Final = re.compile(
    r"\b(?:every|each|another|more|extra|further|(?:a|per) (?:week|month|year|day))\b", re.IGNORECASE
)


def stage(source: Source, base: Claim) -> Claim | None:
    """Read which of successive stages somebody is at: "in second grade", "started her third year"."""
    lexicon, value, time = source.lexicon, base.value, base.narrow.get("time")
    verb = source.among((*lexicon.stages, *lexicon.reaches))
    reached = verb in lexicon.reaches
    if value is None and time is not None and reached and _STAGE.fullmatch(time.said):
        value = time  # "just started year 3"
    if not verb or value is None or not base.positive or value.kind == "day":
        return None
    base = replace(base, one=True, marked=base.marked or reached)
    if value.tokens <= lexicon.steps:  # "in reception"
        return replace(base, relation="stage year", value=replace(value, kind="stage year"), state=True)
    value = value_of(re.split(r" (?:at|in) ", value.said)[0], lexicon) or value  # "room 12 at Elmwood"
    if not _STAGE.search(value.said):
        return None
    step = value.without(value.numbers)
    relation = f"stage {value.head if value.head in step.tokens else key(step)}"
    return replace(base, relation=relation, value=replace(value, kind=relation), state=base.state or reached)


def savings(source: Source, base: Claim) -> Claim | None:
    """Read "saved 900 for a loom", "am up to 900 in the loom fund" and "the loom fund is at 900" as savings for a loom."""
    fields, lexicon, qualifiers = source.fields, source.lexicon, source.statement.qualifiers
    amount, *thing = re.split(r" (?=(?:for|towards?|in|on) )", fields.said, maxsplit=1)
    told = next((each for each in (*thing, qualifiers.manner, qualifiers.place) if each), "")
    counted = value_of(amount, lexicon)
    units = lexicon.units.get("price", frozenset()) - lexicon.spans
    bare = counted is not None and counted.numbers and counted.tokens <= counted.numbers | units
    if counted is None or not bare or base.modality != "fact" or not base.positive or base.ended:
        return None
    owned = len(base.topic) > 1
    of_it = base.topic[-1] if owned else value_of(told.partition(" ")[2], lexicon)
    held = of_it.tokens & lexicon.holders.keys() if of_it is not None else frozenset()
    has = fields.verb in {"have", "be up to", *lexicon.coming}
    meant = "saved" if has and told.split(" ")[0] in lexicon.against else ""  # "up to 900 for the loom"
    kind = next((lexicon.holders[token] for token in held), lexicon.sums.get(fields.verb, meant))
    comes = has or fields.verb in lexicon.sums or fields.verb.startswith("be ")
    if of_it is None or not kind or not comes or _RECURS.search(source.statement.quote):
        return None
    topic, left = base.topic[:-1] if owned else base.topic, of_it.without(held)
    topic = (*topic, left) if left.tokens else topic
    return replace(base, topic=topic, relation=kind, value=as_number(counted), narrow={}, one=True, state=True)


def payment(source: Source, base: Claim) -> Claim | None:
    """Read "pay 640 a month for my room" and "pay 640 euros rent" as the rent, "pay 30 for the gym" as the gym's price."""
    lexicon, amount = source.lexicon, base.narrow.get("amount") or base.value
    if source.fields.verb not in lexicon.pays or amount is None or not amount.numbers:
        return None
    paid = re.search(r"\bfor (?!now\b)([^,]+)", source.statement.qualifiers.manner)
    thing = value_of(paid[1], lexicon) if paid else base.narrow.get("place") or base.value
    what = thing.without(lexicon.units["price"] | amount.numbers) if thing is not None else None
    if what is None or not what.tokens:
        return None
    rent = bool(what.tokens & lexicon.dwellings)
    topic = base.topic if rent else (*base.topic, what)
    relation = "rent" if rent else "price"
    return replace(base, topic=topic, relation=relation, value=as_number(amount), narrow={}, one=True)


def charge(source: Source, base: Claim) -> Claim | None:
    """Read "charge 30 an hour for tutoring" as the rate for tutoring."""
    amount, paid = base.narrow.get("amount") or base.value, source.statement.qualifiers.manner
    if source.lexicon.states.get(source.fields.verb) != "rate" or amount is None or not amount.numbers:
        return None
    thing = value_of(paid.partition(" ")[2], source.lexicon) if paid.startswith("for ") else None
    relation = "rate" if thing is None else " ".join(sorted({"rate", *thing.tokens}))
    return replace(base, relation=relation, value=as_number(amount), narrow={}, one=True, named=True)


def dose(source: Source, base: Claim) -> Claim | None:
    """Read "my levothyroxine dose is 125 mcg" and "my ramipril is at 10 mg" as taking that much of it."""
    lexicon, value = source.lexicon, base.value
    if source.fields.verb not in lexicon.copulas or value is None or len(base.topic) < 2 or not base.positive:
        return None
    drug, units = base.topic[-1].without(lexicon.taken), value.tokens - value.numbers
    amount = base.narrow.get("amount") or value
    if not drug.tokens or not units or not units <= lexicon.doses or not amount.numbers:
        return None
    narrow = {name: each for name, each in base.narrow.items() if name != "amount"} | {"amount": amount}
    return replace(
        base, topic=base.topic[:-1], relation="take", value=drug, narrow=narrow, verb=value_of("take", lexicon)
    )


def parent(source: Source, base: Claim) -> Claim | None:
    """Read "am a mum of two" as having two children."""
    value, parents = base.value, source.lexicon.parents
    if source.fields.verb not in source.lexicon.copulas or value is None or not value.numbers or not parents:
        return None
    if not value.tokens - value.numbers <= parents or len(value.tokens) == len(value.numbers):
        return None
    narrow = {**base.narrow, "amount": value.without(parents)}
    return replace(base, relation="have", value=value_of("child", source.lexicon), narrow=narrow)


def one_more(source: Source, base: Claim) -> Claim | None:
    """Read "adopted a third dog" and "our fourth grandchild arrived" as one more."""
    lexicon, verb = source.lexicon, source.fields.verb
    said = words(source.fields.said.partition(", ")[0])  # "a third cat, Merry"
    born = words(base.topic[-1].said) if len(base.topic) > 1 and verb in lexicon.born else []
    if born[:1] and born[0] in ORDINALS[2:]:
        amount = value_of(born[0], lexicon)
        base = replace(base, topic=base.topic[:-1], narrow={"amount": amount} if amount is not None else {})
        return replace(base, relation="have", value=value_of(" ".join(born[1:]), lexicon), state=True, adds=True)
    if base.value is None or not base.positive or base.modality != "fact":
        return None
    ordinal = bool(said) and said[0] in ORDINALS[2:] and source.fields.said.casefold().startswith(f"{said[0]} ")
    if verb not in lexicon.gets or not (ordinal or (said[:1] and said[0] in lexicon.more)):
        return None
    thing, amount = value_of(" ".join(said[1:]), lexicon), value_of(said[0], lexicon) if ordinal else None
    if thing is None or thing.numbers:
        return None
    narrow = {"amount": amount} if amount is not None else {}
    return replace(base, relation="have", value=thing, narrow=narrow, state=True, marked=True, adds=True)


def household(source: Source, base: Claim) -> Claim | None:
    """Read "are a three-dog household" as how many dogs there are."""
    lexicon, value = source.lexicon, base.value
    if value is None or not base.positive or base.modality != "fact" or source.fields.verb not in lexicon.copulas:
        return None
    of = value.without(lexicon.homes | value.numbers)
    if value.tokens.isdisjoint(lexicon.homes) or not value.numbers or not of.tokens:
        return None
    amount = value_of(" ".join(value.numbers), lexicon)
    narrow = {**base.narrow} | ({"amount": amount} if amount is not None else {})
    return replace(base, relation="have", value=of, narrow=narrow)
