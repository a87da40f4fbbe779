"""``memdesk bench plain FILE``: whether memory harms answers to questions unrelated to the user.

The file has ``{"identity": [...], "facts": [...], "questions": [{"q", "a": [...]}]}``. Each question is put to a chat
with the model, with and without that person's memory, greedily; an answer is right if it contains one of ``a`` as a
word.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from memdesk.bench.recall_rig import profile
from memdesk.bench.shared import AGENT, arguments, tell
from memdesk.domain.models import MemoryMode
from memdesk.ports import ChatMessage
from memdesk.services.chatting import CompletionRequest, Finished, ReceiptReady, Sampling
from memdesk.services.container import Services

#: Tokens of an answer; the first sentence suffices.
_TOKENS = 40


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; return 0, or 2 when the file cannot be read."""
    options = _arguments(argv)
    try:
        known = json.loads(options.file.read_text(encoding="utf-8"))
        questions = [(str(row["q"]), tuple(map(str, row["a"]))) for row in known["questions"]][: options.questions]
    except (OSError, ValueError, TypeError, KeyError) as error:
        sys.stderr.write(f"{options.file.name} cannot be read: {error}\n")
        return 2
    with profile() as services:
        _learn(services, known)
        asked = []
        for question, right in tqdm(questions, desc="asking", file=sys.stderr):
            without, _ = _answer(services, options.model, question, "off")
            found, block = _answer(services, options.model, question, "read_only")
            row = {"q": question, "without": is_right(without, right), "with": is_right(found, right), "block": block}
            asked.append({**row, "answers": [without, found]})
    report = {
        "model": options.model,
        "questions": len(asked),
        **{name: round(sum(row[name] for row in asked) / len(asked), 3) for name in ("without", "with", "block")},
        "changed": [row for row in asked if row["with"] != row["without"]],
    }
    tell(options, report, lambda: _lines(report))
    return 0


def is_right(answer: str, right: Sequence[str]) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(one)}(?!\w)", answer, re.IGNORECASE) for one in right)


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = arguments("plain", __doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--model", default="bundled:smollm2-135m")
    parser.add_argument("--questions", type=int, help="only the first so many")
    return parser.parse_args(argv)


def _learn(services: Services, known: dict[str, Any]) -> None:
    services.agents.ensure(AGENT)
    for line in known["identity"]:
        services.memories.add_identity(line)
    for line in known["facts"]:
        services.memories.add_fact(agent_id=AGENT, content=line)
    services.indexing.flush()


def _answer(services: Services, model: str, question: str, memory: MemoryMode) -> tuple[str, bool]:
    """Return an answer, and whether a memory block preceded its question."""
    request = CompletionRequest(
        messages=(ChatMessage(role="user", content=question),),
        model=model,
        agent_id=AGENT,
        memory=memory,
        sampling=Sampling(temperature=0.0, seed=1, max_tokens=_TOKENS),
    )
    text, block = "", False
    for event in services.chat.clients.complete(request):
        if isinstance(event, ReceiptReady):
            block = event.receipt is not None and bool(event.receipt.block)
        elif isinstance(event, Finished):
            text = event.text
    return text, block


def _lines(report: dict[str, Any]) -> Iterator[str]:
    yield f"{report['questions']} plain questions to {report['model']}: right without memory {report['without']:.3f}, with {report['with']:.3f}"
    yield f"a block of memory stood before {report['block']:.3f} of them"
    for row in report["changed"]:
        yield f"  {row['q']}  without: {row['answers'][0]!r}  with: {row['answers'][1]!r}"
