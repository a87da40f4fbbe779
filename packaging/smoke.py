"""Tries a built memdesk as a user's first minutes would.

Serve, tell, distill, ask, chat, show a picture, read a PDF and a Word file, be asked over MCP, look for faults, open the
window.

    python packaging/smoke.py dist/memdesk/memdesk

Standard library only. Prints one line a step; the exit code is 1 when a step fails. Everything happens in a
throw-away folder.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TOKEN = "the token of the smoke test"  # noqa: S105 -- of a server that lives for a minute
SECRETS = {"SMOKE_TOKEN": TOKEN, "SMOKE_PASSPHRASE": "the passphrase of the smoke test"}
SESSION = {
    "agent_id": "smoke",
    "conversation_id": "monday",
    "session_date": "2024-05-06T18:00:00+00:00",
    "turns": [{"user": "My sister Philippa keeps bees in Lisbon.", "assistant": "How lovely!"}],
    "wait": True,
}
CHAT = {
    "model": "default",
    "max_tokens": 16,
    "messages": [{"role": "user", "content": "What does my sister Philippa keep?"}],
}
#: What the notes say, by the ending of the file.
NOTES = {
    "pdf": "The boiler is serviced by Hollander in October.",
    "docx": "The attic key hangs behind the pantry door.",
}
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
#: Seconds for one step; loading libraries from a cold disk is slow.
PATIENCE = 180.0


class StepError(Exception):
    """A step did not do what it should."""


def need(truth: object, words: str) -> None:
    """Raise when something that must hold does not.

    Raises:
        StepError: it does not hold.
    """
    if not truth:
        raise StepError(words)


def call(url: str, path: str, body: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, str]]:
    """Send one request to the server and return its JSON and headers."""
    request = urllib.request.Request(  # noqa: S310 -- the URL is the one our server printed
        url + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {TOKEN}",
            "Content-Type": "application/json",
            "X-Memdesk-Agent-Id": "smoke",
        },
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 -- as above
        return json.loads(answer.read()), {key.lower(): value for key, value in answer.headers.items()}


def pdf(text: str) -> bytes:
    """Return a PDF with one line of text."""
    drawn = f"BT /F 12 Tf 72 720 Td ({text}) Tj ET".encode()
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%b\nendstream" % (len(drawn), drawn),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, start=1):
        places.append(len(out))
        out += b"%d 0 obj%b endobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(parts) + 1
    end = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + end


def word(text: str, path: Path) -> None:
    """Write a Word file with one paragraph."""
    packaged = "http://schemas.openxmlformats.org/package/2006"
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{packaged}/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{kind}"/></Types>',
        )
        file.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{packaged}/relationships">'
            f'<Relationship Id="r" Type="{office}" Target="word/document.xml"/></Relationships>',
        )
        file.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{WORD}"><w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>',
        )


def picture() -> str:
    """Return the address of a small gray picture."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")

    side = (16).to_bytes(4, "big")
    rows = zlib.compress((b"\0" + b"\x80" * 16) * 16)
    head = chunk(b"IHDR", side + side + b"\x08\0\0\0\0")
    png = b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(png).decode()


