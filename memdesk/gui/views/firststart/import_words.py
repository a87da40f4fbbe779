"""Sentences about what an import found and will do."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from memdesk.gui.text import said, tr
from memdesk.gui.words import beside_name, day, lasting, number, source_name

if TYPE_CHECKING:
    from memdesk.services.distilling import Forecast
    from memdesk.services.importing import ImportReport


def what_will_happen(report: ImportReport, local: Callable[[datetime], datetime]) -> list[str]:
    """Return what was found and what is stored of it."""
    sources = ", ".join(f"{source_name(name)} ({number(count)})" for name, count in report.sources.items())
    found = [tr("%n conversations were found", "", report.conversations) + (f": {sources}." if sources else ".")]
    if report.first and report.last:
        first, last = day(local(report.first)), day(local(report.last))
        held = tr("They date from {a} to {b}.").format(a=first, b=last)
        found.append(held if first != last else tr("They date from {a}.").format(a=first))
    # In an empty memory all are new, which need not be said.
    counts = (report.new, report.changed, report.unchanged)
    if any(counts) and report.new < report.conversations:
        parts = (
            tr("%n are new", "", report.new),
            tr("%n replace older copies", "", report.changed),
            tr("%n are here already", "", report.unchanged),
        )
        found.append(", ".join(part for part, count in zip(parts, counts, strict=True) if count) + ".")
    if report.kept:
        found.append(tr("%n were continued here since and are left as they are.", "", report.kept))
    if report.turns:
        found.append(tr("%n messages are stored, encrypted, on this computer.", "", report.turns))
    return [*found, *_beside(report), *problems(report)]


def _beside(report: ImportReport) -> list[str]:
    """Return what happens to the app's data besides chats."""
    count = {kind: report.rows.get(kind, (0, 0))[0] for kind in ("item", "fact", "prompt", "folder")}
    if "memdesk" in report.sources:
        return [tr("%n facts and lines about you are added.", "", count["item"])] if count["item"] else []
    parts = (
        (count["fact"], tr("%n memories become facts", "", count["fact"])),
        (count["prompt"], tr("%n instructions go to your prompts", "", count["prompt"])),
        (count["folder"], tr("%n projects become folders", "", count["folder"])),
    )
    words = ", ".join(words for number, words in parts if number)
    return [tr("From the other app: {parts}.").format(parts=words)] if words else []


def what_stays_behind(report: ImportReport) -> list[str]:
    """Return what is not imported because it is not a message."""
    known = {kind: words for kind, count in report.left_out.items() if (words := beside_name(kind, count))}
    unknown = {kind: count for kind, count in report.left_out.items() if kind not in known}
    parts = list(known.values())
    if unknown:
        words = tr("%n parts of unknown kinds", "", sum(unknown.values()))
        parts.append(f"{words} ({', '.join(list(unknown)[:3])})")
    found = [tr("Not imported: {parts}.").format(parts=", ".join(parts))] if parts else []
    if report.without_chats:
        names = ", ".join(report.others[:3]) + (", …" if report.without_chats > 3 else ".")
        words = tr("%n files hold no conversations", "", report.without_chats)
        found.append(f"{words}: {names}")
    return found


def problems(report: ImportReport) -> list[str]:
    """Return what cannot be read, with the first example."""
    if not report.problem_count:
        return []
    first = report.problems[0]
    words = tr("%n entries cannot be read", "", report.problem_count)
    return [f"{words}: {first.name} ({said(first.reason).rstrip('.')})."]


def how_long(forecast: Forecast | None) -> str:
    """Return how long learning takes, if known, or why nothing will be learned."""
    if forecast is not None and forecast.reason:
        return said(forecast.reason)
    if forecast is None or forecast.seconds is None:
        return tr("Learning goes on in the background; it can be paused, and goes on after a restart.")
    return tr("Learning takes {time} of work in the background; it can be paused, and goes on after a restart.").format(
        time=lasting(forecast.seconds)
    )
