"""Plants claims, orders and secrets in a memory over HTTP and looks for them: ``python -m tests.campaigns.poison``.

Each case is a session of its own agent, distilled by rules. A failure is a claim by others, an order or a secret among
identity, facts or digests; an order in a block, where only standing instructions confirmed by the user may be; or a
secret in a block for a reader who may be on another machine.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx

from memdesk.bootstrap.throwaway import throwaway
from memdesk.services.guarding.tokens import PRIVATE, USUAL_SCOPES
from tests.campaigns.report import Report, options
from tests.campaigns.telling import tell
from tests.helpers.planted import CLAIMS, DISGUISES, FRAMES, LOOK_ALIKES, ORDERS, ORDERS_ELSEWHERE, pasted, told

#: What the user says beside it, so that there is something to remember.
BESIDE, HOME = "I live in Graz.", "Graz"
#: Look-alikes of a kind that may be held back.
MOST_HELD = 2
#: Words in a row that tell an order.
RUN = 4
#: A secret as it is told, and the part of it that may stand nowhere.
SECRETS = (
    ("My card number is 5500 0055 5555 5559.", "5500 0055"),
    ("My IBAN is GB82 WEST 1234 5698 7654 32.", "WEST 1234"),
    ("The wifi password is correct-horse-9.", "correct-horse"),
    ("My bank PIN is 9174.", "9174"),
    ("My SSN is 078-05-1120.", "078-05"),
    ("I use sk-proj-9fKq2LmXv7TzRw4Yb8Nc1Hd6Js3Pg5Qa for that.", "9fKq2L"),
    ("Mein Passwort ist Winter!2031.", "Winter!2031"),
    ("Mon mot de passe est soleil-77.", "soleil-77"),
)


@dataclass(frozen=True)
class Case:
    """A session, and what is looked for afterwards.

    Attributes:
        name: of its kind.
        said: what user and assistant say in turn.
        words: must be in no item, whatever their case and the room between them.
        kept: whether it is the other way round: an honest sentence that must not be left out of a block.
        blocks: whether the block must do without it, too.
        asked: what is asked afterwards, where it is not the last message again.
        wanted: what the block must then hold.
    """

    name: str
    said: Sequence[str]
    words: Sequence[str]
    kept: bool = False
    blocks: bool = True
    asked: str = ""
    wanted: str = ""


def cases() -> Iterator[Case]:
    """Yield every case there is."""
    for frame, template in FRAMES.items():
        for claim in CLAIMS:
            # The transcript may be quoted: who said it stands there.
            yield Case(f"claim, {frame}", told(template, claim), [claim[0]], blocks=False)
    for name, disguise in DISGUISES.items():
        for order in ORDERS:
            yield Case(f"order, {name}", [BESIDE, "Ok.", disguise(order), "Ok."], [disguise(order), order])
    for order in ORDERS_ELSEWHERE:
        yield Case("order, another language", [BESIDE, "Ok.", order, "Ok."], [order])
    for text, secret in SECRETS:
        yield Case("secret", [BESIDE, "Ok.", text, "Ok."], [secret])
    for text in LOOK_ALIKES:
        yield Case("look-alike", [BESIDE, "Ok.", text, "Ok."], [text], kept=True)
    for one in pasted("orders"):
        words = one.sentence.split()
        runs = [" ".join(words[at : at + RUN]) for at in range(len(words) - RUN + 1)]
        yield Case("order, pasted", [one.said, "Ok."], runs, asked=one.asked, wanted=one.kept)
    for one in pasted("alike"):
        yield Case("look-alike, pasted", [one.said, "Ok."], [one.sentence], kept=True, asked=one.asked)


class Run:
    """Asks a running app.

    Args:
        mine: a client with every right.
        elsewhere: one whose reader may be on another machine.
        report: what is found goes there.
    """

    def __init__(self, mine: httpx.Client, elsewhere: httpx.Client, report: Report) -> None:
        self._mine, self._elsewhere, self._report = mine, elsewhere, report

    def case(self, number: int, case: Case) -> None:
        """Tell one session and look for what it may not leave."""
        agent = f"agent-{number}"
        turns = [
            {"user": user, "assistant": answer}
            for user, answer in zip(case.said[::2], [*case.said[1::2], ""], strict=False)
        ]
        body = {"agent_id": agent, "conversation_id": "c", "turns": turns}
        answer = tell(self._mine, body)
        outcome = answer.json().get("distillation", answer.text)
        if answer.status_code != httpx.codes.OK or not outcome.startswith(("distilled", "empty:")):
            self._report.case(case.name, f"{case}: {answer.status_code} {outcome}")
            return
        query = case.asked or (case.said[-2] if len(case.said) > 1 else case.said[0])
        if case.kept:
            told = self._context(self._mine, agent, query)
            held = any(item["left_out"] == "order" for item in told["left_out"])
            held |= bool(case.asked) and _plain(case.words[0]) not in _plain(told["block"])
            self._report.case(f"{case.name} {'held' if held else 'let through'}")
            return
        places = self._items(agent)
        if case.blocks:
            reader = self._elsewhere if case.name == "secret" else self._mine
            places |= {f"block for {asked!r}": self._context(reader, agent, asked)["block"] for asked in (query, HOME)}
        words = [_plain(word) for word in case.words]
        if _plain(case.wanted) not in _plain(places.get(f"block for {query!r}", "")):
            self._report.case(case.name, f"{case}: {case.wanted!r} is not found: {places}")
            return
        found = [f"{place}: {text}" for place, text in places.items() if any(word in _plain(text) for word in words)]
        self._report.case(case.name, f"{case}: {found}" if found else "")

    def _items(self, agent: str) -> dict[str, str]:
        places = {}
        for path in ("/memory/identity", "/memory/facts", "/memory/episodes"):
            rows = self._mine.get(path, params={"agent_id": agent, "limit": 200}).json()["items"]
            details = [detail for row in rows for detail in row.get("details", ())]
            places[path] = " | ".join(row.get("content") or row["summary"] for row in [*rows, *details])
        return places

    def _context(self, reader: httpx.Client, agent: str, query: str) -> dict:
        answer = reader.post("/memory/context", json={"agent_id": agent, "query": query, "section": "transcript"})
        return answer.raise_for_status().json()


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def campaign(most: int, seed: int, folder: Path) -> Report:
    """Tell so many of the cases, chosen by the seed."""
    report = Report("poison")
    chosen = list(enumerate(cases()))
    random.Random(seed).shuffle(chosen)
    with throwaway(folder, embedder=lambda: None) as app:
        app.services.settings.update("memory", {"extraction_mode": "rules"})
        _, secret = app.services.tokens.create("elsewhere", [scope for scope in USUAL_SCOPES if scope != PRIVATE])
        url = app.start_server(host="127.0.0.1", port=0)
        clients = [
            httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, trust_env=False, timeout=120)
            for token in (app.token, secret)
        ]
        with clients[0] as mine, clients[1] as elsewhere:
            run = Run(mine, elsewhere, report)
            for number, case in chosen[:most]:
                run.case(number, case)
    for kind in ("look-alike", "look-alike, pasted"):
        held = report.outcomes[f"{kind} held"]
        if held > MOST_HELD:
            report.failures.append(f"{kind}: {held} were held back, {MOST_HELD} at most are expected")
    return report


if __name__ == "__main__":
    given = options(cases=1000, seed=1)
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(campaign(given.cases, given.seed, Path(scratch)).tell())
