"""Forgetting many facts at once: everything that repeats one is found, with as few queries as for a few facts."""

from __future__ import annotations

import threading

import pytest

from memdesk.domain.models import FactStatus
from memdesk.errors import CancelledError
from memdesk.services.forgetting.forgetting import ForgetTarget
from memdesk.storage.connection import Connection
from tests.helpers.memory_rows import Desk


@pytest.fixture
def desk(tmp_path):
    desk = Desk(tmp_path)
    yield desk
    desk.close()


def preview(desk, facts, **asked):
    return desk.forgetting.preview(ForgetTarget(kind="facts", ids=tuple(fact.id for fact in facts)), **asked)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("The user's brother repairs accordions in Ghent", "By the way, my brother repairs accordions in Ghent."),
        ("The parrot swears on Sundays", "Sundays are dull. The parrot swears on Sundays. I like it."),
        ("Meine Tante heißt Grete Fußmann", "Noch etwas: meine Tante heisst Grete Fussmann!"),
        ("Meine Tante wohnt Weissgasse sieben", "Meine Tante wohnt Weißgasse sieben."),
        ("Straße", "Straße"),
        ("用户的姐姐住在杭州西湖边", "用户的姐姐住在杭州西湖边。"),
        ("Renée keeps the café ledger in a biscuit tin", "well, renee keeps the cafe ledger in a biscuit tin."),
        ("Dana's cello stands in Noah's attic", "You know Dana\u2019s cello stands in Noah\u2019s attic"),
        ("Моя бабушка прячет варенье под лестницей", "Да, моя бабушка прячет варенье под лестницей."),
        ("The locker code hangs behind the mirror", "THE LOCKER CODE HANGS BEHIND THE MIRROR"),
    ],
)
@pytest.mark.parametrize("status", [FactStatus.ACTIVE, FactStatus.SUPERSEDED])
def test_what_repeats_a_fact_elsewhere_is_found_however_it_is_written(desk, content, said, status):
    fact = desk.fact(content)
    desk.thread("elsewhere", said, "The weather was fine all week")
    desk.episode("Nothing much.", details=[said, "The weather was fine all week"], status=status)
    found = preview(desk, [fact])
    assert found.said_in == 1
    assert found.counts == {"facts": 1, "episodes_changed": 1}


def test_every_message_that_states_a_fact_is_found_however_many_there_are(desk):
    fact = desk.fact("The user's brother repairs accordions in Ghent")
    desk.thread("often", *["My brother repairs accordions in Ghent.", "My brother came, we ate waffles."] * 230)
    assert preview(desk, [fact]).said_in == 230


def test_many_facts_take_no_more_looks_at_the_store_than_few(desk, monkeypatch):
    facts = []
    for number in range(120):
        told = f"parrot a{number}x sleeps behind b{number}x in c{number}x"
        turn, _ = desk.thread(f"c{number}", f"My {told}.", "I see.")
        facts.append(desk.said(turn, f"The user's {told}"))
        desk.episode(f"The {told}. It rained.", conversation_id=f"c{number}")
    looks = []
    for name in ("row", "rows"):
        read = getattr(Connection, name)
        monkeypatch.setattr(Connection, name, lambda *asked, read=read: looks.append(asked[1]) or read(*asked))

    def needed(count):
        looks.clear()
        found = preview(desk, facts[:count])
        assert (found.counts["facts"], found.said_in) == (count, count)
        return len(looks)

    assert needed(4) == needed(120)


def test_a_count_that_nobody_waits_for_stops(desk):
    fact = desk.fact("The user's brother repairs accordions in Ghent")
    desk.thread("c", "My brother repairs accordions in Ghent.")
    gone = threading.Event()
    assert preview(desk, [fact], cancel=gone).said_in == 1
    gone.set()
    with pytest.raises(CancelledError):
        preview(desk, [fact], cancel=gone)
