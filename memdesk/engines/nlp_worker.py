"""The language analysis child process: a spaCy pipeline, the extractor, and classifiers of texts.

Imported only there.
"""

import json
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

from memdesk.domain.caches import Recent
from memdesk.domain.comparing import tagging
from memdesk.domain.reading import durability
from memdesk.domain.reading.extractor import by_turns, prepare
from memdesk.engines.nlp import ASKED, FOUND, joined, pieces
from memdesk.errors import BadRequestError, EngineError
from memdesk.messages import say

#: Libraries that spaCy would load if installed; the pipeline needs none of them.
_UNUSED = ("torch", "tensorflow", "mxnet", "cupy", "jax")
#: Texts per item of an answer.
BATCH = 32
#: Characters of texts parsed in one batch, which takes memory for all of them.
MAX_TOGETHER = 40_000
#: Tags of the last texts that are kept: whether a sentence lasts and what it gives are asked one after the other.
TAGGED = 8
#: Processors for the model; reading is background work.
THREADS = 1
#: spaCy's parser needs about 1 GB for 100,000 characters; longer texts are cut by the caller.
MAX_CHARS = 100_000

#: Sentence ends, clause joiners, and the tags (Penn Treebank) and words that mark a question.
_ENDS = frozenset({".", "!", "?"})
_SPLICES = frozenset({",", ";", ":", "-", "\u2013", "\u2014"})
_JOINS = frozenset({"so", "and", "but"})
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
_ASKING = frozenset({"WP", "WRB", "WDT", "WP$"})
_SUBJECTS = frozenset({"PRP", "PRP$", "DT", "EX", "NNP"})
#: Verbs that double their last letter before "ed" and "ing".
_DOUBLING = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")
#: Ends of verbs whose third person ends in "es".
_HISSING = ("s", "x", "z", "ch", "sh", "o")
_AUXILIARIES = frozenset({
    "is", "are", "am", "was", "were", "do", "does", "did", "have", "has", "had", "can", "could", "will", "would", "shall",
    "should", "may", "might", "must",
})  # fmt: skip
#: "isn't it", "does he": tokens of a tag question.
_TAG_QUESTION = 3
#: Most words of a label such as "Good news:", and their tags; "Monday:" and "Ada:" belong to what follows.
_LABEL = 4
_LABELING = frozenset({"NN", "NNS", "JJ", "RB", "UH", "VB"})


