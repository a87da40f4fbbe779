"""Whose attribute a statement gives, and which one, however it is worded: "my boss is Ada", "I report to Ada", "a new boss, Ada"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from memdesk.domain.caches import remembered
from memdesk.domain.comparing.amounts import charge, dose, household, one_more, parent, payment, savings, stage
from memdesk.domain.comparing.attributes import attribute, identity, occasion, possession, provider
from memdesk.domain.comparing.changing import change, death, ending, slot
from memdesk.domain.comparing.claims import Claim, Fields, fields_of, in_active, verbs_of
from memdesk.domain.comparing.lexicon import Lexicon, lexicon_of, verb_key
from memdesk.domain.comparing.sources import Source, attribute_named
from memdesk.domain.comparing.states import allergy, condition, preference, shift, system
from memdesk.domain.comparing.values import value_of
from memdesk.domain.items.statement import USER, Statement
from memdesk.domain.language.text import words

#: The readers of claims, in order: the first that applies decides.
_WAYS: Final[tuple[Callable[[Source, Claim], Claim | None], ...]] = (
    slot,
    savings,
    death,
    ending,
    system,
    change,
    stage,
    occasion,
    allergy,
    condition,
    payment,
    charge,
    shift,
    preference,
    provider,
    attribute,
    dose,
    parent,
    household,
    one_more,
    identity,
    possession,
)
#: The group of verbs for liking and disliking something.
_TASTE: Final = "like"
#: Statements whose fields are kept: a session compares each with each of its own and of what is known.
_KEPT: Final = 4096


@remembered(_KEPT)
def _fields_kept(statement: Statement) -> Fields:
    return fields_of(statement, lexicon_of(statement.language))


@remembered(_KEPT)
def claim_of(statement: Statement) -> Claim:
    """Return a statement's fields in comparable form."""
    lexicon = lexicon_of(statement.language)
    statement = in_active(statement, lexicon)
    fields = _fields_kept(statement)
    later = not statement.holds and not statement.ended and fields.verb in lexicon.begins and "time" in fields.narrow
    later = later and not lexicon.towards.isdisjoint(words(statement.quote))
    base = Claim(
        topic=fields.topic,
        value=fields.value,
        narrow=fields.narrow,
        positive=(statement.holds and not statement.ended) or later,
        ended=statement.ended,
        marked=fields.former is not None or later or _is_marked(statement, lexicon),
        state=statement.tense != "past",
        modality="fact" if statement.modality == "possible" else statement.modality,
        replaces=fields.former,
        verb=value_of(fields.verb.split(" ")[0], lexicon),
        dated=statement.qualifiers.begins is not None,
        language=statement.language,
        instead=fields.former is None and not lexicon.unnamed.isdisjoint(words(statement.quote)),
    )
    return _with_relation(statement, fields, base, lexicon)


def happened(statement: Statement) -> bool:
    """Whether a statement reports a single act, and no change or end of a state.

    "Ada gave me a clock" does; what happens by itself ("my visa came through") may well be a change.
    """
    claim, lexicon = claim_of(statement), lexicon_of(statement.language)
    once = bool(statement.object) and claim.positive and not (claim.state or claim.ended or claim.marked)
    return once and not lexicon.alters(statement.predicate)


def renews(statement: Statement) -> bool:
    """Whether a statement says that something was replaced, but not by what: "switched gyms"."""
    lexicon, told = lexicon_of(statement.language), claim_of(statement)
    thing = value_of(statement.object, lexicon) if statement.object else None
    bare = told.replaces is None and not told.narrow.keys() - {"time"} and (thing is None or not thing.names)
    return bare and verb_key(statement.predicate) in lexicon.renews


def attribute_of(statement: Statement) -> str:
    """Return the attribute whose value a statement gives; empty if none."""
    claim, lexicon = claim_of(statement), lexicon_of(statement.language)
    by_itself = claim.replaces is not None and not statement.attribute and not lexicon.tells(statement.predicate)
    if claim.any_relation or claim.moved or by_itself or not (claim.one or claim.relation in lexicon.several_at_once):
        return ""
    return claim.relation


