"""``memdesk bench precision BELIEFS CASES [--sessions FILE]``: whether exactly the answering beliefs are shown.

Reads the format of PrecisionMemBench (github.com/tenurehq/precisionMemBench, MIT; arXiv:2605.11325): beliefs with
scopes and successors, users, cases that name the beliefs a question must retrieve, and sessions with a drifting
subject. As there, a belief's text is its name, aliases, content and why it matters; pinned beliefs are listed
separately and do not count; a session's drift is the share of shown beliefs that do not answer. Unlike there, a case
that only names what must not be shown has no precision: there it has 0 whatever else is shown (one case of 77,
Cross-user isolation). A user's scope is an agent here: nothing crosses agents.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from memdesk.bench.recall_rig import profile
from memdesk.bench.shared import arguments, tell
from memdesk.services.container import Services

#: The user of a case by default.
_USER = "test-user"
#: Default maximum of beliefs shown, pinned ones included.
_MOST = 20
_BUDGET_TOKENS = 800
Section = Literal["auto", "pinned"]
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one question: precision and recall are None if the case asks for neither."""

    name: str
    category: str
    precision: float | None
    recall: float | None
    drift: float
    passed: bool
    forbidden: int


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; return 0, or 2 when a file cannot be read."""
    options = _arguments(argv)
    try:
        beliefs, cases = _read(options.beliefs), _read(options.cases)
        sessions = _read(options.sessions) if options.sessions else []
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    with profile() as services:
        memory = _Memory(services, options.section)
        memory.learn(beliefs)
        report = {
            "section": options.section,
            "cases": _figures([memory.judge(case) for case in cases]),
            "sessions": _figures([outcome for session in sessions for outcome in memory.drift(session)]),
        }
    tell(options, report, lambda: _lines(report))
    return 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = arguments("precision", __doc__)
    parser.add_argument("beliefs", type=Path, help="beliefs.seed.json, or another file of its form")
    parser.add_argument("cases", type=Path, help="retrieval.cases.json, or another file of its form")
    parser.add_argument("--sessions", type=Path, help="session-retrieval.cases.json, or another file of its form")
    parser.add_argument(
        "--section",
        choices=("auto", "pinned"),
        default="pinned",
        help="auto lets the gate answer that nothing is needed",
    )
    return parser.parse_args(argv)


def _read(path: Path) -> list[dict[str, Any]]:
    rows = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(rows, list):
        raise ValueError(f"{path.name} holds no list")  # noqa: TRY004 - a file's fault, not a caller's
    return rows


class _Memory:
    """Beliefs stored as facts, and which are shown for a question."""

    def __init__(self, services: Services, section: Section) -> None:
        self._services = services
        self._section: Section = section
        self._beliefs: dict[str, Row] = {}
        self._ids: dict[str, str] = {}

    def learn(self, beliefs: Sequence[Row]) -> None:
        """Store beliefs in all their scopes; superseded or resolved ones are stored as such."""
        for belief in beliefs:
            self._beliefs[belief["_id"]] = belief
            for scope in belief["scope"]:
                fact = self._services.memories.add_fact(
                    agent_id=self._agent(belief["user_id"], scope), content=_text(belief), actor="import"
                )
                self._ids[fact.id] = belief["_id"]
                if belief.get("superseded_by") or belief.get("resolved_at"):
                    self._services.memories.set_status([fact.id], "disabled")
        self._services.indexing.flush()

    def judge(self, case: Row) -> Outcome:
        """Ask one case's question."""
        expected = case["expect"].get("relevantBeliefs", {})
        budget = {"maxBeliefs": _MOST, **case.get("budget", {})}["maxBeliefs"]
        shown = self._shown(case.get("userId", _USER), case["scope"], case["query"], budget)
        pinned = self._pinned(case.get("userId", _USER), case["scope"])
        # A case that only forbids says nothing about other beliefs shown: ``passed`` has its result.
        asks = not expected.keys().isdisjoint({"shouldOnlyInclude", "mustInclude"})
        wanted = set(expected.get("shouldOnlyInclude", ()))
        if "shouldOnlyInclude" not in expected:
            wanted = {one for one in expected.get("mustInclude", ()) if one not in pinned}
        hits = wanted & set(shown)
        union = {*shown, *pinned}
        order = {one: at for at, one in enumerate(shown)}
        passed = (
            ("shouldOnlyInclude" not in expected or set(shown) == wanted)
            and union.issuperset((*expected.get("mustInclude", ()), *expected.get("shouldInclude", ())))
            and union.isdisjoint(expected.get("mustExclude", ()))
            and expected.get("minCount", 0) <= len(shown) <= expected.get("maxCount", _MOST)
            and all(order.get(a, _MOST) < order.get(b, -1) for a, b in expected.get("orderedBefore", ()))
        )
        return Outcome(
            case["caseId"],
            case["category"],
            None if not asks or not (shown or wanted) else len(hits) / len(shown) if shown else 0.0,
            len(hits) / len(wanted) if wanted else None,
            0.0,
            passed,
            self._forbidden(case.get("userId", _USER), shown),
        )

    def drift(self, session: Row) -> Iterator[Outcome]:
        """Ask each turn's question; what a turn states is learned before the next."""
        for turn in session["turns"]:
            case = {
                "caseId": f"{session['caseId']} {turn['turnIndex']}",
                "category": "drift",
                "query": turn["userMessage"],
            }
            outcome = self.judge({**case, "scope": turn["scope"], "expect": turn["expect"]})
            noise = set(turn["expect"].get("noiseCheck", {}).get("mustNotSurface", ()))
            shown = set(self._shown(_USER, turn["scope"], turn["userMessage"], _MOST))
            yield Outcome(
                outcome.name,
                outcome.category,
                outcome.precision if shown else None,
                outcome.recall,
                1.0 - (outcome.precision or 0.0) if shown else 0.0,
                outcome.passed and shown.isdisjoint(noise),
                outcome.forbidden,
            )
            if turn.get("createBeliefAtTurn"):
                self.learn([turn["createBeliefAtTurn"]])
            if turn.get("updateBeliefAtTurn"):
                self._update(turn["updateBeliefAtTurn"])

    def _shown(self, user: str, scopes: Sequence[str], query: str, most: int) -> list[str]:
        pinned = self._pinned(user, scopes)
        shown: list[str] = []
        for scope in scopes if most > 0 else ():
            receipt = self._services.recall.context(
                agent_id=self._agent(user, scope), query=query, budget_tokens=_BUDGET_TOKENS, section=self._section
            )
            shown += [self._ids[item.id] for item in receipt.items if item.id in self._ids]
        found = [one for one in dict.fromkeys(shown) if one not in pinned]
        # A relation retrieves both of its ends.
        for relation in [self._beliefs[one] for one in found if self._beliefs[one].get("type") == "relation"]:
            joined = [one for one in relation.get("participants", ()) if one in self._beliefs]
            found += [one for one in joined if one not in pinned and set(self._beliefs[one]["scope"]) & set(scopes)]
        return list(dict.fromkeys(found))[: max(0, most - len(pinned))]

    def _pinned(self, user: str, scopes: Sequence[str]) -> list[str]:
        return [
            one
            for one, belief in self._beliefs.items()
            if belief.get("pinned")
            and belief["user_id"] == user
            and not (belief.get("superseded_by") or belief.get("resolved_at"))
            and belief.get("type") != "open_question"
            and set(belief["scope"]) & set(scopes)
        ]

    def _forbidden(self, user: str, shown: Sequence[str]) -> int:
        """Count shown beliefs that are another user's or superseded."""
        rows = [self._beliefs[one] for one in shown]
        return sum(row["user_id"] != user or bool(row.get("superseded_by")) for row in rows)

    def _update(self, change: Row) -> None:
        belief = dict(self._beliefs[change["beliefId"]])
        belief["aliases"] = [*belief.get("aliases", ()), *change.get("addAliases", ())]
        belief["content"] = change.get("setContent") or belief["content"]
        belief["canonical_name"] = change.get("setCanonicalName") or belief["canonical_name"]
        self._beliefs[change["beliefId"]] = belief
        for fact_id in [fact_id for fact_id, one in self._ids.items() if one == change["beliefId"]]:
            self._services.memories.edit_fact(fact_id, content=_text(belief))
        self._services.indexing.flush()

    def _agent(self, user: str, scope: str) -> str:
        name = f"{user} {scope}".replace(":", "-").replace(" ", "-")
        self._services.agents.ensure(name)
        return name


