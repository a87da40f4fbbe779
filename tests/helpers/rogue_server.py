"""An MCP server over standard input and output that misbehaves as it is told: ``python rogue_server.py WAY LOG``.

It is written without the official package, which would not let it. Each start and each call adds a line to LOG.
"""

import itertools
import json
import os
import sys
import time
from pathlib import Path

WAY, LOG = sys.argv[1], Path(sys.argv[2])
TEXT = {"type": "text", "text": "It rains."}
#: Requests that clients may refuse; a server may also give them an id that a client uses.
ASKED = {
    "sampling": ("sampling/createMessage", {"messages": [], "maxTokens": 9}),
    "elicitation": (
        "elicitation/create",
        {"message": "Your password?", "requestedSchema": {"type": "object", "properties": {}}},
    ),
    "roots": ("roots/list", {}),
}


def note(text):
    with LOG.open("a", encoding="utf-8") as log:
        log.write(text + "\n")


def out(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def send(**fields):
    out(json.dumps({"jsonrpc": "2.0", **fields}))


def answer(to, content=(TEXT,), **more):
    send(id=to, result={"content": list(content), **more})


def tools():
    if WAY == "no list":
        return {"tools": "none"}
    name = "storm" if WAY == "renamed" and len(LOG.read_text().split("started")) > 2 else "weather"
    tool = {"name": name, "description": "Say the weather.", "inputSchema": {"type": "object"}}
    if WAY == "wrong schema":
        tool["inputSchema"] = {"type": "string", "properties": 7, "$ref": "#/nowhere"}
    if WAY == "output schema":
        tool["outputSchema"] = {"type": "object", "required": ["rain"]}
    if WAY == "many tools":
        return {"tools": [tool | {"name": f"weather{n}"} for n in range(5000)], "nextCursor": "again"}
    return {"tools": [tool]}


def call(to):
    note("called")
    match WAY:
        case "dies":
            os._exit(7)
        case "hangs":
            time.sleep(600)
        case "large":
            answer(to, [{"type": "text", "text": "rain " * 20_000_000}])
        case "endless line":
            while True:
                sys.stdout.write("rain " * 10_000)
        case "endless notes":
            for number in itertools.count():
                send(method="notifications/message", params={"level": "info", "data": f"rain {number}"})
        case "junk":
            out("Listening on port 8080...\n\n{\n[1, 2]\nnull\n\x00\x1b[31mred")
            sys.stdout.buffer.write(b"\xff\xfe\n")
            answer(to)
        case "another's":
            answer(to + 1000, [{"type": "text", "text": "of another call"}])
            answer(to)
        case "twice":
            answer(to)
            answer(to, [{"type": "text", "text": "the second"}])
        case "no result":
            send(id=to, result={"content": 7})
        case "both":
            send(id=to, result={"content": [TEXT]}, error={"code": 1, "message": "no"})
        case "no error":
            send(id=to, error="bad luck")
        case "deep":
            deep = "[" * 50_000 + "]" * 50_000
            out(f'{{"jsonrpc": "2.0", "id": {to}, "result": {{"content": {deep}}}}}')
        case "output schema":
            answer(to, structuredContent={"sun": True})
        case "sampling" | "elicitation" | "roots":
            method, params = ASKED[WAY]
            send(id=99, method=method, params=params)
            note(sys.stdin.readline().strip())
            answer(to)
        case _:
            answer(to)


note("started")
if WAY == "exits":
    sys.exit(3)
if WAY == "silent":
    time.sleep(600)
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("method") == "initialize":
        info = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}
        send(id=asked["id"], result=info | {"serverInfo": {"name": "rogue", "version": "1"}})
    elif asked.get("method") == "tools/list":
        send(id=asked["id"], result=tools())
    elif asked.get("method") == "tools/call":
        call(asked["id"])
    elif "id" in asked and "method" in asked:
        send(id=asked["id"], error={"code": -32601, "message": "Method not found"})
