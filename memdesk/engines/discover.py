"""Finds models that other programs keep on this machine, to be used where they lie."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from memdesk.services.model_seams import FoundModel

log = logging.getLogger(__name__)

Store = Literal["LM Studio", "Jan", "Ollama"]
#: https://github.com/ollama/ollama/blob/main/docs/import.md: the layer that is the GGUF file.
_OLLAMA_MODEL = "application/vnd.ollama.image.model"


def find_models(home: Path | None = None) -> list[FoundModel]:
    """Return the models of LM Studio, Jan and Ollama, by name.

    Args:
        home: the user's home folder; None for the present user's.
    """
    home = home or Path.home()
    found = [*_lm_studio(home), *_jan(home), *_ollama(home)]
    unique = {model.path: model for model in reversed(found)}
    return sorted(unique.values(), key=lambda model: (model.store, model.name.lower()))


def _lm_studio(home: Path) -> Iterator[FoundModel]:
    folders = [home / ".lmstudio" / "models", home / ".cache" / "lm-studio" / "models"]
    settings = _json(home / ".lmstudio" / "settings.json")
    if isinstance(settings, dict) and isinstance(settings.get("downloadsFolder"), str):
        folders.insert(0, Path(settings["downloadsFolder"]))
    for folder in folders:
        yield from _files("LM Studio", folder)


def _jan(home: Path) -> Iterator[FoundModel]:
    for base in _application_folders(home, "Jan"):
        yield from _files("Jan", base / "data" / "llamacpp" / "models")
        yield from _files("Jan", base / "data" / "models")
    yield from _files("Jan", home / "jan" / "models")


def _ollama(home: Path) -> Iterator[FoundModel]:
    folders = [home / ".ollama" / "models", Path("/usr/share/ollama/.ollama/models")]
    if chosen := os.environ.get("OLLAMA_MODELS"):
        folders.insert(0, Path(chosen))
    for folder in folders:
        manifests = folder / "manifests"
        for file in _walk(manifests, "*"):
            blob = _ollama_blob(_json(file), folder / "blobs")
            if blob is None:
                continue
            host, *names, model, tag = file.relative_to(manifests).parts
            owner = "/".join(name for name in names if name != "library")
            name = "/".join(part for part in (host if host != "registry.ollama.ai" else "", owner, model) if part)
            yield _found("Ollama", f"{name}:{tag}", blob)


def _ollama_blob(manifest: Any, blobs: Path) -> Path | None:
    layers = manifest.get("layers") if isinstance(manifest, dict) else None
    for layer in layers if isinstance(layers, list) else []:
        if isinstance(layer, dict) and layer.get("mediaType") == _OLLAMA_MODEL:
            path = blobs / str(layer.get("digest", "")).replace(":", "-")
            return path if path.is_file() else None
    return None


def _files(store: Store, folder: Path) -> Iterator[FoundModel]:
    for path in _walk(folder, "*.gguf"):
        part = "-of-" in path.stem and "-00001-of-" not in path.stem
        if not part and "mmproj" not in path.name.lower():
            # Jan calls every file model.gguf; its folder says what it is.
            name = path.parent.name if path.stem == "model" else path.stem
            yield _found(store, name, path)


def _found(store: Store, name: str, path: Path) -> FoundModel:
    real = path.resolve()
    return FoundModel(store=store, name=name, path=str(real), size_bytes=real.stat().st_size)


def _walk(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(path for path in folder.rglob(pattern) if path.is_file())
    except OSError as error:
        log.info("a folder of models cannot be listed: %s", error.strerror)
        return []


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _application_folders(home: Path, name: str) -> list[Path]:
    if sys.platform == "darwin":
        return [home / "Library" / "Application Support" / name]
    if sys.platform == "win32":
        return [Path(os.environ.get("APPDATA", str(home / "AppData" / "Roaming"))) / name]
    return [
        Path(os.environ.get("XDG_DATA_HOME", str(home / ".local" / "share"))) / name,
        Path(os.environ.get("XDG_CONFIG_HOME", str(home / ".config"))) / name,
    ]
