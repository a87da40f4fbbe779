import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.domain.comparing.setjoin import OverlapIndex, join_to_eldest
from memdesk.domain.comparing.similarity import jaccard

sets = st.lists(st.frozensets(st.sampled_from("abcdefghijkl"), max_size=12), max_size=25)
thresholds = st.sampled_from([0.51, 0.6, 2 / 3, 0.75, 0.8, 0.9, 1.0])


def slow(items, threshold, compatible=lambda _a, _b: True):
    alone, joined = [], {}
    for late, mine in enumerate(items):
        homes = (early for early in alone if jaccard(items[early], mine) >= threshold and compatible(early, late))
        home = next(homes, None)
        if home is None:
            alone.append(late)
        else:
            joined[late] = home
    return joined


@given(sets, thresholds)
def test_the_join_is_that_of_comparing_every_pair(items, threshold):
    found = join_to_eldest(items, threshold)
    assert {late: early for late, (early, _) in found.items()} == slow(items, threshold)
    assert all(likeness == jaccard(items[early], items[late]) for late, (early, likeness) in found.items())


@given(sets, thresholds, st.integers(2, 5))
def test_a_condition_is_heeded(items, threshold, modulus):
    def compatible(early, late):
        return (early + late) % modulus != 0

    found = join_to_eldest(items, threshold, compatible=compatible)
    assert {late: early for late, (early, _) in found.items()} == slow(items, threshold, compatible)


@given(sets, thresholds, st.randoms())
def test_asking_again_after_half_of_it_gives_the_other_half(items, threshold, random):
    found = join_to_eldest(items, threshold)
    done = set(random.sample(sorted(found), len(found) // 2))
    left = [number for number in range(len(items)) if number not in done]
    again = join_to_eldest([items[number] for number in left], threshold)
    expected = {late: early for late, (early, _) in found.items() if late not in done}
    assert {left[late]: left[early] for late, (early, _) in again.items()} == expected


def test_large_sets_take_the_other_way():
    base = frozenset(f"word{number}" for number in range(100))
    near = base - {"word1", "word2"} | {"other"}
    far = frozenset(f"word{number}" for number in range(40, 140))
    assert join_to_eldest([base, far, near], 0.9) == {2: (0, pytest.approx(98 / 101))}


def test_a_chain_does_not_drag_strangers_together():
    items = [frozenset("abcdefghij"), frozenset("abcdefghik"), frozenset("abcdefghlk")]
    assert set(join_to_eldest(items, 0.8)) == {1}


@given(
    st.lists(st.lists(st.frozensets(st.sampled_from("abcdefghijkl"), max_size=8), max_size=4), max_size=12),
    st.frozensets(st.sampled_from("abcdefghijkl"), max_size=8),
    st.sampled_from([0.2, 0.4, 0.5, 0.9, 1.0]),
)
def test_overlaps_are_those_of_comparing_with_every_set(groups, query, threshold):
    index = OverlapIndex([(str(number), group) for number, group in enumerate(groups)], threshold)
    expected = [
        str(number) for number, group in enumerate(groups) if any(jaccard(query, one) >= threshold for one in group)
    ]
    assert index.groups_alike(query) == expected


@pytest.mark.parametrize("threshold", [0.5, 0.0, 1.1])
def test_thresholds_out_of_range_are_refused(threshold):
    with pytest.raises(ValueError, match="threshold"):
        join_to_eldest([], threshold)


def test_ticks_are_given():
    ticks = []
    join_to_eldest([frozenset({str(number)}) for number in range(600)], 0.9, tick=lambda: ticks.append(1))
    assert len(ticks) == 3
    with pytest.raises(ValueError, match="threshold"):
        OverlapIndex([], 0.0)
