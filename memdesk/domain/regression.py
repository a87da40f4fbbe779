"""Logistic regressions over features that are there or not, as ``memdesk.bench.learning`` stores them."""

import math
from collections.abc import Iterable, Mapping
from typing import Any


class Regression:
    """Weighs features. Immutable, hence thread-safe.

    Args:
        data: ``unit`` (what a weight of one is worth), ``bias`` and ``weights`` by feature: the name of a group, a colon, and what is so.
        scales: what a feature of each group counts.
    """

    def __init__(self, data: Mapping[str, Any], scales: Mapping[str, float]) -> None:
        unit = float(data["unit"])
        self._bias = unit * data["bias"]
        self._weights = {
            feature: unit * steps * scales[feature.partition(":")[0]] for feature, steps in data["weights"].items()
        }

    def probability(self, found: Iterable[str]) -> float:
        """Return the probability, given the features that are there, each once."""
        odds = self._bias + sum(self._weights.get(feature, 0.0) for feature in found)
        return 1.0 / (1.0 + math.exp(-odds))
