"""Print what the services say to the user as source that Qt Linguist's ``lupdate`` reads.

Settings declare title and help once, in the schema; errors declare title and hint as class attributes; health tiles
and the grades of models are made with constant words. None of them knows Qt, so ``lupdate`` cannot find them by itself.
"""

from __future__ import annotations

import ast
from pathlib import Path

from memdesk.services.distil_grades import CHOOSES, WRITES
from memdesk.settings import schema

PACKAGE = Path(__file__).resolve().parent.parent / "memdesk"
SECTIONS = (schema.MemorySettings, schema.EngineSettings, schema.ServerSettings, schema.AppearanceSettings)


def settings_texts() -> list[str]:
    """Return titles and helps of all options."""
    fields = [info for section in SECTIONS for info in section.model_fields.values()]
    return [text for info in fields for text in (info.title, info.description) if text]


def error_texts() -> list[str]:
    """Return titles and default hints of all errors."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and node.name.endswith(("Error", "Fault")):
                found += [text for part in node.body for text in _attribute(part)]
    return found


def tile_texts() -> list[str]:
    """Return titles and constant sentences of the health tiles."""
    tree = ast.parse((PACKAGE / "services" / "status.py").read_text())
    makers = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.endswith("_tile")]
    pieces = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    whole = [node for maker in makers for node in ast.walk(maker) if id(node) not in pieces]
    # Titles begin with a capital, sentences too; ids and levels do not.
    return [text for node in whole if isinstance(node, ast.expr) for text in _constant(node) if _is_said(text)]


def _is_said(text: str) -> bool:
    return text[0].isupper() or text.endswith(".")


def _attribute(part: ast.stmt) -> list[str]:
    target = part.targets[0] if isinstance(part, ast.Assign) else getattr(part, "target", None)
    value = getattr(part, "value", None)
    known = isinstance(target, ast.Name) and target.id in {"title", "default_hint"}
    return _constant(value) if known and value is not None else []


def _constant(node: ast.expr) -> list[str]:
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value else []


def main() -> None:
    """Print one call for each text."""
    print("from PySide6.QtCore import QT_TRANSLATE_NOOP")
    for context, texts in (
        ("settings", settings_texts()),
        ("services", [*error_texts(), *tile_texts(), WRITES, CHOOSES]),
    ):
        for text in dict.fromkeys(texts):
            print(f"QT_TRANSLATE_NOOP({context!r}, {_quoted(text)})")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


if __name__ == "__main__":
    main()
