"""mem0 2's ``Memory`` and ``AsyncMemory``: its names, arguments, results and errors over the memory of this machine.

Use ``from memdesk.compat.mem0 import Memory`` instead of ``from mem0 import Memory``. The library's documentation page
lists the differences.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import quote

import memdesk
from memdesk.library.aio import SIDE_BY_SIDE, awaited, read
from memdesk.services.library import NEVER, SCOPE, end_of, scope_in, spoken

log = logging.getLogger(__name__)

_UNSET: Final = object()
#: mem0's provider names that differ from ours.
_PROVIDERS: Final = {
    "azure_openai": "azure", "gemini": "google", "huggingface_folder": "folder", "huggingface_server": "openai",
    "lmstudio": "openai", "vllm": "openai",
}  # fmt: skip
#: OpenAI-compatible servers, at mem0's default URLs.
_LOCAL_SERVERS: Final = {"lmstudio": "http://localhost:1234/v1", "vllm": "http://localhost:8000/v1"}
#: Other options of mem0's stores, without effect on results here.
_TUNING: Final = frozenset(
    {"diskann", "distance_strategy", "embedding_model_dims", "hnsw", "maxconn", "metric_type", "minconn", "on_disk"}
)
#: Options of mem0 that would be silently ignored.
_UNSUPPORTED: Final = ("rerank", "explain", "reference_date")
_ASKED_ELSEWHERE: Final = (
    "Top-level entity parameters {names} are not supported in {call}(). Use filters={{'user_id': '...'}} instead."
)


class Memory:
    """mem0's ``Memory``.

    Args:
        config: mem0's configuration, a dictionary or its own ``MemoryConfig``, of which only fields that were set
            count; None keeps everything on this machine.
        memory: a memory of ours to use instead of a new one.
        passphrase: opens the encrypted file without a keyring; see :class:`memdesk.Memory`.
    """

    def __init__(self, config: Any = None, *, memory: Any = None, passphrase: str | None = None) -> None:
        given = config.model_dump(exclude_unset=True) if hasattr(config, "model_dump") else config
        self._memory = memory or memdesk.Memory(config=configuration(given or {}), passphrase=passphrase)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @classmethod
    def from_config(cls, config_dict: dict[str, Any], *, passphrase: str | None = None) -> Self:
        """Return the memory of a configuration."""
        return cls(config_dict, passphrase=passphrase)

    def add(
        self,
        messages: Any,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: dict[str, Any] | None = None,
        timestamp: Any = None,
        expiration_date: Any = None,
        infer: bool = True,
        memory_type: str | None = None,
        prompt: str | None = None,
    ) -> dict[str, Any]:
        """Remember messages; what was already known is not in the result."""
        if memory_type is not None:
            raise ValueError("memory_type: only the usual memories are kept here.")
        said = spoken(messages)
        done = _asked(
            self._memory.add,
            said,
            **_ids(user_id=user_id, agent_id=agent_id, run_id=run_id),
            metadata=_own(metadata),
            prompt=prompt,
            infer=infer,
            expires_at=end_of(expiration_date),
            timestamp=timestamp,
        )
        shown = [
            {"id": one["id"], "memory": one["new_memory"] or one["old_memory"], "event": one["event"]}
            for one in done["results"]
            if one["event"] != "NONE"
        ]
        return {"results": shown}

    def get(self, memory_id: str) -> dict[str, Any] | None:
        found = self._memory.get(memory_id)
        return None if found is None else {"score": None, **_item(found)}

    def get_all(
        self, /, *, filters: Any = None, top_k: int = 20, show_expired: bool = False, **more: Any
    ) -> dict[str, Any]:
        """Return the memories that match the filters, which must name an owner."""
        wishes = _wishes("get_all", filters, top_k, more)
        found = _asked(self._memory.get_all, **wishes, expired=show_expired)
        return {"results": [_item(one) for one in found["results"]]}

    def search(
        self,
        /,
        query: str,
        *,
        top_k: int = 20,
        filters: Any = None,
        threshold: float | None = 0.1,
        show_expired: bool = False,
        **more: Any,
    ) -> dict[str, Any]:
        """Return the memories nearest to a query among those that match the filters."""
        if not isinstance(query, str) or not query.strip():
            raise ValueError("The query must not be empty.")
        wishes = _wishes("search", filters, top_k, more)
        found = _asked(self._memory.search, query, **wishes, threshold=threshold, expired=show_expired)
        return {"results": [_item(one) for one in found["results"]]}

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: dict[str, Any] | None = None,
        expiration_date: Any = _UNSET,
        data: str | None = None,
    ) -> dict[str, str]:
        """Change a memory; metadata is merged, and an expiration of None removes it."""
        ends = None if expiration_date is _UNSET else NEVER if expiration_date is None else end_of(expiration_date)
        known = self._memory.get(memory_id) if metadata is not None else None
        merged = None if metadata is None else {**(known["metadata"] if known else {}), **(_own(metadata) or {})}
        _asked(self._memory.update, memory_id, text if text is not None else data, metadata=merged, expires_at=ends)
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> dict[str, str]:
        _asked(self._memory.delete, memory_id)
        return {"message": "Memory deleted successfully!"}

    def delete_all(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, str]:
        """Delete the memories of a scope."""
        _asked(self._memory.delete_all, **_ids(user_id=user_id, agent_id=agent_id, run_id=run_id))
        return {"message": "Memories deleted successfully!"}

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        """Return the history of a memory, oldest first."""
        past = self._memory.history(memory_id)
        return [
            {
                "id": one["id"],
                "memory_id": one["memory_id"],
                "old_memory": one["old_value"],
                "new_memory": one["new_value"],
                "event": one["event"],
                "created_at": past[0]["timestamp"],
                "updated_at": one["timestamp"],
                "is_deleted": one["is_deleted"],
                "actor_id": None,
                "role": None,
            }
            for one in past
        ]

    def reset(self) -> None:
        """Delete everything."""
        self._memory.reset()

    def close(self) -> None:
        """Close files, connections and processes."""
        self._memory.close()

    def chat(self, query: str) -> Any:
        """Refuse, as mem0 does."""
        raise NotImplementedError("Chat function not implemented yet.")


class AsyncMemory:
    """mem0's ``AsyncMemory``: the same calls, awaited; ``close`` is not."""

    def __init__(self, config: Any = None, *, memory: Any = None, passphrase: str | None = None) -> None:
        self._memory = Memory(config, memory=memory, passphrase=passphrase)
        self._writers: ThreadPoolExecutor | None = ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="memdesk-write")
        self._readers = None

    def _opened(self) -> Memory:
        return self._memory

    @classmethod
    def from_config(cls, config_dict: dict[str, Any], *, passphrase: str | None = None) -> Self:
        """Return the memory of a configuration; it can also be awaited, as mem0 required before 2.2."""
        return cls(config_dict, passphrase=passphrase)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __await__(self) -> Generator[None, None, Self]:
        yield from ()
        return self

    add = awaited(Memory.add)
    get = read(Memory.get)
    get_all = read(Memory.get_all)
    search = read(Memory.search)
    update = awaited(Memory.update)
    delete = awaited(Memory.delete)
    delete_all = awaited(Memory.delete_all)
    history = read(Memory.history)
    reset = awaited(Memory.reset)
    chat = awaited(Memory.chat)

    def close(self) -> None:
        """Close files, connections and processes."""
        writers, self._writers = self._writers, None
        if writers is not None:
            writers.shutdown(wait=False)
        self._memory.close()


