"""What models are told when they distill: the text that ships, and the user's own in its place."""

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from memdesk.settings.resources import resource_text


@dataclass(frozen=True, slots=True)
class DistillPrompt:
    """Instructions for the core model before a session.

    Attributes:
        version: of the text that ships.
        text: what is told; ``{user}`` stands for whoever speaks.
        shipped: the text that ships.
        edited: whether the user wrote one of their own.
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
    """Return the prompt in force; an empty ``own`` means the text that ships."""
    data = distill_prompts()
    shipped = str(data["writes"]["system"])
    return DistillPrompt(version=int(data["version"]), text=own or shipped, shipped=shipped, edited=bool(own))
