"""Learns the weights of the transcript's ranking: logistic regression with a small L2 penalty, by Newton's method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from memdesk.domain.ranking import FEATURES, VECTOR_FEATURES, Weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

#: Inverse of the penalty's strength; ten times more or less changes recall by less than 0.005.
STRENGTH = 0.3
_STEPS = 30


@dataclass(frozen=True, slots=True)
class Examples:
    """Described candidates of one conversation's questions, and which of them are evidence."""

    features: Floats
    labels: Floats


def fit(examples: Sequence[Examples], *, vectors: bool, without: Sequence[str] = ()) -> Weights:
    """Return weights learned from ``examples``.

    Args:
        examples: of the conversations to learn from.
        vectors: whether features from vectors take part.
        without: features left out.
    """
    x = np.concatenate([part.features for part in examples]).astype(np.float64)
    y = np.concatenate([part.labels for part in examples]).astype(np.float64)
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale[scale < 1e-6] = 1.0
    left_out = {*without, *(() if vectors else VECTOR_FEATURES)}
    used = np.array([name not in left_out for name in FEATURES])
    z = np.column_stack([((x - mean) / scale)[:, used], np.ones(len(x))])
    penalty = np.full(z.shape[1], 1.0 / STRENGTH)
    penalty[-1] = 0.0
    beta = np.zeros(z.shape[1])
    beta[-1] = np.log(max(y.mean(), 1e-6) / max(1.0 - y.mean(), 1e-6))
    for _ in range(_STEPS):
        p = 1.0 / (1.0 + np.exp(-np.clip(z @ beta, -30.0, 30.0)))
        gradient = z.T @ (p - y) + penalty * beta
        curvature = (z * (p * (1.0 - p))[:, None]).T @ z + np.diag(penalty + 1e-9)
        step = np.linalg.solve(curvature, gradient)
        beta -= step
        if float(np.abs(step).max()) < 1e-6:
            break
    weight = np.zeros(len(FEATURES))
    weight[used] = beta[:-1]
    return Weights(mean.astype(np.float32), scale.astype(np.float32), weight.astype(np.float32), float(beta[-1]))
