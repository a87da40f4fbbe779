"""The bundled embedding model in its real child process."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from memdesk.engines import bundled, minilm_graph, minilm_session
from memdesk.engines.bundled import DamagedWeightsError
from memdesk.engines.embedder import BUNDLED_ID, check_embedder, open_embedder
from memdesk.engines.embedder_worker import _pooling
from memdesk.errors import EngineCrashedError, EngineError, EnvironmentFault
from memdesk.settings.resources import resources_root
from tests.helpers.engines import engines

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def embedder(tmp_path_factory):
    with engines(tmp_path_factory.mktemp("engines")) as parts:
        embedder = open_embedder(BUNDLED_ID, parts.pool, parts.folder / "cache")
        embedder.warm_up()
        yield embedder


@pytest.fixture
def own(tmp_path):
    with engines(tmp_path) as parts:
        yield parts


@pytest.fixture(scope="module")
def reference():
    known = json.loads((resources_root() / "models" / "minilm_reference.json").read_text(encoding="utf-8"))
    return known["texts"], np.asarray(known["vectors"], dtype=np.float32)


def folder_model(target):
    """Lay the bundled weights out as any other sentence-transformers folder."""
    shutil.copytree(bundled.locate(bundled.MINILM).parent, target)
    return str(target)


def test_agrees_with_sentence_transformers(embedder, reference):
    texts, expected = reference
    vectors = embedder.embed(texts)
    assert vectors.shape == (len(texts), 384)
    assert vectors.dtype == np.float32
    assert (vectors * expected).sum(axis=1).min() > 0.9999
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_order_and_company_do_not_matter(embedder, reference):
    texts, _ = reference
    together = embedder.embed(texts * 5)
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    for copy in range(5):
        part = together[copy * len(texts) : (copy + 1) * len(texts)]
        assert (part * alone).sum(axis=1).min() > 0.9999


def test_odd_texts(embedder):
    vectors = embedder.embed(["", " ", "\0", "x" * 50_000, "\ud83d broken", "مرحبا"])
    assert np.isfinite(vectors).all()
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-4)
    assert embedder.embed([]).shape == (0, 384)


def test_a_question_does_not_wait_for_texts(embedder):
    alone = embedder.embed(["Who keeps bees?"], query=True)
    texts = ["The user keeps bees behind the house and sells honey on Saturdays. " * 8] * 128
    job = threading.Thread(target=lambda: embedder._worker.call("embed", {"texts": texts}))
    job.start()
    while embedder.state().state != "busy":
        time.sleep(0.01)
    assert np.allclose(embedder.embed(["Who keeps bees?"], query=True), alone, atol=1e-5)
    assert job.is_alive()
    job.join()


def test_model_id_names_model_and_content(embedder):
    assert embedder.model_id == "bundled:all-MiniLM-L6-v2@53aa51172d14"
    assert embedder.dim == 384


def test_stays_small(embedder):
    embedder.embed(["word " * 400] * 16)
    assert embedder.state().rss_bytes < 350 * 1024 * 1024


def test_queries_are_answered_while_a_long_job_runs(embedder):
    done = []
    job = threading.Thread(
        target=lambda: done.append(embedder.embed(["a sentence of a long job"] * 600, priority="background"))
    )
    job.start()
    between = 0
    while job.is_alive():
        embedder.embed(["a query"])
        between += 1
    job.join()
    assert done[0].shape == (600, 384)
    assert between > 3


@pytest.mark.expect_log
@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
def test_kill_in_mid_job(own):
    embedder = open_embedder(BUNDLED_ID, own.pool, own.folder / "cache")
    embedder.warm_up()
    pid, failures = embedder.state().pid, []

    def work():
        try:
            embedder.embed(["a sentence of a long job"] * 3000, priority="background")
        except EngineCrashedError as error:
            failures.append(error)

    job = threading.Thread(target=work)
    job.start()
    embedder.embed(["a query"])
    os.kill(pid, signal.SIGKILL)
    job.join(60)
    assert len(failures) == 1
    assert embedder.embed(["again"]).shape == (1, 384)


def test_changed_weights_are_refused(own, monkeypatch):
    weights = own.folder / "changed.safetensors"
    weights.write_bytes(b"\0" * 1000)
    monkeypatch.setattr(bundled, "locate", lambda model: weights)
    with pytest.raises(DamagedWeightsError, match="not the published ones"):
        open_embedder(BUNDLED_ID, own.pool, own.folder / "cache")


def test_wrong_numbers_are_noticed_at_start(own, monkeypatch, tmp_path):
    """The graph is right but the weights are another model's: the reference vectors tell."""
    copy = Path(folder_model(tmp_path / "model")) / "model.safetensors"
    data = bytearray(copy.read_bytes())
    data[-2_000_000:] = bytes(2_000_000)
    copy.write_bytes(data)
    monkeypatch.setattr(bundled, "verified", lambda model, fingerprints: copy)
    embedder = open_embedder(BUNDLED_ID, own.pool, own.folder / "cache")
    with pytest.raises(EngineError, match="wrong vectors"):
        embedder.embed(["x"])


