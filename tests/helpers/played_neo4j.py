"""A Bolt server that answers Neo4j's own driver, executing its Cypher with LadybugDB.

Bolt 5.4 and PackStream as https://neo4j.com/docs/bolt/current/ has them: a handshake, HELLO and LOGON, transactions, RUN and
PULL, RESET after a failure. LadybugDB needs its tables declared, and has no constraints.
"""

from __future__ import annotations

import contextlib
import socketserver
import struct
import threading

MAGIC, VERSION = bytes.fromhex("6060b017"), b"\0\0\4\5"
USER, PASSWORD = "neo4j", "only for a test"
TABLES = (
    (
        "CREATE NODE TABLE MemdeskMemory(key STRING PRIMARY KEY, id STRING, collection STRING, user_id STRING, "
        "agent_id STRING, run_id STRING)"
    ),
    (
        "CREATE NODE TABLE MemdeskEntity(key STRING PRIMARY KEY, collection STRING, user_id STRING, agent_id STRING, "
        "run_id STRING, name STRING, type STRING)"
    ),
    "CREATE REL TABLE NAMES(FROM MemdeskMemory TO MemdeskEntity)",
    "CREATE REL TABLE RELATES(FROM MemdeskEntity TO MemdeskEntity, relation STRING, memory STRING)",
)
SUCCESS, RECORD, IGNORED, FAILURE = 0x70, 0x71, 0x7E, 0x7F


class PlayedNeo4j:
    """Listens on a port of this machine; ``stop`` and ``start`` as often as a test likes, what it holds stays."""

    def __init__(self, folder) -> None:
        import ladybug

        self.database = ladybug.Database(str(folder / "graph.lbug"))
        connection = ladybug.Connection(self.database)
        for table in TABLES:
            connection.execute(table)
        self.lock = threading.Lock()
        self.asked: list[str] = []
        self.port = 0
        self.start()

    @property
    def url(self) -> str:
        return f"bolt://127.0.0.1:{self.port}"

    def start(self) -> None:
        self._server = _Server(("127.0.0.1", self.port), self)
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        for each in list(self._server.open):
            each.shutdown(2)
        self._server.server_close()
        self._thread.join()


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True

    def __init__(self, address: tuple[str, int], played: PlayedNeo4j) -> None:
        self.played = played
        self.open: set = set()
        super().__init__(address, _Conversation)


