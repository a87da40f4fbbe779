"""Learns the weights of the rankings, of turns and of statements.

The order is learned listwise: among the candidates of one question, evidence is to outweigh the rest (conditional
logit, McFadden 1974; "ListNet" with one list for each question). Judged on conversations that were not learned from, this
finds more than a plain logistic regression, because questions differ in how high everything scores. The bias is then set
so that the probabilities add up to the evidence there is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from memdesk.domain.recalling.ranking import FEATURES, STATEMENT_FEATURES, Weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

#: Weight of the squared coefficients: chosen by what weights find on sets that they were not learned on.
PENALTY = 100.0
#: Features that need an embedder; they are zero without one, and other weights are used.
VECTOR_FEATURES = frozenset(("turn_cosine", "near_cosine", "cosine", "best_cosine"))
#: Features that say no more where there are vectors.
WORD_FEATURES = frozenset(("after",))
#: Mean, scale and weight of what conversations asked about at their end cannot teach: that what is salient, and what is
#: recent, is likelier to be wanted.
SET_BY_HAND = {"prior": (0.5, 0.25, 0.15), "recency": (0.0, 1.0, 0.2)}
_STEPS = 60
_LEAST_STEP = 1e-4


@dataclass(frozen=True, slots=True)
class Examples:
    """The described candidates of one question, which of them are evidence, and what the question counts."""

    features: Floats
    labels: Floats
    weight: float = 1.0


def balanced(sets: Sequence[Sequence[Examples]]) -> list[Examples]:
    """Return the examples of several sets, weighted so that each set counts as much as any other."""
    teaching = [sum(part.labels.any() for part in parts) for parts in sets]
    mean = sum(teaching) / max(sum(count > 0 for count in teaching), 1)
    return [
        replace(part, weight=mean / count)
        for parts, count in zip(sets, teaching, strict=True)
        if count
        for part in parts
    ]


def fit(
    examples: Sequence[Examples], *, vectors: bool, without: Collection[str] = (), names: Sequence[str] = FEATURES
) -> Weights:
    """Return weights learned from ``examples``.

    Args:
        examples: one for each question; those without evidence among their candidates teach nothing of the order.
        vectors: whether features from vectors take part.
        without: features left out.
        names: of the features, in the order of their columns.
    """
    x = np.concatenate([part.features for part in examples]).astype(np.float64)
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale[scale < 1e-6] = 1.0
    left_out = {*without, *(WORD_FEATURES if vectors else VECTOR_FEATURES)}
    used = np.array([name not in left_out for name in names])
    lists = [
        (((part.features - mean) / scale)[:, used], part.labels / part.labels.sum(), part.weight)
        for part in examples
        if part.labels.any()
    ]
    beta = _newton(lists, int(used.sum()))
    weight = np.zeros(len(names))
    weight[used] = beta
    scores = np.concatenate([((part.features - mean) / scale) @ weight for part in examples])
    evidence = float(sum(part.labels.sum() for part in examples))
    return Weights(
        mean.astype(np.float32), scale.astype(np.float32), weight.astype(np.float32), _bias(scores, evidence)
    )


def fit_statements(examples: Sequence[Examples], *, vectors: bool) -> Weights:
    """Return weights of facts, details and digests: learned ones, and :data:`SET_BY_HAND`."""
    found = fit(examples, vectors=vectors, without=SET_BY_HAND, names=STATEMENT_FEATURES)
    for name, values in SET_BY_HAND.items():
        at = STATEMENT_FEATURES.index(name)
        found.mean[at], found.scale[at], found.weight[at] = values
    return found


def _newton(lists: Sequence[tuple[Any, Any, float]], size: int) -> Any:
    beta = np.zeros(size)
    loss = _loss(lists, beta)
    for _ in range(_STEPS):
        gradient, curvature = PENALTY * beta, PENALTY * np.eye(size)
        for z, target, counts in lists:
            p = _softmax(z @ beta)
            mean = p @ z
            gradient = gradient - counts * ((target - p) @ z)
            curvature = curvature + counts * ((z * p[:, None]).T @ z - np.outer(mean, mean))
        step = np.linalg.solve(curvature, gradient)
        # A full step may overshoot where evidence is rare.
        length = 1.0
        while (tried := _loss(lists, beta - length * step)) > loss and length > _LEAST_STEP:
            length /= 2.0
        beta = beta - length * step
        if loss - tried < 1e-8 * abs(loss):
            break
        loss = tried
    return beta


def _loss(lists: Sequence[tuple[Any, Any, float]], beta: Any) -> float:
    """Return the penalised negative log likelihood."""
    total = 0.5 * PENALTY * float(beta @ beta)
    for z, target, counts in lists:
        scores = z @ beta
        top = scores.max()
        total -= counts * float(target @ scores - top - np.log(np.exp(scores - top).sum()))
    return total


def _softmax(scores: Any) -> Any:
    e = np.exp(scores - scores.max())
    return e / e.sum()


def _bias(scores: Any, evidence: float) -> float:
    """Return the offset at which the probabilities of all candidates add up to ``evidence``, by bisection."""
    low, high = -40.0, 40.0
    for _ in range(80):
        middle = (low + high) / 2
        if (1.0 / (1.0 + np.exp(-np.clip(scores + middle, -30.0, 30.0)))).sum() > evidence:
            high = middle
        else:
            low = middle
    return (low + high) / 2
