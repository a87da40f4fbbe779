"""``memdesk bench forget``: forgets a long conversation, a person mentioned everywhere, and everything.

A chat goes on meanwhile: a thread records exchanges in another conversation, and its waits are measured, since whoever
holds the writer blocks a chat.
"""

import statistics
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

from tqdm import tqdm

from memdesk.bench.shared import (
    AGENT,
    NOW,
    FixedClock,
    Stopwatch,
    Texts,
    arguments,
    held,
    new_store,
    signal_of,
    spread,
    tell,
    turn_at,
)
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import Agent, Conversation, Entity, FactSource, Turn, new_id
from memdesk.ports import Held, LaneName, Repositories
from memdesk.services.events import EventBus
from memdesk.services.forgetting import ForgetTarget, ForgettingService
from memdesk.services.slices import Hold
from memdesk.storage.database import Database

NAME: Final = "Zuzanna"
_THREAD: Final = 40
_CHUNK: Final = 2000
#: Interval of the chat's exchanges, in seconds.
_PAUSE: Final = 0.01


class _Watched(Database):
    """A store that records how long each transaction of forgetting holds its writer."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.holds: list[Hold] = []
        self.watched = threading.local()

    def write(self, work: Callable[[Any], Any], *, priority: LaneName = "interactive", held: Held | None = None) -> Any:
        """Write, and record the hold if the calling thread is watched."""
        if not getattr(self.watched, "on", False):
            return super().write(work, priority=priority, held=held)

        def note(seconds: float, cpu_seconds: float) -> None:
            self.holds.append(Hold(seconds, cpu_seconds))
            if held is not None:
                held(seconds, cpu_seconds)

        return super().write(work, priority=priority, held=note)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """What forgetting cost.

    Attributes:
        seconds: of all of it, proof included; ``cpu_seconds``: of processor time, the chat's included.
        holds: how long its transactions held the writer, in ms.
        waits: how long recording the chat's exchanges took meanwhile, in ms; ``idle_wait``: the median before.
    """

    counts: dict[str, int]
    preview_seconds: float
    seconds: float
    cpu_seconds: float
    transactions: int
    holds: dict[str, float]
    waits: dict[str, float]
    idle_wait: float
    verified: bool


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; return 0 if all forgetting was proved, 1 when not."""
    parser = arguments("forget", __doc__)
    parser.add_argument("turns", type=int, nargs="?", default=100_000, metavar="N", help="of the conversation (100000)")
    parser.add_argument("--named", type=int, default=20_000, metavar="N", help="facts and turns with the name (20000)")
    options = parser.parse_args(argv)
    targets = {
        "conversation": ForgetTarget(kind="conversation", ids=("long",), agent_id=AGENT),
        "person": ForgetTarget(kind="entity", ids=(NAME,), include_turns=True),
        "everything": ForgetTarget(kind="everything"),
    }
    with new_store(_Watched) as store:
        _fill(store, options.turns, options.named, quiet=options.json)
        timed = {name: measure(store, target) for name, target in targets.items()}
    report = {name: asdict(one) for name, one in timed.items()}
    tell(options, report, lambda: [_line(name, one) for name, one in timed.items()])
    return 0 if all(one.verified for one in timed.values()) else 1


def measure(store: _Watched, target: ForgetTarget) -> Timed:
    service = ForgettingService(store=store, clock=FixedClock(), events=EventBus())
    idle = [_exchange(store) for _ in range(50)]
    watch = Stopwatch()
    preview = service.preview(target)
    preview_seconds, _ = watch.read()
    done = threading.Event()
    waits: list[float] = []
    chat = threading.Thread(target=_chat, args=(store, done, waits), name="bench-chat")
    store.holds.clear()
    store.watched.on = True
    chat.start()
    watch = Stopwatch()
    try:
        report = service.forget(target)
    finally:
        seconds, cpu_seconds = watch.read()
        store.watched.on = False
        done.set()
        chat.join()
    if target.kind != "everything" and report.counts != preview.counts:
        raise AssertionError(f"{preview.counts} were announced, {report.counts} went")
    return Timed(
        counts=report.counts,
        preview_seconds=round(preview_seconds, 2),
        seconds=round(seconds, 2),
        cpu_seconds=round(cpu_seconds, 2),
        transactions=len(store.holds),
        holds=spread(store.holds),
        waits={key: value for key, value in spread([Hold(wait, wait) for wait in waits]).items() if "cpu" not in key},
        idle_wait=round(statistics.median(idle) * 1000, 1),
        verified=report.verified,
    )


