"""Parses the command line and runs one command; nothing heavy is imported before it is needed."""

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memdesk import __version__
from memdesk.cli.exits import Exit, exit_for
from memdesk.cli.output import note, print_error, speak_utf8
from memdesk.errors import MemdeskError

#: Command, module below ``memdesk.cli.commands``, one line of help, in the order in which newcomers need them.
COMMANDS = (
    ("gui", "gui", "open the window (the default)"),
    ("quick", "quick", "a small window to ask or remember something, for a shortcut of your desktop"),
    ("serve", "serve", "run the local server without a window"),
    ("mcp", "mcp", "give the memory's tools to a program that speaks MCP"),
    ("connect", "connect", "give another program the memory's tools, or take them away"),
    ("doctor", "doctor", "check this installation, the vault and the models"),
    ("status", "status", "what is stored, pending and running"),
    ("ingest", "ingest", "read conversations from a file into an agent's memory"),
    ("export", "exporting", "export everything remembered, or the memory of programs, unencrypted"),
    ("import", "importing", "bring in chats exported from another app"),
    ("search", "search", "search an agent's memory"),
    ("context", "context", "show the memory a chat would be given for a question"),
    ("memory-tests", "memory_tests", "your own questions, and the line that must be found for each"),
    ("distill", "distill", "distill pending conversations now"),
    ("consolidate", "consolidate", "age, merge and prune the memory now"),
    ("facts", "facts", "list, add and forget facts"),
    ("items", "items", "list and forget all that is remembered: facts, episodes, passages, links"),
    ("notes", "notes", "remember folders of notes, and what is known of them"),
    ("graph", "graph", "read and write the knowledge-graph server's memory.jsonl"),
    ("agents", "agents", "list, make and delete agents"),
    ("folders", "folders", "list, make and delete folders of chats, and move chats"),
    ("settings", "settings", "show and change settings"),
    ("tokens", "tokens", "make and revoke tokens for programs that use the server"),
    ("vault", "vault", "state of the vault, recovery code and passphrase"),
    ("backup", "backup", "write an encrypted backup file"),
    ("restore", "restore", "put a backup back"),
    ("snapshots", "snapshots", "list the daily snapshots, or compare one with what is here now"),
    ("salvage", "salvage", "read what is left of a damaged memory into a backup"),
    ("bench", "bench", "measure: storage, recall, gate, scale, distill, consolidate"),
)


#: Sources of secrets, for all commands.
SECRET_OPTIONS = (
    "--passphrase-env",
    "--passphrase-fd",
    "--passphrase-file",
    "--recovery-code-env",
    "--recovery-code-file",
)


class CommandParser(argparse.ArgumentParser):
    """A parser that also accepts the global options: for the program, a command, or a command's action."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        group = self.add_argument_group("profile and output")
        # Suppressed defaults: a command's parser must not reset options given before the command.

        def option(name: str, **more: Any) -> None:
            group.add_argument(name, default=argparse.SUPPRESS, **more)

        option("--home", type=Path, metavar="DIR", help="keep everything below DIR instead of the user folders")
        option("--profile", metavar="NAME", help="use another profile")
        option("--json", action="store_true", help="print one JSON value for programs")
        option("--passphrase-env", metavar="NAME", help="environment variable that holds the passphrase")
        option("--passphrase-fd", type=int, metavar="N", help="file descriptor to read the passphrase from")
        option("--passphrase-file", metavar="FILE", help="file that holds the passphrase, which only you may read")
        option("--recovery-code-env", metavar="NAME", help="environment variable that holds the recovery code")
        option(
            "--recovery-code-file", metavar="FILE", help="file that holds the recovery code, which only you may read"
        )


def chosen_command(argv: Sequence[str]) -> str | None:
    """Return the command named on the command line, skipping the global options before it."""
    with_value = {"--home", "--profile", *SECRET_OPTIONS}
    skip = False
    for word in argv:
        if skip:
            skip = False
        elif word in with_value:
            skip = True
        elif not word.startswith("-"):
            return word
    return None


def make_parser(chosen: str | None) -> argparse.ArgumentParser:
    """Return a parser with only the ``chosen`` command complete; the others are names with a line of help."""
    parser = CommandParser(
        prog="memdesk",
        description="Long-term memory for chat agents: local, encrypted, yours.",
        epilog="memdesk COMMAND --help describes a command.",
    )
    parser.add_argument("--version", action="version", version=f"memdesk {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, module, help_line in COMMANDS:
        sub = commands.add_parser(name, help=help_line, description=help_line)
        if name == chosen:
            command = importlib.import_module(f"memdesk.cli.commands.{module}")
            command.add_arguments(sub)
            sub.set_defaults(run=command.run)
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command line ``argv`` (without the program's name) and return its exit code."""
    speak_utf8()
    chosen = chosen_command(argv)
    if chosen is None and not {"-h", "--help", "--version"} & set(argv):
        argv, chosen = [*argv, "gui"], "gui"
    options = make_parser(chosen).parse_args(argv, argparse.Namespace(**_DEFAULTS))
    try:
        return int(options.run(options) or Exit.OK)
    except MemdeskError as error:
        print_error(error, as_json=options.json)
        return exit_for(error)
    except KeyboardInterrupt:
        note("Stopped.")
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # The reader of our output (head, less) is gone.
        sys.stderr.close()
        return Exit.OK


_DEFAULTS = {
    "home": None,
    "profile": "default",
    "json": False,
    "passphrase_env": None,
    "passphrase_fd": None,
    "passphrase_file": None,
    "recovery_code_env": None,
    "recovery_code_file": None,
}
