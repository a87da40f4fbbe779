"""A local language model that answers in text."""

from memdesk.ports import ChatMessage, GenerationRequest, LanguageModel
from memdesk.ports.calls import current
from memdesk.ports.library import ANSWERS


class LocalText:
    """``ports.library.TextModel`` over a ``ports.LanguageModel``."""

    def __init__(self, model: LanguageModel, temperature: float, max_tokens: int) -> None:
        self._model = model
        self._temperature = temperature
        self._max_tokens = max_tokens

    def complete(self, system: str, user: str) -> str:
        request = GenerationRequest(
            messages=(ChatMessage(role="system", content=system), ChatMessage(role="user", content=user)),
            temperature=self._temperature,
            max_tokens=self._max_tokens,
            json_schema=ANSWERS,
        )
        return "".join(chunk.text for chunk in self._model.generate(request, cancel=current()))

    def close(self) -> None:
        """Do nothing: the model's process is its owner's."""
