"""``memdesk bench proxy``: latency that memdesk adds to a server's first byte: with memory, without memory, and direct.

The upstream server is a stand-in in its own process that streams at once. Questions differ, so that no cache answers;
an answer is recorded while the next question is asked, as in use.
"""

import http.client
import json
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import urlsplit

import numpy as np

from memdesk.bench.scale_data import COMMON
from memdesk.bench.shared import AGENT, Stopwatch, arguments, folder, tell
from memdesk.bootstrap.throwaway import throwaway

#: A server that answers any request with a stream of two parts; it prints its port.
_BEHIND = """
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        said = b'data: {"choices": [{"index": 0, "delta": {"content": "Well."}}]}\\n\\ndata: [DONE]\\n\\n'
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)
    def log_message(self, *_): pass
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""
SIDES = ("past", "off", "on")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; return 0."""
    parser = arguments("proxy", __doc__)
    parser.add_argument("--facts", type=int, default=500, help="facts that are remembered (500)")
    parser.add_argument("--questions", type=int, default=60, help="questions of each side (60)")
    options = parser.parse_args(argv)
    chance = random.Random(3)
    with folder() as place, throwaway(place) as app, _behind() as behind:
        app.services.agents.ensure(AGENT)
        for number in range(options.facts):
            words = " ".join(chance.sample(COMMON, 6))
            app.services.memories.add_fact(agent_id=AGENT, content=f"Ada wrote {words} into notebook {number}.")
        app.finish_indexing()
        url = app.start_server(host="127.0.0.1", port=0, upstream=(f"{behind}/v1", ""))
        app.services.recall.warm_up(AGENT)
        took: dict[str, list[tuple[float, float]]] = {side: [] for side in SIDES}
        for number in range(options.questions + 3):
            asked = f"What did Ada write about {' and '.join(chance.sample(COMMON, 3))} in number {number}?"
            for side in chance.sample(SIDES, len(SIDES)):
                spent = _first_byte(behind if side == "past" else url, asked, app.token, side)
                if number >= 3:  # the first ones warm up
                    took[side].append(spent)
    times = {side: np.asarray(took[side]) * 1000 for side in SIDES}
    # Differences per question: other load comes in bursts longer than one question.
    times |= {"added": times["on"] - times["past"], "memory": times["on"] - times["off"]}
    report = {name: _spread(found) for name, found in times.items()}
    tell(options, report, lambda: _lines(report))
    return 0


def _spread(times: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> dict[str, float]:
    """Return median and 95th percentile of wall time, and mean processor time of this process, in ms."""
    p50, p95 = np.percentile(times[:, 0], [50, 95])
    return {"p50": round(float(p50), 1), "p95": round(float(p95), 1), "cpu": round(float(times[:, 1].mean()), 1)}


def _lines(report: dict[str, dict[str, float]]) -> Iterator[str]:
    names = {
        "past": "past memdesk",
        "off": "through it, without memory",
        "on": "through it, with memory",
        "added": "added before the first byte",
        "memory": "of it by memory",
    }
    for name, title in names.items():
        found = report[name]
        yield f"{title:<28} p50 {found['p50']:6.1f}   p95 {found['p95']:6.1f}   processor {found['cpu']:5.1f} ms"


@contextmanager
def _behind() -> Iterator[str]:
    with subprocess.Popen([sys.executable, "-c", _BEHIND], stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 -- the text above
        try:
            assert process.stdout is not None
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.terminate()


def _first_byte(url: str, asked: str, token: str, side: str) -> tuple[float, float]:
    """Return the seconds until the first byte of an answer, and this process's CPU seconds meanwhile."""
    body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": asked}]}
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "X-Memdesk-Agent-Id": AGENT,
        "X-Memdesk-Memory": "off" if side == "off" else "on",
    }
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    try:
        connection.connect()
        watch = Stopwatch()
        connection.request("POST", "/v1/chat/completions", json.dumps(body), headers)
        answer = connection.getresponse()
        answer.read(1)
        spent = watch.read()
        answer.read()
        return spent
    finally:
        connection.close()
