from __future__ import annotations

import json
from datetime import date

import numpy as np
import pytest

from memdesk.domain.recalling import ranking as r
from memdesk.domain.recalling.query import read_query
from memdesk.settings.resources import resource_text

TODAY = date(2024, 6, 12)
COLUMN = {name: i for i, name in enumerate(r.FEATURES)}


def passages(*said, conversation="c", day=TODAY):
    return [r.Passage(i + 1, conversation, i, speaker, text, day) for i, (speaker, text) in enumerate(said)]


def describe(question, found, **more):
    query = read_query(question, TODAY, speakers={p.speaker for p in found})
    return r.passage_features(query, found, frequency=dict.fromkeys(query.terms, 1), rows=1000, **more)


def test_no_candidates_are_no_error():
    assert describe("anything", []).shape == (0, len(r.FEATURES))


def test_text_features_reach_over_neighbors():
    found = passages(("A", "We went sailing."), ("B", "Nice!"), ("A", "It rained."), ("B", "Oh."), ("A", "Bye."))
    features = describe("When did they go sailing?", found)
    assert (features[:, COLUMN["coverage"]] > 0).tolist() == [True, False, False, False, False]
    assert (features[:, COLUMN["wide_text"]] > 0).tolist() == [True, True, True, False, False]


def test_what_fits_has_words_likeness_or_the_day():
    said = [("A", "We went sailing."), ("B", "Nice!"), ("A", "It rained."), ("B", "Oh."), ("A", "Bye.")]
    features = describe("sailing?", passages(*said))
    none = [False] * 5
    # Two turns beside the words are lent score by them.
    assert r.fitting(features, "wide_text", found=none) == [True, True, True, False, False]
    assert r.fitting(features, "wide_text", found=[False, False, False, False, True])[4]
    near = np.array([0, 0, 0, r.NOISE_COSINE - 0.01, r.NOISE_COSINE], dtype=np.float32)
    assert r.fitting(features, "wide_text", found=none, cosines=near) == [True, True, True, False, True]
    on_the_day = describe("What was today?", passages(*said))
    assert all(r.fitting(on_the_day, "wide_text", found=none))


def test_neighbors_are_of_the_same_conversation():
    found = [*passages(("A", "We went sailing.")), *passages(("A", "Hello"), ("B", "Hi"), conversation="d")]
    assert describe("sailing", found)[:, COLUMN["wide_text"]].tolist() == [1, 0, 0]


def test_the_speaker_named_counts_for_and_the_other_against():
    found = passages(("Nora Lind", "I sail."), ("Ivan", "I row."))
    assert describe("What sport does Nora do?", found)[:, COLUMN["speaker"]].tolist() == [1, -1]
    assert describe("What do Nora and Ivan do?", found)[:, COLUMN["speaker"]].tolist() == [0, 0]
    assert describe("What sport is it?", found)[:, COLUMN["speaker"]].tolist() == [0, 0]


def test_the_asker_is_the_user():
    found = passages(("User", "I sail."), ("Assistant", "Lovely."))
    assert describe("Which sport do I do?", found)[:, COLUMN["speaker"]].tolist() == [1, -1]


def test_what_asks_is_told_and_a_turn_is_lent_what_the_one_behind_it_scores():
    found = passages(
        ("A", "Do you like sailing?"), ("B", "Very much."), ("A", "I see, photo? [shares a photo: a boat]")
    )
    assert describe("Who likes sailing?", found)[:, COLUMN["asks"]].tolist() == [1, 0, 1]
    found = passages(("A", "And the weekend?"), ("B", "We went sailing."), ("A", "Lovely."))
    assert describe("sailing", found)[:, COLUMN["after"]].tolist() == [1, 0, 0]


def test_asking_an_assistant_is_informative():
    said = [
        (role, text, role == "Assistant") for role, text in (("User", "I sail, where to?"), ("Assistant", "Texel."))
    ]
    found = [r.Passage(i, "c", i, role, text, TODAY, answer) for i, (role, text, answer) in enumerate(said)]
    features = describe("Where do I sail?", found)
    assert features[:, COLUMN["asks"]].tolist() == [0, 0]
    assert features[:, COLUMN["assistant"]].tolist() == [0, 1]