def _text(belief: Row) -> str:
    parts = (belief["canonical_name"], *belief.get("aliases", ()), belief["content"], belief.get("why_it_matters", ""))
    return " ".join(part for part in parts if part)


def _figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[outcome.category].append(outcome)
    return {
        **_means(outcomes),
        "failed": [outcome.name for outcome in outcomes if not outcome.passed],
        "by_category": {name: _means(found) for name, found in groups.items()},
    }


def _means(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    def mean(values: Sequence[float]) -> float | None:
        return round(sum(values) / len(values), 4) if values else None

    return {
        "questions": len(outcomes),
        "passed": sum(outcome.passed for outcome in outcomes),
        "precision": mean([outcome.precision for outcome in outcomes if outcome.precision is not None]),
        "recall": mean([outcome.recall for outcome in outcomes if outcome.recall is not None]),
        "drift": mean([outcome.drift for outcome in outcomes]),
        "forbidden": sum(outcome.forbidden for outcome in outcomes),
    }


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"{report['section']:36}{'questions':>10}{'passed':>8}{'precision':>11}{'recall':>8}{'drift':>7}{'forbidden':>11}"
    )
    for name in ("cases", "sessions"):
        rows = {name: report[name], **{f"  {key}": row for key, row in report[name]["by_category"].items()}}
        for label, row in rows.items() if report[name]["questions"] else ():
            told = ["-" if row[key] is None else f"{row[key]:.3f}" for key in ("precision", "recall", "drift")]
            yield (
                f"{label:36}{row['questions']:10}{row['passed']:8}{told[0]:>11}{told[1]:>8}{told[2]:>7}{row['forbidden']:11}"
            )
