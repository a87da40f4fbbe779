"""``memdesk mcp``: the memory's tools for programs that speak the Model Context Protocol."""

import argparse
import os
from typing import Any

from memdesk.cli.backend import connect
from memdesk.cli.client import Client
from memdesk.services.guarding import TOKEN_VARIABLE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agent", metavar="ID", help="whose memory, unless a call names another")


class _Programs:
    """The client, with the agent and the program of each call."""

    def __init__(self, client: Client, agent: str | None) -> None:
        self._client = client
        self.agent = agent
        self._agent = {"X-Memdesk-Agent-Id": agent.encode()} if agent else {}

    def get(self, path: str, **query: Any) -> Any:
        return self._client.get(path, **query)

    def post(self, path: str, body: dict[str, Any], *, program: str) -> Any:
        return self._client.post(
            path, body, headers=self._agent | {"X-Memdesk-Program": program.encode()}, timeout=None
        )


def run(options: argparse.Namespace) -> None:
    """Serve MCP over standard input and output until the other end closes, with the tools of a running app, else our own."""
    from memdesk.mcp.stdio import serve

    with connect(options) as client:
        # A program with its own token has the name and rights of that token, not those of the command line.
        token = os.environ.get(TOKEN_VARIABLE)
        serve(_Programs(Client(client.url, token) if token else client, options.agent))
