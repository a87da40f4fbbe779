"""Makes a faster copy of a model's weights in the cache folder; runs in the llama.cpp child process only.

Measured on two cores: see ``resources/docs`` (speed of the bundled model).
"""

from __future__ import annotations

import ctypes
import json
import os
from pathlib import Path
from typing import Any

import llama_cpp

from memdesk.engines.fingerprint import Fingerprints, sha256_of, write_atomically


def ready_weights(path: str, wanted: dict[str, Any] | None) -> str:
    """Return the weights to load: the requantised copy, made now if need be, else the original.

    Args:
        path: the original.
        wanted: ``folder`` (cache folder), ``file_type`` (llama.cpp's ``llama_ftype``), ``sha256`` of the original;
            None leaves the original as it is.
    """
    if wanted is None:
        return path
    folder = Path(wanted["folder"])
    target = folder / f"{Path(path).stem}.ftype{wanted['file_type']}.gguf"
    manifest = target.with_suffix(".json")
    mark = {"source": wanted["sha256"], "build": llama_cpp.__version__}
    if _matches(target, manifest, mark, Fingerprints(folder / "fingerprints.json")):
        return str(target)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _quantise(path, target, int(wanted["file_type"]))
        write_atomically(manifest, json.dumps({**mark, "sha256": sha256_of(target)}).encode())
    except OSError:
        return path  # a full or read-only cache costs speed, nothing else
    return str(target)


def _matches(target: Path, manifest: Path, mark: dict[str, str], fingerprints: Fingerprints) -> bool:
    try:
        known = json.loads(manifest.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    same = all(known.get(key) == value for key, value in mark.items())
    return same and target.is_file() and fingerprints.digest(target) == known.get("sha256")


def _quantise(source: str, target: Path, file_type: int) -> None:
    parameters = llama_cpp.llama_model_quantize_default_params()
    parameters.ftype = file_type
    parameters.allow_requantize = True
    parameters.nthread = os.cpu_count() or 1
    partial = target.with_suffix(".partial")
    code = llama_cpp.llama_model_quantize(os.fsencode(source), os.fsencode(partial), ctypes.byref(parameters))
    if code != 0:
        partial.unlink(missing_ok=True)
        raise OSError(f"quantising failed with code {code}")
    partial.replace(target)
