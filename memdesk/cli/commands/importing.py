"""``memdesk import``: previews and imports chats exported from another app."""

import argparse
from pathlib import Path
from typing import Any

from memdesk.cli import programs
from memdesk.cli.backend import connect
from memdesk.cli.exits import Exit
from memdesk.cli.output import counted, note, print_json, progress
from memdesk.cli.prompts import confirm

#: Kinds of parts that are left out, in the singular; unknown ones keep the app's name for them.
_ONE = {name: name.removesuffix("s") for name in ("thoughts", "tools", "files", "instructions", "versions")}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path",
        type=Path,
        nargs="+",
        help="an export of ChatGPT, Claude, Gemini, Grok, Open WebUI, LM Studio, Jan, LibreChat, AnythingLLM or Osaurus (ZIP, "
        "JSON or folder), plain JSON, Markdown; or `mem0 FILE`: a configuration of mem0 (JSON), or what its get_all returned, into the "
        "memory of programs",
    )
    parser.add_argument("--agent", default="default", metavar="ID", help="whose memory (made when unknown)")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be imported")
    parser.add_argument("--skip-extraction", action="store_true", help="keep the transcripts only, distill nothing")
    programs.add_arguments(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def run(options: argparse.Namespace) -> int:
    if str(options.path[0]) == "mem0" and len(options.path) > 1:
        return programs.bring(options, options.path[1])
    body: dict[str, Any] = {
        "path": str(options.path[0].expanduser().absolute()),
        "agent_id": options.agent,
        "skip_extraction": options.skip_extraction,
    }
    with connect(options, settle=True) as client:
        preview = _follow(client.events("/memory/import", {**body, "dry_run": True}), "reading", None)
        if not options.json:
            _tell(preview, "would be imported" if options.dry_run else "will be imported")
        if options.dry_run:
            return _finish(preview, options)
        todo = preview["new"] + preview["changed"] + sum(new for _, new, _ in _beside(preview))
        if todo and not options.yes and not options.json and not confirm("Import them?"):
            note("Nothing was imported. (--yes imports without asking.)")
            return Exit.INTERRUPTED
        report = preview
        if todo:
            report = _follow(
                client.events("/memory/import", {**body, "dry_run": False}), "importing", preview["conversations"]
            )
    return _finish(report, options)


def _follow(events: Any, label: str, total: int | None) -> dict[str, Any]:
    report: dict[str, Any] = {}
    with progress(total, label, "chat") as bar:
        for event in events:
            if event["event"] == "progress":
                bar.update(event["done"] - bar.n)
                bar.set_postfix_str(event["title"][:30])
            else:
                report = event["report"]
    return report


def _tell(report: dict[str, Any], verb: str) -> None:
    sources = ", ".join(f"{number} from {name}" for name, number in report["sources"].items())
    span = f", {report['first'][:10]} to {report['last'][:10]}" if report.get("first") else ""
    note(f"{counted(report['conversations'], 'chat')} ({sources}{span}).")
    note(
        f"{report['new']} new and {report['changed']} changed with {counted(report['turns'], 'message')} {verb}; "
        f"{report['unchanged']} here already, {report['empty']} empty."
    )
    for words, new, here in _beside(report):
        note(f"{counted(new, *words)} {verb}, {here} here already.")
    if report["kept"]:
        note(f"{counted(report['kept'], 'chat')} were continued here too, and are left as they are.")
    if report["left_out"]:
        parts = ", ".join(counted(number, _ONE.get(kind, kind), kind) for kind, number in report["left_out"].items())
        note(f"Left out, because it is not part of a conversation: {parts}.")
    if report["without_chats"]:
        note(f"{counted(report['without_chats'], 'file')} without chats: {', '.join(report['others'])}.")
    for problem in report["problems"]:
        note(f"  not read: {problem['name']}: {problem['reason']}")


def _beside(report: dict[str, Any]) -> list[tuple[tuple[str, str], int, int]]:
    """Return other data exported with chats: its name, how much is new, and how much was known."""
    words = {"item": ("fact or line about you", "facts and lines about you")}
    theirs = {
        "fact": ("memory of the other app", "memories of the other app"),
        "prompt": ("instruction for answers", "instructions for answers"),
        "folder": ("project", "projects"),
    }
    named = words if "memdesk" in report["sources"] else theirs
    return [(named[kind], *counts) for kind, counts in report["rows"].items() if kind in named]


def _finish(report: dict[str, Any], options: argparse.Namespace) -> int:
    if options.json:
        print_json(report)
    elif not options.dry_run:
        imported = report["new"] + report["changed"]
        note(f"Imported {counted(imported, 'chat')}.")
        if imported and not options.skip_extraction:
            note("What they say is distilled by a running memdesk in the background, or now: memdesk distill")
    return Exit.PARTIAL if report["problem_count"] else Exit.OK
