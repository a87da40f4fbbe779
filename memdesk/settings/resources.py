"""Locates the files of ``resources/``: beside the package in a checkout, inside it in a wheel."""

from functools import cache
from pathlib import Path


@cache
def resources_root() -> Path:
    """Return the folder that holds gate rules, prompts, styles, icons and docs."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "_resources"
    return inside if inside.is_dir() else package.parent / "resources"


def resource_text(*parts: str) -> str:
    """Return the text of one resource, for example ``resource_text("gate", "en.toml")``."""
    return resources_root().joinpath(*parts).read_text(encoding="utf-8")
