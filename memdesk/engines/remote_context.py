"""A remote model's limits: pictures, and the context set by the user, reported by its server, or published.

A server runs a model with the context it was started with, so what the server reports counts more than what the model
could take. If nothing is known, nothing is guessed: a chat is sent whole, and the error for one that is too long names
the limit.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from memdesk.settings.resources import resource_text

#: Fields of an entry in a server's list, the running server's before the model's: llama-server, LM Studio,
#: vLLM, OpenRouter and Together, Groq, Mistral.
_FIELDS: Final = (
    ("meta", "n_ctx"),
    ("loaded_context_length",),
    ("max_model_len",),
    ("top_provider", "context_length"),
    ("context_length",),
    ("context_window",),
    ("max_context_length",),
    ("meta", "n_ctx_train"),
)
#: Bounds of a plausible context size in tokens.
_LEAST, _MOST = 256, 16_777_216
_NUMBER = r"(\d[\d,._]*\d)"
#: How servers refer to pictures when they refuse them.
_PICTURES: Final = re.compile(r"image|vision|multi-?modal|mmproj", re.IGNORECASE)
#: How servers name their limit when a prompt exceeds it; the same sentence has the prompt's length.
_LIMITS: Final = (
    re.compile(
        rf"context (?:length|size|window|limit)(?: of this model)?(?: is| of|:)?(?: only)?[ (=]*{_NUMBER}",
        re.IGNORECASE,
    ),
    re.compile(rf"{_NUMBER}(?: tokens?)? (?:maximum context|context (?:length|window|size)|maximum\b)", re.IGNORECASE),
    re.compile(rf"\bn_ctx\W+{_NUMBER}", re.IGNORECASE),
)


def listed(entry: Mapping[str, Any]) -> int:
    """Return the context size in an entry of a server's list; 0 if it has none."""
    for path in _FIELDS:
        value: Any = entry
        for key in path:
            value = value.get(key) if isinstance(value, Mapping) else None
        if isinstance(value, int) and not isinstance(value, bool) and _LEAST <= value <= _MOST:
            return value
    return 0


def sees(entry: Mapping[str, Any]) -> bool | None:
    """Return whether an entry of a server's list says that the model takes pictures; None if it does not say."""
    for part in (entry, entry.get("architecture"), entry.get("capabilities")):
        if not isinstance(part, Mapping):
            continue
        if isinstance(part.get("vision"), bool):
            return bool(part["vision"])
        for key in ("input_modalities", "capabilities"):
            if isinstance(listed := part.get(key), list):
                return not {"image", "vision", "multimodal"}.isdisjoint(map(str, listed))
    return None


def is_blind(message: str) -> bool:
    """Whether a server's refusal of a request with pictures is about these."""
    return _PICTURES.search(message) is not None


def told(message: str) -> int:
    """Return the context size named in a server's refusal of a prompt; 0 if none."""
    for pattern in _LIMITS:
        for found in pattern.finditer(message):
            tokens = int(re.sub(r"\D", "", found[1]))
            if _LEAST <= tokens <= _MOST:
                return tokens
    return 0


def published(model: str) -> int:
    """Return the published context size of a model, by its name; 0 if unknown."""
    name = model.rpartition("/")[2].casefold()
    known = [start for start in _published() if name.startswith(start)]
    return _published()[max(known, key=len)] if known else 0


@cache
def _published() -> Mapping[str, int]:
    return tomllib.loads(resource_text("models", "contexts.toml"))
