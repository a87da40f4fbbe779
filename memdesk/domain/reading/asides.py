"""Asides in a request or a question: "As a diabetic, what can I eat?", "a card for my daughter Emma"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from memdesk.domain.items.statement import USER, Statement
from memdesk.domain.language.data import LanguageData, is_role, language_data
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.care import care_of, cared, named_care
from memdesk.domain.reading.clause import SUBJECTS, Clause
from memdesk.domain.reading.embedded import embedded
from memdesk.domain.reading.keeping import Keeper
from memdesk.domain.reading.statements import StatementReader
from memdesk.domain.reading.told import Told


class AsideReader:
    """Reads asides of one turn.

    Args:
        speaker: how lines call the speaker.
        reader: of the turn.
        keeper: of the turn.
    """

    def __init__(self, speaker: str, reader: StatementReader, keeper: Keeper) -> None:
        self._speaker = speaker
        self._reader = reader
        self._keeper = keeper
        self._data: LanguageData = language_data("en")

    def read(self, tree: Tree, begin: int, end: int, *, supposed: bool = False) -> Iterator[Told]:
        """Yield reasons, what the speaker is, and who their people are.

        Args:
            tree: of a sentence.
            begin: first token of the request.
            end: after its last.
            supposed: whether it is a supposition, whose reasons are not the speaker's.
        """
        for index in range(begin, end):
            token = tree.tokens[index]
            if token.pos == "PROPN" and token.dep in {"appos", "pobj", "dobj", "attr"}:
                yield from self._relative(tree, index)
            elif token.dep == "prep" and token.lower == "as":
                yield from self._capacity(tree, index)
            elif not supposed and (self._is_reason(tree, index) or self._is_passed_on(tree, index)):
                yield from self._below(tree, index, end)

    def relative_who(self, clause: Clause) -> Iterator[Told]:
        """Yield the name of a relative of whom only an opinion is reported: "My daughter Morag thinks I should ..."."""
        tree, who = clause.tree, clause.subject
        name = tree.kid(who, "appos") if who is not None else None
        if who is not None and name is not None and tree.lemma(who) in self._data.words("people", "she", "he"):
            yield from self._relative(tree, name)

    def _is_passed_on(self, tree: Tree, index: int) -> bool:
        """Whether an order asks to pass on a fact: "Tell them I've lived here since 2014", "Mention our son ..."."""
        top = tree.tokens[index].head
        says = (self._data.words("verbs", "say") | {"add", "include"}) - {"say"}  # "Say I had three kids" supposes
        ordered = (
            tree.tokens[index].dep == "ccomp"
            and tree.tokens[top].tag == "VB"
            and tree.kid(top, *SUBJECTS, "aux") is None
            and tree.lemma(top) in says
        )
        if not ordered:
            return False
        words = [tree.tokens[i] for i in tree.below(index)]
        quoted = any(token.text in {'"', "``", "\u201c"} for token in words)  # may be about anybody
        lows = [token.lower for token in words]
        doubted = not (self._data.words("now", "wh", "if") - {"who"}).isdisjoint(lows)
        states = bool(named_care(lows, "en")) or tree.kid(index, "acomp") is None  # not "add that we're friendly"
        return states and not quoted and not doubted

    def _is_reason(self, tree: Tree, index: int) -> bool:
        marks = {tree.tokens[i].lower for i in tree.kids(index, "mark")}
        return tree.tokens[index].dep == "advcl" and bool(marks & self._data.words("now", "because"))

    def _below(self, tree: Tree, index: int, end: int) -> Iterator[Told]:
        inner = embedded(tree, index, end)
        if inner is None:
            return
        read = self._reader.read(inner)
        read = replace(read, statement=cared(inner, read.statement))
        if not self._keeper.why_not(inner, read):
            yield Told(inner.begin, inner.end, read.statement)

    def _capacity(self, tree: Tree, prep: int) -> Iterator[Told]:
        """Read "As a diabetic, what can I eat?" as what the speaker is."""
        noun, verb = tree.kid(prep, "pobj"), tree.tokens[prep].head
        no_capacity = {"use", "work", "treat", "see"} | self._data.words("conversation", "cast")
        if noun is None or tree.lemma(verb) in no_capacity:
            return
        if not any(tree.tokens[i].lower in {"a", "an"} for i in tree.kids(noun, "det")):
            return
        subject = tree.kid(verb, "nsubj", "nsubjpass")
        mine = subject is not None and tree.tokens[subject].lower in {"i", "we"}
        after = tree.tokens[prep : tree.end]  # "As a mother of two, what can I cook?"
        asks = any(token.lower in {"i", "we"} and token.dep in SUBJECTS for token in after)
        inside = tree.below(noun)
        statement = Statement(
            subject=USER, predicate="be", object=tree.phrase(noun), quote=tree.words(tree.below(prep)).rstrip(" ,")
        )
        care = care_of(Clause(tree, inside[0], inside[-1] + 1, noun, None), statement)
        if mine or care or (asks and is_role(tree.lemma(noun))):
            made = replace(statement, attribute=care or "occupation")
            yield Told(inside[0], inside[-1] + 1, made, lead=f"{self._speaker} is")

    def _relative(self, tree: Tree, name: int) -> Iterator[Told]:
        """Read "my daughter Emma" as her name."""
        noun, whose = tree.tokens[name].head, tree.kid(tree.tokens[name].head, "poss")
        if tree.tokens[name].dep != "appos":  # parsed as one name: "my grandson Jonas"
            noun = next((i for i in tree.kids(name, "compound") if i < name), noun)
            whose = tree.kid(name, "poss")
        mine = whose is not None and tree.tokens[whose].lower in {"my", "our"}
        kin = tree.lemma(noun)
        if not mine or tree.tokens[noun].pos == "ADP" or not is_role(kin):
            return
        # "Dr. Aydin" without "my doctor"
        words = (*tree.kids(name, "compound"), name)
        inside = [i for i in words if i > noun or tree.tokens[name].dep == "appos"]
        statement = Statement(
            subject=f"{USER}'s {kin}",
            predicate="be called",
            object=tree.words(inside),
            attribute="name",
            quote=tree.words(sorted({*tree.below(noun), *tree.below(name)})),
        )
        yield Told(inside[0], inside[-1] + 1, statement, lead=f"{self._speaker}'s {kin} is called")
