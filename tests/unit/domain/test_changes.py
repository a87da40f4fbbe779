import json
from dataclasses import replace
from datetime import timedelta

from memdesk.domain.ageing.changes import diff, matches, taken_back
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import FactSource, FactStatus
from tests.helpers.memory_rows import NOON

OLD = MemoryItem(
    id="f",
    agent_id="ana",
    content="The user keeps bees",
    tags=("bees",),
    sources=(FactSource(turn_id="t1", quote="I keep bees"),),
    created_at=NOON,
    updated_at=NOON,
)
NEW = replace(
    OLD,
    tags=("bees", "garden"),
    sources=(*OLD.sources, FactSource(turn_id="t2", quote="my bees")),
    source_count=2,
    use_count=3,
    status=FactStatus.BINNED,
    salience=0.9,
    decayed_at=NOON,
    updated_at=NOON + timedelta(days=1),
)


def test_a_diff_holds_no_remembered_words():
    before, after = diff(OLD, NEW)
    text = json.dumps([before, after])
    assert "bees" not in text
    assert "garden" not in text
    assert before["sources"] == ["t1"]


def test_what_was_changed_can_be_checked_and_taken_back():
    before, after = diff(OLD, NEW)
    assert matches(OLD, before)
    assert matches(NEW, after)
    assert not matches(NEW, before)
    assert taken_back(NEW, before, after) == OLD


def test_what_others_changed_since_is_kept():
    before, after = diff(OLD, NEW)
    since = replace(
        NEW,
        salience=0.1,
        use_count=5,
        tags=("garden", "own", "bees"),
        sources=(*NEW.sources, FactSource(turn_id="t3")),
    )
    back = taken_back(since, before, after)
    assert back.salience == 0.1
    assert back.use_count == 2
    assert back.tags == ("own", "bees")
    assert [source.turn_id for source in back.sources] == ["t1", "t3"]
    assert back.status is FactStatus.ACTIVE
