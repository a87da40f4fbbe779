"""``memdesk bench consolidate N``: time for N facts and N/10 episodes, its growth, and whether the result is right.

Fills throw-away encrypted stores with N/4, N/2 and N facts and a tenth as many episodes of invented text, runs a
whole consolidation on each, and fits the exponent of growth. On 2,000 facts the merges and promotions are compared
with those found by comparing every pair.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from tqdm import tqdm

from memdesk.bench.consolidate_memory import Author, slow_episode_merges, slow_fact_merges, slow_promotions
from memdesk.bench.shared import (
    AGENT,
    NOW,
    FixedClock,
    Stopwatch,
    arguments,
    exponent,
    held,
    new_store,
    put_all,
    spread,
    tell,
)
from memdesk.domain.ageing.consolidation import Memory, Rules, episode_merges, fact_merges, promote
from memdesk.services.events import EventBus
from memdesk.services.upkeep import ConsolidationService
from memdesk.settings.schema import Settings
from memdesk.storage.database import Database

COMPARED = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    facts: int
    episodes: int
    seconds: float
    #: of all threads; shows the scaling on a busy machine.
    cpu_seconds: float
    counts: dict[str, int]
    undo_seconds: float
    undo_cpu_seconds: float
    #: how long slices held the writer, in ms, during the pass and its undo.
    holds: dict[str, float]
    undo_holds: dict[str, float]


class _Settings:
    current = Settings()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; return 0 if the results equal brute force, 1 when not."""
    parser = arguments("consolidate", __doc__)
    parser.add_argument("facts", type=int, nargs="?", default=10_000, metavar="N", help="facts (default 10000)")
    parser.add_argument("--seed", type=int, default=7, help="of the invented text")
    options = parser.parse_args(argv)
    sizes = sorted({max(200, options.facts // 4), max(200, options.facts // 2), max(200, options.facts)})
    timed: list[Timed] = []
    for size in tqdm(sizes, desc="sizes", file=sys.stderr, disable=options.json):
        timed.append(measure(size, options.seed))
        if not options.json:
            tqdm.write(_line(timed[-1]))
    same = compare(min(COMPARED, sizes[-1]), options.seed)
    answer = {
        "runs": [asdict(one) for one in timed],
        "exponent": _growth(sizes, [one.seconds for one in timed]),
        "cpu_exponent": _growth(sizes, [one.cpu_seconds for one in timed]),
        "longest_hold_ms": max(max(one.holds["max"], one.undo_holds["max"]) for one in timed),
        "brute_force": same,
    }
    tell(options, answer, lambda: _verdict(answer["exponent"], answer["cpu_exponent"], same))
    return 0 if all(part["equal"] for part in same.values()) else 1


def measure(size: int, seed: int) -> Timed:
    memory = Author(seed).memory(size, size // 10)
    with new_store(Database) as store:
        put_all(store, memory.facts)
        put_all(store, memory.episodes)
        service = ConsolidationService(store=store, clock=FixedClock(), events=EventBus(), settings=_Settings())
        watch = Stopwatch()
        result = service.run(agent_id=AGENT)
        seconds, cpu_seconds = watch.read()
        watch = Stopwatch()
        undone = service.undo(result.run.id)
        undo_seconds, undo_cpu_seconds = watch.read()
    return Timed(
        facts=size,
        episodes=size // 10,
        seconds=round(seconds, 2),
        cpu_seconds=round(cpu_seconds, 2),
        counts=result.run.counts,
        undo_seconds=round(undo_seconds, 2),
        undo_cpu_seconds=round(undo_cpu_seconds, 2),
        holds=spread(result.holds),
        undo_holds=spread(undone.holds),
    )


def compare(size: int, seed: int) -> dict[str, dict[str, int | bool]]:
    """Return the numbers of merges and promotions, and whether brute force finds the same."""
    memory = Author(seed + 1).memory(size, size // 10)
    rules = Rules(now=NOW, day_start=NOW.replace(hour=0))
    facts = {late: early for late, (early, _) in fact_merges(memory.facts, rules).items()}
    episodes = {late: early for late, (early, _) in episode_merges(memory.episodes, rules).items()}
    lifted = promote(Memory(list(memory.facts), list(memory.episodes)), rules)
    promoted = {change.ref_id for group in lifted for change in group}
    return {
        "fact_merges": {"found": len(facts), "equal": facts == slow_fact_merges(memory.facts, rules)},
        "episode_merges": {"found": len(episodes), "equal": episodes == slow_episode_merges(memory.episodes, rules)},
        "promotions": {
            "found": len(promoted),
            "equal": promoted == slow_promotions(memory.facts, memory.episodes, rules),
        },
    }


def _growth(sizes: Sequence[int], costs: Sequence[float]) -> float | None:
    return round(exponent(sizes, costs), 3) if len(sizes) > 1 else None


def _line(one: Timed) -> str:
    steps = ", ".join(f"{step} {number:,}" for step, number in one.counts.items())
    return (
        f"{one.facts:>8,} facts, {one.episodes:>6,} episodes: {one.seconds:6.2f} s "
        f"({one.cpu_seconds:.2f} s of processor time), undo {one.undo_seconds:.2f} s ({one.undo_cpu_seconds:.2f} s); "
        f"{steps}\n         {held('the pass', one.holds)}\n         {held('its undo', one.undo_holds)}"
    )


def _verdict(growth: object, cpu_growth: object, same: Mapping[str, Mapping[str, int | bool]]) -> Iterator[str]:
    yield f"growth: N to the power of {growth} (of processor time: {cpu_growth})"
    for name, part in same.items():
        verdict = "the same as brute force" if part["equal"] else "NOT the same as brute force"
        yield f"{name.replace('_', ' ')}: {part['found']:,}, {verdict}"
