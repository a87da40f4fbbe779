"""What one agent learned about the user is visible to another if the user lets both share it."""

from __future__ import annotations

import httpx
import pytest

from memdesk.api.server import ApiServer
from tests.helpers import rows
from tests.helpers.parts import make_parts


@pytest.fixture
def parts(tmp_path):
    made = make_parts(tmp_path)
    for agent in ("caroline", "melanie"):
        made.services.agents.ensure(agent)
    lines = [
        rows.line("Learned by Caroline.", id="c", origin="distiller", source_agent_id="caroline"),
        rows.line("Learned by Melanie.", id="m", origin="distiller", source_agent_id="melanie"),
        rows.line("Written by the user.", id="u"),
    ]  # fmt: skip
    made.store.write(lambda repos: [repos.items.put(line) for line in lines])
    yield made
    made.close()


def seen(parts, agent_id):
    return {line.id for line in parts.services.memories.identity(agent_id=agent_id)}


def test_agents_share_what_they_learn_unless_one_keeps_to_itself(parts):
    assert seen(parts, "caroline") == {"c", "m", "u"}
    parts.services.agents.edit("melanie", shares_identity=False)
    assert seen(parts, "caroline") == {"c", "u"}
    assert seen(parts, "melanie") == {"m", "u"}
    assert seen(parts, None) == {"c", "m", "u"}
    assert parts.services.agents.get("melanie").shares_identity is False
    assert parts.services.agents.export("melanie")["shares_identity"] is False


def test_a_token_of_one_agent_sees_what_its_agent_may(parts):
    parts.services.agents.edit("melanie", shares_identity=False)
    _, secret = parts.services.tokens.create("caroline only", ["memory:read"], ["caroline"])
    server = ApiServer(parts.services, host="127.0.0.1", port=0)
    server.start()
    try:
        headers = {"Authorization": f"Bearer {secret}"}
        listed = httpx.get(f"{server.url}/memory/identity", headers=headers, timeout=60).json()["items"]
        other = httpx.get(f"{server.url}/memory/identity?agent_id=melanie", headers=headers, timeout=60)
    finally:
        server.stop()
    assert {line["id"] for line in listed} == {"c", "u"}
    assert other.status_code == 403
