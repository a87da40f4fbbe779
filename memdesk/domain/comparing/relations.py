"""Which attribute of whom a statement gives, however it is put: "my boss is Ada", "I report to Ada", "a new boss, Ada"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from memdesk.domain.comparing.claims import OF_USER, Claim, Fields, topic_of, verbs_of
from memdesk.domain.comparing.lexicon import Lexicon
from memdesk.domain.comparing.values import Value, value_of
from memdesk.domain.items.statement import USER, Statement
from memdesk.domain.language.data import language_data
from memdesk.domain.language.numbers import ORDINALS
from memdesk.domain.language.text import stem, words

#: Attributes whose value is a number, by the unit that it is given in.
_BY_UNIT: Final = {"year": "age", "cm": "height", "kg": "weight", "jahr": "age"}
#: Attributes that are told of the past and hold for good.
_FOR_GOOD: Final = frozenset({"name", "birthday", "birthplace", "birth year"})
#: Attributes whose values are people or things of which more can be said than who or which they are.
#: Classes of values that are attributes too, so that a value alone tells of what it is one.
_KINDS: Final = frozenset({"major", "diet", "shift"})
#: "third year", "year 5".
_STAGE: Final = re.compile(rf"\b(?:\d+(?:st|nd|rd|th)|{'|'.join(ORDINALS)})\b|^[^\W\d]+ \d+$", re.IGNORECASE)
#: What is laid by again and again, or on top of what was before.
_RECURS: Final = re.compile(
    r"\b(?:every|each|another|more|extra|further|(?:a|per) (?:week|month|year|day))\b", re.IGNORECASE
)
_DETERMINERS: Final = frozenset({"the", "my", "our"})
#: What somebody is had as, or at whose place: "as my tutor", "for a teacher", "at the vet's".
_IN_ROLE: Final = re.compile(r"(?:as (?:my|our|an?)|for an?|at (?:the|my|our)) (.+?)(?:['\u2019]s)?", re.IGNORECASE)
_DEGREES: Final = frozenset({"up", "down"})
_NO_KIN: Final = frozenset({"landlord", "landlady"})
_SENSITIVE: Final = ("allerg", "intoler")
_BEINGS: Final = frozenset({"partner", "boss", "doctor", "car"})


def relation_of(statement: Statement, fields: Fields, base: Claim, lexicon: Lexicon) -> Claim:
    """Return ``base`` with the relation and value of a statement, by the first way of reading that applies."""
    if not base.topic:
        return base  # "¥65,000 is correct" is read as said of a sign
    reader = _Reader(statement, fields, lexicon)
    ways = (
        reader.slot,
        reader.sum,
        reader.death,
        reader.ending,
        reader.system,
        reader.change,
        reader.stage,
        reader.occasion,
        reader.allergy,
        reader.condition,
        reader.payment,
        reader.charge,
        reader.shift,
        reader.preference,
        reader.provider,
        reader.attribute,
        reader.parent,
        reader.one_more,
        reader.identity,
        reader.possession,
    )
    found = next((found for way in ways if (found := way(base)) is not None), None) or reader.plain(base)
    if found.replaces is None:
        return found
    # "replaced my phone with a Fairphone": whichever phone it was
    held = lexicon.holds.get(found.replaces.head, frozenset())
    return replace(found, ends=found.ends | held | {_attribute_named(found.replaces, lexicon)})


def key(value: Value) -> str:
    """Return a value's words as one text, whatever their order."""
    return " ".join(sorted(value.tokens))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Finds the attribute of one statement."""

    statement: Statement
    fields: Fields
    lexicon: Lexicon

    # ------------------------------------------------------------------ ends and changes

    def slot(self, base: Claim) -> Claim | None:
        """Read what came in the place of another value: it is of the attribute that the other was of."""
        if not self.statement.replaces or not self.statement.attribute or self.fields.verb in self.lexicon.copulas:
            return None
        given = base.value is not None and base.replaces is not None and base.value.like(base.replaces) == "same"
        given = given or (base.ended and self.fields.against is not None)  # "left Voxi for Lebara"
        value = self.fields.against if given else base.value
        if value is None or self._by_verb(base)[0]:
            return None
        name = self.lexicon.attribute_nouns.get(self.statement.attribute, self.statement.attribute)
        return replace(
            base, relation=name, value=replace(value, kind=name), narrow={}, marked=True, one=True, state=True,
            positive=True, ended=False,
        )  # fmt: skip

    def death(self, base: Claim) -> Claim | None:
        """Read "my mother died" and "I lost my mother"."""
        lost = self.fields.verb in self.lexicon.losses and base.value is not None and self._is_kin(base.value)
        died = self.fields.verb in self.lexicon.deaths and base.value is None  # "passed the exam" is no death
        if not (died or lost) or not base.topic:
            return None
        topic = (*base.topic, base.value) if lost and base.value is not None else base.topic
        return replace(base, topic=topic, relation="life", value=None, positive=False, ended=True, life=True)

    @staticmethod
    def _is_kin(value: Value) -> bool:
        kin = language_data("en").words("people", "she", "he")
        return any(word in kin - _NO_KIN for word in words(value.said))

    def ending(self, base: Claim) -> Claim | None:
        """Read what ends the thing it names: "quit smoking", "my appointment was cancelled"."""
        verb = self._among(self.lexicon.endings | self.lexicon.quits)
        if base.ended and self.fields.verb in self.lexicon.needs:
            verb = self.fields.verb  # "I don't need the hearing aid any more"
            base = replace(base, modality="fact")
        if not verb or (not base.positive and not base.ended):
            return None
        if self._is_to_come(base) and verb not in self.lexicon.quits:
            return None
        base = self._of_kin(base)
        value, topic = base.value, self._owner(base)
        if verb in self.lexicon.partings and value is None:
            value = base.narrow.get("company") or base.narrow.get("manner")
            if value is None:
                couple = len(topic) > 1 and _attribute_named(topic[-1], self.lexicon) == "partner"  # "my wife and I"
                topic = topic[:-1] if couple else topic
                return replace(base, topic=topic, relation="partner", positive=False, ended=True, state=True)
        elif value is None and len(topic) > 1 and not self._is_kin(topic[-1]):  # nobody ends by leaving
            value, topic = topic[-1], topic[:-1]
            if value.head in self.lexicon.holds and topic[0].said != USER:  # "Ana's wedding", to which the user goes
                value, topic = value_of(self.statement.subject, self.lexicon) or value, topic_of(USER, self.lexicon)
        left = base.narrow.get("place")
        notice = value is not None and f"{self.fields.verb} {value.head}" in self.lexicon.quits
        if (
            left is not None and notice and value is not None and value.head not in self.lexicon.holds
        ):  # "handed in my notice at the bakery"
            return replace(base, topic=topic, relation="*", value=left, any_relation=True, within=self.lexicon.left_by,
                           positive=False, ended=True, state=True)  # fmt: skip
        if value is None:
            quits = (
                verb in self.lexicon.quits
                and base.topic == topic_of(USER, self.lexicon)
                and not base.narrow.keys() - {"time"}
            )
            return replace(base, relation=verb, positive=False, ended=True, state=True, quits=True) if quits else None
        other = self.fields.against
        if (
            other is not None
            and base.value is not None
            and value.names
            and other.names
            and verb not in self.lexicon.partings
        ):
            # "left Voxi for Lebara"
            return replace(base, relation=verb, value=other, replaces=value, narrow={}, marked=True, one=True, state=True,
                           positive=True, ended=False)  # fmt: skip
        ends = self.lexicon.holds.get(value.head, frozenset())
        light = value.tokens & self.lexicon.light - self.lexicon.holds.keys()
        value = value.without(light) if value.tokens > light else value  # "the Leith thing fell through"
        base = replace(base, topic=topic, relation="*", value=value, any_relation=True, ends=ends)
        within = self.lexicon.only.get(verb, frozenset())
        base = replace(base, event=value.tokens - {value.head}, within=within, by=self._agent(base))
        return replace(base, positive=False, ended=True, state=True)

    def _is_to_come(self, base: Claim) -> bool:
        """Whether something ends by itself, but not yet, or again and again: "my contract ends in June", "my flight leaves"."""
        begins, said_at = self.statement.qualifiers.begins, self.statement.said_at
        itself = base.value is None and not self.fields.verb.startswith(("be ", "get "))
        ahead = begins is not None and said_at is not None and begins > said_at.date()
        first = self.statement.predicate.split(" ")[0]
        return itself and (ahead or re.search(rf"\b{re.escape(first)}e?s\b", self.statement.quote) is not None)

    def change(self, base: Claim) -> Claim | None:
        """Read what gives a thing another value: "we postponed the wedding to September", "the rent went up"."""
        if base.ended or not base.positive:
            return None
        base = self._of_kin(base)
        verb = self._among((*self.lexicon.changes, *self.lexicon.exchanges))
        towards, against = self.fields.towards, self.fields.against
        if not verb and towards is not None and towards.numbers and self.fields.verb.rpartition(" ")[2] in _DEGREES:
            verb = self.fields.verb  # "turned my insulin up to 18 units", whatever did so
        home = self.statement.attribute == "home" or (  # "moved to Leeds for my job"
            against is not None and self.lexicon.enters.get(self.fields.verb) == "home"
            and (not against.tokens.isdisjoint(self.lexicon.reasons) or self.statement.subject != USER)
        )  # fmt: skip
        if verb and against is not None and base.value is not None and self._leads_to() and not home:
            # "switched to Vodafone for the internet"
            name = _attribute_named(against, self.lexicon)
            return replace(base, relation=name, narrow={}, marked=True, one=True, state=True, moved=True)
        moving = self._enters(base) and (
            base.value is None or base.value.kind not in {"day", "number"} or self.fields.verb.startswith("be ")
        )
        place = base.narrow.get("place") or base.narrow.get("manner")
        number = base.value is not None and base.value.kind == "number"
        if self.fields.verb in self.lexicon.coming and number and place is not None:  # "hit 6,500 on the deposit"
            return replace(base, relation=key(place), narrow={}, marked=True, one=True, state=True, moved=True)
        if not verb or moving:
            return None
        if verb in self.lexicon.exchanges and base.value is not None and (base.replaces or against):
            # "switched from Vim to Helix", "traded the iPhone for a Pixel"
            value, former = (base.value, base.replaces) if base.replaces else (against, base.value)
            return replace(
                base, relation=verb, value=value, replaces=former, narrow={}, marked=True, one=True, state=True
            )
        if verb in self.lexicon.exchanges and self._leads_to() and base.value is not None and base.value.kind in _KINDS:
            # "changed to history": in the place of what the speaker studied, whatever it was
            return replace(base, relation=base.value.kind, marked=True, one=True, state=True)
        passed = base.value is not None and (
            base.value.tokens <= self.lexicon.whatever or base.value.head in self.lexicon.devices
        )
        given = self.fields.towards if passed else base.value
        if self.lexicon.changing(verb) and given is not None and given.kind in self.lexicon.services:
            # "moved everything over to Monzo", "went over to Starling"
            kind = value_of(given.kind, self.lexicon)
            relation = key(kind) if kind is not None else given.kind
            if given is self.fields.towards or self._leads_to():
                return replace(base, relation=relation, value=given, narrow={}, marked=True, one=True, state=True)
        measured = value_of(self.fields.said, self.lexicon)
        alone = verb in self.lexicon.degrees and measured is not None and measured.numbers and len(base.topic) == 1
        if alone:  # "I'm up to 35 km a week": of whatever is measured so
            return replace(base, relation="", value=measured, narrow={}, marked=True, one=True, state=True, moved=True)
        by = self._agent(base)
        thing, value, topic = self._moved_to(replace(base, topic=self._owner(base) if by is None else base.topic[:1]))
        if thing is not None and value is None and verb in self.lexicon.renews:
            if had := self.lexicon.holds.get(thing.head):  # "changed jobs": neither role nor employer is as before
                return replace(base, topic=topic, relation="*", value=thing, any_relation=True, ends=had, positive=False,
                               ended=True, state=True)  # fmt: skip
            # "changed therapists"
            return replace(self._of_noun(base, thing, topic), value=None, positive=False, ended=True, state=True)
        if thing is None or (value is None and verb not in self.lexicon.amounts):
            return None
        name = _attribute_named(thing, self.lexicon)
        if value is None and thing.kind in {"number", "day"}:
            return None  # "got a raise to 3,100"
        if value is None:  # "doubled my dose"
            return replace(base, topic=topic, relation=name, narrow={}, marked=True, one=True, state=True, moved=True,
                           value=None, by=by)  # fmt: skip
        counted = self._counted(name, value, None) if name in self.lexicon.units else None
        led = words(value.said)[:1]
        span = value.tokens - value.numbers
        if span and span <= self.lexicon.spans and not (led and led[0] in self.lexicon.towards):
            value = replace(value, kind="day")  # "pushed back a week": it is not on the day that was told
        return replace(
            base,
            topic=topic,
            relation=name,
            value=counted or value,
            narrow={},
            marked=True,
            one=True,
            state=True,
            moved=True,
            by=by,
            ends=self.lexicon.holds.get(thing.head, frozenset()),
            event=thing.tokens - {thing.head},
        )

    def _enters(self, base: Claim) -> bool:
        """Whether the verb brings about an attribute; "I'm down to 10 mg" is no weight."""
        name = self.lexicon.enters.get(self.fields.verb, "")
        if name not in self.lexicon.units or base.value is None:
            return bool(name)
        return self._counted(name, base.value, base.narrow.get("amount")) is not None

    def system(self, base: Claim) -> Claim | None:
        """Read what a machine runs: "my laptop runs Debian", "I use Debian on my laptop", "I moved my laptop to Debian"."""
        value, thing, place = base.value, None, base.narrow.get("place")
        if value is not None and self._is_system(value):
            thing = base.topic[-1] if len(base.topic) > 1 else place
        elif place is not None and self._is_system(place):
            value, thing = place, value
        liked = self.lexicon.verbs.get(self.fields.verb, ("", False))[0] == "like"
        if value is None or thing is None or liked or not base.positive or base.modality != "fact":
            return None
        topic, value = (*base.topic[:1], thing), replace(value, kind="system")
        return replace(base, topic=topic, relation="system", value=value, narrow={}, one=True, state=True)

    def _is_system(self, value: Value) -> bool:
        """Whether a value names a system, whatever its version."""
        named = [word for word in words(value.said) if not word[:1].isdigit()]
        return not value.said.islower() and self.lexicon.classes.get("".join(named[-1:])) == "system"

    def _owner(self, base: Claim) -> tuple[Value, ...]:
        """Return whose the thing is that somebody did something to: "my doctor raised my dose"."""
        return topic_of(OF_USER, self.lexicon) if self.fields.said.startswith(OF_USER) else base.topic

    def _of_kin(self, base: Claim) -> Claim:
        """Give "they raised my wife's dose" to the wife."""
        *owners, thing = topic_of(OF_USER + self.fields.said, self.lexicon)[1:] or (None,)
        if self.statement.subject != USER or thing is None or not owners or not self._is_kin(owners[0]):
            return base
        return replace(base, topic=(*base.topic, *owners), value=thing)

    def _agent(self, base: Claim) -> Value | None:
        """Return who gave another value to what need not be theirs: the GP of "my GP raised the dose"."""
        if self.statement.subject == USER:
            return self._named_before_verb()
        own = self.fields.said.startswith(OF_USER)
        if len(base.topic) != 2 or base.topic[0].said != USER or base.value is None or own:
            return None
        passive = self.fields.verb.startswith(("be ", "get ")) or self._is_target(base.value)
        return None if passive or self._is_kin(base.topic[1]) else base.topic[1]

    def _named_before_verb(self) -> Value | None:
        """Return who did it to the user's: the dentist of "the dentist moved my appointment"."""
        said, verb = words(self.statement.quote), self.fields.verb.split(" ")[0]
        does = (i for i, word in enumerate(said) if self.lexicon.participles.get(stem(word), stem(word)) == verb)
        end = next(does, 0)
        return value_of(" ".join(said[1:end]), self.lexicon) if said and said[0] in _DETERMINERS else None

    def _leads_to(self) -> bool:
        return self.fields.verb.rpartition(" ")[2] in self.lexicon.towards

    def _moved_to(self, base: Claim) -> tuple[Value | None, Value | None, tuple[Value, ...]]:
        """Return what was moved, to what, and whose it is."""
        time, amount = base.narrow.get("time"), base.narrow.get("amount")
        counted = (
            amount if self._leads_to() and self._day_given() is None else None
        )  # "down to 65 cows after the summer"
        given = self.fields.towards or counted or time or amount or base.narrow.get("place")
        if len(base.topic) > 1 and (base.value is None or self._is_target(base.value)):
            return base.topic[-1], self._day_given() or base.value or given, base.topic[:-1]
        return base.value, given, base.topic

    def _is_target(self, value: Value) -> bool:
        return value.kind in {"day", "number", "name"} or self._leads_to()

    def _among(self, verbs: Iterable[str]) -> str:
        """Return the statement's verb as the list has it: active or passive, with its preposition or without."""
        verb = self.fields.verb
        active = verb.removeprefix("be ").removeprefix("get ")
        if active != verb:  # "was sold", "got brought forward"
            participle, space, rest = active.partition(" ")
            active = f"{self.lexicon.participles.get(participle, participle)}{space}{rest}"
        ways = (
            verb,
            active,
            f"be {active}",
            active.removesuffix(" over"),
            active.rpartition(" ")[0] if active.rpartition(" ")[2] in self.lexicon.towards or self._day_given() else "",
        )
        known = set(verbs)
        return next((way for way in ways if way and way in known), "")

    def _day_given(self) -> Value | None:
        """Return the day of "moved to Thursdays, at the Crane Bar"."""
        time = self.fields.narrow.get("time")
        return time if time is not None and time.said.split(" ")[0].casefold() in self.lexicon.towards else None

    def stage(self, base: Claim) -> Claim | None:
        """Read which of several that come one after another somebody is at: "in second grade", "started her third year"."""
        value, time = base.value, base.narrow.get("time")
        verb = self._among((*self.lexicon.stages, *self.lexicon.reaches))
        if value is None and time is not None and verb in self.lexicon.reaches and _STAGE.fullmatch(time.said):
            value = time  # "just started year 3"
        if not verb or value is None or not base.positive or value.kind == "day":
            return None
        reached, named = verb in self.lexicon.reaches, value.tokens <= self.lexicon.steps
        if named:  # "in reception"
            value = replace(value, kind="stage year")
            return replace(
                base, relation="stage year", value=value, one=True, state=True, marked=base.marked or reached
            )
        value = value_of(re.split(r" (?:at|in) ", value.said)[0], self.lexicon) or value  # "room 12 at Elmwood"
        if not _STAGE.search(value.said):
            return None
        step = value.without(value.numbers)
        relation = f"stage {value.head if value.head in step.tokens else key(step)}"
        value = replace(value, kind=relation)
        return replace(
            base, relation=relation, value=value, one=True, state=base.state or reached, marked=base.marked or reached
        )

    def occasion(self, base: Claim) -> Claim | None:
        """Read "we're getting married on 9 August" as the day of the wedding."""
        noun, day = self.lexicon.occasions.get(self.fields.verb), base.narrow.get("time")
        if noun is None or day is None or day.kind != "day" or not base.state or base.value is not None:
            return None
        narrow = {name: each for name, each in base.narrow.items() if name != "time"}
        return replace(base, relation=noun, value=day, narrow=narrow, one=True, named=True, moved=base.marked)

    # ------------------------------------------------------------------ attributes

    def allergy(self, base: Claim) -> Claim | None:
        """Read "have a nut allergy" and "am lactose intolerant" as "am allergic to"."""
        if base.value is None or self.fields.verb not in self.lexicon.has | self.lexicon.copulas:
            return None
        named = {token for token in base.value.tokens if token.startswith(_SENSITIVE)}
        what = base.value.without(named)
        beside = base.value.joined and not words(base.value.said)[0].startswith(
            _SENSITIVE
        )  # "vegetarian and allergic to peanuts"
        return replace(base, relation="be allerg to", value=what) if named and what.tokens and not beside else None

    def condition(self, base: Claim) -> Claim | None:
        """Read "have asthma" and "am asthmatic" as one condition, of which there may be several."""
        has = self.fields.verb in self.lexicon.has | self.lexicon.copulas and self.statement.attribute == "condition"
        people = language_data("en").words("people")
        somebody = len(base.topic) == 1 or not people.isdisjoint(
            words(base.topic[-1].said)
        )  # "my operation is on Monday"
        return replace(base, relation="condition") if has and base.value and not base.value.kind and somebody else None

    def payment(self, base: Claim) -> Claim | None:
        """Read "pay 640 a month for my room" and "pay 640 euros rent" as the rent, "pay 30 for the gym" as the gym's price."""
        amount = base.narrow.get("amount") or base.value
        if self.fields.verb not in self.lexicon.pays or amount is None or not amount.numbers:
            return None
        paid = re.search(r"\bfor (?!now\b)([^,]+)", self.statement.qualifiers.manner)
        place = base.narrow.get("place")
        thing = value_of(paid[1], self.lexicon) if paid else place or base.value
        units = self.lexicon.units["price"] | amount.numbers
        what = thing.without(units) if thing is not None else None
        if what is None or not what.tokens:
            return None
        rent = bool(what.tokens & self.lexicon.dwellings)
        value = replace(amount, tokens=amount.numbers, kind="number")
        topic = base.topic if rent else (*base.topic, what)
        return replace(base, topic=topic, relation="rent" if rent else "price", value=value, narrow={}, one=True)

    def sum(self, base: Claim) -> Claim | None:
        """Read "saved 900 for a loom", "am up to 900 in the loom fund" and "the loom fund is at 900" as what is laid by for a loom."""
        amount, *thing = re.split(r" (?=(?:for|towards?|in|on) )", self.fields.said, maxsplit=1)
        qualifiers = self.statement.qualifiers
        told = next((each for each in (*thing, qualifiers.manner, qualifiers.place) if each), "")
        counted = value_of(amount, self.lexicon)
        units = self.lexicon.units.get("price", frozenset()) - self.lexicon.spans
        bare = counted is not None and counted.numbers and counted.tokens <= counted.numbers | units
        if counted is None or not bare or base.modality != "fact" or not base.positive or base.ended:
            return None
        of_it = base.topic[-1] if len(base.topic) > 1 else value_of(told.partition(" ")[2], self.lexicon)
        held = of_it.tokens & self.lexicon.holders.keys() if of_it is not None else frozenset()
        has = self.fields.verb in {"have", "be up to", *self.lexicon.coming}
        meant = "saved" if has and told.split(" ")[0] in self.lexicon.against else ""  # "up to 900 for the loom"
        kind = next((self.lexicon.holders[token] for token in held), self.lexicon.sums.get(self.fields.verb, meant))
        comes = has or self.fields.verb in self.lexicon.sums or self.fields.verb.startswith("be ")
        if of_it is None or not kind or not comes or _RECURS.search(self.statement.quote):
            return None
        topic = base.topic[:-1] if len(base.topic) > 1 else base.topic
        left = of_it.without(held)
        value = replace(counted, tokens=counted.numbers, kind="number")
        return replace(
            base,
            topic=(*topic, left) if left.tokens else topic,
            relation=kind,
            value=value,
            narrow={},
            one=True,
            state=True,
        )

    def shift(self, base: Claim) -> Claim | None:
        """Read "work nights", "do earlies" and "am on the late turn at the depot" as the shift that somebody works."""
        said, *place = re.split(r" (?=(?:at|in) )", self.fields.said, maxsplit=1)
        value = value_of(said, self.lexicon)
        if self.fields.verb not in self.lexicon.shifts or value is None:
            return None
        when = {word for word in words(said) if self.lexicon.classes.get(word) == "shift"}
        named = value_of(" ".join(sorted(when)), self.lexicon)
        if named is None or not value.tokens <= named.tokens | self.lexicon.turns:
            return None
        where = value_of(place[0], self.lexicon) if place else None
        narrow = {**base.narrow} | ({"place": where} if where is not None else {})
        return replace(
            base, relation="shift", value=replace(named, kind="shift", said=value.said), narrow=narrow, one=True
        )

    def preference(self, base: Claim) -> Claim | None:
        """Read "prefer tea to coffee", "like tea more than coffee" and "would rather have tea than coffee" as one order of both."""
        lexicon, place = self.lexicon, self.statement.qualifiers.place
        prefers = self.fields.verb in lexicon.prefers
        rather = not lexicon.rather.isdisjoint(words(self.statement.quote))
        if not base.positive or not (prefers or rather or lexicon.verbs.get(self.fields.verb, ("",))[0] == "like"):
            return None
        told = f"{self.fields.said} {place}" if prefers and place.startswith(lexicon.over) else self.fields.said
        said, than, other = next(
            (
                parts
                for word in (*lexicon.than, *(lexicon.over if prefers else ()))
                if (parts := told.partition(f" {word} "))[1]
            ),
            (told, "", ""),
        )
        ending = lexicon.activity
        if than.strip() in lexicon.over and said.split(" ")[0].endswith(ending) != other.split(" ")[0].endswith(ending):
            said, than, other = told, "", ""  # "going to the sea"
        value, over = value_of(said, lexicon), value_of(other, lexicon) if than else None
        if value is None or not (prefers or than):
            return None
        narrow = {name: each for name, each in base.narrow.items() if name != "place"}
        return replace(base, relation="prefer", value=value, over=over, narrow=narrow, modality="fact")

    def charge(self, base: Claim) -> Claim | None:
        """Read "charge 30 an hour for tutoring" as the rate for tutoring."""
        amount, paid = base.narrow.get("amount") or base.value, self.statement.qualifiers.manner
        thing = value_of(paid.partition(" ")[2], self.lexicon) if paid.startswith("for ") else None
        if self.lexicon.states.get(self.fields.verb) != "rate" or amount is None or not amount.numbers:
            return None
        value = replace(amount, tokens=amount.numbers, kind="number")
        relation = "rate" if thing is None else " ".join(sorted({"rate", *thing.tokens}))
        return replace(base, relation=relation, value=value, narrow={}, one=True, named=True)

    def provider(self, base: Claim) -> Claim | None:
        """Read "am with EDF for electricity" as the electricity provider; what is used for something may be one of several."""
        settles, what, topic = self.fields.verb in self.lexicon.settles, self.fields.against, base.topic
        held = len(topic) > 1 and topic[-1].head in self.lexicon.devices and self.fields.verb in self.lexicon.runs
        if held and what is None and base.value is not None and base.value.names:
            name = " ".join(sorted({*topic[-1].tokens, "provid"}))  # "my phone is with Three"
            return replace(base, topic=topic[:-1], relation=name, narrow={}, one=True, named=True)
        of_kind = base.value is not None and base.value.kind in self.lexicon.services
        if of_kind and what is None and self.fields.verb in self.lexicon.providers | self.lexicon.settles:
            what = value_of(base.value.kind, self.lexicon) if base.value is not None else None  # "I'm with Voxi now"
        one = settles or self.fields.verb in self.lexicon.providers
        if not (one or self.fields.verb in self.lexicon.purposes) or what is None or base.value is None:
            return None
        name = " ".join(sorted({*what.tokens, "provid"}))
        marked = base.marked or settles
        return replace(base, relation=name, narrow={}, one=one, named=True, state=base.state or one, marked=marked)

    def attribute(self, base: Claim) -> Claim | None:
        """Read an attribute by its name or by a verb that gives it."""
        lexicon, said = self.lexicon, self.statement.attribute.casefold()
        state, enters, value = self._by_verb(base)
        name = state or enters or self._told(said)
        if not name or (value is None and base.positive):
            return None
        if name in lexicon.units and value is not None:
            value = self._counted(name, value, base.narrow.get("amount"))
            if value is None:
                return None  # "makes 20 cakes" is no pay
        topic = base.topic
        if name == "birthplace" and value is not None and value.kind in {"number", "day"}:
            name = "birth year"  # "was born in 1984"
        if name == "name" and len(topic) > 1:
            # "my wife is called Ines", "my partner's name is Joris": who the wife is
            topic = topic[:-1] if key(topic[-1]) == "name" and len(topic) > 2 else topic
            if key(topic[-1]) != "name":
                return self._of_noun(replace(base, value=value), topic[-1], topic[:-1])
        elif self.fields.verb in self.lexicon.copulas and len(topic) > 1 and key(topic[-1]) == _key_of(said, lexicon):
            topic = topic[:-1]
        entered = bool(enters) and not state
        if state or enters:
            if name == "home" and entered and self.fields.against is not None and not said:
                return None
            if name == "home" and self.fields.verb.endswith(" in with"):  # "moved in with my girlfriend in Selby"
                place = self.fields.said.rpartition(" in ")[2] if " in " in self.fields.said else ""
                value = value_of(place, lexicon) or base.narrow.get("place")
                if value is None or not value.names:
                    return None
            if (
                name == "role"
                and " " not in self.fields.verb
                and self._is_becoming()
                and value is not None
                and value.kind != "role"
            ):
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

    def _by_verb(self, base: Claim) -> tuple[str, str, Value | None]:
        """Return the attribute of a state, or of what brings it about, by the verb, and its value."""
        states, enters, verb = self.lexicon.states, self.lexicon.enters, self.fields.verb
        if verb in states or verb in enters:
            day = base.narrow.get("time") if states.get(verb) in self.lexicon.dated else None
            value = base.value or base.narrow.get("company") or base.narrow.get("manner") or day
            return states.get(verb, ""), enters.get(verb, ""), value
        called = base.value.said.casefold().split(" ")[-1] if base.value is not None else ""
        through = self.lexicon.through.get(verb, "")
        if through and self.lexicon.attribute_nouns.get(called) == through:  # "goes to Hill Road School"
            return through, "", base.value
        long = verbs_of(self.fields)[-1]
        if long in states or long in enters:  # "started a new job at ASML"
            return states.get(long, ""), enters.get(long, ""), base.narrow.get("place")
        if base.value is None and not base.positive:
            # "we are no longer married"
            found = next((name for each, name in states.items() if each.startswith(f"{verb} ") and " " in verb), "")
            return found, "", None
        return "", "", base.value

    def _counted(self, name: str, value: Value, amount: Value | None) -> Value | None:
        """Return the number that an attribute's value comes to; None where it is measured in something else."""
        counted = value if value.numbers or amount is None else amount
        if not counted.numbers or (value.tokens | counted.tokens) - counted.numbers - self.lexicon.units[name]:
            return None
        return replace(counted, tokens=counted.numbers, kind="number")

    def _told(self, attribute: str) -> str:
        """Return the attribute that the statement itself names, if there is one value of it at a time."""
        known = self.lexicon.attribute_nouns.get(attribute, "")
        if self.fields.verb not in self.lexicon.copulas or (known == "role" and self._kind() != "role"):
            return ""
        return known  # of conditions and medicines one may have several

    def _kind(self) -> str:
        return self.fields.value.kind if self.fields.value is not None else ""

    def parent(self, base: Claim) -> Claim | None:
        """Read "am a mum of two" as having two children."""
        value = base.value
        parents = self.lexicon.parents
        if self.fields.verb not in self.lexicon.copulas or value is None or not value.numbers or not parents:
            return None
        if not value.tokens - value.numbers <= parents or len(value.tokens) == len(value.numbers):
            return None
        amount = value.without(parents)
        child = value_of("child", self.lexicon)
        return replace(base, relation="have", value=child, narrow={**base.narrow, "amount": amount})

    def one_more(self, base: Claim) -> Claim | None:
        """Read "adopted a third dog" and "are a three-dog household" as how many there are."""
        said, value = words(self.fields.said.partition(", ")[0]), base.value  # "a third cat, Merry"
        born = words(base.topic[-1].said) if len(base.topic) > 1 and self.fields.verb in self.lexicon.born else []
        if born[:1] and born[0] in ORDINALS[2:]:  # "our fourth grandchild arrived"
            thing, amount = value_of(" ".join(born[1:]), self.lexicon), value_of(born[0], self.lexicon)
            narrow = {"amount": amount} if amount is not None else {}
            return replace(
                base, topic=base.topic[:-1], relation="have", value=thing, narrow=narrow, state=True, adds=True
            )
        if value is None or not base.positive or base.modality != "fact":
            return None
        if (
            self.fields.verb in self.lexicon.copulas
            and not value.tokens.isdisjoint(self.lexicon.homes)
            and value.numbers
        ):
            amount, of = (
                value_of(" ".join(value.numbers), self.lexicon),
                value.without(self.lexicon.homes | value.numbers),
            )
            narrow = {**base.narrow} | ({"amount": amount} if amount is not None else {})
            return replace(base, relation="have", value=of, narrow=narrow) if of.tokens else None
        ordinal = bool(said) and said[0] in ORDINALS[2:] and self.fields.said.casefold().startswith(f"{said[0]} ")
        if self.fields.verb not in self.lexicon.gets or not (ordinal or (said[:1] and said[0] in self.lexicon.more)):
            return None
        thing, amount = value_of(" ".join(said[1:]), self.lexicon), value_of(said[0], self.lexicon) if ordinal else None
        narrow = {"amount": amount} if amount is not None else {}
        if thing is None or thing.numbers:
            return None
        return replace(base, relation="have", value=thing, narrow=narrow, state=True, marked=True, adds=True)

    def identity(self, base: Claim) -> Claim | None:
        """Read "my NOUN is VALUE", and a state of the person themselves."""
        value, topic = base.value, base.topic
        becoming = self._is_becoming() and value is not None and value.kind not in {"", "name", "number", "day"}
        if (self.fields.verb not in self.lexicon.copulas and not becoming) or value is None:
            return None
        if " " in self.fields.verb and self.fields.verb in self.lexicon.verbs and value.kind not in {"day", *_KINDS}:
            return None  # "is on insulin" takes it
        called = base.narrow.get("manner")
        if called is not None and called.tokens == called.names and not value.names:
            value = called  # "in a different home now, Haus Linde"
            base = replace(base, value=value, narrow={name: v for name, v in base.narrow.items() if v is not called})
        if becoming:
            base = replace(base, state=True, marked=True)
        if len(topic) > 2 and key(topic[-1]) == "name":
            return self._of_noun(base, topic[-2], topic[:-2])
        unit = self._unit(value)
        if len(topic) > 1 and unit:
            return replace(base, relation=unit, one=True)
        somewhere = " " in self.fields.verb and self._is_kin(topic[-1])  # "my mother is in the Sonnenhof"
        of_noun = (value.kind in {"name", "number", "day", "color"} and not somewhere) or self._is_called(
            topic[-1], value
        )
        if len(topic) > 1 and (of_noun or self._is_thing(topic[-1])):
            return self._of_noun(base, topic[-1], topic[:-1])
        if len(topic) > 1 and _key_of(self.statement.attribute, self.lexicon) == key(topic[-1]):
            return replace(self._of_noun(base, topic[-1], topic[:-1]), one=False)
        owner = self._reversed(base)
        if owner is not None:
            return owner
        alone = _bare(value)
        if value.kind == "number" and (unit or alone.tokens == alone.numbers):
            return replace(base, relation=unit or "age", one=True, value=alone)
        if value.kind in {"", "name", "day", "number"}:
            return replace(base, relation="be", one=False)
        return replace(base, relation=value.kind, one=True)

    def _is_becoming(self) -> bool:
        return self.statement.predicate.split(" ")[0] in self.lexicon.becoming

    def _reversed(self, base: Claim) -> Claim | None:
        """Read "Dr. Okafor is my doctor" as "my doctor is Dr. Okafor"."""
        said = re.sub(r"^(?:my|our) ", "user's ", self.fields.said.replace("\u2019", "'"))
        owned = topic_of(said, self.lexicon)
        bare = len(base.topic) == 1 or not self.statement.subject.startswith(OF_USER)
        if not bare or self.statement.subject == USER or len(owned) < 2 or "'s " not in said:
            return None
        return self._of_noun(replace(base, value=base.topic[-1]), owned[-1], owned[:-1])

    def _of_noun(self, base: Claim, noun: Value, owners: tuple[Value, ...]) -> Claim:
        bare = self.lexicon.links.isdisjoint(words(noun.said))  # "my appointment with the physio" is one of them
        several = noun.said.casefold() in self.lexicon.several or (bare and noun.head in _heads(self.lexicon))
        name = _attribute_named(noun, self.lexicon)
        # Of several, each has one name: a sister who is called otherwise is another sister, unless she was named before.
        # "choir practice is on Tuesdays now"
        moved = base.moved or (base.marked and base.value is not None and base.value.kind == "day")
        return replace(base, topic=owners, relation=name, one=not several, named=True, moved=moved)

    def _is_called(self, noun: Value, value: Value) -> bool:
        """Whether a value names who somebody is, in a language whose nouns all have a capital."""
        known = self.lexicon.attribute_nouns.get(_plain(noun, self.lexicon))
        return not self.lexicon.capitals_tell and known is not None and value.kind == ""

    def _is_thing(self, noun: Value) -> bool:
        """Whether a noun is an attribute, and no person or thing about whom something is said."""
        found = self.lexicon.attribute_nouns.get(_plain(noun, self.lexicon))
        return not self.lexicon.best.isdisjoint(noun.tokens) or (found is not None and found not in _BEINGS)

    def _unit(self, value: Value) -> str:
        measures = value.numbers and self.fields.verb not in {"be in", "be on", "be at"}  # "in my third year"
        return next((name for unit, name in _BY_UNIT.items() if unit in value.tokens), "") if measures else ""

    def possession(self, base: Claim) -> Claim | None:
        """Read who it is from "I have a new landlord, Mrs Sato" and "I found a new dentist, Mr Ott"."""
        got = base.marked and self.fields.verb in self.lexicon.gains | self.lexicon.finds
        if not (got or self.fields.verb in self.lexicon.has | {"us"}) or base.value is None:
            return None
        noun, _, name = self.fields.said.partition(", ")
        told = (self.statement.qualifiers.manner, self.statement.qualifiers.place)
        made = next(filter(None, map(_IN_ROLE.fullmatch, told)), None)
        owned = value_of(made[1], self.lexicon) if made else None
        someone = value_of(name, self.lexicon) or base.value
        mine = made is not None and made[0].startswith(("as my", "as our"))
        named = owned is not None and owned.kind == "role" and someone.names == someone.tokens
        if owned is not None and someone.names and (mine or named):
            # "I've got Pavel as my tutor now", "at the vet's we've got a Ms Amsel"
            return replace(self._of_noun(base, owned, base.topic), value=someone, narrow={}, marked=base.marked)
        owned, value = value_of(noun, self.lexicon), value_of(name, self.lexicon) if name else None
        if owned is not None and not name and _plain(owned, self.lexicon) in self.lexicon.attribute_nouns:
            behind = self.statement.quote.partition(f"{noun}: ")[2]  # "a new number: 0171 555 018"
            value = value_of(behind.rstrip(".!"), self.lexicon)
        by_place = base.marked and not self.lexicon.capitals_tell  # "eine neue Chefin, Marta"
        if owned is None or value is None or (name and not value.names and not by_place):
            return None
        found = self._of_noun(base, owned.without(owned.numbers), base.topic)
        return replace(found, value=value, state=base.state or got)

    def plain(self, base: Claim) -> Claim:
        """Read a verb that gives no attribute."""
        head, opposite = self.lexicon.verbs.get(self.fields.verb, (self.fields.verb, False))
        of_it = base.verb.tokens if base.verb is not None else frozenset()
        rest = base.value.tokens - base.value.numbers - of_it - self.lexicon.measures if base.value else of_it
        one, positive = self._is_measured(base), base.positive != opposite
        other = base.value or base.narrow.get("company")
        if (
            head in self.lexicon.mutual
            and base.topic[:1] == base.topic
            and other is not None
            and self.statement.subject == USER
        ):
            who = other.tokens if other.names else None  # "I live with Ewa": she lives with us
            topic = (other,) if who else (*base.topic, other)
            return replace(
                base, topic=topic, relation=head, value=value_of("us", self.lexicon), narrow={}, positive=positive
            )
        return replace(base, relation=head, positive=positive, one=one, measured=not rest)

    def _is_measured(self, base: Claim) -> bool:
        """Whether a thing of one's own is given by a number: "my phone number ends in 4471"."""
        return len(base.topic) > 1 and base.value is not None and base.value.kind == "number" and base.state


def _attribute_named(noun: Value, lexicon: Lexicon) -> str:
    """Return the attribute that a noun gives: of those with one value at a time, else its own."""
    return lexicon.attribute_nouns.get(_plain(noun, lexicon)) or key(noun)


@cache
def _heads(lexicon: Lexicon) -> frozenset[str]:
    """Return the stems of the nouns of which one may have several."""
    return frozenset(value.head for word in lexicon.several if (value := value_of(word, lexicon)) is not None)


def _plain(noun: Value, lexicon: Lexicon) -> str:
    """Return a noun as said, without "new" and other words around it that tell nothing."""
    said = noun.said.casefold().split()
    told = [place for place, word in enumerate(said) if word not in lexicon.weak] or [0]
    return " ".join(said[told[0] : told[-1] + 1])


def _key_of(text: str, lexicon: Lexicon) -> str:
    value = value_of(text, lexicon)
    return key(value) if value is not None else ""


def _bare(value: Value) -> Value:
    """Return the number alone: "34 years old" as "34"."""
    unit = _BY_UNIT.keys() & value.tokens
    return replace(value, tokens=value.numbers) if unit and "year" in unit | {""} else value