class NlpWorker:
    """Loads a pipeline and answers ``analyze``, ``extract``, ``weigh`` and ``tag``.

    Args:
        config: see ``memdesk.engines.nlp.config``.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        for name in _UNUSED:
            sys.modules.setdefault(name, None)  # type: ignore[arg-type]  # None makes the import fail, as documented
        # Its own command line, of which it exports one function, takes two fifths of importing spaCy.
        for name in ("spacy.cli", "spacy.cli.info"):
            sys.modules.setdefault(name, ModuleType(name)).__dict__.setdefault("info", None)
        import spacy
        from spacy.language import Language

        try:
            self._pipeline = spacy.load(config["path"])
        except (OSError, ValueError) as error:
            raise EngineError(say("The language pipeline cannot be loaded: {error}.", error=error)) from error
        self._pipeline.max_length = MAX_CHARS
        for day in ("Wed", "wed"):  # not a hasty "we'd"
            self._pipeline.tokenizer.add_special_case(day, [{"ORTH": day}])  # type: ignore[union-attr]
        Language.component("memdesk_boundaries", func=_bounded)
        self._pipeline.add_pipe("memdesk_boundaries", before="parser")
        verbs = frozenset(self._pipeline.get_pipe("lemmatizer").lookups.get_table("lemma_index")["verb"])  # type: ignore[attr-defined]
        Language.component("memdesk_spelling", func=partial(_told_apart, verbs))
        self._pipeline.add_pipe("memdesk_spelling", after="lemmatizer")
        self._classifiers = _Classifiers(config)

    def info(self) -> dict[str, Any]:
        meta = self._pipeline.meta
        return {"name": meta["name"], "version": meta["version"], "language": meta["lang"], "licence": meta["license"]}

    def may_pause(self) -> bool:
        """Requests are short."""
        return False

    def handle(
        self, op: str, args: dict[str, Any], blob: bytes, cancelled: Callable[[], bool]
    ) -> Iterator[tuple[dict[str, Any], bytes] | None]:
        """Answer one request in JSON.

        ``analyze`` gives an item per batch, its texts' tokens; ``extract`` the whole extraction; ``weigh`` an item per run of the
        model, with the ``positions`` of its pairs and their ``odds``; ``tag`` the same with the ``tags`` of texts.
        """
        del cancelled  # checked between items
        if op == "extract":
            yield from self._extract(blob)
            return
        if op == "tag":
            for positions, tags in self._classifiers.tags(json.loads(blob)):
                yield {"positions": positions, "tags": tags}, b""
            return
        if op == "weigh":
            for positions, odds in self._classifiers.probabilities(str(args["task"]), json.loads(blob)):
                yield {"positions": positions, "odds": odds}, b""
            return
        if op != "analyze":
            raise BadRequestError(say("Unknown operation {op}.", op=op))
        rows: list[list[list[Any]]] = []
        for row in self._rows(json.loads(blob)):
            rows.append(row)
            # A sign of life: without one, the process is killed after a few seconds.
            yield None
            if len(rows) == BATCH:
                yield {}, _as_json(rows)
                rows = []
        yield {}, _as_json(rows)

    def _extract(self, blob: bytes) -> Iterator[tuple[dict[str, Any], bytes] | None]:
        turns, known, spoken = ASKED.validate_json(blob)
        texts = prepare(turns)
        cut = [pieces(text) for text in texts]
        rows = []
        for row in self._rows([piece for parts in cut for piece in parts]):
            rows.append(row)
            yield None
        analyzed = iter(rows)
        analyses = [joined(text, parts, analyzed) for text, parts in zip(texts, cut, strict=True)]
        found = yield from by_turns(turns, analyses, known, spoken, self.judge())
        yield {}, FOUND.dump_json(found)

    def judge(self) -> durability.Judge:
        """Return the classifiers of pieces of a message: durable if judged so, or the value of an attribute."""
        return durability.Judge(self._classifiers.lasting, self._classifiers.care)

    def _rows(self, texts: Sequence[str]) -> Iterator[list[list[Any]]]:
        for start in range(0, len(texts), BATCH):
            batch = [text[:MAX_CHARS] for text in texts[start : start + BATCH]]
            together = BATCH if sum(map(len, batch)) < MAX_TOGETHER else 1
            for doc in self._pipeline.pipe(batch, batch_size=together):
                yield [_row(token) for token in doc]


class _Classifiers:
    """Classifiers of texts and of pairs of them; each task's is opened when it is first needed."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._config = config
        self._models: dict[str, Any] = {}
        self._read_lately: Recent[str, tagging.Tags] = Recent(TAGGED)

    def probabilities(
        self, task: str, pairs: Sequence[tuple[str, str]]
    ) -> Iterator[tuple[list[int], list[list[float]]]]:
        for positions, odds in self._model(task).probabilities([(first, second) for first, second in pairs]):
            yield positions, odds.tolist()

    def probability(self, task: str, of: int, first: str, second: str) -> float:
        """Return the probability of a class for one pair."""
        (_, odds), *_ = self.probabilities(task, [(first, second)])
        return odds[0][of]

    def lasting(self, text: str, context: str) -> float:
        """Return the probability that a text lasts in its context; where it hardly does, that it gives an attribute, if high."""
        odds = self.probability(durability.TASK, durability.LASTS, text, context)
        if odds >= durability.LEAST:
            return odds
        tags = self._read(text)
        return tags.most() if tags.value and tags.most() >= tagging.GIVEN else odds

    def care(self, text: str) -> Mapping[str, float]:
        """Return the probabilities of the kinds of care that a text gives."""
        return self._read(text).care

    def _read(self, text: str) -> tagging.Tags:
        """Tag a text, once for all that is asked about it in turn."""
        tags = self._read_lately.get(text)
        if tags is None:
            (_, (found,)), *_ = self.tags([text])
            tags = tagging.Tags(**found)
            self._read_lately.keep(text, tags)
        return tags

    def tags(self, texts: Sequence[str]) -> Iterator[tuple[list[int], list[dict[str, Any]]]]:
        yield from self._model(tagging.TASK).tags(texts)

    def _model(self, task: str) -> Any:
        if task not in self._models:
            from memdesk.engines.minilm_session import MiniLmPairs, MiniLmTagger

            if task not in self._config["adapters"]:
                raise BadRequestError(say("Unknown operation {op}.", op=task))
            words = next((one.words for one in self._models.values()), None)
            kind: Any = MiniLmTagger if task == tagging.TASK else MiniLmPairs
            graph = Path(self._config["tokens" if kind is MiniLmTagger else "pairs"])
            weights, adapter = Path(self._config["weights"]), Path(self._config["adapters"][task])
            self._models[task] = kind(graph, weights, adapter, THREADS, words)
        return self._models[task]


