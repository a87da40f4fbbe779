"""Files that the user added in place, and models last seen on remote servers."""

import json
import logging
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from memdesk.domain.decoding import decode, number_in
from memdesk.settings.files import write_atomic

log = logging.getLogger(__name__)


class KnownModels:
    """A small JSON file in the config folder. Thread-safe; holds no secret."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()

    def paths(self) -> list[Path]:
        """Return files added by path, in the order they were added."""
        return [Path(path) for path in self._read()["paths"]]

    def names(self) -> dict[str, str]:
        """Return names by path, for files with meaningless names (Ollama's)."""
        return dict(self._read()["names"])

    def add_paths(self, paths: Iterable[Path], name: str = "") -> None:
        """Remember files, and a ``name`` if given; known files are not duplicated."""
        texts = [str(path) for path in paths]

        def change(data: dict[str, Any]) -> None:
            data["paths"] = list(dict.fromkeys([*data["paths"], *texts]))
            if name:
                data["names"].update(dict.fromkeys(texts, name))

        self._change(change)

    def remove_path(self, path: Path) -> None:
        """Forget a file."""

        def change(data: dict[str, Any]) -> None:
            data["paths"] = [known for known in data["paths"] if known != str(path)]
            data["names"].pop(str(path), None)

        self._change(change)

    def remote(self, server: str) -> list[str]:
        return [str(model) for model in self._read()["remote"].get(server, [])]

    def set_remote(self, server: str, models: Iterable[str] | None) -> None:
        """Remember the models of ``server``; None forgets the server."""

        def change(data: dict[str, Any]) -> None:
            if models is None:
                data["remote"].pop(server, None)
            else:
                data["remote"][server] = list(models)

        self._change(change)

    def contexts(self, model_id: str) -> dict[str, int]:
        """Return a model's context size: as its server ``listed``, an error ``told``, or the user ``set`` it."""
        found = self._read()["contexts"].get(model_id)
        return {key: int(value) for key, value in found.items()} if isinstance(found, dict) else {}

    def set_context(self, model_id: str, source: str, tokens: int) -> None:
        """Remember the context of a model from a source; 0 forgets it."""

        def change(data: dict[str, Any]) -> None:
            known = {key: value for key, value in data["contexts"].get(model_id, {}).items() if key != source}
            data["contexts"][model_id] = known | ({source: tokens} if tokens else {})
            if not data["contexts"][model_id]:
                del data["contexts"][model_id]

        if self.contexts(model_id).get(source, 0) != tokens:
            self._change(change)

    def sight(self, model_id: str) -> bool | None:
        """Return whether a model takes pictures, as its server said; None if it does not say."""
        found = self._read()["sight"].get(model_id)
        return found if isinstance(found, bool) else None

    def set_sight(self, model_id: str, sees: bool | None) -> None:
        if self.sight(model_id) != sees:
            self._change(lambda data: data["sight"].update({model_id: sees}))

    def embedder(self) -> str:
        """Return the embedding model whose vectors are in use, as named in the settings; "" before the first."""
        return str(self._read()["embedder"])

    def set_embedder(self, model: str) -> None:
        """Remember the embedding model whose vectors are in use."""

        def change(data: dict[str, Any]) -> None:
            data["embedder"] = model

        if self.embedder() != model:
            self._change(change)

    def dimensions(self, model: str) -> int | None:
        """Return the length of the vectors of a server's embedding model, once known."""
        return number_in(self._read()["dimensions"], model) or None

    def set_dimensions(self, model: str, dimensions: int) -> None:
        """Remember the length of the vectors of a server's embedding model."""
        self._change(lambda data: data["dimensions"].update({model: dimensions}))

    def speeds(self) -> dict[str, dict[str, float]]:
        return dict(self._read()["speeds"])

    def set_speed(self, model_id: str, speed: dict[str, float]) -> None:
        def change(data: dict[str, Any]) -> None:
            data["speeds"][model_id] = speed

        self._change(change)

    def _change(self, change: Callable[[dict[str, Any]], None]) -> None:
        with self._lock:
            data = self._read()
            change(data)
            write_atomic(self._file, json.dumps(data, indent=2, ensure_ascii=False).encode())

    def _read(self) -> dict[str, Any]:
        empty: dict[str, Any] = {"paths": [], "names": {}, "remote": {}, "speeds": {}, "contexts": {}, "sight": {}}
        empty |= {"embedder": "", "dimensions": {}}
        try:
            data = decode(self._file.read_bytes())
        except FileNotFoundError:
            return empty
        except (OSError, ValueError):
            log.warning("the list of known models cannot be read; it starts again empty")
            return empty
        return {**empty, **data} if isinstance(data, dict) else empty
