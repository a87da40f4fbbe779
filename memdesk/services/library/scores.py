"""Calibrates a store's scores as probabilities that a memory is wanted."""

import math
from collections.abc import Callable
from typing import Final

#: By model: the cosine at probability .5, and the slope: a logistic regression on the 880 pairs of a question and a message
#: in tests/data/recall/assistant_en.json, with equal weight for matching and other pairs.
_MEASURED: Final = {"bundled:all-MiniLM-L6-v2": (0.21, 14.5)}


def calibration(model_id: str) -> Callable[[float], float]:
    """Return the calibration of scores for a model's vectors; for an unmeasured model, scores stay unchanged.

    Args:
        model_id: names the vector space, ``model@revision``.
    """
    found = _MEASURED.get(model_id.partition("@")[0])
    if found is None:
        return float
    midpoint, steepness = found
    return lambda score: 1 / (1 + math.exp(steepness * (midpoint - score)))
