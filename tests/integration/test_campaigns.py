"""The campaigns in their short forms; ``poe campaign-NAME`` is the long one of each."""

from __future__ import annotations

import shutil
import sys

import pytest

from tests.campaigns import attack, faults, kills, load, memory, moves, poison


@pytest.mark.expect_log
def test_random_damage_is_told_in_words_or_does_no_harm(tmp_path):
    report = faults.campaign(40, 7, tmp_path)
    assert report.cases > 60
    assert report.failures == []


@pytest.mark.skipif(shutil.which("fiu-run") is None, reason="libfiu is not installed")
def test_writes_that_fail_lose_nothing_that_was_acknowledged(tmp_path):
    report = faults.failing(6, 7, tmp_path)
    assert report.cases == 6
    assert report.failures == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the memory of a child")
def test_a_locked_process_holds_neither_key_nor_passphrase(tmp_path):
    report = memory.campaign(4, tmp_path)
    assert report.cases == 4
    assert report.failures == []


@pytest.mark.model
def test_planted_claims_orders_and_secrets_reach_neither_memory_nor_block(tmp_path):
    report = poison.campaign(40, 3, tmp_path)
    assert report.cases == 40
    assert report.failures == []


@pytest.mark.expect_log
@pytest.mark.model
def test_no_stranger_and_no_hostile_body_gets_through(tmp_path):
    report = attack.campaign(150, 5, tmp_path)
    assert report.cases == 150
    assert report.failures == []


@pytest.mark.e2e
def test_excess_requests_are_rejected_and_served_at_the_time_they_are_told(tmp_path):
    report = load.campaign(4, 12, 40, 20, tmp_path)
    assert {"chat: 200", "search: 200", "ingest: 200"} <= report.outcomes.keys()
    assert report.failures == []


@pytest.mark.e2e
def test_a_kill_in_any_work_loses_nothing_and_leaves_no_half(tmp_path):
    kinds = ("ingest", "forget", "export", "rotate", "migrate")
    report = kills.campaign(6, 1, tmp_path, kinds)
    assert report.cases == 7
    assert report.failures == []


def test_a_move_that_is_killed_ends_where_one_that_was_left_alone_ends(tmp_path):
    report = moves.campaign(5_000, 2, 5, tmp_path)
    assert report.cases > 20
    assert report.failures == []