def configuration(given: dict[str, Any]) -> dict[str, Any]:
    """Convert mem0's configuration to ours.

    Raises:
        ValueError: it names something unsupported.
    """
    unknown = set(given) - {
        "vector_store", "llm", "embedder", "history_db_path", "custom_instructions", "custom_fact_extraction_prompt",
        "custom_update_memory_prompt", "version",
    }  # fmt: skip
    if unknown:
        raise ValueError(f"There is no {', '.join(sorted(unknown))} here.")
    ours: dict[str, Any] = {name: _model(name, dict(given[name])) for name in ("llm", "embedder") if name in given}
    if "vector_store" in given:
        ours["vector_store"] = _store(dict(given["vector_store"]))
    prompts = {
        "fact_extraction": given.get("custom_instructions") or given.get("custom_fact_extraction_prompt") or "",
        "update_decision": given.get("custom_update_memory_prompt") or "",
    }
    return {**ours, "custom_prompts": prompts}


def _model(part: str, given: dict[str, Any]) -> dict[str, Any]:
    """Convert a model configuration of mem0 to ours; ``part`` is ``llm`` or ``embedder``."""
    name = str(given.get("provider") or "openai").removesuffix("_structured")
    settings = {key: value for key, value in dict(given.get("config") or {}).items() if value is not None}
    address = settings.pop(f"{name}_base_url", None)
    if address:
        settings["base_url"] = address
    if name in _LOCAL_SERVERS:
        settings = {"base_url": _LOCAL_SERVERS[name], "api_key": name, **settings}
    elif name == "azure_openai":
        settings = _azure(part, settings)
    elif name == "gemini":
        settings = _gemini(part, settings)
    elif name == "huggingface" and part == "embedder":
        if not address and not Path(str(settings.get("model", ""))).is_dir():
            # Our own default would send the texts to Hugging Face.
            raise ValueError(
                "mem0 runs huggingface models on this machine: give the folder of the model as config.model."
            )
        name = "huggingface_server" if address else "huggingface_folder"
        settings = {"api_key": "hf", **settings} if address else settings
    if part == "embedder" and "embedding_dims" in settings:
        settings["dimensions"] = settings.pop("embedding_dims")
    return {"provider": _PROVIDERS.get(name, name), "config": settings}


