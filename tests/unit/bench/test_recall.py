from __future__ import annotations

import json

import numpy as np
import pytest

from memdesk.bench import recall, scale
from memdesk.bench.recall_measure import Figures, carried, long_words, measure
from memdesk.bench.recall_perturb import PERTURBATIONS, slipped
from memdesk.bench.recall_train import Examples, fit
from memdesk.bench.scale_data import SyntheticEmbedder, Writer
from memdesk.domain.ranking import FEATURES, STATEMENT_FEATURES, probabilities, statement_weights
from memdesk.services.locomo import parse_locomo

TALK = {
    "speaker_a": "Nora",
    "speaker_b": "Ivan",
    "session_1_date_time": "11:30 am on 1 May, 2022",
    "session_1": [
        {"speaker": "Nora", "dia_id": "D1:1", "text": "Yesterday I bought a green canoe from a fisherman."},
        {"speaker": "Ivan", "dia_id": "D1:2", "text": "Wonderful news, where will you keep it?"},
        {"speaker": "Nora", "dia_id": "D1:3", "text": "Behind the boathouse of my grandmother."},
    ],
    "session_2_date_time": "2:05 pm on 3 June, 2022",
    "session_2": [{"speaker": "Ivan", "dia_id": "D2:1", "text": "My brother adopted three kittens in Bergen."}],
    "qa": [
        {"question": "What did Nora buy?", "answer": "green canoe", "category": 4, "evidence": ["D1:1"]},
        {
            "question": "Where does Nora keep her canoe?",
            "answer": "boathouse",
            "category": 1,
            "evidence": ["D1:3", "D1:1"],
        },
        {"question": "Who adopted kittens?", "answer": "Ivan's brother", "category": 4, "evidence": ["D2:1"]},
        {"question": "Who adopted a horse?", "adversarial_answer": "Nora", "category": 5, "evidence": ["D2:1"]},
    ],
}


def test_a_line_carries_a_turn_by_three_fifths_of_its_long_words():
    turn = "alpha bravo charlie delta echoo [shares a photo: something else entirely]"
    assert carried(turn, [long_words("alpha bravo charlie")])
    assert not carried(turn, [long_words("alpha bravo"), long_words("charlie delta")])
    assert carried("ok no", [long_words("anything")]) is None


def test_measures():
    talk = parse_locomo(TALK, "pair")
    everything = "\n".join(turn.text for session in talk.sessions for turn in session.turns)
    full = measure(talk, lambda *_: everything, 800)
    assert (full.evidence, full.answer_words) == (1.0, pytest.approx((1 + 1 + 1 / 2 + 0) / 3, abs=0.2))
    assert measure(talk, lambda *_: everything, 10).evidence == 0.0
    assert measure(talk, lambda *_: "", 800).evidence == 0.0
    total = Figures()
    total.add(full)
    assert total.category(1) == 1.0
    assert total.category(3) == 0.0


def test_weights_are_learned():
    rng = np.random.default_rng(3)
    examples = []
    for _ in range(400):
        features = rng.standard_normal((30, len(FEATURES))).astype(np.float32)
        # How high everything scores differs from question to question, and says nothing.
        features[:, 8] += rng.standard_normal() * 5
        scores = 3.0 * features[:, 2] - 1.5 * features[:, 5]
        labels = np.zeros(30, np.float32)
        labels[rng.choice(30, p=np.exp(scores) / np.exp(scores).sum())] = 1
        examples.append(Examples(features, labels))
    weights = fit(examples, vectors=True, without=("length",))
    assert weights.weight[2] > 1.2
    assert weights.weight[5] < -0.6
    assert weights.weight[FEATURES.index("length")] == 0
    assert abs(weights.weight[8]) < 0.4
    expected = np.concatenate([probabilities(one.features, weights) for one in examples]).sum()
    assert expected == pytest.approx(400, rel=0.02)
    words = fit(examples, vectors=False)
    assert words.weight[FEATURES.index("near_cosine")] == 0


