"""The library of prompts: the user's own, for every agent, in the encrypted database."""

from typing import Final

from memdesk.domain.chatting.prompts import PROMPTS, Prompt
from memdesk.domain.models import new_id
from memdesk.errors import BadRequestError
from memdesk.messages import say
from memdesk.ports import Repositories, Store

_NAME_CHARS: Final = 100
_TEXT_CHARS: Final = 100_000


class PromptsService:
    def __init__(self, *, store: Store) -> None:
        self._store = store

    def all(self) -> list[Prompt]:
        with self._store.read() as repos:
            return saved_prompts(repos)

    def put(self, name: str, text: str, prompt_id: str | None = None) -> Prompt:
        """Store a prompt, replacing the one with this id.

        Raises:
            BadRequestError: without a name or a text, or too long.
        """
        prompt = check_prompt(Prompt(id=prompt_id or new_id(), name=" ".join(name.split()), text=text.strip()))
        self._store.write(lambda repos: put_prompt(repos, prompt))
        return prompt

    def delete(self, prompt_id: str) -> None:
        """Delete a prompt; unknown ones are fine."""
        self._store.write(lambda repos: repos.meta.put(PROMPTS + prompt_id, None))


def check_prompt(prompt: Prompt) -> Prompt:
    """Return a prompt after validating it.

    Raises:
        BadRequestError: without a name or a text, or too long.
    """
    if not 1 <= len(prompt.name) <= _NAME_CHARS:
        raise BadRequestError(say("A prompt needs a name of 1 to 100 characters."))
    if not prompt.text.strip() or len(prompt.text) > _TEXT_CHARS:
        raise BadRequestError(say("A prompt must have 1 to 100,000 characters."))
    return prompt


def saved_prompts(repos: Repositories) -> list[Prompt]:
    found = [
        Prompt(id=key.removeprefix(PROMPTS), name=value["name"], text=value["text"])
        for key, value in repos.meta.prefix(PROMPTS).items()
    ]
    return sorted(found, key=lambda prompt: (prompt.name.casefold(), prompt.id))


def put_prompt(repos: Repositories, prompt: Prompt) -> None:
    repos.meta.put(PROMPTS + prompt.id, {"name": prompt.name, "text": prompt.text})
