"""The tools of the registry over the Model Context Protocol: stdio and streamable HTTP, revisions 2026-07-28 and before."""
