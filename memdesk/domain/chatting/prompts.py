"""Saved prompts, with places in braces that are filled each time: ``{topic}``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

#: Keys under which prompts are stored, by their id.
PROMPTS: Final = "prompt:"
#: A name in single or double braces; braces of code and JSON contain other things.
_PLACE: Final = re.compile(r"\{\{ *([^\W\d][\w -]*?) *\}\}|\{([^\W\d][\w -]*?)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A text under a name."""

    id: str
    name: str
    text: str

    @property
    def variables(self) -> tuple[str, ...]:
        """The names in braces, each once, in the order of the text."""
        return tuple(dict.fromkeys(match[1] or match[2] for match in _PLACE.finditer(self.text)))

    def filled(self, values: Mapping[str, str]) -> str:
        """Return the text with values in their places; a place without a value stays as written."""
        return _PLACE.sub(lambda match: values.get(match[1] or match[2]) or match[0], self.text)
