"""Imitations of databases that no machine of the project runs, by their documentation, for their makers' own clients.

Each keeps rows in memory and answers the requests that the adapters send, filters included; it rejects all others.
This shows that client, adapter and query language fit together, not that the database works as documented.
"""

from __future__ import annotations

import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np

_BELOW = {"gt": float.__gt__, "gte": float.__ge__, "lt": float.__lt__, "lte": float.__le__}


class Refused(Exception):
    """With the status of the answer."""

    def __init__(self, status: int, told: Any = "") -> None:
        super().__init__(told)
        self.status = status


class Played:
    """One server's rows, by collection; ``answer`` is asked with method, path without query, and body."""

    headers: dict[str, str] = {}  # noqa: RUF012  # constants
    #: what succeeds is 200, by method unless named here
    statuses: dict[str, int] = {}  # noqa: RUF012  # constants

    def __init__(self) -> None:
        self.widths: dict[str, int] = {}
        self.rows: dict[str, dict[str, dict[str, Any]]] = {}
        self.lock = threading.Lock()

    def make(self, name: str, width: int) -> None:
        self.widths[name], self.rows[name] = width, {}

    def known(self, name: str) -> dict[str, dict[str, Any]]:
        if name not in self.rows:
            raise Refused(404, f"no such index [{name}]")
        return self.rows[name]

    def drop(self, name: str) -> None:
        self.known(name)
        del self.rows[name], self.widths[name]

    def answer(self, method: str, path: str, body: Any) -> Any:
        raise NotImplementedError


@contextmanager
def served(played: Played):
    """Serve one on this machine; yields its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # An answer goes out in one piece.
        wbufsize = -1

        def log_message(self, *_: Any) -> None:
            pass

        def handle_one(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            lines = "ndjson" in self.headers.get("Content-Type", "")
            body = [json.loads(line) for line in sent.splitlines()] if lines else json.loads(sent or "null")
            path = unquote(urlsplit(self.path).path)
            try:
                with played.lock:
                    found = played.answer(self.command, path, body)
                status = played.statuses.get(f"{self.command} {path}", played.statuses.get(self.command, 200))
            except Refused as refusal:
                found, status = {"error": {"code": str(refusal.status), "message": str(refusal)}}, refusal.status
            data = b"" if status == 204 else json.dumps(found).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **played.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = handle_one  # noqa: N815  # the server's names

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    running.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        running.join()


def cosine(left: Any, right: Any) -> float:
    first, second = np.asarray(left, dtype=np.float32), np.asarray(right, dtype=np.float32)
    return float(first @ second / (np.linalg.norm(first) * np.linalg.norm(second)))


# ---------------------------------------------------------------------- Elasticsearch


class Elastic(Played):
    """https://www.elastic.co/docs/reference/query-languages/querydsl, and the document and search APIs."""

    headers = {"X-Elastic-Product": "Elasticsearch"}  # noqa: RUF012  # constants

    def answer(self, method: str, path: str, body: Any) -> Any:
        if path == "/_search/scroll":
            return {"_scroll_id": "1", "hits": {"hits": []}, "_shards": {}} if method == "POST" else {}
        name, _, verb = path.strip("/").partition("/")
        if (method, verb) == ("PUT", ""):
            self.make(name, body["mappings"]["properties"]["vector"]["dims"])
            return {"acknowledged": True, "index": name}
        if (method, verb) == ("GET", ""):
            assert name.endswith("*")
            return {one: {} for one in self.rows if one.startswith(name[:-1])}
        if (method, verb) == ("GET", "_mapping"):
            self.known(name)
            return {name: {"mappings": {"properties": {"vector": {"dims": self.widths[name]}}}}}
        if (method, verb) == ("DELETE", ""):
            if name in self.rows:
                self.drop(name)
            return {"acknowledged": True}
        if verb == "_bulk":
            return self._bulk(name, body)
        if (method, verb) == ("POST", "_search"):
            return self._search(name, body)
        raise Refused(405, f"{method} {path}")

    def _bulk(self, name: str, lines: list[Any]) -> Any:
        rows, told, left = self.known(name), [], iter(lines)
        for line in left:
            ((verb, where),) = line.items()
            if verb == "index":
                rows[where["_id"]] = next(left)
            else:
                rows.pop(where["_id"], None)
            told.append({verb: {"_id": where["_id"], "status": 200}})
        return {"errors": False, "items": told}

    def _search(self, name: str, asked: Any) -> Any:
        rows = self.known(name).values()
        if "knn" in asked:
            knn = asked["knn"]
            assert knn["k"] <= knn["num_candidates"] <= 10_000
            near = [
                (row, (1 + cosine(row["vector"], knn["query_vector"])) / 2) for row in rows if met(knn["filter"], row)
            ]
            found = sorted(near, key=lambda one: one[1], reverse=True)[: knn["k"]]
        else:
            found = [(row, met(asked["query"], row)) for row in rows]
            # A scroll gives pages until one is empty; here all of it at once.
            found = sorted(((row, score) for row, score in found if score), key=lambda one: one[1], reverse=True)
        kept = asked["_source"]
        hits = [
            {"_id": row["id"], "_score": float(score), "_source": {one: row[one] for one in kept}}
            for row, score in found
        ]
        return {"_scroll_id": "1", "_shards": {"successful": 1, "total": 1, "skipped": 0}, "hits": {"hits": hits}}


