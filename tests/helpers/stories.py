"""Random sequences of telling, updating, editing, consolidating and forgetting, with marked words that must go or stay.

``python -m tests.helpers.stories 500`` runs that many, ``... stories 40 20`` twenty from the fortieth; the suite runs a few.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from memdesk.domain.comparing.comparison import quote_carries
from memdesk.domain.models import FactStatus
from memdesk.services.forgetting.scope import ForgetTarget
from tests.helpers.distill_desk import DistillDesk
from tests.helpers.parser import parser

#: Statements of one pattern, of things with one value at a time, their ends, and the same in other words.
SAID = (
    "I love {}.", "I collect {}.", "I live in {}.", "I moved to {}.", "My boss is {}.", "My new boss is {}.",
    "I no longer live in {}.", "I play {} on Mondays.", "My sister lives in {}.", "I work at {}.", "I really love {}.",
)  # fmt: skip
WORDS = ("Quorvia", "Zelmark", "Brintho", "Tavoria", "Melquin", "Dorvask", "Fenwara", "Ostriva", "Pelgrid", "Ulvance")
STEPS = 9


class Story:
    """One memory and what was told of it.

    Args:
        folder: for the store.
        seed: of the story.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self._random = random.Random(seed)
        self._desk = DistillDesk(folder, analyzer=parser())
        self._desk.settings.set_memory(extraction_mode="rules")
        #: words by conversation, and those that were edited into facts by hand.
        self._told: dict[str, set[str]] = {}
        self._by_hand: set[str] = set()
        self._gone: set[str] = set()

    def run(self) -> None:
        """Tell the story; raise AssertionError where a word is left or missing, or a source does not carry its fact."""
        try:
            for number in range(STEPS):
                step = self._random.choice((self._tell, self._tell, self._tell, self._forget, self._merge, self._edit))
                step(f"c{number}")
                self._desk.clock.move(days=2)
                self._check()
        finally:
            self._desk.distillation.close()
            self._desk.close()

    def _tell(self, name: str) -> None:
        words = self._random.sample(WORDS, 2)
        told = [self._random.choice(SAID).format(word) for word in words]
        self._desk.say(name, told[0], "I see.", told[1], "All right.")
        self._desk.distill(name)
        self._told[name] = set(words)
        self._gone -= set(words)

    def _forget(self, _name: str) -> None:
        if not self._told:
            return
        name = self._random.choice(sorted(self._told))
        words = self._told.pop(name)
        report = self._desk.forgetting.forget(
            ForgetTarget(kind="conversation", ids=(name,), agent_id="ana", learned=True)
        )
        assert report.verified, report
        self._gone |= words - self._kept()

    def _merge(self, _name: str) -> None:
        self._desk.consolidation.run()

    def _edit(self, _name: str) -> None:
        facts = [fact for fact in self._desk.every_fact() if fact.status is FactStatus.ACTIVE]
        if facts:
            word = self._random.choice(WORDS)
            fact = self._random.choice(sorted(facts, key=lambda one: one.content))
            self._desk.memories.edit_fact(fact.id, content=f"The user likes {word}.")
            self._by_hand.add(word)
            self._gone.discard(word)

    def _kept(self) -> set[str]:
        return self._by_hand.union(*self._told.values())

    def _check(self) -> None:
        with self._desk.store.read() as repos:
            for word in self._gone - self._kept():
                left = list(repos.text.holding(word))
                assert not left, (word, left)
            for words in self._told.values():
                for word in words:
                    assert list(repos.text.holding(word)), f"{word} is missing"
            facts = repos.items.many([fact.id for fact in self._desk.every_fact()])
        for fact in facts:
            for source in fact.sources:
                carried = not source.quote or quote_carries(source.quote, fact.statement)
                assert carried, (fact.content, source.quote)


def tell(seed: int) -> None:
    """Tell one story in a folder of its own."""
    with TemporaryDirectory() as folder:
        Story(Path(folder), seed).run()


def campaign(first: int, count: int) -> int:
    """Tell many stories; return how many left something, missed something, or had a source of another fact."""
    failed = 0
    for seed in range(first, first + count):
        try:
            tell(seed)
        except AssertionError as error:
            failed += 1
            sys.stdout.write(f"story {seed}: {error}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{count} stories: {failed} with something left, missing, or ascribed to a wrong source\n")
    return failed


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    sys.exit(1 if campaign(*([0, *numbers] if len(numbers) == 1 else numbers)) else 0)
