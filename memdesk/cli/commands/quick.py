"""``memdesk quick``: opens quick entry, in the running window or in one started in the tray."""

import argparse

from memdesk.cli.commands.gui import show
from memdesk.gui.ring import QUICK


def add_arguments(parser: argparse.ArgumentParser) -> None:
    del parser


def run(options: argparse.Namespace) -> int:
    """Open quick entry."""
    return show(options, hidden=True, wish=QUICK)
