from dataclasses import replace
from datetime import timedelta

import pytest

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.validity import as_it_was, believed_at, believed_until, learned_at
from memdesk.domain.models import FactKind, FactStatus, HistoryEntry
from tests.helpers.memory_rows import NOON

DAY = timedelta(days=1)
FACT = MemoryItem(id="f", agent_id="ana", content="lives in Porto", created_at=NOON, updated_at=NOON)


def test_from_when_it_was_learned():
    assert not believed_at(FACT, NOON - DAY)
    assert believed_at(FACT, NOON)
    assert believed_at(FACT, NOON + 900 * DAY)


def test_an_import_was_learned_when_its_period_began():
    dated = replace(FACT, valid_from=NOON - 30 * DAY)
    assert learned_at(dated) == NOON - 30 * DAY
    assert believed_at(dated, NOON - 29 * DAY)


def test_until_its_period_is_over():
    ended = replace(FACT, status=FactStatus.SUPERSEDED, valid_until=NOON + 5 * DAY, updated_at=NOON + 7 * DAY)
    assert believed_at(ended, NOON + 4 * DAY)
    assert not believed_at(ended, NOON + 5 * DAY)
    assert believed_until(ended) == NOON + 5 * DAY


@pytest.mark.parametrize("status", [FactStatus.MERGED, FactStatus.BINNED, FactStatus.DISABLED])
def test_until_it_was_taken_out_of_use(status):
    gone = replace(FACT, status=status, updated_at=NOON + 3 * DAY)
    assert believed_at(gone, NOON + 2 * DAY)
    assert not believed_at(gone, NOON + 3 * DAY)


@pytest.mark.parametrize("status", [FactStatus.REVIEW, FactStatus.QUARANTINED])
def test_what_was_never_accepted_was_never_believed(status):
    assert not believed_at(replace(FACT, status=status), NOON)


def test_its_words_as_they_were():
    def entry(day, old):
        return HistoryEntry(
            id=str(day),
            agent_id="ana",
            kind="fact",
            ref_id="f",
            action="edit",
            actor="user",
            old=old,
            at=NOON + day * DAY,
        )

    now = replace(FACT, content="third", kind=FactKind.EVENT, tags=("new",))
    history = [entry(1, {"content": "first", "tags": ["old"]}), entry(5, {"content": "second"}), entry(7, None)]
    assert as_it_was(now, NOON + 6 * DAY, history) == now
    assert as_it_was(now, NOON + 3 * DAY, history).content == "second"
    assert as_it_was(now, NOON, history).content == "first"
    assert as_it_was(now, NOON, history).tags == ("old",)