def test_any_sentence_transformers_folder(own, tmp_path, reference):
    texts, expected = reference
    embedder = open_embedder(folder_model(tmp_path / "my-model"), own.pool, own.folder / "cache")
    assert embedder.dim == 384
    assert embedder.model_id.startswith("folder:my-model@")
    assert (embedder.embed(texts) * expected).sum(axis=1).min() > 0.9999
    (tmp_path / "my-model" / "README.txt").write_text("another revision")
    assert open_embedder(str(tmp_path / "my-model"), own.pool, own.folder / "cache").model_id != embedder.model_id


def test_questions_and_texts_are_read_with_the_prompts_of_the_folder(own, embedder, tmp_path):
    folder = Path(folder_model(tmp_path / "asked"))
    (folder / "config_sentence_transformers.json").write_text(
        json.dumps({"prompts": {"query": "question: ", "document": "answer: "}, "default_prompt_name": "query"})
    )
    asked = open_embedder(str(folder), own.pool, own.folder / "cache")
    told = embedder.embed(["question: Where is the key?", "answer: Where is the key?"])
    ours = np.concatenate([asked.embed(["Where is the key?"], query=True), asked.embed(["Where is the key?"])])
    assert (ours * told).sum(axis=1).min() > 0.9999
    assert told[0] @ told[1] < 0.99
    plain = open_embedder(folder_model(tmp_path / "plain"), own.pool, own.folder / "cache")
    assert "+" in asked.model_id
    assert "+" not in plain.model_id


def onnx_folder(target):
    """Lay the bundled model out as an ONNX export: its graph with the weights inside, and the tokenizer."""
    from onnx import ModelProto, numpy_helper
    from safetensors import safe_open

    source = bundled.locate(bundled.MINILM).parent
    (target / "onnx").mkdir(parents=True)
    for name in ("tokenizer.json", "config.json", "sentence_bert_config.json"):
        shutil.copy(source / name, target / name)
    graph = ModelProto.FromString((resources_root() / "models" / "minilm.onnx").read_bytes())
    with safe_open(source / "model.safetensors", framework="np") as file:
        weights = dict(minilm_session._weights(file.get_tensor))
    for tensor in graph.graph.initializer:
        if tensor.name in weights:
            tensor.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(weights[tensor.name]), tensor.name))
    (target / "onnx" / "model.onnx").write_bytes(graph.SerializeToString())
    return target


def test_an_onnx_folder_needs_no_torch(own, tmp_path, reference):
    texts, expected = reference
    folder = onnx_folder(tmp_path / "exported")
    embedder = open_embedder(str(folder), own.pool, own.folder / "cache")
    assert embedder.dim == 384
    assert (embedder.embed([*texts, "", "x" * 9000])[: len(texts)] * expected).sum(axis=1).min() > 0.9999
    with_torch = embedder.model_id
    (folder / "onnx" / "model.onnx").write_bytes(b"rubbish")
    broken = open_embedder(str(folder), own.pool, own.folder / "cache")
    assert broken.model_id != with_torch
    with pytest.raises(EngineError, match="cannot be loaded"):
        broken.embed(["x"])


def test_tokens_are_pooled_as_the_folder_says():
    hidden = np.arange(12, dtype=np.float32).reshape(1, 3, 4)
    mask = np.array([[1, 1, 0]])
    assert _pooling({"pooling_mode_cls_token": True})(hidden, mask).tolist() == [[0, 1, 2, 3]]
    assert _pooling({"pooling_mode": "lasttoken"})(hidden, mask).tolist() == [[4, 5, 6, 7]]
    assert _pooling({})(hidden, mask).tolist() == [[4, 6, 8, 10]]
    with pytest.raises(EngineError, match="sentence-transformers"):
        _pooling({"pooling_mode": "weightedmean"})


def test_a_gguf_file_gives_the_mean_of_its_tokens(own):
    file = bundled.locate(bundled.SMOLLM2)
    embedder = open_embedder(f"gguf:{file}", own.pool, own.folder / "cache")
    assert embedder.dim == 576
    assert embedder.model_id == f"gguf:{file.stem}@{bundled.SMOLLM2.sha256[:12]}"
    vectors = embedder.embed(["Rex is my dog.", "My dog's name is Rex.", "The bank opens at nine.", "", "word " * 3000])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-4)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]


def test_a_file_that_is_no_model_is_the_user_s_fault(own, tmp_path):
    (tmp_path / "x.gguf").write_bytes(b"rubbish" * 10)
    for model in (str(tmp_path / "x.gguf"), f"gguf:{tmp_path / 'gone.gguf'}", "x" * 300, "~nobody-here/x"):
        with pytest.raises(EnvironmentFault):
            check_embedder(model)
    check_embedder(f"gguf:{bundled.locate(bundled.SMOLLM2)}")


def test_a_folder_without_a_model_is_the_users_fault(own, tmp_path):
    with pytest.raises(EnvironmentFault):
        open_embedder(str(tmp_path), own.pool, own.folder / "cache")


@pytest.mark.parametrize(
    ("name", "build"),
    [
        ("minilm", minilm_graph.build),
        ("minilm_int8", partial(minilm_graph.build, int8=True)),
        ("minilm_pairs", minilm_graph.build_pairs),
        ("minilm_tokens", minilm_graph.build_tokens),
    ],
)
def test_the_shipped_graphs_are_what_the_code_writes(name, build):
    shipped = (resources_root() / "models" / f"{name}.onnx").read_bytes()
    from onnx import ModelProto

    assert ModelProto.FromString(shipped) == build()
