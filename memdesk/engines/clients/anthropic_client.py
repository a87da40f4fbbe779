"""Anthropic, through the ``anthropic`` package."""

from typing import Any

import anthropic

from memdesk.engines.clients.asked import Asked
from memdesk.engines.clients.common import by_status, missing, needed


class AnthropicModel:
    """``ports.library.TextModel`` on Anthropic's messages."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._model = needed(settings, "model", "Anthropic")
        # Retries are ours, on rate limits only.
        self._client = anthropic.AsyncAnthropic(
            api_key=settings.get("api_key"), base_url=settings.get("base_url"), max_retries=0
        )
        if not (self._client.api_key or self._client.auth_token or self._client.credentials):
            raise missing("api_key", "Anthropic")
        self._asked = Asked(self._client.close)
        self.close = self._asked.close
        self._temperature = float(settings["temperature"])
        self._max_tokens = int(settings["max_tokens"])

    def complete(self, system: str, user: str) -> str:
        try:
            answer = self._asked(
                self._client.messages.create(
                    model=self._model,
                    system=system,
                    messages=[{"role": "user", "content": user}],
                    max_tokens=self._max_tokens,
                    extra_body={"temperature": self._temperature},
                )
            )
        except anthropic.APIStatusError as error:
            raise by_status(error.status_code, "Anthropic", error.message) from error
        except anthropic.AnthropicError as error:
            raise by_status(None if isinstance(error, anthropic.APIError) else 401, "Anthropic", str(error)) from error
        return "".join(block.text for block in answer.content if block.type == "text")
