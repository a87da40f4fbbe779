"""The recovery code survives being written down and typed in by a person."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.storage.recovery_code import ALPHABET, generate, readings

codes = st.builds(generate)


def secret(code):
    return code.replace("-", "")[:25]


@given(codes)
def test_seven_groups_of_four(code):
    groups = code.split("-")
    assert len(groups) == 7
    assert all(len(g) == 4 and set(g) <= set(ALPHABET) for g in groups)
    assert readings(code)[0] == secret(code)


@given(codes)
def test_case_spaces_and_lookalikes_do_not_matter(code):
    typed = code.lower().replace("-", " ").replace("0", "o").replace("1", "l")
    assert readings(f"  {typed}\n")[0] == secret(code)
    assert readings(code.replace("-", "").replace("1", "I").replace("V", "u"))[0] == secret(code)


@given(codes, st.integers(0, 27), st.sampled_from(ALPHABET))
def test_one_wrong_character_is_mended(code, place, other):
    plain = code.replace("-", "")
    assert secret(code) in readings(plain[:place] + other + plain[place + 1 :])


@given(codes, st.integers(0, 26))
def test_two_swapped_characters_are_mended(code, place):
    plain = code.replace("-", "")
    swapped = plain[:place] + plain[place + 1] + plain[place] + plain[place + 2 :]
    assert secret(code) in readings(swapped)


def test_a_typo_that_passes_the_checksum_by_chance_is_mended_too():
    code, typed = "JZXK-DMFE-VHMF-0702-BCD1-S7G6-FWH5", "JZXK-DMFE-VHMF-0702-BCD1-S7GF-6WH5"
    assert readings(typed) == ["JZXKDMFEVHMF0702BCD1S7GF6", secret(code)]


@given(codes, st.integers(0, 27), st.sampled_from(ALPHABET))
def test_one_missing_or_doubled_character_is_mended(code, place, extra):
    plain = code.replace("-", "")
    assert secret(code) in readings(plain[:place] + plain[place + 1 :])
    assert secret(code) in readings(plain[:place] + extra + plain[place:])


@pytest.mark.parametrize("typed", ["", "hello", "0000", "-" * 40, "A" * 5000, "ü" * 28])
def test_what_is_no_code_means_nothing(typed):
    assert readings(typed) == []


def test_codes_differ():
    assert len({generate() for _ in range(200)}) == 200
