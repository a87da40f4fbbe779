"""``memdesk snapshots``: lists daily snapshots, and compares one with the current memory."""

import argparse

from memdesk.cli.backend import connect, paths_of
from memdesk.cli.client import segment
from memdesk.cli.output import note, print_json, print_table
from memdesk.errors import NotFoundError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "which", nargs="?", metavar="WHICH", help="its number in the list or its name: compare it with what is here"
    )


def run(options: argparse.Namespace) -> None:
    return listing(options) if options.which is None else _compare(options)


def listing(options: argparse.Namespace) -> None:
    """List the snapshots, without opening the memory."""
    from memdesk.services.guarding import snapshots_in

    found = snapshots_in(paths_of(options).snapshots)
    if options.json:
        print_json([{"made_at": one.made_at.isoformat(), "bytes": one.bytes, "file": str(one.path)} for one in found])
    elif found:
        print_table(
            [
                (number, f"{one.made_at:%Y-%m-%d %H:%M} UTC", f"{one.bytes / 1e6:.1f} MB", one.path)
                for number, one in enumerate(found, 1)
            ]
        )
    else:
        note("There are no snapshots yet. One is made each day while memdesk runs.")


def _compare(options: argparse.Namespace) -> None:
    with connect(options) as client:
        name = options.which
        if name.isdecimal():
            found = client.get("/memory/snapshots")["items"]
            if not 1 <= int(name) <= len(found):
                raise NotFoundError(f"There is no snapshot {name}.", hint="memdesk snapshots lists them.")
            name = found[int(name) - 1]["name"]
        answer = client.get(f"/memory/snapshots/{segment(name)}")
    if options.json:
        print_json(answer)
        return
    holds, now = answer["holds"]["counts"], answer["now"]
    note(f"{name}, of {answer['holds']['created_at'][:16]} by memdesk {answer['holds']['version']}, opens.")
    print_table(
        [
            (rows, count, now[rows], f"{now[rows] - count:+d}" if now[rows] != count else "")
            for rows, count in holds.items()
        ],
        ("", "then", "now", ""),
    )
