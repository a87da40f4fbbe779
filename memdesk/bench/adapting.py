"""Fine-tunes the bundled model and writes an adapter of 1.3 MB: for pairs of texts, for tags, or for questions.

The model's own weights stay; low-rank matrices are added to those of each layer (LoRA: Hu et al. 2021,
https://arxiv.org/abs/2106.09685). Pairs are classified by a linear layer on the mean of the token vectors; questions
are moved toward the lines that answer them, whose vectors stay. ``memdesk.engines.minilm_session`` reads the file.
"""

import json
import logging
import os
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from memdesk.bench.logistic import newton
from memdesk.bench.shared import provenance
from memdesk.domain.recalling.needing import UNIT
from memdesk.engines.bundled import MINILM, locate
from memdesk.engines.minilm_graph import CLASSES, DIM
from memdesk.engines.minilm_session import HIGH, LOW, MAX_PAIR_TOKENS
from memdesk.settings.resources import resources_root

log = logging.getLogger(__name__)

Array = np.ndarray[Any, Any]
Tensors = dict[str, Array]

#: Rank and weight of the low-rank matrices.
RANK, SCALE = 16, 2.0
BATCH: Final = 32
RATE, DECAY, WARM_UP, DROPPED = 1e-3, 0.01, 0.1, 0.1
#: Label smoothing: human labels are never quite certain.
SMOOTHED: Final = 0.05
#: Batches sorted by length together, so that little of each is padding.
SORTED_BATCHES: Final = 16
SEED: Final = 0
#: For questions: tokens read of one, lines of its memory used as negatives at a time, the temperature of similarity,
#: and the weights of three terms: staying near its published vector; unwanted lines staying as near as before on
#: average, so that similarity thresholds hold; and showing whether the answer needs memory.
MAX_QUESTION_TOKENS, MOST_LINES, TEMPERATURE, QUESTION_RATE = 96, 400, 0.05, 5e-4
STAYS, LEVEL, NEEDS = 0.5, 20.0, 1.0
#: For tags: what a token may be marked as, the rate, and the scale of the layer for classes: more of them need larger logits.
MARKS: Final = ("value", "topic")
TAG_RATE, TAG_SCALE = 2e-3, 3.0
#: How much more a sentence that gives something critical counts than one that does not: there are few of them, and a missed one does harm.
CRITICAL: Final = 2.0
#: How often a sentence loses its final full stop and its capitals while tags are learned, and the class that is not learned.
UNSTOPPED, LOWERED = 0.4, 0.25
UNKNOWN: Final = -100
#: Ridge of the regression that detects needs in the end.
SENSE_RIDGE: Final = 100.0
_ADAPTED: Final = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
_SEGMENTS: Final = "embeddings.token_type_embeddings.weight"