@pytest.mark.model
def test_the_recall_bench_runs_over_the_real_services(tmp_path, capsys):
    file = tmp_path / "pair.json"
    file.write_text(json.dumps(TALK))
    again = tmp_path / "again.json"
    again.write_text(json.dumps(TALK))
    learned = tmp_path / "weights.json"
    arguments = [str(file), str(again), "--ablate", "--leave-one-out", "--train", str(learned), "--json"]
    assert recall.main(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["evidence"] == 1.0
    assert report["answer_words"] > 0.5
    assert set(report["budgets"]) == {"200", "400", "1600"}
    assert set(report["baselines"]) == {"BM25", "vectors", "0.7 vectors + 0.3 text"}
    assert report["full_budget"]["evidence"] == report["leave_one_out"]["full_budget"]["evidence"] == 1.0
    assert report["ablation"]["everything"]["evidence"] == 1.0
    assert {"without vectors", "without lists spread over days"} < set(report["ablation"])
    assert not any("statements" in name for name in report["ablation"])
    assert set(json.loads(learned.read_text())) == {"hybrid", "fts"}


@pytest.mark.model
def test_the_recall_bench_distils_for_auto(tmp_path, capsys):
    file = tmp_path / "pair.json"
    file.write_text(json.dumps(TALK))
    arguments = [str(file), "--section", "auto", "--rules", "--quick", "--store", str(tmp_path / "kept")]
    assert recall.main(arguments) == 0
    first = capsys.readouterr().out.splitlines()
    assert first[-1].startswith("evidence ")
    assert any(line.startswith("stopping early saves ") for line in first)
    assert recall.main(arguments) == 0
    again = capsys.readouterr().out.splitlines()
    assert again[-1] == first[-1]
    assert any(line.startswith("0 turns recorded") for line in again)


@pytest.mark.model
def test_the_weights_of_statements_are_learned_from_what_was_distilled(tmp_path, capsys):
    file = tmp_path / "pair.json"
    file.write_text(json.dumps(TALK))
    learned = tmp_path / "statements.json"
    arguments = [
        str(file),
        "--section",
        "auto",
        "--rules",
        "--quick",
        "--ablate",
        "rules",
        "--perturb",
        "names",
        "--json",
    ]
    assert recall.main([*arguments, "--train", str(learned)]) == 0
    report = json.loads(capsys.readouterr().out)
    assert "without filling from the transcript" in report["ablation"]
    assert "without vectors" not in report["ablation"]
    found = json.loads(learned.read_text())
    weights = {mode: statement_weights(found[mode]) for mode in ("hybrid", "fts")}
    at = STATEMENT_FEATURES.index
    assert weights["fts"].weight[at("cosine")] == weights["fts"].weight[at("best_cosine")] == 0
    assert np.abs(weights["fts"].weight[: at("cosine")]).sum() > 0
    for mode in weights.values():
        assert mode.weight[at("recency")] == pytest.approx(0.2)
        assert mode.weight[at("prior")] == pytest.approx(0.15)


def test_perturbations_change_what_must_not_matter():
    talk = parse_locomo(TALK, "pair")
    other = PERTURBATIONS["names"](talk)
    assert (other.speaker_a, other.speaker_b) == ("Philippa", "Casimir")
    assert [turn.speaker for turn in other.sessions[0].turns] == ["Philippa", "Casimir", "Philippa"]
    assert other.questions[0].question == "What did Philippa buy?"
    assert other.questions[2].answer == "Casimir's brother"
    assert [one.evidence for one in other.questions] == [one.evidence for one in talk.questions]
    asked = {name: change(talk).questions[2].question for name, change in PERTURBATIONS.items()}
    assert asked["bare"] == "who adopted kittens"
    assert asked["opening"] == "Hey, can you tell me who adopted kittens?"
    assert asked["slips"] == "Who adpoted kittens?"
    assert slipped("Who is Nora?") == "Who is Nora?"


def test_the_recall_bench_names_a_file_it_cannot_read(tmp_path, capsys):
    assert recall.main([str(tmp_path / "absent.json")]) == 2
    assert "absent.json" in capsys.readouterr().err


def test_the_scale_bench_runs(capsys, monkeypatch):
    monkeypatch.setattr(scale, "ASKED", 6)
    monkeypatch.setattr(scale, "RECORDED", 4)
    assert scale.main(["200", "400", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [row["turns"] for row in report["sizes"]] == [200, 400]
    assert report["sizes"][1]["index_recall_at_10"] == 1.0
    assert "fill_cpu_seconds" in report["exponents"]
    assert scale.main(["80"]) == 0
    assert "context p95" in capsys.readouterr().out.splitlines()[-1]


def test_growth_is_fitted():
    assert scale.exponent([10, 100, 1000], [2, 20, 200]) == pytest.approx(1.0)
    assert scale.exponent([10, 100], [5, 5]) == pytest.approx(0.0)


def test_synthetic_conversations_are_reproducible_and_alike_where_words_are():
    first, second = Writer(1000), Writer(1000)
    assert first.sentence() == second.sentence()
    assert sum(len(turns) * 2 for _, _, turns in first.sessions(100)) == 100
    near, far = (
        SyntheticEmbedder().embed(["green canoe", "green kayak"]) @ SyntheticEmbedder().embed(["green canoe"])[0]
    )
    assert near == pytest.approx(1.0)
    assert 0.2 < far < 0.8
