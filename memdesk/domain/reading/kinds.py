"""What a statement is about: identity, preference, decision, commitment, relationship, event, skill, correction."""

import re
from typing import Final

from memdesk.domain.items.statement import Statement
from memdesk.domain.language.data import language_data
from memdesk.domain.models import FactKind
from memdesk.domain.reading.care import CARE

RELATIVES: Final = (
    "sister|brother|mother|mom|mum|father|dad|wife|husband|partner|girlfriend|boyfriend|fianc\u00e9e?|fiancee?|son|daughter|kids?|"
    "children|child|aunt|uncle|cousin|niece|nephew|grand(?:mother|father|ma|pa|parents?|son|daughter)|friend|boss|colleague|"
    "coworker|neighbou?r|mentor|roommate|flatmate|dog|cat|pet|puppy|kitten"
)
_RULES: Final[tuple[tuple[FactKind, re.Pattern[str]], ...]] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (
            FactKind.CORRECTION,
            (
                r"\b(?:no longer|not\b.{0,40}\bany ?more|\w+n't .{0,40}\bany ?more|used to\b.{0,60}\b(?:but|now)|correction|i meant|(?:i was|that was|that's) wrong|"
                r"actually,? (?:it's|i'm|my|it is|i am)|instead of|changed my mind|died|passed away|put to sleep|quit|gave up|stopped|switched (?:from|to)|moved (?:from|to)|broke up|divorced)\b"
            ),
        ),
        (
            FactKind.IDENTITY,
            (
                r"\b(?:my name(?:'s| is)|call me|i(?:'m| am) (?-i:[A-Z][a-z]+)(?=[,.!]|$| and\b)|i(?:'m| am) called|i(?:'m| am) (?:a|an|the) (?!bit|little|lot|huge|big|fan)\w+|i live|i(?:'m| am) living in|i (?:run|own|manage) (?:an?|the|my) |i(?:'ve| have) lived|i work\b|"
                r"i(?:'m| am) from|i was born|i grew up|i(?:'m| am) \d+|my (?:birthday|job|profession|home ?town|nationality|pronouns|age|religion|employer|company|address)|"
                r"i(?:'ve| have)(?: been)? (?:\w+ )?(?:diagnosed|diabetes|type [12] diabetes|asthma|coeliac|celiac|adhd|epilepsy|dyslexia|an allergy)|i was (?:\w+ )?diagnosed|i take (?:\w+ )?(?:medication|metformin|insulin)|as an? \w+(?: \w+)? (?:woman|man|person|mom|mother|dad|father)|i (?:have|got) (?:\w+ )?(?:kids|children|siblings)|i(?:'m| am) (?:allergic|vegetarian|vegan|(?:\w+ )?(?:single|married|divorced|retired|diabetic|transgender|pregnant|self-employed|unemployed|widowed|blind|deaf|autistic|dyslexic|engaged|left-handed)))\b|"
                r"\bi (?:take|use|need|inject) (?:\d[\d.]* ?(?:mg|mcg|\u00b5g|g|ml|units?|iu)\b|[\w -]{2,30} \d[\d.]* ?(?:mg|mcg|\u00b5g|ml|units?|iu)\b)|\bmy (?:[\w-]+ )?(?:dose|blood type|allerg(?:y|ies)|diagnosis|phone number|passport number)\b|\bi (?:can't|cannot) (?:have|eat) (?:gluten|lactose|nuts|dairy|shellfish)\b|^\W*i(?:'m| am) (?:allergic|vegetarian|vegan)\b"
            ),
        ),
        (
            FactKind.DECISION,
            (
                r"\b(?:i|we)(?:'ve| have)? (?:\w+ )?(?:decided|chose|chosen|agreed|settled on|picked|concluded|opted|ruled out|went with)\b|"
                r"\b(?:we'll|i'll|let's|we're|i'm) (?:go(?:ing)? with|stick(?:ing)? (?:to|with)|us(?:e|ing) \w+ for)\b|\bthe decision (?:is|was)\b"
            ),
        ),
        (
            FactKind.SKILL,
            (
                r"\bi (?:can(?!'t)|know how to|speak|play|code|program|cook|paint|sing|dance|sew)\b|\bi(?:'m| am) (?:good|great|fluent|experienced|skilled|trained|certified) (?:at|in|with)|"
                r"\bi(?:'ve| have) been (?:\w+ing) (?:for|since)|\bi(?:'ve| have) (?:learned|mastered|studied)|\bi(?:'m| am) learning\b|\bi studied\b|\bmy degree\b"
            ),
        ),
        (
            FactKind.COMMITMENT,
            (
                r"\b(?:remind me|i(?:'ll| will)|i(?:'m| am) (?:going to|gonna|planning|about to)|we(?:'re| are) (?:going to|gonna|planning)|i plan|i promise\w*|i(?:'ve| have) to|i need to|i must|"
                r"i hope to|i want to|i'd (?:love|like) to|we(?:'ll| will)|i(?:'m| am) (?:thinking|considering|looking (?:to|for|into|forward)|working on|starting)|next (?:week|month|year|summer)|deadline|gonna)\b"
            ),
        ),
        (
            FactKind.PREFERENCE,
            (
                r"\b(?:i|we) (?:(?:\w+|don't|do not|didn't) )?(?:love|like|prefer|enjoy|hate|dislike|adore|can't stand|can't (?:eat|have|drink)|loved|enjoyed|eat|drink)\b|\bmy (?:\w+ )?(?:fave|favou?rite)|\bis my (?:go-to|fave|favou?rite|thing|passion)|"
                r"\bi(?:'m| am) (?:\w+ )?(?:into|fond of|keen on|passionate about|a (?:big |huge )?fan of|interested in|not a fan)|\bi(?:'d| would) rather\b"
            ),
        ),
        (
            FactKind.RELATIONSHIP,
            rf"\b(?:got|getting|get) (?:married|engaged|divorced)\b|\b(?:my|our) (?:\w+ )?(?:{RELATIVES}),? (?:is|was|'s|has|lives|works|named|called|and|who|[A-Z])|\b(?:my|our) (?:\w+ )?(?:{RELATIVES})\b|\b(?:{RELATIVES}) (?:named|called) ",
        ),
    )
)
#: The same for German, tried if the English ones find nothing.
_GERMAN: Final[tuple[tuple[FactKind, re.Pattern[str]], ...]] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (FactKind.CORRECTION, r"\b(?:nicht mehr|kein\w* .{0,30} mehr|aufgehört|statt\w*|umgezogen|eigentlich (?:bin|ist)|getrennt|geschieden|gekündigt)\b"),
        (
            FactKind.IDENTITY,
            (
                r"\b(?:ich (?:heiße|wohne|lebe|arbeite|komme aus|stamme)|ich habe am .{0,20}geburtstag|mein (?:name|beruf|geburtstag|arbeitgeber|wohnort)|ich bin (?!\w*(?:gerade|heute|froh|sicher|müde|fertig|mir)\b).{0,40}?"
                r"\b(?:allergisch|vegetarier(?:in)?|veganer(?:in)?|verheiratet|ledig|rentner(?:in)?|student(?:in)?|lehrer(?:in)?|[a-zäöü]+(?:in|er|ist|eur|arzt))\b|ich (?:bin|wurde) .{0,20}(?:geboren|jahre alt)|ich habe (?:diabetes|asthma|zöliakie|(?:\w+ )?(?:kinder|söhne|töchter|geschwister))|als diabetiker(?:in)?|ich (?:vertrage|darf) .{0,20}\bkein\w*|ich nehme .{0,30}\d+ ?(?:mg|mikrogramm|milligramm|ml|tropfen|einheiten))"
            ),
        ),
        (FactKind.DECISION, r"\b(?:habe|haben|hab) (?:mich|uns) .{0,60}entschieden\b|\bbeschlossen\b|\bentschieden\b"),
        (FactKind.SKILL, r"\bich (?:kann|spreche|spiele|lerne|studiere|programmiere|male|singe|tanze)\b"),
        (FactKind.PREFERENCE, r"\bich (?:mag|liebe|hasse|bevorzuge|esse|trinke|lese)\b|\bam liebsten\b|\blieblings\w+"),
        (FactKind.RELATIONSHIP, r"\b(?:mein|unser)\w{0,2} (?:\w+ )?(?:schwester|bruder|mutter|mama|vater|papa|frau|mann|partner(?:in)?|freund(?:in)?|sohn|tochter|kind(?:er)?|tante|onkel|cousine?|nichte|neffe|oma|opa|großmutter|großvater|chef(?:in)?|kolleg(?:e|in)|nachbar(?:in)?|hund|katze|kater)\b"),
        (FactKind.COMMITMENT, r"\b(?:ich|wir) (?:muss|müssen|werde|werden|will|wollen|plane|planen|möchte)\b|\b(?:nächste[nrs]?|kommende[nrs]?|im) (?:woche|monat|jahr|sommer|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)\b|(?<!jeden )(?<!am )\bmorgen\b"),
    )
)  # fmt: skip
_PAST: Final = re.compile(
    r"\b(?:i|we|my \w+|our \w+)(?:'ve| have| just| finally| also| recently| even)* (?:\w+ed|went|saw|got|made|took|met|had|was|were|found|won|lost|bought|"
    r"gave|began|ran|read|wrote|told|taught|built|came|did|felt|left|spent|been)\b",
    re.IGNORECASE,
)


