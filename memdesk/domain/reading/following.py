"""Clauses that depend on an earlier statement: "it's coffee now" after "I've gone off tea", or "keto's over"."""

from __future__ import annotations

from dataclasses import replace

from memdesk.domain.comparing.lexicon import is_event, lexicon_of, verb_key
from memdesk.domain.items.statement import USER, Statement
from memdesk.domain.language.data import is_role, language_data
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.clause import Clause
from memdesk.domain.reading.discourse import Mention
from memdesk.domain.reading.statements import Read
from memdesk.domain.reading.subjects import UNKNOWN, Named
from memdesk.domain.reading.told import Told


def follows_from(clause: Clause, last: Told) -> bool:
    """Return whether a clause is a mere consequence of the previous one: "so everything is in raised beds"."""
    tree, persons = clause.tree, language_data("en").words("persons", "pointing")
    if clause.mood != "statement" or clause.subject is None or tree.tokens[clause.subject - 1].lower != "so":
        return False
    if any(token.lower not in {",", "so", "and"} for token in tree.tokens[last.end : clause.subject]):
        return False
    told = any(
        tree.tokens[i].pos in {"NOUN", "PROPN"}
        for kid in clause.inside("attr", "dobj", "prep")
        for i in tree.below(kid)
    )
    unsure = language_data("en").words("persons", "listener") | language_data("en").words("now", "doubt")
    return tree.tokens[clause.subject].lower in persons and told and not clause.lowers() & unsure


def turned_to(clause: Clause, last: Told) -> Told | None:
    """Return what was given up together with its replacement: "I've gone off tea" with "it's coffee now"."""
    tree, former, lexicon = clause.tree, last.statement, lexicon_of("en")
    it = clause.subject is not None and tree.tokens[clause.subject].lower == "it"
    ended = former.subject == USER and former.object and former.holds and verb_key(former.predicate) in lexicon.endings
    if not it or not ended or clause.mood != "statement" or not lexicon.marks.search(clause.text()):
        return None
    # "it's running now"
    going = tree.tokens[clause.verb].tag == "VBG" and not clause.inside("dobj", "attr", "acomp", "xcomp")
    thing = clause.verb if going else next(iter(clause.inside("attr")), None)
    if thing is None or tree.kids(thing, "det", "neg") or tree.tokens[thing].pos not in {"NOUN", "PROPN", "VERB"}:
        return None
    said = tree.tokens[thing].text if going else tree.phrase(thing)
    quote = tree.analysis.piece(last.begin, clause.end)
    made = replace(former, predicate="switch to", object=said, replaces=former.object, ended=False, quote=quote)
    return replace(last, before=(clause.begin, clause.end), statement=made)


def in_place_of(said: Statement, former: Read | None) -> Statement:
    """Return a statement with what it replaces in the same sentence: "sold the Skoda and bought a Kia"."""
    lexicon = lexicon_of("en")
    ends = former is not None and former.statement.holds and verb_key(former.statement.predicate) in lexicon.endings
    if former is None or not ends or former.subject.name != said.subject:
        return said
    sold = verb_key(former.statement.predicate) in lexicon.disposals and verb_key(said.predicate) in lexicon.gains
    now = said.tense == "present" and lexicon.marks.search(said.quote)
    if said.ended or not said.holds or said.replaces or not said.object or not (sold or now):
        return said
    return replace(said, replaces=former.statement.object)


