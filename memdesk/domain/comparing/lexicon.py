"""A language's data for comparing statements: synonymous verbs, attributes with one value at a time.

The words are data (``resources/comparing/<language>.toml``); this module reads them into lookup tables.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from memdesk.domain.language.data import language_data
from memdesk.domain.language.text import stem, words
from memdesk.settings.resources import resource_text

#: Languages with their own data; others are compared by their letters and by what all languages share.
LANGUAGES: Final = ("en", "de", "fr", "es", "it", "nl")


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """The words of one language.

    Attributes:
        verbs: verb to (the verb that represents its group, whether it says the opposite).
        states: verb to the attribute whose value its object is.
        enters: verb that starts such a state, to the attribute.
        copulas: verbs for being something or somewhere; ``has``: for having something.
        attribute_nouns: noun in "my NOUN is ..." to the attribute.
        several_at_once: attributes that may have several values, unless the speaker says that this is the value now.
        holds: noun to what comes with it: whoever quits their job has no role and no employer.
        endings: verbs that end what their object names; ``disposals``: that get rid of a thing, for which ``gains``
            name a replacement; ``finds``: that end a search; ``partings``: of a couple; ``deaths``; ``losses``: deaths
            of their object.
        implies: verb or attribute to the attribute and value it implies of its subject: anyone engaged to somebody is
            engaged; a value after "-" is ruled out: anyone with a boyfriend is not single.
        units: attribute to its units; its verbs with other values do not mean it.
        reasons: reasons to move home: "for work"; ``light``: nouns without meaning: "the Leith thing".
        occasions: verb to the noun of its event: whoever gets married on a day has a wedding that day.
        stages: verbs for being at one of successive stages; ``reaches``: for reaching it; ``steps``: nouns for stages
            without a number: "in reception".
        placed: attributes whose value is a place, so that a day after their verbs is a time; ``dated``: whose value is
            a day; ``parents``: nouns for parents: "mum of two"; ``through``: verb to the attribute that its object
            gives if it contains a noun of that attribute: "goes to Hill Road School".
        begins: verbs for what does not happen before the given day: "can't start until the 19th".
        runs: what a device does with its service: "my phone is with Three"; ``services``: classes of services of which
            people use one at a time; ``whatever``: objects that stand for all of it: "moved everything to Monzo".
        settles: verbs for choosing a service for good: "settled on Bear for my notes".
        owns: verbs for having or using one of several: "the 8.15 train".
        occurs: verbs whose negation cancels: "isn't happening".
        quits: endings that leave out their object, which is of the relations in ``left``, or in ``left_by`` with a
            place; ``needs``: verbs whose negation says it is over; ``decides``: verbs that end a wish: "decided against"; ``aims``:
            verbs for wanting a thing, over once it is obtained; ``born``: verbs for one more arriving; ``taken``: nouns
            for the amount taken, in ``doses``.
        mutual: verbs that apply both ways, such as living with somebody.
        only: endings that do not end what is no activity, to the relations that they end: "finished", "passed".
        alone: verb to its narrower meaning without an object: whoever "stopped drinking" drinks no alcohol.
        measures: nouns that only give an amount or frequency: "a pack a day".
        excludes: value to what people with it do not take; ``takes``: the verbs for that; ``whole``: those whose absence means the same.
        activities: verbs before an activity that ends in ``activity``: "go jogging".
        becoming: verbs that start a state: "got engaged", "went vegan".
        changes: verbs that give their object another value; ``amounts``: that leave the value out: "doubled my dose";
            ``degrees``: that may leave out what is measured: "up to 35 km"; ``exchanges``: that put one thing in
            another's place; ``renews``: that say there is another one now, but not which.
        coming: verbs for reaching a number: "hit 6,500 on the deposit".
        too: words that say that something holds beside what is known: "I'm learning Korean too".
        more: words for one more of a thing: "another goat"; ``gets``: verbs before them; ``homes``: nouns for a
            household, with its number: "a three-dog household".
        unnamed: words for replacing something unnamed: "instead".
        providers: verbs for having a service from somebody; ``purposes``: for using one of several for something;
            ``devices``: nouns for both a thing and its service: a phone is not its plan.
        pays: verbs for paying; ``dwellings``: what rent is paid for.
        sums: verb for saving or owing money, to which of the two; ``holders``: noun for where such a sum is kept, to
            the same: "the Perth pot".
        prefers: verbs for liking one thing better than another; ``rather``: words that turn other verbs into such:
            "would rather have"; ``than``: words before the other thing, and ``over``: those after these verbs.
        shifts: verbs for working at certain times of day; ``turns``: nouns for those: "the late turn".
        participles: irregular participle to its verb, of verbs that end or change something: "sold", "brought".
        spans: units by which a day is moved: "pushed back a week".
        towards, away: prepositions before the new and the former value; ``against``: before what is received for it.
        instead: words before the value that is replaced.
        marks: words saying that something holds now.
        joins: words between two things said together.
        several: nouns for things people may have several of; ``many``: verbs for what people do with several at a time.
        nouns: noun to the noun that represents its group.
        classes: value to the name of the class whose values exclude each other.
        follows: attribute to the nouns of what depends on it.
        ties: verb to the relation between its subject and an organization, its object; ``made``: the same for an object
            of a noun for organizations and its name; ``titles``: noun in "the NOUN of Helix" to the same; ``past``:
            relations that stay true once established.
        organizations: nouns for an organization; ``parts``: for a part of one.
        when: prepositions before a day; ``around``: before an event that something preceded or followed; ``where``:
            before a place that no verb requires.
        fillers: phrases that narrow nothing.
        weak: words that make no difference between statements.
        best: words for which there is one thing at a time: "favorite".
        honorifics: words before somebody's name.
        links: prepositions between a noun and what distinguishes it; ``beside``: those that may lead to somebody.
        capitals_tell: whether a capital letter indicates a name.
    """

    verbs: dict[str, tuple[str, bool]]
    states: dict[str, str]
    enters: dict[str, str]
    copulas: frozenset[str]
    has: frozenset[str]
    attribute_nouns: dict[str, str]
    several_at_once: frozenset[str]
    holds: dict[str, frozenset[str]]
    endings: frozenset[str]
    disposals: frozenset[str]
    gains: frozenset[str]
    finds: frozenset[str]
    partings: frozenset[str]
    deaths: frozenset[str]
    losses: frozenset[str]
    implies: dict[str, tuple[str, str]]
    units: dict[str, frozenset[str]]
    stages: frozenset[str]
    reaches: frozenset[str]
    only: dict[str, frozenset[str]]
    alone: dict[str, frozenset[str]]
    measures: frozenset[str]
    excludes: dict[str, frozenset[str]]
    takes: frozenset[str]
    whole: frozenset[str]
    activities: frozenset[str]
    activity: str
    becoming: frozenset[str]
    changes: frozenset[str]
    amounts: frozenset[str]
    degrees: frozenset[str]
    reasons: frozenset[str]
    light: frozenset[str]
    occasions: dict[str, str]
    placed: frozenset[str]
    dated: frozenset[str]
    parents: frozenset[str]
    through: dict[str, str]
    begins: frozenset[str]
    settles: frozenset[str]
    steps: frozenset[str]
    mutual: frozenset[str]
    more: frozenset[str]
    too: frozenset[str]
    gets: frozenset[str]
    homes: frozenset[str]
    owns: frozenset[str]
    quits: frozenset[str]
    occurs: frozenset[str]
    left: frozenset[str]
    left_by: frozenset[str]
    needs: frozenset[str]
    decides: frozenset[str]
    aims: frozenset[str]
    born: frozenset[str]
    doses: frozenset[str]
    taken: frozenset[str]
    renews: frozenset[str]
    exchanges: frozenset[str]
    providers: frozenset[str]
    purposes: frozenset[str]
    runs: frozenset[str]
    services: frozenset[str]
    whatever: frozenset[str]
    devices: frozenset[str]
    pays: frozenset[str]
    dwellings: frozenset[str]
    sums: dict[str, str]
    holders: dict[str, str]
    prefers: frozenset[str]
    rather: frozenset[str]
    than: tuple[str, ...]
    over: tuple[str, ...]
    shifts: frozenset[str]
    turns: frozenset[str]
    participles: dict[str, str]
    coming: frozenset[str]
    spans: frozenset[str]
    towards: frozenset[str]
    away: frozenset[str]
    against: frozenset[str]
    instead: tuple[str, ...]
    marks: re.Pattern[str]
    unnamed: frozenset[str]
    joins: frozenset[str]
    several: frozenset[str]
    many: frozenset[str]
    nouns: dict[str, str]
    classes: dict[str, str]
    follows: dict[str, tuple[str, ...]]
    ties: dict[str, str]
    made: dict[str, str]
    titles: dict[str, str]
    past: frozenset[str]
    organizations: frozenset[str]
    parts: frozenset[str]
    when: frozenset[str]
    around: frozenset[str]
    where: frozenset[str]
    fillers: frozenset[str]
    weak: frozenset[str]
    best: frozenset[str]
    honorifics: frozenset[str]
    links: frozenset[str]
    beside: frozenset[str]
    capitals_tell: bool

    def tells(self, verb: str) -> bool:
        """Whether a verb has a meaning here."""
        key = verb_key(verb)
        return any(key in table for table in (self.verbs, self.states, self.enters, self.endings, self.implies))

    def changing(self, verb: str) -> bool:
        """Whether a verb gives its object a new value."""
        key = verb_key(verb)
        return key in self.changes or key in self.exchanges

    def alters(self, verb: str) -> bool:
        """Whether a verb starts, changes or ends a state."""
        key = verb_key(verb)
        return self.changing(verb) or any(
            key in table for table in (self.enters, self.implies, self.endings, self.reaches)
        )


@cache
def lexicon_of(language: str) -> Lexicon:
    """Return the words of a language, or of English if it has no data."""
    return _read(tomllib.loads(resource_text("comparing", f"{language if language in LANGUAGES else 'en'}.toml")))


def is_event(noun: str) -> bool:
    """Whether an English noun is an event or comes with other attributes: "trip", "wedding", "job"."""
    return stem(noun) in lexicon_of("en").holds


def people_of(language: str) -> frozenset[str]:
    """Return the nouns for somebody's people."""
    return language_data(language).words(*(("people",) if language == "en" else ("plain", "people")))


