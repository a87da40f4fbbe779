"""What a store's score means: how likely a memory is meant."""

import math
from collections.abc import Callable
from typing import Final

#: By model: the cosine at which a memory is as likely meant as not, and how fast that changes. A logistic regression on the
#: 880 pairs of a question and a message in tests/data/recall/assistant_en.json, those that belong together and those that
#: do not weighing alike.
_MEASURED: Final = {"bundled:all-MiniLM-L6-v2": (0.21, 14.5)}


def calibration(model_id: str) -> Callable[[float], float]:
    """Return what turns a score into a probability, for vectors of a model; of one not measured it stays as it is.

    Args:
        model_id: names the vector space, ``model@revision``.
    """
    found = _MEASURED.get(model_id.partition("@")[0])
    if found is None:
        return float
    midpoint, steepness = found
    return lambda score: 1 / (1 + math.exp(steepness * (midpoint - score)))
