"""``memdesk backup``: everything in one encrypted file."""

import argparse
from datetime import datetime
from pathlib import Path

from memdesk.cli.backend import connect
from memdesk.cli.output import note, print_json
from memdesk.cli.secrets import secret_from


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, nargs="?", help="where to; left out: memdesk-DATE.backup here")
    parser.add_argument(
        "--backup-passphrase-env",
        metavar="NAME",
        help="environment variable with a passphrase that also opens this backup",
    )


def run(options: argparse.Namespace) -> None:
    today = datetime.now().astimezone().date().isoformat()
    target = (options.file or Path(f"memdesk-{today}.backup")).expanduser().absolute()
    body = {"path": str(target), "passphrase": secret_from(options, "backup_passphrase")}
    with connect(options) as client:
        report = client.post("/memory/backup", body, timeout=None)
    if options.json:
        print_json(report)
    else:
        counts = ", ".join(f"{number} {name}" for name, number in report["counts"].items())
        note(f"{report['path']} ({report['bytes'] / 1e6:.1f} MB) holds {counts}. It was opened again and counted.")
        note("It opens with your recovery code. Try it once: memdesk restore --check FILE")
