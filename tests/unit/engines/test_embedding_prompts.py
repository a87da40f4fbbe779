"""Embedding models' prompts for questions and texts."""

from __future__ import annotations

import json

import numpy as np
import pytest

from memdesk.engines.clients.common import RemoteEmbedder
from memdesk.engines.embedding_prompts import Prompts, folder_prompts, named_prompts


@pytest.mark.parametrize(
    ("name", "query", "document"),
    [
        ("multilingual-e5-small", "query: ", "passage: "),
        ("intfloat/e5-base-v2", "query: ", "passage: "),
        ("nomic-embed-text:latest", "search_query: ", "search_document: "),
        ("nomic-embed-text-v1.5.Q8_0", "search_query: ", "search_document: "),
        ("snowflake-arctic-embed2", "query: ", ""),
        ("Snowflake Arctic Embed L v2.0", "query: ", ""),
        ("snowflake_arctic_embed_m", "Represent this sentence for searching relevant passages: ", ""),
        ("embeddinggemma:300m", "task: search result | query: ", "title: none | text: "),
        ("all-minilm", "", ""),
        ("text-embedding-3-small", "", ""),
    ],
)
def test_a_family_is_known_by_its_name(name, query, document):
    assert named_prompts(name) == Prompts(query, document)


def test_an_instructed_model_is_no_plain_e5():
    found = named_prompts("multilingual-e5-large-instruct")
    assert found.query.startswith("Instruct: ")
    assert found.document == ""


def test_a_folder_says_it_itself(tmp_path):
    folder = tmp_path / "nomic-embed-text-v2"
    folder.mkdir()
    config = folder / "config_sentence_transformers.json"
    config.write_text(json.dumps({"prompts": {"query": "ask: ", "passage": "tell: ", "STS": "same: "}}))
    assert folder_prompts(folder) == Prompts("ask: ", "tell: ")
    config.write_text(json.dumps({"prompts": {"query": "", "document": ""}}))
    assert folder_prompts(folder) == Prompts("search_query: ", "search_document: ")
    config.write_text("{not json")
    assert folder_prompts(folder) == Prompts("search_query: ", "search_document: ")


def test_a_renamed_folder_is_known_by_what_it_was_made_of(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"_name_or_path": "intfloat/multilingual-e5-base"}))
    assert folder_prompts(tmp_path) == Prompts("query: ", "passage: ")


def test_other_prompts_make_another_space():
    marks = {Prompts().mark, Prompts("a", "").mark, Prompts("", "a").mark, Prompts("a", "a").mark}
    assert len(marks) == 4
    assert Prompts().mark == ""


def test_a_server_s_model_reads_them_too():
    asked = []

    def vectors(texts, query):
        asked.append((texts, query))
        return [[1.0, float(len(text))] for text in texts]

    embedder = RemoteEmbedder("server:e5", vectors, None, Prompts("query: ", "passage: "))
    embedder.embed(["who?", " "], query=True)
    rows = embedder.embed(["me"])
    assert asked == [(["query: who?", "query: ."], True), (["passage: me"], False)]
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0)
    assert embedder.model_id.startswith("server:e5+")
    assert embedder.embed([]).shape == (0, 2)