@contextlib.contextmanager
def running(command: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """A process that is asked to end afterwards, and must end well."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    except BaseException:
        process.kill()
        raise
    process.terminate()
    code = process.wait(timeout=PATIENCE)
    # Windows knows no polite request to end a process without a console: terminate() is always 1 there.
    need(code == 0 or os.name == "nt", f"{' '.join(command)} ended with exit code {code}")


def picture_steps(url: str) -> Iterator[str]:
    """Show a picture to the bundled model, which sees none."""
    content = [{"type": "text", "text": "What is it?"}, {"type": "image_url", "image_url": {"url": picture()}}]
    try:
        call(url, "/v1/chat/completions", {**CHAT, "messages": [{"role": "user", "content": content}]})
    except urllib.error.HTTPError as error:
        said = error.read().decode()
        need("takes no pictures" in said, f"a picture is refused for another reason: {said}")
        yield "says that its model takes no pictures"
        return
    need(truth=False, words="a model without sight was shown a picture")


def notes_steps(url: str, home: Path) -> Iterator[str]:
    """Have a folder with a PDF and a Word file remembered."""
    folder = home / "notes"
    folder.mkdir()
    (folder / "boiler.pdf").write_bytes(pdf(NOTES["pdf"]))
    word(NOTES["docx"], folder / "attic.docx")
    call(url, "/memory/notes", {"path": str(folder), "agent": "smoke"})
    call(url, "/memory/notes/sync", {})
    for ending, query in (("pdf", "Who services the boiler?"), ("docx", "Where is the attic key?")):
        found, _ = call(url, "/memory/context", {"agent_id": "smoke", "query": query})
        need(NOTES[ending] in found["block"], f"not found in the {ending}: {found}")
    yield "finds what a PDF and a Word file say"


def mcp_steps(program: list[str], environment: dict[str, str]) -> Iterator[str]:
    """Ask over MCP's standard input and output, as other programs do."""
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "smoke", "version": "1"}}
    asked = {"name": "search_memory", "arguments": {"query": "What does Philippa keep?"}}
    lines: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": asked},
    ]
    command = [*program, "mcp", "--agent", "smoke"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, text=True, encoding="utf-8", **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in lines:
            process.stdin.write(json.dumps(line) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline() or "{}") if "id" in line else {}
        process.stdin.close()
        need("bees" in json.dumps(answer), f"MCP did not find it: {answer}")
        need(process.wait(timeout=PATIENCE) == 0, f"mcp ended with exit code {process.returncode}")
    yield "is searched over MCP"


def server_steps(program: list[str], environment: dict[str, str]) -> Iterator[str]:
    """Start the server and use it; yield a line for each step done."""
    serve = [*program, "--passphrase-env", "SMOKE_PASSPHRASE", "serve", "--port", "0", "--token-env", "SMOKE_TOKEN"]
    with running(serve, environment) as process:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline() or "{}")
        need(ready.get("event") == "ready", "the server printed no ready line")
        yield f"serves at {ready['url']}"
        told, _ = call(ready["url"], "/memory/ingest", SESSION)
        need(told["distillation"] == "distilled" and told["facts"] >= 1, f"not distilled: {told}")
        yield f"distilled {told['facts']} fact(s) with the bundled model"
        question = {"agent_id": "smoke", "query": CHAT["messages"][0]["content"]}
        found, _ = call(ready["url"], "/memory/context", question)
        need("bees" in found["block"], f"not remembered: {found}")
        yield f"remembers, in {found['tokens']} tokens"
        answer, headers = call(ready["url"], "/v1/chat/completions", CHAT)
        need(answer["choices"][0]["message"]["content"], "the model said nothing")
        need(int(headers.get("x-memdesk-memory-tokens", "0")) > 0, "the chat was given no memory")
        yield "chats with its memory"
        yield from picture_steps(ready["url"])
        yield from notes_steps(ready["url"], Path(program[program.index("--home") + 1]))
        yield from mcp_steps(program, environment)
    yield "ends when asked to"


def examined(program: list[str], environment: dict[str, str]) -> list[dict[str, Any]]:
    """Let it check itself: its libraries, the vault, the models, and a sentence parsed."""
    command = [*program, "--passphrase-env", "SMOKE_PASSPHRASE", "--json", "doctor"]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=PATIENCE, check=False
    )
    found: list[dict[str, Any]] = json.loads(done.stdout or "[]")
    failed = [f"{check['name']}: {check['message']}" for check in found if check["state"] == "fail"]
    need(found and not failed and done.returncode == 0, f"the doctor ended with {done.returncode}: {failed}")
    return found


def doctor_steps(program: list[str], environment: dict[str, str]) -> Iterator[str]:
    """Look for faults."""
    yield f"finds itself whole in {len(examined(program, environment))} checks"


def window_steps(program: list[str], environment: dict[str, str]) -> Iterator[str]:
    """Open the window and wait until it has the memory open and its server answers."""
    subprocess.run([*program, "settings", "set", "server.port", "0"], env=environment, timeout=PATIENCE, check=True)
    command = [*program, "--passphrase-env", "SMOKE_PASSPHRASE", "gui"]
    with running(command, {**environment, "QT_QPA_PLATFORM": "offscreen"}) as process:
        deadline = time.monotonic() + PATIENCE
        while not any(check["name"] == "instance" for check in examined(program, environment)):
            need(process.poll() is None, f"the window ended by itself with exit code {process.returncode}")
            need(time.monotonic() < deadline, "the window did not open the memory")
    yield "opens its window and closes it when asked to"


def main(argv: list[str]) -> int:
    """Try the program named on the command line."""
    # Finds memdesk.exe by the name memdesk, too.
    found = shutil.which(argv[0]) if len(argv) == 1 else None
    if found is None:
        print(__doc__)
        return 2
    # Under a systemd scope or on a fresh machine there may be no keyring: secrets come by environment.
    environment = {**os.environ, **SECRETS, "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
    with tempfile.TemporaryDirectory() as home:
        program = [str(Path(found).resolve()), "--home", home]
        try:
            for steps in (server_steps, doctor_steps, window_steps):
                for line in steps(program, environment):
                    print(f"ok      {line}", flush=True)
        except (StepError, OSError, subprocess.TimeoutExpired) as error:
            said = error.read().decode() if isinstance(error, urllib.error.HTTPError) else ""
            print(f"FAILED  {error} {said}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
