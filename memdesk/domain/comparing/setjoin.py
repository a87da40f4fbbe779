"""Finds similar sets, exactly, without comparing all pairs.

Two sets whose Jaccard similarity is at least ``t`` share a minimum of members, so that among the rarest members
of both there must be a common one (prefix filtering: Bayardo, Ma, Srikant, "Scaling up all pairs similarity
search", 2007; Xiao et al., "Efficient similarity joins for near-duplicate detection", PPJoin, 2008). An inverted
index over these few members names the candidates; each one is then verified. Nothing is approximate: the result
is that of comparing every pair.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Called now and then with nothing, so that long joins can yield or stop (by raising).
Tick = Callable[[], None]
#: Whether two positions may be joined, similarity aside.
Compatible = Callable[[int, int], bool]

_TICK_EVERY = 256
#: Above this many members, prefixes hold enough rare members that pairs of them would only cost memory.
_PAIRS_UP_TO = 48


def _nothing() -> None:
    return None


def alike(left: int, right: int, common: int, threshold: float) -> bool:
    """Return whether sizes ``left`` and ``right`` with ``common`` shared members reach ``threshold``."""
    return common >= 1 and common / (left + right - common) >= threshold


def join_to_eldest(
    sets: Sequence[frozenset[str]],
    threshold: float,
    *,
    compatible: Compatible = lambda _a, _b: True,
    tick: Tick = _nothing,
) -> dict[int, tuple[int, float]]:
    """Join every set to the first earlier similar one that is not joined itself.

    Positions are taken in order. A position that finds an earlier, still unjoined position with a Jaccard
    similarity of at least ``threshold``, and compatible, is joined to the earliest such one. Nothing joins a joined
    position, so that no chain connects dissimilar sets. Joining half of the result and calling again for the rest
    gives the other half.

    Args:
        sets: in order of precedence, eldest first. Empty sets match nothing.
        threshold: above 0.5, at most 1.
        compatible: a further condition on ``(earlier, later)``.
        tick: called every few hundred positions.

    Returns:
        ``{joined position: (position it joins, similarity)}``.
    """
    if not 0.5 < threshold <= 1.0:
        raise ValueError("the threshold must lie above 0.5 and at most at 1")
    shared = _shared_keys(sets, threshold)
    identical: dict[frozenset[str], list[int]] = {}
    index: dict[int, list[int]] = {}
    joined: dict[int, tuple[int, float]] = {}
    for position in range(len(sets)):
        if position % _TICK_EVERY == 0:
            tick()
        keys = shared.get(position)
        if keys is None:
            continue
        found = _eldest(sets, position, keys, index, identical.get(sets[position], ()), threshold, compatible)
        if found is not None:
            joined[position] = found
            continue
        identical.setdefault(sets[position], []).append(position)
        for key in keys:
            index.setdefault(key, []).append(position)
    return joined


def _shared_keys(sets: Sequence[frozenset[str]], threshold: float) -> dict[int, list[int]]:
    """Return each set's index keys that another set also has, by position.

    If two sets share at least ``a`` members, the first ``n - a + k`` members of each (rarest first) share at
    least ``k``; and ``a`` is at least ``ceil(t * n)``. So each set's keys are the ``k``-fold combinations within
    this prefix. Most keys of most sets are unique: a set that shares none matches nothing and is left out.
    """
    sizes = np.array([len(one) for one in sets], dtype=np.int64)
    if not sizes.sum():
        return {}
    members, words = _rarest_first(sets, sizes)
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    pairs = sizes.max() <= _PAIRS_UP_TO
    prefixes = sizes - np.ceil(threshold * sizes - 1e-9).astype(np.int64) + (2 if pairs else 1)
    keys, owners = [], []
    for prefix in np.unique(prefixes[sizes > 0]):
        which = np.flatnonzero((prefixes == prefix) & (sizes > 0))
        # Prefixes reach beyond sets of one member; -1 stands for nothing, and such sets are their own only key.
        places = starts[which, None] + np.arange(prefix)
        held = np.where(np.arange(prefix) < sizes[which, None], members[np.minimum(places, len(members) - 1)], -1)
        if pairs:
            left, right = np.triu_indices(prefix, 1)
            held = held[:, left] * (words + 1) + held[:, right] + 1
        keys.append(held.ravel())
        owners.append(np.repeat(which, held.shape[1]))
    return _held_twice(np.concatenate(keys), np.concatenate(owners))


def _rarest_first(sets: Sequence[frozenset[str]], sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Return the members of all sets as numbers, set by set, the rarest of the whole collection first.

    Returns:
        The numbers, shape ``(sum of sizes,)``, and how many different members there are.
    """
    known: dict[str, int] = {}
    flat = np.array([known.setdefault(member, len(known)) for one in sets for member in one], dtype=np.int64)
    ranks = np.empty(len(known), dtype=np.int64)
    ranks[np.argsort(np.bincount(flat), kind="stable")] = np.arange(len(known))
    ranked = ranks[flat]
    owners = np.repeat(np.arange(len(sets)), sizes)
    return ranked[np.lexsort((ranked, owners))], len(known)


