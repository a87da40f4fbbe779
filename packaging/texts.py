"""Gather what is said to the user outside of the window, for Qt Linguist: ``python packaging/texts.py``.

Settings declare title and help once, in the schema; what services say is marked where it arises, by ``say``. None of
them knows Qt, so ``lupdate`` cannot find them by itself; this prints them as source that it reads.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from memdesk.messages import placed
from memdesk.settings import schema

PACKAGE = Path(__file__).resolve().parent.parent / "memdesk"
SECTIONS = (schema.MemorySettings, schema.EngineSettings, schema.ServerSettings, schema.AppearanceSettings)


def settings_texts() -> list[str]:
    """Return titles and helps of all options."""
    fields = [info for section in SECTIONS for info in section.model_fields.values()]
    return list(dict.fromkeys(text for info in fields for text in (info.title, info.description) if text))


def service_texts() -> list[str]:
    """Return what the services say: whole sentences, and sentences with places (``%n`` a count, ``{name}`` a word)."""
    files = sorted(PACKAGE.rglob("*.py"))
    return list(dict.fromkeys(text for path in files for text in _said(ast.parse(path.read_text(encoding="utf-8")))))


def _said(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
            code = ast.literal_eval(node.args[0])
            yield placed(code) if node.keywords else code


def main() -> None:
    """Print one call for each text."""
    print("from PySide6.QtCore import QT_TRANSLATE_NOOP")
    for text in settings_texts():
        print(f"QT_TRANSLATE_NOOP('settings', {_quoted(text)})")
    said = service_texts()
    for text in said:
        if "%n" not in text:
            print(f"QT_TRANSLATE_NOOP('services', {_quoted(text)})")
    # Counts: lupdate takes a plural only from tr() in a class, whose name is the context.
    print("class services:\n    def counts(self, n):")
    for text in said:
        if "%n" in text:
            print(f'        self.tr({_quoted(text)}, "", n)')


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


if __name__ == "__main__":
    main()
