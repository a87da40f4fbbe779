"""``memdesk quick``: quick entry, of the window that runs or of one that starts in the tray."""

import argparse

from memdesk.cli.commands.gui import show
from memdesk.gui.ring import QUICK


def add_arguments(parser: argparse.ArgumentParser) -> None:
    del parser


def run(options: argparse.Namespace) -> int:
    """Show quick entry."""
    return show(options, hidden=True, wish=QUICK)
