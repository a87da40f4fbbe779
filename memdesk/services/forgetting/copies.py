"""Finds copies and paraphrases of what is forgotten: receipts, the log, runs, the bin, titles, drafts.

Rows that reference deleted ones are found by id. This finds the rest: texts similar to a forgotten one, or naming a
forgotten person, in rows about something else. A text stays if a remaining row says exactly the same: words said in two
conversations are forgotten with only one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from memdesk.domain.chatting import drafts
from memdesk.domain.chatting.files import WHOLE, shortened
from memdesk.domain.chatting.titles import TITLED, title_of
from memdesk.domain.chatting.versions import FORMER, THOUGHTS
from memdesk.domain.forgetting.redaction import Tells, names, tells_any
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.language.text import one_line, sentences
from memdesk.domain.models import Conversation, Receipt, ReceiptItem
from memdesk.domain.recalling.planner import undated
from memdesk.services.distilling import PREFIX as RULE_PREFIX
from memdesk.services.recalling import CARD_PREFIX
from memdesk.services.testing import PREFIX as TEST_PREFIX

if TYPE_CHECKING:
    from memdesk.ports import CopiedTexts, CopySource, Repositories
    from memdesk.services.forgetting.scope import Scope

SOURCES: Final[tuple[CopySource, ...]] = ("history", "changes", "bin", "reasons")
_PAGE: Final = 500


@dataclass(slots=True)
class Copies:
    """Rows that repeat what is forgotten.

    Attributes:
        receipts: new states of receipts, with the lines and questions that say it blanked.
        rows: numbers of rows to blank, by table.
        notes: keys of small values to delete.
        threads: new states of remaining conversations.
    """

    receipts: dict[str, Receipt] = field(default_factory=dict)
    rows: dict[CopySource, list[int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    threads: dict[tuple[str, str], Conversation] = field(default_factory=dict)


def find_copies(repos: Repositories, scope: Scope) -> Copies:
    """Scan everything about the affected agents, without changes and without holding the writer."""
    copies = Copies()
    agents = sorted(scope.agent_ids() - scope.agents.keys())
    tells = teller(scope)
    _notes(repos, scope, copies, tells)
    if not agents:
        return copies
    still = _Still(repos, scope)
    about = {turn.receipt_id for turn in scope.turns.values() if turn.receipt_id is not None}
    if questions := {turn.content for turn in scope.turns.values() if turn.role == "user"}:
        about |= {receipt_id for receipt_id, query in repos.erasing.asked(agents) if query in questions}
    if scope.names or any(scope.statements()):
        about |= _telling_receipts(repos, agents, tells)
        gone = set(scope.refs())
        for source in SOURCES:
            # Identity belongs to no single agent and is logged under none.
            rows = _every_text(repos, source, [*agents, ""])
            found = (row.seq for row in rows if (row.kind, row.ref_id) in gone or _tells_row(row, tells, still))
            copies.rows[source] = list(found)
    _receipts(repos, scope, copies, sorted(about), tells, still)
    _threads(repos, scope, copies, tells)
    return copies


def teller(scope: Scope) -> Tells:
    """Return a predicate for texts that say something forgotten, as a whole or in one sentence."""
    staying = [
        turn for turn in scope.turns.values() if (turn.agent_id, turn.conversation_id) not in scope.conversations
    ]
    alike = tells_any([*scope.statements(), *(line for turn in staying for line in sentences(turn.content))])
    named = [names(name) for name in scope.names]

    @cache
    def tells(text: str) -> bool:
        if any(one(text) for one in named) or alike(text):
            return True
        parts = sentences(text)
        return len(parts) > 1 and any(alike(part) for part in parts)

    return tells


class _Still:
    """The texts of remaining rows, as they will be afterwards."""

    def __init__(self, repos: Repositories, scope: Scope) -> None:
        self._repos = repos
        self._scope = scope
        self._said: dict[tuple[str, str], frozenset[str]] = {}
        self._threads: dict[tuple[str, str], frozenset[str]] = {}

    def says(self, kind: str, ref_id: str, text: str) -> bool:
        """Whether this row has exactly this text."""
        key = (kind, ref_id)
        if key not in self._said:
            self._said[key] = frozenset(one_line(line) for line in self._lines(kind, ref_id))
        return one_line(text) in self._said[key]

    def asks(self, receipt: Receipt) -> bool:
        """Whether a remaining message is the question of a receipt."""
        key = (receipt.agent_id, receipt.conversation_id or "")
        if key not in self._threads:
            turns = self._repos.turns.of_conversation(*key)
            self._threads[key] = frozenset(turn.content.strip() for turn in turns if turn.id not in self._scope.turns)
        return receipt.query.strip() in self._threads[key]

    def _lines(self, kind: str, ref_id: str) -> Iterator[str]:
        scope, repos = self._scope, self._repos
        row: Any = None
        if kind == "fact":
            row = scope.changed_facts.get(ref_id) or repos.items.get(ref_id)
        elif kind == "episode":
            row = scope.changed_episodes.get(ref_id) or repos.items.get(ref_id)
        elif kind == "identity":
            row = scope.changed_identity.get(ref_id) or repos.items.get(ref_id)
        elif kind == "turn":
            row = repos.turns.get(ref_id)
        if row is None:
            return
        yield row.content
        if isinstance(row, MemoryItem):
            yield from (source.quote for source in row.sources)
            if row.digest is not None:
                told = row.digest
                yield from (*row.tags, *told.entities, *told.decisions, *told.action_items)
                yield f"{row.content} Decided: {'; '.join(told.decisions)}"
                yield from (detail.content for detail in told.details)


def _telling_receipts(repos: Repositories, agent_ids: Sequence[str], tells: Tells) -> set[str]:
    """Return receipts that may say it in a line, a quote or their question."""
    found = {receipt_id for receipt_id, query in repos.erasing.asked(agent_ids) if tells(query)}
    shown = repos.erasing.shown(agent_ids)
    refs = {(kind, ref) for kind, ref, line, quote in shown if kind != "turn" and (tells(_said(line)) or tells(quote))}
    return found.union(*(repos.erasing.showing(kind, ref) for kind, ref in sorted(refs)))


def _receipts(
    repos: Repositories, scope: Scope, copies: Copies, receipt_ids: Sequence[str], tells: Tells, still: _Still
) -> None:
    gone = set(scope.refs())

    def told(item: ReceiptItem, text: str) -> bool:
        # A remaining message is shown unchanged.
        return bool(text) and item.kind != "turn" and tells(text) and not still.says(item.kind, item.id, text)

    def blanked(item: ReceiptItem) -> ReceiptItem:
        if (item.kind, item.id) in gone:
            return replace(item, line="", quote="")
        line = "" if told(item, _said(item.line)) else item.line
        return replace(item, line=line, quote="" if told(item, item.quote) else item.quote)

    for receipt in filter(None, map(repos.receipts.get, receipt_ids)):
        if (receipt.agent_id, receipt.conversation_id) in scope.conversations:
            continue
        items = tuple(blanked(item) for item in receipt.items)
        asked_in = receipt.turn_id in scope.turns
        block = "" if asked_in or items != receipt.items else receipt.block
        query = "" if asked_in or (tells(receipt.query) and not still.asks(receipt)) else receipt.query
        left_out = tuple(blanked(item) for item in receipt.left_out)
        new = replace(receipt, items=items, left_out=left_out, query=query, block=block)
        if new != receipt:
            copies.receipts[receipt.id] = new


def _said(line: str) -> str:
    """Return the statement of a receipt's line."""
    return undated(line).removeprefix("- ")


