"""Whether a message must not be answered without something remembered that it does not name, learned from examples.

"What shall I order at the tapas bar?" and "hazelnuts put me in A&E twice" share no word, and no topic tells them apart from
"how do I sharpen a bread knife?". Two small networks map a line's vector and a message's to vectors whose product, beside
their similarity and what the message is by itself, gives the log odds (two towers: Huang et al. 2013, "Learning deep
structured semantic models for web search", https://doi.org/10.1145/2505515.2505665). ``memdesk bench needs`` learns them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

#: The vectors are of length one; their numbers are small.
UNIT: Final = 10.0
#: The network of a line and of a message: a layer, a rectifier, a layer.
SIDES: Final = ("line", "message")


class Needs:
    """Tells how much a message needs each of some lines. Immutable, hence thread-safe.

    Args:
        model: the space of the vectors that taught it.
        tensors: for each of ``SIDES`` ``<side>.wide``, shape (wide, dim + 1), and ``<side>.narrow``, shape (narrow, wide + 1),
            whose last columns are biases; ``asks``, shape (dim + 1,); ``alike``, shape (1,).
    """

    def __init__(self, model: str, tensors: Mapping[str, Floats]) -> None:
        self._model = model
        self._tensors = {name: tensor.astype(np.float32) for name, tensor in tensors.items()}

    def odds(self, lines: Floats, message: Floats, model: str) -> Floats | None:
        """Return the log odds for each line, shape (n,); None in another space.

        Args:
            lines: their vectors, shape (n, dim), of length one.
            message: its vector, shape (dim,), of length one.
            model: of the vectors.
        """
        if model != self._model:
            return None
        asks, alike = self._tensors["asks"], float(self._tensors["alike"][0])
        one, other = (self._narrowed(side, rows) for side, rows in zip(SIDES, (lines, message[None]), strict=True))
        odds: Floats = (
            (one @ other[0]) / one.shape[1] + alike * (lines @ message) + UNIT * (message @ asks[:-1]) + asks[-1]
        )
        return odds

    def _narrowed(self, side: str, rows: Floats) -> Any:
        wide, narrow = self._tensors[f"{side}.wide"], self._tensors[f"{side}.narrow"]
        inner = np.maximum(UNIT * rows @ wide[:, :-1].T + wide[:, -1], 0.0)
        return inner @ narrow[:, :-1].T + narrow[:, -1]