def verb_key(verb: str) -> str:
    """Return a verb with its particle or preposition as the verb tables have it: by stems."""
    return " ".join(stem(word) for word in words(verb))


def _read(data: dict[str, Any]) -> Lexicon:
    attributes: dict[str, dict[str, Any]] = data["attributes"]

    def by_name(table: dict[str, dict[str, Any]], field: str) -> dict[str, str]:
        key = str if field in {"nouns", "titles"} else verb_key
        return {key(word): name for name, entry in table.items() for word in entry.get(field, ())}

    def verbs(table: str, field: str = "verbs") -> frozenset[str]:
        return frozenset(map(verb_key, data[table][field]))

    def listed(table: str, field: str) -> frozenset[str]:
        return frozenset(map(verb_key, data.get(table, {}).get(field, ())))

    ties, named = data.get("ties", {}), data.get("organizations", {})
    phrases = sorted(data["marks"]["phrases"], key=len, reverse=True)
    return Lexicon(
        verbs={
            verb_key(word.removeprefix("-")): (verb_key(head), word.startswith("-"))
            for head, group in data["verbs"].items()
            for word in (head, *group)
        },
        states=by_name(attributes, "verbs"),
        enters=by_name(attributes, "enters"),
        copulas=verbs("being"),
        has=verbs("being", "has"),
        attribute_nouns=by_name(attributes, "nouns"),
        several_at_once=frozenset(name for name, entry in attributes.items() if entry.get("several")),
        holds={
            stem(noun): frozenset(
                name if name in attributes or name in data["classes"] else verb_key(name) for name in group
            )
            for noun, group in data["holds"].items()
        },
        endings=verbs("endings"),
        disposals=listed("endings", "disposals"),
        gains=listed("endings", "gains"),
        finds=listed("endings", "finds"),
        partings=verbs("endings", "parting"),
        deaths=verbs("endings", "death"),
        losses=verbs("endings", "loss"),
        implies={
            verb_key(verb): (name, value)
            for name, values in data["implies"].items()
            for value, group in values.items()
            for verb in group
        },
        units={name: frozenset(map(stem, entry["units"])) for name, entry in attributes.items() if "units" in entry},
        stages=verbs("stages"),
        reaches=verbs("stages", "reaches"),
        only={
            verb_key(verb): frozenset(map(verb_key, group["relations"]))
            for group in data["endings"].get("only", ())
            for verb in group["verbs"]
        },
        alone={stem(verb): frozenset(map(stem, group)) for verb, group in data["endings"]["alone"].items()},
        measures=frozenset(map(stem, data["endings"]["measures"])),
        excludes={
            stem(value): frozenset(map(stem, group))
            for value, group in data["excludes"].items()
            if value not in {"verbs", "whole"}
        },
        whole=frozenset(map(stem, data["excludes"].get("whole", ()))),
        takes=frozenset(map(verb_key, data["excludes"]["verbs"])),
        activities=frozenset(data["activities"]["verbs"]),
        activity=data["activities"]["ending"],
        becoming=frozenset(data["becoming"]["verbs"]),
        changes=verbs("changes"),
        amounts=listed("changes", "amounts"),
        degrees=listed("changes", "degrees"),
        reasons=frozenset(map(stem, data["changes"].get("reasons", ()))),
        light=frozenset(map(stem, data["weak"].get("light", ()))),
        occasions={verb_key(verb): stem(noun) for noun, group in data.get("occasions", {}).items() for verb in group},
        placed=frozenset(name for name, entry in attributes.items() if entry.get("placed")),
        dated=frozenset(name for name, entry in attributes.items() if entry.get("dated")),
        parents=listed("several", "parents"),
        through=by_name(attributes, "through"),
        begins=listed("changes", "begins"),
        settles=listed("provider", "enters"),
        steps=frozenset(map(stem, data["stages"].get("steps", ()))),
        mutual=listed("several", "mutual"),
        more=listed("several", "more"),
        too=listed("several", "too"),
        gets=listed("several", "gets"),
        homes=listed("several", "homes"),
        owns=listed("several", "owns"),
        quits=listed("endings", "quits"),
        occurs=listed("endings", "occurs"),
        left=frozenset(data["endings"].get("left", ())),
        left_by=listed("endings", "left_by") | frozenset(data["endings"].get("left", ())),
        needs=listed("endings", "needs"),
        decides=listed("endings", "decides"),
        aims=listed("endings", "aims"),
        born=listed("several", "born"),
        doses=frozenset(map(stem, data["changes"].get("doses", ()))),
        taken=frozenset(map(stem, data["changes"].get("taken", ()))),
        renews=verbs("changes", "renews"),
        exchanges=verbs("changes", "exchanges"),
        providers=frozenset(map(verb_key, data.get("provider", {}).get("verbs", ()))),
        purposes=listed("provider", "for"),
        runs=listed("provider", "runs"),
        services=frozenset(data.get("provider", {}).get("services", ())),
        whatever=frozenset(map(stem, data["changes"].get("whatever", ()))),
        devices=frozenset(map(stem, data.get("provider", {}).get("devices", ()))),
        pays=frozenset(map(verb_key, data.get("rent", {}).get("verbs", ()))),
        dwellings=frozenset(map(stem, data.get("rent", {}).get("dwellings", ()))),
        sums=by_name(data.get("sums", {}), "verbs"),
        holders={stem(noun): name for name, entry in data.get("sums", {}).items() for noun in entry["holders"]},
        prefers=listed("prefers", "verbs"),
        rather=frozenset(data.get("prefers", {}).get("rather", ())),
        than=tuple(data.get("prefers", {}).get("than", ())),
        over=tuple(data.get("prefers", {}).get("over", ())),
        shifts=listed("shifts", "verbs"),
        turns=frozenset(map(stem, data.get("shifts", {}).get("nouns", ()))),
        participles={stem(form): stem(verb) for verb, form in data["changes"].get("participles", {}).items()},
        coming=listed("changes", "reaches"),
        spans=frozenset(map(stem, data["changes"].get("spans", ()))),
        towards=frozenset(data["changes"]["to"]),
        away=frozenset(data["changes"]["from"]),
        against=frozenset(data["changes"]["for"]),
        instead=tuple(data["changes"]["instead"]),
        marks=re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases))})\b", re.IGNORECASE),
        unnamed=frozenset(data["marks"].get("instead", ())),
        joins=frozenset(data["marks"]["joins"]),
        several=frozenset(data["several"]["nouns"]),
        many=frozenset(map(verb_key, data["several"].get("verbs", ()))),
        nouns={word: head for head, group in data["nouns"].items() for word in group},
        classes={word: name for name, group in data["classes"].items() for word in group},
        follows={name: tuple(nouns) for name, nouns in data["follows"].items()},
        ties=by_name(ties, "verbs"),
        made=by_name(ties, "verbs") | by_name(ties, "made"),
        titles=by_name(ties, "titles"),
        past=frozenset(name for name, entry in ties.items() if entry.get("past")),
        organizations=frozenset(named.get("nouns", ())),
        parts=frozenset(named.get("parts", ())),
        when=frozenset(data["changes"]["when"]),
        around=frozenset(data["changes"].get("around", ())),
        where=frozenset(data["changes"].get("where", ())),
        fillers=frozenset(data["weak"]["phrases"]),
        weak=frozenset(data["weak"]["words"]),
        best=frozenset(map(stem, data["best"]["words"])),
        honorifics=frozenset(data["honorifics"]["words"]),
        links=frozenset(data["links"]["words"]),
        beside=frozenset(data["links"].get("beside", ())),
        capitals_tell=bool(data["capitals_tell"]),
    )
