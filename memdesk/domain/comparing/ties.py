"""The entities that a statement names, their types, and the relations it states between them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memdesk.domain.comparing.lexicon import lexicon_of, verb_key
from memdesk.domain.comparing.relations import claim_of, implied_by
from memdesk.domain.items.statement import USER, Statement
from memdesk.domain.language.data import language_data
from memdesk.domain.language.text import CAPITALS, words

#: A name: consecutive capitalized words, possibly with "of" and the like inside.
_NAME: Final = re.compile(
    rf"(?:Dr\.? |Mr\.? |Mrs\.? |Ms\.? )?[{CAPITALS}][\w&-]*(?:(?: (?:of|de|van|von|the))* [{CAPITALS}][\w&-]*)*"
)
_FIRST_CAPITAL: Final = re.compile(rf"\b[{CAPITALS}][\w-]*")
_OWNED: Final = re.compile(r"^(?P<owner>.+?)(?:'s|\u2019s) (?P<rest>[^'\u2019]+)$")
_OF: Final = re.compile(r"^(?P<noun>[a-z -]+?) of (?P<owner>.+)$")
#: Type of an attribute's value.
_SORTS: Final = {
    "employer": "organisation", "role": "organisation", "school": "organisation", "bank": "organisation", "home": "place", "birthplace": "place", "come from": "place", "partner": "person",
    "boss": "person", "doctor": "person",
}  # fmt: skip
#: Relation between somebody and an attribute's value; that of partners is in the statement.
_JOINS: Final = {
    "employer": "works_at",
    "role": "works_at",
    "school": "studies_at",
    "home": "lives_in",
    "birthplace": "born_in",
    "come from": "comes_from",
    "boss": "reports_to",
    "partner": "partner_of",
}
#: Relations by the list of nouns that express them, and whether the noun's bearer comes first.
_KIN: Final = {"spouse": ("married_to", True), "sibling": ("sibling_of", True), "parent": ("parent_of", True), "offspring": ("parent_of", False)}  # fmt: skip
#: What surrounds the name of an organization: "at the Royal Infirmary in Perth".
_DETAIL: Final = re.compile(r"^(?:(?:at|in|for|with) )?(?:the )?| (?:in|near|on) .+$")
#: Prepositions between a verb and a place.
_WHERE: Final = frozenset({"in", "to", "at", "from"})
_IS: Final = frozenset({"be", "be called", "be named"})


@dataclass(frozen=True, slots=True)
class Named:
    """A named person, pet, place or organization; the person whose memory it is goes by :data:`USER`."""

    name: str
    sort: str


@dataclass(frozen=True, slots=True)
class Tie:
    """``predicate`` relates ``subject`` to ``object``: "works_at", "married_to", "sibling_of", "parent_of", "lives_in"."""

    subject: Named
    predicate: str
    object: Named


def named_in(statement: Statement) -> tuple[Named, ...]:
    """Return the entities that a statement names, if its fields show their type."""
    found = [end for tie in ties_of(statement) for end in (tie.subject, tie.object)]
    beside = _in_role(statement.qualifiers.company, statement)
    found += [one for one in (_subject(statement), _object(statement), beside) if one is not None]
    found += _apposed(statement)
    return tuple({one.name: one for one in reversed(found) if one.name != USER}.values())


def names_of(statement: Statement) -> frozenset[str]:
    """Return the names in a statement's subject, company and place, and whom it says to be somebody's: "Henrike ist meine Schwägerin"."""
    subject, object_ = statement.subject, statement.object
    owned = subject.startswith(f"{USER}'s ")
    if owned and statement.language == "de":  # nouns are capitalized: "user's Kollege Bartosz"
        subject = _FIRST_CAPITAL.sub("", subject, count=1)
    fields = (subject, statement.qualifiers.company, statement.qualifiers.place)
    found = {name[0] for field in fields for name in _NAME.finditer(field)}
    called = _NAME.fullmatch(object_) if owned and statement.quote.startswith(object_) else None
    return frozenset(found | {called[0]} if called else found)


def bears_out(name: str, sort: str, statement: Statement) -> bool:
    """Whether a name's position fits the type that a recognizer gave it: people are subjects or company."""
    if sort == "person":
        return name == statement.speaker or any(
            name in one for one in (statement.subject, statement.qualifiers.company)
        )
    at = statement.object if statement.predicate.split(" ")[-1] in _WHERE else ""
    return sort == "place" and any(name in one for one in (statement.qualifiers.place, at))


def ties_of(statement: Statement) -> tuple[Tie, ...]:
    """Return the relations among those whom a statement names, and to the user; none if it does not hold."""
    if not statement.holds or statement.ended or statement.modality != "fact":
        return ()
    found = (*_kinships(statement), *_couples(statement), *_states(statement), *_organized(statement))
    return tuple(dict.fromkeys(found))


