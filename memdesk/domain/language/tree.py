"""The dependency tree of one sentence: heads, dependents and phrases; and one whose tokens can be hung elsewhere."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from memdesk.domain.language.analysis import Analysis, Token

VERBAL: Final = frozenset({"VERB", "AUX"})
#: Dependents that open a noun phrase and name nothing.
_DETERMINERS: Final = frozenset({"det", "predet", "poss", "case"})


class Tree:
    """One sentence of an analysis; tokens keep their indexes within the analysis.

    Args:
        begin: index of the sentence's first token.
        end: index after its last.
    """

    def __init__(self, analysis: Analysis, begin: int, end: int) -> None:
        self.analysis = analysis
        self.begin, self.end = begin, end
        self._kids: dict[int, list[int]] = defaultdict(list)
        for index in range(begin, end):
            head = self.tokens[index].head
            if head != index and begin <= head < end:
                self._kids[head].append(index)

    @property
    def tokens(self) -> Sequence[Token]:
        return self.analysis.tokens

    def roots(self) -> list[int]:
        """Return the tokens of this sentence without a head in it."""
        span = range(self.begin, self.end)
        return [i for i in span if self.tokens[i].head == i or self.tokens[i].head not in span]

    def kids(self, index: int, *deps: str) -> list[int]:
        """Return the dependents of a token in order; only those of the given relations, if any are given."""
        return [kid for kid in self._kids.get(index, ()) if not deps or self.tokens[kid].dep in deps]

    def kid(self, index: int, *deps: str) -> int | None:
        """Return the first such dependent."""
        return next(iter(self.kids(index, *deps)), None)

    def joined(self, index: int) -> Iterator[int]:
        """Yield the tokens coordinated with one, each on the one before: "Rome", "Oslo" of "Paris, Rome and Oslo"."""
        for kid in self.kids(index, "conj"):
            yield kid
            yield from self.joined(kid)

    def below(self, index: int, without: Iterable[int] = ()) -> list[int]:
        """Return a token and its whole subtree, in order, without the parts under ``without``."""
        barred = frozenset(without)
        found, open_ = [], [index]
        while open_:
            top = open_.pop()
            found.append(top)
            open_ += [kid for kid in self._kids.get(top, ()) if kid not in barred]
        return sorted(found)

    def lemma(self, index: int) -> str:
        token = self.tokens[index]
        return (token.lemma or token.text).lower()

    def is_verb(self, index: int) -> bool:
        """Whether a token is a verb, an auxiliary, or tagged as a noun but has a subject: "My doctor retires"."""
        return self.tokens[index].pos in VERBAL or bool(self.kids(index, "nsubj", "nsubjpass"))

    def tells_apart(self, number: int) -> bool:
        """Whether a number follows its noun and identifies it: "room 4", not "four rooms", nor "owe Bo 20"."""
        head = self.tokens[number].head
        return self.tokens[number].dep == "nummod" and head < number and self.tokens[head].entity != "person"

    def words(self, indexes: Iterable[int]) -> str:
        """Return tokens as text, with the spaces between them; one space where tokens are left out."""
        places = list(indexes)
        gaps = (after != i + 1 for i, after in pairwise([*places, len(self.tokens)]))
        return "".join(
            self.tokens[i].text + (" " if gap or self.tokens[i].space else "")
            for i, gap in zip(places, gaps, strict=True)
        ).strip()

    def phrase(self, head: int, without: Iterable[int] = ()) -> str:
        """Return a noun phrase as said, without determiner, clauses and surrounding punctuation."""
        barred = {
            *without,
            *self.kids(head, "relcl", "cc", "conj", "advcl", "appos", "acl", "case"),
            *(i for i in self.kids(head, "punct") if self.tokens[i].text != "-" or self.tokens[i].space),
            *(i for i in self.kids(head, *_DETERMINERS) if i < head),
        }
        kept = self.below(head, barred)
        first = next((i for i in kept if self.tokens[i].pos not in {"PUNCT", "SPACE"}), head)
        return self.words(i for i in kept if i >= first).strip(" ,.;:!?")


class OpenTree:
    """One sentence of a text whose heads may change; tokens keep their indexes within the text."""

    def __init__(self, tokens: list[Token], begin: int, end: int) -> None:
        self.tokens, self.begin, self.end = tokens, begin, end
        self.span = range(begin, end)

    def is_tree(self) -> bool:
        """Whether every token finally depends on a root of the sentence, not on itself."""
        for start in self.span:
            index = start
            for _ in self.span:
                head = self.tokens[index].head
                if head == index or head not in self.span:
                    break
                index = head
            else:
                return False
        return True

    def kids(self, head: int, *deps: str) -> list[int]:
        """Return a token's dependents except punctuation; only those of the given relations, if any are given."""
        found = (i for i in self.span if self.tokens[i].head == head != i and self.tokens[i].dep != "punct")
        return [i for i in found if not deps or self.tokens[i].dep in deps]

    def hang(self, index: int, head: int, dep: str, **others: Any) -> None:
        """Hang a token on another head, and change other fields of it."""
        self.tokens[index] = replace(self.tokens[index], head=head, dep="ROOT" if head == index else dep, **others)

    def pass_on(self, indexes: Iterable[int], head: int, dep: str = "") -> None:
        """Hang tokens on another head, each by the relation that it has if none is given."""
        for index in indexes:
            self.hang(index, head, dep or self.tokens[index].dep)

    def lead(self, verb: int, to: int, noun: int, **others: Any) -> None:
        """Make "to" a preposition from a verb to a noun, and change other fields of the noun."""
        self.hang(to, verb, "prep", pos="ADP", tag="IN")
        self.hang(noun, to, "pobj", **others)
