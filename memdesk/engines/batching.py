"""Batches texts of similar length."""

from collections.abc import Iterator, Sequence
from typing import Final

#: Tokens per batch, padding included: about 50 ms on two slow cores.
BATCH_TOKENS: Final = 512


def by_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Split positions into batches of similar length whose padded size stays within :data:`BATCH_TOKENS`.

    A longer text is a batch by itself.
    """
    batch: list[int] = []
    for position in sorted(range(len(lengths)), key=lambda position: lengths[position]):
        if batch and (len(batch) + 1) * lengths[position] > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch
