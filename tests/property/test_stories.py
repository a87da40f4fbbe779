"""What is forgotten is gone wherever it was merged or updated; what another conversation said stays."""

from __future__ import annotations

import pytest

from tests.helpers.stories import tell


# The last one forgets who told a fact that was edited, and said again elsewhere, since.
@pytest.mark.parametrize("seed", [*range(7), 253])
def test_nothing_is_left_nothing_is_missing_and_every_source_carries_its_fact(seed):
    tell(seed)
