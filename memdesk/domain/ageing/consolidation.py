"""What a consolidation pass would change, and why: decay, merge, promote, evict, prune.

Pure planning. A plan is a list of :class:`RunChange` in order; each has the few fields it
touches with their values before and after, which is enough to apply, check and undo it.
Plans hold no remembered text. Planning again on a half-applied plan gives the other half, and a second pass
on the same day gives nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from memdesk.domain.ageing.changes import diff, moment
from memdesk.domain.ageing.merging import merged_episode, merged_fact
from memdesk.domain.ageing.salience import DECAY_DAYS, decay, elapsed_days
from memdesk.domain.comparing.likeness import episode_lines, episode_set, fact_set, same_statement, statement_set
from memdesk.domain.comparing.setjoin import OverlapIndex, Tick, join_to_eldest
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import FactSource, FactStatus, RunChange
from memdesk.messages import say

Step = Literal["decay", "merge", "promote", "evict", "prune"]
#: The steps of a pass, in order.
STEPS: tuple[Step, ...] = ("decay", "merge", "promote", "evict", "prune")

#: Changes that are made together or not at all; a merge's two rows are one group.
Group = tuple[RunChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The numbers of a pass.

    Attributes:
        now: the pass's time.
        day_start: start of the user's current day. What was aged since then is not aged again.
        floor: facts below it may be evicted.
        retention_days: age at which episodes are pruned; 0 keeps them forever.
        idle_days: how long a fact below the floor must have been unused.
        merge_at: Jaccard similarity from which two episodes, or two facts, are merged.
        overlap_at: Jaccard similarity from which a fact and a line of an episode are about the same thing.
        overlap_episodes: how many recent episodes a fact must overlap to be promoted.
        recent_days: how old an episode may be to count as recent.
        recent_limit: how many recent episodes, newest first, are considered at most.
        promote_by: what a promotion adds to salience.
    """

    now: datetime
    day_start: datetime
    floor: float = 0.2
    retention_days: int = 365
    idle_days: int = 30
    merge_at: float = 0.9
    overlap_at: float = 0.4
    overlap_episodes: int = 3
    recent_days: int = 60
    recent_limit: int = 500
    promote_by: float = 0.05


@dataclass(slots=True)
class Memory:
    """One agent's live facts and episodes; planning updates them."""

    facts: list[MemoryItem]
    episodes: list[MemoryItem]


#: Looks up the sources of facts, which lists of active facts leave out.
SourcesOf = Callable[[Sequence[str]], dict[str, tuple[FactSource, ...]]]


def _nothing() -> None:
    return None


def aged_until(row: MemoryItem) -> datetime:
    """Return the time up to which a row's salience has been decayed."""
    return row.decayed_at or row.created_at


def decay_all(rows: Sequence[MemoryItem], rules: Rules) -> tuple[list[MemoryItem], list[Group]]:
    """Decay what has not been decayed yet today; facts that the user pinned or wrote stay as they are.

    Returns:
        The rows afterwards, in the same order, and the changes.
    """
    after: list[MemoryItem] = []
    groups: list[Group] = []
    for row in rows:
        since = aged_until(row)
        if since >= rules.day_start or row.lasts:
            after.append(row)
            continue
        days = elapsed_days(since, rules.now)
        new = replace(row, salience=decay(row.salience, days), decayed_at=rules.now)
        after.append(new)
        reason = say(
            "{days:.2f} days since it was last decayed: times exp(-{days_:.2f}/{value:g})",
            days=days,
            days_=days,
            value=DECAY_DAYS,
        )
        groups.append((_aged("decay", row, new, reason),))
    return after, groups


def episode_merges(episodes: Sequence[MemoryItem], rules: Rules, tick: Tick = _nothing) -> dict[str, tuple[str, float]]:
    """Return ``{episode: (older episode to merge into, similarity)}``."""
    ordered = sorted(episodes, key=lambda e: (e.created_at, e.id))
    joined = join_to_eldest([episode_set(e) for e in ordered], rules.merge_at, tick=tick)
    return {ordered[late].id: (ordered[early].id, likeness) for late, (early, likeness) in joined.items()}


def fact_merges(facts: Sequence[MemoryItem], rules: Rules, tick: Tick = _nothing) -> dict[str, tuple[str, float]]:
    """Return ``{fact: (older fact to merge into, similarity)}``; only facts that say the very same are merged."""
    ordered = sorted((f for f in facts if not f.lasts and f.tier == "pinned"), key=lambda f: (f.created_at, f.id))
    joined = join_to_eldest(
        [statement_set(f) for f in ordered],
        rules.merge_at,
        compatible=lambda early, late: same_statement(ordered[early], ordered[late]),
        tick=tick,
    )
    return {ordered[late].id: (ordered[early].id, likeness) for late, (early, likeness) in joined.items()}


