"""Which model a name means, and how its tokens are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memdesk.domain.models import Agent
from memdesk.errors import NotFoundError
from memdesk.messages import say
from memdesk.ports import ChatMessage, LanguageModel, ModelCatalogue
from memdesk.services.recalling import Tokenizer

if TYPE_CHECKING:
    from memdesk.services.settings import SettingsService

DEFAULT_MODEL_NAME: Final = "default"


class UnknownModelError(NotFoundError):
    code = "model_not_found"
    title = say("No such model")
    default_hint = "GET /v1/models lists the models; “default” always works once one is chosen."


def resolve(wanted: str, agent: Agent | None, catalogue: ModelCatalogue, settings: SettingsService) -> str:
    """Return the catalogue id that a client's ``model`` means: ``default``, an id, or a model's name.

    Raises:
        UnknownModelError: no model has this name.
    """
    wanted = wanted.strip()
    if wanted in {"", DEFAULT_MODEL_NAME}:
        return (agent.model if agent is not None else "") or settings.current.engine.chat_model
    if catalogue.info(wanted) is not None:
        return wanted
    folded = wanted.casefold()
    for info in catalogue.all():
        if folded in {info.name.casefold(), info.id.partition(":")[2].casefold()}:
            return info.id
    raise UnknownModelError(say("There is no model “{wanted}”.", wanted=wanted[:120]))


def is_remote(model_id: str) -> bool:
    return model_id.startswith("remote:")


def tokenizer_of(model_id: str, model: LanguageModel) -> Tokenizer | None:
    """Return the tokenizer of a local model; a server's is unknown."""
    if is_remote(model_id):
        return None

    def tokens(text: str) -> int:
        return model.count_tokens((ChatMessage(role="user", content=text),))

    return Tokenizer(model_id, lambda block: tokens(block) - tokens(""))
