"""Statements by grammar: an analyzer's parse if available, else closed word classes."""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from memdesk.domain.reading.candidates import Candidate, Extraction, SourceTurn
from memdesk.domain.reading.discourse import Mention, acquaintances
from memdesk.domain.reading.extractor import extract
from memdesk.errors import EngineError, EngineFaultError
from memdesk.ports import CancelToken, LanguageAnalyzer

log = logging.getLogger(__name__)

#: Turns that are read at once. What is looked up in a session lies nearer than this; looked up in all of an endless one, it
#: would take time by the square of its length, and nobody else would have a turn.
SLICE: Final = 400


def read(
    analyzer: LanguageAnalyzer | None,
    turns: Sequence[SourceTurn],
    *,
    known: Sequence[Mention] = (),
    spoken: str = "en",
    cancel: CancelToken | None = None,
    between: Callable[[], object] = lambda: None,
) -> Extraction:
    """Return the statements of a session; see ``ports.LanguageAnalyzer.extract``.

    No analyzer, or one that fails, leaves the closed classes, and this process to read by them; a fault at one turn leaves
    that turn alone to them. ``between`` is called between slices of a long session.
    """

    def of(some: Sequence[SourceTurn], known: Sequence[Mention]) -> Extraction:
        if analyzer is not None:
            try:
                return analyzer.extract(some, known=known, spoken=spoken, cancel=cancel)
            except EngineFaultError:
                if len(some) > 1:
                    return _in_slices(some, -(-len(some) // 2), known, of)
                log.warning("a turn is read without language analysis, which met a fault at it")
            except EngineError as error:
                log.warning("reading goes on without language analysis: %s", error.code)
        return extract(some, known=known, spoken=spoken)

    return _in_slices(turns, SLICE, known, of, between)


def _in_slices(
    turns: Sequence[SourceTurn],
    size: int,
    known: Sequence[Mention],
    of: Callable[[Sequence[SourceTurn], Sequence[Mention]], Extraction],
    between: Callable[[], object] = lambda: None,
) -> Extraction:
    """Return the statements of turns that ``of`` reads by slices of ``size``, each knowing whom those before named."""
    parts: list[Extraction] = []
    for start in range(0, max(len(turns), 1), size):
        if parts:
            between()
        part = of(turns[start : start + size], known)
        statements = [one.statement for one in part.candidates if one.statement is not None]
        known = (*known, *acquaintances((statement.subject, "") for statement in statements))
        parts.append(part if not start else replace(part, candidates=_further(part.candidates, start)))
    return parts[0] if len(parts) == 1 else _joined(parts)


def _further(candidates: Sequence[Candidate], start: int) -> tuple[Candidate, ...]:
    """Number the turns of a slice as the session has them."""
    return tuple(replace(one, spans=tuple((turn + start, place) for turn, place in one.spans)) for one in candidates)


def _joined(parts: Sequence[Extraction]) -> Extraction:
    named: Counter[tuple[str, str]] = Counter()
    left_out: Counter[str] = Counter()
    for part in parts:
        named.update({(name, kind): count for name, kind, count in part.entities})
        left_out.update(part.left_out)
    topics = Counter(topic for part in parts for topic in part.topics)
    return Extraction(
        tuple(one for part in parts for one in part.candidates),
        tuple((*name, count) for name, count in named.most_common()),
        tuple(topic for topic, _ in topics.most_common()),
        dict(left_out),
        tuple(one for part in parts for one in part.passed),
    )
