"""``memdesk memory-tests``: your own questions, each with the line that must be found."""

import argparse
from typing import Any

from memdesk.cli.backend import connect
from memdesk.cli.exits import Exit
from memdesk.cli.output import counted, note, print_json, print_table, print_wrapped


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    listing = actions.add_parser("list", help="list tests and their last results (the default)")
    add = actions.add_parser("add", help="add a test and run it")
    add.add_argument("question", help="as you would ask it in a chat")
    add.add_argument("line", help="words that the line found for it must contain")
    running = actions.add_parser("run", help="ask all questions now; exit code 1 if a line is not found")
    remove = actions.add_parser("remove", help="drop a test")
    remove.add_argument("id")
    add.add_argument("--agent", default="default", metavar="ID", help="whose memory")
    for action in (listing, running):
        action.add_argument("--agent", metavar="ID", help="only of this agent")


def run(options: argparse.Namespace) -> int:
    agent = getattr(options, "agent", None)
    with connect(options) as client:
        if options.action == "add":
            body = {"agent_id": agent, "question": options.question, "line": options.line}
            made = client.post("/memory/tests", body)["id"]
            tests = [test for test in client.get("/memory/tests", agent_id=agent)["items"] if test["id"] == made]
        elif options.action == "remove":
            answer = client.delete(f"/memory/tests/{options.id}")
            if options.json:
                print_json(answer)
            return Exit.OK
        elif options.action == "run":
            tests = client.post("/memory/tests/run", {"agent_id": agent}, timeout=None)["items"]
        else:
            tests = client.get("/memory/tests", agent_id=agent)["items"]
    failed = [test for test in tests if test["state"] == "failed"]
    if options.json:
        print_json(tests)
    else:
        _print(tests)
        note(f"{counted(len(tests), 'memory test')}, {len(failed)} failed")
    return Exit.FAILED if failed and options.action == "run" else Exit.OK


def _print(tests: list[dict[str, Any]]) -> None:
    print_table(
        [(test["id"], test["state"], test["rank"], test["question"], test["line"]) for test in tests],
        ("id", "state", "rank", "question", "line"),
    )
    for test in tests:
        if test["reasons"]:
            print_wrapped(f"{test['question']}: {' '.join(test['reasons'])}")
