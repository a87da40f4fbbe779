"""A small local server that speaks like Ollama, LM Studio or llama-server."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def letters(text, width=64):
    """Return the vector that the server gives a text: how often each pair of letters is in it."""
    row = [0.0] * width
    for pair in zip(text.lower(), text.lower()[1:], strict=False):
        row[sum(map(ord, pair)) % width] += 1.0
    row[0] += 1.0
    return row


class ServerState:
    """What it answers and what it was asked."""

    def __init__(self):
        self.models = ["qwen3:4b", "family/model"]
        self.key = None
        self.bodies = []
        #: the addresses at which these came, and the headers.
        self.paths, self.headers = [], []
        #: what was sent to be written down, and what it heard in it.
        self.sounds, self.heard = [], " What was said. "
        #: sent with requests for vectors, and with sounds.
        self.keys = []
        self.words = ["Hello", " there", "."]
        #: gives the answer to a request's body instead of ``words``.
        self.answer = None
        self.error = None
        #: headers of such an error.
        self.error_headers = {}
        self.formats = {"json_schema", "json_object"}
        self.pause = 0.0
        self.break_off = False
        self.events = None
        #: gives the events to a request's body instead of ``events``.
        self.events_for = None
        #: gives the bytes of an answer instead of any events, and what they are.
        self.raw, self.kind = None, "text/event-stream"
        self.hung_up = threading.Event()
        self.closing = threading.Event()
        self.url = ""
        #: how many tokens its models see, of those it says it of.
        self.contexts = {}
        #: what else its list says of a model.
        self.entries = {}
        #: what it says at other addresses, by path.
        self.pages = {}
        #: where its list of models has gone.
        self.moved = ""

    def told(self, model):
        context = {"context_length": self.contexts[model]} if model in self.contexts else {}
        return context | self.entries.get(model, {})


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, *args):
        pass

    def do_GET(self):
        state = self.server.state
        if state.moved:
            self.send_response(301)
            self.send_header("Location", state.moved)
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif self.path in state.pages:
            self._reply(200, state.pages[self.path])
        elif self.path != "/v1/models":
            self._reply(404, {"error": "no such page"})
        elif state.key and self.headers.get("Authorization") != f"Bearer {state.key}":
            self._reply(401, {"error": {"message": "bad key"}})
        else:
            self._reply(200, {"data": [{"id": model} | state.told(model) for model in state.models]})

    def do_HEAD(self):
        self._reply(200 if self.path in self.server.state.pages else 404, {"method": self.command})

    def do_OPTIONS(self):
        self.do_HEAD()

    def do_POST(self):
        state = self.server.state
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Type", "").startswith("multipart/") or not self.headers.get("Content-Type"):
            state.paths.append(self.path)
            state.keys.append(self.headers.get("Authorization"))
            state.sounds.append(sent)
            self._reply(*(state.error or (200, {"text": state.heard})))
            return
        body = json.loads(sent)
        if self.path == "/api/show":
            self._reply(200 if self.path in state.pages else 404, state.pages.get(self.path, {"error": "no such page"}))
            return
        state.bodies.append(body)
        state.paths.append(self.path)
        state.headers.append(dict(self.headers))
        kind = (body.get("response_format") or {}).get("type")
        if state.error:
            self._reply(*state.error, **state.error_headers)
        elif self.path == "/v1/embeddings":
            state.keys.append(self.headers.get("Authorization"))
            rows = [{"index": n, "embedding": letters(text)} for n, text in enumerate(body["input"])]
            self._reply(200, {"data": rows[::-1]})
        elif kind and kind not in state.formats:
            self._reply(400, {"error": {"message": f"response_format {kind} is not supported"}})
        else:
            self._stream(state, body)

    def _stream(self, state, body):
        self.send_response(200)
        self.send_header("Content-Type", state.kind)
        self.end_headers()
        try:
            if state.raw is not None:
                for piece in state.raw():
                    self.wfile.write(piece)
                return
            events = state.events_for(body) if state.events_for else state.events
            for event in events or self._words(state, body):
                state.closing.wait(state.pause)
                self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
                self.wfile.flush()
                if state.break_off:
                    return
            self.wfile.write(b"data: [DONE]\n\n")
        except OSError:
            state.hung_up.set()

    @staticmethod
    def _words(state, body):
        for word in [state.answer(body)] if state.answer else state.words:
            yield {"choices": [{"delta": {"content": word}}]}
        yield {"choices": [{"delta": {}, "finish_reason": "stop"}]}
        yield {"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 3}}

    def _reply(self, status, value, **headers):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, told in headers.items():
            self.send_header(name.replace("_", "-"), told)
        self.end_headers()
        self.wfile.write(data)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    state: ServerState

    def handle_error(self, request, client_address):
        """Clients that hang up are part of the tests."""


@contextmanager
def openai_server():
    """Yield the state of a running server."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.state = ServerState()
    server.state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server.state
    finally:
        server.state.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