def _held_twice(keys: NDArray[np.int64], owners: NDArray[np.int64]) -> dict[int, list[int]]:
    """Return ``{owner: keys}``, owners in order, of the keys that at least two owners have."""
    _, numbers, counts = np.unique(keys, return_inverse=True, return_counts=True)
    kept = counts[numbers] > 1
    order = np.argsort(owners[kept], kind="stable")
    found: dict[int, list[int]] = {}
    for owner, number in zip(owners[kept][order].tolist(), numbers[kept][order].tolist(), strict=True):
        found.setdefault(owner, []).append(number)
    return found


def _eldest(
    sets: Sequence[frozenset[str]],
    position: int,
    keys: Sequence[int],
    index: dict[int, list[int]],
    same: Sequence[int],
    threshold: float,
    compatible: Compatible,
) -> tuple[int, float] | None:
    mine = sets[position]
    best = next(((other, 1.0) for other in same if compatible(other, position)), None)
    size, seen = len(mine), set(same)
    shortest, longest = threshold * size - 1e-9, size / threshold + 1e-9
    for key in keys:
        for other in index.get(key, ()):
            if best is not None and other >= best[0]:
                break
            if other in seen:
                continue
            seen.add(other)
            length = len(sets[other])
            if not shortest <= length <= longest:
                continue
            common = len(mine & sets[other])
            if alike(size, length, common, threshold) and compatible(other, position):
                best = (other, common / (size + length - common))
                break
    return best


class OverlapIndex:
    """Sets in named groups, to find the groups with a similar set.

    An inverted index: for each member, the numbers of the sets that hold it. Counting these numbers over a
    query's members gives every set's overlap with the query at once, without looking at sets that share nothing.

    Args:
        groups: ``(name, sets)``; empty sets match nothing.
        threshold: Jaccard similarity that counts, above 0, at most 1.
    """

    def __init__(self, groups: Sequence[tuple[str, Sequence[frozenset[str]]]], threshold: float) -> None:
        if not 0.0 < threshold <= 1.0:
            raise ValueError("the threshold must lie above 0 and at most at 1")
        self._threshold = threshold
        self._names = [name for name, _ in groups]
        numbered = [(number, one) for number, (_, sets) in enumerate(groups) for one in sets]
        self._group = np.array([number for number, _ in numbered], dtype=np.int64)
        self._sizes = np.array([len(one) for _, one in numbered], dtype=np.int64)
        postings: dict[str, list[int]] = {}
        for position, (_, one) in enumerate(numbered):
            for member in one:
                postings.setdefault(member, []).append(position)
        self._postings = {member: np.array(held, dtype=np.int64) for member, held in postings.items()}

    def groups_alike(self, query: frozenset[str]) -> list[str]:
        """Return the names of the groups with at least one set similar to ``query``, in index order."""
        held = [found for member in query if (found := self._postings.get(member)) is not None]
        if not held:
            return []
        common = np.bincount(np.concatenate(held), minlength=len(self._sizes))
        # Similar sets have at least this share of the query's members: few are left to measure.
        near = np.flatnonzero(common >= max(1, math.ceil(self._threshold * len(query) - 1e-9)))
        shared = common[near]
        hits = near[shared / (len(query) + self._sizes[near] - shared) >= self._threshold]
        return [self._names[group] for group in sorted(set(self._group[hits].tolist()))]