def _azure(part: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a deployment, from ``azure_kwargs`` or from the variables that mem0 reads."""
    azure = {key: value for key, value in dict(settings.pop("azure_kwargs", None) or {}).items() if value}
    prefix = "LLM" if part == "llm" else "EMBEDDING"
    found = {
        "api_key": azure.pop("api_key", None) or os.environ.get(f"{prefix}_AZURE_OPENAI_API_KEY"),
        "base_url": azure.pop("azure_endpoint", None) or os.environ.get(f"{prefix}_AZURE_ENDPOINT"),
        "api_version": azure.pop("api_version", None) or os.environ.get(f"{prefix}_AZURE_API_VERSION"),
        "model": azure.pop("azure_deployment", None) or os.environ.get(f"{prefix}_AZURE_DEPLOYMENT"),
    }
    if azure:
        raise ValueError(f"There is no azure_kwargs.{', azure_kwargs.'.join(sorted(azure))} here.")
    return settings | {key: value for key, value in found.items() if value}


def _gemini(part: str, settings: dict[str, Any]) -> dict[str, Any]:
    if settings.pop("vertexai", False):
        raise ValueError("There is no vertexai here; Gemini is asked with an API key.")
    settings = {key: value for key, value in settings.items() if key not in {"project", "location"}}
    if part == "embedder":
        wide = settings.pop("output_dimensionality", None) or 768
        settings = {"model": "gemini-embedding-001", "embedding_dims": int(wide), **settings}
    else:
        settings = {"model": "gemini-2.0-flash", **settings}
    return settings | {"model": str(settings["model"]).removeprefix("models/")}


def _store(given: dict[str, Any]) -> dict[str, Any]:
    config = dict(given.get("config") or {})
    settings = {name: value for name, value in config.items() if value is not None and name not in _TUNING}
    found = {"provider": given.get("provider", "memdesk"), "collection_name": settings.pop("collection_name", "mem0")}
    if found["provider"] == "pgvector" and "dbname" in settings:
        owner = f"{quote(str(settings.pop('user', '')))}:{quote(str(settings.pop('password', '')))}"
        place = f"{settings.pop('host', 'localhost')}:{settings.pop('port', 5432)}/{settings.pop('dbname')}"
        mode = f"?sslmode={quote(str(settings.pop('sslmode')))}" if "sslmode" in settings else ""
        settings["url"] = f"postgresql://{owner}@{place}{mode}"
    elif found["provider"] == "elasticsearch":
        if settings.get("cloud_id"):
            raise ValueError("There is no cloud_id here; give the address as host, with its port.")
        owner = (
            f"{quote(str(settings['user']))}:{quote(str(settings.get('password', '')))}@"
            if settings.get("user")
            else ""
        )
        scheme = "https" if settings.get("use_ssl", True) else "http"
        place = f"{settings.get('host', 'localhost')}:{settings.get('port', 9200)}"
        settings = {"url": f"{scheme}://{owner}{place}", "api_key": settings.get("api_key")}
    elif found["provider"] == "pinecone":
        settings = {"api_key": settings.get("api_key"), "index": found["collection_name"]}
    return {**found, "config": settings}


def _ids(**given: Any) -> dict[str, str]:
    """Return the given ids, trimmed; inner blanks are rejected."""
    found = {name: str(value).strip() for name, value in given.items() if value is not None}
    for name, value in found.items():
        if any(sign.isspace() for sign in value):
            raise ValueError(f"{name} must not hold blanks.")
    return found


def _wishes(call: str, filters: Any, top_k: Any, more: dict[str, Any]) -> dict[str, Any]:
    """Return scope, filters and limit of a call. ``limit`` is the old ``top_k``; there is only one ``version``."""
    top_k = more.pop("limit", top_k)
    more.pop("version", None)
    for name in _UNSUPPORTED:
        if more.pop(name, None):
            raise ValueError(f"{name} is not supported here.")
    named = sorted(set(SCOPE) & set(more))
    if named:
        raise ValueError(_ASKED_ELSEWHERE.format(names=named, call=call))
    if more:
        raise TypeError(f"{call}() got unexpected arguments: {', '.join(sorted(more))}")
    scope, rest = scope_in(filters, {})
    if not scope:
        raise ValueError("filters must contain at least one of: user_id, agent_id, run_id")
    return {**_ids(**scope), "filters": rest, "limit": _count(top_k)}


def _count(top_k: Any) -> int:
    if isinstance(top_k, bool) or not isinstance(top_k, int) or top_k < 0:
        raise ValueError("top_k is a number, 0 or more.")
    return top_k


def _item(found: Any) -> dict[str, Any]:
    item = dict(found)
    if "expires_at" in item:
        # The last day it is valid.
        ends = datetime.fromisoformat(item.pop("expires_at")) - timedelta(microseconds=1)
        item["expiration_date"] = ends.date().isoformat()
    return item


def _own(metadata: Any) -> Any:
    """Return metadata without the keys reserved for arguments; mem0 ignores those with a warning."""
    taken = sorted({*SCOPE, "actor_id"} & set(metadata or {}))
    if taken:
        log.warning("metadata must not hold %s, which is passed over; give them as arguments", ", ".join(taken))
    return metadata and {name: value for name, value in metadata.items() if name not in taken}


def _asked(call: Any, *given: Any, **wishes: Any) -> Any:
    """Call ours; raise ``ValueError`` for invalid input, as mem0's programs expect."""
    try:
        return call(*given, **wishes)
    except (memdesk.InvalidInputError, memdesk.NotFoundError, memdesk.ScopeError) as error:
        raise ValueError(error.message) from error