def _every_text(repos: Repositories, source: CopySource, agent_ids: Sequence[str]) -> Iterator[CopiedTexts]:
    after = 0
    while rows := repos.erasing.texts(source, agent_ids, after, _PAGE):
        yield from rows
        after = rows[-1].seq


def _tells_row(row: CopiedTexts, tells: Tells, still: _Still) -> bool:
    if row.reason and tells(row.reason):
        return True
    texts = (text for value in row.values for text in _strings(value))
    return any(tells(text) and not still.says(row.kind, row.ref_id, text) for text in texts)


def _strings(value: Any) -> Iterator[str]:
    """Yield the texts in a JSON value; texts without a space are ids, statuses or single words."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


def _notes(repos: Repositories, scope: Scope, copies: Copies, tells: Tells) -> None:
    """Collect drafts, questions to the user, rules, memory tests, muted and unused lines that quote it."""
    agents = scope.agents.keys()
    for key, card in repos.meta.prefix(CARD_PREFIX).items():
        mine = not {card["old"], card["new"]}.isdisjoint(scope.facts)
        if scope.everything or card["agent_id"] in agents or mine or tells(str(card["reason"])):
            copies.notes.append(key)
    for key, rule in repos.meta.prefix(RULE_PREFIX).items():
        text = str(rule["text"])
        if scope.everything or rule["agent_id"] in agents or tells(text.partition(": ")[2]) or tells(text):
            copies.notes.append(key)
    touched, gone = scope.agent_ids(), {ref for _kind, ref in scope.refs()}
    for key, test in repos.meta.prefix(TEST_PREFIX).items():
        about = test["agent_id"] in touched and (tells(test["question"]) or tells(test["line"]))
        if scope.everything or test["agent_id"] in agents or test["ref_id"] in gone or about:
            copies.notes.append(key)

    def tells_it(prefix: str, value: Any) -> bool:
        if prefix == FORMER:
            return not scope.keep_former and any(text in gone or tells(text) for text in _strings(value))
        if prefix == THOUGHTS:
            return not scope.keep_former and tells(value["text"])
        return prefix not in of_ids and any(map(tells, _written(value)))

    # One id for each line that was ever shown: no text, and too many to read each for nothing.
    of_ids = ("muted:", "unused:")
    written = (drafts.NEXT, drafts.FILES, drafts.PICTURES, drafts.CHOICE, drafts.OVERRIDES)
    copies.notes += whole_files(repos, scope, tells)
    for prefix in (*written, *of_ids, TITLED, FORMER, THOUGHTS):
        for key, value in repos.meta.prefix(prefix).items():
            owner, thread, part = (*key.removeprefix(prefix).split("\x1f"), "", "")[:3]
            mine = (part in scope.turns) or (owner in touched and tells_it(prefix, value))
            if scope.everything or owner in agents or (owner, thread) in scope.conversations or mine:
                copies.notes.append(key)


def whole_files(repos: Repositories, scope: Scope, tells: Tells) -> list[str]:
    """Return the keys of files to delete: with their conversation or message, or because they say it."""
    owners = [""] if scope.everything else [f"{agent_id}\x1f" for agent_id in sorted(scope.agent_ids())]
    sent = {
        (turn.agent_id, turn.conversation_id, name)
        for turn in scope.turns.values()
        if not scope.keep_former
        for name in shortened([turn.content])
    }
    found: list[str] = []
    for key, text in (file for owner in owners for file in repos.meta.prefix(WHOLE + owner).items()):
        agent_id, thread, name = key.removeprefix(WHOLE).split("\x1f")
        goes = scope.everything or agent_id in scope.agents or (agent_id, thread) in scope.conversations
        if goes or (agent_id, thread, name) in sent or tells(text):
            found.append(key)
    return found


def _written(draft: Any) -> list[str]:
    """Return the texts of a draft: its text, the names and contents of its files, or a chat's settings."""
    if isinstance(draft, dict):
        return [text for pair in draft.items() for text in pair if isinstance(text, str)]
    return [draft] if isinstance(draft, str) else []


