"""``memdesk bench train FILES... --prompts FILES...``: learns the weights that ship, and says from what.

Only files whose license allows it teach what ships: ``resources/docs/recall.md`` names them.
"""

import argparse
import json
import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from memdesk.bench.gate_prompts import Labeled, read_prompts
from memdesk.bench.recall import Bench
from memdesk.bench.recall_rig import load, profile
from memdesk.bench.recall_talks import Talk, padded, read_talks
from memdesk.bench.recall_train import balanced, fit, fit_statements
from memdesk.bench.shared import OWN, provenance
from memdesk.bench.train_opening import Listener, Told, fit_opening
from memdesk.domain.recalling.opening import SENSED, WEIGHED
from memdesk.domain.recalling.ranking import FEATURES, STATEMENT_FEATURES
from memdesk.errors import MemdeskError

#: Turns that a history is padded to, where its file has sessions to pad with.
PADDED = 500
#: A smaller memory than this teaches nothing of what stands out in one.
_LEAST_TURNS = 100
MODES = (("hybrid", True), ("fts", False))


def main(argv: Sequence[str] | None = None) -> int:
    """Learn and write; return 0, or 2 when a file cannot be read."""
    options = _arguments(argv)
    try:
        talks = [replace(talk, source=path.stem) for path in options.paths for talk in read_talks(path)]
        prompts = [_labeled(path) for path in options.prompts]
    except (MemdeskError, OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if options.statements:
        return _statements(talks, options)
    talks = padded(talks, PADDED)
    own = {path.stem for path in options.paths if provenance(path)["source"].startswith(OWN)}
    chats, labeled = ([provenance(path) for path in paths] for paths in (options.paths, options.prompts))
    with profile(options.store) as services:
        load(services, talks, distill=False)
        for talk in talks:
            services.recall.measure_noise(talk.name)
        if not options.gate:
            bench = Bench(services, talks, "transcript", options.store)
            _write(options.out / "ranking" / "transcript.json", _ranking(bench, talks), chats)
        opening = _opening(Listener(services, prompts, options.store), talks, own)
        path = options.out / "gate" / "opening.json"
        if options.english:
            known = json.loads(path.read_bytes())
            opening = {mode: weights if mode == "hybrid" else known[mode] for mode, weights in opening.items()}
        _write(path, opening, [*chats, *labeled])
    return 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="memdesk bench train", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path, help="conversations, as ``bench recall`` reads them")
    parser.add_argument(
        "--prompts", nargs="*", type=Path, default=[], help="labeled prompts, as ``bench gate`` reads them"
    )
    parser.add_argument(
        "--statements", action="store_true", help="learn the ranking of what is distilled, by rules, instead"
    )
    parser.add_argument("--gate", action="store_true", help="learn the gate alone, by the ranking that ships")
    parser.add_argument(
        "--english",
        action="store_true",
        help="keep the gate's other weights, learned from the same files, than those for English and the bundled embedder",
    )
    parser.add_argument("--out", type=Path, default=Path("resources"), help="where ranking/ and gate/ are")
    parser.add_argument("--store", type=Path, help="keep the loaded profile in this folder, and use it again if there")
    return parser.parse_args(argv)


def _statements(talks: Sequence[Talk], options: argparse.Namespace) -> int:
    with profile(options.store, extraction_mode="rules") as services:
        load(services, talks, distill=True)
        bench = Bench(services, talks, "transcript", options.store)
        weights = {}
        for mode, vectors in MODES:
            sets: dict[str, list[Any]] = {}
            for talk in talks:
                sets.setdefault(talk.source, []).extend(bench.statements(talk, vectors=vectors))
            weights[mode] = fit_statements(balanced(list(sets.values())), vectors=vectors).to_dict(STATEMENT_FEATURES)
    _write(options.out / "ranking" / "statements.json", weights, [provenance(path) for path in options.paths])
    return 0


def _ranking(bench: Bench, talks: Sequence[Talk]) -> dict[str, Any]:
    out = {}
    for mode, vectors in MODES:
        sets: dict[str, list[Any]] = {}
        for talk in talks:
            sets.setdefault(talk.source, []).extend(bench.examples(talk, vectors=vectors))
        out[mode] = fit(balanced(list(sets.values())), vectors=vectors).to_dict(FEATURES)
    return out


def _opening(listener: Listener, talks: Sequence[Talk], own: Collection[str]) -> dict[str, Any]:
    memories = [talk for talk in talks if len(talk.turns) >= _LEAST_TURNS]
    out: dict[str, Any] = {}
    foreign: list[Told] = []
    for mode, vectors in MODES:
        told = [*listener.questions(talks, vectors=vectors), *listener.prompts(memories, vectors=vectors)]
        foreign += [one for one in told if one.language != SENSED]
        sensed = [one for one in told if one.language == SENSED]
        out[mode] = fit_opening(sensed, own).to_dict(WEIGHED)
        if vectors:
            out["vectors"] = fit_opening(sensed, own, blunt=True).to_dict(WEIGHED)
    # Without messages in other languages these are weighed like a model without a sense.
    out["foreign"] = fit_opening(foreign, own).to_dict(WEIGHED) if foreign else out["vectors"]
    return out


def _labeled(path: Path) -> Labeled:
    names, prompts = read_prompts(path)
    return Labeled(path.stem, tuple(names), tuple(prompts))


def _write(path: Path, weights: dict[str, Any], provenance: Sequence[dict[str, str]]) -> None:
    data = {"learned_by": "memdesk bench train", "learned_from": list(provenance), **weights}
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
