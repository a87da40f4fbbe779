"""Local language models as the reader: a GGUF file, and the chat model of the running app."""

from __future__ import annotations

import json

import pytest

from memdesk import Memory
from memdesk.api.server import ApiServer
from memdesk.engines.bundled import SMOLLM2, locate
from tests.helpers.models import QueueModel
from tests.helpers.parts import make_parts

SAYS = 'Answer with {"facts": ["The user keeps bees."]} and nothing else.'


def config(provider, **settings):
    store = {"provider": "memory"}
    return {
        "vector_store": store,
        "llm": {"provider": provider, "config": settings},
        "embedder": {"provider": "none"},
        "custom_prompts": {"fact_extraction": SAYS},
    }


@pytest.mark.model
def test_40_any_gguf_file_reads_and_comes_to_an_end():
    with Memory.from_config(config("local", model=str(locate(SMOLLM2)), max_tokens=400)) as m:
        (event,) = m.add("I keep bees", user_id="a")["results"]
        assert (event["event"], event["new_memory"]) == ("ADD", "The user keeps bees.")


def test_40_the_chat_model_of_the_running_app_reads_and_decides(tmp_path):
    model = QueueModel()
    parts = make_parts(tmp_path, model=model)
    server = ApiServer(parts.services, host="127.0.0.1", port=0)
    server.start()
    token = parts.services.tokens.create("test")[1]
    try:
        with Memory.from_config(config("memdesk", api_key=token, base_url=f"{server.url}/v1")) as m:
            model.queue(json.dumps({"facts": ["The user lives in Porto."]}))
            (first,) = m.add("I live in Porto", user_id="a")["results"]
            model.queue(
                json.dumps({"facts": ["The user lives in Lisbon."]}),
                json.dumps({"memory": [{"id": "0", "event": "UPDATE", "text": "The user lives in Lisbon."}]}),
            )
            (second,) = m.add("The user lives in Lisbon", user_id="a")["results"]
        assert (second["event"], second["id"]) == ("UPDATE", first["id"])
        # Its answers are held to their shape, and it is told nothing of the app's own memory.
        assert all(asked.json_schema and not asked.tools for asked in model.requests)
        assert model.requests[0].messages[0].content == SAYS
    finally:
        server.stop()
        parts.close()
