"""What is written and not sent: words, and the text files that go with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Draft:
    """Words and attached files, by name; empty when there is neither."""

    text: str = ""
    files: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.text or self.files)

    def message(self) -> str:
        """Return what is sent: the words, and each file under its name in a fence longer than any in it."""
        parts = [self.text.strip()]
        for name, content in self.files.items():
            marks = "```"
            while marks in content:
                marks += "`"
            parts.append(f"{name}:\n{marks}\n{content.rstrip()}\n{marks}")
        return "\n\n".join(part for part in parts if part)
