"""``memdesk vault``: its state, the recovery code and the passphrase. Secrets never go through arguments."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from memdesk.cli.backend import paths_of
from memdesk.cli.output import note, print_json, print_rows
from memdesk.cli.prompts import ask_secret
from memdesk.cli.secrets import given_passphrase, given_recovery_code, secret_from
from memdesk.errors import BadRequestError, LockedError, NotFoundError

if TYPE_CHECKING:
    from memdesk.settings.paths import ProfilePaths
    from memdesk.storage.vault import Vault


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    actions.add_parser("status", help="whether there is a vault and what opens it (the default)")
    actions.add_parser("check", help="check that the recovery code you kept opens the vault")
    actions.add_parser("recovery", help="make a new recovery code; the old one stops working")
    setting = actions.add_parser("set-passphrase", help="let a passphrase open the vault as well")
    setting.add_argument("--new-passphrase-env", metavar="NAME", help="environment variable with the new passphrase")
    rotating = actions.add_parser("rotate", help="give the memory a new key; everything is re-encrypted")
    rotating.add_argument("--new-passphrase-env", metavar="NAME", help="environment variable with the new passphrase")
    actions.add_parser("remove-passphrase", help="remove the passphrase")


def run(options: argparse.Namespace) -> None:
    """Apply the action to ``vault.json``; a running instance need not be stopped."""
    from memdesk.bootstrap import profile

    paths = paths_of(options)
    vault = profile.profile_vault(paths)
    if options.action in {None, "status"}:
        there = vault.exists()
        result = {
            "exists": there,
            "file": str(paths.vault),
            "keyring": profile.keyring_available(),
            "passphrase": vault.has_passphrase() if there else False,
        }
        print_rows(options, result, result.items())
        return
    if not vault.exists():
        raise NotFoundError(f"There is no vault in {paths.data} yet.", hint="It is made at the first start.")
    if options.action == "check":
        _check(options, vault.verify_recovery(_recovery_code(options)))
        return
    code = given_recovery_code(options)
    key = vault.open(passphrase=given_passphrase(options), recovery_code=code)
    if options.action == "recovery":
        note("Write this down and keep it apart from this machine. It is shown once:")
        print(vault.new_recovery_code(key))
    elif options.action == "rotate":
        _rotate(options, paths, vault, key)
    elif options.action == "set-passphrase":
        vault.set_passphrase(key, _new_passphrase(options))
        note("The passphrase opens the vault from now on, beside the keyring and the recovery code.")
    else:
        vault.set_passphrase(key, None)
        note("The passphrase no longer opens the vault.")


def _rotate(options: argparse.Namespace, paths: ProfilePaths, vault: Vault, key: bytes) -> None:
    """Show the new recovery code first, and change nothing until it has been typed back."""
    from memdesk.storage import recovery_code
    from memdesk.storage.files import rekey

    passphrase = _new_passphrase(options) if vault.has_passphrase() or options.new_passphrase_env else None
    code = recovery_code.generate()
    note("This is the new recovery code. Write it down and keep it apart from this machine. It is shown once:")
    print(code, flush=True)
    if sys.stdin.isatty():
        typed = recovery_code.readings(ask_secret("Type it, to be sure") or "")
        if typed[:1] != recovery_code.readings(code)[:1]:
            raise BadRequestError("That was not the code shown. Nothing was changed.")
    vault.rotate(key, code, passphrase, lambda old, new: rekey(paths.database, old, new))
    note("The memory has a new key. The old recovery code opens older backups only.")


def _check(options: argparse.Namespace, right: bool) -> None:
    if options.json:
        print_json({"opens": right})
    elif right:
        note("Yes: this recovery code opens the vault. Keep it where it is.")
    if not right:
        raise LockedError("This recovery code does not open the vault.", hint="memdesk vault recovery makes a new one.")


def _recovery_code(options: argparse.Namespace) -> str:
    code = given_recovery_code(options) or ask_secret("Recovery code")
    if not code:
        raise BadRequestError("No recovery code was given.", hint="Name a variable: --recovery-code-env NAME")
    return code


def _new_passphrase(options: argparse.Namespace) -> str:
    given = secret_from(options, "new_passphrase")
    if given:
        return given
    first = ask_secret("New passphrase") if sys.stdin.isatty() else None
    if not first:
        raise BadRequestError("No passphrase was given.", hint="Name a variable: --new-passphrase-env NAME")
    if first != ask_secret("Once more"):
        raise BadRequestError("The two do not match.")
    return first