def test_dates_and_names():
    found = passages(("A", "Last week I met Petra Holm twice."), ("B", "fine"), day=date(2024, 5, 3))
    assert (describe("When did it happen, in May 2024?", found)[:, COLUMN["date"]] == 1).all()
    assert describe("Who was it?", found)[0, COLUMN["names"]] == 2


def test_names_are_known_by_any_capital():
    assert r.proper_names("Hier Élodie et Solène, puis le métier d'Øyvind") == {"Élodie", "Solène", "Øyvind"}


def test_vectors_of_neighbors_lend_likeness():
    found = passages(("A", "x"), ("B", "y"), ("A", "z"), ("B", "w"))
    vectors = np.eye(4, dtype=np.float32)
    features = describe("q", found, query_vector=vectors[0], vectors=vectors)
    assert features[:, COLUMN["turn_cosine"]].tolist() == [1, 0, 0, 0]
    near = features[:, COLUMN["near_cosine"]]
    assert near[0] == 1
    assert near[0] > near[1] > near[2] > near[3] == 0


def test_a_weak_best_cosine_is_not_blown_up():
    vectors = np.array([[0.1, 0.995], [0.0, 1.0]], dtype=np.float32)
    features = describe(
        "q", passages(("A", "x"), ("B", "y")), query_vector=np.array([1, 0], np.float32), vectors=vectors
    )
    assert features[0, COLUMN["turn_cosine"]] == pytest.approx(0.4)


@pytest.mark.parametrize("name", ["hybrid", "fts"])
def test_shipped_weights_prefer_what_answers(name):
    weights = r.Weights.from_dict(json.loads(resource_text("ranking", "transcript.json"))[name])
    found = passages(
        ("Nora", "How was your day?"), ("Ivan", "I sold my canoe to a neighbor yesterday."), ("Nora", "Good for you.")
    )
    p = r.probabilities(describe("When did Ivan sell his canoe?", found), weights)
    assert p.argmax() == 1
    assert ((p > 0) & (p < 1)).all()


def test_weights_survive_writing_and_refuse_strangers():
    data = json.loads(resource_text("ranking", "transcript.json"))["hybrid"]
    again = r.Weights.from_dict(r.Weights.from_dict(data).to_dict())
    assert again.weight == pytest.approx(r.Weights.from_dict(data).weight, abs=1e-4)
    with pytest.raises(ValueError, match="moonphase"):
        r.Weights.from_dict({"bias": 0, "features": {"moonphase": [0, 1, 1]}})


def test_statements():
    query = read_query("Where does Petra live?", TODAY)
    features = r.statement_features(
        query,
        ["Petra lives in Bergen", "Rex is a dog"],
        days=[TODAY, date(2024, 1, 1)],
        today=TODAY,
        prior=[0.9, 0.1],
        frequency={"petra": 1, "live": 1},
        rows=50,
        cosines=np.array([0.8, 0.1], np.float32),
    )
    weights = r.statement_weights(json.loads(resource_text("ranking", "statements.json"))["hybrid"])
    p = r.probabilities(features, weights)
    assert p[0] > 10 * p[1]
    assert r.statement_features(query, [], days=[], today=TODAY, prior=[], frequency={}, rows=0).shape == (0, 8)


def test_rare_words_weigh_more_and_never_less_than_nothing():
    assert r.inverse_frequency(1, 1000) > r.inverse_frequency(500, 1000) > 0
    assert r.inverse_frequency(50, 10) > 0


def test_what_was_recommended_is_looked_for_among_the_answers():
    day = date(2024, 6, 1)
    said = [
        r.Passage(0, "c", 0, "User", "My knee hurts", day),
        r.Passage(1, "c", 1, "Assistant", "Try clamshells", day),
    ]
    column = r.FEATURES.index("speaker")
    for question, expected in (("What did you recommend for my knee?", [-1, 1]), ("Did my knee hurt?", [1, -1])):
        query = read_query(question, day)
        features = r.passage_features(query, said, frequency=dict.fromkeys(query.terms, 1), rows=10)
        assert features[:, column].tolist() == expected
