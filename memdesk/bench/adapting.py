"""Teaches the bundled model what pairs of texts are, and writes what it learned as an adapter of 1.3 MB.

The model's own weights stay; to the matrices of each layer thin ones are added (LoRA: Hu et al. 2021,
https://arxiv.org/abs/2106.09685), and a linear layer on the mean of the token vectors tells the classes.
``memdesk.engines.minilm_session`` reads the file.
"""

import hashlib
import json
import logging
import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from memdesk.engines.bundled import MINILM, locate
from memdesk.engines.minilm_graph import CLASSES, DIM
from memdesk.engines.minilm_session import HIGH, LOW, MAX_PAIR_TOKENS
from memdesk.settings.resources import resources_root

log = logging.getLogger(__name__)

#: Width of the thin matrices, and what they count.
RANK, SCALE = 16, 2.0
BATCH: Final = 32
RATE, DECAY, WARM_UP, DROPPED = 1e-3, 0.01, 0.1, 0.1
#: Share of each label that is given to all classes: what people label is never quite sure.
SMOOTHED: Final = 0.05
#: Batches whose examples are sorted by length, so that little of a batch is padding.
SORTED_BATCHES: Final = 16
SEED: Final = 0
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
    """Two texts, and which of the classes they are.

    ``counts`` says for how many examples it stands.
    """

    first: str
    second: str
    label: int
    counts: float = 1.0


def teach(examples: Sequence[Example], *, epochs: int) -> dict[str, np.ndarray[Any, Any]]:
    """Return the tensors of an adapter, by name; needs torch and transformers."""
    import torch
    from torch.nn import functional

    torch.set_num_threads(os.cpu_count() or 1)  # of itself it takes half of what two threads share
    torch.manual_seed(SEED)
    chance = random.Random(SEED)
    tokenize, model = _model()
    taught = [one for one in model.parameters() if one.requires_grad]
    optimizer = torch.optim.AdamW(taught, lr=RATE, weight_decay=DECAY)
    steps = epochs * -(-len(examples) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, step / (WARM_UP * steps)) * max(0.0, 1.0 - step / steps)
    )
    model.train()
    for epoch in range(epochs):
        lost = 0.0
        for batch in _batches(examples, chance):
            labels = torch.tensor([one.label for one in batch])
            counts = torch.tensor([one.counts for one in batch])
            with torch.autocast("cpu", torch.bfloat16):  # twice as fast where the processor knows it
                logits = model(tokenize(batch))
            losses = functional.cross_entropy(logits.float(), labels, reduction="none", label_smoothing=SMOOTHED)
            loss = (losses * counts).sum() / counts.sum()
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(taught, 1.0)
            optimizer.step()
            schedule.step()
            lost += loss.item()
        log.info("epoch %d of %d: loss %.4f", epoch + 1, epochs, lost * BATCH / len(examples))
    return {name: value.detach().numpy().astype(np.float16) for name, value in model.taught()}


def write(task: str, bench: str, files: Sequence[Path], tensors: dict[str, np.ndarray[Any, Any]]) -> None:
    """Write an adapter that ships, and which files taught it."""
    from safetensors.numpy import save_file

    learned_from = [
        {
            "file": path.name,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "source": "written for memdesk",
        }
        for path in files
    ]
    head = {
        "base": f"{MINILM.name} {MINILM.sha256}",
        "learned_by": f"memdesk bench {bench} --train",
        "learned_from": json.dumps(learned_from, ensure_ascii=False),
    }
    save_file(tensors, resources_root() / "models" / f"{task}.safetensors", metadata=head)


def _batches(examples: Sequence[Example], chance: random.Random) -> Iterator[list[Example]]:
    order = list(examples)
    chance.shuffle(order)
    batches = []
    size = BATCH * SORTED_BATCHES
    for start in range(0, len(order), size):
        near = sorted(order[start : start + size], key=lambda one: len(one.first) + len(one.second))
        batches += [near[first : first + BATCH] for first in range(0, len(near), BATCH)]
    chance.shuffle(batches)
    yield from batches


def _model() -> tuple[Any, Any]:
    """Return what makes tokens of a batch, and the model with its thin matrices."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    folder = str(locate(MINILM).parent)
    tokenizer = AutoTokenizer.from_pretrained(folder)

    class Thin(torch.nn.Module):
        def __init__(self, base: Any) -> None:
            super().__init__()
            self.base = base
            self.low = torch.nn.Parameter(torch.randn(RANK, base.in_features) / base.in_features**0.5)
            self.high = torch.nn.Parameter(torch.zeros(base.out_features, RANK))

        def forward(self, rows: Any) -> Any:
            return self.base(rows) + SCALE * ((rows @ self.low.T) @ self.high.T)

    class Pairs(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.bert = AutoModel.from_pretrained(folder)
            self.bert.requires_grad_(False)
            self.bert.get_parameter(_SEGMENTS).requires_grad_(True)
            self.thin: dict[str, Thin] = {}
            for place in range(len(self.bert.encoder.layer)):
                for part in _ADAPTED:
                    name = f"encoder.layer.{place}.{part}"
                    where, _, last = name.rpartition(".")
                    self.thin[name] = Thin(self.bert.get_submodule(name))
                    setattr(self.bert.get_submodule(where), last, self.thin[name])
            self.drop, self.head = torch.nn.Dropout(DROPPED), torch.nn.Linear(DIM, CLASSES)

        def forward(self, given: Any) -> Any:
            hidden = self.bert(**given).last_hidden_state
            mask = given["attention_mask"][..., None]
            return self.head(self.drop((hidden * mask).sum(1) / mask.sum(1)))

        def taught(self) -> Iterator[tuple[str, Any]]:
            for name, one in self.thin.items():
                yield name + LOW, one.low
                yield name + HIGH, SCALE * one.high
            yield _SEGMENTS, self.bert.get_parameter(_SEGMENTS)
            yield "head.weight", self.head.weight
            yield "head.bias", self.head.bias

    def tokenize(batch: Sequence[Example]) -> Any:
        return tokenizer(
            [one.first for one in batch],
            [one.second for one in batch],
            padding=True,
            truncation=True,
            max_length=MAX_PAIR_TOKENS,
            return_tensors="pt",
        )

    return tokenize, Pairs()