def merge_episodes(memory: Memory, merges: dict[str, tuple[str, float]], rules: Rules) -> list[Group]:
    """Apply episode merges to ``memory`` and return the changes; a group is the older row, then the newer."""
    live = {e.id: e for e in memory.episodes}
    groups: list[Group] = []
    for late, (early, likeness) in merges.items():
        older, newer = live[early], live.pop(late)
        kept = merged_episode(older, newer, rules.now)
        gone = replace(newer, status=FactStatus.MERGED, superseded_by=older.id, updated_at=rules.now)
        live[early] = kept
        words = say("nearly the same words ({likeness:.0%} of them shared)", likeness=likeness)
        groups.append(
            (
                _change("merge", older, kept, f"takes in a newer episode with {words}"),
                _change("merge", newer, gone, f"joined to an older episode with {words}"),
            )
        )
    memory.episodes = list(live.values())
    return groups


def merge_facts(
    memory: Memory, merges: dict[str, tuple[str, float]], rules: Rules, sources_of: SourcesOf
) -> list[Group]:
    """Apply fact merges to ``memory`` and return the changes; a group is the older row, then the newer."""
    live = {f.id: f for f in memory.facts}
    sources = sources_of(sorted({*merges, *(early for early, _ in merges.values())}))
    groups: list[Group] = []
    for late, (early, likeness) in merges.items():
        older = replace(live[early], sources=sources[early])
        newer = replace(live.pop(late), sources=sources[late])
        kept = merged_fact(older, newer, rules.now)
        reason = say("says the same as an older fact ({likeness:.0%} of the words shared)", likeness=likeness)
        gone = replace(newer, status=FactStatus.MERGED, superseded_by=early, reason=reason, updated_at=rules.now)
        live[early], sources[early] = kept, kept.sources
        takes = f"takes in a newer fact that says the same ({likeness:.0%} of the words shared)"
        groups.append((_change("merge", older, kept, takes), _change("merge", newer, gone, reason)))
    memory.facts = list(live.values())
    return groups


def recent_episodes(episodes: Iterable[MemoryItem], rules: Rules) -> list[MemoryItem]:
    """Return the episodes of the last ``recent_days``, newest first, ``recent_limit`` at most."""
    oldest = rules.now - timedelta(days=rules.recent_days)
    recent = [e for e in episodes if oldest <= e.session.ended_at]
    return sorted(recent, key=lambda e: (e.session.ended_at, e.id), reverse=True)[: rules.recent_limit]


def promote(memory: Memory, rules: Rules, tick: Tick = _nothing) -> list[Group]:
    """Promote, at most once a day, facts that enough recent episodes mention; apply it to ``memory``."""
    recent = recent_episodes(memory.episodes, rules)
    if len(recent) < rules.overlap_episodes:
        return []
    index = OverlapIndex([(e.id, episode_lines(e)) for e in recent], rules.overlap_at)
    asked = [(number, fact) for number, fact in enumerate(memory.facts) if _may_rise(fact, rules)]
    groups: list[Group] = []
    for number, fact in asked:
        if number % 256 == 0:
            tick()
        found = index.groups_alike(fact_set(fact.content))
        if len(found) < rules.overlap_episodes:
            continue
        new = replace(fact, salience=min(1.0, fact.salience + rules.promote_by), promoted_at=rules.now)
        memory.facts[number] = new
        reason = say(
            "{n} episodes of the last {recent_days} days speak of it", n=len(found), recent_days=rules.recent_days
        )
        groups.append((_aged("promote", fact, new, reason),))
    return groups


def _may_rise(fact: MemoryItem, rules: Rules) -> bool:
    """Return whether a fact can be promoted and would not go to the bin in any case."""
    if fact.lasts or fact.tier != "pinned" or fact.salience >= 1.0 or _is_today(fact.promoted_at, rules):
        return False
    return not _leaves(fact, fact.salience + rules.promote_by, rules)


def _is_today(when: datetime | None, rules: Rules) -> bool:
    return when is not None and when >= rules.day_start


def idle_since(fact: MemoryItem) -> datetime:
    """Return when a fact was last made, changed or used."""
    changed = max(fact.created_at, fact.updated_at)
    return changed if fact.last_used is None else max(changed, fact.last_used)


def _leaves(fact: MemoryItem, salience: float, rules: Rules) -> bool:
    """Return whether a fact of this salience goes to the bin."""
    if fact.lasts or salience >= rules.floor:
        return False
    return idle_since(fact) <= rules.now - timedelta(days=rules.idle_days)


def evict(memory: Memory, rules: Rules) -> list[Group]:
    """Move facts below the floor that nobody used for ``idle_days`` to the bin; apply it to ``memory``."""
    facts: list[MemoryItem] = []
    groups: list[Group] = []
    for fact in memory.facts:
        if not _leaves(fact, fact.salience, rules):
            facts.append(fact)
            continue
        rested = int(elapsed_days(idle_since(fact), rules.now))
        reason = say(
            "salience {salience:.2f} is below the floor {floor:.2f} and it rested for {rested} days",
            salience=fact.salience,
            floor=rules.floor,
            rested=rested,
        )
        groups.append((_binned(fact, reason, rules.now),))
    memory.facts = facts
    return groups


