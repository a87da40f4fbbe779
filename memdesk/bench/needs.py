"""``memdesk bench needs FILE...``: whether a message is answered with what must not be missed in mind.

A line of a file (``tests/data/recall/needs*.jsonl``) has what a user once said (``fact``), its ``class``, and messages
that ``need`` it, are of the same field (``near``), or of another (``far``). Prints the shares of messages that get it.
``--train`` learns from the files and writes the shipped networks.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from memdesk.bench.adapting import Tensors, write
from memdesk.bench.learning import Vectors, engines
from memdesk.bench.shared import loaded, rows_in, tell, trainable
from memdesk.domain.reading.care import CARE
from memdesk.domain.recalling.needing import SIDES, UNIT, Needs
from memdesk.services.recalling.bearing import LEAST, NEEDS, learned_needs

#: What a message is to a fact; the first needs it.
KINDS: Final = ("need", "near", "far")
#: Neurons of each side's layers, the share of them and of inputs dropped, and how the weights are learned.
WIDE, NARROW, DROPPED = 192, 24, 0.45
EPOCHS, BATCH, RATE, DECAY, SMOOTHED, SEED = 20, 128, 3e-3, 0.05, 0.05, 0


@dataclass(frozen=True, slots=True)
class Pair:
    """What a user once said, which of :data:`CARE` it is, a later message, and which of :data:`KINDS` that is."""

    fact: str
    care: str
    message: str
    kind: str


def load(path: Path) -> list[Pair]:
    """Return the pairs of a file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is not such a file.
    """
    try:
        return [
            Pair(row["fact"], row["class"], message, kind)
            for row in rows_in(path)
            for kind in KINDS
            for message in row[kind]
        ]
    except (KeyError, TypeError) as error:
        raise ValueError(f"{path}: a line has no fact, class, or messages") from error


def teach(pairs: Sequence[Pair], vectors: Vectors) -> Tensors:
    """Return the tensors of :class:`Needs`; needs torch."""
    import torch
    from torch.nn import functional

    torch.manual_seed(SEED)
    lines, messages = (
        torch.from_numpy(vectors.of(texts)).float()
        for texts in ([one.fact for one in pairs], [one.message for one in pairs])
    )
    wanted = torch.tensor([float(one.kind == KINDS[0]) for one in pairs]) * (1.0 - SMOOTHED) + SMOOTHED / 2
    dim = lines.shape[1]
    drop, asks = torch.nn.Dropout(DROPPED), torch.nn.Linear(dim, 1)
    alike = torch.nn.Parameter(torch.tensor([5.0]))
    sides = {side: (torch.nn.Linear(dim, WIDE), torch.nn.Linear(WIDE, NARROW)) for side in SIDES}

    def narrowed(side: str, rows: Any) -> Any:
        wide, narrow = sides[side]
        return narrow(functional.relu(wide(drop(UNIT * rows))))

    layers = [asks, *(layer for pair in sides.values() for layer in pair)]
    taught = [alike, *(each for layer in layers for each in layer.parameters())]
    optimizer: Any = torch.optim.AdamW(taught, lr=RATE, weight_decay=DECAY)
    order = list(range(len(pairs)))
    chance = random.Random(SEED)
    for _ in range(EPOCHS):
        chance.shuffle(order)
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            line, message = lines[some], messages[some]
            told = (narrowed(SIDES[0], line) * narrowed(SIDES[1], message)).sum(1) / NARROW
            odds = told + asks(drop(UNIT * message)).squeeze(1) + alike * (line * message).sum(1)
            loss: Any = functional.binary_cross_entropy_with_logits(odds, wanted[some])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    tensors = {"asks": _joined(asks)[0], "alike": alike.detach().numpy()}
    for side, (wide, narrow) in sides.items():
        tensors |= {f"{side}.wide": _joined(wide), f"{side}.narrow": _joined(narrow)}
    return {name: tensor.astype(np.float16) for name, tensor in tensors.items()}


def _joined(layer: Any) -> np.ndarray[Any, Any]:
    """Return a layer's weights, and its biases as the last column."""
    return np.concatenate([layer.weight.detach().numpy(), layer.bias.detach().numpy()[:, None]], axis=1)


def measure(pairs: Sequence[Pair], needs: Needs, vectors: Vectors) -> dict[str, float]:
    """Return the share of messages of each kind that get the fact, and of those that need it by what it is."""
    gets = [_gets(one, needs, vectors) for one in pairs]
    shares = {kind: [got for one, got in zip(pairs, gets, strict=True) if one.kind == kind] for kind in KINDS}
    for care in sorted(CARE):
        shares[care] = [got for one, got in zip(pairs, gets, strict=True) if one.kind == KINDS[0] and one.care == care]
    return {name: round(sum(each) / len(each), 3) for name, each in shares.items() if each}


def _gets(one: Pair, needs: Needs, vectors: Vectors) -> bool:
    line, message = vectors.of([one.fact, one.message])
    odds = needs.odds(line[None], message, vectors.model)
    return odds is not None and float(odds[0]) >= LEAST


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; return 0, or 2 when a file cannot be read."""
    options = trainable("needs", __doc__, "facts with messages").parse_args(argv)
    sets = loaded(options.files, load)
    if sets is None:
        return 2
    with engines() as lent:
        vectors = Vectors(lent.embedder)
        if options.train:
            tensors = teach([one for each in sets.values() for one in each], vectors)
            write(NEEDS, "needs", list(sets), tensors, model=vectors.model)
            learned_needs.cache_clear()
        report = {path.stem: measure(each, learned_needs(), vectors) for path, each in sets.items()}
    tell(options, report, lambda: _lines(report))
    return 0


def _lines(report: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    for name, shares in report.items():
        yield f"{name:20}" + "".join(f"{kind:>13} {share:.3f}" for kind, share in shares.items())
