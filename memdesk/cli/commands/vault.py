"""``memdesk vault``: its state, the recovery code and the passphrase. Secrets never go through arguments."""

from __future__ import annotations

import argparse
import sys

from memdesk.cli.backend import paths_of
from memdesk.cli.exits import Exit
from memdesk.cli.output import note, print_json, print_table
from memdesk.cli.prompts import ask_secret, given_passphrase, secret_from_env
from memdesk.errors import BadRequestError, LockedError, NotFoundError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    actions.add_parser("status", help="whether there is a vault and what opens it (the default)")
    actions.add_parser("check", help="the drill: does the recovery code you kept open the vault?")
    actions.add_parser("recovery", help="make a new recovery code; the old one opens nothing any more")
    setting = actions.add_parser("set-passphrase", help="let a passphrase open the vault as well")
    setting.add_argument("--new-passphrase-env", metavar="NAME", help="environment variable with the new passphrase")
    actions.add_parser("remove-passphrase", help="let the passphrase open it no longer")


def run(options: argparse.Namespace) -> int:
    """Do the action on ``vault.json``; a running instance need not be stopped."""
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
        if options.json:
            print_json(result)
        else:
            print_table(list(result.items()))
        return Exit.OK
    if not vault.exists():
        raise NotFoundError(f"There is no vault in {paths.data} yet.", hint="It is made at the first start.")
    if options.action == "check":
        return _check(options, vault.verify_recovery(_recovery_code(options)))
    code = secret_from_env(options.recovery_code_env)
    key = vault.open(passphrase=given_passphrase(options), recovery_code=code)
    if options.action == "recovery":
        note("Write this down and keep it apart from this machine. It is shown once:")
        print(vault.new_recovery_code(key))
    elif options.action == "set-passphrase":
        vault.set_passphrase(key, _new_passphrase(options))
        note("The passphrase opens the vault from now on, beside the keyring and the recovery code.")
    else:
        vault.set_passphrase(key, None)
        note("The passphrase opens nothing any more.")
    return Exit.OK


def _check(options: argparse.Namespace, right: bool) -> int:
    if options.json:
        print_json({"opens": right})
    elif right:
        note("Yes: this recovery code opens the vault. Keep it where it is.")
    if not right:
        raise LockedError("This recovery code does not open the vault.", hint="memdesk vault recovery makes a new one.")
    return Exit.OK


def _recovery_code(options: argparse.Namespace) -> str:
    code = secret_from_env(options.recovery_code_env) or ask_secret("Recovery code")
    if not code:
        raise BadRequestError("No recovery code was given.", hint="Name a variable: --recovery-code-env NAME")
    return code


def _new_passphrase(options: argparse.Namespace) -> str:
    given = secret_from_env(options.new_passphrase_env)
    if given:
        return given
    first = ask_secret("New passphrase") if sys.stdin.isatty() else None
    if not first:
        raise BadRequestError("No passphrase was given.", hint="Name a variable: --new-passphrase-env NAME")
    if first != ask_secret("Once more"):
        raise BadRequestError("The two were not the same.")
    return first
