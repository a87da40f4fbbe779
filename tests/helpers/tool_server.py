"""A real MCP server over standard input and output, started as programs start theirs: ``python tool_server.py LOG``.

Each start and each call adds a line to LOG.
"""

import sys
import time
from pathlib import Path

from mcp.server import MCPServer

LOG = Path(sys.argv[1])
server = MCPServer("weather")
calls = 0


def note(text):
    with LOG.open("a") as log:
        log.write(text + "\n")


@server.tool(description="Say the weather of a city.")
def weather(city: str) -> str:
    global calls  # noqa: PLW0603 - a server that remembers what was asked
    calls += 1
    note(f"weather {city}")
    return f"It rains in {city}. This was call {calls}."


@server.tool()
def slow() -> str:
    note("slow")
    time.sleep(600)
    return "never"


@server.tool()
def broken() -> str:
    raise ValueError("no luck today")


note("started")
server.run("stdio")
