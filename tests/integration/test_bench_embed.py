"""Two embedding models on one memory."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from memdesk.bench import embed
from memdesk.bootstrap.app import App
from memdesk.bootstrap.profile import MemorySecrets
from memdesk.engines import bundled
from memdesk.services.recording import IngestTurn
from memdesk.settings.paths import profile_paths

pytestmark = pytest.mark.model

TALK = [
    ("Where does the ferry to Bergen leave?", "It leaves from the third pier, at dawn."),
    ("Which paint did Olga choose?", "Olga chose the pale green for the hallway."),
    ("What broke on the tractor?", "The belt of the tractor's fan snapped."),
    ("I like it here.", "Good to hear."),
]
BUNDLED = "bundled:all-MiniLM-L6-v2"


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("BENCH_PASSPHRASE", "a long passphrase")
    monkeypatch.setattr("memdesk.bootstrap.wiring.keyring", lambda: MemorySecrets(available=False))
    app = App(profile_paths(home=tmp_path / "home"), embedder=lambda: None)
    try:
        app.open("a long passphrase")
        app.services.settings.update("memory", {"core_model": ""})
        app.services.agents.ensure("default")
        turns = [IngestTurn(user=ask, assistant=reply, date=datetime(2024, 5, 1, tzinfo=UTC)) for ask, reply in TALK]
        app.services.ingest.ingest(agent_id="default", conversation_id="c", turns=turns, wait=False)
        app.services.memories.add_fact(agent_id="default", content="My dog is called Rex.")
    finally:
        app.close()
    return tmp_path / "home"


def run(home, capsys, *models):
    code = embed.main([*models, "--home", str(home), "--passphrase-env", "BENCH_PASSPHRASE", "--json"])
    return code, capsys.readouterr()


def test_two_models_are_compared_on_questions_made_from_the_memory(home, capsys):
    code, told = run(home, capsys, BUNDLED, f"gguf:{bundled.locate(bundled.SMOLLM2)}")
    assert code == 0
    report = json.loads(told.out)
    assert report["questions"]["chat"] == 3
    assert report["rows"] >= 8
    first, second = report["models"]
    assert first["model"].startswith("bundled:")
    assert second["model"].startswith("gguf:")
    assert first["hit@1"] == 1.0
    mean, low, high = report["mrr_difference"]
    assert low <= mean <= high


def test_a_question_does_not_find_itself():
    class Letters:
        model_id, dim = "letters", 26

        def embed(self, texts, **_options):
            import numpy as np

            return np.array([[text.count(chr(97 + n)) for n in range(26)] for text in texts], dtype=np.float32)

        def warm_up(self):
            pass

    rows = {("turn", 1): "who barks", ("turn", 2): "the dog barks", ("turn", 3): "xyz"}
    found = embed.measure(Letters(), rows, [embed.Question("who barks", ("turn", 2), ("turn", 1), "chat")])
    assert found.ranks == [1]


def test_a_difference_within_chance_is_told_as_none():
    asked = [embed.Question("?", ("turn", n), None, "chat") for n in range(4)]
    same = [embed.Found(name, [1, 2, 1, 3], 1.0, 1.0) for name in "ab"]
    assert "beyond chance" in list(embed._lines(embed.told(same, asked, 9)))[-1]
    better = [embed.Found("a", [1] * 4, 1.0, 1.0), embed.Found("b", [9] * 4, 1.0, 1.0)]
    assert "first finds more" in list(embed._lines(embed.told(better, asked, 9)))[-1]


def test_where_there_is_no_memory_none_is_made(tmp_path, capsys):
    assert embed.main(["x", "--home", str(tmp_path / "nothing")]) == 2
    assert "no memory" in capsys.readouterr().err
    assert not (tmp_path / "nothing").exists()