def pointing_back(clause: Clause, read: Read, last: Read, turn: int) -> Read:
    """Return a clause's statement with "it" as what just changed: "We changed our broadband, it's Zen now".

    Args:
        clause: what was said.
        read: what it states by itself.
        last: the statement before.
        turn: number of the speaker's turn.
    """
    tree, lexicon = clause.tree, lexicon_of("en")
    it = clause.subject is not None and tree.tokens[clause.subject].lower == "it"
    told = tree.kid(clause.verb, "attr", "oprd", "acomp") or tree.kid(clause.verb, "prep")
    if not it or told is None or clause.mood != "statement":
        return read
    former = last.statement
    gone = read.subject.mention is not None and verb_key(former.predicate) in lexicon.endings and former.holds
    if gone and former.object and read.subject.name.endswith(former.object) and read.statement.tense == "present":
        return replace(read, subject=UNKNOWN)  # "I sold my camera, it's phone only from here"
    verb = verb_key(former.predicate.removesuffix(" to"))
    new = former.subject if lexicon.marks.search(former.subject) else ""
    given = former.replaces or former.qualifiers.place.partition(" ")[2] or former.object
    thing = new.rpartition("'s ")[2] or former.object if last.subject.name == USER or new else ""
    thing = former.subject.rpartition("'s ")[2] if last.tentative else thing
    if not thing or not (new or verb in lexicon.changes or verb in lexicon.exchanges):
        return read
    several = thing.endswith("s") and not thing.endswith("ss")
    if several or (verb, thing) == ("change", "mind"):
        return read  # "Changed our minds, this summer it's Slovenia"
    different = {"different", "other", "another"} & set(given.lower().split())
    noun = given.rpartition(" ")[2] if different and not new else thing.removeprefix("new ").removeprefix("the ")
    called = f"{USER}'s {noun}"
    which = tree.kid(clause.verb, "attr") is not None
    made = replace(
        read.statement, subject=called, attribute=read.statement.attribute or (noun.lower() if which else "")
    )
    mention = Mention(called, noun, "", frozenset({"it"}), turn, "", "")
    return replace(read, statement=made, subject=Named(called, mention, own=True), tentative=last.tentative)


def of_another_chat(clause: Clause, read: Read) -> Read | None:
    """Return a change of the speaker's thing, if they mentioned it before: "sertraline is up to 100 mg"."""
    tree, said, lexicon = clause.tree, read.statement, lexicon_of("en")
    if clause.subject is None or clause.mood != "statement" or said.modality != "fact":
        return None
    told = tree.kid(clause.verb, "attr")
    if told is not None and is_role(tree.lemma(told)):
        return None  # "Simone isn't my boss any more"
    if is_event(tree.lemma(clause.subject)):
        return None  # "The Perth trip is off" speaks for itself
    lost = _lost(clause, said)
    if lost:
        taken = replace(said, subject=USER, predicate="lose", object=lost, ended=True)
        return Read(taken, Named(USER, own=True), tentative=True)
    if not _may_be_speakers(tree, clause.subject):
        return None
    unfit = said.predicate == "be for" and not said.holds and said.object.lower() in {"me", "us"}
    if unfit:  # "pottery wasn't for me"
        said = replace(said, predicate="be over", object="", holds=True, ended=True)
    verb = verb_key(said.predicate.removeprefix("be ").removeprefix("get ").removesuffix(" to"))
    ends = unfit or {verb, verb_key(said.predicate)} & lexicon.endings
    marked = said.predicate in {"be", "be at"} and said.object and lexicon.marks.search(said.quote)
    if not (verb in lexicon.changes or ends or marked):
        return None
    of_speaker = f"{USER}'s {tree.phrase(clause.subject)}"
    return Read(replace(said, subject=of_speaker), Named(of_speaker, own=True), tentative=True)


def _may_be_speakers(tree: Tree, subject: int) -> bool:
    """Whether a thing is named like the speaker's own: "the physio", "Spotify", not "a trip" or "Jana's wedding"."""
    opened, token = {tree.tokens[i].lower for i in tree.kids(subject, "det")}, tree.tokens[subject]
    of_other = any(tree.tokens[i].entity != "date" for i in tree.kids(subject, "poss"))
    return (token.pos in {"NOUN", "PROPN"} or token.text.istitle()) and opened <= {"the"} and not of_other


def _lost(clause: Clause, said: Statement) -> str:
    """Return what of the speaker's was taken or destroyed: "a fox got all our chickens"."""
    tree, taken = clause.tree, next(iter(clause.inside("dobj")), None)
    if (
        taken is None
        or not said.holds
        or not any(tree.tokens[i].lower in {"my", "our"} for i in tree.kids(taken, "poss"))
    ):
        return ""
    whole = any(tree.tokens[i].lower in {"all", "both"} for i in tree.kids(taken, "predet", "det"))
    destroys = said.predicate in language_data("en").words("changed", "destroys")
    return tree.phrase(taken) if destroys or (whole and said.predicate in {"get", "take"}) else ""
