"""Finds models of other programs on this machine, to be used in place."""

import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from memdesk.engines.gguf import real_path, split_paths
from memdesk.ports.models import FoundModel
from memdesk.services.importing import jan_folders, json_of, lm_studio_folders, text_of

log = logging.getLogger(__name__)

Store = Literal["LM Studio", "Jan", "Ollama"]
#: https://github.com/ollama/ollama/blob/main/docs/import.md: the layer that is the GGUF file.
_OLLAMA_MODEL = "application/vnd.ollama.image.model"
#: The line of Jan's ``model.yml`` with the path of the weights, relative to its data folder.
_MODEL_PATH = re.compile(r"^model_path:\s*(\S.*?)\s*$", re.MULTILINE)


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
    for base in lm_studio_folders(home):
        settings = json_of(base / "settings.json")
        if isinstance(settings, dict) and isinstance(settings.get("downloadsFolder"), str):
            yield from _files("LM Studio", Path(settings["downloadsFolder"]))
        yield from _files("LM Studio", base / "models")


def _jan(home: Path) -> Iterator[FoundModel]:
    for folder in jan_folders(home):
        yield from _files("Jan", folder / "models")
        yield from _files("Jan", folder / "llamacpp" / "models")
        for note in _walk(folder / "llamacpp" / "models", "model.yml"):
            yield from _jan_elsewhere(note, folder)


def _jan_elsewhere(note: Path, data: Path) -> Iterator[FoundModel]:
    """Yield the model of a ``model.yml`` whose file Jan left in place; other files are beside theirs."""
    match = _MODEL_PATH.search(text_of(note))
    path = data / match[1].strip("\"'") if match else note
    if path.suffix == ".gguf" and not path.is_relative_to(data) and _is_file(path):
        yield _found("Jan", note.parent.name, path)


def _ollama(home: Path) -> Iterator[FoundModel]:
    folders = [home / ".ollama" / "models", Path("/usr/share/ollama/.ollama/models")]
    if chosen := os.environ.get("OLLAMA_MODELS"):
        folders.insert(0, Path(chosen))
    for folder in folders:
        manifests = folder / "manifests"
        for file in _walk(manifests, "*"):
            blob = _ollama_blob(json_of(file), folder / "blobs")
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
            digest = str(layer.get("digest", ""))
            # Older versions named blobs with a colon, as in the digest.
            names = (digest.replace(":", "-"), digest)
            return next((blobs / name for name in names if digest and _is_file(blobs / name)), None)
    return None


def _files(store: Store, folder: Path) -> Iterator[FoundModel]:
    for path in _walk(folder, "*.gguf"):
        if split_paths(path)[0] == path and "mmproj" not in path.name.lower():
            # Jan names every file model.gguf; its folder has the model's name.
            name = path.parent.name if path.stem == "model" else path.stem
            yield _found(store, name, path)


def _found(store: Store, name: str, path: Path) -> FoundModel:
    real = real_path(path)
    size = sum(part.stat().st_size for part in split_paths(real) if _is_file(part))
    return FoundModel(store=store, name=name, path=str(real), size_bytes=size)


def _walk(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(path for path in folder.rglob(pattern) if path.is_file())
    except OSError as error:
        log.info("a folder of models cannot be listed: %s", error.strerror)
        return []


def _is_file(path: Path) -> bool:
    """Whether a file exists in a folder that this user may read."""
    try:
        return path.is_file()
    except OSError:
        return False
