"""Marks what must not be learned again, without keeping it.

If a fact is forgotten but the message it came from is kept, the fact should not return when the conversation continues
and is read again. So each such message is marked with keyed hashes of the statement's words: enough to recognize its
sentences in that message, but unreadable. If it is said again elsewhere, it may be learned again.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from memdesk.domain.comparing.similarity import containment, jaccard, word_set
from memdesk.domain.forgetting.redaction import COPY_CONTAINMENT, COPY_JACCARD
from memdesk.domain.language.text import sentences

#: Marks a message from which nothing more is learned.
NOTHING = "\u2026"
_ENOUGH_WORDS = 3

Mark = frozenset[str]


def mark(text: str, salt: bytes) -> Mark:
    """Return keyed hashes (BLAKE2b, 48 bits, hex) of the content words of ``text``."""
    return frozenset(
        hashlib.blake2b(word.encode("utf-8", "surrogatepass"), key=salt, digest_size=6).hexdigest()
        for word in word_set(text)
    )


@dataclass(slots=True)
class Forgotten:
    """What was forgotten of one message.

    Attributes:
        salt: 16 random bytes, for this message only.
        marks: one for each statement.
    """

    salt: bytes
    marks: list[Mark] = field(default_factory=list)

    def add(self, texts: Iterable[str]) -> None:
        for text in texts:
            found = mark(text, self.salt)
            if found and found not in self.marks:
                self.marks.append(found)

    def cut(self, text: str) -> str:
        """Return the message without the sentences that state what was forgotten."""
        kept = [sentence for sentence in sentences(text) if not self._tells(sentence)]
        return " ".join(kept) or NOTHING

    def _tells(self, sentence: str) -> bool:
        mine = mark(sentence, self.salt)
        return any(
            jaccard(mine, one) >= COPY_JACCARD
            or (len(one) >= _ENOUGH_WORDS and containment(one, mine) >= COPY_CONTAINMENT)
            for one in self.marks
        )
