"""The prompt of distilling models: the built-in text, or the user's own."""

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from memdesk.settings.resources import resource_text


@dataclass(frozen=True, slots=True)
class DistillPrompt:
    """Instructions to the core model, before a session.

    Attributes:
        version: of the built-in text.
        text: the text in force; ``{user}`` stands for the speaker.
        shipped: the built-in text.
        edited: whether the user replaced it.
    """

    version: int
    text: str
    shipped: str
    edited: bool


@cache
def distill_prompts() -> dict[str, Any]:
    """Return ``resources/prompts/distill.toml``."""
    return tomllib.loads(resource_text("prompts", "distill.toml"))


def distill_prompt(own: str = "") -> DistillPrompt:
    """Return the prompt in force; an empty ``own`` means the built-in text."""
    data = distill_prompts()
    shipped = str(data["writes"]["system"])
    return DistillPrompt(version=int(data["version"]), text=own or shipped, shipped=shipped, edited=bool(own))
