"""Tool servers that die, hang, flood or lie: each call ends in words, and so does the answer."""

import contextlib
import gzip
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from memdesk.errors import CancelledError, EngineError
from memdesk.mcp.client import McpConnector
from memdesk.ports import ServerAddress
from memdesk.services.chatting import Finished, ToolAsked, ToolUsed
from memdesk.settings.schema import ToolServer
from tests.helpers.models import tool_call
from tests.helpers.parts import make_parts

SERVER = Path(__file__).parents[1] / "helpers" / "rogue_server.py"

pytestmark = pytest.mark.expect_log


@pytest.fixture
def log(tmp_path):
    return tmp_path / "server.log"


@pytest.fixture
def reach(log):
    """Open a rogue server and call its tool; return what it says."""

    def use(way, *, timeout=30.0, cancel=None):
        command = (sys.executable, str(SERVER), way, str(log))
        address = ServerAddress(name="rogue", command=command, timeout=timeout)
        with McpConnector().open(address, cancel) as rogue:
            tools = rogue.tools(cancel)
            return tools, rogue.call("weather", {}, cancel).text

    return use


@pytest.mark.parametrize("way", ["as it should", "junk", "another's", "twice", "many tools"])
def test_what_does_not_belong_to_an_answer_is_passed_over(reach, way):
    tools, text = reach(way)
    assert text == "It rains."
    assert len(tools) == (64 if way == "many tools" else 1)


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("exits", "failed: Connection closed"),
        ("dies", "failed: Connection closed"),
        ("large", "sent more than 16 MB at once"),
        ("endless line", "sent more than 16 MB at once"),
        ("no list", "its answer is not as the protocol wants it"),
        ("wrong schema", "its answer is not as the protocol wants it"),
        ("no result", "its answer is not as the protocol wants it"),
        ("both", "failed: no"),
        ("output schema", "Invalid structured content"),
    ],
)
def test_a_server_that_dies_floods_or_lies_is_told_in_words(reach, way, said):
    with pytest.raises(EngineError, match=f"The tool server rogue .*{said}"):
        reach(way)


@pytest.mark.parametrize("way", ["silent", "hangs", "endless notes", "no error", "deep"])
def test_a_server_that_never_answers_is_given_up(reach, way):
    with pytest.raises(EngineError, match=r"The tool server rogue .*(timed out|within 3 seconds)"):
        reach(way, timeout=3.0)


@pytest.mark.parametrize("way", ["silent", "hangs"])
def test_stop_ends_a_server_that_does_not_start_or_answer(reach, log, way):
    cancel, wanted = threading.Event(), "started" if way == "silent" else "called"
    threading.Thread(target=lambda: (_until(lambda: log.exists() and wanted in log.read_text()), cancel.set())).start()
    with pytest.raises(CancelledError):
        reach(way, timeout=300.0, cancel=cancel)


@pytest.mark.parametrize("way", ["sampling", "elicitation", "roots"])
def test_what_a_server_asks_of_us_is_refused(reach, log, way):
    assert reach(way)[1] == "It rains."
    assert "not supported" in json.loads(log.read_text().splitlines()[-1])["error"]["message"]


class Rogue(BaseHTTPRequestHandler):
    """A server over HTTP that does as the first part of the path says."""

    def do_POST(self):
        way = self.path.split("/")[1]
        self.server.asked.append(way)
        self.rfile.read(int(self.headers["Content-Length"]))
        if way == "silent":
            self.server.over.wait(60)
            return
        self.send_response(307 if way == "moved" else 200)
        self.send_header("Content-Type", "text/event-stream" if way == "notes" else "application/json")
        self.send_header("Location", f"http://localhost:{self.server.server_port}/elsewhere")
        if way == "bomb":
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        note = b'data: {"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": 1}}\n\n'
        sent = {"endless": b" " * 2**20, "notes": note * 100, "bomb": gzip.compress(b" " * 2**25), "moved": b""}[way]
        with contextlib.suppress(OSError):
            self.wfile.write(sent)
            while way in {"endless", "notes"}:
                self.wfile.write(sent)

    def log_message(self, *_):
        pass


@pytest.fixture
def far():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Rogue)
    server.asked, server.over = [], threading.Event()
    threading.Thread(target=server.serve_forever).start()
    yield server
    server.over.set()
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("endless", "sent more than 16 MB at once"),
        ("notes", "(sent more than 16 MB at once|did not answer within 3 seconds)"),
        ("bomb", "failed: "),
        ("silent", "did not answer within 3 seconds"),
        ("moved", "Redirect to .*elsewhere not followed"),
    ],
)
def test_a_server_over_http_that_floods_hangs_or_leads_away_is_told_in_words(far, way, said):
    url, timeout = f"http://127.0.0.1:{far.server_port}/{way}", 3.0 if way in {"notes", "silent"} else 60.0
    address = ServerAddress(name="far", url=url, key="secret", timeout=timeout)
    with pytest.raises(EngineError, match=f"The tool server far .*{said}"), McpConnector().open(address):
        pass
    assert set(far.asked) == {way}


@pytest.mark.parametrize("always", [False, True])
def test_a_tool_that_changed_since_it_was_read_is_not_called(tmp_path, log, always):
    parts = make_parts(tmp_path, connector=McpConnector())
    try:
        parts.services.agents.ensure("default")
        outside = parts.services.chat._outside
        outside.add(ToolServer(name="rogue", command=[sys.executable, str(SERVER), "renamed", str(log)]))
        outside.ask_for("rogue", "weather", on=not always)
        parts.model.queue(tool_call("rogue_weather", "{}"), "I do not know.")
        events = []
        for event in parts.services.chat.send(agent_id="default", conversation_id=None, text="How is the weather?"):
            events.append(event)
            if isinstance(event, ToolAsked):
                event.answer("once")
        (used,) = [event for event in events if isinstance(event, ToolUsed)]
        assert used.failed
        assert "is not what it was when its tools were read" in used.text
        assert "called" not in log.read_text()
        assert isinstance(events[-1], Finished)
        assert events[-1].text == "I do not know."
    finally:
        parts.close()


def _until(check):
    while not check():
        threading.Event().wait(0.02)
