"""``memdesk export``: everything in one unencrypted file, or the memory of programs in other formats."""

import argparse
from datetime import datetime
from pathlib import Path

from memdesk.cli import programs
from memdesk.cli.backend import connect
from memdesk.cli.output import note, print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path",
        type=Path,
        nargs="?",
        help="the file to write, in the clear; left out: memdesk-DATE.zip here. `memdesk import` reads it again",
    )
    parser.add_argument(
        "--format",
        choices=["memdesk", "mem0"],
        default="memdesk",
        help="all that is remembered (memdesk), or the memory of programs for mem0",
    )
    programs.add_arguments(parser)


def run(options: argparse.Namespace) -> None:
    today = datetime.now().astimezone().date().isoformat()
    suffix = "zip" if options.format == "memdesk" else "json"
    target = (options.path or Path(f"memdesk-{today}.{suffix}")).expanduser().absolute()
    return programs.write(options, target) if options.format == "mem0" else _everything(options, target)


def _everything(options: argparse.Namespace, target: Path) -> None:
    with connect(options) as client:
        report = client.post("/memory/export", {"path": str(target)}, timeout=None)
    if options.json:
        print_json(report)
    else:
        counts = ", ".join(f"{name} {number}" for name, number in report["counts"].items() if number)
        note(f"{report['path']} ({report['bytes'] / 1e6:.1f} MB) holds: {counts}.")
        note("It is not encrypted: keep it where nobody else reads it. memdesk import FILE reads it again.")
