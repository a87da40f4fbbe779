"""The user's own questions, rerun after anything that may change their results."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from attrs import define

from memdesk.domain.language.text import one_line, words
from memdesk.domain.models import new_id
from memdesk.domain.recalling.planner import undated
from memdesk.errors import BadRequestError, LockedError, NotFoundError
from memdesk.messages import say
from memdesk.services.events import EventBus, ImportFinished, MemoryTestsChanged, Notice, RunChanged, SettingsChanged
from memdesk.services.moments import now_ms
from memdesk.services.testing.outcome import MemoryTest, Stored, from_json, judge, says, to_json, view

if TYPE_CHECKING:
    from memdesk.ports import Clock, Lanes, Repositories, Store
    from memdesk.services.recalling import IndexingService, RecallService

log = logging.getLogger(__name__)
#: Prefix of the tests' keys in ``meta``, which forgetting covers.
PREFIX: Final = "memory_test:"
#: Seconds without changes before tests are rerun.
SETTLE_SECONDS: Final = 5.0
_KEY: Final = "memory tests"
#: Hits searched for a line written by the user.
_LOOKED_AT: Final = 50


@define(kw_only=True, eq=False, repr=False, slots=False)
class MemoryTestsService:
    """Stores and runs memory tests. Thread-safe.

    Unknown ids raise ``NotFoundError``.

    Args:
        events: publishes test changes; source of model changes, imports and consolidations.
        indexing: reports the embedder in use, and whether everything is embedded.
    """

    _store: Store
    _clock: Clock
    _events: EventBus
    _lanes: Lanes
    _recall: RecallService
    _indexing: IndexingService

    def __attrs_post_init__(self) -> None:
        self._due = False
        self._listening = False

    def start(self) -> None:
        """Listen for anything that may change results. Idempotent."""
        if self._listening:
            return
        self._listening = True
        self._events.subscribe(SettingsChanged, self._settings_changed)
        self._events.subscribe(ImportFinished, lambda _event: self._soon())
        self._events.subscribe(RunChanged, self._run_changed)

    def all(self, agent_id: str | None = None) -> list[MemoryTest]:
        """Return the tests of an agent, or of all, failing ones first, then newest."""
        with self._store.read() as repos:
            found = [view(repos, test) for test in _load(repos, agent_id)]
        found.sort(key=lambda test: test.created_at, reverse=True)
        return sorted(found, key=lambda test: test.state != "failed")

    def get(self, test_id: str) -> MemoryTest:
        with self._store.read() as repos:
            return view(repos, _known(repos, test_id))

    def add(self, *, agent_id: str, question: str, line: str) -> MemoryTest:
        """Store a question with the text that its block must contain, and run it.

        Raises:
            BadRequestError: one of them has no word.
            NotFoundError: the agent does not exist.
        """
        question, line = question.strip(), one_line(line)
        if not words(question) or not words(line):
            raise BadRequestError(say("A memory test needs a question and the line that must be found for it."))
        return self._add(agent_id, question, line)

    def add_from(self, receipt_id: str, kind: str, ref_id: str) -> MemoryTest:
        """Create a test from a receipt's question and one of its lines, and run it.

        Raises:
            NotFoundError: the receipt does not exist, or has no such line (any more).
            BadRequestError: its question was forgotten.
        """
        with self._store.read() as repos:
            receipt = repos.receipts.get(receipt_id)
            known = [] if receipt is None else [*receipt.items, *receipt.left_out]
            item = next((one for one in known if (one.kind, one.id) == (kind, ref_id) and one.line), None)
        if receipt is None or item is None:
            raise NotFoundError(say("There is no such line in a receipt any more."))
        if not words(receipt.query):
            raise BadRequestError(say("The question of this reply is forgotten."))
        return self._add(receipt.agent_id, receipt.query, undated(item.line).removeprefix("- "), kind, ref_id)

    def _add(self, agent_id: str, question: str, line: str, kind: str = "", ref_id: str = "") -> MemoryTest:
        test = Stored(
            id=new_id(),
            agent_id=agent_id,
            question=question,
            line=line,
            created_at=now_ms(self._clock).isoformat(),
            kind=kind,
            ref_id=ref_id,
        )

        def work(repos: Repositories) -> Stored:
            if repos.agents.get(agent_id) is None:
                raise NotFoundError(say("There is no agent '{agent_id}'.", agent_id=agent_id))
            same = (one for one in _load(repos, agent_id) if _asks_the_same(one, test))
            found = next(same, test)
            if found is test:
                repos.meta.put(PREFIX + test.id, to_json(test))
            return found

        return self._run([self._store.write(work)])[0]

    def remove(self, test_id: str) -> None:
        def work(repos: Repositories) -> None:
            _known(repos, test_id)
            repos.meta.put(PREFIX + test_id, None)

        self._store.write(work)
        self._events.publish(MemoryTestsChanged())

    def run(self, agent_id: str | None = None) -> list[MemoryTest]:
        """Run the tests of an agent, or of all, now; return them like :meth:`all`."""
        with self._store.read() as repos:
            tests = _load(repos, agent_id)
        self._run(tests)
        return self.all(agent_id)

    def _run(self, tests: Sequence[Stored]) -> list[MemoryTest]:
        """Ask the questions as a new chat would, without counting uses, and store the results."""
        for agent_id in {test.agent_id for test in tests}:
            # Cached answers may use old vectors.
            self._recall.invalidate(agent_id)
        embedder = self._indexing.status()
        done = []
        for test in tests:
            receipt = self._recall.context(agent_id=test.agent_id, query=test.question)
            outcome = judge(test, receipt, embedder["model"])
            if not outcome.found and not test.kind:
                said = self._recall.search(agent_id=test.agent_id, query=test.line, limit=_LOOKED_AT).items
                outcome = replace(outcome, known=any(says(item.text, test.line) for item in said))
            done.append(replace(test, last=outcome, green=outcome if outcome.found else test.green))

        def work(repos: Repositories) -> list[MemoryTest]:
            for test in done:
                # One deleted meanwhile stays deleted.
                if repos.meta.get(PREFIX + test.id) is not None:
                    repos.meta.put(PREFIX + test.id, to_json(test))
            return [view(repos, test) for test in done]

        found = self._store.write(work)
        self._events.publish(MemoryTestsChanged())
        return found

    def _settings_changed(self, event: SettingsChanged) -> None:
        if any(name.startswith("memory.") for name in event.names):
            self._soon()

    def _run_changed(self, event: RunChanged) -> None:
        embedded = event.kind == "reembed" and event.status == "done"
        if (embedded and self._due) or (event.kind == "consolidation" and event.status in {"done", "undone"}):
            self._soon()

    def _soon(self) -> None:
        self._due = True
        self._lanes.later(SETTLE_SECONDS, "background", self.run_due, key=_KEY)

    def run_due(self) -> None:
        """Rerun all tests if something changed, once everything is embedded; report new failures."""
        try:
            embedded = self._indexing.status()
            if not self._due or (embedded["missing"] and not embedded["error"]):
                # Called again when the last vector exists.
                return
            self._due = False
            before = {test.id for test in self.all() if test.state == "failed"}
            failed = [test for test in self.run() if test.state == "failed" and test.id not in before]
        except LockedError:
            log.info("memory tests wait for the memory to be unlocked")
            return
        if failed:
            self._events.publish(
                Notice(
                    "warning",
                    title=say("Not found any more: {n:memory test}", n=len(failed)),
                    message=failed[0].question,
                    hint=say("Memory, Tests shows what changed."),
                    code="memory_tests",
                )
            )


def _load(repos: Repositories, agent_id: str | None) -> list[Stored]:
    found = [from_json(value) for value in repos.meta.prefix(PREFIX).values()]
    return [test for test in found if agent_id is None or test.agent_id == agent_id]


def _known(repos: Repositories, test_id: str) -> Stored:
    value = repos.meta.get(PREFIX + test_id)
    if value is None:
        raise NotFoundError(say("There is no such memory test."), hint=say("GET /memory/tests lists them."))
    return from_json(value)


def _asks_the_same(one: Stored, other: Stored) -> bool:
    if one.question != other.question:
        return False
    if other.kind:
        return (one.kind, one.ref_id) == (other.kind, other.ref_id)
    return words(one.line) == words(other.line)
