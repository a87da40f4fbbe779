"""``memdesk consolidate``: age, merge, promote, evict and prune; or show what would change."""

import argparse

from memdesk.cli.backend import connect
from memdesk.cli.exits import Exit
from memdesk.cli.output import note, print_json, print_table
from memdesk.domain.language.text import shorten

MAX_SHOWN = 40
MAX_WORDS = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="change nothing, print what would change and why")
    parser.add_argument("--agent", metavar="ID", help="only this agent's memory")
    parser.add_argument("--undo", metavar="RUN", help="undo an earlier run instead")
    parser.add_argument("--runs", action="store_true", help="list earlier runs instead")


def run(options: argparse.Namespace) -> int:
    with connect(options) as client:
        if options.runs:
            answer = client.get("/memory/runs", limit=50)
        elif options.undo:
            answer = client.post(f"/memory/runs/{options.undo}/undo", {}, timeout=None)
        else:
            body = {"dry_run": options.dry_run, "agent_id": options.agent}
            answer = client.post("/memory/consolidate", body, timeout=None)
    if options.json:
        print_json(answer)
    elif options.runs:
        rows = [(run["id"], run["started_at"][:19], run["status"], _counts(run["counts"])) for run in answer["items"]]
        print_table(rows, ("run", "started", "status", "changes"))
    elif options.undo:
        note("The run was undone.")
    else:
        _print_result(answer, dry_run=options.dry_run)
    return Exit.PARTIAL if answer.get("run", {}).get("status") == "cancelled" else Exit.OK


def _print_result(answer: dict[str, object], *, dry_run: bool) -> None:
    run = answer.get("run", answer)
    changes = answer.get("changes") or []
    assert isinstance(run, dict)
    assert isinstance(changes, list)
    texts = answer.get("texts") or {}
    assert isinstance(texts, dict)
    print_table(
        [
            (c["action"], c["kind"], shorten(texts.get(c["ref_id"], c["ref_id"]), MAX_WORDS), c.get("reason", ""))
            for c in changes[:MAX_SHOWN]
        ],
        ("action", "kind", "what", "why"),
    )
    if len(changes) > MAX_SHOWN:
        note(f"... and {len(changes) - MAX_SHOWN} more; --json prints all.")
    counts = _counts(run.get("counts", {})) or "nothing"
    note(f"{'Would change' if dry_run else 'Changed'}: {counts}.")
    if run.get("message"):
        note(run["message"])
    if not dry_run:
        note(f"memdesk consolidate --undo {run['id']} takes it back.")


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in counts.items() if number)
