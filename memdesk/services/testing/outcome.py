"""A memory test, its last result, and what changed since it passed."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final, Literal

from memdesk.domain.language.text import fold, one_line, shorten, words
from memdesk.domain.models import FactStatus, Receipt, ReceiptItem
from memdesk.messages import say
from memdesk.ports import Repositories

#: ``(kind, id)`` of a line, as receipts name it.
Ref = tuple[str, str]
#: Lines stored of a run, most likely first; and lines reported as having displaced it.
_SHOWN: Final = 12
_TOLD: Final = 3
_CHARS: Final = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of one run.

    Attributes:
        rank: its rank by probability, from 1, among shown and omitted lines; None if not among them.
        left_out: why it was left out, as in a receipt; "" if it was not considered.
        model: the embedder used for the question; "" for text only.
        shown: the lines of the block, most likely first.
        known: some remembered item says the line.
    """

    at: str
    found: bool
    rank: int | None
    section: str
    left_out: str
    model: str
    shown: tuple[Ref, ...]
    known: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A test as stored: without text except the user's question and line.

    Attributes:
        kind: of the line in the receipt that the test was made from; "" if the user wrote the line.
        ref_id: the same.
        last: the last run.
        green: the last run that found it.
    """

    id: str
    agent_id: str
    question: str
    line: str
    created_at: str
    kind: str = ""
    ref_id: str = ""
    last: Outcome | None = None
    green: Outcome | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTest:
    """A question and the line that must be found for it, with its last result.

    Attributes:
        line: the text that a line of the block must contain.
        state: ``new`` until it was run.
        rank: the line's rank in the last run, from 1; None if it was not considered.
        rank_before: the same in the last run that found it; None: none did.
        reasons: for a failed one, what changed, in sentences for the user.
    """

    id: str
    agent_id: str
    question: str
    line: str
    state: Literal["new", "passed", "failed"]
    created_at: datetime
    checked_at: datetime | None = None
    rank: int | None = None
    rank_before: int | None = None
    reasons: tuple[str, ...] = ()


def judge(test: Stored, receipt: Receipt, model: str) -> Outcome:
    """Return the result of a run with this ``receipt``, whose question ``model`` embedded."""

    def is_it(item: ReceiptItem) -> bool:
        return (item.kind, item.id) == (test.kind, test.ref_id) or says(item.line, test.line)

    ranked = sorted((*receipt.items, *receipt.left_out), key=lambda item: -item.score)
    left = next((item.left_out for item in receipt.left_out if is_it(item)), "")
    # A duplicate is left out because a line of the block says the same.
    found = any(map(is_it, receipt.items)) or left == "duplicate"
    # Identity lines displace nothing.
    others = (item for item in receipt.items if item.kind != "identity")
    shown = sorted(others, key=lambda item: -item.score)[:_SHOWN]
    return Outcome(
        at=receipt.created_at.isoformat(),
        found=found,
        rank=next((place for place, item in enumerate(ranked, 1) if is_it(item)), None),
        section=receipt.section,
        left_out="" if found else left,
        model=model if receipt.mode == "hybrid" else "",
        shown=tuple((item.kind, item.id) for item in shown),
    )


def says(text: str, line: str) -> bool:
    """Whether ``text`` contains the words of ``line`` in order, ignoring case, accents and punctuation."""
    wanted = _plain(line)
    return bool(wanted.strip()) and wanted in _plain(text)


def _plain(text: str) -> str:
    return f" {' '.join(map(fold, words(text)))} "


def view(repos: Repositories, test: Stored) -> MemoryTest:
    """Return a test for the user; for a failed one, with what changed according to the present memory."""
    last, green = test.last, test.green
    return MemoryTest(
        id=test.id,
        agent_id=test.agent_id,
        question=test.question,
        line=test.line,
        state="new" if last is None else "passed" if last.found else "failed",
        created_at=datetime.fromisoformat(test.created_at),
        checked_at=None if last is None else datetime.fromisoformat(last.at),
        rank=last.rank if last else None,
        rank_before=green.rank if green else None,
        reasons=() if last is None or last.found else tuple(_reasons(repos, test, last)),
    )


def _reasons(repos: Repositories, test: Stored, last: Outcome) -> Iterator[str]:
    green = test.green
    if not last.known:
        yield say("Nothing that is remembered says this.")
        return
    if gone := _what_became(repos, test):
        yield gone
    if last.section == "none":
        yield say("The gate took the question for one that needs no memory.")
    elif last.left_out:
        yield _LEFT_OUT.get(last.left_out, say("It was left out."))
    elif not gone:
        yield say("It is not among the lines that were looked at.")
    if last.rank is not None and green is not None and green.rank is not None:
        yield say("It ranked {before} by likelihood, and now ranks {now}.", before=green.rank, now=last.rank)
    elif last.rank is not None:
        yield say("It ranks {now} by likelihood.", now=last.rank)
    if green is not None and green.model != last.model:
        yield say(
            "It was found with {before}; the question is now read by {now}.",
            before=green.model or say("words alone"),
            now=last.model or say("words alone"),
        )
    before = frozenset(green.shown) if green is not None else frozenset()
    others = [text for ref in last.shown if ref not in before and (text := _text(repos, ref))]
    for text in others[:_TOLD]:
        yield say("Shown instead: {line}", line=shorten(one_line(text), _CHARS))


_LEFT_OUT: Final = {
    "budget": say("Other lines took all the room."),
    "noise": say("It is far less likely than the best line."),
    "order": say("It reads like an order to a model."),
    "local_only": say("It is kept for models on this machine."),
}


def _what_became(repos: Repositories, test: Stored) -> str:
    """Return what happened to the test's item, or that nothing says the line; "" while it exists."""
    if test.kind in {"fact", "identity", "detail", "episode"}:
        item = repos.items.get(test.ref_id)
        if item is not None and item.superseded_by and (heir := repos.items.get(item.superseded_by)) is not None:
            merged = item.status is FactStatus.MERGED
            text = shorten(one_line(heir.content), _CHARS)
            return (
                say("It was merged into: {line}", line=text) if merged else say("It was replaced by: {line}", line=text)
            )
        return say("It is forgotten.") if item is None else _STATES.get(item.status, "")
    if test.kind == "turn":
        return "" if repos.turns.get(test.ref_id) is not None else say("It is forgotten.")
    return ""


_STATES: Final = {
    FactStatus.BINNED: say("It is in the bin."),
    FactStatus.DISABLED: say("It is switched off."),
    FactStatus.SUPERSEDED: say("It is no longer true."),
    FactStatus.MERGED: say("It was merged into another one."),
}


def _text(repos: Repositories, ref: Ref) -> str:
    kind, ref_id = ref
    if kind == "turn":
        turn = repos.turns.get(ref_id)
        return turn.content if turn else ""
    item = repos.items.get(ref_id)
    return item.content if item else ""


def to_json(test: Stored) -> dict[str, Any]:
    return asdict(test)


def from_json(value: dict[str, Any]) -> Stored:
    """Parse the output of :func:`to_json`."""
    return Stored(**{**value, "last": _outcome(value["last"]), "green": _outcome(value["green"])})


def _outcome(value: dict[str, Any] | None) -> Outcome | None:
    if value is None:
        return None
    shown: Sequence[Sequence[str]] = value["shown"]
    return Outcome(**{**value, "shown": tuple((kind, ref_id) for kind, ref_id in shown)})
