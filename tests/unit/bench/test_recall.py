from __future__ import annotations

import json

import numpy as np
import pytest

from memdesk.bench import recall, scale, train
from memdesk.bench.recall_measure import Answered, Figures, carried, long_words, measure
from memdesk.bench.recall_peers import cut
from memdesk.bench.recall_perturb import PERTURBATIONS, slipped
from memdesk.bench.recall_talks import padded, read_talks
from memdesk.bench.recall_train import Examples, fit
from memdesk.bench.scale_data import SyntheticEmbedder, Writer
from memdesk.domain.recalling.opening import Opening, Signals
from memdesk.domain.recalling.ranking import FEATURES, Weights, probabilities
from memdesk.errors import BadRequestError

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


def read(tmp_path, data, name="pair"):
    file = tmp_path / f"{name}.json"
    file.write_text(json.dumps(data))
    return read_talks(file)


def answering(block, *turns):
    return lambda *_: Answered(block, frozenset(turns))


def test_measures_what_lines_carry(tmp_path):
    (talk,) = read(tmp_path, TALK)
    everything = "\n".join(turn.text for turn in talk.turns)
    full = measure(talk, answering(everything), 800)
    assert (full.evidence, full.answer_words) == (1.0, pytest.approx((1 + 1 + 1 / 2) / 3, abs=0.2))
    assert measure(talk, answering(everything), 10).evidence == 0.0
    assert measure(talk, answering(""), 800).evidence == 0.0
    total = Figures()
    total.add(full)
    assert total.ability("multi-hop") == 1.0
    assert total.ability("open") == 0.0


def test_people_in_json_lines_are_conversations(tmp_path):
    rows = [
        {
            "id": "a",
            "told": ["I keep bees."] * 9,
            "asks": [{"text": "My hobby?", "needs": [8]}],
            "idle": [{"text": "Hi"}],
        },
        {"id": "b", "speakers": ["Nora", "Ivan"], "told": [["Ivan", "Off to Bergen."]], "asks": []},
    ]
    file = tmp_path / "people.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    alone, pair = read_talks(file)
    assert [len(one.turns) for one in alone.sittings] == [8, 1]
    (ask,) = alone.questions
    assert (ask.text, ask.evidence) == ("My hobby?", (alone.turns[8].id,))
    assert ask.now > alone.sittings[-1].date
    assert [one.text for one in alone.idle] == ["Hi"]
    assert [(turn.role, turn.speaker) for turn in (*alone.turns[:1], *pair.turns)] == [
        ("user", ""),
        ("assistant", "Ivan"),
    ]
    file.write_text('{"id": "d", "written": ["Bins: Friday"], "asks": [{"text": "when do the bins go", "needs": [0]}]}')
    (notes,) = read_talks(file)
    assert (notes.turns, [fact.text for fact in notes.written]) == ([], ["Bins: Friday"])
    assert notes.questions[0].evidence == (notes.written[0].id,)
    file.write_text('{"id": "c"}')
    with pytest.raises(BadRequestError, match=r"people\.jsonl holds no people"):
        read_talks(file)


CHATS = {
    "source": "a test",
    "conversations": [
        {
            "id": "one",
            "speakers": ["user", "assistant"],
            "sessions": [
                {
                    "id": "s1",
                    "date": "2024-03-01",
                    "turns": [
                        {"id": "s1:1", "speaker": "user", "text": "I keep nine beehives behind the barn."},
                        {"id": "s1:2", "speaker": "assistant", "text": "Nine is a good number of hives."},
                    ],
                },
                {
                    "id": "s2",
                    "date": "2024-03-05",
                    "turns": [
                        {"id": "s2:1", "speaker": "user", "text": "The weather turned."},
                        {"id": "s2:2", "speaker": "assistant", "text": "Then wait with the inspection."},
                        {"id": "s2:3", "speaker": "user", "text": "How many beehives do I keep?"},
                    ],
                },
                {
                    "id": "s3",
                    "date": "2024-03-09",
                    "kind": "filler",
                    "turns": [{"id": "s3:1", "speaker": "user", "text": "Explain tides to me."}],
                },
            ],
            "questions": [
                {
                    "q": "How many beehives do I keep?",
                    "a": "nine",
                    "evidence": ["s1:1"],
                    "category": "count",
                    "asked_at": "s2:3",
                }
            ],
            "idle": ["Name three moons."],
            "gate": [{"turn": "s3:1", "needs_memory": False, "kind": "filler_opening"}],
        },
        {
            "id": "two",
            "speakers": ["Ada", "Bo"],
            "sessions": [
                {"id": "s1", "date": "2024-01-01T10:30", "turns": [{"id": "1", "speaker": "Bo", "text": "Hello Ada."}]}
            ],
            "questions": [],
        },
    ],
}


def test_a_question_in_mid_chat_sees_what_came_before_its_day(tmp_path):
    one, two = read(tmp_path, CHATS, "chats")
    (asked,) = one.questions
    assert (asked.history, asked.replies) == (("The weather turned.",), ("Then wait with the inspection.",))
    assert asked.as_of < one.sittings[1].date
    assert one.source == "chats"
    assert [idle.text for idle in one.idle] == ["Explain tides to me.", "Name three moons."]
    assert (two.turns[0].role, two.turns[0].speaker) == ("assistant", "Bo")


