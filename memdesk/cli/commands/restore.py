"""``memdesk restore``: restore a backup, or check that it can be opened."""

import argparse
from pathlib import Path

from memdesk.cli.backend import own_profile, paths_of
from memdesk.cli.commands.snapshots import listing
from memdesk.cli.output import note, print_json
from memdesk.cli.prompts import ask_secret
from memdesk.cli.secrets import given_passphrase, given_recovery_code
from memdesk.errors import BadRequestError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--list", action="store_true", help="list the daily snapshots that can be put back")
    parser.add_argument("--check", action="store_true", help="only open it and count what it holds")
    parser.add_argument("--replace", action="store_true", help="move a memory that is here aside")
    parser.add_argument("--keep-settings", action="store_true", help="leave the current settings as they are")


def run(options: argparse.Namespace) -> None:
    if options.list:
        listing(options)
        return
    if options.file is None:
        raise BadRequestError("Which file?", hint="memdesk restore --list names the daily snapshots.")
    from memdesk.bootstrap import profile
    from memdesk.services.guarding import inspect, restore

    passphrase = given_passphrase(options)
    code = given_recovery_code(options)
    if passphrase is None and code is None:
        code = ask_secret("Recovery code")
    if passphrase is None and code is None:
        raise BadRequestError(
            "A backup opens with its recovery code or passphrase only.",
            hint="Name a variable that holds it: --recovery-code-env NAME or --passphrase-env NAME.",
        )
    paths = paths_of(options)
    if options.check:
        report = inspect(options.file, profile.vault_at, profile.open_store, passphrase=passphrase, recovery_code=code)
        result = report.as_dict()
    else:
        with own_profile(paths):
            done = restore(
                options.file,
                paths,
                profile.vault_at,
                profile.open_store,
                keyring_vault=profile.profile_vault(paths),
                passphrase=passphrase,
                recovery_code=code,
                replace=options.replace,
                settings=not options.keep_settings,
            )
        result = {"counts": done.counts, "created_at": done.created_at.isoformat(), "replaced": done.replaced}
    if options.json:
        print_json(result)
    else:
        counts = ", ".join(f"{number} {name}" for name, number in result["counts"].items())
        note(
            f"{'The backup opens and holds' if options.check else 'Restored'}: {counts} (of {result['created_at'][:19]})."
        )
        if result.get("replaced"):
            note(f"What was here before is in {result['replaced']}.")
