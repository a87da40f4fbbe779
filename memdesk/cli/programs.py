"""The memory of programs (``from memdesk import Memory``) on the command line: import from and export to mem0."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memdesk.cli.exits import Exit
from memdesk.cli.output import counted, note, print_json
from memdesk.cli.prompts import confirm
from memdesk.domain.decoding import MAX_SIZE, decode
from memdesk.errors import BadRequestError
from memdesk.settings.files import read_given

if TYPE_CHECKING:
    from memdesk.services.library import MemoryService


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for where a program's memory is."""
    parser.add_argument("--memory", type=Path, metavar="FOLDER", help="mem0: folder of the program's memory")
    parser.add_argument("--memory-config", type=Path, metavar="FILE", help="mem0: its configuration (JSON)")
    parser.add_argument(
        "--memory-passphrase-env", metavar="NAME", help="mem0: environment variable with its passphrase"
    )


def bring(options: argparse.Namespace, source: Path) -> int:
    """Show what mem0's file or stores contain, ask, and import it."""
    rows, past, theirs = _source(source)
    with _memory(options, preview=True) as memory:
        report = memory.bring(rows, past, dry_run=True)
    if not options.json:
        note(
            f"{counted(report.new, 'memory', 'memories')} new, {report.changed} changed, {report.unchanged} here already, "
            f"{report.left_out} without a text or an owner; {report.history} changes of theirs."
        )
        if theirs and report.new + report.changed and _bare(theirs) != _bare(report.embedder):
            here = f"re-embedded with {report.embedder}" if report.embedder else "found by words only"
            note(f"mem0 embedded them with {theirs}; here they are {here}.")
    todo = report.new + report.changed + report.history
    if todo and not options.dry_run:
        if not options.yes and not options.json and not confirm("Import them?"):
            note("Nothing was imported. (--yes imports without asking.)")
            return Exit.INTERRUPTED
        with _memory(options) as memory:
            report = memory.bring(rows, past)
        note("Imported.")
    if options.json:
        print_json(asdict(report))
    return Exit.OK


def write(options: argparse.Namespace, target: Path) -> None:
    """Export everything in mem0's format; only the owner can read the file."""
    with _memory(options, preview=True) as memory:
        found = memory.written()
    with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump(found, file, ensure_ascii=False, indent=1)
    note(f"Wrote {counted(len(found['results']), 'memory', 'memories')} to {target}. The file is not encrypted.")


@contextmanager
def _memory(options: argparse.Namespace, *, preview: bool = False) -> Iterator[MemoryService]:
    from memdesk.bootstrap.library import open_service

    secret = os.environ.get(options.memory_passphrase_env or "")
    config = None if options.memory_config is None else _json(options.memory_config)
    service, code = open_service(options.memory, config, passphrase=secret, recovery_code=None, preview=preview)
    try:
        if code:
            note(f"The recovery code of the new memory, which is stored nowhere: {code}")
        yield service  # type: ignore[misc]  # of this machine
    finally:
        service.close()


def _bare(model: str) -> str:
    """Return a model's name without provider, publisher and fingerprint: equal weights give equal vectors."""
    return model.partition(":")[2].partition("@")[0].rpartition("/")[2]


def _source(path: Path) -> tuple[list[tuple[str, Mapping[str, Any]]], list[dict[str, Any]], str]:
    """Return the memories and history of a dump, or of the stores in a configuration.

    The third result is the model that embedded them (``openai:text-embedding-3-small``), or "" if unknown.
    """
    from memdesk.stores import mem0_source

    found = _json(path)
    if isinstance(found, dict) and "results" not in found:
        store = found.get("vector_store") or {}
        past = found.get("history_db_path") or str(Path.home() / ".mem0" / "history.db")
        return list(mem0_source.rows(store)), mem0_source.history(Path(past)), mem0_source.embedder(found)
    rows: Iterable[Any] = found["results"] if isinstance(found, dict) else found
    kept: list[tuple[str, Mapping[str, Any]]] = [
        (str(row["id"]), row) for row in rows if isinstance(row, dict) and row.get("id")
    ]
    return kept, list(found.get("history", [])) if isinstance(found, dict) else [], ""


def _json(path: Path) -> Any:
    try:
        found = decode(read_given(path, MAX_SIZE))
    except (OSError, ValueError) as error:
        raise BadRequestError(f"{path} cannot be read as JSON: {error}") from error
    if not isinstance(found, dict | list):
        raise BadRequestError(f"{path} holds neither a configuration nor a list of memories.")
    return found
