"""Messages added as they are get stored before they are embedded."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memdesk import Memory
from memdesk.services.library.behind import MOST
from tests.helpers.programs import Failing

TOLD, ASKED = "The user likes Python.", "programming languages"


@pytest.fixture
def store(stores, tmp_path):
    place = stores.place("sqlcipher", tmp_path)
    opened = place.open()
    yield opened
    opened.close()


def found(memory, query=ASKED):
    return [one["memory"] for one in memory.search(query, user_id="a", threshold=0.5)["results"]]


def test_a_search_right_after_finds_it_by_meaning(engines, store):
    m = engines.service(store, store, gaps=store)
    for number in range(5):
        (event,) = m.add(f"{TOLD} {number}", user_id="a", infer=False)["results"]
        assert f"{TOLD} {number}" in found(m)
        assert [one["event"] for one in m.history(event["id"])] == ["ADD"]


def test_a_statement_is_compared_with_what_waits(engines, store):
    m = engines.service(store, store, gaps=store)
    m.add("The user lives in Porto.", user_id="a", infer=False)
    (event,) = m.add("I live in Porto", user_id="a")["results"]
    assert event["event"] == "NONE"


def test_what_a_killed_program_had_not_embedded_is_found_by_the_next(tmp_path):
    code = f"""
import os, signal, sys
from memdesk import Memory
from memdesk.services.library.behind import Behind
Behind._work = lambda self: None  # the kill comes first
memory = Memory(sys.argv[1], passphrase="a long secret")
memory.add({TOLD!r}, user_id="a", infer=False)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "mine")], check=False, timeout=300)
    assert done.returncode == -9
    with Memory(tmp_path / "mine", passphrase="a long secret") as m:
        assert found(m) == [TOLD]


def test_closing_embeds_what_waits_and_a_long_list_is_not_left_waiting(engines, store):
    m = engines.service(store, store, gaps=store, close=lambda: None)
    m.add([{"role": "user", "content": f"Note {n}."} for n in range(MOST + 1)], user_id="a", infer=False)
    assert store.gaps("memories", after=0, limit=1) == []
    m.add(TOLD, user_id="a", infer=False)
    m.close()
    assert store.gaps("memories", after=0, limit=1) == []


def test_what_is_changed_or_deleted_while_it_waits_gets_no_old_vector(engines, store):
    m = engines.service(store, store, gaps=store)
    (changed, deleted) = m.add(
        [{"role": "user", "content": "Bees."}, {"role": "user", "content": "Wasps."}], user_id="a", infer=False
    )["results"]
    waiting = [(1, "Bees."), (2, "Wasps.")]
    m.update(changed["id"], TOLD)
    m.delete(deleted["id"])
    store.fill("memories", waiting, engines.embedder.embed(["Bees.", "Wasps."]))
    assert found(m) == [TOLD]


@pytest.mark.expect_log
def test_one_that_cannot_be_embedded_is_found_by_words_and_costs_no_other(engines, store):
    m = engines.service(store, store, gaps=store, embedder=Failing(word="peanuts", inner=engines.embedder))
    said = [{"role": "user", "content": text} for text in ("He is allergic to peanuts.", TOLD)]
    m.add(said, user_id="a", infer=False)
    assert TOLD in found(m)
    assert m.search("allergic", user_id="a")["results"][0]["memory"] == said[0]["content"]
    m.close()
    # The next start tries again.
    again = engines.service(store, store, gaps=store)
    assert said[0]["content"] in found(again, "Which nuts are dangerous to him?")