def _as_json(rows: list[list[list[Any]]]) -> bytes:
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()


def _bounded(doc: Any) -> Any:
    """Mark sentence starts for the parser: after a line break or a label, and at a question spliced on by a comma.

    List items are separate sentences. In "Our wedding is on 3 October, how many fit in a barn?" the parser, which looks
    for one verb, would take the statement for a part of the question, and in "Good news: passed my test" the news for
    the one who passed.
    """
    start = 0
    for token in doc[:-1]:
        if "\n" in token.text:
            doc[token.i + 1].is_sent_start = True
        if "\n" in token.text or token.text in _ENDS:
            start = token.i + 1
        elif token.text == ":" and _labels(doc[start : token.i], doc[token.i + 1 :]):
            doc[token.i + 1].is_sent_start = True
            start = token.i + 1
        elif token.text in _SPLICES or token.lower_ in _JOINS:
            # "so what can I do?" begins with its "so", ", what can I do?" behind its comma
            first = token.i if token.lower_ in _JOINS else token.i + 1
            if _states(doc[start:first]) and _asks(doc, first):
                doc[first].is_sent_start = True
                start = first
    return doc


def _labels(before: Any, after: Any) -> bool:
    """Whether a few plain words precede the colon of a sentence that continues with a finite verb."""
    end = next((i for i, token in enumerate(after) if token.text in _ENDS or "\n" in token.text), len(after))
    plain = 0 < len(before) <= _LABEL and all(token.tag_ in _LABELING for token in before)
    return plain and any(token.tag_ in _FINITE for token in after[:end])


def _states(span: Any) -> bool:
    """Whether a span is a clause by itself: with a finite verb, and not subordinated by a conjunction."""
    return len(span) > 1 and span[0].tag_ not in {"IN", "WRB", "WP", "WDT"} and any(t.tag_ in _FINITE for t in span[1:])


def _asks(doc: Any, start: int) -> bool:
    """Whether a question begins at a token, by a question word or inversion, and ends with a question mark."""
    end = next((i for i in range(start, len(doc)) if doc[i].text in _ENDS or "\n" in doc[i].text), len(doc))
    while start < end and (doc[start].tag_ in {"RB", "UH"} or doc[start].lower_ in _JOINS):
        start += 1
    span = doc[start:end]
    if end == len(doc) or doc[end].text != "?" or len(span) < 2:  # "right?" asks nothing by itself
        return False
    if span[0].lower_ == "any":
        return not any(token.tag_ in _FINITE for token in span)
    if span[0].lower_ in {"what", "how", "why"}:
        return True
    if span[0].tag_ in _ASKING:  # "which" and "who" may lead a relative clause as well
        named = span[0].lower_ in {"which", "whose"} and span[1].tag_.startswith(("NN", "JJ"))
        return named or _inverted(span[1:])
    return len(span) > _TAG_QUESTION and _inverted(span[:3])


def _inverted(span: Any) -> bool:
    """Whether an auxiliary directly precedes a subject."""
    return any(
        verb.tag_ in _FINITE and verb.lower_ in _AUXILIARIES and subject.tag_ in _SUBJECTS
        for verb, subject in pairwise(span)
    )


def _told_apart(verbs: Collection[str], doc: Any) -> Any:
    """Let "hated" and "hates" be of "hate": the lemmatizer takes the shorter of two verbs, of which are "hatted" and "hats"."""
    for token in doc:
        short, ending = token.lemma_, token.lower_.removeprefix(token.lemma_)
        plain = (
            _DOUBLING.fullmatch(short) if ending in {"ed", "ing"} else ending == "es" and not short.endswith(_HISSING)
        )
        if plain and f"{short}e" in verbs:
            token.lemma_ = f"{short}e"
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