def _threads(repos: Repositories, scope: Scope, copies: Copies, tells: Tells) -> None:
    """Remove forgotten text from titles and drafts of remaining conversations: titles may quote a message."""
    threads = {(turn.agent_id, turn.conversation_id) for turn in scope.turns.values()}
    threads |= {(fact.agent_id, fact.run_id) for fact in scope.facts.values() if fact.run_id}
    titles = {title_of(turn.content) for turn in scope.turns.values()}
    for agent_id, conversation_id in sorted(threads - scope.conversations.keys()):
        thread = repos.conversations.get(agent_id, conversation_id)
        if thread is None:
            continue
        new = thread
        if thread.title in titles or tells(thread.title) or _named_after(repos, scope, thread):
            new = replace(new, title=_first_title(repos, scope, thread, tells))
        if tells(thread.draft):
            new = replace(new, draft="")
        if new != thread:
            copies.threads[agent_id, conversation_id] = new


def _named_after(repos: Repositories, scope: Scope, thread: Conversation) -> bool:
    """Whether a model derived a conversation's title from a deleted message; replacing an answer does not count."""
    if repos.meta.get(f"{TITLED}{thread.agent_id}\x1f{thread.id}") != thread.title:
        return False
    going = [
        turn for turn in scope.turns.values() if (turn.agent_id, turn.conversation_id) == (thread.agent_id, thread.id)
    ]
    return any(turn.position < 2 and (turn.role == "user" or not scope.keep_former) for turn in going)


def _first_title(repos: Repositories, scope: Scope, thread: Conversation, tells: Callable[[str], bool]) -> str:
    turns = repos.turns.of_conversation(thread.agent_id, thread.id)
    left = (title_of(turn.content) for turn in turns if turn.role == "user" and turn.id not in scope.turns)
    return next((title for title in left if not tells(title)), "")
