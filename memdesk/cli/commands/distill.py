"""``memdesk distill``: digest pending conversations now."""

import argparse

from memdesk.cli.backend import connect
from memdesk.cli.client import given
from memdesk.cli.exits import Exit
from memdesk.cli.output import note, print_json, print_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agent", metavar="ID", help="only this agent's")
    parser.add_argument("--conversation", metavar="ID", help="only this conversation (with --agent)")
    parser.add_argument("--prompt", action="store_true", help="print what a distilling model is told; change nothing")
    parser.add_argument("--retry-parked", action="store_true", help="retry what failed too often")


def run(options: argparse.Namespace) -> int:
    if options.prompt:
        return _prompt(options)
    body = {"agent_id": options.agent, "conversation_id": options.conversation, "retry_parked": options.retry_parked}
    with connect(options) as client:
        answer = client.post("/memory/distill", given(body), timeout=None)
    outcomes = answer["outcomes"]
    if options.json:
        print_json(answer)
    elif not outcomes:
        note("Nothing was pending.")
    else:
        print_table(
            [(o["agent_id"], o["conversation_id"], o["outcome"], len(o["facts"]), o["rejected"]) for o in outcomes],
            ("agent", "conversation", "outcome", "facts", "rejected"),
        )
    failed = any(str(o["outcome"]).startswith(("error", "parked")) for o in outcomes)
    return Exit.PARTIAL if failed else Exit.OK


def _prompt(options: argparse.Namespace) -> int:
    """Print the current prompt; ``memdesk settings set memory.distillPrompt`` changes it, ``reset`` restores the default."""
    with connect(options) as client:
        found = client.get("/memory/distill/prompt")
    if options.json:
        print_json(found)
    else:
        note(f"version {found['version']}, {'edited' if found['edited'] else 'as it ships'}")
        print(found["text"])
    return Exit.OK