# ---------------------------------------------------------------------- "Rui is Ada's husband"


def _kinships(statement: Statement) -> Iterator[Tie]:
    """Yield kinships anywhere in a statement: in its subject, its object, or its company."""
    for phrase in (statement.subject, statement.qualifiers.company):
        owned, (noun, name) = _OWNED.match(phrase), _parts(phrase)
        if owned is not None and name and noun:
            yield from _kinship(name, noun, owned["owner"], statement)
    owned = _OWNED.match(re.sub(r"(?:'s|\u2019s) name$", "", statement.subject))
    called = _NAME.fullmatch(statement.object)
    if owned is not None and called is not None and statement.predicate in _IS and not _NAME.search(owned["rest"]):
        yield from _kinship(called[0], owned["rest"], owned["owner"], statement)
    subject = _party(statement.subject, statement)
    if subject is None:
        return
    if statement.predicate == "be":
        for told, noun in ((_OWNED.match(statement.object), "rest"), (_OF.match(statement.object), "noun")):
            if told is not None:
                yield from _kinship(subject.name, told[noun], told["owner"], statement)
    if statement.predicate == "have":
        for one in _apposed(statement):
            yield from _kinship(one.name, statement.object.partition(", ")[0], subject.name, statement)


def _kinship(name: str, noun: str, owner: str, statement: Statement) -> Iterator[Tie]:
    """Yield that somebody is the ``noun`` of ``owner``."""
    whose = _party(owner, statement)
    if whose is None or whose.name == name or not _is_person(noun, statement):
        return
    last, data = noun.rsplit(" ", maxsplit=1)[-1].casefold(), language_data("en")
    known = next((join for kind, join in _KIN.items() if last in data.words("people", kind)), None)
    join, bearer_first = known or (f"{last}_of", True)
    one = Named(name, "person")
    yield Tie(one, join, whose) if bearer_first else Tie(whose, join, one)


def _party(phrase: str, statement: Statement) -> Named | None:
    """Return the person that a phrase names: the user, "Ada", "user's sister Ada"."""
    name = USER if phrase == USER else _NAME.fullmatch(phrase)
    if name is not None:
        return Named(name if isinstance(name, str) else name[0], "person")
    return _in_role(phrase, statement)


def _couples(statement: Statement) -> Iterator[Tie]:
    """Yield "Hana and Joost got married"."""
    claim = claim_of(statement)
    one, other = _party(statement.subject, statement), _party(statement.qualifiers.company, statement)
    told = {each.value.said for each in (claim, *implied_by(claim, statement)) if each.value is not None}
    join = next((f"{state}_to" for state in ("married", "engaged") if state in told), "")
    if one is not None and other is not None and join:
        yield Tie(one, join, other)


# ---------------------------------------------------------------------- "Alice works at Google"


def _states(statement: Statement) -> Iterator[Tie]:
    """Yield the relation between a subject and its attribute's value."""
    claim, thing = claim_of(statement), _object(statement)
    subject = Named(USER, "person") if statement.subject == USER else _subject(statement)
    if subject is None or thing is None or subject.name == thing.name or not (claim.state and claim.positive):
        return
    if len(claim.topic) > 1 and not _parts(statement.subject)[1]:
        return  # "my sister's school is Hillside" names nobody
    join = _JOINS.get(_relation(statement)) if statement.predicate != "join" else ""  # a club as well as a firm
    if join == "partner_of":
        implied = [one.value.said for one in implied_by(claim, statement) if one.value is not None and one.positive]
        spouse = statement.subject.split(" ")[-1] in language_data("en").words("people", "spouse")
        join = f"{implied[0]}_to" if implied else "married_to" if spouse else join
    if join:
        yield Tie(subject, join, thing)


def _relation(statement: Statement) -> str:
    """Return which attribute a statement gives, including the employer in "teaches at", the school in "goes to Oak Lane School"."""
    data, relation = language_data("en"), claim_of(statement).relation
    if statement.predicate in data.words("places", "work"):
        return "employer"
    if relation == "employer" and statement.predicate.endswith(" with"):
        return ""  # a colleague as well as a firm
    last = words(statement.object)[-1:]
    goes = statement.predicate in {"go to", "attend"} and bool(last) and last[0] in data.words("places", "schools")
    return "school" if goes else relation


def _object(statement: Statement) -> Named | None:
    """Return what an attribute's value names."""
    claim, relation = claim_of(statement), _relation(statement)
    place = claim.narrow.get("place") if relation == "role" or claim.value is None else None
    value, sort = place or claim.value, _SORTS.get(relation, "")
    if not sort or value is None:
        return None
    if relation == "role":  # "a nurse at Saint Mary"
        at = re.search(r"\bat (?P<name>.+)$", value.said)
        name = _NAME.fullmatch(_DETAIL.sub("", at["name"])) if at is not None else None
        return Named(name[0], "organisation") if name is not None else None
    said = _DETAIL.sub("", value.said) if sort == "organisation" else re.sub(r"^(?:at|in|for|with) ", "", value.said)
    name = _NAME.fullmatch(value.said) or _NAME.fullmatch(said)
    return Named(name[0], sort) if name is not None else None


