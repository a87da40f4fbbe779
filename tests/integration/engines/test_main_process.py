"""What the app's own process loads when it uses models: nothing native that can crash it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
USE = """
import sys
from pathlib import Path
from memdesk.engines.embedder import open_embedder
from memdesk.ports import ChatMessage, GenerationRequest
from tests.helpers.engines import engines

with engines(Path(sys.argv[1])) as parts:
    request = GenerationRequest(messages=(ChatMessage(role="user", content="Hi"),), max_tokens=2)
    assert list(parts.catalogue.open("bundled:smollm2-135m").generate(request))
    assert parts.catalogue.all()
    assert len(open_embedder("bundled:all-MiniLM-L6-v2", parts.pool, parts.folder / "cache").embed(["x"])) == 1
print(sorted({"llama_cpp", "torch", "onnxruntime", "transformers", "sentence_transformers", "onnx"} & set(sys.modules)))
"""


@pytest.mark.model
def test_engines_stay_in_their_processes(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", USE, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.stdout == "[]\n", done.stderr
