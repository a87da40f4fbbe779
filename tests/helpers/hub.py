"""A small local HTTP server that imitates the model hub: redirects, digests, ranges, broken connections."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class HubState:
    """What the hub holds and how it misbehaves."""

    def __init__(self):
        self.files = {}
        self.requests = []
        self.break_after = None
        self.breaks = 0
        self.ranges = True
        self.announce = {}
        self.gated = False
        #: while cleared, a file stops in the middle.
        self.hold = threading.Event()
        self.hold.set()
        self.url = ""

    def add(self, repo, name, content):
        self.files[repo, name] = content


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def do_HEAD(self):
        self._resolve(body=False)

    def do_GET(self):
        state = self.server.state
        if self.path.startswith("/api/models?"):
            self._json([{"id": repo} for repo in sorted({repo for repo, _ in state.files})])
        elif match := re.fullmatch(r"/api/models/([^/]+/[^/]+)/tree/main\?recursive=true", self.path):
            entries = [
                {"type": "file", "path": name, "size": len(content)}
                for (repo, name), content in state.files.items()
                if repo == match[1]
            ]
            self._json(entries) if entries else self._status(404)
        elif self.path.startswith("/cdn/"):
            self._content()
        else:
            self._resolve(body=True)

    def _resolve(self, *, body):
        state = self.server.state
        state.requests.append((self.command, self.path, self.headers.get("Range")))
        match = re.fullmatch(r"/([^/]+/[^/]+)/resolve/main/(.+)", self.path)
        if match and match[1].startswith("old/"):
            self._status(307, Location=self.path.replace("/old/", "/new/"))
            return
        content = state.files.get((match[1], match[2])) if match else None
        if match is None or content is None:
            self._status(404)
        elif state.gated:
            self._status(403)
        else:
            digest = state.announce.get(match[2], hashlib.sha256(content).hexdigest())
            self._status(
                302,
                Location=f"{state.url}/cdn/{match[1]}/{match[2]}",
                **{"X-Linked-Etag": f'"{digest}"', "X-Linked-Size": str(len(content))},
            )

    def _content(self):
        state = self.server.state
        state.requests.append((self.command, self.path, self.headers.get("Range")))
        _, _, owner, name, file = self.path.split("/", 4)
        content = state.files[f"{owner}/{name}", file]
        start = 0
        if state.ranges and (wanted := re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range") or "")):
            start = int(wanted[1])
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        part = content[start:]
        if state.breaks > 0 and state.break_after is not None:
            state.breaks -= 1
            self.wfile.write(part[: state.break_after])
            self.wfile.flush()
            self.close_connection = True
            self.connection.shutdown(2)
            return
        half = len(part) // 2
        self.wfile.write(part[:half])
        self.wfile.flush()
        state.hold.wait()
        self.wfile.write(part[half:])

    def _json(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _status(self, status, **headers):
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key, value)
        self.send_header("Content-Length", "0")
        self.end_headers()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    state: HubState

    def handle_error(self, request, client_address):
        """Clients that go away are part of the tests."""


@contextmanager
def hub_server():
    """Yield the state of a running hub."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.state = HubState()
    server.state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server.state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
