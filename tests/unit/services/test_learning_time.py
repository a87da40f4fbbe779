"""The expected duration of learning is shown before it begins, or why nothing would be learned."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from memdesk.ports.models import Speed
from memdesk.services.distilling.learning_time import READ_CHARS, Forecast, forecast, learning_seconds
from memdesk.services.distilling.refusal import WHY_SKIPPED

SPEED = Speed(prompt_tokens_per_second=100.0, tokens_per_second=10.0, ready_seconds=1.0)


class Models:
    """Knows no speed until one is measured."""

    def __init__(self):
        self.measured = []

    def speed(self, _model_id):
        return None

    def measure(self, model_id, *, cancel=None):
        self.measured.append(model_id)
        return SPEED


def ask(models, *, agent_memory="on", grade="chooses", pace=None, **memory):
    memory = {"enabled": True, "extraction_mode": "sessionEnd", "core_model": "bundled:m", **memory}
    return forecast(
        10,
        20_000,
        agent=SimpleNamespace(memory=agent_memory),
        settings=SimpleNamespace(current=SimpleNamespace(memory=SimpleNamespace(**memory))),
        models=models,
        distillation=SimpleNamespace(
            grade=lambda _model_id: SimpleNamespace(grade=grade),
            pace=lambda: pace,
        ),
    )


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ({"enabled": False}, "memory_disabled"),
        ({"agent_memory": "off"}, "agent_memory_off"),
        ({"extraction_mode": "manual"}, "manual"),
        ({"core_model": ""}, "no_core_model"),
    ],
)
def test_it_says_why_nothing_would_be_learned(state, reason):
    models = Models()
    assert ask(models, **state) == Forecast(reason=WHY_SKIPPED[reason])
    assert models.measured == []


def test_a_model_of_unknown_speed_is_measured_unless_it_is_on_a_server():
    models = Models()
    assert ask(models).seconds == learning_seconds(10, 20_000, SPEED, writes=False)
    assert models.measured == ["bundled:m"]
    assert ask(models, core_model="remote:there/m") == Forecast()
    assert ask(models, core_model="", extraction_mode="rules").seconds == learning_seconds(
        10, 20_000, None, writes=False
    )
    assert models.measured == ["bundled:m"]


def test_a_model_that_writes_reads_all_and_takes_longer():
    models = Models()
    assert ask(models, grade="writes").seconds > 3 * ask(models).seconds
    # Twice as much to read, and twice as many calls.
    assert learning_seconds(20, 40_000, SPEED, writes=True) == 2 * learning_seconds(10, 20_000, SPEED, writes=True)


def test_the_speed_is_predicted_from_what_was_read_before():
    models = Models()
    rules = {"core_model": "", "extraction_mode": "rules"}
    assert ask(models, pace=400.0, **rules).seconds == 20_000 / 400.0
    assert ask(models, **rules).seconds == 20_000 / READ_CHARS
    assert ask(models, pace=400.0).seconds - ask(models).seconds == pytest.approx(20_000 / 400.0 - 20_000 / READ_CHARS)