def met(query: Any, row: dict[str, Any]) -> float:
    """Return the score of a row under a query of Elasticsearch's; 0 where it does not match."""
    ((kind, what),) = query.items()
    if kind == "terms":
        ((field, wanted),) = what.items()
        held = row[field] if isinstance(row[field], list) else [row[field]]
        return float(bool(set(wanted) & set(held)))
    if kind == "range":
        ((field, bounds),) = what.items()
        return float(all(_BELOW[order](float(row[field]), float(bound)) for order, bound in bounds.items()))
    if kind == "match":
        ((field, words),) = what.items()
        return float(sum(row[field].split().count(word) for word in words.split()))
    assert kind == "bool"
    assert not set(what) - {"filter", "must", "should", "must_not", "minimum_should_match"}
    scored = [met(part, row) for part in what.get("must", ())]
    possible = [met(part, row) for part in what.get("should", ())]
    if not all(scored) or not all(met(part, row) for part in what.get("filter", ())):
        return 0.0
    if any(met(part, row) for part in what.get("must_not", ())):
        return 0.0
    if sum(map(bool, possible)) < what.get("minimum_should_match", 0):
        return 0.0
    return sum(scored) + sum(possible) or 1.0


# ---------------------------------------------------------------------- Azure AI Search


class Azure(Played):
    """https://learn.microsoft.com/rest/api/searchservice, and its OData expressions."""

    statuses = {"POST /indexes": 201, "DELETE": 204}  # noqa: RUF012  # constants

    def answer(self, method: str, path: str, body: Any) -> Any:
        name, verb = re.fullmatch(r"/indexes(?:\('([^']*)'\))?/?(.*)", path).groups()  # type: ignore[union-attr]
        if (method, name) == ("GET", None):
            return {"value": [{"name": one, "fields": []} for one in self.rows]}
        if (method, name) == ("POST", None):
            self.make(body["name"], next(one["dimensions"] for one in body["fields"] if one["name"] == "vector"))
            return body
        if (method, verb) == ("GET", ""):
            self.known(name)
            field = {"name": "vector", "type": "Collection(Edm.Single)", "dimensions": self.widths[name]}
            return {"name": name, "fields": [field]}
        if (method, verb) == ("DELETE", ""):
            if name in self.rows:
                self.drop(name)
            return {}
        if verb == "docs/search.index":
            return {"value": [self._change(name, one) for one in body["value"]]}
        if verb == "docs/search.post.search":
            return {"value": self._search(self.known(name).values(), body)}
        raise Refused(405, f"{method} {path}")

    def _change(self, name: str, change: dict[str, Any]) -> Any:
        kind, rows = change.pop("@search.action"), self.known(name)
        assert re.fullmatch(r"[\w=-]+", change["key"], re.ASCII)
        if kind == "upload":
            rows[change["key"]] = change
        else:
            assert kind == "delete"
            rows.pop(change["key"], None)
        return {"key": change["key"], "status": True, "statusCode": 200}

    def _search(self, rows: Any, asked: dict[str, Any]) -> Any:
        passing = [row for row in rows if odata(asked["filter"], row)]
        if asked.get("vectorQueries"):
            (wanted,) = asked["vectorQueries"]
            assert asked["vectorFilterMode"] == "preFilter"
            scored = [(row, 1 / (2 - cosine(row["vector"], wanted["vector"]))) for row in passing]
            scored = sorted(scored, key=lambda one: one[1], reverse=True)[: wanted["k"]]
        elif asked["search"] == "*":
            assert asked["orderby"] == "key asc"
            scored = [(row, 1.0) for row in sorted(passing, key=lambda one: one["key"])]
        else:
            words = asked["search"].split()
            scored = [(row, float(sum(row["words"].split().count(word) for word in words))) for row in passing]
            scored = sorted((one for one in scored if one[1]), key=lambda one: one[1], reverse=True)
        kept = asked["select"].split(",")
        return [{**{one: row[one] for one in kept}, "@search.score": score} for row, score in scored[: asked["top"]]]


