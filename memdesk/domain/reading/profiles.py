"""Lists in which people describe themselves: "Job: site manager", "About me: - 34, live in Rotterdam"."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import groupby, pairwise
from typing import Final

from memdesk.domain.items.statement import USER, Statement, noon
from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.data import LANGUAGES, is_role, language_data
from memdesk.domain.language.inflect import article, third_person
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.care import named_care
from memdesk.domain.reading.clause import SUBJECTS
from memdesk.domain.reading.fragments import without_edges
from memdesk.domain.reading.told import Told

#: Most tokens of a profile entry's key: "Place of birth".
MAX_KEY_TOKENS: Final = 3
#: What opens an item of a list.
BULLETS: Final = frozenset({"-", "*", "\u2022", "\u2013"})


def is_item(analysis: Analysis, begin: int) -> bool:
    """Return whether the sentence at a token is a list item, its bullet inside or before it."""
    tokens = analysis.tokens
    return tokens[begin].text in BULLETS or (begin > 0 and tokens[begin - 1].text in BULLETS)


def heads_list(analysis: Analysis, begin: int, end: int) -> bool:
    """Return whether a sentence introduces a list about its speaker: "Some context about me:"."""
    lows = [token.lower for token in analysis.tokens[begin:end] if token.pos != "SPACE"]
    of_self = {("about", "me"), ("about", "myself"), ("about", "us")}
    return lows[-1:] == [":"] and not of_self.isdisjoint(pairwise(lows))


def lists_self(analysis: Analysis) -> bool:
    """Return whether a list item has its writer as subject: "* I teach Year 4 * 31 kids"."""
    selves, tokens = language_data("en").words("persons", "self", "group"), analysis.tokens
    items = [begin for begin, _ in analysis.sentences() if is_item(analysis, begin)]
    opening = (begin + (tokens[begin].text in BULLETS) for begin in items)
    opened = (tokens[i] for i in opening if i < len(tokens) and tokens[i].lower in selves)
    # Not "my wife's shampoo", which states nothing.
    return len(items) > 1 and any(
        one.dep in SUBJECTS or (one.dep == "poss" and tokens[one.head].dep in SUBJECTS) for one in opened
    )


def read_item(tree: Tree, *, speaker: str, day: date) -> list[Told]:
    """Return the statements of a list item about its writer: "- 34, live in Rotterdam", "- lactose intolerant".

    Args:
        tree: of the item, its bullet included.
        speaker: the speaker's name in lines.
        day: when it was said.
    """
    begin, end = without_edges(tree)
    begin = next((i for i in range(begin, end) if tree.tokens[i].text not in BULLETS), end)
    if begin >= end:
        return []
    said = Statement(
        subject=USER,
        predicate="be",
        object=tree.words(range(begin, end)),
        said_at=noon(day),
        quote=tree.words(range(begin, end)),
    )
    found: list[Told] = []
    aged = tree.tokens[begin].tag == "CD" and begin + 2 < end and tree.tokens[begin + 1].text == ","
    if aged:
        age = replace(said, object=tree.tokens[begin].text, attribute="age", quote=tree.tokens[begin].text)
        found.append(Told(begin, begin + 1, age, f"{speaker} is"))
        begin += 2
    first, rest = tree.tokens[begin], tree.words(range(begin, end))
    last = next((i for i in range(begin, end) if tree.tokens[i].text in {",", "(", ";"}), end) - 1
    words = tree.words(range(begin, last + 1))
    if first.tag in {"VB", "VBP"} and not any(i >= begin for i in tree.kids(begin, *SUBJECTS)):
        prep = tree.kid(begin, "prep")
        verb = tree.lemma(begin) if prep is None else f"{tree.lemma(begin)} {tree.tokens[prep].lower}"
        of = begin if prep is None else prep
        made = replace(said, predicate=verb, object=tree.words(range(of + 1, last + 1)), quote=rest)
        made = replace(made, attribute=language_data("en").attributes.get(verb, ""))
        return [*found, Told(begin + 1, end, made, f"{speaker} {third_person(first.text)}")]
    care = named_care([token.lower for token in tree.tokens[begin:end]], "en")
    made = replace(said, object=words, attribute=care, quote=rest)
    units = language_data("en").words("now", "units")
    counted = (i for i in range(begin, last + 1) if tree.tokens[i].tag == "NNS" and tree.lemma(i) not in units)
    if first.tag == "CD" and any(counted):
        return [*found, Told(begin, end, replace(made, predicate="have"), f"{speaker} has")]
    if first.lower.endswith("ing") or tree.tokens[last].tag == "JJ" or tree.lemma(last).endswith("ant"):
        return [*found, Told(begin, end, made, f"{speaker} is")]
    if care in {"condition", "diet", "allergy"} and first.pos in {"NOUN", "ADJ", "PROPN"}:
        of_kind = care == "diet" or any(
            tree.tokens[i].lower.endswith("ic") for i in (begin, last)
        )  # "type 2 diabetic", not "type 2 diabetes"
        return [*found, Told(begin, end, made, f"{speaker} {'is' if of_kind else 'has'}")]
    if first.pos in {"NOUN", "ADJ", "PROPN"} and tree.tokens[last].tag == "NN" and is_role(tree.tokens[last].text):
        return [
            *found,
            Told(begin, end, replace(made, attribute=care or "occupation"), f"{speaker} is {article(words[0])}"),
        ]
    return found


def read_profile(analysis: Analysis, *, speaker: str, day: date) -> list[Told]:
    """Return what lines like "Job: site manager" say of their writer; nothing if they may be about another.

    Args:
        analysis: of a turn.
        speaker: the speaker's name in lines.
        day: when it was said.
    """
    found = list[Told]()
    for begin, colon, end in entries(analysis, "en"):
        key = " ".join(token.lower for token in analysis.tokens[begin:colon])
        value = analysis.piece(colon + 1, end)
        several = analysis.tokens[colon - 1].tag in {"NNS", "NNPS"}
        said = Statement(
            subject=f"{USER}'s {key}",
            predicate="be",
            object=value,
            attribute=named_care([token.lower for token in analysis.tokens[begin:end]], "en") or key,
            said_at=noon(day),
            quote=analysis.piece(begin, end),
        )
        if analysis.tokens[colon + 1].lower in {"none", "no"} and colon + 2 == end:
            had = replace(said, subject=USER, predicate="have", object=key, holds=False)
            found.append(Told(begin, colon, had, f"{speaker} has no"))
        elif several and analysis.tokens[colon + 1].tag == "CD":
            had = replace(said, subject=USER, predicate="have", object=f"{analysis.tokens[colon + 1].text} {key}")
            count = f"{speaker} has {analysis.tokens[colon + 1].text}"
            rest = Told(colon + 2, end, had, f"{count} {key}")
            found.append(rest if colon + 2 < end else Told(begin, colon, had, count))
        else:
            found.append(Told(colon + 1, end, said, f"{speaker}'s {key} {'are' if several else 'is'}"))
    before = (analysis.tokens[one.begin - 1].text for one in found)
    firsts = (analysis.tokens[one.begin] for one in found)
    return [
        replace(one, named={one.begin: first.text if lead == ":" else first.lower})  # a value as it was written
        for one, first, lead in zip(found, firsts, before, strict=True)
    ]


def entries(analysis: Analysis, code: str) -> list[tuple[int, int, int]]:
    """Return where key begins, colon is and value ends in each line such as "Car: Kia Niro".

    Only if most such lines have keys that people use about themselves; a log has such lines too.

    Args:
        analysis: of a turn.
        code: its language.
    """
    known, found = language_data(code).words("plain", "profile"), list(_entries(analysis))
    keys = (" ".join(token.lower for token in analysis.tokens[begin:colon]) for begin, colon, _ in found)
    strange = sum(key not in known for key in keys)
    return found if strange * 2 < len(found) > 1 else []


def beside_entries(analysis: Analysis, code: str) -> Iterator[tuple[int, int]]:
    """Yield the sentences of a turn that are not part of :func:`entries`."""
    taken = entries(analysis, code)
    for begin, end in analysis.sentences():
        if not any(first < end and begin < last for first, _, last in taken):
            yield begin, end


def profile_language(analysis: Analysis) -> str:
    """Return the language of the keys in a turn's lines that people use about themselves; empty if none."""
    return next((code for code in ("en", *LANGUAGES) if entries(analysis, code)), "")


def _entries(analysis: Analysis) -> Iterator[tuple[int, int, int]]:
    tokens = analysis.tokens
    places = [i for i, token in enumerate(tokens) if token.pos != "SPACE" and token.text not in BULLETS]
    breaks = [at.start() for at in re.finditer("\n", analysis.text)]
    lines = (list(run) for _, run in groupby(places, key=lambda i: bisect_left(breaks, tokens[i].start)))
    for line in lines:
        colon = next((i for i in line[1 : MAX_KEY_TOKENS + 1] if tokens[i].text == ":"), None)
        if colon is not None and colon < line[-1]:
            yield line[0], colon, line[-1] + 1
