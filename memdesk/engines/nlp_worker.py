"""What runs in the language analysis child process: one spaCy pipeline. Imported there only."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

from memdesk.errors import BadRequestError, EngineError
from memdesk.messages import say

#: Libraries that spaCy would load because they are installed; the pipeline needs none of them.
_UNUSED = ("torch", "tensorflow", "mxnet", "cupy", "jax")
#: Texts between two looks at the cancel flag.
BATCH = 32
#: Characters of texts that are parsed side by side, which takes memory for all of them.
MAX_TOGETHER = 40_000
#: spaCy's parser needs about 1 GB for 100,000 characters; longer texts are cut by the caller.
MAX_CHARS = 100_000


class NlpWorker:
    """Loads a pipeline and answers ``analyze`` and ``entities``.

    Args:
        config: ``path`` of an unpacked spaCy pipeline.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        for name in _UNUSED:
            sys.modules.setdefault(name, None)  # type: ignore[arg-type]  # None makes the import fail, as documented
        import spacy
        from spacy.language import Language

        try:
            self._pipeline = spacy.load(config["path"])
        except (OSError, ValueError) as error:
            raise EngineError(say("The language pipeline cannot be loaded: {error}.", error=error)) from error
        self._pipeline.max_length = MAX_CHARS
        Language.component("memdesk_lines", func=_sentences_start_at_lines)
        self._pipeline.add_pipe("memdesk_lines", before="parser")

    def info(self) -> dict[str, Any]:
        """Describe the loaded pipeline."""
        meta = self._pipeline.meta
        return {"name": meta["name"], "version": meta["version"], "language": meta["lang"], "licence": meta["license"]}

    def may_pause(self) -> bool:
        """Requests are short."""
        return False

    def handle(
        self, op: str, args: dict[str, Any], blob: bytes, cancelled: Callable[[], bool]
    ) -> Iterator[tuple[dict[str, Any], bytes] | None]:
        """Answer one request: an item per batch, its texts' tokens as JSON in the blob."""
        del args
        if op != "analyze":
            raise BadRequestError(say("Unknown operation {op}.", op=op))
        texts = [text[:MAX_CHARS] for text in json.loads(blob)]
        for start in range(0, len(texts), BATCH):
            if cancelled():
                return
            batch = texts[start : start + BATCH]
            docs = self._pipeline.pipe(batch, batch_size=BATCH if sum(map(len, batch)) < MAX_TOGETHER else 1)
            rows = []
            for doc in docs:
                rows.append([_row(token) for token in doc])
                # A sign of life: one that gives none is ended after a few seconds.
                yield None
            yield {"from": start}, json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()


def _sentences_start_at_lines(doc: Any) -> Any:
    """Tell the parser that no sentence goes on over a line break: the items of a list are no one sentence."""
    for token in doc[:-1]:
        if "\n" in token.text:
            doc[token.i + 1].is_sent_start = True
    return doc


def _row(token: Any) -> list[Any]:
    return [
        token.text,
        int(bool(token.whitespace_)),
        token.idx,
        token.lemma_,
        token.pos_,
        token.tag_,
        token.dep_,
        token.head.i,
        token.ent_type_,
        int(bool(token.is_sent_start)),
    ]
