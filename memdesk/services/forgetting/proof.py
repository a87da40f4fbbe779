"""Proof of forgetting: distinctive phrases of deleted texts are searched for in every page and by every search."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from memdesk.domain.chatting.folders import FOLDERS
from memdesk.domain.chatting.prompts import PROMPTS
from memdesk.domain.models import Target
from memdesk.ports import Repositories, StoreUpkeep, TextFilter

#: Minimum length of a phrase: shorter ones are found by chance.
MIN_CHARS: Final = 8
#: Maximum length: longer ones prove no more, and a text longer than a page is not stored contiguously.
MAX_CHARS: Final = 48
#: Maximum phrases: each makes the pass over the file somewhat longer.
MAX_PHRASES: Final = 16

#: Tables with original texts; in any other one a phrase is a copy.
_SAID_ANEW: Final = frozenset({"turns", "conversations", "items", "entities", "agents"})
_SEARCHES: Final[tuple[Target, ...]] = ("turn", "episode", "detail", "fact")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The result of a proof.

    Attributes:
        kept_elsewhere: phrases also in remaining rows.
        left: where phrases were still found.
        tables: how many tables were read, every text column of each.
    """

    checked: int
    kept_elsewhere: int
    left: tuple[str, ...]
    tables: int = 0

    def in_words(self) -> str:
        """Describe what was checked and found, for the user."""
        more = f"{self.kept_elsewhere} phrase{'' if self.kept_elsewhere == 1 else 's'}"
        if not self.checked and not self.left:
            return f"Nothing could be checked: what stays says the same ({more} tried)." if self.kept_elsewhere else ""
        phrases = f"{self.checked} phrase{'' if self.checked == 1 else 's'} of what was forgotten"
        places = (
            f"every text in {self.tables} tables, in every decrypted page of the file and of its log, free pages too, "
            "by full-text search of messages, facts, episodes and details, and among the vectors"
        )
        also = f" What stays says the same as {more} more." if self.kept_elsewhere else ""
        found = f"found: {'; '.join(self.left)}." if self.left else "none was found."
        return f"Looked for {phrases} in {places}: {found}{also}"


def choose_phrases(texts: Iterable[str], *, limit: int = MAX_PHRASES) -> list[str]:
    """Return up to ``limit`` parts of ``texts`` as stored in the file, spread over all of them.

    Quotation marks and backslashes are avoided, since JSON escapes them.
    """
    rounds = zip_longest(*(_pieces(text) for text in texts))
    found = list(dict.fromkeys(piece for turn in rounds for piece in turn if piece))
    if len(found) <= limit:
        return found
    step = len(found) / limit
    return [found[int(number * step)] for number in range(limit)]


def _pieces(text: str) -> list[str]:
    """Return recognizable parts of a text, most distinctive first.

    Of long ones the middle, then the end and the start: many sentences start alike.
    """
    parts = [part.strip() for line in text.splitlines() for part in line.replace("\\", '"').split('"')]
    found: list[str] = []
    for part in sorted(parts, key=len, reverse=True):
        if len(part) <= MAX_CHARS:
            found.append(part)
            continue
        spare = len(part) - MAX_CHARS
        for start in (spare // 2, spare, 0):
            cut = part[start : start + MAX_CHARS]
            # Whole words only, except in scripts without spaces.
            words = cut.split(" ")
            whole = words[1 if start else 0 : len(words) if start == spare else -1]
            found.append(" ".join(whole) or cut)
    return [piece for piece in found if len(piece) >= MIN_CHARS]


def prove(store: StoreUpkeep, phrases: Sequence[str], agent_ids: Sequence[str]) -> Proof:
    """Look for ``phrases`` in every decrypted page of the file and through full-text search.

    A phrase also in a remaining row proves nothing and is only counted.
    """
    kept = 0
    left: list[str] = []
    with store.read() as repos:
        tables = len(repos.text.text_columns())
        strays = repos.embeddings.strays()
    if strays:
        left.append(f"{strays} vectors without a row")
    on_pages = store.pages_holding([phrase.encode("utf-8") for phrase in phrases])
    for phrase in phrases:
        on_a_page = phrase.encode("utf-8") in on_pages
        with store.read() as repos:
            found = repos.text.holding(phrase) if on_a_page else []
            holders = {table for table, _ in found}
            own = any(table == "meta" and key.startswith((PROMPTS, FOLDERS)) for table, key in found)
            if holders & _SAID_ANEW or own:
                kept += 1
                continue
            left += [f"a copy in {table}" for table in sorted(holders)]
            if on_a_page and not holders:
                left.append("a page of the file")
            left += [f"full-text search of {target}s" for target in _stale(repos, phrase, agent_ids)]
    return Proof(checked=len(phrases) - kept, kept_elsewhere=kept, left=tuple(dict.fromkeys(left)), tables=tables)


def _stale(repos: Repositories, phrase: str, agent_ids: Sequence[str]) -> list[str]:
    """Return the searches that still return a deleted row."""
    found: list[str] = []
    for target in _SEARCHES:
        for agent_id in agent_ids:
            seqs = [hit.seq for hit in repos.text.search(target, [phrase], TextFilter(agent_id=agent_id), limit=20)]
            if _rows(repos, target, seqs) < len(set(seqs)):
                found.append(target)
    return found


def _rows(repos: Repositories, target: Target, seqs: Sequence[int]) -> int:
    """Return how many of the given rows exist."""
    match target:
        case "turn":
            return len(repos.turns.by_seq(seqs))
        case "episode" | "detail" | "fact":
            return len(repos.items.by_seq(seqs, details=False))