def apart(new: Statement, known: Statement) -> bool:
    """Whether one is a taste and the other gives an attribute: "I love Japan" ends no home there, nor does moving there end that."""
    mine, theirs = (claim_of(one).relation == _TASTE for one in (new, known))
    return mine != theirs and bool(attribute_of(known if mine else new))


def implied_by(claim: Claim, statement: Statement) -> tuple[Claim, ...]:
    """Return what else a statement implies: anyone engaged to Ada is engaged, anyone with a boyfriend is not single."""
    lexicon = lexicon_of(statement.language)
    whom = value_of(statement.object.partition(",")[0], lexicon) if claim.value is not None and claim.state else None
    has = (
        f"{claim.relation} {whom.head}" if whom is not None else ""
    )  # "a new boyfriend", "am seeing someone called Nina"
    ways = (*verbs_of(_fields_kept(statement)), claim.relation, has)
    told = next((lexicon.implies[way] for way in ways if way in lexicon.implies), None)
    if told is None or not statement.holds:
        return ()
    attribute, named = told
    value, so = value_of(named.removeprefix("-"), lexicon), not named.startswith("-")
    one = attribute in lexicon.classes.values()
    return (
        Claim(claim.topic, attribute, value, language=claim.language, positive=so, one=one, modality=claim.modality, verb=claim.verb,
              marked=claim.marked),
    )  # fmt: skip


def _with_relation(statement: Statement, fields: Fields, base: Claim, lexicon: Lexicon) -> Claim:
    """Return ``base`` with the relation and value of a statement."""
    if not base.topic:
        return base  # in "¥65,000 is correct" the subject is read as a sign
    source = Source(statement, fields, lexicon)
    found = next((found for way in _WAYS if (found := way(source, base)) is not None), None) or _by_verb(source, base)
    if found.replaces is None:
        return found
    # "replaced my phone with a Fairphone": whichever phone it was
    held = lexicon.holds.get(found.replaces.head, frozenset())
    return replace(found, ends=found.ends | held | {attribute_named(found.replaces, lexicon)})


def _by_verb(source: Source, base: Claim) -> Claim:
    """Read a verb that stands for no attribute."""
    verb, lexicon, value = source.fields.verb, source.lexicon, base.value
    head, opposite = lexicon.verbs.get(verb, (verb, False))
    base = replace(base, relation=head, positive=base.positive != opposite)
    units = value.tokens & lexicon.doses if head == "take" and value is not None else frozenset()
    if value is not None and units and value.tokens - units - value.numbers:
        base = replace(base, value=value.without(units))  # "100 mcg of levothyroxine": what is taken
    other = value or base.narrow.get("company")
    if head in lexicon.mutual and other is not None and source.statement.subject == USER:
        # "I live with Ewa": she lives with us
        topic = (other,) if other.names else (*base.topic, other)
        return replace(base, topic=topic, value=value_of("us", lexicon), narrow={})
    of_it = base.verb.tokens if base.verb is not None else frozenset()
    rest = value.tokens - value.numbers - of_it - lexicon.measures if value else of_it
    # "my phone number ends in 4471"
    one = len(base.topic) > 1 and value is not None and value.kind == "number" and base.state
    return replace(base, one=one, measured=not rest)


def _is_marked(statement: Statement, lexicon: Lexicon) -> bool:
    qualifiers, quote = statement.qualifiers, statement.quote
    found = (
        mark for text in (qualifiers.time, qualifiers.manner, statement.object) for mark in lexicon.marks.findall(text)
    )
    if any(mark[0].islower() or not lexicon.capitals_tell for mark in found):  # "New York" is a name
        return True
    said = lexicon.marks.finditer(quote)
    return any(not mark.start() or mark[0][0].islower() or not lexicon.capitals_tell for mark in said)
