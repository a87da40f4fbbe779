"""``memdesk context``: exactly the memory a chat would be given for a question, and why."""

import argparse

from memdesk.cli.backend import connect
from memdesk.cli.client import given
from memdesk.cli.output import note, print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", help="the message a user would send")
    parser.add_argument("--agent", default="default", metavar="ID", help="whose memory")
    parser.add_argument("--budget", type=int, metavar="TOKENS", help="instead of memoryBudgetTokens")
    parser.add_argument(
        "--section",
        choices=["auto", "identity", "pinned", "episode", "transcript", "none"],
        help="instead of the gate's choice",
    )
    parser.add_argument("--as-of", metavar="DATE", help="what was believed at this date")


def run(options: argparse.Namespace) -> None:
    """Print the block on stdout and its reason on stderr."""
    body = {
        "agent_id": options.agent,
        "query": options.query,
        "budget_tokens": options.budget,
        "section": None if options.section == "auto" else options.section,
        "as_of": options.as_of,
    }
    with connect(options) as client:
        answer = client.post("/memory/context", given(body))
    if options.json:
        print_json(answer)
        return
    left_out = len(answer.get("left_out") or ())
    note(
        f"section {answer['section']}, rule {answer['rule']}, {answer['tokens']} tokens, "
        f"{len(answer['items'])} items, {left_out} left out"
    )
    if answer["block"]:
        print(answer["block"])
    else:
        note("No memory would be given.")
