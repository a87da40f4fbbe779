"""Which attribute of whom a statement gives, however it is put: "my boss is Ada", "I report to Ada", "a new boss, Ada"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from memdesk.domain.comparing.amounts import charge, household, one_more, parent, payment, savings, stage
from memdesk.domain.comparing.attributes import attribute, identity, occasion, possession, provider
from memdesk.domain.comparing.changing import change, death, ending, slot
from memdesk.domain.comparing.claims import Claim, Fields
from memdesk.domain.comparing.lexicon import Lexicon
from memdesk.domain.comparing.sources import Source, attribute_named
from memdesk.domain.comparing.states import allergy, condition, preference, shift, system
from memdesk.domain.comparing.values import value_of
from memdesk.domain.items.statement import USER, Statement

#: The ways in which a claim is read, in order: the first that applies tells.
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
    parent,
    household,
    one_more,
    identity,
    possession,
)


def relation_of(statement: Statement, fields: Fields, base: Claim, lexicon: Lexicon) -> Claim:
    """Return ``base`` with the relation and value of a statement."""
    if not base.topic:
        return base  # "¥65,000 is correct" is read as said of a sign
    source = Source(statement, fields, lexicon)
    found = next((found for way in _WAYS if (found := way(source, base)) is not None), None) or _by_verb(source, base)
    if found.replaces is None:
        return found
    # "replaced my phone with a Fairphone": whichever phone it was
    held = lexicon.holds.get(found.replaces.head, frozenset())
    return replace(found, ends=found.ends | held | {attribute_named(found.replaces, lexicon)})


def _by_verb(source: Source, base: Claim) -> Claim:
    """Read a verb that gives no attribute."""
    verb, lexicon, value = source.fields.verb, source.lexicon, base.value
    head, opposite = lexicon.verbs.get(verb, (verb, False))
    base = replace(base, relation=head, positive=base.positive != opposite)
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
