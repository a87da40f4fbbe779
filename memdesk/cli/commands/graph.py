"""``memdesk graph``: import and export ``memory.jsonl``, the file of the official knowledge-graph server."""

import argparse
import json
from pathlib import Path
from typing import Any

from memdesk.cli.backend import connect
from memdesk.cli.client import Client, need_agent
from memdesk.cli.output import note, print_json
from memdesk.domain.decoding import MAX_SIZE, decode
from memdesk.errors import BadRequestError, EnvironmentFault
from memdesk.settings.files import read_given, write_given

_ENTITY = {"name": str, "entityType": str, "observations": list}
_RELATION = {"from": str, "to": str, "relationType": str}
_SHAPES: dict[str, dict[str, Any]] = {"entity": _ENTITY, "relation": _RELATION}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, words in (("import", "read a memory.jsonl"), ("export", "write a memory.jsonl")):
        action = actions.add_parser(name, help=words)
        action.add_argument("path", type=Path)
        action.add_argument("--agent", default="default", metavar="ID", help="whose memory")


def run(options: argparse.Namespace) -> None:
    if options.action == "import":
        entities, relations = _read(options.path)
        with connect(options, settle=True) as client:
            counts = _import(client, options.agent, entities, relations)
    else:
        with connect(options) as client:
            counts = _export(client, options.agent, options.path)
    note(f"{counts['entities']} entities, {counts['relations']} relations.")
    if options.json:
        print_json(counts)


def _import(
    client: Client, agent: str, entities: list[dict[str, Any]], relations: list[dict[str, Any]]
) -> dict[str, int]:
    """Add what is new; entities that occur only in relations are added without a type."""
    described = {entity["name"] for entity in entities}
    ends = dict.fromkeys(each[end] for each in relations for end in ("from", "to"))
    bare = [{"name": name, "entityType": "other", "observations": []} for name in ends if name not in described]
    _use(client, agent, "create_entities", {"entities": entities + bare})
    known = [{"entityName": each["name"], "contents": each["observations"]} for each in entities]
    _use(client, agent, "add_observations", {"observations": known})
    _use(client, agent, "create_relations", {"relations": relations})
    return {"entities": len(entities), "relations": len(relations)}


def _export(client: Client, agent: str, path: Path) -> dict[str, int]:
    graph = _use(client, agent, "read_graph", {})
    if not graph["entities"]:
        need_agent(client, agent)
    lines = [{"type": "entity", **each} for each in graph["entities"]]
    lines += [{"type": "relation", **each} for each in graph["relations"]]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    try:
        write_given(path, text.encode())
    except OSError as error:
        raise EnvironmentFault(f"{path} cannot be written: {error.strerror}.") from error
    return {"entities": len(graph["entities"]), "relations": len(graph["relations"])}


def _use(client: Client, agent: str, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    headers = {"X-Memdesk-Agent-Id": agent.encode()}
    found: dict[str, Any] = client.post(f"/memory/tools/{tool}", arguments, headers=headers, timeout=None)
    return found


def _read(path: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return a file's entities and relations, validated before anything is stored.

    Raises:
        BadRequestError: a line is neither an entity nor a relation.
        EnvironmentFault: the file cannot be read.
    """
    try:
        data = read_given(path, MAX_SIZE)
        lines = data.decode("utf-8").splitlines()
    except OSError as error:
        raise EnvironmentFault(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise EnvironmentFault(f"{path} cannot be read as text.") from error
    if len(data) > MAX_SIZE:
        raise EnvironmentFault(f"{path} is larger than {MAX_SIZE} bytes.")
    found: dict[str, list[dict[str, Any]]] = {"entity": [], "relation": []}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            kind, fields = _line(line, number)
            found[kind].append(fields)
    return found["entity"], found["relation"]


def _line(line: str, number: int) -> tuple[str, dict[str, Any]]:
    try:
        data = decode(line)
    except ValueError:
        data = None
    shape = _SHAPES.get(str(data.get("type"))) if isinstance(data, dict) else None
    if shape is None or not all(isinstance(data.get(name), type_) for name, type_ in shape.items()):
        raise BadRequestError(f"Line {number} holds neither an entity nor a relation; nothing was stored.")
    if not all(isinstance(text, str) for text in data.get("observations", [])):
        raise BadRequestError(f"An observation on line {number} is not text; nothing was stored.")
    return data["type"], {name: data[name] for name in shape}
