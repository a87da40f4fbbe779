"""Memory tests: found and not found, what changed, reruns, and their deletion on forgetting."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdesk.domain.models import FactStatus
from memdesk.errors import BadRequestError, NotFoundError
from memdesk.services.events import ImportFinished, Notice, RunChanged, SettingsChanged
from memdesk.services.forgetting.forgetting import ForgetTarget, ForgettingService
from memdesk.services.testing.memory_tests import MemoryTestsService
from memdesk.services.testing.outcome import says
from tests.helpers.recall_desk import Desk, WordEmbedder

QUESTION = "What work does Petra do?"


@pytest.fixture
def desk(tmp_path):
    made = Desk(tmp_path)
    made.agent("a")
    made.agent("b")
    made.forgetting = ForgettingService(store=made.store, clock=made.clock, events=made.events, indexing=made.indexing)
    made.tests = MemoryTestsService(
        store=made.store,
        clock=made.clock,
        events=made.events,
        lanes=made.lanes,
        recall=made.recall,
        indexing=made.indexing,
    )
    yield made
    made.close()


@pytest.fixture
def fact(desk):
    made = desk.fact("Petra repairs cranes in Bergen.")
    # A name that is known opens the gate.
    desk.entity("Petra")
    desk.indexing.flush()
    return made


@pytest.fixture
def from_receipt(desk, fact):
    receipt = desk.recall.context(agent_id="a", query=QUESTION, section="pinned", store_receipt=True)
    return desk.tests.add_from(receipt.id, "fact", fact.id)


def change(desk, item, **fields):
    desk.store.write(lambda repos: repos.items.change(replace(item, **fields), tuple(fields)))


@pytest.mark.parametrize("line", ["repairs cranes", "REPAIRS  cranes.", "Petra repairs cranes"])
def test_a_line_is_found_whatever_its_case_and_signs(desk, fact, line):
    made = desk.tests.add(agent_id="a", question=QUESTION, line=line)
    assert (made.state, made.rank, made.reasons) == ("passed", 1, ())


@pytest.mark.parametrize(("text", "line", "found"), [
    ("She repairs cranes.", "repairs cranes", True),
    ("She repairs cranes.", "repairs crane", False),
    ("Er fährt Kräne.", "fahrt kraene", False),
    ("Er fährt Kräne.", "FÄHRT KRÄNE", True),
    ("She repairs cranes.", " . ", False),
])  # fmt: skip
def test_words_are_found_whole_and_in_their_order(text, line, found):
    assert says(text, line) is found


def test_what_nothing_says_is_red_and_says_so(desk, fact):
    made = desk.tests.add(agent_id="a", question=QUESTION, line="teaches mathematics")
    assert made.state == "failed"
    assert made.reasons == ("Nothing that is remembered says this.",)


def test_a_question_without_a_word_is_refused(desk):
    with pytest.raises(BadRequestError):
        desk.tests.add(agent_id="a", question=" ? ", line="cranes")
    with pytest.raises(NotFoundError):
        desk.tests.add(agent_id="nobody", question=QUESTION, line="cranes")


def test_the_same_test_is_kept_once(desk, fact, from_receipt):
    desk.tests.add(agent_id="a", question=QUESTION, line="repairs cranes")
    desk.tests.add(agent_id="a", question=QUESTION, line="Repairs cranes!")
    receipt = desk.recall.context(agent_id="a", query=QUESTION, section="pinned", store_receipt=True)
    assert desk.tests.add_from(receipt.id, "fact", fact.id).id == from_receipt.id
    assert len(desk.tests.all("a")) == 2
    assert desk.tests.all("b") == []


def test_a_replaced_fact_names_its_successor_and_what_is_shown_in_its_place(desk, fact, from_receipt):
    assert from_receipt.state == "passed"
    heir = desk.fact("Petra runs a bakery in Bergen; that is her work.")
    change(desk, fact, status=FactStatus.SUPERSEDED, superseded_by=heir.id)
    desk.indexing.flush()
    (red,) = desk.tests.run("a")
    assert (red.state, red.rank_before) == ("failed", 1)
    assert "It was replaced by: Petra runs a bakery in Bergen; that is her work." in red.reasons
    assert "Shown instead: Petra runs a bakery in Bergen; that is her work." in red.reasons


def test_a_fact_in_the_bin_says_so_and_is_green_again_when_it_is_back(desk, fact, from_receipt):
    change(desk, fact, status=FactStatus.BINNED)
    (red,) = desk.tests.run()
    assert red.reasons[0] == "It is in the bin."
    change(desk, fact, status=FactStatus.ACTIVE)
    assert desk.tests.run()[0].state == "passed"


def test_another_row_that_says_the_same_keeps_it_green(desk, fact, from_receipt):
    change(desk, fact, status=FactStatus.BINNED)
    desk.fact("Petra repairs cranes in Bergen.")
    desk.indexing.flush()
    assert desk.tests.run()[0].state == "passed"


def test_what_lost_its_place_tells_the_place_before_and_now(desk, fact, from_receipt):
    desk.settings.set(memory_budget_tokens=100)
    for number in range(12):
        desk.fact(f"Petra does work number {number}, as Petra said: what work Petra does.")
    desk.indexing.flush()
    (red,) = desk.tests.run()
    assert red.state == "failed"
    assert red.rank > 1
    assert f"It ranked 1 by likelihood, and now ranks {red.rank}." in red.reasons


def test_an_embedder_that_is_gone_is_told(desk, fact, from_receipt):
    change(desk, fact, status=FactStatus.BINNED)
    desk.embedder = None
    (red,) = desk.tests.run()
    assert "It was found with words@1; the question is now read by words alone." in red.reasons


def test_runs_count_nothing_as_used_and_keep_no_receipt(desk, fact):
    desk.tests.add(agent_id="a", question=QUESTION, line="repairs cranes")
    with desk.store.read() as repos:
        assert repos.items.get(fact.id).use_count == 0
        assert repos.receipts.page(agent_id="a").items == []


@pytest.mark.parametrize("target", ["fact", "agent"])
def test_forgetting_takes_the_test_along_and_proves_it(desk, fact, from_receipt, target):
    desk.tests.add(agent_id="a", question="Who repairs cranes in Bergen?", line="Petra")
    desk.tests.add(agent_id="b", question="Who sings?", line="Olga sings")
    ids = (fact.id,) if target == "fact" else ("a",)
    report = desk.forgetting.forget(ForgetTarget(kind=target, ids=ids, agent_id="a"))
    assert report.verified
    assert [
        test.question for test in desk.tests.all() if test.agent_id == "a" and "cranes" in test.question + test.line
    ] == []
    assert len(desk.tests.all("b")) == 1


def test_an_unknown_line_of_a_receipt_makes_no_test(desk, fact, from_receipt):
    with pytest.raises(NotFoundError):
        desk.tests.add_from("no-receipt", "fact", fact.id)
    desk.tests.remove(from_receipt.id)
    with pytest.raises(NotFoundError):
        desk.tests.remove(from_receipt.id)


@pytest.mark.parametrize(
    "event",
    [
        SettingsChanged(("memory.embedding_model",)),
        ImportFinished("a"),
        RunChanged("r", "consolidation", "done"),
    ],
    ids=lambda event: type(event).__name__,
)
def test_questions_are_asked_again_after_what_may_move_them(desk, fact, from_receipt, event):
    desk.tests.start()
    told = []
    desk.events.subscribe(Notice, told.append)
    change(desk, fact, status=FactStatus.BINNED)
    desk.tests.run_due()
    assert desk.tests.all()[0].state == "passed"
    desk.events.publish(event)
    desk.tests.run_due()
    assert desk.tests.all()[0].state == "failed"
    assert [notice.title for notice in told] == ["Not found any more: 1 memory test"]
    desk.events.publish(event)
    desk.tests.run_due()
    assert len(told) == 1


def test_a_new_embedder_is_judged_once_everything_has_its_vectors(desk, fact, from_receipt):
    desk.tests.start()
    change(desk, fact, status=FactStatus.BINNED)
    desk.fact("Olga sings.")
    desk.embedder = WordEmbedder("words@2")
    desk.events.publish(SettingsChanged(("memory.embedding_model",)))
    desk.tests.run_due()
    assert desk.tests.all()[0].state == "passed"
    desk.indexing.flush()
    desk.tests.run_due()
    assert desk.tests.all()[0].state == "failed"
