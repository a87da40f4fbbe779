"""Gather what the services say to the user, for Qt Linguist and for the window.

Settings declare title and help once, in the schema; errors, health tiles, reasons and outcomes are written where they
arise, in English, some with figures in them. None of them knows Qt, so ``lupdate`` cannot find them by itself.

``python packaging/texts.py`` prints them as source that ``lupdate`` reads; with ``--sentences`` it writes
``resources/translations/sentences.json``: the sentences with places, by which the window recognises them again.
"""

from __future__ import annotations

import ast
import builtins
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from memdesk.services.distil_grades import CHOOSES, WRITES
from memdesk.settings import schema

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "memdesk"
SENTENCES = ROOT / "resources" / "translations" / "sentences.json"
SECTIONS = (schema.MemorySettings, schema.EngineSettings, schema.ServerSettings, schema.AppearanceSettings)
#: Layers whose words reach the window, and the server's own state. What the routes say is for programs.
LAYERS = (
    "errors.py",
    "api/server.py",
    "gui",
    "bootstrap",
    "domain",
    "engines",
    "runtime",
    "services",
    "settings",
    "storage",
)
#: Files that speak to programs and developers alone.
UNHEARD = frozenset({"locomo.py", "docs.py", "memory_views.py"})
#: What is made with words for the user, besides errors.
MAKERS = frozenset({"HealthTile", "RunChanged", "Schedule", "Verdict", "Unreadable", "ServerChanged", "Rule", "ended"})
#: Arguments and variables that hold words for the user, whoever is called.
WORDS = frozenset({"reason", "hint", "message", "sentence", "problem", "because", "says", "words"})
#: Functions whose returned texts are words for the user.
SPEAKERS = frozenset({"hold_up", "reason", "_not_made", "_chatting", "_memory_off", "_protected", "_change"})
#: Constants that hold words for the user.
CONSTANTS = frozenset({"WHY_SKIPPED", "PARKED", "_SAYS", "_TAKEN_UP", "_TITLES"})
#: A text shorter than this, or without a space, is a key or a code. One with a place has letters enough of its own.
LEAST_LETTERS = 4
_PLACE = re.compile(r"%n|\{\w+\}")


def settings_texts() -> list[str]:
    """Return titles and helps of all options."""
    fields = [info for section in SECTIONS for info in section.model_fields.values()]
    return [text for info in fields for text in (info.title, info.description) if text]


def service_texts() -> list[str]:
    """Return what the services say: whole sentences, and sentences with places (``%n`` a count, ``{name}`` a word)."""
    files = [path for layer in LAYERS for path in _files(PACKAGE / layer) if path.name not in UNHEARD]
    found = [text for path in files for text in _said(ast.parse(path.read_text(encoding="utf-8")))]
    return list(dict.fromkeys([*filter(_is_sentence, found), WRITES, CHOOSES]))


def sentences() -> list[str]:
    """Return the sentences with places, in alphabetical order."""
    return sorted(text for text in service_texts() if _PLACE.search(text))


def _files(place: Path) -> list[Path]:
    return sorted(place.rglob("*.py")) if place.is_dir() else [place]


def _is_sentence(text: str) -> bool:
    own = _PLACE.sub("", text)
    if text.startswith("GET /") or text.isupper():
        return False
    return sum(letter.isalpha() for letter in own) >= LEAST_LETTERS and (" " in text or text[0].isupper())


def _said(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name.endswith(("Error", "Fault")):
            for part in node.body:
                yield from _assigned(part, {"title", "default_hint"})
        elif isinstance(node, ast.Call):
            yield from _called(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            yield from _assigned(node, WORDS | CONSTANTS | {"title"})
        elif isinstance(node, ast.FunctionDef) and node.name in SPEAKERS:
            for part in ast.walk(node):
                if isinstance(part, ast.Return) and part.value is not None:
                    yield from _texts(part.value)


def _called(node: ast.Call) -> Iterator[str]:
    name = _called_name(node)
    ours = name.endswith(("Error", "Fault")) and not hasattr(builtins, name)
    if ours or name in MAKERS or ast.unparse(node.func).endswith("notes.append"):
        for argument in node.args:
            yield from _texts(argument)
    for keyword in node.keywords:
        template = name == "AgentTemplate" and keyword.arg in {"name", "description", "system_prompt"}
        if template or keyword.arg in WORDS or (name in MAKERS and keyword.arg in {"title", "waiting", "text"}):
            yield from _texts(keyword.value)


def _called_name(node: ast.Call) -> str:
    return str(getattr(node.func, "id", getattr(node.func, "attr", "")))


def _assigned(part: ast.stmt, names: frozenset[str] | set[str]) -> Iterator[str]:
    target = part.targets[0] if isinstance(part, ast.Assign) else getattr(part, "target", None)
    value = getattr(part, "value", None)
    if isinstance(target, ast.Name) and target.id in names and value is not None:
        # What is added to a text is a sentence of its own.
        yield from (text.lstrip() if isinstance(part, ast.AugAssign) else text for text in _texts(value))


def _texts(node: ast.expr) -> Iterator[str]:
    """Yield the texts an expression may come to."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield _with_places(node)
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)
    elif isinstance(node, ast.BoolOp | ast.Tuple):
        for part in getattr(node, "values", None) or getattr(node, "elts", ()):
            yield from _texts(part)
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from _texts(value)
    elif isinstance(node, ast.Call) and _called_name(node) in {"MappingProxyType", "get"}:
        for argument in node.args:
            yield from _texts(argument)


def _with_places(joined: ast.JoinedStr) -> str:
    """Return an f-string as a sentence: its first count is ``%n``, the other values are ``{names}``."""
    text, names, counted = "", set(), False
    for part in joined.values:
        if isinstance(part, ast.Constant):
            text += str(part.value)
            continue
        assert isinstance(part, ast.FormattedValue)
        if not counted and _is_count(part):
            text, counted = text + "%n" + _counted(part.value), True
            continue
        name = _name(part.value)
        while name in names:
            name += "_"
        names.add(name)
        text += f"{{{name}}}"
    return text


def _is_count(part: ast.FormattedValue) -> bool:
    written = ast.unparse(part.format_spec) if part.format_spec else ""
    return written == "f','" or (not written and ast.unparse(part.value).startswith(("len(", "counted(")))


def _counted(value: ast.expr) -> str:
    """Return `` messages`` of ``counted(number, 'message')``, which is said as ``1 message`` or ``2 messages``."""
    noun = value.args[1] if isinstance(value, ast.Call) and _called_name(value) == "counted" else None
    return f" {noun.value}s" if isinstance(noun, ast.Constant) else ""


def _name(value: ast.expr) -> str:
    """Return the last plain word of an expression: ``path`` of ``self.path(section)``."""
    if isinstance(value, ast.IfExp):
        return "more"
    words = re.findall(r"[a-z]\w*", ast.unparse(value).split("(")[0])
    return words[-1] if words else "value"


def main() -> None:
    """Print one call for each text, or write the sentences with places."""
    if "--sentences" in sys.argv[1:]:
        SENTENCES.write_text(json.dumps(sentences(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        return
    print("from PySide6.QtCore import QT_TRANSLATE_NOOP")
    for text in dict.fromkeys(settings_texts()):
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
