"""An imitation of Weaviate for its own client, over HTTP and gRPC; see ``played_stores``."""

from __future__ import annotations

import struct
import uuid
from concurrent import futures
from contextlib import contextmanager
from typing import Any

import grpc
import numpy as np
from weaviate.proto.v1 import base_pb2, batch_delete_pb2, batch_pb2, health_weaviate_pb2, properties_pb2, search_get_pb2

from tests.helpers.played_stores import Played, Refused, cosine, served

_ORDERS = {"GREATER_THAN": "__gt__", "GREATER_THAN_EQUAL": "__ge__", "LESS_THAN": "__lt__", "LESS_THAN_EQUAL": "__le__"}

#: What the server fills in where a new collection says nothing.
_HNSW = {
    "cleanupIntervalSeconds": 300, "distance": "cosine", "dynamicEfMax": 500, "dynamicEfMin": 100, "dynamicEfFactor": 8,
    "ef": -1, "efConstruction": 128, "flatSearchCutoff": 40_000, "maxConnections": 32, "skip": False,
    "vectorCacheMaxObjects": 1e12,
}  # fmt: skip


class Weaviate(Played):
    """https://docs.weaviate.io/weaviate/api, the schema over HTTP, and everything else over gRPC."""

    def __init__(self) -> None:
        super().__init__()
        self.schema: dict[str, Any] = {}

    def answer(self, method: str, path: str, body: Any) -> Any:
        if path == "/v1/meta":
            return {"version": "1.33.0", "hostname": "played", "modules": {}}
        if (method, path) == ("GET", "/v1/schema"):
            return {"classes": list(self.schema.values())}
        if (method, path) == ("POST", "/v1/schema"):
            fields = [{"indexFilterable": True, "indexSearchable": True, **field} for field in body["properties"]]
            for vector in body["vectorConfig"].values():
                vector["vectorIndexConfig"] = _HNSW | vector["vectorIndexConfig"]
            self.schema[body["class"]] = {**body, "properties": fields}
            self.make(body["class"], 0)
            return body
        name = path.removeprefix("/v1/schema/")
        if method == "DELETE" and name in self.schema:
            del self.schema[name]
            self.drop(name)
            return {}
        if method == "GET" and name in self.schema:
            return self.schema[name]
        raise Refused(404, f"{method} {path}")

    # ------------------------------------------------------------------ gRPC

    def check(self, _request: Any, _context: Any) -> Any:
        return health_weaviate_pb2.WeaviateHealthCheckResponse(status="SERVING")

    def objects(self, request: Any, _context: Any) -> Any:
        with self.lock:
            for one in request.objects:
                row = dict(one.properties.non_ref_properties)
                row |= {array.prop_name: list(array.values) for array in one.properties.text_array_properties}
                data = one.vectors[0].vector_bytes if one.vectors else one.vector_bytes
                row["vector"] = np.frombuffer(data, dtype="<f4").tolist()
                self.known(one.collection)[str(uuid.UUID(one.uuid))] = row
        return batch_pb2.BatchObjectsReply()

    def delete(self, request: Any, _context: Any) -> Any:
        with self.lock:
            rows = self.known(request.collection)
            gone = [name for name, row in rows.items() if passes(request.filters, {**row, "_id": name})]
            for name in gone:
                del rows[name]
        return batch_delete_pb2.BatchDeleteReply(matches=len(gone), successful=len(gone))

    def search(self, request: Any, _context: Any) -> Any:
        assert request.limit <= 10_000
        with self.lock:
            rows = [(name, row) for name, row in self.known(request.collection).items() if passes(request.filters, row)]
        scores = dict.fromkeys((name for name, _ in rows), 0.0)
        if request.HasField("near_vector"):
            near = request.near_vector
            data = near.vectors[0].vector_bytes if near.vectors else near.vector_bytes
            wanted = np.frombuffer(data, dtype="<f4")
            scores = {name: cosine(row["vector"], wanted) for name, row in rows}
            rows.sort(key=lambda one: scores[one[0]], reverse=True)
        elif request.HasField("bm25_search"):
            words = request.bm25_search.query.split()
            scores = {name: float(sum(row["words"].split().count(word) for word in words)) for name, row in rows}
            rows = sorted((one for one in rows if scores[one[0]]), key=lambda one: scores[one[0]], reverse=True)
        elif request.sort_by:
            (sort,) = request.sort_by
            rows.sort(key=lambda one: one[1][sort.path[0]], reverse=not sort.ascending)
        return search_get_pb2.SearchReply(
            results=[self._result(*one, scores, request) for one in rows[: request.limit]]
        )

    def _result(self, name: str, row: dict[str, Any], scores: dict[str, float], request: Any) -> Any:
        asked, fields = request.metadata, properties_pb2.Properties()
        for field in request.properties.non_ref_properties:
            value = row[field]
            if isinstance(value, list):
                fields.fields[field].list_value.text_values.values.extend(value)
            elif isinstance(value, str):
                fields.fields[field].text_value = value
            else:
                fields.fields[field].number_value = value
        metadata = search_get_pb2.MetadataResult(
            id=name,
            distance=1 - scores[name],
            distance_present=asked.distance,
            score=scores[name],
            score_present=asked.score,
        )
        if asked.vector:
            metadata.vector_bytes = struct.pack(f"<{len(row['vector'])}f", *row["vector"])
        return search_get_pb2.SearchResult(
            properties=search_get_pb2.PropertiesResult(non_ref_props=fields), metadata=metadata
        )


def passes(asked: Any, row: dict[str, Any]) -> bool:
    """Return whether a row meets a filter of Weaviate's."""
    operator = base_pb2.Filters.Operator.Name(asked.operator).removeprefix("OPERATOR_")
    if operator in {"AND", "OR"}:
        return (all if operator == "AND" else any)(passes(part, row) for part in asked.filters)
    held = row[asked.target.property]
    if operator in {"CONTAINS_ANY", "CONTAINS_NONE"}:
        held = held if isinstance(held, list) else [held]
        return bool(set(asked.value_text_array.values) & set(held)) == (operator == "CONTAINS_ANY")
    value = getattr(asked, asked.WhichOneof("test_value"))
    return bool(getattr(held, _ORDERS[operator])(value))


@contextmanager
def served_whole():
    """Serve one on this machine; yields its address and the port of its gRPC."""
    played = Weaviate()
    calls: dict[str, tuple[Any, Any]] = {
        "Search": (played.search, search_get_pb2.SearchRequest),
        "BatchObjects": (played.objects, batch_pb2.BatchObjectsRequest),
        "BatchDelete": (played.delete, batch_delete_pb2.BatchDeleteRequest),
    }
    checks: dict[str, tuple[Any, Any]] = {"Check": (played.check, health_weaviate_pb2.WeaviateHealthCheckRequest)}
    # The client's own size of messages.
    server = grpc.server(
        futures.ThreadPoolExecutor(4), options=[("grpc.max_receive_message_length", 100 * 1024 * 1024)]
    )
    for service, known in (("weaviate.v1.Weaviate", calls), ("grpc.health.v1.Health", checks)):
        handlers = {
            name: grpc.unary_unary_rpc_method_handler(
                call,
                request_deserializer=request.FromString,
                response_serializer=lambda reply: reply.SerializeToString(),
            )
            for name, (call, request) in known.items()
        }
        server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(service, handlers)])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with served(played) as url:
            yield url, port
    finally:
        server.stop(None).wait()
