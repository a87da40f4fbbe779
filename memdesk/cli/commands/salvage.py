"""``memdesk salvage``: saves what is readable of a damaged memory as a backup for ``memdesk restore``."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memdesk.cli.backend import own_profile, paths_of
from memdesk.cli.exits import Exit
from memdesk.cli.output import note, print_json
from memdesk.cli.prompts import ask_secret
from memdesk.cli.secrets import given_passphrase, given_recovery_code
from memdesk.errors import LockedError, NotFoundError

if TYPE_CHECKING:
    from memdesk.storage.salvage import Salvage

#: Labels for the rows of tables; other tables come after these.
_SAID = {"turns": "messages", "items": "facts, episodes and identity lines", "conversations": "conversations"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="the backup to write; the damaged memory is not touched")
    parser.add_argument("--of", metavar="NAME", help="a damaged copy in the data folder, instead of memory.db")


def run(options: argparse.Namespace) -> int:
    """Save what is readable; exits with 7 (done in part) if something was not."""
    from memdesk.bootstrap import profile
    from memdesk.services.guarding import write_backup
    from memdesk.storage.salvage import salvage

    paths = paths_of(options)
    target = options.file.expanduser().absolute()
    damaged = paths.data / options.of if options.of else paths.database
    if damaged.parent != paths.data or not damaged.exists():
        raise NotFoundError(f"There is no {damaged.name} in {paths.data}.")
    with own_profile(paths):
        vault = profile.profile_vault(paths)
        passphrase, code = given_passphrase(options), given_recovery_code(options)
        try:
            key = vault.open(passphrase=passphrase, recovery_code=code)
        except LockedError:
            asked = ask_secret("Recovery code") if passphrase is None and code is None else None
            if not asked:
                raise
            key = vault.open(recovery_code=asked)
        reports: list[Salvage] = []
        counts = write_backup(
            target,
            paths,
            key,
            datetime.now(UTC),
            profile.open_store,
            lambda folder: reports.append(salvage(damaged, key, folder / "memory.db")),
        )
    report = reports[0]
    if options.json:
        print_json({**asdict(report), "counts": counts, "file": str(target)})
    else:
        _tell(report, target)
    return Exit.PARTIAL if report.unreadable or report.gaps or report.orphans else Exit.OK


def _tell(report: Salvage, target: Path) -> None:
    note(f"{report.unreadable:,} of {report.pages:,} pages could not be read.")
    for table, words in _SAID.items():
        gaps = report.gaps.get(table, 0)
        note(
            f"{report.rows.get(table, 0):,} {words} were read"
            + (f"; some are missing in {gaps} places." if gaps else ".")
        )
    if report.orphans:
        note(f"{report.orphans:,} rows were left out: what they belong to is lost.")
    note(f"They are in {target}. To continue with them: memdesk restore --replace {target}")
