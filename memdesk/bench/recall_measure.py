"""What the recall bench measures: evidence found, words of the answer found, tokens spent.

An evidence turn counts when one line of the block carries at least 60 % of its distinct words of more than three
letters; a block of more than 1.1 times the budget counts nothing. Answer words are the share of such words of the
gold answer that the block holds; questions without an answer are left out of it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from memdesk.services.locomo import ADVERSARIAL, LocomoConversation, LocomoQuestion

CARRIED = 0.6
OVERDRAFT = 1.1
_WORD = re.compile(r"[^\W_]{4,}")
_CAPTION = re.compile(r" ?\[shares a photo: .*\]$")

#: Returns the block for a question of a conversation within a budget.
Answer = Callable[[LocomoConversation, LocomoQuestion, int], str]


@dataclass(slots=True)
class Figures:
    """Sums over questions; the properties are means."""

    found: list[float] = field(default_factory=list)
    words: list[float] = field(default_factory=list)
    tokens: list[float] = field(default_factory=list)
    by_category: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))

    @property
    def evidence(self) -> float:
        """Mean share of a question's evidence that was found."""
        return _mean(self.found)

    @property
    def answer_words(self) -> float:
        """Mean share of the answer's words that the block holds."""
        return _mean(self.words)

    @property
    def mean_tokens(self) -> float:
        """Mean length of a block, in quarters of a character."""
        return _mean(self.tokens)

    def category(self, number: int) -> float:
        """Mean evidence of one category of questions."""
        return _mean(self.by_category.get(number, []))

    def add(self, other: Figures) -> None:
        """Take another conversation's questions in."""
        self.found += other.found
        self.words += other.words
        self.tokens += other.tokens
        for number, values in other.by_category.items():
            self.by_category[number] += values


def long_words(text: str) -> frozenset[str]:
    """Return the distinct words of more than three letters."""
    return frozenset(_WORD.findall(text.casefold()))


def carried(turn: str, lines: Sequence[frozenset[str]]) -> bool | None:
    """Whether one line carries the turn; None when the turn has no long word to look for."""
    wanted = long_words(_CAPTION.sub("", turn)) or long_words(turn)
    if not wanted:
        return None
    return any(len(wanted & line) >= CARRIED * len(wanted) for line in lines)


def measure(conversation: LocomoConversation, answer: Answer, budget: int) -> Figures:
    """Ask every question of a conversation."""
    texts = {turn.id: turn.text for session in conversation.sessions for turn in session.turns}
    done = Figures()
    for question in conversation.questions:
        block = answer(conversation, question, budget)
        tokens = len(block) / 4
        done.tokens.append(tokens)
        lines = [] if tokens > budget * OVERDRAFT else [long_words(line) for line in block.split("\n")]
        verdicts = [carried(texts[turn], lines) for turn in question.evidence if turn in texts]
        counted = [verdict for verdict in verdicts if verdict is not None]
        if counted:
            share = sum(counted) / len(counted)
            done.found.append(share)
            done.by_category[question.category].append(share)
        wanted = long_words(question.answer)
        if question.category != ADVERSARIAL and wanted:
            held = frozenset[str]().union(*lines)
            done.words.append(len(wanted & held) / len(wanted))
    return done


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
