"""How programs use an agent over HTTP, ready to paste. Knows no Qt."""

from __future__ import annotations

import json

LANGUAGES = (("curl", "curl"), ("python", "Python"), ("javascript", "JavaScript"))
QUESTION = "What do you remember about me?"


def snippet(language: str, url: str, agent_id: str) -> str:
    """Return a working call of the agent.

    Args:
        language: ``curl``, ``python`` or ``javascript``.
        url: the server's address, without a path.
        agent_id: the agent.
    """
    makers = {"curl": _curl, "python": _python, "javascript": _javascript}
    return makers[language](url.rstrip("/"), agent_id)


def _curl(url: str, agent_id: str) -> str:
    body = json.dumps({"model": "default", "messages": [{"role": "user", "content": QUESTION}]})
    return "\n".join(
        (
            f"curl {url}/v1/chat/completions \\",
            '  -H "Authorization: Bearer $MEMDESK_TOKEN" \\',
            '  -H "Content-Type: application/json" \\',
            f'  -H "X-Memdesk-Agent-Id: {agent_id}" \\',
            f"  -d '{body}'",
        )
    )


def _python(url: str, agent_id: str) -> str:
    return f"""import os
from openai import OpenAI

client = OpenAI(
    base_url="{url}/v1",
    api_key=os.environ["MEMDESK_TOKEN"],
    default_headers={{"X-Memdesk-Agent-Id": "{agent_id}"}},
)
answer = client.chat.completions.create(
    model="default",
    messages=[{{"role": "user", "content": "{QUESTION}"}}],
)
print(answer.choices[0].message.content)"""


def _javascript(url: str, agent_id: str) -> str:
    return f"""const answer = await fetch("{url}/v1/chat/completions", {{
  method: "POST",
  headers: {{
    "Authorization": `Bearer ${{process.env.MEMDESK_TOKEN}}`,
    "Content-Type": "application/json",
    "X-Memdesk-Agent-Id": "{agent_id}",
  }},
  body: JSON.stringify({{
    model: "default",
    messages: [{{ role: "user", content: "{QUESTION}" }}],
  }}),
}});
console.log((await answer.json()).choices[0].message.content);"""
