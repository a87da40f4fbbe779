"""Prefixes that an embedding model expects before questions and passages."""

import hashlib
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from memdesk.domain.decoding import decode, text_in
from memdesk.settings.resources import resource_text

#: Names of the passage prompt in sentence-transformers' configuration.
_DOCUMENT = ("document", "passage", "corpus")
_MOST = 1000


class Prompts(NamedTuple):
    """Prefixes of embedded texts; empty for none."""

    query: str = ""
    document: str = ""

    def of(self, *, query: bool) -> str:
        return self.query if query else self.document

    @property
    def mark(self) -> str:
        """Their suffix in the name of a vector space; empty for none."""
        return "+" + hashlib.sha256("\0".join(self).encode()).hexdigest()[:6] if any(self) else ""


def named_prompts(name: str) -> Prompts:
    """Return the prompts of a model's family, by its name."""
    plain = re.sub(r"[\s_]+", "-", name.lower())
    for family in _families():
        if any(known in plain for known in family["names"]):
            return Prompts(family.get("query", ""), family.get("document", ""))
    return Prompts()


def sounds_like_one(name: str) -> bool:
    """Whether a server's model is an embedding model, by its name: lists of servers do not say."""
    return re.search(r"embed|minilm|(?<![a-z])(?:bge|gte|e5)(?![a-z])|^voyage-", name.lower()) is not None


def folder_prompts(folder: Path) -> Prompts:
    """Return the prompts that a sentence-transformers folder configures; else those of its name's family."""
    own = _read(folder / "config_sentence_transformers.json").get("prompts")
    if isinstance(own, dict):
        documents = (text_in(own, name, _MOST) for name in _DOCUMENT)
        asked = Prompts(text_in(own, "query", _MOST), next(filter(None, documents), ""))
        if any(asked):
            return asked
    base = text_in(_read(folder / "config.json"), "_name_or_path", _MOST)
    return named_prompts(f"{base} {folder.name}")


@cache
def _families() -> list[dict[str, Any]]:
    families: list[dict[str, Any]] = tomllib.loads(resource_text("models", "embedding_prompts.toml"))["family"]
    return families


def _read(path: Path) -> dict[str, Any]:
    try:
        found = decode(path.read_bytes())
    except (OSError, ValueError):
        # Other code checks whether the folder is a model at all.
        return {}
    return found if isinstance(found, dict) else {}
