"""How programs use an agent over HTTP, ready to paste. Knows no Qt."""

import json
import shlex

LANGUAGES = (("curl", "curl"), ("python", "Python"), ("javascript", "JavaScript"))


def snippet(language: str, url: str, agent_id: str, question: str) -> str:
    """Return a working call of the agent in ``curl``, ``python`` or ``javascript``; ``url`` is without a path."""
    makers = {"curl": _curl, "python": _python, "javascript": _javascript}
    return makers[language](url.rstrip("/"), agent_id, question)


def _quoted(text: str) -> str:
    """Return a string literal that JSON, Python and JavaScript read alike."""
    return json.dumps(text, ensure_ascii=False)


def _curl(url: str, agent_id: str, question: str) -> str:
    body = json.dumps({"model": "default", "messages": [{"role": "user", "content": question}]}, ensure_ascii=False)
    return "\n".join(
        (
            f"curl {url}/v1/chat/completions \\",
            '  -H "Authorization: Bearer $MEMDESK_TOKEN" \\',
            '  -H "Content-Type: application/json" \\',
            f"  -H {shlex.quote(f'X-Memdesk-Agent-Id: {agent_id}')} \\",
            f"  -d {shlex.quote(body)}",
        )
    )


def _python(url: str, agent_id: str, question: str) -> str:
    return f"""import os
from openai import OpenAI

client = OpenAI(
    base_url="{url}/v1",
    api_key=os.environ["MEMDESK_TOKEN"],
    default_headers={{"X-Memdesk-Agent-Id": {_quoted(agent_id)}}},
)
answer = client.chat.completions.create(
    model="default",
    messages=[{{"role": "user", "content": {_quoted(question)}}}],
)
print(answer.choices[0].message.content)"""


def _javascript(url: str, agent_id: str, question: str) -> str:
    return f"""const answer = await fetch("{url}/v1/chat/completions", {{
  method: "POST",
  headers: {{
    "Authorization": `Bearer ${{process.env.MEMDESK_TOKEN}}`,
    "Content-Type": "application/json",
    "X-Memdesk-Agent-Id": {_quoted(agent_id)},
  }},
  body: JSON.stringify({{
    model: "default",
    messages: [{{ role: "user", content: {_quoted(question)} }}],
  }}),
}});
console.log((await answer.json()).choices[0].message.content);"""