def kind_of(sentence: str) -> FactKind:
    """Return what an original sentence (first person, as said) is about."""
    for kind, pattern in _RULES:
        if pattern.search(sentence):
            return kind
    if _PAST.search(sentence):
        return FactKind.EVENT
    return next((kind for kind, pattern in _GERMAN if pattern.search(sentence)), FactKind.OTHER)


#: Attributes of a person's identity.
WHO_ONE_IS: Final = frozenset(
    {
        "name",
        "home",
        "employer",
        "occupation",
        "age",
        "birthplace",
        "birthday",
        "native of",
        "partner",
        "pronouns",
        "nationality",
    }
)


def kind_of_statement(statement: Statement) -> FactKind:
    """Return what a statement is about, by its fields."""
    data = language_data(statement.language)
    verb = statement.predicate.split(" ")[0]
    likes = verb in data.words("verbs", "like") or statement.predicate in {
        "be fond of",
        "be into",
        "be afraid of",
        "be scared of",
    }
    if statement.attribute == "instruction":
        return FactKind.PREFERENCE
    if statement.ended and (not statement.holds or statement.predicate in data.words("verbs", "end")):
        return FactKind.CORRECTION
    if statement.attribute in CARE or (statement.attribute in WHO_ONE_IS and statement.subject == "user"):
        return FactKind.IDENTITY
    # A plan in the past tense was made: decided, agreed, arranged.
    made = statement.modality == "plan" and statement.tense == "past"
    if made or verb in {"decide", "choose", "agree", "settle", "opt", "pick"}:
        return FactKind.DECISION
    if statement.modality in {"plan", "wish"}:
        return FactKind.COMMITMENT
    if likes or statement.attribute.startswith(("favorite", "favourite")):
        return FactKind.PREFERENCE
    people = data.words("people", "she", "he", "either", "several")
    if any(word in people for word in statement.subject.replace("'s", "").split()) or verb in {"marry", "divorce"}:
        return FactKind.RELATIONSHIP
    if (
        verb in data.words("verbs", "skill")
        and statement.tense == "present"
        and statement.attribute in {"", "language"}
    ):
        return FactKind.SKILL
    if statement.tense == "past" and not statement.attribute:
        return FactKind.EVENT
    return FactKind.IDENTITY if statement.attribute in WHO_ONE_IS else FactKind.OTHER
