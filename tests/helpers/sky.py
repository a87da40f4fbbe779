"""A tool server in this process, for testing our own decisions."""

from __future__ import annotations

from contextlib import contextmanager

from memdesk.ports import OfferedTool, ToolResult


class Sky:
    """``ports.ToolConnector`` that counts how often it was opened."""

    description = "Say the weather of a city."

    def __init__(self):
        self.opened = 0

    @contextmanager
    def open(self, _address, _cancel=None):
        self.opened += 1
        yield self

    def tools(self, _cancel=None):
        return [
            OfferedTool(name="weather", description=self.description, schema={"type": "object"}),
            OfferedTool(name="long", schema={"type": "object"}),
        ]

    def call(self, name, arguments, _cancel=None):
        return ToolResult("word " * 50_000 if name == "long" else f"It rains in {arguments['city']}.")