def _chat(store: Database, done: threading.Event, waits: list[float]) -> None:
    while not done.wait(_PAUSE):
        waits.append(_exchange(store))


def _exchange(store: Database) -> float:
    """Record two turns as a chat does; return the seconds until they were durable."""

    def work(repos: Repositories) -> None:
        if repos.agents.get("chat") is None:
            repos.agents.put(Agent(id="chat", name="chat", created_at=NOW, updated_at=NOW))
        repos.conversations.put(Conversation(agent_id="chat", id="now", created_at=NOW, updated_at=NOW))
        position = repos.turns.next_position("chat", "now")
        turns = [turn_at("now", position + n, "What was it you said of the weather?", NOW, "chat") for n in range(2)]
        repos.turns.add(turns)
        repos.signals.add([signal_of(turn) for turn in turns])

    watch = Stopwatch()
    store.write(work)
    return watch.read()[0]


def _fill(store: Database, turns: int, named: int, *, quiet: bool) -> None:
    texts = Texts()
    about = Entity(id=NAME, agent_id=AGENT, name=NAME, type="person", created_at=NOW, updated_at=NOW)
    store.write(lambda repos: repos.entities.put(about))
    for start in tqdm(range(0, turns, _CHUNK), desc="conversation", file=sys.stderr, disable=quiet):
        rows = [turn_at("long", n, texts.turn(), _said(n)) for n in range(start, min(start + _CHUNK, turns))]
        facts = [_fact(f"The user said {texts.turn()}", turn) for turn in rows[::20]]
        store.write(partial(_put, rows, facts))
    for start in tqdm(range(0, named, _CHUNK), desc="person", file=sys.stderr, disable=quiet):
        rows = [
            turn_at(f"talk-{n // _THREAD}", n % _THREAD, f"{NAME} {texts.turn()}", _said(n % _THREAD))
            for n in range(start, min(start + _CHUNK, named))
        ]
        facts = [_fact(f"{NAME} {texts.turn()}", turn) for turn in rows]
        store.write(partial(_put, rows, facts))


def _put(turns: Sequence[Turn], facts: Sequence[MemoryItem], repos: Repositories) -> None:
    for thread in dict.fromkeys(turn.conversation_id for turn in turns):
        made = Conversation(agent_id=AGENT, id=thread, title=f"About {thread}", created_at=NOW, updated_at=NOW)
        repos.conversations.put(made)
    repos.turns.add(turns)
    repos.signals.add([signal_of(turn) for turn in turns[::10]])
    repos.items.put_many(facts)
    for fact in facts:
        if NAME in fact.content:
            repos.entities.link(NAME, "fact", fact.id)


def _said(position: int) -> datetime:
    return NOW - timedelta(minutes=position)


def _fact(content: str, turn: Turn) -> MemoryItem:
    return MemoryItem(
        id=new_id(),
        agent_id=AGENT,
        content=content,
        origin="distiller",
        sources=(FactSource(turn_id=turn.id, quote=turn.content),),
        run_id=turn.conversation_id,
        created_at=NOW,
        updated_at=NOW,
    )


def _line(name: str, one: Timed) -> str:
    counts = ", ".join(f"{number:,} {kind.replace('_', ' ')}" for kind, number in one.counts.items())
    waits = one.waits
    return (
        f"{name}: {counts}; {'proved' if one.verified else 'NOT PROVED'}\n"
        f"  preview {one.preview_seconds:.2f} s, forgetting {one.seconds:.2f} s ({one.cpu_seconds:.2f} s of processor "
        f"time), {one.transactions:,} transactions\n"
        f"  {held('forgetting', one.holds)}\n"
        f"  a chat's exchange recorded meanwhile: p50 {waits['p50']:.1f}, p95 {waits['p95']:.1f}, max "
        f"{waits['max']:.1f} ms ({one.idle_wait:.1f} ms before)"
    )
