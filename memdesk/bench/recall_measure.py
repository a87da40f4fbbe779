"""What the recall bench measures: evidence shown, words of the answer shown, lines and tokens spent.

An evidence turn counts as shown if a line of the block is (part of) it or cites it. In LoCoMo's conversations it counts
if one line has at least 60 % of its distinct words of more than three letters, whatever turn the line is from. A block
of more than 1.1 times the budget shows nothing. Answer words are the share of such words of the gold answer in the
block; questions without an answer are left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from memdesk.bench.recall_talks import Ask, Talk

CARRIED = 0.6
OVERDRAFT = 1.1
_WORD = re.compile(r"[^\W_]{4,}")
_CAPTION = re.compile(r" ?\[shares a photo: .*\]$")


@dataclass(frozen=True, slots=True)
class Answered:
    """A block, the ids of the turns that its lines quote or cite, the chosen section, and the number of lines."""

    block: str
    turns: frozenset[str]
    section: str = ""
    lines: int = 0


#: Returns the block for a question about a conversation within a budget.
Answer = Callable[[Talk, Ask, int], Answered]


@dataclass(slots=True)
class Figures:
    """Sums over questions; the properties are means."""

    found: list[float] = field(default_factory=list)
    words: list[float] = field(default_factory=list)
    tokens: list[float] = field(default_factory=list)
    lines: list[float] = field(default_factory=list)
    by_ability: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    sections: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def evidence(self) -> float:
        """Mean share of a question's evidence that was shown."""
        return _mean(self.found)

    @property
    def answer_words(self) -> float:
        """Mean share of the answer's words in the block."""
        return _mean(self.words)

    @property
    def mean_tokens(self) -> float:
        """Mean length of a block in tokens: characters / 4."""
        return _mean(self.tokens)

    @property
    def mean_lines(self) -> float:
        return _mean(self.lines)

    def ability(self, name: str) -> float:
        return _mean(self.by_ability.get(name, []))

    def add(self, other: Figures) -> None:
        """Add another conversation's questions."""
        self.found += other.found
        self.words += other.words
        self.tokens += other.tokens
        self.lines += other.lines
        for name, values in other.by_ability.items():
            self.by_ability[name] += values
        for section, count in other.sections.items():
            self.sections[section] += count


def long_words(text: str) -> frozenset[str]:
    """Return the distinct words of more than three letters."""
    return frozenset(_WORD.findall(text.casefold()))


def carried(turn: str, lines: Sequence[frozenset[str]]) -> bool | None:
    """Whether one line carries the turn; None if the turn has no long word."""
    wanted = long_words(_CAPTION.sub("", turn)) or long_words(turn)
    if not wanted:
        return None
    return any(len(wanted & line) >= CARRIED * len(wanted) for line in lines)


def measure(talk: Talk, answer: Answer, budget: int) -> Figures:
    texts = {turn.id: turn.text for turn in (*talk.turns, *talk.written)}
    done = Figures()
    for question in talk.questions:
        told = answer(talk, question, budget)
        tokens = len(told.block) / 4
        fits = tokens <= budget * OVERDRAFT
        lines = [long_words(line) for line in told.block.split("\n")] if fits else []
        done.tokens.append(tokens)
        done.lines.append(told.lines)
        evidence = [turn for turn in question.evidence if turn in texts]
        verdicts = [carried(texts[turn], lines) if talk.carried else fits and turn in told.turns for turn in evidence]
        counted = [verdict for verdict in verdicts if verdict is not None]
        if counted:
            share = sum(counted) / len(counted)
            done.found.append(share)
            done.by_ability[question.ability].append(share)
            done.sections[told.section] += 1
        wanted = long_words(question.answer)
        if wanted:
            held = frozenset[str]().union(*lines)
            done.words.append(len(wanted & held) / len(wanted))
    return done


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
