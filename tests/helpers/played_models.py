"""A server that imitates a remote model's protocol."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Server:
    """Answers from a queue of ``(status, body)`` and keeps what it was asked."""

    def __init__(self) -> None:
        self.answers: list = []
        self.asked: list = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                size = int(self.headers["Content-Length"])
                outer.asked.append((self.path.partition("?")[0], json.loads(self.rfile.read(size)), dict(self.headers)))
                status, body = outer.answers.pop(0)
                sent = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)

            def log_message(self, *_words):
                return None

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def close(self) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()
