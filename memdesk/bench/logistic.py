"""Ridge logistic regressions over sparse and dense rows."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

_STEPS = 400
_NEWTON_STEPS = 40


def fit(
    rows: Sequence[Mapping[int, float]],
    features: int,
    targets: np.ndarray[Any, Any],
    ridge: float,
    counts: np.ndarray[Any, Any] | None = None,
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Fit one regression for each column of the targets, by Nesterov's accelerated gradient (Nesterov 1983).

    The loss is smooth with curvature at most a quarter of the squared length of the longest row.

    Args:
        rows: values by feature number.
        features: number of features.
        targets: shape (rows, regressions), each from 0 to 1.
        ridge: penalty on the mean loss; applies to the bias too.
        counts: weight of each row; one by default.

    Returns:
        weights, shape (features, regressions), and the bias of each regression.
    """
    # The bias is the last feature, so that no row is empty.
    columns = np.array([column for row in rows for column in (*row, features)])
    values = np.array([value for row in rows for value in (*row.values(), 1.0)], dtype=np.float32)[:, None]
    sizes = np.array([len(row) + 1 for row in rows])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    owner = np.repeat(np.arange(len(rows)), sizes)
    by_column = np.argsort(columns, kind="stable")
    used, firsts = np.unique(columns[by_column], return_index=True)
    share = np.full((len(rows), 1), 1.0 / len(rows)) if counts is None else (counts / counts.sum())[:, None]
    curvature = float(np.add.reduceat(values**2, starts).max()) / 4.0 + ridge
    weights = ahead = np.zeros((features + 1, targets.shape[1]), dtype=np.float32)
    for step in range(_STEPS):
        scores = np.add.reduceat(ahead[columns] * values, starts)
        error = ((1.0 / (1.0 + np.exp(-scores)) - targets) * share).astype(np.float32)
        slope = ridge * ahead
        slope[used] += np.add.reduceat((error[owner] * values)[by_column], firsts)
        new = ahead - slope / curvature
        ahead = new + step / (step + 3) * (new - weights)
        weights = new
    return weights[:-1], weights[-1]


def newton(
    x: np.ndarray[Any, Any], targets: np.ndarray[Any, Any], ridge: float, counts: np.ndarray[Any, Any] | None = None
) -> tuple[np.ndarray[Any, Any], float]:
    """Fit one regression over dense rows, by Newton's method.

    Args:
        x: shape (rows, features).
        targets: shape (rows,), each from 0 to 1.
        ridge: of the summed loss; the bias is free.
        counts: for how many each row stands; one each where there are none.

    Returns:
        weights, shape (features,), and the bias.
    """
    z = np.hstack([x, np.ones((len(x), 1))])
    weight = np.ones(len(z)) if counts is None else counts
    penalty = ridge * np.eye(z.shape[1])
    penalty[-1, -1] = 0.0
    beta = np.zeros(z.shape[1])
    for _ in range(_NEWTON_STEPS):
        p = 1.0 / (1.0 + np.exp(-np.clip(z @ beta, -30.0, 30.0)))
        gradient = z.T @ (weight * (p - targets)) + penalty @ beta
        curvature = (z * (weight * p * (1.0 - p))[:, None]).T @ z + penalty
        step = np.linalg.solve(curvature, gradient)
        beta = beta - step
        if float(np.abs(step).max()) < 1e-6:
            break
    return beta[:-1], float(beta[-1])
