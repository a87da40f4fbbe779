"""``memdesk bench attributes FILE...``: which attribute a sentence gives, and which of its words are the value.

A file has labeled sentences (``tests/data/comparing/attributes*.jsonl``). Prints the share of the attributes that is
read right, of the sentences that give none and are left alone, of the values that are marked word by word, and of the
allergies, conditions and the like that are seen, and the rest left alone. ``--train`` trains the bundled model on the
files and writes the shipped adapter.
"""

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from safetensors import safe_open

from memdesk.bench.adapting import Marked, teach_tags, write
from memdesk.bench.learning import engines
from memdesk.bench.shared import loaded, rows_in, tell, trainable
from memdesk.domain.comparing.tagging import TASK, Tags
from memdesk.domain.reading.care import CARE
from memdesk.domain.reading.keeping import likeliest
from memdesk.engines.nlp import SpacyAnalyzer
from memdesk.settings.resources import resources_root

#: End of the names of attributes that one has of each of several things.
OF_WHAT: Final = " (of what)"
#: The attribute of sentences that give none.
NONE: Final = ""
EPOCHS: Final = 3
#: The kinds of care, none first.
KINDS: Final = (NONE, *sorted(CARE))
#: Probability from which an attribute counts as read.
READ: Final = 0.5


def load(path: Path) -> list[Marked]:
    """Return the sentences of a file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is not such a file.
    """
    try:
        return [
            Marked(row["text"], row.get("attribute"), row.get("value", ""), row.get("topic", ""), _care(row))
            for row in rows_in(path)
        ]
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path}: a line has no text") from error


def _care(row: Mapping[str, Any]) -> str | None:
    """Return the kind of care of a row: none where it has an attribute and does not say otherwise, with null for unknown."""
    care: str | None = row.get("care", NONE if "attribute" in row else None)
    return care


def classes_of(sentences: Sequence[Marked]) -> list[str]:
    """Return the attributes, none first."""
    return [NONE, *sorted({one.label for one in sentences if one.label})]


def shipped_classes() -> list[str]:
    """Return the attributes that the shipped adapter knows."""
    with safe_open(resources_root() / "models" / f"{TASK}.safetensors", framework="np") as file:
        return [name for name, _ in json.loads(file.metadata()["attributes"])]


def measure(sentences: Sequence[Marked], tags: Sequence[Tags], names: Sequence[str]) -> dict[str, float]:
    """Return the shares of attributes read right, of other sentences left alone, of values marked exactly, and of care.

    Args:
        sentences: with their labels.
        tags: what was read of each.
        names: of the attributes, by their numbers.
    """
    read = [_attribute(one, names) for one in tags]
    given = [place for place, one in enumerate(sentences) if one.label]
    none = [place for place, one in enumerate(sentences) if one.label == NONE]
    marked = [place for place in given if sentences[place].value]
    care = [likeliest(one.care) for one in tags]
    critical = [place for place, one in enumerate(sentences) if one.care]
    plain = [place for place, one in enumerate(sentences) if one.care == NONE]
    return {
        "attributes": _share(read[place] == sentences[place].label for place in given),
        "precision": _share(name == sentences[place].label for place, name in enumerate(read) if name),
        "left alone": _share(not read[place] for place in none),
        "values": _share(_words(tags[place].value) == _words(sentences[place].value) for place in marked),
        "care": _share(care[place] == sentences[place].care for place in critical),
        "without care": _share(not care[place] for place in plain),
    }


def _attribute(tags: Tags, names: Sequence[str]) -> str:
    number, odds = max(tags.every().items(), key=lambda one: one[1], default=(0, 0.0))
    return names[number] if odds >= READ else NONE


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _share(right: Iterator[bool]) -> float:
    every = list(right)
    return round(sum(every) / len(every), 3) if every else 0.0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; return 0, or 2 when a file cannot be read."""
    options = trainable("attributes", __doc__, "labeled sentences").parse_args(argv)
    sets = loaded(options.files, load)
    if sets is None:
        return 2
    with engines() as lent:
        if options.train:
            every = [one for each in sets.values() for one in each]
            classes = classes_of(every)
            told = [(name, "several" if name.endswith(OF_WHAT) else "odds") for name in classes]
            tensors = teach_tags(every, classes, KINDS, epochs=EPOCHS)
            write(TASK, "attributes", list(sets), tensors, attributes=told, cares=KINDS)
        _report(options, lent.analyzer, sets)
    return 0


def _report(options: argparse.Namespace, analyzer: SpacyAnalyzer, sets: Mapping[Path, Sequence[Marked]]) -> None:
    report: dict[str, Any] = {
        path.stem: measure(each, analyzer.tag([one.text for one in each]), shipped_classes())
        for path, each in sets.items()
    }
    tell(
        options,
        report,
        lambda: (
            f"{name:28}" + "".join(f"{key:>14} {share:.3f}" for key, share in each.items())
            for name, each in report.items()
        ),
    )
