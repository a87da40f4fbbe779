"""Calibrating the vectors of other models to the bundled one."""

from __future__ import annotations

import numpy as np
import pytest

from memdesk.engines import bundled
from memdesk.engines.embedder import BUNDLED_ID, open_embedder
from memdesk.engines.leveling import LeveledEmbedder, _measure, apart
from tests.helpers.engines import engines

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    with engines(tmp_path_factory.mktemp("engines")) as made:
        yield made


@pytest.fixture(scope="module")
def plain(parts):
    made = open_embedder(BUNDLED_ID, parts.pool, parts.folder / "cache")
    made.warm_up()
    return made


class Cone:
    """The bundled model with a direction that all its vectors share, one for questions and one for texts."""

    def __init__(self, inner, width):
        self.inner, self.width = inner, width
        self.model_id, self.dim = "cone@1", inner.dim
        self.common = np.random.default_rng(7).standard_normal((2, inner.dim)).astype(np.float32)
        self.common[1] += self.common[0] * 5

    def embed(self, texts, *, query=False, priority="interactive"):
        common = self.common[0 if query else 1]
        rows = self.inner.embed(texts) * self.width + common / np.linalg.norm(common)
        rows[[place for place, text in enumerate(texts) if text == "stays"]] = 0.0
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.maximum(norms, 1e-9)


def measured(embedder):
    asked, told = zip(*_measure()["pairs"], strict=True)
    return embedder.embed(asked, query=True), embedder.embed(told)


def test_the_measure_is_the_bundled_model_s(plain):
    assert apart(*measured(plain)) == pytest.approx(_measure()["apart"], abs=0.001)


def test_a_narrow_cone_is_opened_as_wide_as_the_bundled_model_s(plain):
    cone = Cone(plain, 0.5)
    assert apart(*measured(cone)) > 0.7
    questions, lines = measured(LeveledEmbedder(cone))
    expected_questions, expected_lines = measured(plain)
    assert apart(questions, lines) == pytest.approx(_measure()["apart"], abs=0.001)
    assert np.abs(questions @ lines.T - expected_questions @ expected_lines.T).mean() < 0.05
    assert np.allclose(np.linalg.norm(questions, axis=1), 1.0, atol=1e-5)


def test_a_model_that_is_as_far_apart_is_left_as_it_is(plain):
    assert np.allclose(LeveledEmbedder(plain).embed(["A line."]), plain.embed(["A line."]), atol=0.01)


def test_what_stays_here_stays_zero(plain):
    rows = LeveledEmbedder(Cone(plain, 0.5)).embed(["stays", "A line."])
    assert [bool(row.any()) for row in rows] == [False, True]


def test_a_model_made_for_something_else_finds_more_answers_when_leveled(tmp_path):
    found = {}
    with engines(tmp_path) as own:
        model = open_embedder(f"gguf:{bundled.locate(bundled.SMOLLM2)}", own.pool, own.folder / "cache")
        for name, embedder in (("plain", model), ("leveled", LeveledEmbedder(model))):
            questions, lines = measured(embedder)
            found[name] = int(((questions @ lines.T).argmax(axis=1) == np.arange(len(lines))).sum())
    assert found["leveled"] > found["plain"]


def test_leveled_vectors_are_a_space_of_their_own(plain):
    assert LeveledEmbedder(plain).model_id == f"{plain.model_id}~1"
