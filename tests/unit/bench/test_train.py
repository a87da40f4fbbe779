"""Learning when a message gets memory."""

import numpy as np
import pytest

from memdesk.bench.train_opening import FALSE_ALARMS, Told, fit_opening, kept
from memdesk.domain.recalling.opening import MOST_WORDING, SIGNALS, WEIGHED, Signals, weighed
from memdesk.domain.recalling.ranking import probabilities


def told(rng, group, *, needs, count, wording=0.0, sense=None):
    found = rng.normal(2.5 if needs else 0.5, size=count).tolist()
    return [
        Told(Signals(likeness=each, wording=wording, sense=sense), needs=needs, group=group, language="en")
        for each in found
    ]


def test_no_set_lets_more_idle_messages_pass_than_agreed():
    rng = np.random.default_rng(7)
    quiet = told(rng, "quiet", needs=False, count=200)
    loud = told(rng, "loud", needs=False, count=100, wording=3.0)
    rows = [*told(rng, "quiet", needs=True, count=100), *told(rng, "loud", needs=True, count=100), *quiet, *loud]
    weights = fit_opening(rows)
    for idle in (quiet, loud):
        x = np.array([weighed(one.signals) for one in idle], dtype=np.float32)
        assert (probabilities(x, weights) >= 0.5).mean() <= FALSE_ALARMS + 1 / len(idle)


def test_for_any_model_what_likeness_tells_beside_another_signal_teaches_nothing():
    rng = np.random.default_rng(7)
    rows = [*told(rng, "one", needs=True, count=60, wording=2.0), *told(rng, "one", needs=False, count=60)]
    sharp, blunt = (dict(zip(WEIGHED, fit_opening(rows, blunt=each).weight, strict=True)) for each in (False, True))
    assert sharp["wording likeness"] > 0.0 == blunt["wording likeness"]
    assert blunt["likeness"] > 0.0


def test_beside_a_sense_what_is_alike_is_weighed_by_itself():
    rng = np.random.default_rng(7)
    rows = [
        *told(rng, "one", needs=True, count=60, wording=2.0, sense=1.0),
        *told(rng, "one", needs=False, count=60, sense=-1.0),
    ]
    weight = dict(zip(WEIGHED, fit_opening(rows).weight, strict=True))
    assert min(weight["likeness"], weight["sense"], weight["wording"]) > 0.0
    assert (
        weight["wording likeness"]
        == weight["sense likeness"]
        == weight["wording sense"]
        == 0.0
        < weight["wording wording"]
    )


def test_wording_says_no_more_beyond_its_limit():
    at = SIGNALS.index("wording")
    assert weighed(Signals(wording=40.0))[at] == MOST_WORDING
    assert weighed(Signals(wording=-40.0))[at] == -MOST_WORDING
    assert weighed(Signals(wording=1.5))[at] == 1.5


def test_figures_are_made_once_for_what_they_were_made_from(tmp_path):
    made = []

    def make():
        made.append(1)
        return [{"a": 0.5}]

    assert kept(tmp_path, ["one"], make) == kept(tmp_path, ["one"], make) == [{"a": 0.5}]
    assert len(made) == 1
    kept(tmp_path, ["two"], make)
    kept(None, ["one"], make)
    assert len(made) == 3


def test_figures_that_could_not_be_made_are_made_anew(tmp_path):
    def fails():
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        kept(tmp_path, ["one"], fails)
    assert kept(tmp_path, ["one"], lambda: [1]) == [1]