# ---------------------------------------------------------------------- "Rui founded Helix"


def _organized(statement: Statement) -> Iterator[Tie]:
    """Yield the relation to an organization that somebody founded, owns, leads or manages, or of which they lead a part."""
    lexicon, verb = lexicon_of(statement.language), verb_key(statement.predicate)
    done = verb_key(statement.predicate.removeprefix("be ").removesuffix(" by"))
    if verb == f"be {done} by":  # "Helix was founded by Rui"
        passive, (who, what) = True, (statement.object, statement.subject)
    else:
        passive, (who, what) = False, (statement.subject, statement.object)
    title = re.fullmatch(r"(?P<noun>[\w -]+?) of (?P<name>.+)", what) if verb == "be" else None
    noun, _, called = what.rpartition(", ")
    kinds = {word.removesuffix("s") for word in words(noun or what)} & lexicon.organizations
    join = lexicon.made.get(done, "") if kinds else lexicon.ties.get(done, "") if not noun else ""
    if title is not None:
        join, called = lexicon.titles.get(title["noun"].casefold(), ""), title["name"]
    one = _party(who, statement)
    if one is None or not join or (statement.tense == "past" and not passive and join not in lexicon.past):
        return
    article = re.search(rf"\b(?:an?|one|\d+) {re.escape(called)}\b", statement.quote)  # "owns a Kia"
    name = None if article and not noun else _NAME.fullmatch(called)
    if name is not None:
        yield Tie(one, join, Named(name[0], "organisation"))
    elif not lexicon.parts.isdisjoint(words(what)):
        at = re.search(r"\bat (?P<name>.+)$", f"{what} {statement.qualifiers.place}".strip())
        name = _NAME.fullmatch(at["name"]) if at is not None else None
        if name is not None:
            yield Tie(one, "works_at", Named(name[0], "organisation"))


# ---------------------------------------------------------------------- phrases


def _subject(statement: Statement) -> Named | None:
    """Return the person or pet that a subject names with their role: "user's boss Helena"."""
    noun, name = _parts(statement.subject)
    if name and noun:
        return _in_role(statement.subject, statement)
    called = _NAME.fullmatch(statement.object)
    if called is not None and noun and noun != statement.subject and statement.predicate in _IS:
        sort = _sort_of(noun, statement)
        return Named(called[0], sort) if sort else None
    return _bare_person(statement)


def _parts(phrase: str) -> tuple[str, str]:
    """Return role and name of "user's boss Helena"."""
    last = re.split(r"'s |\u2019s ", re.sub(r"(?:'s|\u2019s) name$", "", phrase))[-1]
    name = _NAME.search(last)
    return " ".join(word for word in last.split(" ") if not word[:1].isupper()), name[0] if name is not None else ""


def _in_role(phrase: str, statement: Statement) -> Named | None:
    """Return whom a phrase names with their role."""
    noun, name = _parts(phrase)
    sort = _sort_of(noun, statement) if noun and name else ""
    return Named(name, sort) if sort else None


def _apposed(statement: Statement) -> list[Named]:
    """Return whom an object names after what they are: "two cats, Pixel and Waffle"."""
    noun, _, names = statement.object.partition(", ")
    sort = _sort_of(noun, statement) if names else ""
    return [Named(name[0], sort) for name in _NAME.finditer(names)] if sort else []


def _bare_person(statement: Statement) -> Named | None:
    """Return the subject of something that only people do: "Alice works at Google"."""
    name = _NAME.fullmatch(statement.subject)
    kin = _OWNED.match(statement.object)
    told = kin is not None and _is_person(kin["rest"], statement)
    lives = _relation(statement) in {"employer", "role", "partner", "home", "birthday", "boss", "school"}
    return Named(name[0], "person") if name is not None and (told or lives) else None


def _sort_of(noun: str, statement: Statement) -> str:
    if _is_person(noun, statement):
        return "person"
    animals = language_data("en").words("people", "animals")
    return "pet" if any({word, word.removesuffix("s")} & animals for word in words(noun)) else ""


def _is_person(noun: str, statement: Statement) -> bool:
    """Whether a noun denotes a person."""
    last = noun.rsplit(" ", maxsplit=1)[-1].casefold()
    found = language_data("en").words("people", "she", "he", "either")
    return not found.isdisjoint({last, last.removesuffix("s"), lexicon_of(statement.language).nouns.get(last, "")})
