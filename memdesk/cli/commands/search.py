"""``memdesk search``: an agent's memory, by meaning and by words."""

import argparse

from memdesk.cli.backend import connect
from memdesk.cli.client import given
from memdesk.cli.exits import Exit
from memdesk.cli.output import note, print_json, print_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", help="what to look for")
    parser.add_argument("--agent", default="default", metavar="ID", help="whose memory")
    parser.add_argument("--scope", choices=["pinned", "episodes", "transcript", "all"], default="all")
    parser.add_argument("--limit", type=int, default=10, metavar="N")
    parser.add_argument("--conversation", metavar="ID", help="only this conversation")
    parser.add_argument("--since", metavar="DATE", help="not before")
    parser.add_argument("--until", metavar="DATE", help="not after")
    parser.add_argument("--speaker", metavar="NAME", help="only what this person said")
    parser.add_argument("--kind", metavar="KIND", help="only facts of this kind")
    parser.add_argument("--tag", metavar="TAG", help="only facts with this tag")
    parser.add_argument("--as-of", metavar="DATE", help="what was believed at this date")


def run(options: argparse.Namespace) -> int:
    """Print the hits, best first; the exit code says whether there are any."""
    names = ("query", "scope", "limit", "since", "until", "speaker", "kind", "tag", "as_of")
    body = {name: getattr(options, name) for name in names}
    body |= {"agent_id": options.agent, "conversation_id": options.conversation}
    with connect(options) as client:
        found = client.post("/memory/search", given(body))
    if options.json:
        print_json(found)
    else:
        items = found["items"]
        rows = [
            (item["score"], item["kind"], str(item.get("date") or "")[:10], item["cited"], item["text"])
            for item in items
        ]
        print_table(rows)
        if not rows:
            note("Nothing was found.")
        elif found.get("mode") == "fts":
            note("Searched by words only: no embedding model is available.")
    return Exit.OK if found["items"] else Exit.NOT_FOUND