@dataclass(frozen=True, slots=True)
class Example:
    """Two texts and their class.

    ``counts`` is its weight in examples.
    """

    first: str
    second: str
    label: int
    counts: float = 1.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A message with lines of its memory.

    Attributes:
        lines: vectors of lines, shape (n, dim).
        wanted: those that its answer needs; none for a message that needs no memory.
        others: negatives.
        stays: its vector must stay; it teaches nothing else.
    """

    text: str
    lines: Array
    wanted: Sequence[int] = ()
    others: Sequence[int] = ()
    stays: bool = False


@dataclass(frozen=True, slots=True)
class Marked:
    """A text with its class and its kind of care, None where one is unknown, and its words for the value and the topic.

    The words are empty if unknown.
    """

    text: str
    label: str | None
    value: str = ""
    topic: str = ""
    care: str | None = None


def teach(examples: Sequence[Example], *, epochs: int, start: Path | None = None) -> Tensors:
    """Return the tensors, by name, of an adapter that classifies pairs; needs torch and transformers.

    Args:
        examples: what is learned.
        epochs: how often each example is seen.
        start: an adapter whose matrices are the first ones, as what was learned for a kindred task helps (Phang et al. 2018,
            https://arxiv.org/abs/1811.01088).
    """
    import torch
    from torch.nn import functional

    model = _Thinned(MAX_PAIR_TOKENS)
    if start is not None:
        model.start(start)
    segments = model.bert.get_parameter(_SEGMENTS).requires_grad_(True)
    drop, head = torch.nn.Dropout(DROPPED), torch.nn.Linear(DIM, CLASSES)

    def loss(batch: Sequence[Example]) -> Any:
        with torch.autocast("cpu", torch.bfloat16):  # twice as fast where the processor supports it
            logits = head(drop(model.means([one.first for one in batch], [one.second for one in batch])))
        labels, counts = torch.tensor([one.label for one in batch]), torch.tensor([one.counts for one in batch])
        losses = functional.cross_entropy(logits.float(), labels, reduction="none", label_smoothing=SMOOTHED)
        return (losses * counts).sum() / counts.sum()

    _fit(
        [*model.parameters(), segments, *head.parameters()],
        examples,
        lambda one: len(one.first) + len(one.second),
        loss,
        epochs=epochs,
    )
    return _halves([*model.taught(), (_SEGMENTS, segments), ("head.weight", head.weight), ("head.bias", head.bias)])


def teach_tags(examples: Sequence[Marked], classes: Sequence[str], cares: Sequence[str], *, epochs: int) -> Tensors:
    """Return the tensors, by name, of an adapter that classifies sentences and marks their values and topics.

    All is learned together, from the same token vectors (Chen et al. 2019, https://arxiv.org/abs/1902.10909), and of
    each sentence in another spelling each time: people write without a final full stop and without capitals.
    """
    import torch
    from torch.nn import functional

    model = _Thinned(MAX_QUESTION_TOKENS)
    drop, marks = torch.nn.Dropout(DROPPED), torch.nn.Linear(DIM, len(MARKS))
    heads = {
        "classes": (torch.nn.Linear(DIM, len(classes)), classes, None),
        "care": (torch.nn.Linear(DIM, len(cares)), cares, torch.tensor([1.0, *[CRITICAL] * (len(cares) - 1)])),
    }
    chance = random.Random(SEED)

    def classified(head: str, means: Any, labels: Sequence[str | None]) -> Any:
        layer, names, counts = heads[head]
        wanted = torch.tensor([UNKNOWN if label is None else names.index(label) for label in labels])
        losses = functional.cross_entropy(
            TAG_SCALE * layer(drop(means)),
            wanted,
            weight=counts,
            ignore_index=UNKNOWN,
            label_smoothing=SMOOTHED,
            reduction="sum",
        )
        return losses / len(labels)

    def loss(batch: Sequence[Marked]) -> Any:
        batch = [replace(one, text=_respelled(one.text, chance)) for one in batch]
        with torch.autocast("cpu", torch.bfloat16):
            hidden, offsets, mask = model.tokens([one.text for one in batch])
        hidden = hidden.float()
        means = (hidden * mask[..., None]).sum(1) / mask.sum(1)[:, None]
        told = classified("classes", means, [one.label for one in batch])
        told = told + classified("care", means, [one.care for one in batch])
        wanted = torch.from_numpy(np.stack([_marks(one, row) for one, row in zip(batch, offsets, strict=True)]))
        known = mask[..., None] * (wanted >= 0)
        marked = functional.binary_cross_entropy_with_logits(marks(drop(hidden)), wanted.clamp(min=0), reduction="none")
        return told + (marked * known).sum() / known.sum().clamp(min=1)

    layers = [parameter for layer, *_ in heads.values() for parameter in layer.parameters()]
    taught = [*model.parameters(), *layers, *marks.parameters()]
    _fit(taught, examples, lambda one: len(one.text), loss, rate=TAG_RATE, epochs=epochs)
    weights = [
        (f"{head}.{name}", TAG_SCALE * part)
        for head, (layer, *_) in heads.items()
        for name, part in layer.named_parameters()
    ]
    return _halves([*model.taught(), *weights, ("marks.weight", marks.weight), ("marks.bias", marks.bias)])


def _respelled(text: str, chance: random.Random) -> str:
    """Return a text as others would type it: without its final full stop, or without capitals."""
    text = text.removesuffix(".") if chance.random() < UNSTOPPED else text
    return text.lower() if chance.random() < LOWERED else text


def _marks(one: Marked, offsets: Array) -> Array:
    """Return for each token whether it is of the value and of the topic, shape (tokens, 2); -1 where that is unknown."""
    found = np.full((len(offsets), len(MARKS)), -1.0, dtype=np.float32)
    for column, words in enumerate((one.value, one.topic)):
        begin = one.text.casefold().find(words.casefold()) if words else -1
        if begin >= 0:
            found[:, column] = (offsets[:, 0] < begin + len(words)) & (offsets[:, 1] > begin)
    return found


def teach_questions(examples: Sequence[Asked], *, epochs: int) -> Tensors:
    """Return the tensors, by name, of an adapter for questions' vectors; needs torch and transformers.

    A question is moved nearer to its wanted lines than to the others of its memory (InfoNCE: van den Oord et al. 2018,
    https://arxiv.org/abs/1807.03748), and messages that want some are separated from those that want none.
    """
    import torch
    from torch.nn import functional

    model = _Thinned(MAX_QUESTION_TOKENS)
    drop, head = torch.nn.Dropout(DROPPED), torch.nn.Linear(DIM, 1)
    chance = random.Random(SEED)
    published = [row for batch in _cut(examples, BATCH) for row in model.vectors([one.text for one in batch])]
    former = {id(one): row for one, row in zip(examples, published, strict=True)}

    def misplaced(one: Asked, vector: Any, before: Any) -> Any:
        """Return the loss of a question's wanted lines, and the shift of its unwanted ones."""
        some = chance.sample(one.others, min(len(one.others), MOST_LINES))
        lines = torch.from_numpy(one.lines[[*one.wanted, *some]]).float()
        near = lines @ vector
        right, wrong = near[: len(one.wanted)] / TEMPERATURE, near[len(one.wanted) :] / TEMPERATURE
        moved = LEVEL * (near - lines @ before)[len(one.wanted) :].mean() ** 2
        return moved + (torch.logaddexp(right, torch.logsumexp(wrong, 0)) - right).mean() if one.wanted else moved

    def loss(batch: Sequence[Asked]) -> Any:
        with torch.autocast("cpu", torch.bfloat16):
            means = model.means([one.text for one in batch])
        vectors = functional.normalize(means.float(), dim=1)
        logits = head(drop(UNIT * vectors)).squeeze(1)
        before = torch.stack([former[id(one)] for one in batch])
        total = STAYS * (1.0 - (vectors * before).sum(1)).mean()
        if told := [place for place, one in enumerate(batch) if not one.stays]:
            needs = torch.tensor([float(bool(batch[place].wanted)) for place in told])
            smooth = needs * (1.0 - SMOOTHED) + SMOOTHED / 2
            total = total + NEEDS * functional.binary_cross_entropy_with_logits(logits[told], smooth)
        if put := [misplaced(*of) for of in zip(batch, vectors, before, strict=True) if of[0].others]:
            total = total + torch.stack(put).sum() / max(sum(bool(one.wanted) for one in batch), 1)
        return total

    _fit(
        [*model.parameters(), *head.parameters()],
        examples,
        lambda one: len(one.text),
        loss,
        rate=QUESTION_RATE,
        epochs=epochs,
    )
    return _halves(model.taught())


def teach_sense(vectors: Array, wants: Array) -> tuple[Array, float]:
    """Return what tells by the vector of a message whether it wants memory.

    Args:
        vectors: of messages, shape (n, dim), of length one.
        wants: shape (n,), 1 for those that do and 0 for others.

    Returns:
        A direction, shape (dim,), and a bias: together they give log odds.
    """
    direction, bias = newton(UNIT * vectors.astype(np.float64), wants * (1.0 - SMOOTHED) + SMOOTHED / 2, SENSE_RIDGE)
    return UNIT * direction, bias


def write(task: str, bench: str, files: Sequence[Path], tensors: Tensors, **more: Any) -> None:
    """Write a shipped adapter, the files it was trained on, and ``more`` metadata as JSON."""
    from safetensors.numpy import save_file

    head = {
        "base": f"{MINILM.name} {MINILM.sha256}",
        "learned_by": f"memdesk bench {bench} --train",
        "learned_from": json.dumps([provenance(path) for path in files], ensure_ascii=False),
        **{name: json.dumps(value, ensure_ascii=False) for name, value in more.items()},
    }
    save_file(tensors, resources_root() / "models" / f"{task}.safetensors", metadata=head)


def _fit(
    taught: Sequence[Any],
    examples: Sequence[Any],
    length: Callable[[Any], int],
    loss_of: Callable[[Sequence[Any]], Any],
    *,
    epochs: int,
    rate: float = RATE,
) -> None:
    """Train the parameters ``taught`` on batches of examples of similar ``length``."""
    import torch

    torch.set_num_threads(os.cpu_count() or 1)  # by default it uses only physical cores
    chance = random.Random(SEED)
    optimizer = torch.optim.AdamW(taught, lr=rate, weight_decay=DECAY)
    steps = epochs * -(-len(examples) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, step / (WARM_UP * steps)) * max(0.0, 1.0 - step / steps)
    )
    for epoch in range(epochs):
        lost = 0.0
        for batch in _batches(examples, length, chance):
            loss = loss_of(batch)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(taught, 1.0)
            optimizer.step()
            schedule.step()
            lost += loss.item()
        log.info("epoch %d of %d: loss %.4f", epoch + 1, epochs, lost * BATCH / len(examples))


def _batches(examples: Sequence[Any], length: Callable[[Any], int], chance: random.Random) -> Iterator[Sequence[Any]]:
    order = list(examples)
    chance.shuffle(order)
    batches = [batch for some in _cut(order, BATCH * SORTED_BATCHES) for batch in _cut(sorted(some, key=length), BATCH)]
    chance.shuffle(batches)
    yield from batches


def _cut(rows: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    return (rows[start : start + size] for start in range(0, len(rows), size))


def _halves(named: Iterable[tuple[str, Any]]) -> Tensors:
    return {name: value.detach().numpy().astype(np.float16) for name, value in named}


class _Thinned:
    """The bundled model, frozen, with low-rank matrices beside its own.

    Args:
        most: maximum tokens read of a text or a pair.
    """

    def __init__(self, most: int) -> None:
        import torch
        from transformers import AutoModel, AutoTokenizer

        class Thin(torch.nn.Module):
            def __init__(self, base: Any) -> None:
                super().__init__()
                self.base = base
                self.low = torch.nn.Parameter(torch.randn(RANK, base.in_features) / base.in_features**0.5)
                self.high = torch.nn.Parameter(torch.zeros(base.out_features, RANK))

            def forward(self, rows: Any) -> Any:
                return self.base(rows) + SCALE * ((rows @ self.low.T) @ self.high.T)

        torch.manual_seed(SEED)
        folder = str(locate(MINILM).parent)
        self._most = most
        self._tokenizer = AutoTokenizer.from_pretrained(folder)
        self.bert = AutoModel.from_pretrained(folder).requires_grad_(False).train()
        self._thin: dict[str, Thin] = {}
        for place in range(len(self.bert.encoder.layer)):
            for part in _ADAPTED:
                name = f"encoder.layer.{place}.{part}"
                where, _, last = name.rpartition(".")
                self._thin[name] = Thin(self.bert.get_submodule(name))
                setattr(self.bert.get_submodule(where), last, self._thin[name])

    def means(self, *texts: Sequence[str]) -> Any:
        """Return the means of the tokens' vectors, shape (n, dim), of texts, or of pairs in two lists."""
        given = self._tokenizer(*texts, padding=True, truncation=True, max_length=self._most, return_tensors="pt")
        hidden = self.bert(**given).last_hidden_state
        mask = given["attention_mask"][..., None]
        return (hidden * mask).sum(1) / mask.sum(1)

    def tokens(self, texts: Sequence[str]) -> tuple[Any, Any, Any]:
        """Return the vectors of tokens, shape (n, tokens, dim), where each begins and ends in its text, and which are real."""
        given = self._tokenizer(
            list(texts),
            padding=True,
            truncation=True,
            max_length=self._most,
            return_tensors="pt",
            return_offsets_mapping=True,
        )
        offsets = given.pop("offset_mapping").numpy()
        return self.bert(**given).last_hidden_state, offsets, given["attention_mask"].float()

    def vectors(self, texts: Sequence[str]) -> Any:
        """Return unit vectors, shape (n, dim), without dropout."""
        import torch
        from torch.nn import functional

        self.bert.eval()
        with torch.no_grad():
            found = functional.normalize(self.means(texts), dim=1)
        self.bert.train()
        return found

    def parameters(self) -> Iterator[Any]:
        return (each for one in self._thin.values() for each in (one.low, one.high))

    def start(self, adapter: Path) -> None:
        """Take over the matrices of another adapter."""
        import torch
        from safetensors.torch import load_file

        known = load_file(adapter)
        with torch.no_grad():
            for name, one in self._thin.items():
                one.low.copy_(known[name + LOW])
                one.high.copy_(known[name + HIGH] / SCALE)

    def taught(self) -> Iterator[tuple[str, Any]]:
        for name, one in self._thin.items():
            yield name + LOW, one.low
            yield name + HIGH, SCALE * one.high