def test_a_turn_is_shown_when_a_line_is_of_it_or_stands_on_it(tmp_path):
    one, _ = read(tmp_path, CHATS, "chats")
    assert measure(one, answering("1 March 2024 User: ... nine", "s1:1"), 800).evidence == 1.0
    assert measure(one, answering("1 March 2024 User: ... nine", "s1:2"), 800).evidence == 0.0
    assert measure(one, answering("x" * 4000, "s1:1"), 800).evidence == 0.0


def test_short_histories_are_padded_with_fillers_of_their_set(tmp_path):
    one, two = padded(read(tmp_path, CHATS, "chats"), 2)
    assert len(one.sittings) == 3
    assert [turn.text for turn in two.turns] == ["Hello Ada.", "Explain tides to me."]
    assert two.sittings[1].id.endswith(one.sittings[2].id)


def test_pieces_of_the_baselines_end_at_blanks():
    pieces = list(cut("word " * 200))
    assert "".join(pieces).replace(" ", "") == "word" * 200
    assert all(len(piece) <= 300 and piece.endswith("word") for piece in pieces)


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
    weights = fit(examples, vectors=True, without=("names",))
    assert weights.weight[2] > 1.2
    assert weights.weight[5] < -0.6
    assert weights.weight[FEATURES.index("names")] == 0
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
    chosen = ["--section", "transcript", "--ablate", "--leave-one-out", "--json"]
    assert recall.main([str(file), str(again), *chosen]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["evidence"] == 1.0
    assert report["answer_words"] > 0.5
    assert {"BM25", "vectors", "0.7 vectors + 0.3 BM25", "memdesk, 400 tokens"} < set(report["sets"]["locomo"])
    assert report["leave_one_out"] == {"pair": 1.0, "again": 1.0}
    assert report["ablation"]["everything"]["evidence"] == 1.0
    assert {"without vectors", "without turns spread over days"} < set(report["ablation"])
    assert not any("statements" in name for name in report["ablation"])


@pytest.mark.model
def test_histories_in_one_memory_are_told_apart(tmp_path, capsys):
    pair, chats = tmp_path / "pair.json", tmp_path / "chats.json"
    pair.write_text(json.dumps(TALK))
    chats.write_text(json.dumps(CHATS))
    assert recall.main([str(pair), str(chats), "--pool", "--quick", "--section", "transcript", "--json"]) == 0
    pooled = json.loads(capsys.readouterr().out)
    assert set(pooled["sets"]) == {"locomo", "chats"}
    assert pooled["sets"]["locomo"]["memdesk"]["evidence"] == 1.0


@pytest.mark.model
def test_the_recall_bench_distills_for_auto(tmp_path, capsys):
    file = tmp_path / "pair.json"
    file.write_text(json.dumps(TALK))
    arguments = [str(file), "--distill", "--rules", "--quick", "--store", str(tmp_path / "kept")]
    assert recall.main(arguments) == 0
    first = capsys.readouterr().out.splitlines()
    assert first[-1].startswith("evidence ")
    assert first[0] == "locomo (auto, 800 tokens)"
    assert first[1].split() == ["evidence", "answer", "words", "tokens", "lines"]
    assert recall.main(arguments) == 0
    again = capsys.readouterr().out.splitlines()
    assert again[-1] == first[-1]
    assert any(line.startswith("0 turns recorded") for line in again)


@pytest.mark.model
def test_weights_are_learned_with_their_provenance(tmp_path, monkeypatch):
    talk, chats, prompts = (tmp_path / name for name in ("pair.json", "chats.json", "prompts.jsonl"))
    talk.write_text(json.dumps(TALK))
    chats.write_text(json.dumps(CHATS))
    rows = [{"query": "Explain inflation", "accept": ["none"]}, {"query": "What is my name?", "accept": ["identity"]}]
    prompts.write_text("\n".join(json.dumps(row) for row in rows * 3))
    others = tmp_path / "others.jsonl"
    others.write_text(prompts.read_text())
    for name in ("ranking", "gate"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(train, "_LEAST_TURNS", 1)
    assert train.main([str(talk), str(chats), "--prompts", str(prompts), str(others), "--out", str(tmp_path)]) == 0
    ranking = json.loads((tmp_path / "ranking" / "transcript.json").read_text())
    opening = json.loads((tmp_path / "gate" / "opening.json").read_text())
    assert [entry["source"] for entry in ranking["learned_from"]] == ["written for memdesk", "a test"]
    assert [entry["file"] for entry in opening["learned_from"]] == [
        "pair.json",
        "chats.json",
        "prompts.jsonl",
        "others.jsonl",
    ]
    assert Weights.from_dict(ranking["fts"]).weight[FEATURES.index("turn_cosine")] == 0
    wanted, idle = Signals(wording=4.0, of_self=1.0, asks=1.0), Signals(wording=-4.0)
    assert Opening(opening).probability(wanted, "hybrid") > Opening(opening).probability(idle, "hybrid")


def test_perturbations_change_what_must_not_matter(tmp_path):
    (talk,) = read(tmp_path, TALK)
    other = PERTURBATIONS["names"](talk)
    assert other.speakers == ["Philippa", "Casimir"]
    assert other.questions[0].text == "What did Philippa buy?"
    assert other.questions[2].answer == "Casimir's brother"
    assert [one.evidence for one in other.questions] == [one.evidence for one in talk.questions]
    written = PERTURBATIONS["written"](talk)
    assert (written.speakers, written.turns[1].text[:17]) == ([], "Ivan: Wonderful n")
    asked = {name: change(talk).questions[2].text for name, change in PERTURBATIONS.items()}
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
