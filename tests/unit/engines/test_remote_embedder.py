"""Servers' embedding models, over HTTP."""

from __future__ import annotations

import numpy as np
import pytest

from memdesk.engines.embedding_prompts import sounds_like_one
from memdesk.engines.remote import list_models
from memdesk.engines.remote_embedder import ServerEmbedder
from memdesk.engines.remote_errors import RemoteAuthError, RemoteBusyError, RemoteUnreachableError
from memdesk.engines.remote_server import Server
from memdesk.errors import EngineError, ModelMissingError
from tests.helpers.openai_server import letters, openai_server

SECRET = "sk-proj-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZg"


@pytest.fixture
def server():
    with openai_server() as state:
        yield state


class Desk:
    """One model of a server; ``kept`` are words that must not leave."""

    def __init__(self, state, model="nomic-embed-text", host="127.0.0.1"):
        self.key, self.kept, self.learned = "a key", (), []
        address = f"{state.url}/v1".replace("127.0.0.1", host)
        self.embedder = ServerEmbedder(
            lambda: Server("Lab", address, self.key, 20),
            model,
            None,
            learned=self.learned.append,
            stays=lambda text: any(word in text for word in self.kept),
        )


def test_questions_and_texts_are_sent_with_their_prompts_and_come_back_in_order(server):
    desk = Desk(server)
    rows = desk.embedder.embed(["the cat", "a dog"])
    asked = desk.embedder.embed(["who barks?"], query=True)
    assert [body["input"] for body in server.bodies] == [
        ["search_document: the cat", "search_document: a dog"],
        ["search_query: who barks?"],
    ]
    expected = np.array(letters("search_document: a dog"))
    assert rows[1] @ expected / np.linalg.norm(expected) == pytest.approx(1.0)
    assert np.linalg.norm(asked) == pytest.approx(1.0)
    assert server.bodies[0]["model"] == "nomic-embed-text"
    assert server.keys == ["Bearer a key"] * 2


def test_a_new_key_counts_at_once(server):
    desk = Desk(server)
    desk.embedder.embed(["one"])
    desk.key = "another"
    desk.embedder.embed(["two"])
    assert server.keys == ["Bearer a key", "Bearer another"]


def test_model_and_address_name_the_space_and_its_width_is_asked_once(server):
    desk = Desk(server, model="plain")
    assert desk.embedder.model_id == f"remote:plain@{server.url.removeprefix('http://')}/v1"
    assert (desk.embedder.dim, desk.embedder.dim) == (64, 64)
    assert desk.learned == [64]
    assert len(server.bodies) == 1
    assert desk.embedder.state().server == "Lab"
    assert desk.embedder.state().on_this_machine


def test_many_texts_go_in_pieces(server):
    assert Desk(server).embedder.embed([f"text {n}" for n in range(230)]).shape == (230, 64)
    assert [len(body["input"]) for body in server.bodies] == [100, 100, 30]


def test_what_must_stay_is_not_sent_to_another_machine(server, monkeypatch):
    monkeypatch.setattr("memdesk.engines.remote_embedder.is_local", lambda _address: False)
    desk = Desk(server, model="plain")
    desk.kept = ("insulin",)
    rows = desk.embedder.embed(["I take insulin", f"My key is {SECRET}", "The cat"])
    (sent,) = [body["input"] for body in server.bodies]
    assert len(sent) == 2
    assert not any("insulin" in text or SECRET in text for text in sent)
    assert [bool(row.any()) for row in rows] == [False, True, True]
    assert not desk.embedder.state().on_this_machine
    assert not desk.embedder.embed(["insulin"]).any()


def test_this_machine_s_own_server_sees_everything(server):
    desk = Desk(server, model="plain")
    desk.kept = ("insulin",)
    assert desk.embedder.embed(["I take insulin"]).any()


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, RemoteAuthError), (404, ModelMissingError), (429, RemoteBusyError), (500, EngineError)],
)
def test_refusals_are_told_as_those_of_chat_models(server, status, kind):
    server.error = (status, {"error": {"message": "no"}})
    with pytest.raises(kind):
        Desk(server).embedder.embed(["x"])


def test_an_answer_without_vectors_is_an_error(server):
    server.error = (200, {"data": [{"index": 0}]})
    with pytest.raises(EngineError, match="not with vectors"):
        Desk(server).embedder.embed(["x"])
    server.error = (200, {"data": []})
    with pytest.raises(EngineError, match="wrong number of vectors"):
        Desk(server).embedder.embed(["x"])


def test_nobody_at_the_address():
    with openai_server() as state:
        desk = Desk(state)
    with pytest.raises(RemoteUnreachableError):
        desk.embedder.embed(["x"])


def test_voyage_s_models_are_known_without_a_list():
    models = list_models(Server("Voyage", "https://api.voyageai.com/v1", None, 20))
    assert all(sounds_like_one(model) for model in models)
    assert "voyage-3.5" in models


@pytest.mark.parametrize(
    ("name", "embeds"),
    [("nomic-embed-text:latest", True), ("bge-m3", True), ("all-minilm", True), ("multilingual-e5-small", True),
     ("qwen3:4b", False), ("voyager-7b", False), ("llama3.2", False), ("gpt-5", False)],
)  # fmt: skip
def test_a_server_s_embedding_models_are_told_by_their_names(name, embeds):
    assert sounds_like_one(name) is embeds


def test_voyage_is_told_a_question_in_its_own_field(server, monkeypatch):
    monkeypatch.setattr("memdesk.engines.remote_embedder._VOYAGE", "127.0.0.1")
    embedder = Desk(server, model="voyage-3.5").embedder
    embedder.embed(["a"])
    embedder.embed(["b"], query=True)
    assert [body["input_type"] for body in server.bodies] == ["document", "query"]
    assert "encoding_format" not in server.bodies[0]