#: A word of an OData expression.
_WORD = re.compile(
    r"\s*(?:(?P<any>tags/any\(one: search\.in\(one, '(?P<tags>[^']*)', ','\)\))"
    r"|(?P<field>\w+) (?P<order>gt|ge|lt|le) (?:'(?P<text>[^']*)'|(?P<number>-?[\d.e+]+))|(?P<sign>and|or|not|\(|\)))"
)
_ORDERS = {"gt": "__gt__", "ge": "__ge__", "lt": "__lt__", "le": "__le__"}


def odata(expression: str, row: dict[str, Any]) -> bool:
    """Return whether a row meets an OData expression."""
    words, at = [], 0
    while at < len(expression):
        found = _WORD.match(expression, at)
        assert found, f"no OData: {expression[at:]!r}"
        at = found.end()
        if found["sign"]:
            words.append(found["sign"])
        elif found["any"]:
            words.append(str(bool(set(found["tags"].split(",")) & set(row["tags"]))))
        else:
            value = found["text"] if found["text"] is not None else float(found["number"])
            words.append(str(getattr(type(value)(row[found["field"]]), _ORDERS[found["order"]])(value)))
    # Nothing but True, False, and, or, not and brackets is left.
    return bool(eval(" ".join(words), {"__builtins__": {}}))


# ---------------------------------------------------------------------- Pinecone


class Pinecone(Played):
    """https://docs.pinecone.io/reference/api, the data plane of one index, and its metadata filters."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width

    def answer(self, method: str, path: str, body: Any) -> Any:
        if path == "/describe_index_stats":
            return {"namespaces": {}, "dimension": self.width, "totalVectorCount": 0, "indexFullness": 0}
        if path == "/namespaces":
            if method == "POST":
                self.make(body["name"], self.width)
                return {"name": body["name"], "record_count": "0"}
            return {"namespaces": [{"name": one, "record_count": "0"} for one in self.rows], "pagination": None}
        if path.startswith("/namespaces/"):
            name = path.rpartition("/")[2]
            if method == "DELETE":
                self.drop(name)
                return {}
            return {"name": name, "record_count": str(len(self.known(name)))}
        rows = self.known(body["namespace"])
        if path == "/vectors/upsert":
            assert all(len(one["values"]) == self.width and one["id"].isascii() for one in body["vectors"])
            rows |= {one["id"]: one for one in body["vectors"]}
            return {"upsertedCount": len(body["vectors"])}
        if path == "/vectors/delete":
            for one in body["ids"]:
                rows.pop(one, None)
            return {}
        if path == "/vectors/fetch_by_metadata":
            start = int(body.get("paginationToken") or 0)
            found = [row for row in rows.values() if said(body["filter"], row["metadata"])]
            page, more = found[start : start + body["limit"]], start + body["limit"] < len(found)
            told = {"vectors": {one["id"]: one for one in page}, "namespace": body["namespace"]}
            return {**told, "pagination": {"next": str(start + body["limit"])} if more else None}
        if path == "/query":
            assert body["topK"] <= (1000 if body["includeMetadata"] else 10_000)
            found = [row for row in rows.values() if said(body["filter"], row["metadata"])]
            hits = [{**row, "score": cosine(row["values"], body["vector"])} for row in found]
            hits = sorted(hits, key=lambda one: one["score"], reverse=True)[: body["topK"]]
            kept = {"id", "score"} | ({"metadata"} if body["includeMetadata"] else set())
            return {"matches": [{key: hit[key] for key in kept} for hit in hits], "namespace": body["namespace"]}
        raise Refused(404, f"{method} {path}")


def said(condition: dict[str, Any], metadata: dict[str, Any]) -> bool:
    """Return whether metadata meets a filter of Pinecone's."""
    ((field, wanted),) = condition.items()
    if field in {"$and", "$or"}:
        return (all if field == "$and" else any)(said(part, metadata) for part in wanted)
    ((operator, value),) = wanted.items()
    if operator in {"$in", "$nin"}:
        return bool(set(value) & set(metadata[field])) == (operator == "$in")
    return bool(_BELOW[operator[1:]](float(metadata[field]), float(value)))