def prune(memory: Memory, rules: Rules) -> list[Group]:
    """Move episodes older than the retention to the bin; apply it to ``memory``.

    An episode takes its details with it, except those whose own salience would keep them as facts: they stay alone.

    An episode's age counts from its session, or from its import if that is later: imported chats of past years
    must not be lost the next night.
    """
    if rules.retention_days == 0:
        return []
    oldest = rules.now - timedelta(days=rules.retention_days)
    kept: list[MemoryItem] = []
    groups: list[Group] = []
    for episode in memory.episodes:
        since = max(episode.session.ended_at, episode.created_at)
        if since >= oldest:
            kept.append(episode)
            continue
        gone = replace(episode, status=FactStatus.BINNED, updated_at=rules.now)
        days = int(elapsed_days(since, rules.now))
        reason = say(
            "{days} days old; episodes are kept for {retention_days}", days=days, retention_days=rules.retention_days
        )
        outliving = (_alone(line, rules) for line in episode.session.details if _outlives(line, rules))
        groups.append((_change("prune", episode, gone, reason), *outliving))
    memory.episodes = kept
    return groups


def _outlives(line: MemoryItem, rules: Rules) -> bool:
    """Return whether a detail stays when its episode goes."""
    now_worth = decay(line.salience, elapsed_days(aged_until(line), rules.now))
    return line.tier == "kept" and not _leaves(line, now_worth, rules)


def _alone(line: MemoryItem, rules: Rules) -> RunChange:
    reason = say("its episode is pruned; it was used lately or weighs enough to stay without it")
    return _change("prune", line, alone(line, rules.now), reason)


def alone(line: MemoryItem, now: datetime) -> MemoryItem:
    """Return a detail as it is kept without its episode, aged until ``now``."""
    worth = decay(line.salience, elapsed_days(aged_until(line), now))
    return replace(line, parent_id=None, salience=worth, decayed_at=now, updated_at=now)


def plan(memory: Memory, rules: Rules, sources_of: SourcesOf, tick: Tick = _nothing) -> dict[Step, list[Group]]:
    """Return what a pass over one agent's memory would change, step by step; ``memory`` is updated accordingly."""
    memory.facts, fact_decay = decay_all(memory.facts, rules)
    memory.episodes, episode_decay = decay_all(memory.episodes, rules)
    tick()
    merged = merge_episodes(memory, episode_merges(memory.episodes, rules, tick), rules)
    merged += merge_facts(memory, fact_merges(memory.facts, rules, tick), rules, sources_of)
    promoted = promote(memory, rules, tick)
    evicted = evict(memory, rules)
    pruned = prune(memory, rules)
    leaving = _refs(evicted) | _refs(pruned)
    aged = [*fact_decay, *episode_decay]
    return {
        # Rows that go to the bin are not written twice; if one comes back, it is aged then.
        "decay": _without(aged, leaving - _refs(merged) - _refs(promoted)) if leaving else aged,
        "merge": merged,
        "promote": promoted,
        "evict": evicted,
        "prune": pruned,
    }


def _refs(groups: Iterable[Group]) -> set[tuple[str, str]]:
    return {(change.kind, change.ref_id) for group in groups for change in group}


def _without(groups: Iterable[Group], refs: set[tuple[str, str]]) -> list[Group]:
    return [group for group in groups if (group[0].kind, group[0].ref_id) not in refs]


def _kind(row: MemoryItem) -> Literal["fact", "episode"]:
    return "fact" if row.digest is None else "episode"


def _aged(action: Step, old: MemoryItem, new: MemoryItem, reason: str) -> RunChange:
    """Return a change of salience. Both marks of ageing are written together, so both are recorded."""
    before: dict[str, Any] = {"salience": old.salience, "decayed_at": moment(old.decayed_at)}
    after: dict[str, Any] = {"salience": new.salience, "decayed_at": moment(new.decayed_at)}
    if action == "promote":
        before["promoted_at"], after["promoted_at"] = moment(old.promoted_at), moment(new.promoted_at)
    return RunChange(
        action=action, kind=_kind(old), ref_id=old.id, agent_id=old.agent_id, before=before, after=after, reason=reason
    )


def _binned(fact: MemoryItem, reason: str, now: datetime) -> RunChange:
    return RunChange(
        action="evict",
        kind="fact",
        ref_id=fact.id,
        agent_id=fact.agent_id,
        before={"status": fact.status.value, "reason": fact.reason, "updated_at": moment(fact.updated_at)},
        after={"status": FactStatus.BINNED.value, "reason": reason, "updated_at": moment(now)},
        reason=reason,
    )


def _change(action: Step, old: MemoryItem, new: MemoryItem, reason: str) -> RunChange:
    before, after = diff(old, new)
    return RunChange(
        action=action, kind=_kind(old), ref_id=old.id, agent_id=old.agent_id, before=before, after=after, reason=reason
    )