class _Conversation(socketserver.BaseRequestHandler):
    server: _Server

    def handle(self) -> None:
        import ladybug

        self.server.open.add(self.request)
        self._connection = ladybug.Connection(self.server.played.database)
        self._within = self._failed = self._known = False
        self._rows: list = []
        try:
            hello = self._take(20)
            assert hello[:4] == MAGIC
            self.request.sendall(VERSION)
            while self._answer(*self._message()):
                pass
        except (ConnectionError, OSError):
            pass
        finally:
            if self._within:
                self._end("ROLLBACK")
            self.server.open.discard(self.request)

    def _answer(self, kind: int, fields: list) -> bool:
        if kind == 0x02:  # GOODBYE
            return False
        if kind == 0x0F:  # RESET
            if self._within:
                self._end("ROLLBACK")
            self._failed = False
            self._say(SUCCESS, {})
        elif self._failed:
            self._say(IGNORED)
        else:
            try:
                self._do(kind, fields)
            except RuntimeError as error:
                self._failed = True
                self._say(FAILURE, {"code": "Neo.ClientError.Statement.SyntaxError", "message": str(error)})
        return True

    def _do(self, kind: int, fields: list) -> None:
        told: dict = {}
        if kind == 0x01:  # HELLO
            told = {"server": "Neo4j/5.26.0", "connection_id": "bolt-1", "hints": {}}
        elif kind == 0x6A:  # LOGON
            self._known = (fields[0].get("principal"), fields[0].get("credentials")) == (USER, PASSWORD)
            if not self._known:
                self._failed = True
                self._say(FAILURE, {"code": "Neo.ClientError.Security.Unauthorized", "message": "Who is there?"})
                return
        elif not self._known:
            raise RuntimeError("LOGON comes first")
        elif kind == 0x11:  # BEGIN; LadybugDB writes one transaction at a time
            self.server.played.lock.acquire()
            self._within = True
            self._connection.execute("BEGIN TRANSACTION")
        elif kind in {0x12, 0x13}:  # COMMIT, ROLLBACK
            self._end("COMMIT" if kind == 0x12 else "ROLLBACK")
        elif kind == 0x10:  # RUN
            told = {"fields": self._run(*fields[:2]), "qid": 0}
        elif kind == 0x3F:  # PULL
            for row in self._rows:
                self._say(RECORD, row)
            told = {"type": "rw", "db": "neo4j"}
        elif kind not in {0x2F, 0x54, 0x6B}:  # DISCARD, TELEMETRY, LOGOFF
            raise RuntimeError(f"message {kind:#x} is not played")
        self._say(SUCCESS, told)

    def _run(self, query: str, values: dict) -> list[str]:
        self.server.played.asked.append(query)
        self._rows = []
        if query.startswith("CREATE CONSTRAINT"):
            return []
        # Unlike Neo4j, LadybugDB refuses values that a query does not name.
        named = {name: value for name, value in values.items() if f"${name}" in query}
        found = self._connection.execute(query, named)
        assert not isinstance(found, list)  # as it is for one statement
        while found.has_next():
            self._rows.append(found.get_next())
        return found.get_column_names() if self._rows else []

    def _end(self, how: str) -> None:
        self._within = False
        try:
            # LadybugDB has ended a transaction by itself in which a query failed.
            with contextlib.suppress(RuntimeError) if how == "ROLLBACK" else contextlib.nullcontext():
                self._connection.execute(how)
        finally:
            self.server.played.lock.release()

    # ------------------------------------------------------------------ messages

    def _take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self.request.recv(count - len(data))
            if not more:
                raise ConnectionError
            data += more
        return data

    def _message(self) -> tuple[int, list]:
        data = b""
        while (size := int.from_bytes(self._take(2))) or not data:
            data += self._take(size)
        fields, at = [], 2
        for _ in range(data[0] & 0x0F):
            value, at = unpack(data, at)
            fields.append(value)
        return data[1], fields

    def _say(self, kind: int, *fields) -> None:
        data = bytes([0xB0 | len(fields), kind]) + b"".join(map(pack, fields))
        self.request.sendall(len(data).to_bytes(2) + data + b"\0\0")


def pack(value) -> bytes:
    """Return a value in PackStream."""
    if value is None or isinstance(value, bool):
        return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[value]
    if isinstance(value, int):
        return b"\xcb" + struct.pack(">q", value)
    if isinstance(value, float):
        return b"\xc1" + struct.pack(">d", value)
    if isinstance(value, str):
        data = value.encode()
        return b"\xd2" + struct.pack(">I", len(data)) + data
    if isinstance(value, dict):
        inner = b"".join(pack(part) for pair in value.items() for part in pair)
        return b"\xda" + struct.pack(">I", len(value)) + inner
    return b"\xd6" + struct.pack(">I", len(value)) + b"".join(map(pack, value))


_SIZED = {0xD0: ">B", 0xD1: ">H", 0xD2: ">I", 0xD4: ">B", 0xD5: ">H", 0xD6: ">I", 0xD8: ">B", 0xD9: ">H", 0xDA: ">I"}
_PLAIN = {0xC1: ">d", 0xC8: ">b", 0xC9: ">h", 0xCA: ">i", 0xCB: ">q"}
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}


def unpack(data: bytes, at: int) -> tuple:
    """Return the value at a place of PackStream, and the place behind it."""
    mark, at = data[at], at + 1
    if mark in _CONSTANTS:
        return _CONSTANTS[mark], at
    if mark in _PLAIN:
        return struct.unpack_from(_PLAIN[mark], data, at)[0], at + struct.calcsize(_PLAIN[mark])
    if mark < 0x80 or mark >= 0xF0:
        return mark - (256 if mark >= 0xF0 else 0), at
    kind, size = mark & 0xF0, mark & 0x0F
    if mark in _SIZED:
        kind = {0xD0: 0x80, 0xD4: 0x90, 0xD8: 0xA0}[mark & 0xFC]
        size = struct.unpack_from(_SIZED[mark], data, at)[0]
        at += struct.calcsize(_SIZED[mark])
    if kind == 0x80:
        return data[at : at + size].decode(), at + size
    values = []
    for _ in range(size * 2 if kind == 0xA0 else size):
        value, at = unpack(data, at)
        values.append(value)
    return (dict(zip(values[::2], values[1::2], strict=True)) if kind == 0xA0 else values), at
