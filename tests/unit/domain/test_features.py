from __future__ import annotations

import pytest

from memdesk.domain.language.analysis import plain
from memdesk.domain.reading import features

CONTEXT = features.Context(position=0.5, answers=False, frequencies={})


def measured(text, subject="i"):
    return features.measure(plain(text).tokens, text, CONTEXT, subject=subject, dated=False)


def test_counts_add_up_and_flags_are_averaged():
    one, two = measured("I bought a cello in Rome."), measured("It is awesome.", "it")
    alone, both = features.features([one]), features.features([one, two])
    assert both["words_over_0"] == pytest.approx(alone["words_over_0"] + features.features([two])["words_over_0"])
    assert both["subject_i"] == 0.5
    assert (alone["joined"], both["joined"]) == (0.0, 1.0)


def test_every_weight_has_its_feature():
    assert set(features.WEIGHTS) <= set(features.features([measured("I bought a cello.")]))


def test_statements_outrank_praise():
    mine = features.score(features.features([measured("I play the cello in a small orchestra in Rome.")]))
    praise = features.score(features.features([measured("That is awesome and amazing!", "that")]))
    assert mine > praise


def test_the_subject_is_the_first_pronoun_where_no_parse_tells():
    analysis = plain("Yesterday we met them.")
    assert features.subject_of(analysis.tokens, 0, len(analysis.tokens)) == "we"
