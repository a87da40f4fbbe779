"""Figures that took long to make, kept on disk for as long as what they were made from stays the same."""

import hashlib
import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import memdesk
from memdesk.settings.resources import resources_root

#: What the retrieval of a message is made of: packages, and folders of resources.
_CODE = ("domain/language", "domain/recalling", "services/recalling")
_DATA = ("gate", "language", "ranking")
#: What is learned from the figures, and weighs them.
_LEARNED = frozenset(("opening.json", "opening.py"))


def kept(folder: Path | None, made_from: Iterable[str], make: Callable[[], list[Any]]) -> list[Any]:
    """Return what ``make`` returns (JSON), from disk where it was made before.

    Args:
        folder: where it is kept; None: nowhere.
        made_from: tells it from what else is kept, besides the code of recall and its data.
        make: makes it.
    """
    if folder is None:
        return make()
    name = hashlib.sha256("\n".join([_retrieval(), *made_from]).encode()).hexdigest()[:24]
    path = folder / "figures" / f"{name}.json"
    if path.is_file():
        return list(json.loads(path.read_bytes()))
    made = make()
    path.parent.mkdir(parents=True, exist_ok=True)
    # Whole or not at all: a run that is stopped leaves nothing half written.
    part = path.with_suffix(".part")
    part.write_text(json.dumps(made), encoding="utf-8")
    part.replace(path)
    return made


@cache
def _retrieval() -> str:
    told = hashlib.sha256()
    folders = [Path(memdesk.__file__).parent / name for name in _CODE] + [resources_root() / name for name in _DATA]
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.is_file()):
        if "__pycache__" not in path.parts and path.name not in _LEARNED:
            told.update(path.name.encode() + path.read_bytes())
    return told.hexdigest()
